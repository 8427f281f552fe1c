import { readFile } from 'node:fs/promises';
import { createServer, connect as dial, type Server, type Socket } from 'node:net';
import { join } from 'node:path';
import { freePort } from '@portreeve/testbed/free-ports.ts';
import pg from 'pg';
import { openCell } from '../world/cell.ts';
import { openReplicatedCell, type ReplicatedCell } from './replication.ts';

/** The cell in which a fault is caused; undefined: a node with the addresses of a primary and its standby. */
type CellKind = 'alone' | 'small heap' | 'one address' | undefined;

export interface Fault {
  cell?: CellKind;
  name: string;
  /** Causes the fault, waits, and ends it. */
  cause(cell: ReplicatedCell): Promise<void>;
  /** The response of /readyz meanwhile: 503 at least once, or 200 always. */
  ready?: 200 | 503;
  /** At least one write must get a 503 with such a message. */
  words?: RegExp;
  /** The standby is the primary afterwards. */
  promotes?: true;
}

export const asSuper = (cell: ReplicatedCell, text: string) => cell.sql.query(text);

export const postmasterOf = async (cell: Pick<ReplicatedCell, 'folder'>): Promise<number> =>
  Number((await readFile(join(cell.folder, 'data', 'postmaster.pid'), 'utf8')).split('\n')[0]);

/** Opens all remaining sessions of the server, and returns a function that closes them. */
export async function takeAllSessions(cell: ReplicatedCell): Promise<() => Promise<void>> {
  const clients: pg.Client[] = [];
  try {
    for (let n = 0; n < 200; n++) {
      const client = new pg.Client({ connectionString: cell.serviceUrl });
      client.on('error', () => undefined);
      await client.connect();
      clients.push(client);
    }
  } catch (error) {
    if ((error as { code?: string }).code !== '53300') throw error;
  }
  return async () => void (await Promise.all(clients.map((client) => client.end())));
}

export async function openFaultCell(kind: CellKind): Promise<ReplicatedCell> {
  if (kind === undefined) return openReplicatedCell();
  if (kind === 'one address') return openBehindOneAddress();
  const environment: Record<string, string> = kind === 'small heap' ? { NODE_OPTIONS: '--max-old-space-size=96' } : {};
  const cell = await openCell({ nodes: 1, lifeSeconds: 600, environment });
  // A server cannot share a tablespace with a standby on the same machine.
  const none = () => Promise.reject(new Error('this cell has no standby'));
  return { ...cell, standby: { port: 0, freeze: none, thaw: none, promote: none, stop: none } };
}

/**
 * Opens a cell whose nodes have one database address, which leads to the primary, and to the standby once it is
 * promoted.
 */
async function openBehindOneAddress(): Promise<ReplicatedCell> {
  let target = 0;
  const { server, close } = forwarding(() => target);
  const port = await freePort();
  await new Promise<void>((done) => server.listen(port, '127.0.0.1', done));
  const cell = await openReplicatedCell(async (serviceUrl) => {
    target = Number(new URL(serviceUrl).port);
    return serviceUrl.replace(/:\d+\//, `:${port}/`);
  });
  const promote = async () => {
    await cell.standby.promote();
    target = cell.standby.port;
  };
  return {
    ...cell,
    standby: { ...cell.standby, promote },
    async close() {
      await cell.close();
      close();
    },
  };
}

function forwarding(targetPort: () => number): { server: Server; close(): void } {
  const open = new Set<Socket>();
  const server = createServer((near) => {
    const far = dial(targetPort(), '127.0.0.1');
    for (const [socket, otherSocket] of [
      [near, far],
      [far, near],
    ] as const) {
      open.add(socket);
      socket.on('error', () => undefined);
      socket.once('close', () => {
        open.delete(socket);
        otherSocket.destroy();
      });
      socket.pipe(otherSocket);
    }
  });
  return {
    server,
    close() {
      server.close();
      for (const socket of open) socket.destroy();
    },
  };
}
