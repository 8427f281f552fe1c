import { randomUUID } from 'node:crypto';
import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import fastify, {
  type FastifyHttpOptions,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  LogController,
} from 'fastify';
import { onBehalfOf, type Work } from '../database/shares.ts';
import { databaseFailure } from '../database/transaction.ts';
import type { Caller } from '../declare/caller.ts';
import { type Answer, type Call, type Operation, pathShape } from '../declare/operation.ts';
import { Failure, invalid, type StatusWord } from '../failure.ts';
import { refuseWithoutRight } from '../operations/rights-of-call.ts';
import { type ConnectionLimits, Connections, checkMs, sendable, stalledMs } from './connections.ts';
import { contentTypes, writeAnswer, writeFailure } from './envelope.ts';
import { addFile, type OpenFile } from './files.ts';
import { type PageHeaders, refuseForeignPage } from './foreign-page.ts';
import { withForm } from './form-body.ts';
import { type ListenerTls, refuseBadCertificate, tlsOptions } from './listener-tls.ts';
import { fallbackFormat, type Negotiated, negotiate, refuseEncoded, requireContentType } from './negotiate.ts';
import { answersHead, fitsPath, noSuchPath, pathOf, RouteTable } from './path.ts';
import { headerOf, readCall } from './read-call.ts';
import { selectedShape } from './selected-fields.ts';
import { streamChanges } from './stream.ts';
import type { Throttle } from './throttle.ts';

/** Authenticates requests: the only place that finds the caller of a request. */
export interface Gate {
  authenticate(request: {
    headers: Readonly<Record<string, string | string[] | undefined>>;
    address: string;
    /** True if the request changes something: a browser must then prove that a page of the console sends it. */
    writes: boolean;
    /** True if pages send the request by themselves, without an action of the user. */
    isUnattended?: boolean;
  }): Promise<Caller>;
}

export interface ServerOptions {
  /** The settings of HTTPS; absent: plain HTTP, behind a proxy or for local use. */
  tls?: ListenerTls | undefined;
  operations: readonly Operation[];
  /** Served in addition to the operations, without a token. */
  files: readonly OpenFile[];
  gate: Gate;
  throttle: Throttle;
  bodyMaxBytes: number;
  connections: ConnectionLimits;
  /** Returns the failure for a violated database constraint, in the words of the API. */
  explainConstraint(error: unknown): Failure | undefined;
  logger: false | { level: string; stream?: { write(line: string): void } };
  /** Addresses of proxies whose X-Forwarded-For is trusted. */
  trustProxy: readonly string[];
  /** Origin under which browsers reach the console, where a proxy changes the host of requests; undefined: the host of each request. */
  publicOrigin: string | undefined;
  observer: Observer;
  /** Called with each list that a user reads in the console; the request does not wait for it. */
  onListed(call: Call): void;
  /**
   * True if the node is about to stop: responses then close the connection, so that clients connect to another node.
   */
  isLeaving(): boolean;
}

/** Receives metrics and traces of requests. */
export interface Observer {
  answered(operationId: string, word: StatusWord | 'success', seconds: number): void;
  /** Runs an operation in its own tracing context. */
  traced<T>(call: Call, work: () => Promise<T>): Promise<T>;
}

/**
 * One year (RFC 6797), for this host name only. Browsers ignore it for IP addresses and for certificates that they do
 * not trust.
 */
const strictTransport = 'max-age=31536000';

/** The state of one request that its hooks share. */
interface Progress {
  operation: Operation;
  caller: Caller;
  /** Set after the formats were negotiated. */
  negotiated?: Negotiated;
  failed?: StatusWord;
}

const progressOf = new WeakMap<FastifyRequest, Progress>();

/** The caller of open operations, which has no account and no rights. */
const anonymousCaller: Caller = {
  accountId: 0,
  userID: '',
  rights: new Map(),
  credential: { kind: 'session', publicId: '', name: '', scopes: null },
};

