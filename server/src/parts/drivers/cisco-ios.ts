import type { Varbind } from '../snmp/message.ts';
import { oid } from '../snmp/oid.ts';
import { type Snmp, type SnmpTarget, snmpFaultOf } from '../snmp/snmp.ts';
import { numberOf, textOf } from './device-text.ts';
import type {
  DeviceAccess,
  DeviceInterface,
  DeviceVlan,
  Driver,
  MacEntry,
  Neighbour,
  VlanOutcome,
  VlanWish,
} from './driver.ts';
import { readBridgePorts, readNumbers, readTransparentTable } from './forwarding.ts';
import { readCdp } from './neighbours.ts';
import type { Serial } from './serial.ts';
import { columnsOf, readInterfaceTable, readLldpNeighbours, targetOf } from './snmp-reading.ts';
import { snmpSwitch } from './snmp-switch.ts';
import { chunks, isRefusal, valuesPerSet } from './snmp-writing.ts';

const vmVlan = oid('1.3.6.1.4.1.9.9.68.1.2.2.1.2');
const vtpState = oid('1.3.6.1.4.1.9.9.46.1.3.1.1.2');
const ethernet = 1;
const operational = 1;

/** A Cisco IOS switch: its bridge tables exist once per VLAN, and a port's VLAN is one value. */
export function ciscoDriver(snmp: Snmp, serial: Serial): Driver {
  return {
    name: 'cisco-ios',
    ...snmpSwitch(snmp, serial),
    readInterfaces: (device) => readInterfaces(snmp, device),
    readVlans: (device) => readVlans(snmp, device),
    readMacTable: (device) => readMacTable(snmp, device),
    readNeighbours: (device) => readNeighbours(snmp, device),
    writeVlan: (device, wishes) => serial.run(device.key, () => writeVlan(snmp, device, wishes)),
  };
}

/** The device as it is in one VLAN: by community `name@30`, or by context `vlan-30`. */
function inVlan(target: SnmpTarget, vlan: number): SnmpTarget {
  const { credential } = target;
  if (credential.version === 'v3') return { ...target, credential: { ...credential, context: `vlan-${vlan}` } };
  return { ...target, credential: { ...credential, community: `${credential.community}@${vlan}` } };
}

async function readVlans(snmp: Snmp, device: DeviceAccess): Promise<DeviceVlan[]> {
  const [states, types, names] = await snmp.walk(targetOf(device), columnsOf('1.3.6.1.4.1.9.9.46.1.3.1.1', 2, 3, 4));
  const byIndex = (rows: typeof states) => new Map(rows!.map(({ index, value }) => [index.join('.'), value]));
  const [stateOf, typeOf] = [byIndex(states), byIndex(types)];
  return names!.flatMap(({ index, value }) => {
    const key = index.join('.');
    // 1002 to 1005 are FDDI and token ring, which no port is in.
    const isUsed = numberOf(stateOf.get(key)) === operational && numberOf(typeOf.get(key)) === ethernet;
    return isUsed && index.length === 2 ? [{ id: index[1]!, name: textOf(value) }] : [];
  });
}

/** The numbers of bridge ports are those of one VLAN each: they are read where the addresses are. */
async function readMacTable(snmp: Snmp, device: DeviceAccess): Promise<MacEntry[]> {
  const entries: MacEntry[] = [];
  const columns = [oid('1.3.6.1.2.1.17.1.4.1.2'), ...columnsOf('1.3.6.1.2.1.17.4.3.1', 2, 3)];
  for (const { id } of await readVlans(snmp, device)) {
    const [ifIndexRows, ports, statuses] = await snmp.walk(inVlan(targetOf(device), id), columns);
    entries.push(
      ...readTransparentTable({ ports: ports!, statuses: statuses!, ifIndexes: readNumbers(ifIndexRows!) }, id),
    );
  }
  return entries;
}

