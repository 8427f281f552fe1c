import { randomInt } from 'node:crypto';
import type { OutboundAddress, OutboundGuard } from '../outbound/outbound.ts';
import { BerError } from './ber.ts';
import { BoundedMap } from './bounded-map.ts';
import { EngineClocks } from './engine-clocks.ts';
import { Exchange, type Question } from './exchange.ts';
import {
  type ErrorWord,
  encodeCommunityMessage,
  errorWords,
  type Message,
  type RequestPdu,
  type V3Message,
  type Value,
  type Varbind,
} from './message.ts';
import { compareOids, dotted, isBelow, type Oid, oid } from './oid.ts';
import {
  failureOf,
  type ProbeResult,
  type Row,
  refusedBy,
  type Snmp,
  SnmpFault,
  type SnmpTarget,
  snmpFaultOf,
} from './snmp.ts';
import {
  isAuthentic,
  keysOf,
  openMessage,
  passwordLengthMin,
  reportNames,
  sealMessage,
  type UsmKeys,
  type UsmUser,
} from './usm.ts';

interface SnmpClientOptions {
  outbound: OutboundGuard;
  /** Shared with the trap receiver, so that both use the same engine clocks. */
  clocks?: EngineClocks;
  inFlightMax?: number;
}

const enginesMax = 8_192;
const namesPerGet = 20;
/** Values that fit into a packet without fragmentation; some networks drop fragments. */
const valuesPerBulk = 40;
const rowsMaxDefault = 200_000;
const walkMsMaxDefault = 60_000;
const v3RoundsMax = 4;

export const systemNames = {
  descr: oid('1.3.6.1.2.1.1.1.0'),
  objectId: oid('1.3.6.1.2.1.1.2.0'),
  upTime: oid('1.3.6.1.2.1.1.3.0'),
  contact: oid('1.3.6.1.2.1.1.4.0'),
  name: oid('1.3.6.1.2.1.1.5.0'),
  location: oid('1.3.6.1.2.1.1.6.0'),
  services: oid('1.3.6.1.2.1.1.7.0'),
  ifNumber: oid('1.3.6.1.2.1.2.1.0'),
} as const;

/** The objects that `probe` reads, in this order. */
export const probeNames = [
  systemNames.objectId,
  systemNames.name,
  systemNames.descr,
  systemNames.services,
  systemNames.ifNumber,
];

/** Messages to administrators for the Reports of an agent. */
const reportWords: Readonly<Record<string, string>> = {
  [dotted(reportNames.unsupportedLevel)]:
    'does not support the requested security level for this user (usmStatsUnsupportedSecLevels)',
  [dotted(reportNames.unknownUser)]: 'does not know the user (usmStatsUnknownUserNames)',
  [dotted(reportNames.wrongDigest)]: 'does not accept the authentication password or protocol (usmStatsWrongDigests)',
  [dotted(reportNames.decryption)]: 'does not accept the privacy password or protocol (usmStatsDecryptionErrors)',
  [dotted(reportNames.unknownContext)]: 'does not know the context (snmpUnknownContexts)',
};
const notInTimeWindow = dotted(reportNames.notInTimeWindow);
const unknownEngine = dotted(reportNames.unknownEngine);
const unknownContext = dotted(reportNames.unknownContext);

/** Creates an SNMP client for versions 1, 2c and 3. */
export function snmpClient(options: SnmpClientOptions): Snmp {
  const exchange = new Exchange(options.inFlightMax ?? 256);
  const engines = new BoundedMap<string, Buffer>(enginesMax);
  const clocks = options.clocks ?? new EngineClocks(enginesMax);

  /** Runs one operation: checks the outbound guard once and converts errors to failures of the contract. */
  async function operate<T>(target: SnmpTarget, work: (ask: SendRequest) => Promise<T>): Promise<T> {
    const address = await options.outbound.resolve(target.host);
    try {
      return await work((pdu) => ask({ exchange, engines, clocks, target, to: address }, pdu));
    } catch (error) {
      throw failureOf(target, error);
    }
  }

  return {
    get: (target, names) => operate(target, (ask) => get(ask, target, names)),
    next: (target, names) => operate(target, (ask) => next(ask, names)),
    walk: (target, columns, bounds = {}) =>
      operate(target, (ask) =>
        walk(ask, target, columns, bounds.rowsMax ?? rowsMaxDefault, bounds.msMax ?? walkMsMaxDefault),
      ),
    set: (target, values) => operate(target, (ask) => set(ask, values)),
    probe: (targets) => probe(targets, (target) => operate(target, (ask) => get(ask, target, probeNames))),
    async engineOf(target) {
      return engines.get(placeOf(target, await options.outbound.resolve(target.host)));
    },
    stats: () => ({ ...exchange.gauges, ...exchange.counts }),
    close: () => exchange.close(),
  };
}

