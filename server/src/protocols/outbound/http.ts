import { once } from 'node:events';
import { type ClientRequest, type IncomingMessage, request as send } from 'node:http';
import { connect as connectTcp, isIP, type Socket } from 'node:net';
import { connect as connectTls, createSecureContext, getCACertificates, type SecureContext } from 'node:tls';
import { Failure, rejected, remoteFailed, remoteTimeout } from '../../kernel/failure.ts';
import type { OutboundGuard } from './outbound.ts';
import { type ProxyChoice, proxyFor, type WebProxy } from './proxy-choice.ts';

export interface OutboundRequest {
  method: string;
  /** An http or https URL without a user name. */
  url: string;
  headers?: Readonly<Record<string, string>>;
  body?: string | Buffer;
  /** Checks the certificate; default true. */
  verifyCertificate?: boolean;
  /** Certificates in PEM format that are trusted in addition to those of the system. */
  ca?: string;
  /** Limit for the complete request, from the name lookup to the last byte. */
  timeoutMs?: number;
  bytesMax?: number;
}

export interface OutboundAnswer {
  status: number;
  headers: IncomingMessage['headers'];
  body: Buffer;
}

/** Sends requests to web servers of other systems, directly or through the configured proxy. */
export interface OutboundHttp {
  /**
   * Returns the server's response with any status, redirects included; throws if the connection fails or the response
   * is incomplete.
   */
  request(wanted: OutboundRequest): Promise<OutboundAnswer>;
}

export interface OutboundHttpOptions {
  guard: OutboundGuard;
  /** Called for each connection. */
  proxy(): Promise<ProxyChoice>;
  /** Called with host and port of a proxy that did not accept the connection, and the reason. */
  onProxyUnreachable?(proxy: string, why: string): Promise<void>;
  connectMsMax?: number;
}

const connectMsUsual = 5_000;
const totalMsUsual = 15_000;
const bytesUsual = 1_048_576;
const wordsMax = 300;

export function outboundHttp({
  guard,
  proxy,
  onProxyUnreachable,
  connectMsMax = connectMsUsual,
}: OutboundHttpOptions): OutboundHttp {
  return {
    async request(options) {
      const { timeoutMs = totalMsUsual } = options;
      const target = targetOf(options.url);
      const clock = new Clock();
      clock.start(timeoutMs, `${target.authority} did not complete its response`);
      try {
        const { address } = await guard.resolve(target.host);
        const via = proxyFor(await proxy(), { ...target, address });
        const stopConnecting = clock.start(connectMsMax, `${via ? nameOf(via) : target.authority} did not connect`);
        // The guard does not check the proxy, which an administrator has configured; it checks the target.
        const peer = via
          ? { host: via.host, port: via.port, name: nameOf(via) }
          : { host: address, port: target.port, name: target.authority };
        const plain = await reach(peer, clock.signal).catch(async (cause: unknown) => {
          const failure = clock.late ?? (cause as Error);
          if (via) await onProxyUnreachable?.(`${via.host}:${via.port}`, failure.message);
          throw failure;
        });
        const socket = await connection(plain, target, via, options, clock.signal);
        stopConnecting();
        return await exchange(target, via, options, socket);
      } catch (error) {
        throw clock.late ?? error;
      } finally {
        clock.end();
      }
    },
  };
}

interface Target {
  scheme: 'http' | 'https';
  host: string;
  port: number;
  /** Host and port, for the proxy and for error messages. */
  authority: string;
  /** Value of the Host header: without the port if it is the default of the scheme. */
  hostHeader: string;
  /** Path and query. */
  path: string;
}

function targetOf(text: string): Target {
  // The message does not contain the URL: its query may contain a token.
  if (!URL.canParse(text)) throw rejected('The URL is not valid.');
  const url = new URL(text);
  if (url.protocol !== 'http:' && url.protocol !== 'https:')
    throw rejected(`URLs with ${url.protocol} are not supported; use https: or http:.`);
  if (url.username !== '' || url.password !== '')
    throw rejected('The URL must not contain a user name or password; send credentials separately.');
  const scheme = url.protocol === 'https:' ? 'https' : 'http';
  const port = url.port === '' ? (scheme === 'https' ? 443 : 80) : Number(url.port);
  return {
    scheme,
    host: url.hostname.replace(/^\[(.*)\]$/, '$1'),
    port,
    authority: `${url.hostname}:${port}`,
    hostHeader: url.host,
    path: url.pathname + url.search,
  };
}

/** The time limits of one request. The first one to expire closes the sockets and sets the error. */
class Clock {
  late: Failure | undefined;
  readonly #abort = new AbortController();
  readonly #timers = new Set<NodeJS.Timeout>();

  get signal(): AbortSignal {
    return this.#abort.signal;
  }

  /** Starts a time limit and returns the function that cancels it. */
  start(ms: number, what: string): () => void {
    const timer = setTimeout(() => {
      this.late ??= remoteTimeout(`${what} within ${ms / 1_000} seconds.`);
      this.#abort.abort();
    }, ms);
    this.#timers.add(timer);
    return () => clearTimeout(timer);
  }

