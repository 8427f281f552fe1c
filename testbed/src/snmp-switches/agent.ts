import { createSocket, type RemoteInfo, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { BerError } from '@portreeve/server/protocols/snmp/ber.ts';
import { isInOwnWindow } from '@portreeve/server/protocols/snmp/engine-clocks.ts';
import {
  type CommunityMessage,
  decodeMessage,
  type ErrorWord,
  encodeCommunityMessage,
  errorWords,
  type Pdu,
  type RequestPdu,
  type V3Message,
  type Varbind,
} from '@portreeve/server/protocols/snmp/message.ts';
import { dotted, isBelow, type Oid, oid } from '@portreeve/server/protocols/snmp/oid.ts';
import {
  isAuthentic,
  keysOf,
  openMessage,
  reportNames,
  sealMessage,
  type UsmKeys,
} from '@portreeve/server/protocols/snmp/usm.ts';
import { MibView } from './mib.ts';
import type { RecordedSet, SwitchState, WriteFault } from './state.ts';
import { applySet } from './writes.ts';

/** The size of a datagram that Ethernet carries without fragmentation. */
const answerBytesMax = 1_400;
const bulkVarbindsMax = 256;
/** Tables are computed on request, and cached for the switches that were queried last. */
const viewsMax = 64;

interface SnmpManager {
  mayWrite: boolean;
  vlan: number | null;
  securityName: string;
  source: string;
  version: 'v1' | 'v2c' | 'v3';
}

const views = new Map<string, { revision: number; view: MibView }>();

function viewOf(state: SwitchState, vlan: number | null): MibView {
  const key = `${state.spec.address} ${vlan}`;
  const cachedView = views.get(key);
  if (cachedView?.revision === state.revision) return cachedView.view;
  const view = new MibView(state, vlan);
  views.delete(key);
  views.set(key, { revision: state.revision, view });
  if (views.size > viewsMax) views.delete(views.keys().next().value!);
  return view;
}

/** The SNMP agent of a switch on its own address. */
export class SwitchAgent {
  readonly state: SwitchState;
  readonly #port: number;
  readonly #answers = new Map<number, (message: CommunityMessage | V3Message) => void>();
  #socket: Socket | null = null;
  #received = 0;

  constructor(state: SwitchState, port: number) {
    this.state = state;
    this.#port = port;
  }

  async open(): Promise<void> {
    this.#socket = createSocket('udp4');
    this.#socket.bind(this.#port, this.state.spec.address);
    await once(this.#socket, 'listening');
    this.#socket.on('message', (datagram, sender) => this.#receive(datagram, sender));
  }

  send(bytes: Buffer, host: string, port: number): void {
    const { delayMs } = this.state;
    const send = () => this.#socket?.send(bytes, port, host);
    if (delayMs > 0) setTimeout(send, delayMs);
    else send();
  }

  /** Waits for the response to an inform that this agent sent. */
  answer(id: number, timeoutMs: number): Promise<CommunityMessage | V3Message | null> {
    return new Promise((resolve) => {
      const end = (message: CommunityMessage | V3Message | null) => {
        clearTimeout(timer);
        this.#answers.delete(id);
        resolve(message);
      };
      const timer = setTimeout(end, timeoutMs, null);
      this.#answers.set(id, end);
    });
  }

  #receive(datagram: Buffer, sender: RemoteInfo): void {
    const { state } = this;
    this.#received += 1;
    if (state.isPaused || (state.loseEvery > 0 && this.#received % state.loseEvery === 0)) return;
    try {
      const message = decodeMessage(datagram);
      const resolveInform = this.#answers.get(
        message.version === 'v3' ? message.msgId : (message.pdu as RequestPdu).requestId,
      );
      if (resolveInform) {
        resolveInform(message);
        return;
      }
      state.requests += 1;
      const answer =
        message.version === 'v3' ? this.#answerV3(message, sender) : this.#answerCommunity(message, sender);
      if (answer) this.send(state.mood === 'garbage' ? garbled(answer) : answer, sender.address, sender.port);
    } catch (error) {
      // Switches drop malformed packets.
      if (!(error instanceof BerError)) throw error;
    }
  }

  #answerCommunity(message: CommunityMessage, sender: RemoteInfo): Buffer | null {
    const { spec, kind, vlans } = this.state;
    const [community = '', vlan] = message.community.toString('utf8').split('@');
    const readCommunity = spec.readCommunity ?? 'public';
    const write = spec.writeCommunity ?? 'private';
    // An agent does not reply to an unknown community (RFC 1157 section 4.1), nor does a Cisco for a VLAN it does not
    // have.
    if (spec.communities === false || (community !== readCommunity && community !== write)) return null;
    if (vlan !== undefined && (kind !== 'cisco' || !vlans.has(Number(vlan)))) return null;
    const asker: SnmpManager = {
      mayWrite: community === write,
      vlan: vlan === undefined ? null : Number(vlan),
      securityName: message.community.toString('utf8'),
      source: `${sender.address}:${sender.port}`,
      version: message.version,
    };
    const pdu = this.#perform(message.pdu, asker);
    return pdu && encodeCommunityMessage({ ...message, pdu });
  }

  #answerV3(message: V3Message, sender: RemoteInfo): Buffer | null {
    const { state } = this;
    const report = (name: Oid, keys: UsmKeys = {}, requestId = 0) =>
      message.isReportable ? this.#report(message, name, keys, requestId) : null;
    if (!message.engineId.equals(state.engineId)) return report(reportNames.unknownEngine);
    const user = state.spec.users?.find(({ userName }) => userName === message.userName);
    if (!user) return report(reportNames.unknownUser);
    if (message.hasAuth !== (user.auth !== undefined) || message.hasPriv !== (user.priv !== undefined))
      return report(reportNames.unsupportedLevel);
    const keys = keysOf(user, state.engineId);
    if (message.hasAuth && !isAuthentic(message, keys)) return report(reportNames.wrongDigest);
    const ownClock = { boots: state.engineBoots, time: state.engineTime };
    if (message.hasAuth && !isInOwnWindow(ownClock, message.boots, message.time))
      return report(reportNames.notInTimeWindow, { auth: keys.auth! });
    let scoped: ReturnType<typeof openMessage>;
    try {
      scoped = openMessage(message, keys);
    } catch (error) {
      if (!(error instanceof BerError)) throw error;
      return report(reportNames.decryption);
    }
    const vlan = this.#vlanOfContext(scoped.contextName);
    if (vlan === undefined) return report(reportNames.unknownContext, keys, (scoped.pdu as RequestPdu).requestId);
    const asker: SnmpManager = {
      mayWrite: true,
      vlan,
      securityName: user.userName,
      source: `${sender.address}:${sender.port}`,
      version: 'v3',
    };
    const pdu = this.#perform(scoped.pdu, asker);
    return pdu && sealMessage({ ...message, isReportable: false, ...ownClock }, keys, { ...scoped, pdu });
  }

  #vlanOfContext(context: string): number | null | undefined {
    if (context === '') return null;
    const vlan = Number(/^vlan-(\d+)$/.exec(context)?.[1]);
    return this.state.kind === 'cisco' && this.state.vlans.has(vlan) ? vlan : undefined;
  }

  #report(message: V3Message, name: Oid, keys: UsmKeys, requestId: number): Buffer {
    const { engineId, engineBoots, engineTime } = this.state;
    const envelope = { ...message, isReportable: false, engineId, boots: engineBoots, time: engineTime };
    const pdu: Pdu = {
      type: 'report',
      requestId,
      errorStatus: 0,
      errorIndex: 0,
      varbinds: [{ oid: name, type: 'counter', value: 1 }],
    };
    return sealMessage(envelope, keys, { contextEngineId: engineId, contextName: '', pdu });
  }

  #perform(pdu: Pdu, asker: SnmpManager): RequestPdu | null {
    if (pdu.type === 'get') return this.#get(pdu, asker);
    if (pdu.type === 'getNext') return this.#next(pdu, asker);
    if (pdu.type === 'getBulk' && asker.version !== 'v1') return this.#bulk(pdu, asker);
    if (pdu.type === 'set') return this.#set(pdu, asker);
    return null;
  }

  #get(pdu: RequestPdu, asker: SnmpManager): RequestPdu {
    const view = viewOf(this.state, asker.vlan);
    const varbinds = pdu.varbinds.map(
      ({ oid }): Varbind => ({ oid, ...(view.get(oid) ?? { type: 'noSuchInstance', value: null }) }),
    );
    return this.#answered(pdu, varbinds, asker);
  }

  #next(pdu: RequestPdu, asker: SnmpManager): RequestPdu {
    return this.#answered(
      pdu,
      pdu.varbinds.map(({ oid }) => this.#successor(oid, asker)),
      asker,
    );
  }

  #successor(name: Oid, asker: SnmpManager): Varbind {
    if (this.state.mood === 'loop' && name.length > 10) return { oid: name, type: 'integer', value: 1 };
    if (this.state.mood === 'endless' && name.length > 10)
      return { oid: [...name.slice(0, -1), name.at(-1)! + 1], type: 'integer', value: 1 };
    const successor = viewOf(this.state, asker.vlan).next(name);
    return successor ? { oid: successor.oid, ...successor.value } : { oid: name, type: 'endOfMibView', value: null };
  }

  #bulk(pdu: RequestPdu, asker: SnmpManager): RequestPdu {
    const once = pdu.varbinds.slice(0, Math.max(0, pdu.errorStatus)).map(({ oid }) => this.#successor(oid, asker));
    let cursors = pdu.varbinds.slice(once.length).map(({ oid }) => oid);
    const varbinds = [...once];
    let bytes = 60 + sizeOf(once);
    for (let round = 0; round < pdu.errorIndex && cursors.length > 0; round += 1) {
      const successors = cursors.map((cursor) => this.#successor(cursor, asker));
      bytes += sizeOf(successors);
      if (bytes > answerBytesMax || varbinds.length + successors.length > bulkVarbindsMax) {
        // A partial repetition is allowed too (RFC 3416 section 4.2.3), and breaks managers that expect complete ones.
        if (round === 0 || bytes - sizeOf(successors) + sizeOf(successors.slice(0, 1)) <= answerBytesMax)
          varbinds.push(successors[0]!);
        break;
      }
      varbinds.push(...successors);
      if (successors.every(({ type }) => type === 'endOfMibView')) break;
      cursors = successors.map(({ oid }) => oid);
    }
    return { ...pdu, type: 'response', errorStatus: 0, errorIndex: 0, varbinds };
  }

  /** SNMPv1 has one error for all missing variables. */
  #answered(pdu: RequestPdu, varbinds: Varbind[], asker: SnmpManager): RequestPdu {
    const missing = asker.version === 'v1' ? varbinds.findIndex(({ value }) => value === null) : -1;
    if (missing >= 0) return refusal(pdu, 'noSuchName', missing + 1);
    return { ...pdu, type: 'response', errorStatus: 0, errorIndex: 0, varbinds };
  }

  #set(pdu: RequestPdu, asker: SnmpManager): RequestPdu | null {
    const links = new Map(this.state.ports.map((port) => [port, this.state.operUp(port)]));
    const fault = this.#writeFault(pdu);
    const refused = this.#refusalOf(pdu, asker, fault);
    this.state.record(recorded(pdu, asker, refused?.word ?? 'noError'));
    if (!refused) {
      for (const [port, wasUp] of links) if (this.state.operUp(port) !== wasUp) this.onLink?.(port.name, !wasUp);
    }
    if (fault === 'unanswered' || refused?.word === 'silent') return null;
    if (!refused) return { ...pdu, type: 'response', errorStatus: 0, errorIndex: 0 };
    return refusal(pdu, asker.version === 'v1' ? v1Word(refused.word) : refused.word, refused.index);
  }

  #refusalOf(pdu: RequestPdu, asker: SnmpManager, fault: WriteFault['word'] | null) {
    if (fault && fault !== 'unanswered') return { word: fault, index: 1 };
    return asker.mayWrite ? applySet(this.state, pdu.varbinds) : { word: 'noAccess' as const, index: 1 };
  }

  /** Called when a SET has changed the link of a port. */
  onLink: ((portName: string, isUp: boolean) => void) | null = null;

  #writeFault(pdu: RequestPdu): WriteFault['word'] | null {
    const fault = this.state.writeFault;
    if (!fault || (fault.under && !pdu.varbinds.some((varbind) => isBelow(oid(fault.under!), varbind.oid))))
      return null;
    if ((fault.skip ?? 0) > 0) {
      fault.skip = fault.skip! - 1;
      return null;
    }
    if (fault.times !== undefined && fault.times-- <= 0) return null;
    return fault.word;
  }

  close(): void {
    this.#socket?.close();
    this.#socket = null;
  }
}

