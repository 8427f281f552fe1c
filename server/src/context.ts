import type { Database } from './database.ts';
import type { DevicePoller } from './device/polling/polling.service.ts';
import type { Drivers } from './drivers/drivers.ts';
import type { ReadDb } from './kernel/access/read-only-kysely.ts';
import type { Condition } from './kernel/access/visibility.ts';
import type { VisibleTables } from './kernel/access/visible-tables.ts';
import type { CallOf, CallTypes } from './kernel/declare/call-of.ts';
import type { Collection, Declaration, InputOf, RecordOf } from './kernel/declare/declaration.ts';
import type { Elements } from './kernel/declare/element-type.ts';
import type { Uploads } from './kernel/declare/operation.ts';
import type { Shape } from './kernel/declare/shape.ts';
import type { Job } from './kernel/jobs/jobs.ts';
import type { Reconciler } from './kernel/jobs/reconcile.ts';
import type { Action } from './kernel/operations/action.ts';
import { resource as bindResource, type Resource } from './kernel/operations/resource.ts';
import type { StoredCalls } from './kernel/operations/stored-call.ts';
import type { ListQuery } from './kernel/read/list-statement.ts';
import type { Page, SummaryQuery } from './kernel/read/reader.ts';
import type { Rules } from './kernel/write/engine.ts';
import type { Runtime, WriteTx } from './kernel/write/runtime.ts';
import type { PolicySnapshots } from './policy/snapshot/snapshot.service.ts';
import type { NetworkScanner } from './protocols/nmap/nmap.ts';
import type { OutboundGuard } from './protocols/outbound/outbound.ts';
import type { ProbeGuard } from './protocols/outbound/probe-guard.ts';
import type { Radius } from './protocols/radius/radius.ts';
import type { RadiusEngine } from './protocols/radius-engine/radius-engine.ts';
import type { EngineClocks } from './protocols/snmp/engine-clocks.ts';
import type { Snmp } from './protocols/snmp/snmp.ts';

// The parts of the kernel that resources use. Only the kernel itself and the node use the rest.
export type { Condition } from './kernel/access/visibility.ts';
export { everyRow } from './kernel/access/visible-tables.ts';
export type { CacheInvalidation, InvalidationState } from './kernel/database/cache-invalidation.ts';
export type { Sql } from './kernel/database/connect.ts';
export { Parameters } from './kernel/database/parameters.ts';
export { inTransaction } from './kernel/database/transaction.ts';
export { type Filter, parseFilter } from './kernel/filter/parse.ts';
export { checkValue, missing, nameOf } from './kernel/format/check-value.ts';
export { CsvFault, readCsv } from './kernel/format/csv.ts';
export { fileContent } from './kernel/http/files.ts';
export type { ListenerTls } from './kernel/http/listener-tls.ts';
export { type Throttle, throttle } from './kernel/http/throttle.ts';
export type { WhileOwn } from './kernel/jobs/attempt.ts';
export type { Job, JobFollower, JobRun, Jobs } from './kernel/jobs/jobs.ts';
export { copyIn, copyLine } from './kernel/log/copy.ts';
export { LogWriter, reportOverload } from './kernel/log/log-writer.ts';
export { holdsSecrets } from './kernel/model/nested-secrets.ts';
export { idListShape, readIdList } from './kernel/operations/id-list.ts';
export { idList } from './kernel/operations/patterns/delete.ts';
export { impactPage } from './kernel/operations/patterns/impact.ts';
export { filterParameter, listQueryOf } from './kernel/operations/patterns/list.ts';
export { usageShape } from './kernel/operations/patterns/usage.ts';
export type { GroupFile } from './kernel/operations/resource.ts';
export { secretAction } from './kernel/operations/secret-action.ts';
export { type StoredCall, type StoredCalls, storedCallOf } from './kernel/operations/stored-call.ts';
export type { ListQuery } from './kernel/read/list-statement.ts';
export type { RecordValue } from './kernel/read/select.ts';
export type { Counter, Histogram, Metrics } from './kernel/telemetry/metrics.ts';
export { requireBoundSecretsOf } from './kernel/write/bound-secrets.ts';
export { auditExecuted, same } from './kernel/write/changes.ts';
export type { AfterRemoval, SaveStep } from './kernel/write/engine.ts';
export { ConcurrentPolicyChange, type ImpactCalculator, type RunRolledBack } from './kernel/write/impact.ts';
export { asService, distinctIds, type Runtime, type WriteTx } from './kernel/write/runtime.ts';
export { secretPlace } from './kernel/write/secrets.ts';
export type { Sinks } from './kernel/write/sinks.ts';

/** The clients and listeners of other systems, one interface per protocol. */
export interface Protocols {
  /** Decides which addresses may be probed, before a probe starts. */
  probes: ProbeGuard;
  /** Decides which servers may be contacted, other than by probes of devices. */
  outbound: OutboundGuard;
  radius: Radius;
  /** FreeRADIUS of this node. */
  radiusEngine: RadiusEngine;
  snmp: Snmp;
  /** Engine clocks of devices, shared by the SNMP client and the trap receiver. */
  snmpClocks: EngineClocks;
  drivers: Drivers;
  scanner: NetworkScanner;
}

