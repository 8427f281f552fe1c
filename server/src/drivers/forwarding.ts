import type { Oid } from '../protocols/snmp/oid.ts';
import type { Row } from '../protocols/snmp/snmp.ts';
import { numberOf, unicastMac } from './device-text.ts';
import type { ArpEntry, MacEntry } from './driver.ts';

/** Reads forwarding and ARP tables, whose index contains the data. Invalid rows are skipped. */

const learnedStatus = 3;
const macLength = 6;

/** Returns the MAC address in an index; null if there is none. */
export function macOfIndex(index: Oid): string | null {
  const isBytes = index.length === macLength && index.every((part) => part <= 0xff);
  return isBytes ? unicastMac(Uint8Array.from(index)) : null;
}

interface ForwardingRows {
  ports: readonly Row[];
  statuses: readonly Row[];
  /** dot1dBasePortIfIndex, by bridge port. */
  ifIndexes: ReadonlyMap<number, number>;
}

/** dot1dTpFdbTable: the index is the MAC address; `vlan` is the VLAN it was read in. */
export const readTransparentTable = (rows: ForwardingRows, vlan: number | null): MacEntry[] =>
  readEntries(rows, (index) => ({ mac: macOfIndex(index), vlan }));

/**
 * dot1qTpFdbTable: the index is a forwarding database and the MAC address. The id of a database is the VLAN's number
 * only if the device reports that.
 */
export const readVlanTable = (rows: ForwardingRows, vlanOfDatabase: ReadonlyMap<number, number>): MacEntry[] =>
  readEntries(rows, ([database, ...mac]) => ({
    mac: macOfIndex(mac),
    vlan: vlanOfDatabase.get(database ?? 0) ?? null,
  }));

function readEntries(
  { ports, statuses, ifIndexes }: ForwardingRows,
  readIndex: (index: Oid) => { mac: string | null; vlan: number | null },
): MacEntry[] {
  const statusOf = new Map(statuses.map(({ index, value }) => [index.join('.'), numberOf(value)]));
  return ports.flatMap(({ index, value }) => {
    const ifIndex = ifIndexes.get(numberOf(value) ?? 0);
    const { mac, vlan } = readIndex(index);
    // Port 0: the device has learned the address on an unknown port (RFC 4188).
    if (ifIndex === undefined || mac === null) return [];
    // Some agents omit the status; a forwarded address counts as learned.
    const isLearned = (statusOf.get(index.join('.')) ?? learnedStatus) === learnedStatus;
    return [{ mac, vlan, portId: String(ifIndex), status: isLearned ? ('learned' as const) : ('other' as const) }];
  });
}

/** dot1qVlanFdbId, by time mark and VLAN: the VLAN of each forwarding database. */
export function readDatabases(rows: readonly Row[]): Map<number, number> {
  return new Map(
    rows.flatMap(({ index, value }) => (index.length === 2 ? [[numberOf(value) ?? 0, index[1]!] as const] : [])),
  );
}

/** Reads numbers of a column whose index is one number. */
export function readNumbers(rows: readonly Row[]): Map<number, number> {
  return new Map(
    rows.flatMap(({ index, value }) => {
      const number = numberOf(value);
      return index.length === 1 && number !== undefined ? [[index[0]!, number] as const] : [];
    }),
  );
}

/** RFC 4188: bridge ports are numbers from 1 to 65535; a larger one would only create lists that no device accepts. */
const bridgePortMax = 65_535;

/** Inverse of dot1dBasePortIfIndex: the bridge port of each interface. */
export function readBridgePorts(rows: readonly Row[]): Map<number, number> {
  const ports = [...readNumbers(rows)].filter(([bridgePort]) => bridgePort >= 1 && bridgePort <= bridgePortMax);
  return new Map(ports.map(([bridgePort, ifIndex]) => [ifIndex, bridgePort]));
}

/** ipNetToMediaPhysAddress: the index is the interface and the IPv4 address. */
export const readMediaTable = (rows: readonly Row[]): ArpEntry[] =>
  rows.flatMap(({ index: [ifIndex, ...ip], value }) => arpEntry(ifIndex, ip, 4, value.value));

/** ipNetToPhysicalPhysAddress: the index is interface, address type, length and bytes (RFC 4293). */
export const readPhysicalTable = (rows: readonly Row[]): ArpEntry[] =>
  rows.flatMap(({ index: [ifIndex, type, length, ...ip], value }) => {
    const bytes = type === 1 ? 4 : type === 2 ? 16 : 0;
    return length === bytes ? arpEntry(ifIndex, ip, bytes, value.value) : [];
  });

function arpEntry(ifIndex: number | undefined, ip: Oid, length: number, value: unknown): ArpEntry[] {
  const mac = Buffer.isBuffer(value) ? unicastMac(value) : null;
  if (ifIndex === undefined || mac === null || length === 0 || ip.length !== length || ip.some((part) => part > 0xff))
    return [];
  return [{ ifIndex, mac, ip: addressText(ip) }];
}

/** Formats an address; IPv6 as in RFC 5952. */
export function addressText(bytes: readonly number[]): string {
  if (bytes.length === 4) return bytes.join('.');
  const groups = Array.from({ length: 8 }, (_, groupIndex) =>
    ((bytes[groupIndex * 2]! << 8) | bytes[groupIndex * 2 + 1]!).toString(16),
  );
  // The URL standard formats an address as RFC 5952 does.
  return new URL(`http://[${groups.join(':')}]`).hostname.slice(1, -1);
}
