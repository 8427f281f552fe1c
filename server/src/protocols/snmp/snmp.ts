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
  /** Called before each datagram; what it throws ends the request, and nothing is sent. */
  beforeSend?: (() => void) | undefined;
}

/** A row of a column: what follows the column's name, and the value. */
export interface Row {
  index: Oid;
  value: Value;
}

export interface WalkBounds {
  /** More rows than this, in all columns together, are a fault of the device. */
  rowsMax?: number;
  msMax?: number;
}

/** What the service asks network devices by SNMP. Every failure is `remote-failed` or `remote-timeout`, in the device's words. */
export interface Snmp {
  /** Values in the order of their names; null for what the device does not have. */
  get(target: SnmpTarget, names: readonly Oid[]): Promise<(Value | null)[]>;
  /** The first value behind each name; null at the end of all. */
  next(target: SnmpTarget, names: readonly Oid[]): Promise<(Varbind | null)[]>;
  /** Whole columns, asked for side by side; all rows of each, or a failure. */
  walk(target: SnmpTarget, columns: readonly Oid[], bounds?: WalkBounds): Promise<Row[][]>;
  /** All values or none. */
  set(target: SnmpTarget, values: readonly Varbind[]): Promise<void>;
  /** Tries the credentials in their order. */
  probe(targets: readonly SnmpTarget[]): Promise<ProbeResult>;
  /** Engine id of a version 3 device that was asked before. */
  engineOf(target: SnmpTarget): Promise<Buffer | undefined>;
  stats(): SnmpStats;
  close(): void;
}

/** `target` is the first that was answered; without one, whether somebody refused the credentials. */
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
  /** Packets that answer nothing we asked, or are not authentic. */
  strayPackets: number;
}

export type SnmpFaultKind = 'silent' | 'unauthenticated' | 'refused' | 'malformed';

/** Why a device could not be asked; the cause of the failure that callers get. */
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

/** The SNMP fault behind an error: for callers that distinguish wrong credentials from a silent device. */
export function snmpFaultOf(error: unknown): SnmpFault | undefined {
  if (error instanceof SnmpFault) return error;
  return error instanceof Failure && error.cause instanceof SnmpFault ? error.cause : undefined;
}

/** Makes the answer of the contract from a fault: the device is named, its credentials never are. */
export function failureOf(target: SnmpTarget, error: unknown): unknown {
  if (!(error instanceof SnmpFault)) return error;
  const sentence = `The device ${target.host} (SNMP port ${target.port}) ${error.message}.`;
  return error.kind === 'silent' ? remoteTimeout(sentence, error) : remoteFailed(sentence, error);
}

export const refusedBy = (word: ErrorWord, name: Oid | undefined): SnmpFault =>
  new SnmpFault('refused', `answered ${word}${name ? ` for ${dotted(name)}` : ''}`, word);