async function readInterfaces(snmp: Snmp, device: DeviceAccess): Promise<DeviceInterface[]> {
  const [vlanRows] = await snmp.walk(targetOf(device), [vmVlan]);
  const vlans = readNumbers(vlanRows!);
  const bridgePorts = new Map<number, number>();
  for (const { id } of await readVlans(snmp, device)) {
    const [rows] = await snmp.walk(inVlan(targetOf(device), id), [oid('1.3.6.1.2.1.17.1.4.1.2')]);
    for (const [ifIndex, bridgePort] of readBridgePorts(rows!)) bridgePorts.set(ifIndex, bridgePort);
  }
  return readInterfaceTable(snmp, device, {
    bridgePortOf: (ifIndex) => bridgePorts.get(ifIndex),
    vlanOf: (ifIndex) => vlans.get(ifIndex),
  });
}

async function readNeighbours(snmp: Snmp, device: DeviceAccess): Promise<Neighbour[]> {
  const interfaces = await readInterfaces(snmp, device);
  const lldp = await readLldpNeighbours(snmp, device, interfaces);
  const cdp = await snmp.walk(targetOf(device), columnsOf('1.3.6.1.4.1.9.9.23.1.2.1.1', 3, 4, 6, 7, 8, 9));
  return [...lldp, ...readCdp(cdp, interfaces)];
}

async function writeVlan(snmp: Snmp, asked: DeviceAccess, wishes: readonly VlanWish[]): Promise<VlanOutcome[]> {
  const before = await readMembership(snmp, asked, wishes);
  // From here on nobody stops it: what was written has to be read back.
  const device = { ...asked, signal: undefined };
  const objections = new Map<number, string>();
  for (const vlan of new Set(wishes.map((wish) => wish.vlan))) {
    const moving = wishes.filter(
      (wish) => wish.vlan === vlan && ![null, vlan].includes(before.get(wish.ifIndex) ?? null),
    );
    if (moving.length === 0) continue;
    const [state] = await snmp.get(targetOf(device), [[...vtpState, 1, vlan]]);
    if (state === null) for (const { ifIndex } of moving) objections.set(ifIndex, `The device has no VLAN ${vlan}.`);
    else for (const some of chunks(moving, valuesPerSet)) await setMembership(snmp, device, some, objections);
  }
  const after = await readMembership(snmp, device, wishes);
  return wishes.map((wish): VlanOutcome => {
    const from = before.get(wish.ifIndex) ?? null;
    const current = after.get(wish.ifIndex) ?? null;
    const why = objections.get(wish.ifIndex) ?? `The device took the change, but the port is still in VLAN ${current}.`;
    const missing = from === null ? `Interface ${wish.ifIndex} is no access port of the device.` : null;
    // The answer may have been lost, and not the change: what the device shows now decides.
    const error = missing ?? (current === wish.vlan ? null : why);
    return { ...wish, from, current, isWritten: from !== current, error };
  });
}

async function readMembership(
  snmp: Snmp,
  device: DeviceAccess,
  wishes: readonly VlanWish[],
): Promise<Map<number, number>> {
  const values = await snmp.get(
    targetOf(device),
    wishes.map(({ ifIndex }) => [...vmVlan, ifIndex]),
  );
  return new Map(
    wishes.flatMap(({ ifIndex }, at) =>
      numberOf(values[at]) === undefined ? [] : [[ifIndex, numberOf(values[at])!] as const],
    ),
  );
}

/** In one SET; where the device refuses that, each port by itself, so that one does not keep the others back. */
async function setMembership(
  snmp: Snmp,
  device: DeviceAccess,
  wishes: readonly VlanWish[],
  objections: Map<number, string>,
): Promise<void> {
  const values = wishes.map(
    ({ ifIndex, vlan }): Varbind => ({ oid: [...vmVlan, ifIndex], type: 'integer', value: vlan }),
  );
  try {
    await snmp.set(targetOf(device, true), values);
  } catch (error) {
    if (!snmpFaultOf(error)) throw error;
    if (wishes.length > 1 && isRefusal(error))
      for (const wish of wishes) await setMembership(snmp, device, [wish], objections);
    else for (const { ifIndex } of wishes) objections.set(ifIndex, (error as Error).message);
  }
}
