import { randomBytes } from 'node:crypto';
import { hostname } from 'node:os';
import type pg from 'pg';
import { everyRow } from '../../context.ts';
import { networkDevice } from '../network-device/network-device.ts';
import { type PolledDevice, polledColumns } from './device-access.ts';

const everyDevice = everyRow(networkDevice, 'a poll is work of the service');

export type PollKind = 'contact' | 'resync' | 'l2' | 'l3';

/** A device whose lease a node holds, with the polls that were due at the claim. */
export interface Claimed extends PolledDevice {
  due: PollKind[];
  claimedAt: string;
}

/** The outcome of a poll. Kinds that were put off are due again with the next contact poll. */
export interface Polled {
  done: ReadonlySet<PollKind>;
  putOff: ReadonlySet<PollKind>;
  /** Kinds that the service itself did not finish; they are due again soon. */
  brokenOff?: ReadonlySet<PollKind>;
}

const leaseSeconds = 10;
const earliest = 'least(p.contact_due, p.resync_due, p.l2_due, p.l3_due)';
const leased = `lease_until = now() + make_interval(secs => ${leaseSeconds})`;

/**
 * Order of the claims: first devices of a node that stopped without releasing them, then urgent tables, then by waiting
 * time. An L3 due time carries its urgency; all others are in between.
 */
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

/** Adds up to ten percent more or less, so that devices polled at the same time do not stay together. */
const nextTime = (seconds: string): string => `now() + make_interval(secs => ${seconds} * (0.9 + 0.2 * random()))`;

const soon = nextTime('30');
const withNextContact = nextTime('d.contact_polling_interval');

/** SQL for the next due time of a kind. A request made while the poll ran stays due: the poll did not include it. */
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

/**
 * The leases of one node. The holder of a device's lease polls it; after the node's death another node takes it over.
 */
export class Leases {
  readonly #pool: pg.Pool;
  /** Not the process id alone: in containers every node may have the same one. */
  readonly #node = `${hostname()}:${process.pid}:${randomBytes(4).toString('hex')}`;
  readonly #held = new Set<number>();

  constructor(pool: pg.Pool) {
    this.#pool = pool;
  }

  /** Claims devices with a due poll, at most `count`. */
  claimDue(count: number): Promise<Claimed[]> {
    return this.#claim('device-poll.claim', dueSql, count);
  }

  /** Claims one device; undefined if another node has it, or it was deleted. */
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
      // Excludes leases that were released while this statement was on its way: nobody would hold them until they
      // expire.
      text: `update device_poll p set ${leased} where p.device_id = any($1::bigint[]) and p.node = $2 and p.lease_until > '-infinity'`,
      values: [[...this.#held], this.#node],
    });
  }

  /**
   * Checks the lease and keeps it until the end of the transaction. A node that was delayed may have lost the lease,
   * and must not store data that it read before.
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
