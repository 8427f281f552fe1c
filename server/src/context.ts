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
import type { Page } from './kernel/read/reader.ts';
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

// What groups use of the kernel, by name: all else is the business of the kernel and the node.
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

/** The outside world, one interface a protocol. */
export interface Protocols {
  /** Where packets may go; judged before anything is started. */
  probes: ProbeGuard;
  /** Where connections to servers may go, other than probes of devices. */
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

/** What every action, rule and job is given. */
export interface Context extends VisibleTables {
  /** Reads what the caller may see; inside a write, as the transaction sees it. SQL names tables by `visible`, `visibleRow` and `everyRow`. */
  db: ReadDb<Database>;
  /** The same in SQL, where that reads better. */
  query<R extends object>(text: string, values: readonly unknown[]): Promise<R[]>;
  protocols: Protocols;
  /** The policies and places that this node decides by. */
  policies: PolicySnapshots;
  /** Where the members of groups are kept, by their type, as far as the caller sees them. */
  elements: Elements;
  /** What a row `r` must fulfil to match filters and be seen by the caller, for a scope that looks at other tables. */
  matching(of: Declaration, filter: readonly string[]): Condition;
  /** Records of a collection as the API answers them. */
  list<D extends Declaration>(of: D, query: ListQuery): Promise<Page<RecordOf<D>>>;
  /** One record as the API answers it, with what lists leave out; nothing when the caller does not see it. */
  fetch<D extends Declaration>(of: D, id: number): Promise<RecordOf<D> | undefined>;
  /** The open transaction. There is none in a read, nor while a part is asked: then `write` opens one. */
  tx: WriteTx;
  write<T>(work: (tx: WriteTx) => Promise<T>): Promise<T>;
  /** The plain text of a record's secret. */
  secretOf(of: Collection, id: number, field: string): Promise<string>;
  /** Refuses more than ten tests of outside systems a minute by one administrator. */
  admitTest(): void;
  /** Refuses more than fifty posted events a second by one token. */
  admitEvent(): void;
  /** Queues a job in the open transaction, or the one that `write` gave, with a background task to follow it by; answers the task's id. */
  startTask(job: Pick<Job<Context>, 'name'>, payload: unknown, message: string, tx?: WriteTx): Promise<number>;
  /** Takes a queued or running job from the queue, in the open transaction. */
  cancelJob(name: string, queueJobID: string): Promise<void>;
}

/** What a node gives to the jobs of a module that need more than the context. */
export interface NodeDependencies {
  runtime: Runtime;
  poller: DevicePoller;
  calls: StoredCalls;
}

/** Binds the declaration of a group with its actions, rules, events, files, jobs and reconcilers. */
export const resource = (
  name: string,
  declaration: Declaration,
  particular?: Omit<Partial<Resource<Context, NodeDependencies>>, 'group' | 'declaration' | 'patterns'>,
): Resource<Context, NodeDependencies> => bindResource<Context, NodeDependencies>(name, declaration, particular);

/** Declares an operation that is particular to a group. */
export function action<
  const Path extends string,
  const Query extends CallTypes['query'] = Record<never, never>,
  const Paths extends CallTypes['pathShapes'] = Record<never, never>,
  const Body extends Shape | undefined = undefined,
  const Optional extends boolean = false,
  const Listed extends boolean = false,
  const Files extends Uploads | undefined = undefined,
>(
  of: Declaration,
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

/** An action as a group writes it: its call has the types of the shapes that it takes. */
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

/** Declares what a group adds to saving and deleting its records. */
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

/** Declares a reconciler; whoever changes what it looks after says `tx.notify(name)`. */
export const reconciler = (
  name: string,
  particular: Omit<Reconciler<Context>, 'kind' | 'name'>,
): Reconciler<Context> => ({
  kind: 'reconciler',
  name,
  ...particular,
});
