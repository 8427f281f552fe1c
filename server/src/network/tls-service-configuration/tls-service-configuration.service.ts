import { type Context, type ListenerTls, type Runtime, type Sql, secretPlace } from '../../context.ts';
import { systemOrigin } from '../../kernel/declare/caller.ts';
import { Failure, rejected } from '../../kernel/failure.ts';
import type { KeyType } from '../../protocols/x509/names.ts';
import { fillEmpty } from '../certificate-target/certificate-target.service.ts';
import { insertDeploymentSql } from './listeners.ts';
import { apiTag } from './tls-service-configuration.ts';
import { type CertificateUse, fitsCiphers, type TlsSettings, versionsAndCiphers } from './tls-settings.ts';

export { followListeners, type Listener, outcomeOf } from './listeners.ts';

/** The TLS settings of a listener, and their configuration. */
export interface DeployedTls {
  configurationId: number;
  tls: ListenerTls;
}

/** A deployed configuration, with its certificates in PEM. */
export interface Deployment extends Omit<TlsSettings, 'autoUpdate'> {
  configurationId: number;
  certificate: string;
  privateKey: string;
  authorities: string[];
  /** Revocation lists of the authorities that have one. */
  revocationLists: string[];
}

interface Deployed extends TlsSettings {
  configurationId: number;
  name: string;
  target: CertificateUse;
}

const deployedSql = `select d.configuration_id as "configurationId", d.protocols, d.ciphers, d.auto_update as "autoUpdate",
  d.client_auth as "clientAuth", d.check_crl as "checkCrl", c.name, c.target
from tls_service_configuration t join tls_deployment d on d.configuration_id = t.id
join certificate_target c on c.id = d.certificate_id where t.tag = $1 or t.id = any($2)`;

const certificateSql = `select c.id, c.certificate_pem as certificate, c.private_key as sealed from certificate_target c where c.name = $1`;

const trustSql = `select c.certificate_pem as ca, c.crl_pem as crl from tls_deployment d
join certificate_target c on c.id = any(d.trust_ids) where d.configuration_id = $1 order by c.id`;

/** Loads deployed configurations, by tag or id; creates the certificate of an empty built-in target. */
async function deployments(runtime: Runtime, tag: string | null, ids: readonly number[]): Promise<Deployment[]> {
  const { rows } = await runtime.pool.query<Deployed>(deployedSql, [tag, ids]);
  return Promise.all(rows.map((deployed) => withCertificates(runtime, deployed)));
}

async function withCertificates(runtime: Runtime, { name, target, ...deployed }: Deployed): Promise<Deployment> {
  const { pool, engine } = runtime;
  await runtime.transact(systemOrigin('certificates'), (tx) => fillEmpty(tx, name));
  const keyRows = await pool.query<{ id: number; certificate: string; sealed: Buffer }>(certificateSql, [name]);
  const { id, certificate, sealed } = keyRows.rows[0]!;
  const trusted = await pool.query<{ ca: string; crl: string | null }>(trustSql, [deployed.configurationId]);
  return {
    ...deployed,
    ...versionsAndCiphers(deployed, target),
    certificate,
    privateKey: await engine.secrets.open(pool, sealed, secretPlace('certificate_target', 'private_key', id)),
    authorities: trusted.rows.map(({ ca }) => ca),
    revocationLists: trusted.rows.flatMap(({ crl }) => crl ?? []),
  };
}

