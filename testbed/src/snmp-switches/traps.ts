import { randomInt } from 'node:crypto';
import {
  decodeScopedPdu,
  encodeCommunityMessage,
  type Pdu,
  type RequestPdu,
  type Varbind,
} from '@portreeve/server/protocols/snmp/message.ts';
import { type Oid, oid } from '@portreeve/server/protocols/snmp/oid.ts';
import { isAuthentic, keysOf, sealMessage } from '@portreeve/server/protocols/snmp/usm.ts';
import type { SwitchAgent } from './agent.ts';
import { macBytes, type Port, type TrapTarget } from './state.ts';

const snmpTraps = '1.3.6.1.6.3.1.1.5';
export const trapNames = {
  coldStart: oid(`${snmpTraps}.1`),
  warmStart: oid(`${snmpTraps}.2`),
  linkDown: oid(`${snmpTraps}.3`),
  linkUp: oid(`${snmpTraps}.4`),
};
const macChanged = oid('1.3.6.1.4.1.9.9.215.2.0.1');
const tries = 3;
const tryMs = 500;

/** Sends one notification to all targets; returns true if all acknowledged it, which traps never do. */
export async function notify(agent: SwitchAgent, name: Oid, varbinds: readonly Varbind[]): Promise<boolean> {
  const { trapTargets, isPaused, uptimeTicks } = agent.state;
  if (trapTargets.length === 0 || isPaused) return false;
  const answers = await Promise.all(
    trapTargets.map((target) => notifyOne(agent, target, { name, varbinds, uptimeTicks })),
  );
  return answers.every(Boolean);
}

interface Word {
  name: Oid;
  varbinds: readonly Varbind[];
  uptimeTicks: number;
}

async function notifyOne(agent: SwitchAgent, target: TrapTarget, word: Word): Promise<boolean> {
  if (target.version === 'v1') {
    agent.send(
      encodeCommunityMessage({ version: 'v1', community: communityOf(target), pdu: trapV1(agent, word) }),
      target.host,
      target.port,
    );
    return false;
  }
  const { name, varbinds, uptimeTicks } = word;
  const pdu: RequestPdu = {
    type: target.isInform ? 'inform' : 'trap',
    requestId: randomInt(1, 0x7fff_ffff),
    errorStatus: 0,
    errorIndex: 0,
    varbinds: [
      { oid: oid('1.3.6.1.2.1.1.3.0'), type: 'ticks', value: uptimeTicks },
      { oid: oid('1.3.6.1.6.3.1.1.4.1.0'), type: 'oid', value: name },
      ...varbinds,
    ],
  };
  if (target.version === 'v3') return target.isInform ? informV3(agent, target, pdu) : trapV3(agent, target, pdu);
  const bytes = encodeCommunityMessage({ version: 'v2c', community: communityOf(target), pdu });
  if (target.isInform) return (await ask(agent, target, pdu.requestId, bytes)) !== null;
  agent.send(bytes, target.host, target.port);
  return false;
}

const communityOf = ({ community }: TrapTarget): Buffer => Buffer.from(community ?? 'public', 'utf8');

/** RFC 3584 section 3.2 */
function trapV1(agent: SwitchAgent, { name, varbinds, uptimeTicks }: Word): Pdu {
  const generic = Object.values(trapNames).indexOf(name);
  return {
    type: 'trapV1',
    enterprise: generic >= 0 ? oid('1.3.6.1.4.1.99999.1') : name.slice(0, -2),
    agentAddress: Buffer.from(agent.state.spec.address.split('.').map(Number)),
    generic: generic >= 0 ? generic : 6,
    specific: generic >= 0 ? 0 : name.at(-1)!,
    ticks: uptimeTicks,
    varbinds,
  };
}

function trapV3(agent: SwitchAgent, target: TrapTarget, pdu: RequestPdu): boolean {
  const { engineId, engineBoots: boots, engineTime: time } = agent.state;
  const envelope = {
    msgId: pdu.requestId,
    isReportable: false,
    engineId,
    boots,
    time,
    userName: target.user!.userName,
  };
  const bytes = sealMessage(envelope, keysOf(target.user!, engineId), {
    contextEngineId: engineId,
    contextName: '',
    pdu,
  });
  agent.send(bytes, target.host, target.port);
  return false;
}

/** Sends an inform with the receiver's engine and clock (RFC 3414 section 1.5.1), which a discovery returns first. */
async function informV3(agent: SwitchAgent, target: TrapTarget, pdu: RequestPdu): Promise<boolean> {
  const unknownEngine = { engineId: Buffer.alloc(0), boots: 0, time: 0, userName: '' };
  const question: Pdu = { type: 'get', requestId: 1, errorStatus: 0, errorIndex: 0, varbinds: [] };
  const discoveryId = randomInt(1, 0x7fff_ffff);
  const discovery = sealMessage(
    { msgId: discoveryId, isReportable: true, ...unknownEngine },
    {},
    { contextEngineId: unknownEngine.engineId, contextName: '', pdu: question },
  );
  const discovered = await ask(agent, target, discoveryId, discovery);
  if (discovered?.version !== 'v3') return false;
  const keys = keysOf(target.user!, discovered.engineId);
  const { engineId, boots, time } = discovered;
  const envelope = { msgId: pdu.requestId, isReportable: true, engineId, boots, time, userName: target.user!.userName };
  const answer = await ask(
    agent,
    target,
    pdu.requestId,
    sealMessage(envelope, keys, { contextEngineId: engineId, contextName: '', pdu }),
  );
  if (answer?.version !== 'v3' || !isAuthentic(answer, keys)) return false;
  return answer.hasPriv || decodeScopedPdu(answer.payload).pdu.type === 'response';
}

async function ask(agent: SwitchAgent, target: TrapTarget, id: number, bytes: Buffer) {
  for (let attempt = 0; attempt < tries; attempt += 1) {
    agent.send(bytes, target.host, target.port);
    const answer = await agent.answer(id, tryMs);
    if (answer) return answer;
  }
  return null;
}

export function linkTrap(agent: SwitchAgent, port: Port, isUp: boolean): Promise<boolean> {
  const ifIndex = agent.state.ifIndex(port);
  const column = (number: number, value: number): Varbind => ({
    oid: oid(`1.3.6.1.2.1.2.2.1.${number}.${ifIndex}`),
    type: 'integer',
    value,
  });
  const varbinds = [column(1, ifIndex), column(7, port.adminUp ? 1 : 2), column(8, isUp ? 1 : 2)];
  return notify(agent, isUp ? trapNames.linkUp : trapNames.linkDown, varbinds);
}

/** CISCO-MAC-NOTIFICATION-MIB: eleven octets for each MAC address, and a zero at the end. Only a Cisco sends it. */
export async function macTrap(
  agent: SwitchAgent,
  port: Port,
  macs: readonly string[],
  isLearned: boolean,
): Promise<boolean> {
  if (agent.state.kind !== 'cisco') return false;
  const entries = macs.map((mac) => {
    const entry = Buffer.alloc(11);
    entry.writeUInt8(isLearned ? 1 : 2, 0);
    entry.writeUInt16BE(port.pvid, 1);
    macBytes(mac).copy(entry, 3);
    entry.writeUInt16BE(port.bridgePort, 9);
    return entry;
  });
  const value = Buffer.concat([...entries, Buffer.of(0)]);
  return notify(agent, macChanged, [{ oid: oid('1.3.6.1.4.1.9.9.215.1.1.8.1.2.1'), type: 'octets', value }]);
}
