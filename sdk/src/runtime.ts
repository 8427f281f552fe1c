import type { StatusWord } from './generated/api.ts';
import { LinkFault, nextPosition } from './next-link.ts';

/** One operation of the service, as the generated table has it. */
export interface OperationInfo {
  /** Such as `container.list`. */
  id: string;
  method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** From the root of the service, such as `/api/v2/device/container/{id}`. */
  path: string;
  summary: string;
  /** What people call the group, such as `AAA server`. */
  group: string;
  /** Names of its query parameters, without `dryRun`. */
  query: readonly string[];
  body: boolean;
  bodyRequired: boolean;
  /** Changes something: takes `dryRun`, and as a POST `Idempotency-Key`. */
  writes: boolean;
  /** Takes `start`, `count` and `after`, so it can be walked. */
  listed: boolean;
  /** Answers `filtered` and `total`. */
  counted: boolean;
  /** HTTP codes of success. */
  success: readonly number[];
  /** Absent where every signed-in caller, or everybody, may. */
  permission?: { readonly key: string; readonly verb: string };
}

/** What a call may carry; an operation that does not take a part of it refuses it. */
export interface CallInput {
  path?: Readonly<Record<string, string | number>>;
  /** A list is sent as a repeated parameter; undefined and null are not sent. */
  query?: Readonly<object>;
  body?: unknown;
  /** Instead of a body, where an operation takes a file: its type says what it is. */
  file?: Blob;
  /** The version, or the ETag, of the record as it was read; one that has changed since is not written. */
  ifMatch?: number | string;
  /** Instead of a key of our own making; false sends none, and then a POST is not repeated. */
  idempotencyKey?: string | false;
  /** Do everything, answer the record as it would be, and undo it. */
  dryRun?: boolean;
  /** Why the write is done: one line, stored with its rows in the audit log. */
  reason?: string;
  signal?: AbortSignal;
}

/** A success. Whatever else the service says is thrown as a PortreeveError. */
export interface Answer<R = unknown> {
  status: string;
  /** Empty where the operation answers none. */
  results: R[];
  /** Records that match. */
  filtered?: number;
  /** All records of the group that the caller may see. */
  total?: number;
  httpCode: number;
  /** Path of the created record, or of the background task. */
  location?: string;
  /** Identity of the created record, or of the background task: the last segment of `location`. */
  id?: number;
  /** The version of the record, for `ifMatch`. */
  etag?: string;
  /** The `after` of the next page; absent on the last one. */
  next?: string;
  requestId?: string;
}

/** The answer of an operation that answers exactly one record, or fails. */
export interface AnswerOfOne<R> extends Answer<R> {
  results: [R];
}

export interface Fault {
  /** Where in the body, such as `#/netId`. */
  pointer?: string;
  /** Which parameter of the query. */
  parameter?: string;
  detail: string;
}

/** What the service refused, or that it could not be reached. The message is one sentence for each fault. */
export class PortreeveError extends Error {
  override readonly name = 'PortreeveError';
  /** `unreachable` when no answer came. */
  readonly word: StatusWord | 'unreachable';
  /** 0 when no answer came. */
  readonly httpCode: number;
  readonly faults: Fault[];
  readonly requestId?: string;
  readonly retryAfterSeconds?: number;

  constructor(
    message: string,
    about: Pick<PortreeveError, 'word' | 'httpCode'> &
      Partial<Pick<PortreeveError, 'faults' | 'requestId' | 'retryAfterSeconds'>> & { cause?: unknown },
  ) {
    super(message, { cause: about.cause });
    this.word = about.word;
    this.httpCode = about.httpCode;
    this.faults = about.faults ?? [];
    this.requestId = about.requestId;
    this.retryAfterSeconds = about.retryAfterSeconds;
  }
}

export interface ClientOptions {
  /** Where the service is, such as `https://nac.example.net`. */
  url: string;
  /** An API token or the key of a session; without one only open operations answer. */
  token?: string;
  /** How often a call is repeated at most; 3 unless said otherwise. */
  retriesMax?: number;
  /** How long one try may take; 120 unless said otherwise. */
  timeoutSeconds?: number;
  fetch?: typeof fetch;
  userAgent?: string;
  /** The reason of every write that has none of its own. */
  reason?: string;
  /** Sent with every call, such as `X-Security-Key` of a page that is signed in by its cookie. */
  headers?: Readonly<Record<string, string>>;
}

