import pg from 'pg';
import { describe, expect, test } from 'vitest';
import { runScript } from '../../../test/surface/schema-drift.ts';
import { world } from '../../../test/world/world.ts';
import { container } from '../../device/container/container.ts';
import { aaaServer } from '../../integration/aaa-server/aaa-server.ts';
import { systemOrigin } from '../../kernel/declare/caller.ts';
import { logIdAt } from '../../kernel/values/time.ts';

describe('the audit log', async () => {
  const { admin, database, service } = await world();
  const audits = async (filter: string) =>
    (await admin.get(`/logging/audit?filter=${encodeURIComponent(filter)}`)).body;

  test('records the user, the change with old and new values, the address and the request', async () => {
    const id = await admin.create(container, { name: 'Audited', pollingInterval: 600 });
    const reply = await admin.post(container.path!, { id, pollingInterval: 300, notes: 'moved' });
    const { results } = await audits(`auditObjectType.dbTableName==container;liveDBID==${id}`);
    expect(results).toHaveLength(2);
    expect(results![0]).toMatchObject({
      action: 'MODIFY',
      auditObjectName: 'Audited',
      auditObj: 'Audited: changed notes, pollingInterval',
      liveObj: { yamsEventTag: 'DOMAIN_MODIFIED', auditObj: 'Audited: changed notes, pollingInterval' },
      yamsEventTag: 'DOMAIN_MODIFIED',
      auditObjectType: { auditTableName: 'container_audit', dbTableName: 'container', idnameQuery: 'name' },
      changes: [
        { field: 'notes', before: null, after: 'moved', changed: true },
        { field: 'pollingInterval', before: '600', after: '300', changed: true },
      ],
      summary: 'notes: nothing → moved\npollingInterval: 600 → 300',
      sourceAddress: '127.0.0.1',
      method: 'POST',
      path: '/api/v2/device/container',
      requestID: reply.headers['x-request-id'],
    });
    expect(results![1]).toMatchObject({ action: 'ADD', liveObj: { yamsEventTag: 'DOMAIN_MODIFIED' } });
    await admin.delete(`${container.path}/${id}`);
    const afterDeletion = await audits(`auditObjectType.dbTableName==container;liveDBID==${id}`);
    expect(afterDeletion.results!.map((record) => record.liveObj)).toEqual(
      Array(3).fill({ yamsEventTag: '', auditObj: '' }),
    );
  });

  test('has a row, and the event log an event, for each of many records deleted in one request', async () => {
    const numbers = Array.from({ length: 101 }, (_, number) => number);
    const ids = await service.runtime.transact(systemOrigin('test'), async ({ records }) => {
      const createdIDs: number[] = [];
      for (const number of numbers) createdIDs.push((await records.create(container, { name: `Many ${number}` })).id);
      return createdIDs;
    });
    expect((await admin.post(`${container.path}/delete`, { id: ids.toReversed() })).code).toBe(200);
    const { results } = await audits('action==DELETE;auditObjectName==Many*');
    expect(results!.map(({ auditObjectName }) => auditObjectName)).toEqual(
      numbers.map((n) => `Many ${n}`).toReversed(),
    );
    expect(results!.map(({ liveDBID }) => liveDBID)).toEqual(ids.toReversed());
    const { rows } = await service.runtime.pool.query(
      `select e.element_id as id from event e where e.name = 'DOMAIN_DESTROYED' and e.element_name like 'Many %' order by e.id`,
    );
    expect(rows.map(({ id }) => id)).toEqual(ids);
  });

  test('masks secrets, and records only that they changed', async () => {
    const id = await admin.create(aaaServer, { name: 'dots', netId: 'dots.example', secret: 'the-first-secret' });
    await admin.post(`${aaaServer.path}/${id}`, { secret: 'the-second-secret' });
    const { results } = await audits(`auditObjectType.dbTableName==aaa_server;liveDBID==${id};action==MODIFY`);
    expect(results![0]!.changes).toEqual([{ field: 'secret', before: '•••', after: '•••', changed: true }]);
  });

  test('is listed newest first, and uses a filter on its time as a range of its key', async () => {
    const { results, total } = await audits('timestamp=ge=-1h');
    expect(total).toBe(results!.length);
    const ids = results!.map((record) => record.auditDBID as number);
    expect(ids).toEqual([...ids].sort((a, b) => b - a));
    const newest = results![0]!;
    expect(ids[0]).toBeGreaterThanOrEqual(logIdAt(Date.parse(newest.timestamp as string)));
    expect((await audits(`timestamp==${newest.timestamp}`)).results!.map((record) => record.auditDBID)).toContain(
      newest.auditDBID,
    );
    expect((await audits('timestamp=lt=2021-01-01')).filtered).toBe(0);
    const { rows } = await service.runtime.pool.query<{ 'QUERY PLAN': string }>(
      `explain select count(*) from audit_record r where r.id >= ${logIdAt(Date.now() - 3_600_000)}`,
    );
    expect(
      rows
        .map((row) => row['QUERY PLAN'])
        .join('\n')
        .match(/Scan/g)!.length,
    ).toBeLessThan(9);
  });

  test('cannot be changed or emptied by the serving role', async () => {
    for (const statement of ['update audit_record set "user" = $1', 'delete from audit_record where "user" <> $1']) {
      await expect(service.runtime.pool.query(statement, ['nobody'])).rejects.toThrow('permission denied');
    }
    const { rows } = await service.runtime.pool.query<{ slice: string }>(
      `select inhrelid::regclass::text as slice from pg_inherits where inhparent = 'audit_record'::regclass limit 1`,
    );
    await expect(service.runtime.pool.query(`delete from ${rows[0]!.slice}`)).rejects.toThrow('permission denied');
  });

  test('creates a missing slice when it is needed, without losing rows', async () => {
    const owner = new pg.Client({ connectionString: database.ownerUrl });
    await owner.connect();
    const { rows } = await owner.query<{ slice: string }>(
      `select inhrelid::regclass::text as slice from pg_inherits where inhparent = 'audit_record'::regclass`,
    );
    await owner.end();
    await runScript(database, `drop table ${rows.map((row) => row.slice).join(', ')}`);
    const id = await admin.create(container, { name: 'After the gap' });
    expect((await audits(`auditObjectType.dbTableName==container;liveDBID==${id}`)).filtered).toBe(1);
  });

  test('has no row of a change that is rolled back after the row was written', async () => {
    const before = (await audits('auditObjectType.dbTableName==container')).filtered;
    const failing = service.runtime.transact(systemOrigin('test'), async ({ records }) => {
      await records.create(container, { name: 'Taken back' });
      throw new Error('after the audit row');
    });
    await expect(failing).rejects.toThrow('after the audit row');
    expect((await audits('auditObjectType.dbTableName==container')).filtered).toBe(before);
  });

  test('prevents a change whose audit row cannot be written', async () => {
    await runScript(
      database,
      `alter table audit_record add constraint forbid_all check (audit_object_name <> 'Unheard')`,
    );
    const reply = await admin.post(container.path!, { name: 'Unheard' });
    expect(reply.code).toBe(500);
    expect(reply.body.errorMessage).toMatch(/incident [0-9a-f-]{36}/);
    expect((await admin.get(`${container.path}?filter=name==Unheard`)).body.filtered).toBe(0);
  });
});
