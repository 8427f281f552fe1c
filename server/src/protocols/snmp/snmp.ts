import { Failure, remoteFailed, remoteTimeout } from '../../kernel/failure.ts';
import type { ErrorWord, Value, Varbind } from './message.ts';
import { dotted, type Oid } from './oid.ts';
import type { UsmUser } from './usm.ts';

export type SnmpCredential =
  | { version: 'v1' | 'v2c'; community: string }
  | { version: 'v3'; user: UsmUser /** Name of the context, such as `vlan-30`. */; context?: string };

export interface SnmpTarget {
  host: string;
  port: number;
  credential: SnmpCredential;
  /** Time for one try. */
  timeoutMs: number;
  retries: number;
  signal?: AbortSignal | undefined;
  /** Called before each datagram; an error that it throws ends the request, and nothing is sent. */
  beforeSend?: (() => void) | undefined;
}

/** A row of a column: the rest of the name after the column's, and the value. */
export interface Row {
  index: Oid;
  value: Value;
}

export interface WalkBounds {
  /** Limit on the rows of all columns together; more are treated as a fault of the device. */
  rowsMax?: number;
  msMax?: number;
}

/**
 * SNMP operations on network devices. Every failure is `remote-failed` or `remote-timeout`, with the device's message.
 */
export interface Snmp {
  /** Reads values, in the order of their names; null for an object that the device does not have. */
  get(target: SnmpTarget, names: readonly Oid[]): Promise<(Value | null)[]>;
  /** Reads the first value after each name; null at the end of the MIB. */
  next(target: SnmpTarget, names: readonly Oid[]): Promise<(Varbind | null)[]>;
  /** Reads complete columns in parallel; throws if one is incomplete. */
  walk(target: SnmpTarget, columns: readonly Oid[], bounds?: WalkBounds): Promise<Row[][]>;
  /** Writes all values or none. */
  set(target: SnmpTarget, values: readonly Varbind[]): Promise<void>;
  /** Tries the credentials in order. */
  probe(targets: readonly SnmpTarget[]): Promise<ProbeResult>;
  /** Returns the engine id of a version 3 device that has replied before. */
  engineOf(target: SnmpTarget): Promise<Buffer | undefined>;
  stats(): SnmpStats;
  close(): void;
}

/** `at` is the index of the first target that replied; without one, `kind` shows whether credentials were refused. */
export type ProbeResult =
  | { kind: 'answered'; at: number; values: (Value | null)[] }
  | { kind: 'silent' | 'refused'; detail: string };

export interface SnmpStats {
  sockets: number;
  inFlight: number;
  waiting: number;
  requests: number;
  retransmissions: number;
  timeouts: number;
  /** Packets that are not replies to a request, or not authentic. */
  strayPackets: number;
}

export type SnmpFaultKind = 'silent' | 'unauthenticated' | 'refused' | 'malformed';

/** The reason why a request to a device failed; set as the cause of the failure that callers get. */
export class SnmpFault extends Error {
  override readonly name = 'SnmpFault';
  readonly kind: SnmpFaultKind;
  readonly word: ErrorWord | undefined;

  constructor(kind: SnmpFaultKind, message: string, word?: ErrorWord) {
    super(message);
    this.kind = kind;
    this.word = word;
  }
}

/** Returns the SNMP fault behind an error, for callers that distinguish wrong credentials from a silent device. */
export function snmpFaultOf(error: unknown): SnmpFault | undefined {
  if (error instanceof SnmpFault) return error;
  return error instanceof Failure && error.cause instanceof SnmpFault ? error.cause : undefined;
}

/** Converts a fault to a failure of the contract, which contains the device but never its credentials. */
export function failureOf(target: SnmpTarget, error: unknown): unknown {
  if (!(error instanceof SnmpFault)) return error;
  const sentence = `The device ${target.host} (SNMP port ${target.port}) ${error.message}.`;
  return error.kind === 'silent' ? remoteTimeout(sentence, error) : remoteFailed(sentence, error);
}

export const refusedBy = (word: ErrorWord, name: Oid | undefined): SnmpFault =>
  new SnmpFault('refused', `answered ${word}${name ? ` for ${dotted(name)}` : ''}`, word);
