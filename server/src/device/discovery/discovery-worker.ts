import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Context, JobRun } from '../../context.ts';
import { discoveryRun } from './discovery.ts';
import { probeAddress } from './probe-address.ts';
import { type Probe, probesOf, type RunCredential } from './run-credentials.ts';
import { type Found, storeFound } from './store-finding.ts';
import {
  endRun,
  holdRun,
  RunLost,
  releaseRun,
  renewHeartbeat,
  storeSilent,
  type TakenRun,
  takeRun,
  waitingAddresses,
} from './stored-run.ts';

type Run = JobRun<Context>;

const tickMs = 1_000;
/** Addresses that are probed in parallel: half of the SNMP requests that may be in flight, so that polls continue. */
const parallelMax = 128;
const uniqueViolation = '23505';

/** Continues a run until it has ended. Waits while another worker holds it. */
export async function workOn(runID: number, job: Run): Promise<void> {
  const { context, signal } = job;
  const worker = randomUUID();
  for (;;) {
    const claim = await context.write((tx) => takeRun(tx, runID, worker));
    if (claim === undefined) return;
    if (claim !== 'held') return new DiscoveryWorker(context, claim).run(job);
    await sleep(tickMs, undefined, { signal });
  }
}

/** One node's work on a run. It has in memory only the addresses that are being probed: all else is in the database. */
class DiscoveryWorker {
  readonly #context: Context;
  readonly #run: TakenRun;
  /** Addresses that are being probed, or silent and not stored yet. */
  readonly #busy = new Set<string>();
  readonly #probes = new Set<Promise<void>>();
  readonly #leaving = new AbortController();
  #silent: string[] = [];
  #fault: unknown;
  #lastMs = -Infinity;
  #credentials: readonly RunCredential[] = [];
  #ways: readonly Probe[] = [];
  #timeoutMs = 0;

  constructor(context: Context, run: TakenRun) {
    this.#context = context;
    this.#run = run;
  }

  async run({ signal, progress }: Run): Promise<void> {
    let isOver = false;
    try {
      await this.#prepare();
      isOver = await this.#work(signal, progress);
    } catch (error) {
      if (!(error instanceof RunLost)) throw error;
      isOver = true;
    } finally {
      this.#leaving.abort(new RunLost(`Discovery ${this.#run.id} is over.`));
      if (!isOver) await releaseRun(this.#context, this.#run);
      await Promise.allSettled(this.#probes);
    }
  }

  async #prepare(): Promise<void> {
    const text = await this.#context.secretOf(discoveryRun, this.#run.id, 'credentials');
    this.#credentials = text ? (JSON.parse(text) as RunCredential[]) : [];
    this.#ways = probesOf(this.#credentials);
    const [patience] = await this.#context.query<{ seconds: number }>(
      'select p.snmp_timeout as seconds from device_properties p',
      [],
    );
    this.#timeoutMs = patience!.seconds * 1_000;
  }

  async #work(signal: AbortSignal, progress: Run['progress']): Promise<boolean> {
    for (;;) {
      if (this.#fault) throw this.#fault;
      // Computed before storing: probes that end from now on are stored in the next pass.
      const isIdle = this.#busy.size === 0;
      await this.#storeSilent();
      const runState = await renewHeartbeat(this.#context, this.#run);
      if (!runState) return true;
      progress(runState.probed, runState.total, `${runState.added} devices added`);
      if (runState.state === 'STOPPING' || !runState.isWanted) return this.#end('STOPPED');
      signal.throwIfAborted();
      if ((await this.#beginSome()) === 'none left' && isIdle) return this.#end('DONE');
      await sleep(tickMs, undefined, { signal }).catch(() => undefined);
    }
  }

  async #end(state: 'DONE' | 'STOPPED'): Promise<true> {
    await this.#context.write(async (tx) => {
      await holdRun(tx.client, this.#run);
      await endRun(tx, this.#run.id, state);
    });
    return true;
  }

  /** Starts as many probes as the pace permits. */
  async #beginSome(): Promise<'none left' | 'under way'> {
    const { probesPerSecond } = this.#run.options;
    const now = performance.now();
    const allowed = Math.floor((probesPerSecond * Math.min(1_000, now - this.#lastMs)) / 1_000);
    const count = Math.min(allowed, parallelMax - this.#busy.size);
    if (count <= 0) return 'under way';
    const waiting = await waitingAddresses(this.#context, this.#run, [...this.#busy], count);
    if (waiting.length === 0) return 'none left';
    this.#lastMs = now;
    this.#follow(this.#probeAll(waiting));
    return 'under way';
  }

  #follow(work: Promise<void>): void {
    const followed = work
      .catch((error: unknown) => {
        this.#fault ??= error;
      })
      .finally(() => this.#probes.delete(followed));
    this.#probes.add(followed);
  }

  async #probeAll(waiting: readonly { address: string; hop: number }[]): Promise<void> {
    for (const { address } of waiting) this.#busy.add(address);
    const times = await this.#context.protocols.drivers.pinger.ping(waiting.map(({ address }) => address));
    await Promise.all(waiting.map(({ address, hop }) => this.#probe(address, hop, times.get(address) !== null)));
  }

  async #probe(address: string, hop: number, pings: boolean): Promise<void> {
    const { options } = this.#run;
    const finding = await probeAddress(this.#context.protocols, address, pings, {
      ways: this.#ways,
      timeoutMs: this.#timeoutMs,
      followsNeighbours: options.isSeeded && hop < options.maxHops && (options.useLLDP || options.useCDP),
      signal: this.#leaving.signal,
    });
    if (finding.kind === 'silent') {
      this.#silent.push(address);
      return;
    }
    await this.#store({ address, hop, finding });
    this.#busy.delete(address);
  }

  async #store(finding: Found): Promise<void> {
    const store = () => this.#context.write((tx) => storeFound(tx, this.#run, this.#credentials, finding));
    try {
      await store();
    } catch (error) {
      if ((error as { code?: string }).code !== uniqueViolation) throw error;
      // The device was created by hand at the same moment; the second try finds it.
      await store();
    }
  }

  async #storeSilent(): Promise<void> {
    if (this.#silent.length === 0) return;
    const addresses = this.#silent;
    this.#silent = [];
    await this.#context.write((tx) => storeSilent(tx, this.#run, addresses));
    for (const address of addresses) this.#busy.delete(address);
  }
}
