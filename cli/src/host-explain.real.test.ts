import { networkDevice } from '@portreeve/server/device/network-device/network-device.ts';
import { observePorts } from '@portreeve/server/device/port/port.service.ts';
import { adapter } from '@portreeve/server/host/adapter/adapter.ts';
import { host } from '@portreeve/server/host/host/host.ts';
import { elementCodes } from '@portreeve/server/kernel/declare/element-type.ts';
import { accessConfiguration } from '@portreeve/server/policy/access-configuration/access-configuration.ts';
import { accessPolicy } from '@portreeve/server/policy/access-policy/access-policy.ts';
import { authenticationConfiguration } from '@portreeve/server/policy/authentication-configuration/authentication-configuration.ts';
import { authenticationPolicy } from '@portreeve/server/policy/authentication-policy/authentication-policy.ts';
import { role } from '@portreeve/server/policy/role/role.ts';
import { writeResponses } from '@portreeve/server/radius/radius-response/radius-response.service.ts';
import { group } from '@portreeve/server/system/group/group.ts';
import { openNode } from '@portreeve/server/test/world/open-world.ts';
import { Limiter } from '@portreeve/server/test/world/restricted-admins.ts';
import { world as startWorld } from '@portreeve/server/test/world/world.ts';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { runPortreeve } from './testing/run-portreeve.ts';

const mac = '00:1D:09:00:00:01';

