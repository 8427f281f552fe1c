import { setTimeout as sleep } from 'node:timers/promises';
import type { Context, JobRun } from '../../context.ts';
import { hasEngine, raiseRadius } from '../../radius/rollout/rollout.service.ts';

/** The report of a node about one of its listeners. */
export interface Listener {
  node: string;
  configurationId: number;
  configuration: string;
  certificateId: number;
  certificate: string;
  /** The certificate and settings in use. */
  state: string;
  /** The reason if the listener kept its previous settings. */
  fault: string | null;
}

interface Followed extends Listener {
  hasFollowed: boolean;
}

const raiseSql = `with raised as (update listener_restart set generation = generation + 1 returning generation)
select raised.generation, pg_notify('listeners_changed', '') from raised`;

/**
 * Nodes renew their rows every 2 s; engines have a generation of their own. Several profiles may have the same
 * configuration.
 */
const listenersSql = `select l.node, t.id as "configurationId", t.name as configuration, c.id as "certificateId", c.name as certificate,
  'serves ' || l.sha256 as state, l.fault, l.generation >= $1 as "hasFollowed"
from node_listener l join tls_service_configuration t on t.id = l.configuration_id
join tls_deployment d on d.configuration_id = t.id join certificate_target c on c.id = d.certificate_id
where l.renewed > clock_timestamp() - interval '10 seconds'
union select n.node, t.id, t.name, c.id, c.name, 'runs generation ' || n.radius_generation, case when g.refused = g.wanted then g.refused_why end,
  n.radius_generation = g.wanted or g.refused = g.wanted
from cluster_node n cross join config_generation g join server_configuration s on s.enabled
join tls_service_configuration t on t.id = s.tls_config_id
join tls_deployment d on d.configuration_id = t.id join certificate_target c on c.id = d.certificate_id
where $2 and g.topic = 'radius' and ${hasEngine} order by 1, 3`;

/** Deploys the stored configurations `$1`. */
export const insertDeploymentSql = `insert into tls_deployment as d
  (configuration_id, version, deployed_at, certificate_id, trust_ids, protocols, ciphers, auto_update, client_auth, check_crl)
  select t.id, t.version, clock_timestamp(), t.certificate_alias_id, array(select x.id::bigint from jsonb_array_elements_text(t.trust_aliases) x(id)),
    t.protocols, t.ciphers, t.auto_update, t.client_auth, t.check_crl
  from tls_service_configuration t where t.id = any($1)`;

const followSecondsMax = 30;
const lookMs = 200;

const ofRadiusSql = `select exists (select from server_configuration s join tls_deployment d on d.configuration_id = s.tls_config_id
  join certificate_target c on c.id = d.certificate_id
  where s.enabled and ($1::bigint[] is null or s.tls_config_id = any($1)) and ($2::text[] is null or c.name = any($2))) as "isOfRadius"`;

/** The configurations or certificates that changed; absent: all. */
export interface Concerned {
  configurations?: readonly number[] | undefined;
  certificates?: readonly string[] | undefined;
}

/**
 * Makes all nodes load their TLS settings, and waits for the running ones; a node that does not follow gets a fault.
 * Engines are restarted only if they use a changed configuration.
 */
export async function followListeners(
  { context, signal }: Pick<JobRun<Context>, 'context' | 'signal'>,
  { configurations, certificates }: Concerned,
  progress: (done: number, total: number) => void,
): Promise<Listener[]> {
  const values = [configurations ?? null, certificates ?? null];
  const [concerns] = await context.query<{ isOfRadius: boolean }>(ofRadiusSql, values);
  const { isOfRadius } = concerns!;
  const generation = await context.write(async ({ client }) => {
    if (isOfRadius) await raiseRadius(client);
    const { rows } = await client.query<{ generation: number }>(raiseSql);
    return rows[0]!.generation;
  });
  const look = () => context.query<Followed>(listenersSql, [generation, isOfRadius]);
  let listeners = await look();
  for (const end = performance.now() + followSecondsMax * 1_000; performance.now() < end && !signal.aborted; ) {
    const followed = listeners.filter(({ hasFollowed }) => hasFollowed).length;
    progress(followed, listeners.length);
    if (followed === listeners.length) break;
    await sleep(lookMs);
    listeners = await look();
  }
  return listeners.map(({ hasFollowed, ...listener }) => ({
    ...listener,
    fault: hasFollowed ? listener.fault : `It did not follow within ${followSecondsMax} s.`,
  }));
}

/** Returns a line of a task's report. */
export const outcomeOf = ({ node, configuration, state, fault }: Listener) => ({
  item: `${configuration} of ${node}`,
  outcome: fault === null ? 'DONE' : 'FAILED',
  detail: fault ?? state,
});