type PduBody = Omit<RequestPdu, 'requestId'>;
type SendRequest = (pdu: PduBody) => Promise<RequestPdu>;

interface Line {
  exchange: Exchange;
  engines: BoundedMap<string, Buffer>;
  clocks: EngineClocks;
  target: SnmpTarget;
  to: OutboundAddress;
}

const placeOf = ({ port }: SnmpTarget, { address }: OutboundAddress): string => `${address} ${port}`;
const request = (type: PduBody['type'], names: readonly Oid[], errorStatus = 0, errorIndex = 0): PduBody => ({
  type,
  errorStatus,
  errorIndex,
  varbinds: names.map((name) => ({ oid: name, type: 'null', value: null })),
});
const wordOf = ({ errorStatus }: RequestPdu): ErrorWord => errorWords[errorStatus] ?? 'genErr';
const isMissing = ({ type }: Value): boolean =>
  type === 'noSuchObject' || type === 'noSuchInstance' || type === 'endOfMibView';

async function get(ask: SendRequest, target: SnmpTarget, names: readonly Oid[]): Promise<(Value | null)[]> {
  const values: (Value | null)[] = [];
  for (let start = 0; start < names.length; start += namesPerGet) {
    values.push(...(await getSome(ask, names.slice(start, start + namesPerGet))));
    target.signal?.throwIfAborted();
  }
  return values;
}

async function getSome(ask: SendRequest, names: readonly Oid[]): Promise<(Value | null)[]> {
  const answer = await ask(request('get', names));
  if (answer.errorStatus === 0)
    return matched(answer.varbinds, names).map((varbind) => (isMissing(varbind) ? null : varbind));
  const word = wordOf(answer);
  const errorPosition = answer.errorIndex - 1;
  // SNMPv1 refuses the complete request if one name does not exist (RFC 1157 section 4.1.2).
  if (word === 'noSuchName' && errorPosition >= 0 && errorPosition < names.length) {
    const otherValues = names.length === 1 ? [] : await getSome(ask, names.toSpliced(errorPosition, 1));
    return otherValues.toSpliced(errorPosition, 0, null);
  }
  if (word === 'tooBig' && names.length > 1) {
    const middle = names.length >> 1;
    return [...(await getSome(ask, names.slice(0, middle))), ...(await getSome(ask, names.slice(middle)))];
  }
  throw refusedBy(word, names[errorPosition]);
}

function matched(varbinds: readonly Varbind[], names: readonly Oid[]): readonly Varbind[] {
  const isUnrestricted =
    varbinds.length === names.length &&
    varbinds.every((varbind, index) => compareOids(varbind.oid, names[index]!) === 0);
  if (!isUnrestricted) throw new SnmpFault('malformed', 'returned other values than requested');
  return varbinds;
}

async function next(ask: SendRequest, names: readonly Oid[]): Promise<(Varbind | null)[]> {
  const answer = await ask(request('getNext', names));
  const errorPosition = answer.errorIndex - 1;
  if (wordOf(answer) === 'noSuchName' && errorPosition >= 0 && errorPosition < names.length) {
    const otherVarbinds = names.length === 1 ? [] : await next(ask, names.toSpliced(errorPosition, 1));
    return otherVarbinds.toSpliced(errorPosition, 0, null);
  }
  if (answer.errorStatus !== 0) throw refusedBy(wordOf(answer), names[errorPosition]);
  if (answer.varbinds.length !== names.length) throw new SnmpFault('malformed', 'returned other values than requested');
  return answer.varbinds.map((varbind) => (isMissing(varbind) ? null : varbind));
}

interface Walked {
  root: Oid;
  cursor: Oid;
  rows: Row[];
  isDone: boolean;
}

async function walk(
  ask: SendRequest,
  target: SnmpTarget,
  columns: readonly Oid[],
  rowsMax: number,
  msMax: number,
): Promise<Row[][]> {
  const endMs = performance.now() + msMax;
  const walked = columns.map((root): Walked => ({ root, cursor: root, rows: [], isDone: false }));
  let rowsLeft = rowsMax;
  for (;;) {
    const active = walked.filter(({ isDone }) => !isDone);
    if (active.length === 0) return walked.map(({ rows }) => rows);
    if (performance.now() > endMs)
      throw new SnmpFault('silent', `did not return a complete table within ${msMax / 1_000} seconds`);
    target.signal?.throwIfAborted();
    const varbinds = await successors(ask, target, active);
    for (const [index, varbind] of varbinds.entries()) rowsLeft -= take(active[index % active.length]!, varbind);
    if (rowsLeft < 0)
      throw new SnmpFault('malformed', `has more than ${rowsMax} rows in ${dotted(columns[0]!)} and its like`);
  }
}

