import { type Runtime, type Throttle, throttle } from '../../context.ts';
import { countHits, readSurroundings } from '../../device/polling/polling.service.ts';
import { followConnections } from '../../host/adapter/adapter.service.ts';
import { systemOrigin } from '../../kernel/declare/caller.ts';
import { excludes, isGroupOrNullMac } from '../../network/mac-exclusion/mac-exclusion.service.ts';

/** Limits on new hosts per second, so that an attacker cannot fill the database. */
const roguesPerSecond = { ofNode: 100, ofDevice: 20 };

/** Creates rogue hosts for unknown MAC addresses, at a limited rate; never for group addresses or the null address. */
export class UnknownMacs {
  readonly #runtime: Runtime;
  readonly #ofNode: Throttle;
  readonly #ofDevice: Throttle;

  constructor(runtime: Runtime, monotonicMs: () => number) {
    this.#runtime = runtime;
    const limit = (perSecond: number) => throttle({ perSecond, burst: perSecond }, monotonicMs);
    this.#ofNode = limit(roguesPerSecond.ofNode);
    this.#ofDevice = limit(roguesPerSecond.ofDevice);
  }

  /** Creates a rogue host for an address. False if none may be created. */
  async learn(mac: string, place: { deviceID: number; portID: number }): Promise<boolean> {
    if (isGroupOrNullMac(mac) || !this.#isAdmitted(place.deviceID)) return false;
    return this.#runtime.transact(systemOrigin('radius'), async (tx) => {
      const { deviceMacs, exclusions } = await readSurroundings(tx.client, [{ mac }], []);
      if (deviceMacs.has(mac)) return false;
      const exclusion = exclusions.find((candidate) => excludes(candidate, mac));
      if (exclusion) {
        await countHits(tx.client, new Map([[exclusion.id, 1]]));
        return false;
      }
      await followConnections(tx, { learned: [{ mac, portID: place.portID }], added: [], moved: [], gone: [] });
      return true;
    });
  }

  #isAdmitted(deviceID: number): boolean {
    try {
      this.#ofDevice.admit(String(deviceID));
      this.#ofNode.admit('all');
      return true;
    } catch {
      return false;
    }
  }
}
