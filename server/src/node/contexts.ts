import type pg from 'pg';
import type { Context, Protocols } from '../context.ts';
import type { Database } from '../database.ts';
import { kyselyOn, kyselyOnPool, type ReadScope } from '../kernel/access/read-only-kysely.ts';
import { seesEverything } from '../kernel/access/visibility.ts';
import { visibleElements } from '../kernel/access/visible-elements.ts';
import { visibleTables } from '../kernel/access/visible-tables.ts';
import { type Caller, systemOrigin } from '../kernel/declare/caller.ts';
import type { Declaration } from '../kernel/declare/declaration.ts';
import type { Call } from '../kernel/declare/operation.ts';
import { notFound } from '../kernel/failure.ts';
import type { Jobs } from '../kernel/jobs/jobs.ts';
import type { ContextMaker } from '../kernel/operations/resource.ts';
import type { SummaryQuery } from '../kernel/read/reader.ts';
import { type Rules, type Tx, visibilityOf } from '../kernel/write/engine.ts';
import type { Runtime, WriteTx } from '../kernel/write/runtime.ts';
import { readSecret } from '../kernel/write/secrets.ts';
import type { PolicySnapshots } from '../policy/snapshot/snapshot.service.ts';
import { startTask } from '../system/background-task/background-task.service.ts';
import { backgroundTask } from '../system/background-task/background-task.ts';

/** Rate limits per caller. The functions throw if a limit is exceeded. */
interface Budgets {
  test(caller: Caller): void;
  event(caller: Caller): void;
}

/** Creates the contexts of actions, rules and jobs. */
export class Contexts implements ContextMaker<Context> {
  readonly #pool: pg.Pool;
  readonly #parts: Protocols;
  readonly #admit: Budgets;
  #runtime!: Runtime;
  #jobs: Jobs<Context> | undefined;
  #policies!: PolicySnapshots;

  constructor(pool: pg.Pool, parts: Protocols, admit: Budgets) {
    this.#pool = pool;
    this.#parts = parts;
    this.#admit = admit;
  }

  attach(runtime: Runtime, jobs: Jobs<Context> | undefined, policies: PolicySnapshots): void {
    this.#runtime = runtime;
    this.#jobs = jobs;
    this.#policies = policies;
  }

  reading(call: Call, client: pg.PoolClient): Context {
    return this.#make({ client, call });
  }

  writing(call: Call, tx: WriteTx): Context {
    return this.#make({ client: tx.client, tx, call });
  }

  withoutTransaction(call: Call): Context {
    return this.#make({ call });
  }

  serving(): Context {
    return this.#make({});
  }

  working(name: string): Context {
    return this.#make({ origin: systemOrigin(name) });
  }

  /** Queues a job of the kernel by its name. Returns the id and location of its task. */
  async startTask(tx: WriteTx, name: string, payload: unknown, message: string) {
    if (!this.#jobs) throw new Error('this node was started without a job queue');
    const id = await startTask(tx, this.#jobs, { name }, payload, message);
    return { id, location: `/api/v2${backgroundTask.path}/${id}` };
  }

  /** Wraps the rules of a resource, so that they receive the context of their transaction. */
  adapt(rules: Rules<Context>): Rules<Tx> {
    const contextOf = (tx: Tx) => this.#make({ client: tx.client, tx: tx as WriteTx });
    return {
      beforeLock: async (requestBody, tx) => rules.beforeLock?.(requestBody, contextOf(tx)),
      beforeSave: async (step, tx) => rules.beforeSave?.(step, contextOf(tx)),
      afterSave: async (step, tx) => rules.afterSave?.(step, contextOf(tx)),
      beforeDelete: async (record, tx) => rules.beforeDelete?.(record, contextOf(tx)),
      beforeDeleteMany: async (ids, tx, isDependent) => rules.beforeDeleteMany?.(ids, contextOf(tx), isDependent),
    };
  }

  #make(source: { client?: pg.PoolClient; tx?: WriteTx; call?: Call; origin?: Context['tx']['origin'] }): Context {
    const runtime = this.#runtime;
    const jobs = this.#jobs;
    const origin = source.call?.origin ?? source.tx?.origin ?? source.origin;
    const viewer = origin ?? seesEverything;
    const openTx = (): WriteTx => {
      if (!source.tx) throw new Error('there is no open transaction here; use write()');
      return source.tx;
    };
    const queue = (): Jobs<Context> => {
      if (!jobs) throw new Error('this node was started without a job queue');
      return jobs;
    };
    let db: Context['db'] | undefined;
    return {
      get db() {
        const readScope: ReadScope = {
          visibility: visibilityOf(runtime.engine, viewer),
          declarations: runtime.engine.model.byTable,
        };
        db ??= source.client
          ? kyselyOn<Database>(source.client, readScope)
          : kyselyOnPool<Database>(runtime.pool, readScope);
        return db;
      },
      get tx() {
        return openTx();
      },
      query: async <R extends object>(text: string, values: readonly unknown[]) =>
        (await (source.client ?? this.#pool).query<R>(text, [...values])).rows,
      protocols: this.#parts,
      policies: this.#policies,
      ...visibleTables(visibilityOf(runtime.engine, viewer)),
      get elements() {
        return visibleElements(runtime.engine.model.elements, visibilityOf(runtime.engine, viewer));
      },
      matching: (declaration, filter) => (parameters) =>
        runtime.reader(declaration.name, viewer).matching(filter, parameters, source.call?.nowMs ?? Date.now()),
      list: (declaration, query) => {
        const listRows = (client: pg.PoolClient) =>
          runtime.readerFor(declaration, viewer).list(client, query, source.call?.nowMs ?? Date.now());
        return source.client ? listRows(source.client) : runtime.read(listRows);
      },
      summarize: <R extends object>(declaration: Declaration, query: SummaryQuery) => {
        const nowMs = source.call?.nowMs ?? Date.now();
        const readRows = (client: pg.PoolClient) =>
          runtime.reader(declaration.name, viewer).summarize<R>(client, query, nowMs);
        return source.client ? readRows(source.client) : runtime.read(readRows);
      },
      fetch: (declaration, id) => {
        const fetchRow = (client: pg.PoolClient) => runtime.readerFor(declaration, viewer).fetch(client, id);
        return source.client ? fetchRow(source.client) : runtime.read(fetchRow);
      },
      write: (work) => runtime.transact(origin!, work),
      secretOf: async (declaration, id, field, version) => {
        const { engine } = runtime;
        const table = engine.model.byName(declaration.name);
        const binding = table.fields.get(field)?.binding;
        if (version === undefined && binding && 'boundTo' in binding)
          throw new Error(`the secret ${field} of ${declaration.name} is read without the version of its record`);
        const loadVisibleIds = (client: pg.PoolClient) =>
          runtime.reader(declaration.name, viewer).visibleIds(client, [id]);
        const visibleIds = await (source.client ? loadVisibleIds(source.client) : runtime.read(loadVisibleIds));
        if (!visibleIds.has(id)) throw notFound(declaration.title, id);
        return readSecret(source.client ?? this.#pool, engine.secrets, table, { id, version }, field);
      },
      admitTest: () => source.call && this.#admit.test(source.call.caller),
      admitEvent: () => source.call && this.#admit.event(source.call.caller),
      startTask: (job, payload, message, tx = openTx()) => startTask(tx, queue(), job, payload, message),
      cancelJob: (name, id) => queue().cancel(openTx().client, name, id),
    };
  }
}
