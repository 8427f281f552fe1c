import { randomBytes, randomInt } from 'node:crypto';
import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { Failure, rejected } from '../../kernel/failure.ts';
import type { OutboundAddress, OutboundGuard } from '../outbound/outbound.ts';
import type { TestResult, TestStep } from '../test-result.ts';
import {
  type Authenticity,
  accessRequest,
  authenticityOf,
  decode,
  type Packet,
  PacketError,
  packetCode,
  type Request,
  statusServer,
} from './packet.ts';

/** A RADIUS server as an administrator has entered it; a port of 0 is not tested. */
export interface RadiusProbe {
  host: string;
  authPort: number;
  acctPort: number;
  secret: string;
  checkUser: string;
  checkPassword: string;
}

/** Tests of other RADIUS servers. */
export interface Radius {
  /** Returns whether a UDP socket can be opened and tests are permitted. */
  canProbe(): Promise<{ supported: boolean; reason: string | null }>;
  /** Tests whether the server replies, the secret is right and the check user is accepted. */
  probe(probe: RadiusProbe): Promise<TestResult>;
}

interface RadiusClientOptions {
  outbound: OutboundGuard;
  /** True if the deployment file forbids tests. */
  probesForbidden?: boolean;
  /** Time for one try. */
  timeoutMs?: number;
  tries?: number;
}

const forbiddenReason = 'The deployment file forbids tests of other servers.';
const noAnswer = 'no answer';
const wrongSecret = 'bad authenticator (wrong secret)';

// Shares of the time of one try. With two tries of one second, a test of a silent server ends after 2.8 seconds, and a
// reject that FreeRADIUS delays by one second (its default) still arrives in the second and third window.
const earlyShare = 0.3; // Status-Server is waited for until 1.7 s
const quietShare = 0.4; // the test of the secret starts after 0.4 s
const lastChanceShare = 1.1; // the check user is tried until 2.8 s
// A forged reply may arrive before the real one, so the client keeps waiting after a bad one (RFC 2865 section 3
// discards it).
const graceShare = 0.2;

/** Tests other RADIUS servers over UDP. */
export function radiusClient(options: RadiusClientOptions): Radius {
  const pace: Pace = { timeoutMs: options.timeoutMs ?? 1_000, tries: options.tries ?? 2 };
  return {
    async canProbe() {
      if (options.probesForbidden) return { supported: false, reason: forbiddenReason };
      const socket = createSocket('udp4');
      try {
        socket.bind(0);
        await once(socket, 'listening');
        return { supported: true, reason: null };
      } catch (error) {
        return { supported: false, reason: `No UDP socket can be opened: ${messageOf(error)}` };
      } finally {
        socket.close();
      }
    },

    async probe(probe) {
      if (options.probesForbidden) throw rejected(forbiddenReason);
      const startMs = performance.now();
      const finding = await probeServer(probe, options.outbound, pace);
      return { ...finding, durationMs: Math.round(performance.now() - startMs) };
    },
  };
}

interface Pace {
  timeoutMs: number;
  tries: number;
}

async function probeServer(
  probe: RadiusProbe,
  outbound: OutboundGuard,
  pace: Pace,
): Promise<Pick<TestResult, 'passed' | 'steps'>> {
  let target: OutboundAddress;
  try {
    target = await outbound.resolve(probe.host);
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return { passed: false, steps: [{ name: 'resolve', passed: false, detail: error.message }] };
  }
  // In parallel, so that a silent server does not cost the time of both.
  const [auth, acct] = await Promise.all([
    probe.authPort === 0 ? null : withChannel(target, probe.authPort, (channel) => probeAuth(channel, probe, pace)),
    probe.acctPort === 0 ? null : withChannel(target, probe.acctPort, (channel) => probeAcct(channel, probe, pace)),
  ]);

  const steps: TestStep[] = [{ name: 'resolve', passed: true, detail: target.address }];
  if (auth) steps.push(statusStep('status-server', auth.status, auth.access === null && auth.isSecretRight));
  if (auth?.access) steps.push(auth.access);
  if (acct) steps.push(statusStep('status-server-accounting', acct));

  // The test shows an administrator whether the server can be used. Many servers do not support RFC 5997, so a missing
  // reply to Status-Server is shown but does not fail the test if the server has proved itself otherwise: it accepted
  // the check user, or, without one, it signed a reject with the right secret. Accounting cannot be proved otherwise,
  // so a missing reply is accepted in that case only: a server that replies to Status-Server for authentication would
  // reply for accounting, and a closed port never replies.
  const isProved = auth !== null && (auth.access ? auth.access.passed : auth.isSecretRight);
  const isForgiven = isProved && auth.status.kind === 'silent';
  const passed = steps.every(
    (step) =>
      step.passed ||
      (isForgiven && step.name === 'status-server') ||
      (isForgiven && step.name === 'status-server-accounting' && acct?.kind === 'silent'),
  );
  return { passed, steps };
}

interface AuthFinding {
  status: Outcome;
  access: TestStep | null;
  isSecretRight: boolean;
}

