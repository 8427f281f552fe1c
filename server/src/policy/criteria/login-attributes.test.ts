import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { RadiusAnswers } from '../../../test/decide/radius-answers.ts';
import { Limiter } from '../../../test/world/restricted-admins.ts';
import { world as startWorld } from '../../../test/world/world.ts';
import { observePorts } from '../../device/port/port.service.ts';
import { adapter } from '../../host/adapter/adapter.ts';
import { host } from '../../host/host/host.ts';
import { elementCodes } from '../../kernel/declare/element-type.ts';
import { accessConfiguration } from '../access-configuration/access-configuration.ts';
import { accessPolicy } from '../access-policy/access-policy.ts';

const mac = '00:1D:09:00:09:01';
const byCertificate = {
  'EAP-Type': 'TLS',
  'TLS-Client-Cert-Common-Name': 'alice',
  'TLS-Client-Cert-Subject': '/O=example/CN=alice',
  'NAS-Port-Id': 'Gi1',
};
const byPassword = {
  'EAP-Type': 'PEAP',
  'Portreeve-Inner-Method': 'MSCHAPv2',
  'Portreeve-Password-Owner': 'alice',
  'Stripped-User-Name': 'alice',
  'User-Name': 'alice',
  'NAS-Port-Id': 'Gi1',
};

/** Attribute, value and VLAN of each policy. */
const policies = [
  ['connection.authenticatedBy', 'CERTIFICATE', '41'],
  ['adapter.innerEapType', 'mschapv2', '42'],
  ['adapter.authType', 'MAB', '43'],
] as const;

describe('attributes of the login', async () => {
  const world = await startWorld();
  const limiter = new Limiter(world);
  const answers = new RadiusAnswers(world.service);
  const device = { id: 0, name: 'switch-1' };
  let hostID: number;
  let portID: number;

  beforeAll(async () => {
    const fields = { ipAddress: '127.0.0.9', containerID: 1, radiusEnabled: true, radiusSecret: 'secret-of-nas' };
    await world.admin.create({ path: '/auth/users' }, { userID: 'alice', networkPassword: 'violet-harbour' });
    device.id = await world.admin.create({ path: '/device/snmp' }, { name: device.name, ...fields });
    await observePorts(world.service.runtime.pool, [{ deviceID: device.id, name: 'Gi1', status: 1 }]);
    portID = (await limiter.sql<{ id: number }>('select id from port'))[0]!.id;
    const [group] = await limiter.sql<{ id: number }>(`select id from "group" where tag = 'enforce-role'`);
    await limiter.join(group!.id, elementCodes.PORT, portID);
    for (const [attribute, value, accessValue] of policies) {
      const accessConfigurationID = await world.admin.create(accessConfiguration, {
        name: attribute,
        type: 'DIRECT',
        directConfiguration: { accessType: 'VLAN_ID', accessValue },
      });
      const criteria = { who: { attributes: [{ conditions: [{ attribute, op: 'EQ', value }] }] } };
      await world.admin.create(accessPolicy, { name: attribute, criteria, accessConfigurationID });
    }
    hostID = await world.admin.create(host, { hostName: 'laptop' });
    await world.admin.create(adapter, { physicalAddress: mac, hostID });
    await world.service.policies.latest();
  });
  afterAll(() => answers.close());

  const explainedVlan = async (query = '') =>
    (await world.admin.get<{ value: { accessValue: string } | null }>(`/host/${hostID}/policy${query}`)).body
      .results![0]!.value?.accessValue;
  const vlanOf = ({ attributes }: Awaited<ReturnType<typeof answers.mab>>) =>
    attributes.find(({ name }) => name === 'Tunnel-Private-Group-Id')?.value;

  test('are listed by supporting-info with their values', async () => {
    interface Info {
      attributes: { name: string; values: string[] }[];
    }
    const { body } = await world.admin.get<Info>(`${accessPolicy.path}/supporting-info`);
    const offered = new Map(body.results![0]!.attributes.map(({ name, values }) => [name, values]));
    expect(offered.get('adapter.authType')).toEqual(['NONE', 'MAB', 'DOT1X', 'PORTAL', 'VPN']);
    expect(offered.get('connection.authenticatedBy')).toContain('CERTIFICATE');
    for (const name of ['adapter.outerEapType', 'adapter.innerEapType']) expect(offered.has(name)).toBe(true);
  });

  test('come from the request that is decided, not from the previous one, and explain uses the last one', async () => {
    expect(await explainedVlan(`?portID=${portID}`)).toBe('43');
    for (const [attempt, vlan] of [
      [() => answers.login(device, mac, byCertificate), '41'],
      [() => answers.login(device, mac, byPassword), '42'],
      [() => answers.mab(device, mac, { 'NAS-Port-Id': 'Gi1' }), '43'],
      [() => answers.login(device, mac, byPassword), '42'],
      [() => answers.login(device, mac, byCertificate), '41'],
    ] as const) {
      expect(vlanOf(await attempt())).toBe(vlan);
      expect(await explainedVlan()).toBe(vlan);
    }
  });

  test('affect the dry run of a policy', async () => {
    await answers.login(device, mac, byCertificate);
    const [policy] = await limiter.sql<{ id: number }>(
      `select id from access_policy where name = 'connection.authenticatedBy'`,
    );
    const { body } = await world.admin.post<{ mac: string }>(`${accessPolicy.path}/${policy!.id}?dryRun=true`, {
      enabled: false,
    });
    expect(body.results).toMatchObject([
      { mac, before: { policyName: 'connection.authenticatedBy' }, after: { policyName: null } },
    ]);
  });
});
