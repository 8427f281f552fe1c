import { hostname } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { type Patience, type PolledDevice, polledDeviceSql } from './device-access.ts';
import { DevicePoll, type PollKind, type PollTools } from './poll-device.ts';

/** A device that a node has claimed, and what is due of it. */
interface Claimed {
  deviceID: number;
  due: PollKind[];
  /** When the forwarding table was due; a trap that comes meanwhile wants it read again. */
  l2Due: string;
}

const leaseSeconds = 20;
const renewMs = 7_000;
const tickMs = 1_000;
const pollMsMax = 120_000;

const claimSql = `with due as (
  select p.device_id from device_poll p
  where p.lease_until < now() and least(p.contact_due, p.resync_due, p.l2_due, p.l3_due) <= now()
  order by least(p.contact_due, p.resync_due, p.l2_due, p.l3_due) limit $1
  for update skip locked
)
update device_poll p set lease_until = now() + make_interval(secs => ${leaseSeconds}), node = $2
from due where p.device_id = due.device_id
returning p.device_id as "deviceID", p.l2_due::text as "l2Due", array_remove(array[
  case when p.contact_due <= now() then 'contact' end, case when p.resync_due <= now() then 'resync' end,
  case when p.l2_due <= now() then 'l2' end, case when p.l3_due <= now() then 'l3' end], null) as due`;

/** Unless a trap came while it was read. */
const isRead = `('l2' = any($2::text[]) and p.l2_due = $4::timestamptz)`;

/** When each kind is due again; a tenth more or less, so that devices which began together do not stay together. */
const releaseSql = `update device_poll p set lease_until = '-infinity', l2_pushes = case when ${isRead} then 0 else p.l2_pushes end,
  contact_due = case when not d.contact_polling_enabled then 'infinity' when 'contact' = any($2) or p.contact_due = 'infinity' then ${next('contact_polling_interval')} else p.contact_due end,
  resync_due = case when 'resync' = any($2) then 'infinity' else p.resync_due end,
  l2_due = case when ${isRead} or p.l2_due = 'infinity' then (case when d.l2_polling_enabled then ${next('l2_polling_interval')} else 'infinity' end) else p.l2_due end,
  l3_due = case when 'l3' = any($2) or p.l3_due = 'infinity' then (case when d.l3_polling_enabled then ${next('l3_polling_interval')} else 'infinity' end) else p.l3_due end
from network_device d
where p.device_id = $1 and d.id = p.device_id and p.node = $3`;

function next(column: string): string {
  return `now() + make_interval(secs => d.${column} * (0.9 + 0.2 * random()))`;
}

/**
 * Polls the devices that are due. Any number of nodes do so side by side: a device belongs to the one that holds its lease,
 * and when that one dies, to the next.
 */
export class DevicePoller {
  readonly #tools: PollTools;
  readonly #parallel: number;
  readonly #onError: (error: Error) => void;
  readonly #node = `${hostname()}:${process.pid}`;
  readonly #running = new Set<Promise<void>>();
  readonly #stopping = new AbortController();
  #loop: Promise<void> | undefined;

  constructor(tools: PollTools, options: { parallel?: number; onError: (error: Error) => void }) {
    this.#tools = tools;
    this.#parallel = options.parallel ?? 16;
    this.#onError = options.onError;
  }

  start(): void {
    this.#loop = this.#run();
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#loop;
    await Promise.allSettled(this.#running);
  }

  async #run(): Promise<void> {
    const { signal } = this.#stopping;
    while (!signal.aborted) {
      try {
        const claimed = await this.#claim(this.#parallel - this.#running.size);
        for (const each of claimed) this.#begin(each);
        if (this.#running.size >= this.#parallel) await Promise.race(this.#running);
        else await sleep(tickMs, undefined, { signal }).catch(() => undefined);
      } catch (error) {
        this.#onError(error as Error);
        await sleep(tickMs, undefined, { signal }).catch(() => undefined);
      }
    }
  }

  /** Polls what is due now, once, and waits for it. */
  async pollDue(): Promise<number> {
    let polled = 0;
    for (;;) {
      const claimed = await this.#claim(this.#parallel);
      if (claimed.length === 0) return polled;
      await Promise.all(claimed.map((each) => this.#poll(each)));
      polled += claimed.length;
    }
  }

  async #claim(count: number): Promise<Claimed[]> {
    if (count <= 0) return [];
    const { rows } = await this.#tools.runtime.pool.query<Claimed>({
      name: 'device-poll.claim',
      text: claimSql,
      values: [count, this.#node],
    });
    return rows;
  }

  #begin(claimed: Claimed): void {
    const running = this.#poll(claimed)
      .catch((error: Error) => this.#onError(error))
      .finally(() => this.#running.delete(running));
    this.#running.add(running);
  }

  async #poll({ deviceID, due, l2Due }: Claimed): Promise<void> {
    const { pool } = this.#tools.runtime;
    const renewing = setInterval(() => void this.#renew(deviceID), renewMs);
    let done: ReadonlySet<PollKind> = new Set(due);
    try {
      const { device, patience } = await this.#read(deviceID);
      if (!device) return;
      const signal = AbortSignal.any([this.#stopping.signal, AbortSignal.timeout(pollMsMax)]);
      const poll = await DevicePoll.open(this.#tools, device, patience, signal);
      done = await poll.run(new Set(due));
    } finally {
      clearInterval(renewing);
      const values = [deviceID, [...done], this.#node, l2Due];
      await pool.query({ name: 'device-poll.release', text: releaseSql, values });
    }
  }

  async #renew(deviceID: number): Promise<void> {
    try {
      await this.#tools.runtime.pool.query(
        `update device_poll set lease_until = now() + make_interval(secs => ${leaseSeconds}) where device_id = $1 and node = $2`,
        [deviceID, this.#node],
      );
    } catch (error) {
      this.#onError(error as Error);
    }
  }

  async #read(deviceID: number): Promise<{ device: PolledDevice | undefined; patience: Patience }> {
    return this.#tools.runtime.read(async (client: pg.PoolClient) => {
      const { rows } = await client.query<PolledDevice>({
        name: 'device-poll.read',
        text: `${polledDeviceSql} where d.id = $1`,
        values: [deviceID],
      });
      const { rows: patience } = await client.query<Patience>(
        'select snmp_timeout as "snmpTimeout", snmp_retries as "snmpRetries", cli_timeout as "cliTimeout" from device_properties',
      );
      return { device: rows[0], patience: patience[0]! };
    });
  }
}
