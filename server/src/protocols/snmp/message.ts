import { BerError, BerReader, BerWriter, berTag } from './ber.ts';
import type { Oid } from './oid.ts';

export type Value =
  | { type: 'integer' | 'counter' | 'gauge' | 'ticks'; value: number }
  | { type: 'counter64'; value: bigint }
  | { type: 'octets' | 'opaque' | 'ipAddress'; value: Buffer }
  | { type: 'oid'; value: Oid }
  | { type: 'null' | 'noSuchObject' | 'noSuchInstance' | 'endOfMibView'; value: null };

export type Varbind = Value & { oid: Oid };

const valueTags = {
  integer: berTag.integer,
  octets: berTag.octets,
  null: berTag.null,
  oid: berTag.oid,
  ipAddress: 0x40,
  counter: 0x41,
  gauge: 0x42,
  ticks: 0x43,
  opaque: 0x44,
  counter64: 0x46,
  noSuchObject: 0x80,
  noSuchInstance: 0x81,
  endOfMibView: 0x82,
} as const satisfies Record<Value['type'], number>;

const pduTags = {
  get: 0xa0,
  getNext: 0xa1,
  response: 0xa2,
  set: 0xa3,
  trapV1: 0xa4,
  getBulk: 0xa5,
  inform: 0xa6,
  trap: 0xa7,
  report: 0xa8,
} as const;

/** RFC 3416 section 3; SNMPv1 has the first six only. */
export const errorWords = [
  'noError',
  'tooBig',
  'noSuchName',
  'badValue',
  'readOnly',
  'genErr',
  'noAccess',
  'wrongType',
  'wrongLength',
  'wrongEncoding',
  'wrongValue',
  'noCreation',
  'inconsistentValue',
  'resourceUnavailable',
  'commitFailed',
  'undoFailed',
  'authorizationError',
  'notWritable',
  'inconsistentName',
] as const;

export type ErrorWord = (typeof errorWords)[number];

export interface RequestPdu {
  type: Exclude<keyof typeof pduTags, 'trapV1'>;
  requestId: number;
  /** In a GETBULK: non-repeaters, the number of names that are read once. */
  errorStatus: number;
  /** In a GETBULK: max-repetitions, the number of successors of each other name. */
  errorIndex: number;
  varbinds: readonly Varbind[];
}

export interface TrapV1Pdu {
  type: 'trapV1';
  enterprise: Oid;
  agentAddress: Buffer;
  generic: number;
  specific: number;
  ticks: number;
  varbinds: readonly Varbind[];
}

export type Pdu = RequestPdu | TrapV1Pdu;

export interface CommunityMessage {
  version: 'v1' | 'v2c';
  community: Buffer;
  pdu: Pdu;
}

/** A received SNMPv3 message; not trusted before its authentication is checked. */
export interface V3Message {
  version: 'v3';
  msgId: number;
  isReportable: boolean;
  hasAuth: boolean;
  hasPriv: boolean;
  engineId: Buffer;
  boots: number;
  time: number;
  userName: string;
  authentication: Buffer;
  /** Offset of `authentication`, which is set to zero for the check. */
  authenticationAt: number;
  salt: Buffer;
  /** The scoped PDU, encrypted if `hasPriv`. */
  payload: Buffer;
  /** All bytes of the message. */
  bytes: Buffer;
}

export type Message = CommunityMessage | V3Message;

export interface ScopedPdu {
  contextEngineId: Buffer;
  contextName: string;
  pdu: Pdu;
}

const versions = { v1: 0, v2c: 1, v3: 3 } as const;
const usm = 3;
const flag = { auth: 1, priv: 2, reportable: 4 } as const;

// A datagram contains no more; a PDU that declares more is rejected before memory is allocated.
const varbindsMax = 8_192;

/** Decodes an SNMP message; throws `BerError` for anything else. */
export function decodeMessage(bytes: Buffer): Message {
  const reader = new BerReader(bytes).enter();
  const version = reader.integer();
  if (version === versions.v3) return decodeV3(bytes, reader);
  if (version !== versions.v1 && version !== versions.v2c) throw new BerError(`version ${version} is not understood`);
  const community = reader.octets();
  return { version: version === versions.v1 ? 'v1' : 'v2c', community, pdu: readPdu(reader) };
}

