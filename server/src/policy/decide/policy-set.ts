import type { WeeklySchedule } from '../../kernel/declare/weekly-schedule.ts';
import type { ZoneOffsets } from './schedule.ts';

export interface Named {
  id: number;
  name: string;
}

/** The properties of a weekly schedule that decisions read; the others are derived from them. */
export type Schedule = Pick<WeeklySchedule, 'startTimeOfDay' | 'endTimeOfDay' | 'daysOfWeek' | 'alwaysOn'>;

export const operators = [
  'EQ',
  'NE',
  'IN',
  'NOT_IN',
  'LIKE',
  'NOT_LIKE',
  'GT',
  'GE',
  'LT',
  'LE',
  'IN_SUBNET',
  'OLDER_THAN',
  'NEWER_THAN',
  'IS_SET',
  'NOT_SET',
] as const;
export type Operator = (typeof operators)[number];

export interface Condition {
  attribute: string;
  op: Operator;
  /** `OLDER_THAN` and `NEWER_THAN` take minutes; a time is an ISO 8601 instant. */
  value: string | number | boolean | readonly string[] | null;
}

/** Conditions that must all hold. One filter of a list is enough. */
export interface AttributeFilter {
  conditions: readonly Condition[];
}

/** Places. A match in any of the four lists is enough; four empty lists match any place. */
export interface Where {
  containers: readonly number[];
  deviceGroups: readonly number[];
  portGroups: readonly number[];
  ssids: readonly string[];
}

/** Conditions for hosts and users (`who`), places and times, as stored, with roles by id. */
export interface Criteria {
  who: { roles: readonly number[]; groups: readonly number[]; attributes: readonly AttributeFilter[] };
  where: Where;
  when: Schedule;
}

export interface Policy extends Named {
  rank: number;
  enabled: boolean;
  criteria: Criteria;
  configurationID: number;
}

export const accessTypes = [
  'VLAN_ID',
  'VLAN_NAME',
  'FILTER_ID',
  'ROLE',
  'VPN_GROUP',
  'RADIUS_GROUP',
  'CLI',
  'DENY',
  'NONE',
] as const;
export type AccessType = (typeof accessTypes)[number];

/** The value that gives a level of access on a device, such as a VLAN. */
export interface AccessValue {
  accessType: AccessType;
  accessValue: string;
  radiusAttrGroupID: number | null;
  cliApply: readonly string[];
  cliUndo: readonly string[];
}

/** Access states, the most restrictive first. */
export const accessStates = [
  'DEAD_END',
  'QUARANTINE',
  'REGISTRATION',
  'AUTHENTICATION',
  'GUEST',
  'PRODUCTION',
] as const;
export type AccessState = (typeof accessStates)[number];

export interface LogicalNetwork extends Named {
  /** Each state but `PRODUCTION` belongs to exactly one built-in network, which is found by it. */
  accessState: AccessState;
  defaultValue: AccessValue | null;
}

export interface LogicalNetworkConfiguration extends AccessValue {
  id: number;
  logicalNetworkID: number;
  elementType: 'CONTAINER' | 'DEVICE' | 'SSID' | 'PORT';
  /** For an SSID, the id of its port. */
  elementID: number;
  accessEnforcement: 'ENFORCE' | 'BYPASS' | 'DENY';
  firewallTagIDs: readonly number[];
}

export interface AccessConfiguration extends Named {
  type: 'LOGICAL_NETWORK' | 'DIRECT';
  logicalNetworkID: number | null;
  directConfiguration: AccessValue | null;
  firewallTagIDs: readonly number[];
  /** 0: no limit. */
  sessionTimeoutMinutes: number;
}

/** Exactly one of `accessConfigurationID` and `directConfiguration` is given. */
export interface RoleMapping extends Named {
  rank: number;
  roleID: number;
  where: Where;
  appliesTo: 'DEVICES' | 'ALL';
  accessConfigurationID: number | null;
  directConfiguration: AccessValue | null;
}

export interface AuthenticationConfiguration extends Named {
  enableAuthentication: boolean;
  /** Minutes. */
  timeInProductionBeforeAuthentication: number;
}

export interface GroupRecord extends Named {
  /** Identifies a built-in group, because names can change. */
  tag: string | null;
}

export interface GroupEdge {
  parentID: number;
  childID: number;
}

/** Policy families that are decided together with the access, each by a list of its own. */
export const families = ['authentication', 'compliance', 'portal', 'supplicant'] as const;
export type Family = (typeof families)[number];

/** All configured data that decisions read, except the topology. */
export interface PolicySet {
  generation: number;
  landscape: number;
  zone: ZoneOffsets;
  isQuarantineEnabled: boolean;
  roles: readonly Named[];
  /** Role of hosts without another role. */
  defaultRoleID: number;
  /** At least the groups that criteria refer to and those with a tag. */
  groups: readonly GroupRecord[];
  /** Edges between device groups and between port groups; the facts contain the ancestors of host and user groups. */
  groupEdges: readonly GroupEdge[];
  /** At least the containers that criteria refer to. */
  containers: readonly Named[];
  logicalNetworks: readonly LogicalNetwork[];
  logicalNetworkConfigurations: readonly LogicalNetworkConfiguration[];
  accessConfigurations: readonly AccessConfiguration[];
  authenticationConfigurations: readonly AuthenticationConfiguration[];
  roleMappings: readonly RoleMapping[];
  accessPolicies: readonly Policy[];
  families: Readonly<Record<Family, readonly Policy[]>>;
}
