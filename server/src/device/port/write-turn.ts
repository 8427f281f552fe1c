import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Context } from '../../context.ts';
import { remoteFailed, remoteTimeout } from '../../kernel/failure.ts';

/** Longer than a node on a busy machine gets no processor time; after a node that was ended, others wait as long. */
const leaseMs = 45_000;
const renewMs = 7_000;
const lookMs = 100;

/**
 * Does what writes to a device when nobody else in the cell does: lists of ports are read, changed and written back, and of two who
 * do that at once one would undo the other. A lease, not a lock: none is held while a device is asked. What is sent to the device is
 * preceded by `refuseAfterTurn`, which throws once the lease was not renewed in time: a node that was held up goes on as if no time
 * had passed, and somebody else may change the device by then.
 */
export async function inTurn<T>(
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
