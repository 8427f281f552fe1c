import pg from 'pg';
import { afterAll, describe, expect, test } from 'vitest';
import { runScript } from '../../../test/surface/schema-drift.ts';
import { world } from '../../../test/world/world.ts';
import { logIdAt } from '../../kernel/values/time.ts';
import { sealAudit } from './seal-audit.ts';

const dayMs = 86_400_000;
const now = new Date();
const monthAgo = (back: number) => new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - back));
const dayOf = (date: Date) => date.toISOString().slice(0, 10);
const nameOf = (date: Date) => `audit_record_${dayOf(date).replaceAll('-', '')}`;

/** What an attacker with the password of the serving role can do. */
describe('the serving role', async () => {
  const { service, database } = await world();
  const [recent, old] = [monthAgo(2), monthAgo(26)];
  const slices = [recent, old].map((startDate) => {
    const endDate = new Date(Date.UTC(startDate.getUTCFullYear(), startDate.getUTCMonth() + 1));
    return `create table if not exists ${nameOf(startDate)} partition of audit_record for values from (${logIdAt(startDate.getTime())}) to (${logIdAt(endDate.getTime())});
      revoke all on ${nameOf(startDate)} from portreeve_service;
      insert into audit_record (id, "user", action, live_dbid, yams_event_tag, audit_obj, audit_object_name, db_table_name, summary, changes, request_id, method, path)
      select ${logIdAt(startDate.getTime())} + n * 8192, 'ann', 'MODIFY', n, 'X_MODIFIED', 'x', 'x', 'container', '', '[]', 'r', 'POST', '/x'
      from generate_series(1, 100) n;`;
  });
  await runScript(database, slices.join('\n'));
  const attacker = new pg.Client({ connectionString: database.serviceUrl });
  await attacker.connect();
  afterAll(() => attacker.end());

  const rows = async (month: Date) =>
    (
      await attacker.query(`select from audit_record where id >= $1 and id < $2`, [
        logIdAt(month.getTime()),
        logIdAt(month.getTime() + 2 * dayMs),
      ])
    ).rowCount;
  const forged = (month: Date, changes: object = {}) => ({
    log: 'audit_record',
    slice: dayOf(month),
    landscape: landscape,
    name: `audit_record-${dayOf(month)}-L${landscape}`,
    rows: 100,
    min_id: logIdAt(month.getTime()) + 8_192,
    max_id: logIdAt(month.getTime()) + 100 * 8_192,
    bytes: 1_000,
    sha256: 'ab'.repeat(32),
    schema_version: 1,
    product_version: '0',
    created_at: new Date().toISOString(),
    missing: false,
    ...changes,
  });
  const { landscape } = (await attacker.query('select cell_landscape() as landscape')).rows[0];
  const record = (archive: object) =>
    attacker.query('select record_log_archive(jsonb_populate_record(null::log_archive, $1))', [
      JSON.stringify(archive),
    ]);

  test('cannot erase rows of the last 365 days by a setting, a forged archive, or both', async () => {
    await expect(attacker.query(`update log_setting set value = 1 where name = 'auditDays'`)).rejects.toThrow(
      'at least 365 days',
    );
    await expect(record(forged(recent, { rows: 1_000 }))).rejects.toThrow('has other rows than its archive');
    await record(forged(recent));
    await expect(attacker.query(`select detach_log_slice('audit_record', $1)`, [dayOf(recent)])).rejects.toThrow(
      'is not due',
    );
    // The minimum also applies if the setting was lower before.
    await runScript(
      database,
      `alter table log_setting disable trigger log_setting_floor; update log_setting set value = 1 where name = 'auditDays'; alter table log_setting enable trigger log_setting_floor;`,
    );
    await expect(attacker.query(`select detach_log_slice('audit_record', $1)`, [dayOf(recent)])).rejects.toThrow(
      'is not due',
    );
    await attacker.query('select drop_log_leftovers()');
    expect(await rows(recent)).toBe(100);
  });

  test.each([
    ['delete', `delete from audit_record`],
    ['update', `update audit_record set "user" = 'x'`],
    ['truncate', `truncate audit_record`],
    ['the slice itself', `delete from ${nameOf(recent)}`],
    ['detach', `alter table audit_record detach partition ${nameOf(recent)}`],
    ['drop', `drop table ${nameOf(recent)}`],
    ['the floor', `update log_floor set days = 1`],
    ['no floor', `delete from log_floor`],
    ['the trigger', `alter table log_setting disable trigger log_setting_floor`],
    ['another setting', `update log_table set age_setting = 'eventDays'`],
    ['removable rows', `update log_table set removable = true`],
    ['removal', `select remove_log_rows('audit_record', array[1::bigint])`],
    ['seals', `delete from audit_seal`],
    ['archives', `update log_archive set rows = 0`],
    ['a slice of any time', `select make_log_slice(t, '2020-01-01') from log_table t`],
  ])('erases nothing by %s', async (_way, sql) => {
    await expect(attacker.query(sql)).rejects.toThrow(/permission denied|must be owner|are not removed|at least/);
    expect(await rows(recent)).toBe(100);
  });

  test('cannot record an archive of this cell whose rows are missing or different', async () => {
    await expect(record(forged(monthAgo(40)))).rejects.toThrow('are not here');
    for (const changes of [
      { rows: 99 },
      { rows: 101 },
      { min_id: 1 },
      { max_id: 1 },
      { sha256: 'x' },
      { bytes: 0 },
      { name: 'x' },
    ])
      await expect(record(forged(old, changes)), JSON.stringify(changes)).rejects.toThrow();
    // Rows past their age may be detached once an archive is recorded; the database cannot check that its file exists.
    await expect(attacker.query(`select detach_log_slice('audit_record', $1)`, [dayOf(old)])).rejects.toThrow(
      'is not archived',
    );
  });

  test('finds an altered older sealed day in one of the next runs', async () => {
    // A run seals 400 days at most.
    for (let run = 0; run < 3; run++) await sealAudit(service.runtime, Date.now());
    const { rowCount } = await attacker.query('select from audit_seal');
    expect(rowCount).toBeGreaterThan(700);
    await runScript(database, `update audit_record set "user" = 'bob' where id = ${logIdAt(recent.getTime()) + 8_192}`);
    const brokenDays: (string | undefined)[] = [];
    for (let run = 0; run < 4 && !brokenDays.includes(dayOf(recent)); run++)
      brokenDays.push((await sealAudit(service.runtime, Date.now()))?.day);
    expect(brokenDays).toContain(dayOf(recent));
  });
});
