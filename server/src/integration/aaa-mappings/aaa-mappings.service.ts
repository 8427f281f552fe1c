import { networkInterfaces } from 'node:os';
import type { Context, Sql } from '../../context.ts';
import { invalidField, rejected } from '../../kernel/failure.ts';
import { raiseRadius } from '../../radius/rollout/rollout.service.ts';

export { type HomeAddress, loadProxying } from './load-proxying.ts';

/** Rejects a server without a port for authentication, to which no login can be forwarded. The kernel rejects one that does not exist. */
export async function requireServerWithAuthPort({ query }: Context, id: number, field: string): Promise<void> {
  const [server] = await query<{ name: string; authPort: number }>(
    'select s.name, s.auth_port as "authPort" from aaa_server s where s.id = $1',
    [id],
  );
  if (server?.authPort === 0)
    throw rejected(`${field}: the AAA server ${server.name} has no port for authentication.`, `/${field}`);
}

/** Rejects a secondary server without a primary server, or the same server twice. */
export function refuseRepeatedServer(
  record: Readonly<Record<string, unknown>>,
  [primary, secondary]: readonly [string, string],
): void {
  if (!record[secondary]) return;
  if (!record[primary]) throw invalidField(secondary, `needs ${primary}`);
  if (record[primary] === record[secondary]) throw invalidField(secondary, `is the same server as ${primary}`);
}

const ownSql = `select exists (select from cluster_address c where host(c.address) = $1) as "isOfNode",
  exists (select from radius_global s, aaa_defaults d where $2 in (s.auth_port, d.radius_proxy_auth_port)) as "isOwnPort"`;

/**
 * Rejects the address and port at which this service itself receives RADIUS requests: a login that was forwarded there would be forwarded
 * again.
 */
export async function refuseLoop({ query }: Context, address: string, port: number): Promise<void> {
  const [row] = await query<{ isOfNode: boolean; isOwnPort: boolean }>(ownSql, [address, port]);
  if (row?.isOwnPort && (row.isOfNode || isOwnAddress(address)))
    throw rejected(
      `netId: ${address} is an address of this service, and authPort is its own port: logins would be forwarded to it again.`,
      '/netId',
    );
}

/** True for the addresses of the interfaces of this node. */
const isOwnAddress = (address: string): boolean =>
  Object.values(networkInterfaces()).some((entries) =>
    entries?.some((entry) => entry.address.toLowerCase() === address.toLowerCase()),
  );

const usedSql = `select from aaa_server s where s.id = $1 and (s.flr_priority > 0
  or exists (select from aaa_mapping m where m.radius_server_id = s.id)
  or exists (select from aaa_defaults d where s.id in (d.primary_server_id, d.secondary_server_id))
  or exists (select from ssid_config c where s.id in (c.primary_aaaserver_id, c.secondary_aaaserver_id)))`;

/** Rolls out a changed server if logins can be forwarded to it. */
export async function raiseIfForwarded(client: Sql, serverID: number): Promise<void> {
  if ((await client.query(usedSql, [serverID])).rowCount) await raiseRadius(client);
}
