import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { Failure, unavailable } from '../failure.ts';

/** What one node grants its clients together. */
export interface ConnectionLimits {
  /** Connections at a time; beyond it, that one goes which has waited longest without a request. */
  max: number;
  /** How long the header of a request may take to arrive. */
  headersSeconds: number;
  /** How long a whole request may take to arrive. */
  requestSeconds: number;
  /** How long a connection is kept between two requests. */
  idleSeconds: number;
  /** How long a client may take nothing of an answer that waits for it. */
  unreadSeconds: number;
  /** Answers that wait to be read, of all connections together; beyond it, no further large one is given. */
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

/** Connections that the system keeps until they are accepted, as far as it lets us: connections beyond them get no response, and clients retry a second later. */
export const backlog = 4_096;
/** How soon after its time a connection is closed. */
export const checkMs = 1_000;
/** Nothing moves on a connection for longer while it is used: an operation has ended by then, and a stream says that it is alive. */
export const stalledMs = 120_000;
/** How long a client that was refused may take to read why. */
const lingerMs = 1_000;
const largeBytes = 65_536;
const answerMegabytesMax = 64;
const megabyte = 1_048_576;

/** For text that waits Node keeps three bytes a character, and the text; for bytes just these. Short text is cheaper as it is. */
export const sendable = (text: string | Buffer): string | Buffer =>
  typeof text !== 'string' || text.length < largeBytes ? text : Buffer.from(text);

/** Keeps those who ask nothing, or read nothing, from taking the place and the memory of those who do. */
export class Connections {
  readonly #limits: ConnectionLimits;
  /** What is owed on each connection, in the order of its requests. */
  readonly #pending = new Map<Socket, Set<ServerResponse>>();
  /** Connections that owe us a whole request, those first that have done so for longest. */
  readonly #waiting = new Set<Socket>();
  readonly #unread = new Map<ServerResponse, number>();
  readonly #refused = new WeakSet<Socket>();
  #unreadBytes = 0;

  constructor(server: Server, limits: ConnectionLimits) {
    this.#limits = limits;
    server.headersTimeout = limits.headersSeconds * 1_000;
    server.on('connection', (socket: Socket) => this.#onOpen(socket));
    server.on('secureConnection', (socket: Socket) => this.#onSecure(socket));
    // Before the service receives the request, and therefore before a response is possible.
    server.prependListener('request', (request, response) => this.#onRequest(request, response));
  }

  #onOpen(socket: Socket): void {
    this.#pending.set(socket, new Set());
    this.#waiting.add(socket);
    socket.once('close', () => this.#remove(socket));
    if (this.#pending.size <= this.#limits.max) return;
    const [longest] = this.#waiting;
    // Counted as gone at once: its `close` comes later, and others may come before.
    this.#remove(longest!);
    longest!.destroy();
  }

  /** HTTPS: requests come on another socket than the one that was accepted, with the same two ends. */
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
    // Responses still waiting to be sent get no close event.
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
      // The next one may still be worked on.
      if (pendingResponses && pendingResponses.size > 0) socket.setTimeout(stalledMs);
    });
  }

  #forget(response: ServerResponse): void {
    this.#unreadBytes -= this.#unread.get(response) ?? 0;
    this.#unread.delete(response);
  }

  /** The last in the row, unless it is gone. */
  #moveToEnd(socket: Socket): void {
    this.#waiting.delete(socket);
    if (this.#pending.has(socket)) this.#waiting.add(socket);
  }

  /** A request is whole: until it is answered, its connection is not closed for the sake of others. */
  markComplete(request: IncomingMessage): void {
    this.#waiting.delete(request.socket);
  }

  /** Finds room for an answer until it is read, or refuses to give it. */
  reserve(response: ServerResponse, bytes: number): void {
    if (bytes > answerMegabytesMax * megabyte)
      throw new Failure(
        'too-expensive',
        `The response would exceed ${answerMegabytesMax} MiB; request fewer records with count.`,
      );
    if (bytes >= largeBytes && this.#unreadBytes + bytes > this.#limits.unreadMegabytes * megabyte)
      throw unavailable('Too many responses are waiting for slow clients; try again in a moment.');
    // A connection that is already closed emits no further event.
    if (!this.#pending.get(response.req.socket)?.has(response)) return;
    this.#unread.set(response, bytes);
    this.#unreadBytes += bytes;
  }

  /** An answer goes out. Node looks after this time whether something of it was taken, and takes it back when all was. */
  expectReading(response: ServerResponse): void {
    const { socket } = response.req;
    // At the first look it has only the beginning to compare with: so it looks twice in the time.
    if (this.#pending.has(socket)) socket.setTimeout(this.#limits.unreadSeconds * 500);
  }

  /**
   * Refuses what is no request, in bytes by hand, and closes. Requests that came before it on the same connection are answered first:
   * else the refusal would be taken for their answer, and what was written for not written.
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
    // Of one that was answered before it broke, nothing more is to be said.
    if (pendingResponses.some(({ headersSent }) => headersSent)) socket.end();
    else socket.end(bytes);
    setTimeout(() => socket.destroy(), lingerMs).unref();
  }
}
