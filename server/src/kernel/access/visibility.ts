import type pg from 'pg';
import type { Parameters } from '../database/parameters.ts';
import type { Limits } from '../declare/caller.ts';
import type { Declaration } from '../declare/declaration.ts';
import { allows, type Rights } from '../declare/permissions.ts';

/** A condition over the row `r`, its values as parameters. */
export type Condition = (parameters: Parameters) => string;

/** Who looks. A caller is one, and so is the origin of a write. */
export interface Viewer {
  rights: Rights;
  /** None: every row. */
  limits?: Limits | undefined;
}

/** One limit on the rows of a table, as SQL. All that apply to a table have to hold. */
export interface RowLimit {
  /** Whether the row `r` is seen, never null: asked row by row, of those that something else has found. */
  rowCondition: Condition;
  /**
   * The same for a read of many rows, with what the limit is made of looked up at this moment and written out:
   * the planner, who then knows how much that is, finds a good way through any number of rows.
   */
  bulkCondition(client: pg.PoolClient): Promise<string>;
  /** Whether the visibility change `p` (id, kind, place) shows that the record was visible before. */
  wasVisible: Condition;
  /** A text that changes when rows become visible or invisible without an entry in the feed. */
  fingerprint: Condition;
}

/** Makes SQL of limits: the kernel asks, the groups that own profiles provide it. */
export type RowLimits = (declaration: Declaration, limits: Limits) => readonly RowLimit[];

/** What somebody sees of every table. Everything that reads or writes rows for a caller goes through one of these. */
export class Visibility {
  readonly #viewer: Viewer;
  readonly #rowLimits: RowLimits;

  constructor(viewer: Viewer, rowLimits: RowLimits) {
    this.#viewer = viewer;
    this.#rowLimits = rowLimits;
  }

  /** Nothing is hidden from the service itself, nor from who may do everything. */
  get isUnrestricted(): boolean {
    return this.#viewer.rights === 'everything' && this.#viewer.limits === undefined;
  }

  mayView({ permission }: Declaration): boolean {
    return allows(this.#viewer.rights, permission, 'view');
  }

  limitsOn(declaration: Declaration): readonly RowLimit[] {
    return this.#viewer.limits ? this.#rowLimits(declaration, this.#viewer.limits) : [];
  }

  /** What a row `r` of the table must fulfil to be seen; undefined where all are. */
  condition(declaration: Declaration, parameters: Parameters): string | undefined {
    const limits = this.limitsOn(declaration);
    return limits.length === 0 ? undefined : limits.map(({ rowCondition: holds }) => holds(parameters)).join(' and ');
  }

  /** The same for a read of many rows. */
  async conditionAmong(client: pg.PoolClient, declaration: Declaration): Promise<string | undefined> {
    const conditions: string[] = [];
    for (const limit of this.limitsOn(declaration)) conditions.push(await limit.bulkCondition(client));
    return conditions.length === 0 ? undefined : conditions.join(' and ');
  }
}

/** The service itself. */
export const seesEverything: Viewer = { rights: 'everything' };

export const fullVisibility = new Visibility(seesEverything, () => []);