// The secret is tested before the check password is sent, if the server permits that.
async function probeAuth(channel: Channel, probe: RadiusProbe, pace: Pace): Promise<AuthFinding> {
  const windowMs = (pace.tries - earlyShare) * pace.timeoutMs;
  const quietMs = quietShare * pace.timeoutMs;
  const status = askStatus(channel, probe.secret, packetCode.accessAccept, pace, windowMs);
  const early = await Promise.race([status, delay(quietMs, null, { ref: false })]);
  const evidence = early ?? (await firstTelling([status, askSecret(channel, probe.secret, pace, windowMs - quietMs)]));

  if (evidence.kind === 'forged') return { status: evidence, access: checkNotSent(probe), isSecretRight: false };
  if (evidence.kind === 'unreachable') {
    // The port is closed: sending the password would find nothing else.
    return { status: evidence, access: probe.checkUser === '' ? null : accessStep(evidence), isSecretRight: false };
  }
  const isSecretRight = evidence.kind === 'reply';
  const access = probe.checkUser === '' ? null : await checkAccess(channel, probe, pace, isSecretRight);
  return { status: await status, access, isSecretRight };
}

function probeAcct(channel: Channel, probe: RadiusProbe, pace: Pace): Promise<Outcome> {
  return askStatus(channel, probe.secret, packetCode.accountingResponse, pace, pace.tries * pace.timeoutMs);
}

// RFC 5997 section 4.2: Access-Accept comes from an authentication port, Accounting-Response from an accounting port.
function askStatus(channel: Channel, secret: string, code: number, pace: Pace, forMs: number): Promise<Outcome> {
  const request = statusServer({ identifier: channel.identifier(), secret });
  return channel.send({
    request,
    secret,
    codes: [code],
    sends: pace.tries,
    everyMs: pace.timeoutMs,
    forMs,
    ...grace(pace),
  });
}

/**
 * Sends a request for a user that does not exist, without a Message-Authenticator. A server drops a packet with a wrong
 * Message-Authenticator, so a wrong secret would look like a stopped server; this request it rejects, and it signs the
 * reject with its own secret. A server that requires Message-Authenticator does not reply: then the two cases cannot be
 * distinguished.
 */
function askSecret(channel: Channel, secret: string, pace: Pace, forMs: number): Promise<Outcome> {
  const request = accessRequest({
    identifier: channel.identifier(),
    secret,
    userName: `portreeve-secret-check-${randomBytes(6).toString('hex')}`,
    password: randomBytes(8).toString('hex'),
    isSigned: false,
  });
  const everyMs = pace.timeoutMs / 2;
  return channel.send({ request, secret, codes: accessReplies, sends: pace.tries, everyMs, forMs, ...grace(pace) });
}

async function checkAccess(
  channel: Channel,
  probe: RadiusProbe,
  pace: Pace,
  isSecretRight: boolean,
): Promise<TestStep> {
  let request: Request;
  try {
    request = accessRequest({
      identifier: channel.identifier(),
      secret: probe.secret,
      userName: probe.checkUser,
      password: probe.checkPassword,
    });
  } catch (error) {
    if (!(error instanceof PacketError)) throw error;
    return { name: 'access-request', passed: false, detail: `not sent: ${error.message}` };
  }
  // After silence this is the last try, for a server that only replies to a complete Access-Request.
  const forMs = (isSecretRight ? pace.tries : lastChanceShare) * pace.timeoutMs;
  const everyMs = forMs / pace.tries;
  const { secret } = probe;
  return accessStep(
    await channel.send({ request, secret, codes: accessReplies, sends: pace.tries, everyMs, forMs, ...grace(pace) }),
  );
}

const accessReplies = [packetCode.accessAccept, packetCode.accessReject, packetCode.accessChallenge];

function grace({ timeoutMs }: Pace) {
  return { graceMs: graceShare * timeoutMs };
}

function statusStep(name: string, outcome: Outcome, isSecretRight = false): TestStep {
  // The examples of RFC 5997 show a reply without Message-Authenticator and FreeRADIUS 3.2 sends none; it grants no
  // access.
  if (outcome.kind === 'reply') return { name, passed: true, detail: 'answered' };
  if (outcome.kind === 'forged') return { name, passed: false, detail: wrongSecret };
  const detail = isSecretRight
    ? `${noAnswer}, but the response to an Access-Request shows that the secret is right`
    : noAnswer;
  return { name, passed: false, detail };
}

function accessStep(outcome: Outcome): TestStep {
  const detail = accessDetail(outcome);
  return { name: 'access-request', passed: detail === 'accepted', detail };
}

function accessDetail(outcome: Outcome): string {
  if (outcome.kind === 'forged') return wrongSecret;
  if (outcome.kind !== 'reply') return noAnswer;
  // CVE-2024-3596: without it an attacker on the path can change an Access-Reject into an Access-Accept.
  if (outcome.authenticity !== 'signed') return 'no Message-Authenticator in reply';
  if (outcome.packet.code === packetCode.accessAccept) return 'accepted';
  return outcome.packet.code === packetCode.accessReject ? 'rejected' : 'challenged';
}

