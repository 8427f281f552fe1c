import type pg from 'pg';
import type { Declaration } from './declare.ts';
import type { Parameters } from './filter/compile.ts';
import { allows, type PermissionKey, type Rights } from './permissions.ts';

/** A condition over the row `r`, its values as parameters. */
export type Condition = (parameters: Parameters) => string;

/** What a profile limits beyond verbs: of some groups its holders see only some rows. */
export interface Limits {
  accountId: number;
  /** Hosts, adapters, ports and users: only members of the groups that the holder's administrator groups manage. */
  byGroups: boolean;
  /** Keys that are narrowed to some records. */
  selected: ReadonlyMap<PermissionKey, readonly number[]>;
}

/** Who looks. A caller is one, and so is the origin of a write. */
export interface Seer {
  rights: Rights;
  /** None: every row. */
  limits?: Limits | undefined;
}

/** One limit on the rows of a table, as SQL. All that apply to a table have to hold. */
export interface RowLimit {
  /** Whether the row `r` is seen, never null: asked row by row, of those that something else has found. */
  holds: Condition;
  /**
   * The same for a read of many rows, with what the limit is made of looked up at this moment and written out:
   * the planner, who then knows how much that is, finds a good way through any number of rows.
   */
  holdsAmong(client: pg.PoolClient): Promise<string>;
  /** Whether the departure `p` (id, kind, place) tells that the record was seen before. */
  held: Condition;
  /** A text that changes when rows come into sight, or go, without an entry in the feed. */
  frame: Condition;
}

/** Makes SQL of limits: the kernel asks, whoever knows groups and profiles provides. */
export type RowLimits = (declaration: Declaration, limits: Limits) => readonly RowLimit[];

/** What somebody sees of every table. Everything that reads or writes rows for a caller goes through one of these. */
export class Sight {
  readonly #seer: Seer;
  readonly #rowLimits: RowLimits;

  constructor(seer: Seer, rowLimits: RowLimits) {
    this.#seer = seer;
    this.#rowLimits = rowLimits;
  }

  /** Nothing is hidden from the service itself, nor from who may do everything. */
  get isWhole(): boolean {
    return this.#seer.rights === 'everything' && this.#seer.limits === undefined;
  }

  mayView({ permission }: Declaration): boolean {
    return allows(this.#seer.rights, permission, 'view');
  }

  limitsOn(declaration: Declaration): readonly RowLimit[] {
    return this.#seer.limits ? this.#rowLimits(declaration, this.#seer.limits) : [];
  }

  /** What a row `r` of the table must fulfil to be seen; undefined where all are. */
  condition(declaration: Declaration, parameters: Parameters): string | undefined {
    const limits = this.limitsOn(declaration);
    return limits.length === 0 ? undefined : limits.map(({ holds }) => holds(parameters)).join(' and ');
  }

  /** The same for a read of many rows. */
  async conditionAmong(client: pg.PoolClient, declaration: Declaration): Promise<string | undefined> {
    const conditions: string[] = [];
    for (const limit of this.limitsOn(declaration)) conditions.push(await limit.holdsAmong(client));
    return conditions.length === 0 ? undefined : conditions.join(' and ');
  }
}

/** The service itself. */
export const seesEverything: Seer = { rights: 'everything' };

export const wholeSight = new Sight(seesEverything, () => []);
