import { startFreeRadius } from '@portreeve/testbed/freeradius.ts';
import { afterAll, describe, expect, test } from 'vitest';
import { promised } from '../../../test/world/patience.ts';
import { world } from '../../../test/world/world.ts';
import { outboundGuard } from '../../protocols/outbound/outbound.ts';
import { radiusClient } from '../../protocols/radius/radius.ts';
import type { TestResult } from '../../protocols/test-result.ts';
import { aaaServer } from './aaa-server.ts';

const secret = 'shared-with-the-real-one';
const checkPassword = 'probe-password';

describe('AAA validate against a real FreeRADIUS', async () => {
  const radius = await startFreeRadius({ users: { probe: checkPassword }, secret });
  afterAll(() => radius.stop());
  const { admin, logged } = await world();
  let serverCount = 0;
  const server = (change: Record<string, unknown> = {}) => ({
    name: `live-${++serverCount}`,
    netId: radius.host,
    authPort: radius.authPort,
    acctPort: radius.acctPort,
    checkUser: 'probe',
    checkPassword,
    secret,
    ...change,
  });
  const validate = async (body: Record<string, unknown>) => {
    const reply = await admin.post<TestResult>(`${aaaServer.path}/validate`, body);
    expect(reply.code).toBe(200);
    return reply.body.results![0]!;
  };

  test('accepts the right secret and check user, stored or sent', async () => {
    const id = await admin.create(aaaServer, server());
    const { body } = await admin.get<TestResult>(`${aaaServer.path}/validate/${id}`);
    expect(body.results![0]).toMatchObject({ passed: true });
    expect(body.results![0]!.steps).toContainEqual({
      name: 'access-request',
      passed: true,
      detail: 'accepted',
    });
    expect(await validate(server())).toMatchObject({ passed: true });
    // With only the id, the stored secret is used.
    expect(await validate({ id })).toMatchObject({ passed: true });
    await admin.delete(`${aaaServer.path}/${id}`);
  });

  test('detects a wrong secret, without revealing the secret', async () => {
    const wrong = 'not-the-shared-secret';
    const result = await validate(server({ secret: wrong }));
    expect(result.passed).toBe(false);
    expect(result.steps.map((step) => step.detail)).toContain('bad authenticator (wrong secret)');
    expect(JSON.stringify(result)).not.toContain(wrong);
    expect(logged.join('')).not.toContain(wrong);
  });

  test('reports a wrong password as rejected', async () => {
    const result = await validate(server({ checkPassword: 'another-password' }));
    expect(result.steps).toContainEqual({ name: 'access-request', passed: false, detail: 'rejected' });
  });

  test('reports a server that is down within 3 s', async () => {
    const stoppedServer = await startFreeRadius({ users: {}, secret });
    await stoppedServer.stop();
    const result = await validate(server({ authPort: stoppedServer.authPort, acctPort: stoppedServer.acctPort }));
    expect(result.passed).toBe(false);
    expect(result.steps.map((step) => step.detail)).toContain('no answer');
    expect(result.durationMs).toBeLessThan(promised(3_000));
  });

  test('refuses a test of the stored secret at another host', async () => {
    const id = await admin.create(aaaServer, server());
    const reply = await admin.post(`${aaaServer.path}/validate`, { id, netId: '127.0.0.2' });
    expect(reply.code).toBe(422);
    expect(reply.body.errorMessage).toContain('secret: netId changes');
    await admin.delete(`${aaaServer.path}/${id}`);
  });
});

describe('the outbound guard', async () => {
  // A deployment with default settings.
  const radius = radiusClient({ outbound: outboundGuard({ allow: [], refuse: [] }) });
  const { admin } = await world({ parts: { radius } });

  test('refuses to test loopback addresses unless the deployment allows them', async () => {
    const { body } = await admin.post(`${aaaServer.path}/validate`, { name: 'inside', netId: '127.0.0.1', secret });
    expect(body.results![0]).toMatchObject({ passed: false, steps: [{ name: 'resolve', passed: false }] });
  });
});
