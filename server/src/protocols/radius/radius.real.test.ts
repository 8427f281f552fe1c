import { type FreeRadius, type FreeRadiusOptions, startFreeRadius } from '@portreeve/testbed/freeradius.ts';
import { afterEach, describe, expect, test } from 'vitest';
import { promised } from '../../../test/world/patience.ts';
import { outboundGuard } from '../outbound/outbound.ts';
import type { TestResult } from '../test-result.ts';
import { type RadiusProbe, radiusClient } from './radius.ts';

const radius = radiusClient({ outbound: outboundGuard({ allow: ['127.0.0.1/32'], refuse: [] }) });
const running: FreeRadius[] = [];

afterEach(async () => {
  await Promise.all(running.splice(0).map((server) => server.stop()));
});

async function server(options: Partial<FreeRadiusOptions> = {}): Promise<FreeRadius> {
  const started = await startFreeRadius({
    users: { bob: 'hello, 100% bob' },
    secret: 'correct-horse-battery',
    ...options,
  });
  running.push(started);
  return started;
}

const probeOf = (
  { host, authPort, acctPort, secret }: FreeRadius,
  changes: Partial<RadiusProbe> = {},
): RadiusProbe => ({
  host,
  authPort,
  acctPort,
  secret,
  checkUser: 'bob',
  checkPassword: 'hello, 100% bob',
  ...changes,
});
const detailsOf = ({ steps }: TestResult) => Object.fromEntries(steps.map(({ name, detail }) => [name, detail]));

describe('radius client with FreeRADIUS', () => {
  test('accepts a right user, and is answered on both ports', async () => {
    const result = await radius.probe(probeOf(await server()));
    expect(result.passed).toBe(true);
    expect(detailsOf(result)).toEqual({
      resolve: '127.0.0.1',
      'status-server': 'answered',
      'access-request': 'accepted',
      'status-server-accounting': 'answered',
    });
  });

  test('is rejected with a wrong password, also by a server that takes its second', async () => {
    const result = await radius.probe(probeOf(await server({ rejectDelaySeconds: 1 }), { checkPassword: 'wrong' }));
    expect(result.passed).toBe(false);
    expect(detailsOf(result)).toMatchObject({ 'status-server': 'answered', 'access-request': 'rejected' });
  });

  test.each([0, 1])('reports a wrong secret without its text (rejects wait %i s)', async (rejectDelaySeconds) => {
    const result = await radius.probe(probeOf(await server({ rejectDelaySeconds }), { secret: 'not-the-secret' }));
    expect(result.passed).toBe(false);
    expect(detailsOf(result)).toEqual({
      resolve: '127.0.0.1',
      'status-server': 'bad authenticator (wrong secret)',
      'access-request': 'not sent: the secret is wrong',
      'status-server-accounting': 'no answer',
    });
    expect(JSON.stringify(result)).not.toContain('not-the-secret');
    expect(result.durationMs).toBeLessThan(promised(3_000));
  });

  test('gets no answer from a stopped server within three seconds', async () => {
    const stopped = await server();
    const probe = probeOf(stopped);
    await stopped.stop();
    const result = await radius.probe(probe);
    expect(result.passed).toBe(false);
    expect(detailsOf(result)).toEqual({
      resolve: '127.0.0.1',
      'status-server': 'no answer',
      'access-request': 'no answer',
      'status-server-accounting': 'no answer',
    });
    expect(result.durationMs).toBeLessThan(promised(3_000));
  });

  test('passes a server that does not speak Status-Server but accepts the check user', async () => {
    const result = await radius.probe(probeOf(await server({ statusServer: false })));
    expect(result.passed).toBe(true);
    expect(detailsOf(result)).toMatchObject({ 'status-server': 'no answer', 'access-request': 'accepted' });
  });

  test('passes one that also drops what is not signed', async () => {
    const result = await radius.probe(probeOf(await server({ statusServer: false, requiresSignature: true })));
    expect(result.passed).toBe(true);
    expect(detailsOf(result)).toMatchObject({ 'status-server': 'no answer', 'access-request': 'accepted' });
  });

  test('refuses the unsigned acceptance of a server as it comes', async () => {
    const result = await radius.probe(probeOf(await server({ signsReplies: false })));
    expect(result.passed).toBe(false);
    expect(detailsOf(result)).toMatchObject({ 'access-request': 'no Message-Authenticator in reply' });
  });
});
