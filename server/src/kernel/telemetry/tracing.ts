import { AsyncLocalStorage } from 'node:async_hooks';
import { context, type Span, SpanKind, SpanStatusCode, type Tracer, trace } from '@opentelemetry/api';
import { resourceFromAttributes } from '@opentelemetry/resources';
import { BasicTracerProvider, BatchSpanProcessor } from '@opentelemetry/sdk-trace-base';
import type pg from 'pg';
import type { Call } from '../declare/operation.ts';
import { type SpanReceiver, TraceExporter } from './trace-exporter.ts';

/** Traces of requests and of the statements they cause, sent to a collector by OTLP. */
export interface Tracing {
  traced<T>(call: Call, work: () => Promise<T>): Promise<T>;
  /** Creates a span for each statement of every session of the pool. */
  watch(pool: pg.Pool): void;
  close(): Promise<void>;
}

/** Used without a collector: measures nothing and costs nothing. */
const off: Tracing = { traced: (_call, work) => work(), watch: () => undefined, close: async () => undefined };

const statementMax = 500;

/** Starts tracing to a receiver; without one, nothing is traced. */
export function startTracing(receiver: SpanReceiver | undefined, version: string): Tracing {
  if (!receiver) return off;
  const current = new AsyncLocalStorage<Span>();
  const provider = new BasicTracerProvider({
    resource: resourceFromAttributes({ 'service.name': 'portreeve', 'service.version': version }),
    spanProcessors: [
      new BatchSpanProcessor(new TraceExporter(untraced(receiver, current)), {
        maxQueueSize: 4_096,
        scheduledDelayMillis: 1_000,
      }),
    ],
  });
  const tracer = provider.getTracer('portreeve');
  return {
    traced: (call, work) => inSpan(tracer, current, call, work),
    watch: (pool) => void pool.on('connect', (client) => watchStatements(tracer, current, client)),
    close: () => provider.shutdown(),
  };
}

/** A timer that was started in a request sends the batch: the statements of sending do not belong to that request. */
const untraced = (receiver: SpanReceiver, current: AsyncLocalStorage<Span>): SpanReceiver => ({
  send: (body) => current.exit(() => receiver.send(body)),
  lost: (spans, error) => receiver.lost(spans, error),
});

async function inSpan<T>(
  tracer: Tracer,
  current: AsyncLocalStorage<Span>,
  call: Call,
  work: () => Promise<T>,
): Promise<T> {
  const { operation, origin } = call;
  const span = tracer.startSpan(`${operation.method} ${operation.path}`, {
    kind: SpanKind.SERVER,
    attributes: {
      'http.request.method': operation.method,
      'http.route': operation.path,
      'portreeve.operation': operation.operationId,
      'portreeve.request_id': origin.requestId,
    },
  });
  try {
    return await current.run(span, work);
  } catch (error) {
    span.setStatus({ code: SpanStatusCode.ERROR, message: (error as { word?: string }).word ?? 'error' });
    throw error;
  } finally {
    span.end();
  }
}

/**
 * Creates a span for each statement of a session. The text of a statement contains no value of a caller: values are
 * parameters, which a span does not contain.
 */
function watchStatements(tracer: Tracer, current: AsyncLocalStorage<Span>, client: pg.PoolClient): void {
  const query = client.query.bind(client) as (...args: unknown[]) => unknown;
  const watched = (...args: unknown[]): unknown => {
    const parent = current.getStore();
    if (!parent) return query(...args);
    const text = typeof args[0] === 'string' ? args[0] : String((args[0] as { text?: string }).text ?? '');
    const attributes = { 'db.system.name': 'postgresql', 'db.query.text': text.slice(0, statementMax) };
    const span = tracer.startSpan(
      // The statements before a commit in its packet count as part of it.
      /; commit$/.test(text) ? 'commit' : (text.trimStart().split(/\s/, 1)[0] ?? 'statement'),
      { kind: SpanKind.CLIENT, attributes },
      trace.setSpan(context.active(), parent),
    );
    const result = query(...args);
    const { done } = args[0] as { done?: Promise<unknown> };
    // A query of a class in this service is not a promise, but has one.
    void done?.then(
      () => span.end(),
      () => span.end(),
    );
    if (done) return result;
    if (!(result instanceof Promise)) {
      span.end();
      return result;
    }
    return result.finally(() => span.end());
  };
  Object.assign(client, { query: watched });
}
