import { makeKey, selfSigned } from '@portreeve/server/protocols/x509/make-certificate.ts';
import { type RadiusWorld, radiusWorld } from '@portreeve/server/test/world/radius-world.ts';
import { freePort } from '@portreeve/testbed/free-ports.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { otherNodes } from './doctor-cluster.ts';

describe('the check of other nodes', () => {
  let world: RadiusWorld;
  const checkNodes = (node: string) => otherNodes({ node })(world.service.runtime.pool);

  beforeAll(async () => {
    world = await radiusWorld({ cluster: { address: '127.0.0.24', port: await freePort() } });
  });
  afterAll(() => world.close());

  test('reports a node that responds, and that there is no other node', async () => {
    await expect.poll(() => checkNodes('node-2')).toEqual({ isOk: true, what: 'other nodes that respond: node-1' });
    expect(await checkNodes('node-1')).toEqual({ isOk: true, what: 'other nodes: none has a clusterAddress' });
  });

  test('reports a node with another certificate, and one that does not respond', async () => {
    const { pool } = world.service.runtime;
    const key = await makeKey('EC_P256');
    const certificate = selfSigned(key, { CN: 'node-1' }, [], { nowMs: Date.now(), days: 1 });
    await pool.query('update cluster_address set certificate = $1', [certificate]);
    const { address, port } = world.radius.cluster!;
    expect((await checkNodes('node-2')).what).toBe(
      `other nodes: node-1 at ${address} port ${port} has another certificate`,
    );
    await pool.query(`update cluster_address set address = '127.0.0.1'`);
    expect((await checkNodes('node-2')).what).toBe(
      `other nodes: node-1 at 127.0.0.1 port ${port} does not respond (ECONNREFUSED)`,
    );
  });
});