  /** Cancels the limits and closes the sockets that are still open. */
  end(): void {
    for (const timer of this.#timers) clearTimeout(timer);
    this.#abort.abort();
  }
}

/** Returns a socket for requests to the target, or to the proxy that forwards them. */
async function connection(
  socket: Socket,
  target: Target,
  via: WebProxy | null,
  options: OutboundRequest,
  signal: AbortSignal,
): Promise<Socket> {
  if (target.scheme === 'http') return socket;
  return secured(via ? await tunnel(socket, target, via) : socket, target, options, signal);
}

interface Peer {
  host: string;
  port: number;
  /** Used in error messages. */
  name: string;
}

async function reach({ host, port, name }: Peer, signal: AbortSignal): Promise<Socket> {
  signal.throwIfAborted();
  const socket = connectTcp({ host, port, signal });
  // The code that waits for the socket handles its errors; a later error must not end the process.
  socket.on('error', () => undefined);
  await once(socket, 'connect').catch((cause: unknown) => {
    throw remoteFailed(`${name} cannot be reached: ${wordsOf(cause)}.`, cause);
  });
  return socket;
}

/**
 * RFC 9110 section 9.3.6. Sent with the host name, which filtering proxies need; the guard has checked its addresses.
 */
async function tunnel(socket: Socket, { authority }: Target, via: WebProxy): Promise<Socket> {
  const headers = { host: authority, ...authorization(via) };
  const request = send({ method: 'CONNECT', path: authority, headers, createConnection: () => socket });
  const [response, through, head] = await answerTo(request, 'connect', nameOf(via));
  if (response.statusCode! < 200 || response.statusCode! > 299) throw refused(via, authority, response);
  if (head.length > 0) through.unshift(head);
  return through;
}

const authorization = ({ user, password }: WebProxy): Record<string, string> =>
  user === ''
    ? {}
    : { 'proxy-authorization': `Basic ${Buffer.from(`${user}:${password}`, 'utf8').toString('base64')}` };

const refused = (via: WebProxy, authority: string, { statusCode, statusMessage }: IncomingMessage): Failure =>
  remoteFailed(`${nameOf(via)} did not connect to ${authority}: ${brief(`${statusCode} ${statusMessage}`)}.`);

async function secured(
  socket: Socket,
  { host, authority }: Target,
  options: OutboundRequest,
  signal: AbortSignal,
): Promise<Socket> {
  const secure = connectTls({
    socket,
    // Also the name that the certificate must have; Node sends no IP address in SNI (RFC 6066 section 3).
    host,
    ...(isIP(host) === 0 && { servername: host }),
    secureContext: trusting(options.ca),
    rejectUnauthorized: options.verifyCertificate ?? true,
  });
  secure.on('error', () => undefined);
  // A handshake whose socket the clock has closed ends without an error.
  await once(secure, 'secureConnect', { signal }).catch((cause: unknown) => {
    throw remoteFailed(`TLS with ${authority} failed: ${wordsOf(cause)}.`, cause);
  });
  return secure;
}

let systemsOwn: SecureContext | undefined;

/** The certificate authorities of the system, or Node's own list if there are none, and those of the request. */
function trusting(ca: string | undefined): SecureContext {
  if (ca === undefined && systemsOwn) return systemsOwn;
  const system = getCACertificates('system');
  const trusted = system.length > 0 ? system : getCACertificates('default');
  const context = createSecureContext({ ca: ca === undefined ? trusted : [...trusted, ca] });
  if (ca === undefined) systemsOwn = context;
  return context;
}

async function exchange(
  target: Target,
  via: WebProxy | null,
  { method, headers, body, bytesMax = bytesUsual }: OutboundRequest,
  socket: Socket,
): Promise<OutboundAnswer> {
  // A plain request goes to the proxy itself, in absolute form (RFC 9112 section 3.2.2).
  const forwarded = via && target.scheme === 'http' ? via : null;
  const request = send({
    method,
    path: forwarded ? `http://${target.hostHeader}${target.path}` : target.path,
    headers: { ...headers, host: target.hostHeader, connection: 'close', ...(forwarded && authorization(forwarded)) },
    createConnection: () => socket,
  });
  const [response] = await answerTo(request, 'response', target.authority, body);
  if (forwarded && response.statusCode === 407) throw refused(forwarded, target.authority, response);
  return { status: response.statusCode!, headers: response.headers, body: await bodyOf(response, target, bytesMax) };
}

interface Answers {
  connect: [response: IncomingMessage, socket: Socket, head: Buffer];
  response: [response: IncomingMessage];
}

async function answerTo<E extends keyof Answers>(
  request: ClientRequest,
  event: E,
  name: string,
  body?: string | Buffer,
): Promise<Answers[E]> {
  request.on('error', () => undefined);
  request.end(body);
  return once(request, event).catch((cause: unknown) => {
    throw remoteFailed(`${name} did not respond: ${wordsOf(cause)}.`, cause);
  }) as Promise<Answers[E]>;
}

async function bodyOf(response: IncomingMessage, { authority }: Target, bytesMax: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const chunk of response as AsyncIterable<Buffer>) {
      bytes += chunk.length;
      if (bytes > bytesMax) throw remoteFailed(`${authority} returned more than ${bytesMax} bytes.`);
      chunks.push(chunk);
    }
  } catch (cause) {
    if (cause instanceof Failure) throw cause;
    throw remoteFailed(`${authority} closed the connection before the end of its response: ${wordsOf(cause)}.`, cause);
  }
  return Buffer.concat(chunks);
}

/** Without the account, because this is used in messages. */
const nameOf = ({ host, port }: WebProxy): string => `The proxy ${host}:${port}`;

const brief = (text: string): string => (text.length > wordsMax ? `${text.slice(0, wordsMax - 1)}…` : text);

/**
 * Returns the message of an error. For a name with several addresses Node throws an AggregateError without a message.
 */
function wordsOf(cause: unknown): string {
  if (cause instanceof AggregateError && cause.errors.length > 0) return wordsOf(cause.errors[0]);
  if (!(cause instanceof Error)) return 'unknown error';
  // Node's hint about the root CA is for developers, not for administrators.
  const words = (cause.message || cause.name).replace(/; if the root CA .*$/s, '');
  return brief(words).replace(/\.$/, '');
}
