import { container } from '@portreeve/server/device/container/container.ts';
import { host } from '@portreeve/server/host/host/host.ts';
import { world } from '@portreeve/server/test/world/world.ts';
import { describe, expect, test } from 'vitest';
import { runPortreeve } from './testing/run-portreeve.ts';

describe('hints of the command line', async () => {
  const { admin, service } = await world();
  const url = await service.app.listen({ host: '127.0.0.1', port: 0 });
  await admin.create(container, { name: 'Library' });
  await admin.create(container, { name: 'Laboratory' });
  const errorOf = async (...args: string[]) =>
    (await runPortreeve(args, { PORTREEVE_URL: url, PORTREEVE_TOKEN: admin.token, HOME: '/nonexistent' })).err;

  test('name the most similar record', async () => {
    expect(await errorOf('container', 'get', 'Libary')).toContain(
      'There is no container named "Libary". Did you mean Library?',
    );
    expect(await errorOf('container', 'get', 'Zoo')).toBe('portreeve: There is no container named "Zoo".\n');
  });

  test('name the most similar verb', async () => {
    expect(await errorOf('event', 'watch')).toContain('event has no "watch". Did you mean tail?');
    expect(await errorOf('container', 'remove', '1')).toContain('Did you mean delete?');
    expect(await errorOf('container', 'fech', '1')).not.toContain('fetch');
    expect(await errorOf('event', 'wach')).toContain('event has no "wach". Did you mean tail?');
    expect(await errorOf('container', 'creat')).toContain('Did you mean create?');
    expect(await errorOf('verson')).toContain('There is no command "verson". Did you mean version?');
    expect(await errorOf('radius', 'taill')).toContain(
      'There is no command "radius taill". Available: portreeve radius',
    );
    expect(await errorOf('host', 'list', '-x', '2')).toContain('This command has no option -x.\n');
    expect(await errorOf('whoami')).toContain('There is no command "whoami". Did you mean status?');
  });

  test('name the field to set instead of one that the service sets', async () => {
    const id = await admin.create(container, { name: 'Archive' });
    const fault = 'container is set by the service and cannot be changed. Set containerID instead.';
    const camera = ['--set', 'name=camera', '--set', 'ipAddress=192.0.2.9', '--set', 'deviceType=ups'];
    const create = ['network-device', 'create-pingable', ...camera];
    expect(await errorOf(...create, '--set', 'container=Archive')).toContain(fault);
    expect(await errorOf(...create, '--set', `containerID=${id}`)).toBe('');
    expect(await errorOf('network-device', 'update-pingable', 'camera', '--set', 'container=Library')).toContain(fault);
  });

  test('show the settings of a call in its summary', async () => {
    const env = { PORTREEVE_URL: url, PORTREEVE_TOKEN: admin.token, HOME: '/nonexistent' };
    const id = await admin.create(host, { hostName: 'shown' });
    const { out } = await runPortreeve(['host', 'set-role', '--set', `id=${id}`, '--set', 'role=null'], env);
    expect(out).toBe(`Done: host set-role ${id}: role=null.\n`);
  });

  test('name the most similar sort field', async () => {
    expect(await errorOf('container', 'list', '--sort', 'nmae')).toContain('cannot sort by nmae; did you mean name?');
  });

  test('apply --columns to JSON too', async () => {
    const env = { PORTREEVE_URL: url, PORTREEVE_TOKEN: admin.token, HOME: '/nonexistent' };
    const list = ['container', 'list', '--filter', 'name==Library', '--json', '--columns', 'name,notes'];
    expect(JSON.parse((await runPortreeve(list, env)).out)).toEqual([{ name: 'Library', notes: null }]);
    expect(JSON.parse((await runPortreeve([...list, '--all'], env)).out)).toEqual([{ name: 'Library', notes: null }]);
  });

  test('accept the only required parameter with or without its option', async () => {
    const env = { PORTREEVE_URL: url, PORTREEVE_TOKEN: admin.token, HOME: '/nonexistent' };
    await admin.post('/host/with-adapters', {
      hostName: 'reading-room',
      adapterObjects: [{ physicalAddress: '00:50:C2:AB:02:01' }],
    });
    for (const words of [['reading'], ['--q', 'reading'], ['reading', '--json', 'hostName']])
      expect((await runPortreeve(['host', 'search', ...words], env)).out).toContain('reading-room');
    expect(await errorOf('host', 'search')).toContain('--q is required');
    expect(await errorOf('host', 'search', 'a', 'b')).toContain('Unexpected argument');
  });
});
