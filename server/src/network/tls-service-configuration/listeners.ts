import { setTimeout as sleep } from 'node:timers/promises';
import type { Context, JobRun } from '../../context.ts';
import { raiseRadius } from '../../radius/rollout/rollout.service.ts';

/** What a node says of one of its listeners. */
export interface Listener {
  node: string;
  configurationId: number;
  configuration: string;
  certificateId: number;
  certificate: string;
  sha256: string;
  /** Why it speaks as before. */
  fault: string | null;
}

interface Followed extends Listener {
  hasFollowed: boolean;
}

const raiseSql = `with raised as (update listener_restart set generation = generation + 1 returning generation)
select raised.generation, pg_notify('listeners_changed', '') from raised`;

/** Nodes renew their rows every 2 s; their engines follow a number of their own. */
const listenersSql = `select l.node, t.id as "configurationId", t.name as configuration, c.id as "certificateId", c.name as certificate,
  l.sha256, l.fault, l.generation >= $1 as "hasFollowed"
from node_listener l join tls_service_configuration t on t.id = l.configuration_id
join tls_deployment d on d.configuration_id = t.id join certificate_target c on c.id = d.certificate_id
where l.renewed > clock_timestamp() - interval '10 seconds'
union all select n.node, t.id, t.name, c.id, c.name, c.sha256, case when g.refused = g.wanted then g.refused_why end,
  n.radius_generation = g.wanted or g.refused = g.wanted
from cluster_node n cross join config_generation g join server_configuration s on s.enabled
join tls_service_configuration t on t.id = s.tls_config_id
join tls_deployment d on d.configuration_id = t.id join certificate_target c on c.id = d.certificate_id
where g.topic = 'radius' and n.radius is not null and n.renewed > clock_timestamp() - interval '10 seconds' order by 1, 3`;

/** The configurations `$1` as they are stored. */
export const insertDeploymentSql = `insert into tls_deployment as d
  (configuration_id, version, deployed_at, certificate_id, trust_ids, protocols, ciphers, auto_update, client_auth, check_crl)
  select t.id, t.version, clock_timestamp(), t.certificate_alias_id, array(select x.id::bigint from jsonb_array_elements_text(t.trust_aliases) x(id)),
    t.protocols, t.ciphers, t.auto_update, t.client_auth, t.check_crl
  from tls_service_configuration t where t.id = any($1)`;

const followSecondsMax = 30;
const lookMs = 200;

/** Has all nodes speak as they should now, and waits for those that live; one that does not follow has a fault. */
export async function followListeners(
  { context, signal }: Pick<JobRun<Context>, 'context' | 'signal'>,
  progress: (done: number, total: number) => void,
): Promise<Listener[]> {
  const generation = await context.write(async ({ client }) => {
    await raiseRadius(client);
    const { rows } = await client.query<{ generation: number }>(raiseSql);
    return rows[0]!.generation;
  });
  const look = () => context.query<Followed>(listenersSql, [generation]);
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

/** A line of a task's report. */
export const outcomeOf = ({ node, configuration, sha256, fault }: Listener) => ({
  item: `${configuration} of ${node}`,
  outcome: fault === null ? 'DONE' : 'FAILED',
  detail: fault ?? `serves ${sha256}`,
});
