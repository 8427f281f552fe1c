const quietMs = 60_000;
const kindsMax = 100;

/** The logger of the node. */
export interface FaultLog {
  error(fields: object, text: string): void;
}

/**
 * Logs background faults: a new fault completely, and its repetitions within the next minute as a number. An unreachable database causes
 * thirty faults per second.
 */
export class BackgroundFaults {
  readonly #logOf: () => FaultLog | undefined;
  readonly #repeated = new Map<string, number>();

  /** `logOf` returns undefined until the node has started. */
  constructor(logOf: () => FaultLog | undefined) {
    this.#logOf = logOf;
  }

  report(error: Error): void {
    const kind = kindOf(error);
    const repeated = this.#repeated.get(kind);
    if (repeated !== undefined) this.#repeated.set(kind, repeated + 1);
    else this.#first(kind, error);
  }

  #first(kind: string, error: Error): void {
    const log = this.#logOf();
    if (log) log.error({ err: error }, 'background fault');
    else console.error(error);
    // So many kinds are messages with varying numbers in them, which are logged each time.
    if (this.#repeated.size >= kindsMax) return;
    this.#repeated.set(kind, 0);
    setTimeout(() => this.#closeMinute(kind), quietMs).unref();
  }

  #closeMinute(kind: string): void {
    const repeated = this.#repeated.get(kind) ?? 0;
    this.#repeated.delete(kind);
    if (repeated > 0) this.#logOf()?.error({ repeated, fault: kind }, 'background fault, repeated within a minute');
  }
}

const kindOf = ({ name, message, code = '' }: Error & { code?: string }): string => `${name} ${code}: ${message}`;
