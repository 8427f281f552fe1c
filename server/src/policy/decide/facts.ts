import type { Login } from './login.ts';
import type { Schedule } from './policy-set.ts';
import type { ContainerChain, DeviceNode, Place, PortNode } from './topology.ts';

/** A value of an attribute: a time in milliseconds since 1970, several texts where there may be several. */
export type AttributeValue = string | number | boolean | readonly string[] | null;

/** Attributes by name that decide nothing by themselves: what is missing has no value. */
export type AttributeValues<Name extends string> = Readonly<Partial<Record<Name, AttributeValue>>>;

export const hostTypeLabels = [
  'Rogue',
  'Registered Host',
  'Registered Device',
  'IP Phone',
  'Device in Topology',
] as const;

export type HostValue =
  | 'hostName'
  | 'operatingSystem'
  | 'deviceType'
  | 'hardwareType'
  | 'serialNumber'
  | 'agentPlatform'
  | 'agentVersion'
  | 'lastAgentContact'
  | 'managedByMDM'
  | 'mdmCompliant'
  | 'mdmCompromised'
  | 'creationTime'
  | 'registeredAt'
  | 'lastScan'
  | 'application'
  | 'maxThreat';

export type AdapterValue = 'vendorName' | 'vendorOUI' | 'ipaddress' | 'mediaType' | 'randomized' | 'dpcRuleName';

export type UserValue = 'isAdmin' | 'position' | 'email' | 'securityAccess';

export interface AdapterFacts {
  /** Null: it is not stored (a MAC exclusion). */
  id: number | null;
  mac: string;
  enabled: boolean;
  /** Groups with those around them. */
  groups: readonly number[];
  /** Of the request that is decided, else how it authenticated last. */
  login: Login;
  values: AttributeValues<AdapterValue>;
}

export interface HostFacts {
  id: number | null;
  /** 1 rogue … 5 device in the topology. */
  type: number;
  enabled: boolean;
  /** When the registration ends; null: never. */
  expiresAtMs: number | null;
  health: 'SAFE' | 'PENDING' | 'AT_RISK';
  authenticated: boolean;
  /** Until when that holds; null: for good. */
  authenticatedUntilMs: number | null;
  roleID: number | null;
  groups: readonly number[];
  /** Schedule of the profiling rule that classified it; outside it the host counts as disabled. */
  profilingSchedule: Schedule | null;
  ownAttributes: readonly { name: string; value: string }[];
  values: AttributeValues<HostValue>;
}

export interface UserFacts {
  /** Null: somebody without an account here. */
  id: number | null;
  userID: string;
  enabled: boolean;
  /** Null: somebody without an account here. */
  source: 'LOCAL' | 'DIRECTORY' | 'IDP' | 'RADIUS' | 'GUEST' | null;
  roleID: number | null;
  groups: readonly number[];
  directory: ReadonlyMap<string, string | readonly string[]> | null;
  values: AttributeValues<UserValue>;
}

export const connectionTypes = [
  'WIRED_SNMP',
  'WIRED_MAB',
  'WIRED_8021X',
  'WIRELESS_SNMP',
  'WIRELESS_MAB',
  'WIRELESS_8021X',
  'VPN',
] as const;
export type ConnectionType = (typeof connectionTypes)[number];

export interface ConnectionFacts {
  containers: ContainerChain;
  device: DeviceNode;
  port: PortNode | null;
  ssid: string | null;
  /** Those by SNMP are enforced by SNMP and CLI, all others by the RADIUS reply. */
  type: ConnectionType;
  /** Current VLAN. */
  vlan: string | null;
  authenticatedBy: string | null;
  realm: string | null;
  /** Attributes of the last request of the session, by name. */
  radius: ReadonlyMap<string, string | readonly string[]> | null;
  /** When it began; null: it begins at the instant of the decision. */
  sinceMs: number | null;
  /** Decide as if port or SSID were in all five enforcement groups. */
  isEnforcedEverywhere: boolean;
}

/** Everything that a decision reads in addition to the policy set. */
export interface DecisionContext {
  atMs: number;
  adapter: AdapterFacts;
  host: HostFacts;
  loggedOnUser: UserFacts | null;
  owner: UserFacts | null;
  connection: ConnectionFacts;
}

/** The user that policies look at: who is logged on, else whose host it is. */
export const effectiveUser = ({
  loggedOnUser,
  owner,
}: Pick<DecisionContext, 'loggedOnUser' | 'owner'>): UserFacts | null => loggedOnUser ?? owner;

export const isByRadius = ({ type }: Pick<ConnectionFacts, 'type'>): boolean =>
  type !== 'WIRED_SNMP' && type !== 'WIRELESS_SNMP';

/**
 * How a connection at a place comes about. A RADIUS client sends a request for every connection, so a connection there is decided as a
 * request even if the adapter was never part of one. `isByRequest`: the caller gave attributes of a request.
 */
export function connectionType({ device, port }: Place, authType: string, isByRequest: boolean): ConnectionType {
  if (authType === 'VPN') return 'VPN';
  const medium = port?.ssid ? 'WIRELESS' : 'WIRED';
  if (!device.isRadiusClient && !isByRequest) return `${medium}_SNMP`;
  return `${medium}_${authType === 'DOT1X' ? '8021X' : 'MAB'}`;
}
