import type { StatusWord } from './generated/api.ts';
import { LinkFault, nextPosition } from './next-link.ts';

/** One operation of the service, as in the generated table. */
export interface OperationInfo {
  /** Such as `container.list`. */
  id: string;
  method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** From the root of the service, such as `/api/v2/device/container/{id}`. */
  path: string;
  summary: string;
  /** Display name of the resource, such as `AAA server`. */
  group: string;
  /** Names of its query parameters, without `dryRun`. */
  query: readonly string[];
  body: boolean;
  bodyRequired: boolean;
  /** The operation writes: it accepts `dryRun`, and as a POST `Idempotency-Key`. */
  writes: boolean;
  /** Accepts `start`, `count` and `after`, so `walk` works. */
  listed: boolean;
  /** Returns `filtered` and `total`. */
  counted: boolean;
  /** HTTP status codes of success. */
  success: readonly number[];
  /** Required permission; absent if a sign-in is sufficient, or if the operation is public. */
  permission?: { readonly key: string; readonly verb: string };
}

/** Input of a call. The service rejects parts that the operation does not accept. */
export interface CallInput {
  path?: Readonly<Record<string, string | number>>;
  /** A list is sent as a repeated parameter; undefined and null are not sent. */
  query?: Readonly<object>;
  body?: unknown;
  /** Sent instead of a body if the operation accepts a file; its type is the content type. */
  file?: Blob;
  /** Version or ETag of the record that was read. The write fails if the record has changed since. */
  ifMatch?: number | string;
  /** Replaces the generated key. False sends none, and then a POST is not retried. */
  idempotencyKey?: string | false;
  /** Runs the write, returns the resulting record, and rolls it back. */
  dryRun?: boolean;
  /** Reason of the write: one line, stored in the audit log. */
  reason?: string;
  signal?: AbortSignal;
}

/** A successful response. Errors are thrown as PortreeveError. */
export interface Answer<R = unknown> {
  status: string;
  /** Empty if the operation returns none. */
  results: R[];
  /** Records that match. */
  filtered?: number;
  /** All records of the resource that are visible to the caller. */
  total?: number;
  httpCode: number;
  /** Path of the created record or background task. */
  location?: string;
  /** Id of the created record or background task: the last segment of `location`. */
  id?: number;
  /** Version of the record, for `ifMatch`. */
  etag?: string;
  /** Value of `after` for the next page; absent on the last page. */
  next?: string;
  requestId?: string;
}

/** The response of an operation that returns exactly one record or fails. */
export interface AnswerOfOne<R> extends Answer<R> {
  results: [R];
}

export interface Fault {
  /** JSON pointer into the body, such as `#/netId`. */
  pointer?: string;
  /** Name of the query parameter. */
  parameter?: string;
  detail: string;
}

/** An error response of the service, or the failure to reach it. The message has one sentence per fault. */
export class PortreeveError extends Error {
  override readonly name = 'PortreeveError';
  /** `unreachable` if there was no response. */
  readonly word: StatusWord | 'unreachable';
  /** 0 if there was no response. */
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
  /** URL of the service, such as `https://nac.example.net`. */
  url: string;
  /** An API token or a session key; without it, only public operations can be called. */
  token?: string;
  /** Maximum number of retries per call; default 3. */
  retriesMax?: number;
  /** Time limit of one attempt; default 120. */
  timeoutSeconds?: number;
  fetch?: typeof fetch;
  userAgent?: string;
  /** Default reason of all writes. */
  reason?: string;
  /** Headers of every call, such as `X-Security-Key` of a page with a session cookie. */
  headers?: Readonly<Record<string, string>>;
}

/** Requests JSON, and errors as RFC 9457. `problem+json` is only used for errors, so it can be first. */
const acceptHeader = 'application/problem+json, application/json;q=0.9';

/** HTTP status codes of temporary errors, of the service or of a proxy. */
const temporaryCodes: ReadonlySet<number> = new Set([429, 502, 503, 504]);

/** Longest Retry-After that is waited for; a longer one throws the error. */
const waitSecondsMax = 60;
const pauseMsFirst = 250;
const pauseMsMax = 8_000;

