import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { RadiusAnswers, type Reply } from '../../../test/decide/radius-answers.ts';
import { Random } from '../../../test/decide/random.ts';
import { Limiter } from '../../../test/world/restricted-admins.ts';
import { world as startWorld } from '../../../test/world/world.ts';
import { observePorts } from '../../device/port/port.service.ts';
import { adapter } from '../../host/adapter/adapter.ts';
import { host } from '../../host/host/host.ts';
import { elementCodes } from '../../kernel/declare/element-type.ts';
import { accessConfiguration } from '../access-configuration/access-configuration.ts';
import { accessPolicy } from '../access-policy/access-policy.ts';
import { authenticationConfiguration } from '../authentication-configuration/authentication-configuration.ts';
import { authenticationPolicy } from '../authentication-policy/authentication-policy.ts';
import { logicalNetwork } from '../logical-network/logical-network.ts';
import { logicalNetworkConfiguration } from '../logical-network-configuration/logical-network-configuration.ts';
import { role } from '../role/role.ts';

interface Explained {
  reason: string;
  step: number;
  radius: Reply;
}

interface Place {
  device: { id: number; name: string };
  attributes: Record<string, string>;
  query: string;
  portID: number;
}

const worlds = 12;
const hosts = 8;
const macOfHost = (n: number) => `00:1D:09:00:07:${n.toString(16).padStart(2, '0').toUpperCase()}`;

