import { createHash } from 'node:crypto';
import type pg from 'pg';
import type { Runtime, WriteTx } from '../../context.ts';
import { systemOrigin } from '../../kernel/declare/caller.ts';
import { logIdAt } from '../../kernel/values/time.ts';
import { auditSealBroken } from './audit-log.events.ts';

export const sealJob = 'seal-audit-log';
const dayMs = 86_400_000;
/** Rows take their time when they are written and appear when their transaction commits; no write may take an hour. */
const settleMs = 3_600_000;
const batchRows = 1_000;
const daysMax = 400;
/** For comparing sealed days in one run; the others have their turn in the next. */
const verifyMsMax = 120_000;

interface Seal {
  day: string;
  records: number;
  sha256: Buffer;
  previous: Buffer;
}

/** A day of the audit log that is not what was sealed. */
export interface BrokenSeal {
  day: string;
  sealed: number;
  found: number;
}

/**
 * A row as text that stays the same whatever columns the table gains: one that came later is named behind the others, where it has a
 * value, so that older seals stay valid. Rows of other cells are sealed where they were written.
 */
const rowsSql = `select r.id, (jsonb_build_array(r.id, r."user", r.action, r.live_dbid, r.yams_event_tag, r.audit_obj, r.audit_object_name,
  r.db_table_name, r.summary, r.changes, r.source_address::text, r.session_id, r.token_name, r.request_id, r.method, r.path)
  || case when r.reason is null then '[]' else jsonb_build_array(jsonb_build_object('reason', r.reason)) end)::text as row
from audit_record r
where r.landscape = cell_landscape() and r.id > $1 and r.id < $2
order by r.id
limit ${batchRows}`;

/** What a day is sealed with: the seal before it, and every row of the day in its order. */
async function sealOf(client: pg.PoolClient, day: string, previous: Buffer): Promise<Pick<Seal, 'records' | 'sha256'>> {
  const hash = createHash('sha256').update(previous);
  const beginsMs = Date.parse(`${day}T00:00:00Z`);
  let last = logIdAt(beginsMs) - 1;
  let records = 0;
  for (;;) {
    const { rows } = await client.query<{ id: number; row: string }>({
      name: 'audit.seal',
      text: rowsSql,
      values: [last, logIdAt(beginsMs + dayMs)],
    });
    for (const { row } of rows) hash.update(row).update('\n');
    records += rows.length;
    if (rows.length < batchRows) return { records, sha256: hash.digest() };
    last = rows.at(-1)!.id;
  }
}

async function newestSeal(client: pg.PoolClient): Promise<Seal | undefined> {
  const { rows } = await client.query<Seal>(
    'select s.day::text as day, s.records, s.sha256, s.previous from audit_seal s order by s.day desc limit 1',
  );
  return rows[0];
}

/** The day to seal next: the one after the last seal, or that of the first row. */
async function nextDay(client: pg.PoolClient, newest: Seal | undefined): Promise<string | undefined> {
  if (newest) return new Date(Date.parse(`${newest.day}T00:00:00Z`) + dayMs).toISOString().slice(0, 10);
  const { rows } = await client.query<{ day: string | null }>(
    `select (log_time(min(r.id)) at time zone 'UTC')::date::text as day from audit_record r where r.landscape = cell_landscape()`,
  );
  return rows[0]!.day ?? undefined;
}

/** Seals one more day that is over; false when there is none. Two nodes that try at once seal it once. */
async function sealNextDay({ client }: WriteTx, nowMs: number): Promise<boolean> {
  await client.query(`select pg_advisory_xact_lock(hashtext('portreeve-audit-seal'))`);
  const newest = await newestSeal(client);
  const day = await nextDay(client, newest);
  if (!day || Date.parse(`${day}T00:00:00Z`) + dayMs + settleMs > nowMs) return false;
  const previous = newest?.sha256 ?? Buffer.alloc(0);
  const { records, sha256 } = await sealOf(client, day, previous);
  await client.query('insert into audit_seal (day, records, sha256, previous) values ($1, $2, $3, $4)', [
    day,
    records,
    sha256,
    previous,
  ]);
  return true;
}

/** The newest seal, which the next is built on, and then those that were not looked at for longest, as far as their rows are online. */
const turnSql = `select s.day::text as day, s.records, s.sha256, s.previous
from audit_seal s
join log_table t on t.table_name = 'audit_record'
left join audit_seal_check c on c.day = s.day
where is_log_slice('audit_record', log_slice_of(t.slice, s.day::timestamp at time zone 'UTC'))
order by s.day = (select max(n.day) from audit_seal n) desc, c.checked_at nulls first, s.day
limit ${daysMax}`;

/** Compares sealed days with their rows, in turn, for as long as one run may take. */
async function verifySeals(client: pg.PoolClient): Promise<BrokenSeal[]> {
  const { rows: seals } = await client.query<Seal>(turnSql);
  const broken: BrokenSeal[] = [];
  const endMs = performance.now() + verifyMsMax;
  for (const seal of seals) {
    if (performance.now() > endMs) break;
    const found = await sealOf(client, seal.day, seal.previous);
    if (!found.sha256.equals(seal.sha256)) broken.push({ day: seal.day, sealed: seal.records, found: found.records });
    await client.query(
      `insert into audit_seal_check (day) values ($1) on conflict (day) do update set checked_at = now()`,
      [seal.day],
    );
  }
  return broken;
}

/** Checks seals before anything is built on them, reports each broken one once a day, and seals the days that are over. */
export async function sealAudit(runtime: Runtime, nowMs: number): Promise<BrokenSeal | undefined> {
  const broken = await runtime.read(verifySeals);
  for (const each of broken) await runtime.transact(systemOrigin(sealJob), (tx) => emitBroken(tx, each, nowMs));
  for (let days = 0; days < daysMax; days++) {
    if (!(await runtime.transact(systemOrigin(sealJob), (tx) => sealNextDay(tx, nowMs)))) break;
  }
  return broken[0];
}

async function emitBroken(tx: WriteTx, { day, sealed, found }: BrokenSeal, nowMs: number): Promise<void> {
  const { rowCount } = await tx.client.query(
    `select from event e where e.name = 'AUDIT_SEAL_BROKEN' and e.element_name = $1 and e.id >= $2 limit 1`,
    [day, logIdAt(nowMs - dayMs)],
  );
  if (rowCount) return;
  const counts =
    sealed === found ? `some of its ${sealed} records were altered` : `${sealed} records were sealed, ${found} exist`;
  await tx.emit({ type: auditSealBroken, element: { id: 0, name: day }, attributes: { counts } });
}