/** Serves the operations: one chain of checks for all of them, in the order of the contract. */
export function httpServer(options: ServerOptions): FastifyInstance {
  const app = fastify({
    logger: options.logger,
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: () => randomUUID(),
    bodyLimit: options.bodyMaxBytes,
    exposeHeadRoutes: false,
    routerOptions: { caseSensitive: true, ignoreTrailingSlash: false, maxParamLength: 200 },
    trustProxy: options.trustProxy.length > 0 ? [...options.trustProxy] : false,
    forceCloseConnections: 'idle',
    // A request that arrives on a connection in use while the server closes is answered, not refused.
    return503OnClosing: false,
    requestTimeout: options.connections.requestSeconds * 1_000,
    keepAliveTimeout: options.connections.idleSeconds * 1_000,
    connectionTimeout: stalledMs,
    frameworkErrors: (error, request, reply) => void answerFailure(options, error, request, reply),
    clientErrorHandler: (error, socket) => answerBrokenRequest(error, socket, connections),
    ...listenerOf(options),
  });
  const connections = new Connections(app.server, options.connections);
  // A list request whose filter is too long for a URL may send it in the body of a GET.
  app.addHttpMethod('GET', { hasBody: true, overrideExisting: true });
  app.addHttpMethod('HEAD', { hasBody: true, overrideExisting: true });
  const routes = new RouteTable([...options.operations, ...options.files]);
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
  app.setErrorHandler((error, request, reply) => answerFailure(options, error, request, reply));
  // Node's own 417 would have no envelope: such a request is handled like all others and refused in the hook below.
  app.server.on('secureConnection', refuseBadCertificate);
  app.server.on('checkExpectation', (request, response) => app.server.emit('request', request, response));
  // 404 and 405 are decided before everything else, and before a body is read.
  app.addHook('onRequest', async (request, reply) => {
    if (request.headers.host === undefined && request.raw.httpVersion === '1.1')
      throw invalid('Host: this header is missing.');
    if (request.is404) {
      const allowed = request.method === 'OPTIONS' ? routes.allowedMethods(pathOf(request.url)) : undefined;
      if (allowed === undefined) throw routes.refusal(request);
      // Without CORS headers, so that browsers do not let pages of other sites send requests.
      return reply.code(204).headers({ allow: allowed, 'x-request-id': request.id }).send();
    }
    const { expect } = request.headers;
    if (expect !== undefined && expect.toLowerCase() !== '100-continue')
      throw new Failure('unsupported', 'Expect: only 100-continue is supported.', { httpCode: 417 });
  });
  app.addHook('preValidation', (request, _reply, done) => {
    connections.markComplete(request.raw);
    done();
  });
  app.addHook('onSend', (request, reply, payload, done) => {
    connections.expectReading(reply.raw);
    if (options.isLeaving()) void reply.header('connection', 'close');
    if (options.tls) void reply.header('strict-transport-security', strictTransport);
    if (request.method !== 'HEAD' || (typeof payload !== 'string' && !Buffer.isBuffer(payload))) return done();
    void reply.header('content-length', Buffer.byteLength(payload));
    done(null, null);
  });
  const ending = new AbortController();
  app.addHook('preClose', async () => ending.abort());
  app.addHook('onResponse', async (request, reply) => {
    const progress = progressOf.get(request);
    options.observer.answered(
      progress?.operation.operationId ?? 'none',
      progress?.failed ?? 'success',
      reply.elapsedTime / 1_000,
    );
    // Query and body are not logged: both can contain secrets.
    request.log.info({
      operation: progress?.operation.operationId,
      method: request.method,
      path: pathOf(request.url),
      code: reply.statusCode,
      ms: Math.round(reply.elapsedTime * 10) / 10,
      user: progress?.caller.userID,
      address: request.ip,
    });
  });
  const uploads = options.operations.filter((operation) => operation.uploads);
  const node: NodeParts = { options, routes, connections, ending: ending.signal };
  for (const operation of options.operations) if (!operation.uploads) addRoute(app, operation, node);
  void app.register(async (scope) => {
    // Uploads are read as they arrive; all other operations refuse such a body before it is read.
    scope.addContentTypeParser(/^multipart\/form-data/i, (_request, body, done) => done(null, body));
    for (const type of new Set(uploads.flatMap((operation) => operation.uploads!.types ?? [])))
      scope.addContentTypeParser(type, (_request, body, done) => done(null, body));
    for (const operation of uploads) addRoute(scope, operation, node);
  });
  for (const file of options.files) addFile(app, file, (address) => options.throttle.admit(address));
  return app;
}

/** Returns how the server listens, with the type of the plain HTTP server, which HTTPS shares. */
function listenerOf({ tls, connections }: ServerOptions): Pick<FastifyHttpOptions<Server>, 'http'> {
  // Node's own refusal of a request without Host would have no envelope.
  const common = { requireHostHeader: false, connectionsCheckingInterval: checkMs };
  if (!tls) return { http: common };
  const https = { ...common, ...tlsOptions(tls), handshakeTimeout: connections.headersSeconds * 1_000 };
  return { https } as Pick<FastifyHttpOptions<Server>, 'http'>;
}

/** Returns the caller and the lane that the database sessions of a call count for. */
const workOf = ({ access, writes, group }: Operation, { caller, origin }: Call): Work =>
  access.kind === 'open'
    ? { lane: 'identity', credential: origin.address ?? '' }
    : {
        lane: writes ? 'write' : 'read',
        credential: caller.credential.publicId,
        account: String(caller.accountId),
        subject: group,
      };