/** The context of every action, rule and job. */
export interface Context extends VisibleTables {
  /**
   * Reads what the caller may see; inside a write, what its transaction sees. SQL names tables by `visible`,
   * `visibleRow` and `everyRow`.
   */
  db: ReadDb<Database>;
  /** The same in SQL, where that is easier to read. */
  query<R extends object>(text: string, values: readonly unknown[]): Promise<R[]>;
  protocols: Protocols;
  /** The policies and the topology that this node decides by. */
  policies: PolicySnapshots;
  /** The tables of the members of groups, by their type, limited to what the caller sees. */
  elements: Elements;
  /**
   * Returns the condition for a row `r` that matches filters and is visible to the caller, for a scope that reads other
   * tables.
   */
  matching(declaration: Declaration, filter: readonly string[]): Condition;
  /** Returns records of a collection as in API responses. */
  list<D extends Declaration>(declaration: D, query: ListQuery): Promise<Page<RecordOf<D>>>;
  /** Runs one statement over all records that match a filter and are visible to the caller. */
  summarize<R extends object>(declaration: Declaration, query: SummaryQuery): Promise<R[]>;
  /**
   * Returns one record as in an API response, with the fields that lists omit; undefined if the caller does not see it.
   */
  fetch<D extends Declaration>(declaration: D, id: number): Promise<RecordOf<D> | undefined>;
  /**
   * The open transaction. A read has none, and neither has an action that contacts other systems: it opens one with
   * `write`.
   */
  tx: WriteTx;
  write<T>(work: (tx: WriteTx) => Promise<T>): Promise<T>;
  /**
   * Returns the plain text of a record's secret. A secret that is bound to fields is returned only for the version that these fields were
   * read from: a change in between would send a new secret to the previous address.
   */
  secretOf(declaration: Collection, id: number, field: string, version?: number): Promise<string>;
  /** Throws if one administrator starts more than ten tests of other systems per minute. */
  admitTest(): void;
  /** Throws if one token posts more than fifty events per second. */
  admitEvent(): void;
  /**
   * Starts a job with a background task, in the open transaction or in the one of `write`; returns the id of the task.
   */
  startTask(job: Pick<Job<Context>, 'name'>, payload: unknown, message: string, tx?: WriteTx): Promise<number>;
  /** Removes a queued or running job from the queue, in the open transaction. */
  cancelJob(name: string, queueJobID: string): Promise<void>;
}

/** The objects of a node that jobs of a module may need in addition to the context. */
export interface NodeDependencies {
  runtime: Runtime;
  poller: DevicePoller;
  calls: StoredCalls;
}

/** Combines the declaration of a resource with its actions, rules, events, files, jobs and reconcilers. */
export const resource = (
  name: string,
  declaration: Declaration,
  particular?: Omit<Partial<Resource<Context, NodeDependencies>>, 'group' | 'declaration' | 'patterns'>,
): Resource<Context, NodeDependencies> => bindResource<Context, NodeDependencies>(name, declaration, particular);

/** Declares an operation of a resource that is not a pattern. */
export function action<
  const Path extends string,
  const Query extends CallTypes['query'] = Record<never, never>,
  const Paths extends CallTypes['pathShapes'] = Record<never, never>,
  const Body extends Shape | undefined = undefined,
  const Optional extends boolean = false,
  const Listed extends boolean = false,
  const Files extends Uploads | undefined = undefined,
>(
  declaration: Declaration,
  particular: Particular<{
    path: Path;
    query: Query;
    pathShapes: Paths;
    body: Body;
    bodyOptional: Optional;
    listed: Listed;
    uploads: Files;
  }>,
): Action<Context>;
export function action(declaration: Declaration, particular: Omit<Action<Context>, 'kind' | 'of'>): Action<Context> {
  return { kind: 'action', of: declaration, ...particular };
}

/** An action as a resource declares it: the types of its call follow from its shapes. */
interface Particular<T extends CallTypes>
  extends Omit<Action<Context>, 'kind' | 'of' | 'run' | 'precheck' | keyof CallTypes> {
  path: T['path'];
  query?: T['query'];
  pathShapes?: T['pathShapes'];
  body?: T['body'];
  bodyOptional?: T['bodyOptional'];
  listed?: T['listed'];
  uploads?: T['uploads'];
  precheck?(call: CallOf<T>, context: Context): Promise<void>;
  run(call: CallOf<T>, context: Context): ReturnType<Action<Context>['run']>;
}

/** Declares the code that runs when records of a resource are saved and deleted. */
export const rules = <D extends Declaration>(
  _of: D,
  particular: Rules<Context, RecordOf<D>, InputOf<D>>,
): Rules<Context> => particular;

/** Declares a job. */
export const job = (name: string, particular: Omit<Job<Context>, 'kind' | 'name'>): Job<Context> => ({
  kind: 'job',
  name,
  ...particular,
});

/** Declares a reconciler; code that changes what it compares calls `tx.notify(name)`. */
export const reconciler = (
  name: string,
  particular: Omit<Reconciler<Context>, 'kind' | 'name'>,
): Reconciler<Context> => ({
  kind: 'reconciler',
  name,
  ...particular,
});
