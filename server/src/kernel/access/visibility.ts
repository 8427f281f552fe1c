import type pg from 'pg';
import type { Parameters } from '../database/parameters.ts';
import type { Limits } from '../declare/caller.ts';
import type { Declaration } from '../declare/declaration.ts';
import { allows, type Rights } from '../declare/permissions.ts';

/** A condition over the row `r`, its values as parameters. */
export type Condition = (parameters: Parameters) => string;

/** The rights and row limits that decide what is visible: those of a caller, or of the origin of a write. */
export interface Viewer {
  rights: Rights;
  /** Absent: every row is visible. */
  limits?: Limits | undefined;
}

/** One limit on the rows of a table, as SQL. A visible row meets all limits of its table. */
export interface RowLimit {
  /** True if the row `r` is visible, never null. For rows that another condition has found, one by one. */
  rowCondition: Condition;
  /**
   * The same for a read of many rows. What the limit depends on is read now and written into the SQL, so that the
   * planner can estimate the number of rows and choose a good plan.
   */
  bulkCondition(client: pg.PoolClient): Promise<string>;
  /** True if the visibility change `p` (id, kind, place) shows that the record was visible before. */
  wasVisible: Condition;
  /** A text that changes when rows become visible or invisible without an entry in the feed. */
  fingerprint: Condition;
}

/** Returns the SQL of limits; the resources that own profiles implement it. */
export type RowLimits = (declaration: Declaration, limits: Limits) => readonly RowLimit[];

/** What a viewer sees of every table. All code that reads or writes rows for a caller uses one of these. */
export class Visibility {
  readonly #viewer: Viewer;
  readonly #rowLimits: RowLimits;

  constructor(viewer: Viewer, rowLimits: RowLimits) {
    this.#viewer = viewer;
    this.#rowLimits = rowLimits;
  }

  /** True for the service itself, and for callers that may do everything without row limits. */
  get isUnrestricted(): boolean {
    return this.#viewer.rights === 'everything' && this.#viewer.limits === undefined;
  }

  mayView({ permission }: Declaration): boolean {
    return allows(this.#viewer.rights, permission, 'view');
  }

  limitsOn(declaration: Declaration): readonly RowLimit[] {
    return this.#viewer.limits ? this.#rowLimits(declaration, this.#viewer.limits) : [];
  }

  /** Returns the condition for a visible row `r`; undefined if all rows of the table are visible. */
  condition(declaration: Declaration, parameters: Parameters): string | undefined {
    const limits = this.limitsOn(declaration);
    return limits.length === 0 ? undefined : limits.map(({ rowCondition: holds }) => holds(parameters)).join(' and ');
  }

  /** Returns the same condition for a read of many rows. */
  async conditionAmong(client: pg.PoolClient, declaration: Declaration): Promise<string | undefined> {
    const conditions: string[] = [];
    for (const limit of this.limitsOn(declaration)) conditions.push(await limit.bulkCondition(client));
    return conditions.length === 0 ? undefined : conditions.join(' and ');
  }
}

/** The viewer of the service itself. */
export const seesEverything: Viewer = { rights: 'everything' };

export const fullVisibility = new Visibility(seesEverything, () => []);
