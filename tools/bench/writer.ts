import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { randomFrom } from './load.ts';
import type { Subject } from './subjects/subject.ts';

const changesPerSecond = 100;
/** One change of this many replaces the spare record, after which no total may differ. */
const replaceEvery = 10;

/** Deletes the record and inserts it under another id, in one statement. */
const replaceSql = (table: string): string => `with gone as (delete from ${table} where id > $1 returning *)
  insert into ${table} select (jsonb_populate_record(null::${table}, to_jsonb(g) || jsonb_build_object('id', 2 * $1 + 3 - g.id))).* from gone g`;

/** Changes records of one table all the time, and stores the acknowledged versions. */
export class Writer {
  /** The last acknowledged version of each record, by id. */
  readonly acknowledged: Int32Array;
  /** The record that was changed last. */
  last = 0;
  written = 0;
  readonly #subject: Subject;
  readonly #rows: number;
  readonly #client: pg.Client;
  readonly #random: (below: number) => number;
  #isStopped = false;
  #working: Promise<void> | undefined;

  constructor(url: string, subject: Subject, rows: number, seed: number) {
    this.#subject = subject;
    this.#rows = rows;
    this.acknowledged = new Int32Array(rows + 2).fill(1);
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
    const { changeSql, name: table } = this.#subject;
    for (let change = 1; !this.#isStopped; change++) {
      const id = 1 + this.#random(this.#rows);
      const { rows } = await this.#client.query<{ version: number }>({ name: 'change', text: changeSql, values: [id] });
      this.acknowledged[id] = rows[0]!.version;
      this.last = id;
      this.written++;
      if (change % replaceEvery === 0)
        await this.#client.query({ name: 'replace', text: replaceSql(table), values: [this.#rows] });
      await sleep(1_000 / changesPerSecond);
    }
  }
}
