import type pg from 'pg';
import type { EngineClocks, KnownClock } from '../../protocols/snmp/engine-clocks.ts';

/** As many as a node caches. */
const enginesMax = 8_192;
const followMs = 10_000;

/** The newer of two clocks stays: several nodes receive the same engine, and each one stores its clocks. */
const saveSql = `insert into snmp_engine as e (engine_id, boots, time, received_at)
select c.engine_id, c.boots, c.time, now() - make_interval(secs => c.age)
from unnest($1::bytea[], $2::integer[], $3::integer[], $4::double precision[]) as c (engine_id, boots, time, age)
order by c.engine_id
on conflict (engine_id) do update set boots = excluded.boots, time = excluded.time, received_at = excluded.received_at
where (excluded.boots, excluded.time) > (e.boots, e.time)`;

const loadSql = `select e.engine_id as "engineId", e.boots, e.time,
  greatest(0, extract(epoch from now() - e.received_at))::double precision as "ageSeconds"
from snmp_engine e
where e.received_at >= now() - make_interval(secs => $1)
order by e.received_at desc
limit ${enginesMax}`;

/** Stores the clocks of engines in the database, so that an old trap is rejected after a restart and on other nodes. */
export class StoredClocks {
  readonly #pool: pg.Pool;
  readonly #clocks: EngineClocks;
  #followedMs = performance.now();

  constructor(pool: pg.Pool, clocks: EngineClocks) {
    this.#pool = pool;
    this.#clocks = clocks;
  }

  /** Loads all stored clocks, the newest first if there are too many. */
  load(): Promise<void> {
    return this.#load(10 * 365 * 86_400);
  }

  async #load(seconds: number): Promise<void> {
    const { rows } = await this.#pool.query<KnownClock>(loadSql, [seconds]);
    for (const row of rows) this.#clocks.learn(row);
  }

  async save(): Promise<void> {
    const changed = this.#clocks.takeChanged();
    if (changed.length === 0) return;
    const column = <K extends keyof KnownClock>(name: K) => changed.map((clock) => clock[name]);
    const values = [column('engineId'), column('boots'), column('time'), column('ageSeconds')];
    await this.#pool.query(saveSql, values);
  }

  /** Stores clocks that are newer here, and loads clocks that other nodes have stored; at most every `followMs`. */
  async follow(): Promise<void> {
    if (performance.now() - this.#followedMs < followMs) return;
    this.#followedMs = performance.now();
    await this.save();
    await this.#load((3 * followMs) / 1_000);
  }
}
