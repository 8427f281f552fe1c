import { makeKey, selfSigned } from '@portreeve/server/protocols/x509/make-certificate.ts';
import { type RadiusWorld, radiusWorld } from '@portreeve/server/test/world/radius-world.ts';
import { freePort } from '@portreeve/testbed/free-ports.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { otherNodes } from './doctor-cluster.ts';

describe('what the doctor finds of other nodes', () => {
  let world: RadiusWorld;
  const checkNodes = (node: string) => otherNodes({ node })(world.service.runtime.pool);

  beforeAll(async () => {
    world = await radiusWorld({ cluster: { address: '127.0.0.24', port: await freePort() } });
  });
  afterAll(() => world.close());

  test('that one answers, and that there is none', async () => {
    await expect.poll(() => checkNodes('node-2')).toEqual({ isOk: true, what: 'other nodes that answer: node-1' });
    expect(await checkNodes('node-1')).toEqual({ isOk: true, what: 'other nodes: none has a clusterAddress' });
  });

  test('that one is another than the database names, and that one does not answer', async () => {
    const { pool } = world.service.runtime;
    const key = await makeKey('EC_P256');
    const certificate = selfSigned(key, { CN: 'node-1' }, [], { nowMs: Date.now(), days: 1 });
    await pool.query('update cluster_address set certificate = $1', [certificate]);
    const { address, port } = world.radius.cluster!;
    expect((await checkNodes('node-2')).what).toBe(
      `other nodes: node-1 at ${address} port ${port} shows another certificate`,
    );
    await pool.query(`update cluster_address set address = '127.0.0.1'`);
    expect((await checkNodes('node-2')).what).toBe(
      `other nodes: node-1 at 127.0.0.1 port ${port} does not answer (ECONNREFUSED)`,
    );
  });
});
