import { createHash } from 'node:crypto';
import { request } from 'node:http';
import { describe, expect, test } from 'vitest';
import { runScript } from '../../../test/surface/schema-drift.ts';
import { world } from '../../../test/world/world.ts';
import { container } from '../../device/container/container.ts';
import { logIdAt } from '../../kernel/values/time.ts';
import { sealAudit } from './seal-audit.ts';

const dayMs = 86_400_000;

describe('X-Reason', async () => {
  const { admin, service, database } = await world();
  const url = new URL(await service.app.listen({ host: '127.0.0.1', port: 0 }));
  const path = `/api/v2${container.path}`;

  /** Sends the header as raw bytes, as any client can. */
  const send = (bytes: Buffer, name: string) =>
    new Promise<number>((done, fail) => {
      const body = Buffer.from(JSON.stringify({ name }));
      const call = request(
        {
          host: url.hostname,
          port: url.port,
          path,
          method: 'POST',
          headers: {
            authorization: `Bearer ${admin.token}`,
            'content-type': 'application/json',
            'x-reason': bytes.toString('latin1'),
          },
        },
        (response) => {
          response.resume();
          done(response.statusCode!);
        },
      );
      call.once('error', fail).end(body);
    });
  const create = (name: string, reason?: string) =>
    admin.post(container.path!, { name }, reason === undefined ? {} : { 'x-reason': reason });
  const audited = async (name: string) =>
    (await admin.get(`/logging/audit?filter=auditObjectName==${name}`)).body.results!.map(({ reason }) => reason);

  test('is stored with the audit rows of a write; without it the field is null', async () => {
    expect((await create('plain')).code).toBe(201);
    expect(await audited('plain')).toEqual([null]);
    const reply = await create('reasoned', '  change 4711: move to the new core  ');
    expect(reply.code).toBe(201);
    expect(await audited('reasoned')).toEqual(['change 4711: move to the new core']);
    const xml = await admin.call('GET', '/logging/audit?filter=reason==*4711*', undefined, {
      accept: 'application/xml',
    });
    expect(xml.text).toContain('<reason>change 4711: move to the new core</reason>');
    await admin.get(container.path!, { 'x-reason': 'reads have no audit row' });
  });

  test('is UTF-8', async () => {
    expect(await send(Buffer.from('Wartung für Gebäude 7 ☂'), 'umlauts')).toBe(201);
    expect(await audited('umlauts')).toEqual(['Wartung für Gebäude 7 ☂']);
    expect(await send(Buffer.from([0x66, 0xfc, 0x72]), 'latin')).toBe(400);
    expect(await audited('latin')).toEqual([]);
  });

  test('returns 400 and changes nothing if it has more than 500 characters or control characters', async () => {
    expect((await create('long', 'x'.repeat(500))).code).toBe(201);
    const longer = await create('longer', 'x'.repeat(501));
    expect(longer).toMatchObject({ code: 400, body: { errorMessage: expect.stringContaining('501 characters') } });
    for (const wrong of ['tab\tinside', 'next\u0085line'])
      expect(await send(Buffer.from(wrong), 'controlled')).toBe(400);
    for (const name of ['longer', 'controlled']) expect(await audited(name)).toEqual([]);
  });

  test('is not part of the request that an Idempotency-Key identifies', async () => {
    const send = (reason: string) =>
      admin.post(container.path!, { name: 'once' }, { 'idempotency-key': 'reasons', 'x-reason': reason });
    expect((await send('first')).code).toBe(201);
    expect((await send('second')).code).toBe(201);
    expect(await audited('once')).toEqual(['first']);
  });

  describe('is covered by the seal of its day', async () => {
    const { runtime } = service;
    const midnight = Math.floor(Date.now() / dayMs) * dayMs;
    const rowId = (daysAgo: number, position: number) => logIdAt(midnight - daysAgo * dayMs) + position * 8_192;
    const monthOf = (daysAgo: number) => new Date(midnight - daysAgo * dayMs).toISOString().slice(0, 7);
    const slice = (month: string) => {
      const startMs = Date.parse(`${month}-01T00:00:00Z`);
      const endMs = new Date(startMs).setUTCMonth(new Date(startMs).getUTCMonth() + 1);
      return `create table if not exists audit_record_${month.replace('-', '')}01 partition of audit_record for values from (${logIdAt(startMs)}) to (${logIdAt(endMs)});`;
    };
    const row = (id: number, reason: string) => `
      insert into audit_record (id, "user", action, live_dbid, yams_event_tag, audit_obj, audit_object_name, db_table_name, summary, changes, request_id, method, path, reason)
      values (${id}, 'ann', 'MODIFY', 1, 'X_MODIFIED', 'x', 'x', 'container', '', '[]', 'r', 'POST', '/x', ${reason});`;
    const change = (id: number, reason: string) =>
      runScript(database, `update audit_record set reason = ${reason} where id = ${id}`);
    const [before, without, having] = [rowId(2, 1), rowId(1, 1), rowId(1, 2)];

    test('keeps the seal of rows without a reason unchanged', async () => {
      const rows = [row(before, 'null'), row(without, 'null'), row(having, `'why'`)];
      await runScript(database, [slice(monthOf(2)), slice(monthOf(1)), ...rows].join('\n'));
      await sealAudit(runtime, midnight + 3_600_000);
      const { rows: seals } = await runtime.pool.query<{ records: number; sha256: Buffer }>(
        'select records, sha256 from audit_seal order by day',
      );
      expect(seals.map(({ records }) => records)).toEqual([1, 2]);
      // The seal before the field `reason` existed.
      const { rows: sealed } = await runtime.pool.query<{ text: string }>(
        `select jsonb_build_array(r.id, r."user", r.action, r.live_dbid, r.yams_event_tag, r.audit_obj, r.audit_object_name,
           r.db_table_name, r.summary, r.changes, r.source_address::text, r.session_id, r.token_name, r.request_id, r.method, r.path)::text as text
         from audit_record r where r.id = $1`,
        [before],
      );
      expect(seals[0]!.sha256.toString('hex')).toBe(createHash('sha256').update(`${sealed[0]!.text}\n`).digest('hex'));
    });

    test.each([
      ['changed', having, `'because'`, `'why'`],
      ['taken away', having, 'null', `'why'`],
      ['added', without, `'forged'`, 'null'],
    ])('and one that is %s later breaks it', async (_how, id, wrong, right) => {
      await change(id, wrong);
      expect(await sealAudit(runtime, midnight + 7_200_000)).toMatchObject({ sealedRows: 2, currentRows: 2 });
      await change(id, right);
      expect(await sealAudit(runtime, midnight + 7_200_000)).toBeUndefined();
    });
  });
});
