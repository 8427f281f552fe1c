import { setTimeout as sleep } from 'node:timers/promises';
import { everyRow } from '../../context.ts';
import { Failure } from '../../kernel/failure.ts';
import { networkDevice } from '../network-device/network-device.ts';
import { type Claimed, Leases, type Polled, type PollKind } from './leases.ts';
import { DevicePoll, isOnlyPinged, LeaseLost, type Pinged, type PollTools, type ResyncOutcome } from './poll-device.ts';
import { Slots } from './slots.ts';

const everyDevice = everyRow(networkDevice, 'a poll is work of the service');

/** Number of devices polled at the same time. */
const parallelMax = 16;
/** Devices that a node has claimed: more than it polls at a time, so that many are pinged together. */
const claimedMax = 64;
const renewMs = 3_000;
const tickMs = 1_000;
const pollMsMax = 120_000;
const busyMs = 300;

type PingResults = ReadonlyMap<string, Promise<number | null>>;
const nobody: Polled = { done: new Set(), putOff: new Set() };

/**
 * Polls the devices that are due. Any number of nodes do this in parallel: each device is polled by the node that holds
 * its lease; after that node's death, by another one.
 */
export class DevicePoller {
  readonly #tools: PollTools;
  readonly #leases: Leases;
  readonly #slots = new Slots(parallelMax);
  readonly #onError: (error: Error) => void;
  readonly #running = new Set<Promise<void>>();
  readonly #stopping = new AbortController();
  #renewing: NodeJS.Timeout | undefined;
  #loop: Promise<void> | undefined;

  constructor(tools: Omit<PollTools, 'leases'>, options: { onError: (error: Error) => void }) {
    this.#leases = new Leases(tools.runtime.pool);
    this.#tools = { ...tools, leases: this.#leases };
    this.#onError = options.onError;
  }

  start(): void {
    this.#loop = this.#run();
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#loop;
    await Promise.allSettled(this.#running);
    clearInterval(this.#renewing);
  }

  async #run(): Promise<void> {
    await this.#retried(() => this.#readAllAgain());
    while (!this.#stopping.signal.aborted) {
      await this.#retried(async () => {
        const claimed = await this.#leases.claimDue(claimedMax - this.#running.size);
        this.#begin(claimed);
        while (this.#running.size > claimedMax / 2) await Promise.race(this.#running);
        if (claimed.length < claimedMax / 2) await this.#pause();
      });
    }
  }

  async #retried(work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      this.#onError(error as Error);
      await this.#pause();
    }
  }

  #pause(ms = tickMs): Promise<void> {
    return sleep(ms, undefined, { signal: this.#stopping.signal }).catch(() => undefined);
  }

  /** Hosts that moved while no node received traps are found by reading every forwarding table once. */
  async #readAllAgain(): Promise<void> {
    await this.#tools.runtime.pool.query(
      `update device_poll p set l2_due = now() from ${everyDevice} d
       where d.id = p.device_id and d.l2_polling_enabled and p.l2_due > now() and p.l2_due < 'infinity'`,
    );
  }

  /** Polls all devices that are due now, and waits for the end. */
  async pollDue(): Promise<number> {
    for (let polled = 0; ; ) {
      const claimed = await this.#leases.claimDue(claimedMax);
      if (claimed.length === 0) return polled;
      this.#begin(claimed);
      await Promise.all(this.#running);
      polled += claimed.length;
    }
  }

  /** Reads the interfaces of a device as soon as its lease is free; undefined if the device was deleted. */
  async resync(
    id: number,
    purge: boolean,
    signal: AbortSignal,
  ): Promise<(ResyncOutcome & { name: string }) | undefined> {
    for (;;) {
      signal.throwIfAborted();
      this.#stopping.signal.throwIfAborted();
      const claimed = await this.#leases.claimOne(id);
      if (claimed) return this.#resyncClaimed(claimed, purge);
      const { rowCount } = await this.#tools.runtime.pool.query('select from device_poll where device_id = $1', [id]);
      if (rowCount === 0) return undefined;
      await this.#pause(busyMs);
    }
  }

  async #resyncClaimed(claimed: Claimed, purge: boolean): Promise<ResyncOutcome & { name: string }> {
    let outcome: ResyncOutcome | undefined;
    await this.#hold(claimed, async (signal) => {
      const poll = await DevicePoll.open(this.#tools, claimed, null, signal);
      const polled = await poll.run(new Set<PollKind>(['resync']), { purge });
      outcome = poll.resynced;
      return polled;
    });
    if (!outcome) throw new Error(`the device ${claimed.name} was taken over by another node`);
    return Object.assign(outcome, { name: claimed.name });
  }

  #begin(claimed: readonly Claimed[]): void {
    const pings = this.#ping(claimed);
    for (const claimedDevice of claimed) {
      const running = this.#poll(claimedDevice, pings)
        .catch((error: Error) => this.#onError(error))
        .finally(() => this.#running.delete(running));
      this.#running.add(running);
    }
  }

  /** Pings all devices with one process; each poll continues as soon as its reply arrives. */
  #ping(claimed: readonly Claimed[]): PingResults {
    const hosts = claimed.filter(({ due }) => due.includes('contact')).map(({ ipAddress }) => ipAddress!);
    return hosts.length === 0 ? new Map() : this.#tools.drivers.pinger.each(hosts);
  }

  #poll(claimed: Claimed, pings: PingResults): Promise<void> {
    return this.#hold(claimed, async (signal) => {
      // Before it takes a slot: a device without reply must not block a slot for the timeout.
      const pinged = await this.#pinged(claimed, pings);
      return this.#slots.run(async () => {
        const poll = await DevicePoll.open(this.#tools, claimed, pinged, signal);
        return poll.run(new Set(claimed.due));
      });
    });
  }

  /** Without a working pinger, devices that reply to SNMP or SSH are still in contact. */
  async #pinged({ driver, ipAddress }: Claimed, pings: PingResults): Promise<Pinged> {
    try {
      return (await pings.get(ipAddress!)) ?? null;
    } catch (error) {
      if (error instanceof Failure) return error;
      if (isOnlyPinged(driver)) throw error;
      this.#onError(error as Error);
      return null;
    }
  }

  /** Polls a claimed device and releases it. Polls that the end of the node interrupts stay due. */
  async #hold(claimed: Claimed, work: (signal: AbortSignal) => Promise<Polled>): Promise<void> {
    this.#renewing ??= setInterval(() => void this.#leases.renew().catch(this.#onError), renewMs).unref();
    let polled = nobody;
    try {
      const signal = AbortSignal.any([this.#stopping.signal, AbortSignal.timeout(pollMsMax)]);
      polled = await work(signal);
    } catch (error) {
      if (this.#stopping.signal.aborted || error instanceof LeaseLost) return;
      // It is unknown how far the poll got: for example, a restarted device may not have been read again.
      polled = { ...nobody, brokenOff: new Set([...claimed.due, 'resync', 'l2']) };
      throw new Error(`polling device ${claimed.name}`, { cause: error });
    } finally {
      await this.#leases.release(claimed, polled);
    }
  }
}