function checkNotSent(probe: RadiusProbe): TestStep | null {
  return probe.checkUser === ''
    ? null
    : { name: 'access-request', passed: false, detail: 'not sent: the secret is wrong' };
}

/**
 * `forged`: only replies with another secret; `unreachable`: the network reports that the port or host is not
 * reachable.
 */
type Outcome =
  | { kind: 'reply'; packet: Packet; authenticity: Exclude<Authenticity, 'forged'> }
  | { kind: 'silent' | 'forged' | 'unreachable' };

interface Question {
  request: Request;
  secret: string;
  /** Packet codes of valid replies; packets with other codes are ignored. */
  codes: readonly number[];
  sends: number;
  everyMs: number;
  forMs: number;
  graceMs: number;
}

interface Channel {
  /** Returns a packet identifier that no other request of this channel uses. */
  identifier(): number;
  /** Resends the packet until a reply arrives or the time is over. Never rejects; closing the channel ends it. */
  send(question: Question): Promise<Outcome>;
}

interface Waiting {
  receive(packet: Packet): void;
  settle(outcome: Outcome): void;
}

// Errors that the network reports for packets that do not arrive (ICMP, routing, a firewall).
const networkErrors = ['ECONNREFUSED', 'EHOSTUNREACH', 'ENETUNREACH', 'EHOSTDOWN', 'EACCES', 'EPERM', 'EADDRNOTAVAIL'];

/**
 * Calls `work` with a UDP socket that receives packets from one address and port only, and closes the socket
 * afterwards.
 */
async function withChannel<T>(
  { address, family }: OutboundAddress,
  port: number,
  use: (channel: Channel) => Promise<T>,
) {
  const socket = createSocket(family === 4 ? 'udp4' : 'udp6');
  const waiting = new Map<number, Waiting>();
  const settleAll = (outcome: Outcome) => {
    for (const waiter of [...waiting.values()]) waiter.settle(outcome);
  };
  let isUnreachable = false;
  const lose = () => {
    isUnreachable = true;
    settleAll({ kind: 'unreachable' });
  };
  let nextIdentifier = randomInt(256);
  try {
    // Connected, so that the kernel drops packets of other senders and reports "port unreachable".
    socket.connect(port, address);
    await once(socket, 'connect').catch((error: unknown) => {
      if (!networkErrors.includes(codeOf(error))) throw error;
      isUnreachable = true;
    });
    socket.on('error', lose);
    socket.on('message', (datagram) => {
      const packet = packetOf(datagram);
      if (packet) waiting.get(packet.identifier)?.receive(packet);
    });
    return await use({
      identifier() {
        nextIdentifier = (nextIdentifier + 1) % 256;
        return nextIdentifier;
      },
      send: (question) =>
        isUnreachable ? Promise.resolve({ kind: 'unreachable' }) : ask(socket, waiting, question, lose),
    });
  } finally {
    settleAll({ kind: 'silent' });
    socket.close();
  }
}

function ask(socket: Socket, waiting: Map<number, Waiting>, question: Question, lose: () => void): Promise<Outcome> {
  const { request, secret } = question;
  return new Promise((resolve) => {
    let isForged = false;
    let sends = 0;
    let sending: NodeJS.Timeout | undefined;
    const settle = (outcome: Outcome) => {
      clearTimeout(sending);
      clearTimeout(ending);
      waiting.delete(request.identifier);
      resolve(outcome);
    };
    const end = () => settle({ kind: isForged ? 'forged' : 'silent' });
    let ending = setTimeout(end, question.forMs);
    const send = () => {
      sends += 1;
      if (sends < question.sends) sending = setTimeout(send, question.everyMs);
      socket.send(request.bytes, (error) => {
        if (error) lose();
      });
    };
    waiting.set(request.identifier, {
      settle,
      receive(packet) {
        if (!question.codes.includes(packet.code)) return;
        const authenticity = authenticityOf(packet, request, secret);
        if (authenticity !== 'forged') return settle({ kind: 'reply', packet, authenticity });
        if (isForged) return;
        isForged = true;
        clearTimeout(ending);
        ending = setTimeout(end, question.graceMs);
      },
    });
    send();
  });
}

// Returns null for a datagram that is not a RADIUS packet: any host can send one.
function packetOf(datagram: Buffer): Packet | null {
  try {
    return decode(datagram);
  } catch (error) {
    if (error instanceof PacketError) return null;
    throw error;
  }
}

/** Resolves with the first outcome that is not silence, or with silence if all are silent. */
function firstTelling(outcomes: readonly Promise<Outcome>[]): Promise<Outcome> {
  return new Promise((resolve, reject) => {
    let pendingCount = outcomes.length;
    for (const pending of outcomes) {
      pending.then((outcome) => {
        pendingCount -= 1;
        if (outcome.kind !== 'silent' || pendingCount === 0) resolve(outcome);
      }, reject);
    }
  });
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : '';
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
