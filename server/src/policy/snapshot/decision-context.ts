import {
  authenticatedBy,
  type ConnectionFacts,
  type ConnectionType,
  connectionType,
  type DecisionContext,
  loginForDecision,
  type Login,
  type Place,
  type Topology,
} from '../decide/decide.service.ts';
import type { Facts } from './read-facts.ts';

/** A connection at a place; without more it begins at the instant of the decision. */
export const connectionAt = (
  { containers, device, port }: Place,
  type: ConnectionType,
  options: Partial<Pick<ConnectionFacts, 'vlan' | 'radius' | 'sinceMs' | 'isEnforcedEverywhere'>> = {},
): ConnectionFacts => ({
  containers,
  device,
  port,
  ssid: port?.ssid ?? null,
  type,
  vlan: null,
  authenticatedBy: null,
  realm: null,
  radius: null,
  sinceMs: null,
  isEnforcedEverywhere: false,
  ...options,
});

/** What is known of the connection that is open at a place: a request there continues it. Empty: none is open there. */
export function openSession(
  { port }: Place,
  { connection }: Partial<Pick<Facts, 'connection'>>,
): Partial<Pick<ConnectionFacts, 'vlan' | 'sinceMs'>> {
  if (!connection || connection.portID !== port?.id) return {};
  const { vlan, sinceMs } = connection;
  return { vlan, sinceMs };
}

/** The connection that is open now; null: there is none, or its place is not in the topology yet. */
export function openConnection(topology: Topology, { connection, adapter }: Facts): ConnectionFacts | null {
  if (!connection) return null;
  const { portID, vlan, sinceMs } = connection;
  const place = topology.placeOfPort(portID);
  return place ? connectionAt(place, connectionType(place, adapter.login.authType, false), { vlan, sinceMs }) : null;
}

/** The context of a decision: for a request with its own login, otherwise with the one that the adapter would repeat there. */
export function decisionContext(
  { adapter, host, loggedOnUser, owner }: Pick<DecisionContext, 'adapter' | 'host' | 'loggedOnUser' | 'owner'>,
  connection: ConnectionFacts,
  atMs: number,
  login: Login = loginForDecision(connection.type, adapter.login),
): DecisionContext {
  return {
    atMs,
    adapter: login === adapter.login ? adapter : { ...adapter, login },
    host,
    loggedOnUser,
    owner,
    connection: { ...connection, authenticatedBy: authenticatedBy(login) },
  };
}
