import { describe, expect, test } from 'vitest';
import { macOf } from '../../../../test/world/restricted-admins.ts';
import { world } from '../../../../test/world/world.ts';
import { group } from '../../../system/group/group.ts';
import { adapter } from '../../adapter/adapter.ts';
import { readLine } from './read-line.ts';

describe('an import of hosts', async () => {
  const shared = await world({ jobs: 'work' });
  const { admin, service } = shared;
  const csv = { 'content-type': 'text/csv; charset=utf-8' };
  const sql = async <R extends object>(text: string, values: unknown[] = []) =>
    (await service.runtime.pool.query<R>(text, values)).rows;
  let lastMac = 0x20_00_00;
  const newMac = () => macOf(++lastMac);
  type Task = {
    state: string;
    errorMessage: string | null;
    report: { item: string; outcome: string; detail: string }[];
  };

  const ended = async (location: unknown): Promise<Task> => {
    const path = String(location).replace('/api/v2', '');
    let task: Task | undefined;
    await expect
      .poll(async () => {
        task = (await admin.get<Task>(path)).body.results![0]!;
        return ['COMPLETED', 'FAILED'].includes(task.state);
      })
      .toBe(true);
    return task!;
  };
  const send = async (text: string, query = '', headers: Record<string, string> = csv) => {
    const reply = await admin.post(`/host/import-hosts${query}`, text, headers);
    expect(reply.code, reply.text).toBe(202);
    return ended(reply.headers.location);
  };
  const byMac = async (mac: string) => (await admin.get(`/host/by-mac/${mac}`)).body.results?.[0];

  test('creates hosts and updates existing ones; an empty cell keeps the stored value', async () => {
    const [newAddress, knownMac, siblingMac] = [newMac(), newMac(), newMac()];
    await admin.create(adapter, { physicalAddress: knownMac });
    await admin.create(adapter, { physicalAddress: siblingMac });
    await admin.create({ path: `${group.path}/HOST` }, { name: 'Carts' });
    const file = [
      'adap.mac,adap.ip,adap.media,siblings,host.host,host.devType,host.os,host.inact,host.expireDate,host.groups,host.notes,user.uid,user.fn',
      `${newAddress.replaceAll(':', '-')},198.51.100.7,wired,${siblingMac};${newMac()},cart-1,windows,"Windows 11, N",30,2030-01-31,Carts,"two\nlines",new.nurse,Nora`,
      `${knownMac},,,,,ip-phone,,,,,,,`,
    ].join('\r\n');
    const task = await send(file, '?fileName=carts.csv');
    expect(task).toMatchObject({
      state: 'COMPLETED',
      report: [{ item: 'file', outcome: 'IMPORTED', detail: '1 created, 1 updated, 0 failed' }],
    });
    expect(await byMac(newAddress)).toMatchObject({
      hostName: 'cart-1',
      type: 2,
      registeredBy: 'system-administrator-1',
      deviceType: { tag: 'windows' },
      operatingSystem: 'Windows 11, N',
      inactiveDays: 30,
      expirationDate: '2030-01-31T00:00:00.000Z',
      expirationSource: 'MANUAL',
      groups: ['Carts'],
      notes: 'two\nlines',
      owner: 'new.nurse',
      ip: '198.51.100.7',
      adapters: expect.arrayContaining([newAddress, siblingMac]),
    });
    expect(await byMac(knownMac)).toMatchObject({ type: 4, registered: true, hostName: null, version: 2 });
    expect(
      await sql('select from host h where h.type = 1 and not exists (select from adapter a where a.host_id = h.id)'),
    ).toEqual([]);
    const again = await send(`adap.mac,host.host\n${newAddress},\n${knownMac},phone\n`);
    expect(again.report[0]!.detail).toBe('0 created, 2 updated, 0 failed');
    expect(await byMac(newAddress)).toMatchObject({ hostName: 'cart-1', version: 1 });
    expect(await byMac(knownMac)).toMatchObject({ hostName: 'phone', version: 3 });
    const audits = await admin.get('/logging/audit?filter=auditObjectName=in=(carts.csv,hosts)');
    expect(audits.body.results).toMatchObject([{ action: 'EXECUTE' }, { action: 'EXECUTE' }]);
    const events = await sql(`select from event where name = 'HOSTS_IMPORTED'`);
    expect(events).toHaveLength(2);
  });

  test('accepts JSON lines with the same result', async () => {
    const [a, b] = [newMac(), newMac()];
    const lines = [
      { 'adap.mac': a, 'host.host': 'from json', 'host.inact': 7 },
      { 'adap.mac': b, siblings: '' },
    ];
    const task = await send(lines.map((line) => JSON.stringify(line)).join('\n'), '', {
      'content-type': 'application/x-ndjson',
    });
    expect(task).toMatchObject({ state: 'COMPLETED', report: [{ detail: '2 created, 0 updated, 0 failed' }] });
    expect(await byMac(a)).toMatchObject({ hostName: 'from json', inactiveDays: 7 });
  });

  test('imports nothing when too many lines fail, and reports the reason for each', async () => {
    const good = [newMac(), newMac()];
    const bad = [
      ['nonsense', '', '', '', ''],
      [newMac(), 'no such role', '', '', ''],
      [newMac(), '', 'no-such-type', '', ''],
      [newMac(), '', '', 'nobody', ''],
      [newMac(), '', '', '', 'No such group'],
      [good[0]!, '', '', '', ''],
      ['01:00:5E:00:00:01', '', '', '', ''],
      ['00:00:5E:00:01:0A', '', '', '', ''],
    ];
    const rows = [[good[0]!, '', '', '', ''], [good[1]!, '', '', '', ''], ...bad];
    const file = `adap.mac,host.role,host.devType,host.owner,host.groups\n${rows.map((row) => row.join(',')).join('\n')}\na,b\n`;
    const failedLines = [4, 5, 6, 7, 8, 9, 10, 11, 12];
    const tried = await send(file, '?dryRun=true');
    expect(tried.state).toBe('COMPLETED');
    expect(tried.report[0]).toMatchObject({
      outcome: 'CHECKED',
      detail: '2 would be created, 0 updated, 0 unchanged, 9 failed',
    });
    expect(tried.report.slice(1).map(({ item }) => item)).toEqual(failedLines.map((line) => `line ${line}`));
    const words = [
      'adap.mac',
      'no such role',
      'no-such-type',
      'nobody',
      'No such group',
      'line 2',
      '01:00:5E',
      'VRRP',
      'cells',
    ];
    for (const [index, word] of words.entries()) expect(tried.report[index + 1]!.detail).toContain(word);
    const refused = await send(file, '?maxErrors=8');
    expect(refused).toMatchObject({ state: 'FAILED', errorMessage: expect.stringContaining('9 of 11 lines fail') });
    expect(await byMac(good[1]!)).toBeUndefined();
    const acceptedImport = await send(file, '?maxErrors=9');
    expect(acceptedImport).toMatchObject({
      state: 'COMPLETED',
      report: [{ detail: '2 created, 0 updated, 9 failed' }, ...Array(9).fill({ outcome: 'FAILED' })],
    });
    expect(await byMac(good[1]!)).toMatchObject({ type: 2 });
  });

  test('reports the changes in a dry run, and no changes in a dry run after the import', async () => {
    const [newAddress, knownMac, siblingMac] = [newMac(), newMac(), newMac()];
    await admin.create(adapter, { physicalAddress: knownMac });
    await admin.create({ path: `${group.path}/HOST` }, { name: 'Beds' });
    const head =
      'adap.mac,adap.ip,adap.media,siblings,host.host,host.role,host.devType,host.inact,host.expireDate,host.groups,host.topo,user.uid,user.fn';
    const rows = [
      `${newAddress},,,,bed-1,,,,,,,,`,
      `${knownMac},198.51.100.9,wired,${siblingMac},bed-2,nac-default,WINDOWS,30,2030-01-31,beds,network,new.porter,Pat`,
    ];
    const file = [head, ...rows].join('\n');
    const tried = await send(file, '?dryRun=true');
    expect(tried.report).toEqual([
      { item: 'file', outcome: 'CHECKED', detail: '1 would be created, 1 updated, 0 unchanged, 0 failed' },
      { item: 'line 3', outcome: 'CHANGES', detail: expect.any(String) },
    ]);
    expect(tried.report[1]!.detail.split('; ')).toEqual([
      'host.host: (empty) → bed-2',
      'registered: no → yes',
      'host.owner: (empty) → new.porter',
      'host.devType: unknown → windows',
      'host.expireDate: (empty) → 2030-01-31 00:00:00+00',
      'host.inact: (empty) → 30',
      'adap.media: UNKNOWN → WIRED',
      'adap.ip: (empty) → 198.51.100.9',
      `siblings: (empty) → ${siblingMac}`,
      'host.groups: (empty) → beds',
      'host.topo: (empty) → network',
    ]);
    expect(await byMac(newAddress)).toBeUndefined();
    await send(file);
    expect((await send(file, '?dryRun=true')).report).toEqual([
      { item: 'file', outcome: 'CHECKED', detail: '0 would be created, 0 updated, 2 unchanged, 0 failed' },
    ]);
  });

  test('reports the first failed lines if the report cannot hold all, and the total number', async () => {
    const tried = await send(`adap.mac\n${'nonsense\n'.repeat(10_050)}`, '?dryRun=true');
    expect(tried.report).toHaveLength(10_000);
    expect(tried.report[0]!.detail).toBe(
      '0 would be created, 0 updated, 0 unchanged, 10050 failed; the first 9999 of those follow',
    );
    expect(tried.report.at(-1)!.item).toBe('line 10000');
  });

  test('refuses an invalid file at once', async () => {
    const files: [string, string][] = [
      ['', 'is empty'],
      ['mac,name\nx,y\n', 'no column "mac"'],
      ['adap.mac,adap.mac\nx,y\n', 'twice'],
      ['host.host\nx\n', 'adap.mac is missing'],
      ['adap.mac\n"never', 'never close'],
    ];
    for (const [text, words] of files) {
      const reply = await admin.post('/host/import-hosts', text, csv);
      expect([reply.code, reply.body.errorMessage]).toEqual([400, expect.stringContaining(words)]);
    }
    expect((await admin.post('/host/import-hosts', {})).code).toBe(400);
    expect((await admin.post('/host/import-hosts', 'x', { 'content-type': 'text/plain' })).code).toBe(415);
    const viewer = await shared.caller({ hosts: ['modify'] });
    expect((await viewer.post('/host/import-hosts', 'adap.mac\n', csv)).code).toBe(403);
  });

  test('creates a pingable device for a host with a container', async () => {
    const mac = newMac();
    const task = await send(
      `adap.mac,adap.ip,host.host,host.topo,host.devType\n${mac},198.51.100.33,ups-9,Network,ups\n`,
    );
    expect(task.state, JSON.stringify(task)).toBe('COMPLETED');
    expect((await admin.get('/device?filter=name==ups-9')).body.results).toMatchObject([
      { physicalAddress: mac, ipAddress: '198.51.100.33', elementClass: 3 },
    ]);
  });

  test('reads the columns of a line, and refuses unknown columns', () => {
    expect(readLine({ 'adap.mac': '001d.093c.4d5e', 'host.groups': 'a; b ;', 'adap.media': 'wireless' })).toEqual({
      host: { mac: '00:1D:09:3C:4D:5E', groups: ['a', 'b'], media: 'WIRELESS' },
    });
    expect(readLine({ 'adap.mac': '001d093c4d5e', 'host.owner': 'a', 'user.uid': 'b' })).toEqual({
      fault: expect.stringContaining('different'),
    });
    for (const cells of [
      {},
      { 'adap.mac': '' },
      { 'adap.mac': 'x' },
      { 'adap.mac': '001d093c4d5e', 'host.inact': '0' },
      { 'adap.mac': '001d093c4d5e', __proto__x: 1 },
    ])
      expect(readLine(cells)).toEqual({ fault: expect.any(String) });
  });
});
