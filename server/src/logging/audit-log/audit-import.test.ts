import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { world } from '../../../test/world/world.ts';
import { logIdAt } from '../../kernel/values/time.ts';
import { event } from '../event/event.ts';
import { auditRecord } from './audit-log.ts';

/** Returns an archive of the audit log as another cell writes it. */
function archive(landscape: number) {
  const [startTime, endTime] = ['2026-03-01T00:00:00.000Z', '2026-04-01T00:00:00.000Z'];
  const row = {
    auditDBID: logIdAt(Date.parse(startTime) + 1_000),
    landscape,
    timestamp: new Date(Date.parse(startTime) + 1_000).toISOString(),
    user: 'innocent-colleague',
    action: 'DELETE',
    liveDBID: 1,
    yamsEventTag: 'HOST_DESTROYED',
    auditObj: 'a host',
    auditObjectName: 'a host',
    auditObjectType: { dbTableName: 'host' },
    summary: '',
    changes: [],
    sourceAddress: null,
    sessionID: null,
    tokenName: null,
    requestID: 'x',
    method: 'DELETE',
    path: '/x',
  };
  const data = gzipSync(`${JSON.stringify(row)}\n`);
  const manifest = {
    log: 'audit_record',
    landscape,
    from: startTime,
    to: endTime,
    rows: 1,
    minID: row.auditDBID,
    maxID: row.auditDBID,
    bytes: data.length,
    sha256: createHash('sha256').update(data).digest('hex'),
    // The schema version before the field `reason`.
    schemaVersion: 1,
    productVersion: '0.0.1',
    createdAt: endTime,
  };
  const part = (name: string) => `--xyz\r\nContent-Disposition: form-data; name="${name}"; filename="x"\r\n\r\n`;
  return Buffer.concat([
    Buffer.from(`${part('manifest')}${JSON.stringify(manifest)}\r\n${part('archive')}`),
    data,
    Buffer.from('\r\n--xyz--\r\n'),
  ]);
}

describe('an imported archive of audit records', async () => {
  const { admin, service } = await world({ jobs: 'work' });
  const importing = (landscape: number) =>
    admin.call('POST', `${event.path}/archive/import?log=audit_record`, archive(landscape), {
      'content-type': 'multipart/form-data; boundary=xyz',
    });

  test('is rejected if it claims to be of this cell, because its hash is not recorded here', async () => {
    const { rows } = await service.runtime.pool.query<{ own: number }>('select cell_landscape() as own');
    expect(await importing(rows[0]!.own)).toMatchObject({
      code: 422,
      body: { errorMessage: expect.stringContaining('its hash is not recorded here') },
    });
  });

  test('marks its rows with the importer and the time in every response, and no rows of this cell', async () => {
    expect((await importing(77)).code).toBe(202);
    const status = async () =>
      (await admin.get(`${event.path}/archive/import/status?log=audit_record`)).body.results?.[0];
    await expect.poll(async () => (await status())?.finishedAt, { timeout: 60_000 }).toEqual(expect.any(String));
    expect(await status()).toMatchObject({ state: 'DONE', error: null });
    const importedRows = await admin.get(`${auditRecord.path}?filter=user==innocent-colleague`);
    const imported = { by: 'system-administrator-1', at: expect.stringMatching(/^\d{4}-.*Z$/) };
    expect(importedRows.body.results).toMatchObject([{ user: 'innocent-colleague', reason: null, imported }]);
    const ownRows = await admin.get(`${auditRecord.path}?filter=user!=innocent-colleague`);
    expect(ownRows.body.results!.length).toBeGreaterThan(0);
    for (const row of ownRows.body.results!) expect(row.imported).toBeNull();
    const marked = await admin.get(`${auditRecord.path}?filter=imported=isnull=false`);
    expect(marked.body).toMatchObject({ filtered: 1 });
    expect((await admin.get(`${event.path}/archive?log=audit_record`)).body.results).toMatchObject([
      { landscape: 77, importedBy: imported.by, importedAt: imported.at },
    ]);
  });
});
