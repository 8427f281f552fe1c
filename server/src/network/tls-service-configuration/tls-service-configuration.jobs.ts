import { createSecureContext } from 'node:tls';
import { type Context, type Job, type JobRun, job, type Runtime, type WriteTx } from '../../context.ts';
import { remoteFailed } from '../../kernel/failure.ts';
import { followListeners, insertDeploymentSql, type Listener, outcomeOf } from './listeners.ts';
import { tlsConfigDeployed, tlsConfigDeployFailed } from './tls-service-configuration.events.ts';
import { apiTls } from './tls-service-configuration.service.ts';

/** Job name of deployments. */
export const deployTlsName = 'tls-deploy';

interface Deployment {
  id: number;
  name: string;
  version: number;
}

/** If the deployed row was never confirmed, `previous` keeps the last confirmed one. */
const deploySql = `with deployed as (${insertDeploymentSql}
  on conflict (configuration_id) do update
  set previous = coalesce(d.previous, to_jsonb(d) - 'previous'), version = excluded.version, deployed_at = excluded.deployed_at,
    certificate_id = excluded.certificate_id, trust_ids = excluded.trust_ids, protocols = excluded.protocols, ciphers = excluded.ciphers,
    auto_update = excluded.auto_update, client_auth = excluded.client_auth, check_crl = excluded.check_crl
  returning d.configuration_id, d.version)
select t.id, t.name, deployed.version from deployed join tls_service_configuration t on t.id = deployed.configuration_id order by t.id`;

const confirmSql = 'update tls_deployment set previous = null where configuration_id = any($1)';

const restoreSql = `update tls_deployment d
set version = p.version, deployed_at = p.deployed_at, certificate_id = p.certificate_id, trust_ids = p.trust_ids, protocols = p.protocols,
  ciphers = p.ciphers, auto_update = p.auto_update, client_auth = p.client_auth, check_crl = p.check_crl, previous = null
from tls_deployment o, jsonb_populate_record(null::tls_deployment, o.previous) p
where o.configuration_id = d.configuration_id and d.configuration_id = any($1) and o.previous is not null`;

/** Deploys the stored TLS configuration to all nodes; if one of them cannot use it, all return to the previous one. */
export const deployTls = (runtime: Runtime): Job<Context> =>
  job(deployTlsName, {
    doc: 'Have listeners use their TLS service configurations',
    secondsMax: 180,
    repeatable: true,
    async run(payload, run) {
      const { ids } = payload as { ids: readonly number[] };
      const deployed = await run.context.write(async ({ client }) => {
        const { rows } = await client.query<Deployment>(deploySql, [ids]);
        return rows;
      });
      const listeners = await tryDeployed(runtime, run, ids);
      const why = listeners instanceof Error ? listeners.message : faultsOf(listeners);
      if (listeners instanceof Error || why !== undefined) {
        if (!(listeners instanceof Error)) run.report(listeners.map(outcomeOf));
        await putBack(run, deployed, why!);
        throw remoteFailed(`${why} Listeners speak as before.`);
      }
      run.report(listeners.map(outcomeOf));
      await run.context.write(async ({ client, emit }) => {
        await client.query(confirmSql, [ids]);
        for (const { id, name, version } of deployed) {
          const nodes = listeners.filter(({ configurationId }) => configurationId === id).length;
          await emit({ type: tlsConfigDeployed, element: { id, name }, attributes: { version, nodes } });
        }
      });
    },
  });

/** Finds settings that OpenSSL refuses, even if no node uses them in a listener yet. */
async function tryDeployed(
  runtime: Runtime,
  run: JobRun<Context>,
  configurations: readonly number[],
): Promise<Listener[] | Error> {
  try {
    createSecureContext((await apiTls(runtime)).tls);
  } catch (error) {
    return error as Error;
  }
  return followListeners(run, { configurations }, run.progress);
}

const faultsOf = (listeners: readonly Listener[]): string | undefined =>
  listeners
    .filter(({ fault }) => fault !== null)
    .map(({ node, fault }) => `${node}: ${fault}`)
    .join(' ') || undefined;

async function putBack(run: JobRun<Context>, deployed: readonly Deployment[], why: string): Promise<void> {
  const configurations = deployed.map(({ id }) => id);
  await run.context.write(async ({ client, emit }: WriteTx) => {
    await client.query(restoreSql, [configurations]);
    for (const { id, name, version } of deployed)
      await emit({
        type: tlsConfigDeployFailed,
        element: { id, name },
        attributes: { version, why: why.slice(0, 500) },
      });
  });
  await followListeners(run, { configurations }, () => undefined);
}