/** Calls the operations of one service. The operations themselves are described in the generated table. */
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
    // Bound, because the fetch of a browser throws if it is called as a method of another object.
    this.#fetch = options.fetch ?? globalThis.fetch.bind(globalThis);
  }

  /** Calls one operation; retries after temporary errors if that is safe. */
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
      // A redirect could turn a POST into a GET and send the token to another host.
      redirect: 'manual',
    };
    const isRepeatable = operation.method !== 'POST' || key !== undefined || input.dryRun === true;
    for (let retries = 0; ; retries++) {
      const outcome = await this.#try<R>(url, request, input.signal);
      if (!(outcome instanceof PortreeveError)) return outcome;
      // A throttled request was not executed, so every operation can be retried.
      const mayHelp = outcome.httpCode === 429 || (isRepeatable && isTemporary(outcome));
      const waitMs = pauseMs(retries, outcome.retryAfterSeconds);
      if (!mayHelp || retries >= this.#retriesMax || waitMs > waitSecondsMax * 1_000) throw outcome;
      await pause(waitMs, input.signal);
    }
  }

  /** Calls an operation that returns one record. */
  async one<R>(operation: OperationInfo, input: CallInput = {}): Promise<AnswerOfOne<R>> {
    const answer = await this.call<R>(operation, input);
    const [record, ...furtherRecords] = answer.results;
    if (record === undefined || furtherRecords.length > 0)
      throw new Error(`${operation.id} returned ${answer.results.length} records instead of one.`);
    return { ...answer, results: [record] };
  }

  /** Yields every record of a list once, page by page, by `Link: rel="next"`. `count` is the page size. */
  async *walk<R = unknown>(operation: OperationInfo, input: CallInput = {}): AsyncGenerator<R, void, undefined> {
    let query = input.query;
    for (;;) {
      const page = await this.call<R>(operation, { ...input, query });
      yield* page.results;
      if (page.next === undefined || page.results.length === 0) return;
      query = { ...query, start: undefined, from: undefined, after: page.next };
    }
  }

  /** Sends one request; returns the response or the error. Throws only if the caller aborts. */
  async #try<R>(url: string, request: RequestInit, signal: AbortSignal | undefined) {
    signal?.throwIfAborted();
    const timeout = new AbortController();
    // A remaining timer would keep the response in memory.
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
      const why = timeout.signal.aborted ? `no response within ${this.#timeoutMs / 1_000} s` : reasonOf(cause);
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
    if (value === undefined || value === '') throw new TypeError(`${operation.id} requires ${name}.`);
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

/** Returns the idempotency key, by which the service recognises a repeated write. */
function keyOf(operation: OperationInfo, { idempotencyKey, file }: CallInput): string | undefined {
  if (operation.method !== 'POST' || !operation.writes || file || idempotencyKey === false) return undefined;
  return idempotencyKey ?? randomKey();
}

/** Returns a random key; `crypto.randomUUID` does not exist on pages without HTTPS. */
const randomKey = (): string =>
  crypto.randomUUID?.() ??
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('');

/** Encodes a text for a header, which contains bytes: each byte of UTF-8 becomes one character. */
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
    // Without an error, a walk would end early.
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

/** `title`, `detail` and `errors` of a problem; `status` and `errorMessage` of the envelope if the service could not negotiate the format. */
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

/** Returns the error for a response that is not from the API, such as one of a proxy or another service. */
function unexpectedResponse(response: Response): PortreeveError {
  const code = response.status;
  const origin = response.url ? new URL(response.url).origin : 'The address';
  const isRedirect = response.type === 'opaqueredirect' || (code >= 300 && code < 400);
  const message = isRedirect
    ? `${origin} redirects to another address. Use the address of the service itself.`
    : `${origin} responded with HTTP ${code}, but the response is not from Portreeve.`;
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
    // Not JSON: the caller reports an unexpected response.
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

/** Returns the pause before a retry: doubled each time, with jitter so that clients do not retry at the same time. */
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

/** Readable causes of failed connections, by error code. The message of fetch is always `fetch failed`. */
const reasons: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'connection refused',
  ENOTFOUND: 'the host name does not exist',
  EAI_AGAIN: 'the host name could not be resolved',
  EHOSTUNREACH: 'no route to host',
  ENETUNREACH: 'network unreachable',
  ECONNRESET: 'the connection was reset',
  UND_ERR_SOCKET: 'the connection was closed; if the service uses HTTPS, use https://',
  HPE_INVALID_CONSTANT: 'the response is not HTTP; if the service uses HTTPS, use https://',
  ERR_SSL_WRONG_VERSION_NUMBER: 'the service does not use HTTPS; use http://',
  ERR_SSL_PACKET_LENGTH_TOO_LONG: 'the service does not use HTTPS; use http://',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'the certificate is self-signed and not trusted',
  SELF_SIGNED_CERT_IN_CHAIN: 'the certificate authority is not trusted',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'the certificate authority is not trusted',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'the certificate authority is not trusted',
  CERT_HAS_EXPIRED: 'the certificate has expired',
  ERR_TLS_CERT_ALTNAME_INVALID: 'the certificate is for another host name',
};

function reasonOf(error: unknown): string {
  const { message, cause } = error as { message?: string; cause?: { message?: string; code?: string } };
  return reasons[cause?.code ?? ''] ?? (cause?.message || cause?.code || message || String(error));
}
