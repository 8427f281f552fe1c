import type { ErrorWord, Varbind } from '@portreeve/server/protocols/snmp/message.ts';
import { isBelow, type Oid, oid } from '@portreeve/server/protocols/snmp/oid.ts';
import { hasBit, type SwitchState, type Vlan } from './state.ts';

/** The effect of one value of a SET. */
interface Change {
  /**
   * Returns the error, if any, after all changes of the SET: the values of one SET count as simultaneous (RFC 3416
   * section 4.2.5).
   */
  objection(): ErrorWord | null;
  apply(): void;
  undo(): void;
}

type Writer = (state: SwitchState, index: Oid, varbind: Varbind) => Change | ErrorWord;

const writers: readonly { name: Oid; on: SwitchState['kind'][]; write: Writer }[] = [
  { name: oid('1.3.6.1.2.1.2.2.1.7'), on: ['qbridge', 'cisco', 'dot1d', 'router'], write: writeAdminStatus },
  { name: oid('1.3.6.1.2.1.31.1.1.1.18'), on: ['qbridge', 'cisco', 'dot1d', 'router'], write: writeAlias },
  {
    name: oid('1.3.6.1.2.1.17.7.1.4.3.1.2'),
    on: ['qbridge'],
    write: (state, index, value) => writeList(state, index, value, 'egress'),
  },
  {
    name: oid('1.3.6.1.2.1.17.7.1.4.3.1.4'),
    on: ['qbridge'],
    write: (state, index, value) => writeList(state, index, value, 'untagged'),
  },
  { name: oid('1.3.6.1.2.1.17.7.1.4.5.1.1'), on: ['qbridge'], write: writePvid },
  { name: oid('1.3.6.1.4.1.9.9.68.1.2.2.1.2'), on: ['cisco'], write: writeMembership },
];

/** Applies all values of a SET or none; returns the first refused value, counted from 1. */
export function applySet(state: SwitchState, varbinds: readonly Varbind[]): { word: ErrorWord; index: number } | null {
  const changes: Change[] = [];
  for (const [index, varbind] of varbinds.entries()) {
    const writer = writers.find(({ name, on: kinds }) => kinds.includes(state.kind) && isBelow(name, varbind.oid));
    const change = writer ? writer.write(state, varbind.oid.slice(writer.name.length), varbind) : 'notWritable';
    if (typeof change === 'string') return { word: change, index: index + 1 };
    changes.push(change);
  }
  for (const change of changes) change.apply();
  for (const [index, change] of changes.entries()) {
    const word = change.objection();
    if (word === null) continue;
    for (const done of changes.toReversed()) done.undo();
    return { word, index: index + 1 };
  }
  state.changed();
  return null;
}

const fine = (): null => null;

/** Assigns a property of the state, and restores the old value if the switch refuses the SET. */
function assigning<T, Key extends keyof T>(
  target: T,
  key: Key,
  value: T[Key],
  objection: Change['objection'] = fine,
): Change {
  const before = target[key];
  return {
    objection,
    apply() {
      target[key] = value;
    },
    undo() {
      target[key] = before;
    },
  };
}

function writeAdminStatus(state: SwitchState, [ifIndex]: Oid, { type, value }: Varbind): Change | ErrorWord {
  const port = state.ports.find((candidate) => state.ifIndex(candidate) === ifIndex);
  if (!port) return 'noCreation';
  if (type !== 'integer') return 'wrongType';
  return value === 1 || value === 2 ? assigning(port, 'adminUp', value === 1) : 'wrongValue';
}

function writeAlias(state: SwitchState, [ifIndex]: Oid, { type, value }: Varbind): Change | ErrorWord {
  const port = state.ports.find((candidate) => state.ifIndex(candidate) === ifIndex);
  if (!port) return 'noCreation';
  if (type !== 'octets') return 'wrongType';
  return value.length > 64 ? 'wrongLength' : assigning(port, 'alias', value.toString('utf8'));
}

function writeList(
  state: SwitchState,
  [id]: Oid,
  { type, value }: Varbind,
  list: 'egress' | 'untagged',
): Change | ErrorWord {
  const vlan = state.vlans.get(id ?? 0);
  if (!vlan) return 'noCreation';
  if (type !== 'octets') return 'wrongType';
  if (value.length !== state.listLength) return 'wrongLength';
  const bridgePorts = new Set(state.ports.map(({ bridgePort }) => bridgePort));
  for (let port = 1; port <= value.length * 8; port += 1) {
    if (hasBit(value, port) && !bridgePorts.has(port)) return 'wrongValue';
  }
  return assigning(vlan, list, Uint8Array.from(value), () => (isConsistent(state, vlan) ? null : 'inconsistentValue'));
}

/**
 * A port may send untagged only in a VLAN that it sends in, and must be a member of the VLAN that it assigns to
 * untagged frames.
 */
function isConsistent(state: SwitchState, vlan: Vlan): boolean {
  return state.ports.every(({ bridgePort, pvid }) => {
    if (bridgePort === 0) return true;
    const isUntagged = hasBit(vlan.untagged, bridgePort);
    const isOwn = pvid === vlan.id;
    return hasBit(vlan.egress, bridgePort) ? isUntagged || !isOwn : !isUntagged && !isOwn;
  });
}

function writePvid(state: SwitchState, [bridgePort]: Oid, { type, value }: Varbind): Change | ErrorWord {
  const port = state.ports.find((candidate) => candidate.bridgePort > 0 && candidate.bridgePort === bridgePort);
  if (!port) return 'noCreation';
  if (type !== 'gauge') return 'wrongType';
  const vlan = state.vlans.get(value);
  if (!vlan) return 'wrongValue';
  return assigning(port, 'pvid', value, () => (hasBit(vlan.untagged, port.bridgePort) ? null : 'inconsistentValue'));
}

function writeMembership(state: SwitchState, [ifIndex]: Oid, { type, value }: Varbind): Change | ErrorWord {
  const port = state.ports.find(
    (candidate) => candidate.kind === 'physical' && !candidate.isMember && state.ifIndex(candidate) === ifIndex,
  );
  if (!port) return 'noCreation';
  if (type !== 'integer') return 'wrongType';
  return state.vlans.has(value) ? assigning(port, 'pvid', value) : 'wrongValue';
}
