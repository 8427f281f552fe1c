import type { WeeklySchedule } from '../../kernel/declare/weekly-schedule.ts';
import type { ZoneOffsets } from './schedule.ts';

export interface Named {
  id: number;
  name: string;
}

/** What of a weekly schedule decides; the rest are views of it. */
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

/** All conditions of one filter must hold; one filter of a list is enough. */
export interface AttributeFilter {
  conditions: readonly Condition[];
}

/** Places; one hit in any of the four lists is enough, and four empty lists are "anywhere". */
export interface Where {
  containers: readonly number[];
  deviceGroups: readonly number[];
  portGroups: readonly number[];
  ssids: readonly string[];
}

/** Who, where and when: as the record has it, with roles by id. */
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

/** A device's own word for a level of access. */
export interface AccessValue {
  accessType: AccessType;
  accessValue: string;
  radiusAttrGroupID: number | null;
  cliApply: readonly string[];
  cliUndo: readonly string[];
}

/** The most restrictive first. */
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
  /** All but `PRODUCTION` belong to one built-in network each: by it that network is found. */
  accessState: AccessState;
  defaultValue: AccessValue | null;
}

export interface LogicalNetworkConfiguration extends AccessValue {
  id: number;
  logicalNetworkID: number;
  elementType: 'CONTAINER' | 'DEVICE' | 'SSID' | 'PORT';
  /** An SSID has the id of its port. */
  elementID: number;
  accessEnforcement: 'ENFORCE' | 'BYPASS' | 'DENY';
  firewallTagIDs: readonly number[];
}

export interface AccessConfiguration extends Named {
  type: 'LOGICAL_NETWORK' | 'DIRECT';
  logicalNetworkID: number | null;
  directConfiguration: AccessValue | null;
  firewallTagIDs: readonly number[];
  /** 0: none. */
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
  /** By it built-in groups are found, never by name. */
  tag: string | null;
}

export interface GroupEdge {
  parentID: number;
  childID: number;
}

/** Families that are decided with the access, each by a list of its own. */
export const families = ['authentication', 'compliance', 'portal', 'supplicant'] as const;
export type Family = (typeof families)[number];

/** Everything configured that decides, but the topology: what a generation stands for. */
export interface PolicySet {
  generation: number;
  landscape: number;
  zone: ZoneOffsets;
  isQuarantineEnabled: boolean;
  roles: readonly Named[];
  /** What a host has without a role of its own. */
  defaultRoleID: number;
  /** At least the groups that criteria name and those with a tag. */
  groups: readonly GroupRecord[];
  /** Edges between groups of devices and between groups of ports; those of hosts and users arrive resolved with the facts. */
  groupEdges: readonly GroupEdge[];
  /** At least the containers that criteria name. */
  containers: readonly Named[];
  logicalNetworks: readonly LogicalNetwork[];
  logicalNetworkConfigurations: readonly LogicalNetworkConfiguration[];
  accessConfigurations: readonly AccessConfiguration[];
  authenticationConfigurations: readonly AuthenticationConfiguration[];
  roleMappings: readonly RoleMapping[];
  accessPolicies: readonly Policy[];
  families: Readonly<Record<Family, readonly Policy[]>>;
}
