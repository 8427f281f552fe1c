import { systemNames } from '../protocols/snmp/client.ts';
import type { Value } from '../protocols/snmp/message.ts';
import { dotted, isBelow, type Oid, oid } from '../protocols/snmp/oid.ts';
import type { Row, Snmp, SnmpTarget } from '../protocols/snmp/snmp.ts';
import { bytesOf, numberOf, textOf, unicastMac } from './device-text.ts';
import type { ArpEntry, DeviceAccess, DeviceIdentity, DeviceInterface, Neighbour, RoutingFacts } from './driver.ts';
import { addressText, readMediaTable, readNumbers, readPhysicalTable } from './forwarding.ts';
import type { DriverName } from './names.ts';
import { readLldp, readLocalPorts } from './neighbours.ts';

/** Reads that all SNMP devices have in common. */

const interfacesMax = 8_192;
export const columnsOf = (entry: string, ...columns: number[]): Oid[] =>
  columns.map((column) => oid(`${entry}.${column}`));

export function targetOf(device: DeviceAccess, mayWrite = false): SnmpTarget {
  if (!device.snmp) throw new Error(`device ${device.key} has no SNMP access`);
  const { port, credential, writeCredential, timeoutMs, retries } = device.snmp;
  return {
    host: device.host,
    port,
    credential: mayWrite ? (writeCredential ?? credential) : credential,
    timeoutMs,
    retries,
    signal: device.signal,
    beforeSend: device.beforeSend,
  };
}

export async function readUptime(snmp: Snmp, device: DeviceAccess): Promise<{ uptimeTicks: number | null }> {
  const [upTime] = await snmp.get(targetOf(device), [systemNames.upTime]);
  return { uptimeTicks: numberOf(upTime) ?? null };
}

/** Chooses the driver by sysObjectID, as the specification defines. */
export const driverFor = (sysObjectId: Oid): DriverName =>
  isBelow(oid('1.3.6.1.4.1.9.1'), sysObjectId) ? 'cisco-ios' : 'qbridge';

/** A MIB is supported if there is any object below its root. */
const mibRoots: Readonly<Record<string, Oid>> = {
  'IF-MIB': oid('1.3.6.1.2.1.31.1.1'),
  'IP-MIB': oid('1.3.6.1.2.1.4'),
  'BRIDGE-MIB': oid('1.3.6.1.2.1.17.1'),
  'Q-BRIDGE-MIB': oid('1.3.6.1.2.1.17.7'),
  'ENTITY-MIB': oid('1.3.6.1.2.1.47.1.1.1'),
  'LLDP-MIB': oid('1.0.8802.1.1.2.1'),
  'CISCO-CDP-MIB': oid('1.3.6.1.4.1.9.9.23.1'),
  'CISCO-VLAN-MEMBERSHIP-MIB': oid('1.3.6.1.4.1.9.9.68.1'),
};

/** IANA enterprise numbers of vendors whose agents do not report the vendor in ENTITY-MIB. */
const vendors: Readonly<Record<number, string>> = {
  9: 'Cisco',
  11: 'Hewlett Packard',
  171: 'D-Link',
  674: 'Dell',
  1916: 'Extreme Networks',
  2011: 'Huawei',
  2636: 'Juniper Networks',
  4526: 'Netgear',
  6527: 'Nokia',
  8072: 'Net-SNMP',
  11863: 'TP-Link',
  12356: 'Fortinet',
  14823: 'Aruba',
  14988: 'MikroTik',
  25506: 'H3C',
  30065: 'Arista',
  41112: 'Ubiquiti',
  47196: 'Aruba',
};

const bridgeAddress = oid('1.3.6.1.2.1.17.1.1.0');
const lldpChassis = oid('1.0.8802.1.1.2.1.3.2.0');

export async function readIdentity(snmp: Snmp, device: DeviceAccess): Promise<DeviceIdentity> {
  const target = targetOf(device);
  const { descr, objectId, upTime, contact, name, location, services } = systemNames;
  const names = [descr, objectId, upTime, contact, name, location, services, bridgeAddress, lldpChassis];
  const values = await snmp.get(target, names);
  const sysObjectId = values[1]?.type === 'oid' ? values[1].value : [0, 0];
  const successors = await snmp.next(target, Object.values(mibRoots));
  const mibs = Object.entries(mibRoots).filter(
    ([, root], rootIndex) => successors[rootIndex] && isBelow(root, successors[rootIndex].oid),
  );
  const hardware = await readHardware(snmp, target);
  const enterprise = isBelow(oid('1.3.6.1.4.1'), sysObjectId) ? sysObjectId[6]! : 0;
  return {
    driver: driverFor(sysObjectId),
    sysObjectId: dotted(sysObjectId),
    sysDescr: textOf(values[0]),
    uptimeTicks: numberOf(values[2]) ?? 0,
    contact: textOf(values[3]),
    sysName: textOf(values[4]),
    location: textOf(values[5]),
    services: numberOf(values[6]) ?? 0,
    ...hardware,
    vendor: hardware.vendor ?? vendors[enterprise] ?? null,
    chassisMac: unicastMac(bytesOf(values[7])) ?? unicastMac(bytesOf(values[8])),
    engineId: (await snmp.engineOf(target))?.toString('hex') ?? null,
    mibs: mibs.map(([module]) => module),
  };
}