/** The service answers JSON to this, and faults as RFC 9457: problem+json is served for faults only, so it may come first. */
const acceptHeader = 'application/problem+json, application/json;q=0.9';

/** Answers of the service, or of a proxy before it, that say "not now". */
const temporaryCodes: ReadonlySet<number> = new Set([429, 502, 503, 504]);

/** Who is told to wait longer than this decides for himself. */
const waitSecondsMax = 60;
const pauseMsFirst = 250;
const pauseMsMax = 8_000;

/** Calls the operations of one service. Knows nothing of any of them: the generated table does. */
export class Client {
  readonly #url: string;
  readonly #headers: Readonly<Record<string, string>>;
  readonly #retriesMax: number;
  readonly #timeoutMs: number;
  readonly #fetch: typeof fetch;
  readonly #reason: string | undefined;

  constructor(options: ClientOptions) {
    this.#url = options.url.replace(/\/+$/, '');
    this.#headers = {
      ...options.headers,
      accept: acceptHeader,
      ...(options.token && { authorization: `Bearer ${options.token}` }),
      ...(options.userAgent && { 'user-agent': options.userAgent }),
    };
    this.#retriesMax = options.retriesMax ?? 3;
    this.#reason = options.reason;
    this.#timeoutMs = (options.timeoutSeconds ?? 120) * 1_000;
    // Bound, because a browser's fetch refuses to be called as somebody's method.
    this.#fetch = options.fetch ?? globalThis.fetch.bind(globalThis);
  }

  /** Calls one operation; repeats it where that is safe and may help. */
  async call<R = unknown>(operation: OperationInfo, input: CallInput = {}): Promise<Answer<R>> {
    const url = this.#url + pathOf(operation, input) + searchOf(input);
    const key = keyOf(operation, input);
    const reason = input.reason ?? (operation.writes ? this.#reason : undefined);
    const request: RequestInit = {
      method: operation.method,
      headers: {
        ...this.#headers,
        ...(input.body !== undefined && { 'content-type': 'application/json' }),
        ...(input.file && { 'content-type': input.file.type }),
        ...(key !== undefined && { 'idempotency-key': key }),
        ...(reason !== undefined && { 'x-reason': headerText(reason) }),
        ...(input.ifMatch !== undefined && { 'if-match': entityTag(input.ifMatch) }),
      },
      ...(input.body !== undefined && { body: JSON.stringify(input.body) }),
      ...(input.file && { body: input.file }),
      // A redirect would turn a POST into a GET, and may carry the token elsewhere.
      redirect: 'manual',
    };
    const isRepeatable = operation.method !== 'POST' || key !== undefined || input.dryRun === true;
    for (let retries = 0; ; retries++) {
      const outcome = await this.#try<R>(url, request, input.signal);
      if (!(outcome instanceof PortreeveError)) return outcome;
      // Who was throttled was not let in, so nothing was done that a repetition would do twice.
      const mayHelp = outcome.httpCode === 429 || (isRepeatable && isTemporary(outcome));
      const waitMs = pauseMs(retries, outcome.retryAfterSeconds);
      if (!mayHelp || retries >= this.#retriesMax || waitMs > waitSecondsMax * 1_000) throw outcome;
      await pause(waitMs, input.signal);
    }
  }

  /** Calls an operation that answers one record. */
  async one<R>(operation: OperationInfo, input: CallInput = {}): Promise<AnswerOfOne<R>> {
    const answer = await this.call<R>(operation, input);
    const [record, ...furtherRecords] = answer.results;
    if (record === undefined || furtherRecords.length > 0)
      throw new Error(`${operation.id} answered ${answer.results.length} records instead of one.`);
    return { ...answer, results: [record] };
  }

  /** Every record of a list, page after page, none twice: follows `Link: rel="next"`. `count` is the size of a page here. */
  async *walk<R = unknown>(operation: OperationInfo, input: CallInput = {}): AsyncGenerator<R, void, undefined> {
    let query = input.query;
    for (;;) {
      const page = await this.call<R>(operation, { ...input, query });
      yield* page.results;
      if (page.next === undefined || page.results.length === 0) return;
      query = { ...query, start: undefined, from: undefined, after: page.next };
    }
  }

  /** One try: an answer, or why there is none. Only what the caller asked for, such as an abort, is thrown. */
  async #try<R>(url: string, request: RequestInit, signal: AbortSignal | undefined) {
    signal?.throwIfAborted();
    const timeout = new AbortController();
    // A timer that outlives its call holds what the call has read.
    const timer = setTimeout(() => timeout.abort(), this.#timeoutMs);
    try {
      const response = await this.#fetch(url, {
        ...request,
        signal: signal ? AbortSignal.any([signal, timeout.signal]) : timeout.signal,
      });
      const text = await response.text();
      return response.ok ? answerOf<R>(response, text) : failureOf(response, text);
    } catch (cause) {
      signal?.throwIfAborted();
      const why = timeout.signal.aborted ? `no answer came within ${this.#timeoutMs / 1_000} s` : reasonOf(cause);
      return new PortreeveError(`${new URL(url).origin} cannot be reached: ${why}.`, {
        word: 'unreachable',
        httpCode: 0,
        cause,
      });
    } finally {
      clearTimeout(timer);
    }
  }
}

