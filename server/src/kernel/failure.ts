/** The status words of the contract, each with its HTTP code. */
export const statusWords = {
  invalid: 400,
  unauthenticated: 401,
  forbidden: 403,
  'not-found': 404,
  unsupported: 405,
  'in-use': 409,
  duplicate: 409,
  protected: 409,
  stale: 409,
  gone: 410,
  'too-large': 413,
  rejected: 422,
  'too-expensive': 422,
  'remote-failed': 424,
  'remote-timeout': 424,
  throttled: 429,
  error: 500,
  unavailable: 503,
} as const;

export type StatusWord = keyof typeof statusWords;

/** One invalid value of a request: its place (an RFC 6901 pointer into the body, or a parameter), and a sentence. */
export interface Fault {
  pointer: string;
  message: string;
}

/** Together these keep an error response below 32 KiB in every format, even if each character takes three bytes. */
const messageCharactersMax = 5_000;
const faultCharactersMax = 2_000;
const pointerCharactersMax = 300;

/** Shortens a text in a message: the caller's own text must not make the response too long to read. */
const cut = (text: string, max: number): string => (text.length > max ? `${text.slice(0, max).toWellFormed()}…` : text);

/**
 * An error that is a response of the contract, which the caller can act on. Any other thrown error is a bug and becomes
 * a 500.
 */
export class Failure extends Error {
  override readonly name = 'Failure';
  readonly word: StatusWord;
  readonly httpCode: number;
  readonly faults: readonly Fault[];
  readonly headers: Readonly<Record<string, string>>;

  constructor(
    word: StatusWord,
    message: string,
    options: { httpCode?: number; faults?: readonly Fault[]; headers?: Record<string, string>; cause?: unknown } = {},
  ) {
    super(cut(message, messageCharactersMax), { cause: options.cause });
    this.word = word;
    this.httpCode = options.httpCode ?? statusWords[word];
    this.faults = options.faults ?? [];
    this.headers = options.headers ?? {};
  }
}

const faultsMax = 20;

/** After this many faults the check of a body stops: a body of a megabyte can have a hundred thousand. */
export const faultsFoundMax = 100;

/** Returns a failure with one sentence for each fault. A long list is cut, with the number of omitted faults. */
export function invalid(faults: string | readonly Fault[]): Failure {
  if (typeof faults === 'string') return new Failure('invalid', faults);
  const shown: Fault[] = [];
  for (let characters = 0; shown.length < Math.min(faults.length, faultsMax) && characters < faultCharactersMax; ) {
    const fault = faults[shown.length]!;
    const message = cut(fault.message, faultCharactersMax);
    const pointer = cut(fault.pointer, pointerCharactersMax);
    shown.push({ pointer, message });
    characters += pointer.length + message.length;
  }
  const omitted = faults.length - shown.length;
  const remainder =
    omitted === 0 ? '' : faults.length < faultsFoundMax ? ` And ${omitted} more.` : ` And at least ${omitted} more.`;
  return new Failure('invalid', shown.map((fault) => fault.message).join(' ') + remainder, { faults: shown });
}

/**
 * Returns a failure for one field of the body, by its dotted path: `invalidField('cliCredentials.userName', 'is
 * missing')`.
 */
export const invalidField = (name: string, why: string): Failure =>
  invalid([{ pointer: `/${name.replaceAll('.', '/')}`, message: `${name}: ${why}.` }]);

export const unauthenticated = () =>
  new Failure('unauthenticated', 'A valid bearer token is required: send `Authorization: Bearer <token>`.', {
    headers: { 'www-authenticate': 'Bearer' },
  });

export const forbidden = (permission: string, verb: string) =>
  new Failure('forbidden', `This needs the right to ${verb} ${permission}, which the caller does not hold.`);

export const notFound = (what: string, id?: number | string) =>
  new Failure('not-found', id === undefined ? `There is no ${what}.` : `There is no ${what} ${id}.`);

export const rejected = (message: string, pointer?: string) =>
  new Failure('rejected', message, pointer === undefined ? {} : { faults: [{ pointer, message }] });

export const duplicate = (message: string) => new Failure('duplicate', message);

export const protectedRecord = (message: string) => new Failure('protected', message);

export const remoteFailed = (message: string, cause?: unknown) => new Failure('remote-failed', message, { cause });

export const remoteTimeout = (message: string, cause?: unknown) => new Failure('remote-timeout', message, { cause });

export const throttled = (message: string, retryAfterSeconds: number, headers: Record<string, string> = {}) =>
  new Failure('throttled', message, { headers: { 'retry-after': String(retryAfterSeconds), ...headers } });

export const unavailable = (message: string, cause?: unknown) =>
  new Failure('unavailable', message, { headers: { 'retry-after': '2' }, cause });
