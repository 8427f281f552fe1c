import { createHash } from 'node:crypto';
import type pg from 'pg';
import type { Runtime, WriteTx } from '../../context.ts';
import { systemOrigin } from '../../kernel/declare/caller.ts';
import { logIdAt } from '../../kernel/values/time.ts';
import { auditSealBroken } from './audit-log.events.ts';

export const sealJob = 'seal-audit-log';
const dayMs = 86_400_000;
/** Time after a day before it is sealed: rows have their time of writing and become visible at the commit, and no write takes an hour. */
const settleMs = 3_600_000;
const batchRows = 1_000;
const daysMax = 400;
/** Limit on the time for comparing sealed days in one run; the next run continues with the others. */
const verifyMsMax = 120_000;

interface Seal {
  day: string;
  records: number;
  sha256: Buffer;
  previous: Buffer;
}

/** A day of the audit log that does not match its seal. */
export interface BrokenSeal {
  day: string;
  sealedRows: number;
  currentRows: number;
}

/**
 * Selects rows as text that does not change when the table gains columns: a later column is added at the end with its name, only if it has
 * a value, so that older seals stay valid. Rows of other cells are excluded, because their own cell seals them.
 */
const rowsSql = `select r.id, (jsonb_build_array(r.id, r."user", r.action, r.live_dbid, r.yams_event_tag, r.audit_obj, r.audit_object_name,
  r.db_table_name, r.summary, r.changes, r.source_address::text, r.session_id, r.token_name, r.request_id, r.method, r.path)
  || case when r.reason is null then '[]' else jsonb_build_array(jsonb_build_object('reason', r.reason)) end)::text as row
from audit_record r
where r.landscape = cell_landscape() and r.id > $1 and r.id < $2
order by r.id
limit ${batchRows}`;

/** Computes the seal of a day: a hash of the previous seal and every row of the day in order. */
async function sealOf(client: pg.PoolClient, day: string, previous: Buffer): Promise<Pick<Seal, 'records' | 'sha256'>> {
  const hash = createHash('sha256').update(previous);
  const startMs = Date.parse(`${day}T00:00:00Z`);
  let last = logIdAt(startMs) - 1;
  let records = 0;
  for (;;) {
    const { rows } = await client.query<{ id: number; row: string }>({
      name: 'audit.seal',
      text: rowsSql,
      values: [last, logIdAt(startMs + dayMs)],
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

/** Returns the day to seal next: the one after the last seal, or that of the first row. */
async function nextDay(client: pg.PoolClient, newest: Seal | undefined): Promise<string | undefined> {
  if (newest) return new Date(Date.parse(`${newest.day}T00:00:00Z`) + dayMs).toISOString().slice(0, 10);
  const { rows } = await client.query<{ day: string | null }>(
    `select (log_time(min(r.id)) at time zone 'UTC')::date::text as day from audit_record r where r.landscape = cell_landscape()`,
  );
  return rows[0]!.day ?? undefined;
}

/** Seals the next completed day; false if there is none. A lock prevents two nodes from sealing the same day. */
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

/** Selects the newest seal, from which the next one is computed, then those checked longest ago, if their rows are online. */
const sealsToVerifySql = `select s.day::text as day, s.records, s.sha256, s.previous
from audit_seal s
join log_table t on t.table_name = 'audit_record'
left join audit_seal_check c on c.day = s.day
where is_log_slice('audit_record', log_slice_of(t.slice, s.day::timestamp at time zone 'UTC'))
order by s.day = (select max(n.day) from audit_seal n) desc, c.checked_at nulls first, s.day
limit ${daysMax}`;

/** Compares sealed days with their rows, until the time limit of a run. */
async function verifySeals(client: pg.PoolClient): Promise<BrokenSeal[]> {
  const { rows: seals } = await client.query<Seal>(sealsToVerifySql);
  const broken: BrokenSeal[] = [];
  const endMs = performance.now() + verifyMsMax;
  for (const seal of seals) {
    if (performance.now() > endMs) break;
    const current = await sealOf(client, seal.day, seal.previous);
    if (!current.sha256.equals(seal.sha256))
      broken.push({ day: seal.day, sealedRows: seal.records, currentRows: current.records });
    await client.query(
      `insert into audit_seal_check (day) values ($1) on conflict (day) do update set checked_at = now()`,
      [seal.day],
    );
  }
  return broken;
}

/** Checks seals before new ones are computed from them, reports each broken one once a day, and seals completed days. */
export async function sealAudit(runtime: Runtime, nowMs: number): Promise<BrokenSeal | undefined> {
  const broken = await runtime.read(verifySeals);
  for (const brokenSeal of broken)
    await runtime.transact(systemOrigin(sealJob), (tx) => emitBroken(tx, brokenSeal, nowMs));
  for (let days = 0; days < daysMax; days++) {
    if (!(await runtime.transact(systemOrigin(sealJob), (tx) => sealNextDay(tx, nowMs)))) break;
  }
  return broken[0];
}

async function emitBroken(tx: WriteTx, { day, sealedRows, currentRows }: BrokenSeal, nowMs: number): Promise<void> {
  const { rowCount } = await tx.client.query(
    `select from event e where e.name = 'AUDIT_SEAL_BROKEN' and e.element_name = $1 and e.id >= $2 limit 1`,
    [day, logIdAt(nowMs - dayMs)],
  );
  if (rowCount) return;
  const counts =
    sealedRows === currentRows
      ? `some of its ${sealedRows} records were altered`
      : `${sealedRows} records were sealed, ${currentRows} exist`;
  await tx.emit({ type: auditSealBroken, element: { id: 0, name: day }, attributes: { counts } });
}
