import type { ConnectionFacts, ConnectionType, DecisionContext, Place, Topology } from '../decide/decide.service.ts';
import type { Facts } from './read-facts.ts';

/** How a connection came about: over the air, by VPN or by wire, and by which protocol. */
export function connectionType(place: Place, authType: string, isByRequest: boolean): ConnectionType {
  const { port } = place;
  if (authType === 'VPN') return 'VPN';
  const protocol = authType === 'DOT1X' ? '8021X' : authType === 'MAB' || isByRequest ? 'MAB' : 'SNMP';
  return `${port?.ssid ? 'WIRELESS' : 'WIRED'}_${protocol}`;
}

/** A connection at a place; without more it begins at the instant of the decision. */
export const connectionAt = (
  { containers, device, port }: Place,
  type: ConnectionType,
  more: Partial<Pick<ConnectionFacts, 'vlan' | 'radius' | 'sinceMs' | 'isEnforcedEverywhere'>> = {},
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
  ...more,
});

/** The connection that is open now; null: there is none, or its place is not in the topology yet. */
export function openConnection(topology: Topology, { connection, authType }: Facts): ConnectionFacts | null {
  if (!connection) return null;
  const { portID, vlan, sinceMs } = connection;
  const place = topology.placeOfPort(portID);
  return place ? connectionAt(place, connectionType(place, authType, false), { vlan, sinceMs }) : null;
}

export const decisionContext = (
  { adapter, host, loggedOnUser, owner }: Pick<DecisionContext, 'adapter' | 'host' | 'loggedOnUser' | 'owner'>,
  connection: ConnectionFacts,
  atMs: number,
): DecisionContext => ({ atMs, adapter, host, loggedOnUser, owner, connection });