/** Returns the deployed TLS settings of the API's listener. */
export async function apiTls(runtime: Runtime): Promise<DeployedTls> {
  const [deployment] = await deployments(runtime, apiTag, []);
  const { configurationId, protocols, ciphers, clientAuth, checkCrl, authorities, revocationLists } = deployment!;
  // Without any list OpenSSL would skip the check.
  if (checkCrl && revocationLists.length < authorities.length)
    throw new Error('An authority whose revocation list is to be checked has none.');
  return {
    configurationId,
    tls: {
      cert: deployment!.certificate,
      key: deployment!.privateKey,
      minVersion: protocols.includes('TLS_1_2') ? 'TLSv1.2' : 'TLSv1.3',
      maxVersion: protocols.includes('TLS_1_3') ? 'TLSv1.3' : 'TLSv1.2',
      ciphers: ciphers.join(':'),
      clientAuth,
      ca: authorities,
      ...(checkCrl && { crl: revocationLists }),
    },
  };
}

/** Returns the deployed configurations that RADIUS profiles refer to. */
export const radiusTls = async (runtime: Runtime, ids: readonly number[]): Promise<ReadonlyMap<number, Deployment>> =>
  new Map((await deployments(runtime, null, ids)).map((deployment) => [deployment.configurationId, deployment]));

/** Deploys a configuration when it is used for the first time. */
export async function deployFirst(client: Sql, configurationId: number): Promise<void> {
  await client.query(`${insertDeploymentSql} on conflict (configuration_id) do nothing`, [[configurationId]]);
}

const trustedSql = `select c.name, c.crl_pem is not null as "hasList" from tls_service_configuration t
join jsonb_array_elements_text(t.trust_aliases) x(id) on true join certificate_target c on c.id = x.id::bigint
where t.id = $1 order by c.name`;

/** Returns the authorities of a configuration. */
export const trustOf = ({ query }: Context, configurationId: number): Promise<{ name: string; hasList: boolean }[]> =>
  query(trustedSql, [configurationId]);

const usingSql = `select t.name, t.protocols, t.ciphers from tls_service_configuration t where t.certificate_alias_id = $1
union all select t.name, d.protocols, d.ciphers from tls_deployment d join tls_service_configuration t on t.id = d.configuration_id
where d.certificate_id = $1`;

/** Throws if the key of a certificate cannot be used with the ciphers of a configuration that refers to it. */
export async function refuseUnfitKey(
  { query }: Context,
  certificateId: number,
  keyType: KeyType | null,
): Promise<void> {
  if (keyType === null) return;
  const using = await query<Pick<TlsSettings, 'protocols' | 'ciphers'> & { name: string }>(usingSql, [certificateId]);
  for (const { name, ...settings } of using)
    if (!(await fitsCiphers(settings, keyType)))
      throw rejected(
        `certificate: its ${keyType} key fits no cipher of TLS service configuration ${name}.`,
        '/certificate',
      );
}

const deployedWithSql = `select t.name from tls_deployment d join tls_service_configuration t on t.id = d.configuration_id
where d.certificate_id = $1 or $1 = any(d.trust_ids) order by 1`;

/** Returns the names of deployed configurations with this certificate or authority. */
export const deployedWith = async ({ query }: Context, certificateId: number): Promise<string[]> =>
  (await query<{ name: string }>(deployedWithSql, [certificateId])).map(({ name }) => name);

/** Throws if listeners use the certificate, even if no record refers to it any more. */
export async function refuseDeployed(context: Context, certificateId: number, name: string): Promise<void> {
  refuseInUse(name, await deployedWith(context, certificateId));
}

const namedBySql = `select t.name from tls_service_configuration t
where t.certificate_alias_id = $1 or t.trust_aliases @> to_jsonb($1::bigint)
union ${deployedWithSql}`;

/** Throws if a record refers to a target that becomes empty: its next deployment would fail. */
export async function refuseNamed({ query }: Context, certificateId: number, name: string): Promise<void> {
  const using = await query<{ name: string }>(namedBySql, [certificateId]);
  refuseInUse(
    name,
    using.map((configuration) => configuration.name),
  );
}

function refuseInUse(name: string, using: readonly string[]): void {
  if (using.length > 0)
    throw new Failure(
      'in-use',
      `${name} is used by TLS service configuration ${using.join(', ')}; deploy another one first.`,
    );
}
