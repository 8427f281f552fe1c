import type { Answer, Call } from '../declare/operation.ts';
import type { WriteTx } from './runtime.ts';

/** The work of a write, in a transaction that is kept or rolled back. */
export type Work = (tx: WriteTx) => Promise<Answer>;

/** What is looked at in a transaction that is rolled back, before and after its work. */
export interface Look<T> {
  before(tx: WriteTx): Promise<void>;
  after(tx: WriteTx): Promise<T>;
}

/** Runs a write, looks at what it did, and keeps nothing. */
export type TryOut = <T>(look: Look<T>) => Promise<{ answer: Answer; seen: T }>;

/** Judges what writes would change beyond their records, for operations that declare it. */
export interface ImpactJudge {
  /** The answer of a dry run. */
  preview(call: Call, tryOut: TryOut): Promise<Answer>;
  /** Refuses a write that would change more than `max`; answers what to check in its transaction before the work: that this still holds. */
  admit(call: Call, max: number, tryOut: TryOut): Promise<(tx: WriteTx) => Promise<void>>;
  /** Begins the transaction of a write that nobody bounds: it locks what the bounded lock, in the same order, so that none waits for the other. */
  begin(tx: WriteTx): Promise<void>;
}

/** What a write was judged by has changed before it was stored. */
export class Overtaken extends Error {}
