import { everyRow, type Runtime, secretPlace } from '../../context.ts';
import { ssid } from '../../device/ssid/ssid.ts';
import type { OutboundGuard } from '../../protocols/outbound/outbound.ts';
import { type HomeServer, isUsableSecret, type Proxying } from '../../radius/engine-files/engine-files.ts';

const everySsid = everyRow(ssid, 'the RADIUS engine forwards the logins of all wireless networks');

/** The address of a home server as written to the engine's files. */
export interface HomeAddress {
  /** Host as it is stored. */
  netId: string;
  /** Permitted address that the name resolved to; null: none at present. */
  address: string | null;
}

/** The settings of forwarding, the addresses of the home servers by their ids, and the problems because of which servers are not used. */
export interface LoadedProxying {
  proxying: Proxying;
  addresses: Record<string, HomeAddress>;
  problems: readonly string[];
}

interface StoredServer {
  id: number;
  name: string;
  netId: string;
  authPort: number;
  sealed: Buffer;
}

interface Stored {
  localDomains: string[];
  mappings: { domain: string; servers: number[] }[];
  federation: number[];
  ssids: { deviceID: number; name: string; servers: number[] }[];
  primaryServerID: number | null;
  secondaryServerID: number | null;
  isEnabled: boolean;
  port: number;
  acctPort: number;
}

/** Selects all settings in one statement, so that they are consistent. */
const storedSql = `select
  (select coalesce(jsonb_agg(l.domain_name order by l.id), '[]') from aaa_local_domain l) as "localDomains",
  (select coalesce(jsonb_agg(jsonb_build_object('domain', m.domain_name, 'servers', m.servers) order by m.first), '[]')
    from (select m.domain_name, min(m.rank) as first, jsonb_agg(m.radius_server_id order by m.rank) as servers from aaa_mapping m
      group by m.domain_name) m) as mappings,
  (select coalesce(jsonb_agg(f.id order by f.flr_priority, f.id), '[]') from aaa_server f where f.flr_priority > 0) as federation,
  (select coalesce(jsonb_agg(jsonb_build_object('deviceID', n.device_id, 'name', n.name, 'servers',
      jsonb_path_query_array(jsonb_build_array(c.primary_aaaserver_id, c.secondary_aaaserver_id), '$[*] ? (@ != null)')) order by n.id), '[]')
    from ssid_config c join ${everySsid} n on n.id = c.ssid_id
    where not c.inherit and c.primary_aaaserver_id is not null) as ssids,
  d.primary_server_id as "primaryServerID", d.secondary_server_id as "secondaryServerID", d.radius_proxy_auth_enabled as "isEnabled",
  d.radius_proxy_auth_port as port, s.acct_port as "acctPort"
from aaa_defaults d, radius_global s`;

const serversSql = `select s.id, s.name, s.net_id as "netId", s.auth_port as "authPort", s.secret as sealed from aaa_server s
where s.id = any($1) and s.auth_port > 0 order by s.id`;

/** Loads which logins are forwarded to which servers, and resolves the names of the servers. */
export async function loadProxying(
  runtime: Runtime,
  { guard, addresses: previous }: { guard: OutboundGuard; addresses: Readonly<Record<string, HomeAddress>> },
): Promise<LoadedProxying> {
  const { rows } = await runtime.pool.query<Stored>(storedSql);
  const { primaryServerID, secondaryServerID, isEnabled, port, acctPort, ...stored } = rows[0]!;
  const defaults = isEnabled ? [primaryServerID, secondaryServerID].filter((id) => id !== null) : [];
  const ids = [
    ...[...stored.mappings, ...stored.ssids].flatMap(({ servers }) => servers),
    ...stored.federation,
    ...defaults,
  ];
  const { rows: servers } = await runtime.pool.query<StoredServer>(serversSql, [[...new Set(ids)]]);
  const addresses: Record<string, HomeAddress> = {};
  const problems: string[] = [];
  const homeServers: HomeServer[] = [];
  const load = async ({ id, name, netId, authPort, sealed }: StoredServer) => {
    const { address, problem } = await findAddress(netId, guard, previous[String(id)]);
    addresses[String(id)] = { netId, address };
    if (problem !== null)
      problems.push(
        `AAA server ${name}: ${problem} Therefore ${address === null ? 'it is not used' : `${address} stays in use`}.`,
      );
    const secret = await runtime.engine.secrets.open(runtime.pool, sealed, secretPlace('aaa_server', 'secret', id));
    if (!isUsableSecret(secret))
      problems.push(`AAA server ${name}: its secret has a backslash or a control character. Therefore it is not used.`);
    else if (address !== null) homeServers.push({ id, address, port: authPort, secret });
  };
  // In parallel: a resolver that does not answer takes five seconds for each name.
  await Promise.all(servers.map(load));
  if (defaults.length > 0 && port === acctPort)
    problems.push(
      `radiusProxyAuthPort ${port} is the port for accounting. Therefore nothing listens there for logins.`,
    );
  const proxying: Proxying = {
    ...stored,
    homeServers: homeServers.sort((a, b) => a.id - b.id),
    defaults,
    operatorName: stored.localDomains[0],
    port: defaults.length > 0 && port !== acctPort ? port : undefined,
  };
  return { proxying, addresses, problems };
}

/** Resolves a server. If that fails, its address in the current files is kept as long as it is permitted. */
async function findAddress(
  netId: string,
  guard: OutboundGuard,
  previous: HomeAddress | undefined,
): Promise<{ address: string | null; problem: string | null }> {
  try {
    return { address: (await guard.resolve(netId)).address, problem: null };
  } catch (error) {
    const previousAddress = previous?.netId === netId ? previous.address : null;
    const isUsable =
      previousAddress !== null &&
      (await guard.resolve(previousAddress).then(
        () => true,
        () => false,
      ));
    return { address: isUsable ? previousAddress : null, problem: (error as Error).message };
  }
}
