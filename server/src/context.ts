import type { Database } from './database.ts';
import type { Action } from './kernel/action.ts';
import type { ReadDb } from './kernel/database/kysely.ts';
import type { Collection, Declaration } from './kernel/declare.ts';
import type { Job } from './kernel/jobs.ts';
import type { ListQuery, Page } from './kernel/read/list.ts';
import type { WriteTx } from './kernel/runtime.ts';
import type { Rules } from './kernel/write/engine.ts';
import type { Drivers } from './parts/drivers/drivers.ts';
import type { Radius } from './parts/radius/radius.ts';
import type { Snmp } from './parts/snmp/snmp.ts';

/** The outside world, one interface a protocol. */
export interface Parts {
  radius: Radius;
  snmp: Snmp;
  drivers: Drivers;
}

/** What every action, rule and job is given. */
export interface Context {
  /** Reads; inside a write, what the transaction sees. */
  db: ReadDb<Database>;
  parts: Parts;
  /** Records of a collection as the API answers them. */
  list(of: Declaration, query: ListQuery): Promise<Page>;
  /** The open transaction. There is none in a read, nor while a part is asked: then `write` opens one. */
  tx: WriteTx;
  write<T>(work: (tx: WriteTx) => Promise<T>): Promise<T>;
  /** The plain text of a record's secret. */
  secretOf(of: Collection, id: number, field: string): Promise<string>;
  /** Refuses more than ten tests of outside systems a minute by one administrator. */
  admitTest(): void;
  /** Queues a job in the open transaction, with a background task to follow it by; answers the task's id. */
  startTask(job: Job<Context>, payload: unknown, message: string): Promise<number>;
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
export const rules = (_of: Collection, particular: Rules<Context>): Rules<Context> => particular;

/** Declares a job. */
export const job = (name: string, particular: Omit<Job<Context>, 'kind' | 'name'>): Job<Context> => ({
  kind: 'job',
  name,
  ...particular,
});