const chassisClass = 3;

/** entPhysicalTable: the chassis, not a power supply listed before it. */
async function readHardware(
  snmp: Snmp,
  target: SnmpTarget,
): Promise<Pick<DeviceIdentity, 'vendor' | 'model' | 'firmware' | 'serialNumber'>> {
  const columns = columnsOf('1.3.6.1.2.1.47.1.1.1.1', 5, 10, 11, 12, 13);
  const [classes, firmwares, serials, makers, models] = await snmp.walk(target, columns, { rowsMax: 20_000 });
  const isChassis = new Map(classes!.map(({ index, value }) => [index[0], numberOf(value) === chassisClass]));
  const pick = (rows: readonly Row[]): string | null => {
    const reported = rows.filter(({ value }) => textOf(value) !== '');
    const best = reported.find(({ index }) => isChassis.get(index[0])) ?? reported[0];
    return best ? textOf(best.value) : null;
  };
  return { serialNumber: pick(serials!), firmware: pick(firmwares!), vendor: pick(makers!), model: pick(models!) };
}

/** IANAifType: physical interfaces, and aggregates of them. */
const physicalTypes = new Set([6, 7, 26, 62, 69, 71, 117]);
const aggregateTypes = new Set([54, 161]);

/** Data that a driver adds from tables of its kind of device. */
export interface BridgeFacts {
  bridgePortOf(ifIndex: number): number | undefined;
  vlanOf(ifIndex: number): number | undefined;
}

export async function readInterfaceTable(
  snmp: Snmp,
  device: DeviceAccess,
  bridge: BridgeFacts,
): Promise<DeviceInterface[]> {
  const target = targetOf(device);
  const bounds = { rowsMax: interfacesMax * 12 };
  const ifTable = await snmp.walk(target, columnsOf('1.3.6.1.2.1.2.2.1', 2, 3, 5, 6, 7, 8), bounds);
  const ifXTable = await snmp.walk(target, columnsOf('1.3.6.1.2.1.31.1.1.1', 1, 15, 17, 18), bounds);
  const [aggregates, addresses] = await snmp.walk(
    target,
    [oid('1.2.840.10006.300.43.1.2.1.1.13'), oid('1.3.6.1.2.1.4.20.1.2')],
    bounds,
  );
  const [descriptions, types, speeds, macs, admins, opers, names, highSpeeds, connectors, aliases] = [
    ...ifTable,
    ...ifXTable,
  ].map(byIfIndex);
  const aggregateOf = readNumbers(aggregates!);
  const ipOf = new Map(addresses!.toReversed().map(({ index, value }) => [numberOf(value), addressText(index)]));

  return [...types!].map(([ifIndex, type]) => {
    const bridgePort = bridge.bridgePortOf(ifIndex) ?? null;
    const description = textOf(descriptions!.get(ifIndex));
    const aggregate = aggregateOf.get(ifIndex);
    return {
      portId: String(ifIndex),
      ifIndex,
      bridgePort,
      name: textOf(names!.get(ifIndex)) || description || `if${ifIndex}`,
      description,
      alias: textOf(aliases!.get(ifIndex)),
      kind: kindOf(numberOf(type) ?? 0, bridgePort !== null || numberOf(connectors!.get(ifIndex)) !== 2),
      speedBps: speedOf(numberOf(speeds!.get(ifIndex)) ?? 0, numberOf(highSpeeds!.get(ifIndex)) ?? 0),
      mac: unicastMac(bytesOf(macs!.get(ifIndex))),
      adminStatus: boundedNumber(numberOf(admins!.get(ifIndex)), 3, 1),
      operStatus: boundedNumber(numberOf(opers!.get(ifIndex)), 7, 4),
      vlan: bridge.vlanOf(ifIndex) ?? null,
      aggregateIfIndex: aggregate && aggregate !== ifIndex ? aggregate : null,
      ip: ipOf.get(ifIndex) ?? null,
    };
  });
}

const byIfIndex = (rows: readonly Row[]): Map<number, Value> =>
  new Map(rows.flatMap(({ index, value }) => (index.length === 1 ? [[index[0]!, value] as const] : [])));

const boundedNumber = (value: number | undefined, max: number, otherwise: number): number =>
  value !== undefined && value >= 1 && value <= max ? value : otherwise;

function kindOf(type: number, mayHavePlug: boolean): DeviceInterface['kind'] {
  if (aggregateTypes.has(type)) return 'aggregate';
  return physicalTypes.has(type) && mayHavePlug ? 'physical' : 'virtual';
}

