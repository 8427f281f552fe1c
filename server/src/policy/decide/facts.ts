import type { Login } from './login.ts';
import type { Schedule } from './policy-set.ts';
import type { ContainerChain, DeviceNode, Place, PortNode } from './topology.ts';

/** Value of an attribute. A time is in milliseconds since 1970; a list of texts if there can be several. */
export type AttributeValue = string | number | boolean | readonly string[] | null;

/** Values of attributes that only conditions read; a missing attribute has no value. */
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
  /** Null: the adapter is not stored, for example because of a MAC exclusion. */
  id: number | null;
  mac: string;
  enabled: boolean;
  /** Groups, including their ancestors. */
  groups: readonly number[];
  /** Login of the request that is decided, otherwise the last one. */
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
  /** When the authentication ends; null: never. */
  authenticatedUntilMs: number | null;
  roleID: number | null;
  groups: readonly number[];
  /** Schedule of the profiling rule that classified the host. Outside the schedule the host counts as disabled. */
  profilingSchedule: Schedule | null;
  ownAttributes: readonly { name: string; value: string }[];
  values: AttributeValues<HostValue>;
}

export interface UserFacts {
  /** Null: a user without an account. */
  id: number | null;
  userID: string;
  enabled: boolean;
  /** Null: a user without an account. */
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
  /** Access of SNMP types is applied by SNMP and CLI, that of all others by the RADIUS reply. */
  type: ConnectionType;
  /** Current VLAN. */
  vlan: string | null;
  authenticatedBy: string | null;
  realm: string | null;
  /** Attributes of the RADIUS request, by name; null if there is none. */
  radius: ReadonlyMap<string, string | readonly string[]> | null;
  /** Start of the connection; null: it starts at the instant of the decision. */
  sinceMs: number | null;
  /** True to decide as if the port or SSID were in all five enforcement groups. */
  isEnforcedEverywhere: boolean;
}

/** All data that a decision reads in addition to the policy set. */
export interface DecisionContext {
  atMs: number;
  adapter: AdapterFacts;
  host: HostFacts;
  loggedOnUser: UserFacts | null;
  owner: UserFacts | null;
  connection: ConnectionFacts;
}

/** Returns the user that policies evaluate: the logged-on user, otherwise the owner of the host. */
export const effectiveUser = ({
  loggedOnUser,
  owner,
}: Pick<DecisionContext, 'loggedOnUser' | 'owner'>): UserFacts | null => loggedOnUser ?? owner;

export const isByRadius = ({ type }: Pick<ConnectionFacts, 'type'>): boolean =>
  type !== 'WIRED_SNMP' && type !== 'WIRELESS_SNMP';

/**
 * Returns the type of a connection at a place. A RADIUS client sends a request for every connection, so a connection there is decided as
 * a request even if the adapter never sent one. `isByRequest`: the caller supplied attributes of a request.
 */
export function connectionType({ device, port }: Place, authType: string, isByRequest: boolean): ConnectionType {
  if (authType === 'VPN') return 'VPN';
  const medium = port?.ssid ? 'WIRELESS' : 'WIRED';
  if (!device.isRadiusClient && !isByRequest) return `${medium}_SNMP`;
  return `${medium}_${authType === 'DOT1X' ? '8021X' : 'MAB'}`;
}
