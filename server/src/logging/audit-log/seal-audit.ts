import { createHash } from 'node:crypto';
import type pg from 'pg';
import { type Context, job } from '../../context.ts';
import { eventType } from '../../kernel/event-type.ts';
import type { Job } from '../../kernel/jobs.ts';
import type { Runtime, WriteTx } from '../../kernel/runtime.ts';
import { logIdAt } from '../../kernel/time.ts';
import { systemOrigin } from '../../system/background-task/follow-jobs.ts';

const jobName = 'seal-audit-log';
const dayMs = 86_400_000;
/** Rows take their time when they are written and appear when their transaction commits; no write may take an hour. */
const settleMs = 3_600_000;
const batchRows = 1_000;
const daysMax = 400;

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

export const auditSealBroken = eventType({
  name: 'AUDIT_SEAL_BROKEN',
  description: 'A day of the audit log is not what was sealed: somebody with the rights of the database altered it.',
  category: 'SECURITY',
  elementType: 0,
  format: 'The audit log of {element} is not what was sealed: {counts}.',
  mandatory: true,
  syslogSeverity: 1,
});

/** A row as text that stays the same whatever columns the table gains. Rows of other cells are sealed where they were written. */
const rowsSql = `select r.id, jsonb_build_array(r.id, r."user", r.action, r.live_dbid, r.yams_event_tag, r.audit_obj, r.audit_object_name,
  r.db_table_name, r.summary, r.changes, r.source_address::text, r.session_id, r.token_name, r.request_id, r.method, r.path)::text as row
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

/** Compares the last sealed day with its rows. */
export async function verifySeal(client: pg.PoolClient): Promise<BrokenSeal | undefined> {
  const seal = await newestSeal(client);
  if (!seal) return undefined;
  const found = await sealOf(client, seal.day, seal.previous);
  if (found.sha256.equals(seal.sha256)) return undefined;
  return { day: seal.day, sealed: seal.records, found: found.records };
}

/** Checks the last seal before anything is built on it, says once a day that it is broken, and seals the days that are over. */
export async function sealAudit(runtime: Runtime, nowMs: number): Promise<BrokenSeal | undefined> {
  const broken = await runtime.read(verifySeal);
  if (broken) await runtime.transact(systemOrigin(jobName), (tx) => tellBroken(tx, broken, nowMs));
  for (let days = 0; days < daysMax; days++) {
    if (!(await runtime.transact(systemOrigin(jobName), (tx) => sealNextDay(tx, nowMs)))) break;
  }
  return broken;
}

async function tellBroken(tx: WriteTx, { day, sealed, found }: BrokenSeal, nowMs: number): Promise<void> {
  const { rowCount } = await tx.client.query(
    `select from event e where e.name = 'AUDIT_SEAL_BROKEN' and e.element_name = $1 and e.id >= $2 limit 1`,
    [day, logIdAt(nowMs - dayMs)],
  );
  if (rowCount) return;
  const counts =
    sealed === found ? `of its ${sealed} records some were altered` : `${sealed} were sealed, ${found} are there`;
  await tx.emit({ type: auditSealBroken, element: { id: 0, name: day }, attributes: { counts } });
}

/** Makes the audit log tell when somebody with the database's own rights has altered it. */
export const sealAuditLog = (runtime: Runtime): Job<Context> =>
  job(jobName, {
    doc: 'Seal the days of the audit log that are over, and check the last seal',
    at: '12 * * * *',
    secondsMax: 600,
    repeatable: true,
    run: async () => void (await sealAudit(runtime, Date.now())),
  });
