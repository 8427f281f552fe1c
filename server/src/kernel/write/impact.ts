import type { Answer, Call } from '../declare/operation.ts';
import type { WriteTx } from './runtime.ts';

/** The work of a write, in a transaction that is committed or rolled back. */
export type Work = (tx: WriteTx) => Promise<Answer>;

/** Reads in a transaction that is rolled back, before and after its work. */
export interface Inspection<T> {
  before(tx: WriteTx): Promise<void>;
  after(tx: WriteTx): Promise<T>;
}

/** Runs a write, reads what it changed, and rolls it back. */
export type RunRolledBack = <T>(look: Inspection<T>) => Promise<{ answer: Answer; seen: T }>;

/** Computes which connections a write would change, for operations that declare an impact. */
export interface ImpactCalculator {
  /** Returns the response of a dry run. */
  preview(call: Call, tryOut: RunRolledBack): Promise<Answer>;
  /**
   * Refuses a write that would change more than `max` connections; returns a check for its transaction, to run before the work: the
   * computed impact must still hold.
   */
  admit(call: Call, max: number, tryOut: RunRolledBack): Promise<(tx: WriteTx) => Promise<void>>;
  /**
   * Begins the transaction of a write without a limit. It takes the same locks in the same order as a limited one, so that the two
   * cannot deadlock.
   */
  begin(tx: WriteTx): Promise<void>;
}

/** Thrown if the data that the impact was computed from changed before the write was stored. */
export class ConcurrentPolicyChange extends Error {}
