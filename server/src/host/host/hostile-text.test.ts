import { describe, expect, test } from 'vitest';
import { world } from '../../../test/world/world.ts';
import { networkDevice } from '../../device/network-device/network-device.ts';
import { deviceText } from '../../drivers/device-text.ts';
import { systemOrigin } from '../../kernel/declare/caller.ts';
import { readXml } from '../../kernel/format/xml-reader.ts';
import { host } from './host.ts';

const names: readonly [what: string, name: string][] = [
  ['markup', `<script>alert(1)</script><img src=x onerror="alert(1)">&amp;]]>`],
  ['entities', '<!DOCTYPE x [<!ENTITY y "z">]>&y;'],
  ['another direction', 'invoice\u202Egpj.exe \u2066x\u2069'],
  ['SQL', `'; drop table host; -- $1 \\'; select 1/0`],
  ['a shell', '$(reboot) `reboot` ; reboot | reboot && reboot \\\\'],
  ['a formula', '=cmd|"/c calc"!A1,+1,-1,@x'],
  ['RSQL', 'name==*;(a,b)"\\*'],
  ['a path', '../../etc/passwd\\..\\x%2e%2e'],
  ['a template', '{element} {{constructor}} #{7*7} %s %n'],
  ['signs beside the plane', '𝕳ost 👩‍👩‍👧 e\u0301'],
];

describe('a hostile host name', async () => {
  const { admin, service } = await world({ jobs: 'work' });
  const fetch = (id: number) => admin.fetch(host, id);
  const literal = (text: string) => `"${text.replace(/["\\*]/g, '\\$&')}"`;

  test.each(names)(
    'with %s stays unchanged text in JSON, XML, filters, search, events and the audit log',
    async (_, name) => {
      const id = await admin.create(host, { hostName: name, operatingSystem: name, notes: name });
      expect(await fetch(id)).toMatchObject({ hostName: name, operatingSystem: name, notes: name });
      const xml = await admin.get(`/host/${id}`, { accept: 'application/xml' });
      const properties = { hostName: { kind: 'text', max: 255 } } as const;
      const [element] = /<hostName>.*?<\/hostName>/s.exec(xml.text)!;
      expect(readXml(`<request>${element}</request>`, { kind: 'object', properties })).toEqual({ hostName: name });
      const page = await admin.get(`/host?filter=${encodeURIComponent(`hostName==${literal(name)}`)}`);
      expect(page.body.results!.map((record) => record.id)).toEqual([id]);
      const searched = await admin.get(`/host/search?q=${encodeURIComponent(name)}`);
      expect(searched.body.results!.map((record) => record.id)).toContain(id);
      const { rows } = await service.runtime.pool.query<{ element_name: string; event_format_string: string }>(
        `select element_name, event_format_string from event where name = 'HOST_CREATED' and element_id = $1`,
        [id],
      );
      expect(rows).toEqual([{ element_name: name, event_format_string: `Host ${name} created.` }]);
      const audit = (await admin.get(`/logging/audit?filter=auditObjectType.dbTableName==host;liveDBID==${id}`)).body
        .results!;
      expect(audit).toMatchObject([{ auditObjectName: name }]);
      expect((await admin.delete(`/host/${id}`)).code).toBe(200);
    },
  );

  test('is imported from CSV unchanged', async () => {
    const cell = (text: string) => `"${text.replaceAll('"', '""')}"`;
    const mac = (index: number) => `00:50:C2:88:00:${index.toString(16).padStart(2, '0')}`.toUpperCase();
    const lines = names.map(([, name], index) => `${mac(index)},${cell(name)},${cell(name)}`);
    const reply = await admin.post('/host/import-hosts', `adap.mac,host.host,host.notes\n${lines.join('\n')}\n`, {
      'content-type': 'text/csv',
    });
    const task = String(reply.headers.location).replace('/api/v2', '');
    await expect
      .poll(async () => (await admin.get(task)).body.results![0]!.state, { timeout: 60_000 })
      .toBe('COMPLETED');
    for (const [index, [, name]] of names.entries())
      expect((await admin.get(`/host/by-mac/${mac(index)}`)).body.results).toMatchObject([
        { hostName: name, notes: name },
      ]);
  });

  test('is refused with control characters or above the length limit; text from a device is cleaned and truncated', async () => {
    for (const hostName of ['a\u0000b', 'a\u001Bb', 'a\u0007', '\uD800', 'x'.repeat(10_240)])
      expect((await admin.post('/host', { hostName })).code).toBe(400);
    const sysDescr = deviceText(
      Buffer.from(`\u0000\u001B[31m<b>x</b>${'y'.repeat(10_240)}\u202E'; drop table host; --`),
      2_000,
    );
    expect([sysDescr.length, /\p{Cc}/u.test(sysDescr)]).toEqual([2_000, false]);
    const { id } = await service.runtime.transact(systemOrigin('test'), async ({ records }) => {
      const createdDevice = await records.create(networkDevice, { name: 'sw <b>', containerID: 1 });
      await records.observe(networkDevice, createdDevice.id, { sysDescr });
      return createdDevice;
    });
    expect(await admin.fetch(networkDevice, id)).toMatchObject({ sysDescr });
    const xml = await admin.get(`/device/${id}`, { accept: 'application/xml' });
    expect(xml.text).toContain('[31m&lt;b');
  });
});