const refusal = (pdu: RequestPdu, word: ErrorWord, index: number): RequestPdu => ({
  ...pdu,
  type: 'response',
  errorStatus: errorWords.indexOf(word),
  errorIndex: index,
});

/** RFC 3584 section 4.4 */
function v1Word(word: ErrorWord): ErrorWord {
  if (['noAccess', 'notWritable', 'noCreation', 'inconsistentName', 'authorizationError'].includes(word))
    return 'noSuchName';
  if (['wrongValue', 'wrongType', 'wrongLength', 'wrongEncoding', 'inconsistentValue'].includes(word))
    return 'badValue';
  return word === 'tooBig' ? 'tooBig' : 'genErr';
}

const sizeOf = (varbinds: readonly Varbind[]): number =>
  varbinds.reduce((sum, { oid, value }) => sum + 8 + oid.length * 1.3 + (Buffer.isBuffer(value) ? value.length : 5), 0);

function recorded(pdu: RequestPdu, asker: SnmpManager, outcome: RecordedSet['outcome']): RecordedSet {
  const varbinds = pdu.varbinds.map(({ oid, type, value }) => ({
    oid: dotted(oid),
    type,
    value: Buffer.isBuffer(value) ? value.toString('hex') : typeof value === 'number' ? value : String(value),
  }));
  return { source: asker.source, securityName: asker.securityName, varbinds, outcome };
}

function garbled(answer: Buffer): Buffer {
  const bytes = Buffer.from(answer.subarray(0, answer.length - 3));
  bytes[Math.floor(bytes.length / 2)]! ^= 0xff;
  return bytes;
}
