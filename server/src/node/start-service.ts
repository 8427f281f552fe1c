import { hostname } from 'node:os';
import type { FastifyInstance } from 'fastify';
import groupsOfContract from '../../../catalogue.json' with { type: 'json' };
import serverPackage from '../../package.json' with { type: 'json' };
import { adminOperations } from '../auth/admins.ts';
import { credentialSweep } from '../auth/credential-sweep.jobs.ts';
import { CredentialGate } from '../auth/gate.ts';
import { dummyPasswordHash } from '../auth/password.ts';
import { RejectedTokens } from '../auth/rejected-tokens.ts';
import { rowLimitsOf } from '../auth/row-limits.ts';
import { sessionExpiry } from '../auth/session-expiry.jobs.ts';
import { sessionOperations } from '../auth/sessions.ts';
import { tokenOperations } from '../auth/tokens.ts';
import { userOperations } from '../auth/users.ts';
import { catalogue } from '../catalogue.ts';
import { landingPageOf, menuFor } from '../console/console.service.ts';
import { consoleOperations } from '../console/console.ts';
import { consoleFiles, consoleRoot } from '../console/console-files.ts';
import { SessionNotes } from '../console/session-notes.ts';
import type { Context, NodeDependencies, Protocols } from '../context.ts';
import { DevicePoller } from '../device/polling/polling.service.ts';
import { startTraps } from '../device/traps/traps.service.ts';
import { CacheInvalidation } from '../kernel/database/cache-invalidation.ts';
import { connect, refuseOtherLocale } from '../kernel/database/connect.ts';
import { systemOrigin } from '../kernel/declare/caller.ts';
import type { Operation } from '../kernel/declare/operation.ts';
import { apiDocuments, entrance } from '../kernel/documents/documents.ts';
import { type ConnectionLimits, connectionDefaults } from '../kernel/http/connections.ts';
import type { OpenFile } from '../kernel/http/files.ts';
import { httpServer } from '../kernel/http/server.ts';
import { throttle } from '../kernel/http/throttle.ts';
import { type Job, Jobs } from '../kernel/jobs/jobs.ts';
import { type Reconciler, Reconcilers } from '../kernel/jobs/reconcile.ts';
import { Archives, logJobs } from '../kernel/log/archives.ts';
import { constraintExplainer } from '../kernel/model/constraint-errors.ts';
import { type Model, modelOf } from '../kernel/model/model.ts';
import { maintenanceJobs } from '../kernel/operations/maintenance-jobs.ts';
import { type ContextMaker, operationsOf, type Resource } from '../kernel/operations/resource.ts';
import { StoredCalls } from '../kernel/operations/stored-call.ts';
import { ReadBound } from '../kernel/read/read-bound.ts';
import { Reader } from '../kernel/read/reader.ts';
import type { Metrics } from '../kernel/telemetry/metrics.ts';
import { startTracing } from '../kernel/telemetry/tracing.ts';
import type { Engine } from '../kernel/write/engine.ts';
import { Keyring } from '../kernel/write/keyring.ts';
import { Runtime } from '../kernel/write/runtime.ts';
import { writeAudit } from '../logging/audit-log/audit-log.service.ts';
import { eventWriter } from '../logging/event/event.service.ts';
import { SelfMonitor, upsertThresholds } from '../logging/event-threshold/event-threshold.service.ts';
import { KnownEventTypes, upsertEventTypes } from '../logging/event-types/event-types.service.ts';
import { PolicySnapshots } from '../policy/snapshot/snapshot.service.ts';
import { StoredComparisons, WhatIf } from '../policy/what-if/what-if.service.ts';
import { searchOperations } from '../search/search.ts';
import { followJobs } from '../system/background-task/background-task.service.ts';
import { Contexts } from './contexts.ts';
import { documentInfo } from './document-info.ts';
import { healthOperations, type NodeHealth } from './health.ts';
import { HttpsListener } from './https-listener.ts';
import { observeNode, observeRequests } from './node-metrics.ts';
import { eventTypesFor } from './number-event-types.ts';
import { RadiusNode, type RadiusOptions } from './radius-node.ts';
import { serviceIndex, servicePlaces } from './service-index.ts';
import { TraceCollector } from './trace-collector.ts';

