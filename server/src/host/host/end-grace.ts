import type { WriteTx } from '../../context.ts';
import { changeHealth } from './health.ts';
import { host } from './host.ts';
import { nameOf } from './saved-host.ts';

const batch = 100;

/** Selects the hosts with expired causes of risk, in the order in which hosts are locked. */
const overdueSql = `select k.host_id as "hostID", min(k.reason) as reason
  from host_risk k where k.level = 'PENDING' and k.deadline <= now()
  group by k.host_id order by k.host_id limit ${batch}`;

const endSql = `update host_risk set level = 'AT_RISK', deadline = null
  where host_id = $1 and level = 'PENDING' and deadline <= now()`;

/** Marks hosts at risk whose grace period ended. Returns whether there may be more. */
export async function endGrace(tx: WriteTx): Promise<boolean> {
  const { rows } = await tx.client.query<{ hostID: number; reason: string }>(overdueSql);
  for (const { hostID, reason } of rows) {
    const record = await tx.records.fetch(host, hostID);
    // The host was deleted meanwhile, together with its causes.
    if (!record) continue;
    const why = {
      source: 'SYSTEM',
      sourceName: 'Health grace check',
      reason: `${reason || 'Health problem'}: the grace period is over`,
    } as const;
    await changeHealth(tx, { id: hostID, name: nameOf(record, hostID) }, why, () => tx.client.query(endSql, [hostID]));
  }
  return rows.length === batch;
}
