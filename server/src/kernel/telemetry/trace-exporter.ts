import { JsonTraceSerializer } from '@opentelemetry/otlp-transformer';
import type { SpanExporter } from '@opentelemetry/sdk-trace-base';

/** Where spans go. */
export interface SpanReceiver {
  /** Takes spans in the JSON form of OTLP; fails when they did not arrive. */
  send(body: Buffer): Promise<void>;
  /** Called with the spans that did not arrive: they are not sent again. */
  lost(spans: number, error: Error): void;
}

type ExportArguments = Parameters<SpanExporter['export']>;

/** Hands over batches one by one, as the span processor asks for them. */
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

  // The span processor waits for its batches itself, and each of them has an end.
  async shutdown(): Promise<void> {}
}
