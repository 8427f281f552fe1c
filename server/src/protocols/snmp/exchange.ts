import { createSocket, type RemoteInfo, type Socket } from 'node:dgram';
import { once } from 'node:events';
import type { OutboundAddress } from '../outbound/outbound.ts';
import { BerError } from './ber.ts';
import { decodeMessage, type Message } from './message.ts';

/** A datagram that waits for its reply. */
export interface Question {
  to: OutboundAddress;
  port: number;
  /** msgID in version 3, request-id in versions 1 and 2c. */
  id: number;
  bytes: Buffer;
  timeoutMs: number;
  retries: number;
  signal?: AbortSignal | undefined;
  /** Called before each datagram; an error that it throws ends the request, and nothing is sent. */
  beforeSend?: (() => void) | undefined;
  /** Returns the content of a reply; undefined if the message is not a reply: any host can send one. */
  read(message: Message): unknown;
}

interface Pending {
  question: Question;
  settle(answer: unknown): void;
}

interface Channel {
  socket: Socket;
  pending: Map<number, Pending>;
}

const channelsMax = 4;
const receiveBufferBytes = 4 * 1024 * 1024;

/** Sends datagrams to any number of devices over a few sockets, and assigns replies to requests. */
export class Exchange {
  readonly #channels: Record<4 | 6, Promise<Channel>[]> = { 4: [], 6: [] };
  readonly #inFlightMax: number;
  readonly #queue: (() => void)[] = [];
  #nextChannel = 0;
  #inFlight = 0;
  #isClosed = false;
  readonly counts = { requests: 0, retransmissions: 0, timeouts: 0, strayPackets: 0 };

  constructor(inFlightMax: number) {
    this.#inFlightMax = inFlightMax;
  }

  get gauges(): { sockets: number; inFlight: number; waiting: number } {
    const sockets = Object.values(this.#channels).reduce((sum, channels) => sum + Object.keys(channels).length, 0);
    return { sockets, inFlight: this.#inFlight, waiting: this.#queue.length };
  }

  /** Returns the first reply that `read` accepts; undefined after the last try. */
  async send(question: Question): Promise<unknown> {
    await this.#enter();
    try {
      if (this.#isClosed) throw new Error('the SNMP client is closed');
      question.signal?.throwIfAborted();
      return await this.#send(await this.#channel(question.to.family), question);
    } finally {
      this.#leave();
    }
  }

  async #enter(): Promise<void> {
    if (this.#inFlight < this.#inFlightMax) this.#inFlight += 1;
    // The slot is passed to the next waiting request, so that no new one can take it.
    else await new Promise<void>((resolve) => this.#queue.push(resolve));
  }

  #leave(): void {
    const nextWaiter = this.#queue.shift();
    if (nextWaiter) nextWaiter();
    else this.#inFlight -= 1;
  }

  #channel(family: 4 | 6): Promise<Channel> {
    const channels = this.#channels[family];
    this.#nextChannel = (this.#nextChannel + 1) % channelsMax;
    const channelIndex = this.#nextChannel;
    // A socket that could not be opened (no descriptors left) is opened again by the next request.
    channels[channelIndex] ??= this.#open(family).catch((error: unknown) => {
      delete channels[channelIndex];
      throw error;
    });
    return channels[channelIndex];
  }

  async #open(family: 4 | 6): Promise<Channel> {
    const socket = createSocket(family === 4 ? 'udp4' : 'udp6');
    const channel: Channel = { socket, pending: new Map() };
    socket.bind(0);
    await once(socket, 'listening');
    // Many switches may reply at the same moment; the kernel limits the size.
    socket.setRecvBufferSize(receiveBufferBytes);
    socket.unref();
    socket.on('message', (datagram, sender) => this.#receive(channel, datagram, sender));
    // `send` reports errors by its callback; other socket errors are not specific to one device.
    socket.on('error', () => {});
    if (this.#isClosed) socket.close();
    return channel;
  }

  #receive({ pending }: Channel, datagram: Buffer, sender: RemoteInfo): void {
    let message: Message;
    try {
      message = decodeMessage(datagram);
    } catch (error) {
      if (!(error instanceof BerError)) throw error;
      this.counts.strayPackets += 1;
      return;
    }
    const id =
      message.version === 'v3' ? message.msgId : 'requestId' in message.pdu ? message.pdu.requestId : undefined;
    const waiting = id === undefined ? undefined : pending.get(id);
    const isFromThere = waiting && waiting.question.port === sender.port && isSame(waiting.question.to, sender.address);
    const answer = isFromThere ? waiting.question.read(message) : undefined;
    if (answer === undefined) this.counts.strayPackets += 1;
    else waiting!.settle(answer);
  }

  #send({ socket, pending }: Channel, question: Question): Promise<unknown> {
    const { to: target, port, id, bytes, timeoutMs, retries, signal, beforeSend } = question;
    return new Promise((resolve, reject) => {
      let tries = 0;
      let timer: NodeJS.Timeout | undefined;
      const finish = () => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', abort);
        pending.delete(id);
      };
      const settle = (answer: unknown) => {
        finish();
        resolve(answer);
      };
      const abort = () => {
        finish();
        reject(signal!.reason);
      };
      const attempt = () => {
        if (tries > retries) {
          this.counts.timeouts += 1;
          settle(undefined);
          return;
        }
        try {
          beforeSend?.();
        } catch (cause) {
          finish();
          reject(cause);
          return;
        }
        this.counts[tries === 0 ? 'requests' : 'retransmissions'] += 1;
        tries += 1;
        timer = setTimeout(attempt, timeoutMs);
        // A send error (no route, full buffer) is treated as packet loss: the next try may succeed.
        socket.send(bytes, port, target.address, () => {});
      };
      signal?.addEventListener('abort', abort, { once: true });
      pending.set(id, { question, settle });
      attempt();
    });
  }

  close(): void {
    this.#isClosed = true;
    for (const opening of [...this.#channels[4], ...this.#channels[6]]) {
      opening?.then(
        ({ socket, pending }) => {
          for (const { settle } of pending.values()) settle(undefined);
          socket.close();
        },
        () => {}, // not open: nothing to close
      );
    }
  }
}

/** IPv6 addresses have several notations; the URL standard normalises them. */
const isSame = ({ address, family }: OutboundAddress, senderAddress: string): boolean =>
  address === senderAddress ||
  (family === 6 && new URL(`http://[${address.split('%')[0]}]`).hostname === `[${senderAddress.split('%')[0]}]`);