/** Adds the value to its column; returns the number of rows added. */
function take(column: Walked, varbind: Varbind): 0 | 1 {
  if (column.isDone) return 0;
  if (varbind.type === 'endOfMibView' || !isBelow(column.root, varbind.oid)) {
    column.isDone = true;
    return 0;
  }
  // Some agents return names in a circle, so a table whose names do not increase would never end.
  if (compareOids(varbind.oid, column.cursor) <= 0) {
    throw new SnmpFault('malformed', `does not walk forward: ${dotted(varbind.oid)} follows ${dotted(column.cursor)}`);
  }
  column.rows.push({ index: varbind.oid.slice(column.root.length), value: varbind });
  column.cursor = varbind.oid;
  return 1;
}

/** Reads the next values of all columns, as many rows as fit into a packet. */
async function successors(
  ask: SendRequest,
  target: SnmpTarget,
  active: readonly Walked[],
): Promise<readonly Varbind[]> {
  const names = active.map(({ cursor }) => cursor);
  if (target.credential.version === 'v1') {
    const successorVarbinds = await next(ask, names);
    return successorVarbinds.map(
      (varbind, index) => varbind ?? { oid: names[index]!, type: 'endOfMibView', value: null },
    );
  }
  for (let rounds = Math.max(1, Math.floor(valuesPerBulk / names.length)); ; rounds = rounds >> 1) {
    const answer = await ask(request('getBulk', names, 0, rounds));
    if (wordOf(answer) === 'tooBig' && rounds > 1) continue;
    if (answer.errorStatus !== 0) throw refusedBy(wordOf(answer), names[answer.errorIndex - 1]);
    if (answer.varbinds.length === 0) throw new SnmpFault('malformed', 'returned an empty response to a walk');
    return answer.varbinds;
  }
}

async function set(ask: SendRequest, values: readonly Varbind[]): Promise<void> {
  const answer = await ask({ type: 'set', errorStatus: 0, errorIndex: 0, varbinds: values });
  if (answer.errorStatus !== 0) throw refusedBy(wordOf(answer), values[answer.errorIndex - 1]?.oid);
}

async function probe(
  targets: readonly SnmpTarget[],
  readValues: (target: SnmpTarget) => Promise<(Value | null)[]>,
): Promise<ProbeResult> {
  let failed: ProbeResult = { kind: 'silent', detail: 'No credentials were given.' };
  for (const [targetIndex, target] of targets.entries()) {
    try {
      return { kind: 'answered', at: targetIndex, values: await readValues(target) };
    } catch (error) {
      const fault = snmpFaultOf(error);
      if (!fault) throw error;
      // A refusal is more specific than the silence of other targets.
      if (fault.kind !== 'silent' || failed.kind === 'silent') {
        failed = { kind: fault.kind === 'silent' ? 'silent' : 'refused', detail: (error as Error).message };
      }
    }
  }
  return failed;
}

const newId = (): number => randomInt(1, 0x7fff_ffff);

/** Sends a PDU and returns the response, with any error status. */
async function ask(line: Line, pdu: PduBody): Promise<RequestPdu> {
  return line.target.credential.version === 'v3' ? askV3(line, pdu, line.target.credential) : askCommunity(line, pdu);
}

function silent({ timeoutMs, retries }: SnmpTarget): SnmpFault {
  const tries = retries === 0 ? 'one try' : `${retries + 1} tries`;
  return new SnmpFault('silent', `did not respond within ${((retries + 1) * timeoutMs) / 1_000} seconds and ${tries}`);
}

const questionOf = ({ target, to: address }: Line): Omit<Question, 'id' | 'bytes' | 'read'> => ({
  to: address,
  port: target.port,
  timeoutMs: target.timeoutMs,
  retries: target.retries,
  signal: target.signal,
  beforeSend: target.beforeSend,
});

async function askCommunity(line: Line, pdu: PduBody): Promise<RequestPdu> {
  const { version, community } = line.target.credential as { version: 'v1' | 'v2c'; community: string };
  const id = newId();
  const secret = Buffer.from(community, 'utf8');
  const answer = await line.exchange.send({
    ...questionOf(line),
    id,
    bytes: encodeCommunityMessage({ version, community: secret, pdu: { ...pdu, requestId: id } }),
    read: (message) =>
      message.version === version && message.pdu.type === 'response' && message.community.equals(secret)
        ? message.pdu
        : undefined,
  });
  if (!answer) throw silent(line.target);
  return answer as RequestPdu;
}

/** A Report-PDU that an agent sends instead of a response. */
interface Report {
  name: string;
  isAuthentic: boolean;
  engineId: Buffer;
  boots: number;
  time: number;
}

type V3Answer = { pdu: RequestPdu } | { report: Report };

