import type { Server as AnyServer, IncomingMessage, ServerResponse } from 'node:http';
import { createServer, type Server } from 'node:https';
import type { TLSSocket } from 'node:tls';
import { Failure } from '../kernel/failure.ts';
import {
  type EngineAttribute,
  type PacketAttributes,
  readCall,
  writeAnswer,
} from '../protocols/radius-engine/rest-calls.ts';
import { decisionAddress, type EngineIdentity } from './engine-identity.ts';
import { RefusedCalls } from './engine-refused-calls.ts';

/** A request of the engine about one packet. */
export interface EngineCall {
  /** Address that the packet came from. */
  source: string;
  /** The reply that the engine is going to send; empty before the decision. */
  result: string;
  attributes: PacketAttributes;
}

/** The functions that handle requests of the engine. */
export interface EngineAnswers {
  /** Returns the client attributes of an access device; null: no device has this address; undefined: the devices are not loaded. */
  accessDevice(address: string): readonly EngineAttribute[] | null | undefined;
  calls: Readonly<Record<string, (call: EngineCall) => Promise<readonly EngineAttribute[]>>>;
}

/** After this time, an access device has sent its request to another server. */
const staleSeconds = 3;
/** While `slowCallsMax` calls take longer than this, further calls are refused, because they would only wait. */
const slowMs = 500;
const slowCallsMax = 16;

/** A packet of 4,096 octets in JSON, with each attribute on its own. */
const bodyBytesMax = 65_536;
const connectionsMax = 256;
/** Longer than the 60 s for which the engine keeps idle connections. */
const idleMs = 75_000;
const requestMs = 10_000;

/** Time limit of the TLS handshake, so that silent peers do not use up the connections. */
export const handshakeMs = 5_000;

/** Handles the requests of engines on all listeners. Everything but a decision is an error, which engines never treat as a reject. */
export class EngineRequests {
  readonly #answers: EngineAnswers;
  readonly #clock: () => number;
  readonly #onError: (error: Error) => void;
  readonly #underWay = new CallsUnderWay();
  readonly #refused: RefusedCalls;

  constructor(answers: EngineAnswers, options: { clock: () => number; onError: (error: Error) => void }) {
    this.#answers = answers;
    this.#clock = options.clock;
    this.#onError = options.onError;
    this.#refused = new RefusedCalls(() => performance.now(), options.onError);
  }

  /** Handles one request. Only the engine of this node may read access devices, whose attributes contain secrets. */
  answer(request: IncomingMessage, response: ServerResponse, { isOfThisNode }: { isOfThisNode: boolean }) {
    const url = URL.parse(request.url ?? '/', 'http://engine');
    const [, root, callName = '', address, ...extraSegments] = url?.pathname.split('/') ?? [];
    if (!url || root !== 'radius' || extraSegments.length > 0) return end(response, 404);
    if (isOfThisNode && request.method === 'GET' && callName === 'nas' && address)
      return endWithDevice(response, this.#answers, address);
    const { calls } = this.#answers;
    const isCall = request.method === 'POST' && address === undefined && Object.hasOwn(calls, callName);
    if (!isCall) return end(response, 404);
    // An immediate refusal is better than a late response that the engine no longer waits for.
    const refuse = (code: number, why: string) => {
      this.#refused.report({ call: callName, source: url.searchParams.get('src') ?? '', why });
      end(response, code);
    };
    if (this.#isStale(url) || this.#underWay.areSlow()) {
      request.resume();
      return refuse(
        503,
        this.#isStale(url) ? 'the packet has waited too long in the engine' : 'too many calls are slow',
      );
    }
    this.#underWay.during(responseTo(request, url, calls[callName]!)).then(
      (answer) => (typeof answer === 'string' ? end(response, 200, answer) : refuse(500, answer.refusedWhy)),
      (error: Error) => {
        // Not logged: every packet fails until the node is available.
        if (!(error instanceof Failure && error.word === 'unavailable')) this.#onError(error);
        refuse(503, error.message);
      },
    );
  }

