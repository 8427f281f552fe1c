import type pg from 'pg';
import { type RowLimits, type Viewer, Visibility } from '../access/visibility.ts';
import type { Origin } from '../declare/caller.ts';
import type { EventEntry } from '../declare/event-type.ts';
import type { Model } from '../model/model.ts';
import type { Reader } from '../read/reader.ts';
import type { RecordValue } from '../read/select.ts';
import type { Secrets } from './secrets.ts';
import type { Sinks } from './sinks.ts';

/** One step of saving a record: a rule may refuse it, or change `after` before it is stored. */
export interface SaveStep<R = RecordValue, I = RecordValue> {
  id: number;
  /** The record before the change; undefined on create. */
  before: R | undefined;
  /** The record after the change; on create without the fields that are computed when it is read. */
  after: R;
  /** The checked input of the client: contains only the fields that were sent. */
  sent: Readonly<I>;
}

/** The code of a resource that runs when its records are saved and deleted, inside the same transaction. */
export interface Rules<T, R = RecordValue, I = RecordValue> {
  /**
   * Runs before any row is locked. A lock on the complete collection is taken here, so that two writes cannot deadlock. On deletion
   * `sent` is undefined.
   */
  beforeLock?(sent: Readonly<I> | undefined, tx: T): Promise<void> | void;
  beforeSave?(step: SaveStep<R, I>, tx: T): Promise<void> | void;
  afterSave?(step: SaveStep<R, I>, tx: T): Promise<void> | void;
  beforeDelete?(record: R, tx: T): Promise<void> | void;
  /**
   * Runs once for all records of a deletion; `isDependent`: they are deleted with the record they belong to. Returns what to run after
   * the removal.
   */
  beforeDeleteMany?(ids: readonly number[], tx: T, isDependent: boolean): Promise<AfterRemoval | undefined>;
}

export type AfterRemoval = () => Promise<void>;

/** The parts that every write uses, independent of the request. */
export interface Engine {
  model: Model;
  readers: ReadonlyMap<string, Reader>;
  rules: ReadonlyMap<string, Rules<Tx>>;
  secrets: Secrets;
  sinks: Sinks;
  rowLimits: RowLimits;
}

/** An open write transaction. */
export interface Tx {
  client: pg.PoolClient;
  engine: Engine;
  origin: Origin;
  /** Emits an event in this transaction; returns its id, undefined if its type is not logged. */
  emit<const F extends string>(event: EventEntry<F>): Promise<number | undefined>;
}

/** Returns what a viewer sees: a caller, or the origin of a write. */
export const visibilityOf = (engine: Pick<Engine, 'rowLimits'>, viewer: Viewer): Visibility =>
  new Visibility(viewer, engine.rowLimits);

/** Returns the table's reader for one viewer; there is no unrestricted variant. */
export const readerOf = (engine: Pick<Engine, 'readers'>, name: string, visibility: Visibility): Reader =>
  everyReader(engine, name).visibleTo(visibility);

/**
 * Returns the table's reader for a write, which reads all fields of a visible record and returns none of them to the
 * caller.
 */
export const storedRowsOf = (engine: Pick<Engine, 'readers'>, name: string, visibility: Visibility): Reader =>
  everyReader(engine, name).storedRowsOf(visibility);

function everyReader(engine: Pick<Engine, 'readers'>, name: string): Reader {
  const reader = engine.readers.get(name);
  if (!reader) throw new Error(`no declaration is called ${name}`);
  return reader;
}
