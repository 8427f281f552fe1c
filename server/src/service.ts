import type { FastifyInstance } from 'fastify';
import type pg from 'pg';
import groupsOfContract from '../../catalogue.json' with { type: 'json' };
import serverPackage from '../package.json' with { type: 'json' };
import { credentialSweep } from './auth/credential-sweep.ts';
import { CredentialGate } from './auth/gate.ts';
import { nobodysHash } from './auth/password.ts';
import { RejectedTokens } from './auth/rejected-tokens.ts';
import { rowLimitsOf } from './auth/row-limits.ts';
import { sessionOperations } from './auth/sessions.ts';
import { tokenOperations } from './auth/tokens.ts';
import { catalogue } from './catalogue.ts';
import type { Context, Parts } from './context.ts';
import type { Database } from './database.ts';
import { discoverDevices, tidyDiscoveries } from './device/discovery/discovery.jobs.ts';
import { scanLayer3 } from './device/l3-scan/l3-scan.jobs.ts';
import { resyncInterfaces } from './device/network-device/resync.ts';
import { DevicePoller } from './device/polling/poller.ts';
import { portJob } from './device/port/port.jobs.ts';
import { startTraps } from './device/traps/trap-service.ts';
import { eventTypesFor } from './event-types.ts';
import { healthOperations } from './health.ts';
import { vendorLoad } from './host/adapter/adapter.jobs.ts';
import { networkScan } from './host/adapter/network-scan.ts';
import { healthGrace } from './host/host/host.jobs.ts';
import { hostImport, hostImportSweep } from './host/host/import/import-hosts.ts';
import type { Group } from './kernel/action.ts';
import { constraintExplainer } from './kernel/constraints.ts';
import { connect, refuseOtherLocale } from './kernel/database/connect.ts';
import { Generations } from './kernel/database/generations.ts';
import { type Eyes, kyselyOn, kyselyOnPool } from './kernel/database/kysely.ts';
import { notFound } from './kernel/failure.ts';
import { Literals } from './kernel/filter/literals.ts';
import { type ConnectionLimits, connectionDefaults } from './kernel/http/connections.ts';
import { apiDocuments } from './kernel/http/documents.ts';
import type { OpenFile } from './kernel/http/files.ts';
import { httpServer } from './kernel/http/server.ts';
import { throttle } from './kernel/http/throttle.ts';
import { type Job, Jobs } from './kernel/jobs.ts';
import { Archives, logJobs } from './kernel/log/archives.ts';
import type { Metrics } from './kernel/metrics.ts';
import { type Model, modelOf } from './kernel/model.ts';
import type { Call, Caller, Operation } from './kernel/operation.ts';
import { type ContextMaker, operationsOf } from './kernel/patterns.ts';
import { Reader } from './kernel/read/list.ts';
import { type Reconciler, Reconcilers } from './kernel/reconcile.ts';
import { Runtime, type WriteTx } from './kernel/runtime.ts';
import { seesEverything } from './kernel/scope.ts';
import { seenElements } from './kernel/seen-elements.ts';
import { startTracing } from './kernel/tracing.ts';
import { upkeepJobs } from './kernel/upkeep.ts';
import { type Engine, type Rules, sightOf, type Tx } from './kernel/write/engine.ts';
import { Keyring } from './kernel/write/keyring.ts';
import { readSecret } from './kernel/write/secrets.ts';
import { sealAuditLog } from './logging/audit-log/seal-audit.ts';
import { writeAudit } from './logging/audit-log/write-audit.ts';
import { eventWriter } from './logging/event/write-events.ts';
import { SelfMonitor, upsertThresholds } from './logging/event-threshold/self-monitor.ts';
import { KnownEventTypes } from './logging/event-types/known-event-types.ts';
import { upsertEventTypes } from './logging/event-types/upsert-event-types.ts';
import { observeNode, observeRequests } from './observe.ts';
import { roleAssign } from './policy/role/role.jobs.ts';
import { backgroundTask } from './system/background-task/background-task.ts';
import { followJobs, startTask, systemOrigin } from './system/background-task/follow-jobs.ts';
import { adminRemap } from './user/admin-profile-mapping/admin-profile-mapping.jobs.ts';

