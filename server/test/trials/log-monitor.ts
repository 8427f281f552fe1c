import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { LogWriter } from '../../src/kernel/log/log-writer.ts';
import { cups } from '../overlay/client-written-log.ts';
import { cup } from '../overlay/logs.ts';
import { openCell, type ServedCell } from '../world/cell.ts';
import { asOwner, idOnDay, pastDays, sliceDate } from './slices.ts';
import { generator } from './storm.ts';
import { Pair } from './two-nodes.ts';

export interface LogMonitorReport {
  requests: number;
  copied: number;
  late: number;
  /** Requests that a killed node did not answer. */
  unanswered: number;
  polls: number;
  lostPages: number;
  detachedRows: number;
  committed: number;
  delivered: number;
  faults: string[];
}

const node = fileURLToPath(new URL('../overlay/client-written-log-node.ts', import.meta.url));
const { daysAgoMs, makePastSlices } = pastDays();
const oldDays = 45;
const lateMs = 3_000;

/** Opens two nodes that serve a log with a slice that is past its age. */
export async function openLogCell(): Promise<ServedCell> {
  const cell = await openCell({ nodes: 2, program: node, groups: cups.groups });
  const day = daysAgoMs(oldDays);
  await makePastSlices(cell, 'cup', [oldDays]);
  await cell.sql.query(
    `insert into cup (id, drink, machine_id, extras) select $1::bigint + n, 'old', n, '[]' from generate_series(1, 5000) n`,
    [idOnDay(day, 0)],
  );
  await cell.sql.query(`update log_setting set value = 0 where name = 'archiveBeforePurge'`);
  return cell;
}

/**
 * Follows a log on both nodes in turn while others write it; one writer commits late, a slice is detached, and a node
 * is killed.
 */
export async function followLogThroughDeath(
  cell: ServedCell,
  options: { writers: number; seconds: number; seed: number },
): Promise<LogMonitorReport> {
  return new Following(cell, options).run();
}

