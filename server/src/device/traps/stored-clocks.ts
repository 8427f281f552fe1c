import type pg from 'pg';
import type { EngineClocks, KnownClock } from '../../protocols/snmp/engine-clocks.ts';

/** As many as a node remembers. */
const enginesMax = 8_192;
const followMs = 10_000;

/** Of two clocks the newer stays: nodes receive the same engine, and store what each of them knows. */
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

/** Keeps the clocks of engines in the database, so that neither a restart nor another node lets an old trap in. */
export class StoredClocks {
  readonly #pool: pg.Pool;
  readonly #clocks: EngineClocks;
  #followedMs = performance.now();

  constructor(pool: pg.Pool, clocks: EngineClocks) {
    this.#pool = pool;
    this.#clocks = clocks;
  }

  /** Everything that is stored, the newest first where it is too much. */
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

  /** From time to time: stores what is newer here, and takes over what others stored since. */
  async follow(): Promise<void> {
    if (performance.now() - this.#followedMs < followMs) return;
    this.#followedMs = performance.now();
    await this.save();
    await this.#load((3 * followMs) / 1_000);
  }
}
