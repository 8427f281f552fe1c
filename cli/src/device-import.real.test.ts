import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type RadiusWorld, radiusWorld } from '@portreeve/server/test/world/radius-world.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { runPortreeve } from './testing/run-portreeve.ts';

const clientsConf = `client sw-ward-3 {
  ipaddr = 127.0.0.31
  secret = "it's \\"quoted\\""
  virtual_server = default
}
client nas-1 {
  ipaddr = 127.0.0.9
  secret = another
}
client campus {
  ipaddr = 10.0.0.0/8
  secret = hunter2
}
client bad {
  ipaddr = 224.0.0.1
  secret = hunter2
}
`;

describe('portreeve device import', () => {
  let world: RadiusWorld;
  let folder: string;
  let url: string;
  const run = (...words: string[]) =>
    runPortreeve(['device', 'import', join(folder, 'clients.conf'), ...words], {
      HOME: '/nonexistent',
      PORTREEVE_URL: url,
      PORTREEVE_TOKEN: world.admin.token,
    });
  const mac = '00:1D:09:0E:00:02';

  beforeAll(async () => {
    world = await radiusWorld();
    url = await world.service.app.listen({ host: '127.0.0.1', port: 0 });
    folder = await mkdtemp(join(tmpdir(), 'portreeve-import-'));
    await writeFile(join(folder, 'clients.conf'), clientsConf);
  });
  afterAll(async () => {
    await rm(folder, { recursive: true });
    await world.close();
  });

  test('reports in a dry run what would happen', async () => {
    const { out } = await run('--dry-run');
    expect(out).toContain('2 devices would be imported, 1 failed, 2 skipped.');
    expect((await world.mab(mac, { source: '127.0.0.31', tries: 1, waitSeconds: 0.3 })).code).toBe('none');
  });

  test('imports access devices of clients.conf so that RADIUS replies to them', async () => {
    const { code, out, err } = await run();
    expect(out.split('\n')).toEqual([
      'line 4: skipped: virtual_server = default of client sw-ward-3',
      'line 10: skipped: client campus: 10.0.0.0/8 is a network: add each of its devices',
      '1 device added, 1 updated, 1 failed, 2 skipped.',
      '',
    ]);
    expect([code, err]).toEqual([1, expect.stringMatching(/^line 14: client bad: /)]);
    const accepted = { code: 'Access-Accept', attributes: [] };
    expect(await world.mab(mac, { source: '127.0.0.31', secret: 'it\'s "quoted"' })).toEqual(accepted);
    expect(await world.mab(mac, { secret: 'another' })).toEqual(accepted);
    expect((await run()).out).toContain('0 devices added, 2 updated');
  });
});
