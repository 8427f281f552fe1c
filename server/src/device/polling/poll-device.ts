import { everyRow, type Runtime, type WriteTx } from '../../context.ts';
import type { DeviceAccess, Driver, Neighbour } from '../../drivers/driver.ts';
import type { Drivers } from '../../drivers/drivers.ts';
import { systemOrigin } from '../../kernel/declare/caller.ts';
import { Failure } from '../../kernel/failure.ts';
import { snmpFaultOf } from '../../protocols/snmp/snmp.ts';
import { sshFaultOf } from '../../protocols/ssh/ssh.ts';
import { l2PollFailed, l3PollFailed } from '../network-device/network-device.events.ts';
import { isBySnmp } from '../network-device/network-device.service.ts';
import { networkDevice } from '../network-device/network-device.ts';
import { accessTo, type PolledAccess, type PolledDevice, sealedSecrets } from './device-access.ts';
import type { Leases, Polled, PollKind } from './leases.ts';
import { locateMacs } from './locate-macs.ts';
import { observeReading, readPorts, readSurroundings, storeArp, storeReading } from './store-connections.ts';
import { type Contact, type ContactFault, deviceStatus, storeContact } from './store-contact.ts';
import { type StoredInventory, storeInventory } from './store-interfaces.ts';

const everyDevice = everyRow(networkDevice, 'a poll is work of the service');

/** Dependencies of a poll. */
export interface PollTools {
  runtime: Runtime;
  drivers: Drivers;
  leases: Leases;
  clock: () => number;
}

/** Thrown if another node has taken the device over: the data that was read is not stored. */
export class LeaseLost extends Error {
  override readonly name = 'LeaseLost';
}

export type ResyncOutcome =
  | { stored: StoredInventory /** False: the driver reads no interfaces. */; isRead: boolean }
  | { error: string };

interface Outcome {
  entries: number;
  newEntries: number;
}

const nothing: Outcome = { entries: 0, newEntries: 0 };
/** SNMP retries for a device that did not reply to ping. */
const triesWithoutPing = 0;

/** Milliseconds until the ping reply; null without a reply; a failure if the device may not be probed. */
export type Pinged = number | null | Failure;

/**
 * The polls of one device. Each step reads from the device outside of a transaction, then stores the data in one
 * transaction.
 */
export class DevicePoll {
  readonly #tools: PollTools;
  readonly #device: PolledDevice;
  readonly #access: PolledAccess;
  /** Milliseconds until the ping reply; null without a reply. */
  readonly #pinged: number | null;
  /** The reason if the device may not be probed; null otherwise. */
  readonly #refused: string | null;
  #driver: Driver;
  #purge = false;
  #firstKey: string | undefined;
  resynced: ResyncOutcome | undefined;

  private constructor(tools: PollTools, device: PolledDevice, access: PolledAccess, driver: Driver, pinged: Pinged) {
    this.#tools = tools;
    this.#device = device;
    this.#access = access;
    this.#driver = driver;
    this.#pinged = typeof pinged === 'number' ? pinged : null;
    this.#refused = pinged instanceof Failure ? pinged.message : null;
    if (access.ssh)
      access.ssh.onFirstKey = (key) => {
        this.#firstKey = key;
      };
  }

  static async open(tools: PollTools, device: PolledDevice, pinged: Pinged, signal: AbortSignal): Promise<DevicePoll> {
    const access = await accessTo(device, sealedSecrets(tools.runtime, device), signal);
    return new DevicePoll(tools, device, access, tools.drivers.of(device.driver), pinged);
  }

  /** Runs the due polls in the order of their dependencies. Stops after the first missing reply. */
  async run(due: ReadonlySet<PollKind>, { purge = false } = {}): Promise<Polled> {
    this.#purge = purge;
    const [done, putOff] = [new Set<PollKind>(), new Set<PollKind>()];
    const pendingKinds = new Set(due);
    for (const kind of ['contact', 'resync', 'l2', 'l3'] as const) {
      if (!pendingKinds.has(kind)) continue;
      const stepResult = await this.#step(kind);
      if (stepResult === 'stop') {
        done.add(kind);
        for (const skippedKind of pendingKinds) if (!done.has(skippedKind)) putOff.add(skippedKind);
        break;
      }
      (stepResult === 'failed' && kind === 'resync' ? putOff : done).add(kind);
      if (stepResult !== 'failed') for (const addedKind of stepResult) pendingKinds.add(addedKind);
    }
    await this.#pinHostKey();
    return { done, putOff };
  }

