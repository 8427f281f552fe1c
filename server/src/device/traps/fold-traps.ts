import type { DeviceEvent } from '../../parts/snmp/notification.ts';

/** What a device told, with the time since its start at which it did. */
export interface Told {
  deviceID: number;
  ticks: number;
  event: DeviceEvent;
}

/** One fact of what was told: what it is about, and what is said of it. The same fact told twice is one. */
export interface Fact {
  deviceID: number;
  ticks: number;
  /** What later words about replace earlier ones: an interface, an address, the device itself. */
  subject: string;
  what: string;
  fact:
    | { kind: 'coldStart' | 'warmStart' }
    | { kind: 'linkUp' | 'linkDown'; ifIndex: number; isAdminUp: boolean | null }
    | { kind: 'learned' | 'removed'; mac: string; vlan: number; bridgePort: number };
}

/** The facts of what was told, in its order. */
export const factsOf = (told: readonly Told[]): Fact[] => told.flatMap(factsOfOne);

function factsOfOne({ deviceID, ticks, event }: Told): Fact[] {
  const of = { deviceID, ticks };
  if (event.kind === 'macChanges')
    return event.changes.map(({ isLearned, ...change }) => {
      const kind = isLearned ? 'learned' : 'removed';
      const mac = change.mac.toUpperCase();
      return { ...of, subject: `mac ${mac}`, what: `${kind} ${change.bridgePort}`, fact: { ...change, kind, mac } };
    });
  if (!('ifIndex' in event)) return [{ ...of, subject: 'start', what: event.kind, fact: event }];
  const { kind, ifIndex, isAdminUp = null } = event;
  return [{ ...of, subject: `if ${ifIndex}`, what: kind, fact: { kind, ifIndex, isAdminUp } }];
}

/** A word that comes so much later than one it is older than is of another start of the device. */
export const lateTicks = 6_000;

/**
 * Those that say something new, in their order: of the same word told twice the first, and none that is older than what was already
 * heard about the same. Such are repetitions of an inform whose first copy was lost.
 */
export function timely(facts: readonly Fact[]): Fact[] {
  const heard = new Set<string>();
  const newest = new Map<string, number>();
  return facts.filter((fact) => {
    const about = `${fact.deviceID} ${fact.subject}`;
    const key = `${about} ${fact.ticks} ${fact.what}`;
    const before = newest.get(about);
    const isLate = before !== undefined && before > fact.ticks && before <= fact.ticks + lateTicks;
    if (heard.has(key) || isLate) return false;
    heard.add(key);
    newest.set(about, fact.ticks);
    return true;
  });
}

/** A port as it is stored. */
export interface StoredPort {
  id: number;
  deviceID: number;
  name: string;
  deviceName: string;
  ifIndex: number;
  ifadminStatus: number;
  ifoperStatus: number;
}

export interface FoldedLinks {
  /** As each port is at the end. */
  after: Map<number, { ifadminStatus: number; ifoperStatus: number }>;
  /** Every time a link really changed, in order. */
  changes: { port: StoredPort; isUp: boolean }[];
  /** Ports whose link was down at some time, even if it is up again. */
  wentDown: Set<number>;
  /** Devices some of whose links came up. */
  cameUp: Set<number>;
}

const up = 1;
const down = 2;

/** What the links told make of the ports; a word that says what is known already changes nothing. */
export function foldLinks(facts: readonly Fact[], ports: readonly StoredPort[]): FoldedLinks {
  const known = new Map(ports.map((port) => [`${port.deviceID} ${port.ifIndex}`, port]));
  const folded: FoldedLinks = { after: new Map(), changes: [], wentDown: new Set(), cameUp: new Set() };
  for (const { deviceID, fact } of facts) {
    if (fact.kind !== 'linkUp' && fact.kind !== 'linkDown') continue;
    const isUp = fact.kind === 'linkUp';
    if (isUp) folded.cameUp.add(deviceID);
    const port = known.get(`${deviceID} ${fact.ifIndex}`);
    if (!port) continue;
    const before = folded.after.get(port.id) ?? port;
    if ((before.ifoperStatus === up) !== isUp) folded.changes.push({ port, isUp });
    if (!isUp) folded.wentDown.add(port.id);
    const told = fact.isAdminUp === null ? before.ifadminStatus : fact.isAdminUp ? up : down;
    // A link that is up was put up, whatever was known.
    folded.after.set(port.id, { ifoperStatus: isUp ? up : down, ifadminStatus: isUp ? up : told });
  }
  return folded;
}

export interface HeardMac {
  mac: string;
  portID: number;
  vlan: string;
}

export interface FoldedMacs {
  /** Where addresses are at the end. */
  heard: HeardMac[];
  /** Ports that addresses have left, where nothing says where they went. */
  left: { mac: string; portID: number }[];
}

/** What is told of addresses, and of links that went down under them. `portOf`: null for a port that does not count. */
export function foldMacs(
  facts: readonly Fact[],
  portOf: (deviceID: number, bridgePort: number) => number | null,
  portOfInterface: (deviceID: number, ifIndex: number) => number | null,
): FoldedMacs {
  const at = new Map<string, HeardMac>();
  const left = new Map<string, { mac: string; portID: number }>();
  for (const { deviceID, fact } of facts) {
    if (fact.kind === 'linkDown') {
      const portID = portOfInterface(deviceID, fact.ifIndex);
      for (const [mac, heard] of at) if (heard.portID === portID) at.delete(mac);
    }
    if (fact.kind !== 'learned' && fact.kind !== 'removed') continue;
    const { mac } = fact;
    const portID = portOf(deviceID, fact.bridgePort);
    if (portID === null) continue;
    if (fact.kind === 'learned') {
      at.set(mac, { mac, portID, vlan: String(fact.vlan) });
      left.delete(`${mac} ${portID}`);
    } else {
      if (at.get(mac)?.portID === portID) at.delete(mac);
      left.set(`${mac} ${portID}`, { mac, portID });
    }
  }
  return { heard: [...at.values()], left: [...left.values()] };
}
