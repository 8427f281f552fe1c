import type { Varbind } from '../protocols/snmp/message.ts';
import { oid } from '../protocols/snmp/oid.ts';
import { type Snmp, type SnmpTarget, snmpFaultOf } from '../protocols/snmp/snmp.ts';
import { numberOf, textOf } from './device-text.ts';
import {
  type DesiredVlan,
  type DeviceAccess,
  type DeviceInterface,
  type DeviceVlan,
  type Driver,
  type MacEntry,
  type Neighbour,
  untilTheEnd,
  type VlanOutcome,
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

/** Driver for Cisco IOS switches: they have one bridge table per VLAN, and a port's VLAN is one value. */
export function ciscoDriver(snmp: Snmp, serial: Serial): Driver {
  return {
    name: 'cisco-ios',
    ...snmpSwitch(snmp, serial),
    readInterfaces: (device) => readInterfaces(snmp, device),
    readVlans: (device) => readVlans(snmp, device),
    readMacTable: (device) => readMacTable(snmp, device),
    readNeighbours: (device) => readNeighbours(snmp, device),
    writeVlan: (device, desiredStates) => serial.run(device.key, () => writeVlan(snmp, device, desiredStates)),
  };
}

/** Returns the target for one VLAN: with community `name@30`, or context `vlan-30`. */
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
    // 1002 to 1005 are FDDI and token ring, which are not used.
    const isUsed = numberOf(stateOf.get(key)) === operational && numberOf(typeOf.get(key)) === ethernet;
    return isUsed && index.length === 2 ? [{ id: index[1]!, name: textOf(value) }] : [];
  });
}

/** Bridge port numbers are valid in one VLAN only: they are read together with its addresses. */
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

async function writeVlan(
  snmp: Snmp,
  access: DeviceAccess,
  desiredStates: readonly DesiredVlan[],
): Promise<VlanOutcome[]> {
  const before = await readMembership(snmp, access, desiredStates);
  // Cannot be cancelled from here on: values that were written must be read back.
  const device = untilTheEnd(access);
  const objections = new Map<number, string>();
  for (const vlan of new Set(desiredStates.map((desired) => desired.vlan))) {
    const moving = desiredStates.filter(
      (desired) => desired.vlan === vlan && ![null, vlan].includes(before.get(desired.ifIndex) ?? null),
    );
    if (moving.length === 0) continue;
    const [state] = await snmp.get(targetOf(device), [[...vtpState, 1, vlan]]);
    if (state === null) for (const { ifIndex } of moving) objections.set(ifIndex, `The device has no VLAN ${vlan}.`);
    else for (const some of chunks(moving, valuesPerSet)) await setMembership(snmp, device, some, objections);
  }
  const after = await readMembership(snmp, device, desiredStates);
  return desiredStates.map((desired): VlanOutcome => {
    const previousVlan = before.get(desired.ifIndex) ?? null;
    const current = after.get(desired.ifIndex) ?? null;
    const why =
      objections.get(desired.ifIndex) ?? `The device accepted the change, but the port is still in VLAN ${current}.`;
    const missing = previousVlan === null ? `Interface ${desired.ifIndex} is not an access port of the device.` : null;
    // The reply may be lost although the device was changed: the value read back decides.
    const error = missing ?? (current === desired.vlan ? null : why);
    return { ...desired, from: previousVlan, current, isWritten: previousVlan !== current, error };
  });
}

async function readMembership(
  snmp: Snmp,
  device: DeviceAccess,
  desiredStates: readonly DesiredVlan[],
): Promise<Map<number, number>> {
  const values = await snmp.get(
    targetOf(device),
    desiredStates.map(({ ifIndex }) => [...vmVlan, ifIndex]),
  );
  return new Map(
    desiredStates.flatMap(({ ifIndex }, index) =>
      numberOf(values[index]) === undefined ? [] : [[ifIndex, numberOf(values[index])!] as const],
    ),
  );
}

/** Writes with one SET; if the device refuses it, each port separately, so that one does not block the others. */
async function setMembership(
  snmp: Snmp,
  device: DeviceAccess,
  desiredStates: readonly DesiredVlan[],
  objections: Map<number, string>,
): Promise<void> {
  const values = desiredStates.map(
    ({ ifIndex, vlan }): Varbind => ({ oid: [...vmVlan, ifIndex], type: 'integer', value: vlan }),
  );
  try {
    await snmp.set(targetOf(device, true), values);
  } catch (error) {
    if (!snmpFaultOf(error)) throw error;
    if (desiredStates.length > 1 && isRefusal(error))
      for (const desired of desiredStates) await setMembership(snmp, device, [desired], objections);
    else for (const { ifIndex } of desiredStates) objections.set(ifIndex, (error as Error).message);
  }
}