export interface ServiceOptions {
  databaseUrl: string;
  /** Sessions this node opens at most. */
  connectionsMax?: number;
  /** A function is asked every few seconds, so that a new key file needs no restart. */
  masterKey: Buffer | (() => Promise<Buffer>);
  parts: Parts;
  /** 'none': nothing is queued or worked on; 'enqueue': this node only queues; 'work': it also works. */
  jobs: 'none' | 'enqueue' | 'work';
  /** Where a node that works hears traps of network devices; absent: nowhere. Port 0 takes any. */
  traps?: { host: string; port: number };
  limits: { requestsPerSecond: number; burst: number; testsPerMinute: number; eventsPerSecond?: number };
  /** How often the node looks at itself and the database; absent: never. */
  selfMonitorMs?: number;
  connections?: Partial<ConnectionLimits>;
  logger: false | { level: string; stream?: { write(line: string): void } };
  /** Where archives of logs lie; the nodes of a cell share it. A node without one archives nothing. */
  archiveFolder?: string;
  /** OTLP/HTTP address of a trace collector; none: no traces. */
  tracesUrl?: string | undefined;
  /** Told of faults that no request waits for. */
  onError?: (error: Error) => void;
  clock?: () => number;
  trustProxy?: readonly string[];
  /** Groups and jobs beyond the catalogue: how a test tries the kernel on declarations of its own. */
  overlay?: {
    groups?: readonly Group<Context>[];
    jobs?: readonly Job<Context>[];
    reconcilers?: readonly Reconciler<Context>[];
  };
}

export interface Service {
  app: FastifyInstance;
  operations: readonly Operation[];
  runtime: Runtime;
  metrics: Metrics;
  /** The job queue, on a node that has one. */
  jobs: Jobs<Context> | undefined;
  /** UDP port that traps are heard on, if they are. */
  trapPort: number | undefined;
  /** Says from now on that the node is not ready and keeps no connection open, but serves on. */
  leave(): void;
  close(): Promise<void>;
}

const bodyMaxBytes = 1_048_576;
const eventsPerSecondMax = 50;

const kebab = (title: string): string => title.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-');

/** Names of groups that the contract has and nobody has declared yet: a reference may already point there. */
const groupsToCome: ReadonlySet<string> = new Set(groupsOfContract.map((operation) => kebab(operation.group)));

/** Events that some record shows the newest of: they are kept at hand when they are written. */
const embeddedEvents = (model: Model): ReadonlySet<string> =>
  new Set(model.tables.flatMap((table) => [...table.fields.values()].flatMap(({ embeds }) => embeds ?? [])));

/** The resolved declarations of a catalogue. */
export const modelFor = (groups: readonly Group<Context>[]): Model =>
  modelOf(
    groups.map((group) => group.declaration),
    groupsToCome,
  );

