import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { RadiusAnswers } from '../../../test/decide/radius-answers.ts';
import { Limiter } from '../../../test/world/restricted-admins.ts';
import { world as startWorld } from '../../../test/world/world.ts';
import { observePorts } from '../../device/port/port.service.ts';
import { adapter } from '../../host/adapter/adapter.ts';
import { host } from '../../host/host/host.ts';
import { elementCodes } from '../../kernel/declare/element-type.ts';
import { accessConfiguration } from '../../policy/access-configuration/access-configuration.ts';
import { accessPolicy } from '../../policy/access-policy/access-policy.ts';

interface Stored {
  connected: boolean;
  accessState: string | null;
  accessValue: string | null;
  authType: string;
}

const mac = '00:1D:09:00:08:01';

describe('stored data of RADIUS decisions', async () => {
  const world = await startWorld();
  const limiter = new Limiter(world);
  const answers = new RadiusAnswers(world.service);
  const device = { id: 0, name: 'switch-1' };
  const ports: number[] = [];
  let hostID: number;

  beforeAll(async () => {
    const fields = { ipAddress: '127.0.0.9', containerID: 1, radiusEnabled: true, radiusSecret: 'secret-of-nas' };
    device.id = await world.admin.create({ path: '/device/snmp' }, { name: device.name, ...fields });
    await observePorts(
      world.service.runtime.pool,
      ['Gi1', 'Gi2'].map((name) => ({ deviceID: device.id, name, status: 1, defaultVlan: '44' })),
    );
    ports.push(...(await limiter.sql<{ id: number }>('select id from port order by name')).map(({ id }) => id));
    const [group] = await limiter.sql<{ id: number }>(`select id from "group" where tag = 'enforce-role'`);
    await limiter.join(group!.id, elementCodes.PORT, ...ports);
    const accessConfigurationID = await world.admin.create(accessConfiguration, {
      name: 'Office',
      type: 'DIRECT',
      directConfiguration: { accessType: 'VLAN_ID', accessValue: '40' },
    });
    await world.admin.create(accessPolicy, { name: 'Office', criteria: {}, accessConfigurationID });
    hostID = await world.admin.create(host, { hostName: 'laptop' });
    await world.admin.create(adapter, { physicalAddress: mac, hostID });
  });
  afterAll(() => answers.close());

  const mab = async (port: string) => {
    await world.service.policies.latest();
    return (await answers.mab(device, mac, { 'NAS-Port-Id': port })).code;
  };
  const storedState = async () =>
    (await world.admin.get<Stored>(`/adapter?filter=physicalAddress==${mac}`)).body.results![0]!;
  const explained = async () =>
    (await world.admin.get<{ accessState: string | null }>(`/host/${hostID}/policy`)).body.results![0]!.accessState;
  const enable = (enabled: boolean) => world.admin.post(`/host/${hostID}`, { enabled });

  const office = { connected: true, accessState: 'PRODUCTION', accessValue: '40' };
  const nowhere = { connected: false, accessState: null, accessValue: null };

  test('a reject ends the connection with its state and value, and the next accept opens it again', async () => {
    expect(await mab('Gi1')).toBe('Access-Accept');
    expect(await storedState()).toMatchObject(office);
    expect(await explained()).toBe('PRODUCTION');
    await enable(false);
    expect(await mab('Gi1')).toBe('Access-Reject');
    expect(await storedState()).toMatchObject(nowhere);
    await enable(true);
    expect(await storedState()).toMatchObject(nowhere);
    expect(await explained()).toBe(null);
    expect(await mab('Gi1')).toBe('Access-Accept');
    expect(await storedState()).toMatchObject(office);
    expect(await explained()).toBe('PRODUCTION');
  });

  test('a reject at another port leaves the open connection and its state', async () => {
    expect(await mab('Gi1')).toBe('Access-Accept');
    await enable(false);
    expect(await mab('Gi2')).toBe('Access-Reject');
    expect(await storedState()).toMatchObject({ ...office, portID: ports[0] });
    await enable(true);
  });

  test('a reject keeps how the adapter authenticated, so that the next accept ends an earlier login', async () => {
    await limiter.sql(`update adapter set auth_type = 'DOT1X' where physical_address = $1`, [mac]);
    await limiter.sql(`update host set authenticated = true, logged_on_user_id = 'alice' where id = $1`, [hostID]);
    await enable(false);
    expect(await mab('Gi1')).toBe('Access-Reject');
    expect(await storedState()).toMatchObject({ authType: 'DOT1X' });
    await enable(true);
    expect(await mab('Gi1')).toBe('Access-Accept');
    expect(await storedState()).toMatchObject({ authType: 'MAB' });
    expect(await limiter.sql('select authenticated, logged_on_user_id from host where id = $1', [hostID])).toEqual([
      { authenticated: false, logged_on_user_id: null },
    ]);
  });

  test('a connection that is learned on another port has no RADIUS state', async () => {
    expect(await mab('Gi1')).toBe('Access-Accept');
    await limiter.sql('update connection_active set last_seen = now() where mac = $1', [mac]);
    expect(await storedState()).toMatchObject(office);
    await limiter.sql(`update connection_active set port_id = $2, vlan = '7' where mac = $1`, [mac, ports[1]]);
    expect(await storedState()).toMatchObject({ connected: true, accessState: null, accessValue: '7' });
    await limiter.sql('delete from connection_active where mac = $1', [mac]);
    expect(await storedState()).toMatchObject(nowhere);
  });

  test('a default VLAN that the reply does not contain is not stored as value', async () => {
    await limiter.sql('update access_policy set enabled = false');
    expect(await mab('Gi1')).toBe('Access-Accept');
    expect(await storedState()).toMatchObject({ connected: true, accessState: 'PRODUCTION', accessValue: null });
    await world.admin.post(`/device/snmp/${device.id}`, { sendDefaultVlan: true });
    expect(await mab('Gi1')).toBe('Access-Accept');
    expect(await storedState()).toMatchObject({ accessState: 'PRODUCTION', accessValue: '44' });
  });
});
