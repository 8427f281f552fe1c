import type { DeviceEvent } from '../../protocols/snmp/notification.ts';

/** A trap with the device's uptime at which it was sent. */
export interface DeviceTrap {
  deviceID: number;
  ticks: number;
  event: DeviceEvent;
}

/** One change reported by a trap: its subject and its value. The same change reported twice counts once. */
export interface TrapChange {
  deviceID: number;
  ticks: number;
  /**
   * The object of the change: an interface, an address or the device itself. A later change of the same subject
   * replaces an earlier one.
   */
  subject: string;
  what: string;
  fact:
    | { kind: 'coldStart' | 'warmStart' }
    | { kind: 'linkUp' | 'linkDown'; ifIndex: number; isAdminUp: boolean | null }
    | { kind: 'learned' | 'removed'; mac: string; vlan: number; bridgePort: number };
}

/** Returns the changes that traps report, in order. */
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

/** A trap whose uptime is lower by more than this was sent after a restart of the device, not late. */
export const lateTicks = 6_000;

/**
 * Drops duplicates and traps that are older than one already received for the same subject, such as retransmitted
 * informs. Keeps the order.
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
  /** Final status of each port. */
  after: Map<number, { ifadminStatus: number; ifoperStatus: number }>;
  /** Every change of a link, in order. */
  changes: { port: StoredPort; isUp: boolean }[];
  /** Ports whose link was down at some time, even if it is up again. */
  wentDown: Set<number>;
  /** Devices on which a link came up. */
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
    // A link that is up is also administratively up, whatever is stored.
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
  /** Final locations of addresses. */
  learned: ReducedMac[];
  /** Ports that addresses have left without a new location. */
  left: { mac: string; portID: number }[];
}

/**
 * Computes changes of MAC addresses, also from links that went down. `portOf` returns null for a port that is ignored.
 */
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
