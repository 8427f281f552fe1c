import { describe, expect, test } from 'vitest';
import { testCollection } from '../../../test/conformance/conformance.ts';
import { Limiter } from '../../../test/world/restricted-admins.ts';
import { world as startWorld } from '../../../test/world/world.ts';
import { networkDevice } from '../../device/network-device/network-device.ts';
import { observePorts } from '../../device/port/port.service.ts';
import { adapter } from '../../host/adapter/adapter.ts';
import { host } from '../../host/host/host.ts';
import { elementCodes } from '../../kernel/declare/element-type.ts';
import { accessConfiguration } from '../access-configuration/access-configuration.ts';
import { accessPolicy } from '../access-policy/access-policy.ts';
import { role } from '../role/role.ts';
import { roleMapping } from './role-mapping.ts';

const direct = { directConfiguration: { accessType: 'VLAN_ID', accessValue: '40' } };

describe('Role mapping', async () => {
  const shared = await startWorld();
  const { admin } = shared;
  const { path } = roleMapping as { path: string };
  const accessConfigurationID = await admin.create(accessConfiguration, { name: 'VLAN 30', type: 'DIRECT', ...direct });

  test('grants an access configuration or a direct value, exactly one', async () => {
    const code = async (body: object) => (await admin.post(path, { name: 'one', roleID: 1, ...body })).code;
    expect(await code({})).toBe(400);
    expect(await code({ accessConfigurationID, ...direct })).toBe(400);
    expect(await code({ directConfiguration: { accessType: 'VLAN_ID', accessValue: '4095' } })).toBe(400);
    expect(await code({ accessConfigurationID })).toBe(201);
    expect((await admin.delete(`${accessConfiguration.path}/${accessConfigurationID}`)).code).toBe(409);
    const [mapping] = (await admin.get<{ id: number }>(path)).body.results!;
    const swapped = { accessConfigurationID: null, ...direct };
    expect((await admin.post(`${path}/${mapping!.id}`, swapped)).code).toBe(200);
    await admin.delete(`${path}/${mapping!.id}`);
  });

  test('direct values to choose from are those of configurations and of mappings', async () => {
    const used = async () =>
      (await admin.get<{ accessValue: string; usedBy: number }>(`${path}/direct-configuration`)).body
        .results!.filter(({ accessValue }) => accessValue === '40')
        .map(({ usedBy }) => usedBy);
    expect(await used()).toEqual([1]);
    const mapping = await admin.create(roleMapping, { name: 'direct', roleID: 1, ...direct });
    expect(await used()).toEqual([2]);
    await admin.delete(`${path}/${mapping}`);
  });

  test('rejects a second mapping of the same role at the same places', async () => {
    const where = { containers: [1], ssids: ['a', 'b'] };
    await admin.create(roleMapping, { name: 'there', roleID: 1, where, ...direct });
    const twin = { name: 'there too', roleID: 1, where: { containers: [1], ssids: ['b', 'a'] }, ...direct };
    const refused = await admin.post(path, twin);
    expect(refused).toMatchObject({ code: 409, body: { status: 'duplicate' } });
    expect(refused.body.errorMessage).toContain('there already maps the same role');
    expect((await admin.post(path, { ...twin, roleID: 2 })).code).toBe(201);
    expect((await admin.post(path, { ...twin, name: 'less', where: { ssids: ['a'] } })).code).toBe(201);
  });

  test('supporting-info lists roles, configurations, places and access types', async () => {
    const [info] = (await admin.get<Record<string, { id: number; name: string }[]>>(`${path}/supporting-info`)).body
      .results!;
    expect(Object.keys(info!).sort()).toEqual(
      ['accessConfigurations', 'accessTypes', 'containers', 'deviceGroups', 'portGroups', 'roles', 'ssids'].sort(),
    );
    expect(info!.roles!.map(({ name }) => name)).toContain('NAC-Default');
    expect(info!.accessConfigurations).toEqual([{ id: accessConfigurationID, name: 'VLAN 30' }]);
    expect(info!.containers!.map(({ name }) => name)).toContain('Network');
    expect(info!.portGroups!.map(({ name }) => name)).toContain('Role Based Access');
  });

  testCollection(roleMapping, {
    world: shared,
    sample: (n) => ({ name: `mapping-${n}`, roleID: 3, where: { ssids: [`net-${n}`] }, accessConfigurationID }),
    needed: ['accessConfigurationID'],
  });
});

