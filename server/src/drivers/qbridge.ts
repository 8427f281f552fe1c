import type { Varbind } from '../protocols/snmp/message.ts';
import { type Oid, oid } from '../protocols/snmp/oid.ts';
import { type Snmp, snmpFaultOf } from '../protocols/snmp/snmp.ts';
import { bytesOf, numberOf, textOf } from './device-text.ts';
import {
  type DesiredVlan,
  type DeviceAccess,
  type DeviceInterface,
  type DeviceVlan,
  type Driver,
  type MacEntry,
  untilTheEnd,
  type VlanOutcome,
} from './driver.ts';
import { readBridgePorts, readDatabases, readNumbers, readTransparentTable, readVlanTable } from './forwarding.ts';
import { hasPort } from './port-list.ts';
import type { Serial } from './serial.ts';
import { columnsOf, readInterfaceTable, readLldpNeighbours, readRadios, targetOf } from './snmp-reading.ts';
import { snmpSwitch } from './snmp-switch.ts';
import { chunks, isRefusal, valuesPerSet } from './snmp-writing.ts';
import { joinedBy, leftBy, type VlanLists } from './vlan-lists.ts';

const basePortIfIndex = oid('1.3.6.1.2.1.17.1.4.1.2');
const vlanStatic = '1.3.6.1.2.1.17.7.1.4.3.1';
const staticName = oid(`${vlanStatic}.1`);
const staticEgress = oid(`${vlanStatic}.2`);
const staticUntagged = oid(`${vlanStatic}.4`);
const pvid = oid('1.3.6.1.2.1.17.7.1.4.5.1.1');
const vlanFdbId = oid('1.3.6.1.2.1.17.7.1.4.2.1.3');

/** Driver for switches with the standard bridge and VLAN tables (RFC 4188, RFC 4363). */
export function qbridgeDriver(snmp: Snmp, serial: Serial): Driver {
  return {
    name: 'qbridge',
    ...snmpSwitch(snmp, serial),
    readInterfaces: (device) => readInterfaces(snmp, device),
    readVlans: (device) => readVlans(snmp, device),
    readMacTable: (device) => readMacTable(snmp, device),
    readNeighbours: async (device) => readLldpNeighbours(snmp, device, await readInterfaces(snmp, device)),
    writeVlan: (device, desiredStates) =>
      serial.run(device.key, () => new VlanWriter(snmp, device).write(desiredStates)),
  };
}

async function readInterfaces(snmp: Snmp, device: DeviceAccess): Promise<DeviceInterface[]> {
  const [ifIndexRows, pvidRows] = await snmp.walk(targetOf(device), [basePortIfIndex, pvid]);
  const bridgePorts = readBridgePorts(ifIndexRows!);
  const pvids = readNumbers(pvidRows!);
  const wired = await readInterfaceTable(snmp, device, {
    bridgePortOf: (ifIndex) => bridgePorts.get(ifIndex),
    vlanOf: (ifIndex) => pvids.get(bridgePorts.get(ifIndex) ?? 0),
  });
  return [...wired, ...(await readRadios(snmp, device))];
}

async function readVlans(snmp: Snmp, device: DeviceAccess): Promise<DeviceVlan[]> {
  const [names] = await snmp.walk(targetOf(device), [staticName]);
  return names!.flatMap(({ index, value }) => (index.length === 1 ? [{ id: index[0]!, name: textOf(value) }] : []));
}

async function readMacTable(snmp: Snmp, device: DeviceAccess): Promise<MacEntry[]> {
  const target = targetOf(device);
  const [ifIndexRows] = await snmp.walk(target, [basePortIfIndex]);
  const ifIndexes = readNumbers(ifIndexRows!);
  const [ports, statuses] = await snmp.walk(target, columnsOf('1.3.6.1.2.1.17.7.1.2.2.1', 2, 3));
  if (ports!.length > 0) {
    const [databases] = await snmp.walk(target, [vlanFdbId]);
    return readVlanTable({ ports: ports!, statuses: statuses!, ifIndexes }, readDatabases(databases!));
  }
  const [plainPorts, plainStatuses] = await snmp.walk(target, columnsOf('1.3.6.1.2.1.17.4.3.1', 2, 3));
  return readTransparentTable({ ports: plainPorts!, statuses: plainStatuses!, ifIndexes }, null);
}

interface Move {
  desired: DesiredVlan;
  bridgePort: number;
  from: number;
}

/** One VLAN change of one device: reads the tables, writes the differences and reads back the result. */
class VlanWriter {
  readonly #snmp: Snmp;
  #device: DeviceAccess;
  /** The device's errors, by port. */
  readonly #objections = new Map<number, string>();

  constructor(snmp: Snmp, device: DeviceAccess) {
    this.#snmp = snmp;
    this.#device = device;
  }

  async write(desiredStates: readonly DesiredVlan[]): Promise<VlanOutcome[]> {
    const [rows] = await this.#snmp.walk(targetOf(this.#device), [basePortIfIndex]);
    const bridgePorts = readBridgePorts(rows!);
    const before = await this.#readPvids(desiredStates, bridgePorts);
    const moves = desiredStates.flatMap((desired): Move[] => {
      const bridgePort = bridgePorts.get(desired.ifIndex);
      const previousVlan = before.get(desired.ifIndex);
      return bridgePort === undefined || previousVlan === undefined
        ? []
        : [{ desired, bridgePort, from: previousVlan }];
    });
    this.#device = untilTheEnd(this.#device);
    for (const vlan of new Set(moves.map(({ desired }) => desired.vlan))) {
      const there = moves.filter(({ desired }) => desired.vlan === vlan);
      for (const some of chunks(there, valuesPerSet)) await this.#moveTo(vlan, some);
    }
    const after = await this.#readPvids(desiredStates, bridgePorts);
    return desiredStates.map((desired) =>
      this.#outcome(desired, before.get(desired.ifIndex) ?? null, after.get(desired.ifIndex) ?? null),
    );
  }