export interface ServiceOptions {
  databaseUrl: string;
  /** Maximum number of database connections of this node. */
  connectionsMax?: number;
  /** A function is called every few seconds, so that a new key file needs no restart. */
  masterKey: Buffer | (() => Promise<Buffer>);
  parts: Protocols;
  /** 'none': no job queue; 'enqueue': this node only queues jobs; 'work': it also runs them. */
  jobs: 'none' | 'enqueue' | 'work';
  /** Address at which a worker node receives traps of network devices; absent: it receives none. Port 0: any free port. */
  traps?: { host: string; port: number };
  limits: { requestsPerSecond: number; burst: number; testsPerMinute: number; eventsPerSecond?: number };
  /** Interval at which the node monitors itself and the database; absent: never. */
  selfMonitorMs?: number;
  /** Number of live connections up to which a dry run responds directly; above it, a background task computes the result. */
  comparedInRequestMax?: number;
  /** Time limit of a search in each resource; a resource that takes longer is left out. */
  searchMs?: number;
  connections?: Partial<ConnectionLimits>;
  logger: false | { level: string; stream?: { write(line: string): void } };
  /** Folder for archives of logs, shared by the nodes of a cell. A node without one archives nothing. */
  archiveFolder?: string;
  /** OTLP/HTTP address of a trace collector; none: no traces. */
  tracesUrl?: string | undefined;
  /** Called with errors that no request waits for. */
  onError?: (error: Error) => void;
  /** The monotonic clock for throttles, caches and back-offs. */
  monotonicMs?: () => number;
  trustProxy?: readonly string[];
  /** Origin under which browsers reach the console, where a proxy changes the host of requests; empty: none. */
  publicOrigin?: string;
  /** Serve HTTPS with the certificate `admin_ui`. */
  https?: boolean;
  /** Name of this node, unique in the cell. */
  node?: string;
  /** Folder of the built console. If it is absent or has no console, none is served. */
  consoleFolder?: string;
  /** The RADIUS engine that this node runs; absent: none. */
  radius?: RadiusOptions;
  /** Resources and jobs beyond the catalogue, for tests of the kernel with their own declarations. */
  overlay?: {
    groups?: readonly Resource<Context, NodeDependencies>[];
    jobs?: readonly Job<Context>[];
    reconcilers?: readonly Reconciler<Context>[];
  };
}

export interface Service {
  app: FastifyInstance;
  operations: readonly Operation[];
  runtime: Runtime;
  /** The store of archived logs, on a node that has one. */
  archives: Archives | undefined;
  metrics: Metrics;
  /** The policies that the node decides by. */
  policies: PolicySnapshots;
  /** The job queue, on a node that has one. */
  jobs: Jobs<Context> | undefined;
  /** UDP port for traps, if enabled. */
  trapPort: number | undefined;
  /** Resolves when the node's caches contain everything that was committed before. */
  catchUp(): Promise<void>;
  /** Reports that the node is not ready and closes connections after each response, but serves on. */
  leave(): void;
  close(): Promise<void>;
}

const bodyMaxBytes = 1_048_576;
const eventsPerSecondMax = 50;

const kebabCase = (title: string): string => title.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-');

/** Names of resources of the contract that are not declared yet; references to them are allowed. */
const plannedResources: ReadonlySet<string> = new Set(groupsOfContract.map((operation) => kebabCase(operation.group)));

/** Event types whose newest event is shown in a record; they are stored for lookups when they are written. */
const embeddedEvents = (model: Model): ReadonlySet<string> =>
  new Set(model.tables.flatMap((table) => [...table.fields.values()].flatMap(({ embeds }) => embeds ?? [])));

/** Returns the resolved declarations of a catalogue. */
export const modelFor = (groups: readonly Resource<Context>[]): Model =>
  modelOf(
    groups.map((group) => group.declaration),
    plannedResources,
  );

