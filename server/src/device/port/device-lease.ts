import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Context } from '../../context.ts';
import { remoteFailed, remoteTimeout } from '../../kernel/failure.ts';

/** Longer than a node on a busy machine may be without CPU time; after a node's death, others wait as long. */
const leaseMs = 45_000;
const renewMs = 7_000;
const lookMs = 100;

/**
 * Runs `work` while this node alone may write to a device: port lists are read, changed and written back, so two
 * writers at once would undo each other's changes. This is a lease, not a lock: no database lock is held during
 * requests to the device. Call `refuseAfterTurn` before each packet: it throws if the lease was not renewed in time,
 * because a node that was suspended does not notice it, and another node may write to the device by then.
 */
export async function withDeviceLease<T>(
  { query }: Pick<Context, 'query'>,
  deviceID: number,
  waitMsMax: number,
  work: (refuseAfterTurn: () => void) => Promise<T>,
  times = { leaseMs, renewMs },
): Promise<T> {
  const holder = randomUUID();
  const take = async () =>
    (
      await query(
        `update device_poll set write_until = now() + make_interval(secs => $3::double precision / 1000), writer = $2
         where device_id = $1 and (write_until < now() or writer = $2) returning device_id`,
        [deviceID, holder, times.leaseMs],
      )
    ).length > 0;
  const giveUpAt = performance.now() + waitMsMax;
  let takenMs = performance.now();
  while (!(await take())) {
    if (performance.now() > giveUpAt)
      throw remoteTimeout('Another request is changing the device; try again in a moment.');
    await sleep(lookMs);
    takenMs = performance.now();
  }
  let isLost = false;
  const refuseAfterTurn = () => {
    if (isLost || performance.now() - takenMs > times.leaseMs)
      throw remoteFailed(
        'This node was held up for so long that another request may change the device; part of the change may be done.',
      );
  };
  const renew = async () => {
    const askedMs = performance.now();
    if (await take()) takenMs = askedMs;
    else isLost = true;
  };
  const renewing = setInterval(() => void renew().catch(() => undefined), times.renewMs);
  try {
    return await work(refuseAfterTurn);
  } finally {
    clearInterval(renewing);
    await query(`update device_poll set write_until = '-infinity' where device_id = $1 and writer = $2`, [
      deviceID,
      holder,
    ]);
  }
}
