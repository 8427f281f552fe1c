import { everyRow, type Runtime } from '../../context.ts';
import type { DriverName } from '../../drivers/names.ts';
import { BoundedMap } from '../../protocols/snmp/bounded-map.ts';
import type { Notification } from '../../protocols/snmp/notification.ts';
import type { SnmpCredential } from '../../protocols/snmp/snmp.ts';
import type { UsmUser } from '../../protocols/snmp/usm.ts';
import { isBySnmp, type SnmpSettings, snmpCredentials } from '../network-device/network-device.service.ts';
import { networkDevice } from '../network-device/network-device.ts';
import { type PolledDevice, sealedSecrets, sealedSql } from '../polling/polling.service.ts';

const everyDevice = everyRow(networkDevice, 'traps are stored by the service');

/** A modelled device that may send traps. */
export interface TrapSource {
  id: number;
  name: string;
  driver: DriverName;
  /** The engine id of the device is stored; traps of another engine are rejected. */
  hasEngine: boolean;
  credentials: readonly SnmpCredential[];
}

const knownMs = 5_000;
const knownMax = 10_000;

const sourceSql = `select d.id, d.name, d.driver, d.protocol, d.snmp_username as "snmpUsername",
  d.snmp_authentication_protocol as "snmpAuthenticationProtocol", d.snmp_privacy_protocol as "snmpPrivacyProtocol",
  p.engine_id is not null as "hasEngine", ${sealedSql} as sealed
from ${everyDevice} d
join device_poll p on p.device_id = d.id`;

type SourceRow = SnmpSettings & Pick<PolledDevice, 'id' | 'sealed'> & Pick<TrapSource, 'name' | 'driver' | 'hasEngine'>;

/** Senders of traps: devices by their address, or by engine and user of SNMPv3. Lookups are cached for seconds. */
export class TrapSources {
  readonly #runtime: Runtime;
  readonly #known = new BoundedMap<string, { untilMs: number; source: Promise<TrapSource | undefined> }>(knownMax);

  constructor(runtime: Runtime) {
    this.#runtime = runtime;
  }

  /** An SNMPv3 device is not identified by its address alone. */
  async admits(address: string, community: string): Promise<boolean> {
    const source = await this.byAddress(address);
    return (
      source?.credentials.some((credential) => credential.version !== 'v3' && credential.community === community) ===
      true
    );
  }

  /** For an inform the engine is this node, so only the source address identifies the device. */
  async userOf(
    engineId: Buffer,
    userName: string,
    address: string,
    isOurEngine: boolean,
  ): Promise<UsmUser | undefined> {
    const source = isOurEngine
      ? await this.byAddress(address)
      : await this.#byEngine(engineId.toString('hex'), userName, address);
    return userIn(source, userName);
  }

  /** Returns the device that sent an accepted notification. */
  senderOf({ version, isInform, engineId, userName, source }: Notification): Promise<TrapSource | undefined> {
    return version === 'v3' && !isInform ? this.#byEngine(engineId!, userName!, source) : this.byAddress(source);
  }

  byAddress(address: string): Promise<TrapSource | undefined> {
    return this.#remembered(`at ${address}`, () =>
      this.#read(`${sourceSql} where d.landscape = cell_landscape() and d.ip_address = $1::inet`, [address]),
    );
  }

  /** By its address only while the engine id of the device is not stored. */
  async #byEngine(engineId: string, userName: string, address: string): Promise<TrapSource | undefined> {
    const cachedSource = await this.#remembered(`by ${engineId} ${userName}`, () =>
      this.#read(`${sourceSql} where p.engine_id = decode($1, 'hex') and d.snmp_username = $2`, [engineId, userName]),
    );
    if (cachedSource) return cachedSource;
    const there = await this.byAddress(address);
    return there?.hasEngine === false ? there : undefined;
  }

  #remembered(key: string, loadSource: () => Promise<TrapSource | undefined>): Promise<TrapSource | undefined> {
    const nowMs = performance.now();
    const cachedEntry = this.#known.get(key);
    if (cachedEntry && cachedEntry.untilMs > nowMs) return cachedEntry.source;
    const source = loadSource();
    this.#known.set(key, { untilMs: nowMs + knownMs, source });
    // All waiting callers get the failure; the next one tries again.
    source.catch(() => this.#known.delete(key));
    return source;
  }

  async #read(text: string, values: readonly string[]): Promise<TrapSource | undefined> {
    const { rows } = await this.#runtime.pool.query<SourceRow>(`${text} limit 1`, [...values]);
    const [row] = rows;
    if (!row || !isBySnmp(row)) return undefined;
    const { id, name, driver, hasEngine } = row;
    return { id, name, driver, hasEngine, credentials: await snmpCredentials(row, sealedSecrets(this.#runtime, row)) };
  }
}

function userIn(source: TrapSource | undefined, userName: string): UsmUser | undefined {
  const [credential] = source?.credentials ?? [];
  return credential?.version === 'v3' && credential.user.userName === userName ? credential.user : undefined;
}