/** The objects that all routes of a node share. */
interface NodeParts {
  options: ServerOptions;
  routes: RouteTable;
  connections: Connections;
  /** Aborted when the node stops. */
  ending: AbortSignal;
}

function addRoute(app: FastifyInstance, operation: Operation, node: NodeParts): void {
  const { options, connections, ending } = node;
  const run = (call: Call) => onBehalfOf(workOf(operation, call), () => operation.run(call));
  app.route({
    method: answersHead(operation) ? ['GET', 'HEAD'] : operation.method,
    url: operation.path.replace(/\{(\w+)\}/g, ':$1'),
    onRequest: (request) => admit(operation, request, node),
    handler: async (request, reply) => {
      const { caller, negotiated: agreed } = progressOf.get(request)!;
      const negotiated = agreed!;
      const call = await withForm(readCall(operation, request, caller, negotiated, Date.now()));
      const shown = selectedShape(operation, call.query);
      if (negotiated.stream) {
        // An open stream would keep a node from stopping for an hour; its client continues at another node from the
        // last id it received.
        const until = { ...call, signal: AbortSignal.any([call.signal, ending]) };
        return streamChanges({ ...operation, run }, until, request, reply, async () => {
          await admit(operation, request, node);
          return progressOf.get(request)!.caller;
        });
      }
      const answer = await options.observer.traced(call, () => run(call));
      if (operation.listed && caller.session?.isAttended) options.onListed(call);
      const text = writeAnswer(operation, answer, negotiated.answer, shown);
      // A stored write must not be reported as failed, so its response is sent without a reservation.
      if (!operation.writes && request.method !== 'HEAD') connections.reserve(reply.raw, text.length);
      return send(call, answer, text, negotiated, request, reply);
    },
  });
}

/** Decides everything that does not need the body: 404 for an impossible id, 401, 429, 403, 415, 406. */
async function admit(operation: Operation, request: FastifyRequest, { options, routes }: NodeParts): Promise<void> {
  const progress: Progress = { operation, caller: anonymousCaller };
  progressOf.set(request, progress);
  for (const [name, text] of Object.entries(request.params as Record<string, string>)) {
    const shape = pathShape(operation, name);
    if (!fitsPath(shape, text))
      throw shape.kind === 'integer' && /^\d+$/.test(text) ? noSuchPath(pathOf(request.url)) : routes.refusal(request);
  }
  const isOpen = operation.access.kind === 'open';
  if (!isOpen) {
    const writes = operation.writes || operation.method !== 'GET';
    const { isUnattended = false } = operation;
    const { headers, ip: address } = request;
    progress.caller = await options.gate.authenticate({ headers, address, writes, isUnattended });
  }
  if (!operation.isUnthrottled) options.throttle.admit(isOpen ? request.ip : progress.caller.credential.publicId);
  refuseWithoutRight(operation, progress.caller);
  refusePrefetch(operation, request);
  // A write in a session needs its key, and browsers do not send tokens by themselves: only open operations need this
  // check.
  if (isOpen && operation.method !== 'GET') refuseForeignPage(pageHeadersOf(request), options.publicOrigin);
  requireContentType(request.headers['content-type'], Number(request.headers['content-length'] ?? 0) !== 0);
  progress.negotiated = negotiate(request.headers['content-type'], request.headers.accept, operation);
  refuseEncoded(request.headers['content-encoding']);
}

const pageHeadersOf = (request: FastifyRequest): PageHeaders => ({
  fetchSite: headerOf(request, 'sec-fetch-site'),
  origin: headerOf(request, 'origin'),
  host: request.host,
});

const changesByGet = ({ method, writes }: Operation): boolean => method === 'GET' && writes;

/**
 * Refuses a prefetch that would change something: the user has not requested it yet (`Sec-Purpose`, Fetch standard).
 */
function refusePrefetch(operation: Operation, request: FastifyRequest): void {
  const purpose = headerOf(request, 'sec-purpose') ?? '';
  if (changesByGet(operation) && /^\s*prefetch\b/i.test(purpose))
    throw new Failure('forbidden', 'Sec-Purpose: this operation changes data and must not be prefetched.');
}

function send(
  call: Call,
  answer: Answer,
  text: string | Buffer,
  negotiated: Negotiated,
  request: FastifyRequest,
  reply: FastifyReply,
) {
  const { operation } = call;
  const { location, version, next: nextPosition, secret } = answer;
  void reply.code(answer.httpCode ?? operation.success).header('x-request-id', request.id);
  if (answer.headers) void reply.headers(answer.headers);
  if (location) void reply.header('location', location);
  if (version !== undefined) void reply.header('etag', `"${version}"`);
  if (nextPosition) void reply.header('link', `<${nextUrl(request, call, nextPosition)}>; rel="next"`);
  void reply.header('cache-control', secret || changesByGet(operation) ? 'no-store' : 'no-cache');
  void reply.header('x-content-type-options', 'nosniff');
  return reply.type(contentTypes[negotiated.answer]).send(sendable(text));
}

