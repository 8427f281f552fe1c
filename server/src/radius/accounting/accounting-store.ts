import { everyRow, type Runtime } from '../../context.ts';
import { unknownPort } from '../../device/port/port.ts';
import { adapter } from '../../host/adapter/adapter.ts';
import { systemOrigin } from '../../kernel/declare/caller.ts';
import { unavailable } from '../../kernel/failure.ts';
import { isGroupOrNullMac } from '../../network/mac-exclusion/mac-exclusion.service.ts';
import type { PolicySnapshots } from '../../policy/snapshot/snapshot.service.ts';
import { RequestPlaces, type UnknownMacs } from '../access-request/access-request.service.ts';
import type { Outcome, WaitingPacket } from './accounting-listener.ts';
import type { SessionPacket } from './accounting-packet.ts';
import { storeRestart } from './restart.ts';
import { changes, storeSessions } from './store-sessions.ts';

const everyAdapter = everyRow(adapter, 'accounting is stored whoever may view the adapter');

const knownSql = `select a.physical_address as mac from ${everyAdapter} a where a.physical_address = any($1::text[])`;

/** Lookups of ports that run at the same time; they share the database sessions of the node. */
const lookupsMax = 8;

/** Stores accounting packets of one batch: at most one for each MAC address. */
export class AccountingStore {
  readonly #runtime: Runtime;
  readonly #policies: PolicySnapshots;
  readonly #places: RequestPlaces;
  readonly #unknown: UnknownMacs;
  readonly #monotonicMs: () => number;

  constructor(parts: { runtime: Runtime; policies: PolicySnapshots; unknown: UnknownMacs; monotonicMs: () => number }) {
    this.#runtime = parts.runtime;
    this.#policies = parts.policies;
    this.#places = new RequestPlaces(parts.runtime, () => parts.policies.latest(), parts.monotonicMs);
    this.#unknown = parts.unknown;
    this.#monotonicMs = parts.monotonicMs;
  }

  /** Returns the outcome of each packet; all of them are committed then. */
  async store(packets: readonly WaitingPacket[]): Promise<Outcome[]> {
    const outcomes = new Map<WaitingPacket, Outcome>();
    const sessions: { packet: WaitingPacket; session: SessionPacket }[] = [];
    for (const packet of packets) {
      if (packet.mac !== null) continue;
      await storeRestart(this.#runtime, {
        deviceID: packet.deviceID,
        deviceName: packet.device.name,
        authenticator: packet.authenticator,
        delaySeconds: this.#delayOf(packet),
      });
      outcomes.set(packet, 'restart');
    }
    const candidates = packets.filter(({ mac }) => mac !== null);
    const knownMacs = await this.#knownMacs(candidates);
    for (let first = 0; first < candidates.length; first += lookupsMax)
      await Promise.all(
        candidates.slice(first, first + lookupsMax).map(async (packet) => {
          const session = await this.#sessionOf(packet, knownMacs);
          if (session) sessions.push({ packet, session });
          else outcomes.set(packet, 'unknown-mac');
        }),
      );
    if (sessions.length > 0) {
      // A duplicate that was stored before is answered too, so its first copy must be on the standby.
      const verdicts = await this.#runtime.transactAcknowledged(systemOrigin('radius'), (tx) =>
        storeSessions(
          tx,
          sessions.map(({ session }) => session),
        ),
      );
      for (const [place, { packet }] of sessions.entries())
        outcomes.set(packet, changes(verdicts[place]!) ? 'stored' : 'unchanged');
    }
    return packets.map((packet) => outcomes.get(packet)!);
  }

  #delayOf({ report, receivedMs }: WaitingPacket): number {
    return report.delaySeconds + (this.#monotonicMs() - receivedMs) / 1_000;
  }

  async #knownMacs(packets: readonly WaitingPacket[]): Promise<ReadonlySet<string>> {
    const macs = [...new Set(packets.map(({ mac }) => mac!))];
    if (macs.length === 0) return new Set();
    const { rows } = await this.#runtime.pool.query<{ mac: string }>({
      name: 'accounting.known',
      text: knownSql,
      values: [macs],
    });
    return new Set(rows.map(({ mac }) => mac));
  }

  /** Finds the port of a packet, and makes a rogue of an unknown MAC address; undefined where none may be made. */
  async #sessionOf(packet: WaitingPacket, knownMacs: ReadonlySet<string>): Promise<SessionPacket | undefined> {
    const { device, deviceID, report, request } = packet;
    const mac = packet.mac!;
    if (isGroupOrNullMac(mac)) return undefined;
    const { current } = this.#policies;
    if (!current) throw unavailable('The policies are not loaded yet.');
    const { place } = await this.#places.of(current, device, request);
    const port = place.port!;
    if (!knownMacs.has(mac) && !(await this.#unknown.learn(mac, { deviceID, portID: port.id }))) return undefined;
    return {
      kind: report.status as SessionPacket['kind'],
      mac,
      deviceID,
      portID: port.id,
      isPortUnknown: port.name === unknownPort,
      delaySeconds: this.#delayOf(packet),
      report,
    };
  }
}
