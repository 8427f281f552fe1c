import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { container } from '@portreeve/server/device/container/container.ts';
import { world } from '@portreeve/server/test/world/world.ts';
import { type Switches, startSwitches } from '@portreeve/testbed/snmp-switches.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { runOnTerminal, runPortreeve } from './testing/run-portreeve.ts';

const addresses = [1, 2, 3].map((n) => `127.0.52.${n}`);

describe('portreeve device discover', async () => {
  const { admin, service } = await world({ jobs: 'work' });
  const url = await service.app.listen({ host: '127.0.0.1', port: 0 });
  const folder = await mkdtemp(join(tmpdir(), 'portreeve-discover-'));
  const env = { PORTREEVE_URL: url, PORTREEVE_TOKEN: admin.token, HOME: folder };
  const discover = (words: string[], input = '') => runPortreeve(['device', 'discover', ...words], env, input);
  let switches: Switches;
  let port: string[];

  beforeAll(async () => {
    switches = await startSwitches(
      addresses.map((address, n) => ({ address, sysName: `cli-${n + 1}`, readCommunity: 'hush-hush', ports: 4 })),
    );
    port = ['--snmp-port', String(switches.port)];
    await service.runtime.pool.query('update device_properties set snmp_timeout = 1');
  });
  afterAll(async () => {
    await switches.stop();
    await rm(folder, { recursive: true, force: true });
  });

  test('shows progress on a terminal, then the results', async () => {
    await admin.create(container, { name: 'North' });
    await writeFile(join(folder, 'communities'), 'wrong\nhush-hush\n');
    const words = ['127.0.52.0/29', '--container', 'North', '--community-file', join(folder, 'communities'), ...port];
    const shown = await runOnTerminal(['device', 'discover', ...words, '--watch'], { ...env, NO_COLOR: '1' });
    expect(shown).toMatchObject({ code: 0 });
    expect(shown.out).toContain('Task 1');
    for (const [n, address] of addresses.entries())
      expect(shown.out).toMatch(new RegExp(`^${address} +ADDED +cli-${n + 1}`, 'm'));
    expect(shown.out).toContain(
      'Discovery into North is done: 6 addresses probed, 3 devices added, 0 updated, 3 unchanged, 0 failed.',
    );
    expect(shown.out).not.toContain('hush');
  });

  test('reads the community from a pipe, defaults to the top of the topology, and prints JSON', async () => {
    const watched = await discover([`${addresses[0]}-${addresses[1]}`, ...port, '--watch', '--json'], 'hush-hush\n');
    expect(watched.code, watched.err).toBe(0);
    expect(JSON.parse(watched.out)).toMatchObject({ containerName: 'Network', state: 'DONE', skipped: 2 });
    const started = await discover([addresses[0]!, ...port], 'hush-hush\n');
    expect(started).toMatchObject({ code: 0, out: expect.stringMatching(/^Started task \d+\. Follow it with/) });
  });

  test('refuses an invalid range, file or container before it sends anything', async () => {
    for (const [words, reason] of [
      [['ten'], 'is not an address range'],
      [[], 'RANGE is missing'],
      [[addresses[0]!, '--credentials', join(folder, 'none')], 'cannot be read'],
      [[addresses[0]!, '--container', 'Nowhere'], 'There is no container "Nowhere"'],
    ] as const) {
      const refused = await discover([...words], 'x\n');
      expect([refused.code, refused.err]).toEqual([2, expect.stringContaining(reason)]);
    }
    const invalid = await discover(['10.0.0.0/8', ...port], 'x\n');
    expect([invalid.code, invalid.err]).toEqual([2, expect.stringContaining('at most 65536')]);
  });
});
