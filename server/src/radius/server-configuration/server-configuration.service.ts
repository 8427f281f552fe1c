import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Context, type Runtime, secretPlace } from '../../context.ts';
import { type HomeAddress, loadProxying } from '../../integration/aaa-mappings/aaa-mappings.service.ts';
import { systemOrigin } from '../../kernel/declare/caller.ts';
import { singleId } from '../../kernel/declare/declaration.ts';
import {
  type Deployment,
  radiusTls,
} from '../../network/tls-service-configuration/tls-service-configuration.service.ts';
import type { OutboundGuard } from '../../protocols/outbound/outbound.ts';
import type { EngineLogs, EngineProcess } from '../../protocols/radius-engine/engine-process.ts';
import type { EngineProfile, EngineSettings, EngineTls } from '../engine-files/engine-files.ts';
import { ownDictionaryLines } from '../radius-dictionary-entry/radius-dictionary-entry.service.ts';
import { radiusGlobal } from '../radius-global/radius-global.ts';
import { hasEngine } from '../rollout/rollout.service.ts';
import { maskSecrets } from './mask-secrets.ts';
import { engineUrl, findResponder, type OcspResponder } from './ocsp-responder.ts';
import type { EapType } from './server-configuration.ts';

/** Settings of a node for its own engine. */
export interface EnginePlace {
  host: string;
  statusPort: number;
  decisionPort: number;
  /** Seconds before a reject is sent; default 1. Tests set it lower, because they wait for many rejects. */
  rejectDelaySeconds?: number;
  /** Folder of the keys and certificates by which the node and its engine authenticate each other. */
  identityFolder: string;
  /** Name of the node, and the folder of the keys and certificates for calls between its engine and other nodes; undefined: no other node is called. */
  cluster?: { node: string; folder: string } | undefined;
}

/** The desired state of an engine: whether it runs, its generation, and whether it is monitored. */
export interface DesiredEngine {
  generation: number;
  isEnabled: boolean;
  isMonitored: boolean;
  nasCacheSeconds: number;
  /** The last generation that all nodes ran. */
  applied: number;
  /** A generation that a node could not run, which other nodes do not try. */
  refused: number | null;
}

const desiredEngineSql = `select g.wanted as generation, g.applied, g.refused, s.service_enabled as "isEnabled", s.health_monitoring as "isMonitored",
  s.nas_cache_seconds as "nasCacheSeconds"
from config_generation g, radius_global s where g.topic = 'radius'`;

export async function readDesiredEngine({ pool }: Pick<Runtime, 'pool'>): Promise<DesiredEngine> {
  const { rows } = await pool.query<DesiredEngine>(desiredEngineSql);
  return rows[0]!;
}

interface Stored {
  authPort: number;
  statusSecret: Buffer | null;
  nasNetworks: string[];
  nasCacheSeconds: number;
  decisionTimeoutMs: number;
  profiles: StoredProfile[];
}

interface StoredProfile {
  id: number;
  tlsConfigID: number;
  enabledEapTypes: EapType[];
  defaultEapType: EapType;
  tlsEapTlsFragmentSize: number;
  tlsCommonFragmentSize: number;
  ocspEnabled: boolean;
  ocspUrl: string | null;
  ocspSoftFail: boolean;
  crlEnabled: boolean;
  mabEnabled: boolean;
  papEnabled: boolean;
  chapEnabled: boolean;
}

/** Selects all settings in one statement, so that they are consistent. */
const storedSql = `select s.auth_port as "authPort", s.status_secret as "statusSecret", s.nas_networks as "nasNetworks",
  s.nas_cache_seconds as "nasCacheSeconds", s.decision_timeout_ms as "decisionTimeoutMs",
  (select coalesce(jsonb_agg(jsonb_build_object('id', p.id, 'tlsConfigID', p.tls_config_id, 'enabledEapTypes', p.enabled_eap_types,
      'defaultEapType', p.default_eap_type, 'tlsEapTlsFragmentSize', p.tls_eap_tls_fragment_size,
      'tlsCommonFragmentSize', p.tls_common_fragment_size, 'ocspEnabled', p.ocsp_enabled, 'ocspUrl', p.ocsp_url,
      'ocspSoftFail', p.ocsp_soft_fail, 'crlEnabled', p.crl_enabled, 'mabEnabled', p.mab_enabled, 'papEnabled', p.pap_enabled,
      'chapEnabled', p.chap_enabled) order by p.id), '[]')
    from server_configuration p where p.enabled) as profiles
from radius_global s`;

