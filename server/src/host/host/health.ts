import { everyRow, type WriteTx } from '../../context.ts';
import { refreshStatesOfHosts } from '../../device/port/port.service.ts';
import { notFound } from '../../kernel/failure.ts';
import { hostAtRisk, hostPending, hostSafe } from './host.events.ts';
import { type Health, host } from './host.ts';

const everyHost = everyRow(host, 'callers have checked that their caller sees the host');

export const riskSources = ['SCAN', 'ADMIN', 'SYSTEM', 'AGENT', 'MDM', 'PATCH', 'SECURITY_ALARM'] as const;
export type RiskSource = (typeof riskSources)[number];

/** The reason for a change of health. */
export interface HealthReason {
  source: RiskSource;
  sourceName: string;
  reason: string;
}

const reported = { AT_RISK: hostAtRisk, PENDING: hostPending, SAFE: hostSafe } as const;
const historyKept = 200;

const healthSql = `select coalesce((select min(k.level) from host_risk k where k.host_id = $1), 'SAFE') as health`;

async function healthOf({ client }: WriteTx, id: number): Promise<Health> {
  const { rows } = await client.query<{ health: Health }>(healthSql, [id]);
  return rows[0]!.health;
}

/**
 * Changes the causes of risk of a host, and emits an event if its health changes. The health is AT_RISK if at least one cause has that
 * level, PENDING if all causes have a grace period, SAFE without causes. Returns the health before and after.
 */
export async function changeHealth(
  tx: WriteTx,
  { id, name }: { id: number; name: string },
  why: HealthReason,
  change: () => Promise<unknown>,
): Promise<{ before: Health; after: Health }> {
  const { client, origin } = tx;
  // Serialises changes of one host, so that each reports its own effect.
  const { rowCount } = await client.query(`select h.id from ${everyHost} h where h.id = $1 for no key update`, [id]);
  // Another transaction deleted the host after the caller loaded it.
  if (rowCount === 0) throw notFound(host.title, id);
  const before = await healthOf(tx, id);
  await change();
  const after = await healthOf(tx, id);
  if (before === after) return { before, after };
  await client.query(
    `insert into health_history (host_id, source, source_name, from_health, to_health, reason, by_whom) values ($1, $2, $3, $4, $5, $6, $7)`,
    [id, why.source, why.sourceName, before, after, why.reason, origin.user],
  );
  await client.query(
    `delete from health_history h where h.host_id = $1 and h.id <= (
       select x.id from health_history x where x.host_id = $1 order by x.id desc limit 1 offset ${historyKept})`,
    [id],
  );
  await tx.emit({ type: reported[after], element: { id, name }, attributes: { reason: why.reason || why.source } });
  await refreshStatesOfHosts(client, [id]);
  return { before, after };
}

/** Adds a cause of risk, or updates the reason of an existing one. */
export const addRisk = (
  { client }: WriteTx,
  id: number,
  cause: { source: RiskSource; sourceID: number; reason: string },
): Promise<unknown> =>
  client.query(
    `insert into host_risk (host_id, source, source_id, level, reason) values ($1, $2, $3, 'AT_RISK', $4)
     on conflict (host_id, source, source_id) do update set level = 'AT_RISK', deadline = null, reason = excluded.reason`,
    [id, cause.source, cause.sourceID, cause.reason],
  );

export const hasRisk = async (
  { client }: WriteTx,
  id: number,
  { source, sourceID }: { source: RiskSource; sourceID: number },
): Promise<boolean> =>
  (
    await client.query('select from host_risk where host_id = $1 and source = $2 and source_id = $3', [
      id,
      source,
      sourceID,
    ])
  ).rowCount === 1;

/** Removes one cause of risk, or all. */
export const removeRisks = (
  { client }: WriteTx,
  id: number,
  cause: { source: RiskSource; sourceID: number } | 'all',
): Promise<unknown> =>
  cause === 'all'
    ? client.query('delete from host_risk where host_id = $1', [id])
    : client.query('delete from host_risk where host_id = $1 and source = $2 and source_id = $3', [
        id,
        cause.source,
        cause.sourceID,
      ]);