/** Starts a node: turns declarations into routes, checks the database, and starts background work. */
export async function startService(options: ServiceOptions): Promise<Service> {
  const monotonicMs = options.monotonicMs ?? (() => performance.now());
  const groups: readonly Resource<Context, NodeDependencies>[] = [...catalogue, ...(options.overlay?.groups ?? [])];
  const model = modelFor(groups);
  const pool = connect({
    url: options.databaseUrl,
    ...(options.connectionsMax && { connectionsMax: options.connectionsMax }),
  });
  // Closed in the reverse order, also if the start fails.
  const cleanup = new AsyncDisposableStack();
  cleanup.defer(() => pool.end());
  cleanup.defer(() => options.parts.snmp.close());
  const collector = options.tracesUrl ? new TraceCollector(options.tracesUrl) : undefined;
  const tracing = startTracing(collector, serverPackage.version);
  tracing.watch(pool);
  try {
    await refuseOtherLocale(pool);
    const tests = throttle(
      { perSecond: options.limits.testsPerMinute / 60, burst: options.limits.testsPerMinute },
      monotonicMs,
    );
    const { eventsPerSecond = eventsPerSecondMax } = options.limits;
    const events = throttle({ perSecond: eventsPerSecond, burst: eventsPerSecond }, monotonicMs);
    const contexts = new Contexts(pool, options.parts, {
      test: ({ accountId }) => tests.admit(String(accountId)),
      event: ({ credential }) => events.admit(credential.publicId),
    });
    const onError = options.onError ?? (() => undefined);
    const { metrics, observer } = observeRequests(tracing);
    const generations = new CacheInvalidation(pool, monotonicMs);
    const { masterKey } = options;
    const keyring = await Keyring.open({
      pool,
      masterKey: typeof masterKey === 'function' ? masterKey : async () => masterKey,
      onError,
    });
    cleanup.defer(() => keyring.close());
    // Closed before the keyring: sending the remaining spans may need the password of the proxy.
    cleanup.defer(() => tracing.close());
    const readBound = new ReadBound(pool);
    cleanup.defer(() => readBound.close());
    cleanup.defer(() => generations.close());
    const engine: Engine = {
      model,
      readers: new Map(model.tables.map((table) => [table.declaration.name, new Reader(table, readBound)])),
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
          counter: metrics.counter('portreeve_events_total', 'Events, by type and destination.'),
        }),
      },
      rowLimits: rowLimitsOf(model),
    };
    const runtime = new Runtime(pool, engine);
    collector?.attach({ runtime, metrics, onError });
    const archives =
      options.archiveFolder === undefined ? undefined : archivesOf(options.archiveFolder, runtime, contexts);
    const poller = new DevicePoller({ runtime, drivers: options.parts.drivers, clock: Date.now }, { onError });
    cleanup.defer(() => poller.stop());
    const policies = new PolicySnapshots(pool, generations, metrics, onError);
    cleanup.defer(() => policies.close());
    const calls = new StoredCalls();
    const jobs =
      options.jobs === 'none' ? undefined : jobQueue(options, groups, { runtime, poller, calls }, contexts, archives);
    cleanup.defer(() => jobs?.stop());
    const https = options.https ? new HttpsListener(runtime, generations, onError) : undefined;
    const { node = hostname() } = options;
    const radius =
      options.radius &&
      new RadiusNode(options.radius, {
        runtime,
        generations,
        policies,
        metrics,
        node,
        version: serverPackage.version,
        outbound: options.parts.outbound,
        clock: Date.now,
        monotonicMs,
        onError,
      });
    cleanup.defer(() => radius?.close());
    cleanup.defer(() => https?.close());
    contexts.attach(runtime, jobs, policies);
    const comparisons = new StoredComparisons({
      runtime,
      startTask: (tx, name, payload, message) => contexts.startTask(tx, name, payload, message),
      connectionsMax: options.comparedInRequestMax,
    });
    runtime.attachImpactCalculator(new WhatIf(policies, (call) => contexts.withoutTransaction(call), comparisons));
    const reconcilers = new Reconcilers<Context>({
      pool,
      reconcilers: [...groups.flatMap(({ reconcilers }) => reconcilers), ...(options.overlay?.reconcilers ?? [])],
      contextOf: ({ name }) => contexts.working(name),
      onError: options.onError ?? (() => undefined),
    });
    cleanup.defer(() => reconcilers.stop());
    runtime.attach(reconcilers);
    let isLeaving = false;
    const health: NodeHealth = {
      isLeaving: () => isLeaving,
      generation: () => policies.current?.set.generation,
      radius: () => radius?.health,
    };
    const operations = operationsFor(groups, runtime, contexts, {
      health,
      archives,
      searchMs: options.searchMs,
      monotonicMs,
    });
    const sessionNotes = new SessionNotes(pool, monotonicMs);
    cleanup.defer(() => sessionNotes.close());
    const rejectedTokens = new RejectedTokens(runtime, onError);
    cleanup.defer(() => rejectedTokens.close());
    const gate = new CredentialGate(pool, generations, monotonicMs, rejectedTokens.report);
    cleanup.defer(() => gate.close());
    calls.attach(operations, (credential) => gate.callerAgain(credential));
    const folders = ['/', ...(options.archiveFolder === undefined ? [] : [options.archiveFolder])];
    const selfMonitor = new SelfMonitor(runtime, systemOrigin('self-monitor'), folders, onError);
    cleanup.defer(() => selfMonitor.close());
    const types = eventTypesFor(groups, model, options.overlay?.groups !== undefined);
    await waitForAll([
      upsertEventTypes(pool, types)
        .then(() => generations.start())
        .then(() => policies.start()),
      upsertThresholds(pool),
      readBound.start(),
      jobs?.start(followJobs(runtime), options.jobs === 'work'),
      options.jobs === 'work' && reconcilers.start(),
      pool.query('select make_log_slices(2)'),
      radius?.start(),
      // Computed in advance, so that the first login of an unknown user takes no longer than that of an existing one.
      dummyPasswordHash(),
    ]);
    observeNode(metrics, pool);
    const traps =
      options.traps && options.jobs === 'work'
        ? await startTraps({ runtime, metrics, clocks: options.parts.snmpClocks, ...options.traps, onError })
        : undefined;
    cleanup.defer(() => traps?.close());
    const consoleFileList = options.consoleFolder === undefined ? [] : await consoleFiles(options.consoleFolder);
    const app = httpServer({
      ...(https && { tls: await https.tls() }),
      operations,
      files: [
        ...apiDocuments(operations, model, groups, documentInfo),
        ...consoleFileList,
        entrance(servicePlaces, consoleFileList.length > 0 ? consoleRoot : '/docs'),
        ...filesOf(groups, contexts),
      ],
      gate,
      throttle: throttle({ perSecond: options.limits.requestsPerSecond, burst: options.limits.burst }, monotonicMs),
      bodyMaxBytes,
      connections: { ...connectionDefaults, ...options.connections },
      explainConstraint: constraintExplainer(model),
      logger: options.logger,
      trustProxy: options.trustProxy ?? [],
      publicOrigin: options.publicOrigin || undefined,
      observer,
      onListed: (call) => sessionNotes.listed(call),
      isLeaving: () => isLeaving,
    });
    cleanup.defer(() => app.close());
    https?.serve(app.server);
    const leave = () => {
      isLeaving = true;
    };
    keyring.start();
    if (options.selfMonitorMs) selfMonitor.start(options.selfMonitorMs);
    if (options.jobs === 'work') poller.start();
    return {
      app,
      operations,
      runtime,
      archives,
      metrics,
      policies,
      jobs,
      trapPort: traps?.port,
      catchUp: () => generations.catchUp(),
      leave,
      close: () => cleanup.disposeAsync(),
    };
  } catch (error) {
    await cleanup.disposeAsync();
    throw error;
  }
}

