import type pg from 'pg';
import { type CacheInvalidation, everyRow, type Runtime, secretPlace } from '../../context.ts';
import { networkDevice } from '../../device/network-device/network-device.ts';

const everyDevice = everyRow(networkDevice, 'the RADIUS engine needs all access devices');

/** An access device with the data that the engine needs. */
export interface AccessDevice {
  id: number;
  name: string;
  address: string;
  secret: string;
  /** The profile (server configuration) that handles its packets. */
  profileID: number;
  /** True to drop its requests that have no Message-Authenticator. */
  mustSign: boolean;
}

interface Row extends Omit<AccessDevice, 'secret'> {
  sealed: Buffer;
}

/** SQL condition: the profile `p` handles the packets of the device `d`. */
export const isProfileOfDevice = `p.enabled and case when d.radius_server_config_id is null then p.is_default else p.id = d.radius_server_config_id end`;

/** Selects the access devices, without those of disabled profiles, whose packets are not answered. */
const devicesSql = `select d.id, d.name, host(d.ip_address) as address, d.radius_secret as sealed, p.id as "profileID",
  p.require_message_authenticator as "mustSign"
from ${everyDevice} d
join server_configuration p on ${isProfileOfDevice}
where d.radius_enabled and d.ip_address is not null and d.radius_secret is not null`;

/** Delay before another attempt after a failed load. */
const retryMs = 1_000;

/**
 * Keeps every access device in memory by its address, because the engine reads no packets while it waits for a lookup. Loads changes
 * immediately, and calls `onChanged` with the addresses whose device changed.
 */
export class AccessDevices {
  readonly #runtime: Runtime;
  readonly #onChanged: (addresses: readonly string[]) => void;
  readonly #onError: (error: Error) => void;
  #byAddress: ReadonlyMap<string, AccessDevice> | undefined;
  #sealed = new Map<number, { sealed: Buffer; secret: string }>();
  #reading: Promise<void> | undefined;
  #isStale = true;
  #isClosed = false;
  #timer: NodeJS.Timeout | undefined;

  constructor(
    runtime: Runtime,
    generations: CacheInvalidation,
    onChanged: (addresses: readonly string[]) => void,
    onError: (error: Error) => void,
  ) {
    this.#runtime = runtime;
    this.#onChanged = onChanged;
    this.#onError = onError;
    generations.follow({
      channel: 'nas_changed',
      sql: `select g.wanted from config_generation g where g.topic = 'nas'`,
      forget: () => void this.#follow(),
    });
  }

  start(): Promise<void> {
    return this.#follow();
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    await this.#reading;
  }

  /** Returns the device with an address; null if there is none, undefined before the first load. */
  at(address: string): AccessDevice | null | undefined {
    return this.#byAddress && (this.#byAddress.get(address) ?? null);
  }

  /** Returns the device with an id; undefined if there is none or before the first load. For tests of logins. */
  withID(id: number): AccessDevice | undefined {
    return this.#byAddress?.values().find((device) => device.id === id);
  }

  addresses(): string[] {
    return [...(this.#byAddress?.keys() ?? [])];
  }

  /** Loads the devices, one load at a time. A change during a load causes another one. */
  #follow(): Promise<void> {
    this.#isStale = true;
    this.#reading ??= this.#readWhileStale().finally(() => {
      this.#reading = undefined;
    });
    return this.#reading;
  }

  async #readWhileStale(): Promise<void> {
    while (this.#isStale && !this.#isClosed) {
      this.#isStale = false;
      try {
        await this.#read();
      } catch (error) {
        this.#onError(error as Error);
        clearTimeout(this.#timer);
        this.#timer = setTimeout(() => void this.#follow(), retryMs).unref();
      }
    }
  }

  async #read(): Promise<void> {
    const { pool } = this.#runtime;
    const { rows } = await pool.query<Row>({ name: 'radius.access-devices', text: devicesSql });
    const before = this.#byAddress;
    const devices = await this.#opened(pool, rows);
    this.#byAddress = devices;
    if (!before) return;
    const addresses = new Set([...before.keys(), ...devices.keys()]);
    const changed = [...addresses].filter((address) => !isSame(before.get(address), devices.get(address)));
    if (changed.length > 0) this.#onChanged(changed);
  }

  /** Decrypts the secrets, only those that changed since the last load. */
  async #opened(pool: pg.Pool, rows: readonly Row[]): Promise<Map<string, AccessDevice>> {
    const openedSecrets = new Map<number, { sealed: Buffer; secret: string }>();
    const devices = new Map<string, AccessDevice>();
    for (const { sealed, ...device } of rows) {
      const before = this.#sealed.get(device.id);
      const secret = before?.sealed.equals(sealed) ? before.secret : await this.#open(pool, device.id, sealed);
      openedSecrets.set(device.id, { sealed, secret });
      devices.set(device.address, { ...device, secret });
    }
    this.#sealed = openedSecrets;
    return devices;
  }

  #open(pool: pg.Pool, id: number, sealed: Buffer): Promise<string> {
    return this.#runtime.engine.secrets.open(pool, sealed, secretPlace('network_device', 'radius_secret', id));
  }
}

const isSame = (first: AccessDevice | undefined, second: AccessDevice | undefined): boolean =>
  first !== undefined &&
  second !== undefined &&
  first.id === second.id &&
  first.name === second.name &&
  first.secret === second.secret &&
  first.profileID === second.profileID &&
  first.mustSign === second.mustSign;
