import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Context } from '../../context.ts';
import { remoteTimeout } from '../../kernel/failure.ts';

const leaseSeconds = 20;
const renewMs = 7_000;
const lookMs = 100;

/**
 * Does what writes to a device when nobody else in the cell does: lists of ports are read, changed and written back, and of two who
 * do that at once one would undo the other. A lease, not a lock: none is held while a device is asked.
 */
export async function inTurn<T>(
  { query }: Pick<Context, 'query'>,
  deviceID: number,
  waitMsMax: number,
  work: () => Promise<T>,
): Promise<T> {
  const holder = randomUUID();
  const until = `now() + make_interval(secs => ${leaseSeconds})`;
  const take = async () =>
    (
      await query(
        `update device_poll set write_until = ${until}, writer = $2
         where device_id = $1 and (write_until < now() or writer = $2) returning device_id`,
        [deviceID, holder],
      )
    ).length > 0;
  const giveUpAt = performance.now() + waitMsMax;
  while (!(await take())) {
    if (performance.now() > giveUpAt)
      throw remoteTimeout('Another request is changing the device; try again in a moment.');
    await sleep(lookMs);
  }
  // One that cannot be renewed runs out; the device itself then shows what came of it.
  const renewing = setInterval(() => void take().catch(() => undefined), renewMs);
  try {
    return await work();
  } finally {
    clearInterval(renewing);
    await query(`update device_poll set write_until = '-infinity' where device_id = $1 and writer = $2`, [
      deviceID,
      holder,
    ]);
  }
}
