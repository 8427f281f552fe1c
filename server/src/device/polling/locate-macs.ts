import type { MacEntry, Neighbour } from '../../drivers/driver.ts';
import { type Exclusion, excludes, isGroupOrNullMac } from '../../network/mac-exclusion/mac-exclusion.service.ts';
import { type Uplink, uplinkAfter } from './uplinks.ts';

/** A port of the device that was read. */
export interface KnownPort {
  id: number;
  /** ifIndex as text, or `ssid:` and the name. */
  portID: string;
  uplink: Uplink | null;
  uplinkDisabled: boolean;
  isUp: boolean;
}

/** What the cell knows, by which a forwarding table is understood. */
export interface Surroundings {
  /** Addresses of modelled devices and their interfaces; true for access points. */
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
  /** Who is where: on the edge, and one place for each address. */
  learned: LearnedMac[];
  /** Ports that are uplinks now, and by what. */
  uplinks: Map<number, Uplink>;
  /** How often each exclusion left out an address. */
  hits: Map<number, number>;
}

/** Understands a forwarding table: which addresses are those of hosts, and on which ports; which ports lead to other devices. */
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

/** Whether a neighbour is a device of ours; and then, whether an access point. */
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
