import { setTimeout as sleep } from 'node:timers/promises';
import type { CellNode } from '@portreeve/testbed/cell.ts';
import type { ServedCell } from '../../world/cell.ts';

export interface Settled {
  /** Resident memory of the process. */
  megabytes: number;
  /** Memory that JavaScript objects use. */
  heapMegabytes: number;
  /** Open sockets of clients. */
  sockets: number;
}

/**
 * Returns the node's memory and sockets after a garbage collection; waits a while until it has at most this many
 * sockets.
 */
export async function settled(node: CellNode, socketsMax = Number.POSITIVE_INFINITY): Promise<Settled> {
  const port = /Inspection port (\d+)/.exec(node.log())![1];
  for (let tries = 1; ; tries++) {
    const answer = await fetch(`http://127.0.0.1:${port}/`);
    const { rss, heapUsed, sockets } = (await answer.json()) as Record<'rss' | 'heapUsed' | 'sockets', number>;
    // Collects several times, because freeing some objects makes others free.
    if (tries >= 3 && (sockets <= socketsMax || tries >= 50))
      return { megabytes: megabytes(rss), heapMegabytes: megabytes(heapUsed), sockets };
    await sleep(200);
  }
}

const megabytes = (bytes: number): number => Math.round(bytes / 1_048_576);

/** Counts the node's sessions in PostgreSQL from time to time, and stores the maximum. */
export class SessionWatch {
  most = 0;
  /** The names of the sessions at that time. */
  words = '';
  #isStopped = false;
  readonly #watching: Promise<void>;

  constructor(cell: ServedCell) {
    this.#watching = this.#watch(cell);
    // The error is thrown when the watch is stopped; a trial that fails earlier has another error to report.
    this.#watching.catch(() => undefined);
  }

  async #watch({ sql }: ServedCell): Promise<void> {
    for (; !this.#isStopped; await sleep(500)) {
      const { rows } = await sql.query<{ name: string; sessions: number }>(
        `select application_name as name, count(*)::integer as sessions from pg_stat_activity where usename = 'portreeve_service' group by 1 order by 1`,
      );
      const sessions = rows.reduce((sum, row) => sum + row.sessions, 0);
      if (sessions <= this.most) continue;
      this.most = sessions;
      this.words = rows.map((row) => `${row.sessions} ${row.name}`).join(', ');
    }
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    await this.#watching;
  }
}

/** Returns the log lines of level error: every bug, and every fault outside of requests. */
export const loggedFaults = (node: CellNode): string[] =>
  node
    .log()
    .split('\n')
    .filter((line) => line.includes('"level":50'))
    .map((line) => `logged: ${line.slice(0, 1_000)}`);