/** RFC 3414 section 4: requests the engine id first, and the engine's clock if the stored one differs. */
async function askV3(line: Line, pdu: PduBody, credential: { user: UsmUser; context?: string }): Promise<RequestPdu> {
  const { user } = credential;
  for (const secret of [user.auth, user.priv]) {
    if (secret && Buffer.byteLength(secret.password) < passwordLengthMin) {
      throw new SnmpFault(
        'unauthenticated',
        `cannot be contacted: an SNMPv3 password must have at least ${passwordLengthMin} characters`,
      );
    }
  }
  const place = placeOf(line.target, line.to);
  let hint: { boots: number; time: number } | undefined;
  for (let round = 0; round < v3RoundsMax; round += 1) {
    const cachedEngineId = line.engines.get(place);
    if (!cachedEngineId) {
      const report = await discover(line);
      line.engines.set(place, report.engineId);
      hint = report;
      continue;
    }
    const answer = await askEngine(line, pdu, credential, cachedEngineId, hint);
    if ('pdu' in answer) return answer.pdu;
    const { report } = answer;
    if (report.name === unknownEngine) line.engines.delete(place);
    else if (report.name === notInTimeWindow) {
      if (report.isAuthentic) line.clocks.admit(report.engineId, report.boots, report.time);
      hint = report;
    } else {
      const words = reportWords[report.name] ?? `sent the report ${report.name}`;
      throw new SnmpFault(report.name === unknownContext ? 'refused' : 'unauthenticated', words);
    }
  }
  throw new SnmpFault('unauthenticated', 'did not accept the engine id and time');
}

async function discover(line: Line): Promise<Report> {
  const nobody = Buffer.alloc(0);
  const msgId = newId();
  const empty: RequestPdu = { ...request('get', []), requestId: newId() };
  const envelope = { msgId, isReportable: true, engineId: nobody, boots: 0, time: 0, userName: '' };
  const answer = await line.exchange.send({
    ...questionOf(line),
    id: msgId,
    bytes: sealMessage(envelope, {}, { contextEngineId: nobody, contextName: '', pdu: empty }),
    read: (message) => (message.version === 'v3' && message.engineId.length >= 5 ? reportOf(message, {}) : undefined),
  });
  if (!answer) throw silent(line.target);
  return answer as Report;
}

async function askEngine(
  line: Line,
  pdu: PduBody,
  { user, context }: { user: UsmUser; context?: string },
  engineId: Buffer,
  hint: { boots: number; time: number } | undefined,
): Promise<V3Answer> {
  const msgId = newId();
  const requestId = newId();
  const keys = keysOf(user, engineId);
  const { boots, time } = hint ?? line.clocks.now(engineId) ?? { boots: 0, time: 0 };
  const scoped = { contextEngineId: engineId, contextName: context ?? '', pdu: { ...pdu, requestId } };
  const answer = await line.exchange.send({
    ...questionOf(line),
    id: msgId,
    bytes: sealMessage({ msgId, isReportable: true, engineId, boots, time, userName: user.userName }, keys, scoped),
    read: (message) => readV3(message, keys, engineId, requestId, line.clocks),
  });
  if (!answer) throw silent(line.target);
  return answer as V3Answer;
}

/**
 * Accepts a response only with the security level of the request; a Report may have a lower level, because the agent
 * may have no key for it.
 */
function readV3(
  message: Message,
  keys: UsmKeys,
  engineId: Buffer,
  requestId: number,
  clocks: EngineClocks,
): V3Answer | undefined {
  if (message.version !== 'v3') return undefined;
  const hasAllSecurity = message.hasAuth === (keys.auth !== undefined) && message.hasPriv === (keys.priv !== undefined);
  if (hasAllSecurity && message.engineId.equals(engineId)) {
    if (keys.auth && !(isAuthentic(message, keys) && clocks.admit(engineId, message.boots, message.time)))
      return undefined;
    const pdu = pduOf(message, keys);
    if (pdu?.type === 'response') return pdu.requestId === requestId ? { pdu } : undefined;
  }
  const report = reportOf(message, keys);
  return report && { report };
}

function reportOf(message: V3Message, keys: UsmKeys): Report | undefined {
  if (message.hasAuth && !isAuthentic(message, keys)) return undefined;
  const pdu = pduOf(message, keys);
  const [first] = pdu?.type === 'report' ? pdu.varbinds : [];
  if (!first) return undefined;
  const { engineId, boots, time } = message;
  return { name: dotted(first.oid), isAuthentic: message.hasAuth, engineId: Buffer.from(engineId), boots, time };
}

function pduOf(message: V3Message, keys: UsmKeys): RequestPdu | undefined {
  try {
    const { pdu } = openMessage(message, keys);
    return pdu.type === 'trapV1' ? undefined : pdu;
  } catch (error) {
    if (error instanceof BerError) return undefined;
    throw error;
  }
}
