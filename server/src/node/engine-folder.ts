import { once } from 'node:events';
import { unlink } from 'node:fs/promises';
import { connect, createServer, type Server } from 'node:net';
import { join } from 'node:path';

/**
 * Reserves the folder of an engine for one process. A second node that was started with a copy of the deployment file would otherwise
 * manage the same engine: each would stop the engine of the other and replace its certificates. The process listens on a socket in the
 * folder, which only the user of the service can enter, so the operating system releases it when the process ends. Two processes that
 * find the socket of a dead process at the same moment may both take the folder.
 */
export class EngineFolder {
  readonly #socket: string;
  #server: Server | undefined;

  constructor(folder: string) {
    this.#socket = join(folder, 'node.sock');
  }

  get isHeld(): boolean {
    return this.#server !== undefined;
  }

  /** Returns false if another process holds the folder. */
  async take(): Promise<boolean> {
    if (await this.#listen()) return true;
    if (await isAlive(this.#socket)) return false;
    await unlink(this.#socket).catch(() => undefined);
    return this.#listen();
  }

  release(): void {
    this.#server?.close();
    this.#server = undefined;
  }

  async #listen(): Promise<boolean> {
    const server = createServer((socket) => void socket.destroy());
    try {
      await once(server.listen(this.#socket), 'listening');
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'EADDRINUSE') return false;
      throw error;
    }
    this.#server = server.unref();
    return true;
  }
}

const isAlive = (path: string): Promise<boolean> =>
  new Promise((done) => {
    const socket = connect(path);
    socket.once('connect', () => {
      socket.destroy();
      done(true);
    });
    socket.once('error', () => done(false));
  });
