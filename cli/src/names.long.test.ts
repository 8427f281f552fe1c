import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { container } from '@portreeve/server/device/container/container.ts';
import { host } from '@portreeve/server/host/host/host.ts';
import { Limiter } from '@portreeve/server/test/world/restricted-admins.ts';
import { world } from '@portreeve/server/test/world/world.ts';
import { afterAll, describe, expect, test } from 'vitest';
import { run } from './run.ts';
import { fakeScreen } from './testing/fake-screen.ts';

describe('names and identities on the command line', async () => {
  const testWorld = await world();
  const { admin, service } = testWorld;
  const limiter = new Limiter(testWorld);
  const url = await service.app.listen({ host: '127.0.0.1', port: 0 });
  const folder = await mkdtemp(join(tmpdir(), 'portreeve-names-'));
  afterAll(() => rm(folder, { recursive: true, force: true }));
  const env = { PORTREEVE_URL: url, PORTREEVE_TOKEN: admin.token, HOME: folder };

  const portreeve = async (...argv: string[]) => {
    const screen = { ...fakeScreen(), env };
    await run(argv, screen);
    return screen.out.written;
  };
  const json = async (...argv: string[]) => JSON.parse(await portreeve(...argv, '--json'));

  const building = await admin.create(container, { name: 'Building B' });
  const group = await admin.create({ path: '/system/group/HOST' }, { name: 'Printers B' });
  const device = await limiter.device('Building B');
  await limiter.sql(`update network_device set name = 'access-1' where id = $1`, [device]);
  const port = await limiter.port(device);
  await limiter.sql(`update port set name = '1/9', label = '1/9' where id = $1`, [port]);
  const otherPort = await limiter.port(await limiter.device());
  await limiter.sql(`update port set name = '1/9', label = '1/9' where id = $1`, [otherPort]);

  test('a name works in operations that belong to a record', async () => {
    const printer = await admin.create(host, { hostName: 'hall-printer' });
    await limiter.join(group, 4, printer);
    const members = await portreeve('group', 'members', 'Printers B');
    expect(members).toContain('hall-printer');
    expect(members).toBe(await portreeve('group', 'members', String(group)));
    await expect(portreeve('group', 'members', 'Printers C')).rejects.toThrow('Did you mean Printers B?');
  });

  test('a name works for a reference by identity, and an identity for a reference by name', async () => {
    const id = await admin.create(host, { hostName: 'lab-cart' });
    await portreeve('host', 'update', String(id), '--set', 'containerID=Building B');
    expect(await admin.fetch(host, id)).toMatchObject({ containerID: building });
    await portreeve('container', 'create', '--set', 'name=Room 1', '--set', `parent=${building}`);
    expect(await json('container', 'get', 'Room 1')).toMatchObject({ parent: 'Building B' });
    // A record whose name consists of these digits takes precedence.
    await admin.create(container, { name: String(device) });
    await portreeve('container', 'create', '--set', 'name=Room 2', '--set', `parent=${device}`);
    expect(await json('container', 'get', 'Room 2')).toMatchObject({ parent: String(device) });
    await expect(portreeve('host', 'update', String(id), '--set', 'containerID=Building C')).rejects.toMatchObject({
      word: 'not-found',
    });
    await portreeve('host', 'update', String(id), '--set', 'containerID=null');
    expect(await admin.fetch(host, id)).toMatchObject({ containerID: null });
  });

  test('SWITCH:PORT is a port, as an argument, an option and a field', async () => {
    expect(await json('port', 'get', 'access-1:1/9')).toMatchObject({ dbid: port, id: port });
    await expect(portreeve('port', 'get', '1/9')).rejects.toThrow(/Several port records.*Use SWITCH:PORT, or the ID/);
    const connected = await portreeve('host', 'connected-to-port', 'access-1:1/9');
    expect(connected).toBe(await portreeve('host', 'connected-to-port', String(port)));
    expect(await portreeve('port', 'by-device', 'access-1', '--json')).toContain('"1/9"');
    await expect(portreeve('port', 'get', 'access-1:1/8')).rejects.toMatchObject({ word: 'not-found' });
  });

  test('the type of a group ignores case, and an invalid one lists the choices', async () => {
    await portreeve('group', 'create', 'host', '--set', 'name=Cameras');
    expect(await json('group', 'get', 'Cameras')).toMatchObject({ type: 'HOST' });
    await expect(portreeve('group', 'create', 'hosts', '--set', 'name=x')).rejects.toThrow(
      /^GROUPTYPE must be one of HOST, ADAPTER, .*, not "hosts"\.$/,
    );
  });

  test('id is the identity of every group, to read, choose, sort, filter and send back', async () => {
    expect(await portreeve('port', 'get', 'access-1:1/9', '--jq', '.id')).toBe(`${port}\n`);
    expect(await portreeve('port', 'get', 'access-1:1/9', '--jq', '.dbid')).toBe(`${port}\n`);
    const list = ['port', 'list', '--columns', 'id,dbid', '--sort', 'id', '--desc'];
    expect(await portreeve(...list, '--filter', `id==${port}`)).toBe(`id\tdbid\n${port}\t${port}\n`);
    expect(await portreeve(...list, '--filter', `(id=in=(${port},${otherPort});name=="1/9")`)).toContain(
      `${otherPort}\t${otherPort}\n${port}\t${port}\n`,
    );
    expect(await portreeve('port', 'list', '--filter', 'name=="a;id==1"', '--jq', 'length')).toBe('0\n');
    expect(await portreeve('port', 'count', '--filter', `id==${port}`)).toBe('1\n');

    const file = join(folder, 'group.json');
    await writeFile(
      file,
      JSON.stringify({ ...(await json('group', 'get', 'Printers B')), description: 'From a file' }),
    );
    await portreeve('group', 'update', 'Printers B', '--file', file);
    expect(await json('group', 'get', 'Printers B')).toMatchObject({ id: group, description: 'From a file' });
  });

  test('a network device is updated by one verb, whatever its kind, and found as a device', async () => {
    const pingable = ['--set', 'name=camera-1', '--set', 'ipAddress=192.0.2.9', '--set', 'deviceType=ups'];
    await portreeve('device', 'create-pingable', ...pingable, '--set', 'containerID=Building B');
    expect(await portreeve('network-device', 'update', 'camera-1', '--set', 'description=Hall')).toContain('Hall');
    expect(await portreeve('device', 'update', 'access-1', '--set', 'description=Rack 2')).toContain('Rack 2');
    const listed = await portreeve('device', 'list', '-n', '1', '--filter', 'name==access-1', '-o', 'name');
    expect(listed).toBe('access-1\n');
    expect(await portreeve('device', 'list', '--limit', '1', '--jq', 'length')).toBe('1\n');
  });

  test('--all prints the shape that one page has', async () => {
    const list = ['container', 'list', '--sort', 'id'];
    expect(await portreeve(...list, '--all', '--json')).toBe(await portreeve(...list, '--json'));
    expect(await portreeve(...list, '--all', '--jq', '.[].name')).toBe(await portreeve(...list, '--jq', '.[].name'));
  });

  test('version prints the version', async () => {
    expect(await portreeve('version')).toBe(await portreeve('--version'));
  });
});