  #isStale({ searchParams }: URL): boolean {
    const receivedAt = Number(searchParams.get('at') ?? Number.POSITIVE_INFINITY);
    return this.#clock() / 1_000 - receivedAt > staleSeconds;
  }
}

/** Listens on loopback for the engine of this node, with the certificates of its identity. */
export async function listenForEngine(
  { identity, port }: { identity: EngineIdentity; port: number },
  requests: EngineRequests,
): Promise<Server> {
  const server = createServer({ ...identity.tls(), handshakeTimeout: handshakeMs }, (request, response) => {
    if (!identity.isEngine(request.socket as TLSSocket)) return end(response, 403);
    requests.answer(request, response, { isOfThisNode: true });
  });
  identity.follow(server);
  await listen(server, { port, host: decisionAddress });
  return server;
}

/** Starts a listener with the connection limits for engines. */
export async function listen(server: AnyServer, { port, host }: { port: number; host: string }): Promise<void> {
  server.maxConnections = connectionsMax;
  server.keepAliveTimeout = idleMs;
  server.requestTimeout = requestMs;
  await new Promise<void>((done, fail) => server.once('error', fail).listen(port, host, done));
}

/** The calls in progress, oldest first. */
class CallsUnderWay {
  readonly #startedCalls = new Set<{ atMs: number }>();

  areSlow(): boolean {
    if (this.#startedCalls.size < slowCallsMax) return false;
    const before = performance.now() - slowMs;
    let slow = 0;
    for (const { atMs } of this.#startedCalls) {
      if (atMs > before) break;
      slow += 1;
    }
    return slow >= slowCallsMax;
  }

  async during<T>(answer: Promise<T>): Promise<T> {
    const call = { atMs: performance.now() };
    this.#startedCalls.add(call);
    try {
      return await answer;
    } finally {
      this.#startedCalls.delete(call);
    }
  }
}

/** Ends a response, without a reason in the body. */
export function end(response: ServerResponse, code: number, body?: string): void {
  response.writeHead(code, body === undefined ? {} : { 'content-type': 'application/json' }).end(body);
}

/** Decodes the colons of IPv6 addresses, which the engine escapes. */
const unescaped = (address: string): string => address.replaceAll(/%3a/gi, ':');

function endWithDevice(response: ServerResponse, { accessDevice }: EngineAnswers, address: string): void {
  const device = accessDevice(unescaped(address));
  if (device === undefined) end(response, 503);
  else if (device === null) end(response, 404);
  else end(response, 200, writeAnswer(device));
}

async function responseTo(
  request: IncomingMessage,
  { searchParams }: URL,
  call: (call: EngineCall) => Promise<readonly EngineAttribute[]>,
): Promise<string | { refusedWhy: string }> {
  const body = await bodyOf(request);
  if (body === undefined) return { refusedWhy: `the body has more than ${bodyBytesMax} bytes` };
  const attributes = readCall(body);
  // The engine would treat a 4xx status as a decision, which could become a reject.
  if (!attributes)
    return { refusedWhy: `the body of ${body.length} characters is truncated or not a list of attributes` };
  const source = searchParams.get('src') ?? '';
  return writeAnswer(await call({ source, result: searchParams.get('result') ?? '', attributes }));
}

/** Reads the body of a request. Returns undefined if it is too long. */
function bodyOf(request: IncomingMessage): Promise<string | undefined> {
  return new Promise((done, fail) => {
    const chunks: Buffer[] = [];
    let bytes = 0;
    request.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes <= bodyBytesMax) chunks.push(chunk);
      else done(undefined);
    });
    request.once('end', () => done(Buffer.concat(chunks).toString()));
    request.once('error', fail).once('close', () => fail(new Error('the engine closed the connection')));
  });
}