  #outcome(desired: DesiredVlan, previousVlan: number | null, current: number | null): VlanOutcome {
    const objection = this.#objections.get(desired.ifIndex);
    const silent =
      current === desired.vlan ? null : `The device accepted the change, but the port is still in VLAN ${current}.`;
    const error =
      previousVlan === null ? `Interface ${desired.ifIndex} is no port of the device's bridge.` : (objection ?? silent);
    return { ...desired, from: previousVlan, current, isWritten: previousVlan !== current, error };
  }

  async #readPvids(
    desiredStates: readonly DesiredVlan[],
    bridgePorts: ReadonlyMap<number, number>,
  ): Promise<Map<number, number>> {
    const changeable = desiredStates.filter(({ ifIndex }) => bridgePorts.has(ifIndex));
    const values = await this.#snmp.get(
      targetOf(this.#device),
      changeable.map(({ ifIndex }) => [...pvid, bridgePorts.get(ifIndex)!]),
    );
    return new Map(
      changeable.flatMap(({ ifIndex }, index) =>
        numberOf(values[index]) === undefined ? [] : [[ifIndex, numberOf(values[index])!] as const],
      ),
    );
  }

  /** RFC 4363 defines no order; the specification does: join the new VLAN, change the PVID, leave the old VLAN. */
  async #moveTo(vlan: number, moves: readonly Move[]): Promise<void> {
    try {
      const moved = await this.#join(vlan, moves);
      for (const previousVlan of new Set(moved.map((move) => move.from))) {
        const leavingMoves = moved.filter((move) => move.from === previousVlan && previousVlan !== vlan);
        if (leavingMoves.length > 0) await this.#leave(previousVlan, leavingMoves);
      }
    } catch (error) {
      if (!snmpFaultOf(error)) throw error;
      // One port that the device refuses makes the complete SET fail, so each port is then written separately.
      if (moves.length > 1 && isRefusal(error)) for (const move of moves) await this.#moveTo(vlan, [move]);
      else this.#object(moves, error);
    }
  }

  async #join(vlan: number, moves: readonly Move[]): Promise<readonly Move[]> {
    const lists = await this.#readLists(vlan);
    if (!lists) {
      for (const { desired } of moves) this.#objections.set(desired.ifIndex, `The device has no VLAN ${vlan}.`);
      return [];
    }
    const pending = moves.filter(
      ({ from: previousVlan, bridgePort }) => previousVlan !== vlan || !hasPort(lists.untagged, bridgePort),
    );
    const ports = pending.map(({ bridgePort }) => bridgePort);
    const joined = joinedBy(lists, ports, lists.egress.length);
    if (joined) await this.#setLists(vlan, joined);
    const values = pending.flatMap(({ bridgePort, from: previousVlan }): Varbind[] =>
      previousVlan === vlan ? [] : [{ oid: [...pvid, bridgePort], type: 'gauge', value: vlan }],
    );
    if (values.length === 0) return pending;
    try {
      await this.#snmp.set(targetOf(this.#device, true), values);
    } catch (error) {
      // The reply may be lost although the device was changed: the value read back decides.
      const stranded = await this.#notYetIn(vlan, pending);
      if (stranded.length > 0) {
        await this.#undoJoin(vlan, stranded, lists);
        throw error;
      }
    }
    return pending;
  }

  async #notYetIn(vlan: number, moves: readonly Move[]): Promise<readonly Move[]> {
    const values = await this.#snmp.get(
      targetOf(this.#device),
      moves.map(({ bridgePort }) => [...pvid, bridgePort]),
    );
    return moves.filter((_, index) => numberOf(values[index]) !== vlan);
  }

  /** Removes a port that could not be moved from the new VLAN, so that it is not in two VLANs. */
  async #undoJoin(vlan: number, moves: readonly Move[], before: VlanLists): Promise<void> {
    const added = moves.map(({ bridgePort }) => bridgePort).filter((port) => !hasPort(before.egress, port));
    const now = await this.#readLists(vlan);
    const restored = now && leftBy(now, added, now.egress.length);
    if (restored) await this.#setLists(vlan, restored);
  }

  async #leave(vlan: number, moves: readonly Move[]): Promise<void> {
    try {
      const lists = await this.#readLists(vlan);
      const emptiedLists =
        lists &&
        leftBy(
          lists,
          moves.map(({ bridgePort }) => bridgePort),
          lists.egress.length,
        );
      if (emptiedLists) await this.#setLists(vlan, emptiedLists);
    } catch (error) {
      if (!snmpFaultOf(error)) throw error;
      this.#object(moves, error, `The port was moved, but is still a member of VLAN ${vlan}: `);
    }
  }

  #object(moves: readonly Move[], error: unknown, before = ''): void {
    for (const { desired } of moves) this.#objections.set(desired.ifIndex, `${before}${(error as Error).message}`);
  }

  async #readLists(vlan: number): Promise<VlanLists | null> {
    const [egress, untagged] = (
      await this.#snmp.get(targetOf(this.#device), [
        [...staticEgress, vlan],
        [...staticUntagged, vlan],
      ])
    ).map(bytesOf);
    return egress && untagged ? { egress, untagged } : null;
  }

  #setLists(vlan: number, { egress, untagged }: VlanLists): Promise<void> {
    const value = (name: Oid, list: Uint8Array): Varbind => ({
      oid: [...name, vlan],
      type: 'octets',
      value: Buffer.from(list),
    });
    return this.#snmp.set(targetOf(this.#device, true), [value(staticEgress, egress), value(staticUntagged, untagged)]);
  }
}
