import { macText } from './mac-text.ts';
import type { Pdu, Varbind } from './message.ts';
import { compareOids, isBelow, type Oid, oid } from './oid.ts';

/** A trap or inform, in one form for all versions of SNMP. */
export interface Notification {
  /** Source address of the datagram. */
  source: string;
  version: 'v1' | 'v2c' | 'v3';
  isInform: boolean;
  /** snmpTrapOID */
  name: Oid;
  uptimeTicks: number;
  varbinds: readonly Varbind[];
  /** The device's own address, in version 1; the datagram may come from a relay. */
  agentAddress: string | null;
  /** The sender's engine and user, in version 3; authentic if the user has a password. */
  engineId: string | null;
  userName: string | null;
}

type Contents = Pick<Notification, 'isInform' | 'name' | 'uptimeTicks' | 'varbinds' | 'agentAddress'>;

const snmpTraps = oid('1.3.6.1.6.3.1.1.5');
const sysUpTime = oid('1.3.6.1.2.1.1.3.0');
const snmpTrapOid = oid('1.3.6.1.6.3.1.1.4.1.0');
const enterpriseSpecific = 6;

/** Returns the content of a notification PDU; undefined for other PDUs. */
export function contentsOf(pdu: Pdu): Contents | undefined {
  if (pdu.type === 'trapV1') {
    // RFC 3584 section 3.1
    const { generic, enterprise, specific } = pdu;
    const name = generic === enterpriseSpecific ? [...enterprise, 0, specific] : [...snmpTraps, generic + 1];
    return {
      isInform: false,
      name,
      uptimeTicks: pdu.ticks,
      varbinds: pdu.varbinds,
      agentAddress: pdu.agentAddress.join('.'),
    };
  }
  if (pdu.type !== 'trap' && pdu.type !== 'inform') return undefined;
  const [first, second, ...varbinds] = pdu.varbinds;
  // RFC 3416 section 4.2.6: these two are always first.
  if (first?.type !== 'ticks' || compareOids(first.oid, sysUpTime) !== 0) return undefined;
  if (second?.type !== 'oid' || compareOids(second.oid, snmpTrapOid) !== 0) return undefined;
  return {
    isInform: pdu.type === 'inform',
    name: second.value,
    uptimeTicks: first.value,
    varbinds,
    agentAddress: null,
  };
}

/** A MAC address that a switch has learned on a port or removed. */
export interface MacChange {
  isLearned: boolean;
  vlan: number;
  mac: string;
  bridgePort: number;
}

/** The event that a notification reports. */
export type DeviceEvent =
  | { kind: 'coldStart' | 'warmStart' }
  | {
      kind: 'linkUp' | 'linkDown';
      ifIndex: number /** ifAdminStatus, if the device sends it. */;
      isAdminUp?: boolean;
    }
  | { kind: 'macChanges'; changes: MacChange[] };

const ifEntry = oid('1.3.6.1.2.1.2.2.1');
const ifIndexColumn = oid('1.3.6.1.2.1.2.2.1.1');
const ifAdminStatus = oid('1.3.6.1.2.1.2.2.1.7');
const macChanged = oid('1.3.6.1.4.1.9.9.215.2.0.1');
const macChangedMessage = oid('1.3.6.1.4.1.9.9.215.1.1.8.1.2');
const standardEvents = ['coldStart', 'warmStart', 'linkDown', 'linkUp'] as const;

/**
 * Returns undefined for unsupported notifications; MAC notifications are read for Cisco devices only, because their MIB
 * is Cisco's.
 */
export function deviceEventOf(
  { name, varbinds }: Pick<Notification, 'name' | 'varbinds'>,
  isCisco: boolean,
): DeviceEvent | undefined {
  if (isBelow(snmpTraps, name) && name.length === snmpTraps.length + 1) {
    const kind = standardEvents[name.at(-1)! - 1];
    if (kind === 'coldStart' || kind === 'warmStart') return { kind };
    const ifIndex = ifIndexIn(varbinds);
    if (kind === undefined || ifIndex === undefined) return undefined;
    const adminStatus = varbinds.find(({ oid: name }) => compareOids(name, [...ifAdminStatus, ifIndex]) === 0);
    return { kind, ifIndex, ...(adminStatus?.type === 'integer' && { isAdminUp: adminStatus.value !== 2 }) };
  }
  if (!isCisco || compareOids(name, macChanged) !== 0) return undefined;
  const changes = varbinds.flatMap((varbind) =>
    varbind.type === 'octets' && isBelow(macChangedMessage, varbind.oid) ? readMacChanges(varbind.value) : [],
  );
  return changes.length === 0 ? undefined : { kind: 'macChanges', changes };
}

/** Returns the value of ifIndex, or else the index of any column of ifTable. */
function ifIndexIn(varbinds: readonly Varbind[]): number | undefined {
  const indexVarbind = varbinds.find((varbind) => varbind.type === 'integer' && isBelow(ifIndexColumn, varbind.oid));
  if (indexVarbind?.type === 'integer' && indexVarbind.value > 0) return indexVarbind.value;
  const columnVarbind = varbinds.find(
    (varbind) => isBelow(ifEntry, varbind.oid) && varbind.oid.length === ifEntry.length + 2,
  );
  return columnVarbind?.oid.at(-1);
}

const macEntryBytes = 11;

/** CISCO-MAC-NOTIFICATION-MIB cmnHistMacChangedMsg: entries of 11 octets, up to the one whose operation is "end". */
export function readMacChanges(message: Buffer): MacChange[] {
  const changes: MacChange[] = [];
  for (let offset = 0; offset + macEntryBytes <= message.length; offset += macEntryBytes) {
    const operation = message[offset];
    if (operation !== 1 && operation !== 2) break;
    changes.push({
      isLearned: operation === 1,
      vlan: message.readUInt16BE(offset + 1),
      mac: macText(message.subarray(offset + 3, offset + 9)),
      bridgePort: message.readUInt16BE(offset + 9),
    });
  }
  return changes;
}