function pathOf(operation: OperationInfo, { path = {} }: CallInput): string {
  return operation.path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = path[name];
    if (value === undefined || value === '') throw new TypeError(`${operation.id} needs ${name}.`);
    return encodeURIComponent(value);
  });
}

function searchOf({ query = {}, dryRun }: CallInput): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries({ ...query, ...(dryRun !== undefined && { dryRun }) })) {
    for (const item of Array.isArray(value) ? value : [value])
      if (item !== undefined && item !== null) search.append(name, String(item));
  }
  const text = search.toString();
  return text && `?${text}`;
}

/** The key that lets the service see that a repeated write is the same one. */
function keyOf(operation: OperationInfo, { idempotencyKey, file }: CallInput): string | undefined {
  if (operation.method !== 'POST' || !operation.writes || file || idempotencyKey === false) return undefined;
  return idempotencyKey ?? randomKey();
}

/** A page that is not served over HTTPS has no crypto.randomUUID. */
const randomKey = (): string =>
  crypto.randomUUID?.() ??
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('');

/** A header carries bytes: each byte of UTF-8 as one character. */
const headerText = (text: string): string => String.fromCharCode(...new TextEncoder().encode(text));

const entityTag = (version: number | string): string => (/^\d+$/.test(`${version}`) ? `"${version}"` : `${version}`);

interface Envelope<R> {
  status: string;
  results?: R[];
  filtered?: number;
  total?: number;
}

function answerOf<R>(response: Response, text: string): Answer<R> | PortreeveError {
  const envelope = jsonObject(text) as Partial<Envelope<R>> | undefined;
  if (envelope?.status !== 'success') return unexpectedResponse(response);
  const location = header(response, 'location');
  let nextCursor: string | undefined;
  try {
    nextCursor = nextPosition(header(response, 'link'));
  } catch (error) {
    // Taken for the last page, it would end a walk early.
    if (error instanceof LinkFault) return unexpectedResponse(response);
    throw error;
  }
  const id = location === undefined ? Number.NaN : Number(location.split('/').at(-1));
  return {
    status: envelope.status,
    results: envelope.results ?? [],
    filtered: envelope.filtered,
    total: envelope.total,
    httpCode: response.status,
    location,
    id: Number.isSafeInteger(id) ? id : undefined,
    etag: header(response, 'etag'),
    next: nextCursor,
    requestId: header(response, 'x-request-id'),
  };
}

/** `title`, `detail` and `errors` of a problem; `status` and `errorMessage` of the envelope, where a request was too broken to negotiate. */
interface ErrorBody {
  title?: string;
  detail?: string;
  errors?: Fault[];
  status?: string | number;
  errorMessage?: string;
}

