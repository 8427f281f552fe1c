import { connect, type SharedPool } from '../../src/kernel/database/connect.ts';
import { inTransaction } from '../../src/kernel/database/transaction.ts';
import { quoted } from '../../src/kernel/declare/names.ts';
import { compilePolicySet, type ZoneOffsets } from '../../src/policy/decide/decide.service.ts';
import { readTopology } from '../../src/policy/snapshot/read-topology.ts';
import { type Facts, readPolicySet } from '../../src/policy/snapshot/snapshot.service.ts';
import { type Access, decideConnected } from '../decide/everybody.ts';

/** Tables of policies and groups; hosts and places do not change. */
const tables = [
  'access_configuration',
  'access_policy',
  'authentication_configuration',
  'authentication_policy',
  'group',
  'group_closure',
  'group_edge',
  'group_member',
  'logical_network',
  'logical_network_configuration',
  'role',
  'role_mapping',
];

const copySql = tables
  .map((table) => `insert into history.${quoted(table)} select new.generation, r.* from public.${quoted(table)} r;`)
  .join('\n  ');

/**
 * Creates a history table for each table, filled whenever the generation rises, by the transaction that raises it,
 * which holds the lock on the row of the generation. The views in `then` show the tables at the generation that the
 * session selects.
 */
const recordSql = [
  'create schema history',
  'create schema "then"',
  ...tables.flatMap((table) => [
    `create table history.${quoted(table)} as select g.generation as of_generation, r.* from public.${quoted(table)} r, policy_generation g`,
    `create index on history.${quoted(table)} (of_generation)`,
    `create view "then".${quoted(table)} as select * from history.${quoted(table)} where of_generation = current_setting('history.at')::bigint`,
  ]),
  'create index on history.group_member (of_generation, member_id)',
  `create view "then".policy_generation as select current_setting('history.at')::bigint as generation`,
  'create table history.raised (generation bigint primary key, txid xid8 not null)',
  'create table history.audited (txid xid8 not null, request_id text)',
  `create function history.copy_policies() returns trigger language plpgsql security definer as $$
begin
  insert into history.raised values (new.generation, pg_current_xact_id());
  ${copySql}
  return null;
end $$`,
  `create trigger copy_policies after update on policy_generation for each row execute function history.copy_policies()`,
  `create function history.note_request() returns trigger language plpgsql security definer as $$
begin
  insert into history.audited values (pg_current_xact_id(), new.request_id);
  return null;
end $$`,
  'create trigger note_request after insert on audit_record for each row execute function history.note_request()',
];

/** A generation, and the requests whose transaction raised it. */
export interface Raised {
  generation: number;
  requests: string[];
}

/** Stores the policies and groups of every generation, and decides with each of them. */
export class PolicyHistory {
  readonly #pool: SharedPool;

  private constructor(pool: SharedPool) {
    this.#pool = pool;
  }

  static async record(ownerUrl: string): Promise<PolicyHistory> {
    const pool = connect({ url: ownerUrl, connectionsMax: 1 });
    for (const text of recordSql) await pool.query(text);
    return new PolicyHistory(pool);
  }

  async raised(): Promise<Raised[]> {
    await this.#pool.query('analyze');
    const { rows } = await this.#pool.query<Raised>(
      `select r.generation, array(select distinct a.request_id from history.audited a where a.txid = r.txid) as requests
       from history.raised r order by r.generation`,
    );
    return rows;
  }

  /** Returns the decisions of connections at a generation. */
  decide(
    generation: number,
    zone: ZoneOffsets,
    connected: readonly Facts[][],
    atMs: number,
  ): Promise<Map<string, Access>> {
    return inTransaction(this.#pool, async (client) => {
      await client.query(`set local search_path = "then", public; set local history.at = '${generation}'`);
      const set = compilePolicySet(await readPolicySet(client, zone));
      return decideConnected({ set, topology: await readTopology(client) }, connected, atMs);
    });
  }

  close(): Promise<void> {
    return this.#pool.end();
  }
}
