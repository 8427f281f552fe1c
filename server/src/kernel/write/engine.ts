import type pg from 'pg';
import type { EventEntry } from '../event-type.ts';
import type { Model } from '../model.ts';
import type { Reader } from '../read/list.ts';
import type { RecordValue } from '../read/select.ts';
import { type RowLimits, type Seer, Sight } from '../scope.ts';
import type { Secrets } from './secrets.ts';
import type { Origin, Sinks } from './sinks.ts';

/** One step of saving a record: a rule may refuse it, or mend `after` before it is stored. */
export interface SaveStep {
  id: number;
  /** The record as it was; undefined on create. */
  before: RecordValue | undefined;
  /** The record as it will be. */
  after: RecordValue;
  /** What the client sent, checked: tells "absent" from "the same". */
  sent: Readonly<RecordValue>;
}

/** What a group adds to saving and deleting its records, inside the same transaction. */
export interface Rules<T> {
  /** Before any row is locked: where a lock on the whole comes first, so that two writes cannot wait for each other. Nothing is sent with a deletion. */
  beforeLock?(sent: Readonly<RecordValue> | undefined, tx: T): Promise<void> | void;
  beforeSave?(step: SaveStep, tx: T): Promise<void> | void;
  afterSave?(step: SaveStep, tx: T): Promise<void> | void;
  beforeDelete?(record: RecordValue, tx: T): Promise<void> | void;
  /** Once for all that are deleted together; `isDependent`: they go with what they belong to. Answers what to do when they are gone. */
  beforeRemoval?(ids: readonly number[], tx: T, isDependent: boolean): Promise<AfterRemoval | undefined>;
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
  /** Tells that something happened, in this transaction; answers the id of the event, undefined when its type is not logged. */
  emit<const F extends string>(event: EventEntry<F>): Promise<number | undefined>;
}

/** What somebody sees: a caller, or the origin of a write. */
export const sightOf = (engine: Pick<Engine, 'rowLimits'>, seer: Seer): Sight => new Sight(seer, engine.rowLimits);

/** The reader of a table for somebody: there is none that forgets whose eyes it has. */
export function readerOf(engine: Pick<Engine, 'readers'>, name: string, sight: Sight): Reader {
  const reader = engine.readers.get(name);
  if (!reader) throw new Error(`no declaration is called ${name}`);
  return reader.seenBy(sight);
}
