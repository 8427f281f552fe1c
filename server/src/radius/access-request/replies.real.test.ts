import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { nasAddress, type RadiusWorld, radiusWorld } from '../../../test/world/radius-world.ts';
import { Limiter } from '../../../test/world/restricted-admins.ts';
import { networkDevice } from '../../device/network-device/network-device.ts';
import { observePorts } from '../../device/port/port.service.ts';
import { adapter } from '../../host/adapter/adapter.ts';
import { host } from '../../host/host/host.ts';
import { elementCodes } from '../../kernel/declare/element-type.ts';
import { accessConfiguration } from '../../policy/access-configuration/access-configuration.ts';
import { accessPolicy } from '../../policy/access-policy/access-policy.ts';
import { logicalNetwork } from '../../policy/logical-network/logical-network.ts';
import { logicalNetworkConfiguration } from '../../policy/logical-network-configuration/logical-network-configuration.ts';
import { role } from '../../policy/role/role.ts';
import { roleMapping } from '../../policy/role-mapping/role-mapping.ts';
import { radiusAttributeGroup } from '../radius-attribute-group/radius-attribute-group.ts';
import { radiusDictionaryEntry } from '../radius-dictionary-entry/radius-dictionary-entry.ts';

const waiting = { timeout: 30_000, interval: 50 };
const once = { tries: 1, waitSeconds: 0.5 };

/** Writes a value in octets as text. */
const asWritten = ({ name, value }: { name: string; value: string }): string =>
  `${name} ${/^0x/.test(value) ? Buffer.from(value.slice(2), 'hex').toString() : value}`;