/** The maximum of ifSpeed is 4.29 Gbit/s; above it ifHighSpeed is used, in Mbit/s. */
const speedOf = (speed: number, highSpeed: number): number =>
  highSpeed > 0 && (speed === 0 || speed >= 4_294_967_295 || highSpeed >= 4_294) ? highSpeed * 1_000_000 : speed;

/** IEEE802dot11-MIB: dot11DesiredSSID and dot11StationID of each radio, by its ifIndex. */
export async function readRadios(snmp: Snmp, device: DeviceAccess): Promise<DeviceInterface[]> {
  const [names, stations] = await snmp.walk(targetOf(device), columnsOf('1.2.840.10036.1.1.1', 9, 1), {
    rowsMax: interfacesMax,
  });
  const macOf = new Map(stations!.map(({ index, value }) => [index[0], unicastMac(bytesOf(value))]));
  return names!.flatMap(({ index, value }): DeviceInterface[] => {
    const name = textOf(value);
    return name === '' ? [] : [ssidInterface(name, { mac: macOf.get(index[0]) ?? null })];
  });
}

/** A wireless network, as an interface of its device. */
export const ssidInterface = (name: string, overrides: Partial<DeviceInterface> = {}): DeviceInterface => ({
  portId: `ssid:${name}`,
  ifIndex: null,
  bridgePort: null,
  name,
  description: '',
  alias: '',
  kind: 'ssid',
  speedBps: 0,
  mac: null,
  adminStatus: 1,
  operStatus: 1,
  vlan: null,
  aggregateIfIndex: null,
  ip: null,
  ...overrides,
});

/** Reads the newer table, which includes IPv6, or else the older one. */
export async function readArp(snmp: Snmp, device: DeviceAccess): Promise<ArpEntry[]> {
  const target = targetOf(device);
  const [physical] = await snmp.walk(target, [oid('1.3.6.1.2.1.4.35.1.4')]);
  if (physical!.length > 0) return readPhysicalTable(physical!);
  const [media] = await snmp.walk(target, [oid('1.3.6.1.2.1.4.22.1.2')]);
  return readMediaTable(media!);
}

const neighboursMax = 20_000;

export async function readLldpNeighbours(
  snmp: Snmp,
  device: DeviceAccess,
  interfaces: readonly DeviceInterface[],
): Promise<Neighbour[]> {
  const target = targetOf(device);
  const bounds = { rowsMax: neighboursMax };
  const local = await snmp.walk(target, columnsOf('1.0.8802.1.1.2.1.3.7.1', 2, 3, 4), bounds);
  const remote = await snmp.walk(target, columnsOf('1.0.8802.1.1.2.1.4.1.1', 4, 5, 6, 7, 10, 9, 12), bounds);
  const [addresses] = await snmp.walk(target, columnsOf('1.0.8802.1.1.2.1.4.2.1', 4), bounds);
  return readLldp(remote, addresses!, readLocalPorts(local, interfaces));
}

const layer3 = 4;

export async function readRoutingFacts(snmp: Snmp, device: DeviceAccess): Promise<RoutingFacts> {
  const target = targetOf(device);
  const names = ['1.3.6.1.2.1.4.1.0', '1.3.6.1.2.1.1.7.0', '1.3.6.1.2.1.4.24.6.0', '1.3.6.1.2.1.4.24.3.0'].map(oid);
  const [forwarding, services, inetRoutes, ipRoutes] = (await snmp.get(target, names)).map(numberOf);
  const [ifIndexes, masks] = await snmp.walk(target, columnsOf('1.3.6.1.2.1.4.20.1', 2, 3), { rowsMax: interfacesMax });
  const maskOf = new Map(masks!.map(({ index, value }) => [addressText(index), value]));
  const ownAddresses = ifIndexes!.map(({ index, value }) => ({
    ip: addressText(index),
    bytes: index,
    ifIndex: numberOf(value),
  }));
  const managedBy = ownAddresses.find(({ ip }) => ip === device.host)?.ifIndex;
  const arp = await readArp(snmp, device);
  return {
    isForwarding: forwarding === 1,
    hasLayer3: ((services ?? 0) & layer3) !== 0,
    subnets: [...new Set(ownAddresses.flatMap(({ ip, bytes }) => subnetOf(bytes, maskOf.get(ip))))],
    arpEntries: arp.filter(({ ifIndex }) => ifIndex !== managedBy).length,
    routes: inetRoutes ?? ipRoutes ?? 0,
  };
}

/** A subnet of a single address has no hosts. */
function subnetOf(bytes: Oid, mask: Value | undefined): string[] {
  if (mask?.type !== 'ipAddress' || mask.value.length !== 4 || bytes.length !== 4) return [];
  const prefix = [...mask.value].reduce((bits, byte) => bits + byte.toString(2).replaceAll('0', '').length, 0);
  if (prefix === 0 || prefix === 32) return [];
  return [`${bytes.map((byte, index) => byte & mask.value[index]!).join('.')}/${prefix}`];
}