  async #step(kind: PollKind): Promise<readonly PollKind[] | 'failed' | 'stop'> {
    if (kind === 'contact') return this.#contact();
    const began = performance.now();
    try {
      await this.#note(kind, began, await this[kind](), null);
      return kind === 'resync' && this.#device.l2PollingEnabled ? ['l2'] : [];
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      if (kind === 'resync') this.resynced = { error: error.message };
      const isNew = await this.#note(kind, began, nothing, error.message);
      if (isNew) await this.#emitFailed(kind, error.message);
      return 'failed';
    }
  }

  async #contact(): Promise<readonly PollKind[] | 'stop'> {
    const { clock } = this.#tools;
    const began = performance.now();
    const contact = await this.#probe();
    const { restarted } = await this.#store((tx) => storeContact(tx, this.#device, contact, clock()));
    await this.#note('contact', began, nothing, contact.kind === 'answered' ? null : contact.why);
    if (contact.kind !== 'answered') return 'stop';
    const isBack = this.#device.status === deviceStatus.lost;
    return restarted || isBack ? ['resync', 'l2'] : [];
  }

  async #probe(): Promise<Contact> {
    const { driver, protocol } = this.#device;
    if (isOnlyPinged(driver))
      return this.#pinged === null
        ? { kind: 'silent', why: this.#refused ?? `The device ${this.#access.host} does not respond to ping.` }
        : { kind: 'answered', uptimeTicks: null, community: null };
    try {
      return await this.#ask();
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      const fault = faultOf(error);
      // A refusal proves the device is up; a missing ping reply does not prove it is down.
      const isThere = fault !== '' || this.#pinged !== null;
      const why = `${error.message}${isThere && fault === '' && isBySnmp({ protocol }) ? ' It responds to ping.' : ''}`;
      return isThere ? { kind: 'pings', why, fault } : { kind: 'silent', why };
    }
  }

  /** Tries the credential that worked last, then the other ones of the device. */
  async #ask(): Promise<Contact> {
    const { snmp } = this.#access;
    const { community, snmpRetries } = this.#device;
    const retries = this.#pinged === null ? triesWithoutPing : snmpRetries;
    const contactWith = (access: DeviceAccess): Promise<{ uptimeTicks: number | null }> => this.#driver.alive(access);
    if (!snmp) return { kind: 'answered', ...(await contactWith(this.#access)), community: null };
    const otherIndexes = this.#pinged === null ? [] : [...snmp.credentials.keys()].filter((at) => at !== community);
    try {
      const answer = await contactWith({ ...this.#access, snmp: { ...snmp, retries } });
      return { kind: 'answered', ...answer, community };
    } catch (error) {
      for (const credentialIndex of otherIndexes) {
        const access = {
          ...this.#access,
          snmp: { ...snmp, credential: snmp.credentials[credentialIndex]!, retries: 0 },
        };
        const answer = await contactWith(access).catch((refusal) => {
          if (!snmpFaultOf(refusal)) throw refusal;
        });
        if (!answer) continue;
        snmp.credential = access.snmp.credential;
        return { kind: 'answered', ...answer, community: credentialIndex };
      }
      throw error;
    }
  }

  async resync(): Promise<Outcome> {
    const access = this.#access;
    const identity = await this.#driver.identify?.(access);
    // The identity may require another driver.
    if (identity) this.#driver = this.#tools.drivers.of(identity.driver);
    const driver = this.#driver;
    if (!driver.readInterfaces) {
      // This driver has no interface table: ports found by other means are not gone.
      this.resynced = { stored: { ports: 0, added: 0, gone: 0, purged: 0 }, isRead: false };
      return nothing;
    }
    const inventory = {
      identity,
      interfaces: await driver.readInterfaces(access),
      vlans: (await driver.readVlans?.(access)) ?? [],
      neighbours: (await driver.readNeighbours?.(access)) ?? [],
      purge: this.#purge,
    };
    const stored = await this.#store((tx) => storeInventory(tx, this.#device, inventory));
    this.resynced = { stored, isRead: true };
    return { entries: stored.ports, newEntries: stored.added };
  }

  async l2(): Promise<Outcome> {
    const { clock } = this.#tools;
    if (!this.#driver.readMacTable) return nothing;
    const entries = await this.#driver.readMacTable(this.#access);
    const changes = await this.#store(async (tx) => {
      const { client } = tx;
      const { rows } = await client.query<{ neighbours: Neighbour[] }>({
        name: 'device-poll.neighbours',
        text: 'select n.neighbours from device_neighbour n where n.device_id = $1',
        values: [this.#device.id],
      });
      const neighbours = rows[0]?.neighbours ?? [];
      const surroundings = await readSurroundings(client, entries, neighbours);
      const ports = await readPorts(client, this.#device.id);
      const reading = locateMacs(entries, neighbours, ports, {
        ...surroundings,
        uplinkCount: this.#device.uplinkCount,
      });
      await observeReading(tx, this.#device, 'lastL2Poll', clock());
      return storeReading(tx, this.#device, reading);
    });
    return { entries: entries.length, newEntries: changes.added };
  }

  async l3(): Promise<Outcome> {
    const { clock } = this.#tools;
    if (!this.#driver.readArpTable) return nothing;
    const entries = await this.#driver.readArpTable(this.#access);
    const { added } = await this.#store(async (tx) => {
      await observeReading(tx, this.#device, 'lastL3Poll', clock());
      return storeArp(tx, this.#device, entries);
    });
    return { entries: entries.length, newEntries: added };
  }

  /** Stores data that was read, if this node still holds the lease. */
  #store<T>(work: (tx: WriteTx) => Promise<T>): Promise<T> {
    const { runtime, leases } = this.#tools;
    return runtime.transact(origin, async (tx) => {
      if (!(await leases.holds(tx.client, this.#device.id))) throw new LeaseLost(`device ${this.#device.id}`);
      return work(tx);
    });
  }

  /** Pins the first host key that a device shows. */
  async #pinHostKey(): Promise<void> {
    const hostKey = this.#firstKey;
    if (hostKey === undefined) return;
    const cliCredentials = { ...this.#device.cliCredentials!, hostKey };
    await this.#store((tx) => tx.records.update(networkDevice, this.#device.id, { cliCredentials }));
  }

  /** Stores the outcome of a poll; returns true if this kind of poll starts to fail. */
  async #note(
    kind: PollKind,
    beganMs: number,
    { entries, newEntries }: Outcome,
    error: string | null,
  ): Promise<boolean> {
    const { runtime } = this.#tools;
    const { rows } = await runtime.pool.query<{ isNew: boolean }>({
      name: 'device-poll.note',
      text: `with before as (select r.error from device_poll_result r where r.device_id = $1 and r.kind = $2)
         insert into device_poll_result as r (device_id, kind, at, succeeded_at, duration_ms, entries, new_entries, error)
         select d.id, $2, now(), case when $6::text is null then now() end, $3, $4, $5, $6 from ${everyDevice} d where d.id = $1
         on conflict (device_id, kind) do update set at = excluded.at, succeeded_at = coalesce(excluded.succeeded_at, r.succeeded_at),
           duration_ms = excluded.duration_ms, entries = excluded.entries, new_entries = excluded.new_entries, error = excluded.error
         returning r.error is not null and not exists (select from before b where b.error is not null) as "isNew"`,
      values: [
        this.#device.id,
        kind,
        Math.round(performance.now() - beganMs),
        entries,
        newEntries,
        error?.slice(0, 2_000) ?? null,
      ],
    });
    return rows[0]?.isNew ?? false;
  }

  async #emitFailed(kind: 'resync' | 'l2' | 'l3', why: string): Promise<void> {
    if (kind === 'resync') return;
    const { name, id } = this.#device;
    await this.#store((tx) =>
      tx.emit({
        type: kind === 'l2' ? l2PollFailed : l3PollFailed,
        element: { id, name },
        attributes: { why: why.slice(0, 1_000) },
      }),
    );
  }
}

export const isOnlyPinged = (driver: PolledDevice['driver']): boolean => driver === 'ping' || driver === 'radius-only';

/** Returns the fault that an administrator has to fix; empty if only the connection failed. */
function faultOf(error: unknown): ContactFault {
  const ssh = sshFaultOf(error)?.kind;
  if (ssh === 'hostKeyChanged') return 'hostKey';
  return ssh === 'unauthenticated' || snmpFaultOf(error)?.kind === 'unauthenticated' ? 'credentials' : '';
}

const origin = systemOrigin('device-poll');