/** Puts a node together: declarations become routes, the database is checked, and everything that runs beside requests is started. */
export async function startService(options: ServiceOptions): Promise<Service> {
  const clock = options.clock ?? Date.now;
  const groups = [...catalogue, ...(options.overlay?.groups ?? [])];
  const model = modelFor(groups);
  const pool = connect({
    url: options.databaseUrl,
    ...(options.connectionsMax && { connectionsMax: options.connectionsMax }),
  });
  const tracing = startTracing(options.tracesUrl, serverPackage.version);
  tracing.watch(pool);
  try {
    await refuseOtherLocale(pool);
    const tests = throttle(
      { perSecond: options.limits.testsPerMinute / 60, burst: options.limits.testsPerMinute },
      clock,
    );
    const { eventsPerSecond = eventsPerSecondMax } = options.limits;
    const events = throttle({ perSecond: eventsPerSecond, burst: eventsPerSecond }, clock);
    const contexts = new Contexts(pool, options.parts, {
      test: ({ accountId }) => tests.admit(String(accountId)),
      event: ({ credential }) => events.admit(credential.publicId),
    });
    const onError = options.onError ?? (() => undefined);
    const { metrics, observer } = observeRequests(tracing);
    const generations = new Generations(pool, clock);
    const { masterKey } = options;
    const keyring = await Keyring.open({
      pool,
      masterKey: typeof masterKey === 'function' ? masterKey : async () => masterKey,
      onError,
    });
    const engine: Engine = {
      model,
      readers: new Map(model.tables.map((table) => [table.declaration.name, new Reader(table)])),
      rules: new Map(
        groups.flatMap((group) =>
          group.rules ? [[group.declaration.name, contexts.adapt(group.rules)] as const] : [],
        ),
      ),
      secrets: keyring,
      sinks: {
        audit: writeAudit,
        events: eventWriter({
          types: new KnownEventTypes(pool, generations),
          embedded: embeddedEvents(model),
          counter: metrics.counter('portreeve_events_total', 'Events that happened, by type and what became of them.'),
        }),
      },
      rowLimits: rowLimitsOf(model),
    };
    const runtime = new Runtime(pool, engine);
    if (options.archiveFolder !== undefined) runtime.archives = archivesOf(options.archiveFolder, runtime, contexts);
    const poller = new DevicePoller({ runtime, drivers: options.parts.drivers, clock }, { onError });
    const jobs = options.jobs === 'none' ? undefined : jobQueue(options, runtime, contexts, poller);
    contexts.attach(runtime, jobs);
    const reconcilers = new Reconcilers<Context>({
      pool,
      reconcilers: options.overlay?.reconcilers ?? [],
      contextOf: ({ name }) => contexts.working(name),
      onError: options.onError ?? (() => undefined),
    });
    runtime.attach(reconcilers);
    let isLeaving = false;
    const operations = operationsFor(groups, runtime, contexts, () => isLeaving);
    const rejectedTokens = new RejectedTokens(runtime, onError);
    const gate = new CredentialGate(pool, generations, clock, rejectedTokens.tell);
    const folders = ['/', ...(options.archiveFolder === undefined ? [] : [options.archiveFolder])];
    const selfMonitor = new SelfMonitor(runtime, systemOrigin('self-monitor'), folders, onError);
    const types = eventTypesFor(groups, model, options.overlay?.groups !== undefined);
    await Promise.all([
      upsertEventTypes(pool, types).then(() => generations.start()),
      upsertThresholds(pool),
      jobs?.start(followJobs(runtime), options.jobs === 'work'),
      options.jobs === 'work' && reconcilers.start(),
      pool.query('select make_log_slices(2)'),
      // Made ahead: the first login of an unknown user must not take longer than that of a known one.
      nobodysHash(),
    ]);
    observeNode(metrics, runtime);
    const app = httpServer({
      operations,
      files: [...apiDocuments(operations, groups, serverPackage), ...filesOf(groups, contexts)],
      gate,
      throttle: throttle({ perSecond: options.limits.requestsPerSecond, burst: options.limits.burst }, clock),
      bodyMaxBytes,
      connections: { ...connectionDefaults, ...options.connections },
      explainConstraint: constraintExplainer(model),
      logger: options.logger,
      clock,
      trustProxy: options.trustProxy ?? [],
      observer,
      isLeaving: () => isLeaving,
    });
    const leave = () => {
      isLeaving = true;
    };
    const traps =
      options.traps && options.jobs === 'work'
        ? await startTraps({ runtime, metrics, clocks: options.parts.snmpClocks, ...options.traps, onError })
        : undefined;
    const close = async () => {
      await app.close();
      await traps?.close();
      await poller.stop();
      await jobs?.stop();
      await selfMonitor.close();
      await reconcilers.stop();
      await gate.close();
      await rejectedTokens.close();
      await generations.close();
      await keyring.close();
      await tracing.close();
      options.parts.snmp.close();
      await pool.end();
    };
    keyring.start();
    if (options.selfMonitorMs) selfMonitor.start(options.selfMonitorMs);
    if (options.jobs === 'work') poller.start();
    return { app, operations, runtime, metrics, jobs, trapPort: traps?.port, leave, close };
  } catch (error) {
    await pool.end();
    throw error;
  }
}