describe('portreeve host explain', async () => {
  const world = await startWorld();
  const { admin, service } = world;
  const url = await service.app.listen({ host: '127.0.0.1', port: 0 });
  const env = { PORTREEVE_URL: url, PORTREEVE_TOKEN: admin.token, HOME: '/nonexistent' };
  const limiter = new Limiter(world);
  const explain = async (...words: string[]) => {
    const { code, out, err } = await runPortreeve(['host', 'explain', ...words], env);
    return { code, out, err };
  };

  beforeAll(async () => {
    const { id: deviceID } = await limiter.transact(({ records }) =>
      records.create(networkDevice, { name: 'sw-3', containerID: 1 }),
    );
    await limiter.sql(`update network_device set protocol = 'SNMP_V2C'`);
    const observedPort = (name: string) => ({ deviceID, name, portType: 0, defaultVlan: '99' });
    await limiter.transact(({ client }) => observePorts(client, [observedPort('Gi1/0/1'), observedPort('Gi1/0/2')]));
    const ports = await limiter.sql<{ id: number }>('select id from port order by name');
    const enforced = await limiter.sql<{ id: number }>(
      `select id from "group" where tag in ('enforce-authentication', 'enforce-role')`,
    );
    for (const { id } of enforced) for (const port of ports) await limiter.join(id, elementCodes.PORT, port.id);
    const desks = await admin.create({ path: `${group.path}/PORT` }, { name: 'Open desks' });
    await limiter.join(desks, elementCodes.PORT, ports[0]!.id);
    await admin.create(role, { name: 'Staff' });
    const { id: hostID } = await limiter.transact(({ records }) =>
      records.create(host, { hostName: 'laptop-1', type: 2, role: 'Staff' }),
    );
    await limiter.transact(({ records }) => records.create(adapter, { physicalAddress: mac, hostID }));
    await limiter.sql('insert into connection_active (mac, device_id, port_id, vlan) values ($1, $2, $3, $4)', [
      mac,
      deviceID,
      ports[1]!.id,
      '1',
    ]);
    const login = await admin.create(authenticationConfiguration, { name: 'Log in' });
    const noLogin = await admin.create(authenticationConfiguration, { name: 'Nothing', enableAuthentication: false });
    await admin.create(authenticationPolicy, {
      name: 'Log in at open desks',
      criteria: { where: { portGroups: [desks] } },
      authenticationConfigurationID: login,
    });
    await admin.create(authenticationPolicy, { name: 'Elsewhere not', authenticationConfigurationID: noLogin });
    const accessConfigurationID = await admin.create(accessConfiguration, {
      name: 'VLAN 30',
      type: 'DIRECT',
      directConfiguration: { accessType: 'VLAN_ID', accessValue: '30' },
    });
    const policy = (name: string, roles: string[]) =>
      admin.create(accessPolicy, { name, criteria: { who: { roles } }, accessConfigurationID });
    await policy('Guests', ['Guest']);
    await policy('Staff <b>\u202e', ['Staff']);
  });

  test('explains two ports with different policies for the same host', async () => {
    const here = await explain(mac);
    expect(here).toMatchObject({ code: 0, err: '' });
    expect(here.out).toContain('GRANT PRODUCTION, VLAN_ID 30 from the access configuration itself');
    expect(here.out).toContain('authentication policy: Elsewhere not');
    expect(here.out).toMatch(/^✗ 7 1\. Guests +roles: requires Guest; actual Staff$/m);
    expect(here.out).toMatch(/^✓ 7 2\. Staff <b>\\u\{202e\}$/m);
    expect(here.out).toMatch(/Log in at open desks.*where: requires port group: Open desks; actual .*Gi1\/0\/2/);
    const there = await explain('laptop-1', '--port', 'sw-3:Gi1/0/1');
    expect(there.out).toContain('AUTHENTICATION');
    expect(there.out).toContain('authentication policy: Log in at open desks');
    expect(there.out).toMatch(/^✓ 5 /m);
  });

  test('prints the record as JSON, with RADIUS attributes and another time', async () => {
    const { code, out } = await explain(
      mac,
      '--json',
      '--at',
      '2027-01-31T08:15:00Z',
      '--radius',
      'NAS-Port-Type=Ethernet',
    );
    expect(code).toBe(0);
    expect(JSON.parse(out)).toMatchObject([{ at: '2027-01-31T08:15:00.000Z', step: 7, policyName: 'Staff <b>\u202e' }]);
    expect(out).not.toContain('\u202e');
  });

  test('shows the moved connections in a dry run, and --max-impact rejects larger changes', async () => {
    const change = ['access-policy', 'update', 'Staff <b>\u202e', '--set', 'enabled=false'];
    const dry = await runPortreeve([...change, '--dry-run'], env);
    expect(dry).toMatchObject({ code: 0, err: 'Dry run: nothing was changed.\n' });
    const [sentence, head, row] = dry.out.split('\n');
    expect(sentence).toBe('1 of 1 live connection that you may see would change.');
    expect(head!.split('\t')).toEqual(['host', 'mac', 'location', 'before', 'after', 'by']);
    expect(row!.split('\t')).toEqual([
      'laptop-1',
      mac,
      'sw-3 Gi1/0/2',
      'PRODUCTION VLAN 30 Staff <b>\\u{202e}',
      'PRODUCTION VLAN 99',
      '',
    ]);
    const json = JSON.parse((await runPortreeve([...change, '--dry-run', '--json'], env)).out);
    expect(json).toMatchObject({ filtered: 1, total: 1, results: [{ mac, after: { policyName: null } }] });
    const refused = await runPortreeve([...change, '--max-impact', '0'], env);
    expect(refused.code).not.toBe(0);
    expect(refused.err).toContain('would change 1 live connection, and maxImpact allows 0');
    const result = await runPortreeve(['access-policy', 'delete', 'Guests', '--dry-run'], env);
    expect(result.out).toContain('0 of 1 live connection that you may see would change.');
    expect((await explain(mac)).out).toContain('VLAN_ID 30');
  });

  test('waits for the background task of a dry run and repeats the dry run', async () => {
    const node = await openNode({ database: world.database, jobs: 'work', comparedInRequestMax: 0 });
    onTestFinished(() => node.close());
    const there = { ...env, PORTREEVE_URL: await node.app.listen({ host: '127.0.0.1', port: 0 }) };
    const change = ['access-policy', 'update', 'Staff <b>\u202e', '--set', 'enabled=false', '--dry-run'];
    const started = await runPortreeve([...change, '--no-wait'], there);
    expect(started).toMatchObject({ code: 0, out: expect.stringMatching(/^Started task \d+\. Follow it with: /) });
    const { code, out } = await runPortreeve(change, there);
    expect([code, out.split('\n')[0]]).toEqual([0, '1 of 1 live connection that you may see would change.']);
  });

  test('shows the connections that change if ports leave a group', async () => {
    const idOf = async (text: string) => String((await limiter.sql<{ id: number }>(text))[0]!.id);
    const dry = async (verb: string, element: string, groupID: string) =>
      (
        await runPortreeve(
          ['group', verb, '--set', `elemID=${element}`, '--set', `groupID=${groupID}`, '--dry-run'],
          env,
        )
      ).out;
    const port = await idOf(`select id from port where name = 'Gi1/0/2'`);
    const enforced = await idOf(`select id from "group" where tag = 'enforce-role'`);
    expect(await dry('remove-members', port, enforced)).toContain(
      '1 of 1 live connection that you may see would change.',
    );
    const lab = String(await admin.create({ path: `${group.path}/HOST` }, { name: 'Lab' }));
    expect(await dry('add-members', await idOf('select id from host'), lab)).toBe(
      'The affected connections cannot be determined in advance.\n',
    );
  });

  test('reports unknown hosts and invalid options', async () => {
    expect(await explain('nobody')).toMatchObject({ code: 2, err: expect.stringContaining('There is no host nobody') });
    expect((await explain(mac, '--port', 'sw-3')).err).toContain('DEVICE:PORT');
    expect((await explain(mac, '--radius', 'x')).err).toContain('NAME=VALUE');
  });

  test('ends with the last RADIUS reply, except for "what if"', async () => {
    const [device] = await limiter.sql<{ id: number }>('select id from network_device');
    await limiter.transact(({ client }) =>
      writeResponses(client, [
        {
          callingStationId: mac,
          username: null,
          deviceID: device!.id,
          nas: 'sw-3',
          nasPort: 'Gi1/0/2',
          ssid: null,
          outerEapType: null,
          eapType: 'MAB',
          reply: 'REJECT',
          cause: 'HOST_DISABLED',
          message: 'The host is disabled.',
          decisionID: null,
          durationMs: 2,
          clusterNode: 'node-1',
        },
      ]),
    );
    expect((await explain(mac)).out).toMatch(
      /Last RADIUS reply: \S+ {2}REJECT HOST_DISABLED {2}00:1D:09:00:00:01 .*is disabled\.\n$/,
    );
    expect((await explain(mac, '--enforced')).out).not.toContain('Last RADIUS reply');
    const reader = await world.caller({ hosts: ['view'] });
    const { code, out } = await runPortreeve(['host', 'explain', mac], { ...env, PORTREEVE_TOKEN: reader.token });
    expect([code, out.includes('Last RADIUS reply')]).toEqual([0, false]);
  });
});
