import { randomBytes } from 'node:crypto';
import { hostname } from 'node:os';
import type pg from 'pg';
import { everyRow } from '../../context.ts';
import { networkDevice } from '../network-device/network-device.ts';
import { type PolledDevice, polledColumns } from './device-access.ts';

const everyDevice = everyRow(networkDevice, 'a poll is work of the service');

export type PollKind = 'contact' | 'resync' | 'l2' | 'l3';

/** A device that a node holds the lease of, and what was due of it then. */
export interface Claimed extends PolledDevice {
  due: PollKind[];
  claimedAt: string;
}

/** What became of the kinds that were polled; what is put off is tried again when the next contact poll is due. */
export interface Polled {
  done: ReadonlySet<PollKind>;
  putOff: ReadonlySet<PollKind>;
  /** What the service itself could not finish; the device need not wait long for that. */
  brokenOff?: ReadonlySet<PollKind>;
}

const leaseSeconds = 10;
const earliest = 'least(p.contact_due, p.resync_due, p.l2_due, p.l3_due)';
const leased = `lease_until = now() + make_interval(secs => ${leaseSeconds})`;

/** What a dead node was at first, then urgent tables, then who waits longest. What is due of L3 says how urgent; all else lies between. */
const dueSql = `select p.device_id from device_poll p
  join ${everyDevice} d on d.id = p.device_id
  where p.lease_until < now() and ${earliest} <= now() and d.ip_address is not null
  order by p.lease_until = '-infinity', case when p.l3_due <= now() then array_position(array['HIGH', 'MEDIUM', 'LOW'], d.l3_polling_priority) else 2 end, ${earliest}
  limit $2
  for update of p skip locked`;

const oneSql = `select p.device_id from device_poll p where p.device_id = $2 and p.lease_until < now() for update skip locked`;

const claimSql = (which: string) => `with wanted as (${which})
update device_poll p set ${leased}, node = $1
from wanted w, ${everyDevice} d, device_properties x
where p.device_id = w.device_id and d.id = p.device_id
returning ${polledColumns}, now()::text as "claimedAt", array_remove(array[
  case when p.contact_due <= now() then 'contact' end, case when p.resync_due <= now() then 'resync' end,
  case when p.l2_due <= now() then 'l2' end, case when p.l3_due <= now() then 'l3' end], null) as due`;

/** A tenth more or less, so that devices which began together do not stay together. */
const nextTime = (seconds: string): string => `now() + make_interval(secs => ${seconds} * (0.9 + 0.2 * random()))`;

const soon = nextTime('30');
const withNextContact = nextTime('d.contact_polling_interval');

/** When a kind is due again. What was asked for while the poll ran is still due: it was not seen by it. */
function nextDue(kind: 'contact' | 'l2' | 'l3'): string {
  const column = `p.${kind}_due`;
  return `case when not d.${kind}_polling_enabled then case when ${column} <= $4::timestamptz then 'infinity' else ${column} end
    when '${kind}' = any($6::text[]) and (${column} <= $4 or ${column} = 'infinity') then ${soon}
    when '${kind}' = any($3::text[]) and ${column} <= $4 then ${withNextContact}
    when '${kind}' = any($2::text[]) and ${column} <= $4 or ${column} = 'infinity' then ${nextTime(`d.${kind}_polling_interval`)}
    else ${column} end`;
}

const releaseSql = `update device_poll p set lease_until = '-infinity',
  l2_pushes = case when 'l2' = any($2::text[]) and p.l2_due <= $4::timestamptz then 0 else p.l2_pushes end,
  contact_due = ${nextDue('contact')},
  resync_due = case when p.resync_due > $4::timestamptz then p.resync_due
    when 'resync' = any($6::text[]) then ${soon}
    when 'resync' = any($3::text[]) then ${withNextContact}
    when 'resync' = any($2::text[]) then 'infinity' else p.resync_due end,
  l2_due = ${nextDue('l2')},
  l3_due = ${nextDue('l3')}
from ${everyDevice} d
where p.device_id = $1 and d.id = p.device_id and p.node = $5`;

/** The leases of one node: who holds a device's polls it, and when its node dies, the next one does. */
export class Leases {
  readonly #pool: pg.Pool;
  /** Not the process alone: in a container every node may have the same number. */
  readonly #node = `${hostname()}:${process.pid}:${randomBytes(4).toString('hex')}`;
  readonly #held = new Set<number>();

  constructor(pool: pg.Pool) {
    this.#pool = pool;
  }

  /** Devices that something is due of, at most so many. */
  claimDue(count: number): Promise<Claimed[]> {
    return this.#claim('device-poll.claim', dueSql, count);
  }

  /** The device, unless somebody else is at it, or it is gone. */
  async claimOne(id: number): Promise<Claimed | undefined> {
    return (await this.#claim('device-poll.claim-one', oneSql, id))[0];
  }

  async #claim(name: string, which: string, parameter: number): Promise<Claimed[]> {
    const { rows } = await this.#pool.query<Claimed>({ name, text: claimSql(which), values: [this.#node, parameter] });
    for (const { id } of rows) this.#held.add(id);
    return rows;
  }

  async renew(): Promise<void> {
    if (this.#held.size === 0) return;
    await this.#pool.query({
      name: 'device-poll.renew',
      // Not one that was released while this was on its way: it would be held by nobody until it runs out.
      text: `update device_poll p set ${leased} where p.device_id = any($1::bigint[]) and p.node = $2 and p.lease_until > '-infinity'`,
      values: [[...this.#held], this.#node],
    });
  }

  /**
   * Whether the lease is still held, until the transaction ends. A node that was away for too long finds that another has
   * taken over, and must not write down what it read before.
   */
  async holds(client: pg.PoolClient, id: number): Promise<boolean> {
    const { rowCount } = await client.query({
      name: 'device-poll.holds',
      text: 'select from device_poll p where p.device_id = $1 and p.node = $2 and p.lease_until > now() for no key update',
      values: [id, this.#node],
    });
    return rowCount === 1;
  }

  async release({ id, claimedAt }: Claimed, { done, putOff, brokenOff = new Set() }: Polled): Promise<void> {
    this.#held.delete(id);
    await this.#pool.query({
      name: 'device-poll.release',
      text: releaseSql,
      values: [id, [...done], [...putOff], claimedAt, this.#node, [...brokenOff]],
    });
  }
}
