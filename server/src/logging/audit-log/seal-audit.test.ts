import { describe, expect, test } from 'vitest';
import { runScript } from '../../../test/surface/schema-drift.ts';
import { world } from '../../../test/world/world.ts';
import { logIdAt } from '../../kernel/values/time.ts';
import { sealAudit } from './seal-audit.ts';

const dayMs = 86_400_000;
const now = Date.now();
const midnight = now - (now % dayMs);

describe('the seal of the audit log', async () => {
  const { service, database } = await world();
  const { runtime } = service;

  /** SQL that inserts rows of a past day, which the service cannot do. */
  const past = (daysAgo: number, rows: number) => `
    insert into audit_record (id, "user", action, live_dbid, yams_event_tag, audit_obj, audit_object_name, db_table_name, summary, changes, request_id, method, path)
    select ${logIdAt(midnight - daysAgo * dayMs)} + n * 8192, 'ann', 'MODIFY', n, 'X_MODIFIED', 'x', 'x', 'container', '', '[]', 'r', 'POST', '/x'
    from generate_series(1, ${rows}) n`;
  const slices = [0, 1, 2].map((back) => {
    const startDate = new Date(Date.UTC(new Date(now).getUTCFullYear(), new Date(now).getUTCMonth() - back));
    const endDate = new Date(Date.UTC(startDate.getUTCFullYear(), startDate.getUTCMonth() + 1));
    const name = `audit_record_${startDate.toISOString().slice(0, 10).replaceAll('-', '')}`;
    return `create table if not exists ${name} partition of audit_record for values from (${logIdAt(startDate.getTime())}) to (${logIdAt(endDate.getTime())});`;
  });
  await runScript(database, `${slices.join('\n')}${past(3, 1_500)};${past(1, 7)};`);

  const seals = async () =>
    (await runtime.pool.query('select records, previous, sha256 from audit_seal order by day')).rows;
  const reported = async () =>
    (await runtime.pool.query(`select event_format_string as text from event where name = 'AUDIT_SEAL_BROKEN'`)).rows;

  test('seals each completed day, also an empty one, and contains the previous seal', async () => {
    // Transactions of yesterday may still be open.
    await Promise.all([sealAudit(runtime, midnight + 1_800_000), sealAudit(runtime, midnight + 1_800_000)]);
    expect((await seals()).map(({ records }) => records)).toEqual([1_500, 0]);
    await sealAudit(runtime, midnight + 3_600_000);
    const storedSeals = await seals();
    expect(storedSeals.map(({ records }) => records)).toEqual([1_500, 0, 7]);
    expect(storedSeals[0].previous).toHaveLength(0);
    expect([storedSeals[1].previous, storedSeals[2].previous]).toEqual([storedSeals[0].sha256, storedSeals[1].sha256]);
    expect(await sealAudit(runtime, midnight + 7_200_000)).toBeUndefined();
    expect(await reported()).toEqual([]);
  });

  test('reports a row that was altered directly in the database, once', async () => {
    await runScript(
      database,
      `update audit_record set "user" = 'bob' where "user" = 'ann' and live_dbid = 4 and id >= ${logIdAt(midnight - dayMs)}`,
    );
    expect(await sealAudit(runtime, now)).toMatchObject({ sealedRows: 7, currentRows: 7 });
    await sealAudit(runtime, now);
    expect(await reported()).toEqual([
      { text: expect.stringMatching(/does not match its seal: some of its 7 records were altered/) },
    ]);
    await runScript(database, `update audit_record set "user" = 'ann' where "user" = 'bob'`);
    expect(await sealAudit(runtime, now)).toBeUndefined();
  });

  test('reports a row that was deleted', async () => {
    await runScript(database, `delete from audit_record where live_dbid = 2 and id >= ${logIdAt(midnight - dayMs)}`);
    expect(await sealAudit(runtime, now)).toMatchObject({ sealedRows: 7, currentRows: 6 });
  });

  test('cannot be changed by the serving role', async () => {
    for (const statement of ['update audit_seal set records = 0', 'delete from audit_seal'])
      await expect(runtime.pool.query(statement)).rejects.toThrow('permission denied');
  });
});
