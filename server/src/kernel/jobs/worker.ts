interface Options<Taken> {
  take(): Promise<Taken | undefined>;
  run(taken: Taken): Promise<void>;
  /** How long it waits if there is no job, unless it is woken. */
  waitMs(): number;
  onError(error: Error): void;
}

/** Takes jobs of one queue and runs them, one after the other, until it is stopped. */
export class Worker<Taken> {
  readonly #options: Options<Taken>;
  #isStopping = false;
  #isWoken = false;
  #wake: () => void = () => undefined;
  #ended: Promise<void> | undefined;

  constructor(options: Options<Taken>) {
    this.#options = options;
  }

  start(): void {
    this.#ended = this.#loop();
  }

  /** Makes the worker look for a job at once, or after the current one. */
  wake(): void {
    this.#isWoken = true;
    this.#wake();
  }

  /** Takes no more jobs; resolves when the current one has ended. */
  async stop(): Promise<void> {
    this.#isStopping = true;
    this.#wake();
    await this.#ended;
  }

  async #loop(): Promise<void> {
    while (!this.#isStopping) {
      this.#isWoken = false;
      const hasWorked = await this.#next().catch((error: Error) => {
        this.#options.onError(error);
        return false;
      });
      // One notification may be for several jobs, so the queue is read again after each job.
      if (!hasWorked && !this.#isWoken && !this.#isStopping) await this.#wait();
    }
  }

  async #next(): Promise<boolean> {
    const nextJob = await this.#options.take();
    if (nextJob !== undefined) await this.#options.run(nextJob);
    return nextJob !== undefined;
  }

  async #wait(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#wake = resolve;
    const timer = setTimeout(resolve, this.#options.waitMs());
    await promise;
    clearTimeout(timer);
  }
}
