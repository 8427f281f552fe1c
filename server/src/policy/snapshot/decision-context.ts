import {
  authenticatedBy,
  type ConnectionFacts,
  type ConnectionType,
  connectionType,
  type DecisionContext,
  type Login,
  loginForDecision,
  type Place,
  type Topology,
} from '../decide/decide.service.ts';
import type { Facts } from './read-facts.ts';

/** Returns a connection at a place; without options it starts at the instant of the decision. */
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

/** Returns VLAN and start of the open connection at a place, which a request there continues; empty if none is open there. */
export function openSession(
  { port }: Place,
  { connection }: Partial<Pick<Facts, 'connection'>>,
): Partial<Pick<ConnectionFacts, 'vlan' | 'sinceMs'>> {
  if (!connection || connection.portID !== port?.id) return {};
  const { vlan, sinceMs } = connection;
  return { vlan, sinceMs };
}

/** Returns the open connection; null if there is none, or its place is not in the topology yet. */
export function openConnection(topology: Topology, { connection, adapter }: Facts): ConnectionFacts | null {
  if (!connection) return null;
  const { portID, vlan, sinceMs } = connection;
  const place = topology.placeOfPort(portID);
  return place ? connectionAt(place, connectionType(place, adapter.login.authType, false), { vlan, sinceMs }) : null;
}

/** Returns the context of a decision. `login` is that of the request; absent: the login that the adapter would repeat there. */
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
