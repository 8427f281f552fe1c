// Written by `npm run generate` from openapi.json; changes here are lost.

import type { Answer, AnswerOfOne, CallInput, Client } from '../runtime.ts';
import { operations } from './operations.ts';

/** Why the service refuses. Any operation may say invalid, unauthenticated, unsupported, too-large, throttled, error, unavailable; the others are told with each. */
export type StatusWord =
  | 'invalid'
  | 'unauthenticated'
  | 'forbidden'
  | 'not-found'
  | 'unsupported'
  | 'in-use'
  | 'duplicate'
  | 'protected'
  | 'stale'
  | 'gone'
  | 'too-large'
  | 'rejected'
  | 'too-expensive'
  | 'remote-failed'
  | 'remote-timeout'
  | 'throttled'
  | 'error'
  | 'unavailable';

/** What can be said beside the parameters of a call. */
type Options<Name extends keyof CallInput = never> = Pick<CallInput, 'signal' | Name>;

/** What every list takes. */
export interface ListQuery {
  /** RSQL, such as `name==core-*`; several are ANDed. */
  filter?: readonly string[];
  /** Number of matching records to skip. */
  start?: number;
  /** Maximum number of records to return; 0 returns only the counts. */
  count?: number;
  /** The field to sort by. */
  sortKey?: string;
  /** Default: ascending. */
  sortDir?: 'asc' | 'desc';
  /** Position of the next page, from the Link header. */
  after?: string;
  /** A value of the sort key: the page begins at the first record whose value is not before it. */
  from?: string;
  /** Names of top-level fields, comma-separated: only these and the identity are returned, and the schema of the response does not apply to the others. */
  fields?: string;
}

/** RADIUS servers that authenticate users who are not local to this service. */
export interface AaaServer {
  /** Identity of the record. */
  id: number;
  name: string;
  /** Host name or address the service sends to. */
  netId: string;
  /** UDP port for authentication; 0: not used. */
  authPort: number;
  /** UDP port for accounting; 0: not used. */
  acctPort: number;
  /** User name for validation. */
  checkUser: string;
  /** User who last changed the record. */
  lastModifiedBy: string;
  /** When it was last changed. */
  lastModifiedDate: string;
  /** Priority among the federation-level servers; 0: none. Stored, without effect until requests are proxied. */
  flrPriority: number;
  /** Used for checks by the service itself if the user name has no mapped domain; at most one. Stored, without effect until requests are proxied. */
  localClientDefault: boolean;
}

export interface AaaServerInput {
  /** Identity of the record. */
  id?: number | null;
  name?: string;
  /** Host name or address the service sends to. */
  netId?: string;
  /** UDP port for authentication; 0: not used. */
  authPort?: number;
  /** UDP port for accounting; 0: not used. */
  acctPort?: number;
  /** User name for validation. */
  checkUser?: string;
  /** User who last changed the record. */
  lastModifiedBy?: string;
  /** When it was last changed. */
  lastModifiedDate?: string;
  /** Priority among the federation-level servers; 0: none. Stored, without effect until requests are proxied. */
  flrPriority?: number;
  /** Used for checks by the service itself if the user name has no mapped domain; at most one. Stored, without effect until requests are proxied. */
  localClientDefault?: boolean;
  /** Shared secret, 8 to 128 bytes; 16 or more recommended. Required again when one of these changes: netId, authPort, acctPort. */
  secret?: string | null;
  /** Password of the check user. Required again when one of these changes: netId, authPort, acctPort, checkUser. */
  checkPassword?: string | null;
}

/** Access that access policies and role mappings grant: a logical network, or a direct value. */
export interface AccessConfiguration {
  /** Identity of the record. */
  id: number;
  /** Number of the cell that owns the record. */
  landscape: number;
  /** Number of configuration changes; send it back to detect concurrent changes. */
  version: number;
  /** User who last changed the record. */
  lastModifiedBy: string;
  /** When it was last changed. */
  lastModifiedDate: string;
  /** Identity of the record on the manager that distributed it; 0: it belongs to this cell. */
  guid: number;
  /** Last change by the manager. */
  globalModifiedDate: string | null;
  note: string;
  name: string;
  /** LOGICAL_NETWORK: the value of a logical network at the place of the host; DIRECT: directConfiguration everywhere. */
  type: 'LOGICAL_NETWORK' | 'DIRECT';
  /** The logical network, in state GUEST or PRODUCTION. Required with type LOGICAL_NETWORK. */
  logicalNetworkID: number | null;
  directConfiguration: AccessValue | null;
  /** Tags that the host's address has while this access is in force. */
  firewallTagIDs: number[];
  /** Minutes until the device authenticates the host again; 0: never. */
  sessionTimeoutMinutes: number;
}

export interface AccessConfigurationInput {
  /** Identity of the record. */
  id?: number | null;
  /** Number of the cell that owns the record. */
  landscape?: number;
  /** Number of configuration changes; send it back to detect concurrent changes. */
  version?: number;
  /** User who last changed the record. */
  lastModifiedBy?: string;
  /** When it was last changed. */
  lastModifiedDate?: string;
  /** Identity of the record on the manager that distributed it; 0: it belongs to this cell. */
  guid?: number;
  /** Last change by the manager. */
  globalModifiedDate?: string | null;
  note?: string;
  name?: string;
  /** LOGICAL_NETWORK: the value of a logical network at the place of the host; DIRECT: directConfiguration everywhere. */
  type?: 'LOGICAL_NETWORK' | 'DIRECT';
  /** The logical network, in state GUEST or PRODUCTION. Required with type LOGICAL_NETWORK. */
  logicalNetworkID?: number | null;
  directConfiguration?: AccessValueInput | null;
  /** Tags that the host's address has while this access is in force. */
  firewallTagIDs?: number[];
  /** Minutes until the device authenticates the host again; 0: never. */
  sessionTimeoutMinutes?: number;
}

export interface AccessConfigurationSupportingInfo {
  /** Logical networks that can be granted, by name. */
  logicalNetworks: GrantedNetwork[];
  /** Access types, and the protocols by which each is sent to a device. */
  accessTypes: AccessTypeInfo[];
  /** Firewall tags; none in this release. */
  firewallTags: FirewallTagChoice[];
  /** RADIUS attribute groups, by name. */
  radiusAttributeGroups: AttributeGroupChoice[];
  /** Placeholders of CLI lines. */
  placeholders: string[];
}

/** Rules that grant access by user, host, place and time. The first enabled policy by rank that matches applies. */
export interface AccessPolicy {
  /** Identity of the record. */
  id: number;
  /** Number of the cell that owns the record. */
  landscape: number;
  /** Number of configuration changes; send it back to detect concurrent changes. */
  version: number;
  /** User who last changed the record. */
  lastModifiedBy: string;
  /** When it was last changed. */
  lastModifiedDate: string;
  /** Identity of the record on the manager that distributed it; 0: it belongs to this cell. */
  guid: number;
  /** Last change by the manager. */
  globalModifiedDate: string | null;
  note: string;
  name: string;
  /** Place in the order, from 1. On create absent or 0: last; on update: move. */
  rank: number;
  /** False: the policy is not evaluated. */
  enabled: boolean;
  /** Conditions for hosts and users, places and times. All sections must match; an empty section matches everything. Omitted parts keep their value. */
  criteria: Criteria;
  /** True: the policy has no criteria, so it matches every connection. */
  catchAll: boolean;
  /** First enabled policy above this one that matches everything this one matches, so this one is never reached; null: none. */
  shadowedBy: number | null;
  /** The criteria in one line. */
  criteriaSummary: string;
  /** The access configuration that matching connections get. */
  accessConfigurationID: number;
  /** Name of the access configuration. */
  accessConfigurationName: string;
}

export interface AccessPolicyInput {
  /** Identity of the record. */
  id?: number | null;
  /** Number of the cell that owns the record. */
  landscape?: number;
  /** Number of configuration changes; send it back to detect concurrent changes. */
  version?: number;
  /** User who last changed the record. */
  lastModifiedBy?: string;
  /** When it was last changed. */
  lastModifiedDate?: string;
  /** Identity of the record on the manager that distributed it; 0: it belongs to this cell. */
  guid?: number;
  /** Last change by the manager. */
  globalModifiedDate?: string | null;
  note?: string;
  name?: string;
  /** Place in the order, from 1. On create absent or 0: last; on update: move. */
  rank?: number;
  /** False: the policy is not evaluated. */
  enabled?: boolean;
  /** Conditions for hosts and users, places and times. All sections must match; an empty section matches everything. Omitted parts keep their value. */
  criteria?: CriteriaInput;
  /** True: the policy has no criteria, so it matches every connection. */
  catchAll?: boolean;
  /** First enabled policy above this one that matches everything this one matches, so this one is never reached; null: none. */
  shadowedBy?: number | null;
  /** The criteria in one line. */
  criteriaSummary?: string;
  /** The access configuration that matching connections get. */
  accessConfigurationID?: number;
  /** Name of the access configuration. */
  accessConfigurationName?: string;
}

export interface AccessPolicySupportingInfo {
  /** Attributes that conditions may name. */
  attributes: PolicyAttribute[];
  /** Groups of hosts, by name. */
  hostGroups: PolicyChoice[];
  /** Groups of users, by name. */
  userGroups: PolicyChoice[];
  /** Roles, by rank. */
  roles: PolicyChoice[];
  /** Access configurations, by name. */
  accessConfigurations: PolicyChoice[];
  /** Groups of devices, by name. */
  deviceGroups: PolicyChoice[];
  /** Groups of ports, by name. */
  portGroups: PolicyChoice[];
  /** Containers, by name. */
  containers: PolicyChoice[];
  /** Names of SSIDs that devices report. */
  ssids: string[];
  /** Matches of each policy, by rank. */
  hits: PolicyHits[];
}

export interface AccessTypeInfo {
  name: 'VLAN_ID' | 'VLAN_NAME' | 'FILTER_ID' | 'ROLE' | 'VPN_GROUP' | 'RADIUS_GROUP' | 'CLI' | 'DENY' | 'NONE';
  description: string;
  radius: boolean;
  snmp: boolean;
  cli: boolean;
}

export interface AccessValue {
  /** Type of the value. CLI: lines that are sent to the device; DENY: no access; NONE: access without a value. */
  accessType: 'VLAN_ID' | 'VLAN_NAME' | 'FILTER_ID' | 'ROLE' | 'VPN_GROUP' | 'RADIUS_GROUP' | 'CLI' | 'DENY' | 'NONE';
  /** VLAN ID or name, filter name, role or group, by accessType; empty for DENY and NONE. Written as text without control characters. */
  accessValue: string;
  /** RADIUS attribute group that carries the value; null: the group of the device. */
  radiusAttrGroupID: number | null;
  /** Lines that apply the value. Placeholders: %PORT%, %IFINDEX%, %MAC%, %VLAN%, %HOST%. */
  cliApply: string[];
  /** Lines sent when the connection ends or the value changes. */
  cliUndo: string[];
}

export interface AccessValueInput {
  /** Type of the value. CLI: lines that are sent to the device; DENY: no access; NONE: access without a value. */
  accessType: 'VLAN_ID' | 'VLAN_NAME' | 'FILTER_ID' | 'ROLE' | 'VPN_GROUP' | 'RADIUS_GROUP' | 'CLI' | 'DENY' | 'NONE';
  /** VLAN ID or name, filter name, role or group, by accessType; empty for DENY and NONE. Written as text without control characters. */
  accessValue?: string;
  /** RADIUS attribute group that carries the value; null: the group of the device. */
  radiusAttrGroupID?: number | null;
  /** Lines that apply the value. Placeholders: %PORT%, %IFINDEX%, %MAC%, %VLAN%, %HOST%. */
  cliApply?: string[];
  /** Lines sent when the connection ends or the value changes. */
  cliUndo?: string[];
}

export interface AccountInput {
  /** Identity of the record. */
  id?: number | null;
  /** Number of the cell that owns the record. */
  landscape?: number;
  /** Number of configuration changes; send it back to detect concurrent changes. */
  version?: number;
  /** User who last changed the record. */
  lastModifiedBy?: string;
  /** When it was last changed. */
  lastModifiedDate?: string;
  userID?: string;
  firstName?: string;
  lastName?: string;
  email?: string;
  source?: 'LOCAL' | 'DIRECTORY' | 'IDP' | 'RADIUS' | 'GUEST';
  /** Role that policies match on. A value sent here is fixed until it is sent empty. */
  role?: string;
  /** Source of the role. */
  roleSource?: 'ADMIN' | 'PROFILING_RULE' | 'DIRECTORY' | 'GROUP' | 'VENDOR_OUI' | 'PORTAL' | 'DEFAULT';
  state?: 'ENABLED' | 'DISABLED';
  /** Admin profile; makes the account an administrator. */
  adminProfileDBID?: number | null;
  /** Whether the profile was assigned by hand, or by a mapping that may remove it again. */
  adminProfileSource?: 'ASSIGNED' | 'MAPPING' | null;
  /** Name of the admin profile. */
  profileName?: string;
  /** The password must be changed at the next sign-in, before anything else. */
  mustChangePassword?: boolean;
  /** Failed logins of the last hour, from all networks. */
  failedLogins?: number;
  /** End of the last lock of a network from which the account failed to sign in; null: no network is locked. */
  lockedUntil?: string | null;
  /** From then on the account cannot be used; null: never. */
  expirationDate?: string | null;
  /** Whether networkPassword is set. */
  networkPasswordSet?: boolean;
  /** Last successful login. */
  lastLoginDate?: string | null;
  /** Password for the network (RADIUS); no operation returns it. */
  networkPassword?: string | null;
}

export interface AccountPassword {
  id: number;
  userID: string;
  /** One-time password, returned only here; null if the request contained a password. */
  password: string | null;
}

/** Network interfaces of hosts, identified by MAC address, and where they are connected. */
export interface Adapter {
  /** Identity of the record. */
  id: number;
  /** Number of the cell that owns the record. */
  landscape: number;
  /** Number of configuration changes; send it back to detect concurrent changes. */
  version: number;
  /** MAC address, in any notation; unique in the cell, and cannot be changed. Written as a MAC address in any notation; empty for none. */
  physicalAddress: string;
  /** Host it belongs to; absent on create, or 0: a rogue host is created for it. */
  hostID: number;
  /** Current or last known IP address. A value sent here counts as seen now; null removes all addresses of the adapter. Written as an IPv4 or IPv6 address. */
  ipaddress: string | null;
  /** All current IPv4 and IPv6 addresses. */
  ips: string[];
  /** How it is connected. */
  mediaType: 'WIRED' | 'WIRELESS' | 'VPN' | 'UNKNOWN';
  /** Vendor, by the longest matching IEEE prefix. */
  vendorName: string | null;
  /** That prefix. */
  vendorOUI: string | null;
  /** The MAC address is locally administered: it has no vendor and may change. */
  randomized: boolean;
  /** False: this adapter gets no access. */
  enabled: boolean;
  /** Whether it is connected now. */
  connected: boolean;
  /** Connected since; null: not connected. */
  connectedSince: string | null;
  /** Last seen; null: never. */
  lastSeen: string | null;
  /** When it was created. */
  creationTime: string;
  /** Device it is connected to, or was last connected to. */
  deviceID: number | null;
  /** Port it is connected to, or was last connected to. */
  portID: number | null;
  /** Wireless network it is connected to. */
  ssid: string | null;
  /** Device and port it is connected to, or was last connected to, such as `switch-3:Gi1/0/7`; empty: never seen. */
  location: string;
  /** Container of the device it is connected to, or was last connected to. */
  container: string | null;
  /** Access state that RADIUS gave its open connection; null: not connected, or not by RADIUS. */
  accessState: 'DEAD_END' | 'QUARANTINE' | 'REGISTRATION' | 'AUTHENTICATION' | 'GUEST' | 'PRODUCTION' | null;
  /** VLAN of its open connection; null: not connected, or not known. */
  accessValue: string | null;
  /** Authentication method. */
  authType: 'NONE' | 'MAB' | 'DOT1X' | 'PORTAL' | 'VPN';
  /** Outer EAP method. */
  outerEapType: string | null;
  /** Inner EAP method. */
  innerEapType: string | null;
  /** Profiling rule that matched it. */
  dpcRuleID: number | null;
  /** Name of that rule. */
  dpcRuleName: string | null;
  /** Open ports found by the last network scan. */
  openPorts: string | null;
  description: string | null;
  /** Custom attributes set by administrators. Stored, without effect until policies have conditions on attributes of adapters. */
  attributes: OwnAttribute[];
  /** DISABLED, ONLINE or OFFLINE. */
  status: 'ONLINE' | 'OFFLINE' | 'DISABLED';
}

export interface AdapterInput {
  /** Identity of the record. */
  id?: number | null;
  /** Number of the cell that owns the record. */
  landscape?: number;
  /** Number of configuration changes; send it back to detect concurrent changes. */
  version?: number;
  /** MAC address, in any notation; unique in the cell, and cannot be changed. Written as a MAC address in any notation; empty for none. */
  physicalAddress?: string;
  /** Host it belongs to; absent on create, or 0: a rogue host is created for it. */
  hostID?: number;
  /** Current or last known IP address. A value sent here counts as seen now; null removes all addresses of the adapter. Written as an IPv4 or IPv6 address. */
  ipaddress?: string | null;
  /** All current IPv4 and IPv6 addresses. */
  ips?: string[];
  /** How it is connected. */
  mediaType?: 'WIRED' | 'WIRELESS' | 'VPN' | 'UNKNOWN';
  /** Vendor, by the longest matching IEEE prefix. */
  vendorName?: string | null;
  /** That prefix. */
  vendorOUI?: string | null;
  /** The MAC address is locally administered: it has no vendor and may change. */
  randomized?: boolean;
  /** False: this adapter gets no access. */
  enabled?: boolean;
  /** Whether it is connected now. */
  connected?: boolean;
  /** Connected since; null: not connected. */
  connectedSince?: string | null;
  /** Last seen; null: never. */
  lastSeen?: string | null;
  /** When it was created. */
  creationTime?: string;
  /** Device it is connected to, or was last connected to. */
  deviceID?: number | null;
  /** Port it is connected to, or was last connected to. */
  portID?: number | null;
  /** Wireless network it is connected to. */
  ssid?: string | null;
  /** Device and port it is connected to, or was last connected to, such as `switch-3:Gi1/0/7`; empty: never seen. */
  location?: string;
  /** Container of the device it is connected to, or was last connected to. */
  container?: string | null;
  /** Access state that RADIUS gave its open connection; null: not connected, or not by RADIUS. */
  accessState?: 'DEAD_END' | 'QUARANTINE' | 'REGISTRATION' | 'AUTHENTICATION' | 'GUEST' | 'PRODUCTION' | null;
  /** VLAN of its open connection; null: not connected, or not known. */
  accessValue?: string | null;
  /** Authentication method. */
  authType?: 'NONE' | 'MAB' | 'DOT1X' | 'PORTAL' | 'VPN';
  /** Outer EAP method. */
  outerEapType?: string | null;
  /** Inner EAP method. */
  innerEapType?: string | null;
  /** Profiling rule that matched it. */
  dpcRuleID?: number | null;
  /** Name of that rule. */
  dpcRuleName?: string | null;
  /** Open ports found by the last network scan. */
  openPorts?: string | null;
  description?: string | null;
  /** Custom attributes set by administrators. Stored, without effect until policies have conditions on attributes of adapters. */
  attributes?: OwnAttributeInput[];
  /** DISABLED, ONLINE or OFFLINE. */
  status?: 'ONLINE' | 'OFFLINE' | 'DISABLED';
}

export interface AdapterOfHost {
  /** Identity of the record. */
  id: number | null;
  /** Number of the cell that owns the record. */
  landscape: number;
  /** Number of configuration changes; send it back to detect concurrent changes. */
  version: number;
  /** MAC address, in any notation; unique in the cell, and cannot be changed. Written as a MAC address in any notation; empty for none. */
  physicalAddress: string;
  /** Host it belongs to; absent on create, or 0: a rogue host is created for it. */
  hostID: number;
  /** Current or last known IP address. A value sent here counts as seen now; null removes all addresses of the adapter. Written as an IPv4 or IPv6 address. */
  ipaddress: string | null;
  /** All current IPv4 and IPv6 addresses. */
  ips: string[];
  /** How it is connected. */
  mediaType: 'WIRED' | 'WIRELESS' | 'VPN' | 'UNKNOWN';
  /** Vendor, by the longest matching IEEE prefix. */
  vendorName: string | null;
  /** That prefix. */
  vendorOUI: string | null;
  /** The MAC address is locally administered: it has no vendor and may change. */
  randomized: boolean;
  /** False: this adapter gets no access. */
  enabled: boolean;
  /** Whether it is connected now. */
  connected: boolean;
  /** Connected since; null: not connected. */
  connectedSince: string | null;
  /** Last seen; null: never. */
  lastSeen: string | null;
  /** When it was created. */
  creationTime: string;
  /** Device it is connected to, or was last connected to. */
  deviceID: number | null;
  /** Port it is connected to, or was last connected to. */
  portID: number | null;
  /** Wireless network it is connected to. */
  ssid: string | null;
  /** Device and port it is connected to, or was last connected to, such as `switch-3:Gi1/0/7`; empty: never seen. */
  location: string;
  /** Container of the device it is connected to, or was last connected to. */
  container: string | null;
  /** Access state that RADIUS gave its open connection; null: not connected, or not by RADIUS. */
  accessState: 'DEAD_END' | 'QUARANTINE' | 'REGISTRATION' | 'AUTHENTICATION' | 'GUEST' | 'PRODUCTION' | null;
  /** VLAN of its open connection; null: not connected, or not known. */
  accessValue: string | null;
  /** Authentication method. */
  authType: 'NONE' | 'MAB' | 'DOT1X' | 'PORTAL' | 'VPN';
  /** Outer EAP method. */
  outerEapType: string | null;
  /** Inner EAP method. */
  innerEapType: string | null;
  /** Profiling rule that matched it. */
  dpcRuleID: number | null;
  /** Name of that rule. */
  dpcRuleName: string | null;
  /** Open ports found by the last network scan. */
  openPorts: string | null;
  description: string | null;
  /** Custom attributes set by administrators. Stored, without effect until policies have conditions on attributes of adapters. */
  attributes: OwnAttribute[];
  /** DISABLED, ONLINE or OFFLINE. */
  status: 'ONLINE' | 'OFFLINE' | 'DISABLED';
}

export interface AdapterOfHostInput {
  /** Identity of the record. */
  id?: number | null;
  /** Number of the cell that owns the record. */
  landscape?: number;
  /** Number of configuration changes; send it back to detect concurrent changes. */
  version?: number;
  /** MAC address, in any notation; unique in the cell, and cannot be changed. Written as a MAC address in any notation; empty for none. */
  physicalAddress?: string;
  /** Host it belongs to; absent on create, or 0: a rogue host is created for it. */
  hostID?: number;
  /** Current or last known IP address. A value sent here counts as seen now; null removes all addresses of the adapter. Written as an IPv4 or IPv6 address. */
  ipaddress?: string | null;
  /** All current IPv4 and IPv6 addresses. */
  ips?: string[];
  /** How it is connected. */
  mediaType?: 'WIRED' | 'WIRELESS' | 'VPN' | 'UNKNOWN';
  /** Vendor, by the longest matching IEEE prefix. */
  vendorName?: string | null;
  /** That prefix. */
  vendorOUI?: string | null;
  /** The MAC address is locally administered: it has no vendor and may change. */
  randomized?: boolean;
  /** False: this adapter gets no access. */
  enabled?: boolean;
  /** Whether it is connected now. */
  connected?: boolean;
  /** Connected since; null: not connected. */
  connectedSince?: string | null;
  /** Last seen; null: never. */
  lastSeen?: string | null;
  /** When it was created. */
  creationTime?: string;
  /** Device it is connected to, or was last connected to. */
  deviceID?: number | null;
  /** Port it is connected to, or was last connected to. */
  portID?: number | null;
  /** Wireless network it is connected to. */
  ssid?: string | null;
  /** Device and port it is connected to, or was last connected to, such as `switch-3:Gi1/0/7`; empty: never seen. */
  location?: string;
  /** Container of the device it is connected to, or was last connected to. */
  container?: string | null;
  /** Access state that RADIUS gave its open connection; null: not connected, or not by RADIUS. */
  accessState?: 'DEAD_END' | 'QUARANTINE' | 'REGISTRATION' | 'AUTHENTICATION' | 'GUEST' | 'PRODUCTION' | null;
  /** VLAN of its open connection; null: not connected, or not known. */
  accessValue?: string | null;
  /** Authentication method. */
  authType?: 'NONE' | 'MAB' | 'DOT1X' | 'PORTAL' | 'VPN';
  /** Outer EAP method. */
  outerEapType?: string | null;
  /** Inner EAP method. */
  innerEapType?: string | null;
  /** Profiling rule that matched it. */
  dpcRuleID?: number | null;
  /** Name of that rule. */
  dpcRuleName?: string | null;
  /** Open ports found by the last network scan. */
  openPorts?: string | null;
  description?: string | null;
  /** Custom attributes set by administrators. Stored, without effect until policies have conditions on attributes of adapters. */
  attributes?: OwnAttributeInput[];
  /** DISABLED, ONLINE or OFFLINE. */
  status?: 'ONLINE' | 'OFFLINE' | 'DISABLED';
}

export interface AdapterSentInput {
  /** Identity of the record. */
  id?: number | null;
  /** Number of the cell that owns the record. */
  landscape?: number;
  /** Number of configuration changes; send it back to detect concurrent changes. */
  version?: number;
  /** MAC address, in any notation; unique in the cell, and cannot be changed. Written as a MAC address in any notation; empty for none. */
  physicalAddress: string;
  /** Host it belongs to; absent on create, or 0: a rogue host is created for it. */
  hostID?: number;
  /** Current or last known IP address. A value sent here counts as seen now; null removes all addresses of the adapter. Written as an IPv4 or IPv6 address. */
  ipaddress?: string | null;
  /** All current IPv4 and IPv6 addresses. */
  ips?: string[];
  /** How it is connected. */
  mediaType?: 'WIRED' | 'WIRELESS' | 'VPN' | 'UNKNOWN';
  /** Vendor, by the longest matching IEEE prefix. */
  vendorName?: string | null;
  /** That prefix. */
  vendorOUI?: string | null;
  /** The MAC address is locally administered: it has no vendor and may change. */
  randomized?: boolean;
  /** False: this adapter gets no access. */
  enabled?: boolean;
  /** Whether it is connected now. */
  connected?: boolean;
  /** Connected since; null: not connected. */
  connectedSince?: string | null;
  /** Last seen; null: never. */
  lastSeen?: string | null;
  /** When it was created. */
  creationTime?: string;
  /** Device it is connected to, or was last connected to. */
  deviceID?: number | null;
  /** Port it is connected to, or was last connected to. */
  portID?: number | null;
  /** Wireless network it is connected to. */
  ssid?: string | null;
  /** Device and port it is connected to, or was last connected to, such as `switch-3:Gi1/0/7`; empty: never seen. */
  location?: string;
  /** Container of the device it is connected to, or was last connected to. */
  container?: string | null;
  /** Access state that RADIUS gave its open connection; null: not connected, or not by RADIUS. */
  accessState?: 'DEAD_END' | 'QUARANTINE' | 'REGISTRATION' | 'AUTHENTICATION' | 'GUEST' | 'PRODUCTION' | null;
  /** VLAN of its open connection; null: not connected, or not known. */
  accessValue?: string | null;
  /** Authentication method. */
  authType?: 'NONE' | 'MAB' | 'DOT1X' | 'PORTAL' | 'VPN';
  /** Outer EAP method. */
  outerEapType?: string | null;
  /** Inner EAP method. */
  innerEapType?: string | null;
  /** Profiling rule that matched it. */
  dpcRuleID?: number | null;
  /** Name of that rule. */
  dpcRuleName?: string | null;
  /** Open ports found by the last network scan. */
  openPorts?: string | null;
  description?: string | null;
  /** Custom attributes set by administrators. Stored, without effect until policies have conditions on attributes of adapters. */
  attributes?: OwnAttributeInput[];
  /** DISABLED, ONLINE or OFFLINE. */
  status?: 'ONLINE' | 'OFFLINE' | 'DISABLED';
}

export interface AddedNetworkAccess {
  name:
    | 'Corporate'
    | 'Contractors'
    | 'BYOD'
    | 'Guest Internet'
    | 'Voice'
    | 'Printers'
    | 'Cameras'
    | 'Building Systems'
    | 'Medical Devices'
    | 'Servers';
  /** Id of the logical network. */
  logicalNetworkID: number;
  /** Id of the access configuration. */
  accessConfigurationID: number;
  /** Id of the access policy; null: createPolicies is off. */
  accessPolicyID: number | null;
  /** Number of records that were added. */
  added: number;
}

export interface AddressRangeInput {
  /** First address. Written as an IPv4 or IPv6 address. */
  start?: string;
  /** Last address. Written as an IPv4 or IPv6 address. */
  end?: string;
  /** A network instead; the network and broadcast address of an IPv4 network are left out. Written as an IPv4 or IPv6 network, such as 10.20.0.0/16. */
  cidr?: string;
}

/** Rights and sign-in rules of administrators. */
export interface AdminProfile {
  /** Identity of the record. */
  dbid: number;
  /** Number of the cell that owns the record. */
  landscape: number;
  /** Number of configuration changes; send it back to detect concurrent changes. */
  version: number;
  /** User who last changed the record. */
  lastModifiedBy: string;
  /** When it was last changed. */
  lastModifiedDate: string;
  name: string;
  note: string;
  /** Grants all rights; true only for the built-in profile. */
  administrator: boolean;
  /** Rights by permission key; a missing key grants nothing. A map that is sent replaces the whole map, but an entry keeps the limits of its key that it leaves out. */
  permissions: Record<string, Permission>;
  /** Minutes after which an idle session ends. */
  inactivityTime: number;
  /** When its administrators may sign in and send requests; at other times every request is refused. */
  schedule: WeeklySchedule;
  /** Console page shown after login. */
  landingPage: string;
  /** Limits visible hosts, adapters, ports and users to members of the groups that its administrators manage. */
  manageByGroups: boolean;
  /** Failed logins that lock an account; 0: never. */
  lockoutThreshold: number;
  /** Duration of a lock in seconds. */
  lockoutDuration: number;
  /** True: its administrators never expire; false: they expire like other users. Not supported yet: only true is accepted until users expire. */
  preventAging: boolean;
  /** True: new permission keys of a release are granted view; false: nothing. Not supported yet: only true is accepted until a release brings new keys. */
  upgradePermissions: boolean;
  /** The console shows only a form to create guests; requires kioskTemplateID, and allows only the right to add guests. Stored, without effect until guest templates are served. */
  isKioskMode: boolean;
  /** Template of the guests that the kiosk creates. */
  kioskTemplateID: number | null;
  /** Text above the form of the kiosk. Not supported yet: only null is accepted until guest templates are served. */
  kioskWelcomeMessage: string | null;
  /** Identity of the record on the manager that distributed it; 0: it belongs to this cell. */
  guid: number;
  /** Last change by the manager. */
  globalModifiedDate: string | null;
  /** Whether a manager distributed it; then it is read-only here. */
  global: boolean;
  /** Name of the record in the audit log. */
  auditObjectName: string;
  auditObjectType: AuditObjectType;
  /** Event type of the last change. */
  yamsEventTag: string;
  /** The last audit record of this record. */
  auditObj: AuditObject;
}

export interface AdminProfileInput {
  /** Identity of the record. */
  dbid?: number | null;
  /** Number of the cell that owns the record. */
  landscape?: number;
  /** Number of configuration changes; send it back to detect concurrent changes. */
  version?: number;
  /** User who last changed the record. */
  lastModifiedBy?: string;
  /** When it was last changed. */
  lastModifiedDate?: string;
  name?: string;
  note?: string;
  /** Grants all rights; true only for the built-in profile. */
  administrator?: boolean;
  /** Rights by permission key; a missing key grants nothing. A map that is sent replaces the whole map, but an entry keeps the limits of its key that it leaves out. */
  permissions?: Record<string, PermissionInput>;
  /** Minutes after which an idle session ends. */
  inactivityTime?: number;
  /** When its administrators may sign in and send requests; at other times every request is refused. */
  schedule?: WeeklyScheduleInput;
  /** Console page shown after login. */
  landingPage?: string;
  /** Limits visible hosts, adapters, ports and users to members of the groups that its administrators manage. */
  manageByGroups?: boolean;
  /** Failed logins that lock an account; 0: never. */
  lockoutThreshold?: number;
  /** Duration of a lock in seconds. */
  lockoutDuration?: number;
  /** True: its administrators never expire; false: they expire like other users. Not supported yet: only true is accepted until users expire. */
  preventAging?: boolean;
  /** True: new permission keys of a release are granted view; false: nothing. Not supported yet: only true is accepted until a release brings new keys. */
  upgradePermissions?: boolean;
  /** The console shows only a form to create guests; requires kioskTemplateID, and allows only the right to add guests. Stored, without effect until guest templates are served. */
  isKioskMode?: boolean;
  /** Template of the guests that the kiosk creates. */
  kioskTemplateID?: number | null;
  /** Text above the form of the kiosk. Not supported yet: only null is accepted until guest templates are served. */
  kioskWelcomeMessage?: string | null;
  /** Identity of the record on the manager that distributed it; 0: it belongs to this cell. */
  guid?: number;
  /** Last change by the manager. */
  globalModifiedDate?: string | null;
  /** Whether a manager distributed it; then it is read-only here. */
  global?: boolean;
  /** Name of the record in the audit log. */
  auditObjectName?: string;
  auditObjectType?: AuditObjectTypeInput;
  /** Event type of the last change. */
  yamsEventTag?: string;
  /** The last audit record of this record. */
  auditObj?: AuditObjectInput;
}

/** Maps groups to admin profiles for their members; the first match by rank applies. A profile assigned by hand is not changed. */
export interface AdminProfileMapping {
  /** Identity of the record. */
  dbid: number;
  /** Number of the cell that owns the record. */
  landscape: number;
  /** Number of configuration changes; send it back to detect concurrent changes. */
  version: number;
  /** User who last changed the record. */
  lastModifiedBy: string;
  /** When it was last changed. */
  lastModifiedDate: string;
  /** Place in the order, from 1. On create absent or 0: last; on update: move. */
  rank: number;
  /** Profile assigned to members. */
  adminProfileDBID: number;
  /** Group of administrators or of users; one from a directory is a group of users. Each at most once. */
  groupDBID: number;
  /** Name of the group. */
  groupName: string;
  /** Name of the profile. */
  profileName: string;
  group: MappedGroup;
  /** Name of the record in the audit log. */
  auditObjectName: string;
  auditObjectType: AuditObjectType;
  /** Event type of the last change. */
  yamsEventTag: string;
  /** The last audit record of this record. */
  auditObj: AuditObject;
}

export interface AdminProfileMappingInput {
  /** Identity of the record. */
  dbid?: number | null;
  /** Number of the cell that owns the record. */
  landscape?: number;
  /** Number of configuration changes; send it back to detect concurrent changes. */
  version?: number;
  /** User who last changed the record. */
  lastModifiedBy?: string;
  /** When it was last changed. */
  lastModifiedDate?: string;
  /** Place in the order, from 1. On create absent or 0: last; on update: move. */
  rank?: number;
  /** Profile assigned to members. */
  adminProfileDBID?: number;
  /** Group of administrators or of users; one from a directory is a group of users. Each at most once. */
  groupDBID?: number;
  /** Name of the group. */
  groupName?: string;
  /** Name of the profile. */
  profileName?: string;
  group?: MappedGroupInput;
  /** Name of the record in the audit log. */
  auditObjectName?: string;
  auditObjectType?: AuditObjectTypeInput;
  /** Event type of the last change. */
  yamsEventTag?: string;
  /** The last audit record of this record. */
  auditObj?: AuditObjectInput;
}

export interface AllowedHosts {
  allowedHosts: number;
}

export interface ArchiveImport {
  /** Name of an archive, as returned by the list of archives. */
  name?: string;
  /** Several archives, instead of one. */
  names?: string[];
}

export interface ArchivedImage {
  /** Name to use in createFromArchive. */
  name: string;
  /** Path the icon is loaded from. */
  imageFile: string;
  /** SPDX name of its licence; null for an uploaded icon. */
  licence: string | null;
}

export interface AttributeFilter {
  /** Conditions; all must match. */
  conditions: Condition[];
}

export interface AttributeFilterInput {
  /** Conditions; all must match. */
  conditions: ConditionInput[];
}

export interface AttributeGroupChoice {
  id: number;
  name: string;
}

export interface AttributeValue {
  /** Any JSON value of at most 64 KiB; null removes the attribute. */
  value: string | number | boolean | unknown[] | Record<string, unknown> | null;
}

export interface AuditChange {
  field: string;
  before: string | null;
  /** Value after the change; secrets are masked. */
  after: string | null;
  changed: boolean;
}

export interface AuditImport {
  /** Who imported it. */
  by: string;
  at: string | null;
}

export interface AuditObject {
  user: string;
  action: string;
  timestamp: string;
  liveObj: LiveObject;
  auditDBID: number;
  liveDBID: number;
  yamsEventTag: string;
  auditObj: string;
}

export interface AuditObjectInput {
  user?: string;
  action?: string;
  timestamp?: string;
  liveObj?: LiveObjectInput;
  auditDBID?: number;
  liveDBID?: number;
  yamsEventTag?: string;
  auditObj?: string;
}

export interface AuditObjectType {
  auditTableName: string;
  dbTableName: string;
  idnameQuery: string;
}

export interface AuditObjectTypeInput {
  auditTableName?: string;
  dbTableName?: string;
  idnameQuery?: string;
}

/** Who changed what, when and from where; written in the transaction of the change. */
export interface AuditRecord {
  user: string;
  /** What was done. */
  action:
    | 'ADD'
    | 'MODIFY'
    | 'DELETE'
    | 'ENABLE'
    | 'DISABLE'
    | 'RANK'
    | 'EXECUTE'
    | 'READ_SECRET'
    | 'LOGIN'
    | 'LOGOUT'
    | 'LOGIN_FAILED'
    | 'EXPORT';
  timestamp: string;
  /** The latest change of the same record; empty once it is deleted. */
  liveObj: NewestChange;
  /** Identity of this record. */
  auditDBID: number;
  /** Identity of the changed record. */
  liveDBID: number;
  /** Event type of the change. */
  yamsEventTag: string;
  /** Name of the changed record and summary of the change. */
  auditObj: string;
  auditObjectName: string;
  auditObjectType: AuditedType;
  /** At most four lines: field: old → new. */
  summary: string;
  /** Every field that changed. */
  changes: AuditChange[];
  /** Client address of the request; null for the service itself. Written as an IPv4 or IPv6 address. */
  sourceAddress: string | null;
  /** Public id of the session, if the request used one. */
  sessionID: string | null;
  /** Name of the API token, if the request used one. */
  tokenName: string | null;
  requestID: string;
  method: string;
  path: string;
  /** Why, from the header X-Reason; null: not given. */
  reason: string | null;
  imported: AuditImport | null;
  /** Number of the cell that owns the record. */
  landscape: number;
}

export interface AuditedType {
  auditTableName: string;
  dbTableName: string;
  idnameQuery: string;
}

/** Whether and how users of hosts must authenticate, and how long an authentication is valid. */
export interface AuthenticationConfiguration {
  /** Identity of the record. */
  id: number;
  /** Number of the cell that owns the record. */
  landscape: number;
  /** Number of configuration changes; send it back to detect concurrent changes. */
  version: number;
  /** User who last changed the record. */
  lastModifiedBy: string;
  /** When it was last changed. */
  lastModifiedDate: string;
  /** Identity of the record on the manager that distributed it; 0: it belongs to this cell. */
  guid: number;
  /** Last change by the manager. */
  globalModifiedDate: string | null;
  note: string;
  name: string;
  /** False: hosts that match its policies need not authenticate. */
  enableAuthentication: boolean;
  /** Sources of accounts for logins at the portal and agent, in this order. The next one is used only if a server does not answer or has no such user. Not supported yet: only [{"kind":"LOCAL","id":null}] is accepted until logins are forwarded to other servers. */
  methods: AuthenticationMethod[];
  /** Minutes on the network before authentication is required. */
  timeInProductionBeforeAuthentication: number;
  /** Minutes offline after which an authentication ends; 0: immediately. Not supported yet: only 10 is accepted until the service ends authentications by itself. */
  timeOfflineBeforeDeauthentication: number;
  /** Minutes after which an authentication ends; 0: never. Not supported yet: only 0 is accepted until the service ends authentications by itself. */
  reauthenticationInterval: number;
}

export interface AuthenticationConfigurationInput {
  /** Identity of the record. */
  id?: number | null;
  /** Number of the cell that owns the record. */
  landscape?: number;
  /** Number of configuration changes; send it back to detect concurrent changes. */
  version?: number;
  /** User who last changed the record. */
  lastModifiedBy?: string;
  /** When it was last changed. */
  lastModifiedDate?: string;
  /** Identity of the record on the manager that distributed it; 0: it belongs to this cell. */
  guid?: number;
  /** Last change by the manager. */
  globalModifiedDate?: string | null;
  note?: string;
  name?: string;
  /** False: hosts that match its policies need not authenticate. */
  enableAuthentication?: boolean;
  /** Sources of accounts for logins at the portal and agent, in this order. The next one is used only if a server does not answer or has no such user. Not supported yet: only [{"kind":"LOCAL","id":null}] is accepted until logins are forwarded to other servers. */
  methods?: AuthenticationMethodInput[];
  /** Minutes on the network before authentication is required. */
  timeInProductionBeforeAuthentication?: number;
  /** Minutes offline after which an authentication ends; 0: immediately. Not supported yet: only 10 is accepted until the service ends authentications by itself. */
  timeOfflineBeforeDeauthentication?: number;
  /** Minutes after which an authentication ends; 0: never. Not supported yet: only 0 is accepted until the service ends authentications by itself. */
  reauthenticationInterval?: number;
}

export interface AuthenticationMethod {
  /** Source of the accounts; guests and local users are LOCAL. */
  kind: 'LOCAL' | 'LDAP' | 'AAA' | 'IDP';
  /** The server; null with LOCAL. */
  id: number | null;
}

export interface AuthenticationMethodInput {
  /** Source of the accounts; guests and local users are LOCAL. */
  kind: 'LOCAL' | 'LDAP' | 'AAA' | 'IDP';
  /** The server; null with LOCAL. */
  id?: number | null;
}

/** Rules that decide which hosts must authenticate, and how. The first enabled policy by rank that matches applies. */
export interface AuthenticationPolicy {
  /** Identity of the record. */
  id: number;
  /** Number of the cell that owns the record. */
  landscape: number;
  /** Number of configuration changes; send it back to detect concurrent changes. */
  version: number;
  /** User who last changed the record. */
  lastModifiedBy: string;
  /** When it was last changed. */
  lastModifiedDate: string;
  /** Identity of the record on the manager that distributed it; 0: it belongs to this cell. */
  guid: number;
  /** Last change by the manager. */
  globalModifiedDate: string | null;
  note: string;
  name: string;
  /** Place in the order, from 1. On create absent or 0: last; on update: move. */
  rank: number;
  /** False: the policy is not evaluated. */
  enabled: boolean;
  /** Conditions for hosts and users, places and times. All sections must match; an empty section matches everything. Omitted parts keep their value. */
  criteria: Criteria;
  /** True: the policy has no criteria, so it matches every connection. */
  catchAll: boolean;
  /** First enabled policy above this one that matches everything this one matches, so this one is never reached; null: none. */
  shadowedBy: number | null;
  /** The criteria in one line. */
  criteriaSummary: string;
  /** The authentication configuration of matching hosts. */
  authenticationConfigurationID: number;
  /** Name of the authentication configuration. */
  authenticationConfigurationName: string;
}

export interface AuthenticationPolicyInput {
  /** Identity of the record. */
  id?: number | null;
  /** Number of the cell that owns the record. */
  landscape?: number;
  /** Number of configuration changes; send it back to detect concurrent changes. */
  version?: number;
  /** User who last changed the record. */
  lastModifiedBy?: string;
  /** When it was last changed. */
  lastModifiedDate?: string;
  /** Identity of the record on the manager that distributed it; 0: it belongs to this cell. */
  guid?: number;
  /** Last change by the manager. */
  globalModifiedDate?: string | null;
  note?: string;
  name?: string;
  /** Place in the order, from 1. On create absent or 0: last; on update: move. */
  rank?: number;
  /** False: the policy is not evaluated. */
  enabled?: boolean;
  /** Conditions for hosts and users, places and times. All sections must match; an empty section matches everything. Omitted parts keep their value. */
  criteria?: CriteriaInput;
  /** True: the policy has no criteria, so it matches every connection. */
  catchAll?: boolean;
  /** First enabled policy above this one that matches everything this one matches, so this one is never reached; null: none. */
  shadowedBy?: number | null;
  /** The criteria in one line. */
  criteriaSummary?: string;
  /** The authentication configuration of matching hosts. */
  authenticationConfigurationID?: number;
  /** Name of the authentication configuration. */
  authenticationConfigurationName?: string;
}

/** Jobs of the service with their progress, and manual tasks assigned to users. */
export interface BackgroundTask {
  /** Identity of the record. */
  id: number;
  /** JOB: executed by the service; MANUAL: by a person. */
  kind: 'JOB' | 'MANUAL';
  /** Description of the task. */
  message: string;
  note: string;
  /** User who created it; 0: the service itself. */
  assigner: number;
  /** User it is assigned to. */
  assignee: number | null;
  /** When it was created. */
  dateCreated: string;
  /** When a worker started it. */
  dateStarted: string | null;
  /** When it was completed. */
  dateCompleted: string | null;
  /** Due date. */
  dateDue: string | null;
  /** Previous task. */
  previousTask: number | null;
  /** Whether the previous task is completed; true if there is none. */
  previousTaskComplete: boolean;
  /** Page of the console to open. Not supported yet: only null is accepted until tasks lead to pages of the console. */
  notifyView: string | null;
  /** Next tasks. */
  childTasks: number[];
  attributes: Record<string, string>;
  /** Name of the job; empty for a manual task. */
  jobName: string;
  /** Identity in the job queue. */
  queueJobID: string;
  /** State of the job; a manual task is QUEUED until completed. */
  state: 'QUEUED' | 'RUNNING' | 'RETRYING' | 'COMPLETED' | 'FAILED' | 'CANCELLED';
  /** Progress. */
  progress: TaskProgress;
  /** Number of attempts. */
  attempts: number;
  /** Node that runs it. */
  node: string;
  /** Why it failed. */
  errorMessage: string | null;
  /** Outcome of each item. */
  report: TaskReportItem[];
  /** URL of the result. */
  resultLocation: string | null;
  /** Schedule that started it. Not supported yet: only null is accepted until the scheduler is served. */
  scheduledActivityID: number | null;
  /** Number of the cell that owns the record. */
  landscape: number;
  /** Number of configuration changes; send it back to detect concurrent changes. */
  version: number;
  /** User who last changed the record. */
  lastModifiedBy: string;
  /** When it was last changed. */
  lastModifiedDate: string;
  /** Event type of the last change. */
  yamsEventTag: string;
  /** The last audit record of this record. */
  auditObj: AuditObject;
  /** Name of the record in the audit log. */
  auditObjectName: string;
  auditObjectType: AuditObjectType;
}

export interface BackgroundTaskInput {
  /** Identity of the record. */
  id?: number | null;
  /** JOB: executed by the service; MANUAL: by a person. */
  kind?: 'JOB' | 'MANUAL';
  /** Description of the task. */
  message?: string;
  note?: string;
  /** User who created it; 0: the service itself. */
  assigner?: number;
  /** User it is assigned to. */
  assignee?: number | null;
  /** When it was created. */
  dateCreated?: string;
  /** When a worker started it. */
  dateStarted?: string | null;
  /** When it was completed. */
  dateCompleted?: string | null;
  /** Due date. */
  dateDue?: string | null;
  /** Previous task. */
  previousTask?: number | null;
  /** Whether the previous task is completed; true if there is none. */
  previousTaskComplete?: boolean;
  /** Page of the console to open. Not supported yet: only null is accepted until tasks lead to pages of the console. */
  notifyView?: string | null;
  /** Next tasks. */
  childTasks?: number[];
  attributes?: Record<string, string>;
  /** Name of the job; empty for a manual task. */
  jobName?: string;
  /** Identity in the job queue. */
  queueJobID?: string;
  /** State of the job; a manual task is QUEUED until completed. */
  state?: 'QUEUED' | 'RUNNING' | 'RETRYING' | 'COMPLETED' | 'FAILED' | 'CANCELLED';
  /** Progress. */
  progress?: TaskProgressInput;
  /** Number of attempts. */
  attempts?: number;
  /** Node that runs it. */
  node?: string;
  /** Why it failed. */
  errorMessage?: string | null;
  /** Outcome of each item. */
  report?: TaskReportItemInput[];
  /** URL of the result. */
  resultLocation?: string | null;
  /** Schedule that started it. Not supported yet: only null is accepted until the scheduler is served. */
  scheduledActivityID?: number | null;
  /** Number of the cell that owns the record. */
  landscape?: number;
  /** Number of configuration changes; send it back to detect concurrent changes. */
  version?: number;
  /** User who last changed the record. */
  lastModifiedBy?: string;
  /** When it was last changed. */
  lastModifiedDate?: string;
  /** Event type of the last change. */
  yamsEventTag?: string;
  /** The last audit record of this record. */
  auditObj?: AuditObjectInput;
  /** Name of the record in the audit log. */
  auditObjectName?: string;
  auditObjectType?: AuditObjectTypeInput;
}

export interface Bookmark {
  dbid: number;
  userDBID: number;
  /** Page of the console, as navigation-settings names it. */
  pageUUID: string;
  /** What the menu shows. */
  label: string;
  /** Path of the page, with its filter. Written as a path of the console, such as /hosts?filter=state==PENDING. */
  path: string;
  /** Place in the menu, lowest first. */
  position: number;
}

export interface BookmarkInput {
  /** Page of the console, as navigation-settings names it. */
  pageUUID?: string;
  /** What the menu shows. */
  label?: string;
  /** Path of the page, with its filter. Written as a path of the console, such as /hosts?filter=state==PENDING. */
  path?: string;
  /** Place in the menu, lowest first. */
  position?: number;
  /** True: remove the bookmark; other fields are not read. */
  remove?: boolean;
}

export interface CachedHost {
  /** Identity of the record. */
  id: number | null;
  /** Number of the cell that owns the record. */
  landscape: number;
  /** Number of configuration changes; send it back to detect concurrent changes. */
  version: number;
  /** Name reported by the host or set by a user. */
  hostName: string | null;
  /** 1 rogue, 2 registered host, 3 registered device, 4 IP phone, 5 device in the topology. Changing 1 to 2 or 3 registers the host, back to 1 removes the registration. */
  type: number;
  /** Name of the type. */
  typeLabel: 'Rogue' | 'Registered Host' | 'Registered Device' | 'IP Phone' | 'Device in Topology';
  /** MAC address of the first connected adapter, else of the oldest. Written as a MAC address in any notation; empty for none. */
  primaryMac: string | null;
  /** MAC addresses of its adapters. */
  adapters: string[];
  /** IP address of a connected adapter, else the last known one of any adapter. Written as an IPv4 or IPv6 address. */
  ip: string | null;
  /** Whether one of its adapters is connected now. */
  connected: boolean;
  /** Whether it is registered. */
  registered: boolean;
  /** When it was registered; null: it is a rogue. */
  registeredAt: string | null;
  /** Name of the account or service that registered it; null: it is a rogue. */
  registeredBy: string | null;
  /** False: its adapters get no access. */
  enabled: boolean;
  /** Whether a user is authenticated on it. */
  authenticated: boolean;
  /** The authenticated user. */
  authenticatedUserID: number | null;
  /** When the authentication expires; null: never. */
  authenticationExpires: string | null;
  /** AT_RISK: it has a health problem; PENDING: it has a problem and a grace period to fix it. */
  health: 'SAFE' | 'AT_RISK' | 'PENDING';
  /** End of the grace period. */
  healthUntil: string | null;
  /** Role that policies match on. A value sent here is fixed until it is sent empty. */
  role: string;
  /** Source of the role. */
  roleSource: 'ADMIN' | 'PROFILING_RULE' | 'DIRECTORY' | 'GROUP' | 'VENDOR_OUI' | 'PORTAL' | 'DEFAULT';
  /** Name of the account that owns the host; null: none. */
  owner: string | null;
  /** The account of the owner. */
  ownerID: number | null;
  /** The logged-on user. */
  loggedOnUserID: string | null;
  /** Device type; on write selected by id or tag. Absent on create: unknown. */
  deviceType: HostDeviceType;
  operatingSystem: string | null;
  /** Manufacturer and model. */
  hardwareType: string | null;
  serialNumber: string | null;
  /** When it was created. */
  creationTime: string;
  /** Last connect; null: never. */
  lastConnected: string | null;
  /** Last disconnect of one of its adapters; null: never. */
  lastDisconnected: string | null;
  /** When it expires and is deleted; null: never. */
  expirationDate: string | null;
  /** Source of that date; a stronger source is not overwritten. */
  expirationSource: 'MANUAL' | 'GUEST' | 'DIRECTORY' | 'GROUP' | 'GLOBAL' | null;
  /** When it expires unless it connects again; null: connected, or no limit. */
  inactivityDate: string | null;
  /** Allowed days of absence; null: unlimited. */
  inactiveDays: number | null;
  /** Identity of its agent. */
  agentID: string | null;
  /** Version of that agent. */
  agentVersion: string | null;
  /** Platform of the agent. */
  agentPlatform: string | null;
  /** Last contact of the agent. */
  lastAgentContact: string | null;
  /** Number of update requests sent to the agent. */
  agentUpdateAttempts: number;
  /** Whether an MDM server manages it. */
  managedByMDM: boolean;
  /** That server. */
  mdmServerID: number | null;
  /** Whether the MDM server reports it as compliant. */
  mdmCompliant: boolean | null;
  /** Whether the MDM server reports it as compromised. */
  mdmCompromised: boolean | null;
  /** Risk level reported by the MDM server. */
  mdmRisk: string | null;
  /** Scan it when it connects again. */
  scanRequired: boolean;
  /** Last scan. */
  lastScan: string | null;
  /** Result of the last scan. */
  lastScanResult: 'PASSED' | 'WARNING' | 'FAILED' | 'ERROR' | null;
  /** Container of a device in the topology. */
  containerID: number | null;
  /** Profiling revalidates it each time it connects. Stored, without effect until profiling rules are run. */
  reValidation: boolean;
  /** Minutes between revalidations; 0: only when it connects. Stored, without effect until profiling rules are run. */
  reValidationInterval: number;
  /** Last revalidation. */
  lastReValidation: string | null;
  /** Groups of which it is a direct member. */
  groups: string[];
  notes: string | null;
  /** Custom attributes set by administrators. */
  attributes: OwnAttribute[];
  /** Its adapters as records; in lists only with withAdapters=true. */
  adapterObjects: AdapterOfHost[];
  /** When the filter was evaluated. */
  cachedAt: string;
}

export interface CertificateAlias {
  /** Its name. */
  name: string;
  /** Where it is used. */
  target: 'ADMIN_UI' | 'PORTAL' | 'AGENT' | 'RADIUS_EAP' | 'RADSEC' | 'REMOTE_API' | 'TRUST';
  /** What there is. */
  state: 'EMPTY' | 'CSR_PENDING' | 'SELF_SIGNED' | 'INSTALLED' | 'EXPIRING' | 'EXPIRED';
  /** When it ends. */
  notAfter: string | null;
}

export interface CertificateChainLink {
  subject: string;
  issuer: string;
  notAfter: string;
}

export interface CertificateCopy {
  /** Name of the target. Written as 2 to 40 small letters, digits, hyphens and underscores, but not copy, csr or restart. */
  from: string;
  to: string[];
}

export interface CertificateRequest {
  /** Name of the target. Written as 2 to 40 small letters, digits, hyphens and underscores, but not copy, csr or restart. */
  name: string;
  /** Where a new target is used. Absent: REMOTE_API. */
  target?: 'RADIUS_EAP' | 'REMOTE_API';
  subject: CertificateSubjectInput;
  /** Names and addresses that it is for. */
  subjectAltNames?: string[];
  /** Kind of the key. */
  keyType: 'RSA_2048' | 'RSA_3072' | 'RSA_4096' | 'EC_P256' | 'EC_P384';
  /** Take the key of the certificate. Default: false. */
  reuseKey?: boolean;
}

export interface CertificateRestart {
  /** Targets whose listeners are meant. Absent: all. Only the API has listeners in this release. */
  name?: string[];
}

export interface CertificateSubjectInput {
  /** Name of the service. Written as text without control characters. */
  CN: string;
  /** Organisation. Written as text without control characters. */
  O?: string;
  /** Unit of the organisation. Written as text without control characters. */
  OU?: string;
  /** Town. Written as text without control characters. */
  L?: string;
  /** State or province. Written as text without control characters. */
  ST?: string;
  /** Country. Written as two capital letters. */
  C?: string;
}

/** Certificates of the service, by where they are used, and the authorities it trusts. */
export interface CertificateTarget {
  /** Identity of the record. */
  id: number;
  /** Written as 2 to 40 small letters, digits, hyphens and underscores, but not copy, csr or restart. */
  name: string;
  /** Where it is used. */
  target: 'ADMIN_UI' | 'PORTAL' | 'AGENT' | 'RADIUS_EAP' | 'RADSEC' | 'REMOTE_API' | 'TRUST';
  /** Built in; cannot be deleted. */
  builtIn: boolean;
  /** What there is; EXPIRING: it ends within 30 days. */
  state: 'EMPTY' | 'CSR_PENDING' | 'SELF_SIGNED' | 'INSTALLED' | 'EXPIRING' | 'EXPIRED';
  issuedTo: string | null;
  issuedBy: string | null;
  serial: string | null;
  /** Names and addresses that it is for. */
  subjectAltNames: string[];
  /** When it begins. */
  notBefore: string | null;
  /** When it ends. */
  notAfter: string | null;
  /** Kind of its key. */
  keyType: 'RSA_2048' | 'RSA_3072' | 'RSA_4096' | 'EC_P256' | 'EC_P384' | null;
  /** SHA-256 of the certificate. */
  sha256: string | null;
  /** The certificate, and those above it. */
  chain: CertificateChainLink[];
  /** The certificate and its chain. */
  certificatePem: string | null;
  /** The revocation list of an authority. */
  crlPem: string | null;
  /** When its next revocation list is due. */
  crlNextUpdate: string | null;
  /** The request that waits for its certificate. */
  csrPem: string | null;
  /** What somebody should look at. */
  warnings: string[];
  /** User who last changed the record. */
  lastModifiedBy: string;
  /** When it was last changed. */
  lastModifiedDate: string;
  /** Number of configuration changes; send it back to detect concurrent changes. */
  version: number;
}

export interface CertificateUpload {
  /** Certificates in PEM, or a PKCS#12 file in base64. May be absent where only a crl is sent. */
  certificate?: string;
  /** Key in PEM; absent: that of the request. */
  privateKey?: string;
  /** Of the key or the PKCS#12 file. */
  passphrase?: string;
  /** Further certificates of the chain, in PEM. */
  chain?: string;
  /** Revocation list of an authority, in PEM. */
  crl?: string;
  /** Where a new target is used. Absent: REMOTE_API. */
  target?: 'RADIUS_EAP' | 'REMOTE_API';
}

export interface ChangedContainer {
  /** Number of the cell that owns the record. */
  landscape?: number;
  /** Identity of the record. */
  id?: number;
  /** 0 active, 1 disabled, 2 being deleted. */
  state?: number;
  /** 1: a container. */
  elementClass?: number;
  /** Role assigned to new devices in this container. */
  role?: string | null;
  /** Name, unique in the cell. */
  name?: string;
  /** WIRELESS: access points added automatically go here; at most one container. */
  type?: 'WIRELESS' | null;
  /** Always null; only devices have it. */
  protocol?: string | null;
  /** 0 empty or unknown, 1 all devices in contact, 2 some lost, 3 all lost. */
  status?: number;
  /** Name of the parent container; empty for the root. Absent on create: the root. */
  parent?: string;
  /** DNS suffix removed from device names at discovery. */
  suffix?: string | null;
  /** Number of configuration changes; send it back to detect concurrent changes. */
  version?: number;
  notes?: string | null;
  description?: string | null;
  /** Device group that devices in this container join. */
  group?: string | null;
  /** Seconds between contact polls of devices that are added to this container without an interval of their own. */
  pollingInterval?: number;
  /** Newest poll of its devices. Written as an instant with the offset +0000. */
  lastPoll?: string | null;
  /** Newest successful poll of its devices; 1970 means never. Written as an instant with the offset +0000. */
  lastSuccessfulPoll?: string;
  /** MIB modules that its devices support. */
  mibs?: string[];
  /** The newest DOMAIN_DESTROYED of this record. */
  destroyEvent?: EventObject;
  /** The newest DOMAIN_CREATED of this record. */
  creationEvent?: EventObject;
  /** The newest CONTACT_ESTABLISHED of this record. */
  establishedEvent?: EventObject;
  /** The newest CONTACT_LOST of this record. */
  lostEvent?: EventObject;
  /** Bit mask of what changed since the last poll of a monitor; 0 elsewhere. */
  changeMask?: number;
  attributeNames?: string[];
  /** Always null; only devices have it. */
  physicalAddress?: string | null;
  /** Always null; only devices have it. */
  sysOid?: string | null;
  /** Same as version. */
  packedVersion?: number;
  /** Name of the record in the audit log. */
  auditObjectName?: string;
  auditObjectType?: AuditObjectType;
  /** Audit record of its creation. */
  addAuditSummary?: string;
  /** Names from the root down, separated by slashes. */
  domainName?: string;
  identification?: string;
  /** URL of the record. */
  requestString?: string;
  /** Free attributes. Stored, without effect until policies have conditions on containers. */
  attribute?: ContainerAttribute[];
  /** Bit mask of what the last write changed. */
  lastChangeMask?: number;
}

export interface ChangedEvent {
  /** Number of the cell that owns the record. */
  landscape?: number;
  /** Identity of the event; it contains the time. */
  id?: number;
  /** 0 logged, 1 raised or joined an alarm, 2 that alarm is cleared, 3 cleared an alarm. */
  state?: number;
  /** The name of its event type. */
  name?: string;
  /** Type of the element it concerns: 0 system, 1 container, 2 device, 3 port, 4 host, 5 adapter, 6 user, 7 administrator, 8 group, 9 policy record, 10 integration, 11 process or job. */
  elementType?: number;
  /** Identity of the element it concerns. */
  elementID?: number;
  /** Its name at that time. */
  elementName?: string | null;
  /** Additional text from the source of the event. */
  message?: string | null;
  timeOfEvent?: string;
  /** Version of the event format. */
  version?: number;
  /** Epoch milliseconds. */
  time?: number;
  /** True only in a record that embeds an event which never happened. */
  empty?: boolean;
  /** Formatted text of the event. */
  eventFormatString?: string;
  /** Identity of its event type. */
  eventTypeID?: number;
  /** Part of the network or the service that it concerns. */
  category?:
    | 'SYSTEM'
    | 'DEVICE'
    | 'PORT'
    | 'HOST'
    | 'USER'
    | 'ADMIN'
    | 'POLICY'
    | 'SECURITY'
    | 'LOGGING'
    | 'INTEGRATION'
    | 'EXTERNAL';
  /** Host it concerns. */
  hostID?: number | null;
  /** Written as a MAC address in any notation; empty for none. */
  mac?: string | null;
  /** IP address of the host, or of the client that caused it. Written as an IPv4 or IPv6 address. */
  ip?: string | null;
  /** User it concerns, or who caused it. */
  userName?: string | null;
  /** Location as text. */
  location?: string | null;
  /** Additional values by name. */
  attributes?: Record<string, string>;
  /** Notes added later. */
  notes?: EventNote[];
  /** Alarms it raised, joined or cleared. */
  alarmIDs?: number[];
  /** The request or job that caused it. */
  requestID?: string | null;
}

export interface ChangedNetworkDevice {
  /** Identity of the record. */
  id?: number;
  /** Number of the cell that owns the record. */
  landscape?: number;
  /** 0 active, 1 disabled, 2 being deleted. */
  state?: number;
  /** 2 managed device, 3 pingable device. */
  elementClass?: number;
  /** 0 never contacted, 1 contact established, 2 contact lost, 3 degraded (ping works, SNMP or CLI fails), 4 management disabled. */
  status?: number;
  /** Number of configuration changes; send it back to detect concurrent changes. */
  version?: number;
  /** Name, unique in the cell. */
  name?: string;
  /** Management IP address, unique in the cell. Written as an IPv4 or IPv6 address. */
  ipAddress?: string | null;
  /** MAC address of the device itself. Written as a MAC address in any notation; empty for none. */
  physicalAddress?: string | null;
  /** The container that holds it. */
  containerID?: number;
  /** Name of the container. */
  container?: string;
  /** Driver used for the device. */
  driver?: 'qbridge' | 'cisco-ios' | 'hostapd' | 'radius-only' | 'linux-firewall' | 'ping';
  /** Tag of the device type, overriding the detected one; firewall and access-point also select the driver. */
  deviceTypeOverride?: string | null;
  /** Tag of its device type. */
  deviceType?: string;
  /** Vendor. */
  vendor?: string | null;
  /** Model name. */
  model?: string | null;
  /** Firmware version. */
  firmware?: string | null;
  /** Serial number reported by the device. */
  serialNumber?: string | null;
  /** sysObjectID. */
  sysOid?: string | null;
  /** sysDescr. */
  sysDescr?: string | null;
  /** sysName. */
  systemName?: string | null;
  /** sysContact. */
  contactName?: string | null;
  /** sysLocation. */
  deviceLocation?: string | null;
  /** Management protocol. */
  protocol?: 'SNMP_V1' | 'SNMP_V2C' | 'SNMP_V3' | 'PING' | 'RADIUS';
  /** Role of the device. */
  role?: string | null;
  description?: string;
  note?: string;
  /** MIB modules that it supports. */
  mibs?: string[];
  /** Number of ports. */
  portCount?: number;
  /** Number of adapters connected to its ports now. */
  connectedHosts?: number;
  /** SNMPv3 user name. */
  snmpUsername?: string | null;
  /** How SNMPv3 signs. */
  snmpAuthenticationProtocol?: 'MD5' | 'SHA' | 'SHA224' | 'SHA256' | 'SHA384' | 'SHA512' | null;
  /** SNMPv3 privacy protocol; null: no encryption. AES256 with key extension by Blumenthal (B) or Reeder (R). */
  snmpPrivacyProtocol?: 'DES' | 'AES' | 'AES256B' | 'AES256R' | null;
  /** Whether snmpSecurityStrings is set. */
  snmpSecurityStringsSet?: boolean;
  /** Whether snmpAuthenticationPassword is set. */
  snmpAuthenticationPasswordSet?: boolean;
  /** Whether snmpPrivacyPassword is set. */
  snmpPrivacyPasswordSet?: boolean;
  snmpPort?: number;
  cliCredentials?: CliCredentials | null;
  /** Whether it is a client of the RADIUS server. */
  radiusEnabled?: boolean;
  /** Whether radiusSecret is set. */
  radiusSecretSet?: boolean;
  /** NAS-Identifier of a device that is not known by its address. Not supported yet: only null is accepted until access devices are found by it. */
  nasIdentifier?: string | null;
  /** UDP port for change of authorisation (RFC 5176). Not supported yet: only 3799 is accepted until changes of authorisation are sent. */
  coaPort?: number;
  /** Profile of the RADIUS server; null: the default one. */
  radiusServerConfigID?: number | null;
  /** RADIUS attributes in responses to it; null: those of its driver. */
  radiusAttrGroupID?: number | null;
  /** If no decision is possible: send no response, or repeat the last accept for that port. Not supported yet: only "SILENT" is accepted until last accepts are kept. */
  whenUndecided?: 'SILENT' | 'LAST_ACCEPT';
  /** False: the device is only monitored and never changed. */
  managed?: boolean;
  /** Methods to change access, in the order to try; absent on create: the defaults of its protocol. Stored, without effect until decisions are enforced on ports. */
  enforcementMethods?: ('COA' | 'DISCONNECT' | 'SNMP' | 'CLI' | 'BOUNCE')[];
  /** Take the link down briefly, so that the host requests a new address. Not supported yet: only true is accepted until decisions are enforced on ports. */
  bounceAfterVlanChange?: boolean;
  /** Return the default VLAN of the port to RADIUS if nothing else was decided. */
  sendDefaultVlan?: boolean;
  /** VLANs configured on it. */
  vlans?: DeviceVlan[];
  contactPollingEnabled?: boolean;
  /** Seconds between contact polls. */
  contactPollingInterval?: number;
  /** Whether its forwarding table is read. */
  l2PollingEnabled?: boolean;
  /** Seconds between readings of the forwarding table. */
  l2PollingInterval?: number;
  /** Whether its ARP and neighbour tables are read. */
  l3PollingEnabled?: boolean;
  /** Seconds between readings of the ARP and neighbour tables. */
  l3PollingInterval?: number;
  /** Polling order when many devices are due. */
  l3PollingPriority?: 'HIGH' | 'MEDIUM' | 'LOW';
  /** Last contact poll. */
  lastPoll?: string | null;
  /** Last successful contact poll. */
  lastSuccessfulPoll?: string | null;
  /** Last reading of the forwarding table. */
  lastL2Poll?: string | null;
  /** Last reading of the ARP and neighbour tables. */
  lastL3Poll?: string | null;
  /** Last trap from it. */
  lastTrap?: string | null;
  /** Parser for its messages about hosts. */
  incomingEventParserID?: number | null;
  /** How a firewall is informed about users and their addresses. */
  ssoAgentType?: 'NONE' | 'STREAM' | 'RADIUS_ACCOUNTING';
  /** Addresses of hosts that are reported to a firewall. Not supported yet: only null is accepted until firewalls get users and their addresses. */
  ssoAddressGroupID?: number | null;
  /** Addresses of the VPN clients of a firewall. Not supported yet: only null is accepted until firewalls get users and their addresses. */
  vpnAddressGroupID?: number | null;
  /** The newest DEVICE_CREATED of this record. */
  creationEvent?: EventOfRecord;
  /** The newest DEVICE_DESTROYED of this record. */
  destroyEvent?: EventOfRecord;
  /** The newest CONTACT_ESTABLISHED of this record. */
  establishedEvent?: EventOfRecord;
  /** The newest CONTACT_LOST of this record. */
  lostEvent?: EventOfRecord;
  /** User who last changed the record. */
  lastModifiedBy?: string;
  /** When it was last changed. */
  lastModifiedDate?: string;
}

export interface ChangedPort {
  /** Identity of the record. */
  dbid?: number;
  /** Same as the identity. */
  legacyDBID?: number;
  /** 0 physical, 1 SSID, 2 VPN, 3 link aggregate, 4 virtual. */
  portType?: number;
  /** Name on the device (ifName), or name of the SSID or VPN entry. */
  name?: string;
  /** ifIndex as text; `ssid:<name>` or `vpn:<name>` for an SSID or VPN entry. */
  portID?: string;
  /** The label, or the name if there is no label. */
  displayName?: string;
  /** Name of the device. */
  deviceName?: string;
  /** The device it belongs to. */
  deviceID?: number;
  /** 0 unknown, 1 up, 2 down, 3 administratively down, 4 gone from the device. */
  status?: number;
  /** Container of the device. */
  domainID?: number;
  /** Address of the interface itself; empty: none. */
  ip?: string;
  /** MAC address of the interface itself. Written as a MAC address in any notation; empty for none. */
  physAddr?: string;
  /** Name assigned by administrators; initially the ifAlias of the device. */
  label?: string;
  /** 0 nothing connected, 1 registered host, 2 rogue, 3 IP phone, 4 host registered as device, 5 several hosts, 6 rogue and phone, 7 registered host and phone, 8 learned uplink, 9 threshold uplink, 10 user-defined uplink, 11 WAP uplink, 12 disabled host, 13 host at risk. */
  connectionState?: number;
  /** VLAN it returns to when no host is connected. */
  defaultVlan?: string;
  /** VLAN at the last reading. */
  currentVlan?: string;
  /** CLI configuration in force; empty: none. */
  currentCli?: string;
  notes?: string;
  /** User who last changed the record. */
  lastModifiedBy?: string;
  /** Description of the last change of the port. */
  lastChangeSummary?: string;
  /** When it was last changed. */
  lastModifiedDate?: string;
  /** False for virtual interfaces. */
  displayable?: boolean;
  /** ifName, the stable key of the port; the portID of an SSID or VPN entry. */
  ifname?: string;
  /** ifIndex; the device may change it at a restart. Empty: none. */
  ifindex?: string;
  /** Bits per second. */
  ifspeed?: string;
  /** ifDescr. */
  ifdescr?: string;
  /** 0 not reported, 1 up, 2 down, 3 testing. Configured state (ifAdminStatus). */
  ifadminStatus?: number;
  /** 0 not reported, 1 up, 2 down, 3 testing, 4 unknown, 5 dormant, 6 not present, 7 lower layer down. Operational state (ifOperStatus). */
  ifoperStatus?: number;
  /** Type of the newest event of this port; empty: none yet. */
  yamsEventTag?: string;
  /** The last audit record of this record. */
  auditObj?: AuditObject;
  /** Never classify it as a learned or threshold uplink. */
  uplinkDisabled?: boolean;
}

export interface CliCredentials {
  userName: string;
  passwordSet: boolean;
  enablePasswordSet: boolean;
  port: number;
  /** Host key pinned at the first connection; the command line is not used while it differs. */
  hostKey: string | null;
}

export interface CliCredentialsInput {
  userName?: string;
  /** Password of the account. */
  password?: string | null;
  /** Password for privileged mode. */
  enablePassword?: string | null;
  port?: number;
  /** Null deletes the pinned key, so that the next one is accepted. */
  hostKey?: string | null;
  /** Accepted as it was read; ignored on write. */
  passwordSet?: boolean;
  /** Accepted as it was read; ignored on write. */
  enablePasswordSet?: boolean;
}

export interface Condition {
  /** Name of an attribute, such as host.operatingSystem. */
  attribute: string;
  /** Operator. LIKE takes the wildcards * and ?; a policy has at most 1,000 patterns, wildcards in them and networks. GT, GE, LT and LE take a number or a time; a text matches only if it is a number. OLDER_THAN and NEWER_THAN take minutes; IS_SET and NOT_SET take no value. */
  op:
    | 'EQ'
    | 'NE'
    | 'IN'
    | 'NOT_IN'
    | 'LIKE'
    | 'NOT_LIKE'
    | 'GT'
    | 'GE'
    | 'LT'
    | 'LE'
    | 'IN_SUBNET'
    | 'OLDER_THAN'
    | 'NEWER_THAN'
    | 'IS_SET'
    | 'NOT_SET';
  /** Value that the attribute is compared with; a list for IN and NOT_IN. */
  value: string | number | boolean | string[] | null;
}

export interface ConditionInput {
  /** Name of an attribute, such as host.operatingSystem. */
  attribute: string;
  /** Operator. LIKE takes the wildcards * and ?; a policy has at most 1,000 patterns, wildcards in them and networks. GT, GE, LT and LE take a number or a time; a text matches only if it is a number. OLDER_THAN and NEWER_THAN take minutes; IS_SET and NOT_SET take no value. */
  op:
    | 'EQ'
    | 'NE'
    | 'IN'
    | 'NOT_IN'
    | 'LIKE'
    | 'NOT_LIKE'
    | 'GT'
    | 'GE'
    | 'LT'
    | 'LE'
    | 'IN_SUBNET'
    | 'OLDER_THAN'
    | 'NEWER_THAN'
    | 'IS_SET'
    | 'NOT_SET';
  /** Value that the attribute is compared with; a list for IN and NOT_IN. */
  value?: string | number | boolean | string[] | null;
}

export interface ConfiguredElementInput {
  elementType: 'CONTAINER' | 'DEVICE' | 'SSID' | 'PORT';
  elementID: number;
}

export interface ConnectionAccess {
  /** Outcome of the decision. */
  outcome: 'GRANT' | 'ISOLATE' | 'DENY' | 'NOT_ENFORCED';
  /** Null: not enforced. */
  accessState: 'DEAD_END' | 'QUARANTINE' | 'REGISTRATION' | 'AUTHENTICATION' | 'GUEST' | 'PRODUCTION' | null;
  /** The access policy or role mapping that applies; null: none, or not visible. */
  policyName: string | null;
  value: ConnectionAccessValue | null;
}

export interface ConnectionAccessValue {
  accessType: 'VLAN_ID' | 'VLAN_NAME' | 'FILTER_ID' | 'ROLE' | 'VPN_GROUP' | 'RADIUS_GROUP' | 'CLI' | 'DENY' | 'NONE';
  accessValue: string;
}

export interface ConnectionChange {
  /** MAC address of the adapter; null: the caller has no right to view hosts. */
  mac: string | null;
  /** The host; null: the caller has no right to view hosts. */
  hostID: number | null;
  /** Name of the host; null: it has none, or the caller has no right to view hosts. */
  hostName: string | null;
  /** The user that policies evaluate: the logged-on user, otherwise the owner; null: none, or not visible. */
  userName: string | null;
  /** Device and port; null: not visible. */
  location: string | null;
  /** Access now. */
  before: ConnectionAccess;
  /** Access after the write. */
  after: ConnectionAccess;
  /** Other policies that would change. */
  families: ConnectionFamilyChange[];
  /** NEXT_LOGIN: the connection gets the new access at its next RADIUS login. Null: this service does not apply it. Nothing is sent to a device. */
  enforcement: 'NEXT_LOGIN' | null;
  /** True: the write interrupts the connection. Always false in this release: nothing is sent to devices. */
  interrupts: boolean;
  /** True: the logical network has no value at this place. */
  unresolved: boolean;
}

export interface ConnectionFamilyChange {
  family: 'authentication' | 'compliance' | 'portal' | 'supplicant';
  /** The policy that applies now. */
  before: string | null;
  /** The policy that would apply. */
  after: string | null;
}

export interface ConsoleChanges {
  /** Where this entry ends; a stream goes on there, at any node. */
  position: string;
  changes: TopicChanges[];
}

/** Folders of the topology (campus, building, floor) that hold devices and other containers. */
export interface Container {
  /** Number of the cell that owns the record. */
  landscape: number;
  /** Identity of the record. */
  id: number;
  /** 0 active, 1 disabled, 2 being deleted. */
  state: number;
  /** 1: a container. */
  elementClass: number;
  /** Role assigned to new devices in this container. */
  role: string | null;
  /** Name, unique in the cell. */
  name: string;
  /** WIRELESS: access points added automatically go here; at most one container. */
  type: 'WIRELESS' | null;
  /** Always null; only devices have it. */
  protocol: string | null;
  /** 0 empty or unknown, 1 all devices in contact, 2 some lost, 3 all lost. */
  status: number;
  /** Name of the parent container; empty for the root. Absent on create: the root. */
  parent: string;
  /** DNS suffix removed from device names at discovery. */
  suffix: string | null;
  /** Number of configuration changes; send it back to detect concurrent changes. */
  version: number;
  notes: string | null;
  description: string | null;
  /** Device group that devices in this container join. */
  group: string | null;
  /** Seconds between contact polls of devices that are added to this container without an interval of their own. */
  pollingInterval: number;
  /** Newest poll of its devices. Written as an instant with the offset +0000. */
  lastPoll: string | null;
  /** Newest successful poll of its devices; 1970 means never. Written as an instant with the offset +0000. */
  lastSuccessfulPoll: string;
  /** MIB modules that its devices support. */
  mibs: string[];
  /** The newest DOMAIN_DESTROYED of this record. */
  destroyEvent: EventObject;
  /** The newest DOMAIN_CREATED of this record. */
  creationEvent: EventObject;
  /** The newest CONTACT_ESTABLISHED of this record. */
  establishedEvent: EventObject;
  /** The newest CONTACT_LOST of this record. */
  lostEvent: EventObject;
  /** Bit mask of what changed since the last poll of a monitor; 0 elsewhere. */
  changeMask: number;
  attributeNames: string[];
  /** Always null; only devices have it. */
  physicalAddress: string | null;
  /** Always null; only devices have it. */
  sysOid: string | null;
  /** Same as version. */
  packedVersion: number;
  /** Name of the record in the audit log. */
  auditObjectName: string;
  auditObjectType: AuditObjectType;
  /** Audit record of its creation. */
  addAuditSummary: string;
  /** Names from the root down, separated by slashes. */
  domainName: string;
  identification: string;
  /** URL of the record. */
  requestString: string;
  /** Free attributes. Stored, without effect until policies have conditions on containers. */
  attribute: ContainerAttribute[];
  /** Bit mask of what the last write changed. */
  lastChangeMask: number;
}

export interface ContainerAttribute {
  name: string;
  value: string;
}

export interface ContainerAttributeInput {
  name: string;
  value: string;
}

export interface ContainerFeedEntry {
  /** Position of this entry; sent with the next poll, it acknowledges everything up to here. */
  position: string;
  change: 'added' | 'modified' | 'removed';
  /** Current state of the record; a removed record has only its identity. */
  record: ChangedContainer;
}

export interface ContainerInput {
  /** Number of the cell that owns the record. */
  landscape?: number;
  /** Identity of the record. */
  id?: number | null;
  /** 0 active, 1 disabled, 2 being deleted. */
  state?: number;
  /** 1: a container. */
  elementClass?: number;
  /** Role assigned to new devices in this container. */
  role?: string | null;
  /** Name, unique in the cell. */
  name?: string;
  /** WIRELESS: access points added automatically go here; at most one container. */
  type?: 'WIRELESS' | null;
  /** Always null; only devices have it. */
  protocol?: string | null;
  /** 0 empty or unknown, 1 all devices in contact, 2 some lost, 3 all lost. */
  status?: number;
  /** Name of the parent container; empty for the root. Absent on create: the root. */
  parent?: string;
  /** DNS suffix removed from device names at discovery. */
  suffix?: string | null;
  /** Number of configuration changes; send it back to detect concurrent changes. */
  version?: number;
  notes?: string | null;
  description?: string | null;
  /** Device group that devices in this container join. */
  group?: string | null;
  /** Seconds between contact polls of devices that are added to this container without an interval of their own. */
  pollingInterval?: number;
  /** Newest poll of its devices. Written as an instant with the offset +0000. */
  lastPoll?: string | null;
  /** Newest successful poll of its devices; 1970 means never. Written as an instant with the offset +0000. */
  lastSuccessfulPoll?: string;
  /** MIB modules that its devices support. */
  mibs?: string[];
  /** The newest DOMAIN_DESTROYED of this record. */
  destroyEvent?: EventObjectInput;
  /** The newest DOMAIN_CREATED of this record. */
  creationEvent?: EventObjectInput;
  /** The newest CONTACT_ESTABLISHED of this record. */
  establishedEvent?: EventObjectInput;
  /** The newest CONTACT_LOST of this record. */
  lostEvent?: EventObjectInput;
  /** Bit mask of what changed since the last poll of a monitor; 0 elsewhere. */
  changeMask?: number;
  attributeNames?: string[];
  /** Always null; only devices have it. */
  physicalAddress?: string | null;
  /** Always null; only devices have it. */
  sysOid?: string | null;
  /** Same as version. */
  packedVersion?: number;
  /** Name of the record in the audit log. */
  auditObjectName?: string;
  auditObjectType?: AuditObjectTypeInput;
  /** Audit record of its creation. */
  addAuditSummary?: string;
  /** Names from the root down, separated by slashes. */
  domainName?: string;
  identification?: string;
  /** URL of the record. */
  requestString?: string;
  /** Free attributes. Stored, without effect until policies have conditions on containers. */
  attribute?: ContainerAttributeInput[];
  /** Bit mask of what the last write changed. */
  lastChangeMask?: number;
}

export interface CountByValue {
  /** As a filter writes it; null: no value. */
  value: string | null;
  count: number;
  /** Begin of the step; null without `per`. */
  from: string | null;
}

export interface CreatedAccount {
  /** Identity of the record. */
  id: number;
  /** Number of the cell that owns the record. */
  landscape: number;
  /** Number of configuration changes; send it back to detect concurrent changes. */
  version: number;
  /** User who last changed the record. */
  lastModifiedBy: string;
  /** When it was last changed. */
  lastModifiedDate: string;
  userID: string;
  firstName: string;
  lastName: string;
  email: string;
  source: 'LOCAL' | 'DIRECTORY' | 'IDP' | 'RADIUS' | 'GUEST';
  /** Role that policies match on. A value sent here is fixed until it is sent empty. */
  role: string;
  /** Source of the role. */
  roleSource: 'ADMIN' | 'PROFILING_RULE' | 'DIRECTORY' | 'GROUP' | 'VENDOR_OUI' | 'PORTAL' | 'DEFAULT';
  state: 'ENABLED' | 'DISABLED';
  /** Admin profile; makes the account an administrator. */
  adminProfileDBID: number | null;
  /** Whether the profile was assigned by hand, or by a mapping that may remove it again. */
  adminProfileSource: 'ASSIGNED' | 'MAPPING' | null;
  /** Name of the admin profile. */
  profileName: string;
  /** The password must be changed at the next sign-in, before anything else. */
  mustChangePassword: boolean;
  /** Failed logins of the last hour, from all networks. */
  failedLogins: number;
  /** End of the last lock of a network from which the account failed to sign in; null: no network is locked. */
  lockedUntil: string | null;
  /** From then on the account cannot be used; null: never. */
  expirationDate: string | null;
  /** Whether networkPassword is set. */
  networkPasswordSet: boolean;
  /** Last successful login. */
  lastLoginDate: string | null;
  /** One-time password, returned only here; null if the request contained a password. */
  password: string | null;
}

export interface Criteria {
  /** Hosts and users. All three lists must match; an empty list matches everything. */
  who: PolicyWho;
  /** Places; a match in any of the four lists is enough. All empty: any place. */
  where: PolicyWhere;
  /** Schedule, in the time zone of the cell. */
  when: WeeklySchedule;
}

export interface CriteriaInput {
  /** Hosts and users. All three lists must match; an empty list matches everything. */
  who?: PolicyWhoInput;
  /** Places; a match in any of the four lists is enough. All empty: any place. */
  where?: PolicyWhereInput;
  /** Schedule, in the time zone of the cell. */
  when?: WeeklyScheduleInput;
}

export interface DecidedReply {
  /** Access-Accept or Access-Reject. */
  code: string;
  attributes: ReplyAttribute[];
}

export interface DecidedValue {
  accessType: string;
  accessValue: string;
  /** PORT, SSID, DEVICE, CONTAINER, DEFAULT or DIRECT. */
  source: string;
}

export interface DeviceMove {
  id: number;
  name: string;
  /** Container it is in. */
  from: string;
  /** Target container. */
  to: string;
  /** Role before and after, if it changes with the container. */
  roleChange: string | null;
  /** Device group it joins. */
  groupChange: string | null;
  /** Access policies and role mappings that lose or gain a connection to it. */
  policiesAffected: string[];
}

export interface DeviceNetworkValues {
  /** RADIUS attribute group of the device; null: the group of its driver. */
  radiusAttrGroupID?: number | null;
  configurations: NetworkValueOfElementInput[];
}

/** Rules that classify unknown devices; the first match by rank applies. */
export interface DeviceProfilingRule {
  /** Number of the cell that owns the record. */
  landscape: number;
  /** Identity of the record. */
  id: number;
  name: string;
  /** Device type assigned on a match; on write selected by id or tag. Stored, without effect until profiling rules are run. */
  type: DeviceTypeShown;
  /** Send mail to the sponsors who may manage this rule. Stored, without effect until profiling rules are run. */
  notify: boolean;
  /** True: register on a match; false: record the match, and an administrator registers the device. Stored, without effect until profiling rules are run. */
  registerAutomatically: boolean;
  /** Register matching devices. Stored, without effect until profiling rules are run. */
  registerClient: boolean;
  /** Register to the logged-on user. Stored, without effect until profiling rules are run. */
  registerToLoggedInUser: boolean;
  /** Role to assign; empty: none. Stored, without effect until profiling rules are run. */
  role: string;
  /** Add the host to the group groupId. Stored, without effect until profiling rules are run. */
  addToGroup: boolean;
  /** Host group; 0: none. Stored, without effect until profiling rules are run. */
  groupId: number;
  /** Add the host to the container domainId as a pingable device. Stored, without effect until profiling rules are run. */
  addToDomain: boolean;
  /** Container; 0: none. Stored, without effect until profiling rules are run. */
  domainId: number;
  /** INVALID: enabled, but a reference or a secret is missing; it is skipped. */
  state: 'ACTIVE' | 'DISABLED' | 'INVALID';
  /** Number of configuration changes; send it back to detect concurrent changes. */
  version: number;
  /** Place in the order, from 1. On create absent or 0: last; on update: move. Stored, without effect until profiling rules are run. */
  rank: number;
  /** New rules are disabled by default. Stored, without effect until profiling rules are run. */
  enabled: boolean;
  /** Matching methods: all enabled ones must match. Each type at most once. Stored, without effect until profiling rules are run. */
  methods: ProfilingMethod[];
  description: string;
  /** Note for the sponsors who are notified of a match. Stored, without effect until profiling rules are run. */
  sponsorNote: string;
  /** When devices matched by this rule may use the network. */
  weeklySchedule: WeeklySchedule;
  /** Revalidate the device each time it connects. Stored, without effect until profiling rules are run. */
  reValidation: boolean;
  /** Minutes between revalidations; 0: only when it connects. Stored, without effect until profiling rules are run. */
  reValidationInterval: number;
  /** Action for a host that fails revalidation. Stored, without effect until profiling rules are run. */
  failedValidationAction: FailedValidationAction;
  /** User who last changed the record. */
  lastModifiedBy: string;
  /** When it was last changed. */
  lastModifiedDate: string;
  /** Assigned by a manager of several cells; 0: created here. */
  guid: number;
  /** Last change by a manager; 1970: never. */
  globalModifiedDate: string;
  /** User to register to; empty: none. Stored, without effect until profiling rules are run. */
  registerToUser: string;
  tags: string[];
  /** Name of the record in the audit log. */
  auditObjectName: string;
  auditObjectType: AuditObjectType;
  /** Summary of the last change from the audit log; empty: none yet. */
  modifyAuditSummary: string;
  /** Audit record of its creation. */
  addAuditSummary: string;
  /** The built-in last rule: it matches if no other rule matches, and has no methods. */
  catchAll: boolean;
  /** Summary of its enabled methods, such as OUI, DHCP, TCP 9100. */
  methodSummaryString: string;
}

export interface DeviceProfilingRuleInput {
  /** Number of the cell that owns the record. */
  landscape?: number;
  /** Identity of the record. */
  id?: number | null;
  name?: string;
  /** Device type assigned on a match; on write selected by id or tag. Stored, without effect until profiling rules are run. */
  type?: DeviceTypeShownInput;
  /** Send mail to the sponsors who may manage this rule. Stored, without effect until profiling rules are run. */
  notify?: boolean;
  /** True: register on a match; false: record the match, and an administrator registers the device. Stored, without effect until profiling rules are run. */
  registerAutomatically?: boolean;
  /** Register matching devices. Stored, without effect until profiling rules are run. */
  registerClient?: boolean;
  /** Register to the logged-on user. Stored, without effect until profiling rules are run. */
  registerToLoggedInUser?: boolean;
  /** Role to assign; empty: none. Stored, without effect until profiling rules are run. */
  role?: string;
  /** Add the host to the group groupId. Stored, without effect until profiling rules are run. */
  addToGroup?: boolean;
  /** Host group; 0: none. Stored, without effect until profiling rules are run. */
  groupId?: number;
  /** Add the host to the container domainId as a pingable device. Stored, without effect until profiling rules are run. */
  addToDomain?: boolean;
  /** Container; 0: none. Stored, without effect until profiling rules are run. */
  domainId?: number;
  /** INVALID: enabled, but a reference or a secret is missing; it is skipped. */
  state?: 'ACTIVE' | 'DISABLED' | 'INVALID';
  /** Number of configuration changes; send it back to detect concurrent changes. */
  version?: number;
  /** Place in the order, from 1. On create absent or 0: last; on update: move. Stored, without effect until profiling rules are run. */
  rank?: number;
  /** New rules are disabled by default. Stored, without effect until profiling rules are run. */
  enabled?: boolean;
  /** Matching methods: all enabled ones must match. Each type at most once. Stored, without effect until profiling rules are run. */
  methods?: ProfilingMethodInput[];
  description?: string;
  /** Note for the sponsors who are notified of a match. Stored, without effect until profiling rules are run. */
  sponsorNote?: string;
  /** When devices matched by this rule may use the network. */
  weeklySchedule?: WeeklyScheduleInput;
  /** Revalidate the device each time it connects. Stored, without effect until profiling rules are run. */
  reValidation?: boolean;
  /** Minutes between revalidations; 0: only when it connects. Stored, without effect until profiling rules are run. */
  reValidationInterval?: number;
  /** Action for a host that fails revalidation. Stored, without effect until profiling rules are run. */
  failedValidationAction?: FailedValidationActionInput;
  /** User who last changed the record. */
  lastModifiedBy?: string;
  /** When it was last changed. */
  lastModifiedDate?: string;
  /** Assigned by a manager of several cells; 0: created here. */
  guid?: number;
  /** Last change by a manager; 1970: never. */
  globalModifiedDate?: string;
  /** User to register to; empty: none. Stored, without effect until profiling rules are run. */
  registerToUser?: string;
  tags?: string[];
  /** Name of the record in the audit log. */
  auditObjectName?: string;
  auditObjectType?: AuditObjectTypeInput;
  /** Summary of the last change from the audit log; empty: none yet. */
  modifyAuditSummary?: string;
  /** Audit record of its creation. */
  addAuditSummary?: string;
  /** The built-in last rule: it matches if no other rule matches, and has no methods. */
  catchAll?: boolean;
  /** Summary of its enabled methods, such as OUI, DHCP, TCP 9100. */
  methodSummaryString?: string;
}

/** Settings of device polling and trap handling for the whole cell. */
export interface DeviceProperties {
  /** Seconds after a linkUp before the forwarding table is read. */
  minTrapPeriod: number;
  /** How often further linkUp traps may postpone that. */
  maxTrapPeriods: number;
  /** Seconds after a restart before the interfaces are read. */
  coldWarmTrapDelay: number;
  /** Seconds after a registration before access changes, so that the user can read the page. Not supported yet: only 5 is accepted until decisions are enforced on ports. */
  registrationDelay: number;
  /** Seconds before a VLAN is changed. Not supported yet: only 0 is accepted until decisions are enforced on ports. */
  vlanSwitchingDelay: number;
  /** Seconds after the last host left before the port returns to its VLAN. Not supported yet: only 60 is accepted until decisions are enforced on ports. */
  vlanResetDelay: number;
  /** How long a bounced port is down. Not supported yet: only 3 is accepted until decisions are enforced on ports. */
  bounceDownSeconds: number;
  /** A port with more MAC addresses than this becomes an uplink. */
  uplinkCount: number;
  /** Seconds within which the same MAC address on two ports is reported as spoofing. */
  macSpoofDelay: number;
  /** More MAC addresses than this on a port emit an event. Not supported yet: only 3 is accepted until ports with several hosts are reported. */
  multiAccessThreshold: number;
  /** Follow LLDP neighbours. */
  lldpDiscovery: boolean;
  /** Follow CDP neighbours. */
  cdpDiscovery: boolean;
  /** Maximum hops of a discovery. */
  maxHops: number;
  /** Ignore MAC addresses that a switch reports on ports with a phone. Not supported yet: only true is accepted until phones are recognised. */
  ignoreMacNotificationOnPhone: boolean;
  /** Reading interfaces does not overwrite an edited label. */
  preservePortNames: boolean;
  /** Seconds to wait for the command line. */
  cliTimeout: number;
  /** Seconds to wait for an SNMP response. */
  snmpTimeout: number;
  /** Number of SNMP retries. */
  snmpRetries: number;
  /** Maximum number of hosts per user. */
  allowedHosts: number;
  /** User who last changed the record. */
  lastModifiedBy: string;
  /** When it was last changed. */
  lastModifiedDate: string;
  /** Number of configuration changes; send it back to detect concurrent changes. */
  version: number;
}

export interface DevicePropertiesInput {
  /** Seconds after a linkUp before the forwarding table is read. */
  minTrapPeriod?: number;
  /** How often further linkUp traps may postpone that. */
  maxTrapPeriods?: number;
  /** Seconds after a restart before the interfaces are read. */
  coldWarmTrapDelay?: number;
  /** Seconds after a registration before access changes, so that the user can read the page. Not supported yet: only 5 is accepted until decisions are enforced on ports. */
  registrationDelay?: number;
  /** Seconds before a VLAN is changed. Not supported yet: only 0 is accepted until decisions are enforced on ports. */
  vlanSwitchingDelay?: number;
  /** Seconds after the last host left before the port returns to its VLAN. Not supported yet: only 60 is accepted until decisions are enforced on ports. */
  vlanResetDelay?: number;
  /** How long a bounced port is down. Not supported yet: only 3 is accepted until decisions are enforced on ports. */
  bounceDownSeconds?: number;
  /** A port with more MAC addresses than this becomes an uplink. */
  uplinkCount?: number;
  /** Seconds within which the same MAC address on two ports is reported as spoofing. */
  macSpoofDelay?: number;
  /** More MAC addresses than this on a port emit an event. Not supported yet: only 3 is accepted until ports with several hosts are reported. */
  multiAccessThreshold?: number;
  /** Follow LLDP neighbours. */
  lldpDiscovery?: boolean;
  /** Follow CDP neighbours. */
  cdpDiscovery?: boolean;
  /** Maximum hops of a discovery. */
  maxHops?: number;
  /** Ignore MAC addresses that a switch reports on ports with a phone. Not supported yet: only true is accepted until phones are recognised. */
  ignoreMacNotificationOnPhone?: boolean;
  /** Reading interfaces does not overwrite an edited label. */
  preservePortNames?: boolean;
  /** Seconds to wait for the command line. */
  cliTimeout?: number;
  /** Seconds to wait for an SNMP response. */
  snmpTimeout?: number;
  /** Number of SNMP retries. */
  snmpRetries?: number;
  /** Maximum number of hosts per user. */
  allowedHosts?: number;
  /** User who last changed the record. */
  lastModifiedBy?: string;
  /** When it was last changed. */
  lastModifiedDate?: string;
  /** Number of configuration changes; send it back to detect concurrent changes. */
  version?: number;
}

export interface DeviceRegistration {
  /** The hosts. */
  id: number[];
  /** Tag of the device type. */
  deviceType: string;
  /** Role to assign. */
  role?: string;
  /** Name; only for one host. */
  name?: string;
  /** HOST (default): as a host; TOPOLOGY: as a pingable device; BOTH. */
  registerAs?: 'HOST' | 'TOPOLOGY' | 'BOTH';
  /** Container of the pingable device. */
  containerID?: number;
  /** Host groups that they join. */
  groupIDs?: number[];
}

/** Types of devices (printer, camera, IP phone) with their icons. */
export interface DeviceType {
  /** Identity of the record. */
  id: number;
  /** Same as the identity. */
  dbid: number;
  name: string;
  /** Stable key of the type for rules and other systems; it cannot be changed. Written as 2 to 40 lower-case letters, digits and hyphens. */
  tag: string;
  /** Path of the icon to show: one of the library, or the uploaded one at /icons/device-type/{id}. Absent on create: the uploaded one, if there is one. */
  imageFile: string;
  /** Icon for tables: a data URI of a PNG or SVG image, at most 64 KiB. Everything but drawing elements is removed from SVG. Written as a data URI of a PNG or SVG image, such as data:image/png;base64,…. */
  smallIcon: string | null;
  /** Icon for pages: a data URI of a PNG or SVG image, at most 64 KiB. Everything but drawing elements is removed from SVG. Written as a data URI of a PNG or SVG image, such as data:image/png;base64,…. */
  largeIcon: string | null;
  /** Category, for grouping. */
  category:
    | 'COMPUTER'
    | 'MOBILE'
    | 'NETWORK'
    | 'VOICE'
    | 'PRINT'
    | 'VIDEO'
    | 'IOT'
    | 'INDUSTRIAL'
    | 'MEDICAL'
    | 'ENTERTAINMENT'
    | 'OTHER';
  /** Built in; cannot be changed or deleted. */
  defaultType: boolean;
  /** Hosts of this type. */
  hostCount: number;
  /** Identity of the record on the manager that distributed it; 0: it belongs to this cell. */
  guid: number;
  /** Last change by the manager. */
  globalModifiedDate: string | null;
  /** User who last changed the record. */
  lastModifiedBy: string;
  /** When it was last changed. */
  lastModifiedDate: string;
  /** Number of configuration changes; send it back to detect concurrent changes. */
  version: number;
}

export interface DeviceTypeInUse {
  name: string;
  tag: string;
  imageFile: string;
  id: number;
  /** Hosts of this type. */
  hosts: number;
  /** Hosts of this type that are connected. */
  online: number;
}

export interface DeviceTypeInput {
  /** Identity of the record. */
  id?: number | null;
  /** Same as the identity. */
  dbid?: number;
  name?: string;
  /** Stable key of the type for rules and other systems; it cannot be changed. Written as 2 to 40 lower-case letters, digits and hyphens. */
  tag?: string;
  /** Path of the icon to show: one of the library, or the uploaded one at /icons/device-type/{id}. Absent on create: the uploaded one, if there is one. */
  imageFile?: string;
  /** Icon for tables: a data URI of a PNG or SVG image, at most 64 KiB. Everything but drawing elements is removed from SVG. Written as a data URI of a PNG or SVG image, such as data:image/png;base64,…. */
  smallIcon?: string | null;
  /** Icon for pages: a data URI of a PNG or SVG image, at most 64 KiB. Everything but drawing elements is removed from SVG. Written as a data URI of a PNG or SVG image, such as data:image/png;base64,…. */
  largeIcon?: string | null;
  /** Category, for grouping. */
  category?:
    | 'COMPUTER'
    | 'MOBILE'
    | 'NETWORK'
    | 'VOICE'
    | 'PRINT'
    | 'VIDEO'
    | 'IOT'
    | 'INDUSTRIAL'
    | 'MEDICAL'
    | 'ENTERTAINMENT'
    | 'OTHER';
  /** Built in; cannot be changed or deleted. */
  defaultType?: boolean;
  /** Hosts of this type. */
  hostCount?: number;
  /** Identity of the record on the manager that distributed it; 0: it belongs to this cell. */
  guid?: number;
  /** Last change by the manager. */
  globalModifiedDate?: string | null;
  /** User who last changed the record. */
  lastModifiedBy?: string;
  /** When it was last changed. */
  lastModifiedDate?: string;
  /** Number of configuration changes; send it back to detect concurrent changes. */
  version?: number;
}

export interface DeviceTypeShown {
  name: string;
  tag: string;
  imageFile: string;
  id: number;
}

export interface DeviceTypeShownInput {
  name?: string;
  tag?: string;
  imageFile?: string;
  id?: number;
}

export interface DeviceVlan {
  id: number;
  name: string;
}

export interface DeviceVlanInput {
  id?: number;
  name?: string;
}

export interface DirectValue {
  accessType: 'VLAN_ID' | 'VLAN_NAME' | 'FILTER_ID' | 'ROLE' | 'VPN_GROUP' | 'RADIUS_GROUP' | 'CLI' | 'DENY' | 'NONE';
  accessValue: string;
  /** Name of the VLAN, otherwise the value. */
  label: string;
  /** Number of records that grant it. */
  usedBy: number;
  /** Number of these devices that have the VLAN. */
  knownOn: number;
  /** Devices whose VLANs were read and do not include this one, by name; at most 100. */
  missingOn: MissingOnDevice[];
}

/** Actions at the logon of a directory user; the first match by rank applies. */
export interface DirectoryAgentConfig {
  /** Identity of the record. */
  dbid: number;
  /** Place in the order, from 1. On create absent or 0: last; on update: move. Stored, without effect until directory agents connect. */
  rank: number;
  /** Number of configuration changes; send it back to detect concurrent changes. */
  version: number;
  /** User who last changed the record. */
  lastModifiedBy: string;
  /** When it was last changed. */
  lastModifiedDate: string;
  name: string;
  /** Register an unknown host. Stored, without effect until directory agents connect. */
  registerRogue: boolean;
  /** True: register to the user; false: register as a device by host name. Stored, without effect until directory agents connect. */
  registerByUser: boolean;
  /** Directory group the user must be in; empty: any. Stored, without effect until directory agents connect. */
  appliedGroupName: string;
  /** Host groups that the host joins. Stored, without effect until directory agents connect. */
  addGroupList: DirectoryAgentGroupListItem[];
  /** Copy of addGroupList; if sent, it must be equal to it. */
  addGroupListCopy: DirectoryAgentGroupListItem[];
  /** Compliance scan to run; empty: the one chosen by policy. */
  policyName: string;
  /** Scan if the last scan is older than this many minutes; 0: at every logon; -1: never. Stored, without effect until directory agents connect. */
  scanGraceLength: number;
  /** Stored, without effect until directory agents connect. */
  enabled: boolean;
  /** Write each decision to the debug log. Stored, without effect until directory agents connect. */
  debug: boolean;
  /** Event type of the last change. */
  yamsEventTag: string;
  /** The last audit record of this record. */
  auditObj: AuditObject;
  /** The groups by id; used if addGroupList is absent. */
  addToGroupIDs: number[];
  /** The groups by name; used if addGroupList is absent. */
  addToGroupNames: string[];
  /** Name of the record in the audit log. */
  auditObjectName: string;
  auditObjectType: AuditObjectType;
}

export interface DirectoryAgentConfigInput {
  /** Identity of the record. */
  dbid?: number | null;
  /** Place in the order, from 1. On create absent or 0: last; on update: move. Stored, without effect until directory agents connect. */
  rank?: number;
  /** Number of configuration changes; send it back to detect concurrent changes. */
  version?: number;
  /** User who last changed the record. */
  lastModifiedBy?: string;
  /** When it was last changed. */
  lastModifiedDate?: string;
  name?: string;
  /** Register an unknown host. Stored, without effect until directory agents connect. */
  registerRogue?: boolean;
  /** True: register to the user; false: register as a device by host name. Stored, without effect until directory agents connect. */
  registerByUser?: boolean;
  /** Directory group the user must be in; empty: any. Stored, without effect until directory agents connect. */
  appliedGroupName?: string;
  /** Host groups that the host joins. Stored, without effect until directory agents connect. */
  addGroupList?: DirectoryAgentGroupListItemInput[];
  /** Copy of addGroupList; if sent, it must be equal to it. */
  addGroupListCopy?: DirectoryAgentGroupListItemInput[];
  /** Compliance scan to run; empty: the one chosen by policy. */
  policyName?: string;
  /** Scan if the last scan is older than this many minutes; 0: at every logon; -1: never. Stored, without effect until directory agents connect. */
  scanGraceLength?: number;
  /** Stored, without effect until directory agents connect. */
  enabled?: boolean;
  /** Write each decision to the debug log. Stored, without effect until directory agents connect. */
  debug?: boolean;
  /** Event type of the last change. */
  yamsEventTag?: string;
  /** The last audit record of this record. */
  auditObj?: AuditObjectInput;
  /** The groups by id; used if addGroupList is absent. */
  addToGroupIDs?: number[];
  /** The groups by name; used if addGroupList is absent. */
  addToGroupNames?: string[];
  /** Name of the record in the audit log. */
  auditObjectName?: string;
  auditObjectType?: AuditObjectTypeInput;
}

export interface DirectoryAgentGroupListItem {
  /** Identity of the entry; assigned by the service. */
  directoryAgentGroupListItemID: number;
  /** The host group. */
  addGroupID: number;
  /** Name of the host group; send this or addGroupID. */
  addGroupName: string;
  /** Name of this configuration. */
  config: string;
}

export interface DirectoryAgentGroupListItemInput {
  /** Identity of the entry; assigned by the service. */
  directoryAgentGroupListItemID?: number;
  /** The host group. */
  addGroupID?: number;
  /** Name of the host group; send this or addGroupID. */
  addGroupName?: string;
  /** Name of this configuration. */
  config?: string;
}

export interface DisableByIp {
  /** Its current address. Written as an IPv4 or IPv6 address. */
  ip: string;
}

export interface DisableByMac {
  /** MAC address of one of its adapters, in any notation. Written as a MAC address in any notation; empty for none. */
  mac: string;
}

export interface DiscoveryCredentialInput {
  /** Version of SNMP. */
  snmpProtocol: 'V1' | 'V2C' | 'V3_AUTH_NO_PRIV' | 'V3_AUTH_PRIV';
  snmpPort?: number;
  /** Communities of version 1 and 2c, tried in this order. */
  snmpSecurityStrings?: string[] | null;
  /** SNMPv3 user name. */
  snmpUsername?: string | null;
  /** How SNMPv3 signs. */
  snmpAuthenticationProtocol?: 'MD5' | 'SHA' | 'SHA224' | 'SHA256' | 'SHA384' | 'SHA512' | null;
  /** SNMPv3 authentication password. Required again when one of these changes: ipAddress, snmpPort, protocol, snmpUsername, snmpAuthenticationProtocol, snmpPrivacyProtocol. */
  snmpAuthenticationPassword?: string | null;
  /** SNMPv3 privacy protocol; null: no encryption. AES256 with key extension by Blumenthal (B) or Reeder (R). */
  snmpPrivacyProtocol?: 'DES' | 'AES' | 'AES256B' | 'AES256R' | null;
  /** SNMPv3 privacy password. Required again when one of these changes: ipAddress, snmpPort, protocol, snmpUsername, snmpAuthenticationProtocol, snmpPrivacyProtocol. */
  snmpPrivacyPassword?: string | null;
  cliCredentials?: CliCredentialsInput | null;
}

export interface DiscoveryItem {
  /** Written as an IPv4 or IPv6 address. */
  ipAddress: string;
  /** UPDATED: the working credential was stored for a known device. DUPLICATE: another address of a known device. */
  outcome: 'ADDED' | 'UPDATED' | 'KNOWN' | 'NO_SNMP' | 'PINGABLE_ADDED' | 'DUPLICATE' | 'FAILED';
  /** The device at this address. */
  deviceID: number | null;
  /** Name of the device. */
  name: string | null;
  /** Reason for the outcome. */
  detail: string | null;
}

export interface DiscoveryRequest {
  /** Container for the devices that are found. */
  containerID: number;
  /** Addresses to probe, at most 65536; with seeds, the only addresses that may be probed. */
  ranges?: AddressRangeInput[];
  /** A network address group whose addresses are added to the ranges. */
  addressGroupID?: number | null;
  /** Devices to start with: their neighbours are probed next, and so on. */
  seeds?: string[];
  /** Follow neighbours reported by LLDP. Default: true. */
  useLLDP?: boolean;
  /** Follow neighbours reported by CDP. Default: true. */
  useCDP?: boolean;
  /** Maximum hops from the seeds; absent: maxHops of the device properties. */
  maxHops?: number;
  /** Tried in this order at each address; the one that works is stored with the device. */
  credentials: DiscoveryCredentialInput[];
  /** Also add devices that respond only to ping. Default: false. */
  addPingable?: boolean;
  /** Addresses probed per second. Default: 50. */
  probesPerSecond?: number;
}

/** Discoveries of network devices in address ranges, each into one container. */
export interface DiscoveryRun {
  /** Identity of the record. */
  id: number;
  /** Container for the devices that are found. */
  containerID: number;
  /** Name of the container when the run started. */
  containerName: string;
  /** QUEUED, RUNNING and STOPPING are in progress; the others have ended. */
  state: 'QUEUED' | 'RUNNING' | 'STOPPING' | 'STOPPED' | 'DONE' | 'FAILED';
  /** User who started it. */
  startedBy: string;
  /** When it was requested. */
  startedAt: string;
  /** When it ended. */
  finishedAt: string | null;
  /** Addresses to probe, as far as known; neighbours are added during the run. */
  addressesTotal: number;
  /** Addresses that were probed. */
  addressesProbed: number;
  /** Addresses that responded to ping or SNMP. */
  responded: number;
  /** Devices that were added, including pingable ones. */
  devicesAdded: number;
  /** Known devices for which the working credential was stored. */
  devicesUpdated: number;
  /** Addresses that responded without a change: known, a duplicate, or without SNMP. */
  skipped: number;
  /** How many steps from the seeds the farthest address is. */
  hop: number;
  /** Addresses with an error. */
  errors: number;
  /** Outcome of each address that responded, the latest 500, newest first; [] in a list of runs. */
  items: DiscoveryItem[];
}

export interface DiscoveryStop {
  /** The run. */
  id?: number;
  /** Instead of id: the discovery into this container. */
  containerID?: number;
}

export interface EffectiveNetworkValue {
  /** The configuration that applies; null: the default of the network, or no value. */
  id: number | null;
  /** The logical network. */
  logicalNetworkID: number;
  /** Name of the logical network. */
  logicalNetworkName: string;
  /** Lines that apply the value. Placeholders: %PORT%, %IFINDEX%, %MAC%, %VLAN%, %HOST%. */
  cliApply: string[];
  /** Lines sent when the connection ends or the value changes. */
  cliUndo: string[];
  /** How the value applies; null: no value here. */
  accessEnforcement: 'ENFORCE' | 'BYPASS' | 'DENY' | null;
  accessType:
    | 'VLAN_ID'
    | 'VLAN_NAME'
    | 'FILTER_ID'
    | 'ROLE'
    | 'VPN_GROUP'
    | 'RADIUS_GROUP'
    | 'CLI'
    | 'DENY'
    | 'NONE'
    | null;
  accessValue: string | null;
  inheritedFrom: ValueInheritedFrom | null;
}

export interface ElementProperties {
  elementType: 'CONTAINER' | 'DEVICE' | 'SSID' | 'PORT';
  elementID: number;
  elementName: string;
  /** Access types that the device supports. */
  supportedAccessTypes: (
    | 'VLAN_ID'
    | 'VLAN_NAME'
    | 'FILTER_ID'
    | 'ROLE'
    | 'VPN_GROUP'
    | 'RADIUS_GROUP'
    | 'CLI'
    | 'DENY'
    | 'NONE'
  )[];
  /** VLANs configured on it. */
  vlans: DeviceVlan[];
  /** RADIUS attribute group of the device; null: the group of its driver. */
  radiusAttrGroupID: number | null;
  /** Every logical network with its value here, by name. */
  configurations: EffectiveNetworkValue[];
}

export interface EnableByIp {
  /** Its current address. Written as an IPv4 or IPv6 address. */
  ip: string;
}

export interface EnableByMac {
  /** MAC address of one of its adapters, in any notation. Written as a MAC address in any notation; empty for none. */
  mac: string;
}

export interface EnforcedPort {
  /** dbid of the port. */
  portID: number;
  /** Name on the device (ifName), or name of the SSID or VPN entry. */
  name: string;
  /** The device it belongs to. */
  deviceID: number;
  /** Name of the device. */
  deviceName: string;
  /** Enforcement groups that contain it, directly or through a nested group. */
  groups: EnforcementGroup[];
  /** Host states that it isolates, in the order of evaluation. */
  enforced: string[];
  /** Number of connected adapters. */
  hosts: number;
  /** Number of connected adapters of rogue hosts. */
  rogues: number;
  /** Decided state of the connected adapters, of several the most restrictive; null: nobody is connected, or nothing is enforced. */
  accessState: string | null;
  /** VLAN that is decided now; null: none is. */
  desiredVlan: string | null;
  /** VLAN at the last reading. */
  currentVlan: string;
  /** The current VLAN is the decided one, or none is decided. */
  inSync: boolean;
  /** Last change by the service; null: never, or no longer in the log. */
  lastChange: string | null;
}

export interface EnforcementGroup {
  id: number;
  /** Unique among groups of its type. */
  name: string;
  /** Host state that its ports isolate; built-in groups only. */
  enforcement: 'REGISTRATION' | 'AUTHENTICATION' | 'REMEDIATION' | 'DEAD_END' | 'ROLE' | 'NONE';
  /** Precedence of an enforcement group of ports, by host state; null: not an enforcement group. */
  rank: number | null;
}

/** Log of events, each written in the transaction that caused it. */
export interface Event {
  /** Number of the cell that owns the record. */
  landscape: number;
  /** Identity of the event; it contains the time. */
  id: number;
  /** 0 logged, 1 raised or joined an alarm, 2 that alarm is cleared, 3 cleared an alarm. */
  state: number;
  /** The name of its event type. */
  name: string;
  /** Type of the element it concerns: 0 system, 1 container, 2 device, 3 port, 4 host, 5 adapter, 6 user, 7 administrator, 8 group, 9 policy record, 10 integration, 11 process or job. */
  elementType: number;
  /** Identity of the element it concerns. */
  elementID: number;
  /** Its name at that time. */
  elementName: string | null;
  /** Additional text from the source of the event. */
  message: string | null;
  timeOfEvent: string;
  /** Version of the event format. */
  version: number;
  /** Epoch milliseconds. */
  time: number;
  /** True only in a record that embeds an event which never happened. */
  empty: boolean;
  /** Formatted text of the event. */
  eventFormatString: string;
  /** Identity of its event type. */
  eventTypeID: number;
  /** Part of the network or the service that it concerns. */
  category:
    | 'SYSTEM'
    | 'DEVICE'
    | 'PORT'
    | 'HOST'
    | 'USER'
    | 'ADMIN'
    | 'POLICY'
    | 'SECURITY'
    | 'LOGGING'
    | 'INTEGRATION'
    | 'EXTERNAL';
  /** Host it concerns. */
  hostID: number | null;
  /** Written as a MAC address in any notation; empty for none. */
  mac: string | null;
  /** IP address of the host, or of the client that caused it. Written as an IPv4 or IPv6 address. */
  ip: string | null;
  /** User it concerns, or who caused it. */
  userName: string | null;
  /** Location as text. */
  location: string | null;
  /** Additional values by name. */
  attributes: Record<string, string>;
  /** Notes added later. */
  notes: EventNote[];
  /** Alarms it raised, joined or cleared. */
  alarmIDs: number[];
  /** The request or job that caused it. */
  requestID: string | null;
}

export interface EventFeedEntry {
  /** Position of this entry; sent with the next poll, it acknowledges everything up to here. */
  position: string;
  change: 'added' | 'modified' | 'removed';
  /** Current state of the record; a removed record has only its identity. */
  record: ChangedEvent;
}

export interface EventInput {
  /** Number of the cell that owns the record. */
  landscape?: number;
  /** Identity of the event; it contains the time. */
  id?: number | null;
  /** 0 logged, 1 raised or joined an alarm, 2 that alarm is cleared, 3 cleared an alarm. */
  state?: number;
  /** The name of its event type. */
  name?: string;
  /** Type of the element it concerns: 0 system, 1 container, 2 device, 3 port, 4 host, 5 adapter, 6 user, 7 administrator, 8 group, 9 policy record, 10 integration, 11 process or job. */
  elementType?: number;
  /** Identity of the element it concerns. */
  elementID?: number;
  /** Its name at that time. */
  elementName?: string | null;
  /** Additional text from the source of the event. */
  message?: string | null;
  timeOfEvent?: string;
  /** Version of the event format. */
  version?: number;
  /** Epoch milliseconds. */
  time?: number;
  /** True only in a record that embeds an event which never happened. */
  empty?: boolean;
  /** Formatted text of the event. */
  eventFormatString?: string;
  /** Identity of its event type. */
  eventTypeID?: number;
  /** Part of the network or the service that it concerns. */
  category?:
    | 'SYSTEM'
    | 'DEVICE'
    | 'PORT'
    | 'HOST'
    | 'USER'
    | 'ADMIN'
    | 'POLICY'
    | 'SECURITY'
    | 'LOGGING'
    | 'INTEGRATION'
    | 'EXTERNAL';
  /** Host it concerns. */
  hostID?: number | null;
  /** Written as a MAC address in any notation; empty for none. */
  mac?: string | null;
  /** IP address of the host, or of the client that caused it. Written as an IPv4 or IPv6 address. */
  ip?: string | null;
  /** User it concerns, or who caused it. */
  userName?: string | null;
  /** Location as text. */
  location?: string | null;
  /** Additional values by name. */
  attributes?: Record<string, string>;
  /** Notes added later. */
  notes?: EventNoteInput[];
  /** Alarms it raised, joined or cleared. */
  alarmIDs?: number[];
  /** The request or job that caused it. */
  requestID?: string | null;
}

export interface EventNote {
  user: string;
  date: string;
  text: string;
}

export interface EventNoteInput {
  user?: string;
  date?: string;
  text?: string;
}

export interface EventNoteRequest {
  /** The events. */
  id?: number[];
  /** Text of the note. */
  text: string;
}

export interface EventObject {
  landscape: number;
  id: number;
  state: number;
  name: string;
  elementType: number;
  elementID: number;
  elementName: string | null;
  message: string | null;
  /** Written as an instant with the offset +0000. */
  timeOfEvent: string;
  version: number;
  /** Epoch milliseconds. */
  time: number;
  /** True if this event has never happened. */
  empty: boolean;
  eventFormatString: string;
}

export interface EventObjectInput {
  landscape?: number;
  id?: number;
  state?: number;
  name?: string;
  elementType?: number;
  elementID?: number;
  elementName?: string | null;
  message?: string | null;
  /** Written as an instant with the offset +0000. */
  timeOfEvent?: string;
  version?: number;
  /** Epoch milliseconds. */
  time?: number;
  /** True if this event has never happened. */
  empty?: boolean;
  eventFormatString?: string;
}

export interface EventOfRecord {
  landscape: number;
  id: number;
  state: number;
  name: string;
  elementType: number;
  elementID: number;
  elementName: string | null;
  message: string | null;
  timeOfEvent: string;
  version: number;
  /** Epoch milliseconds. */
  time: number;
  /** True if this event has never happened. */
  empty: boolean;
  eventFormatString: string;
}

export interface EventOfRecordInput {
  landscape?: number;
  id?: number;
  state?: number;
  name?: string;
  elementType?: number;
  elementID?: number;
  elementName?: string | null;
  message?: string | null;
  timeOfEvent?: string;
  version?: number;
  /** Epoch milliseconds. */
  time?: number;
  /** True if this event has never happened. */
  empty?: boolean;
  eventFormatString?: string;
}

export interface EventSupportingInfo {
  eventTypes: {
    /** Stable number of the type; types registered at run time start at 100000. */ id: number | null;
    /** Name of the events of this type. */
    name: string;
    displayName: string;
    /** Part of the network or the service that it concerns. */
    category:
      | 'SYSTEM'
      | 'DEVICE'
      | 'PORT'
      | 'HOST'
      | 'USER'
      | 'ADMIN'
      | 'POLICY'
      | 'SECURITY'
      | 'LOGGING'
      | 'INTEGRATION'
      | 'EXTERNAL';
  }[];
  categories: string[];
  elementTypes: { code: number; name: string }[];
  /** Time of the oldest event in the log; null: none. */
  oldestLive: string | null;
  newest: string | null;
  /** By UTC day; days without events are left out. */
  perDay: { day: string; events: number }[];
}

export interface EventThreshold {
  /** Prefix of its event names: CPU gives CPU_WARNING. */
  name: string;
  /** What is measured. */
  metric: string;
  unit: string;
  /** Warn from here on; null: never. */
  warning: number | null;
  /** Critical from here on; null: never. */
  critical: number | null;
  /** Seconds the value must stay above the limit before an event is emitted. */
  forSeconds: number;
  enabled: boolean;
  /** Highest current value of all nodes; null: none yet. */
  current: number | null;
  /** The worst state of any node. */
  state: 'OK' | 'WARNING' | 'CRITICAL';
}

export interface EventThresholdChangeInput {
  /** Prefix of its event names: CPU gives CPU_WARNING. */
  name: string;
  /** What is measured. */
  metric?: string;
  unit?: string;
  /** Warn from here on; null: never. */
  warning?: number | null;
  /** Critical from here on; null: never. */
  critical?: number | null;
  /** Seconds the value must stay above the limit before an event is emitted. */
  forSeconds?: number;
  enabled?: boolean;
  /** Highest current value of all nodes; null: none yet. */
  current?: number | null;
  /** The worst state of any node. */
  state?: 'OK' | 'WARNING' | 'CRITICAL';
}

/** Event types and how each is logged. They are defined in code: only strategy and group can be changed. */
export interface EventType {
  /** Stable number of the type; types registered at run time start at 100000. */
  id: number;
  /** Number of the cell that owns the record. */
  landscape: number;
  /** Number of configuration changes; send it back to detect concurrent changes. */
  version: number;
  /** User who last changed the record. */
  lastModifiedBy: string;
  /** When it was last changed. */
  lastModifiedDate: string;
  /** Identity of the record on the manager that distributed it; 0: it belongs to this cell. */
  guid: number;
  /** Last change by the manager. */
  globalModifiedDate: string | null;
  note: string;
  /** Name of the events of this type. */
  name: string;
  displayName: string;
  /** Meaning of the event. */
  description: string;
  /** Part of the network or the service that it concerns. */
  category:
    | 'SYSTEM'
    | 'DEVICE'
    | 'PORT'
    | 'HOST'
    | 'USER'
    | 'ADMIN'
    | 'POLICY'
    | 'SECURITY'
    | 'LOGGING'
    | 'INTEGRATION'
    | 'EXTERNAL';
  /** Code of the element type it concerns: 0 system, 1 container, 2 device, 3 port, 4 host, 5 adapter, 6 user, 7 administrator, 8 group, 9 policy record, 10 integration, 11 process or job. */
  elementType: number;
  /** Text of its events, with {placeholders}. */
  format: string;
  /** Destination of its events: none, the event log, log receivers, or both. Events that are not logged are only counted. */
  loggingStrategy: 'DISABLED' | 'INTERNAL' | 'EXTERNAL' | 'INTERNAL_AND_EXTERNAL';
  /** Only events of members of this group are logged; null: all. */
  groupID: number | null;
  /** Type of the event that ends the condition this one reports. */
  clearEventTypeID: number | null;
  /** Always logged, and its events cannot be deleted. */
  mandatory: boolean;
  /** May be dropped (and counted) when rows arrive faster than they can be stored. */
  droppable: boolean;
  /** Clients can post it. */
  postable: boolean;
  /** RFC 5424: 0 emergency … 7 debug. */
  syslogSeverity: number;
  /** Whether a mapping raises alarms from its events. */
  mapped: boolean;
}

export interface EventTypeGroup {
  /** Identities of the event types. */
  id: number[];
  /** Log only events of members of this group; null: log all. */
  groupID: number | null;
}

export interface EventTypeStrategy {
  /** Identities of the event types. */
  id: number[];
  loggingStrategy: 'DISABLED' | 'INTERNAL' | 'EXTERNAL' | 'INTERNAL_AND_EXTERNAL';
}

export interface FailedValidationAction {
  /** Disable the host. */
  disable: boolean;
  /** Stored as sent. */
  version: number;
}

export interface FailedValidationActionInput {
  /** Disable the host. */
  disable?: boolean;
  /** Stored as sent. */
  version?: number;
}

export interface FamilyDecision {
  policyID: number;
  name: string | null;
  configurationID: number;
}

export interface FamilyDecisions {
  authentication: FamilyDecision | null;
  compliance: FamilyDecision | null;
  portal: FamilyDecision | null;
  supplicant: FamilyDecision | null;
}

export interface FirewallTagChoice {
  id: number;
  name: string;
}

export interface FoundHost {
  /** Identity of the record. */
  id: number | null;
  /** Number of the cell that owns the record. */
  landscape: number;
  /** Number of configuration changes; send it back to detect concurrent changes. */
  version: number;
  /** Name reported by the host or set by a user. */
  hostName: string | null;
  /** 1 rogue, 2 registered host, 3 registered device, 4 IP phone, 5 device in the topology. Changing 1 to 2 or 3 registers the host, back to 1 removes the registration. */
  type: number;
  /** Name of the type. */
  typeLabel: 'Rogue' | 'Registered Host' | 'Registered Device' | 'IP Phone' | 'Device in Topology';
  /** MAC address of the first connected adapter, else of the oldest. Written as a MAC address in any notation; empty for none. */
  primaryMac: string | null;
  /** MAC addresses of its adapters. */
  adapters: string[];
  /** IP address of a connected adapter, else the last known one of any adapter. Written as an IPv4 or IPv6 address. */
  ip: string | null;
  /** Whether one of its adapters is connected now. */
  connected: boolean;
  /** Whether it is registered. */
  registered: boolean;
  /** When it was registered; null: it is a rogue. */
  registeredAt: string | null;
  /** Name of the account or service that registered it; null: it is a rogue. */
  registeredBy: string | null;
  /** False: its adapters get no access. */
  enabled: boolean;
  /** Whether a user is authenticated on it. */
  authenticated: boolean;
  /** The authenticated user. */
  authenticatedUserID: number | null;
  /** When the authentication expires; null: never. */
  authenticationExpires: string | null;
  /** AT_RISK: it has a health problem; PENDING: it has a problem and a grace period to fix it. */
  health: 'SAFE' | 'AT_RISK' | 'PENDING';
  /** End of the grace period. */
  healthUntil: string | null;
  /** Role that policies match on. A value sent here is fixed until it is sent empty. */
  role: string;
  /** Source of the role. */
  roleSource: 'ADMIN' | 'PROFILING_RULE' | 'DIRECTORY' | 'GROUP' | 'VENDOR_OUI' | 'PORTAL' | 'DEFAULT';
  /** Name of the account that owns the host; null: none. */
  owner: string | null;
  /** The account of the owner. */
  ownerID: number | null;
  /** The logged-on user. */
  loggedOnUserID: string | null;
  /** Device type; on write selected by id or tag. Absent on create: unknown. */
  deviceType: HostDeviceType;
  operatingSystem: string | null;
  /** Manufacturer and model. */
  hardwareType: string | null;
  serialNumber: string | null;
  /** When it was created. */
  creationTime: string;
  /** Last connect; null: never. */
  lastConnected: string | null;
  /** Last disconnect of one of its adapters; null: never. */
  lastDisconnected: string | null;
  /** When it expires and is deleted; null: never. */
  expirationDate: string | null;
  /** Source of that date; a stronger source is not overwritten. */
  expirationSource: 'MANUAL' | 'GUEST' | 'DIRECTORY' | 'GROUP' | 'GLOBAL' | null;
  /** When it expires unless it connects again; null: connected, or no limit. */
  inactivityDate: string | null;
  /** Allowed days of absence; null: unlimited. */
  inactiveDays: number | null;
  /** Identity of its agent. */
  agentID: string | null;
  /** Version of that agent. */
  agentVersion: string | null;
  /** Platform of the agent. */
  agentPlatform: string | null;
  /** Last contact of the agent. */
  lastAgentContact: string | null;
  /** Number of update requests sent to the agent. */
  agentUpdateAttempts: number;
  /** Whether an MDM server manages it. */
  managedByMDM: boolean;
  /** That server. */
  mdmServerID: number | null;
  /** Whether the MDM server reports it as compliant. */
  mdmCompliant: boolean | null;
  /** Whether the MDM server reports it as compromised. */
  mdmCompromised: boolean | null;
  /** Risk level reported by the MDM server. */
  mdmRisk: string | null;
  /** Scan it when it connects again. */
  scanRequired: boolean;
  /** Last scan. */
  lastScan: string | null;
  /** Result of the last scan. */
  lastScanResult: 'PASSED' | 'WARNING' | 'FAILED' | 'ERROR' | null;
  /** Container of a device in the topology. */
  containerID: number | null;
  /** Profiling revalidates it each time it connects. Stored, without effect until profiling rules are run. */
  reValidation: boolean;
  /** Minutes between revalidations; 0: only when it connects. Stored, without effect until profiling rules are run. */
  reValidationInterval: number;
  /** Last revalidation. */
  lastReValidation: string | null;
  /** Groups of which it is a direct member. */
  groups: string[];
  notes: string | null;
  /** Custom attributes set by administrators. */
  attributes: OwnAttribute[];
  /** Its adapters as records; in lists only with withAdapters=true. */
  adapterObjects: AdapterOfHost[];
  /** Fields that contain the text. */
  matchedOn: string[];
}

export interface FrequentValue {
  /** The value. */
  name: string;
  /** Number of matching records that have it. */
  count: number;
}

export interface GrantedNetwork {
  id: number;
  name: string;
  accessState: string;
}

/** Typed sets of elements that policies, enforcement, schedules and administrators refer to; a group may contain other groups of its type. */
export interface Group {
  /** Identity of the record. */
  dbid: number;
  /** Number of the cell that owns the record. */
  landscape: number;
  /** Number of configuration changes; send it back to detect concurrent changes. */
  version: number;
  /** User who last changed the record. */
  lastModifiedBy: string;
  /** When it was last changed. */
  lastModifiedDate: string;
  /** Unique among groups of its type. */
  name: string;
  description: string;
  /** Type of its members, as in the path. */
  type: 'HOST' | 'ADAPTER' | 'DEVICE' | 'PORT' | 'USER' | 'ADMINISTRATOR';
  /** Element type code of its members. */
  elementClass: number;
  /** True: created by a user; false: built in. */
  userGroup: boolean;
  /** Stable key of a built-in group, used instead of its name. */
  tag: string | null;
  /** LOCAL: created here; DIRECTORY: name and members come from a directory; SYSTEM: built in. */
  source: 'LOCAL' | 'DIRECTORY' | 'SYSTEM';
  /** The directory it comes from. */
  directoryID: number | null;
  /** Its key in the directory (entryUUID or objectGUID), which survives a rename. */
  directoryKey: string | null;
  /** Its distinguished name in the directory. */
  dn: string | null;
  /** Kept for compatibility. Stored, without effect until further notice. */
  accessPolicy: number;
  /** Days after registration, or after creation of a rogue, when member hosts expire that have no date of their own; 0: no limit. For users not supported yet. */
  daysValid: number;
  /** Days of absence after which member hosts expire that have no limit of their own; 0: no limit. For users not supported yet. */
  daysInactive: number;
  /** Precedence of an enforcement group of ports, by host state; null: not an enforcement group. */
  rank: number | null;
  /** Host state that its ports isolate; built-in groups only. */
  enforcement: 'REGISTRATION' | 'AUTHENTICATION' | 'REMEDIATION' | 'DEAD_END' | 'ROLE' | 'NONE';
  /** Localised name; only English in this release. */
  nameLabel: string;
  /** Direct members. */
  memberCount: number;
  /** Number of child groups. */
  childCount: number;
  /** Parent groups. */
  parentIDs: number[];
  /** In a fetch the first 1000 direct members by id; [] in lists. Sent as ids: replaces the members; empty or unchanged: no change. */
  members: GroupMember[];
  /** Only administrator groups: groups whose members its members may see and change if their profile limits visibility. */
  managesGroupIDs: number[];
  /** Identity of the record on the manager that distributed it; 0: it belongs to this cell. */
  guid: number;
  /** Last change by the manager. */
  globalModifiedDate: string | null;
  /** Whether a manager distributed it; then it is read-only here. */
  global: boolean;
  /** Name of the record in the audit log. */
  auditObjectName: string;
  auditObjectType: AuditObjectType;
  /** Event type of the last change. */
  yamsEventTag: string;
  /** The last audit record of this record. */
  auditObj: AuditObject;
}

export interface GroupAging {
  /** Host and user groups. */
  id: number[];
  /** Days after registration, or after creation of a rogue, when member hosts expire that have no date of their own; 0: no limit. For users not supported yet. */
  daysValid: number;
  /** Days of absence after which member hosts expire that have no limit of their own; 0: no limit. For users not supported yet. */
  daysInactive: number;
  /** Whether current members are limited too. Default: true; false is not supported yet. */
  apply?: boolean;
}

export interface GroupChildren {
  /** The parent group. */
  parentID: number;
  /** The child groups. */
  id: number[];
}

export interface GroupCopy {
  /** The group to copy. */
  id: number;
  /** Name of the new group. */
  name: string;
  /** Absent: the description of the copied group. */
  description?: string;
  /** Copy direct members. Default: true. */
  members?: boolean;
  /** Copy child groups. Default: true. */
  children?: boolean;
}

export interface GroupDescendant {
  dbid: number;
  /** Unique among groups of its type. */
  name: string;
  /** Type of its members, as in the path. */
  type: 'HOST' | 'ADAPTER' | 'DEVICE' | 'PORT' | 'USER' | 'ADMINISTRATOR';
  /** Direct members. */
  memberCount: number;
  /** Number of child groups. */
  childCount: number;
  /** Parent groups. */
  parentIDs: number[];
  /** Depth on the shortest path. */
  depth: number;
  /** Names on that path, separated by slashes, starting with the requested group. */
  path: string;
}

export interface GroupInput {
  /** Identity of the record. */
  dbid?: number | null;
  /** Number of the cell that owns the record. */
  landscape?: number;
  /** Number of configuration changes; send it back to detect concurrent changes. */
  version?: number;
  /** User who last changed the record. */
  lastModifiedBy?: string;
  /** When it was last changed. */
  lastModifiedDate?: string;
  /** Unique among groups of its type. */
  name?: string;
  description?: string;
  /** Type of its members, as in the path. */
  type?: 'HOST' | 'ADAPTER' | 'DEVICE' | 'PORT' | 'USER' | 'ADMINISTRATOR';
  /** Element type code of its members. */
  elementClass?: number;
  /** True: created by a user; false: built in. */
  userGroup?: boolean;
  /** Stable key of a built-in group, used instead of its name. */
  tag?: string | null;
  /** LOCAL: created here; DIRECTORY: name and members come from a directory; SYSTEM: built in. */
  source?: 'LOCAL' | 'DIRECTORY' | 'SYSTEM';
  /** The directory it comes from. */
  directoryID?: number | null;
  /** Its key in the directory (entryUUID or objectGUID), which survives a rename. */
  directoryKey?: string | null;
  /** Its distinguished name in the directory. */
  dn?: string | null;
  /** Kept for compatibility. Stored, without effect until further notice. */
  accessPolicy?: number;
  /** Days after registration, or after creation of a rogue, when member hosts expire that have no date of their own; 0: no limit. For users not supported yet. */
  daysValid?: number;
  /** Days of absence after which member hosts expire that have no limit of their own; 0: no limit. For users not supported yet. */
  daysInactive?: number;
  /** Precedence of an enforcement group of ports, by host state; null: not an enforcement group. */
  rank?: number | null;
  /** Host state that its ports isolate; built-in groups only. */
  enforcement?: 'REGISTRATION' | 'AUTHENTICATION' | 'REMEDIATION' | 'DEAD_END' | 'ROLE' | 'NONE';
  /** Localised name; only English in this release. */
  nameLabel?: string;
  /** Direct members. */
  memberCount?: number;
  /** Number of child groups. */
  childCount?: number;
  /** Parent groups. */
  parentIDs?: number[];
  /** In a fetch the first 1000 direct members by id; [] in lists. Sent as ids: replaces the members; empty or unchanged: no change. */
  members?: (number | GroupMemberInput)[];
  /** Only administrator groups: groups whose members its members may see and change if their profile limits visibility. */
  managesGroupIDs?: number[];
  /** Identity of the record on the manager that distributed it; 0: it belongs to this cell. */
  guid?: number;
  /** Last change by the manager. */
  globalModifiedDate?: string | null;
  /** Whether a manager distributed it; then it is read-only here. */
  global?: boolean;
  /** Name of the record in the audit log. */
  auditObjectName?: string;
  auditObjectType?: AuditObjectTypeInput;
  /** Event type of the last change. */
  yamsEventTag?: string;
  /** The last audit record of this record. */
  auditObj?: AuditObjectInput;
  /** Replaces its children by these groups. */
  childGroups?: number[];
}

export interface GroupManages {
  /** Exactly these groups; empty: none. */
  id: number[];
}

export interface GroupMember {
  id: number;
  /** Name of the element. */
  name: string;
  /** Path of its icon. */
  img: string;
}

export interface GroupMemberInput {
  id: number;
  /** Name of the element. */
  name?: string;
  /** Path of its icon. */
  img?: string;
}

export interface GroupMembership {
  /** Ids of hosts, adapters, devices, ports or accounts, by the type of the groups. */
  elemID: number[];
  /** The groups, all of one type. */
  groupID: number[];
}

export interface GroupMembershipOfType {
  /** Ids of hosts, adapters, devices, ports or accounts, by the type of the groups. */
  elemID: number[];
  /** The groups, all of this type; empty: remove the elements from all of them. */
  groupID: number[];
  /** Group type to change; other types are not changed. */
  type: 'HOST' | 'ADAPTER' | 'DEVICE' | 'PORT' | 'USER' | 'ADMINISTRATOR';
  /** Managed cell; must be null or empty in this release. */
  serverIP?: string | null;
}

export interface GroupParents {
  /** The group. */
  groupID: number;
  /** The parent groups. */
  parentID: number[];
  /** Remove the parents that are not listed. Default: true. */
  replace?: boolean;
}

export interface HealthChange {
  timestamp: string;
  /** What changed it: SCAN, ADMIN, SYSTEM, AGENT, MDM, PATCH or SECURITY_ALARM. */
  source: string;
  sourceName: string;
  from: string;
  to: string;
  reason: string;
  /** Name of the account or service that changed it. */
  by: string;
}

export interface HealthCheck {
  name: string;
  ready: boolean;
  detail: string;
}

/** Endpoints and their adapters, both rogue and registered. */
export interface Host {
  /** Identity of the record. */
  id: number;
  /** Number of the cell that owns the record. */
  landscape: number;
  /** Number of configuration changes; send it back to detect concurrent changes. */
  version: number;
  /** Name reported by the host or set by a user. */
  hostName: string | null;
  /** 1 rogue, 2 registered host, 3 registered device, 4 IP phone, 5 device in the topology. Changing 1 to 2 or 3 registers the host, back to 1 removes the registration. */
  type: number;
  /** Name of the type. */
  typeLabel: 'Rogue' | 'Registered Host' | 'Registered Device' | 'IP Phone' | 'Device in Topology';
  /** MAC address of the first connected adapter, else of the oldest. Written as a MAC address in any notation; empty for none. */
  primaryMac: string | null;
  /** MAC addresses of its adapters. */
  adapters: string[];
  /** IP address of a connected adapter, else the last known one of any adapter. Written as an IPv4 or IPv6 address. */
  ip: string | null;
  /** Whether one of its adapters is connected now. */
  connected: boolean;
  /** Whether it is registered. */
  registered: boolean;
  /** When it was registered; null: it is a rogue. */
  registeredAt: string | null;
  /** Name of the account or service that registered it; null: it is a rogue. */
  registeredBy: string | null;
  /** False: its adapters get no access. */
  enabled: boolean;
  /** Whether a user is authenticated on it. */
  authenticated: boolean;
  /** The authenticated user. */
  authenticatedUserID: number | null;
  /** When the authentication expires; null: never. */
  authenticationExpires: string | null;
  /** AT_RISK: it has a health problem; PENDING: it has a problem and a grace period to fix it. */
  health: 'SAFE' | 'AT_RISK' | 'PENDING';
  /** End of the grace period. */
  healthUntil: string | null;
  /** Role that policies match on. A value sent here is fixed until it is sent empty. */
  role: string;
  /** Source of the role. */
  roleSource: 'ADMIN' | 'PROFILING_RULE' | 'DIRECTORY' | 'GROUP' | 'VENDOR_OUI' | 'PORTAL' | 'DEFAULT';
  /** Name of the account that owns the host; null: none. */
  owner: string | null;
  /** The account of the owner. */
  ownerID: number | null;
  /** The logged-on user. */
  loggedOnUserID: string | null;
  /** Device type; on write selected by id or tag. Absent on create: unknown. */
  deviceType: HostDeviceType;
  operatingSystem: string | null;
  /** Manufacturer and model. */
  hardwareType: string | null;
  serialNumber: string | null;
  /** When it was created. */
  creationTime: string;
  /** Last connect; null: never. */
  lastConnected: string | null;
  /** Last disconnect of one of its adapters; null: never. */
  lastDisconnected: string | null;
  /** When it expires and is deleted; null: never. */
  expirationDate: string | null;
  /** Source of that date; a stronger source is not overwritten. */
  expirationSource: 'MANUAL' | 'GUEST' | 'DIRECTORY' | 'GROUP' | 'GLOBAL' | null;
  /** When it expires unless it connects again; null: connected, or no limit. */
  inactivityDate: string | null;
  /** Allowed days of absence; null: unlimited. */
  inactiveDays: number | null;
  /** Identity of its agent. */
  agentID: string | null;
  /** Version of that agent. */
  agentVersion: string | null;
  /** Platform of the agent. */
  agentPlatform: string | null;
  /** Last contact of the agent. */
  lastAgentContact: string | null;
  /** Number of update requests sent to the agent. */
  agentUpdateAttempts: number;
  /** Whether an MDM server manages it. */
  managedByMDM: boolean;
  /** That server. */
  mdmServerID: number | null;
  /** Whether the MDM server reports it as compliant. */
  mdmCompliant: boolean | null;
  /** Whether the MDM server reports it as compromised. */
  mdmCompromised: boolean | null;
  /** Risk level reported by the MDM server. */
  mdmRisk: string | null;
  /** Scan it when it connects again. */
  scanRequired: boolean;
  /** Last scan. */
  lastScan: string | null;
  /** Result of the last scan. */
  lastScanResult: 'PASSED' | 'WARNING' | 'FAILED' | 'ERROR' | null;
  /** Container of a device in the topology. */
  containerID: number | null;
  /** Profiling revalidates it each time it connects. Stored, without effect until profiling rules are run. */
  reValidation: boolean;
  /** Minutes between revalidations; 0: only when it connects. Stored, without effect until profiling rules are run. */
  reValidationInterval: number;
  /** Last revalidation. */
  lastReValidation: string | null;
  /** Groups of which it is a direct member. */
  groups: string[];
  notes: string | null;
  /** Custom attributes set by administrators. */
  attributes: OwnAttribute[];
  /** Its adapters as records; in lists only with withAdapters=true. */
  adapterObjects: AdapterOfHost[];
}

export interface HostDeviceType {
  name: string;
  tag: string;
  imageFile: string;
  id: number;
}

export interface HostDeviceTypeInput {
  name?: string;
  tag?: string;
  imageFile?: string;
  id?: number;
}

export interface HostFilter {
  name: string;
  title: string;
  /** Built in, or created by the caller. */
  scope: 'BUILT_IN' | 'USER';
  /** Filter in the form of GET /host/multifilter. */
  filter: string[];
  /** Number of matching hosts, at most one minute old. */
  count: number;
}

export interface HostForUser {
  /** Identity of the record. */
  id: number | null;
  /** Number of the cell that owns the record. */
  landscape: number;
  /** Number of configuration changes; send it back to detect concurrent changes. */
  version: number;
  /** Name reported by the host or set by a user. */
  hostName: string | null;
  /** 1 rogue, 2 registered host, 3 registered device, 4 IP phone, 5 device in the topology. Changing 1 to 2 or 3 registers the host, back to 1 removes the registration. */
  type: number;
  /** Name of the type. */
  typeLabel: 'Rogue' | 'Registered Host' | 'Registered Device' | 'IP Phone' | 'Device in Topology';
  /** MAC address of the first connected adapter, else of the oldest. Written as a MAC address in any notation; empty for none. */
  primaryMac: string | null;
  /** MAC addresses of its adapters. */
  adapters: string[];
  /** IP address of a connected adapter, else the last known one of any adapter. Written as an IPv4 or IPv6 address. */
  ip: string | null;
  /** Whether one of its adapters is connected now. */
  connected: boolean;
  /** Whether it is registered. */
  registered: boolean;
  /** When it was registered; null: it is a rogue. */
  registeredAt: string | null;
  /** Name of the account or service that registered it; null: it is a rogue. */
  registeredBy: string | null;
  /** False: its adapters get no access. */
  enabled: boolean;
  /** Whether a user is authenticated on it. */
  authenticated: boolean;
  /** The authenticated user. */
  authenticatedUserID: number | null;
  /** When the authentication expires; null: never. */
  authenticationExpires: string | null;
  /** AT_RISK: it has a health problem; PENDING: it has a problem and a grace period to fix it. */
  health: 'SAFE' | 'AT_RISK' | 'PENDING';
  /** End of the grace period. */
  healthUntil: string | null;
  /** Role that policies match on. A value sent here is fixed until it is sent empty. */
  role: string;
  /** Source of the role. */
  roleSource: 'ADMIN' | 'PROFILING_RULE' | 'DIRECTORY' | 'GROUP' | 'VENDOR_OUI' | 'PORTAL' | 'DEFAULT';
  /** Name of the account that owns the host; null: none. */
  owner: string | null;
  /** The account of the owner. */
  ownerID: number | null;
  /** The logged-on user. */
  loggedOnUserID: string | null;
  /** Device type; on write selected by id or tag. Absent on create: unknown. */
  deviceType: HostDeviceType;
  operatingSystem: string | null;
  /** Manufacturer and model. */
  hardwareType: string | null;
  serialNumber: string | null;
  /** When it was created. */
  creationTime: string;
  /** Last connect; null: never. */
  lastConnected: string | null;
  /** Last disconnect of one of its adapters; null: never. */
  lastDisconnected: string | null;
  /** When it expires and is deleted; null: never. */
  expirationDate: string | null;
  /** Source of that date; a stronger source is not overwritten. */
  expirationSource: 'MANUAL' | 'GUEST' | 'DIRECTORY' | 'GROUP' | 'GLOBAL' | null;
  /** When it expires unless it connects again; null: connected, or no limit. */
  inactivityDate: string | null;
  /** Allowed days of absence; null: unlimited. */
  inactiveDays: number | null;
  /** Identity of its agent. */
  agentID: string | null;
  /** Version of that agent. */
  agentVersion: string | null;
  /** Platform of the agent. */
  agentPlatform: string | null;
  /** Last contact of the agent. */
  lastAgentContact: string | null;
  /** Number of update requests sent to the agent. */
  agentUpdateAttempts: number;
  /** Whether an MDM server manages it. */
  managedByMDM: boolean;
  /** That server. */
  mdmServerID: number | null;
  /** Whether the MDM server reports it as compliant. */
  mdmCompliant: boolean | null;
  /** Whether the MDM server reports it as compromised. */
  mdmCompromised: boolean | null;
  /** Risk level reported by the MDM server. */
  mdmRisk: string | null;
  /** Scan it when it connects again. */
  scanRequired: boolean;
  /** Last scan. */
  lastScan: string | null;
  /** Result of the last scan. */
  lastScanResult: 'PASSED' | 'WARNING' | 'FAILED' | 'ERROR' | null;
  /** Container of a device in the topology. */
  containerID: number | null;
  /** Profiling revalidates it each time it connects. Stored, without effect until profiling rules are run. */
  reValidation: boolean;
  /** Minutes between revalidations; 0: only when it connects. Stored, without effect until profiling rules are run. */
  reValidationInterval: number;
  /** Last revalidation. */
  lastReValidation: string | null;
  /** Groups of which it is a direct member. */
  groups: string[];
  notes: string | null;
  /** Custom attributes set by administrators. */
  attributes: OwnAttribute[];
  /** Its adapters as records; in lists only with withAdapters=true. */
  adapterObjects: AdapterOfHost[];
  /** Relation of the user to the host. */
  relation: 'OWNER' | 'LOGGED_ON' | 'BOTH';
}

export interface HostHealth {
  /** SAFE clears a cause; others may remain. */
  health: 'SAFE' | 'AT_RISK';
  /** SAFE: clear the cause set by this scan, instead of the one set by an administrator. */
  scanID?: number;
  /** SAFE: clear all causes. */
  all?: boolean;
  /** Reason, stored in the history. */
  reason?: string;
}

export interface HostInput {
  /** Identity of the record. */
  id?: number | null;
  /** Number of the cell that owns the record. */
  landscape?: number;
  /** Number of configuration changes; send it back to detect concurrent changes. */
  version?: number;
  /** Name reported by the host or set by a user. */
  hostName?: string | null;
  /** 1 rogue, 2 registered host, 3 registered device, 4 IP phone, 5 device in the topology. Changing 1 to 2 or 3 registers the host, back to 1 removes the registration. */
  type?: number;
  /** Name of the type. */
  typeLabel?: 'Rogue' | 'Registered Host' | 'Registered Device' | 'IP Phone' | 'Device in Topology';
  /** MAC address of the first connected adapter, else of the oldest. Written as a MAC address in any notation; empty for none. */
  primaryMac?: string | null;
  /** MAC addresses of its adapters. */
  adapters?: string[];
  /** IP address of a connected adapter, else the last known one of any adapter. Written as an IPv4 or IPv6 address. */
  ip?: string | null;
  /** Whether one of its adapters is connected now. */
  connected?: boolean;
  /** Whether it is registered. */
  registered?: boolean;
  /** When it was registered; null: it is a rogue. */
  registeredAt?: string | null;
  /** Name of the account or service that registered it; null: it is a rogue. */
  registeredBy?: string | null;
  /** False: its adapters get no access. */
  enabled?: boolean;
  /** Whether a user is authenticated on it. */
  authenticated?: boolean;
  /** The authenticated user. */
  authenticatedUserID?: number | null;
  /** When the authentication expires; null: never. */
  authenticationExpires?: string | null;
  /** AT_RISK: it has a health problem; PENDING: it has a problem and a grace period to fix it. */
  health?: 'SAFE' | 'AT_RISK' | 'PENDING';
  /** End of the grace period. */
  healthUntil?: string | null;
  /** Role that policies match on. A value sent here is fixed until it is sent empty. */
  role?: string;
  /** Source of the role. */
  roleSource?: 'ADMIN' | 'PROFILING_RULE' | 'DIRECTORY' | 'GROUP' | 'VENDOR_OUI' | 'PORTAL' | 'DEFAULT';
  /** Name of the account that owns the host; null: none. */
  owner?: string | null;
  /** The account of the owner. */
  ownerID?: number | null;
  /** The logged-on user. */
  loggedOnUserID?: string | null;
  /** Device type; on write selected by id or tag. Absent on create: unknown. */
  deviceType?: HostDeviceTypeInput;
  operatingSystem?: string | null;
  /** Manufacturer and model. */
  hardwareType?: string | null;
  serialNumber?: string | null;
  /** When it was created. */
  creationTime?: string;
  /** Last connect; null: never. */
  lastConnected?: string | null;
  /** Last disconnect of one of its adapters; null: never. */
  lastDisconnected?: string | null;
  /** When it expires and is deleted; null: never. */
  expirationDate?: string | null;
  /** Source of that date; a stronger source is not overwritten. */
  expirationSource?: 'MANUAL' | 'GUEST' | 'DIRECTORY' | 'GROUP' | 'GLOBAL' | null;
  /** When it expires unless it connects again; null: connected, or no limit. */
  inactivityDate?: string | null;
  /** Allowed days of absence; null: unlimited. */
  inactiveDays?: number | null;
  /** Identity of its agent. */
  agentID?: string | null;
  /** Version of that agent. */
  agentVersion?: string | null;
  /** Platform of the agent. */
  agentPlatform?: string | null;
  /** Last contact of the agent. */
  lastAgentContact?: string | null;
  /** Number of update requests sent to the agent. */
  agentUpdateAttempts?: number;
  /** Whether an MDM server manages it. */
  managedByMDM?: boolean;
  /** That server. */
  mdmServerID?: number | null;
  /** Whether the MDM server reports it as compliant. */
  mdmCompliant?: boolean | null;
  /** Whether the MDM server reports it as compromised. */
  mdmCompromised?: boolean | null;
  /** Risk level reported by the MDM server. */
  mdmRisk?: string | null;
  /** Scan it when it connects again. */
  scanRequired?: boolean;
  /** Last scan. */
  lastScan?: string | null;
  /** Result of the last scan. */
  lastScanResult?: 'PASSED' | 'WARNING' | 'FAILED' | 'ERROR' | null;
  /** Container of a device in the topology. */
  containerID?: number | null;
  /** Profiling revalidates it each time it connects. Stored, without effect until profiling rules are run. */
  reValidation?: boolean;
  /** Minutes between revalidations; 0: only when it connects. Stored, without effect until profiling rules are run. */
  reValidationInterval?: number;
  /** Last revalidation. */
  lastReValidation?: string | null;
  /** Groups of which it is a direct member. */
  groups?: string[];
  notes?: string | null;
  /** Custom attributes set by administrators. */
  attributes?: OwnAttributeInput[];
  /** Its adapters as records; in lists only with withAdapters=true. */
  adapterObjects?: AdapterOfHostInput[];
}

export interface HostWithAdapters {
  /** Identity of the record. */
  id?: number | null;
  /** Number of the cell that owns the record. */
  landscape?: number;
  /** Number of configuration changes; send it back to detect concurrent changes. */
  version?: number;
  /** Name reported by the host or set by a user. */
  hostName?: string | null;
  /** 1 rogue, 2 registered host, 3 registered device, 4 IP phone, 5 device in the topology. Changing 1 to 2 or 3 registers the host, back to 1 removes the registration. */
  type?: number;
  /** Name of the type. */
  typeLabel?: 'Rogue' | 'Registered Host' | 'Registered Device' | 'IP Phone' | 'Device in Topology';
  /** MAC address of the first connected adapter, else of the oldest. Written as a MAC address in any notation; empty for none. */
  primaryMac?: string | null;
  /** MAC addresses of its adapters. */
  adapters?: string[];
  /** IP address of a connected adapter, else the last known one of any adapter. Written as an IPv4 or IPv6 address. */
  ip?: string | null;
  /** Whether one of its adapters is connected now. */
  connected?: boolean;
  /** Whether it is registered. */
  registered?: boolean;
  /** When it was registered; null: it is a rogue. */
  registeredAt?: string | null;
  /** Name of the account or service that registered it; null: it is a rogue. */
  registeredBy?: string | null;
  /** False: its adapters get no access. */
  enabled?: boolean;
  /** Whether a user is authenticated on it. */
  authenticated?: boolean;
  /** The authenticated user. */
  authenticatedUserID?: number | null;
  /** When the authentication expires; null: never. */
  authenticationExpires?: string | null;
  /** AT_RISK: it has a health problem; PENDING: it has a problem and a grace period to fix it. */
  health?: 'SAFE' | 'AT_RISK' | 'PENDING';
  /** End of the grace period. */
  healthUntil?: string | null;
  /** Role that policies match on. A value sent here is fixed until it is sent empty. */
  role?: string;
  /** Source of the role. */
  roleSource?: 'ADMIN' | 'PROFILING_RULE' | 'DIRECTORY' | 'GROUP' | 'VENDOR_OUI' | 'PORTAL' | 'DEFAULT';
  /** Name of the account that owns the host; null: none. */
  owner?: string | null;
  /** The account of the owner. */
  ownerID?: number | null;
  /** The logged-on user. */
  loggedOnUserID?: string | null;
  /** Device type; on write selected by id or tag. Absent on create: unknown. */
  deviceType?: HostDeviceTypeInput;
  operatingSystem?: string | null;
  /** Manufacturer and model. */
  hardwareType?: string | null;
  serialNumber?: string | null;
  /** When it was created. */
  creationTime?: string;
  /** Last connect; null: never. */
  lastConnected?: string | null;
  /** Last disconnect of one of its adapters; null: never. */
  lastDisconnected?: string | null;
  /** When it expires and is deleted; null: never. */
  expirationDate?: string | null;
  /** Source of that date; a stronger source is not overwritten. */
  expirationSource?: 'MANUAL' | 'GUEST' | 'DIRECTORY' | 'GROUP' | 'GLOBAL' | null;
  /** When it expires unless it connects again; null: connected, or no limit. */
  inactivityDate?: string | null;
  /** Allowed days of absence; null: unlimited. */
  inactiveDays?: number | null;
  /** Identity of its agent. */
  agentID?: string | null;
  /** Version of that agent. */
  agentVersion?: string | null;
  /** Platform of the agent. */
  agentPlatform?: string | null;
  /** Last contact of the agent. */
  lastAgentContact?: string | null;
  /** Number of update requests sent to the agent. */
  agentUpdateAttempts?: number;
  /** Whether an MDM server manages it. */
  managedByMDM?: boolean;
  /** That server. */
  mdmServerID?: number | null;
  /** Whether the MDM server reports it as compliant. */
  mdmCompliant?: boolean | null;
  /** Whether the MDM server reports it as compromised. */
  mdmCompromised?: boolean | null;
  /** Risk level reported by the MDM server. */
  mdmRisk?: string | null;
  /** Scan it when it connects again. */
  scanRequired?: boolean;
  /** Last scan. */
  lastScan?: string | null;
  /** Result of the last scan. */
  lastScanResult?: 'PASSED' | 'WARNING' | 'FAILED' | 'ERROR' | null;
  /** Container of a device in the topology. */
  containerID?: number | null;
  /** Profiling revalidates it each time it connects. Stored, without effect until profiling rules are run. */
  reValidation?: boolean;
  /** Minutes between revalidations; 0: only when it connects. Stored, without effect until profiling rules are run. */
  reValidationInterval?: number;
  /** Last revalidation. */
  lastReValidation?: string | null;
  /** Groups of which it is a direct member. */
  groups?: string[];
  notes?: string | null;
  /** Custom attributes set by administrators. */
  attributes?: OwnAttributeInput[];
  /** All adapters of the host: those not listed are deleted; adapters of rogues are moved to this host. */
  adapterObjects: AdapterSentInput[];
}

export interface HostWithUser {
  /** Identity of the record. */
  id: number | null;
  /** Number of the cell that owns the record. */
  landscape: number;
  /** Number of configuration changes; send it back to detect concurrent changes. */
  version: number;
  /** Name reported by the host or set by a user. */
  hostName: string | null;
  /** 1 rogue, 2 registered host, 3 registered device, 4 IP phone, 5 device in the topology. Changing 1 to 2 or 3 registers the host, back to 1 removes the registration. */
  type: number;
  /** Name of the type. */
  typeLabel: 'Rogue' | 'Registered Host' | 'Registered Device' | 'IP Phone' | 'Device in Topology';
  /** MAC address of the first connected adapter, else of the oldest. Written as a MAC address in any notation; empty for none. */
  primaryMac: string | null;
  /** MAC addresses of its adapters. */
  adapters: string[];
  /** IP address of a connected adapter, else the last known one of any adapter. Written as an IPv4 or IPv6 address. */
  ip: string | null;
  /** Whether one of its adapters is connected now. */
  connected: boolean;
  /** Whether it is registered. */
  registered: boolean;
  /** When it was registered; null: it is a rogue. */
  registeredAt: string | null;
  /** Name of the account or service that registered it; null: it is a rogue. */
  registeredBy: string | null;
  /** False: its adapters get no access. */
  enabled: boolean;
  /** Whether a user is authenticated on it. */
  authenticated: boolean;
  /** The authenticated user. */
  authenticatedUserID: number | null;
  /** When the authentication expires; null: never. */
  authenticationExpires: string | null;
  /** AT_RISK: it has a health problem; PENDING: it has a problem and a grace period to fix it. */
  health: 'SAFE' | 'AT_RISK' | 'PENDING';
  /** End of the grace period. */
  healthUntil: string | null;
  /** Role that policies match on. A value sent here is fixed until it is sent empty. */
  role: string;
  /** Source of the role. */
  roleSource: 'ADMIN' | 'PROFILING_RULE' | 'DIRECTORY' | 'GROUP' | 'VENDOR_OUI' | 'PORTAL' | 'DEFAULT';
  /** Name of the account that owns the host; null: none. */
  owner: string | null;
  /** The account of the owner. */
  ownerID: number | null;
  /** The logged-on user. */
  loggedOnUserID: string | null;
  /** Device type; on write selected by id or tag. Absent on create: unknown. */
  deviceType: HostDeviceType;
  operatingSystem: string | null;
  /** Manufacturer and model. */
  hardwareType: string | null;
  serialNumber: string | null;
  /** When it was created. */
  creationTime: string;
  /** Last connect; null: never. */
  lastConnected: string | null;
  /** Last disconnect of one of its adapters; null: never. */
  lastDisconnected: string | null;
  /** When it expires and is deleted; null: never. */
  expirationDate: string | null;
  /** Source of that date; a stronger source is not overwritten. */
  expirationSource: 'MANUAL' | 'GUEST' | 'DIRECTORY' | 'GROUP' | 'GLOBAL' | null;
  /** When it expires unless it connects again; null: connected, or no limit. */
  inactivityDate: string | null;
  /** Allowed days of absence; null: unlimited. */
  inactiveDays: number | null;
  /** Identity of its agent. */
  agentID: string | null;
  /** Version of that agent. */
  agentVersion: string | null;
  /** Platform of the agent. */
  agentPlatform: string | null;
  /** Last contact of the agent. */
  lastAgentContact: string | null;
  /** Number of update requests sent to the agent. */
  agentUpdateAttempts: number;
  /** Whether an MDM server manages it. */
  managedByMDM: boolean;
  /** That server. */
  mdmServerID: number | null;
  /** Whether the MDM server reports it as compliant. */
  mdmCompliant: boolean | null;
  /** Whether the MDM server reports it as compromised. */
  mdmCompromised: boolean | null;
  /** Risk level reported by the MDM server. */
  mdmRisk: string | null;
  /** Scan it when it connects again. */
  scanRequired: boolean;
  /** Last scan. */
  lastScan: string | null;
  /** Result of the last scan. */
  lastScanResult: 'PASSED' | 'WARNING' | 'FAILED' | 'ERROR' | null;
  /** Container of a device in the topology. */
  containerID: number | null;
  /** Profiling revalidates it each time it connects. Stored, without effect until profiling rules are run. */
  reValidation: boolean;
  /** Minutes between revalidations; 0: only when it connects. Stored, without effect until profiling rules are run. */
  reValidationInterval: number;
  /** Last revalidation. */
  lastReValidation: string | null;
  /** Groups of which it is a direct member. */
  groups: string[];
  notes: string | null;
  /** Custom attributes set by administrators. */
  attributes: OwnAttribute[];
  /** Its adapters as records; in lists only with withAdapters=true. */
  adapterObjects: AdapterOfHost[];
  userObject: UserOfHost | null;
}

export interface HostsExpiration {
  /** The hosts. */
  id: number[];
  /** Set the expiration date. */
  setExpiration?: boolean;
  /** Days from now; 0 or null: never. */
  expireDays?: number | null;
  /** Expiration date in milliseconds since 1970. */
  expireDateMS?: number | null;
  /** Set the allowed days of absence. */
  setInactivity?: boolean;
  /** Days of absence; 0 or null: unlimited. */
  inactiveDays?: number | null;
}

export interface HostsRole {
  /** The hosts. */
  id: number[];
  /** The role; null: the role is derived again from groups and other sources. */
  role: string | null;
}

export interface IdList {
  /** Identities of the records. */
  id: number[];
}

export interface ImportStatus {
  /** Background task of the import. */
  taskID: number;
  /** The archive. */
  name: string;
  state: 'QUEUED' | 'RUNNING' | 'DONE' | 'FAILED';
  /** Rows read so far. */
  rowsDone: number;
  /** Rows of the archive. */
  rowsTotal: number;
  /** Rows that were added. */
  inserted: number;
  /** Rows skipped because they exist or were deleted by an administrator. */
  duplicates: number;
  /** Invalid rows; a single one stops the complete import. */
  rejected: number;
  startedAt: string | null;
  finishedAt: string | null;
  /** Reason of the failure. */
  error: string | null;
}

export interface InheritedFrom {
  elementType: 'CONTAINER' | 'DEVICE' | 'SSID' | 'PORT';
  elementID: number;
  name: string;
}

export interface InheritedFromInput {
  elementType?: 'CONTAINER' | 'DEVICE' | 'SSID' | 'PORT';
  elementID?: number;
  name?: string;
}

export interface IssuedToken {
  id: number;
  name: string;
  /** First characters of the token. */
  prefix: string;
  owner: string;
  /** Admin profile of the owner; null: none. */
  profile: string | null;
  /** Permission keys and verbs that the token is limited to; null: all rights of its owner. */
  scopes: Record<string, ('view' | 'add' | 'modify' | 'delete')[]> | null;
  /** Networks the token may be used from; empty: any. */
  allowedNetworks: string[];
  createdAt: string;
  expiresAt: string;
  lastUsedAt: string | null;
  /** Written as an IPv4 or IPv6 address. */
  lastUsedIp: string | null;
  state: 'ACTIVE' | 'EXPIRED' | 'REVOKED';
  /** The token itself: returned only once. */
  token: string;
}

export interface L3Evidence {
  /** ipForwarding is enabled: 40 points. */
  ipForwarding: boolean;
  /** sysServices has the layer 3 bit set: 15 points. */
  sysServicesL3: boolean;
  /** Networks of its interfaces; two or more: 20 points. */
  subnets: number;
  /** Address entries beyond the interface it is managed by; five or more: 15 points. */
  arpEntries: number;
  /** Routes; more than three: 10 points. */
  routes: number;
}

export interface L3Polling {
  deviceID: number;
  /** Name of the device. */
  name: string;
  /** Written as an IPv4 or IPv6 address. */
  ipAddress: string | null;
  /** False: polling is disabled, but it was polled before. */
  enabled: boolean;
  /** Seconds between polls. */
  interval: number;
  priority: 'HIGH' | 'MEDIUM' | 'LOW';
  /** Last attempt. */
  lastPoll: string | null;
  /** Last success. */
  lastSuccess: string | null;
  /** Duration of the last poll. */
  durationMs: number;
  /** Entries that the device returned. */
  entries: number;
  /** Entries that are new. */
  newEntries: number;
  /** Why the last poll failed. */
  error: string | null;
}

export interface L3ScanStart {
  /** Devices to scan; absent: all SNMP devices. */
  id?: number[];
}

export interface L3ScanStatus {
  /** IDLE: never run. DONE: ended or stopped. */
  state: 'IDLE' | 'RUNNING' | 'STOPPING' | 'DONE';
  startedBy: string;
  startedAt: string | null;
  finishedAt: string | null;
  /** Devices to scan. */
  total: number;
  /** Devices already scanned. */
  scanned: number;
  /** Devices visible to you, by score. */
  devices: L3ScannedDevice[];
}

export interface L3ScannedDevice {
  deviceID: number;
  deviceName: string;
  /** Written as an IPv4 or IPv6 address. */
  ipAddress: string | null;
  /** Likelihood that it is a router. */
  score: number;
  evidence: L3Evidence;
  /** Whether its ARP table is already polled. */
  l3PollingEnabled: boolean;
  /** A score of 60 or more. */
  recommended: boolean;
  /** Why it could not be read. */
  error: string | null;
}

export interface LiveObject {
  yamsEventTag: string;
  auditObj: string;
}

export interface LiveObjectInput {
  yamsEventTag?: string;
  auditObj?: string;
}

export interface LogArchive {
  /** Key of the archive. */
  name: string;
  /** Log of its rows. */
  log: string;
  /** Number of the cell that owns the rows. */
  landscape: number;
  /** Start of its time range. */
  from: string;
  /** End of its time range, exclusive. */
  to: string;
  rows: number;
  /** Size of the file. */
  bytes: number;
  /** Hash of the file. */
  sha256: string;
  createdAt: string;
  /** True while its rows are imported. */
  imported: boolean;
  /** Time when the imported rows are removed again. */
  importedUntil: string | null;
  /** Account that imported them. */
  importedBy: string | null;
  /** Time of the import. */
  importedAt: string | null;
  /** Where the file is stored. */
  location: 'LOCAL' | 'REMOTE' | 'BOTH';
  /** ONLINE: the rows are still in the log; OFFLINE: only in the file; IMPORTED: temporarily imported; MISSING: the file no longer exists. */
  state: 'ONLINE' | 'OFFLINE' | 'IMPORTED' | 'MISSING';
}

export interface LoggedIn {
  /** Bearer token of the session. */
  sessionKey: string;
  /** Send it as X-Security-Key with each write that uses the cookie. */
  securityKey: string;
  /** Seconds. */
  expiresIn: number;
  mustChangePassword: boolean;
  /** Page shown first; null: no page is open to you. */
  landingPage: string | null;
}

export interface LoggedOnUser {
  /** The host; or send mac or ip instead. */
  hostID?: number;
  /** Written as a MAC address in any notation; empty for none. */
  mac?: string;
  /** Written as an IPv4 or IPv6 address. */
  ip?: string;
  /** Name of the user. */
  userID: string;
  action: 'LOGON' | 'LOGOFF';
}

/** Levels of access, such as Cameras or Registration, that policies grant. Each device can have its own value for a network. */
export interface LogicalNetwork {
  /** Identity of the record. */
  id: number;
  /** Number of the cell that owns the record. */
  landscape: number;
  /** Number of configuration changes; send it back to detect concurrent changes. */
  version: number;
  /** User who last changed the record. */
  lastModifiedBy: string;
  /** When it was last changed. */
  lastModifiedDate: string;
  /** Identity of the record on the manager that distributed it; 0: it belongs to this cell. */
  guid: number;
  /** Last change by the manager. */
  globalModifiedDate: string | null;
  note: string;
  name: string;
  description: string;
  /** Access state of hosts in the network. All states but PRODUCTION belong to built-in networks. */
  accessState: 'DEAD_END' | 'QUARANTINE' | 'REGISTRATION' | 'AUTHENTICATION' | 'GUEST' | 'PRODUCTION';
  /** True: built in; cannot be renamed or deleted. */
  predefined: boolean;
  defaultValue: AccessValue | null;
  /** Number of devices with a value, their own or that of a container. */
  configuredOn: number;
}

/** Values of logical networks on containers, devices, SSIDs and ports. */
export interface LogicalNetworkConfiguration {
  /** Identity of the record. */
  id: number;
  /** Number of the cell that owns the record. */
  landscape: number;
  /** Number of configuration changes; send it back to detect concurrent changes. */
  version: number;
  /** User who last changed the record. */
  lastModifiedBy: string;
  /** When it was last changed. */
  lastModifiedDate: string;
  /** Identity of the record on the manager that distributed it; 0: it belongs to this cell. */
  guid: number;
  /** Last change by the manager. */
  globalModifiedDate: string | null;
  note: string;
  /** The logical network. */
  logicalNetworkID: number;
  /** Name of the logical network. */
  logicalNetworkName: string;
  /** Kind of the element that the value is configured on. */
  elementType: 'CONTAINER' | 'DEVICE' | 'SSID' | 'PORT';
  /** Id of the container, device, SSID or port. */
  elementID: number;
  /** Name of the element; empty: the caller does not see it. */
  elementName: string;
  /** The element, if it is a container; otherwise null. */
  containerID: number | null;
  /** The element, if it is a device; otherwise null. */
  deviceID: number | null;
  /** The element, if it is an SSID; otherwise null. */
  ssidID: number | null;
  /** The element, if it is a port; otherwise null. */
  portID: number | null;
  /** ENFORCE: apply the value. BYPASS: accept without a value, so that the default of the device applies. DENY: reject. */
  accessEnforcement: 'ENFORCE' | 'BYPASS' | 'DENY';
  /** Type of the value. CLI: lines that are sent to the device; DENY: no access; NONE: access without a value. */
  accessType: 'VLAN_ID' | 'VLAN_NAME' | 'FILTER_ID' | 'ROLE' | 'VPN_GROUP' | 'RADIUS_GROUP' | 'CLI' | 'DENY' | 'NONE';
  /** VLAN ID or name, filter name, role or group, by accessType; empty for DENY and NONE. Written as text without control characters. */
  accessValue: string;
  /** RADIUS attribute group that carries the value; null: the group of the device. */
  radiusAttrGroupID: number | null;
  /** Lines that apply the value. Placeholders: %PORT%, %IFINDEX%, %MAC%, %VLAN%, %HOST%. */
  cliApply: string[];
  /** Lines sent when the connection ends or the value changes. */
  cliUndo: string[];
  /** Tags that the host's address has while it is in this network here. */
  firewallTagIDs: number[];
  /** True: the VLAN was among those last read from the device. Null: nothing to compare. */
  valueKnownOnDevice: boolean | null;
}

export interface LogicalNetworkConfigurationByKeyInput {
  /** Identity of the record. */
  id?: number | null;
  /** Number of the cell that owns the record. */
  landscape?: number;
  /** Number of configuration changes; send it back to detect concurrent changes. */
  version?: number;
  /** User who last changed the record. */
  lastModifiedBy?: string;
  /** When it was last changed. */
  lastModifiedDate?: string;
  /** Identity of the record on the manager that distributed it; 0: it belongs to this cell. */
  guid?: number;
  /** Last change by the manager. */
  globalModifiedDate?: string | null;
  note?: string;
  logicalNetworkID: number;
  /** Name of the logical network. */
  logicalNetworkName?: string;
  elementType: 'CONTAINER' | 'DEVICE' | 'SSID' | 'PORT';
  elementID: number;
  /** Name of the element; empty: the caller does not see it. */
  elementName?: string;
  /** The element, if it is a container; otherwise null. */
  containerID?: number | null;
  /** The element, if it is a device; otherwise null. */
  deviceID?: number | null;
  /** The element, if it is an SSID; otherwise null. */
  ssidID?: number | null;
  /** The element, if it is a port; otherwise null. */
  portID?: number | null;
  /** ENFORCE: apply the value. BYPASS: accept without a value, so that the default of the device applies. DENY: reject. */
  accessEnforcement?: 'ENFORCE' | 'BYPASS' | 'DENY';
  /** Type of the value. CLI: lines that are sent to the device; DENY: no access; NONE: access without a value. */
  accessType?: 'VLAN_ID' | 'VLAN_NAME' | 'FILTER_ID' | 'ROLE' | 'VPN_GROUP' | 'RADIUS_GROUP' | 'CLI' | 'DENY' | 'NONE';
  /** VLAN ID or name, filter name, role or group, by accessType; empty for DENY and NONE. Written as text without control characters. */
  accessValue?: string;
  /** RADIUS attribute group that carries the value; null: the group of the device. */
  radiusAttrGroupID?: number | null;
  /** Lines that apply the value. Placeholders: %PORT%, %IFINDEX%, %MAC%, %VLAN%, %HOST%. */
  cliApply?: string[];
  /** Lines sent when the connection ends or the value changes. */
  cliUndo?: string[];
  /** Tags that the host's address has while it is in this network here. */
  firewallTagIDs?: number[];
  /** True: the VLAN was among those last read from the device. Null: nothing to compare. */
  valueKnownOnDevice?: boolean | null;
}

export interface LogicalNetworkConfigurationInput {
  /** Identity of the record. */
  id?: number | null;
  /** Number of the cell that owns the record. */
  landscape?: number;
  /** Number of configuration changes; send it back to detect concurrent changes. */
  version?: number;
  /** User who last changed the record. */
  lastModifiedBy?: string;
  /** When it was last changed. */
  lastModifiedDate?: string;
  /** Identity of the record on the manager that distributed it; 0: it belongs to this cell. */
  guid?: number;
  /** Last change by the manager. */
  globalModifiedDate?: string | null;
  note?: string;
  /** The logical network. */
  logicalNetworkID?: number;
  /** Name of the logical network. */
  logicalNetworkName?: string;
  /** Kind of the element that the value is configured on. */
  elementType?: 'CONTAINER' | 'DEVICE' | 'SSID' | 'PORT';
  /** Id of the container, device, SSID or port. */
  elementID?: number;
  /** Name of the element; empty: the caller does not see it. */
  elementName?: string;
  /** The element, if it is a container; otherwise null. */
  containerID?: number | null;
  /** The element, if it is a device; otherwise null. */
  deviceID?: number | null;
  /** The element, if it is an SSID; otherwise null. */
  ssidID?: number | null;
  /** The element, if it is a port; otherwise null. */
  portID?: number | null;
  /** ENFORCE: apply the value. BYPASS: accept without a value, so that the default of the device applies. DENY: reject. */
  accessEnforcement?: 'ENFORCE' | 'BYPASS' | 'DENY';
  /** Type of the value. CLI: lines that are sent to the device; DENY: no access; NONE: access without a value. */
  accessType?: 'VLAN_ID' | 'VLAN_NAME' | 'FILTER_ID' | 'ROLE' | 'VPN_GROUP' | 'RADIUS_GROUP' | 'CLI' | 'DENY' | 'NONE';
  /** VLAN ID or name, filter name, role or group, by accessType; empty for DENY and NONE. Written as text without control characters. */
  accessValue?: string;
  /** RADIUS attribute group that carries the value; null: the group of the device. */
  radiusAttrGroupID?: number | null;
  /** Lines that apply the value. Placeholders: %PORT%, %IFINDEX%, %MAC%, %VLAN%, %HOST%. */
  cliApply?: string[];
  /** Lines sent when the connection ends or the value changes. */
  cliUndo?: string[];
  /** Tags that the host's address has while it is in this network here. */
  firewallTagIDs?: number[];
  /** True: the VLAN was among those last read from the device. Null: nothing to compare. */
  valueKnownOnDevice?: boolean | null;
}

export interface LogicalNetworkInput {
  /** Identity of the record. */
  id?: number | null;
  /** Number of the cell that owns the record. */
  landscape?: number;
  /** Number of configuration changes; send it back to detect concurrent changes. */
  version?: number;
  /** User who last changed the record. */
  lastModifiedBy?: string;
  /** When it was last changed. */
  lastModifiedDate?: string;
  /** Identity of the record on the manager that distributed it; 0: it belongs to this cell. */
  guid?: number;
  /** Last change by the manager. */
  globalModifiedDate?: string | null;
  note?: string;
  name?: string;
  description?: string;
  /** Access state of hosts in the network. All states but PRODUCTION belong to built-in networks. */
  accessState?: 'DEAD_END' | 'QUARANTINE' | 'REGISTRATION' | 'AUTHENTICATION' | 'GUEST' | 'PRODUCTION';
  /** True: built in; cannot be renamed or deleted. */
  predefined?: boolean;
  defaultValue?: AccessValueInput | null;
  /** Number of devices with a value, their own or that of a container. */
  configuredOn?: number;
}

export interface LogicalNetworkReply {
  code: 'Access-Accept' | 'Access-Reject';
  /** Attributes of the reply, in the order they are sent. */
  attributes: LogicalNetworkReplyAttribute[];
}

export interface LogicalNetworkReplyAttribute {
  attribute: string;
  /** Tag of the values; 0: none. */
  tag: number;
  values: string[];
  /** Source of the attribute. */
  from: 'DEVICE' | 'LOGICAL_NETWORK' | 'DRIVER' | 'DEFAULT' | 'SESSION';
}

export interface Login {
  userID: string;
  password: string;
}

/** MAC addresses of protocols and clusters that are never treated as hosts. */
export interface MacExclusion {
  /** Identity of the record. */
  id: number;
  name: string;
  /** First address; with a mask, the address whose bits are compared. Written as a MAC address in any notation; empty for none. */
  start: string;
  /** Last address; required without a mask. With one it is equal to start and may be left out. Written as a MAC address in any notation; empty for none. */
  end: string;
  /** Instead of a range: the bits that must equal those of start. Written as a MAC address in any notation; empty for none. */
  mask: string | null;
  enabled: boolean;
  /** Built in; it can be disabled but not deleted. */
  builtIn: boolean;
  /** How often it excluded an address. */
  hits: number;
  /** When it last excluded an address. */
  lastHit: string | null;
  description: string;
  /** User who last changed the record. */
  lastModifiedBy: string;
  /** When it was last changed. */
  lastModifiedDate: string;
  /** Number of configuration changes; send it back to detect concurrent changes. */
  version: number;
}

export interface MacExclusionInput {
  /** Identity of the record. */
  id?: number | null;
  name?: string;
  /** First address; with a mask, the address whose bits are compared. Written as a MAC address in any notation; empty for none. */
  start?: string;
  /** Last address; required without a mask. With one it is equal to start and may be left out. Written as a MAC address in any notation; empty for none. */
  end?: string;
  /** Instead of a range: the bits that must equal those of start. Written as a MAC address in any notation; empty for none. */
  mask?: string | null;
  enabled?: boolean;
  /** Built in; it can be disabled but not deleted. */
  builtIn?: boolean;
  /** How often it excluded an address. */
  hits?: number;
  /** When it last excluded an address. */
  lastHit?: string | null;
  description?: string;
  /** User who last changed the record. */
  lastModifiedBy?: string;
  /** When it was last changed. */
  lastModifiedDate?: string;
  /** Number of configuration changes; send it back to detect concurrent changes. */
  version?: number;
}

export interface MappedGroup {
  dbid: number;
  name: string;
  description: string;
  type: 'ADMINISTRATOR' | 'USER';
  source: 'LOCAL' | 'DIRECTORY' | 'SYSTEM';
}

export interface MappedGroupInput {
  dbid?: number;
  name?: string;
  description?: string;
  type?: 'ADMINISTRATOR' | 'USER';
  source?: 'LOCAL' | 'DIRECTORY' | 'SYSTEM';
}

export interface MappingSupport {
  profiles: NamedProfile[];
  /** Groups visible to the caller. */
  groups: NamedGroup[];
}

/** Mobile device management servers whose devices are registered here and whose compliance state is read. */
export interface MdmServer {
  /** Identity of the record. */
  dbid: number;
  name: string;
  /** API of the server. Stored, without effect until MDM servers are asked. */
  pluginName: 'GRAPH' | 'JAMF_PRO' | 'WORKSPACE_ONE' | 'GENERIC_JSON';
  /** Base URL of its API. Stored, without effect until MDM servers are asked. Written as a URL such as https://mdm.example.org/api, without user, query and fragment. */
  request: string;
  /** Tenant id or tenant code. Stored, without effect until MDM servers are asked. */
  identifier: string;
  /** User name or OAuth client id. Stored, without effect until MDM servers are asked. */
  userID: string;
  /** Whether password is set. */
  passwordSet: boolean;
  /** Whether credentialText is set. */
  credentialTextSet: boolean;
  /** Platform id, if the plug-in needs one. Stored, without effect until MDM servers are asked. */
  platformID: string;
  /** Id of this service as an application on the server. Stored, without effect until MDM servers are asked. */
  appID: string;
  /** Version of that application. Stored, without effect until MDM servers are asked. */
  appVersion: string;
  /** Whether appAccessKey is set. */
  appAccessKeySet: boolean;
  /** Whether it is polled periodically. Stored, without effect until MDM servers are asked. */
  poll: boolean;
  /** Minutes between two polls. Stored, without effect until MDM servers are asked. */
  pollInterval: number;
  /** Query the server for an unknown MAC address that reaches the portal. Not supported yet: only false is accepted until MDM servers are asked. */
  onDemandRegistration: boolean;
  /** Query the server each time a host connects. Not supported yet: only false is accepted until MDM servers are asked. */
  reValidation: boolean;
  /** Delete hosts that it no longer lists. Not supported yet: only false is accepted until MDM servers are asked. */
  deleteOnRemove: boolean;
  /** Also read the applications of its devices. Not supported yet: only false is accepted until MDM servers are asked. */
  updateApplications: boolean;
  /** Use its compliance state. Stored, without effect until MDM servers are asked. */
  complianceRetrieval: boolean;
  /** Register only devices that it has approved. Not supported yet: only false is accepted until MDM servers are asked. */
  approvedOnly: boolean;
  /** Highest accepted risk level; empty: any. Not supported yet: only "" is accepted until MDM servers are asked. */
  riskLevel: string;
  /** Whether its certificate must be trusted; false raises an event. Stored, without effect until MDM servers are asked. */
  sslVerifyCert: boolean;
  /** Whether its certificate must be for its host name. Stored, without effect until MDM servers are asked. */
  sslVerifyHostname: boolean;
  /** Option of the plug-in; GENERIC_JSON: path of the devices. Stored, without effect until MDM servers are asked. */
  option1: string;
  /** Option of the plug-in; GENERIC_JSON: field map as JSON. Stored, without effect until MDM servers are asked. */
  option2: string;
  /** Option of the plug-in; GENERIC_JSON: page parameter. Stored, without effect until MDM servers are asked. */
  option3: string;
  /** Option of the plug-in; GENERIC_JSON: the value that means compliant. Stored, without effect until MDM servers are asked. */
  option4: string;
  /** Last poll; 1970: never. */
  lastPoll: string;
  /** Last successful poll; 1970: never. */
  lastSuccessfulPoll: string;
  /** When the record was created. */
  createDate: string;
  /** Number of configuration changes; send it back to detect concurrent changes. */
  version: number;
  /** User who last changed the record. */
  lastModifiedBy: string;
  /** When it was last changed. */
  lastModifiedDate: string;
}

export interface MdmServerInput {
  /** Identity of the record. */
  dbid?: number | null;
  name?: string;
  /** API of the server. Stored, without effect until MDM servers are asked. */
  pluginName?: 'GRAPH' | 'JAMF_PRO' | 'WORKSPACE_ONE' | 'GENERIC_JSON';
  /** Base URL of its API. Stored, without effect until MDM servers are asked. Written as a URL such as https://mdm.example.org/api, without user, query and fragment. */
  request?: string;
  /** Tenant id or tenant code. Stored, without effect until MDM servers are asked. */
  identifier?: string;
  /** User name or OAuth client id. Stored, without effect until MDM servers are asked. */
  userID?: string;
  /** Password or OAuth client secret. Required again when one of these changes: pluginName, request, identifier, userID, platformID, appID, sslVerifyCert, sslVerifyHostname. Stored, without effect until MDM servers are asked. */
  password?: string | null;
  /** Whether password is set. */
  passwordSet?: boolean;
  /** Refresh token or JSON credentials. Required again when one of these changes: pluginName, request, identifier, userID, platformID, appID, sslVerifyCert, sslVerifyHostname. Stored, without effect until MDM servers are asked. */
  credentialText?: string | null;
  /** Whether credentialText is set. */
  credentialTextSet?: boolean;
  /** Platform id, if the plug-in needs one. Stored, without effect until MDM servers are asked. */
  platformID?: string;
  /** Id of this service as an application on the server. Stored, without effect until MDM servers are asked. */
  appID?: string;
  /** Version of that application. Stored, without effect until MDM servers are asked. */
  appVersion?: string;
  /** Access key of that application. Required again when one of these changes: pluginName, request, identifier, userID, platformID, appID, sslVerifyCert, sslVerifyHostname. Stored, without effect until MDM servers are asked. */
  appAccessKey?: string | null;
  /** Whether appAccessKey is set. */
  appAccessKeySet?: boolean;
  /** Whether it is polled periodically. Stored, without effect until MDM servers are asked. */
  poll?: boolean;
  /** Minutes between two polls. Stored, without effect until MDM servers are asked. */
  pollInterval?: number;
  /** Query the server for an unknown MAC address that reaches the portal. Not supported yet: only false is accepted until MDM servers are asked. */
  onDemandRegistration?: boolean;
  /** Query the server each time a host connects. Not supported yet: only false is accepted until MDM servers are asked. */
  reValidation?: boolean;
  /** Delete hosts that it no longer lists. Not supported yet: only false is accepted until MDM servers are asked. */
  deleteOnRemove?: boolean;
  /** Also read the applications of its devices. Not supported yet: only false is accepted until MDM servers are asked. */
  updateApplications?: boolean;
  /** Use its compliance state. Stored, without effect until MDM servers are asked. */
  complianceRetrieval?: boolean;
  /** Register only devices that it has approved. Not supported yet: only false is accepted until MDM servers are asked. */
  approvedOnly?: boolean;
  /** Highest accepted risk level; empty: any. Not supported yet: only "" is accepted until MDM servers are asked. */
  riskLevel?: string;
  /** Whether its certificate must be trusted; false raises an event. Stored, without effect until MDM servers are asked. */
  sslVerifyCert?: boolean;
  /** Whether its certificate must be for its host name. Stored, without effect until MDM servers are asked. */
  sslVerifyHostname?: boolean;
  /** Option of the plug-in; GENERIC_JSON: path of the devices. Stored, without effect until MDM servers are asked. */
  option1?: string;
  /** Option of the plug-in; GENERIC_JSON: field map as JSON. Stored, without effect until MDM servers are asked. */
  option2?: string;
  /** Option of the plug-in; GENERIC_JSON: page parameter. Stored, without effect until MDM servers are asked. */
  option3?: string;
  /** Option of the plug-in; GENERIC_JSON: the value that means compliant. Stored, without effect until MDM servers are asked. */
  option4?: string;
  /** Last poll; 1970: never. */
  lastPoll?: string;
  /** Last successful poll; 1970: never. */
  lastSuccessfulPoll?: string;
  /** When the record was created. */
  createDate?: string;
  /** Number of configuration changes; send it back to detect concurrent changes. */
  version?: number;
  /** User who last changed the record. */
  lastModifiedBy?: string;
  /** When it was last changed. */
  lastModifiedDate?: string;
}

export interface MemberVia {
  id: number;
  name: string;
}

export interface MenuArea {
  page: string;
  label: string;
  children: MenuPage[];
}

export interface MenuPage {
  page: string;
  label: string;
}

export interface MissingOnDevice {
  deviceID: number;
  deviceName: string;
}

export interface MonitorStart {
  /** Report only matching records. */
  filter?: string[];
}

export interface MonitorStarted {
  /** Identity of the monitor. */
  id: number;
  /** Start position of the monitor. */
  position: string;
}

export interface NamedGroup {
  id: number;
  name: string;
  type: 'ADMINISTRATOR' | 'USER';
}

export interface NamedProfile {
  id: number;
  name: string;
}

export interface NavigationSettings {
  /** Page shown first; null: no page is open to you. */
  landingPage: string | null;
  /** Areas with the pages that you may view and that are served. */
  menu: MenuArea[];
  /** Your attribute `theme`. */
  theme: 'system' | 'light' | 'dark';
  language: 'en';
  /** Rows of a first page: your attribute `pageSize`. */
  pageSize: number;
}

export interface NestedGroupMember {
  id: number;
  /** Name of the element. */
  name: string;
  /** Path of its icon. */
  img: string;
  via: MemberVia | null;
}

/** Named subnets, ranges and single addresses, for use in network address groups. */
export interface NetworkAddress {
  /** Identity of the record. */
  id: number;
  name: string;
  /** Kind of address; it decides which fields apply. */
  type: 'SUBNET' | 'RANGE' | 'HOST';
  /** Network of a subnet. Written as an IPv4 or IPv6 network, such as 10.20.0.0/16. */
  network: string | null;
  /** First address of a range. Written as an IPv4 or IPv6 address. */
  start: string | null;
  /** Last address of a range. Written as an IPv4 or IPv6 address. */
  end: string | null;
  /** The address of a single host. Written as an IPv4 or IPv6 address. */
  address: string | null;
  description: string;
  /** User who last changed the record. */
  lastModifiedBy: string;
  /** When it was last changed. */
  lastModifiedDate: string;
  /** Number of configuration changes; send it back to detect concurrent changes. */
  version: number;
}

/** Named sets of network addresses, for firewalls, profiling and discovery. */
export interface NetworkAddressGroup {
  /** Identity of the record. */
  id: number;
  name: string;
  /** Stable key of a built-in group, used instead of its name. */
  tag: string | null;
  /** Addresses of the group; at least one unless it is built in. */
  addressIDs: number[];
  /** The same addresses with their names. */
  addresses: NetworkAddressShort[];
  description: string;
  /** User who last changed the record. */
  lastModifiedBy: string;
  /** When it was last changed. */
  lastModifiedDate: string;
  /** Number of configuration changes; send it back to detect concurrent changes. */
  version: number;
}

export interface NetworkAddressGroupInput {
  /** Identity of the record. */
  id?: number | null;
  name?: string;
  /** Stable key of a built-in group, used instead of its name. */
  tag?: string | null;
  /** Addresses of the group; at least one unless it is built in. */
  addressIDs?: number[];
  /** The same addresses with their names. */
  addresses?: NetworkAddressShortInput[];
  description?: string;
  /** User who last changed the record. */
  lastModifiedBy?: string;
  /** When it was last changed. */
  lastModifiedDate?: string;
  /** Number of configuration changes; send it back to detect concurrent changes. */
  version?: number;
}

export interface NetworkAddressInput {
  /** Identity of the record. */
  id?: number | null;
  name?: string;
  /** Kind of address; it decides which fields apply. */
  type?: 'SUBNET' | 'RANGE' | 'HOST';
  /** Network of a subnet. Written as an IPv4 or IPv6 network, such as 10.20.0.0/16. */
  network?: string | null;
  /** First address of a range. Written as an IPv4 or IPv6 address. */
  start?: string | null;
  /** Last address of a range. Written as an IPv4 or IPv6 address. */
  end?: string | null;
  /** The address of a single host. Written as an IPv4 or IPv6 address. */
  address?: string | null;
  description?: string;
  /** User who last changed the record. */
  lastModifiedBy?: string;
  /** When it was last changed. */
  lastModifiedDate?: string;
  /** Number of configuration changes; send it back to detect concurrent changes. */
  version?: number;
}

export interface NetworkAddressShort {
  id: number;
  name: string;
  type: 'SUBNET' | 'RANGE' | 'HOST';
}

export interface NetworkAddressShortInput {
  id?: number;
  name?: string;
  type?: 'SUBNET' | 'RANGE' | 'HOST';
}

/** Switches, routers, access points and firewalls, each in a container of the topology. */
export interface NetworkDevice {
  /** Identity of the record. */
  id: number;
  /** Number of the cell that owns the record. */
  landscape: number;
  /** 0 active, 1 disabled, 2 being deleted. */
  state: number;
  /** 2 managed device, 3 pingable device. */
  elementClass: number;
  /** 0 never contacted, 1 contact established, 2 contact lost, 3 degraded (ping works, SNMP or CLI fails), 4 management disabled. */
  status: number;
  /** Number of configuration changes; send it back to detect concurrent changes. */
  version: number;
  /** Name, unique in the cell. */
  name: string;
  /** Management IP address, unique in the cell. Written as an IPv4 or IPv6 address. */
  ipAddress: string | null;
  /** MAC address of the device itself. Written as a MAC address in any notation; empty for none. */
  physicalAddress: string | null;
  /** The container that holds it. */
  containerID: number;
  /** Name of the container. */
  container: string;
  /** Driver used for the device. */
  driver: 'qbridge' | 'cisco-ios' | 'hostapd' | 'radius-only' | 'linux-firewall' | 'ping';
  /** Tag of the device type, overriding the detected one; firewall and access-point also select the driver. */
  deviceTypeOverride: string | null;
  /** Tag of its device type. */
  deviceType: string;
  /** Vendor. */
  vendor: string | null;
  /** Model name. */
  model: string | null;
  /** Firmware version. */
  firmware: string | null;
  /** Serial number reported by the device. */
  serialNumber: string | null;
  /** sysObjectID. */
  sysOid: string | null;
  /** sysDescr. */
  sysDescr: string | null;
  /** sysName. */
  systemName: string | null;
  /** sysContact. */
  contactName: string | null;
  /** sysLocation. */
  deviceLocation: string | null;
  /** Management protocol. */
  protocol: 'SNMP_V1' | 'SNMP_V2C' | 'SNMP_V3' | 'PING' | 'RADIUS';
  /** Role of the device. */
  role: string | null;
  description: string;
  note: string;
  /** MIB modules that it supports. */
  mibs: string[];
  /** Number of ports. */
  portCount: number;
  /** Number of adapters connected to its ports now. */
  connectedHosts: number;
  /** SNMPv3 user name. */
  snmpUsername: string | null;
  /** How SNMPv3 signs. */
  snmpAuthenticationProtocol: 'MD5' | 'SHA' | 'SHA224' | 'SHA256' | 'SHA384' | 'SHA512' | null;
  /** SNMPv3 privacy protocol; null: no encryption. AES256 with key extension by Blumenthal (B) or Reeder (R). */
  snmpPrivacyProtocol: 'DES' | 'AES' | 'AES256B' | 'AES256R' | null;
  /** Whether snmpSecurityStrings is set. */
  snmpSecurityStringsSet: boolean;
  /** Whether snmpAuthenticationPassword is set. */
  snmpAuthenticationPasswordSet: boolean;
  /** Whether snmpPrivacyPassword is set. */
  snmpPrivacyPasswordSet: boolean;
  snmpPort: number;
  cliCredentials: CliCredentials | null;
  /** Whether it is a client of the RADIUS server. */
  radiusEnabled: boolean;
  /** Whether radiusSecret is set. */
  radiusSecretSet: boolean;
  /** NAS-Identifier of a device that is not known by its address. Not supported yet: only null is accepted until access devices are found by it. */
  nasIdentifier: string | null;
  /** UDP port for change of authorisation (RFC 5176). Not supported yet: only 3799 is accepted until changes of authorisation are sent. */
  coaPort: number;
  /** Profile of the RADIUS server; null: the default one. */
  radiusServerConfigID: number | null;
  /** RADIUS attributes in responses to it; null: those of its driver. */
  radiusAttrGroupID: number | null;
  /** If no decision is possible: send no response, or repeat the last accept for that port. Not supported yet: only "SILENT" is accepted until last accepts are kept. */
  whenUndecided: 'SILENT' | 'LAST_ACCEPT';
  /** False: the device is only monitored and never changed. */
  managed: boolean;
  /** Methods to change access, in the order to try; absent on create: the defaults of its protocol. Stored, without effect until decisions are enforced on ports. */
  enforcementMethods: ('COA' | 'DISCONNECT' | 'SNMP' | 'CLI' | 'BOUNCE')[];
  /** Take the link down briefly, so that the host requests a new address. Not supported yet: only true is accepted until decisions are enforced on ports. */
  bounceAfterVlanChange: boolean;
  /** Return the default VLAN of the port to RADIUS if nothing else was decided. */
  sendDefaultVlan: boolean;
  /** VLANs configured on it. */
  vlans: DeviceVlan[];
  contactPollingEnabled: boolean;
  /** Seconds between contact polls. */
  contactPollingInterval: number;
  /** Whether its forwarding table is read. */
  l2PollingEnabled: boolean;
  /** Seconds between readings of the forwarding table. */
  l2PollingInterval: number;
  /** Whether its ARP and neighbour tables are read. */
  l3PollingEnabled: boolean;
  /** Seconds between readings of the ARP and neighbour tables. */
  l3PollingInterval: number;
  /** Polling order when many devices are due. */
  l3PollingPriority: 'HIGH' | 'MEDIUM' | 'LOW';
  /** Last contact poll. */
  lastPoll: string | null;
  /** Last successful contact poll. */
  lastSuccessfulPoll: string | null;
  /** Last reading of the forwarding table. */
  lastL2Poll: string | null;
  /** Last reading of the ARP and neighbour tables. */
  lastL3Poll: string | null;
  /** Last trap from it. */
  lastTrap: string | null;
  /** Parser for its messages about hosts. */
  incomingEventParserID: number | null;
  /** How a firewall is informed about users and their addresses. */
  ssoAgentType: 'NONE' | 'STREAM' | 'RADIUS_ACCOUNTING';
  /** Addresses of hosts that are reported to a firewall. Not supported yet: only null is accepted until firewalls get users and their addresses. */
  ssoAddressGroupID: number | null;
  /** Addresses of the VPN clients of a firewall. Not supported yet: only null is accepted until firewalls get users and their addresses. */
  vpnAddressGroupID: number | null;
  /** The newest DEVICE_CREATED of this record. */
  creationEvent: EventOfRecord;
  /** The newest DEVICE_DESTROYED of this record. */
  destroyEvent: EventOfRecord;
  /** The newest CONTACT_ESTABLISHED of this record. */
  establishedEvent: EventOfRecord;
  /** The newest CONTACT_LOST of this record. */
  lostEvent: EventOfRecord;
  /** User who last changed the record. */
  lastModifiedBy: string;
  /** When it was last changed. */
  lastModifiedDate: string;
}

export interface NetworkDeviceFeedEntry {
  /** Position of this entry; sent with the next poll, it acknowledges everything up to here. */
  position: string;
  change: 'added' | 'modified' | 'removed';
  /** Current state of the record; a removed record has only its identity. */
  record: ChangedNetworkDevice;
}

export interface NetworkDeviceInput {
  /** Identity of the record. */
  id?: number | null;
  /** Number of the cell that owns the record. */
  landscape?: number;
  /** 0 active, 1 disabled, 2 being deleted. */
  state?: number;
  /** 2 managed device, 3 pingable device. */
  elementClass?: number;
  /** 0 never contacted, 1 contact established, 2 contact lost, 3 degraded (ping works, SNMP or CLI fails), 4 management disabled. */
  status?: number;
  /** Number of configuration changes; send it back to detect concurrent changes. */
  version?: number;
  /** Name, unique in the cell. */
  name?: string;
  /** Management IP address, unique in the cell. Written as an IPv4 or IPv6 address. */
  ipAddress?: string | null;
  /** MAC address of the device itself. Written as a MAC address in any notation; empty for none. */
  physicalAddress?: string | null;
  /** The container that holds it. */
  containerID?: number;
  /** Name of the container. */
  container?: string;
  /** Driver used for the device. */
  driver?: 'qbridge' | 'cisco-ios' | 'hostapd' | 'radius-only' | 'linux-firewall' | 'ping';
  /** Tag of the device type, overriding the detected one; firewall and access-point also select the driver. */
  deviceTypeOverride?: string | null;
  /** Tag of its device type. */
  deviceType?: string;
  /** Vendor. */
  vendor?: string | null;
  /** Model name. */
  model?: string | null;
  /** Firmware version. */
  firmware?: string | null;
  /** Serial number reported by the device. */
  serialNumber?: string | null;
  /** sysObjectID. */
  sysOid?: string | null;
  /** sysDescr. */
  sysDescr?: string | null;
  /** sysName. */
  systemName?: string | null;
  /** sysContact. */
  contactName?: string | null;
  /** sysLocation. */
  deviceLocation?: string | null;
  /** Management protocol. */
  protocol?: 'SNMP_V1' | 'SNMP_V2C' | 'SNMP_V3' | 'PING' | 'RADIUS';
  /** Role of the device. */
  role?: string | null;
  description?: string;
  note?: string;
  /** MIB modules that it supports. */
  mibs?: string[];
  /** Number of ports. */
  portCount?: number;
  /** Number of adapters connected to its ports now. */
  connectedHosts?: number;
  /** SNMPv3 user name. */
  snmpUsername?: string | null;
  /** How SNMPv3 signs. */
  snmpAuthenticationProtocol?: 'MD5' | 'SHA' | 'SHA224' | 'SHA256' | 'SHA384' | 'SHA512' | null;
  /** SNMPv3 privacy protocol; null: no encryption. AES256 with key extension by Blumenthal (B) or Reeder (R). */
  snmpPrivacyProtocol?: 'DES' | 'AES' | 'AES256B' | 'AES256R' | null;
  /** Communities, tried in this order; never returned. Null or absent: no change; empty: none. Required again when ipAddress, snmpPort or the version of SNMP changes. */
  snmpSecurityStrings?: string[] | null;
  /** Whether snmpSecurityStrings is set. */
  snmpSecurityStringsSet?: boolean;
  /** SNMPv3 authentication password. Required again when one of these changes: ipAddress, snmpPort, protocol, snmpUsername, snmpAuthenticationProtocol, snmpPrivacyProtocol. */
  snmpAuthenticationPassword?: string | null;
  /** Whether snmpAuthenticationPassword is set. */
  snmpAuthenticationPasswordSet?: boolean;
  /** SNMPv3 privacy password. Required again when one of these changes: ipAddress, snmpPort, protocol, snmpUsername, snmpAuthenticationProtocol, snmpPrivacyProtocol. */
  snmpPrivacyPassword?: string | null;
  /** Whether snmpPrivacyPassword is set. */
  snmpPrivacyPasswordSet?: boolean;
  snmpPort?: number;
  cliCredentials?: CliCredentialsInput | null;
  /** Whether it is a client of the RADIUS server. */
  radiusEnabled?: boolean;
  /** RADIUS shared secret. Required again when one of these changes: ipAddress, nasIdentifier, coaPort. */
  radiusSecret?: string | null;
  /** Whether radiusSecret is set. */
  radiusSecretSet?: boolean;
  /** NAS-Identifier of a device that is not known by its address. Not supported yet: only null is accepted until access devices are found by it. */
  nasIdentifier?: string | null;
  /** UDP port for change of authorisation (RFC 5176). Not supported yet: only 3799 is accepted until changes of authorisation are sent. */
  coaPort?: number;
  /** Profile of the RADIUS server; null: the default one. */
  radiusServerConfigID?: number | null;
  /** RADIUS attributes in responses to it; null: those of its driver. */
  radiusAttrGroupID?: number | null;
  /** If no decision is possible: send no response, or repeat the last accept for that port. Not supported yet: only "SILENT" is accepted until last accepts are kept. */
  whenUndecided?: 'SILENT' | 'LAST_ACCEPT';
  /** False: the device is only monitored and never changed. */
  managed?: boolean;
  /** Methods to change access, in the order to try; absent on create: the defaults of its protocol. Stored, without effect until decisions are enforced on ports. */
  enforcementMethods?: ('COA' | 'DISCONNECT' | 'SNMP' | 'CLI' | 'BOUNCE')[];
  /** Take the link down briefly, so that the host requests a new address. Not supported yet: only true is accepted until decisions are enforced on ports. */
  bounceAfterVlanChange?: boolean;
  /** Return the default VLAN of the port to RADIUS if nothing else was decided. */
  sendDefaultVlan?: boolean;
  /** VLANs configured on it. */
  vlans?: DeviceVlanInput[];
  contactPollingEnabled?: boolean;
  /** Seconds between contact polls. */
  contactPollingInterval?: number;
  /** Whether its forwarding table is read. */
  l2PollingEnabled?: boolean;
  /** Seconds between readings of the forwarding table. */
  l2PollingInterval?: number;
  /** Whether its ARP and neighbour tables are read. */
  l3PollingEnabled?: boolean;
  /** Seconds between readings of the ARP and neighbour tables. */
  l3PollingInterval?: number;
  /** Polling order when many devices are due. */
  l3PollingPriority?: 'HIGH' | 'MEDIUM' | 'LOW';
  /** Last contact poll. */
  lastPoll?: string | null;
  /** Last successful contact poll. */
  lastSuccessfulPoll?: string | null;
  /** Last reading of the forwarding table. */
  lastL2Poll?: string | null;
  /** Last reading of the ARP and neighbour tables. */
  lastL3Poll?: string | null;
  /** Last trap from it. */
  lastTrap?: string | null;
  /** Parser for its messages about hosts. */
  incomingEventParserID?: number | null;
  /** How a firewall is informed about users and their addresses. */
  ssoAgentType?: 'NONE' | 'STREAM' | 'RADIUS_ACCOUNTING';
  /** Addresses of hosts that are reported to a firewall. Not supported yet: only null is accepted until firewalls get users and their addresses. */
  ssoAddressGroupID?: number | null;
  /** Addresses of the VPN clients of a firewall. Not supported yet: only null is accepted until firewalls get users and their addresses. */
  vpnAddressGroupID?: number | null;
  /** The newest DEVICE_CREATED of this record. */
  creationEvent?: EventOfRecordInput;
  /** The newest DEVICE_DESTROYED of this record. */
  destroyEvent?: EventOfRecordInput;
  /** The newest CONTACT_ESTABLISHED of this record. */
  establishedEvent?: EventOfRecordInput;
  /** The newest CONTACT_LOST of this record. */
  lostEvent?: EventOfRecordInput;
  /** User who last changed the record. */
  lastModifiedBy?: string;
  /** When it was last changed. */
  lastModifiedDate?: string;
  /** Version of SNMP; the record shows it as protocol. */
  snmpProtocol?: 'V1' | 'V2C' | 'V3_AUTH_NO_PRIV' | 'V3_AUTH_PRIV';
}

export interface NetworkScanWish {
  /** The adapters. */
  id: number[];
  /** LIGHT: 100 common TCP ports; STANDARD (default): 1,000 with service versions; FULL: all TCP ports and common UDP ports. */
  intensity?: 'LIGHT' | 'STANDARD' | 'FULL';
  /** Detect the operating system. Default: true. */
  osDetection?: boolean;
}

export interface NetworkValue {
  /** The logical network. */
  logicalNetworkID: number;
  /** ENFORCE: apply the value. BYPASS: accept without a value, so that the default of the device applies. DENY: reject. */
  accessEnforcement: 'ENFORCE' | 'BYPASS' | 'DENY';
  /** Type of the value. CLI: lines that are sent to the device; DENY: no access; NONE: access without a value. */
  accessType: 'VLAN_ID' | 'VLAN_NAME' | 'FILTER_ID' | 'ROLE' | 'VPN_GROUP' | 'RADIUS_GROUP' | 'CLI' | 'DENY' | 'NONE';
  /** VLAN ID or name, filter name, role or group, by accessType; empty for DENY and NONE. Written as text without control characters. */
  accessValue: string;
  /** RADIUS attribute group that carries the value; null: the group of the device. */
  radiusAttrGroupID: number | null;
  /** Lines that apply the value. Placeholders: %PORT%, %IFINDEX%, %MAC%, %VLAN%, %HOST%. */
  cliApply: string[];
  /** Lines sent when the connection ends or the value changes. */
  cliUndo: string[];
  /** Tags that the host's address has while it is in this network here. */
  firewallTagIDs: number[];
  note: string;
}

export interface NetworkValueInput {
  /** The logical network. */
  logicalNetworkID: number;
  /** ENFORCE: apply the value. BYPASS: accept without a value, so that the default of the device applies. DENY: reject. */
  accessEnforcement?: 'ENFORCE' | 'BYPASS' | 'DENY';
  /** Type of the value. CLI: lines that are sent to the device; DENY: no access; NONE: access without a value. */
  accessType?: 'VLAN_ID' | 'VLAN_NAME' | 'FILTER_ID' | 'ROLE' | 'VPN_GROUP' | 'RADIUS_GROUP' | 'CLI' | 'DENY' | 'NONE';
  /** VLAN ID or name, filter name, role or group, by accessType; empty for DENY and NONE. Written as text without control characters. */
  accessValue?: string;
  /** RADIUS attribute group that carries the value; null: the group of the device. */
  radiusAttrGroupID?: number | null;
  /** Lines that apply the value. Placeholders: %PORT%, %IFINDEX%, %MAC%, %VLAN%, %HOST%. */
  cliApply?: string[];
  /** Lines sent when the connection ends or the value changes. */
  cliUndo?: string[];
  /** Tags that the host's address has while it is in this network here. */
  firewallTagIDs?: number[];
  note?: string;
}

export interface NetworkValueOfElementInput {
  /** The logical network. */
  logicalNetworkID: number;
  /** ENFORCE: apply the value. BYPASS: accept without a value, so that the default of the device applies. DENY: reject. */
  accessEnforcement?: 'ENFORCE' | 'BYPASS' | 'DENY';
  /** Type of the value. CLI: lines that are sent to the device; DENY: no access; NONE: access without a value. */
  accessType?: 'VLAN_ID' | 'VLAN_NAME' | 'FILTER_ID' | 'ROLE' | 'VPN_GROUP' | 'RADIUS_GROUP' | 'CLI' | 'DENY' | 'NONE';
  /** VLAN ID or name, filter name, role or group, by accessType; empty for DENY and NONE. Written as text without control characters. */
  accessValue?: string;
  /** RADIUS attribute group that carries the value; null: the group of the device. */
  radiusAttrGroupID?: number | null;
  /** Lines that apply the value. Placeholders: %PORT%, %IFINDEX%, %MAC%, %VLAN%, %HOST%. */
  cliApply?: string[];
  /** Lines sent when the connection ends or the value changes. */
  cliUndo?: string[];
  /** Tags that the host's address has while it is in this network here. */
  firewallTagIDs?: number[];
  note?: string;
  /** DEVICE, or SSID or PORT of the device. Absent: DEVICE. */
  elementType?: 'CONTAINER' | 'DEVICE' | 'SSID' | 'PORT';
  /** The SSID or port. Absent: the device. */
  elementID?: number;
}

export interface NetworkValuesOfElements {
  elements: ConfiguredElementInput[];
  /** RADIUS attribute group of the device; null: the group of its driver. */
  radiusAttrGroupID?: number | null;
  configurations: NetworkValueInput[];
}

export interface NewAccount {
  /** Identity of the record. */
  id?: number | null;
  /** Number of the cell that owns the record. */
  landscape?: number;
  /** Number of configuration changes; send it back to detect concurrent changes. */
  version?: number;
  /** User who last changed the record. */
  lastModifiedBy?: string;
  /** When it was last changed. */
  lastModifiedDate?: string;
  userID?: string;
  firstName?: string;
  lastName?: string;
  email?: string;
  source?: 'LOCAL' | 'DIRECTORY' | 'IDP' | 'RADIUS' | 'GUEST';
  /** Role that policies match on. A value sent here is fixed until it is sent empty. */
  role?: string;
  /** Source of the role. */
  roleSource?: 'ADMIN' | 'PROFILING_RULE' | 'DIRECTORY' | 'GROUP' | 'VENDOR_OUI' | 'PORTAL' | 'DEFAULT';
  state?: 'ENABLED' | 'DISABLED';
  /** Admin profile; makes the account an administrator. */
  adminProfileDBID?: number | null;
  /** Whether the profile was assigned by hand, or by a mapping that may remove it again. */
  adminProfileSource?: 'ASSIGNED' | 'MAPPING' | null;
  /** Name of the admin profile. */
  profileName?: string;
  /** The password must be changed at the next sign-in. Default for a new account: true. */
  mustChangePassword?: boolean;
  /** Failed logins of the last hour, from all networks. */
  failedLogins?: number;
  /** End of the last lock of a network from which the account failed to sign in; null: no network is locked. */
  lockedUntil?: string | null;
  /** From then on the account cannot be used; null: never. */
  expirationDate?: string | null;
  /** Whether networkPassword is set. */
  networkPasswordSet?: boolean;
  /** Last successful login. */
  lastLoginDate?: string | null;
  /** Password of a new account. Without it the service generates a one-time password and returns it. */
  password?: string;
}

export interface NewAdminProfile {
  /** Identity of the record. */
  dbid: number | null;
  /** Number of the cell that owns the record. */
  landscape: number;
  /** Number of configuration changes; send it back to detect concurrent changes. */
  version: number;
  /** User who last changed the record. */
  lastModifiedBy: string;
  /** When it was last changed. */
  lastModifiedDate: string;
  /** Always empty; the client must set it. */
  name: string;
  note: string;
  /** Grants all rights; true only for the built-in profile. */
  administrator: boolean;
  /** Rights by permission key; a missing key grants nothing. A map that is sent replaces the whole map, but an entry keeps the limits of its key that it leaves out. */
  permissions: Record<string, Permission>;
  /** Minutes after which an idle session ends. */
  inactivityTime: number;
  /** When its administrators may sign in and send requests; at other times every request is refused. */
  schedule: WeeklySchedule;
  /** Console page shown after login. */
  landingPage: string;
  /** Limits visible hosts, adapters, ports and users to members of the groups that its administrators manage. */
  manageByGroups: boolean;
  /** Failed logins that lock an account; 0: never. */
  lockoutThreshold: number;
  /** Duration of a lock in seconds. */
  lockoutDuration: number;
  /** True: its administrators never expire; false: they expire like other users. Not supported yet: only true is accepted until users expire. */
  preventAging: boolean;
  /** True: new permission keys of a release are granted view; false: nothing. Not supported yet: only true is accepted until a release brings new keys. */
  upgradePermissions: boolean;
  /** The console shows only a form to create guests; requires kioskTemplateID, and allows only the right to add guests. Stored, without effect until guest templates are served. */
  isKioskMode: boolean;
  /** Template of the guests that the kiosk creates. */
  kioskTemplateID: number | null;
  /** Text above the form of the kiosk. Not supported yet: only null is accepted until guest templates are served. */
  kioskWelcomeMessage: string | null;
  /** Identity of the record on the manager that distributed it; 0: it belongs to this cell. */
  guid: number;
  /** Last change by the manager. */
  globalModifiedDate: string | null;
  /** Whether a manager distributed it; then it is read-only here. */
  global: boolean;
  /** Name of the record in the audit log. */
  auditObjectName: string;
  auditObjectType: AuditObjectType;
  /** Event type of the last change. */
  yamsEventTag: string;
  /** The last audit record of this record. */
  auditObj: AuditObject;
}

export interface NewestChange {
  yamsEventTag: string;
  auditObj: string;
}

export interface OwnAttribute {
  name: string;
  value: string;
}

export interface OwnAttributeInput {
  name: string;
  value: string;
}

export interface PasswordChange {
  currentPassword: string;
  newPassword: string;
}

export interface PasswordReset {
  /** Without it the service generates a one-time password and returns it. */
  password?: string;
}

export interface Permission {
  /** Set by the service where add, modify or delete is. */
  view: boolean;
  add: boolean;
  modify: boolean;
  delete: boolean;
  /** Limits device-profiling, groups or devices to selectedIDs. Absent: as stored, and true if selectedIDs has any. */
  customized: boolean;
  /** True: selectedIDs is ignored. Absent: as stored, and false if selectedIDs is sent. */
  allIDs: boolean;
  /** Profiling rules, groups, or containers with everything inside; guest templates cannot be selected yet. Other records are not visible to the administrator. */
  selectedIDs: number[];
  /** For guests: accounts (ALL or OWN), maxDaysAhead, sharedPasswordAllowed; for self-registration and host-registration: requests (ALL or OWN). */
  attributes: Record<string, string>;
  /** Display name of the key; set by the service. */
  displayName_API: string;
  /** Console pages, and whether this permission opens them; set by the service. */
  allowedViews: Record<string, boolean>;
}

export interface PermissionInput {
  /** Set by the service where add, modify or delete is. */
  view?: boolean;
  add?: boolean;
  modify?: boolean;
  delete?: boolean;
  /** Limits device-profiling, groups or devices to selectedIDs. Absent: as stored, and true if selectedIDs has any. */
  customized?: boolean;
  /** True: selectedIDs is ignored. Absent: as stored, and false if selectedIDs is sent. */
  allIDs?: boolean;
  /** Profiling rules, groups, or containers with everything inside; guest templates cannot be selected yet. Other records are not visible to the administrator. */
  selectedIDs?: number[];
  /** For guests: accounts (ALL or OWN), maxDaysAhead, sharedPasswordAllowed; for self-registration and host-registration: requests (ALL or OWN). */
  attributes?: Record<string, string>;
  /** Display name of the key; set by the service. */
  displayName_API?: string;
  /** Console pages, and whether this permission opens them; set by the service. */
  allowedViews?: Record<string, boolean>;
}

export interface PermissionView {
  /** Page name, as used in links. */
  view: string;
  label: string;
  /** Possible actions on the page. */
  verbs: ('view' | 'add' | 'modify' | 'delete')[];
  /** API groups that the page uses. */
  groups: string[];
}

export interface PermissionViewMap {
  /** Pages on a cell. */
  viewMap: Record<string, PermissionView[]>;
  /** Pages on a manager of cells, which has no devices of its own. */
  ncmViewMap: Record<string, PermissionView[]>;
}

export interface PingableDeviceInput {
  /** Identity of the record. */
  id?: number | null;
  /** Number of the cell that owns the record. */
  landscape?: number;
  /** 0 active, 1 disabled, 2 being deleted. */
  state?: number;
  /** 2 managed device, 3 pingable device. */
  elementClass?: number;
  /** 0 never contacted, 1 contact established, 2 contact lost, 3 degraded (ping works, SNMP or CLI fails), 4 management disabled. */
  status?: number;
  /** Number of configuration changes; send it back to detect concurrent changes. */
  version?: number;
  /** Name, unique in the cell. */
  name?: string;
  /** Management IP address, unique in the cell. Written as an IPv4 or IPv6 address. */
  ipAddress?: string | null;
  /** MAC address of the device itself. Written as a MAC address in any notation; empty for none. */
  physicalAddress?: string | null;
  /** The container that holds it. */
  containerID?: number;
  /** Name of the container. */
  container?: string;
  /** Driver used for the device. */
  driver?: 'qbridge' | 'cisco-ios' | 'hostapd' | 'radius-only' | 'linux-firewall' | 'ping';
  /** Tag of the device type, overriding the detected one; firewall and access-point also select the driver. */
  deviceTypeOverride?: string | null;
  /** Tag of what answers there; required on create. */
  deviceType?: string;
  /** Vendor. */
  vendor?: string | null;
  /** Model name. */
  model?: string | null;
  /** Firmware version. */
  firmware?: string | null;
  /** Serial number reported by the device. */
  serialNumber?: string | null;
  /** sysObjectID. */
  sysOid?: string | null;
  /** sysDescr. */
  sysDescr?: string | null;
  /** sysName. */
  systemName?: string | null;
  /** sysContact. */
  contactName?: string | null;
  /** sysLocation. */
  deviceLocation?: string | null;
  /** Management protocol. */
  protocol?: 'SNMP_V1' | 'SNMP_V2C' | 'SNMP_V3' | 'PING' | 'RADIUS';
  /** Role of the device. */
  role?: string | null;
  description?: string;
  note?: string;
  /** MIB modules that it supports. */
  mibs?: string[];
  /** Number of ports. */
  portCount?: number;
  /** Number of adapters connected to its ports now. */
  connectedHosts?: number;
  /** SNMPv3 user name. */
  snmpUsername?: string | null;
  /** How SNMPv3 signs. */
  snmpAuthenticationProtocol?: 'MD5' | 'SHA' | 'SHA224' | 'SHA256' | 'SHA384' | 'SHA512' | null;
  /** SNMPv3 privacy protocol; null: no encryption. AES256 with key extension by Blumenthal (B) or Reeder (R). */
  snmpPrivacyProtocol?: 'DES' | 'AES' | 'AES256B' | 'AES256R' | null;
  /** Communities, tried in this order; never returned. Null or absent: no change; empty: none. Required again when ipAddress, snmpPort or the version of SNMP changes. */
  snmpSecurityStrings?: string[] | null;
  /** Whether snmpSecurityStrings is set. */
  snmpSecurityStringsSet?: boolean;
  /** SNMPv3 authentication password. Required again when one of these changes: ipAddress, snmpPort, protocol, snmpUsername, snmpAuthenticationProtocol, snmpPrivacyProtocol. */
  snmpAuthenticationPassword?: string | null;
  /** Whether snmpAuthenticationPassword is set. */
  snmpAuthenticationPasswordSet?: boolean;
  /** SNMPv3 privacy password. Required again when one of these changes: ipAddress, snmpPort, protocol, snmpUsername, snmpAuthenticationProtocol, snmpPrivacyProtocol. */
  snmpPrivacyPassword?: string | null;
  /** Whether snmpPrivacyPassword is set. */
  snmpPrivacyPasswordSet?: boolean;
  snmpPort?: number;
  cliCredentials?: CliCredentialsInput | null;
  /** Whether it is a client of the RADIUS server. */
  radiusEnabled?: boolean;
  /** RADIUS shared secret. Required again when one of these changes: ipAddress, nasIdentifier, coaPort. */
  radiusSecret?: string | null;
  /** Whether radiusSecret is set. */
  radiusSecretSet?: boolean;
  /** NAS-Identifier of a device that is not known by its address. Not supported yet: only null is accepted until access devices are found by it. */
  nasIdentifier?: string | null;
  /** UDP port for change of authorisation (RFC 5176). Not supported yet: only 3799 is accepted until changes of authorisation are sent. */
  coaPort?: number;
  /** Profile of the RADIUS server; null: the default one. */
  radiusServerConfigID?: number | null;
  /** RADIUS attributes in responses to it; null: those of its driver. */
  radiusAttrGroupID?: number | null;
  /** If no decision is possible: send no response, or repeat the last accept for that port. Not supported yet: only "SILENT" is accepted until last accepts are kept. */
  whenUndecided?: 'SILENT' | 'LAST_ACCEPT';
  /** False: the device is only monitored and never changed. */
  managed?: boolean;
  /** Methods to change access, in the order to try; absent on create: the defaults of its protocol. Stored, without effect until decisions are enforced on ports. */
  enforcementMethods?: ('COA' | 'DISCONNECT' | 'SNMP' | 'CLI' | 'BOUNCE')[];
  /** Take the link down briefly, so that the host requests a new address. Not supported yet: only true is accepted until decisions are enforced on ports. */
  bounceAfterVlanChange?: boolean;
  /** Return the default VLAN of the port to RADIUS if nothing else was decided. */
  sendDefaultVlan?: boolean;
  /** VLANs configured on it. */
  vlans?: DeviceVlanInput[];
  contactPollingEnabled?: boolean;
  /** Seconds between contact polls. */
  contactPollingInterval?: number;
  /** Whether its forwarding table is read. */
  l2PollingEnabled?: boolean;
  /** Seconds between readings of the forwarding table. */
  l2PollingInterval?: number;
  /** Whether its ARP and neighbour tables are read. */
  l3PollingEnabled?: boolean;
  /** Seconds between readings of the ARP and neighbour tables. */
  l3PollingInterval?: number;
  /** Polling order when many devices are due. */
  l3PollingPriority?: 'HIGH' | 'MEDIUM' | 'LOW';
  /** Last contact poll. */
  lastPoll?: string | null;
  /** Last successful contact poll. */
  lastSuccessfulPoll?: string | null;
  /** Last reading of the forwarding table. */
  lastL2Poll?: string | null;
  /** Last reading of the ARP and neighbour tables. */
  lastL3Poll?: string | null;
  /** Last trap from it. */
  lastTrap?: string | null;
  /** Parser for its messages about hosts. */
  incomingEventParserID?: number | null;
  /** How a firewall is informed about users and their addresses. */
  ssoAgentType?: 'NONE' | 'STREAM' | 'RADIUS_ACCOUNTING';
  /** Addresses of hosts that are reported to a firewall. Not supported yet: only null is accepted until firewalls get users and their addresses. */
  ssoAddressGroupID?: number | null;
  /** Addresses of the VPN clients of a firewall. Not supported yet: only null is accepted until firewalls get users and their addresses. */
  vpnAddressGroupID?: number | null;
  /** The newest DEVICE_CREATED of this record. */
  creationEvent?: EventOfRecordInput;
  /** The newest DEVICE_DESTROYED of this record. */
  destroyEvent?: EventOfRecordInput;
  /** The newest CONTACT_ESTABLISHED of this record. */
  establishedEvent?: EventOfRecordInput;
  /** The newest CONTACT_LOST of this record. */
  lostEvent?: EventOfRecordInput;
  /** User who last changed the record. */
  lastModifiedBy?: string;
  /** When it was last changed. */
  lastModifiedDate?: string;
  /** Version of SNMP; the record shows it as protocol. */
  snmpProtocol?: 'V1' | 'V2C' | 'V3_AUTH_NO_PRIV' | 'V3_AUTH_PRIV';
}

export interface PolicyAttribute {
  /** Name of the attribute; replace a star with a name of your choice. */
  name: string;
  type: 'TEXT' | 'CHOICE' | 'NUMBER' | 'FLAG' | 'TIME' | 'ADDRESS';
  /** Operators that the attribute supports. GT, GE, LT and LE of a TEXT take a number, and match only texts that are numbers. */
  operators: (
    | 'EQ'
    | 'NE'
    | 'IN'
    | 'NOT_IN'
    | 'LIKE'
    | 'NOT_LIKE'
    | 'GT'
    | 'GE'
    | 'LT'
    | 'LE'
    | 'IN_SUBNET'
    | 'OLDER_THAN'
    | 'NEWER_THAN'
    | 'IS_SET'
    | 'NOT_SET'
  )[];
  /** Possible values; empty: any value. */
  values: string[];
}

export interface PolicyChoice {
  id: number;
  name: string;
}

export interface PolicyDecision {
  /** Instant of the decision. */
  at: string;
  /** Generation of the policies. */
  generation: number;
  landscape: number;
  hostID: number;
  /** Null: the host has no adapter. */
  adapterID: number | null;
  /** MAC address of the adapter; empty: the host has none. */
  mac: string;
  /** Logged-on user, otherwise the owner; null: none, or not visible. */
  userName: string | null;
  /** GRANT, ISOLATE, DENY or NOT_ENFORCED. */
  outcome: string;
  accessState: string | null;
  /** Step that applied; null: the host is not connected. */
  step: number | null;
  /** The access policy; in step 6 the role mapping. */
  policyID: number | null;
  policyName: string | null;
  configurationID: number | null;
  logicalNetwork: string | null;
  value: DecidedValue | null;
  radius: DecidedReply | null;
  firewallTags: string[];
  sessionTimeoutSeconds: number | null;
  families: FamilyDecisions;
  /** Reason for the decision, in one sentence. */
  reason: string;
  /** All steps and policies, including those after the one that applies. */
  trace: TraceEntry[];
}

export interface PolicyHits {
  policyID: number;
  /** Connections that it currently decides; at most a minute old. Null: the profile of the caller hides some hosts. */
  connected: number | null;
  /** Connections of the last 24 hours. Always 0 in this release: decisions of closed connections are not stored. */
  last24h: number;
  /** Last match. Always null in this release: decisions of closed connections are not stored. */
  lastMatch: string | null;
}

export interface PolicyWhere {
  /** Containers, including nested containers. */
  containers: number[];
  /** Device groups, including nested groups. */
  deviceGroups: number[];
  /** Port groups, including nested groups. */
  portGroups: number[];
  /** Names of SSIDs, case-sensitive. */
  ssids: string[];
}

export interface PolicyWhereInput {
  /** Containers, including nested containers. */
  containers?: number[];
  /** Device groups, including nested groups. */
  deviceGroups?: number[];
  /** Port groups, including nested groups. */
  portGroups?: number[];
  /** Names of SSIDs, case-sensitive. */
  ssids?: string[];
}

export interface PolicyWho {
  /** Names of roles; one match is enough. */
  roles: string[];
  /** Groups of hosts, adapters or users, including nested groups; one match is enough. */
  groups: number[];
  /** Attribute filters; one match is enough. */
  attributes: AttributeFilter[];
}

export interface PolicyWhoInput {
  /** Names of roles; one match is enough. */
  roles?: string[];
  /** Groups of hosts, adapters or users, including nested groups; one match is enough. */
  groups?: number[];
  /** Attribute filters; one match is enough. */
  attributes?: AttributeFilterInput[];
}

/** Interfaces of devices, SSIDs and VPN entries, with the state reported by the device. */
export interface Port {
  /** Identity of the record. */
  dbid: number;
  /** Same as the identity. */
  legacyDBID: number;
  /** 0 physical, 1 SSID, 2 VPN, 3 link aggregate, 4 virtual. */
  portType: number;
  /** Name on the device (ifName), or name of the SSID or VPN entry. */
  name: string;
  /** ifIndex as text; `ssid:<name>` or `vpn:<name>` for an SSID or VPN entry. */
  portID: string;
  /** The label, or the name if there is no label. */
  displayName: string;
  /** Name of the device. */
  deviceName: string;
  /** The device it belongs to. */
  deviceID: number;
  /** 0 unknown, 1 up, 2 down, 3 administratively down, 4 gone from the device. */
  status: number;
  /** Container of the device. */
  domainID: number;
  /** Address of the interface itself; empty: none. */
  ip: string;
  /** MAC address of the interface itself. Written as a MAC address in any notation; empty for none. */
  physAddr: string;
  /** Name assigned by administrators; initially the ifAlias of the device. */
  label: string;
  /** 0 nothing connected, 1 registered host, 2 rogue, 3 IP phone, 4 host registered as device, 5 several hosts, 6 rogue and phone, 7 registered host and phone, 8 learned uplink, 9 threshold uplink, 10 user-defined uplink, 11 WAP uplink, 12 disabled host, 13 host at risk. */
  connectionState: number;
  /** VLAN it returns to when no host is connected. */
  defaultVlan: string;
  /** VLAN at the last reading. */
  currentVlan: string;
  /** CLI configuration in force; empty: none. */
  currentCli: string;
  notes: string;
  /** User who last changed the record. */
  lastModifiedBy: string;
  /** Description of the last change of the port. */
  lastChangeSummary: string;
  /** When it was last changed. */
  lastModifiedDate: string;
  /** False for virtual interfaces. */
  displayable: boolean;
  /** ifName, the stable key of the port; the portID of an SSID or VPN entry. */
  ifname: string;
  /** ifIndex; the device may change it at a restart. Empty: none. */
  ifindex: string;
  /** Bits per second. */
  ifspeed: string;
  /** ifDescr. */
  ifdescr: string;
  /** 0 not reported, 1 up, 2 down, 3 testing. Configured state (ifAdminStatus). */
  ifadminStatus: number;
  /** 0 not reported, 1 up, 2 down, 3 testing, 4 unknown, 5 dormant, 6 not present, 7 lower layer down. Operational state (ifOperStatus). */
  ifoperStatus: number;
  /** Type of the newest event of this port; empty: none yet. */
  yamsEventTag: string;
  /** The last audit record of this record. */
  auditObj: AuditObject;
  /** Never classify it as a learned or threshold uplink. */
  uplinkDisabled: boolean;
}

/** Changes by the service to ports and to the access of hosts, with reason and result. */
export interface PortChange {
  /** Identity of the change; it contains the time. */
  id: number;
  /** Number of the cell that owns the record. */
  landscape: number;
  /** When it was completed or abandoned. */
  timestamp: string;
  /** dbid of the port. */
  portID: number;
  /** Its name at that time. */
  portName: string;
  /** The device of the port. */
  deviceID: number;
  /** Its name at that time. */
  deviceName: string;
  /** Container of the device at that time. */
  containerID: number;
  /** The adapter that caused it. Written as a MAC address in any notation; empty for none. */
  mac: string | null;
  /** The host that caused it. */
  hostID: number | null;
  /** Name of that host at that time. */
  hostName: string | null;
  /** Who used that host. */
  userName: string | null;
  /** Access decision; null: none. */
  accessState: 'DEAD_END' | 'QUARANTINE' | 'REGISTRATION' | 'AUTHENTICATION' | 'GUEST' | 'PRODUCTION' | null;
  /** MANUAL: by an administrator; RESTORE: back to the value applied before. */
  reason:
    | 'REGISTRATION'
    | 'QUARANTINE'
    | 'DEAD_END'
    | 'AUTHENTICATION'
    | 'GUEST'
    | 'ROLE'
    | 'DEFAULT'
    | 'UNDO'
    | 'MANUAL'
    | 'RESTORE';
  /** The access policy that decided. */
  policyName: string | null;
  /** The access configuration of that policy. */
  accessConfigurationName: string | null;
  /** The logical network it chose. */
  logicalNetworkName: string | null;
  /** VLAN before; null if the change was not about VLANs, or the VLAN was never read. */
  fromVlan: string | null;
  /** Requested VLAN. Without one and without a CLI configuration, the port was set up or down. */
  toVlan: string | null;
  /** CLI configuration before. */
  fromCli: string | null;
  /** Requested CLI configuration. */
  toCli: string | null;
  /** How the device was changed. */
  method: 'RADIUS' | 'COA' | 'DISCONNECT' | 'SNMP' | 'CLI' | 'BOUNCE';
  /** What triggered the change. */
  trigger:
    | 'TRAP'
    | 'POLL'
    | 'RADIUS'
    | 'ADMIN'
    | 'POLICY'
    | 'HEALTH'
    | 'REGISTRATION'
    | 'PROFILING'
    | 'AGING'
    | 'SCHEDULE'
    | 'STARTUP';
  /** The administrator, or `system`. */
  triggeredBy: string;
  /** The device confirmed the requested state. */
  success: boolean;
  /** Error of the device, if it failed. */
  errorMessage: string | null;
  /** From the first request to the last response. */
  durationMs: number;
  /** Generation of the policies that were in force. */
  generation: number;
}

export interface PortFeedEntry {
  /** Position of this entry; sent with the next poll, it acknowledges everything up to here. */
  position: string;
  change: 'added' | 'modified' | 'removed';
  /** Current state of the record; a removed record has only its identity. */
  record: ChangedPort;
}

export interface PortManagement {
  /** The caller may change ports. */
  enabled: boolean;
  canSetVlan: boolean;
  /** May set ports up and down. */
  canSetAdminStatus: boolean;
  /** May change label, notes and default VLAN. */
  canRename: boolean;
  /** Always true: there are no licences. */
  licensed: boolean;
  /** Why not; empty if allowed. */
  reason: string;
}

export interface PortOfAdapter {
  /** Identity of the record. */
  dbid: number | null;
  /** Same as the identity. */
  legacyDBID: number;
  /** 0 physical, 1 SSID, 2 VPN, 3 link aggregate, 4 virtual. */
  portType: number;
  /** Name on the device (ifName), or name of the SSID or VPN entry. */
  name: string;
  /** ifIndex as text; `ssid:<name>` or `vpn:<name>` for an SSID or VPN entry. */
  portID: string;
  /** The label, or the name if there is no label. */
  displayName: string;
  /** Name of the device. */
  deviceName: string;
  /** The device it belongs to. */
  deviceID: number;
  /** 0 unknown, 1 up, 2 down, 3 administratively down, 4 gone from the device. */
  status: number;
  /** Container of the device. */
  domainID: number;
  /** Address of the interface itself; empty: none. */
  ip: string;
  /** MAC address of the interface itself. Written as a MAC address in any notation; empty for none. */
  physAddr: string;
  /** Name assigned by administrators; initially the ifAlias of the device. */
  label: string;
  /** 0 nothing connected, 1 registered host, 2 rogue, 3 IP phone, 4 host registered as device, 5 several hosts, 6 rogue and phone, 7 registered host and phone, 8 learned uplink, 9 threshold uplink, 10 user-defined uplink, 11 WAP uplink, 12 disabled host, 13 host at risk. */
  connectionState: number;
  /** VLAN it returns to when no host is connected. */
  defaultVlan: string;
  /** VLAN at the last reading. */
  currentVlan: string;
  /** CLI configuration in force; empty: none. */
  currentCli: string;
  notes: string;
  /** User who last changed the record. */
  lastModifiedBy: string;
  /** Description of the last change of the port. */
  lastChangeSummary: string;
  /** When it was last changed. */
  lastModifiedDate: string;
  /** False for virtual interfaces. */
  displayable: boolean;
  /** ifName, the stable key of the port; the portID of an SSID or VPN entry. */
  ifname: string;
  /** ifIndex; the device may change it at a restart. Empty: none. */
  ifindex: string;
  /** Bits per second. */
  ifspeed: string;
  /** ifDescr. */
  ifdescr: string;
  /** 0 not reported, 1 up, 2 down, 3 testing. Configured state (ifAdminStatus). */
  ifadminStatus: number;
  /** 0 not reported, 1 up, 2 down, 3 testing, 4 unknown, 5 dormant, 6 not present, 7 lower layer down. Operational state (ifOperStatus). */
  ifoperStatus: number;
  /** Type of the newest event of this port; empty: none yet. */
  yamsEventTag: string;
  /** The last audit record of this record. */
  auditObj: AuditObject;
  /** Never classify it as a learned or threshold uplink. */
  uplinkDisabled: boolean;
}

export interface PortPreview {
  /** The port (dbid). */
  portID: number;
  /** What would change. */
  changes: PortPreviewChange[];
  /** Hosts connected to the port, as far as the caller sees them. */
  hosts: PortPreviewHost[];
  /** Why a real write would be refused; null: nothing in the last reading of the device speaks against it. */
  refused: string | null;
  /** Whether a policy sets the VLAN again. */
  decidedAgain: boolean;
  /** When the device was last read; null: never. */
  readAt: string | null;
}

export interface PortPreviewChange {
  field: string;
  /** Present value; null: unknown. */
  from: string | null;
  /** New value. */
  to: string | null;
  /** Where it is changed. */
  on: 'DEVICE' | 'RECORD';
}

export interface PortPreviewHost {
  id: number;
  name: string;
}

export interface PortProperties {
  /** The ports. */
  id: number[];
  /** Label: the name assigned by administrators. */
  name?: string;
  /** Set the port up or down on the device. */
  adminStatus?: boolean;
  /** VLAN the port returns to when no host is connected: number, or name on the device. Empty: none. */
  defaultVlan?: string;
  /** Move the port to this VLAN on the device: number, or name on the device. A later decision may change it. */
  currentVlan?: string;
  /** 1: mark as a user-defined uplink; 0: no change. */
  newUplink?: number;
  /** Make it an edge port again, until it is detected as an uplink. */
  clearUplink?: boolean;
  /** Never classify it as a learned or threshold uplink. */
  uplinkDisabled?: boolean;
  notes?: string;
}

export interface PostedEvent {
  /** A postable event type, or EXT_ followed by up to 60 capitals, digits and underscores. Written as the name of an event type, in capitals. */
  name: string;
  /** Code of the element type it concerns. */
  elementType: number;
  /** Identity of the element. Default: 0. */
  elementID?: number;
  elementName?: string;
  message: string;
  /** Additional values by name. */
  attributes?: Record<string, string>;
}

export interface PredefinedNetworkAccess {
  /** Names of the networks to add. Absent: all. */
  names?: (
    | 'Corporate'
    | 'Contractors'
    | 'BYOD'
    | 'Guest Internet'
    | 'Voice'
    | 'Printers'
    | 'Cameras'
    | 'Building Systems'
    | 'Medical Devices'
    | 'Servers'
  )[];
  /** True: also add a role of each name and a disabled access policy for it. Requires the right to add roles. */
  createPolicies?: boolean;
}

/** The same fault in the form of RFC 9457, for callers that accept application/problem+json. */
export interface Problem {
  type: string;
  title:
    | 'invalid'
    | 'unauthenticated'
    | 'forbidden'
    | 'not-found'
    | 'unsupported'
    | 'in-use'
    | 'duplicate'
    | 'protected'
    | 'stale'
    | 'gone'
    | 'too-large'
    | 'rejected'
    | 'too-expensive'
    | 'remote-failed'
    | 'remote-timeout'
    | 'throttled'
    | 'error'
    | 'unavailable';
  status: number;
  detail: string;
  /** The request id. */
  instance: string;
  errors: {
    /** Position in the body (RFC 6901). */ pointer?: string;
    /** Name of the query parameter. */
    parameter?: string;
    detail: string;
  }[];
}

export interface ProfilingAddressRange {
  /** Written as an IPv4 or IPv6 address. */
  startIP: string;
  /** Written as an IPv4 or IPv6 address. */
  endIP: string;
}

export interface ProfilingAddressRangeInput {
  /** Written as an IPv4 or IPv6 address. */
  startIP: string;
  /** Written as an IPv4 or IPv6 address. */
  endIP: string;
}

export interface ProfilingFilter {
  /** What an OUI filter compares. */
  field?: 'vendorName' | 'vendorCode' | 'vendorType';
  /** * matches any text. */
  value?: string;
  /** DHCP option 60. * matches any text. */
  vendorClass?: string;
  /** DHCP option 55, as comma-separated numbers. */
  paramList?: string;
  /** Options in the packet, as comma-separated numbers. */
  optionList?: string;
  /** DHCP option 12. * matches any text. */
  hostName?: string;
  /** Operating system of the fingerprint. * matches any text. */
  os?: string;
}

export interface ProfilingFilterInput {
  /** What an OUI filter compares. */
  field?: 'vendorName' | 'vendorCode' | 'vendorType';
  /** * matches any text. */
  value?: string;
  /** DHCP option 60. * matches any text. */
  vendorClass?: string;
  /** DHCP option 55, as comma-separated numbers. */
  paramList?: string;
  /** Options in the packet, as comma-separated numbers. */
  optionList?: string;
  /** DHCP option 12. * matches any text. */
  hostName?: string;
  /** Operating system of the fingerprint. * matches any text. */
  os?: string;
}

export interface ProfilingFlow {
  protocol?: 'TCP' | 'UDP' | 'ICMP';
  /** Address or network. */
  dstAddress?: string;
  dstPort?: number;
}

export interface ProfilingFlowInput {
  protocol?: 'TCP' | 'UDP' | 'ICMP';
  /** Address or network. */
  dstAddress?: string;
  dstPort?: number;
}

export interface ProfilingMethod {
  /** All enabled methods must match. */
  enabled: boolean;
  /** On write, one of the three is enough. */
  methodType: ProfilingMethodType;
  /** Stored as sent. */
  version: number;
  /** Whether data contains a secret; set by the service. */
  encrypted: boolean;
  /** Order of evaluation, cheap ones first; set by the service. */
  priority: number;
  /** Short name of the type; set by the service. */
  methodTypeString: string;
  /** Criteria of the method; the allowed properties depend on its type. */
  data: ProfilingMethodData;
}

export interface ProfilingMethodData {
  /** One filter must match; all fields of a DHCP filter must match. */
  filters?: ProfilingFilter[];
  /** The device type found by DHCP must be the type of the rule. */
  matchType?: boolean;
  /** Operating systems; one must match. */
  os?: string[];
  /** Products found by a scan; one must match. */
  products?: string[];
  /** An older scan is repeated. */
  maxAgeMinutes?: number;
  /** Written as comma-separated port numbers, such as 80,443,9100. */
  ports?: string;
  /** ALL: all ports must be open; ANY: one is enough. */
  mode?: 'ALL' | 'ANY';
  /** Written as an OID such as 1.3.6.1.2.1.1.1.0. */
  oid?: string;
  operator?: 'EQUALS' | 'CONTAINS' | 'REGEX' | 'EXISTS';
  /** Value to compare the response with. */
  value?: string;
  /** Version of SNMP. */
  version?: 'V1' | 'V2C' | 'V3';
  credentials?: ProfilingSnmpCredentials;
  /** HTTPS. */
  ssl?: boolean;
  port?: number;
  path?: string;
  userName?: string;
  /** Password sent to the device. */
  password?: string;
  /** Command to run after login. */
  command?: string;
  /** Texts in the output; one must match. */
  match?: string[];
  ranges?: ProfilingAddressRange[];
  /** Network address group. */
  addressGroupID?: number;
  /** Containers it may be connected in. */
  containerIDs?: number[];
  deviceGroupIDs?: number[];
  portGroupIDs?: number[];
  ssids?: string[];
  /** Attributes of its last request; all must match. */
  attributes?: ProfilingRadiusAttribute[];
  /** * matches any text. */
  sysDescr?: string;
  /** * matches any text. */
  sysName?: string;
  /** System capabilities; one must match (IEEE 802.1AB, 8.5.8). */
  capabilities?: (
    | 'OTHER'
    | 'REPEATER'
    | 'BRIDGE'
    | 'WLAN_ACCESS_POINT'
    | 'ROUTER'
    | 'TELEPHONE'
    | 'DOCSIS'
    | 'STATION'
  )[];
  /** * matches any text. */
  portDescr?: string;
  /** Platform of the agent. */
  platform?: string;
  /** MDM server that manages it; absent: any. */
  mdmID?: number;
  /** Compliance state reported by the MDM server. */
  compliant?: boolean;
  /** Regular expression (RE2) for the User-Agent of its browser. */
  regex?: string;
  flows?: ProfilingFlow[];
  /** Maximum age of firewall sessions. */
  windowMinutes?: number;
}

export interface ProfilingMethodDataInput {
  /** One filter must match; all fields of a DHCP filter must match. */
  filters?: ProfilingFilterInput[];
  /** The device type found by DHCP must be the type of the rule. */
  matchType?: boolean;
  /** Operating systems; one must match. */
  os?: string[];
  /** Products found by a scan; one must match. */
  products?: string[];
  /** An older scan is repeated. */
  maxAgeMinutes?: number;
  /** Written as comma-separated port numbers, such as 80,443,9100. */
  ports?: string;
  /** ALL: all ports must be open; ANY: one is enough. */
  mode?: 'ALL' | 'ANY';
  /** Written as an OID such as 1.3.6.1.2.1.1.1.0. */
  oid?: string;
  operator?: 'EQUALS' | 'CONTAINS' | 'REGEX' | 'EXISTS';
  /** Value to compare the response with. */
  value?: string;
  /** Version of SNMP. */
  version?: 'V1' | 'V2C' | 'V3';
  credentials?: ProfilingSnmpCredentialsInput;
  /** HTTPS. */
  ssl?: boolean;
  port?: number;
  path?: string;
  userName?: string;
  /** Password sent to the device. */
  password?: string;
  /** Command to run after login. */
  command?: string;
  /** Texts in the output; one must match. */
  match?: string[];
  ranges?: ProfilingAddressRangeInput[];
  /** Network address group. */
  addressGroupID?: number;
  /** Containers it may be connected in. */
  containerIDs?: number[];
  deviceGroupIDs?: number[];
  portGroupIDs?: number[];
  ssids?: string[];
  /** Attributes of its last request; all must match. */
  attributes?: ProfilingRadiusAttributeInput[];
  /** * matches any text. */
  sysDescr?: string;
  /** * matches any text. */
  sysName?: string;
  /** System capabilities; one must match (IEEE 802.1AB, 8.5.8). */
  capabilities?: (
    | 'OTHER'
    | 'REPEATER'
    | 'BRIDGE'
    | 'WLAN_ACCESS_POINT'
    | 'ROUTER'
    | 'TELEPHONE'
    | 'DOCSIS'
    | 'STATION'
  )[];
  /** * matches any text. */
  portDescr?: string;
  /** Platform of the agent. */
  platform?: string;
  /** MDM server that manages it; absent: any. */
  mdmID?: number;
  /** Compliance state reported by the MDM server. */
  compliant?: boolean;
  /** Regular expression (RE2) for the User-Agent of its browser. */
  regex?: string;
  flows?: ProfilingFlowInput[];
  /** Maximum age of firewall sessions. */
  windowMinutes?: number;
}

export interface ProfilingMethodInput {
  /** All enabled methods must match. */
  enabled?: boolean;
  /** On write, one of the three is enough. */
  methodType: ProfilingMethodTypeInput;
  /** Stored as sent. */
  version?: number;
  /** Whether data contains a secret; set by the service. */
  encrypted?: boolean;
  /** Order of evaluation, cheap ones first; set by the service. */
  priority?: number;
  /** Short name of the type; set by the service. */
  methodTypeString?: string;
  /** Criteria of the method; the allowed properties depend on its type. */
  data?: ProfilingMethodDataInput;
}

export interface ProfilingMethodType {
  id: number;
  name: string;
  shortName: string;
}

export interface ProfilingMethodTypeInput {
  id?: number;
  name?: string;
  shortName?: string;
}

export interface ProfilingRadiusAttribute {
  name?: string;
  operator?: 'EQUALS' | 'CONTAINS' | 'REGEX' | 'EXISTS';
  value?: string;
}

export interface ProfilingRadiusAttributeInput {
  name: string;
  operator?: 'EQUALS' | 'CONTAINS' | 'REGEX' | 'EXISTS';
  value?: string;
}

export interface ProfilingSnmpCredentials {
  /** Of SNMP V1 and V2C. */
  community?: string;
  userName?: string;
  authenticationProtocol?: 'MD5' | 'SHA' | 'SHA224' | 'SHA256' | 'SHA384' | 'SHA512';
  /** Of SNMP V3. */
  authenticationPassword?: string;
  privacyProtocol?: 'DES' | 'AES' | 'AES256B' | 'AES256R';
  /** Of SNMP V3. */
  privacyPassword?: string;
}

export interface ProfilingSnmpCredentialsInput {
  /** Of SNMP V1 and V2C. */
  community?: string;
  userName?: string;
  authenticationProtocol?: 'MD5' | 'SHA' | 'SHA224' | 'SHA256' | 'SHA384' | 'SHA512';
  /** Of SNMP V3. */
  authenticationPassword?: string;
  privacyProtocol?: 'DES' | 'AES' | 'AES256B' | 'AES256R';
  /** Of SNMP V3. */
  privacyPassword?: string;
}

/** Web proxies for outgoing HTTP and HTTPS connections, today those with traces for a collector, and the targets reached without them. */
export interface ProxySettings {
  /** Host name or address of the proxy for HTTP; empty: direct. Written as a host name or an address, or empty for direct connections. */
  httpProxyHost: string;
  /** TCP port of the proxy; 0 only where there is none. */
  httpProxyPort: number;
  /** User name for the proxy; empty: no authentication. Written as a user name without colon and control characters. */
  httpProxyUser: string;
  /** Whether httpProxyPassword is set. */
  httpProxyPasswordSet: boolean;
  /** Targets that HTTP and HTTPS reaches without the proxy: names with * as wildcard, addresses and CIDRs, separated by |. */
  httpNonProxyHosts: string;
  /** Host name or address of the proxy for HTTPS; empty: direct. Written as a host name or an address, or empty for direct connections. */
  httpsProxyHost: string;
  /** TCP port of the proxy; 0 only where there is none. */
  httpsProxyPort: number;
  /** User name for the proxy; empty: no authentication. Written as a user name without colon and control characters. */
  httpsProxyUser: string;
  /** Whether httpsProxyPassword is set. */
  httpsProxyPasswordSet: boolean;
  /** Host name or address of the proxy for FTP; empty: direct. Not supported yet: only "" is accepted until files are moved by FTP. Written as a host name or an address, or empty for direct connections. */
  ftpProxyHost: string;
  /** TCP port of the proxy; 0 only where there is none. Not supported yet: only 0 is accepted until files are moved by FTP. */
  ftpProxyPort: number;
  /** User name for the proxy; empty: no authentication. Not supported yet: only "" is accepted until files are moved by FTP. Written as a user name without colon and control characters. */
  ftpProxyUser: string;
  /** Whether ftpProxyPassword is set. */
  ftpProxyPasswordSet: boolean;
  /** Targets that FTP reaches without the proxy: names with * as wildcard, addresses and CIDRs, separated by |. Not supported yet: only "" is accepted until files are moved by FTP. */
  ftpNonProxyHosts: string;
  /** Number of configuration changes; send it back to detect concurrent changes. */
  version: number;
  /** User who last changed the record. */
  lastModifiedBy: string;
  /** When it was last changed. */
  lastModifiedDate: string;
}

export interface ProxySettingsInput {
  /** Host name or address of the proxy for HTTP; empty: direct. Written as a host name or an address, or empty for direct connections. */
  httpProxyHost?: string;
  /** TCP port of the proxy; 0 only where there is none. */
  httpProxyPort?: number;
  /** User name for the proxy; empty: no authentication. Written as a user name without colon and control characters. */
  httpProxyUser?: string;
  /** Password of that account. Required again when one of these changes: httpProxyHost, httpProxyPort, httpProxyUser. */
  httpProxyPassword?: string | null;
  /** Whether httpProxyPassword is set. */
  httpProxyPasswordSet?: boolean;
  /** Targets that HTTP and HTTPS reaches without the proxy: names with * as wildcard, addresses and CIDRs, separated by |. */
  httpNonProxyHosts?: string;
  /** Host name or address of the proxy for HTTPS; empty: direct. Written as a host name or an address, or empty for direct connections. */
  httpsProxyHost?: string;
  /** TCP port of the proxy; 0 only where there is none. */
  httpsProxyPort?: number;
  /** User name for the proxy; empty: no authentication. Written as a user name without colon and control characters. */
  httpsProxyUser?: string;
  /** Password of that account. Required again when one of these changes: httpsProxyHost, httpsProxyPort, httpsProxyUser. */
  httpsProxyPassword?: string | null;
  /** Whether httpsProxyPassword is set. */
  httpsProxyPasswordSet?: boolean;
  /** Host name or address of the proxy for FTP; empty: direct. Not supported yet: only "" is accepted until files are moved by FTP. Written as a host name or an address, or empty for direct connections. */
  ftpProxyHost?: string;
  /** TCP port of the proxy; 0 only where there is none. Not supported yet: only 0 is accepted until files are moved by FTP. */
  ftpProxyPort?: number;
  /** User name for the proxy; empty: no authentication. Not supported yet: only "" is accepted until files are moved by FTP. Written as a user name without colon and control characters. */
  ftpProxyUser?: string;
  /** Password of that account. Required again when one of these changes: ftpProxyHost, ftpProxyPort, ftpProxyUser. Not supported yet: only "" is accepted until files are moved by FTP. */
  ftpProxyPassword?: string | null;
  /** Whether ftpProxyPassword is set. */
  ftpProxyPasswordSet?: boolean;
  /** Targets that FTP reaches without the proxy: names with * as wildcard, addresses and CIDRs, separated by |. Not supported yet: only "" is accepted until files are moved by FTP. */
  ftpNonProxyHosts?: string;
  /** Number of configuration changes; send it back to detect concurrent changes. */
  version?: number;
  /** User who last changed the record. */
  lastModifiedBy?: string;
  /** When it was last changed. */
  lastModifiedDate?: string;
}

/** Lists of RADIUS attributes that carry the VLAN, role or filter to one make of device. */
export interface RadiusAttributeGroup {
  /** Identity of the record. */
  dbid: number;
  /** Number of the cell that owns the record. */
  landscape: number;
  /** Number of configuration changes; send it back to detect concurrent changes. */
  version: number;
  /** User who last changed the record. */
  lastModifiedBy: string;
  /** When it was last changed. */
  lastModifiedDate: string;
  name: string;
  /** The attributes, in the order they are sent. */
  attributes: RadiusGroupAttribute[];
  /** Number of records that use the group. */
  usage: number;
  /** Built in; it keeps its name and cannot be deleted. */
  builtIn: boolean;
  /** Identity of the record on the manager that distributed it; 0: it belongs to this cell. */
  guid: number;
  /** Last change by the manager. */
  globalModifiedDate: string | null;
  /** Whether a manager distributed it; then it is read-only here. */
  global: boolean;
  /** Event type of the last change. */
  yamsEventTag: string;
  /** The last audit record of this record. */
  auditObj: AuditObject;
  /** Name of the record in the audit log. */
  auditObjectName: string;
  auditObjectType: AuditObjectType;
}

export interface RadiusAttributeGroupAssignment {
  /** A logical network on the device; absent: the device itself. */
  logicalNetwork?: number;
}

export interface RadiusAttributeGroupInput {
  /** Identity of the record. */
  dbid?: number | null;
  /** Number of the cell that owns the record. */
  landscape?: number;
  /** Number of configuration changes; send it back to detect concurrent changes. */
  version?: number;
  /** User who last changed the record. */
  lastModifiedBy?: string;
  /** When it was last changed. */
  lastModifiedDate?: string;
  name?: string;
  /** The attributes, in the order they are sent. */
  attributes?: RadiusGroupAttributeInput[];
  /** Number of records that use the group. */
  usage?: number;
  /** Built in; it keeps its name and cannot be deleted. */
  builtIn?: boolean;
  /** Identity of the record on the manager that distributed it; 0: it belongs to this cell. */
  guid?: number;
  /** Last change by the manager. */
  globalModifiedDate?: string | null;
  /** Whether a manager distributed it; then it is read-only here. */
  global?: boolean;
  /** Event type of the last change. */
  yamsEventTag?: string;
  /** The last audit record of this record. */
  auditObj?: AuditObjectInput;
  /** Name of the record in the audit log. */
  auditObjectName?: string;
  auditObjectType?: AuditObjectTypeInput;
}

export interface RadiusAttributeGroupName {
  name: string;
  id: number;
}

export interface RadiusAttributeGroupOfDevice {
  radiusAttrGroupID: number;
  name: string;
  /** Who names it; both groups are sent where two are named. */
  from: 'DEVICE' | 'LOGICAL_NETWORK' | 'DRIVER' | 'DEFAULT' | 'SESSION';
}

/** Attributes of RADIUS: all that the engine knows, which nobody changes, and your own. */
export interface RadiusDictionaryEntry {
  /** Identity of the record. */
  dbid: number;
  /** Its name. Written as letters, digits, hyphens, points and underscores. */
  attribute: string;
  /** Its number; of a member of another attribute the numbers of both, such as 26.1. Written as a number, or numbers with points between. */
  value: string;
  /** What its values are. */
  type:
    | 'string'
    | 'integer'
    | 'ipaddr'
    | 'ipv6addr'
    | 'ipv6prefix'
    | 'ipv4prefix'
    | 'octets'
    | 'date'
    | 'ifid'
    | 'ether'
    | 'byte'
    | 'short'
    | 'signed'
    | 'integer64'
    | 'tlv'
    | 'combo-ip'
    | 'abinary'
    | 'vsa'
    | 'extended'
    | 'long-extended'
    | 'evs';
  /** Octets of type and length in the attributes of its vendor; null for the usual 1,1. Written as octets of type and length, such as 1,1. */
  format: string | null;
  /** Name of its vendor; null for an attribute of the standard. Written as letters, digits, hyphens, points and underscores. */
  vendor: string | null;
  /** Number of its vendor, assigned by IANA. */
  vendorID: number | null;
  /** Its values carry a tag (RFC 2868). */
  hasTag: boolean;
  /** How values are hidden: 0 not at all, 1 as User-Password, 2 as Tunnel-Password, 3 as Ascend does. */
  encryptMethod: number;
  /** Made here; the others are of the engine and cannot be changed. */
  custom: boolean;
  /** Names of numbers, each from 0 to 4294967295. */
  definedValues: Record<string, string>;
  /** User who last changed the record. */
  lastModifiedBy: string;
  /** When it was last changed. */
  lastModifiedDate: string;
  /** Number of configuration changes; send it back to detect concurrent changes. */
  version: number;
}

export interface RadiusDictionaryEntryInput {
  /** Identity of the record. */
  dbid?: number | null;
  /** Its name. Written as letters, digits, hyphens, points and underscores. */
  attribute?: string;
  /** Its number; of a member of another attribute the numbers of both, such as 26.1. Written as a number, or numbers with points between. */
  value?: string;
  /** What its values are. */
  type?:
    | 'string'
    | 'integer'
    | 'ipaddr'
    | 'ipv6addr'
    | 'ipv6prefix'
    | 'ipv4prefix'
    | 'octets'
    | 'date'
    | 'ifid'
    | 'ether'
    | 'byte'
    | 'short'
    | 'signed'
    | 'integer64'
    | 'tlv'
    | 'combo-ip'
    | 'abinary'
    | 'vsa'
    | 'extended'
    | 'long-extended'
    | 'evs';
  /** Octets of type and length in the attributes of its vendor; null for the usual 1,1. Written as octets of type and length, such as 1,1. */
  format?: string | null;
  /** Name of its vendor; null for an attribute of the standard. Written as letters, digits, hyphens, points and underscores. */
  vendor?: string | null;
  /** Number of its vendor, assigned by IANA. */
  vendorID?: number | null;
  /** Its values carry a tag (RFC 2868). */
  hasTag?: boolean;
  /** How values are hidden: 0 not at all, 1 as User-Password, 2 as Tunnel-Password, 3 as Ascend does. */
  encryptMethod?: number;
  /** Made here; the others are of the engine and cannot be changed. */
  custom?: boolean;
  /** Names of numbers, each from 0 to 4294967295. */
  definedValues?: Record<string, string>;
  /** User who last changed the record. */
  lastModifiedBy?: string;
  /** When it was last changed. */
  lastModifiedDate?: string;
  /** Number of configuration changes; send it back to detect concurrent changes. */
  version?: number;
}

export interface RadiusEviction {
  /** Name of the node. */
  node: string;
  /** It knew the device. */
  evicted: boolean;
}

/** Switches of the RADIUS service: ports, networks of access devices, times. */
export interface RadiusGlobal {
  /** Off: the engine of every node stops. */
  serviceEnabled: boolean;
  /** The engine of a node answers. */
  serviceRunning: boolean;
  /** UDP port of authentication. */
  authPort: number;
  /** UDP port of accounting. Not supported yet: only 1813 is accepted until accounting is received. */
  acctPort: number;
  /** UDP port that proxied requests leave by; 0: any. Not supported yet: only 0 is accepted until requests are proxied. */
  proxyAuthPort: number;
  /** Speak RADIUS over TLS. Not supported yet: only false is accepted until RadSec is spoken. */
  radSecEnabled: boolean;
  /** TCP port of RadSec. Not supported yet: only 2083 is accepted until RadSec is spoken. */
  radSecAuthPort: number;
  /** Speak nothing else. Not supported yet: only false is accepted until RadSec is spoken. */
  radSecRequired: boolean;
  /** Access devices need a certificate. Not supported yet: only true is accepted until RadSec is spoken. */
  radSecClientCertRequired: boolean;
  /** How RadSec speaks TLS. Not supported yet: only null is accepted until RadSec is spoken. */
  radSecTlsConfigID: number | null;
  /** Ask each engine every 5 s whether it is there, and restart one that is silent. */
  healthMonitoring: boolean;
  /** Seconds between records of health. Not supported yet: only 60 is accepted until health is recorded. */
  snapshotInterval: number;
  /** Emit RADIUS_AUTH_FAILURE for rejects, at most once in 5 minutes for a MAC address and a cause. */
  sendFailureEvents: boolean;
  /** Where packets of access devices may come from; those of others are dropped unread. */
  nasNetworks: string[];
  /** How long the engine remembers an access device. */
  nasCacheSeconds: number;
  /** How long the engine waits for a node. */
  decisionTimeoutMs: number;
  /** How much the service logs. Not supported yet: only 0 is accepted until debugging by host is served. */
  serviceLogLevel: number;
  /** MAC or IP address whose requests are shown. Not supported yet: only null is accepted until debugging by host is served. */
  serviceDebugHostFilter: string | null;
  /** The engine logs what it does. Not supported yet: only false is accepted until debugging by host is served. */
  serverDebugEnabled: boolean;
  /** MAC or IP address whose requests are shown. Not supported yet: only null is accepted until debugging by host is served. */
  serverDebugHostFilter: string | null;
  /** The service logs how it decides. Not supported yet: only false is accepted until debugging by host is served. */
  serverPolicyDebugEnabled: boolean;
  /** When debugging ends by itself. Not supported yet: only null is accepted until debugging by host is served. */
  debugUntil: string | null;
  /** Whether statusSecret is set. */
  statusSecretSet: boolean;
  /** User who last changed the record. */
  lastModifiedBy: string;
  /** When it was last changed. */
  lastModifiedDate: string;
  /** Number of configuration changes; send it back to detect concurrent changes. */
  version: number;
}

export interface RadiusGlobalInput {
  /** Off: the engine of every node stops. */
  serviceEnabled?: boolean;
  /** The engine of a node answers. */
  serviceRunning?: boolean;
  /** UDP port of authentication. */
  authPort?: number;
  /** UDP port of accounting. Not supported yet: only 1813 is accepted until accounting is received. */
  acctPort?: number;
  /** UDP port that proxied requests leave by; 0: any. Not supported yet: only 0 is accepted until requests are proxied. */
  proxyAuthPort?: number;
  /** Speak RADIUS over TLS. Not supported yet: only false is accepted until RadSec is spoken. */
  radSecEnabled?: boolean;
  /** TCP port of RadSec. Not supported yet: only 2083 is accepted until RadSec is spoken. */
  radSecAuthPort?: number;
  /** Speak nothing else. Not supported yet: only false is accepted until RadSec is spoken. */
  radSecRequired?: boolean;
  /** Access devices need a certificate. Not supported yet: only true is accepted until RadSec is spoken. */
  radSecClientCertRequired?: boolean;
  /** How RadSec speaks TLS. Not supported yet: only null is accepted until RadSec is spoken. */
  radSecTlsConfigID?: number | null;
  /** Ask each engine every 5 s whether it is there, and restart one that is silent. */
  healthMonitoring?: boolean;
  /** Seconds between records of health. Not supported yet: only 60 is accepted until health is recorded. */
  snapshotInterval?: number;
  /** Emit RADIUS_AUTH_FAILURE for rejects, at most once in 5 minutes for a MAC address and a cause. */
  sendFailureEvents?: boolean;
  /** Where packets of access devices may come from; those of others are dropped unread. */
  nasNetworks?: string[];
  /** How long the engine remembers an access device. */
  nasCacheSeconds?: number;
  /** How long the engine waits for a node. */
  decisionTimeoutMs?: number;
  /** How much the service logs. Not supported yet: only 0 is accepted until debugging by host is served. */
  serviceLogLevel?: number;
  /** MAC or IP address whose requests are shown. Not supported yet: only null is accepted until debugging by host is served. */
  serviceDebugHostFilter?: string | null;
  /** The engine logs what it does. Not supported yet: only false is accepted until debugging by host is served. */
  serverDebugEnabled?: boolean;
  /** MAC or IP address whose requests are shown. Not supported yet: only null is accepted until debugging by host is served. */
  serverDebugHostFilter?: string | null;
  /** The service logs how it decides. Not supported yet: only false is accepted until debugging by host is served. */
  serverPolicyDebugEnabled?: boolean;
  /** When debugging ends by itself. Not supported yet: only null is accepted until debugging by host is served. */
  debugUntil?: string | null;
  /** Secret of the question whether an engine is there. Made by the service while none is set. */
  statusSecret?: string | null;
  /** Whether statusSecret is set. */
  statusSecretSet?: boolean;
  /** User who last changed the record. */
  lastModifiedBy?: string;
  /** When it was last changed. */
  lastModifiedDate?: string;
  /** Number of configuration changes; send it back to detect concurrent changes. */
  version?: number;
}

export interface RadiusGroupAttribute {
  /** The attribute in the dictionary. */
  dbid: number;
  /** Its name. */
  attribute: string;
  /** What its values are. */
  type:
    | 'string'
    | 'integer'
    | 'ipaddr'
    | 'ipv6addr'
    | 'ipv6prefix'
    | 'ipv4prefix'
    | 'octets'
    | 'date'
    | 'ifid'
    | 'ether'
    | 'byte'
    | 'short'
    | 'signed'
    | 'integer64'
    | 'tlv'
    | 'combo-ip'
    | 'abinary'
    | 'vsa'
    | 'extended'
    | 'long-extended'
    | 'evs';
  /** Its number. */
  value: string;
  /** Name of its vendor. */
  vendor: string | null;
  /** Number of its vendor. */
  vendorID: number | null;
  /** Its values carry a tag. */
  hasTag: boolean;
  /** How values are hidden. */
  encryptMethod: number;
  /** Made here, not of the engine. */
  custom: boolean;
  /** Names of numbers. */
  definedValues: Record<string, string>;
  /** What is sent, a value each. Variables: %ACCESS_VALUE%, %VLAN_ID%, %VLAN_NAME%, %ROLE%, %MAC%, %USERNAME%, %NAS_PORT%, %SESSION_TIMEOUT%, %REDIRECT_URL%, %DECISION_ID%, %EGRESS_TAGGED%, %EGRESS_UNTAGGED%; %% is a percent sign. */
  responseValues: string[];
  /** Tag of its values (RFC 2868); 0: none. */
  tag: number;
}

export interface RadiusGroupAttributeInput {
  /** The attribute in the dictionary. */
  dbid: number;
  /** Its name. */
  attribute?: string;
  /** What its values are. */
  type?:
    | 'string'
    | 'integer'
    | 'ipaddr'
    | 'ipv6addr'
    | 'ipv6prefix'
    | 'ipv4prefix'
    | 'octets'
    | 'date'
    | 'ifid'
    | 'ether'
    | 'byte'
    | 'short'
    | 'signed'
    | 'integer64'
    | 'tlv'
    | 'combo-ip'
    | 'abinary'
    | 'vsa'
    | 'extended'
    | 'long-extended'
    | 'evs';
  /** Its number. */
  value?: string;
  /** Name of its vendor. */
  vendor?: string | null;
  /** Number of its vendor. */
  vendorID?: number | null;
  /** Its values carry a tag. */
  hasTag?: boolean;
  /** How values are hidden. */
  encryptMethod?: number;
  /** Made here, not of the engine. */
  custom?: boolean;
  /** Names of numbers. */
  definedValues?: Record<string, string>;
  /** What is sent, a value each. Variables: %ACCESS_VALUE%, %VLAN_ID%, %VLAN_NAME%, %ROLE%, %MAC%, %USERNAME%, %NAS_PORT%, %SESSION_TIMEOUT%, %REDIRECT_URL%, %DECISION_ID%, %EGRESS_TAGGED%, %EGRESS_UNTAGGED%; %% is a percent sign. */
  responseValues: string[];
  /** Tag of its values (RFC 2868); 0: none. */
  tag?: number;
}

export interface RadiusLog {
  /** Name of the node. */
  node: string;
  /** What the engine logged. */
  log: string;
  /** What its process printed. */
  systemdJournal: string;
  /** What the node did about it. */
  serverLog: string;
}

export interface RadiusNodeStatus {
  /** Name of the node. */
  node: string;
  pid: number | null;
  /** Of the engine. */
  version: string | null;
  /** Start of the engine. */
  upSince: string | null;
  /** What it runs on. */
  generation: number;
  lastReload: string | null;
  /** Why it does not run on what is stored. */
  lastError: string | null;
  /** Time of an answer; null: none. */
  statusServerRttMs: number | null;
  /** Access devices whose lookup the engine remembers, since this node started. */
  nasCached: number;
}

/** Answers of the RADIUS service to access devices, with the cause of each reject. */
export interface RadiusResponse {
  /** Identity of the answer; it contains the time. */
  id: number;
  /** Number of the cell that owns the record. */
  landscape: number;
  /** When it was given. */
  date: string;
  /** MAC address; null: none was sent. Written as a MAC address in any notation; empty for none. */
  callingStationId: string | null;
  /** Name that was sent; for a device known by its MAC address alone that address. */
  username: string | null;
  /** The access device. */
  deviceID: number;
  /** Its name at that time. */
  nas: string;
  /** Port of the access device; null: it named none. */
  nasPort: string | null;
  /** Wireless network; null: wired. */
  ssid: string | null;
  /** Outer EAP method. */
  outerEapType: string | null;
  /** EAP method, or MAB, PAP, CHAP, MS-CHAP. */
  eapType: string | null;
  /** What was answered. */
  reply: 'ACCEPT' | 'REJECT' | 'CHALLENGE_TIMEOUT' | 'IGNORED';
  /** Why it was no accept; NONE: it was one. */
  cause:
    | 'NONE'
    | 'BAD_PASSWORD'
    | 'UNKNOWN_USER'
    | 'ACCOUNT_DISABLED'
    | 'ACCOUNT_EXPIRED'
    | 'OUTSIDE_SCHEDULE'
    | 'HOST_DISABLED'
    | 'HOST_LIMIT'
    | 'NO_POLICY'
    | 'CERT_EXPIRED'
    | 'CERT_UNTRUSTED'
    | 'CERT_REVOKED'
    | 'CERT_NAME'
    | 'EAP_TYPE_REFUSED'
    | 'EAP_TIMEOUT'
    | 'NAS_UNKNOWN'
    | 'BAD_SECRET'
    | 'DIRECTORY_UNAVAILABLE'
    | 'DECISION_UNAVAILABLE'
    | 'LOGIN_LOCKED'
    | 'OTHER';
  /** The same in a sentence. */
  message: string;
  /** Identity of the decision; null: it was answered without one. */
  decisionID: string | null;
  /** Time that the node took for the last request of the engine; not the EAP conversation with the supplicant. */
  durationMs: number;
  /** The node that answered. */
  clusterNode: string;
}

/** The most frequent values of RADIUS response records. */
export interface RadiusResponseTotals {
  callingStationId: FrequentValue[];
  username: FrequentValue[];
  nas: FrequentValue[];
  message: FrequentValue[];
  cause: FrequentValue[];
}

export interface RadiusResponseValues {
  attribute: string;
  tag: number;
  /** Variables that were given are filled, others are left. */
  values: string[];
  /** Which of the two groups it comes from. */
  from: 'DEVICE' | 'LOGICAL_NETWORK' | 'DRIVER' | 'DEFAULT' | 'SESSION';
}

export interface RadiusStatus {
  /** Engines should run. */
  processEnabled: boolean;
  /** At least one answers. */
  processRunning: boolean;
  /** RUNNING: all answer, on what is stored. */
  serviceStatus: 'RUNNING' | 'DEGRADED' | 'STOPPED';
  /** Number of what is stored. */
  generationWanted: number;
  nodes: RadiusNodeStatus[];
}

export interface RadiusTlsService {
  id: number;
  name: string;
  certificateAlias: string;
  protocols: ('TLS_1_2' | 'TLS_1_3')[];
  deployedVersion: number | null;
}

export interface RadiusTlsServiceInput {
  id?: number;
  name?: string;
  certificateAlias?: string;
  protocols?: ('TLS_1_2' | 'TLS_1_3')[];
  deployedVersion?: number | null;
}

export interface RankSet {
  id: number;
  /** New rank; the other records are renumbered. */
  rank: number;
}

export interface RankSwap {
  /** The two records. */
  id: [number, number];
}

export interface ReplyAttribute {
  name: string;
  value: string;
}

export interface ResyncInterfaces {
  /** Identities of the records. */
  id: number[];
  /** Delete ports and SSIDs that no longer exist on the device, have no adapter and are in no group. */
  purge?: boolean;
}

/** Roles of hosts and users that policies match, in order of precedence. */
export interface Role {
  /** Identity of the record. */
  id: number;
  /** Number of the cell that owns the record. */
  landscape: number;
  /** Number of configuration changes; send it back to detect concurrent changes. */
  version: number;
  /** User who last changed the record. */
  lastModifiedBy: string;
  /** When it was last changed. */
  lastModifiedDate: string;
  /** Identity of the record on the manager that distributed it; 0: it belongs to this cell. */
  guid: number;
  /** Last change by the manager. */
  globalModifiedDate: string | null;
  note: string;
  name: string;
  /** Place in the order, from 1. On create absent or 0: last; on update: move. */
  rank: number;
  /** Host and user groups whose members, including those of nested groups, get the role. */
  groupIDs: number[];
  /** True: built in; cannot be deleted. */
  builtIn: boolean;
  /** Number of hosts with this role. */
  hosts: number;
  /** Number of user accounts with this role. */
  users: number;
}

export interface RoleCount {
  roleID: number;
  hosts: number;
  users: number;
}

export interface RoleGroup {
  id: number;
  name: string;
}

export interface RoleInput {
  /** Identity of the record. */
  id?: number | null;
  /** Number of the cell that owns the record. */
  landscape?: number;
  /** Number of configuration changes; send it back to detect concurrent changes. */
  version?: number;
  /** User who last changed the record. */
  lastModifiedBy?: string;
  /** When it was last changed. */
  lastModifiedDate?: string;
  /** Identity of the record on the manager that distributed it; 0: it belongs to this cell. */
  guid?: number;
  /** Last change by the manager. */
  globalModifiedDate?: string | null;
  note?: string;
  name?: string;
  /** Place in the order, from 1. On create absent or 0: last; on update: move. */
  rank?: number;
  /** Host and user groups whose members, including those of nested groups, get the role. */
  groupIDs?: number[];
  /** True: built in; cannot be deleted. */
  builtIn?: boolean;
  /** Number of hosts with this role. */
  hosts?: number;
  /** Number of user accounts with this role. */
  users?: number;
}

/** Rules that give devices access by role and place, before access policies. The first by rank that matches applies. */
export interface RoleMapping {
  /** Identity of the record. */
  id: number;
  /** Number of the cell that owns the record. */
  landscape: number;
  /** Number of configuration changes; send it back to detect concurrent changes. */
  version: number;
  /** User who last changed the record. */
  lastModifiedBy: string;
  /** When it was last changed. */
  lastModifiedDate: string;
  /** Identity of the record on the manager that distributed it; 0: it belongs to this cell. */
  guid: number;
  /** Last change by the manager. */
  globalModifiedDate: string | null;
  note: string;
  name: string;
  /** Place in the order, from 1. On create absent or 0: last; on update: move. */
  rank: number;
  /** Role that the host must have. */
  roleID: number;
  /** Places; a match in any of the four lists is enough. All empty: any place. */
  where: PolicyWhere;
  /** DEVICES: registered devices, IP phones and devices in the topology; ALL: every host with the role. */
  appliesTo: 'DEVICES' | 'ALL';
  /** Access that the mapping grants; null: directConfiguration is used instead. */
  accessConfigurationID: number | null;
  directConfiguration: AccessValue | null;
}

export interface RoleMappingInput {
  /** Identity of the record. */
  id?: number | null;
  /** Number of the cell that owns the record. */
  landscape?: number;
  /** Number of configuration changes; send it back to detect concurrent changes. */
  version?: number;
  /** User who last changed the record. */
  lastModifiedBy?: string;
  /** When it was last changed. */
  lastModifiedDate?: string;
  /** Identity of the record on the manager that distributed it; 0: it belongs to this cell. */
  guid?: number;
  /** Last change by the manager. */
  globalModifiedDate?: string | null;
  note?: string;
  name?: string;
  /** Place in the order, from 1. On create absent or 0: last; on update: move. */
  rank?: number;
  /** Role that the host must have. */
  roleID?: number;
  /** Places; a match in any of the four lists is enough. All empty: any place. */
  where?: PolicyWhereInput;
  /** DEVICES: registered devices, IP phones and devices in the topology; ALL: every host with the role. */
  appliesTo?: 'DEVICES' | 'ALL';
  /** Access that the mapping grants; null: directConfiguration is used instead. */
  accessConfigurationID?: number | null;
  directConfiguration?: AccessValueInput | null;
}

export interface RoleMappingMember {
  mappingID: number;
  elementType: 'HOST';
  /** The host; null: the caller has no right to view hosts. */
  elementID: number | null;
  /** Name of the host, or its MAC address; null: the caller has no right to view hosts. */
  elementName: string | null;
  /** MAC address of the adapter; null: the caller has no right to view hosts. Written as a MAC address in any notation; empty for none. */
  mac: string | null;
  /** Device and port; null: not visible. */
  location: string | null;
  role: string;
  /** Value that was decided; null: none at this place. */
  expectedValue: string | null;
  /** Current VLAN. */
  appliedValue: string | null;
  /** True: the current VLAN is the decided value. */
  inForce: boolean;
}

export interface RoleMappingSupportingInfo {
  /** Roles, by rank. */
  roles: PolicyChoice[];
  /** Access configurations, by name. */
  accessConfigurations: PolicyChoice[];
  /** Groups of devices, by name. */
  deviceGroups: PolicyChoice[];
  /** Groups of ports, by name. */
  portGroups: PolicyChoice[];
  /** Containers, by name. */
  containers: PolicyChoice[];
  /** Names of SSIDs that devices report. */
  ssids: string[];
  accessTypes: (
    | 'VLAN_ID'
    | 'VLAN_NAME'
    | 'FILTER_ID'
    | 'ROLE'
    | 'VPN_GROUP'
    | 'RADIUS_GROUP'
    | 'CLI'
    | 'DENY'
    | 'NONE'
  )[];
}

export interface RoleSupportingInfo {
  /** Host groups, by name; at most 5000. */
  hostGroups: RoleGroup[];
  /** User groups, by name; at most 5000. */
  userGroups: RoleGroup[];
  /** Sources of roles, in order of precedence. */
  sources: ('ADMIN' | 'PROFILING_RULE' | 'DIRECTORY' | 'GROUP' | 'VENDOR_OUI' | 'PORTAL' | 'DEFAULT')[];
  /** Numbers of hosts and users with each role. */
  counts: RoleCount[];
}

export interface SearchHit {
  /** Group of the record; `page`: a page of the console; `setting`: a field of settings. */
  group:
    | 'host'
    | 'adapter'
    | 'network-device'
    | 'port'
    | 'user-account'
    | 'access-policy'
    | 'authentication-policy'
    | 'role'
    | 'group'
    | 'logical-network'
    | 'container'
    | 'page'
    | 'setting';
  /** Null for a page or a setting; with a name of null: the group could not be searched in time. */
  id: number | null;
  /** Name of the record; a port is named with its device. */
  name: string | null;
  /** Name of the page in links; group and field of a setting. Port where a host or adapter is or was last, container of a device or port, host that a user is logged on to. */
  where: string | null;
  /** Connected, in contact, up or logged on now. */
  online: boolean | null;
  /** Last seen; null: never. */
  lastSeen: string | null;
  /** What the text was found in. */
  matched: 'MAC' | 'IP' | 'SERIAL' | 'PLACE' | 'NAME' | 'USER' | null;
}

export interface SecretValue {
  name: string;
  value: string;
}

/** Profiles of the RADIUS service: EAP types, their TLS, and what else access devices may send. */
export interface ServerConfiguration {
  /** Identity of the record. */
  dbid: number;
  /** Number of the cell that owns the record. */
  landscape: number;
  /** Number of configuration changes; send it back to detect concurrent changes. */
  version: number;
  /** User who last changed the record. */
  lastModifiedBy: string;
  /** When it was last changed. */
  lastModifiedDate: string;
  name: string;
  /** Disabled: packets of its devices get no answer. */
  enabled: boolean;
  /** Devices without a profile of their own have this one; exactly one is it. */
  isDefault: boolean;
  /** Certificate, versions and ciphers of EAP. */
  tlsConfigID: number;
  /** The same in words. */
  tlsServiceConfiguration: RadiusTlsService;
  /** What it offers. TLS is offered while the TLS configuration has an authority in trustAliases. */
  enabledEapTypes: ('TLS' | 'TTLS' | 'PEAP' | 'MSCHAPV2' | 'MD5' | 'GTC')[];
  /** What it proposes first. */
  defaultEapType: 'TLS' | 'TTLS' | 'PEAP' | 'MSCHAPV2' | 'MD5' | 'GTC';
  /** Octets of a fragment in EAP-TLS. */
  tlsEapTlsFragmentSize: number;
  /** Octets of a fragment in tunnels. */
  tlsCommonFragmentSize: number;
  /** Ask the authority whether a client certificate was revoked. */
  ocspEnabled: boolean;
  /** The responder, required with ocspEnabled. The address in a certificate is not used. Written as an address that begins with http://, without quotes and backslashes. */
  ocspUrl: string | null;
  /** Accept a certificate when nobody answers. */
  ocspSoftFail: boolean;
  /** Refuse client certificates on the revocation lists of the authorities. */
  crlEnabled: boolean;
  /** Provision EAP-FAST without authentication. Not supported yet: only false is accepted until EAP-FAST is offered. */
  eapFastServerUnauthenticatedProvisioning: boolean;
  /** Devices may be known by their MAC address alone. */
  mabEnabled: boolean;
  /** Passwords outside a tunnel. */
  papEnabled: boolean;
  /** CHAP and MS-CHAPv2 outside a tunnel; MS-CHAPv1 is never accepted there. */
  chapEnabled: boolean;
  /** Drop requests that are not signed. */
  requireMessageAuthenticator: boolean;
  /** Any domain will do. Not supported yet: only false is accepted until domains are joined by winbind. */
  allowAnyWinbindConfig: boolean;
  /** Domains. Not supported yet: only [] is accepted until domains are joined by winbind. */
  winbindConfigurations: (string | number | boolean | unknown[] | Record<string, unknown>)[];
  /** Event type of the last change. */
  yamsEventTag: string;
  /** The last audit record of this record. */
  auditObj: AuditObject;
  /** Name of the record in the audit log. */
  auditObjectName: string;
  auditObjectType: AuditObjectType;
}

export interface ServerConfigurationInput {
  /** Identity of the record. */
  dbid?: number | null;
  /** Number of the cell that owns the record. */
  landscape?: number;
  /** Number of configuration changes; send it back to detect concurrent changes. */
  version?: number;
  /** User who last changed the record. */
  lastModifiedBy?: string;
  /** When it was last changed. */
  lastModifiedDate?: string;
  name?: string;
  /** Disabled: packets of its devices get no answer. */
  enabled?: boolean;
  /** Devices without a profile of their own have this one; exactly one is it. */
  isDefault?: boolean;
  /** Certificate, versions and ciphers of EAP. */
  tlsConfigID?: number;
  /** The same in words. */
  tlsServiceConfiguration?: RadiusTlsServiceInput;
  /** What it offers. TLS is offered while the TLS configuration has an authority in trustAliases. */
  enabledEapTypes?: ('TLS' | 'TTLS' | 'PEAP' | 'MSCHAPV2' | 'MD5' | 'GTC')[];
  /** What it proposes first. */
  defaultEapType?: 'TLS' | 'TTLS' | 'PEAP' | 'MSCHAPV2' | 'MD5' | 'GTC';
  /** Octets of a fragment in EAP-TLS. */
  tlsEapTlsFragmentSize?: number;
  /** Octets of a fragment in tunnels. */
  tlsCommonFragmentSize?: number;
  /** Ask the authority whether a client certificate was revoked. */
  ocspEnabled?: boolean;
  /** The responder, required with ocspEnabled. The address in a certificate is not used. Written as an address that begins with http://, without quotes and backslashes. */
  ocspUrl?: string | null;
  /** Accept a certificate when nobody answers. */
  ocspSoftFail?: boolean;
  /** Refuse client certificates on the revocation lists of the authorities. */
  crlEnabled?: boolean;
  /** Provision EAP-FAST without authentication. Not supported yet: only false is accepted until EAP-FAST is offered. */
  eapFastServerUnauthenticatedProvisioning?: boolean;
  /** Devices may be known by their MAC address alone. */
  mabEnabled?: boolean;
  /** Passwords outside a tunnel. */
  papEnabled?: boolean;
  /** CHAP and MS-CHAPv2 outside a tunnel; MS-CHAPv1 is never accepted there. */
  chapEnabled?: boolean;
  /** Drop requests that are not signed. */
  requireMessageAuthenticator?: boolean;
  /** Any domain will do. Not supported yet: only false is accepted until domains are joined by winbind. */
  allowAnyWinbindConfig?: boolean;
  /** Domains. Not supported yet: only [] is accepted until domains are joined by winbind. */
  winbindConfigurations?: (string | number | boolean | unknown[] | Record<string, unknown>)[];
  /** Event type of the last change. */
  yamsEventTag?: string;
  /** The last audit record of this record. */
  auditObj?: AuditObjectInput;
  /** Name of the record in the audit log. */
  auditObjectName?: string;
  auditObjectType?: AuditObjectTypeInput;
}

export interface ServicePlace {
  name: string;
  path: string;
  description: string;
}

export interface Session {
  id: number;
  owner: string;
  /** Written as an IPv4 or IPv6 address. */
  address: string | null;
  createdAt: string;
  usedAt: string;
  expiresAt: string;
  /** True for the session of this request. */
  current: boolean;
}

export interface SessionTimeout {
  /** Seconds until the session ends if nobody uses it. */
  timeout: number;
  /** Seconds until it ends in any case. */
  absolute: number;
}

export interface SimpleRole {
  id: number;
  name: string;
}

/** Wireless networks of devices; they are discovered and cannot be created by hand. */
export interface Ssid {
  /** Identity of its port. */
  id: number;
  /** Broadcast name. */
  name: string;
  /** The access point or controller. */
  deviceID: number;
  /** Name of the device. */
  deviceName: string;
  /** Container of the device. */
  containerID: number;
  /** BSSIDs of its radios. */
  bssids: string[];
  /** Security mode. */
  security: 'OPEN' | 'PSK' | 'ENTERPRISE' | 'UNKNOWN';
  /** False: no longer on the device; the record stays until its interfaces are read with purge. */
  present: boolean;
  /** Number of connected hosts. */
  clients: number;
  /** When it was first seen. */
  firstSeen: string;
  /** When the device last reported it. */
  lastSeen: string;
}

export interface SsidConfig {
  /** SSIDs this configuration applies to. */
  id: number[];
  /** True: servers and access values of the device apply; false: those given here. */
  inherit: boolean;
  /** Primary server. Not supported yet: only null is accepted until requests are proxied. */
  primaryAAAServerID: number | null;
  /** Secondary server, used if the primary does not respond. Not supported yet: only null is accepted until requests are proxied. */
  secondaryAAAServerID: number | null;
  /** Only guests of these templates may use it; empty: all may. */
  guestTemplateIDs: number[];
  /** Portal pages shown to its hosts. */
  portalConfigurationID: number | null;
  /** Access values by logical network: with inherit, those of the device and its containers; on write then empty. */
  configurations: NetworkValue[];
  inheritedFrom: InheritedFrom | null;
  /** Number of configuration changes; send it back to detect concurrent changes. */
  version: number;
}

export interface SsidConfigInput {
  /** SSIDs this configuration applies to. */
  id: number[];
  /** True: servers and access values of the device apply; false: those given here. */
  inherit?: boolean;
  /** Primary server. Not supported yet: only null is accepted until requests are proxied. */
  primaryAAAServerID?: number | null;
  /** Secondary server, used if the primary does not respond. Not supported yet: only null is accepted until requests are proxied. */
  secondaryAAAServerID?: number | null;
  /** Only guests of these templates may use it; empty: all may. */
  guestTemplateIDs?: number[];
  /** Portal pages shown to its hosts. */
  portalConfigurationID?: number | null;
  /** Access values by logical network: with inherit, those of the device and its containers; on write then empty. */
  configurations?: NetworkValueInput[];
  inheritedFrom?: InheritedFromInput | null;
  /** Number of configuration changes; send it back to detect concurrent changes. */
  version?: number;
}

export interface TaskCompletion {
  /** Replaces the note of the task. */
  note?: string;
}

export interface TaskProgress {
  done: number;
  total: number;
  percent: number;
  step: string;
}

export interface TaskProgressInput {
  done?: number;
  total?: number;
  percent?: number;
  step?: string;
}

export interface TaskReportItem {
  item: string;
  outcome: string;
  detail: string;
}

export interface TaskReportItemInput {
  item?: string;
  outcome?: string;
  detail?: string;
}

export interface TestResult {
  passed: boolean;
  durationMs: number;
  steps: TestStep[];
}

export interface TestStep {
  name: string;
  passed: boolean;
  detail: string;
}

export interface TlsCipher {
  /** Its name in OpenSSL. */
  name: string;
  /** The version that it is used with. */
  protocol: 'TLS_1_2' | 'TLS_1_3';
  /** How keys are agreed on. */
  keyExchange: string;
  /** The kind of key that the server needs. */
  authentication: string;
  /** How data is encrypted. */
  encryption: string;
  /** The release recommends it. */
  recommended: boolean;
}

export interface TlsDeploy {
  /** Configurations to deploy. Absent: all that the API and RADIUS profiles use. */
  id?: number[];
}

/** How listeners speak TLS: certificate, versions, ciphers, certificates of clients. */
export interface TlsServiceConfiguration {
  /** Identity of the record. */
  id: number;
  name: string;
  /** Stable key of a shipped configuration, used instead of its name. */
  tag: string | null;
  /** Name of the certificate; it has a key. */
  certificateAlias: string;
  /** Names of the authorities whose client certificates are accepted. */
  trustAliases: string[];
  /** Versions that it speaks. */
  protocols: ('TLS_1_2' | 'TLS_1_3')[];
  /** Names of OpenSSL, the preferred ones first; none: those that the release recommends. */
  ciphers: string[];
  /** Versions and ciphers are those that the release recommends. */
  autoUpdate: boolean;
  /** Certificates of clients. OPTIONAL: one that is sent must be good; REQUIRED: nobody connects without. */
  clientAuth: 'NONE' | 'OPTIONAL' | 'REQUIRED';
  /** Refuse client certificates that are on the revocation lists of the authorities. */
  checkCrl: boolean;
  /** The version that listeners use; lower than version: changes wait for a deploy. */
  deployedVersion: number | null;
  /** When it was deployed. */
  deployedAt: string | null;
  /** Listeners that speak so. */
  usedBy: string[];
  /** User who last changed the record. */
  lastModifiedBy: string;
  /** When it was last changed. */
  lastModifiedDate: string;
  /** Number of configuration changes; send it back to detect concurrent changes. */
  version: number;
}

export interface TlsServiceConfigurationInput {
  /** Identity of the record. */
  id?: number | null;
  name?: string;
  /** Stable key of a shipped configuration, used instead of its name. */
  tag?: string | null;
  /** Name of the certificate; it has a key. */
  certificateAlias?: string;
  /** Names of the authorities whose client certificates are accepted. */
  trustAliases?: string[];
  /** Versions that it speaks. */
  protocols?: ('TLS_1_2' | 'TLS_1_3')[];
  /** Names of OpenSSL, the preferred ones first; none: those that the release recommends. */
  ciphers?: string[];
  /** Versions and ciphers are those that the release recommends. */
  autoUpdate?: boolean;
  /** Certificates of clients. OPTIONAL: one that is sent must be good; REQUIRED: nobody connects without. */
  clientAuth?: 'NONE' | 'OPTIONAL' | 'REQUIRED';
  /** Refuse client certificates that are on the revocation lists of the authorities. */
  checkCrl?: boolean;
  /** The version that listeners use; lower than version: changes wait for a deploy. */
  deployedVersion?: number | null;
  /** When it was deployed. */
  deployedAt?: string | null;
  /** Listeners that speak so. */
  usedBy?: string[];
  /** User who last changed the record. */
  lastModifiedBy?: string;
  /** When it was last changed. */
  lastModifiedDate?: string;
  /** Number of configuration changes; send it back to detect concurrent changes. */
  version?: number;
}

export interface Token {
  id: number;
  name: string;
  /** First characters of the token. */
  prefix: string;
  owner: string;
  /** Admin profile of the owner; null: none. */
  profile: string | null;
  /** Permission keys and verbs that the token is limited to; null: all rights of its owner. */
  scopes: Record<string, ('view' | 'add' | 'modify' | 'delete')[]> | null;
  /** Networks the token may be used from; empty: any. */
  allowedNetworks: string[];
  createdAt: string;
  expiresAt: string;
  lastUsedAt: string | null;
  /** Written as an IPv4 or IPv6 address. */
  lastUsedIp: string | null;
  state: 'ACTIVE' | 'EXPIRED' | 'REVOKED';
}

export interface TokenRequest {
  /** Purpose of the token. */
  name: string;
  /** Default: 90. */
  expiresInDays?: number;
  /** Permission keys and verbs that the token is limited to; null: all rights of its owner. */
  scopes?: Record<string, ('view' | 'add' | 'modify' | 'delete')[]> | null;
  /** Networks the token may be used from; empty: any. */
  allowedNetworks?: string[];
}

export interface TokenRotation {
  /** Minutes that the old token still works. */
  graceMinutes?: number;
}

export interface TopicChanges {
  topic:
    | 'aaa-server'
    | 'mdm-server'
    | 'directory-agent-config'
    | 'certificate-target'
    | 'tls-service-configuration'
    | 'device-type'
    | 'mac-exclusion'
    | 'network-address'
    | 'network-address-group'
    | 'ssid'
    | 'container'
    | 'network-device'
    | 'port'
    | 'port-change'
    | 'adapter'
    | 'host'
    | 'device-profiling-rule'
    | 'access-configuration'
    | 'access-policy'
    | 'authentication-configuration'
    | 'authentication-policy'
    | 'logical-network'
    | 'logical-network-configuration'
    | 'role'
    | 'role-mapping'
    | 'audit-record'
    | 'event'
    | 'event-type'
    | 'admin-profile'
    | 'admin-profile-mapping'
    | 'radius-attribute-group'
    | 'radius-dictionary-entry'
    | 'server-configuration'
    | 'radius-response'
    | 'background-task'
    | 'group';
  /** Records that were added, changed or removed. */
  ids: number[];
  /** More changed than are listed: read the list again. */
  many: boolean;
  /** New rows of a log. */
  added: number;
}

export interface TraceCheck {
  /** roles, groups, attributes, where or when. */
  section: string;
  /** Expected values; one match is enough. */
  expected: string[];
  /** Actual value or values; null: no value. */
  actual: string | number | boolean | string[] | null;
  ok: boolean;
}

export interface TraceEntry {
  /** Step of the decision; null: a policy family that does not affect access. */
  step: number | null;
  kind: string;
  /** The policy or role mapping; null: a step without records. */
  id: number | null;
  name: string;
  rank: number | null;
  /** MATCH, NO_MATCH, NOT_REACHED_WOULD_MATCH, NOT_REACHED, DISABLED or SKIPPED_NOT_ENFORCED_HERE. */
  result: string;
  /** Comparisons; the entry matches if all are ok. */
  checks: TraceCheck[];
}

export interface TypeFromArchive {
  name: string;
  /** Key of the type; derived from its name if absent. Written as 2 to 40 lower-case letters, digits and hyphens. */
  tag?: string;
  /** Category, for grouping. */
  category:
    | 'COMPUTER'
    | 'MOBILE'
    | 'NETWORK'
    | 'VOICE'
    | 'PRINT'
    | 'VIDEO'
    | 'IOT'
    | 'INDUSTRIAL'
    | 'MEDICAL'
    | 'ENTERTAINMENT'
    | 'OTHER';
  /** Name of an icon of the archive. */
  image: string;
}

export interface UpsertedValue {
  /** Id of the configuration, in the order of the request. */
  id: number;
}

export interface UsageEntry {
  /** The resource whose records refer to the record. */
  name: string;
  /** Names of the referring records. */
  children: string[];
}

/** People who own hosts or administer the service. */
export interface UserAccount {
  /** Identity of the record. */
  id: number;
  /** Number of the cell that owns the record. */
  landscape: number;
  /** Number of configuration changes; send it back to detect concurrent changes. */
  version: number;
  /** User who last changed the record. */
  lastModifiedBy: string;
  /** When it was last changed. */
  lastModifiedDate: string;
  userID: string;
  firstName: string;
  lastName: string;
  email: string;
  source: 'LOCAL' | 'DIRECTORY' | 'IDP' | 'RADIUS' | 'GUEST';
  /** Role that policies match on. A value sent here is fixed until it is sent empty. */
  role: string;
  /** Source of the role. */
  roleSource: 'ADMIN' | 'PROFILING_RULE' | 'DIRECTORY' | 'GROUP' | 'VENDOR_OUI' | 'PORTAL' | 'DEFAULT';
  state: 'ENABLED' | 'DISABLED';
  /** Admin profile; makes the account an administrator. */
  adminProfileDBID: number | null;
  /** Whether the profile was assigned by hand, or by a mapping that may remove it again. */
  adminProfileSource: 'ASSIGNED' | 'MAPPING' | null;
  /** Name of the admin profile. */
  profileName: string;
  /** The password must be changed at the next sign-in, before anything else. */
  mustChangePassword: boolean;
  /** Failed logins of the last hour, from all networks. */
  failedLogins: number;
  /** End of the last lock of a network from which the account failed to sign in; null: no network is locked. */
  lockedUntil: string | null;
  /** From then on the account cannot be used; null: never. */
  expirationDate: string | null;
  /** Whether networkPassword is set. */
  networkPasswordSet: boolean;
  /** Last successful login. */
  lastLoginDate: string | null;
}

export interface UserAttribute {
  /** Identity of the user. */
  userDBID: number;
  /** Written as letters, digits, dots, dashes and underscores. */
  name: string;
  /** As it was stored. */
  value: string | number | boolean | unknown[] | Record<string, unknown>;
}

export interface UserAttributeValue {
  /** User name of the account. */
  userID: string;
  /** Any JSON value of at most 64 KiB; null removes the attribute. */
  value: string | number | boolean | unknown[] | Record<string, unknown> | null;
}

export interface UserInput {
  /** Identity of the record. */
  id?: number | null;
  /** Number of the cell that owns the record. */
  landscape?: number;
  /** Number of configuration changes; send it back to detect concurrent changes. */
  version?: number;
  /** User who last changed the record. */
  lastModifiedBy?: string;
  /** When it was last changed. */
  lastModifiedDate?: string;
  userID?: string;
  firstName?: string;
  lastName?: string;
  email?: string;
  source?: 'LOCAL' | 'DIRECTORY' | 'IDP' | 'RADIUS' | 'GUEST';
  /** Role that policies match on. A value sent here is fixed until it is sent empty. */
  role?: string;
  /** Source of the role. */
  roleSource?: 'ADMIN' | 'PROFILING_RULE' | 'DIRECTORY' | 'GROUP' | 'VENDOR_OUI' | 'PORTAL' | 'DEFAULT';
  state?: 'ENABLED' | 'DISABLED';
  /** Admin profile; makes the account an administrator. */
  adminProfileDBID?: number | null;
  /** Whether the profile was assigned by hand, or by a mapping that may remove it again. */
  adminProfileSource?: 'ASSIGNED' | 'MAPPING' | null;
  /** Name of the admin profile. */
  profileName?: string;
  /** The password must be changed at the next sign-in, before anything else. */
  mustChangePassword?: boolean;
  /** Failed logins of the last hour, from all networks. */
  failedLogins?: number;
  /** End of the last lock of a network from which the account failed to sign in; null: no network is locked. */
  lockedUntil?: string | null;
  /** From then on the account cannot be used; null: never. */
  expirationDate?: string | null;
  /** Password for the network (RADIUS); no operation returns it. */
  networkPassword?: string | null;
  /** Whether networkPassword is set. */
  networkPasswordSet?: boolean;
  /** Last successful login. */
  lastLoginDate?: string | null;
}

export interface UserOfHost {
  id: number;
  userID: string;
  firstName: string;
  lastName: string;
  email: string;
}

export interface ValidationSupport {
  supportsValidation: boolean;
  methods: string[];
  /** Why not. */
  reason: string | null;
}

export interface ValueInheritedFrom {
  elementType: 'CONTAINER' | 'DEVICE' | 'SSID' | 'PORT';
  elementID: number;
  name: string;
}

export interface WeeklySchedule {
  version: number;
  /** Minutes after midnight. */
  startTimeOfDay: number;
  /** Minutes after midnight, exclusive; if before the start, on the next day. */
  endTimeOfDay: number;
  /** Bits: Sunday 1, Monday 2 … Saturday 64. */
  daysOfWeek: number;
  /** Whether the current time is inside. */
  validTime: boolean;
  /** True: always. False if it is absent and a time or days are sent. */
  alwaysOn: boolean;
  /** View of startTimeOfDay on a 12-hour clock. */
  startTimeOfDayAM: boolean;
  /** View of endTimeOfDay on a 12-hour clock. */
  endTimeOfDayAM: boolean;
  /** View of startTimeOfDay on a 12-hour clock. */
  startTimeOfDayHours: number;
  /** View of endTimeOfDay on a 12-hour clock. */
  endTimeOfDayHours: number;
  /** View of startTimeOfDay. */
  startTimeOfDayMinutes: number;
  /** View of endTimeOfDay. */
  endTimeOfDayMinutes: number;
}

export interface WeeklyScheduleInput {
  version?: number;
  /** Minutes after midnight. */
  startTimeOfDay?: number;
  /** Minutes after midnight, exclusive; if before the start, on the next day. */
  endTimeOfDay?: number;
  /** Bits: Sunday 1, Monday 2 … Saturday 64. */
  daysOfWeek?: number;
  /** Whether the current time is inside. */
  validTime?: boolean;
  /** True: always. False if it is absent and a time or days are sent. */
  alwaysOn?: boolean;
  /** View of startTimeOfDay on a 12-hour clock. */
  startTimeOfDayAM?: boolean;
  /** View of endTimeOfDay on a 12-hour clock. */
  endTimeOfDayAM?: boolean;
  /** View of startTimeOfDay on a 12-hour clock. */
  startTimeOfDayHours?: number;
  /** View of endTimeOfDay on a 12-hour clock. */
  endTimeOfDayHours?: number;
  /** View of startTimeOfDay. */
  startTimeOfDayMinutes?: number;
  /** View of endTimeOfDay. */
  endTimeOfDayMinutes?: number;
}

/** Every operation as a method, by group. */
export type Portreeve = ReturnType<typeof portreeve>;

/** The operations of the service that this client calls. */
export function portreeve(client: Client) {
  return {
    aaaServer: {
      /**
       * List AAA server records that match a filter.
       * May be refused as forbidden, too-expensive.
       */
      list(query?: ListQuery, options?: Options): Promise<Answer<AaaServer>> {
        return client.call<AaaServer>(operations['aaa-server.list'], { ...options, query });
      },

      /** List AAA server records that match a filter: all of them, page after page; `count` is the size of a page. */
      walk(query?: ListQuery, options?: Options): AsyncGenerator<AaaServer, void, undefined> {
        return client.walk<AaaServer>(operations['aaa-server.list'], { ...options, query });
      },

      /**
       * Create an AAA server, or update the one with the given identity.
       * Answers the record as it would be with `dryRun`, and no results without.
       * May be refused as forbidden, not-found, duplicate, protected, stale, rejected.
       */
      create(
        body: AaaServerInput,
        options?: Options<'dryRun' | 'idempotencyKey' | 'ifMatch' | 'reason'>,
      ): Promise<Answer<AaaServer>> {
        return client.call<AaaServer>(operations['aaa-server.create'], { ...options, body });
      },

      /**
       * Fetch one AAA server.
       * May be refused as forbidden, not-found.
       */
      fetch(id: number, query?: Pick<ListQuery, 'fields'>, options?: Options): Promise<AnswerOfOne<AaaServer>> {
        return client.one<AaaServer>(operations['aaa-server.fetch'], { ...options, path: { id }, query });
      },

      /**
       * Update an AAA server; absent fields keep their value.
       * Answers the record as it would be with `dryRun`, and no results without.
       * May be refused as forbidden, not-found, duplicate, protected, stale, rejected.
       */
      update(
        id: number,
        body: AaaServerInput,
        options?: Options<'dryRun' | 'idempotencyKey' | 'ifMatch' | 'reason'>,
      ): Promise<Answer<AaaServer>> {
        return client.call<AaaServer>(operations['aaa-server.update'], { ...options, path: { id }, body });
      },

      /**
       * Delete an AAA server.
       * May be refused as forbidden, not-found, in-use, protected, stale, rejected.
       */
      deleteOne(id: number, options?: Options<'dryRun' | 'ifMatch' | 'reason'>): Promise<Answer<never>> {
        return client.call<never>(operations['aaa-server.delete-one'], { ...options, path: { id } });
      },

      /**
       * Count AAA server records that match a filter.
       * May be refused as forbidden, too-expensive.
       */
      count(query?: Pick<ListQuery, 'filter'>, options?: Options): Promise<Answer<never>> {
        return client.call<never>(operations['aaa-server.count'], { ...options, query });
      },

      /**
       * Count all AAA server records.
       * May be refused as forbidden, too-expensive.
       */
      countAll(options?: Options): Promise<Answer<never>> {
        return client.call<never>(operations['aaa-server.count-all'], options);
      },

      /**
       * List what refers to an AAA server.
       * May be refused as forbidden, not-found.
       */
      usage(id: number, options?: Options): Promise<Answer<UsageEntry>> {
        return client.call<UsageEntry>(operations['aaa-server.usage'], { ...options, path: { id } });
      },

      /**
       * Delete an AAA server.
       * May be refused as forbidden, not-found, in-use, protected, stale, rejected.
       */
      deleteByPost(
        id: number,
        options?: Options<'dryRun' | 'idempotencyKey' | 'ifMatch' | 'reason'>,
      ): Promise<Answer<never>> {
        return client.call<never>(operations['aaa-server.delete-by-post'], { ...options, path: { id } });
      },

      /**
       * Delete AAA server records, all or none.
       * May be refused as forbidden, not-found, in-use, protected, stale, rejected.
       */
      deleteMany(body: IdList, options?: Options<'dryRun' | 'idempotencyKey' | 'reason'>): Promise<Answer<never>> {
        return client.call<never>(operations['aaa-server.delete-many'], { ...options, body });
      },

      /**
       * Read the shared secret of an AAA server.
       * May be refused as forbidden, not-found.
       */
      secret(id: number, options?: Options<'dryRun' | 'reason'>): Promise<Answer<SecretValue>> {
        return client.call<SecretValue>(operations['aaa-server.secret'], { ...options, path: { id } });
      },

      /**
       * Read the password of the check user.
       * May be refused as forbidden, not-found.
       */
      validateUserPassword(id: number, options?: Options<'dryRun' | 'reason'>): Promise<Answer<SecretValue>> {
        return client.call<SecretValue>(operations['aaa-server.validate-user-password'], { ...options, path: { id } });
      },

      /**
       * Read whether AAA servers can be tested from this node.
       * May be refused as forbidden.
       */
      supportsValidation(options?: Options): Promise<Answer<ValidationSupport>> {
        return client.call<ValidationSupport>(operations['aaa-server.supports-validation'], options);
      },

      /**
       * Test a stored AAA server.
       * May be refused as forbidden, not-found, rejected.
       */
      validateStored(id: number, options?: Options): Promise<Answer<TestResult>> {
        return client.call<TestResult>(operations['aaa-server.validate-stored'], { ...options, path: { id } });
      },

      /**
       * Test an AAA server without saving it.
       * May be refused as forbidden, not-found, rejected.
       */
      validate(body: AaaServerInput, options?: Options): Promise<Answer<TestResult>> {
        return client.call<TestResult>(operations['aaa-server.validate'], { ...options, body });
      },
    },

    mdmServer: {
      /**
       * List MDM server records that match a filter.
       * May be refused as forbidden, too-expensive.
       */
      list(query?: ListQuery, options?: Options): Promise<Answer<MdmServer>> {
        return client.call<MdmServer>(operations['mdm-server.list'], { ...options, query });
      },

      /** List MDM server records that match a filter: all of them, page after page; `count` is the size of a page. */
      walk(query?: ListQuery, options?: Options): AsyncGenerator<MdmServer, void, undefined> {
        return client.walk<MdmServer>(operations['mdm-server.list'], { ...options, query });
      },

      /**
       * Create an MDM server, or update the one with the given identity.
       * Answers the record as it would be with `dryRun`, and no results without.
       * May be refused as forbidden, not-found, duplicate, protected, stale, rejected.
       */
      create(
        body: MdmServerInput,
        options?: Options<'dryRun' | 'idempotencyKey' | 'ifMatch' | 'reason'>,
      ): Promise<Answer<MdmServer>> {
        return client.call<MdmServer>(operations['mdm-server.create'], { ...options, body });
      },

      /**
       * Fetch one MDM server.
       * May be refused as forbidden, not-found.
       */
      fetch(id: number, query?: Pick<ListQuery, 'fields'>, options?: Options): Promise<AnswerOfOne<MdmServer>> {
        return client.one<MdmServer>(operations['mdm-server.fetch'], { ...options, path: { id }, query });
      },

      /**
       * Update an MDM server; absent fields keep their value.
       * Answers the record as it would be with `dryRun`, and no results without.
       * May be refused as forbidden, not-found, duplicate, protected, stale, rejected.
       */
      update(
        id: number,
        body: MdmServerInput,
        options?: Options<'dryRun' | 'idempotencyKey' | 'ifMatch' | 'reason'>,
      ): Promise<Answer<MdmServer>> {
        return client.call<MdmServer>(operations['mdm-server.update'], { ...options, path: { id }, body });
      },

      /**
       * Delete an MDM server.
       * May be refused as forbidden, not-found, in-use, protected, stale, rejected.
       */
      deleteOne(id: number, options?: Options<'dryRun' | 'ifMatch' | 'reason'>): Promise<Answer<never>> {
        return client.call<never>(operations['mdm-server.delete-one'], { ...options, path: { id } });
      },

      /**
       * List what refers to an MDM server.
       * May be refused as forbidden, not-found.
       */
      usage(id: number, options?: Options): Promise<Answer<UsageEntry>> {
        return client.call<UsageEntry>(operations['mdm-server.usage'], { ...options, path: { id } });
      },

      /**
       * Delete an MDM server.
       * May be refused as forbidden, not-found, in-use, protected, stale, rejected.
       */
      deleteByPost(
        id: number,
        options?: Options<'dryRun' | 'idempotencyKey' | 'ifMatch' | 'reason'>,
      ): Promise<Answer<never>> {
        return client.call<never>(operations['mdm-server.delete-by-post'], { ...options, path: { id } });
      },

      /**
       * Delete MDM server records, all or none.
       * May be refused as forbidden, not-found, in-use, protected, stale, rejected.
       */
      deleteMany(body: IdList, options?: Options<'dryRun' | 'idempotencyKey' | 'reason'>): Promise<Answer<never>> {
        return client.call<never>(operations['mdm-server.delete-many'], { ...options, body });
      },

      /**
       * Read the password of an MDM server.
       * May be refused as forbidden, not-found.
       */
      password(id: number, options?: Options<'dryRun' | 'reason'>): Promise<Answer<SecretValue>> {
        return client.call<SecretValue>(operations['mdm-server.password'], { ...options, path: { id } });
      },
    },

    proxySettings: {
      /**
       * Read the Proxy settings.
       * May be refused as forbidden.
       */
      read(options?: Options): Promise<AnswerOfOne<ProxySettings>> {
        return client.one<ProxySettings>(operations['proxy-settings.read'], options);
      },

      /**
       * Change the Proxy settings; absent fields keep their value.
       * Answers the record as it would be with `dryRun`, and no results without.
       * May be refused as forbidden, stale, rejected.
       */
      write(
        body: ProxySettingsInput,
        options?: Options<'dryRun' | 'idempotencyKey' | 'ifMatch' | 'reason'>,
      ): Promise<Answer<ProxySettings>> {
        return client.call<ProxySettings>(operations['proxy-settings.write'], { ...options, body });
      },
    },

    directoryAgentConfig: {
      /**
       * List Directory agent config records that match a filter.
       * May be refused as forbidden, too-expensive.
       */
      list(query?: ListQuery, options?: Options): Promise<Answer<DirectoryAgentConfig>> {
        return client.call<DirectoryAgentConfig>(operations['directory-agent-config.list'], { ...options, query });
      },

      /** List Directory agent config records that match a filter: all of them, page after page; `count` is the size of a page. */
      walk(query?: ListQuery, options?: Options): AsyncGenerator<DirectoryAgentConfig, void, undefined> {
        return client.walk<DirectoryAgentConfig>(operations['directory-agent-config.list'], { ...options, query });
      },

      /**
       * Create a Directory agent config, or update the one with the given identity.
       * Answers the record as it would be with `dryRun`, and no results without.
       * May be refused as forbidden, not-found, duplicate, protected, stale, rejected.
       */
      create(
        body: DirectoryAgentConfigInput,
        options?: Options<'dryRun' | 'idempotencyKey' | 'ifMatch' | 'reason'>,
      ): Promise<Answer<DirectoryAgentConfig>> {
        return client.call<DirectoryAgentConfig>(operations['directory-agent-config.create'], { ...options, body });
      },

      /**
       * Fetch one Directory agent config.
       * May be refused as forbidden, not-found.
       */
      fetch(
        id: number,
        query?: Pick<ListQuery, 'fields'>,
        options?: Options,
      ): Promise<AnswerOfOne<DirectoryAgentConfig>> {
        return client.one<DirectoryAgentConfig>(operations['directory-agent-config.fetch'], {
          ...options,
          path: { id },
          query,
        });
      },

      /**
       * Update a Directory agent config; absent fields keep their value.
       * Answers the record as it would be with `dryRun`, and no results without.
       * May be refused as forbidden, not-found, duplicate, protected, stale, rejected.
       */
      update(
        id: number,
        body: DirectoryAgentConfigInput,
        options?: Options<'dryRun' | 'idempotencyKey' | 'ifMatch' | 'reason'>,
      ): Promise<Answer<DirectoryAgentConfig>> {
        return client.call<DirectoryAgentConfig>(operations['directory-agent-config.update'], {
          ...options,
          path: { id },
          body,
        });
      },

      /**
       * Delete a Directory agent config.
       * May be refused as forbidden, not-found, in-use, protected, stale, rejected.
       */
      deleteOne(id: number, options?: Options<'dryRun' | 'ifMatch' | 'reason'>): Promise<Answer<never>> {
        return client.call<never>(operations['directory-agent-config.delete-one'], { ...options, path: { id } });
      },

      /**
       * List what refers to a Directory agent config.
       * May be refused as forbidden, not-found.
       */
      usage(id: number, options?: Options): Promise<Answer<UsageEntry>> {
        return client.call<UsageEntry>(operations['directory-agent-config.usage'], { ...options, path: { id } });
      },

      /**
       * Delete a Directory agent config.
       * May be refused as forbidden, not-found, in-use, protected, stale, rejected.
       */
      deleteByPost(
        id: number,
        options?: Options<'dryRun' | 'idempotencyKey' | 'ifMatch' | 'reason'>,
      ): Promise<Answer<never>> {
        return client.call<never>(operations['directory-agent-config.delete-by-post'], { ...options, path: { id } });
      },

      /**
       * Delete Directory agent config records, all or none.
       * May be refused as forbidden, not-found, in-use, protected, stale, rejected.
       */
      deleteMany(body: IdList, options?: Options<'dryRun' | 'idempotencyKey' | 'reason'>): Promise<Answer<never>> {
        return client.call<never>(operations['directory-agent-config.delete-many'], { ...options, body });
      },

      /**
       * Enable a Directory agent config.
       * Answers the record as it would be with `dryRun`, and no results without.
       * May be refused as forbidden, not-found, protected, rejected.
       */
      enable(
        id: number,
        options?: Options<'dryRun' | 'idempotencyKey' | 'reason'>,
      ): Promise<Answer<DirectoryAgentConfig>> {
        return client.call<DirectoryAgentConfig>(operations['directory-agent-config.enable'], {
          ...options,
          path: { id },
        });
      },

      /**
       * Disable a Directory agent config.
       * Answers the record as it would be with `dryRun`, and no results without.
       * May be refused as forbidden, not-found, protected, rejected.
       */
      disable(
        id: number,
        options?: Options<'dryRun' | 'idempotencyKey' | 'reason'>,
      ): Promise<Answer<DirectoryAgentConfig>> {
        return client.call<DirectoryAgentConfig>(operations['directory-agent-config.disable'], {
          ...options,
          path: { id },
        });
      },

      /**
       * Move a Directory agent config to a rank.
       * Answers the record as it would be with `dryRun`, and no results without.
       * May be refused as forbidden, not-found, rejected.
       */
      rankSet(
        body: RankSet,
        options?: Options<'dryRun' | 'idempotencyKey' | 'reason'>,
      ): Promise<Answer<DirectoryAgentConfig>> {
        return client.call<DirectoryAgentConfig>(operations['directory-agent-config.rank-set'], { ...options, body });
      },

      /**
       * Swap the ranks of two Directory agent config records.
       * May be refused as forbidden, not-found, rejected.
       */
      rankSwap(body: RankSwap, options?: Options<'dryRun' | 'idempotencyKey' | 'reason'>): Promise<Answer<never>> {
        return client.call<never>(operations['directory-agent-config.rank-swap'], { ...options, body });
      },
    },

    certificateTarget: {
      /**
       * List Certificate records that match a filter.
       * May be refused as forbidden, too-expensive.
       */
      list(query?: ListQuery, options?: Options): Promise<Answer<CertificateTarget>> {
        return client.call<CertificateTarget>(operations['certificate-target.list'], { ...options, query });
      },

      /** List Certificate records that match a filter: all of them, page after page; `count` is the size of a page. */
      walk(query?: ListQuery, options?: Options): AsyncGenerator<CertificateTarget, void, undefined> {
        return client.walk<CertificateTarget>(operations['certificate-target.list'], { ...options, query });
      },

      /**
       * Make a certificate request, with a new key or that of the certificate.
       * May be refused as forbidden, rejected.
       */
      generateRequest(
        body: CertificateRequest,
        options?: Options<'dryRun' | 'idempotencyKey' | 'reason'>,
      ): Promise<Answer<never>> {
        return client.call<never>(operations['certificate-target.generate-request'], { ...options, body });
      },

      /**
       * Install a certificate; one of an authority, without a key, is trusted.
       * May be refused as forbidden, rejected.
       */
      install(
        name: string,
        body: CertificateUpload,
        options?: Options<'dryRun' | 'idempotencyKey' | 'reason'>,
      ): Promise<Answer<never>> {
        return client.call<never>(operations['certificate-target.install'], { ...options, path: { name }, body });
      },

      /**
       * Use a certificate with its key for other targets as well.
       * May be refused as forbidden, not-found, rejected.
       */
      copy(body: CertificateCopy, options?: Options<'dryRun' | 'idempotencyKey' | 'reason'>): Promise<Answer<never>> {
        return client.call<never>(operations['certificate-target.copy'], { ...options, body });
      },

      /**
       * Delete certificate, key and request; a built-in target gets a fresh self-signed one.
       * May be refused as forbidden, not-found, rejected.
       */
      deleteCertificate(
        name: string,
        options?: Options<'dryRun' | 'idempotencyKey' | 'reason'>,
      ): Promise<Answer<never>> {
        return client.call<never>(operations['certificate-target.delete-certificate'], { ...options, path: { name } });
      },

      /**
       * Delete a target with its certificate.
       * May be refused as forbidden, not-found, protected, rejected.
       */
      delete(name: string, options?: Options<'dryRun' | 'idempotencyKey' | 'reason'>): Promise<Answer<never>> {
        return client.call<never>(operations['certificate-target.delete'], { ...options, path: { name } });
      },

      /**
       * Have the listeners of all nodes take their certificates, without closing a connection.
       * May be refused as forbidden, not-found, rejected.
       */
      restart(
        body?: CertificateRestart,
        options?: Options<'dryRun' | 'idempotencyKey' | 'reason'>,
      ): Promise<Answer<never>> {
        return client.call<never>(operations['certificate-target.restart'], { ...options, body });
      },
    },

    tlsServiceConfiguration: {
      /**
       * List TLS service configuration records that match a filter.
       * May be refused as forbidden, too-expensive.
       */
      list(query?: ListQuery, options?: Options): Promise<Answer<TlsServiceConfiguration>> {
        return client.call<TlsServiceConfiguration>(operations['tls-service-configuration.list'], {
          ...options,
          query,
        });
      },

      /** List TLS service configuration records that match a filter: all of them, page after page; `count` is the size of a page. */
      walk(query?: ListQuery, options?: Options): AsyncGenerator<TlsServiceConfiguration, void, undefined> {
        return client.walk<TlsServiceConfiguration>(operations['tls-service-configuration.list'], {
          ...options,
          query,
        });
      },

      /**
       * Create a TLS service configuration, or update the one with the given identity.
       * Answers the record as it would be with `dryRun`, and no results without.
       * May be refused as forbidden, not-found, duplicate, protected, stale, rejected.
       */
      create(
        body: TlsServiceConfigurationInput,
        options?: Options<'dryRun' | 'idempotencyKey' | 'ifMatch' | 'reason'>,
      ): Promise<Answer<TlsServiceConfiguration>> {
        return client.call<TlsServiceConfiguration>(operations['tls-service-configuration.create'], {
          ...options,
          body,
        });
      },

      /**
       * Fetch one TLS service configuration.
       * May be refused as forbidden, not-found.
       */
      fetch(
        id: number,
        query?: Pick<ListQuery, 'fields'>,
        options?: Options,
      ): Promise<AnswerOfOne<TlsServiceConfiguration>> {
        return client.one<TlsServiceConfiguration>(operations['tls-service-configuration.fetch'], {
          ...options,
          path: { id },
          query,
        });
      },

      /**
       * Update a TLS service configuration; absent fields keep their value.
       * Answers the record as it would be with `dryRun`, and no results without.
       * May be refused as forbidden, not-found, duplicate, protected, stale, rejected.
       */
      update(
        id: number,
        body: TlsServiceConfigurationInput,
        options?: Options<'dryRun' | 'idempotencyKey' | 'ifMatch' | 'reason'>,
      ): Promise<Answer<TlsServiceConfiguration>> {
        return client.call<TlsServiceConfiguration>(operations['tls-service-configuration.update'], {
          ...options,
          path: { id },
          body,
        });
      },

      /**
       * Delete a TLS service configuration.
       * May be refused as forbidden, not-found, in-use, protected, stale, rejected.
       */
      deleteOne(id: number, options?: Options<'dryRun' | 'ifMatch' | 'reason'>): Promise<Answer<never>> {
        return client.call<never>(operations['tls-service-configuration.delete-one'], { ...options, path: { id } });
      },

      /**
       * List what refers to a TLS service configuration.
       * May be refused as forbidden, not-found.
       */
      usage(id: number, options?: Options): Promise<Answer<UsageEntry>> {
        return client.call<UsageEntry>(operations['tls-service-configuration.usage'], { ...options, path: { id } });
      },

      /**
       * Delete a TLS service configuration.
       * May be refused as forbidden, not-found, in-use, protected, stale, rejected.
       */
      deleteByPost(
        id: number,
        options?: Options<'dryRun' | 'idempotencyKey' | 'ifMatch' | 'reason'>,
      ): Promise<Answer<never>> {
        return client.call<never>(operations['tls-service-configuration.delete-by-post'], { ...options, path: { id } });
      },

      /**
       * Delete TLS service configuration records, all or none.
       * May be refused as forbidden, not-found, in-use, protected, stale, rejected.
       */
      deleteMany(body: IdList, options?: Options<'dryRun' | 'idempotencyKey' | 'reason'>): Promise<Answer<never>> {
        return client.call<never>(operations['tls-service-configuration.delete-many'], { ...options, body });
      },

      /**
       * List the ciphers that the RADIUS engine offers.
       * May be refused as forbidden.
       */
      radiusCiphers(options?: Options): Promise<Answer<TlsCipher>> {
        return client.call<TlsCipher>(operations['tls-service-configuration.radius-ciphers'], options);
      },

      /**
       * List the certificates with a key, which a configuration may name.
       * May be refused as forbidden.
       */
      aliases(options?: Options): Promise<Answer<CertificateAlias>> {
        return client.call<CertificateAlias>(operations['tls-service-configuration.aliases'], options);
      },

      /**
       * Have the listeners of all nodes use their configurations; if one cannot, all speak as before.
       * May be refused as forbidden, not-found, rejected.
       */
      deploy(body?: TlsDeploy, options?: Options<'dryRun' | 'idempotencyKey' | 'reason'>): Promise<Answer<never>> {
        return client.call<never>(operations['tls-service-configuration.deploy'], { ...options, body });
      },
    },

    deviceType: {
      /**
       * List Device type records that match a filter.
       * May be refused as forbidden, too-expensive.
       */
      list(query?: ListQuery, options?: Options): Promise<Answer<DeviceType>> {
        return client.call<DeviceType>(operations['device-type.list'], { ...options, query });
      },

      /** List Device type records that match a filter: all of them, page after page; `count` is the size of a page. */
      walk(query?: ListQuery, options?: Options): AsyncGenerator<DeviceType, void, undefined> {
        return client.walk<DeviceType>(operations['device-type.list'], { ...options, query });
      },

      /**
       * Create a Device type, or update the one with the given identity.
       * Answers the record as it would be with `dryRun`, and no results without.
       * May be refused as forbidden, not-found, duplicate, protected, stale, rejected.
       */
      create(
        body: DeviceTypeInput,
        options?: Options<'dryRun' | 'idempotencyKey' | 'ifMatch' | 'reason'>,
      ): Promise<Answer<DeviceType>> {
        return client.call<DeviceType>(operations['device-type.create'], { ...options, body });
      },

      /**
       * Fetch one Device type.
       * May be refused as forbidden, not-found.
       */
      fetch(id: number, query?: Pick<ListQuery, 'fields'>, options?: Options): Promise<AnswerOfOne<DeviceType>> {
        return client.one<DeviceType>(operations['device-type.fetch'], { ...options, path: { id }, query });
      },

      /**
       * Update a Device type; absent fields keep their value.
       * Answers the record as it would be with `dryRun`, and no results without.
       * May be refused as forbidden, not-found, duplicate, protected, stale, rejected.
       */
      update(
        id: number,
        body: DeviceTypeInput,
        options?: Options<'dryRun' | 'idempotencyKey' | 'ifMatch' | 'reason'>,
      ): Promise<Answer<DeviceType>> {
        return client.call<DeviceType>(operations['device-type.update'], { ...options, path: { id }, body });
      },

      /**
       * Delete a Device type.
       * May be refused as forbidden, not-found, in-use, protected, stale, rejected.
       */
      deleteOne(id: number, options?: Options<'dryRun' | 'ifMatch' | 'reason'>): Promise<Answer<never>> {
        return client.call<never>(operations['device-type.delete-one'], { ...options, path: { id } });
      },

      /**
       * List what refers to a Device type.
       * May be refused as forbidden, not-found.
       */
      usage(id: number, options?: Options): Promise<Answer<UsageEntry>> {
        return client.call<UsageEntry>(operations['device-type.usage'], { ...options, path: { id } });
      },

      /**
       * Delete a Device type.
       * May be refused as forbidden, not-found, in-use, protected, stale, rejected.
       */
      deleteByPost(
        id: number,
        options?: Options<'dryRun' | 'idempotencyKey' | 'ifMatch' | 'reason'>,
      ): Promise<Answer<never>> {
        return client.call<never>(operations['device-type.delete-by-post'], { ...options, path: { id } });
      },

      /**
       * Delete Device type records, all or none.
       * May be refused as forbidden, not-found, in-use, protected, stale, rejected.
       */
      deleteMany(body: IdList, options?: Options<'dryRun' | 'idempotencyKey' | 'reason'>): Promise<Answer<never>> {
        return client.call<never>(operations['device-type.delete-many'], { ...options, body });
      },

      /**
       * List the icons available for a device type.
       * May be refused as forbidden.
       */
      listImages(options?: Options): Promise<Answer<ArchivedImage>> {
        return client.call<ArchivedImage>(operations['device-type.list-images'], options);
      },

      /**
       * Create a device type with an icon of the archive.
       * Answers the record as it would be with `dryRun`, and no results without.
       * May be refused as forbidden, not-found, duplicate, rejected.
       */
      createFromArchive(
        body: TypeFromArchive,
        options?: Options<'dryRun' | 'idempotencyKey' | 'reason'>,
      ): Promise<Answer<DeviceType>> {
        return client.call<DeviceType>(operations['device-type.create-from-archive'], { ...options, body });
      },
    },

    macExclusion: {
      /**
       * List MAC exclusion records that match a filter.
       * May be refused as forbidden, too-expensive.
       */
      list(query?: ListQuery, options?: Options): Promise<Answer<MacExclusion>> {
        return client.call<MacExclusion>(operations['mac-exclusion.list'], { ...options, query });
      },

      /** List MAC exclusion records that match a filter: all of them, page after page; `count` is the size of a page. */
      walk(query?: ListQuery, options?: Options): AsyncGenerator<MacExclusion, void, undefined> {
        return client.walk<MacExclusion>(operations['mac-exclusion.list'], { ...options, query });
      },

      /**
       * Create a MAC exclusion, or update the one with the given identity.
       * Answers the record as it would be with `dryRun`, and no results without.
       * May be refused as forbidden, not-found, duplicate, protected, stale, rejected.
       */
      create(
        body: MacExclusionInput,
        options?: Options<'dryRun' | 'idempotencyKey' | 'ifMatch' | 'reason'>,
      ): Promise<Answer<MacExclusion>> {
        return client.call<MacExclusion>(operations['mac-exclusion.create'], { ...options, body });
      },

      /**
       * Delete MAC exclusion records, all or none.
       * May be refused as forbidden, not-found, in-use, protected, stale, rejected.
       */
      deleteMany(body: IdList, options?: Options<'dryRun' | 'idempotencyKey' | 'reason'>): Promise<Answer<never>> {
        return client.call<never>(operations['mac-exclusion.delete-many'], { ...options, body });
      },
    },

    networkAddress: {
      /**
       * List Network address records that match a filter.
       * May be refused as forbidden, too-expensive.
       */
      list(query?: ListQuery, options?: Options): Promise<Answer<NetworkAddress>> {
        return client.call<NetworkAddress>(operations['network-address.list'], { ...options, query });
      },

      /** List Network address records that match a filter: all of them, page after page; `count` is the size of a page. */
      walk(query?: ListQuery, options?: Options): AsyncGenerator<NetworkAddress, void, undefined> {
        return client.walk<NetworkAddress>(operations['network-address.list'], { ...options, query });
      },

      /**
       * Create a Network address, or update the one with the given identity.
       * Answers the record as it would be with `dryRun`, and no results without.
       * May be refused as forbidden, not-found, duplicate, protected, stale, rejected.
       */
      create(
        body: NetworkAddressInput,
        options?: Options<'dryRun' | 'idempotencyKey' | 'ifMatch' | 'reason'>,
      ): Promise<Answer<NetworkAddress>> {
        return client.call<NetworkAddress>(operations['network-address.create'], { ...options, body });
      },

      /**
       * Fetch one Network address.
       * May be refused as forbidden, not-found.
       */
      fetch(id: number, query?: Pick<ListQuery, 'fields'>, options?: Options): Promise<AnswerOfOne<NetworkAddress>> {
        return client.one<NetworkAddress>(operations['network-address.fetch'], { ...options, path: { id }, query });
      },

      /**
       * Update a Network address; absent fields keep their value.
       * Answers the record as it would be with `dryRun`, and no results without.
       * May be refused as forbidden, not-found, duplicate, protected, stale, rejected.
       */
      update(
        id: number,
        body: NetworkAddressInput,
        options?: Options<'dryRun' | 'idempotencyKey' | 'ifMatch' | 'reason'>,
      ): Promise<Answer<NetworkAddress>> {
        return client.call<NetworkAddress>(operations['network-address.update'], { ...options, path: { id }, body });
      },

      /**
       * Delete a Network address.
       * May be refused as forbidden, not-found, in-use, protected, stale, rejected.
       */
      deleteOne(id: number, options?: Options<'dryRun' | 'ifMatch' | 'reason'>): Promise<Answer<never>> {
        return client.call<never>(operations['network-address.delete-one'], { ...options, path: { id } });
      },

      /**
       * List what refers to a Network address.
       * May be refused as forbidden, not-found.
       */
      usage(id: number, options?: Options): Promise<Answer<UsageEntry>> {
        return client.call<UsageEntry>(operations['network-address.usage'], { ...options, path: { id } });
      },

      /**
       * Delete a Network address.
       * May be refused as forbidden, not-found, in-use, protected, stale, rejected.
       */
      deleteByPost(
        id: number,
        options?: Options<'dryRun' | 'idempotencyKey' | 'ifMatch' | 'reason'>,
      ): Promise<Answer<never>> {
        return client.call<never>(operations['network-address.delete-by-post'], { ...options, path: { id } });
      },

      /**
       * Delete Network address records, all or none.
       * May be refused as forbidden, not-found, in-use, protected, stale, rejected.
       */
      deleteMany(body: IdList, options?: Options<'dryRun' | 'idempotencyKey' | 'reason'>): Promise<Answer<never>> {
        return client.call<never>(operations['network-address.delete-many'], { ...options, body });
      },
    },

    networkAddressGroup: {
      /**
       * List Network address group records that match a filter.
       * May be refused as forbidden, too-expensive.
       */
      list(query?: ListQuery, options?: Options): Promise<Answer<NetworkAddressGroup>> {
        return client.call<NetworkAddressGroup>(operations['network-address-group.list'], { ...options, query });
      },

      /** List Network address group records that match a filter: all of them, page after page; `count` is the size of a page. */
      walk(query?: ListQuery, options?: Options): AsyncGenerator<NetworkAddressGroup, void, undefined> {
        return client.walk<NetworkAddressGroup>(operations['network-address-group.list'], { ...options, query });
      },

      /**
       * Create a Network address group, or update the one with the given identity.
       * Answers the record as it would be with `dryRun`, and no results without.
       * May be refused as forbidden, not-found, duplicate, protected, stale, rejected.
       */
      create(
        body: NetworkAddressGroupInput,
        options?: Options<'dryRun' | 'idempotencyKey' | 'ifMatch' | 'reason'>,
      ): Promise<Answer<NetworkAddressGroup>> {
        return client.call<NetworkAddressGroup>(operations['network-address-group.create'], { ...options, body });
      },

      /**
       * Fetch one Network address group.
       * May be refused as forbidden, not-found.
       */
      fetch(
        id: number,
        query?: Pick<ListQuery, 'fields'>,
        options?: Options,
      ): Promise<AnswerOfOne<NetworkAddressGroup>> {
        return client.one<NetworkAddressGroup>(operations['network-address-group.fetch'], {
          ...options,
          path: { id },
          query,
        });
      },

      /**
       * Update a Network address group; absent fields keep their value.
       * Answers the record as it would be with `dryRun`, and no results without.
       * May be refused as forbidden, not-found, duplicate, protected, stale, rejected.
       */
      update(
        id: number,
        body: NetworkAddressGroupInput,
        options?: Options<'dryRun' | 'idempotencyKey' | 'ifMatch' | 'reason'>,
      ): Promise<Answer<NetworkAddressGroup>> {
        return client.call<NetworkAddressGroup>(operations['network-address-group.update'], {
          ...options,
          path: { id },
          body,
        });
      },

      /**
       * Delete a Network address group.
       * May be refused as forbidden, not-found, in-use, protected, stale, rejected.
       */
      deleteOne(id: number, options?: Options<'dryRun' | 'ifMatch' | 'reason'>): Promise<Answer<never>> {
        return client.call<never>(operations['network-address-group.delete-one'], { ...options, path: { id } });
      },

      /**
       * List what refers to a Network address group.
       * May be refused as forbidden, not-found.
       */
      usage(id: number, options?: Options): Promise<Answer<UsageEntry>> {
        return client.call<UsageEntry>(operations['network-address-group.usage'], { ...options, path: { id } });
      },

      /**
       * Delete a Network address group.
       * May be refused as forbidden, not-found, in-use, protected, stale, rejected.
       */
      deleteByPost(
        id: number,
        options?: Options<'dryRun' | 'idempotencyKey' | 'ifMatch' | 'reason'>,
      ): Promise<Answer<never>> {
        return client.call<never>(operations['network-address-group.delete-by-post'], { ...options, path: { id } });
      },

      /**
       * Delete Network address group records, all or none.
       * May be refused as forbidden, not-found, in-use, protected, stale, rejected.
       */
      deleteMany(body: IdList, options?: Options<'dryRun' | 'idempotencyKey' | 'reason'>): Promise<Answer<never>> {
        return client.call<never>(operations['network-address-group.delete-many'], { ...options, body });
      },
    },

    ssid: {
      /**
       * List SSID records that match a filter.
       * May be refused as forbidden, too-expensive.
       */
      list(query?: ListQuery, options?: Options): Promise<Answer<Ssid>> {
        return client.call<Ssid>(operations['ssid.list'], { ...options, query });
      },

      /** List SSID records that match a filter: all of them, page after page; `count` is the size of a page. */
      walk(query?: ListQuery, options?: Options): AsyncGenerator<Ssid, void, undefined> {
        return client.walk<Ssid>(operations['ssid.list'], { ...options, query });
      },
    },

    ssidConfig: {
      /**
       * Read the configuration of wireless networks, including inherited values.
       * May be refused as forbidden, not-found.
       */
      read(
        query?: {
          /** SSIDs to return; absent: all, up to 500. Written as comma-separated identities. */
          id?: string;
        },
        options?: Options,
      ): Promise<AnswerOfOne<SsidConfig>> {
        return client.one<SsidConfig>(operations['ssid-config.read'], { ...options, query });
      },

      /**
       * Replace the configuration of wireless networks, all or none; absent fields get their default.
       * May be refused as forbidden, not-found, stale, rejected.
       */
      replace(body: SsidConfigInput, options?: Options<'dryRun' | 'reason'>): Promise<Answer<never>> {
        return client.call<never>(operations['ssid-config.replace'], { ...options, body });
      },
    },

    container: {
      /**
       * List Container records that match a filter.
       * May be refused as forbidden, too-expensive.
       */
      list(query?: ListQuery, options?: Options): Promise<Answer<Container>> {
        return client.call<Container>(operations['container.list'], { ...options, query });
      },

      /** List Container records that match a filter: all of them, page after page; `count` is the size of a page. */
      walk(query?: ListQuery, options?: Options): AsyncGenerator<Container, void, undefined> {
        return client.walk<Container>(operations['container.list'], { ...options, query });
      },

      /**
       * Create a Container, or update the one with the given identity.
       * Answers the record as it would be with `dryRun`, and no results without.
       * May be refused as forbidden, not-found, duplicate, protected, stale, rejected.
       */
      create(
        body: ContainerInput,
        options?: Options<'dryRun' | 'idempotencyKey' | 'ifMatch' | 'reason'>,
      ): Promise<Answer<Container>> {
        return client.call<Container>(operations['container.create'], { ...options, body });
      },

      /**
       * Fetch one Container.
       * May be refused as forbidden, not-found.
       */
      fetch(id: number, query?: Pick<ListQuery, 'fields'>, options?: Options): Promise<AnswerOfOne<Container>> {
        return client.one<Container>(operations['container.fetch'], { ...options, path: { id }, query });
      },

      /**
       * Delete a Container.
       * May be refused as forbidden, not-found, in-use, protected, stale, rejected.
       */
      deleteOne(id: number, options?: Options<'dryRun' | 'ifMatch' | 'reason'>): Promise<Answer<never>> {
        return client.call<never>(operations['container.delete-one'], { ...options, path: { id } });
      },

      /**
       * Count Container records that match a filter.
       * May be refused as forbidden, too-expensive.
       */
      count(query?: Pick<ListQuery, 'filter'>, options?: Options): Promise<Answer<never>> {
        return client.call<never>(operations['container.count'], { ...options, query });
      },

      /**
       * Count all Container records.
       * May be refused as forbidden, too-expensive.
       */
      countAll(options?: Options): Promise<Answer<never>> {
        return client.call<never>(operations['container.count-all'], options);
      },

      /**
       * List what refers to a Container.
       * May be refused as forbidden, not-found.
       */
      usage(id: number, options?: Options): Promise<Answer<UsageEntry>> {
        return client.call<UsageEntry>(operations['container.usage'], { ...options, path: { id } });
      },

      /**
       * Delete a Container.
       * May be refused as forbidden, not-found, in-use, protected, stale, rejected.
       */
      deleteByPost(
        id: number,
        options?: Options<'dryRun' | 'idempotencyKey' | 'ifMatch' | 'reason'>,
      ): Promise<Answer<never>> {
        return client.call<never>(operations['container.delete-by-post'], { ...options, path: { id } });
      },

      /**
       * Delete Container records, all or none.
       * May be refused as forbidden, not-found, in-use, protected, stale, rejected.
       */
      deleteMany(body: IdList, options?: Options<'dryRun' | 'idempotencyKey' | 'reason'>): Promise<Answer<never>> {
        return client.call<never>(operations['container.delete-many'], { ...options, body });
      },

      /**
       * Start to follow changes of Container records.
       * May be refused as forbidden, duplicate, rejected.
       */
      monitorStart(
        body?: MonitorStart,
        options?: Options<'dryRun' | 'idempotencyKey' | 'reason'>,
      ): Promise<Answer<MonitorStarted>> {
        return client.call<MonitorStarted>(operations['container.monitor-start'], { ...options, body });
      },

      /**
       * Read the next changes of a monitor.
       * May be refused as forbidden, not-found, gone.
       */
      monitorPoll(
        id: number,
        query?: {
          /** Position of the last entry that was processed. */
          position?: string;
        },
        options?: Options,
      ): Promise<Answer<ContainerFeedEntry>> {
        return client.call<ContainerFeedEntry>(operations['container.monitor-poll'], {
          ...options,
          path: { id },
          query,
        });
      },

      /**
       * Stop a monitor.
       * May be refused as forbidden, not-found, gone, rejected.
       */
      monitorStop(id: number, options?: Options<'dryRun' | 'idempotencyKey' | 'reason'>): Promise<Answer<never>> {
        return client.call<never>(operations['container.monitor-stop'], { ...options, path: { id } });
      },
    },

    networkDevice: {
      /**
       * List Network device records that match a filter.
       * May be refused as forbidden, too-expensive.
       */
      list(query?: ListQuery, options?: Options): Promise<Answer<NetworkDevice>> {
        return client.call<NetworkDevice>(operations['network-device.list'], { ...options, query });
      },

      /** List Network device records that match a filter: all of them, page after page; `count` is the size of a page. */
      walk(query?: ListQuery, options?: Options): AsyncGenerator<NetworkDevice, void, undefined> {
        return client.walk<NetworkDevice>(operations['network-device.list'], { ...options, query });
      },

      /**
       * Fetch one Network device.
       * May be refused as forbidden, not-found.
       */
      fetch(id: number, query?: Pick<ListQuery, 'fields'>, options?: Options): Promise<AnswerOfOne<NetworkDevice>> {
        return client.one<NetworkDevice>(operations['network-device.fetch'], { ...options, path: { id }, query });
      },

      /**
       * Delete a Network device.
       * May be refused as forbidden, not-found, in-use, protected, stale, rejected.
       */
      deleteOne(id: number, options?: Options<'dryRun' | 'ifMatch' | 'reason'>): Promise<Answer<never>> {
        return client.call<never>(operations['network-device.delete-one'], { ...options, path: { id } });
      },

      /**
       * Count Network device records that match a filter.
       * May be refused as forbidden, too-expensive.
       */
      count(query?: Pick<ListQuery, 'filter'>, options?: Options): Promise<Answer<never>> {
        return client.call<never>(operations['network-device.count'], { ...options, query });
      },

      /**
       * Count all Network device records.
       * May be refused as forbidden, too-expensive.
       */
      countAll(options?: Options): Promise<Answer<never>> {
        return client.call<never>(operations['network-device.count-all'], options);
      },

      /**
       * List what refers to a Network device.
       * May be refused as forbidden, not-found.
       */
      usage(id: number, options?: Options): Promise<Answer<UsageEntry>> {
        return client.call<UsageEntry>(operations['network-device.usage'], { ...options, path: { id } });
      },

      /**
       * Delete a Network device.
       * May be refused as forbidden, not-found, in-use, protected, stale, rejected.
       */
      deleteByPost(
        id: number,
        options?: Options<'dryRun' | 'idempotencyKey' | 'ifMatch' | 'reason'>,
      ): Promise<Answer<never>> {
        return client.call<never>(operations['network-device.delete-by-post'], { ...options, path: { id } });
      },

      /**
       * Delete Network device records, all or none.
       * May be refused as forbidden, not-found, in-use, protected, stale, rejected.
       */
      deleteMany(body: IdList, options?: Options<'dryRun' | 'idempotencyKey' | 'reason'>): Promise<Answer<never>> {
        return client.call<never>(operations['network-device.delete-many'], { ...options, body });
      },

      /**
       * Start to follow changes of Network device records.
       * May be refused as forbidden, duplicate, rejected.
       */
      monitorStart(
        body?: MonitorStart,
        options?: Options<'dryRun' | 'idempotencyKey' | 'reason'>,
      ): Promise<Answer<MonitorStarted>> {
        return client.call<MonitorStarted>(operations['network-device.monitor-start'], { ...options, body });
      },

      /**
       * Read the next changes of a monitor.
       * May be refused as forbidden, not-found, gone.
       */
      monitorPoll(
        id: number,
        query?: {
          /** Position of the last entry that was processed. */
          position?: string;
        },
        options?: Options,
      ): Promise<Answer<NetworkDeviceFeedEntry>> {
        return client.call<NetworkDeviceFeedEntry>(operations['network-device.monitor-poll'], {
          ...options,
          path: { id },
          query,
        });
      },

      /**
       * Stop a monitor.
       * May be refused as forbidden, not-found, gone, rejected.
       */
      monitorStop(id: number, options?: Options<'dryRun' | 'idempotencyKey' | 'reason'>): Promise<Answer<never>> {
        return client.call<never>(operations['network-device.monitor-stop'], { ...options, path: { id } });
      },

      /**
       * Add a managed device, or update the one with the given identity.
       * Answers the record as it would be with `dryRun`, and no results without.
       * May be refused as forbidden, not-found, duplicate, stale, rejected, remote-failed, remote-timeout.
       */
      createSnmp(
        body: NetworkDeviceInput,
        query?: {
          /** Contact the device first, and store nothing unless it responds. */
          validate?: boolean;
        },
        options?: Options<'dryRun' | 'idempotencyKey' | 'ifMatch' | 'reason'>,
      ): Promise<Answer<NetworkDevice>> {
        return client.call<NetworkDevice>(operations['network-device.create-snmp'], { ...options, body, query });
      },

      /**
       * Update a managed device; absent fields keep their value.
       * Answers the record as it would be with `dryRun`, and no results without.
       * May be refused as forbidden, not-found, duplicate, stale, rejected, remote-failed, remote-timeout.
       */
      updateSnmp(
        id: number,
        body: NetworkDeviceInput,
        query?: {
          /** Contact the device first, and store nothing unless it responds. */
          validate?: boolean;
        },
        options?: Options<'dryRun' | 'idempotencyKey' | 'ifMatch' | 'reason'>,
      ): Promise<Answer<NetworkDevice>> {
        return client.call<NetworkDevice>(operations['network-device.update-snmp'], {
          ...options,
          path: { id },
          body,
          query,
        });
      },

      /**
       * Add a pingable device, or update the one with the given identity.
       * Answers the record as it would be with `dryRun`, and no results without.
       * May be refused as forbidden, not-found, duplicate, stale, rejected.
       */
      createPingable(
        body: PingableDeviceInput,
        options?: Options<'dryRun' | 'idempotencyKey' | 'ifMatch' | 'reason'>,
      ): Promise<Answer<NetworkDevice>> {
        return client.call<NetworkDevice>(operations['network-device.create-pingable'], { ...options, body });
      },

      /**
       * Update a pingable device; absent fields keep their value.
       * Answers the record as it would be with `dryRun`, and no results without.
       * May be refused as forbidden, not-found, duplicate, stale, rejected.
       */
      updatePingable(
        id: number,
        body: PingableDeviceInput,
        options?: Options<'dryRun' | 'idempotencyKey' | 'ifMatch' | 'reason'>,
      ): Promise<Answer<NetworkDevice>> {
        return client.call<NetworkDevice>(operations['network-device.update-pingable'], {
          ...options,
          path: { id },
          body,
        });
      },

      /**
       * Move devices to another container; returns a preview unless commit is true.
       * May be refused as forbidden, not-found, rejected.
       */
      move(
        query: {
          /** The devices. Written as comma-separated identities. */
          id: string;
          /** Target container. */
          containerID: number;
          /** Carry out the move; needs the right to modify. */
          commit?: boolean;
        },
        options?: Options<'dryRun' | 'reason'>,
      ): Promise<Answer<DeviceMove>> {
        return client.call<DeviceMove>(operations['network-device.move'], { ...options, query });
      },

      /**
       * List the devices whose ARP and neighbour tables are polled, with the result of the last poll.
       * May be refused as forbidden.
       */
      l3Polling(
        query?: {
          /** lastSuccess lists the longest failing first. Default: id. */
          sortKey?: 'deviceID' | 'name' | 'priority' | 'lastPoll' | 'lastSuccess' | 'durationMs' | 'entries';
          /** Default: ascending. */
          sortDir?: 'asc' | 'desc';
          /** Number of devices to skip. */
          start?: number;
          /** Maximum number of devices to return. */
          count?: number;
        },
        options?: Options,
      ): Promise<Answer<never>> {
        return client.call<never>(operations['network-device.l3-polling'], { ...options, query });
      },

      /**
       * Read interfaces, VLANs, SSIDs and neighbours of devices again, as a background task.
       * May be refused as forbidden, not-found, rejected.
       */
      resyncInterfaces(
        body: ResyncInterfaces,
        options?: Options<'dryRun' | 'idempotencyKey' | 'reason'>,
      ): Promise<Answer<never>> {
        return client.call<never>(operations['network-device.resync-interfaces'], { ...options, body });
      },
    },

    deviceProperties: {
      /**
       * Read the Device properties.
       * May be refused as forbidden.
       */
      read(options?: Options): Promise<AnswerOfOne<DeviceProperties>> {
        return client.one<DeviceProperties>(operations['device-properties.read'], options);
      },

      /**
       * Change the Device properties; absent fields keep their value.
       * Answers the record as it would be with `dryRun`, and no results without.
       * May be refused as forbidden, stale, rejected.
       */
      write(
        body: DevicePropertiesInput,
        options?: Options<'dryRun' | 'idempotencyKey' | 'ifMatch' | 'reason'>,
      ): Promise<Answer<DeviceProperties>> {
        return client.call<DeviceProperties>(operations['device-properties.write'], { ...options, body });
      },
    },

    port: {
      /**
       * List Port records that match a filter.
       * May be refused as forbidden, too-expensive.
       */
      list(query?: ListQuery, options?: Options): Promise<Answer<Port>> {
        return client.call<Port>(operations['port.list'], { ...options, query });
      },

      /** List Port records that match a filter: all of them, page after page; `count` is the size of a page. */
      walk(query?: ListQuery, options?: Options): AsyncGenerator<Port, void, undefined> {
        return client.walk<Port>(operations['port.list'], { ...options, query });
      },

      /**
       * Fetch one Port.
       * May be refused as forbidden, not-found.
       */
      fetch(id: number, query?: Pick<ListQuery, 'fields'>, options?: Options): Promise<AnswerOfOne<Port>> {
        return client.one<Port>(operations['port.fetch'], { ...options, path: { id }, query });
      },

      /**
       * Count Port records that match a filter.
       * May be refused as forbidden, too-expensive.
       */
      count(query?: Pick<ListQuery, 'filter'>, options?: Options): Promise<Answer<never>> {
        return client.call<never>(operations['port.count'], { ...options, query });
      },

      /**
       * Count all Port records.
       * May be refused as forbidden, too-expensive.
       */
      countAll(options?: Options): Promise<Answer<never>> {
        return client.call<never>(operations['port.count-all'], options);
      },

      /**
       * Start to follow changes of Port records.
       * May be refused as forbidden, duplicate, rejected.
       */
      monitorStart(
        body?: MonitorStart,
        options?: Options<'dryRun' | 'idempotencyKey' | 'reason'>,
      ): Promise<Answer<MonitorStarted>> {
        return client.call<MonitorStarted>(operations['port.monitor-start'], { ...options, body });
      },

      /**
       * Read the next changes of a monitor.
       * May be refused as forbidden, not-found, gone.
       */
      monitorPoll(
        id: number,
        query?: {
          /** Position of the last entry that was processed. */
          position?: string;
        },
        options?: Options,
      ): Promise<Answer<PortFeedEntry>> {
        return client.call<PortFeedEntry>(operations['port.monitor-poll'], { ...options, path: { id }, query });
      },

      /**
       * Stop a monitor.
       * May be refused as forbidden, not-found, gone, rejected.
       */
      monitorStop(id: number, options?: Options<'dryRun' | 'idempotencyKey' | 'reason'>): Promise<Answer<never>> {
        return client.call<never>(operations['port.monitor-stop'], { ...options, path: { id } });
      },

      /**
       * List the ports of a device, in the order of its interfaces.
       * May be refused as forbidden, not-found, too-expensive.
       */
      byDevice(
        query: ListQuery & {
          /** The device. */
          deviceID: number;
          /** Include virtual interfaces. */
          includeHidden?: boolean;
        },
        options?: Options,
      ): Promise<Answer<Port>> {
        return client.call<Port>(operations['port.by-device'], { ...options, query });
      },

      /** List the ports of a device, in the order of its interfaces: all of them, page after page; `count` is the size of a page. */
      byDeviceWalk(
        query: ListQuery & {
          /** The device. */
          deviceID: number;
          /** Include virtual interfaces. */
          includeHidden?: boolean;
        },
        options?: Options,
      ): AsyncGenerator<Port, void, undefined> {
        return client.walk<Port>(operations['port.by-device'], { ...options, query });
      },

      /**
       * List the ports in enforcement groups; filters and sort keys are those of ports.
       * May be refused as forbidden, too-expensive.
       */
      enforcement(query?: ListQuery, options?: Options): Promise<Answer<EnforcedPort>> {
        return client.call<EnforcedPort>(operations['port.enforcement'], { ...options, query });
      },

      /** List the ports in enforcement groups; filters and sort keys are those of ports: all of them, page after page; `count` is the size of a page. */
      enforcementWalk(query?: ListQuery, options?: Options): AsyncGenerator<EnforcedPort, void, undefined> {
        return client.walk<EnforcedPort>(operations['port.enforcement'], { ...options, query });
      },

      /**
       * Count the ports in enforcement groups.
       * May be refused as forbidden, too-expensive.
       */
      enforcementCount(query?: Pick<ListQuery, 'filter'>, options?: Options): Promise<Answer<never>> {
        return client.call<never>(operations['port.enforcement-count'], { ...options, query });
      },

      /**
       * Read what the caller may change on ports.
       * May be refused as forbidden.
       */
      portManagement(options?: Options): Promise<Answer<PortManagement>> {
        return client.call<PortManagement>(operations['port.port-management'], options);
      },

      /**
       * Change ports: up to 20 of one device in the request, more as a background task.
       * Answers the record as it would be with `dryRun`, and no results without.
       * May be refused as forbidden, not-found, duplicate, rejected, remote-failed, remote-timeout.
       */
      properties(
        body: PortProperties,
        options?: Options<'dryRun' | 'idempotencyKey' | 'reason'>,
      ): Promise<Answer<PortPreview>> {
        return client.call<PortPreview>(operations['port.properties'], { ...options, body });
      },
    },

    portChange: {
      /**
       * List Port change records that match a filter.
       * May be refused as forbidden, too-expensive.
       */
      list(query?: ListQuery, options?: Options): Promise<Answer<PortChange>> {
        return client.call<PortChange>(operations['port-change.list'], { ...options, query });
      },

      /** List Port change records that match a filter: all of them, page after page; `count` is the size of a page. */
      walk(query?: ListQuery, options?: Options): AsyncGenerator<PortChange, void, undefined> {
        return client.walk<PortChange>(operations['port-change.list'], { ...options, query });
      },

      /**
       * Fetch one Port change.
       * May be refused as forbidden, not-found.
       */
      fetch(id: number, query?: Pick<ListQuery, 'fields'>, options?: Options): Promise<AnswerOfOne<PortChange>> {
        return client.one<PortChange>(operations['port-change.fetch'], { ...options, path: { id }, query });
      },

      /**
       * Count Port change records that match a filter.
       * May be refused as forbidden, too-expensive.
       */
      count(query?: Pick<ListQuery, 'filter'>, options?: Options): Promise<Answer<never>> {
        return client.call<never>(operations['port-change.count'], { ...options, query });
      },

      /**
       * Count all Port change records.
       * May be refused as forbidden, too-expensive.
       */
      countAll(options?: Options): Promise<Answer<never>> {
        return client.call<never>(operations['port-change.count-all'], options);
      },
    },

    discoveryRun: {
      /**
       * Discover network devices in address ranges and add them to a container.
       * May be refused as forbidden, duplicate, rejected.
       */
      discover(
        body: DiscoveryRequest,
        options?: Options<'dryRun' | 'idempotencyKey' | 'reason'>,
      ): Promise<Answer<never>> {
        return client.call<never>(operations['discovery-run.discover'], { ...options, body });
      },

      /**
       * Read the state and the results of a discovery.
       * May be refused as forbidden, not-found.
       */
      status(
        query?: {
          /** The run. */
          id?: number;
          /** Instead of id: the newest discovery into this container. */
          containerID?: number;
        },
        options?: Options,
      ): Promise<Answer<DiscoveryRun>> {
        return client.call<DiscoveryRun>(operations['discovery-run.status'], { ...options, query });
      },

      /**
       * List all running discoveries, and the last 50 that have ended, newest first.
       * May be refused as forbidden.
       */
      statusAll(options?: Options): Promise<Answer<DiscoveryRun>> {
        return client.call<DiscoveryRun>(operations['discovery-run.status-all'], options);
      },

      /**
       * Stop a discovery; devices already added stay.
       * May be refused as forbidden, not-found, rejected.
       */
      stop(body: DiscoveryStop, options?: Options<'dryRun' | 'idempotencyKey' | 'reason'>): Promise<Answer<never>> {
        return client.call<never>(operations['discovery-run.stop'], { ...options, body });
      },
    },

    l3Scan: {
      /**
       * Find devices that route and therefore have ARP entries of hosts; does not enable polling.
       * May be refused as forbidden, not-found, duplicate, rejected.
       */
      start(body?: L3ScanStart, options?: Options<'dryRun' | 'idempotencyKey' | 'reason'>): Promise<Answer<never>> {
        return client.call<never>(operations['l3-scan.start'], { ...options, body });
      },

      /**
       * Read the state of the last L3 scan and the devices it recommends.
       * May be refused as forbidden.
       */
      status(options?: Options): Promise<Answer<L3ScanStatus>> {
        return client.call<L3ScanStatus>(operations['l3-scan.status'], options);
      },

      /**
       * Stop the L3 scan; results so far stay.
       * May be refused as forbidden, not-found, rejected.
       */
      stop(options?: Options<'dryRun' | 'idempotencyKey' | 'reason'>): Promise<Answer<never>> {
        return client.call<never>(operations['l3-scan.stop'], options);
      },
    },

    adapter: {
      /**
       * List Adapter records that match a filter.
       * May be refused as forbidden, too-expensive.
       */
      list(query?: ListQuery, options?: Options): Promise<Answer<Adapter>> {
        return client.call<Adapter>(operations['adapter.list'], { ...options, query });
      },

      /** List Adapter records that match a filter: all of them, page after page; `count` is the size of a page. */
      walk(query?: ListQuery, options?: Options): AsyncGenerator<Adapter, void, undefined> {
        return client.walk<Adapter>(operations['adapter.list'], { ...options, query });
      },

      /**
       * Create an Adapter, or update the one with the given identity.
       * Answers the record as it would be with `dryRun`, and no results without.
       * May be refused as forbidden, not-found, duplicate, protected, stale, rejected.
       */
      create(
        body: AdapterInput,
        options?: Options<'dryRun' | 'idempotencyKey' | 'ifMatch' | 'reason'>,
      ): Promise<Answer<Adapter>> {
        return client.call<Adapter>(operations['adapter.create'], { ...options, body });
      },

      /**
       * Fetch one Adapter.
       * May be refused as forbidden, not-found.
       */
      fetch(id: number, query?: Pick<ListQuery, 'fields'>, options?: Options): Promise<AnswerOfOne<Adapter>> {
        return client.one<Adapter>(operations['adapter.fetch'], { ...options, path: { id }, query });
      },

      /**
       * Update an Adapter; absent fields keep their value.
       * Answers the record as it would be with `dryRun`, and no results without.
       * May be refused as forbidden, not-found, duplicate, protected, stale, rejected.
       */
      update(
        id: number,
        body: AdapterInput,
        options?: Options<'dryRun' | 'idempotencyKey' | 'ifMatch' | 'reason'>,
      ): Promise<Answer<Adapter>> {
        return client.call<Adapter>(operations['adapter.update'], { ...options, path: { id }, body });
      },

      /**
       * Delete an Adapter.
       * May be refused as forbidden, not-found, in-use, protected, stale, rejected.
       */
      deleteOne(id: number, options?: Options<'dryRun' | 'ifMatch' | 'reason'>): Promise<Answer<never>> {
        return client.call<never>(operations['adapter.delete-one'], { ...options, path: { id } });
      },

      /**
       * Count Adapter records that match a filter.
       * May be refused as forbidden, too-expensive.
       */
      count(query?: Pick<ListQuery, 'filter'>, options?: Options): Promise<Answer<never>> {
        return client.call<never>(operations['adapter.count'], { ...options, query });
      },

      /**
       * Count all Adapter records.
       * May be refused as forbidden, too-expensive.
       */
      countAll(options?: Options): Promise<Answer<never>> {
        return client.call<never>(operations['adapter.count-all'], options);
      },

      /**
       * Delete an Adapter.
       * May be refused as forbidden, not-found, in-use, protected, stale, rejected.
       */
      deleteByPost(
        id: number,
        options?: Options<'dryRun' | 'idempotencyKey' | 'ifMatch' | 'reason'>,
      ): Promise<Answer<never>> {
        return client.call<never>(operations['adapter.delete-by-post'], { ...options, path: { id } });
      },

      /**
       * Delete Adapter records, all or none.
       * May be refused as forbidden, not-found, in-use, protected, stale, rejected.
       */
      deleteMany(body: IdList, options?: Options<'dryRun' | 'idempotencyKey' | 'reason'>): Promise<Answer<never>> {
        return client.call<never>(operations['adapter.delete-many'], { ...options, body });
      },

      /**
       * Enable an Adapter.
       * Answers the record as it would be with `dryRun`, and no results without.
       * May be refused as forbidden, not-found, protected, rejected.
       */
      enable(id: number, options?: Options<'dryRun' | 'idempotencyKey' | 'reason'>): Promise<Answer<Adapter>> {
        return client.call<Adapter>(operations['adapter.enable'], { ...options, path: { id } });
      },

      /**
       * Disable an Adapter.
       * Answers the record as it would be with `dryRun`, and no results without.
       * May be refused as forbidden, not-found, protected, rejected.
       */
      disable(id: number, options?: Options<'dryRun' | 'idempotencyKey' | 'reason'>): Promise<Answer<Adapter>> {
        return client.call<Adapter>(operations['adapter.disable'], { ...options, path: { id } });
      },

      /**
       * List the groups that contain an adapter.
       * May be refused as forbidden, not-found.
       */
      usage(id: number, options?: Options): Promise<Answer<UsageEntry>> {
        return client.call<UsageEntry>(operations['adapter.usage'], { ...options, path: { id } });
      },

      /**
       * List the adapters of a host.
       * May be refused as forbidden, not-found, too-expensive.
       */
      forHost(
        query: ListQuery & {
          /** The host. */
          hostID: number;
        },
        options?: Options,
      ): Promise<Answer<Adapter>> {
        return client.call<Adapter>(operations['adapter.for-host'], { ...options, query });
      },

      /** List the adapters of a host: all of them, page after page; `count` is the size of a page. */
      forHostWalk(
        query: ListQuery & {
          /** The host. */
          hostID: number;
        },
        options?: Options,
      ): AsyncGenerator<Adapter, void, undefined> {
        return client.walk<Adapter>(operations['adapter.for-host'], { ...options, query });
      },

      /**
       * List the adapters connected to these ports now.
       * May be refused as forbidden, too-expensive.
       */
      connectedToPorts(
        query: ListQuery & {
          /** The ports. Written as comma-separated identities. */
          portID: string;
        },
        options?: Options,
      ): Promise<Answer<Adapter>> {
        return client.call<Adapter>(operations['adapter.connected-to-ports'], { ...options, query });
      },

      /** List the adapters connected to these ports now: all of them, page after page; `count` is the size of a page. */
      connectedToPortsWalk(
        query: ListQuery & {
          /** The ports. Written as comma-separated identities. */
          portID: string;
        },
        options?: Options,
      ): AsyncGenerator<Adapter, void, undefined> {
        return client.walk<Adapter>(operations['adapter.connected-to-ports'], { ...options, query });
      },

      /**
       * Return the port that an adapter is connected to.
       * May be refused as forbidden, not-found.
       */
      getPort(
        id: number,
        query?: {
          /** If it is not connected: return the port it was last connected to. */
          last?: boolean;
        },
        options?: Options,
      ): Promise<Answer<PortOfAdapter>> {
        return client.call<PortOfAdapter>(operations['adapter.get-port'], { ...options, path: { id }, query });
      },

      /**
       * Scan the ports of adapters at their current addresses.
       * May be refused as forbidden, not-found, rejected.
       */
      runNetworkScan(
        body: NetworkScanWish,
        options?: Options<'dryRun' | 'idempotencyKey' | 'reason'>,
      ): Promise<Answer<never>> {
        return client.call<never>(operations['adapter.run-network-scan'], { ...options, body });
      },
    },

    host: {
      /**
       * List Host records that match a filter.
       * May be refused as forbidden, too-expensive.
       */
      list(
        query?: ListQuery & {
          /** Fill in adapterObjects. */
          withAdapters?: boolean;
        },
        options?: Options,
      ): Promise<Answer<Host>> {
        return client.call<Host>(operations['host.list'], { ...options, query });
      },

      /** List Host records that match a filter: all of them, page after page; `count` is the size of a page. */
      walk(
        query?: ListQuery & {
          /** Fill in adapterObjects. */
          withAdapters?: boolean;
        },
        options?: Options,
      ): AsyncGenerator<Host, void, undefined> {
        return client.walk<Host>(operations['host.list'], { ...options, query });
      },

      /**
       * Create a Host, or update the one with the given identity.
       * Answers the record as it would be with `dryRun`, and no results without.
       * May be refused as forbidden, not-found, duplicate, protected, stale, rejected.
       */
      create(
        body: HostInput,
        options?: Options<'dryRun' | 'idempotencyKey' | 'ifMatch' | 'reason'>,
      ): Promise<Answer<Host>> {
        return client.call<Host>(operations['host.create'], { ...options, body });
      },

      /**
       * Fetch one Host.
       * May be refused as forbidden, not-found.
       */
      fetch(id: number, query?: Pick<ListQuery, 'fields'>, options?: Options): Promise<AnswerOfOne<Host>> {
        return client.one<Host>(operations['host.fetch'], { ...options, path: { id }, query });
      },

      /**
       * Update a Host; absent fields keep their value.
       * Answers the record as it would be with `dryRun`, and no results without.
       * May be refused as forbidden, not-found, duplicate, protected, stale, rejected.
       */
      update(
        id: number,
        body: HostInput,
        options?: Options<'dryRun' | 'idempotencyKey' | 'ifMatch' | 'reason'>,
      ): Promise<Answer<Host>> {
        return client.call<Host>(operations['host.update'], { ...options, path: { id }, body });
      },

      /**
       * Delete a Host.
       * May be refused as forbidden, not-found, in-use, protected, stale, rejected.
       */
      deleteOne(id: number, options?: Options<'dryRun' | 'ifMatch' | 'reason'>): Promise<Answer<never>> {
        return client.call<never>(operations['host.delete-one'], { ...options, path: { id } });
      },

      /**
       * Count Host records that match a filter.
       * May be refused as forbidden, too-expensive.
       */
      count(query?: Pick<ListQuery, 'filter'>, options?: Options): Promise<Answer<never>> {
        return client.call<never>(operations['host.count'], { ...options, query });
      },

      /**
       * Count all Host records.
       * May be refused as forbidden, too-expensive.
       */
      countAll(options?: Options): Promise<Answer<never>> {
        return client.call<never>(operations['host.count-all'], options);
      },

      /**
       * Delete a Host.
       * May be refused as forbidden, not-found, in-use, protected, stale, rejected.
       */
      deleteByPost(
        id: number,
        options?: Options<'dryRun' | 'idempotencyKey' | 'ifMatch' | 'reason'>,
      ): Promise<Answer<never>> {
        return client.call<never>(operations['host.delete-by-post'], { ...options, path: { id } });
      },

      /**
       * Delete Host records, all or none.
       * May be refused as forbidden, not-found, in-use, protected, stale, rejected.
       */
      deleteMany(body: IdList, options?: Options<'dryRun' | 'idempotencyKey' | 'reason'>): Promise<Answer<never>> {
        return client.call<never>(operations['host.delete-many'], { ...options, body });
      },

      /**
       * Enable a Host.
       * Answers the record as it would be with `dryRun`, and no results without.
       * May be refused as forbidden, not-found, protected, rejected.
       */
      enable(id: number, options?: Options<'dryRun' | 'idempotencyKey' | 'reason'>): Promise<Answer<Host>> {
        return client.call<Host>(operations['host.enable'], { ...options, path: { id } });
      },

      /**
       * Disable a Host.
       * Answers the record as it would be with `dryRun`, and no results without.
       * May be refused as forbidden, not-found, protected, rejected.
       */
      disable(id: number, options?: Options<'dryRun' | 'idempotencyKey' | 'reason'>): Promise<Answer<Host>> {
        return client.call<Host>(operations['host.disable'], { ...options, path: { id } });
      },

      /**
       * List the groups that contain a host.
       * May be refused as forbidden, not-found.
       */
      usage(id: number, options?: Options): Promise<Answer<UsageEntry>> {
        return client.call<UsageEntry>(operations['host.usage'], { ...options, path: { id } });
      },

      /**
       * Return the host with an IP address, now or at a given time.
       * May be refused as forbidden, not-found.
       */
      byIp(
        ip: string,
        query?: {
          /** Point in time. Default: now. */
          at?: string;
        },
        options?: Options,
      ): Promise<Answer<Host>> {
        return client.call<Host>(operations['host.by-ip'], { ...options, path: { ip }, query });
      },

      /**
       * Return the host with a MAC address in any notation.
       * May be refused as forbidden, not-found.
       */
      byMac(mac: string, options?: Options): Promise<Answer<Host>> {
        return client.call<Host>(operations['host.by-mac'], { ...options, path: { mac } });
      },

      /**
       * List the hosts connected to a port now.
       * May be refused as forbidden, too-expensive.
       */
      connectedToPort(
        query: ListQuery & {
          /** The port. */
          portID: number;
        },
        options?: Options,
      ): Promise<Answer<Host>> {
        return client.call<Host>(operations['host.connected-to-port'], { ...options, query });
      },

      /** List the hosts connected to a port now: all of them, page after page; `count` is the size of a page. */
      connectedToPortWalk(
        query: ListQuery & {
          /** The port. */
          portID: number;
        },
        options?: Options,
      ): AsyncGenerator<Host, void, undefined> {
        return client.walk<Host>(operations['host.connected-to-port'], { ...options, query });
      },

      /**
       * List the hosts that a user owns or is logged on to.
       * May be refused as forbidden, too-expensive.
       */
      forUser(
        query: ListQuery & {
          /** Name of the account. */
          userID: string;
        },
        options?: Options,
      ): Promise<Answer<HostForUser>> {
        return client.call<HostForUser>(operations['host.for-user'], { ...options, query });
      },

      /** List the hosts that a user owns or is logged on to: all of them, page after page; `count` is the size of a page. */
      forUserWalk(
        query: ListQuery & {
          /** Name of the account. */
          userID: string;
        },
        options?: Options,
      ): AsyncGenerator<HostForUser, void, undefined> {
        return client.walk<HostForUser>(operations['host.for-user'], { ...options, query });
      },

      /**
       * List the device types of hosts with host counts.
       * May be refused as forbidden.
       */
      deviceTypes(options?: Options): Promise<Answer<DeviceTypeInUse>> {
        return client.call<DeviceTypeInUse>(operations['host.device-types'], options);
      },

      /**
       * Return how many hosts a user may own.
       * May be refused as forbidden.
       */
      globalAllowedHosts(options?: Options): Promise<Answer<AllowedHosts>> {
        return client.call<AllowedHosts>(operations['host.global-allowed-hosts'], options);
      },

      /**
       * List the health history of a host, newest first.
       * May be refused as forbidden, not-found.
       */
      healthHistory(id: number, options?: Options): Promise<Answer<HealthChange>> {
        return client.call<HealthChange>(operations['host.health-history'], { ...options, path: { id } });
      },

      /**
       * Find hosts by name, address, owner, user, place or notes.
       * May be refused as forbidden, too-expensive.
       */
      search(
        query: {
          /** Search text, at least two characters. */
          q: string;
          /** Number of hosts to skip. */
          start?: number;
          /** Maximum number of hosts to return. */
          count?: number;
        },
        options?: Options,
      ): Promise<Answer<never>> {
        return client.call<never>(operations['host.search'], { ...options, query });
      },

      /**
       * List hosts by filters on hosts, adapters and owners.
       * May be refused as forbidden, too-expensive.
       */
      multifilter(query?: ListQuery, options?: Options): Promise<Answer<HostWithUser>> {
        return client.call<HostWithUser>(operations['host.multifilter'], { ...options, query });
      },

      /** List hosts by filters on hosts, adapters and owners: all of them, page after page; `count` is the size of a page. */
      multifilterWalk(query?: ListQuery, options?: Options): AsyncGenerator<HostWithUser, void, undefined> {
        return client.walk<HostWithUser>(operations['host.multifilter'], { ...options, query });
      },

      /**
       * List the owners of the hosts that match the same filters.
       * May be refused as forbidden, too-expensive.
       */
      multifilterUsers(query?: ListQuery, options?: Options): Promise<Answer<UserOfHost>> {
        return client.call<UserOfHost>(operations['host.multifilter-users'], { ...options, query });
      },

      /** List the owners of the hosts that match the same filters: all of them, page after page; `count` is the size of a page. */
      multifilterUsersWalk(query?: ListQuery, options?: Options): AsyncGenerator<UserOfHost, void, undefined> {
        return client.walk<UserOfHost>(operations['host.multifilter-users'], { ...options, query });
      },

      /**
       * List named host filters with their host counts.
       * May be refused as forbidden, too-expensive.
       */
      clientFilters(options?: Options): Promise<Answer<HostFilter>> {
        return client.call<HostFilter>(operations['host.client-filters'], options);
      },

      /**
       * List the hosts of a named filter, at most one minute old.
       * May be refused as forbidden, not-found, too-expensive.
       */
      cached(name: string, options?: Options): Promise<Answer<never>> {
        return client.call<never>(operations['host.cached'], { ...options, path: { name } });
      },

      /**
       * Assign a fixed role to hosts, or clear it.
       * May be refused as forbidden, not-found, rejected.
       */
      setRole(body: HostsRole, options?: Options<'dryRun' | 'idempotencyKey' | 'reason'>): Promise<Answer<never>> {
        return client.call<never>(operations['host.set-role'], { ...options, body });
      },

      /**
       * Set or clear the expiration of hosts.
       * May be refused as forbidden, not-found, rejected.
       */
      setExpiration(
        body: HostsExpiration,
        options?: Options<'dryRun' | 'idempotencyKey' | 'reason'>,
      ): Promise<Answer<never>> {
        return client.call<never>(operations['host.set-expiration'], { ...options, body });
      },

      /**
       * Mark a host at risk, or clear causes of its risk.
       * Answers the record as it would be with `dryRun`, and no results without.
       * May be refused as forbidden, not-found, rejected.
       */
      setHealth(
        id: number,
        body: HostHealth,
        options?: Options<'dryRun' | 'idempotencyKey' | 'reason'>,
      ): Promise<Answer<Host>> {
        return client.call<Host>(operations['host.set-health'], { ...options, path: { id }, body });
      },

      /**
       * Enable the host that currently has an IP address.
       * Answers the record as it would be with `dryRun`, and no results without.
       * May be refused as forbidden, not-found, rejected.
       */
      enableByIp(
        body: EnableByIp,
        query?: {
          /** Also if the address was last seen too long ago. */
          force?: boolean;
        },
        options?: Options<'dryRun' | 'idempotencyKey' | 'reason'>,
      ): Promise<Answer<Host>> {
        return client.call<Host>(operations['host.enable-by-ip'], { ...options, body, query });
      },

      /**
       * Enable the host that has a MAC address.
       * Answers the record as it would be with `dryRun`, and no results without.
       * May be refused as forbidden, not-found, rejected.
       */
      enableByMac(body: EnableByMac, options?: Options<'dryRun' | 'idempotencyKey' | 'reason'>): Promise<Answer<Host>> {
        return client.call<Host>(operations['host.enable-by-mac'], { ...options, body });
      },

      /**
       * Disable the host that currently has an IP address.
       * Answers the record as it would be with `dryRun`, and no results without.
       * May be refused as forbidden, not-found, rejected.
       */
      disableByIp(
        body: DisableByIp,
        query?: {
          /** Also if the address was last seen too long ago. */
          force?: boolean;
        },
        options?: Options<'dryRun' | 'idempotencyKey' | 'reason'>,
      ): Promise<Answer<Host>> {
        return client.call<Host>(operations['host.disable-by-ip'], { ...options, body, query });
      },

      /**
       * Disable the host that has a MAC address.
       * Answers the record as it would be with `dryRun`, and no results without.
       * May be refused as forbidden, not-found, rejected.
       */
      disableByMac(
        body: DisableByMac,
        query?: {
          /** If no host has it: create a disabled rogue, so that it gets no access when it connects. */
          create?: boolean;
        },
        options?: Options<'dryRun' | 'idempotencyKey' | 'reason'>,
      ): Promise<Answer<Host>> {
        return client.call<Host>(operations['host.disable-by-mac'], { ...options, body, query });
      },

      /**
       * Register hosts as devices, optionally in the topology.
       * May be refused as forbidden, not-found, duplicate, protected, rejected.
       */
      registerAsDevice(
        body: DeviceRegistration,
        options?: Options<'dryRun' | 'idempotencyKey' | 'reason'>,
      ): Promise<Answer<never>> {
        return client.call<never>(operations['host.register-as-device'], { ...options, body });
      },

      /**
       * Report that a user logged on to or logged off from a host.
       * Answers the record as it would be with `dryRun`, and no results without.
       * May be refused as forbidden, not-found, rejected.
       */
      setLoggedOnUser(
        body: LoggedOnUser,
        query?: {
          /** Also if the address was last seen too long ago. */
          force?: boolean;
        },
        options?: Options<'dryRun' | 'idempotencyKey' | 'reason'>,
      ): Promise<Answer<Host>> {
        return client.call<Host>(operations['host.set-logged-on-user'], { ...options, body, query });
      },

      /**
       * Create a Host and its adapters together.
       * Answers the record as it would be with `dryRun`, and no results without.
       * May be refused as forbidden, not-found, duplicate, stale, rejected.
       */
      createWithAdapters(
        body: HostWithAdapters,
        options?: Options<'dryRun' | 'idempotencyKey' | 'ifMatch' | 'reason'>,
      ): Promise<Answer<Host>> {
        return client.call<Host>(operations['host.create-with-adapters'], { ...options, body });
      },

      /**
       * Update a Host and all of its adapters together.
       * Answers the record as it would be with `dryRun`, and no results without.
       * May be refused as forbidden, not-found, duplicate, stale, rejected.
       */
      updateWithAdapters(
        id: number,
        body: HostWithAdapters,
        options?: Options<'dryRun' | 'idempotencyKey' | 'ifMatch' | 'reason'>,
      ): Promise<Answer<Host>> {
        return client.call<Host>(operations['host.update-with-adapters'], { ...options, path: { id }, body });
      },

      /**
       * Import hosts from CSV or JSON lines.
       * May be refused as forbidden, rejected.
       */
      importHosts(
        query?: {
          /** Failed lines to tolerate; with one more, nothing is imported. Default: 0. */
          maxErrors?: number;
          /** File name, shown in the task. */
          fileName?: string;
        },
        options?: Options<'dryRun' | 'reason'>,
      ): Promise<Answer<never>> {
        return client.call<never>(operations['host.import-hosts'], { ...options, query });
      },

      /**
       * Explain the access of a host, current or hypothetical.
       * May be refused as forbidden, not-found, rejected.
       */
      policy(
        id: number,
        query?: {
          /** Only this adapter. */
          adapterID?: number;
          /** Instant of the decision; absent: now. */
          at?: string;
          /** Decide as if the host were connected to this port. */
          portID?: number;
          /** Decide as if the host were connected to this wireless network. */
          ssid?: string;
          /** Decide as if this user were logged on: name of an account. Requires the right to view accounts. */
          userID?: string;
          /** Decide as if the port or SSID were in all enforcement groups. */
          enforced?: boolean;
          /** Value of a RADIUS attribute, such as `radius.NAS-Port-Type=Ethernet`. */
          radius?: Record<string, unknown>;
        },
        options?: Options,
      ): Promise<Answer<PolicyDecision>> {
        return client.call<PolicyDecision>(operations['host.policy'], { ...options, path: { id }, query });
      },
    },

    deviceProfilingRule: {
      /**
       * List Device profiling rule records that match a filter.
       * May be refused as forbidden, too-expensive.
       */
      list(query?: ListQuery, options?: Options): Promise<Answer<DeviceProfilingRule>> {
        return client.call<DeviceProfilingRule>(operations['device-profiling-rule.list'], { ...options, query });
      },

      /** List Device profiling rule records that match a filter: all of them, page after page; `count` is the size of a page. */
      walk(query?: ListQuery, options?: Options): AsyncGenerator<DeviceProfilingRule, void, undefined> {
        return client.walk<DeviceProfilingRule>(operations['device-profiling-rule.list'], { ...options, query });
      },

      /**
       * Create a Device profiling rule, or update the one with the given identity.
       * Answers the record as it would be with `dryRun`, and no results without.
       * May be refused as forbidden, not-found, duplicate, protected, stale, rejected.
       */
      create(
        body: DeviceProfilingRuleInput,
        options?: Options<'dryRun' | 'idempotencyKey' | 'ifMatch' | 'reason'>,
      ): Promise<Answer<DeviceProfilingRule>> {
        return client.call<DeviceProfilingRule>(operations['device-profiling-rule.create'], { ...options, body });
      },

      /**
       * Fetch one Device profiling rule.
       * May be refused as forbidden, not-found.
       */
      fetch(
        id: number,
        query?: Pick<ListQuery, 'fields'>,
        options?: Options,
      ): Promise<AnswerOfOne<DeviceProfilingRule>> {
        return client.one<DeviceProfilingRule>(operations['device-profiling-rule.fetch'], {
          ...options,
          path: { id },
          query,
        });
      },

      /**
       * Update a Device profiling rule; absent fields keep their value.
       * Answers the record as it would be with `dryRun`, and no results without.
       * May be refused as forbidden, not-found, duplicate, protected, stale, rejected.
       */
      update(
        id: number,
        body: DeviceProfilingRuleInput,
        options?: Options<'dryRun' | 'idempotencyKey' | 'ifMatch' | 'reason'>,
      ): Promise<Answer<DeviceProfilingRule>> {
        return client.call<DeviceProfilingRule>(operations['device-profiling-rule.update'], {
          ...options,
          path: { id },
          body,
        });
      },

      /**
       * Delete a Device profiling rule.
       * May be refused as forbidden, not-found, in-use, protected, stale, rejected.
       */
      deleteOne(id: number, options?: Options<'dryRun' | 'ifMatch' | 'reason'>): Promise<Answer<never>> {
        return client.call<never>(operations['device-profiling-rule.delete-one'], { ...options, path: { id } });
      },

      /**
       * Count Device profiling rule records that match a filter.
       * May be refused as forbidden, too-expensive.
       */
      count(query?: Pick<ListQuery, 'filter'>, options?: Options): Promise<Answer<never>> {
        return client.call<never>(operations['device-profiling-rule.count'], { ...options, query });
      },

      /**
       * Count all Device profiling rule records.
       * May be refused as forbidden, too-expensive.
       */
      countAll(options?: Options): Promise<Answer<never>> {
        return client.call<never>(operations['device-profiling-rule.count-all'], options);
      },

      /**
       * List what refers to a Device profiling rule.
       * May be refused as forbidden, not-found.
       */
      usageByPost(id: number, options?: Options): Promise<Answer<UsageEntry>> {
        return client.call<UsageEntry>(operations['device-profiling-rule.usage-by-post'], { ...options, path: { id } });
      },

      /**
       * Delete a Device profiling rule.
       * May be refused as forbidden, not-found, in-use, protected, stale, rejected.
       */
      deleteByPost(
        id: number,
        options?: Options<'dryRun' | 'idempotencyKey' | 'ifMatch' | 'reason'>,
      ): Promise<Answer<never>> {
        return client.call<never>(operations['device-profiling-rule.delete-by-post'], { ...options, path: { id } });
      },

      /**
       * Delete Device profiling rule records, all or none.
       * May be refused as forbidden, not-found, in-use, protected, stale, rejected.
       */
      deleteMany(body: IdList, options?: Options<'dryRun' | 'idempotencyKey' | 'reason'>): Promise<Answer<never>> {
        return client.call<never>(operations['device-profiling-rule.delete-many'], { ...options, body });
      },

      /**
       * Enable a Device profiling rule.
       * Answers the record as it would be with `dryRun`, and no results without.
       * May be refused as forbidden, not-found, protected, rejected.
       */
      enable(
        id: number,
        options?: Options<'dryRun' | 'idempotencyKey' | 'reason'>,
      ): Promise<Answer<DeviceProfilingRule>> {
        return client.call<DeviceProfilingRule>(operations['device-profiling-rule.enable'], {
          ...options,
          path: { id },
        });
      },

      /**
       * Disable a Device profiling rule.
       * Answers the record as it would be with `dryRun`, and no results without.
       * May be refused as forbidden, not-found, protected, rejected.
       */
      disable(
        id: number,
        options?: Options<'dryRun' | 'idempotencyKey' | 'reason'>,
      ): Promise<Answer<DeviceProfilingRule>> {
        return client.call<DeviceProfilingRule>(operations['device-profiling-rule.disable'], {
          ...options,
          path: { id },
        });
      },

      /**
       * Swap the ranks of two Device profiling rule records.
       * May be refused as forbidden, not-found, rejected.
       */
      rankSwap(body: RankSwap, options?: Options<'dryRun' | 'idempotencyKey' | 'reason'>): Promise<Answer<never>> {
        return client.call<never>(operations['device-profiling-rule.rank-swap'], { ...options, body });
      },
    },

    accessConfiguration: {
      /**
       * List Access configuration records that match a filter.
       * May be refused as forbidden, too-expensive.
       */
      list(query?: ListQuery, options?: Options): Promise<Answer<AccessConfiguration>> {
        return client.call<AccessConfiguration>(operations['access-configuration.list'], { ...options, query });
      },

      /** List Access configuration records that match a filter: all of them, page after page; `count` is the size of a page. */
      walk(query?: ListQuery, options?: Options): AsyncGenerator<AccessConfiguration, void, undefined> {
        return client.walk<AccessConfiguration>(operations['access-configuration.list'], { ...options, query });
      },

      /**
       * Create an Access configuration, or update the one with the given identity.
       * Answers the record as it would be with `dryRun`, and no results without.
       * May be refused as forbidden, not-found, duplicate, protected, stale, rejected.
       */
      create(
        body: AccessConfigurationInput,
        query?: {
          /** Refuse the write with 409 if more live connections than this would change. */
          maxImpact?: number;
          /** With `dryRun`: number of connections to skip. */
          start?: number;
          /** With `dryRun`: maximum number of connections to return. Default: 100. */
          count?: number;
        },
        options?: Options<'dryRun' | 'idempotencyKey' | 'ifMatch' | 'reason'>,
      ): Promise<Answer<never>> {
        return client.call<never>(operations['access-configuration.create'], { ...options, body, query });
      },

      /**
       * Fetch one Access configuration.
       * May be refused as forbidden, not-found.
       */
      fetch(
        id: number,
        query?: Pick<ListQuery, 'fields'>,
        options?: Options,
      ): Promise<AnswerOfOne<AccessConfiguration>> {
        return client.one<AccessConfiguration>(operations['access-configuration.fetch'], {
          ...options,
          path: { id },
          query,
        });
      },

      /**
       * Update an Access configuration; absent fields keep their value.
       * Answers the record as it would be with `dryRun`, and no results without.
       * May be refused as forbidden, not-found, duplicate, protected, stale, rejected.
       */
      update(
        id: number,
        body: AccessConfigurationInput,
        query?: {
          /** Refuse the write with 409 if more live connections than this would change. */
          maxImpact?: number;
          /** With `dryRun`: number of connections to skip. */
          start?: number;
          /** With `dryRun`: maximum number of connections to return. Default: 100. */
          count?: number;
        },
        options?: Options<'dryRun' | 'idempotencyKey' | 'ifMatch' | 'reason'>,
      ): Promise<Answer<never>> {
        return client.call<never>(operations['access-configuration.update'], { ...options, path: { id }, body, query });
      },

      /**
       * Delete an Access configuration.
       * Answers the record as it would be with `dryRun`, and no results without.
       * May be refused as forbidden, not-found, in-use, protected, stale, rejected.
       */
      deleteOne(
        id: number,
        query?: {
          /** Refuse the write with 409 if more live connections than this would change. */
          maxImpact?: number;
          /** With `dryRun`: number of connections to skip. */
          start?: number;
          /** With `dryRun`: maximum number of connections to return. Default: 100. */
          count?: number;
        },
        options?: Options<'dryRun' | 'ifMatch' | 'reason'>,
      ): Promise<Answer<never>> {
        return client.call<never>(operations['access-configuration.delete-one'], { ...options, path: { id }, query });
      },

      /**
       * Count Access configuration records that match a filter.
       * May be refused as forbidden, too-expensive.
       */
      count(query?: Pick<ListQuery, 'filter'>, options?: Options): Promise<Answer<never>> {
        return client.call<never>(operations['access-configuration.count'], { ...options, query });
      },

      /**
       * Count all Access configuration records.
       * May be refused as forbidden, too-expensive.
       */
      countAll(options?: Options): Promise<Answer<never>> {
        return client.call<never>(operations['access-configuration.count-all'], options);
      },

      /**
       * List what refers to an Access configuration.
       * May be refused as forbidden, not-found.
       */
      usage(id: number, options?: Options): Promise<Answer<UsageEntry>> {
        return client.call<UsageEntry>(operations['access-configuration.usage'], { ...options, path: { id } });
      },

      /**
       * Delete an Access configuration.
       * Answers the record as it would be with `dryRun`, and no results without.
       * May be refused as forbidden, not-found, in-use, protected, stale, rejected.
       */
      deleteByPost(
        id: number,
        query?: {
          /** Refuse the write with 409 if more live connections than this would change. */
          maxImpact?: number;
          /** With `dryRun`: number of connections to skip. */
          start?: number;
          /** With `dryRun`: maximum number of connections to return. Default: 100. */
          count?: number;
        },
        options?: Options<'dryRun' | 'idempotencyKey' | 'ifMatch' | 'reason'>,
      ): Promise<Answer<never>> {
        return client.call<never>(operations['access-configuration.delete-by-post'], {
          ...options,
          path: { id },
          query,
        });
      },

      /**
       * Delete Access configuration records, all or none.
       * Answers the record as it would be with `dryRun`, and no results without.
       * May be refused as forbidden, not-found, in-use, protected, stale, rejected.
       */
      deleteMany(
        body: IdList,
        query?: {
          /** Refuse the write with 409 if more live connections than this would change. */
          maxImpact?: number;
          /** With `dryRun`: number of connections to skip. */
          start?: number;
          /** With `dryRun`: maximum number of connections to return. Default: 100. */
          count?: number;
        },
        options?: Options<'dryRun' | 'idempotencyKey' | 'reason'>,
      ): Promise<Answer<never>> {
        return client.call<never>(operations['access-configuration.delete-many'], { ...options, body, query });
      },

      /**
       * List the VLANs of devices and the direct values in use.
       * May be refused as forbidden.
       */
      directConfiguration(
        query?: {
          /** A device. All devices if none of the three parameters is given. */
          deviceID?: number;
          /** Devices of a group, including nested groups. */
          deviceGroupID?: number;
          /** Devices in a container or beneath it. */
          containerID?: number;
        },
        options?: Options,
      ): Promise<Answer<DirectValue>> {
        return client.call<DirectValue>(operations['access-configuration.direct-configuration'], { ...options, query });
      },

      /**
       * Return the choices for an access configuration form.
       * May be refused as forbidden.
       */
      supportingInfo(options?: Options): Promise<Answer<AccessConfigurationSupportingInfo>> {
        return client.call<AccessConfigurationSupportingInfo>(
          operations['access-configuration.supporting-info'],
          options,
        );
      },
    },

    accessPolicy: {
      /**
       * List Access policy records that match a filter.
       * May be refused as forbidden, too-expensive.
       */
      list(query?: ListQuery, options?: Options): Promise<Answer<AccessPolicy>> {
        return client.call<AccessPolicy>(operations['access-policy.list'], { ...options, query });
      },

      /** List Access policy records that match a filter: all of them, page after page; `count` is the size of a page. */
      walk(query?: ListQuery, options?: Options): AsyncGenerator<AccessPolicy, void, undefined> {
        return client.walk<AccessPolicy>(operations['access-policy.list'], { ...options, query });
      },

      /**
       * Create an Access policy, or update the one with the given identity.
       * Answers the record as it would be with `dryRun`, and no results without.
       * May be refused as forbidden, not-found, duplicate, protected, stale, rejected.
       */
      create(
        body: AccessPolicyInput,
        query?: {
          /** Refuse the write with 409 if more live connections than this would change. */
          maxImpact?: number;
          /** With `dryRun`: number of connections to skip. */
          start?: number;
          /** With `dryRun`: maximum number of connections to return. Default: 100. */
          count?: number;
        },
        options?: Options<'dryRun' | 'idempotencyKey' | 'ifMatch' | 'reason'>,
      ): Promise<Answer<never>> {
        return client.call<never>(operations['access-policy.create'], { ...options, body, query });
      },

      /**
       * Fetch one Access policy.
       * May be refused as forbidden, not-found.
       */
      fetch(id: number, query?: Pick<ListQuery, 'fields'>, options?: Options): Promise<AnswerOfOne<AccessPolicy>> {
        return client.one<AccessPolicy>(operations['access-policy.fetch'], { ...options, path: { id }, query });
      },

      /**
       * Update an Access policy; absent fields keep their value.
       * Answers the record as it would be with `dryRun`, and no results without.
       * May be refused as forbidden, not-found, duplicate, protected, stale, rejected.
       */
      update(
        id: number,
        body: AccessPolicyInput,
        query?: {
          /** Refuse the write with 409 if more live connections than this would change. */
          maxImpact?: number;
          /** With `dryRun`: number of connections to skip. */
          start?: number;
          /** With `dryRun`: maximum number of connections to return. Default: 100. */
          count?: number;
        },
        options?: Options<'dryRun' | 'idempotencyKey' | 'ifMatch' | 'reason'>,
      ): Promise<Answer<never>> {
        return client.call<never>(operations['access-policy.update'], { ...options, path: { id }, body, query });
      },

      /**
       * Delete an Access policy.
       * Answers the record as it would be with `dryRun`, and no results without.
       * May be refused as forbidden, not-found, in-use, protected, stale, rejected.
       */
      deleteOne(
        id: number,
        query?: {
          /** Refuse the write with 409 if more live connections than this would change. */
          maxImpact?: number;
          /** With `dryRun`: number of connections to skip. */
          start?: number;
          /** With `dryRun`: maximum number of connections to return. Default: 100. */
          count?: number;
        },
        options?: Options<'dryRun' | 'ifMatch' | 'reason'>,
      ): Promise<Answer<never>> {
        return client.call<never>(operations['access-policy.delete-one'], { ...options, path: { id }, query });
      },

      /**
       * Delete an Access policy.
       * Answers the record as it would be with `dryRun`, and no results without.
       * May be refused as forbidden, not-found, in-use, protected, stale, rejected.
       */
      deleteByPost(
        id: number,
        query?: {
          /** Refuse the write with 409 if more live connections than this would change. */
          maxImpact?: number;
          /** With `dryRun`: number of connections to skip. */
          start?: number;
          /** With `dryRun`: maximum number of connections to return. Default: 100. */
          count?: number;
        },
        options?: Options<'dryRun' | 'idempotencyKey' | 'ifMatch' | 'reason'>,
      ): Promise<Answer<never>> {
        return client.call<never>(operations['access-policy.delete-by-post'], { ...options, path: { id }, query });
      },

      /**
       * Delete Access policy records, all or none.
       * Answers the record as it would be with `dryRun`, and no results without.
       * May be refused as forbidden, not-found, in-use, protected, stale, rejected.
       */
      deleteMany(
        body: IdList,
        query?: {
          /** Refuse the write with 409 if more live connections than this would change. */
          maxImpact?: number;
          /** With `dryRun`: number of connections to skip. */
          start?: number;
          /** With `dryRun`: maximum number of connections to return. Default: 100. */
          count?: number;
        },
        options?: Options<'dryRun' | 'idempotencyKey' | 'reason'>,
      ): Promise<Answer<never>> {
        return client.call<never>(operations['access-policy.delete-many'], { ...options, body, query });
      },

      /**
       * Enable an Access policy.
       * Answers the record as it would be with `dryRun`, and no results without.
       * May be refused as forbidden, not-found, protected, rejected.
       */
      enable(
        id: number,
        query?: {
          /** Refuse the write with 409 if more live connections than this would change. */
          maxImpact?: number;
          /** With `dryRun`: number of connections to skip. */
          start?: number;
          /** With `dryRun`: maximum number of connections to return. Default: 100. */
          count?: number;
        },
        options?: Options<'dryRun' | 'idempotencyKey' | 'reason'>,
      ): Promise<Answer<never>> {
        return client.call<never>(operations['access-policy.enable'], { ...options, path: { id }, query });
      },

      /**
       * Disable an Access policy.
       * Answers the record as it would be with `dryRun`, and no results without.
       * May be refused as forbidden, not-found, protected, rejected.
       */
      disable(
        id: number,
        query?: {
          /** Refuse the write with 409 if more live connections than this would change. */
          maxImpact?: number;
          /** With `dryRun`: number of connections to skip. */
          start?: number;
          /** With `dryRun`: maximum number of connections to return. Default: 100. */
          count?: number;
        },
        options?: Options<'dryRun' | 'idempotencyKey' | 'reason'>,
      ): Promise<Answer<never>> {
        return client.call<never>(operations['access-policy.disable'], { ...options, path: { id }, query });
      },

      /**
       * Enable Access policy records, all or none.
       * Answers the record as it would be with `dryRun`, and no results without.
       * May be refused as forbidden, not-found, protected, rejected.
       */
      enableMany(
        body: IdList,
        query?: {
          /** Refuse the write with 409 if more live connections than this would change. */
          maxImpact?: number;
          /** With `dryRun`: number of connections to skip. */
          start?: number;
          /** With `dryRun`: maximum number of connections to return. Default: 100. */
          count?: number;
        },
        options?: Options<'dryRun' | 'idempotencyKey' | 'reason'>,
      ): Promise<Answer<never>> {
        return client.call<never>(operations['access-policy.enable-many'], { ...options, body, query });
      },

      /**
       * Disable Access policy records, all or none.
       * Answers the record as it would be with `dryRun`, and no results without.
       * May be refused as forbidden, not-found, protected, rejected.
       */
      disableMany(
        body: IdList,
        query?: {
          /** Refuse the write with 409 if more live connections than this would change. */
          maxImpact?: number;
          /** With `dryRun`: number of connections to skip. */
          start?: number;
          /** With `dryRun`: maximum number of connections to return. Default: 100. */
          count?: number;
        },
        options?: Options<'dryRun' | 'idempotencyKey' | 'reason'>,
      ): Promise<Answer<never>> {
        return client.call<never>(operations['access-policy.disable-many'], { ...options, body, query });
      },

      /**
       * Move an Access policy to a rank.
       * Answers the record as it would be with `dryRun`, and no results without.
       * May be refused as forbidden, not-found, protected, rejected.
       */
      rankSet(
        body: RankSet,
        query?: {
          /** Refuse the write with 409 if more live connections than this would change. */
          maxImpact?: number;
          /** With `dryRun`: number of connections to skip. */
          start?: number;
          /** With `dryRun`: maximum number of connections to return. Default: 100. */
          count?: number;
        },
        options?: Options<'dryRun' | 'idempotencyKey' | 'reason'>,
      ): Promise<Answer<never>> {
        return client.call<never>(operations['access-policy.rank-set'], { ...options, body, query });
      },

      /**
       * Swap the ranks of two Access policy records.
       * Answers the record as it would be with `dryRun`, and no results without.
       * May be refused as forbidden, not-found, protected, rejected.
       */
      rankSwap(
        body: RankSwap,
        query?: {
          /** Refuse the write with 409 if more live connections than this would change. */
          maxImpact?: number;
          /** With `dryRun`: number of connections to skip. */
          start?: number;
          /** With `dryRun`: maximum number of connections to return. Default: 100. */
          count?: number;
        },
        options?: Options<'dryRun' | 'idempotencyKey' | 'reason'>,
      ): Promise<Answer<never>> {
        return client.call<never>(operations['access-policy.rank-swap'], { ...options, body, query });
      },

      /**
       * Return the choices for a policy form and the policy hits.
       * May be refused as forbidden.
       */
      supportingInfo(options?: Options): Promise<Answer<AccessPolicySupportingInfo>> {
        return client.call<AccessPolicySupportingInfo>(operations['access-policy.supporting-info'], options);
      },
    },

    authenticationConfiguration: {
      /**
       * List Authentication configuration records that match a filter.
       * May be refused as forbidden, too-expensive.
       */
      list(query?: ListQuery, options?: Options): Promise<Answer<AuthenticationConfiguration>> {
        return client.call<AuthenticationConfiguration>(operations['authentication-configuration.list'], {
          ...options,
          query,
        });
      },

      /** List Authentication configuration records that match a filter: all of them, page after page; `count` is the size of a page. */
      walk(query?: ListQuery, options?: Options): AsyncGenerator<AuthenticationConfiguration, void, undefined> {
        return client.walk<AuthenticationConfiguration>(operations['authentication-configuration.list'], {
          ...options,
          query,
        });
      },

      /**
       * Create an Authentication configuration, or update the one with the given identity.
       * Answers the record as it would be with `dryRun`, and no results without.
       * May be refused as forbidden, not-found, duplicate, protected, stale, rejected.
       */
      create(
        body: AuthenticationConfigurationInput,
        query?: {
          /** Refuse the write with 409 if more live connections than this would change. */
          maxImpact?: number;
          /** With `dryRun`: number of connections to skip. */
          start?: number;
          /** With `dryRun`: maximum number of connections to return. Default: 100. */
          count?: number;
        },
        options?: Options<'dryRun' | 'idempotencyKey' | 'ifMatch' | 'reason'>,
      ): Promise<Answer<never>> {
        return client.call<never>(operations['authentication-configuration.create'], { ...options, body, query });
      },

      /**
       * Fetch one Authentication configuration.
       * May be refused as forbidden, not-found.
       */
      fetch(
        id: number,
        query?: Pick<ListQuery, 'fields'>,
        options?: Options,
      ): Promise<AnswerOfOne<AuthenticationConfiguration>> {
        return client.one<AuthenticationConfiguration>(operations['authentication-configuration.fetch'], {
          ...options,
          path: { id },
          query,
        });
      },

      /**
       * Update an Authentication configuration; absent fields keep their value.
       * Answers the record as it would be with `dryRun`, and no results without.
       * May be refused as forbidden, not-found, duplicate, protected, stale, rejected.
       */
      update(
        id: number,
        body: AuthenticationConfigurationInput,
        query?: {
          /** Refuse the write with 409 if more live connections than this would change. */
          maxImpact?: number;
          /** With `dryRun`: number of connections to skip. */
          start?: number;
          /** With `dryRun`: maximum number of connections to return. Default: 100. */
          count?: number;
        },
        options?: Options<'dryRun' | 'idempotencyKey' | 'ifMatch' | 'reason'>,
      ): Promise<Answer<never>> {
        return client.call<never>(operations['authentication-configuration.update'], {
          ...options,
          path: { id },
          body,
          query,
        });
      },

      /**
       * Delete an Authentication configuration.
       * Answers the record as it would be with `dryRun`, and no results without.
       * May be refused as forbidden, not-found, in-use, protected, stale, rejected.
       */
      deleteOne(
        id: number,
        query?: {
          /** Refuse the write with 409 if more live connections than this would change. */
          maxImpact?: number;
          /** With `dryRun`: number of connections to skip. */
          start?: number;
          /** With `dryRun`: maximum number of connections to return. Default: 100. */
          count?: number;
        },
        options?: Options<'dryRun' | 'ifMatch' | 'reason'>,
      ): Promise<Answer<never>> {
        return client.call<never>(operations['authentication-configuration.delete-one'], {
          ...options,
          path: { id },
          query,
        });
      },

      /**
       * List what refers to an Authentication configuration.
       * May be refused as forbidden, not-found.
       */
      usage(id: number, options?: Options): Promise<Answer<UsageEntry>> {
        return client.call<UsageEntry>(operations['authentication-configuration.usage'], { ...options, path: { id } });
      },

      /**
       * Delete an Authentication configuration.
       * Answers the record as it would be with `dryRun`, and no results without.
       * May be refused as forbidden, not-found, in-use, protected, stale, rejected.
       */
      deleteByPost(
        id: number,
        query?: {
          /** Refuse the write with 409 if more live connections than this would change. */
          maxImpact?: number;
          /** With `dryRun`: number of connections to skip. */
          start?: number;
          /** With `dryRun`: maximum number of connections to return. Default: 100. */
          count?: number;
        },
        options?: Options<'dryRun' | 'idempotencyKey' | 'ifMatch' | 'reason'>,
      ): Promise<Answer<never>> {
        return client.call<never>(operations['authentication-configuration.delete-by-post'], {
          ...options,
          path: { id },
          query,
        });
      },

      /**
       * Delete Authentication configuration records, all or none.
       * Answers the record as it would be with `dryRun`, and no results without.
       * May be refused as forbidden, not-found, in-use, protected, stale, rejected.
       */
      deleteMany(
        body: IdList,
        query?: {
          /** Refuse the write with 409 if more live connections than this would change. */
          maxImpact?: number;
          /** With `dryRun`: number of connections to skip. */
          start?: number;
          /** With `dryRun`: maximum number of connections to return. Default: 100. */
          count?: number;
        },
        options?: Options<'dryRun' | 'idempotencyKey' | 'reason'>,
      ): Promise<Answer<never>> {
        return client.call<never>(operations['authentication-configuration.delete-many'], { ...options, body, query });
      },
    },

    authenticationPolicy: {
      /**
       * List Authentication policy records that match a filter.
       * May be refused as forbidden, too-expensive.
       */
      list(query?: ListQuery, options?: Options): Promise<Answer<AuthenticationPolicy>> {
        return client.call<AuthenticationPolicy>(operations['authentication-policy.list'], { ...options, query });
      },

      /** List Authentication policy records that match a filter: all of them, page after page; `count` is the size of a page. */
      walk(query?: ListQuery, options?: Options): AsyncGenerator<AuthenticationPolicy, void, undefined> {
        return client.walk<AuthenticationPolicy>(operations['authentication-policy.list'], { ...options, query });
      },

      /**
       * Create an Authentication policy, or update the one with the given identity.
       * Answers the record as it would be with `dryRun`, and no results without.
       * May be refused as forbidden, not-found, duplicate, protected, stale, rejected.
       */
      create(
        body: AuthenticationPolicyInput,
        query?: {
          /** Refuse the write with 409 if more live connections than this would change. */
          maxImpact?: number;
          /** With `dryRun`: number of connections to skip. */
          start?: number;
          /** With `dryRun`: maximum number of connections to return. Default: 100. */
          count?: number;
        },
        options?: Options<'dryRun' | 'idempotencyKey' | 'ifMatch' | 'reason'>,
      ): Promise<Answer<never>> {
        return client.call<never>(operations['authentication-policy.create'], { ...options, body, query });
      },

      /**
       * Fetch one Authentication policy.
       * May be refused as forbidden, not-found.
       */
      fetch(
        id: number,
        query?: Pick<ListQuery, 'fields'>,
        options?: Options,
      ): Promise<AnswerOfOne<AuthenticationPolicy>> {
        return client.one<AuthenticationPolicy>(operations['authentication-policy.fetch'], {
          ...options,
          path: { id },
          query,
        });
      },

      /**
       * Update an Authentication policy; absent fields keep their value.
       * Answers the record as it would be with `dryRun`, and no results without.
       * May be refused as forbidden, not-found, duplicate, protected, stale, rejected.
       */
      update(
        id: number,
        body: AuthenticationPolicyInput,
        query?: {
          /** Refuse the write with 409 if more live connections than this would change. */
          maxImpact?: number;
          /** With `dryRun`: number of connections to skip. */
          start?: number;
          /** With `dryRun`: maximum number of connections to return. Default: 100. */
          count?: number;
        },
        options?: Options<'dryRun' | 'idempotencyKey' | 'ifMatch' | 'reason'>,
      ): Promise<Answer<never>> {
        return client.call<never>(operations['authentication-policy.update'], {
          ...options,
          path: { id },
          body,
          query,
        });
      },

      /**
       * Delete an Authentication policy.
       * Answers the record as it would be with `dryRun`, and no results without.
       * May be refused as forbidden, not-found, in-use, protected, stale, rejected.
       */
      deleteOne(
        id: number,
        query?: {
          /** Refuse the write with 409 if more live connections than this would change. */
          maxImpact?: number;
          /** With `dryRun`: number of connections to skip. */
          start?: number;
          /** With `dryRun`: maximum number of connections to return. Default: 100. */
          count?: number;
        },
        options?: Options<'dryRun' | 'ifMatch' | 'reason'>,
      ): Promise<Answer<never>> {
        return client.call<never>(operations['authentication-policy.delete-one'], { ...options, path: { id }, query });
      },

      /**
       * Delete an Authentication policy.
       * Answers the record as it would be with `dryRun`, and no results without.
       * May be refused as forbidden, not-found, in-use, protected, stale, rejected.
       */
      deleteByPost(
        id: number,
        query?: {
          /** Refuse the write with 409 if more live connections than this would change. */
          maxImpact?: number;
          /** With `dryRun`: number of connections to skip. */
          start?: number;
          /** With `dryRun`: maximum number of connections to return. Default: 100. */
          count?: number;
        },
        options?: Options<'dryRun' | 'idempotencyKey' | 'ifMatch' | 'reason'>,
      ): Promise<Answer<never>> {
        return client.call<never>(operations['authentication-policy.delete-by-post'], {
          ...options,
          path: { id },
          query,
        });
      },

      /**
       * Delete Authentication policy records, all or none.
       * Answers the record as it would be with `dryRun`, and no results without.
       * May be refused as forbidden, not-found, in-use, protected, stale, rejected.
       */
      deleteMany(
        body: IdList,
        query?: {
          /** Refuse the write with 409 if more live connections than this would change. */
          maxImpact?: number;
          /** With `dryRun`: number of connections to skip. */
          start?: number;
          /** With `dryRun`: maximum number of connections to return. Default: 100. */
          count?: number;
        },
        options?: Options<'dryRun' | 'idempotencyKey' | 'reason'>,
      ): Promise<Answer<never>> {
        return client.call<never>(operations['authentication-policy.delete-many'], { ...options, body, query });
      },

      /**
       * Enable an Authentication policy.
       * Answers the record as it would be with `dryRun`, and no results without.
       * May be refused as forbidden, not-found, protected, rejected.
       */
      enable(
        id: number,
        query?: {
          /** Refuse the write with 409 if more live connections than this would change. */
          maxImpact?: number;
          /** With `dryRun`: number of connections to skip. */
          start?: number;
          /** With `dryRun`: maximum number of connections to return. Default: 100. */
          count?: number;
        },
        options?: Options<'dryRun' | 'idempotencyKey' | 'reason'>,
      ): Promise<Answer<never>> {
        return client.call<never>(operations['authentication-policy.enable'], { ...options, path: { id }, query });
      },

      /**
       * Disable an Authentication policy.
       * Answers the record as it would be with `dryRun`, and no results without.
       * May be refused as forbidden, not-found, protected, rejected.
       */
      disable(
        id: number,
        query?: {
          /** Refuse the write with 409 if more live connections than this would change. */
          maxImpact?: number;
          /** With `dryRun`: number of connections to skip. */
          start?: number;
          /** With `dryRun`: maximum number of connections to return. Default: 100. */
          count?: number;
        },
        options?: Options<'dryRun' | 'idempotencyKey' | 'reason'>,
      ): Promise<Answer<never>> {
        return client.call<never>(operations['authentication-policy.disable'], { ...options, path: { id }, query });
      },

      /**
       * Enable Authentication policy records, all or none.
       * Answers the record as it would be with `dryRun`, and no results without.
       * May be refused as forbidden, not-found, protected, rejected.
       */
      enableMany(
        body: IdList,
        query?: {
          /** Refuse the write with 409 if more live connections than this would change. */
          maxImpact?: number;
          /** With `dryRun`: number of connections to skip. */
          start?: number;
          /** With `dryRun`: maximum number of connections to return. Default: 100. */
          count?: number;
        },
        options?: Options<'dryRun' | 'idempotencyKey' | 'reason'>,
      ): Promise<Answer<never>> {
        return client.call<never>(operations['authentication-policy.enable-many'], { ...options, body, query });
      },

      /**
       * Disable Authentication policy records, all or none.
       * Answers the record as it would be with `dryRun`, and no results without.
       * May be refused as forbidden, not-found, protected, rejected.
       */
      disableMany(
        body: IdList,
        query?: {
          /** Refuse the write with 409 if more live connections than this would change. */
          maxImpact?: number;
          /** With `dryRun`: number of connections to skip. */
          start?: number;
          /** With `dryRun`: maximum number of connections to return. Default: 100. */
          count?: number;
        },
        options?: Options<'dryRun' | 'idempotencyKey' | 'reason'>,
      ): Promise<Answer<never>> {
        return client.call<never>(operations['authentication-policy.disable-many'], { ...options, body, query });
      },

      /**
       * Move an Authentication policy to a rank.
       * Answers the record as it would be with `dryRun`, and no results without.
       * May be refused as forbidden, not-found, protected, rejected.
       */
      rankSet(
        body: RankSet,
        query?: {
          /** Refuse the write with 409 if more live connections than this would change. */
          maxImpact?: number;
          /** With `dryRun`: number of connections to skip. */
          start?: number;
          /** With `dryRun`: maximum number of connections to return. Default: 100. */
          count?: number;
        },
        options?: Options<'dryRun' | 'idempotencyKey' | 'reason'>,
      ): Promise<Answer<never>> {
        return client.call<never>(operations['authentication-policy.rank-set'], { ...options, body, query });
      },

      /**
       * Swap the ranks of two Authentication policy records.
       * Answers the record as it would be with `dryRun`, and no results without.
       * May be refused as forbidden, not-found, protected, rejected.
       */
      rankSwap(
        body: RankSwap,
        query?: {
          /** Refuse the write with 409 if more live connections than this would change. */
          maxImpact?: number;
          /** With `dryRun`: number of connections to skip. */
          start?: number;
          /** With `dryRun`: maximum number of connections to return. Default: 100. */
          count?: number;
        },
        options?: Options<'dryRun' | 'idempotencyKey' | 'reason'>,
      ): Promise<Answer<never>> {
        return client.call<never>(operations['authentication-policy.rank-swap'], { ...options, body, query });
      },
    },

    logicalNetwork: {
      /**
       * List Logical network records that match a filter.
       * May be refused as forbidden, too-expensive.
       */
      list(query?: ListQuery, options?: Options): Promise<Answer<LogicalNetwork>> {
        return client.call<LogicalNetwork>(operations['logical-network.list'], { ...options, query });
      },

      /** List Logical network records that match a filter: all of them, page after page; `count` is the size of a page. */
      walk(query?: ListQuery, options?: Options): AsyncGenerator<LogicalNetwork, void, undefined> {
        return client.walk<LogicalNetwork>(operations['logical-network.list'], { ...options, query });
      },

      /**
       * Create a Logical network, or update the one with the given identity.
       * Answers the record as it would be with `dryRun`, and no results without.
       * May be refused as forbidden, not-found, duplicate, protected, stale, rejected.
       */
      create(
        body: LogicalNetworkInput,
        query?: {
          /** Refuse the write with 409 if more live connections than this would change. */
          maxImpact?: number;
          /** With `dryRun`: number of connections to skip. */
          start?: number;
          /** With `dryRun`: maximum number of connections to return. Default: 100. */
          count?: number;
        },
        options?: Options<'dryRun' | 'idempotencyKey' | 'ifMatch' | 'reason'>,
      ): Promise<Answer<never>> {
        return client.call<never>(operations['logical-network.create'], { ...options, body, query });
      },

      /**
       * Fetch one Logical network.
       * May be refused as forbidden, not-found.
       */
      fetch(id: number, query?: Pick<ListQuery, 'fields'>, options?: Options): Promise<AnswerOfOne<LogicalNetwork>> {
        return client.one<LogicalNetwork>(operations['logical-network.fetch'], { ...options, path: { id }, query });
      },

      /**
       * Update a Logical network; absent fields keep their value.
       * Answers the record as it would be with `dryRun`, and no results without.
       * May be refused as forbidden, not-found, duplicate, protected, stale, rejected.
       */
      update(
        id: number,
        body: LogicalNetworkInput,
        query?: {
          /** Refuse the write with 409 if more live connections than this would change. */
          maxImpact?: number;
          /** With `dryRun`: number of connections to skip. */
          start?: number;
          /** With `dryRun`: maximum number of connections to return. Default: 100. */
          count?: number;
        },
        options?: Options<'dryRun' | 'idempotencyKey' | 'ifMatch' | 'reason'>,
      ): Promise<Answer<never>> {
        return client.call<never>(operations['logical-network.update'], { ...options, path: { id }, body, query });
      },

      /**
       * Delete a Logical network.
       * Answers the record as it would be with `dryRun`, and no results without.
       * May be refused as forbidden, not-found, in-use, protected, stale, rejected.
       */
      deleteOne(
        id: number,
        query?: {
          /** Refuse the write with 409 if more live connections than this would change. */
          maxImpact?: number;
          /** With `dryRun`: number of connections to skip. */
          start?: number;
          /** With `dryRun`: maximum number of connections to return. Default: 100. */
          count?: number;
        },
        options?: Options<'dryRun' | 'ifMatch' | 'reason'>,
      ): Promise<Answer<never>> {
        return client.call<never>(operations['logical-network.delete-one'], { ...options, path: { id }, query });
      },

      /**
       * List what refers to a Logical network.
       * May be refused as forbidden, not-found.
       */
      usage(id: number, options?: Options): Promise<Answer<UsageEntry>> {
        return client.call<UsageEntry>(operations['logical-network.usage'], { ...options, path: { id } });
      },

      /**
       * Delete a Logical network.
       * Answers the record as it would be with `dryRun`, and no results without.
       * May be refused as forbidden, not-found, in-use, protected, stale, rejected.
       */
      deleteByPost(
        id: number,
        query?: {
          /** Refuse the write with 409 if more live connections than this would change. */
          maxImpact?: number;
          /** With `dryRun`: number of connections to skip. */
          start?: number;
          /** With `dryRun`: maximum number of connections to return. Default: 100. */
          count?: number;
        },
        options?: Options<'dryRun' | 'idempotencyKey' | 'ifMatch' | 'reason'>,
      ): Promise<Answer<never>> {
        return client.call<never>(operations['logical-network.delete-by-post'], { ...options, path: { id }, query });
      },

      /**
       * Delete Logical network records, all or none.
       * Answers the record as it would be with `dryRun`, and no results without.
       * May be refused as forbidden, not-found, in-use, protected, stale, rejected.
       */
      deleteMany(
        body: IdList,
        query?: {
          /** Refuse the write with 409 if more live connections than this would change. */
          maxImpact?: number;
          /** With `dryRun`: number of connections to skip. */
          start?: number;
          /** With `dryRun`: maximum number of connections to return. Default: 100. */
          count?: number;
        },
        options?: Options<'dryRun' | 'idempotencyKey' | 'reason'>,
      ): Promise<Answer<never>> {
        return client.call<never>(operations['logical-network.delete-many'], { ...options, body, query });
      },

      /**
       * Add missing predefined networks and their configurations.
       * May be refused as forbidden, duplicate, rejected.
       */
      addPredefinedNetworkAccess(
        body?: PredefinedNetworkAccess,
        options?: Options<'dryRun' | 'idempotencyKey' | 'reason'>,
      ): Promise<Answer<AddedNetworkAccess>> {
        return client.call<AddedNetworkAccess>(operations['logical-network.add-predefined-network-access'], {
          ...options,
          body,
        });
      },
    },

    logicalNetworkConfiguration: {
      /**
       * List Logical network configuration records that match a filter.
       * May be refused as forbidden, too-expensive.
       */
      list(query?: ListQuery, options?: Options): Promise<Answer<LogicalNetworkConfiguration>> {
        return client.call<LogicalNetworkConfiguration>(operations['logical-network-configuration.list'], {
          ...options,
          query,
        });
      },

      /** List Logical network configuration records that match a filter: all of them, page after page; `count` is the size of a page. */
      walk(query?: ListQuery, options?: Options): AsyncGenerator<LogicalNetworkConfiguration, void, undefined> {
        return client.walk<LogicalNetworkConfiguration>(operations['logical-network-configuration.list'], {
          ...options,
          query,
        });
      },

      /**
       * Create a Logical network configuration, or update the one with the given identity.
       * Answers the record as it would be with `dryRun`, and no results without.
       * May be refused as forbidden, not-found, duplicate, protected, stale, rejected.
       */
      create(
        body: LogicalNetworkConfigurationInput,
        query?: {
          /** Refuse the write with 409 if more live connections than this would change. */
          maxImpact?: number;
          /** With `dryRun`: number of connections to skip. */
          start?: number;
          /** With `dryRun`: maximum number of connections to return. Default: 100. */
          count?: number;
        },
        options?: Options<'dryRun' | 'idempotencyKey' | 'ifMatch' | 'reason'>,
      ): Promise<Answer<never>> {
        return client.call<never>(operations['logical-network-configuration.create'], { ...options, body, query });
      },

      /**
       * Fetch one Logical network configuration.
       * May be refused as forbidden, not-found.
       */
      fetch(
        id: number,
        query?: Pick<ListQuery, 'fields'>,
        options?: Options,
      ): Promise<AnswerOfOne<LogicalNetworkConfiguration>> {
        return client.one<LogicalNetworkConfiguration>(operations['logical-network-configuration.fetch'], {
          ...options,
          path: { id },
          query,
        });
      },

      /**
       * Update a Logical network configuration; absent fields keep their value.
       * Answers the record as it would be with `dryRun`, and no results without.
       * May be refused as forbidden, not-found, duplicate, protected, stale, rejected.
       */
      update(
        id: number,
        body: LogicalNetworkConfigurationInput,
        query?: {
          /** Refuse the write with 409 if more live connections than this would change. */
          maxImpact?: number;
          /** With `dryRun`: number of connections to skip. */
          start?: number;
          /** With `dryRun`: maximum number of connections to return. Default: 100. */
          count?: number;
        },
        options?: Options<'dryRun' | 'idempotencyKey' | 'ifMatch' | 'reason'>,
      ): Promise<Answer<never>> {
        return client.call<never>(operations['logical-network-configuration.update'], {
          ...options,
          path: { id },
          body,
          query,
        });
      },

      /**
       * Delete a Logical network configuration.
       * Answers the record as it would be with `dryRun`, and no results without.
       * May be refused as forbidden, not-found, in-use, protected, stale, rejected.
       */
      deleteOne(
        id: number,
        query?: {
          /** Refuse the write with 409 if more live connections than this would change. */
          maxImpact?: number;
          /** With `dryRun`: number of connections to skip. */
          start?: number;
          /** With `dryRun`: maximum number of connections to return. Default: 100. */
          count?: number;
        },
        options?: Options<'dryRun' | 'ifMatch' | 'reason'>,
      ): Promise<Answer<never>> {
        return client.call<never>(operations['logical-network-configuration.delete-one'], {
          ...options,
          path: { id },
          query,
        });
      },

      /**
       * List what refers to a Logical network configuration.
       * May be refused as forbidden, not-found.
       */
      usage(id: number, options?: Options): Promise<Answer<UsageEntry>> {
        return client.call<UsageEntry>(operations['logical-network-configuration.usage'], { ...options, path: { id } });
      },

      /**
       * Delete a Logical network configuration.
       * Answers the record as it would be with `dryRun`, and no results without.
       * May be refused as forbidden, not-found, in-use, protected, stale, rejected.
       */
      deleteByPost(
        id: number,
        query?: {
          /** Refuse the write with 409 if more live connections than this would change. */
          maxImpact?: number;
          /** With `dryRun`: number of connections to skip. */
          start?: number;
          /** With `dryRun`: maximum number of connections to return. Default: 100. */
          count?: number;
        },
        options?: Options<'dryRun' | 'idempotencyKey' | 'ifMatch' | 'reason'>,
      ): Promise<Answer<never>> {
        return client.call<never>(operations['logical-network-configuration.delete-by-post'], {
          ...options,
          path: { id },
          query,
        });
      },

      /**
       * Delete Logical network configuration records, all or none.
       * Answers the record as it would be with `dryRun`, and no results without.
       * May be refused as forbidden, not-found, in-use, protected, stale, rejected.
       */
      deleteMany(
        body: IdList,
        query?: {
          /** Refuse the write with 409 if more live connections than this would change. */
          maxImpact?: number;
          /** With `dryRun`: number of connections to skip. */
          start?: number;
          /** With `dryRun`: maximum number of connections to return. Default: 100. */
          count?: number;
        },
        options?: Options<'dryRun' | 'idempotencyKey' | 'reason'>,
      ): Promise<Answer<never>> {
        return client.call<never>(operations['logical-network-configuration.delete-many'], { ...options, body, query });
      },

      /**
       * Show the values of logical networks on elements.
       * May be refused as forbidden, not-found.
       */
      elementProperties(
        query?: {
          /** Type of the elements. */
          elementType?: 'CONTAINER' | 'DEVICE' | 'SSID' | 'PORT';
          /** Id of an element. */
          elementID?: readonly number[];
          /** Id of a device; the same as elementType DEVICE and elementID. */
          deviceID?: readonly number[];
        },
        options?: Options,
      ): Promise<Answer<ElementProperties>> {
        return client.call<ElementProperties>(operations['logical-network-configuration.element-properties'], {
          ...options,
          query,
        });
      },

      /**
       * Set values on many elements and keep their other values.
       * Answers the record as it would be with `dryRun`, and no results without.
       * May be refused as forbidden, protected, rejected.
       */
      mergeElementProperties(
        body: NetworkValuesOfElements,
        query?: {
          /** Refuse the write with 409 if more live connections than this would change. */
          maxImpact?: number;
          /** With `dryRun`: number of connections to skip. */
          start?: number;
          /** With `dryRun`: maximum number of connections to return. Default: 100. */
          count?: number;
        },
        options?: Options<'dryRun' | 'idempotencyKey' | 'reason'>,
      ): Promise<Answer<never>> {
        return client.call<never>(operations['logical-network-configuration.merge-element-properties'], {
          ...options,
          body,
          query,
        });
      },

      /**
       * Replace the values of a device and its included SSIDs, ports.
       * Answers the record as it would be with `dryRun`, and no results without.
       * May be refused as forbidden, not-found, protected, rejected.
       */
      replaceElementProperties(
        deviceID: number,
        body: DeviceNetworkValues,
        query?: {
          /** Refuse the write with 409 if more live connections than this would change. */
          maxImpact?: number;
          /** With `dryRun`: number of connections to skip. */
          start?: number;
          /** With `dryRun`: maximum number of connections to return. Default: 100. */
          count?: number;
        },
        options?: Options<'dryRun' | 'idempotencyKey' | 'reason'>,
      ): Promise<Answer<never>> {
        return client.call<never>(operations['logical-network-configuration.replace-element-properties'], {
          ...options,
          path: { deviceID },
          body,
          query,
        });
      },

      /**
       * Show the RADIUS reply for a logical network on a device.
       * May be refused as forbidden, not-found, rejected.
       */
      radius(
        query: {
          /** The logical network. */
          logicalNetworkID: number;
          /** The device that sends the request. */
          deviceID: number;
          /** A port of the device. */
          portID?: number;
          /** Name of a wireless network of the device. */
          ssid?: string;
          /** MAC address of the host. Written as a MAC address in any notation; empty for none. */
          mac?: string;
          /** Name of the user. */
          userName?: string;
        },
        options?: Options,
      ): Promise<Answer<LogicalNetworkReply>> {
        return client.call<LogicalNetworkReply>(operations['logical-network-configuration.radius'], {
          ...options,
          query,
        });
      },

      /**
       * Create or change many values by network and element.
       * Answers the record as it would be with `dryRun`, and no results without.
       * May be refused as forbidden, duplicate, protected, stale, rejected.
       */
      batchUpsert(
        body: LogicalNetworkConfigurationByKeyInput[],
        query?: {
          /** Refuse the write with 409 if more live connections than this would change. */
          maxImpact?: number;
          /** With `dryRun`: number of connections to skip. */
          start?: number;
          /** With `dryRun`: maximum number of connections to return. Default: 100. */
          count?: number;
        },
        options?: Options<'dryRun' | 'idempotencyKey' | 'reason'>,
      ): Promise<Answer<never>> {
        return client.call<never>(operations['logical-network-configuration.batch-upsert'], {
          ...options,
          body,
          query,
        });
      },
    },

    role: {
      /**
       * List Role records that match a filter.
       * May be refused as forbidden, too-expensive.
       */
      list(query?: ListQuery, options?: Options): Promise<Answer<Role>> {
        return client.call<Role>(operations['role.list'], { ...options, query });
      },

      /** List Role records that match a filter: all of them, page after page; `count` is the size of a page. */
      walk(query?: ListQuery, options?: Options): AsyncGenerator<Role, void, undefined> {
        return client.walk<Role>(operations['role.list'], { ...options, query });
      },

      /**
       * Create a Role, or update the one with the given identity.
       * Answers the record as it would be with `dryRun`, and no results without.
       * May be refused as forbidden, not-found, duplicate, protected, stale, rejected.
       */
      create(
        body: RoleInput,
        query?: {
          /** Refuse the write with 409 if more live connections than this would change. */
          maxImpact?: number;
          /** With `dryRun`: number of connections to skip. */
          start?: number;
          /** With `dryRun`: maximum number of connections to return. Default: 100. */
          count?: number;
        },
        options?: Options<'dryRun' | 'idempotencyKey' | 'ifMatch' | 'reason'>,
      ): Promise<Answer<never>> {
        return client.call<never>(operations['role.create'], { ...options, body, query });
      },

      /**
       * Fetch one Role.
       * May be refused as forbidden, not-found.
       */
      fetch(id: number, query?: Pick<ListQuery, 'fields'>, options?: Options): Promise<AnswerOfOne<Role>> {
        return client.one<Role>(operations['role.fetch'], { ...options, path: { id }, query });
      },

      /**
       * Update a Role; absent fields keep their value.
       * Answers the record as it would be with `dryRun`, and no results without.
       * May be refused as forbidden, not-found, duplicate, protected, stale, rejected.
       */
      update(
        id: number,
        body: RoleInput,
        query?: {
          /** Refuse the write with 409 if more live connections than this would change. */
          maxImpact?: number;
          /** With `dryRun`: number of connections to skip. */
          start?: number;
          /** With `dryRun`: maximum number of connections to return. Default: 100. */
          count?: number;
        },
        options?: Options<'dryRun' | 'idempotencyKey' | 'ifMatch' | 'reason'>,
      ): Promise<Answer<never>> {
        return client.call<never>(operations['role.update'], { ...options, path: { id }, body, query });
      },

      /**
       * Delete a Role.
       * Answers the record as it would be with `dryRun`, and no results without.
       * May be refused as forbidden, not-found, in-use, protected, stale, rejected.
       */
      deleteOne(
        id: number,
        query?: {
          /** Refuse the write with 409 if more live connections than this would change. */
          maxImpact?: number;
          /** With `dryRun`: number of connections to skip. */
          start?: number;
          /** With `dryRun`: maximum number of connections to return. Default: 100. */
          count?: number;
        },
        options?: Options<'dryRun' | 'ifMatch' | 'reason'>,
      ): Promise<Answer<never>> {
        return client.call<never>(operations['role.delete-one'], { ...options, path: { id }, query });
      },

      /**
       * List what refers to a Role.
       * May be refused as forbidden, not-found.
       */
      usageByPost(id: number, options?: Options): Promise<Answer<UsageEntry>> {
        return client.call<UsageEntry>(operations['role.usage-by-post'], { ...options, path: { id } });
      },

      /**
       * Delete a Role.
       * Answers the record as it would be with `dryRun`, and no results without.
       * May be refused as forbidden, not-found, in-use, protected, stale, rejected.
       */
      deleteByPost(
        id: number,
        query?: {
          /** Refuse the write with 409 if more live connections than this would change. */
          maxImpact?: number;
          /** With `dryRun`: number of connections to skip. */
          start?: number;
          /** With `dryRun`: maximum number of connections to return. Default: 100. */
          count?: number;
        },
        options?: Options<'dryRun' | 'idempotencyKey' | 'ifMatch' | 'reason'>,
      ): Promise<Answer<never>> {
        return client.call<never>(operations['role.delete-by-post'], { ...options, path: { id }, query });
      },

      /**
       * Delete Role records, all or none.
       * Answers the record as it would be with `dryRun`, and no results without.
       * May be refused as forbidden, not-found, in-use, protected, stale, rejected.
       */
      deleteMany(
        body: IdList,
        query?: {
          /** Refuse the write with 409 if more live connections than this would change. */
          maxImpact?: number;
          /** With `dryRun`: number of connections to skip. */
          start?: number;
          /** With `dryRun`: maximum number of connections to return. Default: 100. */
          count?: number;
        },
        options?: Options<'dryRun' | 'idempotencyKey' | 'reason'>,
      ): Promise<Answer<never>> {
        return client.call<never>(operations['role.delete-many'], { ...options, body, query });
      },

      /**
       * Move a Role to a rank.
       * Answers the record as it would be with `dryRun`, and no results without.
       * May be refused as forbidden, not-found, protected, rejected.
       */
      rankSet(
        body: RankSet,
        query?: {
          /** Refuse the write with 409 if more live connections than this would change. */
          maxImpact?: number;
          /** With `dryRun`: number of connections to skip. */
          start?: number;
          /** With `dryRun`: maximum number of connections to return. Default: 100. */
          count?: number;
        },
        options?: Options<'dryRun' | 'idempotencyKey' | 'reason'>,
      ): Promise<Answer<never>> {
        return client.call<never>(operations['role.rank-set'], { ...options, body, query });
      },

      /**
       * Swap the ranks of two Role records.
       * Answers the record as it would be with `dryRun`, and no results without.
       * May be refused as forbidden, not-found, protected, rejected.
       */
      rankSwap(
        body: RankSwap,
        query?: {
          /** Refuse the write with 409 if more live connections than this would change. */
          maxImpact?: number;
          /** With `dryRun`: number of connections to skip. */
          start?: number;
          /** With `dryRun`: maximum number of connections to return. Default: 100. */
          count?: number;
        },
        options?: Options<'dryRun' | 'idempotencyKey' | 'reason'>,
      ): Promise<Answer<never>> {
        return client.call<never>(operations['role.rank-swap'], { ...options, body, query });
      },

      /**
       * List the ids and names of the roles, by rank.
       * May be refused as forbidden.
       */
      simple(options?: Options): Promise<Answer<SimpleRole>> {
        return client.call<SimpleRole>(operations['role.simple'], options);
      },

      /**
       * Return the choices for a role form, with usage counts.
       * May be refused as forbidden.
       */
      supportingInfo(options?: Options): Promise<Answer<RoleSupportingInfo>> {
        return client.call<RoleSupportingInfo>(operations['role.supporting-info'], options);
      },
    },

    roleMapping: {
      /**
       * List Role mapping records that match a filter.
       * May be refused as forbidden, too-expensive.
       */
      list(query?: ListQuery, options?: Options): Promise<Answer<RoleMapping>> {
        return client.call<RoleMapping>(operations['role-mapping.list'], { ...options, query });
      },

      /** List Role mapping records that match a filter: all of them, page after page; `count` is the size of a page. */
      walk(query?: ListQuery, options?: Options): AsyncGenerator<RoleMapping, void, undefined> {
        return client.walk<RoleMapping>(operations['role-mapping.list'], { ...options, query });
      },

      /**
       * Create a Role mapping, or update the one with the given identity.
       * Answers the record as it would be with `dryRun`, and no results without.
       * May be refused as forbidden, not-found, duplicate, protected, stale, rejected.
       */
      create(
        body: RoleMappingInput,
        query?: {
          /** Refuse the write with 409 if more live connections than this would change. */
          maxImpact?: number;
          /** With `dryRun`: number of connections to skip. */
          start?: number;
          /** With `dryRun`: maximum number of connections to return. Default: 100. */
          count?: number;
        },
        options?: Options<'dryRun' | 'idempotencyKey' | 'ifMatch' | 'reason'>,
      ): Promise<Answer<never>> {
        return client.call<never>(operations['role-mapping.create'], { ...options, body, query });
      },

      /**
       * Fetch one Role mapping.
       * May be refused as forbidden, not-found.
       */
      fetch(id: number, query?: Pick<ListQuery, 'fields'>, options?: Options): Promise<AnswerOfOne<RoleMapping>> {
        return client.one<RoleMapping>(operations['role-mapping.fetch'], { ...options, path: { id }, query });
      },

      /**
       * Update a Role mapping; absent fields keep their value.
       * Answers the record as it would be with `dryRun`, and no results without.
       * May be refused as forbidden, not-found, duplicate, protected, stale, rejected.
       */
      update(
        id: number,
        body: RoleMappingInput,
        query?: {
          /** Refuse the write with 409 if more live connections than this would change. */
          maxImpact?: number;
          /** With `dryRun`: number of connections to skip. */
          start?: number;
          /** With `dryRun`: maximum number of connections to return. Default: 100. */
          count?: number;
        },
        options?: Options<'dryRun' | 'idempotencyKey' | 'ifMatch' | 'reason'>,
      ): Promise<Answer<never>> {
        return client.call<never>(operations['role-mapping.update'], { ...options, path: { id }, body, query });
      },

      /**
       * Delete a Role mapping.
       * Answers the record as it would be with `dryRun`, and no results without.
       * May be refused as forbidden, not-found, in-use, protected, stale, rejected.
       */
      deleteOne(
        id: number,
        query?: {
          /** Refuse the write with 409 if more live connections than this would change. */
          maxImpact?: number;
          /** With `dryRun`: number of connections to skip. */
          start?: number;
          /** With `dryRun`: maximum number of connections to return. Default: 100. */
          count?: number;
        },
        options?: Options<'dryRun' | 'ifMatch' | 'reason'>,
      ): Promise<Answer<never>> {
        return client.call<never>(operations['role-mapping.delete-one'], { ...options, path: { id }, query });
      },

      /**
       * List what refers to a Role mapping.
       * May be refused as forbidden, not-found.
       */
      usage(id: number, options?: Options): Promise<Answer<UsageEntry>> {
        return client.call<UsageEntry>(operations['role-mapping.usage'], { ...options, path: { id } });
      },

      /**
       * Delete a Role mapping.
       * Answers the record as it would be with `dryRun`, and no results without.
       * May be refused as forbidden, not-found, in-use, protected, stale, rejected.
       */
      deleteByPost(
        id: number,
        query?: {
          /** Refuse the write with 409 if more live connections than this would change. */
          maxImpact?: number;
          /** With `dryRun`: number of connections to skip. */
          start?: number;
          /** With `dryRun`: maximum number of connections to return. Default: 100. */
          count?: number;
        },
        options?: Options<'dryRun' | 'idempotencyKey' | 'ifMatch' | 'reason'>,
      ): Promise<Answer<never>> {
        return client.call<never>(operations['role-mapping.delete-by-post'], { ...options, path: { id }, query });
      },

      /**
       * Delete Role mapping records, all or none.
       * Answers the record as it would be with `dryRun`, and no results without.
       * May be refused as forbidden, not-found, in-use, protected, stale, rejected.
       */
      deleteMany(
        body: IdList,
        query?: {
          /** Refuse the write with 409 if more live connections than this would change. */
          maxImpact?: number;
          /** With `dryRun`: number of connections to skip. */
          start?: number;
          /** With `dryRun`: maximum number of connections to return. Default: 100. */
          count?: number;
        },
        options?: Options<'dryRun' | 'idempotencyKey' | 'reason'>,
      ): Promise<Answer<never>> {
        return client.call<never>(operations['role-mapping.delete-many'], { ...options, body, query });
      },

      /**
       * Move a Role mapping to a rank.
       * Answers the record as it would be with `dryRun`, and no results without.
       * May be refused as forbidden, not-found, protected, rejected.
       */
      rankSet(
        body: RankSet,
        query?: {
          /** Refuse the write with 409 if more live connections than this would change. */
          maxImpact?: number;
          /** With `dryRun`: number of connections to skip. */
          start?: number;
          /** With `dryRun`: maximum number of connections to return. Default: 100. */
          count?: number;
        },
        options?: Options<'dryRun' | 'idempotencyKey' | 'reason'>,
      ): Promise<Answer<never>> {
        return client.call<never>(operations['role-mapping.rank-set'], { ...options, body, query });
      },

      /**
       * Swap the ranks of two Role mapping records.
       * Answers the record as it would be with `dryRun`, and no results without.
       * May be refused as forbidden, not-found, protected, rejected.
       */
      rankSwap(
        body: RankSwap,
        query?: {
          /** Refuse the write with 409 if more live connections than this would change. */
          maxImpact?: number;
          /** With `dryRun`: number of connections to skip. */
          start?: number;
          /** With `dryRun`: maximum number of connections to return. Default: 100. */
          count?: number;
        },
        options?: Options<'dryRun' | 'idempotencyKey' | 'reason'>,
      ): Promise<Answer<never>> {
        return client.call<never>(operations['role-mapping.rank-swap'], { ...options, body, query });
      },

      /**
       * Return the choices for a role mapping form.
       * May be refused as forbidden.
       */
      supportingInfo(options?: Options): Promise<Answer<RoleMappingSupportingInfo>> {
        return client.call<RoleMappingSupportingInfo>(operations['role-mapping.supporting-info'], options);
      },

      /**
       * List the connected hosts that role mappings decide.
       * May be refused as forbidden, not-found.
       */
      membership(
        query?: {
          /** Id of one role mapping. Absent: all. */
          id?: number;
        },
        options?: Options,
      ): Promise<Answer<RoleMappingMember>> {
        return client.call<RoleMappingMember>(operations['role-mapping.membership'], { ...options, query });
      },

      /**
       * List the VLANs of devices and the direct values in use.
       * May be refused as forbidden.
       */
      directConfiguration(
        query?: {
          /** A device. All devices if none of the three parameters is given. */
          deviceID?: number;
          /** Devices of a group, including nested groups. */
          deviceGroupID?: number;
          /** Devices in a container or beneath it. */
          containerID?: number;
        },
        options?: Options,
      ): Promise<Answer<DirectValue>> {
        return client.call<DirectValue>(operations['role-mapping.direct-configuration'], { ...options, query });
      },
    },

    auditRecord: {
      /**
       * List Audit record records that match a filter.
       * May be refused as forbidden, too-expensive.
       */
      list(query?: ListQuery, options?: Options): Promise<Answer<AuditRecord>> {
        return client.call<AuditRecord>(operations['audit-record.list'], { ...options, query });
      },

      /** List Audit record records that match a filter: all of them, page after page; `count` is the size of a page. */
      walk(query?: ListQuery, options?: Options): AsyncGenerator<AuditRecord, void, undefined> {
        return client.walk<AuditRecord>(operations['audit-record.list'], { ...options, query });
      },

      /**
       * Count Audit record records that match a filter.
       * May be refused as forbidden, too-expensive.
       */
      count(query?: Pick<ListQuery, 'filter'>, options?: Options): Promise<Answer<never>> {
        return client.call<never>(operations['audit-record.count'], { ...options, query });
      },
    },

    event: {
      /**
       * List Event records that match a filter.
       * May be refused as forbidden, too-expensive.
       */
      list(query?: ListQuery, options?: Options): Promise<Answer<Event>> {
        return client.call<Event>(operations['event.list'], { ...options, query });
      },

      /** List Event records that match a filter: all of them, page after page; `count` is the size of a page. */
      walk(query?: ListQuery, options?: Options): AsyncGenerator<Event, void, undefined> {
        return client.walk<Event>(operations['event.list'], { ...options, query });
      },

      /**
       * Log an event from outside; a type EXT_… is registered when it is first used.
       * Answers the record as it would be with `dryRun`, and no results without.
       * May be refused as forbidden, rejected.
       */
      create(body: PostedEvent, options?: Options<'dryRun' | 'idempotencyKey' | 'reason'>): Promise<Answer<Event>> {
        return client.call<Event>(operations['event.create'], { ...options, body });
      },

      /**
       * Fetch one Event.
       * May be refused as forbidden, not-found.
       */
      fetch(id: number, query?: Pick<ListQuery, 'fields'>, options?: Options): Promise<AnswerOfOne<Event>> {
        return client.one<Event>(operations['event.fetch'], { ...options, path: { id }, query });
      },

      /**
       * Delete an Event.
       * May be refused as forbidden, not-found, in-use, protected, stale, rejected.
       */
      deleteOne(id: number, options?: Options<'dryRun' | 'ifMatch' | 'reason'>): Promise<Answer<never>> {
        return client.call<never>(operations['event.delete-one'], { ...options, path: { id } });
      },

      /**
       * Add notes to an event; no other field can be changed.
       * Answers the record as it would be with `dryRun`, and no results without.
       * May be refused as forbidden, not-found, protected, rejected.
       */
      update(
        id: number,
        body: EventInput,
        options?: Options<'dryRun' | 'idempotencyKey' | 'reason'>,
      ): Promise<Answer<Event>> {
        return client.call<Event>(operations['event.update'], { ...options, path: { id }, body });
      },

      /**
       * Count Event records that match a filter.
       * May be refused as forbidden, too-expensive.
       */
      count(query?: Pick<ListQuery, 'filter'>, options?: Options): Promise<Answer<never>> {
        return client.call<never>(operations['event.count'], { ...options, query });
      },

      /**
       * Count all Event records.
       * May be refused as forbidden, too-expensive.
       */
      countAll(options?: Options): Promise<Answer<never>> {
        return client.call<never>(operations['event.count-all'], options);
      },

      /**
       * Delete an Event.
       * May be refused as forbidden, not-found, in-use, protected, stale, rejected.
       */
      deleteByPost(
        id: number,
        options?: Options<'dryRun' | 'idempotencyKey' | 'ifMatch' | 'reason'>,
      ): Promise<Answer<never>> {
        return client.call<never>(operations['event.delete-by-post'], { ...options, path: { id } });
      },

      /**
       * Delete Event records, all or none.
       * May be refused as forbidden, not-found, in-use, protected, stale, rejected.
       */
      deleteMany(body: IdList, options?: Options<'dryRun' | 'idempotencyKey' | 'reason'>): Promise<Answer<never>> {
        return client.call<never>(operations['event.delete-many'], { ...options, body });
      },

      /**
       * Start to follow new Event records.
       * May be refused as forbidden, duplicate, rejected.
       */
      monitorStart(
        body?: MonitorStart,
        options?: Options<'dryRun' | 'idempotencyKey' | 'reason'>,
      ): Promise<Answer<MonitorStarted>> {
        return client.call<MonitorStarted>(operations['event.monitor-start'], { ...options, body });
      },

      /**
       * Read the next changes of a monitor.
       * May be refused as forbidden, not-found, gone.
       */
      monitorPoll(
        id: number,
        query?: {
          /** Position of the last entry that was processed. */
          position?: string;
        },
        options?: Options,
      ): Promise<Answer<never>> {
        return client.call<never>(operations['event.monitor-poll'], { ...options, path: { id }, query });
      },

      /**
       * Stop a monitor.
       * May be refused as forbidden, not-found, gone, rejected.
       */
      monitorStop(id: number, options?: Options<'dryRun' | 'idempotencyKey' | 'reason'>): Promise<Answer<never>> {
        return client.call<never>(operations['event.monitor-stop'], { ...options, path: { id } });
      },

      /**
       * List the archives of Event records, newest first.
       * May be refused as forbidden.
       */
      archiveList(
        query?: {
          /** Log to use. Default: event. */
          log?: 'event' | 'audit_record';
        },
        options?: Options,
      ): Promise<Answer<LogArchive>> {
        return client.call<LogArchive>(operations['event.archive-list'], { ...options, query });
      },

      /**
       * Import archived Event records, from stored or uploaded files.
       * May be refused as forbidden, not-found, rejected.
       */
      archiveImport(
        body: ArchiveImport,
        query?: {
          /** Log to use. Default: event. */
          log?: 'event' | 'audit_record';
        },
        options?: Options<'dryRun' | 'idempotencyKey' | 'reason'>,
      ): Promise<Answer<never>> {
        return client.call<never>(operations['event.archive-import'], { ...options, body, query });
      },

      /**
       * List imports of Event records with their state, newest first.
       * May be refused as forbidden.
       */
      archiveImportStatus(
        query?: {
          /** Log to use. Default: event. */
          log?: 'event' | 'audit_record';
        },
        options?: Options,
      ): Promise<Answer<ImportStatus>> {
        return client.call<ImportStatus>(operations['event.archive-import-status'], { ...options, query });
      },

      /**
       * Add a note to events, or without events log it as an event of its own.
       * May be refused as forbidden, not-found, rejected.
       */
      note(body: EventNoteRequest, options?: Options<'dryRun' | 'idempotencyKey' | 'reason'>): Promise<Answer<never>> {
        return client.call<never>(operations['event.note'], { ...options, body });
      },

      /**
       * List what refers to an event.
       * May be refused as forbidden, not-found.
       */
      usage(id: number, options?: Options): Promise<Answer<UsageEntry>> {
        return client.call<UsageEntry>(operations['event.usage'], { ...options, path: { id } });
      },

      /**
       * Read the values that events can be filtered by, and the event counts of the last 30 days.
       * May be refused as forbidden.
       */
      supportingInfo(options?: Options): Promise<Answer<EventSupportingInfo>> {
        return client.call<EventSupportingInfo>(operations['event.supporting-info'], options);
      },
    },

    eventType: {
      /**
       * List Event type records that match a filter.
       * May be refused as forbidden, too-expensive.
       */
      list(query?: ListQuery, options?: Options): Promise<Answer<EventType>> {
        return client.call<EventType>(operations['event-type.list'], { ...options, query });
      },

      /** List Event type records that match a filter: all of them, page after page; `count` is the size of a page. */
      walk(query?: ListQuery, options?: Options): AsyncGenerator<EventType, void, undefined> {
        return client.walk<EventType>(operations['event-type.list'], { ...options, query });
      },

      /**
       * Count Event type records that match a filter.
       * May be refused as forbidden, too-expensive.
       */
      count(query?: Pick<ListQuery, 'filter'>, options?: Options): Promise<Answer<never>> {
        return client.call<never>(operations['event-type.count'], { ...options, query });
      },

      /**
       * Count all Event type records.
       * May be refused as forbidden, too-expensive.
       */
      countAll(options?: Options): Promise<Answer<never>> {
        return client.call<never>(operations['event-type.count-all'], options);
      },

      /**
       * Count the live events of a type.
       * May be refused as forbidden, not-found, too-expensive.
       */
      countEvents(
        id: number,
        query?: {
          /** Only events from here on. */
          from?: string;
          /** Only events before this. */
          to?: string;
        },
        options?: Options,
      ): Promise<Answer<never>> {
        return client.call<never>(operations['event-type.count-events'], { ...options, path: { id }, query });
      },

      /**
       * Limit event types to the members of a group.
       * May be refused as forbidden, not-found, protected, rejected.
       */
      group(body: EventTypeGroup, options?: Options<'dryRun' | 'idempotencyKey' | 'reason'>): Promise<Answer<never>> {
        return client.call<never>(operations['event-type.group'], { ...options, body });
      },

      /**
       * Set where events of some types are logged; takes effect on every node within a second.
       * May be refused as forbidden, not-found, protected, rejected.
       */
      loggingStrategy(
        body: EventTypeStrategy,
        options?: Options<'dryRun' | 'idempotencyKey' | 'reason'>,
      ): Promise<Answer<never>> {
        return client.call<never>(operations['event-type.logging-strategy'], { ...options, body });
      },

      /**
       * List the self-monitoring thresholds with their current values.
       * May be refused as forbidden.
       */
      listThresholds(options?: Options): Promise<Answer<EventThreshold>> {
        return client.call<EventThreshold>(operations['event-type.list-thresholds'], options);
      },

      /**
       * Change self-monitoring thresholds; absent fields keep their value.
       * May be refused as forbidden, rejected.
       */
      changeThresholds(
        body: EventThresholdChangeInput[],
        options?: Options<'dryRun' | 'idempotencyKey' | 'reason'>,
      ): Promise<Answer<never>> {
        return client.call<never>(operations['event-type.change-thresholds'], { ...options, body });
      },
    },

    adminProfile: {
      /**
       * List Admin profile records that match a filter.
       * May be refused as forbidden, too-expensive.
       */
      list(query?: ListQuery, options?: Options): Promise<Answer<AdminProfile>> {
        return client.call<AdminProfile>(operations['admin-profile.list'], { ...options, query });
      },

      /** List Admin profile records that match a filter: all of them, page after page; `count` is the size of a page. */
      walk(query?: ListQuery, options?: Options): AsyncGenerator<AdminProfile, void, undefined> {
        return client.walk<AdminProfile>(operations['admin-profile.list'], { ...options, query });
      },

      /**
       * Create an Admin profile, or update the one with the given identity.
       * Answers the record as it would be with `dryRun`, and no results without.
       * May be refused as forbidden, not-found, duplicate, protected, stale, rejected.
       */
      create(
        body: AdminProfileInput,
        options?: Options<'dryRun' | 'idempotencyKey' | 'ifMatch' | 'reason'>,
      ): Promise<Answer<AdminProfile>> {
        return client.call<AdminProfile>(operations['admin-profile.create'], { ...options, body });
      },

      /**
       * Fetch one Admin profile.
       * May be refused as forbidden, not-found.
       */
      fetch(id: number, query?: Pick<ListQuery, 'fields'>, options?: Options): Promise<AnswerOfOne<AdminProfile>> {
        return client.one<AdminProfile>(operations['admin-profile.fetch'], { ...options, path: { id }, query });
      },

      /**
       * Update an Admin profile; absent fields keep their value.
       * Answers the record as it would be with `dryRun`, and no results without.
       * May be refused as forbidden, not-found, duplicate, protected, stale, rejected.
       */
      update(
        id: number,
        body: AdminProfileInput,
        options?: Options<'dryRun' | 'idempotencyKey' | 'ifMatch' | 'reason'>,
      ): Promise<Answer<AdminProfile>> {
        return client.call<AdminProfile>(operations['admin-profile.update'], { ...options, path: { id }, body });
      },

      /**
       * Delete an Admin profile.
       * May be refused as forbidden, not-found, in-use, protected, stale, rejected.
       */
      deleteOne(id: number, options?: Options<'dryRun' | 'ifMatch' | 'reason'>): Promise<Answer<never>> {
        return client.call<never>(operations['admin-profile.delete-one'], { ...options, path: { id } });
      },

      /**
       * List what refers to an Admin profile.
       * May be refused as forbidden, not-found.
       */
      usage(id: number, options?: Options): Promise<Answer<UsageEntry>> {
        return client.call<UsageEntry>(operations['admin-profile.usage'], { ...options, path: { id } });
      },

      /**
       * Delete an Admin profile.
       * May be refused as forbidden, not-found, in-use, protected, stale, rejected.
       */
      deleteByPost(
        id: number,
        options?: Options<'dryRun' | 'idempotencyKey' | 'ifMatch' | 'reason'>,
      ): Promise<Answer<never>> {
        return client.call<never>(operations['admin-profile.delete-by-post'], { ...options, path: { id } });
      },

      /**
       * Delete Admin profile records, all or none.
       * May be refused as forbidden, not-found, in-use, protected, stale, rejected.
       */
      deleteMany(body: IdList, options?: Options<'dryRun' | 'idempotencyKey' | 'reason'>): Promise<Answer<never>> {
        return client.call<never>(operations['admin-profile.delete-many'], { ...options, body });
      },

      /**
       * Return a template for a new profile: every permission key without rights, and the defaults.
       * May be refused as forbidden.
       */
      new(options?: Options): Promise<Answer<NewAdminProfile>> {
        return client.call<NewAdminProfile>(operations['admin-profile.new'], options);
      },

      /**
       * Return the pages and API groups of each permission key.
       * May be refused as forbidden.
       */
      permissionViewMap(options?: Options): Promise<Answer<PermissionViewMap>> {
        return client.call<PermissionViewMap>(operations['admin-profile.permission-view-map'], options);
      },
    },

    adminProfileMapping: {
      /**
       * List Admin profile mapping records that match a filter.
       * May be refused as forbidden, too-expensive.
       */
      list(query?: ListQuery, options?: Options): Promise<Answer<AdminProfileMapping>> {
        return client.call<AdminProfileMapping>(operations['admin-profile-mapping.list'], { ...options, query });
      },

      /** List Admin profile mapping records that match a filter: all of them, page after page; `count` is the size of a page. */
      walk(query?: ListQuery, options?: Options): AsyncGenerator<AdminProfileMapping, void, undefined> {
        return client.walk<AdminProfileMapping>(operations['admin-profile-mapping.list'], { ...options, query });
      },

      /**
       * Create an Admin profile mapping, or update the one with the given identity.
       * Answers the record as it would be with `dryRun`, and no results without.
       * May be refused as forbidden, not-found, duplicate, protected, stale, rejected.
       */
      create(
        body: AdminProfileMappingInput,
        options?: Options<'dryRun' | 'idempotencyKey' | 'ifMatch' | 'reason'>,
      ): Promise<Answer<AdminProfileMapping>> {
        return client.call<AdminProfileMapping>(operations['admin-profile-mapping.create'], { ...options, body });
      },

      /**
       * Fetch one Admin profile mapping.
       * May be refused as forbidden, not-found.
       */
      fetch(
        id: number,
        query?: Pick<ListQuery, 'fields'>,
        options?: Options,
      ): Promise<AnswerOfOne<AdminProfileMapping>> {
        return client.one<AdminProfileMapping>(operations['admin-profile-mapping.fetch'], {
          ...options,
          path: { id },
          query,
        });
      },

      /**
       * Update an Admin profile mapping; absent fields keep their value.
       * Answers the record as it would be with `dryRun`, and no results without.
       * May be refused as forbidden, not-found, duplicate, protected, stale, rejected.
       */
      update(
        id: number,
        body: AdminProfileMappingInput,
        options?: Options<'dryRun' | 'idempotencyKey' | 'ifMatch' | 'reason'>,
      ): Promise<Answer<AdminProfileMapping>> {
        return client.call<AdminProfileMapping>(operations['admin-profile-mapping.update'], {
          ...options,
          path: { id },
          body,
        });
      },

      /**
       * Delete an Admin profile mapping.
       * May be refused as forbidden, not-found, in-use, protected, stale, rejected.
       */
      deleteOne(id: number, options?: Options<'dryRun' | 'ifMatch' | 'reason'>): Promise<Answer<never>> {
        return client.call<never>(operations['admin-profile-mapping.delete-one'], { ...options, path: { id } });
      },

      /**
       * Delete Admin profile mapping records, all or none.
       * May be refused as forbidden, not-found, in-use, protected, stale, rejected.
       */
      deleteMany(body: IdList, options?: Options<'dryRun' | 'idempotencyKey' | 'reason'>): Promise<Answer<never>> {
        return client.call<never>(operations['admin-profile-mapping.delete-many'], { ...options, body });
      },

      /**
       * Move an Admin profile mapping to a rank.
       * Answers the record as it would be with `dryRun`, and no results without.
       * May be refused as forbidden, not-found, rejected.
       */
      rankSet(
        body: RankSet,
        options?: Options<'dryRun' | 'idempotencyKey' | 'reason'>,
      ): Promise<Answer<AdminProfileMapping>> {
        return client.call<AdminProfileMapping>(operations['admin-profile-mapping.rank-set'], { ...options, body });
      },

      /**
       * Swap the ranks of two Admin profile mapping records.
       * May be refused as forbidden, not-found, rejected.
       */
      rankSwap(body: RankSwap, options?: Options<'dryRun' | 'idempotencyKey' | 'reason'>): Promise<Answer<never>> {
        return client.call<never>(operations['admin-profile-mapping.rank-swap'], { ...options, body });
      },

      /**
       * List the profiles and groups that a mapping can use.
       * May be refused as forbidden.
       */
      supportingInfo(options?: Options): Promise<Answer<MappingSupport>> {
        return client.call<MappingSupport>(operations['admin-profile-mapping.supporting-info'], options);
      },
    },

    radiusAttributeGroup: {
      /**
       * List RADIUS attribute group records that match a filter.
       * May be refused as forbidden, too-expensive.
       */
      list(query?: ListQuery, options?: Options): Promise<Answer<RadiusAttributeGroup>> {
        return client.call<RadiusAttributeGroup>(operations['radius-attribute-group.list'], { ...options, query });
      },

      /** List RADIUS attribute group records that match a filter: all of them, page after page; `count` is the size of a page. */
      walk(query?: ListQuery, options?: Options): AsyncGenerator<RadiusAttributeGroup, void, undefined> {
        return client.walk<RadiusAttributeGroup>(operations['radius-attribute-group.list'], { ...options, query });
      },

      /**
       * Create a RADIUS attribute group, or update the one with the given identity.
       * Answers the record as it would be with `dryRun`, and no results without.
       * May be refused as forbidden, not-found, duplicate, protected, stale, rejected.
       */
      create(
        body: RadiusAttributeGroupInput,
        options?: Options<'dryRun' | 'idempotencyKey' | 'ifMatch' | 'reason'>,
      ): Promise<Answer<RadiusAttributeGroup>> {
        return client.call<RadiusAttributeGroup>(operations['radius-attribute-group.create'], { ...options, body });
      },

      /**
       * Fetch one RADIUS attribute group.
       * May be refused as forbidden, not-found.
       */
      fetch(
        attrGroupId: number,
        query?: Pick<ListQuery, 'fields'>,
        options?: Options,
      ): Promise<AnswerOfOne<RadiusAttributeGroup>> {
        return client.one<RadiusAttributeGroup>(operations['radius-attribute-group.fetch'], {
          ...options,
          path: { id: attrGroupId },
          query,
        });
      },

      /**
       * Update a RADIUS attribute group; absent fields keep their value.
       * Answers the record as it would be with `dryRun`, and no results without.
       * May be refused as forbidden, not-found, duplicate, protected, stale, rejected.
       */
      update(
        id: number,
        body: RadiusAttributeGroupInput,
        options?: Options<'dryRun' | 'idempotencyKey' | 'ifMatch' | 'reason'>,
      ): Promise<Answer<RadiusAttributeGroup>> {
        return client.call<RadiusAttributeGroup>(operations['radius-attribute-group.update'], {
          ...options,
          path: { id },
          body,
        });
      },

      /**
       * Delete a RADIUS attribute group.
       * May be refused as forbidden, not-found, in-use, protected, stale, rejected.
       */
      deleteOne(id: number, options?: Options<'dryRun' | 'ifMatch' | 'reason'>): Promise<Answer<never>> {
        return client.call<never>(operations['radius-attribute-group.delete-one'], { ...options, path: { id } });
      },

      /**
       * List what refers to a RADIUS attribute group.
       * May be refused as forbidden, not-found.
       */
      usage(attrGroupId: number, options?: Options): Promise<Answer<UsageEntry>> {
        return client.call<UsageEntry>(operations['radius-attribute-group.usage'], {
          ...options,
          path: { attrGroupId },
        });
      },

      /**
       * Delete RADIUS attribute group records, all or none.
       * May be refused as forbidden, not-found, in-use, protected, stale, rejected.
       */
      deleteMany(body: IdList, options?: Options<'dryRun' | 'idempotencyKey' | 'reason'>): Promise<Answer<never>> {
        return client.call<never>(operations['radius-attribute-group.delete-many'], { ...options, body });
      },

      /**
       * List the names of all attribute groups.
       * May be refused as forbidden.
       */
      names(options?: Options): Promise<Answer<RadiusAttributeGroupName>> {
        return client.call<RadiusAttributeGroupName>(operations['radius-attribute-group.names'], options);
      },

      /**
       * Return the attribute group of a name.
       * May be refused as forbidden, not-found.
       */
      byName(groupName: string, options?: Options): Promise<Answer<RadiusAttributeGroup>> {
        return client.call<RadiusAttributeGroup>(operations['radius-attribute-group.by-name'], {
          ...options,
          path: { groupName },
        });
      },

      /**
       * Show what the groups of a device and a logical network send together.
       * May be refused as forbidden, not-found.
       */
      responseValues(
        deviceAttrGrpId: number,
        logicalNetworkAttrGrpId: number,
        query?: {
          /** The value; a VLAN ID also fills the variables of VLANs. */
          accessValue?: string;
          /** Name of the VLAN. */
          vlanName?: string;
          /** Role of the host. */
          role?: string;
          /** MAC address of the host. Written as a MAC address in any notation; empty for none. */
          mac?: string;
          /** Name of the user. */
          userName?: string;
          /** Number of the port in the request. */
          nasPort?: number;
          /** Seconds until the device asks again. */
          sessionTimeout?: number;
          /** Where browsers are sent. */
          redirectUrl?: string;
          /** Identity of the decision. */
          decisionID?: string;
        },
        options?: Options,
      ): Promise<Answer<RadiusResponseValues>> {
        return client.call<RadiusResponseValues>(operations['radius-attribute-group.response-values'], {
          ...options,
          path: { deviceAttrGrpId, logicalNetworkAttrGrpId },
          query,
        });
      },

      /**
       * Show which attribute groups a device is answered with.
       * May be refused as forbidden, not-found.
       */
      modelConfiguration(
        deviceId: number,
        query?: {
          /** A logical network on the device; absent: the device itself. */
          logicalNetwork?: number;
        },
        options?: Options,
      ): Promise<Answer<RadiusAttributeGroupOfDevice>> {
        return client.call<RadiusAttributeGroupOfDevice>(operations['radius-attribute-group.model-configuration'], {
          ...options,
          path: { deviceId },
          query,
        });
      },

      /**
       * Answer a device, or one of its logical networks, without an attribute group of its own.
       * May be refused as forbidden, not-found.
       */
      clearOfDevice(
        deviceId: number,
        query?: {
          /** A logical network on the device; absent: the device itself. */
          logicalNetwork?: number;
        },
        options?: Options<'dryRun' | 'reason'>,
      ): Promise<Answer<never>> {
        return client.call<never>(operations['radius-attribute-group.clear-of-device'], {
          ...options,
          path: { deviceId },
          query,
        });
      },

      /**
       * Answer a device with an attribute group, or one of its logical networks.
       * May be refused as forbidden, not-found, rejected.
       */
      assignToDevice(
        deviceId: number,
        attrGroupId: number,
        body?: RadiusAttributeGroupAssignment,
        options?: Options<'dryRun' | 'idempotencyKey' | 'reason'>,
      ): Promise<Answer<never>> {
        return client.call<never>(operations['radius-attribute-group.assign-to-device'], {
          ...options,
          path: { deviceId, attrGroupId },
          body,
        });
      },
    },

    radiusDictionaryEntry: {
      /**
       * List RADIUS attribute records that match a filter.
       * May be refused as forbidden, too-expensive.
       */
      list(query?: ListQuery, options?: Options): Promise<Answer<RadiusDictionaryEntry>> {
        return client.call<RadiusDictionaryEntry>(operations['radius-dictionary-entry.list'], { ...options, query });
      },

      /** List RADIUS attribute records that match a filter: all of them, page after page; `count` is the size of a page. */
      walk(query?: ListQuery, options?: Options): AsyncGenerator<RadiusDictionaryEntry, void, undefined> {
        return client.walk<RadiusDictionaryEntry>(operations['radius-dictionary-entry.list'], { ...options, query });
      },

      /**
       * Create a RADIUS attribute, or update the one with the given identity.
       * Answers the record as it would be with `dryRun`, and no results without.
       * May be refused as forbidden, not-found, duplicate, protected, stale, rejected.
       */
      create(
        body: RadiusDictionaryEntryInput,
        options?: Options<'dryRun' | 'idempotencyKey' | 'ifMatch' | 'reason'>,
      ): Promise<Answer<RadiusDictionaryEntry>> {
        return client.call<RadiusDictionaryEntry>(operations['radius-dictionary-entry.create'], { ...options, body });
      },

      /**
       * Update a RADIUS attribute; absent fields keep their value.
       * Answers the record as it would be with `dryRun`, and no results without.
       * May be refused as forbidden, not-found, duplicate, protected, stale, rejected.
       */
      update(
        id: number,
        body: RadiusDictionaryEntryInput,
        options?: Options<'dryRun' | 'idempotencyKey' | 'ifMatch' | 'reason'>,
      ): Promise<Answer<RadiusDictionaryEntry>> {
        return client.call<RadiusDictionaryEntry>(operations['radius-dictionary-entry.update'], {
          ...options,
          path: { id },
          body,
        });
      },

      /**
       * Delete a RADIUS attribute.
       * May be refused as forbidden, not-found, in-use, protected, stale, rejected.
       */
      deleteOne(id: number, options?: Options<'dryRun' | 'ifMatch' | 'reason'>): Promise<Answer<never>> {
        return client.call<never>(operations['radius-dictionary-entry.delete-one'], { ...options, path: { id } });
      },

      /**
       * Delete RADIUS attribute records, all or none.
       * May be refused as forbidden, not-found, in-use, protected, stale, rejected.
       */
      deleteMany(body: IdList, options?: Options<'dryRun' | 'idempotencyKey' | 'reason'>): Promise<Answer<never>> {
        return client.call<never>(operations['radius-dictionary-entry.delete-many'], { ...options, body });
      },

      /**
       * Return the attribute of a name.
       * May be refused as forbidden, not-found.
       */
      byName(name: string, options?: Options): Promise<Answer<RadiusDictionaryEntry>> {
        return client.call<RadiusDictionaryEntry>(operations['radius-dictionary-entry.by-name'], {
          ...options,
          path: { name },
        });
      },
    },

    serverConfiguration: {
      /**
       * List RADIUS server configuration records that match a filter.
       * May be refused as forbidden, too-expensive.
       */
      list(query?: ListQuery, options?: Options): Promise<Answer<ServerConfiguration>> {
        return client.call<ServerConfiguration>(operations['server-configuration.list'], { ...options, query });
      },

      /** List RADIUS server configuration records that match a filter: all of them, page after page; `count` is the size of a page. */
      walk(query?: ListQuery, options?: Options): AsyncGenerator<ServerConfiguration, void, undefined> {
        return client.walk<ServerConfiguration>(operations['server-configuration.list'], { ...options, query });
      },

      /**
       * Create a RADIUS server configuration, or update the one with the given identity.
       * Answers the record as it would be with `dryRun`, and no results without.
       * May be refused as forbidden, not-found, duplicate, protected, stale, rejected.
       */
      create(
        body: ServerConfigurationInput,
        options?: Options<'dryRun' | 'idempotencyKey' | 'ifMatch' | 'reason'>,
      ): Promise<Answer<ServerConfiguration>> {
        return client.call<ServerConfiguration>(operations['server-configuration.create'], { ...options, body });
      },

      /**
       * Fetch one RADIUS server configuration.
       * May be refused as forbidden, not-found.
       */
      fetch(
        id: number,
        query?: Pick<ListQuery, 'fields'>,
        options?: Options,
      ): Promise<AnswerOfOne<ServerConfiguration>> {
        return client.one<ServerConfiguration>(operations['server-configuration.fetch'], {
          ...options,
          path: { id },
          query,
        });
      },

      /**
       * Update a RADIUS server configuration; absent fields keep their value.
       * Answers the record as it would be with `dryRun`, and no results without.
       * May be refused as forbidden, not-found, duplicate, protected, stale, rejected.
       */
      update(
        id: number,
        body: ServerConfigurationInput,
        options?: Options<'dryRun' | 'idempotencyKey' | 'ifMatch' | 'reason'>,
      ): Promise<Answer<ServerConfiguration>> {
        return client.call<ServerConfiguration>(operations['server-configuration.update'], {
          ...options,
          path: { id },
          body,
        });
      },

      /**
       * Delete a RADIUS server configuration.
       * May be refused as forbidden, not-found, in-use, protected, stale, rejected.
       */
      deleteOne(id: number, options?: Options<'dryRun' | 'ifMatch' | 'reason'>): Promise<Answer<never>> {
        return client.call<never>(operations['server-configuration.delete-one'], { ...options, path: { id } });
      },

      /**
       * Delete RADIUS server configuration records, all or none.
       * May be refused as forbidden, not-found, in-use, protected, stale, rejected.
       */
      deleteMany(body: IdList, options?: Options<'dryRun' | 'idempotencyKey' | 'reason'>): Promise<Answer<never>> {
        return client.call<never>(operations['server-configuration.delete-many'], { ...options, body });
      },

      /**
       * Enable RADIUS server configuration records, all or none.
       * May be refused as forbidden, not-found, protected, rejected.
       */
      enableMany(body: IdList, options?: Options<'dryRun' | 'idempotencyKey' | 'reason'>): Promise<Answer<never>> {
        return client.call<never>(operations['server-configuration.enable-many'], { ...options, body });
      },

      /**
       * Disable RADIUS server configuration records, all or none.
       * May be refused as forbidden, not-found, protected, rejected.
       */
      disableMany(body: IdList, options?: Options<'dryRun' | 'idempotencyKey' | 'reason'>): Promise<Answer<never>> {
        return client.call<never>(operations['server-configuration.disable-many'], { ...options, body });
      },

      /**
       * List the EAP types whose modules are installed on this node.
       * May be refused as forbidden.
       */
      eapTypes(
        options?: Options,
      ): Promise<Answer<'TLS' | 'TTLS' | 'PEAP' | 'MSCHAPV2' | 'MD5' | 'GTC' | 'FAST' | 'PWD' | 'SIM'>> {
        return client.call<'TLS' | 'TTLS' | 'PEAP' | 'MSCHAPV2' | 'MD5' | 'GTC' | 'FAST' | 'PWD' | 'SIM'>(
          operations['server-configuration.eap-types'],
          options,
        );
      },

      /**
       * Return whether engines are watched.
       * May be refused as forbidden.
       */
      activityStatus(options?: Options): Promise<Answer<boolean>> {
        return client.call<boolean>(operations['server-configuration.activity-status'], options);
      },

      /**
       * Show what runs on the nodes.
       * May be refused as forbidden.
       */
      status(options?: Options): Promise<Answer<RadiusStatus>> {
        return client.call<RadiusStatus>(operations['server-configuration.status'], options);
      },

      /**
       * Show the last lines of what an engine logged, without secrets.
       * May be refused as forbidden, not-found, remote-timeout.
       */
      log(
        query?: {
          /** Default: 1000. */
          lines?: number;
          /** Whose engine; absent: that of the first node by name, if there is one. */
          node?: string;
        },
        options?: Options,
      ): Promise<Answer<RadiusLog>> {
        return client.call<RadiusLog>(operations['server-configuration.log'], { ...options, query });
      },

      /**
       * Have every engine forget a device, so that its next packet is looked up again.
       * May be refused as forbidden, not-found, remote-timeout.
       */
      fixStale(id: number, options?: Options): Promise<Answer<RadiusEviction>> {
        return client.call<RadiusEviction>(operations['server-configuration.fix-stale'], { ...options, path: { id } });
      },
    },

    radiusGlobal: {
      /**
       * Read the RADIUS settings.
       * May be refused as forbidden.
       */
      read(options?: Options): Promise<AnswerOfOne<RadiusGlobal>> {
        return client.one<RadiusGlobal>(operations['radius-global.read'], options);
      },

      /**
       * Change the RADIUS settings; absent fields keep their value.
       * Answers the record as it would be with `dryRun`, and no results without.
       * May be refused as forbidden, stale, rejected.
       */
      write(
        body: RadiusGlobalInput,
        options?: Options<'dryRun' | 'idempotencyKey' | 'ifMatch' | 'reason'>,
      ): Promise<Answer<RadiusGlobal>> {
        return client.call<RadiusGlobal>(operations['radius-global.write'], { ...options, body });
      },
    },

    radiusResponse: {
      /**
       * List RADIUS response records that match a filter.
       * May be refused as forbidden, too-expensive.
       */
      list(
        query?: ListQuery & {
          /** Return the 10 most frequent values of callingStationId, username, nas, message, cause among the matching records instead of the records. Combine it only with filter. */
          totals?: boolean;
        },
        options?: Options,
      ): Promise<Answer<RadiusResponse>> {
        return client.call<RadiusResponse>(operations['radius-response.list'], { ...options, query });
      },

      /** List RADIUS response records that match a filter: all of them, page after page; `count` is the size of a page. */
      walk(
        query?: ListQuery & {
          /** Return the 10 most frequent values of callingStationId, username, nas, message, cause among the matching records instead of the records. Combine it only with filter. */
          totals?: boolean;
        },
        options?: Options,
      ): AsyncGenerator<RadiusResponse, void, undefined> {
        return client.walk<RadiusResponse>(operations['radius-response.list'], { ...options, query });
      },
    },

    backgroundTask: {
      /**
       * List Background task records that match a filter.
       * May be refused as forbidden, too-expensive.
       */
      list(query?: ListQuery, options?: Options): Promise<Answer<BackgroundTask>> {
        return client.call<BackgroundTask>(operations['background-task.list'], { ...options, query });
      },

      /** List Background task records that match a filter: all of them, page after page; `count` is the size of a page. */
      walk(query?: ListQuery, options?: Options): AsyncGenerator<BackgroundTask, void, undefined> {
        return client.walk<BackgroundTask>(operations['background-task.list'], { ...options, query });
      },

      /**
       * Create a Background task, or update the one with the given identity.
       * Answers the record as it would be with `dryRun`, and no results without.
       * May be refused as forbidden, not-found, duplicate, protected, stale, rejected.
       */
      create(
        body: BackgroundTaskInput,
        options?: Options<'dryRun' | 'idempotencyKey' | 'ifMatch' | 'reason'>,
      ): Promise<Answer<BackgroundTask>> {
        return client.call<BackgroundTask>(operations['background-task.create'], { ...options, body });
      },

      /**
       * Fetch one Background task.
       * May be refused as forbidden, not-found.
       */
      fetch(id: number, query?: Pick<ListQuery, 'fields'>, options?: Options): Promise<AnswerOfOne<BackgroundTask>> {
        return client.one<BackgroundTask>(operations['background-task.fetch'], { ...options, path: { id }, query });
      },

      /**
       * Update a Background task; absent fields keep their value.
       * Answers the record as it would be with `dryRun`, and no results without.
       * May be refused as forbidden, not-found, duplicate, protected, stale, rejected.
       */
      update(
        id: number,
        body: BackgroundTaskInput,
        options?: Options<'dryRun' | 'idempotencyKey' | 'ifMatch' | 'reason'>,
      ): Promise<Answer<BackgroundTask>> {
        return client.call<BackgroundTask>(operations['background-task.update'], { ...options, path: { id }, body });
      },

      /**
       * Delete Background task records, all or none.
       * May be refused as forbidden, not-found, in-use, protected, stale, rejected.
       */
      deleteMany(body: IdList, options?: Options<'dryRun' | 'idempotencyKey' | 'reason'>): Promise<Answer<never>> {
        return client.call<never>(operations['background-task.delete-many'], { ...options, body });
      },

      /**
       * List open tasks that you started or that are assigned to you, newest first.
       * May be refused as forbidden.
       */
      currentUser(options?: Options): Promise<Answer<BackgroundTask>> {
        return client.call<BackgroundTask>(operations['background-task.current-user'], options);
      },

      /**
       * Complete a manual task, or acknowledge a failed or cancelled job.
       * Answers the record as it would be with `dryRun`, and no results without.
       * May be refused as forbidden, not-found, rejected.
       */
      complete(
        id: number,
        body?: TaskCompletion,
        options?: Options<'dryRun' | 'idempotencyKey' | 'reason'>,
      ): Promise<Answer<BackgroundTask>> {
        return client.call<BackgroundTask>(operations['background-task.complete'], { ...options, path: { id }, body });
      },
    },

    group: {
      /**
       * List Group records that match a filter.
       * May be refused as forbidden, too-expensive.
       */
      list(query?: ListQuery, options?: Options): Promise<Answer<Group>> {
        return client.call<Group>(operations['group.list'], { ...options, query });
      },

      /** List Group records that match a filter: all of them, page after page; `count` is the size of a page. */
      walk(query?: ListQuery, options?: Options): AsyncGenerator<Group, void, undefined> {
        return client.walk<Group>(operations['group.list'], { ...options, query });
      },

      /**
       * Fetch one Group.
       * May be refused as forbidden, not-found.
       */
      fetch(id: number, query?: Pick<ListQuery, 'fields'>, options?: Options): Promise<AnswerOfOne<Group>> {
        return client.one<Group>(operations['group.fetch'], { ...options, path: { id }, query });
      },

      /**
       * Create a Group, or update the one with the given identity.
       * Answers the record as it would be with `dryRun`, and no results without.
       * May be refused as forbidden, not-found, duplicate, protected, stale, rejected.
       */
      create(
        groupType: 'HOST' | 'ADAPTER' | 'DEVICE' | 'PORT' | 'USER' | 'ADMINISTRATOR',
        body: GroupInput,
        options?: Options<'dryRun' | 'idempotencyKey' | 'ifMatch' | 'reason'>,
      ): Promise<Answer<Group>> {
        return client.call<Group>(operations['group.create'], { ...options, path: { id: groupType }, body });
      },

      /**
       * Delete a Group.
       * May be refused as forbidden, not-found, in-use, protected, stale, rejected.
       */
      deleteOne(id: number, options?: Options<'dryRun' | 'ifMatch' | 'reason'>): Promise<Answer<never>> {
        return client.call<never>(operations['group.delete-one'], { ...options, path: { id } });
      },

      /**
       * Count Group records that match a filter.
       * May be refused as forbidden, too-expensive.
       */
      count(query?: Pick<ListQuery, 'filter'>, options?: Options): Promise<Answer<never>> {
        return client.call<never>(operations['group.count'], { ...options, query });
      },

      /**
       * Count all Group records.
       * May be refused as forbidden, too-expensive.
       */
      countAll(options?: Options): Promise<Answer<never>> {
        return client.call<never>(operations['group.count-all'], options);
      },

      /**
       * List what refers to a Group.
       * May be refused as forbidden, not-found.
       */
      usage(id: number, options?: Options): Promise<Answer<UsageEntry>> {
        return client.call<UsageEntry>(operations['group.usage'], { ...options, path: { id } });
      },

      /**
       * Update a Group; absent fields keep their value.
       * Answers the record as it would be with `dryRun`, and no results without.
       * May be refused as forbidden, not-found, duplicate, protected, stale, rejected.
       */
      update(
        groupType: 'HOST' | 'ADAPTER' | 'DEVICE' | 'PORT' | 'USER' | 'ADMINISTRATOR',
        id: number,
        body: GroupInput,
        options?: Options<'dryRun' | 'idempotencyKey' | 'ifMatch' | 'reason'>,
      ): Promise<Answer<Group>> {
        return client.call<Group>(operations['group.update'], { ...options, path: { groupType, id }, body });
      },

      /**
       * Delete a Group.
       * May be refused as forbidden, not-found, in-use, protected, stale, rejected.
       */
      deleteByPost(
        id: number,
        options?: Options<'dryRun' | 'idempotencyKey' | 'ifMatch' | 'reason'>,
      ): Promise<Answer<never>> {
        return client.call<never>(operations['group.delete-by-post'], { ...options, path: { id } });
      },

      /**
       * Delete Group records, all or none.
       * May be refused as forbidden, not-found, in-use, protected, stale, rejected.
       */
      deleteMany(body: IdList, options?: Options<'dryRun' | 'idempotencyKey' | 'reason'>): Promise<Answer<never>> {
        return client.call<never>(operations['group.delete-many'], { ...options, body });
      },

      /**
       * List the members of a group by id; with nested, each once, with the nearest group that contains it.
       * May be refused as forbidden, not-found, too-expensive.
       */
      members(
        id: number,
        query?: {
          /** Include members of nested groups. Default: false. */
          nested?: boolean;
          /** Number of members to skip. */
          start?: number;
          /** Maximum number of members to return. */
          count?: number;
          /** Position of the next page, from the Link header. */
          after?: number;
        },
        options?: Options,
      ): Promise<Answer<NestedGroupMember>> {
        return client.call<NestedGroupMember>(operations['group.members'], { ...options, path: { id }, query });
      },

      /** List the members of a group by id; with nested, each once, with the nearest group that contains it: all of them, page after page; `count` is the size of a page. */
      membersWalk(
        id: number,
        query?: {
          /** Include members of nested groups. Default: false. */
          nested?: boolean;
          /** Number of members to skip. */
          start?: number;
          /** Maximum number of members to return. */
          count?: number;
          /** Position of the next page, from the Link header. */
          after?: number;
        },
        options?: Options,
      ): AsyncGenerator<NestedGroupMember, void, undefined> {
        return client.walk<NestedGroupMember>(operations['group.members'], { ...options, path: { id }, query });
      },

      /**
       * Return the ids of all members of a group, at most 500,000.
       * May be refused as forbidden, not-found, rejected, too-expensive.
       */
      memberIds(
        id: number,
        query?: {
          /** Include members of nested groups. Default: true. */
          nested?: boolean;
        },
        options?: Options,
      ): Promise<Answer<number>> {
        return client.call<number>(operations['group.member-ids'], { ...options, path: { id }, query });
      },

      /**
       * List all descendants of a group, nearest first, with depth and shortest path.
       * May be refused as forbidden, not-found, rejected, too-expensive.
       */
      descendants(id: number, options?: Options): Promise<Answer<GroupDescendant>> {
        return client.call<GroupDescendant>(operations['group.descendants'], { ...options, path: { id } });
      },

      /**
       * Add each of these elements to each of these groups.
       * Answers the record as it would be with `dryRun`, and no results without.
       * May be refused as forbidden, not-found, protected, rejected.
       */
      addMembers(
        body: GroupMembership,
        query?: {
          /** Refuse the write with 409 if more live connections than this would change. */
          maxImpact?: number;
          /** With `dryRun`: number of connections to skip. */
          start?: number;
          /** With `dryRun`: maximum number of connections to return. Default: 100. */
          count?: number;
        },
        options?: Options<'dryRun' | 'idempotencyKey' | 'reason'>,
      ): Promise<Answer<never>> {
        return client.call<never>(operations['group.add-members'], { ...options, body, query });
      },

      /**
       * Remove each of these elements from each of these groups.
       * Answers the record as it would be with `dryRun`, and no results without.
       * May be refused as forbidden, not-found, protected, rejected.
       */
      removeMembers(
        body: GroupMembership,
        query?: {
          /** Refuse the write with 409 if more live connections than this would change. */
          maxImpact?: number;
          /** With `dryRun`: number of connections to skip. */
          start?: number;
          /** With `dryRun`: maximum number of connections to return. Default: 100. */
          count?: number;
        },
        options?: Options<'dryRun' | 'idempotencyKey' | 'reason'>,
      ): Promise<Answer<never>> {
        return client.call<never>(operations['group.remove-members'], { ...options, body, query });
      },

      /**
       * Replace the direct group memberships of elements for one group type.
       * Answers the record as it would be with `dryRun`, and no results without.
       * May be refused as forbidden, not-found, protected, rejected.
       */
      membership(
        body: GroupMembershipOfType,
        query?: {
          /** Refuse the write with 409 if more live connections than this would change. */
          maxImpact?: number;
          /** With `dryRun`: number of connections to skip. */
          start?: number;
          /** With `dryRun`: maximum number of connections to return. Default: 100. */
          count?: number;
        },
        options?: Options<'dryRun' | 'idempotencyKey' | 'reason'>,
      ): Promise<Answer<never>> {
        return client.call<never>(operations['group.membership'], { ...options, body, query });
      },

      /**
       * Set the parents of a group.
       * Answers the record as it would be with `dryRun`, and no results without.
       * May be refused as forbidden, not-found, protected, rejected.
       */
      addToParents(
        body: GroupParents,
        query?: {
          /** Refuse the write with 409 if more live connections than this would change. */
          maxImpact?: number;
          /** With `dryRun`: number of connections to skip. */
          start?: number;
          /** With `dryRun`: maximum number of connections to return. Default: 100. */
          count?: number;
        },
        options?: Options<'dryRun' | 'idempotencyKey' | 'reason'>,
      ): Promise<Answer<never>> {
        return client.call<never>(operations['group.add-to-parents'], { ...options, body, query });
      },

      /**
       * Remove direct children from a group.
       * Answers the record as it would be with `dryRun`, and no results without.
       * May be refused as forbidden, not-found, protected, rejected.
       */
      removeFromParent(
        body: GroupChildren,
        query?: {
          /** Refuse the write with 409 if more live connections than this would change. */
          maxImpact?: number;
          /** With `dryRun`: number of connections to skip. */
          start?: number;
          /** With `dryRun`: maximum number of connections to return. Default: 100. */
          count?: number;
        },
        options?: Options<'dryRun' | 'idempotencyKey' | 'reason'>,
      ): Promise<Answer<never>> {
        return client.call<never>(operations['group.remove-from-parent'], { ...options, body, query });
      },

      /**
       * Copy a group to a local group of the same type, with its members and children.
       * Answers the record as it would be with `dryRun`, and no results without.
       * May be refused as forbidden, not-found, duplicate, rejected.
       */
      copy(body: GroupCopy, options?: Options<'dryRun' | 'idempotencyKey' | 'reason'>): Promise<Answer<Group>> {
        return client.call<Group>(operations['group.copy'], { ...options, body });
      },

      /**
       * Set after how many days the members of groups expire.
       * May be refused as forbidden, not-found, rejected.
       */
      aging(body: GroupAging, options?: Options<'dryRun' | 'idempotencyKey' | 'reason'>): Promise<Answer<never>> {
        return client.call<never>(operations['group.aging'], { ...options, body });
      },

      /**
       * Set which groups the members of an administrator group may see and change.
       * Answers the record as it would be with `dryRun`, and no results without.
       * May be refused as forbidden, not-found, rejected.
       */
      manages(
        groupID: number,
        body: GroupManages,
        options?: Options<'dryRun' | 'idempotencyKey' | 'reason'>,
      ): Promise<Answer<Group>> {
        return client.call<Group>(operations['group.manages'], { ...options, path: { groupID }, body });
      },
    },

    session: {
      /**
       * Return one of your attributes, such as the columns of a table; none: no results.
       * May be refused as forbidden.
       */
      attribute(name: string, options?: Options): Promise<Answer<UserAttribute>> {
        return client.call<UserAttribute>(operations['session.attribute'], { ...options, path: { name } });
      },

      /**
       * Store one of your attributes, or remove it with the value null.
       * Answers the record as it would be with `dryRun`, and no results without.
       * May be refused as forbidden, rejected.
       */
      saveAttribute(
        name: string,
        body: AttributeValue,
        options?: Options<'dryRun' | 'idempotencyKey' | 'reason'>,
      ): Promise<Answer<UserAttribute>> {
        return client.call<UserAttribute>(operations['session.save-attribute'], { ...options, path: { name }, body });
      },

      /**
       * Return an attribute of another user; none: no results.
       * May be refused as forbidden, not-found.
       */
      userAttribute(
        name: string,
        query: {
          /** User name of the account. */
          userID: string;
        },
        options?: Options,
      ): Promise<Answer<UserAttribute>> {
        return client.call<UserAttribute>(operations['session.user-attribute'], { ...options, path: { name }, query });
      },

      /**
       * Store an attribute of another user, or remove it with the value null.
       * Answers the record as it would be with `dryRun`, and no results without.
       * May be refused as forbidden, not-found, rejected.
       */
      saveUserAttribute(
        name: string,
        body: UserAttributeValue,
        options?: Options<'dryRun' | 'idempotencyKey' | 'reason'>,
      ): Promise<Answer<UserAttribute>> {
        return client.call<UserAttribute>(operations['session.save-user-attribute'], {
          ...options,
          path: { name },
          body,
        });
      },

      /**
       * Return when your session ends; asking does not prolong it.
       * May be refused as forbidden.
       */
      timeout(options?: Options): Promise<Answer<SessionTimeout>> {
        return client.call<SessionTimeout>(operations['session.timeout'], options);
      },

      /**
       * Return the key that a page sends as X-Security-Key with each write that uses the cookie.
       * May be refused as forbidden.
       */
      securityKey(options?: Options): Promise<Answer<string>> {
        return client.call<string>(operations['session.security-key'], options);
      },

      /**
       * Return what the service keeps for your session: filter:<group>, the last filter of a list, or last-visited.
       * May be refused as forbidden.
       */
      cache(
        query: {
          key: string;
        },
        options?: Options,
      ): Promise<Answer<string | number | boolean | unknown[] | Record<string, unknown>>> {
        return client.call<string | number | boolean | unknown[] | Record<string, unknown>>(
          operations['session.cache'],
          { ...options, query },
        );
      },

      /**
       * Return a flag for each right, as <permission key>.<verb>, and for each feature that must be set up.
       * May be refused as forbidden.
       */
      featureVisibility(options?: Options): Promise<Answer<Record<string, boolean>>> {
        return client.call<Record<string, boolean>>(operations['session.feature-visibility'], options);
      },

      /**
       * Return the menu of the console that is open to you, and how you like it.
       * May be refused as forbidden.
       */
      navigationSettings(options?: Options): Promise<Answer<NavigationSettings>> {
        return client.call<NavigationSettings>(operations['session.navigation-settings'], options);
      },

      /**
       * List your bookmarks, as the menu shows them.
       * May be refused as forbidden.
       */
      bookmarks(options?: Options): Promise<Answer<Bookmark>> {
        return client.call<Bookmark>(operations['session.bookmarks'], options);
      },

      /**
       * Create (id 0), change or remove one of your bookmarks.
       * Answers the record as it would be with `dryRun`, and no results without.
       * May be refused as forbidden, not-found, rejected.
       */
      saveBookmark(
        id: number,
        body: BookmarkInput,
        options?: Options<'dryRun' | 'idempotencyKey' | 'reason'>,
      ): Promise<Answer<Bookmark>> {
        return client.call<Bookmark>(operations['session.save-bookmark'], { ...options, path: { id }, body });
      },

      /**
       * Sign in with user name and password.
       * May be refused as forbidden.
       */
      login(body: Login, options?: Options): Promise<Answer<LoggedIn>> {
        return client.call<LoggedIn>(operations['session.login'], { ...options, body });
      },

      /**
       * End your current session.
       * May be refused as forbidden, rejected.
       */
      logout(options?: Options<'dryRun' | 'idempotencyKey' | 'reason'>): Promise<Answer<never>> {
        return client.call<never>(operations['session.logout'], options);
      },

      /**
       * List your sessions.
       * May be refused as forbidden.
       */
      list(options?: Options): Promise<Answer<Session>> {
        return client.call<Session>(operations['session.list'], options);
      },

      /**
       * End a session of yours or of another user.
       * May be refused as forbidden, not-found.
       */
      revoke(id: number, options?: Options<'dryRun' | 'reason'>): Promise<Answer<never>> {
        return client.call<never>(operations['session.revoke'], { ...options, path: { id } });
      },

      /**
       * Change your own password and end your other sessions.
       * May be refused as forbidden, rejected.
       */
      password(
        body: PasswordChange,
        options?: Options<'dryRun' | 'idempotencyKey' | 'reason'>,
      ): Promise<Answer<never>> {
        return client.call<never>(operations['session.password'], { ...options, body });
      },
    },

    console: {
      /**
       * Follow which records of some groups change, and how many rows logs get; never what is in them.
       * May be refused as forbidden, gone.
       */
      feed(
        query: {
          topic: readonly (
            | 'aaa-server'
            | 'mdm-server'
            | 'directory-agent-config'
            | 'certificate-target'
            | 'tls-service-configuration'
            | 'device-type'
            | 'mac-exclusion'
            | 'network-address'
            | 'network-address-group'
            | 'ssid'
            | 'container'
            | 'network-device'
            | 'port'
            | 'port-change'
            | 'adapter'
            | 'host'
            | 'device-profiling-rule'
            | 'access-configuration'
            | 'access-policy'
            | 'authentication-configuration'
            | 'authentication-policy'
            | 'logical-network'
            | 'logical-network-configuration'
            | 'role'
            | 'role-mapping'
            | 'audit-record'
            | 'event'
            | 'event-type'
            | 'admin-profile'
            | 'admin-profile-mapping'
            | 'radius-attribute-group'
            | 'radius-dictionary-entry'
            | 'server-configuration'
            | 'radius-response'
            | 'background-task'
            | 'group'
          )[];
          /** Position of the last entry; none: from now on. */
          position?: string;
        },
        options?: Options,
      ): Promise<Answer<ConsoleChanges>> {
        return client.call<ConsoleChanges>(operations['console.feed'], { ...options, query });
      },

      /**
       * Count the records of a group by the values of a choice, a flag or a reference; an answer is at most 10 s old.
       * May be refused as forbidden, too-expensive.
       */
      counts(
        query: Pick<ListQuery, 'filter'> & {
          group:
            | 'aaa-server'
            | 'mdm-server'
            | 'directory-agent-config'
            | 'certificate-target'
            | 'tls-service-configuration'
            | 'device-type'
            | 'mac-exclusion'
            | 'network-address'
            | 'network-address-group'
            | 'ssid'
            | 'container'
            | 'network-device'
            | 'port'
            | 'port-change'
            | 'adapter'
            | 'host'
            | 'device-profiling-rule'
            | 'access-configuration'
            | 'access-policy'
            | 'authentication-configuration'
            | 'authentication-policy'
            | 'logical-network'
            | 'logical-network-configuration'
            | 'role'
            | 'role-mapping'
            | 'audit-record'
            | 'event'
            | 'event-type'
            | 'admin-profile'
            | 'admin-profile-mapping'
            | 'radius-attribute-group'
            | 'radius-dictionary-entry'
            | 'server-configuration'
            | 'radius-response'
            | 'background-task'
            | 'group';
          /** The field that is counted by; of hosts also one of their adapters, such as adapter.accessState. */
          by: string;
          /** In steps of time, for a log whose filter says since when. */
          per?: 'minute' | 'hour' | 'day';
        },
        options?: Options,
      ): Promise<Answer<CountByValue>> {
        return client.call<CountByValue>(operations['console.counts'], { ...options, query });
      },
    },

    token: {
      /**
       * List your API tokens, or those of all users.
       * May be refused as forbidden.
       */
      list(
        query?: {
          /** Include tokens of other users; needs the right to view admin-profiles. */
          all?: boolean;
        },
        options?: Options,
      ): Promise<Answer<Token>> {
        return client.call<Token>(operations['token.list'], { ...options, query });
      },

      /**
       * Issue an API token for yourself.
       * May be refused as forbidden, duplicate, rejected.
       */
      create(
        body: TokenRequest,
        options?: Options<'dryRun' | 'idempotencyKey' | 'reason'>,
      ): Promise<Answer<IssuedToken>> {
        return client.call<IssuedToken>(operations['token.create'], { ...options, body });
      },

      /**
       * Replace an API token with a new one.
       * May be refused as forbidden, not-found, duplicate, rejected.
       */
      rotate(
        id: number,
        body?: TokenRotation,
        options?: Options<'dryRun' | 'idempotencyKey' | 'reason'>,
      ): Promise<Answer<IssuedToken>> {
        return client.call<IssuedToken>(operations['token.rotate'], { ...options, path: { id }, body });
      },

      /**
       * Revoke an API token.
       * May be refused as forbidden, not-found.
       */
      revoke(id: number, options?: Options<'dryRun' | 'reason'>): Promise<Answer<never>> {
        return client.call<never>(operations['token.revoke'], { ...options, path: { id } });
      },
    },

    account: {
      /**
       * List administrator accounts that match a filter.
       * May be refused as forbidden, too-expensive.
       */
      list(query?: ListQuery, options?: Options): Promise<Answer<UserAccount>> {
        return client.call<UserAccount>(operations['account.list'], { ...options, query });
      },

      /** List administrator accounts that match a filter: all of them, page after page; `count` is the size of a page. */
      walk(query?: ListQuery, options?: Options): AsyncGenerator<UserAccount, void, undefined> {
        return client.walk<UserAccount>(operations['account.list'], { ...options, query });
      },

      /**
       * Create an administrator account, or update it by its id.
       * May be refused as forbidden, not-found, duplicate, stale, rejected.
       */
      create(
        body: NewAccount,
        options?: Options<'dryRun' | 'idempotencyKey' | 'reason'>,
      ): Promise<Answer<CreatedAccount>> {
        return client.call<CreatedAccount>(operations['account.create'], { ...options, body });
      },

      /**
       * Fetch one administrator account.
       * May be refused as forbidden, not-found.
       */
      fetch(id: number, query?: Pick<ListQuery, 'fields'>, options?: Options): Promise<AnswerOfOne<UserAccount>> {
        return client.one<UserAccount>(operations['account.fetch'], { ...options, path: { id }, query });
      },

      /**
       * Update an administrator account.
       * Answers the record as it would be with `dryRun`, and no results without.
       * May be refused as forbidden, not-found, duplicate, stale, rejected.
       */
      update(
        id: number,
        body: AccountInput,
        options?: Options<'dryRun' | 'idempotencyKey' | 'ifMatch' | 'reason'>,
      ): Promise<Answer<UserAccount>> {
        return client.call<UserAccount>(operations['account.update'], { ...options, path: { id }, body });
      },

      /**
       * Delete an administrator account and end its sessions.
       * May be refused as forbidden, not-found, in-use, stale, rejected.
       */
      deleteOne(id: number, options?: Options<'dryRun' | 'ifMatch' | 'reason'>): Promise<Answer<never>> {
        return client.call<never>(operations['account.delete-one'], { ...options, path: { id } });
      },

      /**
       * Disable an administrator account and end its sessions.
       * Answers the record as it would be with `dryRun`, and no results without.
       * May be refused as forbidden, not-found, stale, rejected.
       */
      disable(
        id: number,
        options?: Options<'dryRun' | 'idempotencyKey' | 'ifMatch' | 'reason'>,
      ): Promise<Answer<UserAccount>> {
        return client.call<UserAccount>(operations['account.disable'], { ...options, path: { id } });
      },

      /**
       * Enable an administrator account.
       * Answers the record as it would be with `dryRun`, and no results without.
       * May be refused as forbidden, not-found, stale, rejected.
       */
      enable(
        id: number,
        options?: Options<'dryRun' | 'idempotencyKey' | 'ifMatch' | 'reason'>,
      ): Promise<Answer<UserAccount>> {
        return client.call<UserAccount>(operations['account.enable'], { ...options, path: { id } });
      },

      /**
       * Unlock an administrator account after failed logins.
       * Answers the record as it would be with `dryRun`, and no results without.
       * May be refused as forbidden, not-found, stale, rejected.
       */
      unlock(
        id: number,
        options?: Options<'dryRun' | 'idempotencyKey' | 'ifMatch' | 'reason'>,
      ): Promise<Answer<UserAccount>> {
        return client.call<UserAccount>(operations['account.unlock'], { ...options, path: { id } });
      },

      /**
       * Reset the password of an administrator account.
       * May be refused as forbidden, not-found, duplicate, stale, rejected.
       */
      resetPassword(
        id: number,
        body?: PasswordReset,
        options?: Options<'dryRun' | 'idempotencyKey' | 'ifMatch' | 'reason'>,
      ): Promise<Answer<AccountPassword>> {
        return client.call<AccountPassword>(operations['account.reset-password'], { ...options, path: { id }, body });
      },
    },

    user: {
      /**
       * List users that match a filter, administrators included.
       * May be refused as forbidden, too-expensive.
       */
      list(query?: ListQuery, options?: Options): Promise<Answer<UserAccount>> {
        return client.call<UserAccount>(operations['user.list'], { ...options, query });
      },

      /** List users that match a filter, administrators included: all of them, page after page; `count` is the size of a page. */
      walk(query?: ListQuery, options?: Options): AsyncGenerator<UserAccount, void, undefined> {
        return client.walk<UserAccount>(operations['user.list'], { ...options, query });
      },

      /**
       * Create a user, or update it by its id.
       * Answers the record as it would be with `dryRun`, and no results without.
       * May be refused as forbidden, not-found, duplicate, protected, stale, rejected.
       */
      create(
        body: UserInput,
        options?: Options<'dryRun' | 'idempotencyKey' | 'ifMatch' | 'reason'>,
      ): Promise<Answer<UserAccount>> {
        return client.call<UserAccount>(operations['user.create'], { ...options, body });
      },

      /**
       * Fetch one user.
       * May be refused as forbidden, not-found.
       */
      fetch(id: number, query?: Pick<ListQuery, 'fields'>, options?: Options): Promise<AnswerOfOne<UserAccount>> {
        return client.one<UserAccount>(operations['user.fetch'], { ...options, path: { id }, query });
      },

      /**
       * Update a user.
       * Answers the record as it would be with `dryRun`, and no results without.
       * May be refused as forbidden, not-found, duplicate, protected, stale, rejected.
       */
      update(
        id: number,
        body: UserInput,
        options?: Options<'dryRun' | 'idempotencyKey' | 'ifMatch' | 'reason'>,
      ): Promise<Answer<UserAccount>> {
        return client.call<UserAccount>(operations['user.update'], { ...options, path: { id }, body });
      },

      /**
       * Delete a user, and clear it as owner of hosts.
       * May be refused as forbidden, not-found, in-use, protected, stale, rejected.
       */
      deleteOne(id: number, options?: Options<'dryRun' | 'ifMatch' | 'reason'>): Promise<Answer<never>> {
        return client.call<never>(operations['user.delete-one'], { ...options, path: { id } });
      },

      /**
       * Disable a user, whose next RADIUS login is rejected.
       * Answers the record as it would be with `dryRun`, and no results without.
       * May be refused as forbidden, not-found, protected, stale, rejected.
       */
      disable(
        id: number,
        options?: Options<'dryRun' | 'idempotencyKey' | 'ifMatch' | 'reason'>,
      ): Promise<Answer<UserAccount>> {
        return client.call<UserAccount>(operations['user.disable'], { ...options, path: { id } });
      },

      /**
       * Enable a user.
       * Answers the record as it would be with `dryRun`, and no results without.
       * May be refused as forbidden, not-found, protected, stale, rejected.
       */
      enable(
        id: number,
        options?: Options<'dryRun' | 'idempotencyKey' | 'ifMatch' | 'reason'>,
      ): Promise<Answer<UserAccount>> {
        return client.call<UserAccount>(operations['user.enable'], { ...options, path: { id } });
      },
    },

    search: {
      /**
       * Find hosts, adapters, devices, ports, users, policies, roles, groups, networks and containers by a MAC address in any notation or its last four digits, an IP address, a name, a user, a serial number or a port such as `sw-1 Gi1/0/7`: the newest 8 of each group that you may view.
       * May be refused as forbidden.
       */
      find(
        query: {
          /** Text to find, at least two characters. */
          q: string;
          /** Find pages of the console and fields of settings too. */
          pages?: boolean;
        },
        options?: Options,
      ): Promise<Answer<SearchHit>> {
        return client.call<SearchHit>(operations['search.find'], { ...options, query });
      },
    },

    service: {
      /** List the addresses of the API documents and health checks. */
      index(options?: Options): Promise<Answer<ServicePlace>> {
        return client.call<ServicePlace>(operations['service.index'], options);
      },
    },

    health: {
      /** Report that the process is running. */
      live(options?: Options): Promise<Answer<HealthCheck>> {
        return client.call<HealthCheck>(operations['health.live'], options);
      },

      /** Report whether the node can serve requests. */
      ready(options?: Options): Promise<Answer<HealthCheck>> {
        return client.call<HealthCheck>(operations['health.ready'], options);
      },
    },
  };
}
