import { observePorts } from '@portreeve/server/device/port/port.service.ts';
import { elementCodes } from '@portreeve/server/kernel/declare/element-type.ts';
import { logicalNetworkConfiguration } from '@portreeve/server/policy/logical-network-configuration/logical-network-configuration.ts';
import { until } from '@portreeve/server/test/world/patience.ts';
import { nasAddress, type RadiusWorld, radiusWorld } from '@portreeve/server/test/world/radius-world.ts';
import { Limiter } from '@portreeve/server/test/world/restricted-admins.ts';
import { userAccount } from '@portreeve/server/user/user-account/user-account.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { runPortreeve } from './testing/run-portreeve.ts';

describe('portreeve radius test', () => {
  let world: RadiusWorld;
  let limiter: Limiter;
  let deviceID: number;
  const mac = '00:1D:09:0E:00:01';
  /** Runs on the node, as the user of the service. */
  const run = (words: string[], input = '') =>
    runPortreeve(
      ['radius', 'test', ...words],
      {
        HOME: '/nonexistent',
        PORTREEVE_DATABASE_URL: world.database.serviceUrl,
        PORTREEVE_RADIUS_FOLDER: world.radius.folder,
        PORTREEVE_RADIUS_HOST: world.radius.host,
      },
      input,
    );
  const count = async (what: string) =>
    (await limiter.sql<{ count: number }>(`select count(*)::integer as count from ${what}`))[0]!.count;
  /** Counts the rows that a login would store. */
  const stored = () =>
    Promise.all(
      ['host', 'adapter', 'connection_active', 'radius_response', 'port', 'event', 'adapter_access'].map(count),
    );

  beforeAll(async () => {
    world = await radiusWorld();
    limiter = new Limiter(world);
    const [device] = await limiter.sql<{ id: number }>('select id from network_device where ip_address = $1', [
      nasAddress,
    ]);
    deviceID = device!.id;
    await observePorts(world.service.runtime.pool, [{ deviceID, name: 'Gi1/0/7', status: 1 }]);
    const [port] = await limiter.sql<{ id: number }>(`select id from port where name = 'Gi1/0/7'`);
    const [network] = await limiter.sql<{ id: number }>(
      `select id from logical_network where access_state = 'REGISTRATION'`,
    );
    await world.admin.create(logicalNetworkConfiguration, {
      logicalNetworkID: network!.id,
      elementType: 'DEVICE',
      elementID: deviceID,
      accessType: 'VLAN_ID',
      accessValue: '30',
    });
    const [group] = await limiter.sql<{ id: number }>(`select id from "group" where tag = 'enforce-registration'`);
    await limiter.join(group!.id, elementCodes.PORT, port!.id);
    await limiter.transact(({ records }) =>
      records.create(userAccount, { userID: 'alice', networkPassword: `pass "word" \\ 'x' %{User-Name}` }),
    );
  });
  afterAll(() => world.close());

  test('shows the reply and its reason, and stores nothing', async () => {
    const before = await stored();
    let result = await run(['nas-1', '--mac', mac, '--port', 'Gi1/0/7']);
    // The node may not have loaded the policies yet.
    await until('the policies', async () => {
      result = await run(['nas-1', '--mac', mac, '--port', 'Gi1/0/7']);
      return result.out.includes('VLAN');
    });
    expect(result).toMatchObject({ code: 0, err: '' });
    expect(result.out).toMatch(/^Access-Accept {2}decided in \d+ ms, answered in \d+ ms\n/);
    expect(result.out).toContain('  Tunnel-Type = VLAN\n');
    expect(result.out).toContain('  Tunnel-Private-Group-Id = 30\n');
    expect(result.out).toContain('The host is not registered: Registration is VLAN 30, from device nas-1.\n');
    expect(result.out.trim().split('\n')).toHaveLength(5);
    // An SSID and a port that have not been observed.
    expect((await run([nasAddress, '--mac', mac, '--ssid', 'guests'])).out).toContain('Nothing is enforced');
    expect((await run([String(deviceID), '--mac', mac, '--port', 'Gi9/9'])).out).toContain('Nothing is enforced');
    expect(await stored()).toEqual(before);
  });

  test('tests a password and reports why it was rejected', async () => {
    const before = await stored();
    const right = await run(['nas-1', '--mac', mac, '--user', 'alice', '--json'], `pass "word" \\ 'x' %{User-Name}\n`);
    expect(right).toMatchObject({ code: 0, err: '' });
    expect(JSON.parse(right.out)).toMatchObject({
      device: 'nas-1',
      code: 'Access-Accept',
      attributes: [],
      note: { cause: 'NONE' },
    });
    const wrong = await run(['nas-1', '--mac', mac, '--user', 'alice'], 'password\n');
    expect(wrong.code).toBe(1);
    expect(wrong.out).toMatch(/^Access-Reject BAD_PASSWORD/);
    expect((await run(['nas-1', '--mac', mac, '--user', 'nobody'], 'x\n')).out).toMatch(/^Access-Reject UNKNOWN_USER/);
    expect(await stored()).toEqual(before);
  });

  test('reports why no reply is possible', async () => {
    expect((await run(['sw-none', '--mac', mac])).err).toContain('has the name, address or number sw-none');
    expect((await run(['nas-1'])).err).toContain('--mac is required');
    await world.device('127.0.0.10', { name: 'silent', radiusEnabled: false, snmpSecurityStrings: ['public'] });
    expect((await run(['silent', '--mac', mac])).err).toContain('radiusEnabled is off');
    const reply = await world.admin.post('/device/snmp', {
      name: 'tester',
      ipAddress: '127.200.0.1',
      containerID: 1,
      radiusEnabled: true,
      radiusSecret: 'secret-of-nas',
    });
    expect(reply.body.errorMessage).toContain('which nodes use for tests of logins');
  });

  test('can only be sent from the node itself', async () => {
    const attributes = { 'Proxy-State': `0x${Buffer.from(`portreeve-test ${deviceID}`).toString('hex')}` };
    const { attributes: replyAttributes } = await world.mab(mac, { attributes });
    expect(replyAttributes.map(({ name }) => name)).not.toContain('Reply-Message');
    await until('the row', async () => (await count('radius_response')) === 1);
    expect((await world.mab(mac, { source: '127.128.0.1', tries: 1, waitSeconds: 0.5 })).code).toBe('none');
  });
});
