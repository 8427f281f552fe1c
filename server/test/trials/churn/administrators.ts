import { setTimeout as sleep } from 'node:timers/promises';
import type { ServedCell } from '../../world/cell.ts';
import type { NodeClient } from '../../world/node-client.ts';
import type { Campus } from './campus.ts';

const count = 4;
const pauseMs = 1_000;
const fields = { host: 'notes', adapter: 'description' } as const;
type Edited = keyof typeof fields;

/** Causes a change of an adapter, and resolves when the nodes have stored it. */
type Happen = (adapter: number) => Promise<void>;

/**
 * Administrators who read a host or an adapter and write it back with its ETag, at once or after a second in which it
 * is moved. No two of them edit the same record, so a 412 can only come from an observed change.
 */
export class Administrators {
  readonly refusals: string[] = [];
  readonly edits: Record<Edited, number> = { host: 0, adapter: 0 };
  /** How many edits had a change of their adapter reported between reading and writing. */
  overtaken = 0;
  /** The version after the last write, by table and id. */
  readonly versions = new Map<string, number>();
  readonly #clients: readonly NodeClient[];
  readonly #campus: Campus;
  readonly #random: () => number;
  readonly #happen: Happen;

  constructor(cell: ServedCell, campus: Campus, random: () => number, happen: Happen) {
    this.#clients = cell.nodes.map((node) => cell.client(node));
    this.#campus = campus;
    this.#random = random;
    this.#happen = happen;
  }

  async work(signal: AbortSignal): Promise<void> {
    await Promise.all(Array.from({ length: count }, (_, who) => this.#workOne(who, signal)));
  }

  async #workOne(who: number, signal: AbortSignal): Promise<void> {
    for (let n = 0; !signal.aborted; n++) {
      const adapter = Math.floor((this.#random() * this.#campus.adapters) / count) * count + who;
      if (adapter >= this.#campus.adapters) continue;
      await this.#edit(n % 2 === 0 ? 'host' : 'adapter', adapter, { waits: n % 4 < 2, isUnrestricted: n % 3 === 0, n });
      // Pauses between edits: administrators are no load test.
      await sleep(50);
    }
  }

  async #edit(
    what: Edited,
    adapter: number,
    how: { waits: boolean; isUnrestricted: boolean; n: number },
  ): Promise<void> {
    const id = (what === 'host' ? this.#campus.hostIds : this.#campus.adapterIds)[adapter]!;
    const path = `/${what}/${id}`;
    const client = this.#clients[Math.floor(this.#random() * this.#clients.length)]!;
    const fetched = await client.get(path);
    const etag = String(fetched.headers.etag);
    if (how.waits) {
      await Promise.all([this.#happen(adapter), sleep(pauseMs)]);
      this.overtaken++;
    }
    const body = { ...(how.isUnrestricted && fetched.body.results![0]), [fields[what]]: `edit ${how.n} of ${path}` };
    const reply = await client.call('POST', path, body, { 'if-match': etag });
    if (reply.code !== 200) {
      this.refusals.push(`${path}${how.waits ? ' after a second' : ''}: ${reply.code} ${reply.body.errorMessage}`);
      return;
    }
    const version = Number(etag.slice(1, -1)) + 1;
    const before = this.versions.get(`${what} ${id}`) ?? 1;
    if (version !== before + 1)
      this.refusals.push(`${path}: read version ${version - 1}, the last write made version ${before}`);
    this.versions.set(`${what} ${id}`, version);
    this.edits[what]++;
  }
}
