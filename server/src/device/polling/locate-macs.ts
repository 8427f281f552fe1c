import type { MacEntry, Neighbour } from '../../drivers/driver.ts';
import { type Exclusion, excludes, isGroupOrNullMac } from '../../network/mac-exclusion/mac-exclusion.service.ts';
import { type Uplink, uplinkAfter } from './uplinks.ts';

/** A stored port of the device. */
export interface KnownPort {
  id: number;
  /** ifIndex as text, or `ssid:` and the name. */
  portID: string;
  uplink: Uplink | null;
  uplinkDisabled: boolean;
  isUp: boolean;
}

/** Stored devices and exclusions that are needed to interpret a forwarding table. */
export interface Surroundings {
  /** MAC addresses of modelled devices and their interfaces; true for access points. */
  deviceMacs: ReadonlyMap<string, boolean>;
  /** Management addresses and names of modelled devices; true for access points. */
  deviceNames: ReadonlyMap<string, boolean>;
  exclusions: readonly (Exclusion & { id: number })[];
  uplinkCount: number;
}

export interface LearnedMac {
  mac: string;
  portID: number;
  vlan: string;
}

export interface Reading {
  /** Locations of hosts: edge ports only, one port per address. */
  learned: LearnedMac[];
  /** Ports that are uplinks now, with the kind. */
  uplinks: Map<number, Uplink>;
  /** Number of addresses that each exclusion matched. */
  hits: Map<number, number>;
}

/**
 * Interprets a forwarding table: which addresses belong to hosts, on which ports they are, and which ports are uplinks.
 */
export function locateMacs(
  entries: readonly MacEntry[],
  neighbours: readonly Neighbour[],
  ports: readonly KnownPort[],
  surroundings: Surroundings,
): Reading {
  const hits = new Map<number, number>();
  const portIds = new Set(ports.map(({ portID }) => portID));
  const hosts = new Map<string, MacEntry[]>();
  const devices = new Map<string, { hasDevice: boolean; hasAccessPoint: boolean }>();
  const addDeviceBehind = (portID: string, isAccessPoint: boolean) => {
    const before = devices.get(portID);
    devices.set(portID, {
      hasDevice: true,
      hasAccessPoint: isAccessPoint || before?.hasAccessPoint === true,
    });
  };
  for (const neighbour of neighbours) {
    const isAccessPoint = modelled(neighbour, surroundings);
    if (neighbour.ifIndex !== null && isAccessPoint !== undefined)
      addDeviceBehind(String(neighbour.ifIndex), isAccessPoint);
  }
  for (const entry of entries) {
    if (entry.status !== 'learned' || isGroupOrNullMac(entry.mac) || !portIds.has(entry.portId)) continue;
    const isAccessPoint = surroundings.deviceMacs.get(entry.mac);
    if (isAccessPoint !== undefined) {
      addDeviceBehind(entry.portId, isAccessPoint);
      continue;
    }
    const exclusion = surroundings.exclusions.find((candidate) => excludes(candidate, entry.mac));
    if (exclusion) hits.set(exclusion.id, (hits.get(exclusion.id) ?? 0) + 1);
    else hosts.set(entry.portId, [...(hosts.get(entry.portId) ?? []), entry]);
  }
  const uplinks = new Map<number, Uplink>();
  const learnedByMac = new Map<string, LearnedMac>();
  for (const port of ports) {
    const there = hosts.get(port.portID) ?? [];
    const neighbourKinds = devices.get(port.portID) ?? { hasDevice: false, hasAccessPoint: false };
    const distinct = new Set(there.map(({ mac }) => mac)).size;
    const kind = uplinkAfter({ ...port, ...neighbourKinds, learned: distinct }, surroundings.uplinkCount);
    if (kind !== null) uplinks.set(port.id, kind);
    else
      for (const { mac, vlan } of there)
        learnedByMac.set(mac, { mac, portID: port.id, vlan: vlan === null ? '' : String(vlan) });
  }
  return { learned: [...learnedByMac.values()], uplinks, hits };
}

/** Finds the modelled device of a neighbour: true for an access point, false for another device, undefined for none. */
function modelled(
  { chassisId, systemName, managementAddresses }: Neighbour,
  surroundings: Surroundings,
): boolean | undefined {
  const names = [...managementAddresses, systemName.toLowerCase()].filter(Boolean);
  const matches = [
    surroundings.deviceMacs.get(chassisId.toUpperCase()),
    ...names.map((name) => surroundings.deviceNames.get(name)),
  ];
  return matches.find((match) => match !== undefined);
}
