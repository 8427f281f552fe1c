const quietMs = 60_000;
const kindsMax = 100;

/** Where faults are logged: a logger of the node. */
export interface FaultLog {
  error(fields: object, text: string): void;
}

/** Logs faults of the background: whole the first time, and the same ones of the next minute as a number. A database that is away is thirty faults a second. */
export class BackgroundFaults {
  readonly #logOf: () => FaultLog | undefined;
  readonly #repeated = new Map<string, number>();

  /** The logger is there once the node has started. */
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
    // So many kinds at once are texts with numbers in them: those are logged each time.
    if (this.#repeated.size >= kindsMax) return;
    this.#repeated.set(kind, 0);
    setTimeout(() => this.#closeMinute(kind), quietMs).unref();
  }

  #closeMinute(kind: string): void {
    const repeated = this.#repeated.get(kind) ?? 0;
    this.#repeated.delete(kind);
    if (repeated > 0) this.#logOf()?.error({ repeated, fault: kind }, 'background fault, again within a minute');
  }
}

const kindOf = ({ name, message, code = '' }: Error & { code?: string }): string => `${name} ${code}: ${message}`;
