import type { StatusWord } from '../failure.ts';
import type { Caller, Origin } from './caller.ts';
import type { Pattern } from './declaration.ts';
import type { PermissionKey, Verb } from './permissions.ts';
import type { ObjectShape, Shape } from './shape.ts';
import { shapes } from './shapes.ts';

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
  /** Many parameters, `<name>.<word>` each, whose word matches this pattern; read as a list of names and values. */
  family?: string;
}

/** A file of a `multipart/form-data` body: the field it was sent as, and its content. What the client calls the file is not read. */
export interface FilePart {
  field: string;
  content: AsyncIterable<Buffer>;
}

/** A request that passed every check which needs no database; `B`, `Q` and `P`: the types of its body, query and path parameters. */
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
  /** The client went away, or the service is stopping. */
  signal: AbortSignal;
  /** A background task carries it out: it may take long, and says here how far it is. */
  follow?: (done: number, total: number) => void;
}

/** The formats of bodies and answers. */
export type Format = 'json' | 'xml';

/** Results that are still rows of the database: an answer is made of them without records in between. */
export interface AnswerRows {
  /**
   * The whole answer: what stands before the records, the records, and what stands behind them.
   * `shown`: the shape of records of which only some fields are answered.
   */
  answer(format: Format, open: Buffer, close: string, shown?: ObjectShape): Buffer;
}

/** What an operation answers; the envelope, the format and the headers are the kernel's business. */
export interface Answer {
  httpCode?: number;
  results?: readonly unknown[];
  /** Results that are still rows of the database. */
  rows?: AnswerRows;
  filtered?: number;
  total?: number;
  /** Path of the created record, or of the background task. */
  location?: string;
  version?: number;
  /** The `after` of the next page. */
  next?: string;
  headers?: Readonly<Record<string, string>>;
  /** `results` are of the shape that the operation's `impact` has. */
  isImpact?: true;
  /** `results` are of the shape that the operation's `instead` has. */
  isInstead?: true;
  /** The write has nothing to do with connections, so a dry run lists none. */
  hasNoImpact?: true;
  /** Holds a secret: not cached, not kept for a repeated call. */
  secret?: boolean;
}

/** What a request for a file says, checked. */
export interface FileRequest {
  /** The `{id}` of the path. */
  id: number;
  /** Other path parameters, as text. */
  parameters: Readonly<Record<string, string>>;
  query: Readonly<Record<string, unknown>>;
  /** The header `Accept`; empty where there is none. */
  accept: string;
  /** The header `Accept-Encoding`; empty where there is none. */
  encodings: string;
}

/** A file as it is answered, outside the envelope. */
export interface FileContent {
  /** Its content type. */
  type: string;
  bytes: string | Buffer;
  etag: string;
  /** 200 when absent. */
  httpCode?: number;
  /** How long it may be shown without asking again; 0 when absent. */
  maxAgeSeconds?: number;
  /** Added to, or replacing, the headers that every file has. */
  headers?: Readonly<Record<string, string>>;
}

/** Files that an operation takes: what each field of a form is, and how large all may be together. */
export interface Uploads {
  bytesMax: number;
  fields: Readonly<Record<string, string>>;
  /** A single file may also be the whole body, as one of these media types; it is then the first field. */
  types?: readonly string[];
  /** Each part is the field of the body with its name, so all of it is read before the operation begins: small files only. */
  asBody?: true;
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
  /** The pattern that made it; an action of its group has none. */
  pattern?: Pattern;
  access: Access;
  /** The field that is always answered, where the caller may select fields with the parameter `fields`. */
  identity?: string;
  /** What the path calls the identity of the record, where that is not `id`. */
  idName?: string;
  /** Shapes of the path parameters other than `{id}`; text if absent. A number or choice that does not match is an unknown path, anything else is 400. */
  pathShapes?: Readonly<Record<string, Shape>>;
  query: Readonly<Record<string, QueryParameter>>;
  body?: Shape;
  /** A body may be left out although the operation takes one. */
  bodyOptional?: boolean;
  /** A body is neither needed nor read. */
  ignoresBody?: boolean;
  /** The shape of the elements of `results`; absent where only status and errorMessage are answered. */
  result?: ObjectShape | Shape;
  /** What a dry run answers: the record as it would be. */
  dryRunResult?: ObjectShape;
  /** A POST that creates also updates a record that exists, and then answers 200. Follows from `stale` among its errors where it takes a version. */
  updates?: true;
  /** It answers these instead: the live connections that would change, which `maxImpact` bounds in a write. */
  impact?: ObjectShape;
  /** Some of its writes have nothing to do with connections: a dry run of these answers no results and counts nothing. */
  impactMayBeNone?: true;
  /** With this flag it answers results of another shape, without counts. */
  instead?: { parameter: string; result: ObjectShape };
  /** Carries `filtered` and `total`. */
  counted?: boolean;
  /** It asks a system that is not ours. */
  external?: true;
  /** Changes something: takes `dryRun` and `Idempotency-Key`. */
  writes: boolean;
  /** Answered however often it is asked: for health checks, which cost next to nothing. */
  isUnthrottled?: true;
  /** Pages ask it by themselves, so it does not keep a session alive. */
  isUnattended?: true;
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

/** What a parameter of an operation's path is. */
export const pathShape = ({ pathShapes, idName }: Pick<Operation, 'pathShapes' | 'idName'>, name: string): Shape =>
  pathShapes?.[name] ?? (name === (idName ?? 'id') ? shapes.id : { kind: 'text', max: 200 });

/** What the elements of an answer's `results` are. */
export const answeredShape = (
  { result, impact, instead, dryRunResult }: Operation,
  { isImpact, isInstead }: Answer = {},
): ObjectShape | Shape | undefined => (isImpact ? impact : isInstead ? instead?.result : (result ?? dryRunResult));

/** Whether a caller may say why: wherever something is written. */
export const takesReason = ({ writes, uploads }: Operation): boolean => writes || uploads !== undefined;