describe('replies', () => {
  let world: RadiusWorld;
  let limiter: Limiter;
  const ids: Record<string, number> = {};
  const rogue = '00:1D:09:00:00:01';
  const port = (name: string) => ({ 'NAS-Port-Id': name });
  const values = async (mac: string, attributes: Record<string, string>, source = nasAddress) =>
    (await world.mab(mac, { source, attributes })).attributes.map(asWritten);
  const vlan = (id: number) => ['Tunnel-Type VLAN', 'Tunnel-Medium-Type IEEE-802', `Tunnel-Private-Group-Id ${id}`];
  const enforce = async (tag: string, ...ports: number[]) => {
    const [group] = await limiter.sql<{ id: number }>('select id from "group" where tag = $1', [tag]);
    await limiter.join(group!.id, elementCodes.PORT, ...ports);
  };
  const set = (logicalNetworkID: number, elementType: string, elementID: number, fields: object) =>
    world.admin.create(logicalNetworkConfiguration, { logicalNetworkID, elementType, elementID, ...fields });
  const portID = async (deviceID: number, name: string) =>
    (await limiter.sql<{ id: number }>('select id from port where device_id = $1 and name = $2', [deviceID, name]))[0]!
      .id;

  beforeAll(async () => {
    world = await radiusWorld();
    limiter = new Limiter(world);
    const [first] = await limiter.sql<{ id: number }>('select id from network_device');
    ids.first = first!.id;
    ids.second = await world.device('127.0.0.10');
    for (const deviceID of [ids.first, ids.second])
      await observePorts(world.service.runtime.pool, [
        { deviceID, name: 'Gi1', status: 1 },
        { deviceID, name: 'Gi2', status: 1 },
      ]);
    for (const [key, deviceID, name] of [
      ['gi1', ids.first, 'Gi1'],
      ['gi2', ids.first, 'Gi2'],
      ['far', ids.second, 'Gi1'],
    ] as const)
      ids[key] = await portID(deviceID, name);
    const [registration] = await limiter.sql<{ id: number }>(
      `select id from logical_network where access_state = 'REGISTRATION'`,
    );
    ids.registration = registration!.id;
    await enforce('enforce-registration', ids.gi1!, ids.gi2!, ids.far!);
  });
  afterAll(() => world.close());

  test('values of the container, device and port give three VLANs, as explain shows', async () => {
    await set(ids.registration!, 'CONTAINER', 1, { accessType: 'VLAN_ID', accessValue: '10' });
    await set(ids.registration!, 'DEVICE', ids.first!, { accessType: 'VLAN_ID', accessValue: '20' });
    ids.ofPort = await set(ids.registration!, 'PORT', ids.gi2!, { accessType: 'VLAN_ID', accessValue: '30' });
    await expect.poll(() => values('00:1D:09:00:00:03', port('Gi2')), waiting).toEqual(vlan(30));
    expect(await values('00:1D:09:00:00:02', port('Gi1'))).toEqual(vlan(20));
    expect(await values('00:1D:09:00:00:01', port('Gi1'), '127.0.0.10')).toEqual(vlan(10));
    for (const [device, place, expected] of [
      [ids.first, `&portID=${ids.gi2}`, 30],
      [ids.first, '', 20],
      [ids.second, '', 10],
    ] as const) {
      const path = `${logicalNetworkConfiguration.path}/radius?logicalNetworkID=${ids.registration}&deviceID=${device}${place}`;
      const [reply] = (await world.admin.get<{ attributes: { attribute: string; values: string[] }[] }>(path)).body
        .results!;
      expect(reply!.attributes.map(({ attribute, values: [value] }) => `${attribute} ${value}`)).toEqual(
        vlan(expected),
      );
    }
  });

  test('sends the attributes of each built-in attribute group', async () => {
    const { body } = await world.admin.get<{ dbid: number; name: string }>(
      `${radiusAttributeGroup.path}?filter=builtIn==true`,
    );
    expect(body.results).toHaveLength(13);
    for (const { dbid, name } of body.results!) {
      const changed = await world.admin.post(`${logicalNetworkConfiguration.path}/${ids.ofPort}`, {
        radiusAttrGroupID: dbid,
      });
      expect(changed.code).toBe(200);
      const query = 'accessValue=30&mac=00:1D:09:00:00:01&role=NAC-Default';
      const shown = await world.admin.get<{ attribute: string; tag: number; values: string[] }>(
        `${radiusAttributeGroup.path}/responsevalues/0/${dbid}?${query}`,
      );
      const expected = shown.body.results!.flatMap(({ attribute, tag, values: all }) =>
        all
          // Redirect URLs are not supported yet.
          .filter((value) => !value.includes('%'))
          .map((value) => `${attribute}${tag > 0 ? `:${tag}` : ''} ${value.toLowerCase()}`),
      );
      expect(expected.length, name).toBeGreaterThan(0);
      const isSent = async () =>
        (await values(rogue, port('Gi2'))).map((value) => value.replace(/ .*/, (rest) => rest.toLowerCase()));
      await expect.poll(isSent, { ...waiting, message: name }).toEqual(expected);
    }
  });

  test('an enabled policy gives the value of each switch: one network, two VLANs', async () => {
    const networkID = await world.admin.create(logicalNetwork, { name: 'Instruments' });
    const configurationID = await world.admin.create(accessConfiguration, {
      name: 'Instruments',
      type: 'LOGICAL_NETWORK',
      logicalNetworkID: networkID,
      sessionTimeoutMinutes: 60,
    });
    await world.admin.create(role, { name: 'Instrument' });
    const policyID = await world.admin.create(accessPolicy, {
      name: 'Instruments',
      enabled: false,
      criteria: { who: { roles: ['Instrument'] } },
      accessConfigurationID: configurationID,
    });
    await set(networkID, 'DEVICE', ids.first!, { accessType: 'VLAN_ID', accessValue: '41' });
    await set(networkID, 'DEVICE', ids.second!, { accessType: 'VLAN_ID', accessValue: '42' });
    await enforce('enforce-role', ids.gi1!, ids.far!);
    const mac = '00:1D:09:00:00:44';
    const pump = await world.admin.create(host, { hostName: 'pump', role: 'Instrument' });
    await world.admin.create(adapter, { physicalAddress: mac, hostID: pump });
    await limiter.sql('update host set type = 3 where id = $1', [pump]);
    expect(await values(mac, port('Gi1'))).toEqual([]);
    expect((await world.admin.post(`${accessPolicy.path}/${policyID}`, { enabled: true })).code).toBe(200);
    const bounded = ['Session-Timeout 3600', 'Termination-Action RADIUS-Request'];
    await expect.poll(() => values(mac, port('Gi1')), waiting).toEqual([...vlan(41), ...bounded]);
    expect(await values(mac, port('Gi1'), '127.0.0.10')).toEqual([...vlan(42), ...bounded]);
  });

  test('a phone and the PC behind it get separate replies at one port', async () => {
    const roleID = await world.admin.create(role, { name: 'Phone' });
    const [voice] = (await world.admin.get<{ dbid: number }>(`${radiusAttributeGroup.path}?filter=name==Cisco_Voice`))
      .body.results!;
    await world.admin.create(roleMapping, {
      name: 'Phones',
      roleID,
      directConfiguration: { accessType: 'VLAN_ID', accessValue: '50', radiusAttrGroupID: voice!.dbid },
    });
    const [phone, pc] = ['00:1D:09:00:00:50', '00:1D:09:00:00:44'];
    const hostID = await world.admin.create(host, { hostName: 'phone', role: 'Phone' });
    await world.admin.create(adapter, { physicalAddress: phone, hostID });
    await limiter.sql('update host set type = 4 where id = $1', [hostID]);
    await expect
      .poll(() => values(phone!, port('Gi1')), waiting)
      .toEqual([...vlan(50), 'Cisco-AVPair device-traffic-class=voice']);
    expect(await values(pc!, port('Gi1'))).toEqual(expect.arrayContaining(vlan(41)));
    await expect
      .poll(
        () =>
          limiter.sql('select mac, vlan from connection_active where port_id = $1 and mac = any($2) order by mac', [
            ids.gi1,
            [phone, pc],
          ]),
        waiting,
      )
      .toEqual([
        { mac: pc, vlan: '41' },
        { mac: phone, vlan: '50' },
      ]);
  });

  test("sends a vendor attribute of the site's own dictionary", async () => {
    const dbid = await world.admin.create(radiusDictionaryEntry, {
      attribute: 'Example-Tier',
      value: '7',
      type: 'string',
      vendor: 'Example',
      vendorID: 99_999,
    });
    const group = await world.admin.create(radiusAttributeGroup, {
      name: 'Tiers',
      attributes: [{ dbid, responseValues: ['tier \\ %ACCESS_VALUE% %%{User-Name}'], tag: 0 }],
    });
    await world.runs();
    await world.admin.post(`${logicalNetworkConfiguration.path}/${ids.ofPort}`, { radiusAttrGroupID: group });
    await expect.poll(() => values(rogue, port('Gi2')), waiting).toEqual(['Attr-26.99999.7 tier \\ 30 %{User-Name}']);
  });

  test('a dictionary that the engine rejects does not stop the service', async () => {
    const before = await world.engine.running();
    await limiter.sql(`insert into radius_dictionary_entry (attribute, value, type, has_tag, encrypt_method, defined_values, custom)
      values ('Portreeve-Verdict', '3100', 'integer', false, 0, '{}', true)`);
    expect((await world.admin.post('/radius/radius-server-config/global', { nasCacheSeconds: 99 })).code).toBe(200);
    await expect
      .poll(
        async () => (await world.admin.get('/logging/event?filter=name==RADIUS_CONFIG_INVALID')).body.filtered,
        waiting,
      )
      .toBe(1);
    expect((await world.mab(rogue, { attributes: port('Gi1') })).code).toBe('Access-Accept');
    expect(await world.engine.running()).toEqual(before);
  });

  test('ignores a device that was deleted', async () => {
    expect((await world.mab(rogue, { source: '127.0.0.10' })).code).toBe('Access-Accept');
    expect((await world.admin.delete(`${networkDevice.path}/${ids.second}`)).code).toBe(200);
    await expect
      .poll(async () => (await world.mab(rogue, { source: '127.0.0.10', ...once })).code, waiting)
      .toBe('none');
    expect((await world.mab(rogue, { source: '127.0.0.10', tries: 1 })).code).toBe('none');
  });
});
