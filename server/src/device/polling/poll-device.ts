import { Failure } from '../../kernel/failure.ts';
import type { Runtime } from '../../kernel/runtime.ts';
import type { DeviceAccess, Driver, Neighbour } from '../../parts/drivers/driver.ts';
import type { Drivers } from '../../parts/drivers/drivers.ts';
import { snmpFaultOf } from '../../parts/snmp/snmp.ts';
import { systemOrigin } from '../../system/background-task/follow-jobs.ts';
import { l2PollFailed, l3PollFailed } from '../device-event-types.ts';
import { accessTo, isBySnmp, type Patience, type PolledDevice, secretsOf } from './device-access.ts';
import { observeReading, readPorts, readSurroundings, storeArp, storeReading } from './store-connections.ts';
import { type Contact, storeContact } from './store-contact.ts';
import { storeInventory } from './store-interfaces.ts';
import { whereHeard } from './where-heard.ts';

export type PollKind = 'contact' | 'resync' | 'l2' | 'l3';

/** What polls are made with. */
export interface PollTools {
  runtime: Runtime;
  drivers: Drivers;
  clock: () => number;
}

interface Outcome {
  entries: number;
  newEntries: number;
}

/** One device at work: each step reads from the device without a transaction, then writes down what it read in one. */
export class DevicePoll {
  readonly #tools: PollTools;
  readonly #device: PolledDevice;
  readonly #access: DeviceAccess;
  readonly #driver: Driver;

  private constructor(tools: PollTools, device: PolledDevice, access: DeviceAccess, driver: Driver) {
    this.#tools = tools;
    this.#device = device;
    this.#access = access;
    this.#driver = driver;
  }

  static async open(
    tools: PollTools,
    device: PolledDevice,
    patience: Patience,
    signal: AbortSignal,
  ): Promise<DevicePoll> {
    const driver = tools.drivers.of(device.driver) ?? tools.drivers.of('ping')!;
    return new DevicePoll(tools, device, await accessTo(secretsOf(tools.runtime), device, patience, signal), driver);
  }

  /** Does what is due, in the order in which one thing needs the other. A device that does not answer is asked nothing more. */
  async run(due: ReadonlySet<PollKind>): Promise<ReadonlySet<PollKind>> {
    const done = new Set<PollKind>();
    const wanted = new Set(due);
    for (const kind of ['contact', 'resync', 'l2', 'l3'] as const) {
      if (!wanted.has(kind)) continue;
      done.add(kind);
      const more = await this.#step(kind);
      if (more === 'stop') break;
      for (const each of more) wanted.add(each);
    }
    return done;
  }

