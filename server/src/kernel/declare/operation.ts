import type { StatusWord } from '../failure.ts';
import type { Caller, Origin } from './caller.ts';
import type { Pattern } from './declaration.ts';
import type { PermissionKey, Verb } from './permissions.ts';
import type { ObjectShape, Shape } from './shape.ts';
import { shapes } from './shapes.ts';

/**
 * The permission that an operation requires. `verb` 'save' is a POST that adds or modifies: which of the two is known only after the
 * record was looked up.
 */
export type Access =
  | { kind: 'open' }
  | { kind: 'signed-in' }
  | { kind: 'permission'; key: PermissionKey; verb: Verb | 'save' };

export interface QueryParameter {
  shape: Shape;
  /** May be given more than once. */
  many?: boolean;
  required?: boolean;
  /** Many parameters named `<name>.<word>`, whose word matches this pattern; read as a list of names and values. */
  family?: string;
}

/** A file of a `multipart/form-data` body: its field and content. The client's file name is ignored. */
export interface FilePart {
  field: string;
  content: AsyncIterable<Buffer>;
}

/** A request that passed every check which needs no database. `B`, `Q` and `P` are the types of its body, query and path parameters. */
export interface Call<
  B = unknown,
  Q = Readonly<Record<string, unknown>>,
  P = Readonly<Record<string, string | number>>,
> {
  operation: Operation;
  caller: Caller;
  origin: Origin;
  /** The `{id}` of the path. */
  id: number;
  /** Other path parameters, in the written form of their kind. */
  parameters: P;
  query: Q;
  body: B;
  /** The files of an upload, as they arrive; absent when a body was sent. */
  files?: AsyncIterable<FilePart>;
  ifMatch: number | undefined;
  idempotency: { key: string; hash: Buffer } | undefined;
  dryRun: boolean;
  nowMs: number;
  /** Aborted if the client disconnects or the service stops. */
  signal: AbortSignal;
  /** Set if a background task runs the call: the operation reports its progress here, and may take long. */
  follow?: (done: number, total: number) => void;
}

/** The formats of bodies and responses. */
export type Format = 'json' | 'xml';

/** Results as database rows: the response is written from them without creating records. */
export interface AnswerRows {
  /**
   * Returns the complete response body: the opening text, the records and the closing text. `shown`: the shape of the records if only
   * some fields were selected.
   */
  answer(format: Format, open: Buffer, close: string, shown?: ObjectShape): Buffer;
}

/** The result of an operation; the kernel adds the envelope, the format and the headers. */
export interface Answer {
  httpCode?: number;
  results?: readonly unknown[];
  /** Results as database rows. */
  rows?: AnswerRows;
  filtered?: number;
  total?: number;
  /** Path of the created record, or of the background task. */
  location?: string;
  version?: number;
  /** The `after` of the next page. */
  next?: string;
  headers?: Readonly<Record<string, string>>;
  /** The `results` have the shape of the operation's `impact`. */
  isImpact?: true;
  /** The `results` have the shape of the operation's `instead`. */
  isInstead?: true;
  /** The write cannot affect connections, so a dry run lists none. */
  hasNoImpact?: true;
  /** Contains a secret: not cached, and not stored for a repeated call. */
  secret?: boolean;
}

/** A checked request for a file. */
export interface FileRequest {
  /** The `{id}` of the path. */
  id: number;
  /** Other path parameters, as text. */
  parameters: Readonly<Record<string, string>>;
  query: Readonly<Record<string, unknown>>;
  /** The header `Accept`; empty if absent. */
  accept: string;
  /** The header `Accept-Encoding`; empty if absent. */
  encodings: string;
}

/** A file in a response, sent without the envelope. */
export interface FileContent {
  /** Its content type. */
  type: string;
  bytes: string | Buffer;
  etag: string;
  /** 200 when absent. */
  httpCode?: number;
  /** How long clients may cache it; default 0. */
  maxAgeSeconds?: number;
  /** Headers that are added to the usual ones of a file, or replace them. */
  headers?: Readonly<Record<string, string>>;
}

