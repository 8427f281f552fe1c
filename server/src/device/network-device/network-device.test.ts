import { describe, expect, test } from 'vitest';
import { testSettings } from '../../../test/conformance/settings.ts';
import { world } from '../../../test/world/world.ts';
import { systemOrigin } from '../../kernel/declare/caller.ts';
import { group } from '../../system/group/group.ts';
import { container } from '../container/container.ts';
import { deviceProperties } from '../device-properties/device-properties.ts';
import { networkDevice } from './network-device.ts';

describe('device properties', () => {
  testSettings(deviceProperties, { change: (n) => ({ uplinkCount: 30 + n }) });
});

describe('network device', async () => {
  const shared = await world();
  const { admin, service, logged } = shared;
  let createdCount = 0;
  const snmp = (overrides: Record<string, unknown> = {}) => ({
    name: `sw-${++createdCount}`,
    ipAddress: `10.7.${Math.floor(createdCount / 250)}.${(createdCount % 250) + 1}`,
    containerID: 1,
    snmpProtocol: 'V2C',
    snmpSecurityStrings: ['hush-community', 'hush-second'],
    ...overrides,
  });
  const create = async (body: object, kind = 'snmp') => {
    const reply = await admin.post(`/device/${kind}`, body);
    expect(reply, reply.text).toMatchObject({ code: 201 });
    return Number(String(reply.headers.location).split('/').at(-1));
  };
  const fetch = (id: number) => admin.fetch(networkDevice, id);

  test('is modelled with what it is spoken to by, and shows no secret', async () => {
    const id = await create(
      snmp({
        radiusEnabled: true,
        radiusSecret: 'hush-radius',
        cliCredentials: { userName: 'netops', password: 'hush-cli', enablePassword: 'hush-enable' },
      }),
    );
    const record = await fetch(id);
    expect(record).toMatchObject({
      status: 0,
      elementClass: 2,
      container: 'Network',
      protocol: 'SNMP_V2C',
      driver: 'qbridge',
      snmpSecurityStringsSet: true,
      snmpAuthenticationPasswordSet: false,
      radiusSecretSet: true,
      cliCredentials: { userName: 'netops', passwordSet: true, enablePasswordSet: true, port: 22, hostKey: null },
      enforcementMethods: ['COA', 'DISCONNECT', 'BOUNCE'],
      creationEvent: { name: 'DEVICE_CREATED', empty: false },
      lostEvent: { empty: true },
    });
    const audits = (await admin.get(`/logging/audit?filter=auditObjectType.dbTableName==network_device`)).text;
    for (const text of [JSON.stringify(record), audits, logged.join('')]) expect(text).not.toContain('hush');
    const { rows } = await service.runtime.pool.query('select d::text as row from network_device d');
    expect(JSON.stringify(rows)).not.toContain('hush');
  });

  test('can be sent back as it was read, and nothing changes', async () => {
    const id = await create(snmp({ cliCredentials: { userName: 'netops', password: 'hush' } }));
    const record = await fetch(id);
    for (const path of ['/device/snmp', `/device/snmp/${id}`]) expect((await admin.post(path, record)).code).toBe(200);
    expect(await fetch(id)).toEqual(record);
  });

  test('keeps a secret that is absent or null, and clears one that is empty', async () => {
    const id = await create(snmp({ cliCredentials: { userName: 'netops', password: 'a', enablePassword: 'b' } }));
    const update = (body: object) => admin.post(`/device/snmp/${id}`, body);
    await update({ snmpSecurityStrings: null, cliCredentials: { enablePassword: '' } });
    expect(await fetch(id)).toMatchObject({
      snmpSecurityStringsSet: true,
      cliCredentials: { userName: 'netops', passwordSet: true, enablePasswordSet: false },
    });
    expect((await update({ snmpSecurityStrings: [] })).code).toBe(400);
    await update({ cliCredentials: null });
    expect(await fetch(id)).toMatchObject({ cliCredentials: null });
  });

  test('a change of its protocol or of its account alone is one, with version and audit row', async () => {
    const id = await create(snmp({ cliCredentials: { userName: 'netops', password: 'hush' } }));
    const update = (body: object) => admin.post(`/device/snmp/${id}`, body);
    await update({ cliCredentials: { port: 2_222, password: 'hush' } });
    expect(await fetch(id)).toMatchObject({ version: 2, cliCredentials: { userName: 'netops', port: 2_222 } });
    await update({ snmpProtocol: 'V1', snmpSecurityStrings: ['hush-community', 'hush-second'] });
    expect(await fetch(id)).toMatchObject({ version: 3, protocol: 'SNMP_V1' });
    await update({ snmpProtocol: 'V1', cliCredentials: { port: 2_222 } });
    expect(await fetch(id)).toMatchObject({ version: 3 });
    const audits = await admin.get('/logging/audit?filter=auditObjectType.dbTableName==network_device');
    expect(audits.text).toContain('2222');
    expect(audits.text).not.toContain('hush');
  });

  test.each([
    [{ snmpSecurityStrings: undefined }, 'snmpSecurityStrings'],
    [{ ipAddress: null }, 'ipAddress'],
    [
      { snmpProtocol: 'V3_AUTH_PRIV', snmpUsername: 'op', snmpAuthenticationProtocol: 'SHA' },
      'snmpAuthenticationPassword',
    ],
    [{ radiusEnabled: true }, 'radiusSecret'],
    [{ enforcementMethods: ['SNMP', 'SNMP'] }, 'enforcementMethods'],
    [{ cliCredentials: { password: 'x' } }, 'cliCredentials.userName'],
  ])('is refused with %j', async (overrides, field) => {
    const reply = await admin.post('/device/snmp', snmp(overrides));
    expect([reply.code, reply.body.errorMessage?.split(':')[0]], reply.text).toEqual([400, field]);
  });

  test('without encryption forgets how it was encrypted', async () => {
    const v3 = {
      snmpProtocol: 'V3_AUTH_PRIV',
      snmpSecurityStrings: undefined,
      snmpUsername: 'op',
      snmpAuthenticationProtocol: 'SHA256',
      snmpAuthenticationPassword: 'authpass123',
      snmpPrivacyProtocol: 'AES',
      snmpPrivacyPassword: 'privpass123',
    };
    const id = await create(snmp(v3));
    expect(await fetch(id)).toMatchObject({
      protocol: 'SNMP_V3',
      snmpPrivacyProtocol: 'AES',
      snmpPrivacyPasswordSet: true,
    });
    const { snmpAuthenticationPassword } = v3;
    await admin.post(`/device/snmp/${id}`, { snmpProtocol: 'V3_AUTH_NO_PRIV', snmpAuthenticationPassword });
    expect(await fetch(id)).toMatchObject({
      protocol: 'SNMP_V3',
      snmpPrivacyProtocol: null,
      snmpPrivacyPasswordSet: false,
    });
  });

  test('a device that is only pinged has a type and no credentials, and is updated by its own operation', async () => {
    const ups = { name: 'ups', ipAddress: '10.8.0.1', containerID: 1, deviceType: 'ups' };
    const id = await create(ups, 'pingable');
    expect(await fetch(id)).toMatchObject({ elementClass: 3, protocol: 'PING', driver: 'ping', deviceType: 'ups' });
    expect((await admin.post(`/device/pingable/${id}`, { deviceType: 'badge-reader' })).code).toBe(200);
    expect(await fetch(id)).toMatchObject({ deviceType: 'badge-reader', deviceTypeOverride: 'badge-reader' });
    expect((await admin.post(`/device/pingable/${id}`, { deviceType: 'no-such-type' })).code).toBe(422);
    expect((await admin.post(`/device/snmp/${id}`, { note: 'x' })).code).toBe(422);
    expect((await admin.post(`/device/pingable/${id}`, { snmpSecurityStrings: ['x'] })).code).toBe(400);
  });

  test.each<[{ ipAddress?: string | null; deviceType?: undefined; contactPollingEnabled?: false }, number, string]>([
    [{ ipAddress: undefined }, 400, 'ipAddress'],
    [{ ipAddress: null }, 400, 'ipAddress'],
    [{ deviceType: undefined }, 400, 'deviceType'],
    [{ ipAddress: '224.0.0.1' }, 422, 'multicast'],
    [{ ipAddress: '255.255.255.255', contactPollingEnabled: false }, 422, 'broadcast'],
    [{ ipAddress: '0.0.0.0', contactPollingEnabled: false }, 422, 'unspecified'],
  ])('is rejected if the address or type is missing or unusable: %j', async (overrides, code, word) => {
    const body = {
      name: `ups-${++createdCount}`,
      ipAddress: '10.8.1.1',
      containerID: 1,
      deviceType: 'ups',
      ...overrides,
    };
    const reply = await admin.post('/device/pingable', body);
    expect([reply.code, reply.body.errorMessage], reply.text).toEqual([code, expect.stringContaining(word)]);
    const id = await create({ ...body, ipAddress: `10.8.2.${createdCount}`, deviceType: 'ups' }, 'pingable');
    if (overrides.ipAddress !== undefined)
      expect((await admin.post(`/device/pingable/${id}`, overrides)).code).toBe(code);
  });

  test('gets the role and joins the group of its container', async () => {
    const { runtime } = service;
    const devices = await runtime.transact(systemOrigin('test'), ({ records }) =>
      records.create(group, { name: 'Lab devices', type: 'DEVICE' }),
    );
    const lab = await admin.create(container, { name: 'Lab', role: 'Guest', group: 'Lab devices' });
    const id = await create(snmp({ containerID: lab }));
    expect(await fetch(id)).toMatchObject({ role: 'Guest', container: 'Lab' });
    const { rows } = await runtime.pool.query('select member_id as id from group_member where group_id = $1', [
      devices.id,
    ]);
    expect(rows).toEqual([{ id }]);
    expect(await fetch(await create(snmp({ containerID: lab, role: null })))).toMatchObject({ role: null });
    expect((await admin.delete(`${container.path}/${lab}`)).body.status).toBe('in-use');
  });

  test('lists the results of reading ARP tables, worst first', async () => {
    const ids: number[] = [];
    for (const l3PollingEnabled of [true, true, true, false]) ids.push(await create(snmp({ l3PollingEnabled })));
    const [fine, failing, never, off] = ids as [number, number, number, number];
    await service.runtime.pool.query(
      `insert into device_poll_result (device_id, kind, at, succeeded_at, duration_ms, entries, new_entries, error)
       values ($1, 'l3', now(), now(), 40, 7, 2, null), ($2, 'l3', now(), now() - interval '1 hour', 9, 0, 0, 'no answer'),
         ($3, 'l2', now(), now(), 5, 9, 0, null)`,
      [fine, failing, off],
    );
    const list = async (query = '') => (await admin.get(`/device/polling/l3${query}`)).body;
    const worst = await list('?sortKey=lastSuccess');
    expect(worst.results!.map(({ deviceID }) => deviceID)).toEqual([never, failing, fine]);
    expect(worst).toMatchObject({ filtered: 3, total: 3 });
    expect(worst.results![2]).toMatchObject({
      interval: 1_800,
      priority: 'MEDIUM',
      entries: 7,
      newEntries: 2,
      error: null,
    });
    expect(worst.results![0]).toMatchObject({ enabled: true, lastPoll: null, lastSuccess: null, durationMs: 0 });
    await admin.post(`/device/snmp/${fine}`, { l3PollingEnabled: false });
    expect((await list('?sortKey=name&sortDir=desc&count=1&start=2')).results).toMatchObject([
      { deviceID: fine, enabled: false },
    ]);
    expect((await admin.get('/device/polling/l3?sortKey=error')).code).toBe(400);
  });

  describe('a move', () => {
    const move = (query: string) => admin.get(`/device/move?${query}`);

    test('is shown before it is made, and takes along what follows the container', async () => {
      await service.runtime.transact(systemOrigin('test'), ({ records }) =>
        records.create(group, { name: 'Hall devices', type: 'DEVICE' }),
      );
      const hall = await admin.create(container, { name: 'Hall', role: 'Contractor', group: 'Hall devices' });
      const plain = await create(snmp());
      const ownRoleId = await create(snmp({ role: 'Guest' }));
      const shown = (await move(`id=${plain},${ownRoleId}&containerID=${hall}`)).body.results!;
      expect(shown).toMatchObject([
        { id: plain, from: 'Network', to: 'Hall', roleChange: 'none → Contractor', groupChange: 'Hall devices' },
        {
          id: ownRoleId,
          from: 'Network',
          to: 'Hall',
          roleChange: null,
          groupChange: 'Hall devices',
          policiesAffected: [],
        },
      ]);
      expect(await fetch(plain)).toMatchObject({ container: 'Network', version: 1 });
      expect((await move(`id=${plain},${ownRoleId}&containerID=${hall}&commit=true`)).body.results).toEqual(shown);
      expect(await fetch(plain)).toMatchObject({ container: 'Hall', role: 'Contractor', version: 2 });
      expect(await fetch(ownRoleId)).toMatchObject({ container: 'Hall', role: 'Guest', version: 2 });
      const again = (await move(`id=${plain}&containerID=${hall}&commit=true`)).body.results!;
      expect(again).toMatchObject([{ roleChange: null, groupChange: null }]);
      expect(await fetch(plain)).toMatchObject({ version: 2 });
    });

    test.each([
      ['snmp', snmp],
      ['pingable', () => ({ name: `ups-${++createdCount}`, ipAddress: `10.8.3.${createdCount}`, deviceType: 'ups' })],
    ])('by an update under %s does what the operation does, and leaves no group', async (kind, body) => {
      const groups = [`${kind} in the hall`, `${kind} in the yard`];
      const groupIDs = await service.runtime.transact(systemOrigin('test'), async ({ records }) => {
        const createdIds = [];
        for (const name of groups) createdIds.push((await records.create(group, { name, type: 'DEVICE' })).id);
        return createdIds;
      });
      const hall = await admin.create(container, { name: `Hall of ${kind}`, role: 'Guest', group: groups[0] });
      const yardName = `Yard of ${kind}`;
      const yard = await admin.create(container, { name: yardName, role: 'Contractor', group: groups[1] });
      const id = await create({ ...body(), containerID: hall }, kind);
      expect(await fetch(id)).toMatchObject({ role: 'Guest' });
      expect((await admin.post(`/device/${kind}/${id}`, { containerID: yard })).code).toBe(200);
      expect(await fetch(id)).toMatchObject({ container: yardName, role: 'Contractor', version: 2 });
      expect((await move(`id=${id}&containerID=${yard}`)).body.results).toMatchObject([{ groupChange: null }]);
      for (const groupID of groupIDs)
        expect((await admin.get(`/system/group/${groupID}/member-ids`)).body.results).toEqual([id]);
      const filter = encodeURIComponent(`name==DEVICE_MOVED;elementID==${id}`);
      expect((await admin.get(`/logging/event?filter=${filter}`)).body.results).toMatchObject([
        { eventFormatString: expect.stringContaining(`moved from Hall of ${kind} to ${yardName}.`) },
      ]);
    });

    test('of a device or to a container that is not there moves none', async () => {
      const id = await create(snmp());
      expect((await move(`id=${id},999999999&containerID=1&commit=true`)).code).toBe(404);
      expect((await move(`id=${id}&containerID=999999999&commit=true`)).code).toBe(404);
      for (const query of [`id=${id}`, `id=x&containerID=1`, 'containerID=1', `id=${id},&containerID=1`])
        expect((await move(query)).code, query).toBe(400);
    });

    test('needs the right to modify, and its preview only that to view', async () => {
      const id = await create(snmp());
      const viewer = await shared.caller({ devices: ['view'] });
      expect((await viewer.get(`/device/move?id=${id}&containerID=1`)).code).toBe(200);
      expect((await viewer.get(`/device/move?id=${id}&containerID=1&commit=true`)).code).toBe(403);
    });
  });
});
