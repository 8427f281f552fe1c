import { setTimeout as sleep } from 'node:timers/promises';
import type { CellNode } from '@portreeve/testbed/cell.ts';
import type { ServedCell } from '../../world/cell.ts';

export interface Settled {
  /** What the system has given it. */
  megabytes: number;
  /** What of it is really in use. */
  heapMegabytes: number;
  /** That clients hold. */
  sockets: number;
}

/** What the node says of itself after collecting its garbage; waits a while for it to have no more sockets than these. */
export async function settled(node: CellNode, socketsMax = Number.POSITIVE_INFINITY): Promise<Settled> {
  const port = /Side door at (\d+)/.exec(node.log())![1];
  for (let tries = 1; ; tries++) {
    const answer = await fetch(`http://127.0.0.1:${port}/`);
    const { rss, heapUsed, sockets } = (await answer.json()) as Record<'rss' | 'heapUsed' | 'sockets', number>;
    // Several times, because what is freed in one turn lets go of more in the next.
    if (tries >= 3 && (sockets <= socketsMax || tries >= 50))
      return { megabytes: megabytes(rss), heapMegabytes: megabytes(heapUsed), sockets };
    await sleep(200);
  }
}

const megabytes = (bytes: number): number => Math.round(bytes / 1_048_576);

/** Looks at the sessions that the node has in PostgreSQL, now and then, and keeps the most it saw. */
export class SessionWatch {
  most = 0;
  /** By what they call themselves. */
  words = '';
  #isStopped = false;
  readonly #watching: Promise<void>;

  constructor(cell: ServedCell) {
    this.#watching = this.#watch(cell);
    // Told when it is stopped; a trial that breaks off has another fault to tell.
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

/** The node tells every bug, and every fault beside requests, as an error. */
export const loggedFaults = (node: CellNode): string[] =>
  node
    .log()
    .split('\n')
    .filter((line) => line.includes('"level":50'))
    .map((line) => `logged: ${line.slice(0, 1_000)}`);
