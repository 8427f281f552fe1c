import type { Runtime } from '../context.ts';
import { storedProxy } from '../integration/proxy-settings/stored-proxy.ts';
import { UnreachableProxies } from '../integration/proxy-settings/unreachable-proxies.ts';
import { inBackground } from '../kernel/database/shares.ts';
import { remoteFailed } from '../kernel/failure.ts';
import type { Counter, Metrics } from '../kernel/telemetry/metrics.ts';
import type { SpanReceiver } from '../kernel/telemetry/trace-exporter.ts';
import { type OutboundHttp, outboundHttp } from '../protocols/outbound/http.ts';
import { type Lookup, namedByOperator } from '../protocols/outbound/outbound.ts';

export interface TraceCollectorParts {
  runtime: Runtime;
  metrics: Metrics;
  onError: (error: Error) => void;
  lookup?: Lookup;
}

interface Attached {
  http: OutboundHttp;
  lostSpans: Counter;
  onError: (error: Error) => void;
}

const timeoutMs = 5_000;
const bytesMax = 65_536;
const headers = { 'content-type': 'application/json' };

/** Sends traces to a collector at an OTLP/HTTP address, through the proxy of the proxy settings. */
export class TraceCollector implements SpanReceiver {
  readonly #url: string;
  #attached: Attached | undefined;
  #isFailing = false;

  constructor(url: string) {
    this.#url = url;
  }

  /** Sets the services for sending. They need the database, whose connections are traced from the start. */
  attach({ runtime, metrics, onError, lookup }: TraceCollectorParts): void {
    const unreachable = new UnreachableProxies(runtime, onError);
    const http = outboundHttp({
      guard: namedByOperator(lookup),
      proxy: () => storedProxy(runtime),
      onProxyUnreachable: (proxy, why) => unreachable.report(proxy, why),
    });
    const lostSpans = metrics.counter(
      'portreeve_trace_spans_lost_total',
      'Spans that the trace collector did not accept.',
    );
    this.#attached = { http, lostSpans, onError };
  }

  /** Sends outside the context of any request, although the timer was started within one. */
  send(body: Buffer): Promise<void> {
    return inBackground(() => this.#send(body));
  }

  async #send(body: Buffer): Promise<void> {
    if (!this.#attached) throw new Error('The node has not started yet.');
    const { status } = await this.#attached.http.request({
      method: 'POST',
      url: this.#url,
      headers,
      body,
      timeoutMs,
      bytesMax,
    });
    if (status < 200 || status > 299) throw remoteFailed(`The trace collector responded with HTTP status ${status}.`);
    this.#isFailing = false;
  }

  lost(spans: number, error: Error): void {
    this.#attached?.lostSpans.add({}, spans);
    // Reported once, not every second, until a batch succeeds again.
    if (!this.#isFailing) this.#attached?.onError(new Error(`Traces are lost: ${error.message}`));
    this.#isFailing = true;
  }
}