/** Selects the nodes after this one by name, then from the first on, so that each node calls different nodes first. */
const otherNodesSql = `select host(c.address) as address, c.port from cluster_address c
where c.node <> $1 order by c.node < $1, c.node limit $2`;
/** Limit on the nodes called, because each one that does not answer delays the packet. */
const otherNodesMax = 2;

async function otherNodeUrls({ pool }: Runtime, node: string): Promise<string[]> {
  const { rows } = await pool.query<{ address: string; port: number }>(otherNodesSql, [node, otherNodesMax]);
  return rows.map(({ address, port }) => `https://${address.includes(':') ? `[${address}]` : address}:${port}`);
}

export type { HomeAddress } from '../../integration/aaa-mappings/aaa-mappings.service.ts';
export type { OcspResponder } from './ocsp-responder.ts';

/** The settings of an engine, and the problems because of which parts of the stored configuration do not apply. */
export interface LoadedSettings {
  settings: EngineSettings;
  /** OCSP responders by the id of their profile, as written to the files. */
  responders: Record<string, OcspResponder>;
  /** Addresses of home servers by the id of the AAA server, as written to the files. */
  homes: Record<string, HomeAddress>;
  problems: readonly string[];
}

/** Loads all settings for the engine of a node. Resolves the OCSP responders and home servers again, because the address of a name may have changed. */
export async function engineSettings(
  runtime: Runtime,
  { cluster, ...place }: EnginePlace,
  outbound: {
    guard: OutboundGuard;
    responders: Readonly<Record<string, OcspResponder>>;
    homes: Readonly<Record<string, HomeAddress>>;
  },
): Promise<LoadedSettings> {
  const { pool } = runtime;
  const { rows } = await pool.query<Stored>(storedSql);
  const { profiles, ...stored } = rows[0]!;
  const tls = await radiusTls(
    runtime,
    profiles.map(({ tlsConfigID }) => tlsConfigID),
  );
  const [{ responders, problems }, forwarding] = await Promise.all([
    findResponders(profiles, outbound),
    loadProxying(runtime, { guard: outbound.guard, addresses: outbound.homes }),
  ]);
  const settings: EngineSettings = {
    ...stored,
    rejectDelaySeconds: 1,
    ...place,
    cluster: cluster && { folder: cluster.folder, urls: await otherNodeUrls(runtime, cluster.node) },
    statusSecret: await statusSecret(runtime),
    dictionary: await ownDictionaryLines(pool),
    profiles: profiles.map((profile) =>
      engineProfile(profile, tls.get(profile.tlsConfigID)!, responders[String(profile.id)]),
    ),
    proxying: forwarding.proxying,
  };
  return { settings, responders, homes: forwarding.addresses, problems: [...problems, ...forwarding.problems] };
}

async function findResponders(
  profiles: readonly StoredProfile[],
  { guard, responders: previous }: { guard: OutboundGuard; responders: Readonly<Record<string, OcspResponder>> },
): Promise<Pick<LoadedSettings, 'responders' | 'problems'>> {
  const responders: Record<string, OcspResponder> = {};
  const problems: string[] = [];
  const judge = async ({ id, ocspUrl }: StoredProfile) => {
    if (ocspUrl === null) {
      problems.push(`profile ${id}: ocspEnabled is on without ocspUrl, so no responder is used`);
      return;
    }
    const { responder, problem } = await findResponder(ocspUrl, guard, previous[String(id)]);
    responders[String(id)] = responder;
    if (problem === null) return;
    const instead = responder.address === null ? 'no responder is used' : `${responder.address} stays in use`;
    problems.push(`profile ${id}: ocspUrl ${ocspUrl}: ${problem} Therefore ${instead}.`);
  };
  // In parallel: a resolver that does not answer takes five seconds for each name.
  await Promise.all(profiles.filter(({ ocspEnabled }) => ocspEnabled).map(judge));
  return { responders, problems: problems.sort() };
}

const secretSql = 'select s.id, s.status_secret as sealed from radius_global s';

/** Returns the shared secret of Status-Server. */
async function statusSecret({ pool, engine }: Runtime): Promise<string> {
  const { rows } = await pool.query<{ id: number; sealed: Buffer }>(secretSql);
  const { id, sealed } = rows[0]!;
  return engine.secrets.open(pool, sealed, secretPlace('radius_global', 'status_secret', id));
}

const unusableResponder: OcspResponder = { url: '', address: null };