/** Every operation of the groups, and those outside the catalogue; two with the same route stop the service. */
export function operationsFor(
  groups: readonly Group<Context>[],
  runtime: Runtime,
  contexts: ContextMaker<Context>,
  isLeaving: () => boolean = () => false,
): Operation[] {
  const operations = [
    ...groups.flatMap((group) => operationsOf(group, runtime, contexts)),
    ...sessionOperations(runtime),
    ...tokenOperations(runtime),
    ...healthOperations(runtime, isLeaving),
  ];
  const seen = new Set<string>();
  for (const { method, path, operationId } of operations) {
    for (const key of [`${method} ${path}`, operationId]) {
      if (seen.has(key)) throw new Error(`Two operations are both called ${key}.`);
      seen.add(key);
    }
  }
  return operations;
}

/** The files that groups serve beside their operations. */
const filesOf = (groups: readonly Group<Context>[], contexts: Contexts): OpenFile[] =>
  groups.flatMap(({ files }) =>
    files.map(({ path, read }) => ({
      method: 'GET' as const,
      path,
      query: {},
      read: (request) => read(request, contexts.serving()),
    })),
  );

const archivesOf = (folder: string, runtime: Runtime, contexts: Contexts): Archives =>
  new Archives({
    runtime,
    folder,
    productVersion: serverPackage.version,
    originOf: systemOrigin,
    startTask: (tx, name, payload, message) => contexts.startTask(tx, name, payload, message),
  });

function jobQueue(options: ServiceOptions, runtime: Runtime, contexts: Contexts, poller: DevicePoller): Jobs<Context> {
  const ofLogs = options.archiveFolder === undefined ? [] : logJobs<Context>(runtime.archives);
  return new Jobs<Context>({
    url: options.databaseUrl,
    jobs: [
      ...upkeepJobs<Context>(runtime),
      ...ofLogs,
      credentialSweep(runtime),
      sealAuditLog(runtime),
      roleAssign,
      vendorLoad,
      healthGrace,
      networkScan,
      hostImport,
      hostImportSweep,
      adminRemap,
      discoverDevices,
      tidyDiscoveries,
      scanLayer3,
      resyncInterfaces(poller),
      portJob,
      ...(options.overlay?.jobs ?? []),
    ],
    contextOf: ({ name }) => contexts.working(name),
    onError: options.onError ?? (() => undefined),
  });
}

/** What one caller may ask for in a time; each refuses what is too much. */
interface Budgets {
  test(caller: Caller): void;
  event(caller: Caller): void;
}

/** Makes what actions, rules and jobs are given. */
class Contexts implements ContextMaker<Context> {
  readonly #pool: pg.Pool;
  readonly #parts: Parts;
  readonly #admit: Budgets;
  #runtime!: Runtime;
  #jobs: Jobs<Context> | undefined;

  constructor(pool: pg.Pool, parts: Parts, admit: Budgets) {
    this.#pool = pool;
    this.#parts = parts;
    this.#admit = admit;
  }

  attach(runtime: Runtime, jobs: Jobs<Context> | undefined): void {
    this.#runtime = runtime;
    this.#jobs = jobs;
  }

  reading(call: Call, client: pg.PoolClient): Context {
    return this.#make({ client, call });
  }

  writing(call: Call, tx: WriteTx): Context {
    return this.#make({ client: tx.client, tx, call });
  }

  asking(call: Call): Context {
    return this.#make({ call });
  }

  serving(): Context {
    return this.#make({});
  }

  working(name: string): Context {
    return this.#make({ origin: systemOrigin(name) });
  }

