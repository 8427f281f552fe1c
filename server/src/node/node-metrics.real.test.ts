import { createServer } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { checkMetrics, startPrometheus } from '@portreeve/testbed/prometheus.ts';
import { afterAll, describe, expect, onTestFinished, test } from 'vitest';
import { openWorld } from '../../test/world/open-world.ts';
import { listenForMetrics } from './metrics-listener.ts';

interface OtlpSpan {
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  name: string;
  attributes: { key: string; value: { stringValue?: string } }[];
}

describe('the metrics of a node', async () => {
  const spans: OtlpSpan[] = [];
  // Stores the spans that a collector would forward.
  const collector = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk) => {
      body += chunk;
    });
    request.on('end', () => {
      const payload = JSON.parse(body) as { resourceSpans: { scopeSpans: { spans: OtlpSpan[] }[] }[] };
      spans.push(...payload.resourceSpans.flatMap((resource) => resource.scopeSpans.flatMap((scope) => scope.spans)));
      response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
    });
  });
  await new Promise<void>((done) => collector.listen(0, '127.0.0.1', done));
  const { port } = collector.address() as { port: number };
  const world = await openWorld({ jobs: 'work', tracesUrl: `http://127.0.0.1:${port}/v1/traces` });
  const { admin, service } = world;
  const metrics = await listenForMetrics(service.metrics, '127.0.0.1', 0);
  const { port: metricsPort } = metrics.address() as { port: number };
  afterAll(async () => {
    metrics.close();
    await world.close();
    collector.close();
  });

  test('are a page that promtool accepts', async () => {
    await admin.get('/device/container');
    await admin.get('/device/container/4711');
    const page = await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text();
    expect(page).toContain('portreeve_http_requests_total{operation="container.list",status="success"} 1');
    expect(page).toContain('portreeve_http_requests_total{operation="container.fetch",status="not-found"} 1');
    expect(page).toContain('portreeve_job_queue_age_seconds{queue="fold-counters"}');
    expect(await checkMetrics(page)).toBe('');
  });

  test('are scraped by a Prometheus server', async () => {
    const prometheus = await startPrometheus(`127.0.0.1:${metricsPort}`);
    onTestFinished(() => prometheus.stop());
    let samples: Awaited<ReturnType<typeof prometheus.query>> = [];
    for (let tries = 0; tries < 600 && samples.length === 0; tries++) {
      await sleep(200);
      samples = await prometheus.query('portreeve_http_requests_total{operation="container.list"}');
    }
    expect(samples[0]).toMatchObject({ metric: { status: 'success', job: 'portreeve' }, value: 1 });
  });

  test('include traces with statements below their requests, without their values', async () => {
    const reply = await admin.post('/device/container', { name: 'traced-by-name' });
    const isOurs = (span: OtlpSpan) =>
      span.attributes.some(({ value }) => value.stringValue === reply.headers['x-request-id']);
    for (let tries = 0; tries < 600 && !spans.some(isOurs); tries++) await sleep(100);
    const request = spans.find(isOurs)!;
    expect(request.name).toBe('POST /api/v2/device/container');
    const statements = spans.filter((span) => span.parentSpanId === request.spanId);
    expect(statements.map((span) => span.name)).toEqual(
      expect.arrayContaining(['begin;', 'select', 'insert', 'commit']),
    );
    expect(JSON.stringify(statements)).not.toContain('traced-by-name');
  });
});

test('a node reports that it is ready, or what is missing', async () => {
  const world = await openWorld({ jobs: 'enqueue' });
  const { service } = world;
  const live = await service.app.inject('/healthz');
  expect(live.statusCode).toBe(200);
  await expect.poll(async () => (await service.app.inject('/readyz')).statusCode).toBe(200);
  expect((await service.app.inject('/readyz')).json().results.map((check: { name: string }) => check.name)).toEqual([
    'database',
    'writable',
    'logs',
    'jobs',
    'policies',
  ]);
  await service.runtime.pool.end();
  const lost = await service.app.inject('/readyz');
  expect(lost.statusCode).toBe(503);
  expect(lost.json().errorMessage).toContain('Not ready: database (it does not respond)');
  expect(lost.headers['retry-after']).toBe('2');
  await world.database.drop();
});
