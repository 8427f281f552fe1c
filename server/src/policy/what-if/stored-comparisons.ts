import { everyRow, type Runtime, storedCallOf, type WriteTx } from '../../context.ts';
import type { Answer, Call } from '../../kernel/declare/operation.ts';
import { unavailable } from '../../kernel/failure.ts';
import { backgroundTask } from '../../system/background-task/background-task.ts';
import type { ChangedConnection, Comparison } from './compare-connections.ts';
import { type Slices, slicesOf } from './write-changes.ts';

/** With more live connections than this, a dry run is a background task. */
export const comparedInRequestMax = 100_000;

const everyTask = everyRow(
  backgroundTask,
  'whether a comparison is under way does not depend on who may view its task',
);

export interface StoredComparison {
  changed: number;
  total: number;
  slices: Slices;
}

export interface StoredComparisonsOptions {
  runtime: Runtime;
  startTask(tx: WriteTx, job: string, payload: unknown, message: string): Promise<{ location: string }>;
  connectionsMax?: number | undefined;
}

export const whatIfJob = 'what-if';

/** Time after a comparison in which its pages can be requested. */
const retentionSql = `interval '10 minutes'`;

const connectionsSql = 'select count(*)::integer as connections from connection_active';

const areMoreSql = 'select count(*) > $1 as more from (select from connection_active limit $1 + 1) c';

const foundSql = `select w.changed, w.total from what_if w
where w.key = $1 and w.changed is not null and w.made_at > now() - ${retentionSql}`;

const sliceSql = 'select s.changes from what_if_slice s where s.key = $1 and s.place = $2';

/** Limits on waiting and running comparisons, in the cell and of one account. */
const runningMax = { cell: 20, account: 3 };

const runningSql = `select min(w.task_id) filter (where w.key = $1) as "taskID", count(*)::integer as cell,
  count(*) filter (where t.assigner = $2)::integer as account
from what_if w join ${everyTask} t on t.id = w.task_id
where w.changed is null and t.state in ('QUEUED', 'RUNNING', 'RETRYING')`;

interface Running {
  /** Task of the same dry run; null: none. */
  taskID: number | null;
  cell: number;
  account: number;
}

const beginSql = `insert into what_if (key, task_id) values ($1, $2)
on conflict (key) do update set task_id = excluded.task_id, made_at = now(), changed = null, total = null`;

const addSliceSql = `insert into what_if_slice (key, place, changes) values ($1, $2, $3)
on conflict (key, place) do update set changes = excluded.changes`;

const endSql = `update what_if set made_at = now(), changed = $2, total = $3 where key = $1`;

export const forgetSql = `delete from what_if where made_at < now() - interval '1 hour'
or (changed is not null and made_at < now() - ${retentionSql})`;

/** Stores comparisons that take longer than a request: a task compares, and the repeated dry run returns the pages. */
export class StoredComparisons {
  readonly #options: StoredComparisonsOptions;

  constructor(options: StoredComparisonsOptions) {
    this.#options = options;
  }

  async areNeeded(): Promise<boolean> {
    const { runtime, connectionsMax = comparedInRequestMax } = this.#options;
    const { rows } = await runtime.pool.query<{ more: boolean }>({
      name: 'what-if.more',
      text: areMoreSql,
      values: [connectionsMax],
    });
    return rows[0]!.more;
  }

  async connections(): Promise<number> {
    const { rows } = await this.#options.runtime.pool.query<{ connections: number }>(connectionsSql);
    return rows[0]!.connections;
  }

  async find(key: string): Promise<StoredComparison | undefined> {
    const { pool } = this.#options.runtime;
    const { rows } = await pool.query<{ changed: number; total: number }>(foundSql, [key]);
    return rows[0] && { ...rows[0], slices: (first) => this.#slices(key, first) };
  }

  async *#slices(key: string, first: number): AsyncGenerator<readonly ChangedConnection[]> {
    const { pool } = this.#options.runtime;
    for (let place = first; ; place++) {
      const { rows } = await pool.query<{ changes: ChangedConnection[] }>(sliceSql, [key, place]);
      if (!rows[0]) return;
      yield rows[0].changes;
    }
  }

  /** Starts the task, or returns the location of the running one. */
  async begin(call: Call, key: string): Promise<Answer> {
    const { runtime, startTask } = this.#options;
    return runtime.transact(call.origin, async (tx) => {
      const { rows } = await tx.client.query<Running>(runningSql, [key, call.caller.accountId]);
      const { taskID, cell, account } = rows[0]!;
      if (taskID !== null) return { httpCode: 202, location: `/api/v2${backgroundTask.path}/${taskID}` };
      if (cell >= runningMax.cell || account >= runningMax.account)
        throw unavailable('Too many dry runs are running as background tasks; try again when one of them has ended.');
      const message = `Try ${call.operation.method} ${call.origin.path}`.slice(0, 500);
      const { location } = await startTask(tx, whatIfJob, storedCallOf(call), message);
      await tx.client.query(beginSql, [key, location.slice(location.lastIndexOf('/') + 1)]);
      return { httpCode: 202, location };
    });
  }

  /** Stores a comparison, which can be read once it is complete. A retried task overwrites the same slices. */
  async add(key: string, { changed, total }: Comparison): Promise<void> {
    const { pool } = this.#options.runtime;
    await pool.query('insert into what_if (key) values ($1) on conflict (key) do nothing', [key]);
    let place = 0;
    for (const slice of slicesOf(changed)(0)) await pool.query(addSliceSql, [key, place++, JSON.stringify(slice)]);
    await pool.query('delete from what_if_slice where key = $1 and place >= $2', [key, place]);
    await pool.query(endSql, [key, changed.length, total]);
  }
}