  /** Queues a job of the kernel by its name, and says where its task is found. */
  async startTask(tx: WriteTx, name: string, payload: unknown, message: string) {
    if (!this.#jobs) throw new Error('this node was started without a job queue');
    const id = await startTask(tx, this.#jobs, { name }, payload, message);
    return { id, location: `/api/v2${backgroundTask.path}/${id}` };
  }

  /** A group's rules, given the context of the transaction they run in. */
  adapt(rules: Rules<Context>): Rules<Tx> {
    const contextOf = (tx: Tx) => this.#make({ client: tx.client, tx: tx as WriteTx });
    return {
      beforeLock: async (sent, tx) => rules.beforeLock?.(sent, contextOf(tx)),
      beforeSave: async (step, tx) => rules.beforeSave?.(step, contextOf(tx)),
      afterSave: async (step, tx) => rules.afterSave?.(step, contextOf(tx)),
      beforeDelete: async (record, tx) => rules.beforeDelete?.(record, contextOf(tx)),
      beforeRemoval: async (ids, tx, isDependent) => rules.beforeRemoval?.(ids, contextOf(tx), isDependent),
    };
  }

  #make(of: { client?: pg.PoolClient; tx?: WriteTx; call?: Call; origin?: Context['tx']['origin'] }): Context {
    const runtime = this.#runtime;
    const jobs = this.#jobs;
    const origin = of.call?.origin ?? of.tx?.origin ?? of.origin;
    const seer = origin ?? seesEverything;
    const openTx = (): WriteTx => {
      if (!of.tx) throw new Error('there is no open transaction here; use write()');
      return of.tx;
    };
    const queue = (): Jobs<Context> => {
      if (!jobs) throw new Error('this node was started without a job queue');
      return jobs;
    };
    let db: Context['db'] | undefined;
    return {
      get db() {
        const eyes: Eyes = { sight: sightOf(runtime.engine, seer), declarations: runtime.engine.model.byTable };
        db ??= of.client ? kyselyOn<Database>(of.client, eyes) : kyselyOnPool<Database>(runtime.pool, eyes);
        return db;
      },
      get tx() {
        return openTx();
      },
      query: async <R extends object>(text: string, values: readonly unknown[]) =>
        (await (of.client ?? this.#pool).query<R>(text, [...values])).rows,
      parts: this.#parts,
      andSeen: (declaration) => {
        const seen = sightOf(runtime.engine, seer).condition(declaration, new Literals());
        return seen ? ` and ${seen}` : '';
      },
      get elements() {
        return seenElements(runtime.engine.model.elements, sightOf(runtime.engine, seer));
      },
      matching: (declaration, filter) => (parameters) =>
        runtime.reader(declaration.name, seer).matching(filter, parameters, of.call?.nowMs ?? Date.now()),
      list: (declaration, query) => {
        const read = (client: pg.PoolClient) =>
          runtime.reader(declaration.name, seer).list(client, query, of.call?.nowMs ?? Date.now());
        return of.client ? read(of.client) : runtime.read(read);
      },
      fetch: (declaration, id) => {
        const read = (client: pg.PoolClient) => runtime.reader(declaration.name, seer).fetch(client, id);
        return of.client ? read(of.client) : runtime.read(read);
      },
      write: (work) => runtime.transact(origin!, work),
      secretOf: async (declaration, id, field) => {
        const { engine } = runtime;
        const look = (client: pg.PoolClient) => runtime.reader(declaration.name, seer).seen(client, [id]);
        const seen = await (of.client ? look(of.client) : runtime.read(look));
        if (!seen.has(id)) throw notFound(declaration.title, id);
        return readSecret(of.client ?? this.#pool, engine.secrets, engine.model.byName(declaration.name), id, field);
      },
      admitTest: () => of.call && this.#admit.test(of.call.caller),
      admitEvent: () => of.call && this.#admit.event(of.call.caller),
      startTask: (job, payload, message, tx = openTx()) => startTask(tx, queue(), job, payload, message),
      poke: async ({ name }) => {
        await jobs?.enqueue(openTx().client, name, {});
      },
      cancelJob: (name, id) => queue().cancel(openTx().client, name, id),
    };
  }
}
