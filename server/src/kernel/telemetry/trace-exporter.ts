import { JsonTraceSerializer } from '@opentelemetry/otlp-transformer';
import type { SpanExporter } from '@opentelemetry/sdk-trace-base';

/** The destination of spans. */
export interface SpanReceiver {
  /** Sends spans in the JSON form of OTLP; rejects if they did not arrive. */
  send(body: Buffer): Promise<void>;
  /** Called with the number of spans that did not arrive; they are not sent again. */
  lost(spans: number, error: Error): void;
}

type ExportArguments = Parameters<SpanExporter['export']>;

/** Sends each batch that the span processor exports. */
export class TraceExporter implements SpanExporter {
  readonly #receiver: SpanReceiver;

  constructor(receiver: SpanReceiver) {
    this.#receiver = receiver;
  }

  export(spans: ExportArguments[0], done: ExportArguments[1]): void {
    this.#sent(spans).then(
      () => done({ code: 0 }),
      (error: Error) => {
        this.#receiver.lost(spans.length, error);
        done({ code: 1, error });
      },
    );
  }

  async #sent(spans: ExportArguments[0]): Promise<void> {
    await this.#receiver.send(Buffer.from(JsonTraceSerializer.serializeRequest(spans) ?? []));
  }

  // The span processor waits for its batches itself, and each of them ends.
  async shutdown(): Promise<void> {}
}