  async #step(kind: PollKind): Promise<readonly PollKind[] | 'stop'> {
    if (kind === 'contact') return this.#contact();
    const began = this.#tools.clock();
    try {
      const outcome = await this[kind]();
      await this.#note(kind, began, outcome, null);
      return kind === 'resync' ? ['l2'] : [];
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      await this.#note(kind, began, { entries: 0, newEntries: 0 }, error.message);
      await this.#tellFailed(kind, error.message);
      return [];
    }
  }

  async #contact(): Promise<readonly PollKind[] | 'stop'> {
    const { runtime, clock } = this.#tools;
    const began = clock();
    const contact = await this.#knock();
    const { restarted } = await runtime.transact(origin, (tx) => storeContact(tx, this.#device, contact, clock()));
    const why = contact.kind === 'answered' ? null : contact.why;
    await this.#note('contact', began, { entries: 0, newEntries: 0 }, why);
    if (contact.kind !== 'answered') return 'stop';
    return restarted ? ['resync', 'l2'] : [];
  }

  async #knock(): Promise<Contact> {
    try {
      return { kind: 'answered', ...(await this.#driver.alive(this.#access)) };
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      const isCredentials = snmpFaultOf(error)?.kind === 'unauthenticated';
      const isThere = isCredentials || (isBySnmp(this.#device) && (await this.#pings()));
      return isThere ? { kind: 'pings', why: error.message, isCredentials } : { kind: 'silent', why: error.message };
    }
  }

  async #pings(): Promise<boolean> {
    const { host } = this.#access;
    return (await this.#tools.drivers.pinger.ping([host])).get(host) !== null;
  }

  async resync(): Promise<Outcome> {
    const [driver, access] = [this.#driver, this.#access];
    if (!driver.identify || !driver.readInterfaces) return { entries: 0, newEntries: 0 };
    const identity = await driver.identify(access);
    // What the device says of itself may show that somebody else should work on it.
    const right = this.#tools.drivers.of(identity.driver) ?? driver;
    const inventory = {
      identity,
      interfaces: (await right.readInterfaces?.(access)) ?? [],
      vlans: (await right.readVlans?.(access)) ?? [],
      neighbours: (await right.readNeighbours?.(access)) ?? [],
    };
    const { ports, added } = await this.#tools.runtime.transact(origin, (tx) =>
      storeInventory(tx, this.#device, inventory),
    );
    return { entries: ports, newEntries: added };
  }

  async l2(): Promise<Outcome> {
    const { runtime, clock } = this.#tools;
    if (!this.#driver.readMacTable) return { entries: 0, newEntries: 0 };
    const entries = await this.#driver.readMacTable(this.#access);
    const around = await runtime.read(readSurroundings);
    const changes = await runtime.transact(origin, async (tx) => {
      const ports = await readPorts(tx.client, this.#device.id);
      const { rows } = await tx.client.query<{ neighbours: Neighbour[] }>(
        'select n.neighbours from device_neighbour n where n.device_id = $1',
        [this.#device.id],
      );
      const reading = whereHeard(entries, rows[0]?.neighbours ?? [], ports, around);
      await observeReading(tx, this.#device, 'lastL2Poll', clock());
      return storeReading(tx, this.#device, reading);
    });
    return { entries: entries.length, newEntries: changes.added };
  }

  async l3(): Promise<Outcome> {
    const { runtime, clock } = this.#tools;
    if (!this.#driver.readArpTable) return { entries: 0, newEntries: 0 };
    const entries = await this.#driver.readArpTable(this.#access);
    const { added } = await runtime.transact(origin, async (tx) => {
      await observeReading(tx, this.#device, 'lastL3Poll', clock());
      return storeArp(tx, this.#device, entries);
    });
    return { entries: entries.length, newEntries: added };
  }

  async #note(kind: PollKind, beganMs: number, { entries, newEntries }: Outcome, error: string | null): Promise<void> {
    const { runtime, clock } = this.#tools;
    await runtime.read((client) =>
      client.query(
        `insert into device_poll_result as r (device_id, kind, at, succeeded_at, duration_ms, entries, new_entries, error)
         values ($1, $2, now(), case when $6::text is null then now() end, $3, $4, $5, $6)
         on conflict (device_id, kind) do update set at = excluded.at, succeeded_at = coalesce(excluded.succeeded_at, r.succeeded_at),
           duration_ms = excluded.duration_ms, entries = excluded.entries, new_entries = excluded.new_entries, error = excluded.error`,
        [this.#device.id, kind, Math.max(0, clock() - beganMs), entries, newEntries, error?.slice(0, 2_000) ?? null],
      ),
    );
  }

  async #tellFailed(kind: 'resync' | 'l2' | 'l3', why: string): Promise<void> {
    if (kind === 'resync') return;
    const { name, id } = this.#device;
    await this.#tools.runtime.transact(origin, (tx) =>
      tx.emit({
        type: kind === 'l2' ? l2PollFailed : l3PollFailed,
        element: { id, name },
        attributes: { why: why.slice(0, 2_000) },
      }),
    );
  }
}

const origin = systemOrigin('device-poll');
