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
  /** The record as it was; undefined on create. */
  before: R | undefined;
  /** The record as it will be; on create without what the service only works out when it is read. */
  after: R;
  /** The checked input of the client: distinguishes "absent" from "unchanged". */
  sent: Readonly<I>;
}

/** What a group adds to saving and deleting its records, inside the same transaction. */
export interface Rules<T, R = RecordValue, I = RecordValue> {
  /** Before any row is locked: where a lock on the whole comes first, so that two writes cannot wait for each other. Nothing is sent with a deletion. */
  beforeLock?(sent: Readonly<I> | undefined, tx: T): Promise<void> | void;
  beforeSave?(step: SaveStep<R, I>, tx: T): Promise<void> | void;
  afterSave?(step: SaveStep<R, I>, tx: T): Promise<void> | void;
  beforeDelete?(record: R, tx: T): Promise<void> | void;
  /** Once for all that are deleted together; `isDependent`: they go with what they belong to. Answers what to do when they are gone. */
  beforeDeleteMany?(ids: readonly number[], tx: T, isDependent: boolean): Promise<AfterRemoval | undefined>;
}

export type AfterRemoval = () => Promise<void>;

/** What every write needs and no request changes. */
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

/** What somebody sees: a caller, or the origin of a write. */
export const visibilityOf = (engine: Pick<Engine, 'rowLimits'>, viewer: Viewer): Visibility =>
  new Visibility(viewer, engine.rowLimits);

/** The reader of a table for somebody: there is none that forgets whose eyes it has. */
export const readerOf = (engine: Pick<Engine, 'readers'>, name: string, visibility: Visibility): Reader =>
  everyReader(engine, name).visibleTo(visibility);

/** The same for a write, which begins with all that a visible record holds and answers none of it. */
export const storedRowsOf = (engine: Pick<Engine, 'readers'>, name: string, visibility: Visibility): Reader =>
  everyReader(engine, name).storedRowsOf(visibility);

function everyReader(engine: Pick<Engine, 'readers'>, name: string): Reader {
  const reader = engine.readers.get(name);
  if (!reader) throw new Error(`no declaration is called ${name}`);
  return reader;
}
