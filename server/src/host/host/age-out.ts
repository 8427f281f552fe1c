import { setTimeout as sleep } from 'node:timers/promises';
import { type Context, everyRow, type WriteTx } from '../../context.ts';
import { elementCodes } from '../../kernel/declare/element-type.ts';
import { Failure } from '../../kernel/failure.ts';
import { group } from '../../system/group/group.ts';
import { adapter } from '../adapter/adapter.ts';
import { hostAgedOut } from './host.events.ts';
import { host } from './host.ts';
import { nameOf } from './saved-host.ts';

const everyHost = everyRow(host, 'the service deletes all due hosts');
const everyAdapter = everyRow(adapter, 'the service deletes all due hosts');
const everyGroup = everyRow(group, 'the service applies the limits of all groups');

/** At most 500 deletions per minute, so that many hosts with the same expiration date are not deleted in one burst. */
const batch = 50;
const pauseMs = 6_000;

/**
 * Selects hosts that are due. The date and days of the host take precedence over those of its groups; of several groups, the lowest number
 * of days applies. Absence counts from the last disconnect, or from the creation of a host that was never connected.
 */
const dueSql = (condition: string) => `with aged as (
    select m.member_id as id, min(nullif(g.days_valid, 0)) as valid, min(nullif(g.days_inactive, 0)) as inactive
    from ${everyGroup} g
    join group_closure c on c.ancestor_id = g.id
    join group_member m on m.group_id = c.descendant_id and m.element_type = ${elementCodes.HOST}
    where g.type = 'HOST' and (g.days_valid > 0 or g.days_inactive > 0)
    group by m.member_id)
  select h.id, case when h.expiration_date <= now() then 'expiration date'
    when h.expiration_date is null and coalesce(h.registered_at, h.creation_time) + make_interval(days => a.valid) <= now()
      then 'days valid of its group'
    else 'days of absence' end as why
  from ${everyHost} h
  left join aged a on a.id = h.id
  left join lateral (
    select count(v.mac) > 0 as connected, max(l.ended) as gone
    from ${everyAdapter} d left join connection_active v on v.mac = d.physical_address left join connection_last l on l.mac = d.physical_address
    where d.host_id = h.id and coalesce(h.inactive_days, a.inactive) is not null) n on true
  where ${condition} and (h.expiration_date <= now()
    or h.expiration_date is null and coalesce(h.registered_at, h.creation_time) + make_interval(days => a.valid) <= now()
    or not n.connected and coalesce(n.gone, h.creation_time) + make_interval(days => coalesce(h.inactive_days, a.inactive)) <= now())
  order by h.id limit ${batch}`;

interface Due {
  id: number;
  why: string;
}

/** Deletes a host if it is still due: it may have connected or got another date since the query. A connected host becomes a rogue. */
async function ageOne(tx: WriteTx, id: number): Promise<boolean> {
  await tx.client.query(`select h.id from ${everyHost} h where h.id = $1 for update`, [id]);
  const { rows } = await tx.client.query<Due>(dueSql('h.id = $1'), [id]);
  const record = rows[0] && (await tx.records.fetch(host, id));
  if (!record) return false;
  await tx.emit({
    type: hostAgedOut,
    element: { id, name: nameOf(record, id) },
    attributes: { macs: record.adapters.join(', ') || 'no adapter', why: rows[0]!.why },
    ...(record.primaryMac && { mac: record.primaryMac }),
  });
  await tx.records.remove(host, [id]);
  return true;
}

/** Deletes the hosts that are due, in the order of their ids, except those that other records refer to. Returns the number of deletions. */
export async function ageOut(
  { query, write }: Pick<Context, 'query' | 'write'>,
  signal: AbortSignal,
  pause: number = pauseMs,
): Promise<number> {
  let [last, deleted] = [0, 0];
  while (!signal.aborted) {
    const due = await query<Due>(dueSql('h.id > $1'), [last]);
    for (const { id } of due) {
      if (signal.aborted) return deleted;
      last = id;
      if (await write((tx) => ageOne(tx, id)).catch(keptBecauseInUse)) deleted++;
    }
    if (due.length < batch) return deleted;
    await sleep(pause, undefined, { signal }).catch(() => undefined);
  }
  return deleted;
}

function keptBecauseInUse(error: unknown): false {
  if (error instanceof Failure && (error.word === 'in-use' || error.word === 'protected')) return false;
  throw error;
}