function failureOf(response: Response, text: string): PortreeveError {
  const errorBody = jsonObject(text) as ErrorBody | undefined;
  const word = errorBody?.title ?? errorBody?.status;
  const message = errorBody?.detail ?? errorBody?.errorMessage;
  if (typeof word !== 'string' || typeof message !== 'string') return unexpectedResponse(response);
  return new PortreeveError(message, { ...aboutOf(response), word: word as StatusWord, faults: errorBody?.errors });
}

/** No answer of the contract: a proxy in between, or another service altogether. */
function unexpectedResponse(response: Response): PortreeveError {
  const code = response.status;
  const origin = response.url ? new URL(response.url).origin : 'The address';
  const isRedirect = response.type === 'opaqueredirect' || (code >= 300 && code < 400);
  const message = isRedirect
    ? `${origin} redirects elsewhere; give the address that the service itself has.`
    : `${origin} answered HTTP ${code}, but not as Portreeve does.`;
  const word = code === 429 ? 'throttled' : temporaryCodes.has(code) ? 'unavailable' : 'error';
  return new PortreeveError(message, { ...aboutOf(response), word });
}

const aboutOf = (response: Response) => ({
  httpCode: response.status,
  requestId: header(response, 'x-request-id'),
  retryAfterSeconds: secondsOf(header(response, 'retry-after')),
});

const header = (response: Response, name: string): string | undefined => response.headers.get(name) ?? undefined;

function jsonObject(text: string): object | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? value : undefined;
  } catch {
    // Not JSON is one of the ways not to be an answer of the contract; the caller says so.
    return undefined;
  }
}

/** Retry-After is seconds or, from some proxies, a date (RFC 9110, 10.2.3). */
function secondsOf(retryAfter: string | undefined): number | undefined {
  if (retryAfter === undefined) return undefined;
  if (/^\d+$/.test(retryAfter)) return Number(retryAfter);
  const atMs = Date.parse(retryAfter);
  return Number.isNaN(atMs) ? undefined : Math.max(0, Math.ceil((atMs - Date.now()) / 1_000));
}

const isTemporary = ({ httpCode }: PortreeveError): boolean => httpCode === 0 || temporaryCodes.has(httpCode);

/** Longer each time, and never the same for two callers that failed together. */
function pauseMs(retries: number, retryAfterSeconds: number | undefined): number {
  const step = Math.min(pauseMsMax, pauseMsFirst * 2 ** retries);
  return (retryAfterSeconds ?? 0) * 1_000 + step * (0.5 + Math.random() / 2);
}

function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((done, fail) => {
    const stop = () => {
      clearTimeout(timer);
      fail(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop);
      done();
    }, ms);
    if (signal?.aborted) stop();
    else signal?.addEventListener('abort', stop, { once: true });
  });
}

/** `fetch failed` says nothing; its cause does. */
/** Why no answer came, in words where the system and its libraries have none. */
const reasons: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nothing listens there',
  ENOTFOUND: 'its name is not known',
  EAI_AGAIN: 'its name could not be looked up',
  EHOSTUNREACH: 'there is no route to it',
  ENETUNREACH: 'there is no route to it',
  ECONNRESET: 'the connection was closed',
  UND_ERR_SOCKET: 'the connection was closed; if it serves HTTPS, use https://',
  HPE_INVALID_CONSTANT: 'it does not speak HTTP; if it serves HTTPS, use https://',
  ERR_SSL_WRONG_VERSION_NUMBER: 'it does not speak HTTPS; use http://',
  ERR_SSL_PACKET_LENGTH_TOO_LONG: 'it does not speak HTTPS; use http://',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'its certificate is self-signed and not trusted here',
  SELF_SIGNED_CERT_IN_CHAIN: 'its certificate is of an authority that is not trusted here',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'its certificate is of an authority that is not trusted here',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'its certificate is of an authority that is not trusted here',
  CERT_HAS_EXPIRED: 'its certificate has expired',
  ERR_TLS_CERT_ALTNAME_INVALID: 'its certificate is for another name',
};

function reasonOf(error: unknown): string {
  const { message, cause } = error as { message?: string; cause?: { message?: string; code?: string } };
  return reasons[cause?.code ?? ''] ?? (cause?.message || cause?.code || message || String(error));
}
