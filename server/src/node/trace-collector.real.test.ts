import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { startWebProxy } from '@portreeve/testbed/proxy.ts';
import { afterAll, expect, test, vi } from 'vitest';
import { patient } from '../../test/world/patience.ts';
import { world as startWorld } from '../../test/world/world.ts';
import { proxySettings } from '../integration/proxy-settings/proxy-settings.ts';
import { Metrics } from '../kernel/telemetry/metrics.ts';
import { TraceCollector } from './trace-collector.ts';

const name = 'collector.portreeve.test';
const address = '127.0.0.6';
const account = { user: 'portreeve', password: 'correct-horse' };

const received: { body: string; via: string | undefined }[] = [];
let answer = 200;
const server = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    received.push({ body: Buffer.concat(chunks).toString(), via: request.headers.via });
    response.writeHead(answer).end();
  });
});
server.listen(0, address);
await once(server, 'listening');
const { port } = server.address() as AddressInfo;
const proxy = await startWebProxy({ users: { [account.user]: account.password }, hosts: { [name]: address } });
afterAll(async () => {
  server.close();
  await proxy.stop();
});

const world = await startWorld();
const errors: string[] = [];
const collectorOf = (metrics = new Metrics()) => {
  const collector = new TraceCollector(`http://${name}:${port}/v1/traces`);
  collector.attach({
    runtime: world.service.runtime,
    metrics,
    onError: ({ message }) => void errors.push(message),
    lookup: async () => [{ address, family: 4 }],
  });
  return collector;
};

async function configure(change: Record<string, unknown>): Promise<void> {
  const reply = await world.admin.post(proxySettings.path!, change);
  expect(reply.code, reply.text).toBe(200);
}

const viaProxy = {
  httpProxyHost: proxy.host,
  httpProxyPort: proxy.port,
  httpProxyUser: account.user,
  httpProxyPassword: account.password,
};

test('traces are sent according to the current proxy settings', async () => {
  const collector = collectorOf();
  await collector.send(Buffer.from('{"first":1}'));
  await configure(viaProxy);
  await collector.send(Buffer.from('{"second":2}'));
  await configure({ httpNonProxyHosts: '*.portreeve.test' });
  await collector.send(Buffer.from('{"third":3}'));
  expect(received.map(({ body, via }) => [body, via?.includes('squid') ?? false])).toEqual([
    ['{"first":1}', false],
    ['{"second":2}', true],
    ['{"third":3}', false],
  ]);
  const line = { method: 'POST', url: `http://${name}:${port}/v1/traces`, user: account.user, status: 200 };
  await vi.waitFor(async () => expect(await proxy.accessed()).toEqual([line]), patient);
});

test('spans that the collector does not accept are counted, and reported once until a batch succeeds', async () => {
  const metrics = new Metrics();
  const collector = collectorOf(metrics);
  await configure({ httpProxyHost: '' });
  answer = 503;
  const fault = (await collector.send(Buffer.from('{}')).catch((error: unknown) => error)) as Error;
  expect(fault.message).toBe('The trace collector responded with HTTP status 503.');
  errors.length = 0;
  for (const spans of [3, 4]) collector.lost(spans, fault);
  expect(errors).toEqual(['Traces are lost: The trace collector responded with HTTP status 503.']);
  answer = 200;
  await collector.send(Buffer.from('{}'));
  collector.lost(1, fault);
  expect(errors).toHaveLength(2);
  expect(await metrics.page()).toContain('portreeve_trace_spans_lost_total 8');
});

test('an unreachable proxy is reported by one event of all nodes in ten minutes', async () => {
  const stoppedProxy = await startWebProxy({ users: {} });
  await stoppedProxy.stop();
  await configure({ ...viaProxy, httpProxyPort: stoppedProxy.port, httpNonProxyHosts: '' });
  for (const collector of [collectorOf(), collectorOf()])
    for (const _ of [1, 2]) await expect(collector.send(Buffer.from('{}'))).rejects.toThrow('cannot be reached');
  const events = async () => {
    const { rows } = await world.service.runtime.pool.query<{ text: string }>(
      `select event_format_string as text from event where name = 'PROXY_UNREACHABLE' order by id`,
    );
    return rows.map(({ text }) => text);
  };
  const line = expect.stringMatching(
    `^The web proxy ${stoppedProxy.host}:${stoppedProxy.port} cannot be reached: .*connect ECONNREFUSED`,
  );
  expect(await events()).toEqual([line]);
  await world.service.runtime.pool.query(`update proxy_report set reported_at = now() - interval '11 minutes'`);
  await expect(collectorOf().send(Buffer.from('{}'))).rejects.toThrow('cannot be reached');
  expect(await events()).toEqual([line, line]);
});
