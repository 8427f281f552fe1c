/** A node of an executed plan, with PostgreSQL's names. */
export interface Plan {
  'Node Type': string;
  'Relation Name'?: string;
  /** In each loop; PostgreSQL rounds the average. */
  'Actual Rows': number;
  'Actual Loops': number;
  'Rows Removed by Filter'?: number;
  'Rows Removed by Index Recheck'?: number;
  Plans?: Plan[];
}

/** Returns how many rows the nodes of a plan read from each table, filtered rows included. */
export function rowsRead(plans: readonly Plan[], into = new Map<string, number>()): Map<string, number> {
  for (const plan of plans) {
    const table = plan['Relation Name'];
    if (table && plan['Node Type'].endsWith(' Scan')) {
      const removed = (plan['Rows Removed by Filter'] ?? 0) + (plan['Rows Removed by Index Recheck'] ?? 0);
      into.set(table, (into.get(table) ?? 0) + (plan['Actual Rows'] + removed) * plan['Actual Loops']);
    }
    rowsRead(plan.Plans ?? [], into);
  }
  return into;
}
