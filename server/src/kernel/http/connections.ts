import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { Failure, unavailable } from '../failure.ts';

/** The limits of one node for all its clients together. */
export interface ConnectionLimits {
  /** Connections at a time; beyond it, the one that has waited longest for a complete request is closed. */
  max: number;
  /** Time for the header of a request to arrive. */
  headersSeconds: number;
  /** Time for a complete request to arrive. */
  requestSeconds: number;
  /** Time that a connection stays open between two requests. */
  idleSeconds: number;
  /** Time in which a client must read some of a response that waits for it. */
  unreadSeconds: number;
  /** Size of all responses that wait to be read, on all connections; beyond it, further large responses are refused. */
  unreadMegabytes: number;
}

export const connectionDefaults: ConnectionLimits = {
  max: 4_000,
  headersSeconds: 15,
  requestSeconds: 60,
  idleSeconds: 75,
  unreadSeconds: 20,
  unreadMegabytes: 128,
};

/**
 * Connections that the system queues until they are accepted, within its own limit: further ones get no response, and
 * clients retry a second later.
 */
export const backlog = 4_096;
/** Interval of the checks for requests that did not arrive in time. */
export const checkMs = 1_000;
/**
 * Time without traffic after which a connection in use is closed: longer than any operation takes, and streams send
 * keep-alives.
 */
export const stalledMs = 120_000;
/** Time for a refused client to read the error. */
const lingerMs = 1_000;
const largeBytes = 65_536;
const answerMegabytesMax = 64;
const megabyte = 1_048_576;

/**
 * Returns large text as bytes: Node needs three bytes per character in addition to text that waits, and nothing in
 * addition to bytes. Short text is cheaper unchanged.
 */
export const sendable = (text: string | Buffer): string | Buffer =>
  typeof text !== 'string' || text.length < largeBytes ? text : Buffer.from(text);

/** Prevents clients that send nothing, or read nothing, from using up the connections and the memory of a node. */
export class Connections {
  readonly #limits: ConnectionLimits;
  /** The unfinished responses of each connection, in the order of its requests. */
  readonly #pending = new Map<Socket, Set<ServerResponse>>();
  /** Connections that wait for a complete request, the longest waiting first. */
  readonly #waiting = new Set<Socket>();
  readonly #unread = new Map<ServerResponse, number>();
  readonly #refused = new WeakSet<Socket>();
  #unreadBytes = 0;

  constructor(server: Server, limits: ConnectionLimits) {
    this.#limits = limits;
    server.headersTimeout = limits.headersSeconds * 1_000;
    server.on('connection', (socket: Socket) => this.#onOpen(socket));
    server.on('secureConnection', (socket: Socket) => this.#onSecure(socket));
    // Runs before the service receives the request, so that every response is registered.
    server.prependListener('request', (request, response) => this.#onRequest(request, response));
  }

  #onOpen(socket: Socket): void {
    this.#pending.set(socket, new Set());
    this.#waiting.add(socket);
    socket.once('close', () => this.#remove(socket));
    if (this.#pending.size <= this.#limits.max) return;
    const [longest] = this.#waiting;
    // Removed at once: its `close` event comes later, and more connections may arrive before it.
    this.#remove(longest!);
    longest!.destroy();
  }

  /**
   * Replaces the accepted socket by the TLS socket that emits the requests; both have the same remote address and port.
   */
  #onSecure(socket: Socket): void {
    const { remoteAddress, remotePort } = socket;
    for (const accepted of this.#waiting)
      if (accepted.remotePort === remotePort && accepted.remoteAddress === remoteAddress) {
        this.#remove(accepted);
        break;
      }
    this.#onOpen(socket);
  }

  #remove(socket: Socket): void {
    // Responses that still wait to be sent get no close event.
    for (const response of this.#pending.get(socket) ?? []) this.#forget(response);
    this.#pending.delete(socket);
    this.#waiting.delete(socket);
  }

  #onRequest(request: IncomingMessage, response: ServerResponse): void {
    const { socket } = request;
    const pendingResponses = this.#pending.get(socket);
    pendingResponses?.add(response);
    this.#moveToEnd(socket);
    response.once('close', () => {
      pendingResponses?.delete(response);
      this.#forget(response);
      this.#moveToEnd(socket);
      // The next response of this connection may still be in preparation.
      if (pendingResponses && pendingResponses.size > 0) socket.setTimeout(stalledMs);
    });
  }

  #forget(response: ServerResponse): void {
    this.#unreadBytes -= this.#unread.get(response) ?? 0;
    this.#unread.delete(response);
  }

  /** Moves a connection to the end of the waiting ones, unless it is closed. */
  #moveToEnd(socket: Socket): void {
    this.#waiting.delete(socket);
    if (this.#pending.has(socket)) this.#waiting.add(socket);
  }

  /**
   * Takes a connection with a complete request off the waiting ones: until its response is sent, it is not closed to
   * make room for others.
   */
  markComplete(request: IncomingMessage): void {
    this.#waiting.delete(request.socket);
  }

  /** Reserves memory for a response until the client has read it; throws if too much is reserved already. */
  reserve(response: ServerResponse, bytes: number): void {
    if (bytes > answerMegabytesMax * megabyte)
      throw new Failure(
        'too-expensive',
        `The response would exceed ${answerMegabytesMax} MiB; request fewer records with count.`,
      );
    if (bytes >= largeBytes && this.#unreadBytes + bytes > this.#limits.unreadMegabytes * megabyte)
      throw unavailable('Too many responses are waiting for slow clients; try again in a moment.');
    // A closed connection emits no further event, which would release the memory.
    if (!this.#pending.get(response.req.socket)?.has(response)) return;
    this.#unread.set(response, bytes);
    this.#unreadBytes += bytes;
  }

  /**
   * Sets the time in which the client must read some of the response. Node closes the connection if it did not, and
   * resets the timeout after the response.
   */
  expectReading(response: ServerResponse): void {
    const { socket } = response.req;
    // The first check has only the start to compare with, so there are two checks in that time.
    if (this.#pending.has(socket)) socket.setTimeout(this.#limits.unreadSeconds * 500);
  }

  /**
   * Answers bytes that are not a request with the given bytes, and closes the connection. Responses to earlier requests
   * on the connection are sent first: the client would take the refusal for one of them, for example for the failure of
   * a write.
   */
  refuse(socket: Socket, bytes: string): void {
    // Each further chunk of an invalid request emits the error again.
    if (this.#refused.has(socket)) return;
    this.#refused.add(socket);
    this.#refuseAfterAnswers(socket, bytes);
  }

  #refuseAfterAnswers(socket: Socket, bytes: string): void {
    const pendingResponses = [...(this.#pending.get(socket) ?? [])];
    const lastComplete = pendingResponses.findLast(({ req }) => req.complete);
    if (lastComplete) {
      lastComplete.once('close', () => this.#refuseAfterAnswers(socket, bytes));
      return;
    }
    // If a response to the broken request was already sent, nothing can be sent after it.
    if (pendingResponses.some(({ headersSent }) => headersSent)) socket.end();
    else socket.end(bytes);
    setTimeout(() => socket.destroy(), lingerMs).unref();
  }
}
