import type { StatusWord } from './failure.ts';
import type { FilePart } from './http/multipart.ts';
import type { PermissionKey, Rights, Verb } from './permissions.ts';
import type { RecordRows } from './read/record-rows.ts';
import type { Limits } from './scope.ts';
import { integerMax, type ObjectShape, type Shape } from './shape.ts';
import type { Origin } from './write/sinks.ts';

/** Who calls: an account, by one of its tokens or sessions, with the rights that are left to that. */
export interface Caller {
  accountId: number;
  userID: string;
  rights: Rights;
  /** Which rows the profile lets them see, where it does not let them see all. */
  limits?: Limits | undefined;
  credential: { kind: 'token' | 'session'; publicId: string; name: string; scopes: Record<string, string[]> | null };
}

/** Who may call an operation. `verb` 'save' is a POST that adds or modifies: which of both shows only when the record is looked up. */
export type Access =
  | { kind: 'open' }
  | { kind: 'signed-in' }
  | { kind: 'permission'; key: PermissionKey; verb: Verb | 'save' };

export interface QueryParameter {
  shape: Shape;
  /** May be given more than once. */
  many?: boolean;
  required?: boolean;
}

/** A request that passed every check which needs no database. */
export interface Call {
  operation: Operation;
  caller: Caller;
  origin: Origin;
  /** The `{id}` of the path. */
  id: number;
  /** Other path parameters, in the written form of their kind. */
  parameters: Readonly<Record<string, string>>;
  query: Readonly<Record<string, unknown>>;
  body: unknown;
  /** The files of an upload, as they arrive; absent when a body was sent. */
  files?: AsyncIterable<FilePart>;
  ifMatch: number | undefined;
  idempotency: { key: string; hash: Buffer } | undefined;
  dryRun: boolean;
  nowMs: number;
  /** The client went away, or the service is stopping. */
  signal: AbortSignal;
}

/** What an operation answers; the envelope, the format and the headers are the kernel's business. */
export interface Answer {
  httpCode?: number;
  results?: readonly unknown[];
  /** Results that are still rows of the database. */
  rows?: RecordRows;
  filtered?: number;
  total?: number;
  /** Path of the created record, or of the background task. */
  location?: string;
  version?: number;
  /** The `after` of the next page. */
  next?: string;
  headers?: Readonly<Record<string, string>>;
  /** Holds a secret: not cached, not kept for a repeated call. */
  secret?: boolean;
}

/** Files that an operation takes: what each field of a form is, and how large all may be together. */
export interface Uploads {
  bytesMax: number;
  fields: Readonly<Record<string, string>>;
  /** A single file may also be the whole body, as one of these media types; it is then the first field. */
  types?: readonly string[];
}

/** One operation of the catalogue, as data for the router, the documents and the tests, with the function that does it. */
export interface Operation {
  /** The group's name in the catalogue. */
  group: string;
  operationId: string;
  method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** From the root of the service, such as `/api/v2/device/container/{id}`. */
  path: string;
  summary: string;
  access: Access;
  /** What the parameters of the path are, besides `{id}`; text when absent. A number or a word that does not fit is another path, all else is 400. */
  pathShapes?: Readonly<Record<string, Shape>>;
  query: Readonly<Record<string, QueryParameter>>;
  body?: Shape;
  /** A body may be left out although the operation takes one. */
  bodyOptional?: boolean;
  /** The shape of the elements of `results`; absent where only status and errorMessage are answered. */
  result?: ObjectShape | Shape;
  /** What a dry run answers: the record as it would be. */
  rehearsal?: ObjectShape;
  /** Carries `filtered` and `total`. */
  counted?: boolean;
  /** Changes something: takes `dryRun` and `Idempotency-Key`. */
  writes: boolean;
  /** The HTTP code of success. */
  success: 200 | 201 | 202;
  /** It may also answer 202, and where to follow what was begun. */
  queues?: boolean;
  errors: readonly StatusWord[];
  /** Takes its list parameters as a body too. */
  listed?: boolean;
  /** Answers `text/event-stream` on demand. */
  streams?: boolean;
  /** Takes files instead of a body. */
  uploads?: Uploads;
  example?: unknown;
  run(call: Call): Promise<Answer>;
}

/** Errors that any operation can answer. */
export const commonErrors = [
  'invalid',
  'unauthenticated',
  'forbidden',
  'unsupported',
  'too-large',
  'throttled',
  'error',
  'unavailable',
] as const satisfies StatusWord[];

const idShape: Shape = { kind: 'integer', min: 1, max: integerMax };

/** What a parameter of an operation's path is. */
export const pathShape = ({ pathShapes }: Pick<Operation, 'pathShapes'>, name: string): Shape =>
  pathShapes?.[name] ?? (name === 'id' ? idShape : { kind: 'text', max: 200 });
