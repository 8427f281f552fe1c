import { createSocket, type RemoteInfo, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { networkInterfaces } from 'node:os';

/** Buffers a burst of a few thousand packets while a batch is stored. The kernel may grant less. */
const receiveBufferBytes = 4 * 1024 * 1024;
const addressesMax = 64;

export type Receive = (datagram: Buffer, sender: RemoteInfo, reply: (bytes: Buffer) => void) => void;

/**
 * The UDP sockets of one port. Access devices accept a response only from the address that they sent the request to, so `*` is a
 * socket for each address of this machine, and not one for all of them.
 */
export class AccountingSockets {
  readonly #host: string;
  readonly #receive: Receive;
  readonly #onError: (error: Error) => void;
  readonly #sockets = new Map<string, Socket>();
  readonly #failed = new Set<string>();
  #port = 0;

  constructor(host: string, receive: Receive, onError: (error: Error) => void) {
    this.#host = host;
    this.#receive = receive;
    this.#onError = onError;
  }

  get count(): number {
    return this.#sockets.size;
  }

  /** Opens and closes sockets so that they are those of the port; 0 closes all. An address that fails is tried again by the next call. */
  async follow(port: number): Promise<void> {
    if (port !== this.#port) await this.close();
    this.#port = port;
    const addresses = new Set(port === 0 ? [] : this.#addresses());
    for (const [address, socket] of this.#sockets)
      if (!addresses.has(address)) {
        this.#sockets.delete(address);
        socket.close();
      }
    for (const address of addresses) if (!this.#sockets.has(address)) await this.#open(address, port);
  }

  async close(): Promise<void> {
    const sockets = [...this.#sockets.values()];
    this.#sockets.clear();
    await Promise.all(
      sockets.map(async (socket) => {
        socket.close();
        await once(socket, 'close');
      }),
    );
  }

  #addresses(): string[] {
    if (this.#host !== '*') return [this.#host];
    const addresses = Object.values(networkInterfaces())
      .flatMap((entries) => entries ?? [])
      // Link-local addresses are another one on each interface; access devices are configured with a routable one.
      .filter(({ address }) => !/^fe80:/i.test(address))
      .map(({ address }) => address);
    return [...new Set(addresses)].slice(0, addressesMax);
  }

  async #open(address: string, port: number): Promise<void> {
    const socket = createSocket(address.includes(':') ? 'udp6' : 'udp4');
    try {
      socket.bind(port, address);
      await once(socket, 'listening');
    } catch (cause) {
      socket.close();
      // Reported once: it is tried again every few seconds.
      if (!this.#failed.has(address))
        this.#onError(new Error(`listening for accounting at ${address} port ${port}`, { cause }));
      this.#failed.add(address);
      return;
    }
    this.#failed.delete(address);
    socket.setRecvBufferSize(receiveBufferBytes);
    // A response that cannot be sent is treated as lost: the access device sends its request again.
    socket.on('error', () => undefined);
    socket.on('message', (datagram, sender) =>
      this.#receive(datagram, sender, (bytes) => {
        if (this.#sockets.get(address) === socket) socket.send(bytes, sender.port, sender.address, () => undefined);
      }),
    );
    this.#sockets.set(address, socket);
  }
}
