import { once } from 'node:events';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readConfig } from '@portreeve/server/node/config.ts';
import { until } from '@portreeve/server/test/world/patience.ts';
import { type RadiusWorld, radiusWorld } from '@portreeve/server/test/world/radius-world.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { examineRadius, radiusGeneration } from './doctor-radius.ts';

describe('the RADIUS checks of the doctor', () => {
  let world: RadiusWorld;
  const configOf = ({ folder, port, node = 'node-1' }: { folder: string; port: number; node?: string }) =>
    readConfig({
      PORTREEVE_RADIUS_FOLDER: folder,
      PORTREEVE_DECISION_PORT: String(port),
      PORTREEVE_NODE: node,
    });
  const here = (overrides: { node?: string } = {}) =>
    configOf({ folder: world.radius.folder, port: world.radius.decisionPort, ...overrides });

  beforeAll(async () => {
    world = await radiusWorld();
  });
  afterAll(() => world.close());

  test('pass on a node that serves', async () => {
    expect(await examineRadius(await here())).toEqual([
      { isOk: true, what: 'FreeRADIUS module: rlm_eap' },
      { isOk: true, what: 'FreeRADIUS module: rlm_rest' },
      expect.objectContaining({ what: expect.stringContaining(world.radius.folder) }),
      { isOk: true, what: `decision port: 127.0.0.1:${world.radius.decisionPort} is served by Portreeve` },
    ]);
  });

  test('cause no event about an unknown access device', async () => {
    await examineRadius(await here());
    // The event of this packet is stored after any event that the doctor would have caused.
    await world.mab('00:1D:09:00:00:01', { source: '127.0.0.99', tries: 1 });
    const events = async () => (await world.admin.get('/logging/event?filter=name==RADIUS_NAS_UNKNOWN')).body.results!;
    await until('the event', async () => (await events()).length > 0);
    expect((await events()).map((event) => JSON.stringify(event))).toEqual([expect.stringContaining('127.0.0.99')]);
  });

  test('check the type and mode of the folder, and report a port of another program', async () => {
    const otherServer = createServer((_request, response) => response.writeHead(404).end()).listen(0, '127.0.0.1');
    await once(otherServer, 'listening');
    const { port } = otherServer.address() as AddressInfo;
    const folder = await mkdtemp('/dev/shm/portreeve-doctor-');
    const findings = await examineRadius(await configOf({ folder, port }));
    expect(findings.slice(2)).toMatchObject([
      { isOk: true, what: expect.stringContaining('in memory') },
      { isOk: false, what: expect.stringContaining('in use by another program') },
    ]);
    const parent = join(process.cwd(), '.portreeve');
    await mkdir(parent, { recursive: true });
    const onDisk = await mkdtemp(join(parent, 'doctor-'));
    expect((await examineRadius(await configOf({ folder: onDisk, port })))[2]).toMatchObject({
      isOk: false,
      what: expect.stringContaining('is on a disk'),
    });
    const open = tmpdir();
    expect((await examineRadius(await configOf({ folder: open, port })))[2]).toMatchObject({
      isOk: false,
      fix: `chmod 700 ${open}`,
    });
    otherServer.close();
    for (const createdFolder of [folder, onDisk]) await rm(createdFolder, { recursive: true });
  });

  test('report the running generation and a refused one', async () => {
    const { pool } = world.service.runtime;
    const checkGeneration = async (node?: string) =>
      (await radiusGeneration(await here(node ? { node } : {}))(pool)).what;
    expect(await checkGeneration()).toMatch(/^RADIUS generation: node-1 runs \d+$/);
    expect(await checkGeneration('node-2')).toMatch(/node-2 is not running$/);
    const { rows } = await pool.query<{ wanted: number }>(
      `update config_generation set wanted = wanted + 1, refused = wanted + 1, refused_why = E'no such\\nattribute' where topic = 'radius' returning wanted`,
    );
    expect(await checkGeneration()).toContain(`${rows[0]!.wanted} was rejected (no such); node-1 runs`);
  });

  test('report nothing if the node runs no engine', async () => {
    const config = await readConfig({});
    expect(await examineRadius(config)).toEqual([]);
    expect((await radiusGeneration(config)(world.service.runtime.pool)).what).toBe('RADIUS: this node runs no engine');
  });
});