const engineProfile = (
  profile: StoredProfile,
  deployment: Deployment,
  responder: OcspResponder = unusableResponder,
): EngineProfile => ({
  id: profile.id,
  eapTypes: profile.enabledEapTypes,
  defaultEapType: profile.defaultEapType,
  eapTlsFragmentSize: profile.tlsEapTlsFragmentSize,
  commonFragmentSize: profile.tlsCommonFragmentSize,
  ocsp: profile.ocspEnabled ? { url: engineUrl(responder), softFail: profile.ocspSoftFail } : undefined,
  allowsMab: profile.mabEnabled,
  allowsPap: profile.papEnabled,
  allowsChap: profile.chapEnabled,
  tls: engineTls(deployment, profile.crlEnabled),
});

/** Returns the TLS settings. Offers TLS 1.3 only if TLS 1.2 is disabled, because most supplicants complete it only if configured to. */
function engineTls(deployment: Deployment, crlEnabled: boolean): EngineTls {
  const { certificate, privateKey, authorities, revocationLists, protocols, ciphers, checkCrl } = deployment;
  const version = protocols.includes('TLS_1_2') ? '1.2' : '1.3';
  return {
    certificate,
    privateKey,
    authorities,
    revocationLists,
    checksRevocations: crlEnabled || checkCrl,
    minVersion: version,
    maxVersion: version,
    ciphers,
  };
}

/** Generates the secret of Status-Server once, by the first node. */
export async function ensureStatusSecret(runtime: Runtime): Promise<void> {
  const { rows } = await runtime.pool.query('select from radius_global s where s.status_secret is null');
  if (rows.length === 0) return;
  await runtime.transact(systemOrigin('radius'), async ({ client, records }) => {
    const missing = await client.query('select from radius_global s where s.status_secret is null for update');
    if (missing.rowCount === 1)
      await records.update(radiusGlobal, singleId, { statusSecret: randomBytes(24).toString('base64url') });
  });
}

/** A request of one node for the engine of another. */
export type NodeRequest = { kind: 'evict'; address: string } | { kind: 'logs'; lines: number };

interface StoredRequest {
  id: number;
  request: NodeRequest;
}

const openRequestsSql =
  'select q.id, q.request from node_request q where q.node = $1 and q.answer is null order by q.id limit 20';
const answerSql = 'update node_request set answer = $2 where id = $1';
const dropSql = `delete from node_request where made_at < clock_timestamp() - interval '1 minute'`;

/** Handles the requests of other nodes for the engine of this node. */
export async function answerRequests(
  { pool }: Pick<Runtime, 'pool'>,
  node: string,
  engine: EngineProcess,
): Promise<void> {
  const { rows } = await pool.query<StoredRequest>(openRequestsSql, [node]);
  for (const { id, request } of rows) {
    const answer =
      request.kind === 'evict' ? (await engine.evict([request.address])) > 0 : await maskedLogs(engine, request.lines);
    await pool.query(answerSql, [id, JSON.stringify(answer)]);
  }
  if (rows.length > 0) await pool.query(dropSql);
}

/** Returns the logs with masked secrets, which must not leave the node. */
async function maskedLogs(engine: EngineProcess, lines: number): Promise<EngineLogs> {
  const { logged, printed, noted } = await engine.logs(lines);
  return { logged: maskSecrets(logged), printed: maskSecrets(printed), noted: maskSecrets(noted) };
}

const addRequestsSql = `insert into node_request (node, request)
select n.node, $1::jsonb from cluster_node n
where ${hasEngine} and ($2::text is null or n.node = $2)
returning id, node, pg_notify('node_requested', '')`;
const answersSql = 'select q.id, q.node, q.answer from node_request q where q.id = any($1) order by q.node';
const endSql = 'delete from node_request where id = any($1)';
const answerMs = 5_000;
const pollMs = 50;

/** Sends a request to the engines of all live nodes, or of one, and waits for the replies; null: no reply within the time limit. */
export async function queryEngines(
  { write, query }: Context,
  request: NodeRequest,
  node: string | null,
): Promise<{ node: string; answer: unknown }[]> {
  const requestIDs = await write(async ({ client }) => {
    const { rows } = await client.query<{ id: number }>(addRequestsSql, [JSON.stringify(request), node]);
    return rows.map(({ id }) => id);
  });
  for (const end = performance.now() + answerMs; ; await sleep(pollMs)) {
    const answers = await query<{ node: string; answer: unknown }>(answersSql, [requestIDs]);
    if (answers.some(({ answer }) => answer === null) && performance.now() < end) continue;
    await write(({ client }) => client.query(endSql, [requestIDs]));
    return answers;
  }
}