/** Waits for all promises, also after a failure, so that everything that was started can be closed. Throws the first error. */
async function waitForAll(beginnings: readonly unknown[]): Promise<void> {
  const fault = (await Promise.allSettled(beginnings)).find(({ status }) => status === 'rejected');
  if (fault?.status === 'rejected') throw fault.reason;
}

/** The services of the node that operations use. */
interface NodeServices {
  health?: NodeHealth;
  archives?: Archives | undefined;
  searchMs?: number | undefined;
  monotonicMs?: () => number;
}

const unknownHealth: NodeHealth = { isLeaving: () => false, generation: () => undefined, radius: () => undefined };

/** Returns all operations of the resources and those outside the catalogue. Throws if two have the same route or name. */
export function operationsFor(
  groups: readonly Resource<Context>[],
  runtime: Runtime,
  contexts: ContextMaker<Context>,
  { health = unknownHealth, archives, searchMs, monotonicMs = () => performance.now() }: NodeServices = {},
): Operation[] {
  const resourceOperations = groups.flatMap((group) => operationsOf(group, runtime, contexts, archives));
  const served = new Set(resourceOperations.map(({ group }) => group));
  const operations = [
    ...resourceOperations,
    ...consoleOperations(runtime, resourceOperations, { served, archives: archives !== undefined, monotonicMs }),
    ...sessionOperations(runtime, (rights, page) => landingPageOf(menuFor(rights, served), page)),
    ...tokenOperations(runtime),
    ...adminOperations(runtime),
    ...userOperations(runtime),
    ...searchOperations(runtime, served, searchMs),
    serviceIndex,
    ...healthOperations(runtime, health),
  ];
  const usedNames = new Set<string>();
  for (const { method, path, operationId } of operations) {
    for (const key of [`${method} ${path}`, operationId]) {
      if (usedNames.has(key)) throw new Error(`Two operations are named ${key}.`);
      usedNames.add(key);
    }
  }
  return operations;
}

/** Returns the files that resources serve in addition to their operations. */
const filesOf = (groups: readonly Resource<Context>[], contexts: Contexts): OpenFile[] =>
  groups.flatMap(({ files }) =>
    files.map(({ path, read: readFile }) => ({
      method: 'GET' as const,
      path,
      query: {},
      read: (request) => readFile(request, contexts.serving()),
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

function jobQueue(
  options: ServiceOptions,
  groups: readonly Resource<Context, NodeDependencies>[],
  parts: NodeDependencies,
  contexts: Contexts,
  archives: Archives | undefined,
): Jobs<Context> {
  const { runtime } = parts;
  const archiveJobs = archives ? logJobs<Context>(archives) : [];
  return new Jobs<Context>({
    url: options.databaseUrl,
    jobs: [
      ...maintenanceJobs<Context>(runtime),
      ...archiveJobs,
      credentialSweep(runtime),
      sessionExpiry(runtime),
      ...groups.flatMap(({ jobs }) => (typeof jobs === 'function' ? jobs(parts) : jobs)),
      ...(options.overlay?.jobs ?? []),
    ],
    contextOf: ({ name }) => contexts.working(name),
    onError: options.onError ?? (() => undefined),
  });
}
