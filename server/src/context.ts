import type { Database } from './database.ts';
import type { Action } from './kernel/action.ts';
import type { ReadDb } from './kernel/database/kysely.ts';
import type { Collection, Declaration } from './kernel/declare.ts';
import type { Elements } from './kernel/element.ts';
import type { Job } from './kernel/jobs.ts';
import type { ListQuery, Page } from './kernel/read/list.ts';
import type { RecordValue } from './kernel/read/select.ts';
import type { Reconciler } from './kernel/reconcile.ts';
import type { WriteTx } from './kernel/runtime.ts';
import type { Condition } from './kernel/scope.ts';
import type { Rules } from './kernel/write/engine.ts';
import type { Drivers } from './parts/drivers/drivers.ts';
import type { NetworkScanner } from './parts/nmap/nmap.ts';
import type { Radius } from './parts/radius/radius.ts';
import type { EngineClocks } from './parts/snmp/engine-clocks.ts';
import type { Snmp } from './parts/snmp/snmp.ts';

/** The outside world, one interface a protocol. */
export interface Parts {
  radius: Radius;
  snmp: Snmp;
  /** What is known of the clocks of devices: whoever asks them and whoever hears them know the same. */
  snmpClocks: EngineClocks;
  drivers: Drivers;
  scanner: NetworkScanner;
}

/** What every action, rule and job is given. */
export interface Context {
  /** Reads what the caller may see; inside a write, as the transaction sees it. SQL of one's own on `tx.client` sees everything: ask `tx.records.andSeen`. */
  db: ReadDb<Database>;
  /** The same in SQL, where that reads better. */
  query<R extends object>(text: string, values: readonly unknown[]): Promise<R[]>;
  parts: Parts;
  /** For such SQL, behind another condition: what a row `r` must fulfil to be seen by the caller. */
  andSeen(of: Declaration): string;
  /** Where the members of groups are kept, by their type, as far as the caller sees them. */
  elements: Elements;
  /** What a row `r` must fulfil to match filters and be seen by the caller, for a scope that looks at other tables. */
  matching(of: Declaration, filter: readonly string[]): Condition;
  /** Records of a collection as the API answers them. */
  list(of: Declaration, query: ListQuery): Promise<Page>;
  /** One record as the API answers it, with what lists leave out; nothing when the caller does not see it. */
  fetch(of: Declaration, id: number): Promise<RecordValue | undefined>;
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
  /** Lets a job that runs by the clock look at once, when the open transaction commits. A node without a queue leaves it to the clock. */
  poke(job: Job<Context>): Promise<void>;
  /** Takes a queued or running job from the queue, in the open transaction. */
  cancelJob(name: string, queueJobID: string): Promise<void>;
}

/** Declares an operation that is particular to a group. */
export const action = (of: Declaration, particular: Omit<Action<Context>, 'kind' | 'of'>): Action<Context> => ({
  kind: 'action',
  of,
  ...particular,
});

/** Declares what a group adds to saving and deleting its records. */
export const rules = (_of: Declaration, particular: Rules<Context>): Rules<Context> => particular;

/** Declares a job. */
export const job = (name: string, particular: Omit<Job<Context>, 'kind' | 'name'>): Job<Context> => ({
  kind: 'job',
  name,
  ...particular,
});

/** Declares a reconciler; whoever changes what it looks after says `tx.poke(name)`. */
export const reconciler = (
  name: string,
  particular: Omit<Reconciler<Context>, 'kind' | 'name'>,
): Reconciler<Context> => ({
  kind: 'reconciler',
  name,
  ...particular,
});