class Following {
  readonly #cell: ServedCell;
  readonly #options: { writers: number; seconds: number; seed: number };
  readonly #pair: Pair;
  readonly #random: () => number;
  readonly #seen = new Map<number, number>();
  readonly #until: number;
  #isWriting = true;
  readonly #report: LogMonitorReport = {
    requests: 0,
    copied: 0,
    late: 0,
    unanswered: 0,
    polls: 0,
    lostPages: 0,
    detachedRows: 0,
    committed: 0,
    delivered: 0,
    faults: [],
  };

  constructor(cell: ServedCell, options: { writers: number; seconds: number; seed: number }) {
    this.#cell = cell;
    this.#options = options;
    this.#random = generator(options.seed);
    this.#pair = new Pair(cell, this.#random);
    this.#until = Date.now() + options.seconds * 1_000;
  }

  async run(): Promise<LogMonitorReport> {
    const started = (await this.#pair.call('POST', `${cup.path}/monitor/start`, {})).body.results![0]!;
    const following = this.#follow(Number(started.id), String(started.position));
    const writers = Array.from({ length: this.#options.writers }, (_, name) => this.#write(name));
    await Promise.all([...writers, this.#copy(), this.#commitLate(), this.#detach(), this.#kill()]);
    this.#isWriting = false;
    await following;
    this.#report.unanswered = this.#pair.unanswered;
    await this.#compare();
    return this.#report;
  }

  async #write(name: number): Promise<void> {
    for (let n = 0; Date.now() < this.#until; n++) {
      const order = { drink: `follow-${name}-${n}`, cups: 1 + Math.floor(this.#random() * 3) };
      await this.#pair.call('POST', `${cup.path}/make`, order);
      this.#report.requests++;
    }
  }

  async #copy(): Promise<void> {
    const pool = new pg.Pool({ connectionString: this.#cell.serviceUrl, max: 2 });
    const writer = new LogWriter({
      pool,
      table: 'cup',
      columns: ['drink', 'machine_id', 'extras'],
      onOverload: () => undefined,
      onError: (error) => void this.#report.faults.push(`copying: ${error}`),
    });
    for (; Date.now() < this.#until; await sleep(100)) {
      await Promise.all(Array.from({ length: 100 }, (_, n) => writer.write(['copied', n, []])));
      this.#report.copied += 100;
    }
    await writer.close();
    await pool.end();
  }

  /** Commits rows whose ids are lower than those that are reported meanwhile. */
  async #commitLate(): Promise<void> {
    const client = new pg.Client({ connectionString: this.#cell.serviceUrl });
    await client.connect();
    while (Date.now() < this.#until) {
      await client.query(`begin; insert into cup (drink, machine_id, extras) values ('late', 0, '[]')`);
      await sleep(Math.min(lateMs, this.#options.seconds * 300));
      await client.query('commit');
      this.#report.late++;
      // A slice can only be detached while no transaction writes the log.
      await sleep(500);
    }
    await client.end();
  }

  async #detach(): Promise<void> {
    await sleep(this.#options.seconds * 500);
    await asOwner(this.#cell, async (client) => {
      await client.query(`set lock_timeout = '200ms'`);
      for (let tries = 0; this.#report.detachedRows === 0; tries++) {
        try {
          const { rows } = await client.query<{ gone: string }>('select detach_log_slice($1, $2) as gone', [
            'cup',
            sliceDate(daysAgoMs(oldDays)),
          ]);
          this.#report.detachedRows = Number(rows[0]!.gone);
        } catch (error) {
          if ((error as { code?: string }).code !== '55P03' || tries > 100) throw error;
          await sleep(50);
        }
      }
    });
  }

  async #kill(): Promise<void> {
    const victim = this.#cell.nodes[1]!;
    await sleep(this.#options.seconds * 333);
    await this.#cell.kill9(victim);
    await sleep(this.#options.seconds * 250);
    await this.#cell.startNode(victim);
  }

  async #follow(id: number, firstPosition: string): Promise<void> {
    let position: string | undefined = firstPosition;
    for (let turn = 0, empty = 0; this.#isWriting || empty < 4; turn++) {
      const path: string = `${cup.path}/monitor/${id}${position ? `?position=${position}` : ''}`;
      const reply = await this.#pair.call('GET', path, undefined, turn % 2);
      const entries = reply.body.results as unknown as { position: string; change: string; record: { id: number } }[];
      this.#report.polls++;
      empty = entries.length === 0 ? empty + 1 : 0;
      if (entries.length > 0 && this.#random() < 0.1) {
        // Simulates a lost page or a client that died with it: without a position, the page is reported again.
        this.#report.lostPages++;
        position = undefined;
        continue;
      }
      for (const { change, record } of entries) {
        if (change !== 'added') this.#report.faults.push(`${record.id} was reported as ${change}`);
        this.#seen.set(record.id, (this.#seen.get(record.id) ?? 0) + 1);
        this.#report.delivered++;
      }
      position = entries.at(-1)?.position ?? position;
      await sleep(10);
    }
  }

  /** Checks that every row written since the monitor began was reported once, and that the total equals the count. */
  async #compare(): Promise<void> {
    const { sql } = this.#cell;
    const { rows } = await sql.query<{ id: string; drink: string }>(`select id, drink from cup where drink <> 'old'`);
    this.#report.committed = rows.length;
    for (const { id, drink } of rows) {
      const times = this.#seen.get(Number(id)) ?? 0;
      if (times !== 1) this.#report.faults.push(`${drink} ${id} was reported ${times} times`);
      this.#seen.delete(Number(id));
    }
    for (const id of this.#seen.keys()) this.#report.faults.push(`${id} was reported and does not exist`);
    const { rows: counts } = await sql.query<{ total: string; counted: string }>(
      `select row_total('cup') as total, (select count(*) from cup) as counted`,
    );
    if (counts[0]!.total !== counts[0]!.counted)
      this.#report.faults.push(`total ${counts[0]!.total}, counted ${counts[0]!.counted}`);
  }
}