/** The files that an operation takes: the fields of the form, and the limit on their total size. */
export interface Uploads {
  bytesMax: number;
  fields: Readonly<Record<string, string>>;
  /** Media types of a body that is a single file; it is read as the first field. */
  types?: readonly string[];
  /** Each part is a field of the body, so all of it is read before the operation starts: for small files only. */
  asBody?: true;
}

/** One operation of the catalogue with its function, as data for the router, the documents and the tests. */
export interface Operation {
  /** The resource's name in the catalogue. */
  group: string;
  operationId: string;
  method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** From the root of the service, such as `/api/v2/device/container/{id}`. */
  path: string;
  summary: string;
  /** The pattern that provides it; absent for an action. */
  pattern?: Pattern;
  access: Access;
  /** The field that is always returned if the caller selects fields with the parameter `fields`. */
  identity?: string;
  /** The path parameter with the record's identity, if it is not `id`. */
  idName?: string;
  /** Shapes of the path parameters other than `{id}`; text if absent. A number or choice that does not match is an unknown path, anything else is 400. */
  pathShapes?: Readonly<Record<string, Shape>>;
  query: Readonly<Record<string, QueryParameter>>;
  body?: Shape;
  /** The body may be omitted. */
  bodyOptional?: boolean;
  /** A body is not required and not read. */
  ignoresBody?: boolean;
  /** The shape of the elements of `results`; absent if only status and errorMessage are returned. */
  result?: ObjectShape | Shape;
  /** The result of a dry run: the record after the change. */
  dryRunResult?: ObjectShape;
  /**
   * A POST that creates also updates an existing record, and then returns 200. Implied by `stale` among its errors if it takes a
   * version.
   */
  updates?: true;
  /** A dry run returns these instead: the open connections that would change. `maxImpact` limits their number in a write. */
  impact?: ObjectShape;
  /** Some of its writes cannot affect connections: their dry run returns no results and no counts. */
  impactMayBeNone?: true;
  /** With this flag, the operation returns results of another shape, without counts. */
  instead?: { parameter: string; result: ObjectShape };
  /** The response contains `filtered` and `total`. */
  counted?: boolean;
  /** Sends requests to another system. */
  external?: true;
  /** Changes something: takes `dryRun` and `Idempotency-Key`. */
  writes: boolean;
  /** Exempt from the rate limit: for health checks, which cost almost nothing. */
  isUnthrottled?: true;
  /** Pages send it by a timer, so it does not keep a session alive. */
  isUnattended?: true;
  /** The HTTP code of success. */
  success: 200 | 201 | 202;
  /** May also return 202 with the address of the background task. */
  queues?: boolean;
  errors: readonly StatusWord[];
  /** Takes its list parameters as a body too. */
  listed?: boolean;
  /** Sends `text/event-stream` on request. */
  streams?: boolean;
  /** Takes files instead of a body. */
  uploads?: Uploads;
  example?: unknown;
  run(call: Call): Promise<Answer>;
}

/** Errors that any operation can return. */
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

/** Returns the shape of a path parameter. */
export const pathShape = ({ pathShapes, idName }: Pick<Operation, 'pathShapes' | 'idName'>, name: string): Shape =>
  pathShapes?.[name] ?? (name === (idName ?? 'id') ? shapes.id : { kind: 'text', max: 200 });

/** Returns the shape of the elements of a response's `results`. */
export const answeredShape = (
  { result, impact, instead, dryRunResult }: Operation,
  { isImpact, isInstead }: Answer = {},
): ObjectShape | Shape | undefined => (isImpact ? impact : isInstead ? instead?.result : (result ?? dryRunResult));

/** True if the caller may give a reason: for every operation that writes. */
export const takesReason = ({ writes, uploads }: Operation): boolean => writes || uploads !== undefined;
