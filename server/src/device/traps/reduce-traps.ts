import type { DeviceEvent } from '../../protocols/snmp/notification.ts';

/** A trap with the uptime of the device at which it was sent. */
export interface DeviceTrap {
  deviceID: number;
  ticks: number;
  event: DeviceEvent;
}

/** One change reported by a trap: its subject and its value. The same change reported twice counts once. */
export interface TrapChange {
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

/** The changes of a trap, in order. */
export const changesOf = (reported: readonly DeviceTrap[]): TrapChange[] => reported.flatMap(changesOfOne);

function changesOfOne({ deviceID, ticks, event }: DeviceTrap): TrapChange[] {
  const origin = { deviceID, ticks };
  if (event.kind === 'macChanges')
    return event.changes.map(({ isLearned, ...change }) => {
      const kind = isLearned ? 'learned' : 'removed';
      const mac = change.mac.toUpperCase();
      return { ...origin, subject: `mac ${mac}`, what: `${kind} ${change.bridgePort}`, fact: { ...change, kind, mac } };
    });
  if (!('ifIndex' in event)) return [{ ...origin, subject: 'start', what: event.kind, fact: event }];
  const { kind, ifIndex, isAdminUp = null } = event;
  return [{ ...origin, subject: `if ${ifIndex}`, what: kind, fact: { kind, ifIndex, isAdminUp } }];
}

/** A word that comes so much later than one it is older than is of another start of the device. */
export const lateTicks = 6_000;

/**
 * The traps with new content, in order: of duplicates the first, and none older than a trap already received
 * for the same subject. Such are retransmissions of an inform.
 */
export function dropStale(trapChanges: readonly TrapChange[]): TrapChange[] {
  const observedChanges = new Set<string>();
  const newest = new Map<string, number>();
  return trapChanges.filter((fact) => {
    const about = `${fact.deviceID} ${fact.subject}`;
    const key = `${about} ${fact.ticks} ${fact.what}`;
    const before = newest.get(about);
    const isLate = before !== undefined && before > fact.ticks && before <= fact.ticks + lateTicks;
    if (observedChanges.has(key) || isLate) return false;
    observedChanges.add(key);
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

export interface ReducedLinks {
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

/** Applies link traps to ports; a trap that reports the stored state changes nothing. */
export function reduceLinks(trapChanges: readonly TrapChange[], ports: readonly StoredPort[]): ReducedLinks {
  const portByIndex = new Map(ports.map((port) => [`${port.deviceID} ${port.ifIndex}`, port]));
  const folded: ReducedLinks = { after: new Map(), changes: [], wentDown: new Set(), cameUp: new Set() };
  for (const { deviceID, fact } of trapChanges) {
    if (fact.kind !== 'linkUp' && fact.kind !== 'linkDown') continue;
    const isUp = fact.kind === 'linkUp';
    if (isUp) folded.cameUp.add(deviceID);
    const port = portByIndex.get(`${deviceID} ${fact.ifIndex}`);
    if (!port) continue;
    const before = folded.after.get(port.id) ?? port;
    if ((before.ifoperStatus === up) !== isUp) folded.changes.push({ port, isUp });
    if (!isUp) folded.wentDown.add(port.id);
    const reported = fact.isAdminUp === null ? before.ifadminStatus : fact.isAdminUp ? up : down;
    // A link that is up was put up, whatever was known.
    folded.after.set(port.id, { ifoperStatus: isUp ? up : down, ifadminStatus: isUp ? up : reported });
  }
  return folded;
}

export interface ReducedMac {
  mac: string;
  portID: number;
  vlan: string;
}

export interface FoldedMacs {
  /** Where addresses are at the end. */
  learned: ReducedMac[];
  /** Ports that addresses have left, where nothing says where they went. */
  left: { mac: string; portID: number }[];
}

/** Changes of MAC addresses, also by links that went down. `portOf`: null for a port that does not count. */
export function reduceMacs(
  trapChanges: readonly TrapChange[],
  portOf: (deviceID: number, bridgePort: number) => number | null,
  portOfInterface: (deviceID: number, ifIndex: number) => number | null,
): FoldedMacs {
  const locationByMac = new Map<string, ReducedMac>();
  const leftPorts = new Map<string, { mac: string; portID: number }>();
  for (const { deviceID, fact } of trapChanges) {
    if (fact.kind === 'linkDown') {
      const portID = portOfInterface(deviceID, fact.ifIndex);
      for (const [mac, location] of locationByMac) if (location.portID === portID) locationByMac.delete(mac);
    }
    if (fact.kind !== 'learned' && fact.kind !== 'removed') continue;
    const { mac } = fact;
    const portID = portOf(deviceID, fact.bridgePort);
    if (portID === null) continue;
    if (fact.kind === 'learned') {
      locationByMac.set(mac, { mac, portID, vlan: String(fact.vlan) });
      leftPorts.delete(`${mac} ${portID}`);
    } else {
      if (locationByMac.get(mac)?.portID === portID) locationByMac.delete(mac);
      leftPorts.set(`${mac} ${portID}`, { mac, portID });
    }
  }
  return { learned: [...locationByMac.values()], left: [...leftPorts.values()] };
}