describe('members of role mappings', async () => {
  const world = await startWorld();
  const { admin } = world;
  const { path } = roleMapping as { path: string };
  const limiter = new Limiter(world);

  test('lists a connected registered device with its expected and applied value, and counts it as a hit', async () => {
    const { id: device } = await limiter.transact(({ records }) =>
      records.create(networkDevice, { name: 'sw', containerID: 1 }),
    );
    await limiter.sql(`update network_device set protocol = 'SNMP_V2C'`);
    await limiter.transact(({ client }) =>
      observePorts(client, [{ deviceID: device, name: 'Gi1', portType: 0, defaultVlan: '99' }]),
    );
    const [port] = await limiter.sql<{ id: number }>('select id from port');
    const [enforced] = await limiter.sql<{ id: number }>(`select id from "group" where tag = 'enforce-role'`);
    await limiter.join(enforced!.id, elementCodes.PORT, port!.id);
    const printers = await admin.create(role, { name: 'Printers' });
    const connect = async (hostName: string, type: number, mac: string, roleName: string) => {
      const { id } = await limiter.transact(({ records }) => records.create(host, { hostName, type, role: roleName }));
      await limiter.transact(({ records }) => records.create(adapter, { physicalAddress: mac, hostID: id }));
      await limiter.sql('insert into connection_active (mac, device_id, port_id, vlan) values ($1, $2, $3, $4)', [
        mac,
        device,
        port!.id,
        '40',
      ]);
      return id;
    };
    const printer = await connect('printer-1', 3, '00:1D:09:00:00:01', 'Printers');
    await connect('laptop-1', 2, '00:1D:09:00:00:02', 'Printers');
    const mapping = await admin.create(roleMapping, { name: 'Printers', roleID: printers, ...direct });
    const configuration = await admin.create(accessConfiguration, { name: 'VLAN 40', type: 'DIRECT', ...direct });
    const policy = await admin.create(accessPolicy, {
      name: 'All with the role',
      criteria: { who: { roles: ['Printers'] } },
      accessConfigurationID: configuration,
    });
    const member = {
      mappingID: mapping,
      elementType: 'HOST',
      elementID: printer,
      elementName: 'printer-1',
      mac: '00:1D:09:00:00:01',
      location: expect.stringContaining('Gi1'),
      role: 'Printers',
      expectedValue: '40',
      appliedValue: '40',
      inForce: true,
    };
    expect((await admin.get(`${path}/membership`)).body.results).toEqual([member]);
    expect((await admin.get(`${path}/membership?id=${mapping}`)).body.results).toEqual([member]);
    expect((await admin.get(`${path}/membership?id=${mapping + 1}`)).code).toBe(404);
    const unnamed = { elementID: null, elementName: null, mac: null, location: null };
    const roles = { roles: { view: true } };
    const shownTo = async (permissions: object) =>
      (await (await limiter.caller({ permissions })).get(`${path}/membership`)).body.results;
    expect(await shownTo(roles)).toEqual([{ ...member, ...unnamed }]);
    expect(await shownTo({ ...roles, hosts: { view: true } })).toEqual([{ ...member, location: null }]);
    expect(await shownTo({ ...roles, devices: { view: true } })).toEqual([
      { ...member, ...unnamed, location: member.location },
    ]);
    await admin.post(`${path}/${mapping}`, { directConfiguration: { accessType: 'VLAN_ID', accessValue: '41' } });
    expect((await admin.get(`${path}/membership`)).body.results).toMatchObject([
      { expectedValue: '41', inForce: false },
    ]);
    const [info] = (await admin.get<Info>('/policy/access/supporting-info')).body.results!;
    expect(info!.hits).toEqual([{ policyID: policy, connected: 1, last24h: 0, lastMatch: null }]);
    const names = info!.attributes.map(({ name }) => name);
    expect(names).toContain('host.operatingSystem');
    expect(names).toContain('radius.*');
    expect(names).not.toContain('host.application');
    expect(info!.attributes.find(({ name }) => name === 'host.health')).toEqual({
      name: 'host.health',
      type: 'CHOICE',
      operators: ['EQ', 'NE', 'IN', 'NOT_IN', 'IS_SET', 'NOT_SET'],
      values: ['SAFE', 'PENDING', 'AT_RISK'],
    });
  });
});

interface Info {
  hits: object[];
  attributes: { name: string; type: string; operators: string[]; values: string[] }[];
}