function decodeV3(bytes: Buffer, reader: BerReader): V3Message {
  const header = reader.enter();
  const msgId = header.integer();
  header.integer(); // msgMaxSize: our messages are smaller than every permitted value
  const flags = header.octets();
  if (flags.length !== 1) throw new BerError('msgFlags has not one byte');
  const model = header.integer();
  if (model !== usm) throw new BerError(`security model ${model} is not understood`);

  const security = reader.octets();
  const parameters = new BerReader(bytes, reader.at - security.length, reader.at).enter();
  const engineId = parameters.octets();
  const boots = parameters.integer();
  const time = parameters.integer();
  const userName = parameters.octets().toString('utf8');
  const authentication = parameters.octets();
  const authenticationAt = parameters.at - authentication.length;
  const salt = parameters.octets();
  // RFC 3414 section 2.4 and RFC 3411 section 5 limit these values.
  if (engineId.length > 32 || userName.length > 32 || boots < 0 || time < 0)
    throw new BerError('USM parameters are out of range');

  const hasAuth = (flags[0]! & flag.auth) !== 0;
  const hasPriv = (flags[0]! & flag.priv) !== 0;
  // RFC 3412 section 7.2 step 5d
  if (hasPriv && !hasAuth) throw new BerError('privacy without authentication is not a security level');
  const payload = hasPriv ? reader.octets() : reader.raw(berTag.sequence);
  const isReportable = (flags[0]! & flag.reportable) !== 0;
  return {
    version: 'v3',
    msgId,
    isReportable,
    hasAuth,
    hasPriv,
    engineId,
    boots,
    time,
    userName,
    authentication,
    authenticationAt,
    salt,
    payload,
    bytes,
  };
}

export function decodeScopedPdu(bytes: Buffer): ScopedPdu {
  const reader = new BerReader(bytes).enter();
  const contextEngineId = reader.octets();
  const contextName = reader.octets().toString('utf8');
  return { contextEngineId, contextName, pdu: readPdu(reader) };
}

const pduTypes = new Map(Object.entries(pduTags).map(([type, tag]) => [tag as number, type as Pdu['type']]));

function readPdu(reader: BerReader): Pdu {
  const tag = reader.peek();
  const type = pduTypes.get(tag);
  if (type === undefined) throw new BerError(`PDU ${tag} is not understood`);
  const pdu = reader.enter(tag);
  if (type === 'trapV1') {
    return {
      type,
      enterprise: pdu.oid(),
      agentAddress: pdu.octets(valueTags.ipAddress),
      generic: pdu.integer(),
      specific: pdu.integer(),
      ticks: pdu.unsigned(valueTags.ticks),
      varbinds: readVarbinds(pdu),
    };
  }
  const requestId = pdu.integer();
  const errorStatus = pdu.integer();
  const errorIndex = pdu.integer();
  return { type, requestId, errorStatus, errorIndex, varbinds: readVarbinds(pdu) };
}

function readVarbinds(pdu: BerReader): Varbind[] {
  const list = pdu.enter();
  const varbinds: Varbind[] = [];
  while (!list.isAtEnd) {
    if (varbinds.length === varbindsMax) throw new BerError(`a PDU has more than ${varbindsMax} values`);
    const pair = list.enter();
    varbinds.push(readValue(pair, pair.oid()));
  }
  return varbinds;
}

function readValue(reader: BerReader, oid: Oid): Varbind {
  const tag = reader.peek();
  switch (tag) {
    case valueTags.integer:
      return { oid, type: 'integer', value: reader.integer() };
    case valueTags.octets:
      return { oid, type: 'octets', value: reader.octets() };
    case valueTags.oid:
      return { oid, type: 'oid', value: reader.oid() };
    case valueTags.ipAddress:
      return { oid, type: 'ipAddress', value: reader.octets(tag) };
    case valueTags.counter:
      return { oid, type: 'counter', value: reader.unsigned(tag) };
    case valueTags.gauge:
      return { oid, type: 'gauge', value: reader.unsigned(tag) };
    case valueTags.ticks:
      return { oid, type: 'ticks', value: reader.unsigned(tag) };
    case valueTags.opaque:
      return { oid, type: 'opaque', value: reader.octets(tag) };
    case valueTags.counter64:
      return { oid, type: 'counter64', value: reader.counter64(tag) };
    case valueTags.null:
      reader.skip(tag);
      return { oid, type: 'null', value: null };
    case valueTags.noSuchObject:
      reader.skip(tag);
      return { oid, type: 'noSuchObject', value: null };
    case valueTags.noSuchInstance:
      reader.skip(tag);
      return { oid, type: 'noSuchInstance', value: null };
    case valueTags.endOfMibView:
      reader.skip(tag);
      return { oid, type: 'endOfMibView', value: null };
    default:
      throw new BerError(`a value with tag ${tag} is not understood`);
  }
}