describe('explain', async () => {
  const world = await startWorld();
  const limiter = new Limiter(world);
  const answers = new RadiusAnswers(world.service);
  const hostIDs: number[] = [];
  const places: Place[] = [];
  const devices: { id: number; name: string }[] = [];
  const random = new Random(20_261_119);
  const sql = <R extends object>(text: string, values: unknown[] = []) => limiter.sql<R>(text, values);

  beforeAll(async () => {
    for (const sendDefaultVlan of [false, true]) {
      const name = `switch-${devices.length}`;
      const fields = { containerID: 1, radiusEnabled: true, radiusSecret: 'secret-of-nas', sendDefaultVlan };
      const id = await world.admin.create(
        { path: '/device/snmp' },
        { name, ipAddress: `127.0.0.${9 + devices.length}`, ...fields },
      );
      devices.push({ id, name });
      await observePorts(
        world.service.runtime.pool,
        ['Gi1', 'Gi2', 'Gi3'].map((port) => ({ deviceID: id, name: port, status: 1, defaultVlan: '44' })),
      );
    }
    const wireless = { 'Called-Station-Id': '00-11-22-33-44-55:Staff' };
    await world.service.policies.latest();
    expect((await answers.mab(devices[0]!, macOfHost(99), wireless)).code).toBe('Access-Accept');
    const ports = await sql<{ id: number; device: number; name: string; ssid: boolean }>(
      'select p.id, p.device_id as device, p.name, p.port_type = 1 as ssid from port p order by p.id',
    );
    for (const { id, device, name, ssid } of ports)
      places.push({
        portID: id,
        device: devices.find((client) => client.id === device)!,
        attributes: ssid ? wireless : { 'NAS-Port-Id': name },
        query: ssid ? `ssid=${name}` : `portID=${id}`,
      });
    await world.admin.create(role, { name: 'Instrument' });
    const network = await world.admin.create(logicalNetwork, { name: 'Instruments' });
    for (const [name, fields] of [
      ['Instruments', { type: 'LOGICAL_NETWORK', logicalNetworkID: network, sessionTimeoutMinutes: 60 }],
      ['Office', { type: 'DIRECT', directConfiguration: { accessType: 'VLAN_ID', accessValue: '40' } }],
    ] as const) {
      const accessConfigurationID = await world.admin.create(accessConfiguration, { name, ...fields });
      const criteria = name === 'Office' ? {} : { who: { roles: ['Instrument'] } };
      await world.admin.create(accessPolicy, { name, criteria, accessConfigurationID });
    }
    const authenticationConfigurationID = await world.admin.create(authenticationConfiguration, {
      name: 'Login',
      enableAuthentication: true,
      timeInProductionBeforeAuthentication: 0,
    });
    await world.admin.create(authenticationPolicy, { name: 'Login', criteria: {}, authenticationConfigurationID });
    for (let n = 0; n < hosts; n++) {
      const fields = { hostName: `host-${n}`, ...(n % 3 === 0 && { role: 'Instrument' }) };
      const hostID = await world.admin.create(host, fields);
      await world.admin.create(adapter, { physicalAddress: macOfHost(n), hostID });
      hostIDs.push(hostID);
    }
  });
  afterAll(() => answers.close());

  /** Replaces hosts, values, policies and enforcement. */
  async function changeEverything(): Promise<void> {
    const isOn = (share: number) => random.chance(share);
    for (const id of hostIDs) {
      await sql('update host set enabled = $2, type = $3, expiration_date = $4 where id = $1', [
        id,
        isOn(0.75),
        random.pick([1, 2, 2, 3]),
        random.pick([null, null, '2020-01-01T00:00:00Z']),
      ]);
      await sql('delete from host_risk where host_id = $1', [id]);
      if (isOn(0.3)) await sql(`insert into host_risk (host_id, source, level) values ($1, 'ADMIN', 'AT_RISK')`, [id]);
    }
    await sql('update access_policy set enabled = $1', [isOn(0.7)]);
    await sql('update authentication_policy set enabled = $1', [isOn(0.3)]);
    await sql('delete from port_uplink');
    if (isOn(0.3)) await sql('insert into port_uplink (port_id, kind) values ($1, 10)', [random.pick(places).portID]);
    await sql('delete from group_member');
    for (const { portID } of places)
      for (const tag of ['dead-end', 'remediation', 'registration', 'authentication', 'role'])
        if (isOn(0.6)) {
          const [group] = await sql<{ id: number }>('select id from "group" where tag = $1', [`enforce-${tag}`]);
          await limiter.join(group!.id, elementCodes.PORT, portID);
        }
    await sql('delete from logical_network_configuration');
    for (const { id } of await sql<{ id: number }>('select id from logical_network'))
      for (const { id: elementID } of devices)
        if (isOn(0.6)) {
          const [accessEnforcement, accessType, accessValue] = random.pick([
            ['ENFORCE', 'VLAN_ID', '30'],
            ['ENFORCE', 'VLAN_ID', '31'],
            ['ENFORCE', 'FILTER_ID', 'limited'],
            ['BYPASS', 'NONE', ''],
            ['DENY', 'NONE', ''],
          ] as const);
          await world.admin.create(logicalNetworkConfiguration, {
            logicalNetworkID: id,
            elementType: 'DEVICE',
            elementID,
            accessEnforcement,
            accessType,
            accessValue,
          });
        }
    await world.service.policies.latest();
  }

  test('shows the reply that RADIUS then sends, before and after the first request, in generated scenarios', async () => {
    const kinds = new Set<string>();
    const differences: string[] = [];
    for (let number = 0; number < worlds; number++) {
      await changeEverything();
      for (const [n, hostID] of hostIDs.entries()) {
        const { device, attributes, query } = random.pick(places);
        const explain = async (parameters: string) =>
          (await world.admin.get<Explained>(`/host/${hostID}/policy${parameters}`)).body.results![0]!;
        const compare = (when: string, { radius, reason }: Explained, reply: Reply) => {
          if (JSON.stringify(radius) !== JSON.stringify(reply))
            differences.push(`world ${number}, host ${n} ${when}: ${reason} ${JSON.stringify([radius, reply])}`);
        };
        const before = await explain(`?${query}`);
        const reply = await answers.mab(device, macOfHost(n), attributes);
        kinds.add(`${before.step} ${reply.code}`);
        compare('before the request', before, reply);
        if (reply.code === 'Access-Accept') compare('when it is connected', await explain(''), reply);
      }
    }
    expect(differences).toEqual([]);
    const expected = ['1 Access-Accept', '7 Access-Accept', '9 Access-Accept'];
    for (const step of [2, 3, 4, 5]) expected.push(`${step} Access-Accept`, `${step} Access-Reject`);
    expect([...kinds]).toEqual(expect.arrayContaining(expected));
  });
});
