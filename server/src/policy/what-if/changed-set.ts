import type pg from 'pg';
import type { PolicySet, Topology } from '../decide/decide.service.ts';
import { type PendingRoles, readPendingRoles } from '../role/role.service.ts';
import {
  type ChangedRow,
  changedTopology,
  readPolicySet,
  type Snapshot,
  topologyTables,
} from '../snapshot/snapshot.service.ts';

/** All data that decisions read, as a write would leave it. */
export interface ChangedSet {
  policies: PolicySet;
  /** The topology of the node with the rows that the write changed. */
  topology: Topology;
  roles: PendingRoles;
}

const touchedSql = `select f.table_name as "table", f.record_id as id from change_feed f
where f.table_name = any($1::text[]) and f.txid = pg_current_xact_id()
union
select v.table_name, v.record_id from visibility_change v
where v.table_name = any($1::text[]) and v.txid = pg_current_xact_id()`;

/** Reads the changed set in the transaction of the write. */
export async function readChangedSet(client: pg.ClientBase, { set, topology }: Snapshot): Promise<ChangedSet> {
  const policies = await readPolicySet(client, set.zone);
  const { rows } = await client.query<ChangedRow>({
    name: 'what-if.touched',
    text: touchedSql,
    values: [topologyTables],
  });
  return { policies, topology: await changedTopology(client, topology, rows), roles: await readPendingRoles(client) };
}