export function encodeCommunityMessage({ version, community, pdu }: CommunityMessage): Buffer {
  const writer = new BerWriter();
  const mark = writer.mark;
  writePdu(writer, pdu);
  writer.octets(community);
  writer.integer(versions[version]);
  writer.wrap(berTag.sequence, mark);
  return writer.done();
}

export function encodeScopedPdu({ contextEngineId, contextName, pdu }: ScopedPdu): Buffer {
  const writer = new BerWriter();
  const mark = writer.mark;
  writePdu(writer, pdu);
  writer.octets(Buffer.from(contextName, 'utf8'));
  writer.octets(contextEngineId);
  writer.wrap(berTag.sequence, mark);
  return writer.done();
}

/** Encodes `authentication` unchanged: the caller passes zeros and fills in the digest afterwards. */
export function encodeV3Message(message: Omit<V3Message, 'version' | 'authenticationAt' | 'bytes'>): Buffer {
  const writer = new BerWriter();
  const mark = writer.mark;
  if (message.hasPriv) writer.octets(message.payload);
  else writer.bytes(message.payload);

  const securityMark = writer.mark;
  writer.octets(message.salt);
  writer.octets(message.authentication);
  writer.octets(Buffer.from(message.userName, 'utf8'));
  writer.integer(message.time);
  writer.integer(message.boots);
  writer.octets(message.engineId);
  writer.wrap(berTag.sequence, securityMark);
  writer.wrap(berTag.octets, securityMark);

  const headerMark = writer.mark;
  writer.integer(usm);
  const flags =
    (message.hasAuth ? flag.auth : 0) |
    (message.hasPriv ? flag.priv : 0) |
    (message.isReportable ? flag.reportable : 0);
  writer.octets(Buffer.of(flags));
  writer.integer(65_507);
  writer.integer(message.msgId);
  writer.wrap(berTag.sequence, headerMark);

  writer.integer(versions.v3);
  writer.wrap(berTag.sequence, mark);
  return writer.done();
}

function writePdu(writer: BerWriter, pdu: Pdu): void {
  const mark = writer.mark;
  for (let index = pdu.varbinds.length - 1; index >= 0; index -= 1) writeVarbind(writer, pdu.varbinds[index]!);
  writer.wrap(berTag.sequence, mark);
  if (pdu.type === 'trapV1') {
    writer.integer(pdu.ticks, valueTags.ticks);
    writer.integer(pdu.specific);
    writer.integer(pdu.generic);
    writer.octets(pdu.agentAddress, valueTags.ipAddress);
    writer.oid(pdu.enterprise);
  } else {
    writer.integer(pdu.errorIndex);
    writer.integer(pdu.errorStatus);
    writer.integer(pdu.requestId);
  }
  writer.wrap(pduTags[pdu.type], mark);
}

function writeVarbind(writer: BerWriter, varbind: Varbind): void {
  const mark = writer.mark;
  const tag = valueTags[varbind.type];
  switch (varbind.type) {
    case 'integer':
    case 'counter':
    case 'gauge':
    case 'ticks':
      writer.integer(varbind.value, tag);
      break;
    case 'counter64':
      writer.counter64(varbind.value, tag);
      break;
    case 'octets':
    case 'opaque':
    case 'ipAddress':
      writer.octets(varbind.value, tag);
      break;
    case 'oid':
      writer.oid(varbind.value);
      break;
    default:
      writer.empty(tag);
  }
  writer.oid(varbind.oid);
  writer.wrap(berTag.sequence, mark);
}