const linkCharactersMax = 8_192;

/** Returns the URL of the next page, also if the parameters came in a body. */
function nextUrl(request: FastifyRequest, { operation, query }: Call, after: string): string {
  const path = pathOf(request.url);
  // `from` is the first position of a list; for other operations it is the start of a time range.
  const positions = operation.listed ? ['start', 'after', 'from'] : ['after'];
  const parameters = Object.entries(query).filter(([name]) => !positions.includes(name));
  const pairs = parameters.flatMap(([name, value]) =>
    [value].flat().map((item) => `${name}=${encodeURIComponent(String(item))}&`),
  );
  const url = `${path}?${pairs.join('')}after=${after}`;
  // A client that had to send its parameters in a body sends them again, with `after` added.
  return url.length <= linkCharactersMax ? url : `${path}?after=${after}`;
}

/**
 * Sends the response for every error: a failure of the contract, or a bug that is logged in full and reported as an
 * incident id.
 */
function answerFailure(options: ServerOptions, error: unknown, request: FastifyRequest, reply: FastifyReply) {
  const progress = progressOf.get(request);
  const failure =
    options.explainConstraint(error) ??
    databaseFailure(error, progress?.operation.writes === false) ??
    frameworkFailure(error) ??
    bug(error, request);
  if (progress) progress.failed = failure.word;
  const negotiated = progress?.negotiated ?? fallbackFormat(request.headers['content-type'], request.headers.accept);
  const { type, text } = writeFailure(failure, request.id, negotiated);
  return reply
    .code(failure.httpCode)
    .headers({
      'x-request-id': request.id,
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      ...failure.headers,
    })
    .type(type)
    .send(text);
}

function bug(error: unknown, request: FastifyRequest): Failure {
  request.log.error({ err: error, incident: request.id }, 'unexpected error');
  return new Failure('error', `Internal error; report the incident ${request.id} to the operator.`);
}

/** Returns the failure for an error that Fastify throws before the hooks run. */
function frameworkFailure(error: unknown): Failure | undefined {
  const { code } = error as { code?: string };
  switch (code) {
    case 'FST_ERR_BAD_URL':
      return invalid('The path is not properly percent-encoded.');
    case 'FST_ERR_CTP_BODY_TOO_LARGE':
      return new Failure('too-large', 'The body exceeds the size limit.');
    case 'FST_ERR_CTP_INVALID_CONTENT_LENGTH':
      return invalid('Content-Length does not match the body.');
    case 'FST_ERR_MAX_PARAM_LENGTH':
      return new Failure('too-large', 'The path exceeds the length limit.', { httpCode: 414 });
    case 'FST_ERR_CTP_INVALID_MEDIA_TYPE':
      return new Failure('unsupported', 'Send application/json or application/xml.', { httpCode: 415 });
    case 'FST_ERR_ROUTE_METHOD_NOT_SUPPORTED':
    case 'FST_ERR_METHOD_NOT_SUPPORTED':
      return new Failure('unsupported', 'This method is not supported.');
    default:
      return undefined;
  }
}

/**
 * Answers a request that is not HTTP with the envelope, without the help of Fastify: there is no reply object for it.
 */
function answerBrokenRequest(error: Error & { code?: string }, socket: Socket, connections: Connections): void {
  if (error.code === 'ECONNRESET' || socket.destroyed) return;
  // A connection without any request gets no response.
  if (socket.bytesRead === 0) return void socket.destroy();
  const [status, word, message] =
    error.code === 'HPE_HEADER_OVERFLOW'
      ? ['431 Request Header Fields Too Large', 'too-large', 'The request header exceeds the size limit.']
      : error.code === 'ERR_HTTP_REQUEST_TIMEOUT'
        ? ['408 Request Timeout', 'invalid', 'The request did not arrive in time.']
        : ['400 Bad Request', 'invalid', 'This is not a valid HTTP request.'];
  const body = JSON.stringify({ status: word, errorMessage: message });
  const head = [
    `HTTP/1.1 ${status}`,
    `Content-Type: ${contentTypes.json}`,
    `Content-Length: ${Buffer.byteLength(body)}`,
    `X-Request-Id: ${randomUUID()}`,
    'Connection: close',
  ];
  connections.refuse(socket, `${head.join('\r\n')}\r\n\r\n${body}`);
}
