import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { randomFrom } from './load.ts';

const changesPerSecond = 100;
/** One change in so many replaces the spare port: gone and there again in one transaction, so that no total may ever differ. */
const replaceEvery = 10;

const changeSql = `update port set version = version + 1, last_change_summary = 'change ' || version + 1, last_modified_date = now()
  where id = $1 returning version`;

const replaceSql = `with gone as (delete from port where id > $1 returning *)
  insert into port select (jsonb_populate_record(null::port, to_jsonb(g) || jsonb_build_object('id', 2 * $1 + 3 - g.id, 'ifname', 'spare ' || $2::text))).* from gone g`;

/** Changes ports of one database all the while, and remembers what was acknowledged. */
export class Writer {
  /** The version of each port that was acknowledged last, by id. */
  readonly acknowledged: Int32Array;
  /** The port that was changed last. */
  last = 0;
  written = 0;
  readonly #ports: number;
  readonly #client: pg.Client;
  readonly #random: (below: number) => number;
  #isStopped = false;
  #working: Promise<void> | undefined;

  constructor(url: string, ports: number, seed: number) {
    this.#ports = ports;
    this.acknowledged = new Int32Array(ports + 2).fill(1);
    this.#client = new pg.Client({ connectionString: url });
    this.#random = randomFrom(seed);
  }

  async start(): Promise<void> {
    await this.#client.connect();
    this.#working = this.#work();
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    await this.#working;
    await this.#client.end();
  }

  async #work(): Promise<void> {
    for (let change = 1; !this.#isStopped; change++) {
      const id = 1 + this.#random(this.#ports);
      const { rows } = await this.#client.query<{ version: number }>({ name: 'change', text: changeSql, values: [id] });
      this.acknowledged[id] = rows[0]!.version;
      this.last = id;
      this.written++;
      if (change % replaceEvery === 0)
        await this.#client.query({ name: 'replace', text: replaceSql, values: [this.#ports, change] });
      await sleep(1_000 / changesPerSecond);
    }
  }
}
