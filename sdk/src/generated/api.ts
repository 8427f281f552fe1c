// Written by `npm run sdk` from openapi.json; changes here are lost.

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
  /** How many matching records to skip. */
  start?: number;
  /** How many records to answer at most; 0 answers the counts only. */
  count?: number;
  /** The field to sort by. */
  sortKey?: string;
  /** Ascending unless said otherwise. */
  sortDir?: 'asc' | 'desc';
  /** Where a walk goes on; from the Link header. */
  after?: string;
}

/** RADIUS servers that answer for users this service does not know itself. */
export interface AaaServer {
  /** Identity of the record. */
  id: number;
  name: string;
  /** Host name or address the service sends to. */
  netId: string;
  /** UDP port of authentication; 0: no such duty. */
  authPort: number;
  /** UDP port of accounting; 0: no such duty. */
  acctPort: number;
  /** Account that validation signs in with. */
  checkUser: string;
  /** Who changed the record last. */
  lastModifiedBy: string;
  /** When it was changed last. */
  lastModifiedDate: string;
  /** Place among the federation-level servers; 0 means none. */
  flrPriority: number;
  /** Used for checks of the service itself when the user name names no mapped domain; at most one. */
  localClientDefault: boolean;
}

export interface AaaServerInput {
  /** Identity of the record. */
  id?: number | null;
  name?: string;
  /** Host name or address the service sends to. */
  netId?: string;
  /** UDP port of authentication; 0: no such duty. */
  authPort?: number;
  /** UDP port of accounting; 0: no such duty. */
  acctPort?: number;
  /** Account that validation signs in with. */
  checkUser?: string;
  /** Who changed the record last. */
  lastModifiedBy?: string;
  /** When it was changed last. */
  lastModifiedDate?: string;
  /** Place among the federation-level servers; 0 means none. */
  flrPriority?: number;
  /** Used for checks of the service itself when the user name names no mapped domain; at most one. */
  localClientDefault?: boolean;
  /** Shared secret, 8 to 128 bytes; 16 or more are advised. */
  secret?: string | null;
  /** Password of the check user. */
  checkPassword?: string | null;
}

/** Network interfaces of hosts, each known by its MAC address, and where they are connected. */
export interface Adapter {
  /** Identity of the record. */
  id: number;
  /** Number of the cell that owns the record. */
  landscape: number;
  /** Counts the configured changes; send it back to refuse a stale write. */
  version: number;
  /** MAC address, in any notation; unique in the cell, and never changed. Written as a MAC address, taken in any notation; empty for none. */
  physicalAddress: string;
  /** The host it belongs to; absent on create, or 0: a rogue host is made around it. */
  hostID: number;
  /** Its IP address: the current one, or the last that was known. One that is sent counts as seen now; null: what is known stays. Written as an IPv4 or IPv6 address. */
  ipaddress: string | null;
  /** All current addresses, of both families. */
  ips: string[];
  /** How it is connected. */
  mediaType: 'WIRED' | 'WIRELESS' | 'VPN' | 'UNKNOWN';
  /** Who made it, by the longest prefix that the IEEE gave. */
  vendorName: string | null;
  /** That prefix. */
  vendorOUI: string | null;
  /** The address is locally administered: nobody can tell who made it, and it may change. */
  randomized: boolean;
  /** False: this address alone gets no access. */
  enabled: boolean;
  /** Whether it is on the network now. */
  connected: boolean;
  /** Since when; null: it is not. */
  connectedSince: string | null;
  /** When it was seen last; null: never. */
  lastSeen: string | null;
  /** When it was made. */
  creationTime: string;
  /** Device it is on, or was on last. */
  deviceID: number | null;
  /** Port it is on, or was on last. */
  portID: number | null;
  /** Wireless network it is on. */
  ssid: string | null;
  /** Device and port it is on, or was on last, such as `switch-3:Gi1/0/7`; empty: never seen. */
  location: string;
  /** Container of the device it is on. */
  container: string | null;
  /** What its connection is let to do; null: nothing was decided. */
  accessState: 'DEAD_END' | 'QUARANTINE' | 'REGISTRATION' | 'AUTHENTICATION' | 'GUEST' | 'PRODUCTION' | null;
  /** VLAN in force. */
  accessValue: string | null;
  /** How it proved who it is. */
  authType: 'NONE' | 'MAB' | 'DOT1X' | 'PORTAL' | 'VPN';
  /** Method of EAP outside of the tunnel. */
  outerEapType: string | null;
  /** Method of EAP inside of the tunnel. */
  innerEapType: string | null;
  /** Profiling rule that recognised it. */
  dpcRuleID: number | null;
  /** Name of that rule. */
  dpcRuleName: string | null;
  /** Ports that the last network scan found open. */
  openPorts: string | null;
  description: string | null;
  /** Names and values of the administrators. */
  attributes: OwnAttribute[];
  /** DISABLED, or whether it is connected. */
  status: 'ONLINE' | 'OFFLINE' | 'DISABLED';
}

export interface AdapterInput {
  /** Identity of the record. */
  id?: number | null;
  /** Number of the cell that owns the record. */
  landscape?: number;
  /** Counts the configured changes; send it back to refuse a stale write. */
  version?: number;
  /** MAC address, in any notation; unique in the cell, and never changed. Written as a MAC address, taken in any notation; empty for none. */
  physicalAddress?: string;
  /** The host it belongs to; absent on create, or 0: a rogue host is made around it. */
  hostID?: number;
  /** Its IP address: the current one, or the last that was known. One that is sent counts as seen now; null: what is known stays. Written as an IPv4 or IPv6 address. */
  ipaddress?: string | null;
  /** All current addresses, of both families. */
  ips?: string[];
  /** How it is connected. */
  mediaType?: 'WIRED' | 'WIRELESS' | 'VPN' | 'UNKNOWN';
  /** Who made it, by the longest prefix that the IEEE gave. */
  vendorName?: string | null;
  /** That prefix. */
  vendorOUI?: string | null;
  /** The address is locally administered: nobody can tell who made it, and it may change. */
  randomized?: boolean;
  /** False: this address alone gets no access. */
  enabled?: boolean;
  /** Whether it is on the network now. */
  connected?: boolean;
  /** Since when; null: it is not. */
  connectedSince?: string | null;
  /** When it was seen last; null: never. */
  lastSeen?: string | null;
  /** When it was made. */
  creationTime?: string;
  /** Device it is on, or was on last. */
  deviceID?: number | null;
  /** Port it is on, or was on last. */
  portID?: number | null;
  /** Wireless network it is on. */
  ssid?: string | null;
  /** Device and port it is on, or was on last, such as `switch-3:Gi1/0/7`; empty: never seen. */
  location?: string;
  /** Container of the device it is on. */
  container?: string | null;
  /** What its connection is let to do; null: nothing was decided. */
  accessState?: 'DEAD_END' | 'QUARANTINE' | 'REGISTRATION' | 'AUTHENTICATION' | 'GUEST' | 'PRODUCTION' | null;
  /** VLAN in force. */
  accessValue?: string | null;
  /** How it proved who it is. */
  authType?: 'NONE' | 'MAB' | 'DOT1X' | 'PORTAL' | 'VPN';
  /** Method of EAP outside of the tunnel. */
  outerEapType?: string | null;
  /** Method of EAP inside of the tunnel. */
  innerEapType?: string | null;
  /** Profiling rule that recognised it. */
  dpcRuleID?: number | null;
  /** Name of that rule. */
  dpcRuleName?: string | null;
  /** Ports that the last network scan found open. */
  openPorts?: string | null;
  description?: string | null;
  /** Names and values of the administrators. */
  attributes?: OwnAttributeInput[];
  /** DISABLED, or whether it is connected. */
  status?: 'ONLINE' | 'OFFLINE' | 'DISABLED';
}

export interface AdapterOfHost {
  /** Identity of the record. */
  id: number | null;
  /** Number of the cell that owns the record. */
  landscape: number;
  /** Counts the configured changes; send it back to refuse a stale write. */
  version: number;
  /** MAC address, in any notation; unique in the cell, and never changed. Written as a MAC address, taken in any notation; empty for none. */
  physicalAddress: string;
  /** The host it belongs to; absent on create, or 0: a rogue host is made around it. */
  hostID: number;
  /** Its IP address: the current one, or the last that was known. One that is sent counts as seen now; null: what is known stays. Written as an IPv4 or IPv6 address. */
  ipaddress: string | null;
  /** All current addresses, of both families. */
  ips: string[];
  /** How it is connected. */
  mediaType: 'WIRED' | 'WIRELESS' | 'VPN' | 'UNKNOWN';
  /** Who made it, by the longest prefix that the IEEE gave. */
  vendorName: string | null;
  /** That prefix. */
  vendorOUI: string | null;
  /** The address is locally administered: nobody can tell who made it, and it may change. */
  randomized: boolean;
  /** False: this address alone gets no access. */
  enabled: boolean;
  /** Whether it is on the network now. */
  connected: boolean;
  /** Since when; null: it is not. */
  connectedSince: string | null;
  /** When it was seen last; null: never. */
  lastSeen: string | null;
  /** When it was made. */
  creationTime: string;
  /** Device it is on, or was on last. */
  deviceID: number | null;
  /** Port it is on, or was on last. */
  portID: number | null;
  /** Wireless network it is on. */
  ssid: string | null;
  /** Device and port it is on, or was on last, such as `switch-3:Gi1/0/7`; empty: never seen. */
  location: string;
  /** Container of the device it is on. */
  container: string | null;
  /** What its connection is let to do; null: nothing was decided. */
  accessState: 'DEAD_END' | 'QUARANTINE' | 'REGISTRATION' | 'AUTHENTICATION' | 'GUEST' | 'PRODUCTION' | null;
  /** VLAN in force. */
  accessValue: string | null;
  /** How it proved who it is. */
  authType: 'NONE' | 'MAB' | 'DOT1X' | 'PORTAL' | 'VPN';
  /** Method of EAP outside of the tunnel. */
  outerEapType: string | null;
  /** Method of EAP inside of the tunnel. */
  innerEapType: string | null;
  /** Profiling rule that recognised it. */
  dpcRuleID: number | null;
  /** Name of that rule. */
  dpcRuleName: string | null;
  /** Ports that the last network scan found open. */
  openPorts: string | null;
  description: string | null;
  /** Names and values of the administrators. */
  attributes: OwnAttribute[];
  /** DISABLED, or whether it is connected. */
  status: 'ONLINE' | 'OFFLINE' | 'DISABLED';
}

export interface AdapterOfHostInput {
  /** Identity of the record. */
  id?: number | null;
  /** Number of the cell that owns the record. */
  landscape?: number;
  /** Counts the configured changes; send it back to refuse a stale write. */
  version?: number;
  /** MAC address, in any notation; unique in the cell, and never changed. Written as a MAC address, taken in any notation; empty for none. */
  physicalAddress?: string;
  /** The host it belongs to; absent on create, or 0: a rogue host is made around it. */
  hostID?: number;
  /** Its IP address: the current one, or the last that was known. One that is sent counts as seen now; null: what is known stays. Written as an IPv4 or IPv6 address. */
  ipaddress?: string | null;
  /** All current addresses, of both families. */
  ips?: string[];
  /** How it is connected. */
  mediaType?: 'WIRED' | 'WIRELESS' | 'VPN' | 'UNKNOWN';
  /** Who made it, by the longest prefix that the IEEE gave. */
  vendorName?: string | null;
  /** That prefix. */
  vendorOUI?: string | null;
  /** The address is locally administered: nobody can tell who made it, and it may change. */
  randomized?: boolean;
  /** False: this address alone gets no access. */
  enabled?: boolean;
  /** Whether it is on the network now. */
  connected?: boolean;
  /** Since when; null: it is not. */
  connectedSince?: string | null;
  /** When it was seen last; null: never. */
  lastSeen?: string | null;
  /** When it was made. */
  creationTime?: string;
  /** Device it is on, or was on last. */
  deviceID?: number | null;
  /** Port it is on, or was on last. */
  portID?: number | null;
  /** Wireless network it is on. */
  ssid?: string | null;
  /** Device and port it is on, or was on last, such as `switch-3:Gi1/0/7`; empty: never seen. */
  location?: string;
  /** Container of the device it is on. */
  container?: string | null;
  /** What its connection is let to do; null: nothing was decided. */
  accessState?: 'DEAD_END' | 'QUARANTINE' | 'REGISTRATION' | 'AUTHENTICATION' | 'GUEST' | 'PRODUCTION' | null;
  /** VLAN in force. */
  accessValue?: string | null;
  /** How it proved who it is. */
  authType?: 'NONE' | 'MAB' | 'DOT1X' | 'PORTAL' | 'VPN';
  /** Method of EAP outside of the tunnel. */
  outerEapType?: string | null;
  /** Method of EAP inside of the tunnel. */
  innerEapType?: string | null;
  /** Profiling rule that recognised it. */
  dpcRuleID?: number | null;
  /** Name of that rule. */
  dpcRuleName?: string | null;
  /** Ports that the last network scan found open. */
  openPorts?: string | null;
  description?: string | null;
  /** Names and values of the administrators. */
  attributes?: OwnAttributeInput[];
  /** DISABLED, or whether it is connected. */
  status?: 'ONLINE' | 'OFFLINE' | 'DISABLED';
}

export interface AdapterSentInput {
  /** Identity of the record. */
  id?: number | null;
  /** Number of the cell that owns the record. */
  landscape?: number;
  /** Counts the configured changes; send it back to refuse a stale write. */
  version?: number;
  /** MAC address, in any notation; unique in the cell, and never changed. Written as a MAC address, taken in any notation; empty for none. */
  physicalAddress: string;
  /** The host it belongs to; absent on create, or 0: a rogue host is made around it. */
  hostID?: number;
  /** Its IP address: the current one, or the last that was known. One that is sent counts as seen now; null: what is known stays. Written as an IPv4 or IPv6 address. */
  ipaddress?: string | null;
  /** All current addresses, of both families. */
  ips?: string[];
  /** How it is connected. */
  mediaType?: 'WIRED' | 'WIRELESS' | 'VPN' | 'UNKNOWN';
  /** Who made it, by the longest prefix that the IEEE gave. */
  vendorName?: string | null;
  /** That prefix. */
  vendorOUI?: string | null;
  /** The address is locally administered: nobody can tell who made it, and it may change. */
  randomized?: boolean;
  /** False: this address alone gets no access. */
  enabled?: boolean;
  /** Whether it is on the network now. */
  connected?: boolean;
  /** Since when; null: it is not. */
  connectedSince?: string | null;
  /** When it was seen last; null: never. */
  lastSeen?: string | null;
  /** When it was made. */
  creationTime?: string;
  /** Device it is on, or was on last. */
  deviceID?: number | null;
  /** Port it is on, or was on last. */
  portID?: number | null;
  /** Wireless network it is on. */
  ssid?: string | null;
  /** Device and port it is on, or was on last, such as `switch-3:Gi1/0/7`; empty: never seen. */
  location?: string;
  /** Container of the device it is on. */
  container?: string | null;
  /** What its connection is let to do; null: nothing was decided. */
  accessState?: 'DEAD_END' | 'QUARANTINE' | 'REGISTRATION' | 'AUTHENTICATION' | 'GUEST' | 'PRODUCTION' | null;
  /** VLAN in force. */
  accessValue?: string | null;
  /** How it proved who it is. */
  authType?: 'NONE' | 'MAB' | 'DOT1X' | 'PORTAL' | 'VPN';
  /** Method of EAP outside of the tunnel. */
  outerEapType?: string | null;
  /** Method of EAP inside of the tunnel. */
  innerEapType?: string | null;
  /** Profiling rule that recognised it. */
  dpcRuleID?: number | null;
  /** Name of that rule. */
  dpcRuleName?: string | null;
  /** Ports that the last network scan found open. */
  openPorts?: string | null;
  description?: string | null;
  /** Names and values of the administrators. */
  attributes?: OwnAttributeInput[];
  /** DISABLED, or whether it is connected. */
  status?: 'ONLINE' | 'OFFLINE' | 'DISABLED';
}

export interface AddressRangeInput {
  /** First address. Written as an IPv4 or IPv6 address. */
  start?: string;
  /** Last address. Written as an IPv4 or IPv6 address. */
  end?: string;
  /** A network instead; its first and last address are left out, as in IPv4 nobody has them. Written as an IPv4 or IPv6 network, such as 10.20.0.0/16. */
  cidr?: string;
}

/** What a kind of administrator may do, and how they sign in. */
export interface AdminProfile {
  /** Identity of the record. */
  dbid: number;
  /** Number of the cell that owns the record. */
  landscape: number;
  /** Counts the configured changes; send it back to refuse a stale write. */
  version: number;
  /** Who changed the record last. */
  lastModifiedBy: string;
  /** When it was changed last. */
  lastModifiedDate: string;
  name: string;
  note: string;
  /** May do everything; true on the one built-in. */
  administrator: boolean;
  /** What is granted on each permission key; a missing key grants nothing. What is sent replaces the whole map. */
  permissions: Record<string, Permission>;
  /** Minutes after which an idle session ends. */
  inactivityTime: number;
  /** When its holders may sign in and call; outside of it every request is refused. */
  schedule: WeeklySchedule;
  /** Page of the console that opens after the login. */
  landingPage: string;
  /** Limits hosts, adapters, ports and users to members of the groups that its holders manage; of all others they see nothing. */
  manageByGroups: boolean;
  /** Failed logins that lock an account; 0: never. */
  lockoutThreshold: number;
  /** Seconds that a lock lasts. */
  lockoutDuration: number;
  /** Holders never age; false: they age like other users. */
  preventAging: boolean;
  /** Keys that are new in a release are granted view; false: nothing. */
  upgradePermissions: boolean;
  /** The console is one form that makes guests; needs kioskTemplateID, and no right but to add guests. */
  isKioskMode: boolean;
  /** Template of the guests that the kiosk makes. */
  kioskTemplateID: number | null;
  /** What stands above the form of the kiosk. */
  kioskWelcomeMessage: string | null;
  /** Identity of the record at the manager that gave it; 0: it is of this cell. */
  guid: number;
  /** When the manager changed it last. */
  globalModifiedDate: string | null;
  /** Whether a manager gave it; then it is read-only here. */
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
  /** Counts the configured changes; send it back to refuse a stale write. */
  version?: number;
  /** Who changed the record last. */
  lastModifiedBy?: string;
  /** When it was changed last. */
  lastModifiedDate?: string;
  name?: string;
  note?: string;
  /** May do everything; true on the one built-in. */
  administrator?: boolean;
  /** What is granted on each permission key; a missing key grants nothing. What is sent replaces the whole map. */
  permissions?: Record<string, PermissionInput>;
  /** Minutes after which an idle session ends. */
  inactivityTime?: number;
  /** When its holders may sign in and call; outside of it every request is refused. */
  schedule?: WeeklyScheduleInput;
  /** Page of the console that opens after the login. */
  landingPage?: string;
  /** Limits hosts, adapters, ports and users to members of the groups that its holders manage; of all others they see nothing. */
  manageByGroups?: boolean;
  /** Failed logins that lock an account; 0: never. */
  lockoutThreshold?: number;
  /** Seconds that a lock lasts. */
  lockoutDuration?: number;
  /** Holders never age; false: they age like other users. */
  preventAging?: boolean;
  /** Keys that are new in a release are granted view; false: nothing. */
  upgradePermissions?: boolean;
  /** The console is one form that makes guests; needs kioskTemplateID, and no right but to add guests. */
  isKioskMode?: boolean;
  /** Template of the guests that the kiosk makes. */
  kioskTemplateID?: number | null;
  /** What stands above the form of the kiosk. */
  kioskWelcomeMessage?: string | null;
  /** Identity of the record at the manager that gave it; 0: it is of this cell. */
  guid?: number;
  /** When the manager changed it last. */
  globalModifiedDate?: string | null;
  /** Whether a manager gave it; then it is read-only here. */
  global?: boolean;
  /** Name of the record in the audit log. */
  auditObjectName?: string;
  auditObjectType?: AuditObjectTypeInput;
  /** Event type of the last change. */
  yamsEventTag?: string;
  /** The last audit record of this record. */
  auditObj?: AuditObjectInput;
}

/** Which groups make their members administrators; of several the first, by rank, decides. A profile that was given by hand stays. */
export interface AdminProfileMapping {
  /** Identity of the record. */
  dbid: number;
  /** Number of the cell that owns the record. */
  landscape: number;
  /** Counts the configured changes; send it back to refuse a stale write. */
  version: number;
  /** Who changed the record last. */
  lastModifiedBy: string;
  /** When it was changed last. */
  lastModifiedDate: string;
  /** Place in the order, from 1. On create absent or 0: last; on update: move. */
  rank: number;
  /** Profile that members get. */
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
  /** Counts the configured changes; send it back to refuse a stale write. */
  version?: number;
  /** Who changed the record last. */
  lastModifiedBy?: string;
  /** When it was changed last. */
  lastModifiedDate?: string;
  /** Place in the order, from 1. On create absent or 0: last; on update: move. */
  rank?: number;
  /** Profile that members get. */
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
  /** Name of an archive, as the list of archives tells it. */
  name?: string;
  /** Several archives, instead of one. */
  names?: string[];
}

export interface ArchivedImage {
  /** What createFromArchive calls it. */
  name: string;
  /** Path the icon is loaded from. */
  imageFile: string;
  /** SPDX name of its licence; null for an icon that was uploaded here. */
  licence: string | null;
}

export interface AuditChange {
  field: string;
  before: string | null;
  /** Secrets show as dots. */
  after: string | null;
  changed: boolean;
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
  /** The newest change of the same record; empty once it is deleted. */
  liveObj: NewestChange;
  /** Identity of this record. */
  auditDBID: number;
  /** Identity of the changed record. */
  liveDBID: number;
  /** Event type it emitted. */
  yamsEventTag: string;
  /** Name of the changed record and summary of the change. */
  auditObj: string;
  auditObjectName: string;
  auditObjectType: AuditedType;
  /** At most four lines: field: old → new. */
  summary: string;
  /** Every field that changed. */
  changes: AuditChange[];
  /** Where the request came from; null for the service itself. Written as an IPv4 or IPv6 address. */
  sourceAddress: string | null;
  /** Public id of the session, if it was one. */
  sessionID: string | null;
  /** Name of the API token, if it was one. */
  tokenName: string | null;
  requestID: string;
  method: string;
  path: string;
  /** Number of the cell that owns the record. */
  landscape: number;
}

export interface AuditedType {
  auditTableName: string;
  dbTableName: string;
  idnameQuery: string;
}

/** Jobs of the service, with their progress, and to-dos given to a person. */
export interface BackgroundTask {
  /** Identity of the record. */
  id: number;
  /** JOB: done by the service; MANUAL: by a person. */
  kind: 'JOB' | 'MANUAL';
  /** What is to be done, in words. */
  message: string;
  note: string;
  /** Who gave it; 0: the service itself. */
  assigner: number;
  /** Who is to do it. */
  assignee: number | null;
  /** When it was given. */
  dateCreated: string;
  /** When a worker began. */
  dateStarted: string | null;
  /** When it was done. */
  dateCompleted: string | null;
  /** Until when it should be done. */
  dateDue: string | null;
  /** Task that comes before. */
  previousTask: number | null;
  /** Whether the one before is done; true without one. */
  previousTaskComplete: boolean;
  /** Page of the console to open. */
  notifyView: string | null;
  /** Tasks that come after. */
  childTasks: number[];
  attributes: Record<string, string>;
  /** Name of the job; empty for a manual task. */
  jobName: string;
  /** Identity in the job queue. */
  queueJobID: string;
  /** Where the job stands; a manual task is QUEUED until completed. */
  state: 'QUEUED' | 'RUNNING' | 'RETRYING' | 'COMPLETED' | 'FAILED' | 'CANCELLED';
  /** How far it has got. */
  progress: TaskProgress;
  /** How often it was begun. */
  attempts: number;
  /** Node that works on it. */
  node: string;
  /** Why it failed. */
  errorMessage: string | null;
  /** Outcome of each item. */
  report: TaskReportItem[];
  /** Where the result lies. */
  resultLocation: string | null;
  /** Schedule that started it. */
  scheduledActivityID: number | null;
  /** Number of the cell that owns the record. */
  landscape: number;
  /** Counts the configured changes; send it back to refuse a stale write. */
  version: number;
  /** Who changed the record last. */
  lastModifiedBy: string;
  /** When it was changed last. */
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
  /** JOB: done by the service; MANUAL: by a person. */
  kind?: 'JOB' | 'MANUAL';
  /** What is to be done, in words. */
  message?: string;
  note?: string;
  /** Who gave it; 0: the service itself. */
  assigner?: number;
  /** Who is to do it. */
  assignee?: number | null;
  /** When it was given. */
  dateCreated?: string;
  /** When a worker began. */
  dateStarted?: string | null;
  /** When it was done. */
  dateCompleted?: string | null;
  /** Until when it should be done. */
  dateDue?: string | null;
  /** Task that comes before. */
  previousTask?: number | null;
  /** Whether the one before is done; true without one. */
  previousTaskComplete?: boolean;
  /** Page of the console to open. */
  notifyView?: string | null;
  /** Tasks that come after. */
  childTasks?: number[];
  attributes?: Record<string, string>;
  /** Name of the job; empty for a manual task. */
  jobName?: string;
  /** Identity in the job queue. */
  queueJobID?: string;
  /** Where the job stands; a manual task is QUEUED until completed. */
  state?: 'QUEUED' | 'RUNNING' | 'RETRYING' | 'COMPLETED' | 'FAILED' | 'CANCELLED';
  /** How far it has got. */
  progress?: TaskProgressInput;
  /** How often it was begun. */
  attempts?: number;
  /** Node that works on it. */
  node?: string;
  /** Why it failed. */
  errorMessage?: string | null;
  /** Outcome of each item. */
  report?: TaskReportItemInput[];
  /** Where the result lies. */
  resultLocation?: string | null;
  /** Schedule that started it. */
  scheduledActivityID?: number | null;
  /** Number of the cell that owns the record. */
  landscape?: number;
  /** Counts the configured changes; send it back to refuse a stale write. */
  version?: number;
  /** Who changed the record last. */
  lastModifiedBy?: string;
  /** When it was changed last. */
  lastModifiedDate?: string;
  /** Event type of the last change. */
  yamsEventTag?: string;
  /** The last audit record of this record. */
  auditObj?: AuditObjectInput;
  /** Name of the record in the audit log. */
  auditObjectName?: string;
  auditObjectType?: AuditObjectTypeInput;
}

export interface CachedHost {
  /** Identity of the record. */
  id: number | null;
  /** Number of the cell that owns the record. */
  landscape: number;
  /** Counts the configured changes; send it back to refuse a stale write. */
  version: number;
  /** Name, as the host or a person tells it. */
  hostName: string | null;
  /** 1 rogue, 2 registered host, 3 registered device, 4 IP phone, 5 device in the topology. From 1 to 2 or 3 registers it, back to 1 takes that back. */
  type: number;
  /** The type in words. */
  typeLabel: 'Rogue' | 'Registered Host' | 'Registered Device' | 'IP Phone' | 'Device in Topology';
  /** Of its adapters the first that is connected, else the oldest. Written as a MAC address, taken in any notation; empty for none. */
  primaryMac: string | null;
  /** MAC addresses of its adapters. */
  adapters: string[];
  /** Address of a connected adapter, else the last that was known of any. Written as an IPv4 or IPv6 address. */
  ip: string | null;
  /** Whether one of its adapters is on the network now. */
  connected: boolean;
  /** Whether somebody vouched for it. */
  registered: boolean;
  /** When; null: it is a rogue. */
  registeredAt: string | null;
  /** Who; null: it is a rogue. */
  registeredBy: string | null;
  /** False: none of its adapters gets access. */
  enabled: boolean;
  /** Whether somebody proved on it who they are. */
  authenticated: boolean;
  /** Who that was. */
  authenticatedUserID: number | null;
  /** Until when that holds; null: for good. */
  authenticationExpires: string | null;
  /** AT_RISK: something is wrong with it; PENDING: and it has time to mend that. */
  health: 'SAFE' | 'AT_RISK' | 'PENDING';
  /** End of that time. */
  healthUntil: string | null;
  /** What policies match on. Sent: it stays until it is sent empty, whatever else would give one. */
  role: string;
  /** What gave the role. */
  roleSource: 'ADMIN' | 'PROFILING_RULE' | 'DIRECTORY' | 'GROUP' | 'VENDOR_OUI' | 'PORTAL' | 'DEFAULT';
  /** Whose host it is. */
  owner: string | null;
  /** The account of the owner. */
  ownerID: number | null;
  /** Who is logged on. */
  loggedOnUserID: string | null;
  /** What it is; on write found by its id or its tag. Absent on create: unknown. */
  deviceType: HostDeviceType;
  operatingSystem: string | null;
  /** Maker and model. */
  hardwareType: string | null;
  serialNumber: string | null;
  /** When it was made. */
  creationTime: string;
  /** When it came to the network last; null: never. */
  lastConnected: string | null;
  /** When one of its adapters left the network last; null: never. */
  lastDisconnected: string | null;
  /** When it leaves the database by itself; null: never. */
  expirationDate: string | null;
  /** Who set that date; a stronger source is not overruled. */
  expirationSource: 'MANUAL' | 'GUEST' | 'DIRECTORY' | 'GROUP' | 'GLOBAL' | null;
  /** When it leaves if it does not come back; null: it is connected, or need not come back. */
  inactivityDate: string | null;
  /** Days that it may be away; null: for ever. */
  inactiveDays: number | null;
  /** Identity of the agent on it. */
  agentID: string | null;
  /** Version of that agent. */
  agentVersion: string | null;
  /** What the agent runs on. */
  agentPlatform: string | null;
  /** When the agent spoke last. */
  lastAgentContact: string | null;
  /** How often it was told to update. */
  agentUpdateAttempts: number;
  /** Whether an MDM server knows it. */
  managedByMDM: boolean;
  /** That server. */
  mdmServerID: number | null;
  /** Whether the server calls it compliant. */
  mdmCompliant: boolean | null;
  /** Whether the server calls it compromised. */
  mdmCompromised: boolean | null;
  /** Risk as the server puts it. */
  mdmRisk: string | null;
  /** It is scanned when it is there again. */
  scanRequired: boolean;
  /** When it was scanned last. */
  lastScan: string | null;
  /** What came of that. */
  lastScanResult: 'PASSED' | 'WARNING' | 'FAILED' | 'ERROR' | null;
  /** Container of a device in the topology. */
  containerID: number | null;
  /** Profiling confirms it each time it connects. */
  reValidation: boolean;
  /** Minutes between confirmations; 0: only when it connects. */
  reValidationInterval: number;
  /** When it was confirmed last. */
  lastReValidation: string | null;
  /** Groups that it is a direct member of. */
  groups: string[];
  notes: string | null;
  /** Names and values of the administrators. */
  attributes: OwnAttribute[];
  /** Its adapters as records, where one host is fetched or looked for; in a list with withAdapters. */
  adapterObjects: AdapterOfHost[];
  /** When the filter was asked. */
  cachedAt: string;
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
  /** Role that new devices here get. */
  role?: string | null;
  /** Name, unique in the cell. */
  name?: string;
  /** WIRELESS: where access points that are added automatically go; at most one. */
  type?: 'WIRELESS' | null;
  /** Always null: it belongs to devices. */
  protocol?: string | null;
  /** 0 empty or unknown, 1 all devices in contact, 2 some lost, 3 all lost. */
  status?: number;
  /** Name of the container above; empty for the root. Absent on create: the root. */
  parent?: string;
  /** DNS suffix cut from device names at discovery. */
  suffix?: string | null;
  /** Counts the configured changes; send it back to refuse a stale write. */
  version?: number;
  notes?: string | null;
  description?: string | null;
  /** Device group that devices here join. */
  group?: string | null;
  /** Seconds between contact polls of the devices here. */
  pollingInterval?: number;
  /** Newest poll of its devices. Written as an instant with the offset +0000. */
  lastPoll?: string | null;
  /** Newest successful poll of its devices; 1970 means never. Written as an instant with the offset +0000. */
  lastSuccessfulPoll?: string;
  /** MIB modules that its devices answer. */
  mibs?: string[];
  /** The newest DOMAIN_DESTROYED of this record. */
  destroyEvent?: EventObject;
  /** The newest DOMAIN_CREATED of this record. */
  creationEvent?: EventObject;
  /** The newest CONTACT_ESTABLISHED of this record. */
  establishedEvent?: EventObject;
  /** The newest CONTACT_LOST of this record. */
  lostEvent?: EventObject;
  /** What changed since the last poll of a monitor, as bits; 0 elsewhere. */
  changeMask?: number;
  attributeNames?: string[];
  /** Always null: it belongs to devices. */
  physicalAddress?: string | null;
  /** Always null: it belongs to devices. */
  sysOid?: string | null;
  /** The version again. */
  packedVersion?: number;
  /** Name of the record in the audit log. */
  auditObjectName?: string;
  auditObjectType?: AuditObjectType;
  /** What the audit log says of its creation. */
  addAuditSummary?: string;
  /** Names from the root down, with slashes. */
  domainName?: string;
  identification?: string;
  /** Where the record is fetched. */
  requestString?: string;
  /** Free attributes. */
  attribute?: ContainerAttribute[];
  /** What the last write changed, as bits. */
  lastChangeMask?: number;
}

export interface ChangedEvent {
  /** Number of the cell that owns the record. */
  landscape?: number;
  /** Identity of the event; it tells the time too. */
  id?: number;
  /** 0 logged, 1 raised or joined an alarm, 2 that alarm is cleared, 3 cleared an alarm. */
  state?: number;
  /** The name of its event type. */
  name?: string;
  /** What it happened to: 0 system, 1 container, 2 device, 3 port, 4 host, 5 adapter, 6 user, 7 administrator, 8 group, 9 policy record, 10 integration, 11 process or job. */
  elementType?: number;
  /** Identity of what it happened to. */
  elementID?: number;
  /** Its name at that time. */
  elementName?: string | null;
  /** More, in the words of whoever told it. */
  message?: string | null;
  timeOfEvent?: string;
  /** Version of the form of events. */
  version?: number;
  /** Epoch milliseconds. */
  time?: number;
  /** True only where a record embeds an event that has never happened. */
  empty?: boolean;
  /** The readable text. */
  eventFormatString?: string;
  /** Identity of its event type. */
  eventTypeID?: number;
  /** What part of the network or the service it is about. */
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
  /** The host it is about. */
  hostID?: number | null;
  /** Written as a MAC address, taken in any notation; empty for none. */
  mac?: string | null;
  /** Address of the host, or of who caused it. Written as an IPv4 or IPv6 address. */
  ip?: string | null;
  /** Whom it is about, or who caused it. */
  userName?: string | null;
  /** Where it happened, in words. */
  location?: string | null;
  /** Facts beyond the fields, by name. */
  attributes?: Record<string, string>;
  /** What was said about it later. */
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
  /** 2 a device that is managed, 3 one that is only pinged. */
  elementClass?: number;
  /** 0 never contacted, 1 contact established, 2 contact lost, 3 degraded (it pings, and SNMP or CLI fails), 4 management disabled. */
  status?: number;
  /** Counts the configured changes; send it back to refuse a stale write. */
  version?: number;
  /** Name, unique in the cell. */
  name?: string;
  /** Address it is managed by, unique in the cell. Written as an IPv4 or IPv6 address. */
  ipAddress?: string | null;
  /** MAC address of the device itself. Written as a MAC address, taken in any notation; empty for none. */
  physicalAddress?: string | null;
  /** The container that holds it. */
  containerID?: number;
  /** Name of the container. */
  container?: string;
  /** What works on it. */
  driver?: 'qbridge' | 'cisco-ios' | 'hostapd' | 'radius-only' | 'linux-firewall' | 'ping';
  /** Tag of the device type it is taken for, whatever it says; firewall and access-point also choose the driver. */
  deviceTypeOverride?: string | null;
  /** Tag of its device type. */
  deviceType?: string;
  /** Who made it. */
  vendor?: string | null;
  /** What they call it. */
  model?: string | null;
  /** What runs on it. */
  firmware?: string | null;
  /** As the device tells it. */
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
  /** How the service speaks to it. */
  protocol?: 'SNMP_V1' | 'SNMP_V2C' | 'SNMP_V3' | 'PING' | 'RADIUS';
  /** Role of the device. */
  role?: string | null;
  description?: string;
  note?: string;
  /** MIB modules that it answers. */
  mibs?: string[];
  /** How many ports it has. */
  portCount?: number;
  /** How many adapters are connected to its ports now. */
  connectedHosts?: number;
  /** User of SNMPv3. */
  snmpUsername?: string | null;
  /** How SNMPv3 signs. */
  snmpAuthenticationProtocol?: 'MD5' | 'SHA' | 'SHA224' | 'SHA256' | 'SHA384' | 'SHA512' | null;
  /** How SNMPv3 encrypts; null: not. AES256 with key extension by Blumenthal (B) or Reeder (R). */
  snmpPrivacyProtocol?: 'DES' | 'AES' | 'AES256B' | 'AES256R' | null;
  /** Whether snmpSecurityStrings is set. */
  snmpSecurityStringsSet?: boolean;
  /** Whether snmpAuthenticationPassword is set. */
  snmpAuthenticationPasswordSet?: boolean;
  /** Whether snmpPrivacyPassword is set. */
  snmpPrivacyPasswordSet?: boolean;
  snmpPort?: number;
  cliCredentials?: CliCredentials | null;
  /** Whether it may ask the RADIUS server. */
  radiusEnabled?: boolean;
  /** Whether radiusSecret is set. */
  radiusSecretSet?: boolean;
  /** NAS-Identifier, where its address does not tell who it is. */
  nasIdentifier?: string | null;
  /** Where it takes changes of authorisation (RFC 5176). */
  coaPort?: number;
  /** Virtual RADIUS server; null: the default one. */
  radiusServerConfigID?: number | null;
  /** Attributes it is answered with; null: those of its driver. */
  radiusAttrGroupID?: number | null;
  /** When no decision is possible: no answer, or the last accept on that port again. */
  whenUndecided?: 'SILENT' | 'LAST_ACCEPT';
  /** False: it is watched, and nothing on it is changed. */
  managed?: boolean;
  /** How access is changed, in the order to try; absent on create: as its protocol suggests. */
  enforcementMethods?: ('COA' | 'DISCONNECT' | 'SNMP' | 'CLI' | 'BOUNCE')[];
  /** Take the link down shortly, so that the host asks for a new address. */
  bounceAfterVlanChange?: boolean;
  /** Answer RADIUS with the default VLAN of the port when nothing else was decided. */
  sendDefaultVlan?: boolean;
  /** VLANs that it has. */
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
  /** Who comes first when all are due. */
  l3PollingPriority?: 'HIGH' | 'MEDIUM' | 'LOW';
  /** Last contact poll. */
  lastPoll?: string | null;
  /** Last contact poll that it answered. */
  lastSuccessfulPoll?: string | null;
  /** Last reading of the forwarding table. */
  lastL2Poll?: string | null;
  /** Last reading of the ARP and neighbour tables. */
  lastL3Poll?: string | null;
  /** Last trap from it. */
  lastTrap?: string | null;
  /** What reads its messages about hosts. */
  incomingEventParserID?: number | null;
  /** How a firewall is told who has which address. */
  ssoAgentType?: 'NONE' | 'STREAM' | 'RADIUS_ACCOUNTING';
  /** Hosts of which addresses a firewall is told about. */
  ssoAddressGroupID?: number | null;
  /** Addresses of the VPN clients of a firewall. */
  vpnAddressGroupID?: number | null;
  /** The newest DEVICE_CREATED of this record. */
  creationEvent?: EventObject;
  /** The newest DEVICE_DESTROYED of this record. */
  destroyEvent?: EventObject;
  /** The newest CONTACT_ESTABLISHED of this record. */
  establishedEvent?: EventObject;
  /** The newest CONTACT_LOST of this record. */
  lostEvent?: EventObject;
  /** Who changed the record last. */
  lastModifiedBy?: string;
  /** When it was changed last. */
  lastModifiedDate?: string;
}

export interface ChangedPort {
  /** Identity of the record. */
  dbid?: number;
  /** The identity again. */
  legacyDBID?: number;
  /** 0 physical, 1 SSID, 2 VPN, 3 link aggregate, 4 virtual. */
  portType?: number;
  /** Its name on the device (ifName), or that of the SSID or VPN entry. */
  name?: string;
  /** ifIndex as text; `ssid:<name>` and `vpn:<name>` for those. */
  portID?: string;
  /** The label, or without one the name. */
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
  /** MAC address of the interface itself. Written as a MAC address, taken in any notation; empty for none. */
  physAddr?: string;
  /** Name that administrators gave it; begins as the ifAlias of the device. */
  label?: string;
  /** 0 nothing connected, 1 registered host, 2 rogue, 3 IP phone, 4 host registered as device, 5 several hosts, 6 rogue and phone, 7 registered host and phone, 8 learned uplink, 9 threshold uplink, 10 user-defined uplink, 11 WAP uplink, 12 disabled host, 13 host at risk. */
  connectionState?: number;
  /** VLAN it returns to when empty. */
  defaultVlan?: string;
  /** VLAN that was read last. */
  currentVlan?: string;
  /** CLI configuration in force; empty: none. */
  currentCli?: string;
  notes?: string;
  /** Who changed the record last. */
  lastModifiedBy?: string;
  /** The newest change of the port, in words. */
  lastChangeSummary?: string;
  /** When it was changed last. */
  lastModifiedDate?: string;
  /** False for virtual interfaces. */
  displayable?: boolean;
  /** ifName, by which the port is known; the portID of an SSID or VPN entry. */
  ifname?: string;
  /** ifIndex; the device may change it when it restarts. Empty: it has none. */
  ifindex?: string;
  /** Bits per second. */
  ifspeed?: string;
  /** ifDescr. */
  ifdescr?: string;
  /** What the device was told (IF-MIB): 1 up, 2 down, 3 testing; 0 not reported. */
  ifadminStatus?: number;
  /** What it is (IF-MIB): 1 up, 2 down, 3 testing, 4 unknown, 5 dormant, 6 not present, 7 lower layer down; 0 not reported. */
  ifoperStatus?: number;
  /** Event type of the last change. */
  yamsEventTag?: string;
  /** The last audit record of this record. */
  auditObj?: AuditObject;
  /** Never take it for a learned or threshold uplink. */
  uplinkDisabled?: boolean;
}

export interface CliCredentials {
  userName: string;
  passwordSet: boolean;
  enablePasswordSet: boolean;
  port: number;
  /** The key that the device showed first; another one stops the command line. */
  hostKey: string | null;
}

export interface CliCredentialsInput {
  userName?: string;
  /** Password of the account. */
  password?: string | null;
  /** Password that raises its rights. */
  enablePassword?: string | null;
  port?: number;
  /** Null forgets the key, so that the next one is taken. */
  hostKey?: string | null;
  /** As it was read; means nothing here. */
  passwordSet?: boolean;
  /** As it was read; means nothing here. */
  enablePasswordSet?: boolean;
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
  /** Role that new devices here get. */
  role: string | null;
  /** Name, unique in the cell. */
  name: string;
  /** WIRELESS: where access points that are added automatically go; at most one. */
  type: 'WIRELESS' | null;
  /** Always null: it belongs to devices. */
  protocol: string | null;
  /** 0 empty or unknown, 1 all devices in contact, 2 some lost, 3 all lost. */
  status: number;
  /** Name of the container above; empty for the root. Absent on create: the root. */
  parent: string;
  /** DNS suffix cut from device names at discovery. */
  suffix: string | null;
  /** Counts the configured changes; send it back to refuse a stale write. */
  version: number;
  notes: string | null;
  description: string | null;
  /** Device group that devices here join. */
  group: string | null;
  /** Seconds between contact polls of the devices here. */
  pollingInterval: number;
  /** Newest poll of its devices. Written as an instant with the offset +0000. */
  lastPoll: string | null;
  /** Newest successful poll of its devices; 1970 means never. Written as an instant with the offset +0000. */
  lastSuccessfulPoll: string;
  /** MIB modules that its devices answer. */
  mibs: string[];
  /** The newest DOMAIN_DESTROYED of this record. */
  destroyEvent: EventObject;
  /** The newest DOMAIN_CREATED of this record. */
  creationEvent: EventObject;
  /** The newest CONTACT_ESTABLISHED of this record. */
  establishedEvent: EventObject;
  /** The newest CONTACT_LOST of this record. */
  lostEvent: EventObject;
  /** What changed since the last poll of a monitor, as bits; 0 elsewhere. */
  changeMask: number;
  attributeNames: string[];
  /** Always null: it belongs to devices. */
  physicalAddress: string | null;
  /** Always null: it belongs to devices. */
  sysOid: string | null;
  /** The version again. */
  packedVersion: number;
  /** Name of the record in the audit log. */
  auditObjectName: string;
  auditObjectType: AuditObjectType;
  /** What the audit log says of its creation. */
  addAuditSummary: string;
  /** Names from the root down, with slashes. */
  domainName: string;
  identification: string;
  /** Where the record is fetched. */
  requestString: string;
  /** Free attributes. */
  attribute: ContainerAttribute[];
  /** What the last write changed, as bits. */
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
  /** Acknowledges everything up to this entry when sent with the next poll. */
  position: string;
  change: 'added' | 'modified' | 'removed';
  /** The record as it is now; a removed one has its identity alone. */
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
  /** Role that new devices here get. */
  role?: string | null;
  /** Name, unique in the cell. */
  name?: string;
  /** WIRELESS: where access points that are added automatically go; at most one. */
  type?: 'WIRELESS' | null;
  /** Always null: it belongs to devices. */
  protocol?: string | null;
  /** 0 empty or unknown, 1 all devices in contact, 2 some lost, 3 all lost. */
  status?: number;
  /** Name of the container above; empty for the root. Absent on create: the root. */
  parent?: string;
  /** DNS suffix cut from device names at discovery. */
  suffix?: string | null;
  /** Counts the configured changes; send it back to refuse a stale write. */
  version?: number;
  notes?: string | null;
  description?: string | null;
  /** Device group that devices here join. */
  group?: string | null;
  /** Seconds between contact polls of the devices here. */
  pollingInterval?: number;
  /** Newest poll of its devices. Written as an instant with the offset +0000. */
  lastPoll?: string | null;
  /** Newest successful poll of its devices; 1970 means never. Written as an instant with the offset +0000. */
  lastSuccessfulPoll?: string;
  /** MIB modules that its devices answer. */
  mibs?: string[];
  /** The newest DOMAIN_DESTROYED of this record. */
  destroyEvent?: EventObjectInput;
  /** The newest DOMAIN_CREATED of this record. */
  creationEvent?: EventObjectInput;
  /** The newest CONTACT_ESTABLISHED of this record. */
  establishedEvent?: EventObjectInput;
  /** The newest CONTACT_LOST of this record. */
  lostEvent?: EventObjectInput;
  /** What changed since the last poll of a monitor, as bits; 0 elsewhere. */
  changeMask?: number;
  attributeNames?: string[];
  /** Always null: it belongs to devices. */
  physicalAddress?: string | null;
  /** Always null: it belongs to devices. */
  sysOid?: string | null;
  /** The version again. */
  packedVersion?: number;
  /** Name of the record in the audit log. */
  auditObjectName?: string;
  auditObjectType?: AuditObjectTypeInput;
  /** What the audit log says of its creation. */
  addAuditSummary?: string;
  /** Names from the root down, with slashes. */
  domainName?: string;
  identification?: string;
  /** Where the record is fetched. */
  requestString?: string;
  /** Free attributes. */
  attribute?: ContainerAttributeInput[];
  /** What the last write changed, as bits. */
  lastChangeMask?: number;
}

export interface DeviceMove {
  id: number;
  name: string;
  /** Container it is in. */
  from: string;
  /** Container it comes to. */
  to: string;
  /** Its role before and after, where it follows the container. */
  roleChange: string | null;
  /** Device group that it joins. */
  groupChange: string | null;
  /** Policies that look at where it is. */
  policiesAffected: string[];
}

/** Rules that recognise unknown devices and decide what they become; the first that matches, by rank, decides. */
export interface DeviceProfilingRule {
  /** Number of the cell that owns the record. */
  landscape: number;
  /** Identity of the record. */
  id: number;
  name: string;
  /** Device type that is given on a match; on write found by its id or its tag. */
  type: DeviceTypeShown;
  /** Mail the sponsors who may manage this rule. */
  notify: boolean;
  /** False: a match is recorded, and an administrator registers the device. */
  registerAutomatically: boolean;
  /** Register what matches at all. */
  registerClient: boolean;
  /** Register to the user who is logged on. */
  registerToLoggedInUser: boolean;
  /** Role that it gets; empty: none. */
  role: string;
  /** Add it to the group of groupId. */
  addToGroup: boolean;
  /** Host group; 0: none. */
  groupId: number;
  /** Add it to the container of domainId, as a device that is pinged. */
  addToDomain: boolean;
  /** Container; 0: none. */
  domainId: number;
  /** INVALID: enabled, but a reference or a secret is missing; it is skipped. */
  state: 'ACTIVE' | 'DISABLED' | 'INVALID';
  /** Counts the configured changes; send it back to refuse a stale write. */
  version: number;
  /** Place in the order, from 1. On create absent or 0: last; on update: move. */
  rank: number;
  /** New rules are disabled unless said otherwise. */
  enabled: boolean;
  /** How it recognises a device: all enabled ones must pass. Each type once. */
  methods: ProfilingMethod[];
  description: string;
  /** For the sponsors who are told of a match. */
  sponsorNote: string;
  /** When devices of this rule may be on the network. */
  weeklySchedule: WeeklySchedule;
  /** Confirm the device each time it connects. */
  reValidation: boolean;
  /** Minutes between confirmations; 0: only when it connects. */
  reValidationInterval: number;
  /** What happens to a host that is not confirmed. */
  failedValidationAction: FailedValidationAction;
  /** Who changed the record last. */
  lastModifiedBy: string;
  /** When it was changed last. */
  lastModifiedDate: string;
  /** Given by a manager of several cells; 0: made here. */
  guid: number;
  /** When a manager changed it last; 1970: never. */
  globalModifiedDate: string;
  /** User to register to; empty: none. */
  registerToUser: string;
  tags: string[];
  /** Name of the record in the audit log. */
  auditObjectName: string;
  auditObjectType: AuditObjectType;
  /** What the audit log says of its last change; empty: none yet. */
  modifyAuditSummary: string;
  /** What the audit log says of its creation. */
  addAuditSummary: string;
  /** The built-in last one: it marks what no rule knows, and has no methods. */
  catchAll: boolean;
  /** Its enabled methods in words, such as OUI, DHCP, TCP 9100. */
  methodSummaryString: string;
}

export interface DeviceProfilingRuleInput {
  /** Number of the cell that owns the record. */
  landscape?: number;
  /** Identity of the record. */
  id?: number | null;
  name?: string;
  /** Device type that is given on a match; on write found by its id or its tag. */
  type?: DeviceTypeShownInput;
  /** Mail the sponsors who may manage this rule. */
  notify?: boolean;
  /** False: a match is recorded, and an administrator registers the device. */
  registerAutomatically?: boolean;
  /** Register what matches at all. */
  registerClient?: boolean;
  /** Register to the user who is logged on. */
  registerToLoggedInUser?: boolean;
  /** Role that it gets; empty: none. */
  role?: string;
  /** Add it to the group of groupId. */
  addToGroup?: boolean;
  /** Host group; 0: none. */
  groupId?: number;
  /** Add it to the container of domainId, as a device that is pinged. */
  addToDomain?: boolean;
  /** Container; 0: none. */
  domainId?: number;
  /** INVALID: enabled, but a reference or a secret is missing; it is skipped. */
  state?: 'ACTIVE' | 'DISABLED' | 'INVALID';
  /** Counts the configured changes; send it back to refuse a stale write. */
  version?: number;
  /** Place in the order, from 1. On create absent or 0: last; on update: move. */
  rank?: number;
  /** New rules are disabled unless said otherwise. */
  enabled?: boolean;
  /** How it recognises a device: all enabled ones must pass. Each type once. */
  methods?: ProfilingMethodInput[];
  description?: string;
  /** For the sponsors who are told of a match. */
  sponsorNote?: string;
  /** When devices of this rule may be on the network. */
  weeklySchedule?: WeeklyScheduleInput;
  /** Confirm the device each time it connects. */
  reValidation?: boolean;
  /** Minutes between confirmations; 0: only when it connects. */
  reValidationInterval?: number;
  /** What happens to a host that is not confirmed. */
  failedValidationAction?: FailedValidationActionInput;
  /** Who changed the record last. */
  lastModifiedBy?: string;
  /** When it was changed last. */
  lastModifiedDate?: string;
  /** Given by a manager of several cells; 0: made here. */
  guid?: number;
  /** When a manager changed it last; 1970: never. */
  globalModifiedDate?: string;
  /** User to register to; empty: none. */
  registerToUser?: string;
  tags?: string[];
  /** Name of the record in the audit log. */
  auditObjectName?: string;
  auditObjectType?: AuditObjectTypeInput;
  /** What the audit log says of its last change; empty: none yet. */
  modifyAuditSummary?: string;
  /** What the audit log says of its creation. */
  addAuditSummary?: string;
  /** The built-in last one: it marks what no rule knows, and has no methods. */
  catchAll?: boolean;
  /** Its enabled methods in words, such as OUI, DHCP, TCP 9100. */
  methodSummaryString?: string;
}

/** How devices are polled, and what follows their traps, for the whole cell. */
export interface DeviceProperties {
  /** Seconds after a linkUp before the forwarding table is read. */
  minTrapPeriod: number;
  /** How often further linkUps may put that off. */
  maxTrapPeriods: number;
  /** Seconds after a restart before the interfaces are read. */
  coldWarmTrapDelay: number;
  /** Seconds after a registration before access changes: time to read the page. */
  registrationDelay: number;
  /** Seconds before a VLAN is changed. */
  vlanSwitchingDelay: number;
  /** Seconds after the last host left before the port returns to its VLAN. */
  vlanResetDelay: number;
  /** How long a bounced port is down. */
  bounceDownSeconds: number;
  /** More addresses than this make a port an uplink. */
  uplinkCount: number;
  /** Seconds in which one address on two ports is suspicious. */
  macSpoofDelay: number;
  /** More addresses than this on a port are told. */
  multiAccessThreshold: number;
  /** Follow LLDP neighbours. */
  lldpDiscovery: boolean;
  /** Follow CDP neighbours. */
  cdpDiscovery: boolean;
  /** How far a discovery follows neighbours. */
  maxHops: number;
  /** Leave out addresses that a switch tells of ports with a phone. */
  ignoreMacNotificationOnPhone: boolean;
  /** Reading the interfaces never overwrites an edited label. */
  preservePortNames: boolean;
  /** Seconds to wait for the command line. */
  cliTimeout: number;
  /** Seconds to wait for an answer by SNMP. */
  snmpTimeout: number;
  /** How often SNMP asks again. */
  snmpRetries: number;
  /** Hosts that a user may own. */
  allowedHosts: number;
  /** Who changed the record last. */
  lastModifiedBy: string;
  /** When it was changed last. */
  lastModifiedDate: string;
  /** Counts the configured changes; send it back to refuse a stale write. */
  version: number;
}

export interface DevicePropertiesInput {
  /** Seconds after a linkUp before the forwarding table is read. */
  minTrapPeriod?: number;
  /** How often further linkUps may put that off. */
  maxTrapPeriods?: number;
  /** Seconds after a restart before the interfaces are read. */
  coldWarmTrapDelay?: number;
  /** Seconds after a registration before access changes: time to read the page. */
  registrationDelay?: number;
  /** Seconds before a VLAN is changed. */
  vlanSwitchingDelay?: number;
  /** Seconds after the last host left before the port returns to its VLAN. */
  vlanResetDelay?: number;
  /** How long a bounced port is down. */
  bounceDownSeconds?: number;
  /** More addresses than this make a port an uplink. */
  uplinkCount?: number;
  /** Seconds in which one address on two ports is suspicious. */
  macSpoofDelay?: number;
  /** More addresses than this on a port are told. */
  multiAccessThreshold?: number;
  /** Follow LLDP neighbours. */
  lldpDiscovery?: boolean;
  /** Follow CDP neighbours. */
  cdpDiscovery?: boolean;
  /** How far a discovery follows neighbours. */
  maxHops?: number;
  /** Leave out addresses that a switch tells of ports with a phone. */
  ignoreMacNotificationOnPhone?: boolean;
  /** Reading the interfaces never overwrites an edited label. */
  preservePortNames?: boolean;
  /** Seconds to wait for the command line. */
  cliTimeout?: number;
  /** Seconds to wait for an answer by SNMP. */
  snmpTimeout?: number;
  /** How often SNMP asks again. */
  snmpRetries?: number;
  /** Hosts that a user may own. */
  allowedHosts?: number;
  /** Who changed the record last. */
  lastModifiedBy?: string;
  /** When it was changed last. */
  lastModifiedDate?: string;
  /** Counts the configured changes; send it back to refuse a stale write. */
  version?: number;
}

export interface DeviceRegistration {
  /** The hosts. */
  id: number[];
  /** Tag of the device type. */
  deviceType: string;
  /** Role that they get. */
  role?: string;
  /** Name; only for one host. */
  name?: string;
  /** HOST: as a host, unless said otherwise; TOPOLOGY: as a device that is pinged; BOTH. */
  registerAs?: 'HOST' | 'TOPOLOGY' | 'BOTH';
  /** Where the pinged device lies. */
  containerID?: number;
  /** Host groups that they join. */
  groupIDs?: number[];
}

/** What a device can be (printer, camera, IP phone), with its icons. */
export interface DeviceType {
  /** Identity of the record. */
  id: number;
  /** The identity again. */
  dbid: number;
  name: string;
  /** The key by which rules and other systems know the type; it never changes. Written as 2 to 40 small letters, digits and hyphens. */
  tag: string;
  /** Path of the icon to show: one of the library, or the uploaded one at /icons/device-type/{id}. Absent on create: the uploaded one, if there is one. */
  imageFile: string;
  /** Icon for tables: a data URI of a PNG or SVG image, at most 64 KiB. SVG is stripped of all but drawing. Written as a data URI of a PNG or SVG image, such as data:image/png;base64,…. */
  smallIcon: string | null;
  /** Icon for pages: a data URI of a PNG or SVG image, at most 64 KiB. SVG is stripped of all but drawing. Written as a data URI of a PNG or SVG image, such as data:image/png;base64,…. */
  largeIcon: string | null;
  /** What kind of thing it is, for grouping. */
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
  /** Shipped with the service; cannot be changed or deleted. */
  defaultType: boolean;
  /** Hosts of this type. */
  hostCount: number;
  /** Identity of the record at the manager that gave it; 0: it is of this cell. */
  guid: number;
  /** When the manager changed it last. */
  globalModifiedDate: string | null;
  /** Who changed the record last. */
  lastModifiedBy: string;
  /** When it was changed last. */
  lastModifiedDate: string;
  /** Counts the configured changes; send it back to refuse a stale write. */
  version: number;
}

export interface DeviceTypeInUse {
  name: string;
  tag: string;
  imageFile: string;
  id: number;
  /** Hosts of this type. */
  hosts: number;
  /** Those of them that are connected. */
  online: number;
}

export interface DeviceTypeInput {
  /** Identity of the record. */
  id?: number | null;
  /** The identity again. */
  dbid?: number;
  name?: string;
  /** The key by which rules and other systems know the type; it never changes. Written as 2 to 40 small letters, digits and hyphens. */
  tag?: string;
  /** Path of the icon to show: one of the library, or the uploaded one at /icons/device-type/{id}. Absent on create: the uploaded one, if there is one. */
  imageFile?: string;
  /** Icon for tables: a data URI of a PNG or SVG image, at most 64 KiB. SVG is stripped of all but drawing. Written as a data URI of a PNG or SVG image, such as data:image/png;base64,…. */
  smallIcon?: string | null;
  /** Icon for pages: a data URI of a PNG or SVG image, at most 64 KiB. SVG is stripped of all but drawing. Written as a data URI of a PNG or SVG image, such as data:image/png;base64,…. */
  largeIcon?: string | null;
  /** What kind of thing it is, for grouping. */
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
  /** Shipped with the service; cannot be changed or deleted. */
  defaultType?: boolean;
  /** Hosts of this type. */
  hostCount?: number;
  /** Identity of the record at the manager that gave it; 0: it is of this cell. */
  guid?: number;
  /** When the manager changed it last. */
  globalModifiedDate?: string | null;
  /** Who changed the record last. */
  lastModifiedBy?: string;
  /** When it was changed last. */
  lastModifiedDate?: string;
  /** Counts the configured changes; send it back to refuse a stale write. */
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

/** What happens at the logon of a directory user; the first that matches, by rank, decides. */
export interface DirectoryAgentConfig {
  /** Identity of the record. */
  dbid: number;
  /** Place in the order, from 1. On create absent or 0: last; on update: move. */
  rank: number;
  /** Counts the configured changes; send it back to refuse a stale write. */
  version: number;
  /** Who changed the record last. */
  lastModifiedBy: string;
  /** When it was changed last. */
  lastModifiedDate: string;
  name: string;
  /** Register a host that is not known yet. */
  registerRogue: boolean;
  /** True: to the user; false: as a device, by its host name. */
  registerByUser: boolean;
  /** Directory group the user must be in; empty: any. */
  appliedGroupName: string;
  /** Host groups that the host joins. */
  addGroupList: DirectoryAgentGroupListItem[];
  /** Equal to addGroupList; on write it may only repeat it. */
  addGroupListCopy: DirectoryAgentGroupListItem[];
  /** Compliance scan to run; empty: the one that policy gives. */
  policyName: string;
  /** Minutes: scan unless scanned within; 0: at every logon; -1: never. */
  scanGraceLength: number;
  enabled: boolean;
  /** Write each decision to the debug log. */
  debug: boolean;
  /** Event type of the last change. */
  yamsEventTag: string;
  /** The last audit record of this record. */
  auditObj: AuditObject;
  /** The groups by id; stands in for an absent addGroupList. */
  addToGroupIDs: number[];
  /** The groups by name; stands in for an absent addGroupList. */
  addToGroupNames: string[];
  /** Name of the record in the audit log. */
  auditObjectName: string;
  auditObjectType: AuditObjectType;
}

export interface DirectoryAgentConfigInput {
  /** Identity of the record. */
  dbid?: number | null;
  /** Place in the order, from 1. On create absent or 0: last; on update: move. */
  rank?: number;
  /** Counts the configured changes; send it back to refuse a stale write. */
  version?: number;
  /** Who changed the record last. */
  lastModifiedBy?: string;
  /** When it was changed last. */
  lastModifiedDate?: string;
  name?: string;
  /** Register a host that is not known yet. */
  registerRogue?: boolean;
  /** True: to the user; false: as a device, by its host name. */
  registerByUser?: boolean;
  /** Directory group the user must be in; empty: any. */
  appliedGroupName?: string;
  /** Host groups that the host joins. */
  addGroupList?: DirectoryAgentGroupListItemInput[];
  /** Equal to addGroupList; on write it may only repeat it. */
  addGroupListCopy?: DirectoryAgentGroupListItemInput[];
  /** Compliance scan to run; empty: the one that policy gives. */
  policyName?: string;
  /** Minutes: scan unless scanned within; 0: at every logon; -1: never. */
  scanGraceLength?: number;
  enabled?: boolean;
  /** Write each decision to the debug log. */
  debug?: boolean;
  /** Event type of the last change. */
  yamsEventTag?: string;
  /** The last audit record of this record. */
  auditObj?: AuditObjectInput;
  /** The groups by id; stands in for an absent addGroupList. */
  addToGroupIDs?: number[];
  /** The groups by name; stands in for an absent addGroupList. */
  addToGroupNames?: string[];
  /** Name of the record in the audit log. */
  auditObjectName?: string;
  auditObjectType?: AuditObjectTypeInput;
}

export interface DirectoryAgentGroupListItem {
  /** Identity of the entry; the service gives it. */
  directoryAgentGroupListItemID: number;
  /** The host group. */
  addGroupID: number;
  /** Its name; either may be sent. */
  addGroupName: string;
  /** Name of this configuration. */
  config: string;
}

export interface DirectoryAgentGroupListItemInput {
  /** Identity of the entry; the service gives it. */
  directoryAgentGroupListItemID?: number;
  /** The host group. */
  addGroupID?: number;
  /** Its name; either may be sent. */
  addGroupName?: string;
  /** Name of this configuration. */
  config?: string;
}

export interface DisableByIp {
  /** Its current address. Written as an IPv4 or IPv6 address. */
  ip: string;
}

export interface DisableByMac {
  /** MAC address of one of its adapters, in any notation. Written as a MAC address, taken in any notation; empty for none. */
  mac: string;
}

export interface DiscoveryCredentialInput {
  /** Version of SNMP. */
  snmpProtocol: 'V1' | 'V2C' | 'V3_AUTH_NO_PRIV' | 'V3_AUTH_PRIV';
  snmpPort?: number;
  /** Communities of version 1 and 2c, tried in their order. */
  snmpSecurityStrings?: string[] | null;
  /** User of SNMPv3. */
  snmpUsername?: string | null;
  /** How SNMPv3 signs. */
  snmpAuthenticationProtocol?: 'MD5' | 'SHA' | 'SHA224' | 'SHA256' | 'SHA384' | 'SHA512' | null;
  /** Password that SNMPv3 signs with. */
  snmpAuthenticationPassword?: string | null;
  /** How SNMPv3 encrypts; null: not. AES256 with key extension by Blumenthal (B) or Reeder (R). */
  snmpPrivacyProtocol?: 'DES' | 'AES' | 'AES256B' | 'AES256R' | null;
  /** Password that SNMPv3 encrypts with. */
  snmpPrivacyPassword?: string | null;
  cliCredentials?: CliCredentialsInput | null;
}

export interface DiscoveryItem {
  /** Written as an IPv4 or IPv6 address. */
  ipAddress: string;
  /** UPDATED: a known device got the credential that works. DUPLICATE: a known device at another of its addresses. */
  outcome: 'ADDED' | 'UPDATED' | 'KNOWN' | 'NO_SNMP' | 'PINGABLE_ADDED' | 'DUPLICATE' | 'FAILED';
  /** The device that it is. */
  deviceID: number | null;
  /** Name of the device. */
  name: string | null;
  /** Why it came out so. */
  detail: string | null;
}

export interface DiscoveryRequest {
  /** Where devices that are found are modelled. */
  containerID: number;
  /** Addresses to ask, at most 65536; with seeds the fence that is never left. */
  ranges?: AddressRangeInput[];
  /** A network address group whose addresses are ranges too. */
  addressGroupID?: number | null;
  /** Devices to begin with: their neighbours are asked next, and so on. */
  seeds?: string[];
  /** Follow neighbours that LLDP tells; true unless said otherwise. */
  useLLDP?: boolean;
  /** Follow neighbours that CDP tells; true unless said otherwise. */
  useCDP?: boolean;
  /** How many steps neighbours are followed from the seeds; absent: as the device properties say. */
  maxHops?: number;
  /** Tried in their order at each address; the one that is right is stored in the device. */
  credentials: DiscoveryCredentialInput[];
  /** Model also what answers to ping alone; false unless said otherwise. */
  addPingable?: boolean;
  /** Addresses that are begun in a second; 50 unless said otherwise. */
  probesPerSecond?: number;
}

/** Searches for network devices in ranges of addresses, each into one container. */
export interface DiscoveryRun {
  /** Identity of the record. */
  id: number;
  /** Where devices that are found are modelled. */
  containerID: number;
  /** Name of the container when the run began. */
  containerName: string;
  /** QUEUED, RUNNING and STOPPING are under way; the others have ended. */
  state: 'QUEUED' | 'RUNNING' | 'STOPPING' | 'STOPPED' | 'DONE' | 'FAILED';
  /** Who asked for it. */
  startedBy: string;
  /** When it was asked for. */
  startedAt: string;
  /** When it ended. */
  finishedAt: string | null;
  /** Addresses to ask, as far as they are known: neighbours come on the way. */
  addressesTotal: number;
  /** Addresses that were asked. */
  addressesProbed: number;
  /** Addresses that answered to ping or SNMP. */
  responded: number;
  /** Devices that were modelled, pingable ones too. */
  devicesAdded: number;
  /** Known devices that got the credential that works. */
  devicesUpdated: number;
  /** Addresses that answered and changed nothing: known, a duplicate, or without SNMP. */
  skipped: number;
  /** How many steps from the seeds the farthest address is. */
  hop: number;
  /** Addresses at which something failed. */
  errors: number;
  /** What came of each address that answered, the latest 500, newest first; [] in a list of runs. */
  items: DiscoveryItem[];
}

export interface DiscoveryStop {
  /** The run. */
  id?: number;
  /** Instead: the one into this container. */
  containerID?: number;
}

export interface EnableByIp {
  /** Its current address. Written as an IPv4 or IPv6 address. */
  ip: string;
}

export interface EnableByMac {
  /** MAC address of one of its adapters, in any notation. Written as a MAC address, taken in any notation; empty for none. */
  mac: string;
}

export interface EnforcedPort {
  /** The port, by its dbid. */
  portID: number;
  /** Its name on the device (ifName), or that of the SSID or VPN entry. */
  name: string;
  /** The device it belongs to. */
  deviceID: number;
  /** Name of the device. */
  deviceName: string;
  /** Enforcement groups that it is in, itself or by a nested group. */
  groups: EnforcementGroup[];
  /** States whose hosts it isolates, in the order they are looked at. */
  enforced: string[];
  /** Adapters that are connected. */
  hosts: number;
  /** Those of them that nobody vouched for: all, as long as no hosts are kept. */
  rogues: number;
  /** Access that was decided for what is connected; null: nothing decides access yet. */
  accessState: string | null;
  /** VLAN that was decided; null: nothing decides access yet. */
  desiredVlan: string | null;
  /** VLAN that was read last. */
  currentVlan: string;
  /** No other VLAN is wanted than the current one. */
  inSync: boolean;
  /** When the service changed it last; null: never, or long ago. */
  lastChange: string | null;
}

export interface EnforcementGroup {
  id: number;
  /** Unique among groups of its type. */
  name: string;
  /** The state whose isolation its ports take part in; built-in groups only. */
  enforcement: 'REGISTRATION' | 'AUTHENTICATION' | 'REMEDIATION' | 'DEAD_END' | 'ROLE' | 'NONE';
  /** Place of an enforcement group among those of ports, by the state it is for; null: it is none. */
  rank: number | null;
}

/** Everything noteworthy that happened, written in the transaction that caused it. */
export interface Event {
  /** Number of the cell that owns the record. */
  landscape: number;
  /** Identity of the event; it tells the time too. */
  id: number;
  /** 0 logged, 1 raised or joined an alarm, 2 that alarm is cleared, 3 cleared an alarm. */
  state: number;
  /** The name of its event type. */
  name: string;
  /** What it happened to: 0 system, 1 container, 2 device, 3 port, 4 host, 5 adapter, 6 user, 7 administrator, 8 group, 9 policy record, 10 integration, 11 process or job. */
  elementType: number;
  /** Identity of what it happened to. */
  elementID: number;
  /** Its name at that time. */
  elementName: string | null;
  /** More, in the words of whoever told it. */
  message: string | null;
  timeOfEvent: string;
  /** Version of the form of events. */
  version: number;
  /** Epoch milliseconds. */
  time: number;
  /** True only where a record embeds an event that has never happened. */
  empty: boolean;
  /** The readable text. */
  eventFormatString: string;
  /** Identity of its event type. */
  eventTypeID: number;
  /** What part of the network or the service it is about. */
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
  /** The host it is about. */
  hostID: number | null;
  /** Written as a MAC address, taken in any notation; empty for none. */
  mac: string | null;
  /** Address of the host, or of who caused it. Written as an IPv4 or IPv6 address. */
  ip: string | null;
  /** Whom it is about, or who caused it. */
  userName: string | null;
  /** Where it happened, in words. */
  location: string | null;
  /** Facts beyond the fields, by name. */
  attributes: Record<string, string>;
  /** What was said about it later. */
  notes: EventNote[];
  /** Alarms it raised, joined or cleared. */
  alarmIDs: number[];
  /** The request or job that caused it. */
  requestID: string | null;
}

export interface EventFeedEntry {
  /** Acknowledges everything up to this entry when sent with the next poll. */
  position: string;
  change: 'added' | 'modified' | 'removed';
  /** The record as it is now; a removed one has its identity alone. */
  record: ChangedEvent;
}

export interface EventInput {
  /** Number of the cell that owns the record. */
  landscape?: number;
  /** Identity of the event; it tells the time too. */
  id?: number | null;
  /** 0 logged, 1 raised or joined an alarm, 2 that alarm is cleared, 3 cleared an alarm. */
  state?: number;
  /** The name of its event type. */
  name?: string;
  /** What it happened to: 0 system, 1 container, 2 device, 3 port, 4 host, 5 adapter, 6 user, 7 administrator, 8 group, 9 policy record, 10 integration, 11 process or job. */
  elementType?: number;
  /** Identity of what it happened to. */
  elementID?: number;
  /** Its name at that time. */
  elementName?: string | null;
  /** More, in the words of whoever told it. */
  message?: string | null;
  timeOfEvent?: string;
  /** Version of the form of events. */
  version?: number;
  /** Epoch milliseconds. */
  time?: number;
  /** True only where a record embeds an event that has never happened. */
  empty?: boolean;
  /** The readable text. */
  eventFormatString?: string;
  /** Identity of its event type. */
  eventTypeID?: number;
  /** What part of the network or the service it is about. */
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
  /** The host it is about. */
  hostID?: number | null;
  /** Written as a MAC address, taken in any notation; empty for none. */
  mac?: string | null;
  /** Address of the host, or of who caused it. Written as an IPv4 or IPv6 address. */
  ip?: string | null;
  /** Whom it is about, or who caused it. */
  userName?: string | null;
  /** Where it happened, in words. */
  location?: string | null;
  /** Facts beyond the fields, by name. */
  attributes?: Record<string, string>;
  /** What was said about it later. */
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
  /** What there is to say. */
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
  /** True while this has never happened. */
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
  /** True while this has never happened. */
  empty?: boolean;
  eventFormatString?: string;
}

export interface EventSupportingInfo {
  eventTypes: {
    /** Stable number of the type; those registered at run time begin at 100000. */ id: number | null;
    /** The name that events of this type carry. */
    name: string;
    displayName: string;
    /** What part of the network or the service it is about. */
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
  /** The oldest event that is still here; null: there is none. */
  oldestLive: string | null;
  newest: string | null;
  /** By UTC day; days without events are left out. */
  perDay: { day: string; events: number }[];
}

export interface EventThreshold {
  /** Its events begin with it: CPU gives CPU_WARNING. */
  name: string;
  /** What is measured. */
  metric: string;
  unit: string;
  /** Warn from here on; null: never. */
  warning: number | null;
  /** Critical from here on; null: never. */
  critical: number | null;
  /** How long it must last before it is told. */
  forSeconds: number;
  enabled: boolean;
  /** The worst that nodes measured last; null: nothing yet. */
  current: number | null;
  /** The worst state of any node. */
  state: 'OK' | 'WARNING' | 'CRITICAL';
}

export interface EventThresholdChangeInput {
  /** Its events begin with it: CPU gives CPU_WARNING. */
  name: string;
  /** What is measured. */
  metric?: string;
  unit?: string;
  /** Warn from here on; null: never. */
  warning?: number | null;
  /** Critical from here on; null: never. */
  critical?: number | null;
  /** How long it must last before it is told. */
  forSeconds?: number;
  enabled?: boolean;
  /** The worst that nodes measured last; null: nothing yet. */
  current?: number | null;
  /** The worst state of any node. */
  state?: 'OK' | 'WARNING' | 'CRITICAL';
}

/** The kinds of events there are, and how each is logged. They are defined by code: only strategy and group can be changed. */
export interface EventType {
  /** Stable number of the type; those registered at run time begin at 100000. */
  id: number;
  /** Number of the cell that owns the record. */
  landscape: number;
  /** Counts the configured changes; send it back to refuse a stale write. */
  version: number;
  /** Who changed the record last. */
  lastModifiedBy: string;
  /** When it was changed last. */
  lastModifiedDate: string;
  /** Identity of the record at the manager that gave it; 0: it is of this cell. */
  guid: number;
  /** When the manager changed it last. */
  globalModifiedDate: string | null;
  note: string;
  /** The name that events of this type carry. */
  name: string;
  displayName: string;
  /** What has happened when such an event is logged. */
  description: string;
  /** What part of the network or the service it is about. */
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
  /** Code of what it happens to: 0 system, 1 container, 2 device, 3 port, 4 host, 5 adapter, 6 user, 7 administrator, 8 group, 9 policy record, 10 integration, 11 process or job. */
  elementType: number;
  /** The readable text of its events, with {placeholders}. */
  format: string;
  /** Where its events go: nowhere, into the event log, to log receivers, or both. Only counted when not into the log. */
  loggingStrategy: 'DISABLED' | 'INTERNAL' | 'EXTERNAL' | 'INTERNAL_AND_EXTERNAL';
  /** Only events of members of this group are logged; null: all. */
  groupID: number | null;
  /** The type of the event that tells the end of what this one tells. */
  clearEventTypeID: number | null;
  /** Always logged, and its events cannot be deleted. */
  mandatory: boolean;
  /** May be dropped, counted, when bulk rows come faster than they can be written. */
  droppable: boolean;
  /** Can be posted from outside. */
  postable: boolean;
  /** RFC 5424: 0 emergency … 7 debug. */
  syslogSeverity: number;
  /** Whether a mapping makes alarms of its events. */
  mapped: boolean;
}

export interface EventTypeGroup {
  /** Identities of the event types. */
  id: number[];
  /** A group of what the events happen to; null: log all. */
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
  /** Kept as it is sent. */
  version: number;
}

export interface FailedValidationActionInput {
  /** Disable the host. */
  disable?: boolean;
  /** Kept as it is sent. */
  version?: number;
}

export interface FoundHost {
  /** Identity of the record. */
  id: number | null;
  /** Number of the cell that owns the record. */
  landscape: number;
  /** Counts the configured changes; send it back to refuse a stale write. */
  version: number;
  /** Name, as the host or a person tells it. */
  hostName: string | null;
  /** 1 rogue, 2 registered host, 3 registered device, 4 IP phone, 5 device in the topology. From 1 to 2 or 3 registers it, back to 1 takes that back. */
  type: number;
  /** The type in words. */
  typeLabel: 'Rogue' | 'Registered Host' | 'Registered Device' | 'IP Phone' | 'Device in Topology';
  /** Of its adapters the first that is connected, else the oldest. Written as a MAC address, taken in any notation; empty for none. */
  primaryMac: string | null;
  /** MAC addresses of its adapters. */
  adapters: string[];
  /** Address of a connected adapter, else the last that was known of any. Written as an IPv4 or IPv6 address. */
  ip: string | null;
  /** Whether one of its adapters is on the network now. */
  connected: boolean;
  /** Whether somebody vouched for it. */
  registered: boolean;
  /** When; null: it is a rogue. */
  registeredAt: string | null;
  /** Who; null: it is a rogue. */
  registeredBy: string | null;
  /** False: none of its adapters gets access. */
  enabled: boolean;
  /** Whether somebody proved on it who they are. */
  authenticated: boolean;
  /** Who that was. */
  authenticatedUserID: number | null;
  /** Until when that holds; null: for good. */
  authenticationExpires: string | null;
  /** AT_RISK: something is wrong with it; PENDING: and it has time to mend that. */
  health: 'SAFE' | 'AT_RISK' | 'PENDING';
  /** End of that time. */
  healthUntil: string | null;
  /** What policies match on. Sent: it stays until it is sent empty, whatever else would give one. */
  role: string;
  /** What gave the role. */
  roleSource: 'ADMIN' | 'PROFILING_RULE' | 'DIRECTORY' | 'GROUP' | 'VENDOR_OUI' | 'PORTAL' | 'DEFAULT';
  /** Whose host it is. */
  owner: string | null;
  /** The account of the owner. */
  ownerID: number | null;
  /** Who is logged on. */
  loggedOnUserID: string | null;
  /** What it is; on write found by its id or its tag. Absent on create: unknown. */
  deviceType: HostDeviceType;
  operatingSystem: string | null;
  /** Maker and model. */
  hardwareType: string | null;
  serialNumber: string | null;
  /** When it was made. */
  creationTime: string;
  /** When it came to the network last; null: never. */
  lastConnected: string | null;
  /** When one of its adapters left the network last; null: never. */
  lastDisconnected: string | null;
  /** When it leaves the database by itself; null: never. */
  expirationDate: string | null;
  /** Who set that date; a stronger source is not overruled. */
  expirationSource: 'MANUAL' | 'GUEST' | 'DIRECTORY' | 'GROUP' | 'GLOBAL' | null;
  /** When it leaves if it does not come back; null: it is connected, or need not come back. */
  inactivityDate: string | null;
  /** Days that it may be away; null: for ever. */
  inactiveDays: number | null;
  /** Identity of the agent on it. */
  agentID: string | null;
  /** Version of that agent. */
  agentVersion: string | null;
  /** What the agent runs on. */
  agentPlatform: string | null;
  /** When the agent spoke last. */
  lastAgentContact: string | null;
  /** How often it was told to update. */
  agentUpdateAttempts: number;
  /** Whether an MDM server knows it. */
  managedByMDM: boolean;
  /** That server. */
  mdmServerID: number | null;
  /** Whether the server calls it compliant. */
  mdmCompliant: boolean | null;
  /** Whether the server calls it compromised. */
  mdmCompromised: boolean | null;
  /** Risk as the server puts it. */
  mdmRisk: string | null;
  /** It is scanned when it is there again. */
  scanRequired: boolean;
  /** When it was scanned last. */
  lastScan: string | null;
  /** What came of that. */
  lastScanResult: 'PASSED' | 'WARNING' | 'FAILED' | 'ERROR' | null;
  /** Container of a device in the topology. */
  containerID: number | null;
  /** Profiling confirms it each time it connects. */
  reValidation: boolean;
  /** Minutes between confirmations; 0: only when it connects. */
  reValidationInterval: number;
  /** When it was confirmed last. */
  lastReValidation: string | null;
  /** Groups that it is a direct member of. */
  groups: string[];
  notes: string | null;
  /** Names and values of the administrators. */
  attributes: OwnAttribute[];
  /** Its adapters as records, where one host is fetched or looked for; in a list with withAdapters. */
  adapterObjects: AdapterOfHost[];
  /** The fields that the text was found in. */
  matchedOn: string[];
}

/** Typed sets of elements that policies, enforcement, schedules and administrators refer to; a group may hold other groups of its type. */
export interface Group {
  /** Identity of the record. */
  dbid: number;
  /** Number of the cell that owns the record. */
  landscape: number;
  /** Counts the configured changes; send it back to refuse a stale write. */
  version: number;
  /** Who changed the record last. */
  lastModifiedBy: string;
  /** When it was changed last. */
  lastModifiedDate: string;
  /** Unique among groups of its type. */
  name: string;
  description: string;
  /** What its members are; the word of the path. */
  type: 'HOST' | 'ADAPTER' | 'DEVICE' | 'PORT' | 'USER' | 'ADMINISTRATOR';
  /** Code of its members among elements. */
  elementClass: number;
  /** Made by people; false: built in. */
  userGroup: boolean;
  /** Stable key of a built-in group: code finds it by this, never by name. */
  tag: string | null;
  /** LOCAL: made here; DIRECTORY: name and members come from a directory; SYSTEM: built in. */
  source: 'LOCAL' | 'DIRECTORY' | 'SYSTEM';
  /** The directory it comes from. */
  directoryID: number | null;
  /** Its key there (entryUUID or objectGUID), which outlives a rename. */
  directoryKey: string | null;
  /** Its distinguished name there. */
  dn: string | null;
  /** Unused; kept for compatibility. */
  accessPolicy: number;
  /** Days after which member hosts and users expire; 0: the group says nothing. */
  daysValid: number;
  /** Days of absence after which member hosts and users expire; 0: the group says nothing. */
  daysInactive: number;
  /** Place of an enforcement group among those of ports, by the state it is for; null: it is none. */
  rank: number | null;
  /** The state whose isolation its ports take part in; built-in groups only. */
  enforcement: 'REGISTRATION' | 'AUTHENTICATION' | 'REMEDIATION' | 'DEAD_END' | 'ROLE' | 'NONE';
  /** The name in the language of the reader; English only so far. */
  nameLabel: string;
  /** Direct members. */
  memberCount: number;
  /** Groups right below it. */
  childCount: number;
  /** Groups right above it. */
  parentIDs: number[];
  /** On a fetch the first 1000 direct members, by id; [] in lists. Sent as ids: exactly these become its members; empty, or as it was read: no change. */
  members: GroupMember[];
  /** Of an administrator group: the groups whose members its members may see and change, where their profile limits rows. */
  managesGroupIDs: number[];
  /** Identity of the record at the manager that gave it; 0: it is of this cell. */
  guid: number;
  /** When the manager changed it last. */
  globalModifiedDate: string | null;
  /** Whether a manager gave it; then it is read-only here. */
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
  /** Days after which member hosts and users expire; 0: the group says nothing. */
  daysValid: number;
  /** Days of absence after which member hosts and users expire; 0: the group says nothing. */
  daysInactive: number;
  /** Work out the dates of present members again; true unless said. Neither hosts nor accounts take dates from groups yet, so nothing follows. */
  apply?: boolean;
}

export interface GroupChildren {
  /** The group above. */
  parentID: number;
  /** The groups below it. */
  id: number[];
}

export interface GroupCopy {
  /** The group to copy. */
  id: number;
  /** Name of the new group. */
  name: string;
  /** That of the group itself when absent. */
  description?: string;
  /** Its direct members too; true unless said. */
  members?: boolean;
  /** The groups right below it too; true unless said. */
  children?: boolean;
}

export interface GroupDescendant {
  dbid: number;
  /** Unique among groups of its type. */
  name: string;
  /** What its members are; the word of the path. */
  type: 'HOST' | 'ADAPTER' | 'DEVICE' | 'PORT' | 'USER' | 'ADMINISTRATOR';
  /** Direct members. */
  memberCount: number;
  /** Groups right below it. */
  childCount: number;
  /** Groups right above it. */
  parentIDs: number[];
  /** Steps down to it, on the shortest path. */
  depth: number;
  /** Names on that path, with slashes, from the group that was asked for. */
  path: string;
}

export interface GroupInput {
  /** Identity of the record. */
  dbid?: number | null;
  /** Number of the cell that owns the record. */
  landscape?: number;
  /** Counts the configured changes; send it back to refuse a stale write. */
  version?: number;
  /** Who changed the record last. */
  lastModifiedBy?: string;
  /** When it was changed last. */
  lastModifiedDate?: string;
  /** Unique among groups of its type. */
  name?: string;
  description?: string;
  /** What its members are; the word of the path. */
  type?: 'HOST' | 'ADAPTER' | 'DEVICE' | 'PORT' | 'USER' | 'ADMINISTRATOR';
  /** Code of its members among elements. */
  elementClass?: number;
  /** Made by people; false: built in. */
  userGroup?: boolean;
  /** Stable key of a built-in group: code finds it by this, never by name. */
  tag?: string | null;
  /** LOCAL: made here; DIRECTORY: name and members come from a directory; SYSTEM: built in. */
  source?: 'LOCAL' | 'DIRECTORY' | 'SYSTEM';
  /** The directory it comes from. */
  directoryID?: number | null;
  /** Its key there (entryUUID or objectGUID), which outlives a rename. */
  directoryKey?: string | null;
  /** Its distinguished name there. */
  dn?: string | null;
  /** Unused; kept for compatibility. */
  accessPolicy?: number;
  /** Days after which member hosts and users expire; 0: the group says nothing. */
  daysValid?: number;
  /** Days of absence after which member hosts and users expire; 0: the group says nothing. */
  daysInactive?: number;
  /** Place of an enforcement group among those of ports, by the state it is for; null: it is none. */
  rank?: number | null;
  /** The state whose isolation its ports take part in; built-in groups only. */
  enforcement?: 'REGISTRATION' | 'AUTHENTICATION' | 'REMEDIATION' | 'DEAD_END' | 'ROLE' | 'NONE';
  /** The name in the language of the reader; English only so far. */
  nameLabel?: string;
  /** Direct members. */
  memberCount?: number;
  /** Groups right below it. */
  childCount?: number;
  /** Groups right above it. */
  parentIDs?: number[];
  /** On a fetch the first 1000 direct members, by id; [] in lists. Sent as ids: exactly these become its members; empty, or as it was read: no change. */
  members?: (number | GroupMemberInput)[];
  /** Of an administrator group: the groups whose members its members may see and change, where their profile limits rows. */
  managesGroupIDs?: number[];
  /** Identity of the record at the manager that gave it; 0: it is of this cell. */
  guid?: number;
  /** When the manager changed it last. */
  globalModifiedDate?: string | null;
  /** Whether a manager gave it; then it is read-only here. */
  global?: boolean;
  /** Name of the record in the audit log. */
  auditObjectName?: string;
  auditObjectType?: AuditObjectTypeInput;
  /** Event type of the last change. */
  yamsEventTag?: string;
  /** The last audit record of this record. */
  auditObj?: AuditObjectInput;
  /** Exactly these groups become its children. */
  childGroups?: number[];
}

export interface GroupManages {
  /** Exactly these groups; none: nothing. */
  id: number[];
}

export interface GroupMember {
  id: number;
  /** What it is called. */
  name: string;
  /** Path of its picture. */
  img: string;
}

export interface GroupMemberInput {
  id: number;
  /** What it is called. */
  name?: string;
  /** Path of its picture. */
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
  /** The groups, all of the type; none: they leave every group of it. */
  groupID: number[];
  /** The type of groups that is meant; others are left alone. */
  type: 'HOST' | 'ADAPTER' | 'DEVICE' | 'PORT' | 'USER' | 'ADMINISTRATOR';
  /** The managed cell to do it on; no cell is managed yet, so only null or empty. */
  serverIP?: string | null;
}

export interface GroupParents {
  /** The group. */
  groupID: number;
  /** The groups above it. */
  parentID: number[];
  /** It leaves the parents that are not named; true unless said. */
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
  /** Who changed it. */
  by: string;
}

export interface HealthCheck {
  name: string;
  ready: boolean;
  detail: string;
}

/** Endpoints with their adapters: rogues, and those that somebody vouched for. */
export interface Host {
  /** Identity of the record. */
  id: number;
  /** Number of the cell that owns the record. */
  landscape: number;
  /** Counts the configured changes; send it back to refuse a stale write. */
  version: number;
  /** Name, as the host or a person tells it. */
  hostName: string | null;
  /** 1 rogue, 2 registered host, 3 registered device, 4 IP phone, 5 device in the topology. From 1 to 2 or 3 registers it, back to 1 takes that back. */
  type: number;
  /** The type in words. */
  typeLabel: 'Rogue' | 'Registered Host' | 'Registered Device' | 'IP Phone' | 'Device in Topology';
  /** Of its adapters the first that is connected, else the oldest. Written as a MAC address, taken in any notation; empty for none. */
  primaryMac: string | null;
  /** MAC addresses of its adapters. */
  adapters: string[];
  /** Address of a connected adapter, else the last that was known of any. Written as an IPv4 or IPv6 address. */
  ip: string | null;
  /** Whether one of its adapters is on the network now. */
  connected: boolean;
  /** Whether somebody vouched for it. */
  registered: boolean;
  /** When; null: it is a rogue. */
  registeredAt: string | null;
  /** Who; null: it is a rogue. */
  registeredBy: string | null;
  /** False: none of its adapters gets access. */
  enabled: boolean;
  /** Whether somebody proved on it who they are. */
  authenticated: boolean;
  /** Who that was. */
  authenticatedUserID: number | null;
  /** Until when that holds; null: for good. */
  authenticationExpires: string | null;
  /** AT_RISK: something is wrong with it; PENDING: and it has time to mend that. */
  health: 'SAFE' | 'AT_RISK' | 'PENDING';
  /** End of that time. */
  healthUntil: string | null;
  /** What policies match on. Sent: it stays until it is sent empty, whatever else would give one. */
  role: string;
  /** What gave the role. */
  roleSource: 'ADMIN' | 'PROFILING_RULE' | 'DIRECTORY' | 'GROUP' | 'VENDOR_OUI' | 'PORTAL' | 'DEFAULT';
  /** Whose host it is. */
  owner: string | null;
  /** The account of the owner. */
  ownerID: number | null;
  /** Who is logged on. */
  loggedOnUserID: string | null;
  /** What it is; on write found by its id or its tag. Absent on create: unknown. */
  deviceType: HostDeviceType;
  operatingSystem: string | null;
  /** Maker and model. */
  hardwareType: string | null;
  serialNumber: string | null;
  /** When it was made. */
  creationTime: string;
  /** When it came to the network last; null: never. */
  lastConnected: string | null;
  /** When one of its adapters left the network last; null: never. */
  lastDisconnected: string | null;
  /** When it leaves the database by itself; null: never. */
  expirationDate: string | null;
  /** Who set that date; a stronger source is not overruled. */
  expirationSource: 'MANUAL' | 'GUEST' | 'DIRECTORY' | 'GROUP' | 'GLOBAL' | null;
  /** When it leaves if it does not come back; null: it is connected, or need not come back. */
  inactivityDate: string | null;
  /** Days that it may be away; null: for ever. */
  inactiveDays: number | null;
  /** Identity of the agent on it. */
  agentID: string | null;
  /** Version of that agent. */
  agentVersion: string | null;
  /** What the agent runs on. */
  agentPlatform: string | null;
  /** When the agent spoke last. */
  lastAgentContact: string | null;
  /** How often it was told to update. */
  agentUpdateAttempts: number;
  /** Whether an MDM server knows it. */
  managedByMDM: boolean;
  /** That server. */
  mdmServerID: number | null;
  /** Whether the server calls it compliant. */
  mdmCompliant: boolean | null;
  /** Whether the server calls it compromised. */
  mdmCompromised: boolean | null;
  /** Risk as the server puts it. */
  mdmRisk: string | null;
  /** It is scanned when it is there again. */
  scanRequired: boolean;
  /** When it was scanned last. */
  lastScan: string | null;
  /** What came of that. */
  lastScanResult: 'PASSED' | 'WARNING' | 'FAILED' | 'ERROR' | null;
  /** Container of a device in the topology. */
  containerID: number | null;
  /** Profiling confirms it each time it connects. */
  reValidation: boolean;
  /** Minutes between confirmations; 0: only when it connects. */
  reValidationInterval: number;
  /** When it was confirmed last. */
  lastReValidation: string | null;
  /** Groups that it is a direct member of. */
  groups: string[];
  notes: string | null;
  /** Names and values of the administrators. */
  attributes: OwnAttribute[];
  /** Its adapters as records, where one host is fetched or looked for; in a list with withAdapters. */
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
  /** Comes with the service, or is the own one of the caller. */
  scope: 'BUILT_IN' | 'USER';
  /** As GET /host/multifilter takes it. */
  filter: string[];
  /** Hosts that it finds, at most a minute ago. */
  count: number;
}

export interface HostForUser {
  /** Identity of the record. */
  id: number | null;
  /** Number of the cell that owns the record. */
  landscape: number;
  /** Counts the configured changes; send it back to refuse a stale write. */
  version: number;
  /** Name, as the host or a person tells it. */
  hostName: string | null;
  /** 1 rogue, 2 registered host, 3 registered device, 4 IP phone, 5 device in the topology. From 1 to 2 or 3 registers it, back to 1 takes that back. */
  type: number;
  /** The type in words. */
  typeLabel: 'Rogue' | 'Registered Host' | 'Registered Device' | 'IP Phone' | 'Device in Topology';
  /** Of its adapters the first that is connected, else the oldest. Written as a MAC address, taken in any notation; empty for none. */
  primaryMac: string | null;
  /** MAC addresses of its adapters. */
  adapters: string[];
  /** Address of a connected adapter, else the last that was known of any. Written as an IPv4 or IPv6 address. */
  ip: string | null;
  /** Whether one of its adapters is on the network now. */
  connected: boolean;
  /** Whether somebody vouched for it. */
  registered: boolean;
  /** When; null: it is a rogue. */
  registeredAt: string | null;
  /** Who; null: it is a rogue. */
  registeredBy: string | null;
  /** False: none of its adapters gets access. */
  enabled: boolean;
  /** Whether somebody proved on it who they are. */
  authenticated: boolean;
  /** Who that was. */
  authenticatedUserID: number | null;
  /** Until when that holds; null: for good. */
  authenticationExpires: string | null;
  /** AT_RISK: something is wrong with it; PENDING: and it has time to mend that. */
  health: 'SAFE' | 'AT_RISK' | 'PENDING';
  /** End of that time. */
  healthUntil: string | null;
  /** What policies match on. Sent: it stays until it is sent empty, whatever else would give one. */
  role: string;
  /** What gave the role. */
  roleSource: 'ADMIN' | 'PROFILING_RULE' | 'DIRECTORY' | 'GROUP' | 'VENDOR_OUI' | 'PORTAL' | 'DEFAULT';
  /** Whose host it is. */
  owner: string | null;
  /** The account of the owner. */
  ownerID: number | null;
  /** Who is logged on. */
  loggedOnUserID: string | null;
  /** What it is; on write found by its id or its tag. Absent on create: unknown. */
  deviceType: HostDeviceType;
  operatingSystem: string | null;
  /** Maker and model. */
  hardwareType: string | null;
  serialNumber: string | null;
  /** When it was made. */
  creationTime: string;
  /** When it came to the network last; null: never. */
  lastConnected: string | null;
  /** When one of its adapters left the network last; null: never. */
  lastDisconnected: string | null;
  /** When it leaves the database by itself; null: never. */
  expirationDate: string | null;
  /** Who set that date; a stronger source is not overruled. */
  expirationSource: 'MANUAL' | 'GUEST' | 'DIRECTORY' | 'GROUP' | 'GLOBAL' | null;
  /** When it leaves if it does not come back; null: it is connected, or need not come back. */
  inactivityDate: string | null;
  /** Days that it may be away; null: for ever. */
  inactiveDays: number | null;
  /** Identity of the agent on it. */
  agentID: string | null;
  /** Version of that agent. */
  agentVersion: string | null;
  /** What the agent runs on. */
  agentPlatform: string | null;
  /** When the agent spoke last. */
  lastAgentContact: string | null;
  /** How often it was told to update. */
  agentUpdateAttempts: number;
  /** Whether an MDM server knows it. */
  managedByMDM: boolean;
  /** That server. */
  mdmServerID: number | null;
  /** Whether the server calls it compliant. */
  mdmCompliant: boolean | null;
  /** Whether the server calls it compromised. */
  mdmCompromised: boolean | null;
  /** Risk as the server puts it. */
  mdmRisk: string | null;
  /** It is scanned when it is there again. */
  scanRequired: boolean;
  /** When it was scanned last. */
  lastScan: string | null;
  /** What came of that. */
  lastScanResult: 'PASSED' | 'WARNING' | 'FAILED' | 'ERROR' | null;
  /** Container of a device in the topology. */
  containerID: number | null;
  /** Profiling confirms it each time it connects. */
  reValidation: boolean;
  /** Minutes between confirmations; 0: only when it connects. */
  reValidationInterval: number;
  /** When it was confirmed last. */
  lastReValidation: string | null;
  /** Groups that it is a direct member of. */
  groups: string[];
  notes: string | null;
  /** Names and values of the administrators. */
  attributes: OwnAttribute[];
  /** Its adapters as records, where one host is fetched or looked for; in a list with withAdapters. */
  adapterObjects: AdapterOfHost[];
  /** What the user is to the host. */
  relation: 'OWNER' | 'LOGGED_ON' | 'BOTH';
}

export interface HostHealth {
  /** SAFE takes a cause away; others may stay. */
  health: 'SAFE' | 'AT_RISK';
  /** SAFE: the cause of this scan, instead of that of an administrator. */
  scanID?: number;
  /** SAFE: every cause. */
  all?: boolean;
  /** Why; goes into the history. */
  reason?: string;
}

export interface HostInput {
  /** Identity of the record. */
  id?: number | null;
  /** Number of the cell that owns the record. */
  landscape?: number;
  /** Counts the configured changes; send it back to refuse a stale write. */
  version?: number;
  /** Name, as the host or a person tells it. */
  hostName?: string | null;
  /** 1 rogue, 2 registered host, 3 registered device, 4 IP phone, 5 device in the topology. From 1 to 2 or 3 registers it, back to 1 takes that back. */
  type?: number;
  /** The type in words. */
  typeLabel?: 'Rogue' | 'Registered Host' | 'Registered Device' | 'IP Phone' | 'Device in Topology';
  /** Of its adapters the first that is connected, else the oldest. Written as a MAC address, taken in any notation; empty for none. */
  primaryMac?: string | null;
  /** MAC addresses of its adapters. */
  adapters?: string[];
  /** Address of a connected adapter, else the last that was known of any. Written as an IPv4 or IPv6 address. */
  ip?: string | null;
  /** Whether one of its adapters is on the network now. */
  connected?: boolean;
  /** Whether somebody vouched for it. */
  registered?: boolean;
  /** When; null: it is a rogue. */
  registeredAt?: string | null;
  /** Who; null: it is a rogue. */
  registeredBy?: string | null;
  /** False: none of its adapters gets access. */
  enabled?: boolean;
  /** Whether somebody proved on it who they are. */
  authenticated?: boolean;
  /** Who that was. */
  authenticatedUserID?: number | null;
  /** Until when that holds; null: for good. */
  authenticationExpires?: string | null;
  /** AT_RISK: something is wrong with it; PENDING: and it has time to mend that. */
  health?: 'SAFE' | 'AT_RISK' | 'PENDING';
  /** End of that time. */
  healthUntil?: string | null;
  /** What policies match on. Sent: it stays until it is sent empty, whatever else would give one. */
  role?: string;
  /** What gave the role. */
  roleSource?: 'ADMIN' | 'PROFILING_RULE' | 'DIRECTORY' | 'GROUP' | 'VENDOR_OUI' | 'PORTAL' | 'DEFAULT';
  /** Whose host it is. */
  owner?: string | null;
  /** The account of the owner. */
  ownerID?: number | null;
  /** Who is logged on. */
  loggedOnUserID?: string | null;
  /** What it is; on write found by its id or its tag. Absent on create: unknown. */
  deviceType?: HostDeviceTypeInput;
  operatingSystem?: string | null;
  /** Maker and model. */
  hardwareType?: string | null;
  serialNumber?: string | null;
  /** When it was made. */
  creationTime?: string;
  /** When it came to the network last; null: never. */
  lastConnected?: string | null;
  /** When one of its adapters left the network last; null: never. */
  lastDisconnected?: string | null;
  /** When it leaves the database by itself; null: never. */
  expirationDate?: string | null;
  /** Who set that date; a stronger source is not overruled. */
  expirationSource?: 'MANUAL' | 'GUEST' | 'DIRECTORY' | 'GROUP' | 'GLOBAL' | null;
  /** When it leaves if it does not come back; null: it is connected, or need not come back. */
  inactivityDate?: string | null;
  /** Days that it may be away; null: for ever. */
  inactiveDays?: number | null;
  /** Identity of the agent on it. */
  agentID?: string | null;
  /** Version of that agent. */
  agentVersion?: string | null;
  /** What the agent runs on. */
  agentPlatform?: string | null;
  /** When the agent spoke last. */
  lastAgentContact?: string | null;
  /** How often it was told to update. */
  agentUpdateAttempts?: number;
  /** Whether an MDM server knows it. */
  managedByMDM?: boolean;
  /** That server. */
  mdmServerID?: number | null;
  /** Whether the server calls it compliant. */
  mdmCompliant?: boolean | null;
  /** Whether the server calls it compromised. */
  mdmCompromised?: boolean | null;
  /** Risk as the server puts it. */
  mdmRisk?: string | null;
  /** It is scanned when it is there again. */
  scanRequired?: boolean;
  /** When it was scanned last. */
  lastScan?: string | null;
  /** What came of that. */
  lastScanResult?: 'PASSED' | 'WARNING' | 'FAILED' | 'ERROR' | null;
  /** Container of a device in the topology. */
  containerID?: number | null;
  /** Profiling confirms it each time it connects. */
  reValidation?: boolean;
  /** Minutes between confirmations; 0: only when it connects. */
  reValidationInterval?: number;
  /** When it was confirmed last. */
  lastReValidation?: string | null;
  /** Groups that it is a direct member of. */
  groups?: string[];
  notes?: string | null;
  /** Names and values of the administrators. */
  attributes?: OwnAttributeInput[];
  /** Its adapters as records, where one host is fetched or looked for; in a list with withAdapters. */
  adapterObjects?: AdapterOfHostInput[];
}

export interface HostWithAdapters {
  /** Identity of the record. */
  id?: number | null;
  /** Number of the cell that owns the record. */
  landscape?: number;
  /** Counts the configured changes; send it back to refuse a stale write. */
  version?: number;
  /** Name, as the host or a person tells it. */
  hostName?: string | null;
  /** 1 rogue, 2 registered host, 3 registered device, 4 IP phone, 5 device in the topology. From 1 to 2 or 3 registers it, back to 1 takes that back. */
  type?: number;
  /** The type in words. */
  typeLabel?: 'Rogue' | 'Registered Host' | 'Registered Device' | 'IP Phone' | 'Device in Topology';
  /** Of its adapters the first that is connected, else the oldest. Written as a MAC address, taken in any notation; empty for none. */
  primaryMac?: string | null;
  /** MAC addresses of its adapters. */
  adapters?: string[];
  /** Address of a connected adapter, else the last that was known of any. Written as an IPv4 or IPv6 address. */
  ip?: string | null;
  /** Whether one of its adapters is on the network now. */
  connected?: boolean;
  /** Whether somebody vouched for it. */
  registered?: boolean;
  /** When; null: it is a rogue. */
  registeredAt?: string | null;
  /** Who; null: it is a rogue. */
  registeredBy?: string | null;
  /** False: none of its adapters gets access. */
  enabled?: boolean;
  /** Whether somebody proved on it who they are. */
  authenticated?: boolean;
  /** Who that was. */
  authenticatedUserID?: number | null;
  /** Until when that holds; null: for good. */
  authenticationExpires?: string | null;
  /** AT_RISK: something is wrong with it; PENDING: and it has time to mend that. */
  health?: 'SAFE' | 'AT_RISK' | 'PENDING';
  /** End of that time. */
  healthUntil?: string | null;
  /** What policies match on. Sent: it stays until it is sent empty, whatever else would give one. */
  role?: string;
  /** What gave the role. */
  roleSource?: 'ADMIN' | 'PROFILING_RULE' | 'DIRECTORY' | 'GROUP' | 'VENDOR_OUI' | 'PORTAL' | 'DEFAULT';
  /** Whose host it is. */
  owner?: string | null;
  /** The account of the owner. */
  ownerID?: number | null;
  /** Who is logged on. */
  loggedOnUserID?: string | null;
  /** What it is; on write found by its id or its tag. Absent on create: unknown. */
  deviceType?: HostDeviceTypeInput;
  operatingSystem?: string | null;
  /** Maker and model. */
  hardwareType?: string | null;
  serialNumber?: string | null;
  /** When it was made. */
  creationTime?: string;
  /** When it came to the network last; null: never. */
  lastConnected?: string | null;
  /** When one of its adapters left the network last; null: never. */
  lastDisconnected?: string | null;
  /** When it leaves the database by itself; null: never. */
  expirationDate?: string | null;
  /** Who set that date; a stronger source is not overruled. */
  expirationSource?: 'MANUAL' | 'GUEST' | 'DIRECTORY' | 'GROUP' | 'GLOBAL' | null;
  /** When it leaves if it does not come back; null: it is connected, or need not come back. */
  inactivityDate?: string | null;
  /** Days that it may be away; null: for ever. */
  inactiveDays?: number | null;
  /** Identity of the agent on it. */
  agentID?: string | null;
  /** Version of that agent. */
  agentVersion?: string | null;
  /** What the agent runs on. */
  agentPlatform?: string | null;
  /** When the agent spoke last. */
  lastAgentContact?: string | null;
  /** How often it was told to update. */
  agentUpdateAttempts?: number;
  /** Whether an MDM server knows it. */
  managedByMDM?: boolean;
  /** That server. */
  mdmServerID?: number | null;
  /** Whether the server calls it compliant. */
  mdmCompliant?: boolean | null;
  /** Whether the server calls it compromised. */
  mdmCompromised?: boolean | null;
  /** Risk as the server puts it. */
  mdmRisk?: string | null;
  /** It is scanned when it is there again. */
  scanRequired?: boolean;
  /** When it was scanned last. */
  lastScan?: string | null;
  /** What came of that. */
  lastScanResult?: 'PASSED' | 'WARNING' | 'FAILED' | 'ERROR' | null;
  /** Container of a device in the topology. */
  containerID?: number | null;
  /** Profiling confirms it each time it connects. */
  reValidation?: boolean;
  /** Minutes between confirmations; 0: only when it connects. */
  reValidationInterval?: number;
  /** When it was confirmed last. */
  lastReValidation?: string | null;
  /** Groups that it is a direct member of. */
  groups?: string[];
  notes?: string | null;
  /** Names and values of the administrators. */
  attributes?: OwnAttributeInput[];
  /** All adapters of the host: those that are not here are deleted; addresses of rogues are taken over. */
  adapterObjects: AdapterSentInput[];
}

export interface HostWithUser {
  /** Identity of the record. */
  id: number | null;
  /** Number of the cell that owns the record. */
  landscape: number;
  /** Counts the configured changes; send it back to refuse a stale write. */
  version: number;
  /** Name, as the host or a person tells it. */
  hostName: string | null;
  /** 1 rogue, 2 registered host, 3 registered device, 4 IP phone, 5 device in the topology. From 1 to 2 or 3 registers it, back to 1 takes that back. */
  type: number;
  /** The type in words. */
  typeLabel: 'Rogue' | 'Registered Host' | 'Registered Device' | 'IP Phone' | 'Device in Topology';
  /** Of its adapters the first that is connected, else the oldest. Written as a MAC address, taken in any notation; empty for none. */
  primaryMac: string | null;
  /** MAC addresses of its adapters. */
  adapters: string[];
  /** Address of a connected adapter, else the last that was known of any. Written as an IPv4 or IPv6 address. */
  ip: string | null;
  /** Whether one of its adapters is on the network now. */
  connected: boolean;
  /** Whether somebody vouched for it. */
  registered: boolean;
  /** When; null: it is a rogue. */
  registeredAt: string | null;
  /** Who; null: it is a rogue. */
  registeredBy: string | null;
  /** False: none of its adapters gets access. */
  enabled: boolean;
  /** Whether somebody proved on it who they are. */
  authenticated: boolean;
  /** Who that was. */
  authenticatedUserID: number | null;
  /** Until when that holds; null: for good. */
  authenticationExpires: string | null;
  /** AT_RISK: something is wrong with it; PENDING: and it has time to mend that. */
  health: 'SAFE' | 'AT_RISK' | 'PENDING';
  /** End of that time. */
  healthUntil: string | null;
  /** What policies match on. Sent: it stays until it is sent empty, whatever else would give one. */
  role: string;
  /** What gave the role. */
  roleSource: 'ADMIN' | 'PROFILING_RULE' | 'DIRECTORY' | 'GROUP' | 'VENDOR_OUI' | 'PORTAL' | 'DEFAULT';
  /** Whose host it is. */
  owner: string | null;
  /** The account of the owner. */
  ownerID: number | null;
  /** Who is logged on. */
  loggedOnUserID: string | null;
  /** What it is; on write found by its id or its tag. Absent on create: unknown. */
  deviceType: HostDeviceType;
  operatingSystem: string | null;
  /** Maker and model. */
  hardwareType: string | null;
  serialNumber: string | null;
  /** When it was made. */
  creationTime: string;
  /** When it came to the network last; null: never. */
  lastConnected: string | null;
  /** When one of its adapters left the network last; null: never. */
  lastDisconnected: string | null;
  /** When it leaves the database by itself; null: never. */
  expirationDate: string | null;
  /** Who set that date; a stronger source is not overruled. */
  expirationSource: 'MANUAL' | 'GUEST' | 'DIRECTORY' | 'GROUP' | 'GLOBAL' | null;
  /** When it leaves if it does not come back; null: it is connected, or need not come back. */
  inactivityDate: string | null;
  /** Days that it may be away; null: for ever. */
  inactiveDays: number | null;
  /** Identity of the agent on it. */
  agentID: string | null;
  /** Version of that agent. */
  agentVersion: string | null;
  /** What the agent runs on. */
  agentPlatform: string | null;
  /** When the agent spoke last. */
  lastAgentContact: string | null;
  /** How often it was told to update. */
  agentUpdateAttempts: number;
  /** Whether an MDM server knows it. */
  managedByMDM: boolean;
  /** That server. */
  mdmServerID: number | null;
  /** Whether the server calls it compliant. */
  mdmCompliant: boolean | null;
  /** Whether the server calls it compromised. */
  mdmCompromised: boolean | null;
  /** Risk as the server puts it. */
  mdmRisk: string | null;
  /** It is scanned when it is there again. */
  scanRequired: boolean;
  /** When it was scanned last. */
  lastScan: string | null;
  /** What came of that. */
  lastScanResult: 'PASSED' | 'WARNING' | 'FAILED' | 'ERROR' | null;
  /** Container of a device in the topology. */
  containerID: number | null;
  /** Profiling confirms it each time it connects. */
  reValidation: boolean;
  /** Minutes between confirmations; 0: only when it connects. */
  reValidationInterval: number;
  /** When it was confirmed last. */
  lastReValidation: string | null;
  /** Groups that it is a direct member of. */
  groups: string[];
  notes: string | null;
  /** Names and values of the administrators. */
  attributes: OwnAttribute[];
  /** Its adapters as records, where one host is fetched or looked for; in a list with withAdapters. */
  adapterObjects: AdapterOfHost[];
  userObject: UserOfHost | null;
}

export interface HostsExpiration {
  /** The hosts. */
  id: number[];
  /** Set the date. */
  setExpiration?: boolean;
  /** Days from now; 0 or null: never. */
  expireDays?: number | null;
  /** The date, in milliseconds since 1970. */
  expireDateMS?: number | null;
  /** Set how long they may be away. */
  setInactivity?: boolean;
  /** Days; 0 or null: for ever. */
  inactiveDays?: number | null;
}

export interface HostsRole {
  /** The hosts. */
  id: number[];
  /** The role; null: what else gives one decides again. */
  role: string | null;
}

export interface IdList {
  /** Identities of the records. */
  id: number[];
}

export interface ImportStatus {
  /** The background task that does it. */
  taskID: number;
  /** The archive. */
  name: string;
  state: 'QUEUED' | 'RUNNING' | 'DONE' | 'FAILED';
  /** Rows that were read so far. */
  rowsDone: number;
  /** Rows of the archive. */
  rowsTotal: number;
  /** Rows that were missing and are there now. */
  inserted: number;
  /** Rows that were there, or that an administrator had deleted. */
  duplicates: number;
  /** Rows that do not fit the log; one is enough to import none. */
  rejected: number;
  startedAt: string | null;
  finishedAt: string | null;
  /** Why it failed. */
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
  /** How its text begins. */
  prefix: string;
  owner: string;
  /** Verbs on permission keys that the token is limited to; null: all that its owner may. */
  scopes: Record<string, ('view' | 'add' | 'modify' | 'delete')[]> | null;
  /** Networks it may be used from; none: any. */
  allowedNetworks: string[];
  createdAt: string;
  expiresAt: string;
  lastUsedAt: string | null;
  /** Written as an IPv4 or IPv6 address. */
  lastUsedIp: string | null;
  state: 'ACTIVE' | 'EXPIRED' | 'REVOKED';
  /** The token itself: shown now and never again. */
  token: string;
}

export interface L3Evidence {
  /** ipForwarding says that it forwards: 40 points. */
  ipForwarding: boolean;
  /** sysServices has the bit of layer 3: 15 points. */
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
  /** False: it was polled before. */
  enabled: boolean;
  /** Seconds between polls. */
  interval: number;
  priority: 'HIGH' | 'MEDIUM' | 'LOW';
  /** Last time it was tried. */
  lastPoll: string | null;
  /** Last time it succeeded. */
  lastSuccess: string | null;
  /** How long the last one took. */
  durationMs: number;
  /** Addresses that the device told. */
  entries: number;
  /** Those that were not known before. */
  newEntries: number;
  /** Why the last one failed. */
  error: string | null;
}

export interface L3ScanStart {
  /** These devices; absent: all that speak SNMP. */
  id?: number[];
}

export interface L3ScanStatus {
  /** IDLE: there was none yet. DONE: also after it was stopped. */
  state: 'IDLE' | 'RUNNING' | 'STOPPING' | 'DONE';
  startedBy: string;
  startedAt: string | null;
  finishedAt: string | null;
  /** Devices to look at. */
  total: number;
  /** Devices that were looked at. */
  scanned: number;
  /** Those that you see, by their score. */
  devices: L3ScannedDevice[];
}

export interface L3ScannedDevice {
  deviceID: number;
  deviceName: string;
  /** Written as an IPv4 or IPv6 address. */
  ipAddress: string | null;
  /** How likely it routes. */
  score: number;
  evidence: L3Evidence;
  /** Whether its address table is read already. */
  l3PollingEnabled: boolean;
  /** A score of 60 or more. */
  recommended: boolean;
  /** Why it could not be asked. */
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
  /** The log that its rows are of. */
  log: string;
  /** Number of the cell that owns the rows. */
  landscape: number;
  /** Where its time begins. */
  from: string;
  /** Where its time ends, exclusive. */
  to: string;
  rows: number;
  /** Size of the file. */
  bytes: number;
  /** Hash of the file. */
  sha256: string;
  createdAt: string;
  /** Whether its rows were brought back. */
  imported: boolean;
  /** When they leave again. */
  importedUntil: string | null;
  /** Where the file lies. */
  location: 'LOCAL' | 'REMOTE' | 'BOTH';
  /** ONLINE: the rows are still in the log; OFFLINE: only in the file; IMPORTED: brought back for a while; MISSING: the file is gone. */
  state: 'ONLINE' | 'OFFLINE' | 'IMPORTED' | 'MISSING';
}

export interface LoggedIn {
  /** The bearer text of the session. */
  sessionKey: string;
  /** To be sent as X-Security-Key by pages that use the cookie. */
  securityKey: string;
  /** Seconds. */
  expiresIn: number;
  mustChangePassword: boolean;
  landingPage: string;
}

export interface LoggedOnUser {
  /** The host; or say its mac or ip. */
  hostID?: number;
  /** Written as a MAC address, taken in any notation; empty for none. */
  mac?: string;
  /** Written as an IPv4 or IPv6 address. */
  ip?: string;
  /** Name of the user. */
  userID: string;
  action: 'LOGON' | 'LOGOFF';
}

export interface Login {
  userID: string;
  password: string;
}

/** MAC addresses of protocols and clusters that are never taken for hosts. */
export interface MacExclusion {
  /** Identity of the record. */
  id: number;
  name: string;
  /** First address; with a mask, the one whose bits are compared. Written as a MAC address, taken in any notation; empty for none. */
  start: string;
  /** Last address; with a mask it is start. Written as a MAC address, taken in any notation; empty for none. */
  end: string;
  /** Instead of a range: the bits that must equal those of start. Written as a MAC address, taken in any notation; empty for none. */
  mask: string | null;
  enabled: boolean;
  /** Shipped: it can be disabled, not deleted. */
  builtIn: boolean;
  /** How often an address was left out by it. */
  hits: number;
  /** When it last was. */
  lastHit: string | null;
  description: string;
  /** Who changed the record last. */
  lastModifiedBy: string;
  /** When it was changed last. */
  lastModifiedDate: string;
  /** Counts the configured changes; send it back to refuse a stale write. */
  version: number;
}

export interface MacExclusionInput {
  /** Identity of the record. */
  id?: number | null;
  name?: string;
  /** First address; with a mask, the one whose bits are compared. Written as a MAC address, taken in any notation; empty for none. */
  start?: string;
  /** Last address; with a mask it is start. Written as a MAC address, taken in any notation; empty for none. */
  end?: string;
  /** Instead of a range: the bits that must equal those of start. Written as a MAC address, taken in any notation; empty for none. */
  mask?: string | null;
  enabled?: boolean;
  /** Shipped: it can be disabled, not deleted. */
  builtIn?: boolean;
  /** How often an address was left out by it. */
  hits?: number;
  /** When it last was. */
  lastHit?: string | null;
  description?: string;
  /** Who changed the record last. */
  lastModifiedBy?: string;
  /** When it was changed last. */
  lastModifiedDate?: string;
  /** Counts the configured changes; send it back to refuse a stale write. */
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
  /** Those that the caller sees. */
  groups: NamedGroup[];
}

/** Mobile device management services whose devices are registered here and whose verdict on them is read. */
export interface MdmServer {
  /** Identity of the record. */
  dbid: number;
  name: string;
  /** Which interface it speaks. */
  pluginName: 'GRAPH' | 'JAMF_PRO' | 'WORKSPACE_ONE' | 'GENERIC_JSON';
  /** Base URL of its interface. Written as a URL such as https://mdm.example.org/api, without user, query and fragment. */
  request: string;
  /** Tenant id or tenant code. */
  identifier: string;
  /** User name or OAuth client id. */
  userID: string;
  /** Whether password is set. */
  passwordSet: boolean;
  /** Whether credentialText is set. */
  credentialTextSet: boolean;
  /** Platform id, where the plug-in asks for one. */
  platformID: string;
  /** Id under which this service is registered there. */
  appID: string;
  /** Version it is registered with. */
  appVersion: string;
  /** Whether appAccessKey is set. */
  appAccessKeySet: boolean;
  /** Whether it is polled on its own. */
  poll: boolean;
  /** Minutes between two polls. */
  pollInterval: number;
  /** Ask for an unknown MAC when it reaches the portal. */
  onDemandRegistration: boolean;
  /** Ask again each time a host connects. */
  reValidation: boolean;
  /** Delete hosts that it no longer lists. */
  deleteOnRemove: boolean;
  /** Read the applications of its devices, too. */
  updateApplications: boolean;
  /** Take over its verdict on compliance. */
  complianceRetrieval: boolean;
  /** Register only devices that it has approved. */
  approvedOnly: boolean;
  /** Highest accepted risk level; empty: any. */
  riskLevel: string;
  /** Whether its certificate must be trusted; false raises an event. */
  sslVerifyCert: boolean;
  /** Whether its certificate must be for its host name. */
  sslVerifyHostname: boolean;
  /** Of the plug-in; GENERIC_JSON: path of the devices. */
  option1: string;
  /** Of the plug-in; GENERIC_JSON: field map as JSON. */
  option2: string;
  /** Of the plug-in; GENERIC_JSON: page parameter. */
  option3: string;
  /** Of the plug-in; GENERIC_JSON: the value that means compliant. */
  option4: string;
  /** When it was polled last; 1970: never. */
  lastPoll: string;
  /** When a poll went through last; 1970: never. */
  lastSuccessfulPoll: string;
  /** When the record was made. */
  createDate: string;
  /** Counts the configured changes; send it back to refuse a stale write. */
  version: number;
  /** Who changed the record last. */
  lastModifiedBy: string;
  /** When it was changed last. */
  lastModifiedDate: string;
}

export interface MdmServerInput {
  /** Identity of the record. */
  dbid?: number | null;
  name?: string;
  /** Which interface it speaks. */
  pluginName?: 'GRAPH' | 'JAMF_PRO' | 'WORKSPACE_ONE' | 'GENERIC_JSON';
  /** Base URL of its interface. Written as a URL such as https://mdm.example.org/api, without user, query and fragment. */
  request?: string;
  /** Tenant id or tenant code. */
  identifier?: string;
  /** User name or OAuth client id. */
  userID?: string;
  /** Password or OAuth client secret. */
  password?: string | null;
  /** Whether password is set. */
  passwordSet?: boolean;
  /** Refresh token or JSON credentials. */
  credentialText?: string | null;
  /** Whether credentialText is set. */
  credentialTextSet?: boolean;
  /** Platform id, where the plug-in asks for one. */
  platformID?: string;
  /** Id under which this service is registered there. */
  appID?: string;
  /** Version it is registered with. */
  appVersion?: string;
  /** Access key of that registration. */
  appAccessKey?: string | null;
  /** Whether appAccessKey is set. */
  appAccessKeySet?: boolean;
  /** Whether it is polled on its own. */
  poll?: boolean;
  /** Minutes between two polls. */
  pollInterval?: number;
  /** Ask for an unknown MAC when it reaches the portal. */
  onDemandRegistration?: boolean;
  /** Ask again each time a host connects. */
  reValidation?: boolean;
  /** Delete hosts that it no longer lists. */
  deleteOnRemove?: boolean;
  /** Read the applications of its devices, too. */
  updateApplications?: boolean;
  /** Take over its verdict on compliance. */
  complianceRetrieval?: boolean;
  /** Register only devices that it has approved. */
  approvedOnly?: boolean;
  /** Highest accepted risk level; empty: any. */
  riskLevel?: string;
  /** Whether its certificate must be trusted; false raises an event. */
  sslVerifyCert?: boolean;
  /** Whether its certificate must be for its host name. */
  sslVerifyHostname?: boolean;
  /** Of the plug-in; GENERIC_JSON: path of the devices. */
  option1?: string;
  /** Of the plug-in; GENERIC_JSON: field map as JSON. */
  option2?: string;
  /** Of the plug-in; GENERIC_JSON: page parameter. */
  option3?: string;
  /** Of the plug-in; GENERIC_JSON: the value that means compliant. */
  option4?: string;
  /** When it was polled last; 1970: never. */
  lastPoll?: string;
  /** When a poll went through last; 1970: never. */
  lastSuccessfulPoll?: string;
  /** When the record was made. */
  createDate?: string;
  /** Counts the configured changes; send it back to refuse a stale write. */
  version?: number;
  /** Who changed the record last. */
  lastModifiedBy?: string;
  /** When it was changed last. */
  lastModifiedDate?: string;
}

export interface MemberVia {
  id: number;
  name: string;
}

export interface MonitorStart {
  /** Tell only of records that match. */
  filter?: string[];
}

export interface MonitorStarted {
  /** Identity of the monitor. */
  id: number;
  /** Where the monitor begins. */
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

export interface NestedGroupMember {
  id: number;
  /** What it is called. */
  name: string;
  /** Path of its picture. */
  img: string;
  via: MemberVia | null;
}

/** Named subnets, ranges and single addresses, for groups of them. */
export interface NetworkAddress {
  /** Identity of the record. */
  id: number;
  name: string;
  /** Which of the following fields it has. */
  type: 'SUBNET' | 'RANGE' | 'HOST';
  /** Of a subnet. Written as an IPv4 or IPv6 network, such as 10.20.0.0/16. */
  network: string | null;
  /** First address of a range. Written as an IPv4 or IPv6 address. */
  start: string | null;
  /** Last address of a range. Written as an IPv4 or IPv6 address. */
  end: string | null;
  /** The address of a single host. Written as an IPv4 or IPv6 address. */
  address: string | null;
  description: string;
  /** Who changed the record last. */
  lastModifiedBy: string;
  /** When it was changed last. */
  lastModifiedDate: string;
  /** Counts the configured changes; send it back to refuse a stale write. */
  version: number;
}

/** Named sets of network addresses, for firewalls, profiling and discovery. */
export interface NetworkAddressGroup {
  /** Identity of the record. */
  id: number;
  name: string;
  /** Stable key of a built-in group: code finds it by this, never by name. */
  tag: string | null;
  /** Its addresses; at least one, but for a built-in group. */
  addressIDs: number[];
  /** The same with their names. */
  addresses: NetworkAddressShort[];
  description: string;
  /** Who changed the record last. */
  lastModifiedBy: string;
  /** When it was changed last. */
  lastModifiedDate: string;
  /** Counts the configured changes; send it back to refuse a stale write. */
  version: number;
}

export interface NetworkAddressGroupInput {
  /** Identity of the record. */
  id?: number | null;
  name?: string;
  /** Stable key of a built-in group: code finds it by this, never by name. */
  tag?: string | null;
  /** Its addresses; at least one, but for a built-in group. */
  addressIDs?: number[];
  /** The same with their names. */
  addresses?: NetworkAddressShortInput[];
  description?: string;
  /** Who changed the record last. */
  lastModifiedBy?: string;
  /** When it was changed last. */
  lastModifiedDate?: string;
  /** Counts the configured changes; send it back to refuse a stale write. */
  version?: number;
}

export interface NetworkAddressInput {
  /** Identity of the record. */
  id?: number | null;
  name?: string;
  /** Which of the following fields it has. */
  type?: 'SUBNET' | 'RANGE' | 'HOST';
  /** Of a subnet. Written as an IPv4 or IPv6 network, such as 10.20.0.0/16. */
  network?: string | null;
  /** First address of a range. Written as an IPv4 or IPv6 address. */
  start?: string | null;
  /** Last address of a range. Written as an IPv4 or IPv6 address. */
  end?: string | null;
  /** The address of a single host. Written as an IPv4 or IPv6 address. */
  address?: string | null;
  description?: string;
  /** Who changed the record last. */
  lastModifiedBy?: string;
  /** When it was changed last. */
  lastModifiedDate?: string;
  /** Counts the configured changes; send it back to refuse a stale write. */
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
  /** 2 a device that is managed, 3 one that is only pinged. */
  elementClass: number;
  /** 0 never contacted, 1 contact established, 2 contact lost, 3 degraded (it pings, and SNMP or CLI fails), 4 management disabled. */
  status: number;
  /** Counts the configured changes; send it back to refuse a stale write. */
  version: number;
  /** Name, unique in the cell. */
  name: string;
  /** Address it is managed by, unique in the cell. Written as an IPv4 or IPv6 address. */
  ipAddress: string | null;
  /** MAC address of the device itself. Written as a MAC address, taken in any notation; empty for none. */
  physicalAddress: string | null;
  /** The container that holds it. */
  containerID: number;
  /** Name of the container. */
  container: string;
  /** What works on it. */
  driver: 'qbridge' | 'cisco-ios' | 'hostapd' | 'radius-only' | 'linux-firewall' | 'ping';
  /** Tag of the device type it is taken for, whatever it says; firewall and access-point also choose the driver. */
  deviceTypeOverride: string | null;
  /** Tag of its device type. */
  deviceType: string;
  /** Who made it. */
  vendor: string | null;
  /** What they call it. */
  model: string | null;
  /** What runs on it. */
  firmware: string | null;
  /** As the device tells it. */
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
  /** How the service speaks to it. */
  protocol: 'SNMP_V1' | 'SNMP_V2C' | 'SNMP_V3' | 'PING' | 'RADIUS';
  /** Role of the device. */
  role: string | null;
  description: string;
  note: string;
  /** MIB modules that it answers. */
  mibs: string[];
  /** How many ports it has. */
  portCount: number;
  /** How many adapters are connected to its ports now. */
  connectedHosts: number;
  /** User of SNMPv3. */
  snmpUsername: string | null;
  /** How SNMPv3 signs. */
  snmpAuthenticationProtocol: 'MD5' | 'SHA' | 'SHA224' | 'SHA256' | 'SHA384' | 'SHA512' | null;
  /** How SNMPv3 encrypts; null: not. AES256 with key extension by Blumenthal (B) or Reeder (R). */
  snmpPrivacyProtocol: 'DES' | 'AES' | 'AES256B' | 'AES256R' | null;
  /** Whether snmpSecurityStrings is set. */
  snmpSecurityStringsSet: boolean;
  /** Whether snmpAuthenticationPassword is set. */
  snmpAuthenticationPasswordSet: boolean;
  /** Whether snmpPrivacyPassword is set. */
  snmpPrivacyPasswordSet: boolean;
  snmpPort: number;
  cliCredentials: CliCredentials | null;
  /** Whether it may ask the RADIUS server. */
  radiusEnabled: boolean;
  /** Whether radiusSecret is set. */
  radiusSecretSet: boolean;
  /** NAS-Identifier, where its address does not tell who it is. */
  nasIdentifier: string | null;
  /** Where it takes changes of authorisation (RFC 5176). */
  coaPort: number;
  /** Virtual RADIUS server; null: the default one. */
  radiusServerConfigID: number | null;
  /** Attributes it is answered with; null: those of its driver. */
  radiusAttrGroupID: number | null;
  /** When no decision is possible: no answer, or the last accept on that port again. */
  whenUndecided: 'SILENT' | 'LAST_ACCEPT';
  /** False: it is watched, and nothing on it is changed. */
  managed: boolean;
  /** How access is changed, in the order to try; absent on create: as its protocol suggests. */
  enforcementMethods: ('COA' | 'DISCONNECT' | 'SNMP' | 'CLI' | 'BOUNCE')[];
  /** Take the link down shortly, so that the host asks for a new address. */
  bounceAfterVlanChange: boolean;
  /** Answer RADIUS with the default VLAN of the port when nothing else was decided. */
  sendDefaultVlan: boolean;
  /** VLANs that it has. */
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
  /** Who comes first when all are due. */
  l3PollingPriority: 'HIGH' | 'MEDIUM' | 'LOW';
  /** Last contact poll. */
  lastPoll: string | null;
  /** Last contact poll that it answered. */
  lastSuccessfulPoll: string | null;
  /** Last reading of the forwarding table. */
  lastL2Poll: string | null;
  /** Last reading of the ARP and neighbour tables. */
  lastL3Poll: string | null;
  /** Last trap from it. */
  lastTrap: string | null;
  /** What reads its messages about hosts. */
  incomingEventParserID: number | null;
  /** How a firewall is told who has which address. */
  ssoAgentType: 'NONE' | 'STREAM' | 'RADIUS_ACCOUNTING';
  /** Hosts of which addresses a firewall is told about. */
  ssoAddressGroupID: number | null;
  /** Addresses of the VPN clients of a firewall. */
  vpnAddressGroupID: number | null;
  /** The newest DEVICE_CREATED of this record. */
  creationEvent: EventObject;
  /** The newest DEVICE_DESTROYED of this record. */
  destroyEvent: EventObject;
  /** The newest CONTACT_ESTABLISHED of this record. */
  establishedEvent: EventObject;
  /** The newest CONTACT_LOST of this record. */
  lostEvent: EventObject;
  /** Who changed the record last. */
  lastModifiedBy: string;
  /** When it was changed last. */
  lastModifiedDate: string;
}

export interface NetworkDeviceFeedEntry {
  /** Acknowledges everything up to this entry when sent with the next poll. */
  position: string;
  change: 'added' | 'modified' | 'removed';
  /** The record as it is now; a removed one has its identity alone. */
  record: ChangedNetworkDevice;
}

export interface NetworkDeviceInput {
  /** Identity of the record. */
  id?: number | null;
  /** Number of the cell that owns the record. */
  landscape?: number;
  /** 0 active, 1 disabled, 2 being deleted. */
  state?: number;
  /** 2 a device that is managed, 3 one that is only pinged. */
  elementClass?: number;
  /** 0 never contacted, 1 contact established, 2 contact lost, 3 degraded (it pings, and SNMP or CLI fails), 4 management disabled. */
  status?: number;
  /** Counts the configured changes; send it back to refuse a stale write. */
  version?: number;
  /** Name, unique in the cell. */
  name?: string;
  /** Address it is managed by, unique in the cell. Written as an IPv4 or IPv6 address. */
  ipAddress?: string | null;
  /** MAC address of the device itself. Written as a MAC address, taken in any notation; empty for none. */
  physicalAddress?: string | null;
  /** The container that holds it. */
  containerID?: number;
  /** Name of the container. */
  container?: string;
  /** What works on it. */
  driver?: 'qbridge' | 'cisco-ios' | 'hostapd' | 'radius-only' | 'linux-firewall' | 'ping';
  /** Tag of the device type it is taken for, whatever it says; firewall and access-point also choose the driver. */
  deviceTypeOverride?: string | null;
  /** Tag of its device type. */
  deviceType?: string;
  /** Who made it. */
  vendor?: string | null;
  /** What they call it. */
  model?: string | null;
  /** What runs on it. */
  firmware?: string | null;
  /** As the device tells it. */
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
  /** How the service speaks to it. */
  protocol?: 'SNMP_V1' | 'SNMP_V2C' | 'SNMP_V3' | 'PING' | 'RADIUS';
  /** Role of the device. */
  role?: string | null;
  description?: string;
  note?: string;
  /** MIB modules that it answers. */
  mibs?: string[];
  /** How many ports it has. */
  portCount?: number;
  /** How many adapters are connected to its ports now. */
  connectedHosts?: number;
  /** User of SNMPv3. */
  snmpUsername?: string | null;
  /** How SNMPv3 signs. */
  snmpAuthenticationProtocol?: 'MD5' | 'SHA' | 'SHA224' | 'SHA256' | 'SHA384' | 'SHA512' | null;
  /** How SNMPv3 encrypts; null: not. AES256 with key extension by Blumenthal (B) or Reeder (R). */
  snmpPrivacyProtocol?: 'DES' | 'AES' | 'AES256B' | 'AES256R' | null;
  /** Communities, tried in their order; they are never shown. Null or absent: they stay; empty: none. */
  snmpSecurityStrings?: string[] | null;
  /** Whether snmpSecurityStrings is set. */
  snmpSecurityStringsSet?: boolean;
  /** Password that SNMPv3 signs with. */
  snmpAuthenticationPassword?: string | null;
  /** Whether snmpAuthenticationPassword is set. */
  snmpAuthenticationPasswordSet?: boolean;
  /** Password that SNMPv3 encrypts with. */
  snmpPrivacyPassword?: string | null;
  /** Whether snmpPrivacyPassword is set. */
  snmpPrivacyPasswordSet?: boolean;
  snmpPort?: number;
  cliCredentials?: CliCredentialsInput | null;
  /** Whether it may ask the RADIUS server. */
  radiusEnabled?: boolean;
  /** Secret that it shares with the RADIUS server. */
  radiusSecret?: string | null;
  /** Whether radiusSecret is set. */
  radiusSecretSet?: boolean;
  /** NAS-Identifier, where its address does not tell who it is. */
  nasIdentifier?: string | null;
  /** Where it takes changes of authorisation (RFC 5176). */
  coaPort?: number;
  /** Virtual RADIUS server; null: the default one. */
  radiusServerConfigID?: number | null;
  /** Attributes it is answered with; null: those of its driver. */
  radiusAttrGroupID?: number | null;
  /** When no decision is possible: no answer, or the last accept on that port again. */
  whenUndecided?: 'SILENT' | 'LAST_ACCEPT';
  /** False: it is watched, and nothing on it is changed. */
  managed?: boolean;
  /** How access is changed, in the order to try; absent on create: as its protocol suggests. */
  enforcementMethods?: ('COA' | 'DISCONNECT' | 'SNMP' | 'CLI' | 'BOUNCE')[];
  /** Take the link down shortly, so that the host asks for a new address. */
  bounceAfterVlanChange?: boolean;
  /** Answer RADIUS with the default VLAN of the port when nothing else was decided. */
  sendDefaultVlan?: boolean;
  /** VLANs that it has. */
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
  /** Who comes first when all are due. */
  l3PollingPriority?: 'HIGH' | 'MEDIUM' | 'LOW';
  /** Last contact poll. */
  lastPoll?: string | null;
  /** Last contact poll that it answered. */
  lastSuccessfulPoll?: string | null;
  /** Last reading of the forwarding table. */
  lastL2Poll?: string | null;
  /** Last reading of the ARP and neighbour tables. */
  lastL3Poll?: string | null;
  /** Last trap from it. */
  lastTrap?: string | null;
  /** What reads its messages about hosts. */
  incomingEventParserID?: number | null;
  /** How a firewall is told who has which address. */
  ssoAgentType?: 'NONE' | 'STREAM' | 'RADIUS_ACCOUNTING';
  /** Hosts of which addresses a firewall is told about. */
  ssoAddressGroupID?: number | null;
  /** Addresses of the VPN clients of a firewall. */
  vpnAddressGroupID?: number | null;
  /** The newest DEVICE_CREATED of this record. */
  creationEvent?: EventObjectInput;
  /** The newest DEVICE_DESTROYED of this record. */
  destroyEvent?: EventObjectInput;
  /** The newest CONTACT_ESTABLISHED of this record. */
  establishedEvent?: EventObjectInput;
  /** The newest CONTACT_LOST of this record. */
  lostEvent?: EventObjectInput;
  /** Who changed the record last. */
  lastModifiedBy?: string;
  /** When it was changed last. */
  lastModifiedDate?: string;
  /** Version of SNMP; the record shows it as protocol. */
  snmpProtocol?: 'V1' | 'V2C' | 'V3_AUTH_NO_PRIV' | 'V3_AUTH_PRIV';
}

export interface NetworkScanWish {
  /** The adapters. */
  id: number[];
  /** LIGHT: 100 usual TCP ports; STANDARD, unless said otherwise: 1,000 with the versions of services; FULL: all, and usual UDP ports. */
  intensity?: 'LIGHT' | 'STANDARD' | 'FULL';
  /** Guess the operating system; true unless said otherwise. */
  osDetection?: boolean;
}

export interface NewAdminProfile {
  /** Identity of the record. */
  dbid: number | null;
  /** Number of the cell that owns the record. */
  landscape: number;
  /** Counts the configured changes; send it back to refuse a stale write. */
  version: number;
  /** Who changed the record last. */
  lastModifiedBy: string;
  /** When it was changed last. */
  lastModifiedDate: string;
  /** Empty: the one thing a client has to fill in. */
  name: string;
  note: string;
  /** May do everything; true on the one built-in. */
  administrator: boolean;
  /** What is granted on each permission key; a missing key grants nothing. What is sent replaces the whole map. */
  permissions: Record<string, Permission>;
  /** Minutes after which an idle session ends. */
  inactivityTime: number;
  /** When its holders may sign in and call; outside of it every request is refused. */
  schedule: WeeklySchedule;
  /** Page of the console that opens after the login. */
  landingPage: string;
  /** Limits hosts, adapters, ports and users to members of the groups that its holders manage; of all others they see nothing. */
  manageByGroups: boolean;
  /** Failed logins that lock an account; 0: never. */
  lockoutThreshold: number;
  /** Seconds that a lock lasts. */
  lockoutDuration: number;
  /** Holders never age; false: they age like other users. */
  preventAging: boolean;
  /** Keys that are new in a release are granted view; false: nothing. */
  upgradePermissions: boolean;
  /** The console is one form that makes guests; needs kioskTemplateID, and no right but to add guests. */
  isKioskMode: boolean;
  /** Template of the guests that the kiosk makes. */
  kioskTemplateID: number | null;
  /** What stands above the form of the kiosk. */
  kioskWelcomeMessage: string | null;
  /** Identity of the record at the manager that gave it; 0: it is of this cell. */
  guid: number;
  /** When the manager changed it last. */
  globalModifiedDate: string | null;
  /** Whether a manager gave it; then it is read-only here. */
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

export interface Permission {
  /** Set by the service where add, modify or delete is. */
  view: boolean;
  add: boolean;
  modify: boolean;
  delete: boolean;
  /** Narrows device-profiling, groups or devices to selectedIDs; of guests it is kept until those are served. */
  customized: boolean;
  /** True unless said otherwise: selectedIDs narrows nothing. */
  allIDs: boolean;
  /** Guest templates, profiling rules, groups, or containers with all that lies beneath them. Others are not there for the holder. */
  selectedIDs: number[];
  /** Of guests: accounts (ALL or OWN), maxDaysAhead, sharedPasswordAllowed; of self-registration and host-registration: requests (ALL or OWN). */
  attributes: Record<string, string>;
  /** What people call the key; the service says it. */
  displayName_API: string;
  /** Pages of the console, and whether this opens them; the service says it. */
  allowedViews: Record<string, boolean>;
}

export interface PermissionInput {
  /** Set by the service where add, modify or delete is. */
  view?: boolean;
  add?: boolean;
  modify?: boolean;
  delete?: boolean;
  /** Narrows device-profiling, groups or devices to selectedIDs; of guests it is kept until those are served. */
  customized?: boolean;
  /** True unless said otherwise: selectedIDs narrows nothing. */
  allIDs?: boolean;
  /** Guest templates, profiling rules, groups, or containers with all that lies beneath them. Others are not there for the holder. */
  selectedIDs?: number[];
  /** Of guests: accounts (ALL or OWN), maxDaysAhead, sharedPasswordAllowed; of self-registration and host-registration: requests (ALL or OWN). */
  attributes?: Record<string, string>;
  /** What people call the key; the service says it. */
  displayName_API?: string;
  /** Pages of the console, and whether this opens them; the service says it. */
  allowedViews?: Record<string, boolean>;
}

export interface PermissionView {
  /** The page, as a link names it. */
  view: string;
  label: string;
  /** What one can do there. */
  verbs: ('view' | 'add' | 'modify' | 'delete')[];
  /** Groups of the contract whose operations it calls. */
  groups: string[];
}

export interface PermissionViewMap {
  /** On a cell. */
  viewMap: Record<string, PermissionView[]>;
  /** On a manager of cells, which has no devices of its own. */
  ncmViewMap: Record<string, PermissionView[]>;
}

/** Interfaces of devices, SSIDs and VPN entries, with what the device reports of them. */
export interface Port {
  /** Identity of the record. */
  dbid: number;
  /** The identity again. */
  legacyDBID: number;
  /** 0 physical, 1 SSID, 2 VPN, 3 link aggregate, 4 virtual. */
  portType: number;
  /** Its name on the device (ifName), or that of the SSID or VPN entry. */
  name: string;
  /** ifIndex as text; `ssid:<name>` and `vpn:<name>` for those. */
  portID: string;
  /** The label, or without one the name. */
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
  /** MAC address of the interface itself. Written as a MAC address, taken in any notation; empty for none. */
  physAddr: string;
  /** Name that administrators gave it; begins as the ifAlias of the device. */
  label: string;
  /** 0 nothing connected, 1 registered host, 2 rogue, 3 IP phone, 4 host registered as device, 5 several hosts, 6 rogue and phone, 7 registered host and phone, 8 learned uplink, 9 threshold uplink, 10 user-defined uplink, 11 WAP uplink, 12 disabled host, 13 host at risk. */
  connectionState: number;
  /** VLAN it returns to when empty. */
  defaultVlan: string;
  /** VLAN that was read last. */
  currentVlan: string;
  /** CLI configuration in force; empty: none. */
  currentCli: string;
  notes: string;
  /** Who changed the record last. */
  lastModifiedBy: string;
  /** The newest change of the port, in words. */
  lastChangeSummary: string;
  /** When it was changed last. */
  lastModifiedDate: string;
  /** False for virtual interfaces. */
  displayable: boolean;
  /** ifName, by which the port is known; the portID of an SSID or VPN entry. */
  ifname: string;
  /** ifIndex; the device may change it when it restarts. Empty: it has none. */
  ifindex: string;
  /** Bits per second. */
  ifspeed: string;
  /** ifDescr. */
  ifdescr: string;
  /** What the device was told (IF-MIB): 1 up, 2 down, 3 testing; 0 not reported. */
  ifadminStatus: number;
  /** What it is (IF-MIB): 1 up, 2 down, 3 testing, 4 unknown, 5 dormant, 6 not present, 7 lower layer down; 0 not reported. */
  ifoperStatus: number;
  /** Event type of the last change. */
  yamsEventTag: string;
  /** The last audit record of this record. */
  auditObj: AuditObject;
  /** Never take it for a learned or threshold uplink. */
  uplinkDisabled: boolean;
}

/** What the service changed on ports and in the access of hosts, why, and what became of it. */
export interface PortChange {
  /** Identity of the change; it tells the time too. */
  id: number;
  /** Number of the cell that owns the record. */
  landscape: number;
  /** When it was done, or given up. */
  timestamp: string;
  /** The port, by its dbid. */
  portID: number;
  /** Its name at that time. */
  portName: string;
  /** The device of the port. */
  deviceID: number;
  /** Its name at that time. */
  deviceName: string;
  /** The container that the device was in. */
  containerID: number;
  /** The adapter that caused it. Written as a MAC address, taken in any notation; empty for none. */
  mac: string | null;
  /** The host that caused it. */
  hostID: number | null;
  /** Name of that host at that time. */
  hostName: string | null;
  /** Who used that host. */
  userName: string | null;
  /** The access that was decided; null: nothing was decided. */
  accessState: 'DEAD_END' | 'QUARANTINE' | 'REGISTRATION' | 'AUTHENTICATION' | 'GUEST' | 'PRODUCTION' | null;
  /** Why: MANUAL by an administrator, RESTORE to what was applied before. */
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
  /** VLAN before; null where it was not about VLANs, or never read. */
  fromVlan: string | null;
  /** VLAN that was to be. Without one, and without a CLI configuration, the port was put up or down. */
  toVlan: string | null;
  /** CLI configuration before. */
  fromCli: string | null;
  /** CLI configuration that was to be. */
  toCli: string | null;
  /** How the device was told. */
  method: 'RADIUS' | 'COA' | 'DISCONNECT' | 'SNMP' | 'CLI' | 'BOUNCE';
  /** What made the service look. */
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
  /** The device shows what it was to be. */
  success: boolean;
  /** What the device said, where it failed. */
  errorMessage: string | null;
  /** From the first question to the last answer. */
  durationMs: number;
  /** Generation of the policies that were in force. */
  generation: number;
}

export interface PortFeedEntry {
  /** Acknowledges everything up to this entry when sent with the next poll. */
  position: string;
  change: 'added' | 'modified' | 'removed';
  /** The record as it is now; a removed one has its identity alone. */
  record: ChangedPort;
}

export interface PortManagement {
  /** The caller may change something of ports. */
  enabled: boolean;
  canSetVlan: boolean;
  /** May put ports up and down. */
  canSetAdminStatus: boolean;
  /** May change label, notes and default VLAN. */
  canRename: boolean;
  /** Always: there are no licences. */
  licensed: boolean;
  /** Why not; empty: nothing is in the way. */
  reason: string;
}

export interface PortOfAdapter {
  /** Identity of the record. */
  dbid: number | null;
  /** The identity again. */
  legacyDBID: number;
  /** 0 physical, 1 SSID, 2 VPN, 3 link aggregate, 4 virtual. */
  portType: number;
  /** Its name on the device (ifName), or that of the SSID or VPN entry. */
  name: string;
  /** ifIndex as text; `ssid:<name>` and `vpn:<name>` for those. */
  portID: string;
  /** The label, or without one the name. */
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
  /** MAC address of the interface itself. Written as a MAC address, taken in any notation; empty for none. */
  physAddr: string;
  /** Name that administrators gave it; begins as the ifAlias of the device. */
  label: string;
  /** 0 nothing connected, 1 registered host, 2 rogue, 3 IP phone, 4 host registered as device, 5 several hosts, 6 rogue and phone, 7 registered host and phone, 8 learned uplink, 9 threshold uplink, 10 user-defined uplink, 11 WAP uplink, 12 disabled host, 13 host at risk. */
  connectionState: number;
  /** VLAN it returns to when empty. */
  defaultVlan: string;
  /** VLAN that was read last. */
  currentVlan: string;
  /** CLI configuration in force; empty: none. */
  currentCli: string;
  notes: string;
  /** Who changed the record last. */
  lastModifiedBy: string;
  /** The newest change of the port, in words. */
  lastChangeSummary: string;
  /** When it was changed last. */
  lastModifiedDate: string;
  /** False for virtual interfaces. */
  displayable: boolean;
  /** ifName, by which the port is known; the portID of an SSID or VPN entry. */
  ifname: string;
  /** ifIndex; the device may change it when it restarts. Empty: it has none. */
  ifindex: string;
  /** Bits per second. */
  ifspeed: string;
  /** ifDescr. */
  ifdescr: string;
  /** What the device was told (IF-MIB): 1 up, 2 down, 3 testing; 0 not reported. */
  ifadminStatus: number;
  /** What it is (IF-MIB): 1 up, 2 down, 3 testing, 4 unknown, 5 dormant, 6 not present, 7 lower layer down; 0 not reported. */
  ifoperStatus: number;
  /** Event type of the last change. */
  yamsEventTag: string;
  /** The last audit record of this record. */
  auditObj: AuditObject;
  /** Never take it for a learned or threshold uplink. */
  uplinkDisabled: boolean;
}

export interface PortProperties {
  /** The ports. */
  id: number[];
  /** Label: the name that administrators give it. */
  name?: string;
  /** Put it up or down, on the device. */
  adminStatus?: boolean;
  /** VLAN it returns to when empty: number, or name on the device. Empty: none. */
  defaultVlan?: string;
  /** Put it into this VLAN, on the device: number, or name there. A later decision may change it. */
  currentVlan?: string;
  /** 1: it is an uplink, because you say so; 0: as it is. */
  newUplink?: number;
  /** It is an edge port again, until something makes it an uplink. */
  clearUplink?: boolean;
  /** Never take it for a learned or threshold uplink. */
  uplinkDisabled?: boolean;
  notes?: string;
}

export interface PostedEvent {
  /** A postable event type, or EXT_ and up to 60 capitals, digits and underscores. Written as the name of an event type, in capitals. */
  name: string;
  /** Code of what it happened to. */
  elementType: number;
  /** Identity of that; 0 unless said otherwise. */
  elementID?: number;
  elementName?: string;
  message: string;
  /** Facts beyond the fields, by name. */
  attributes?: Record<string, string>;
}

/** The same fault as RFC 9457, for callers that accept application/problem+json. */
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
    /** Where in the body (RFC 6901). */ pointer?: string;
    /** Which parameter of the query. */
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
  /** A star stands for anything. */
  value?: string;
  /** DHCP option 60. A star stands for anything. */
  vendorClass?: string;
  /** DHCP option 55, as numbers with commas between. */
  paramList?: string;
  /** Options that the packet has, as numbers with commas between. */
  optionList?: string;
  /** DHCP option 12. A star stands for anything. */
  hostName?: string;
  /** System that the fingerprint stands for. A star stands for anything. */
  os?: string;
}

export interface ProfilingFilterInput {
  /** What an OUI filter compares. */
  field?: 'vendorName' | 'vendorCode' | 'vendorType';
  /** A star stands for anything. */
  value?: string;
  /** DHCP option 60. A star stands for anything. */
  vendorClass?: string;
  /** DHCP option 55, as numbers with commas between. */
  paramList?: string;
  /** Options that the packet has, as numbers with commas between. */
  optionList?: string;
  /** DHCP option 12. A star stands for anything. */
  hostName?: string;
  /** System that the fingerprint stands for. A star stands for anything. */
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
  /** All that are enabled must pass. Absent: true. */
  enabled: boolean;
  /** On write one of the three is enough. */
  methodType: ProfilingMethodType;
  /** Kept as it is sent. */
  version: number;
  /** Whether data holds a secret; set by the service. */
  encrypted: boolean;
  /** Order of evaluation, cheap ones first; set by the service. */
  priority: number;
  /** Short name of the type; set by the service. */
  methodTypeString: string;
  /** What the method looks for; which properties it takes depends on its type. */
  data: ProfilingMethodData;
}

export interface ProfilingMethodData {
  /** Any of them; of a DHCP filter all that it names. */
  filters?: ProfilingFilter[];
  /** The type that DHCP tells is the type of the rule. */
  matchType?: boolean;
  /** Systems, any of them. */
  os?: string[];
  /** Products that a scan found, any of them. */
  products?: string[];
  /** An older scan is done again. */
  maxAgeMinutes?: number;
  /** Written as port numbers with commas between, such as 80,443,9100. */
  ports?: string;
  /** Whether all of them must be there, or one. */
  mode?: 'ALL' | 'ANY';
  /** Written as an OID such as 1.3.6.1.2.1.1.1.0. */
  oid?: string;
  operator?: 'EQUALS' | 'CONTAINS' | 'REGEX' | 'EXISTS';
  /** What the answer is compared with. */
  value?: string;
  /** Version of SNMP. */
  version?: 'V1' | 'V2C' | 'V3';
  credentials?: ProfilingSnmpCredentials;
  /** HTTPS. */
  ssl?: boolean;
  port?: number;
  path?: string;
  userName?: string;
  /** Sent to the device that is looked at. */
  password?: string;
  /** Run after the login. */
  command?: string;
  /** Texts of the answer, any of them. */
  match?: string[];
  ranges?: ProfilingAddressRange[];
  /** Network address group. */
  addressGroupID?: number;
  /** Containers that it is connected in. */
  containerIDs?: number[];
  deviceGroupIDs?: number[];
  portGroupIDs?: number[];
  ssids?: string[];
  /** Attributes of its last request, all of them. */
  attributes?: ProfilingRadiusAttribute[];
  /** A star stands for anything. */
  sysDescr?: string;
  /** A star stands for anything. */
  sysName?: string;
  /** What it says to be, any of them (IEEE 802.1AB, 8.5.8). */
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
  /** A star stands for anything. */
  portDescr?: string;
  /** What the agent runs on. */
  platform?: string;
  /** MDM server that knows it; absent: any. */
  mdmID?: number;
  /** What the MDM server says of it. */
  compliant?: boolean;
  /** Regular expression (RE2) for the User-Agent of its browser. */
  regex?: string;
  flows?: ProfilingFlow[];
  /** How far back firewall sessions count. */
  windowMinutes?: number;
}

export interface ProfilingMethodDataInput {
  /** Any of them; of a DHCP filter all that it names. */
  filters?: ProfilingFilterInput[];
  /** The type that DHCP tells is the type of the rule. */
  matchType?: boolean;
  /** Systems, any of them. */
  os?: string[];
  /** Products that a scan found, any of them. */
  products?: string[];
  /** An older scan is done again. */
  maxAgeMinutes?: number;
  /** Written as port numbers with commas between, such as 80,443,9100. */
  ports?: string;
  /** Whether all of them must be there, or one. */
  mode?: 'ALL' | 'ANY';
  /** Written as an OID such as 1.3.6.1.2.1.1.1.0. */
  oid?: string;
  operator?: 'EQUALS' | 'CONTAINS' | 'REGEX' | 'EXISTS';
  /** What the answer is compared with. */
  value?: string;
  /** Version of SNMP. */
  version?: 'V1' | 'V2C' | 'V3';
  credentials?: ProfilingSnmpCredentialsInput;
  /** HTTPS. */
  ssl?: boolean;
  port?: number;
  path?: string;
  userName?: string;
  /** Sent to the device that is looked at. */
  password?: string;
  /** Run after the login. */
  command?: string;
  /** Texts of the answer, any of them. */
  match?: string[];
  ranges?: ProfilingAddressRangeInput[];
  /** Network address group. */
  addressGroupID?: number;
  /** Containers that it is connected in. */
  containerIDs?: number[];
  deviceGroupIDs?: number[];
  portGroupIDs?: number[];
  ssids?: string[];
  /** Attributes of its last request, all of them. */
  attributes?: ProfilingRadiusAttributeInput[];
  /** A star stands for anything. */
  sysDescr?: string;
  /** A star stands for anything. */
  sysName?: string;
  /** What it says to be, any of them (IEEE 802.1AB, 8.5.8). */
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
  /** A star stands for anything. */
  portDescr?: string;
  /** What the agent runs on. */
  platform?: string;
  /** MDM server that knows it; absent: any. */
  mdmID?: number;
  /** What the MDM server says of it. */
  compliant?: boolean;
  /** Regular expression (RE2) for the User-Agent of its browser. */
  regex?: string;
  flows?: ProfilingFlowInput[];
  /** How far back firewall sessions count. */
  windowMinutes?: number;
}

export interface ProfilingMethodInput {
  /** All that are enabled must pass. Absent: true. */
  enabled?: boolean;
  /** On write one of the three is enough. */
  methodType: ProfilingMethodTypeInput;
  /** Kept as it is sent. */
  version?: number;
  /** Whether data holds a secret; set by the service. */
  encrypted?: boolean;
  /** Order of evaluation, cheap ones first; set by the service. */
  priority?: number;
  /** Short name of the type; set by the service. */
  methodTypeString?: string;
  /** What the method looks for; which properties it takes depends on its type. */
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

/** The web proxies that outgoing HTTP, HTTPS and FTP connections go through, and what they do not go through for. */
export interface ProxySettings {
  /** Host name or address of the proxy for HTTP; empty: direct. Written as a host name or an address, or nothing for direct connections. */
  httpProxyHost: string;
  /** TCP port of the proxy; 0 only where there is none. */
  httpProxyPort: number;
  /** Account at the proxy; empty: it asks for none. Written as a user name without colon and control characters. */
  httpProxyUser: string;
  /** Whether httpProxyPassword is set. */
  httpProxyPasswordSet: boolean;
  /** Targets that HTTP and HTTPS reaches directly: names with * for anything, addresses and CIDRs, with | between them. */
  httpNonProxyHosts: string;
  /** Host name or address of the proxy for HTTPS; empty: direct. Written as a host name or an address, or nothing for direct connections. */
  httpsProxyHost: string;
  /** TCP port of the proxy; 0 only where there is none. */
  httpsProxyPort: number;
  /** Account at the proxy; empty: it asks for none. Written as a user name without colon and control characters. */
  httpsProxyUser: string;
  /** Whether httpsProxyPassword is set. */
  httpsProxyPasswordSet: boolean;
  /** Host name or address of the proxy for FTP; empty: direct. Written as a host name or an address, or nothing for direct connections. */
  ftpProxyHost: string;
  /** TCP port of the proxy; 0 only where there is none. */
  ftpProxyPort: number;
  /** Account at the proxy; empty: it asks for none. Written as a user name without colon and control characters. */
  ftpProxyUser: string;
  /** Whether ftpProxyPassword is set. */
  ftpProxyPasswordSet: boolean;
  /** Targets that FTP reaches directly: names with * for anything, addresses and CIDRs, with | between them. */
  ftpNonProxyHosts: string;
  /** Counts the configured changes; send it back to refuse a stale write. */
  version: number;
  /** Who changed the record last. */
  lastModifiedBy: string;
  /** When it was changed last. */
  lastModifiedDate: string;
}

export interface ProxySettingsInput {
  /** Host name or address of the proxy for HTTP; empty: direct. Written as a host name or an address, or nothing for direct connections. */
  httpProxyHost?: string;
  /** TCP port of the proxy; 0 only where there is none. */
  httpProxyPort?: number;
  /** Account at the proxy; empty: it asks for none. Written as a user name without colon and control characters. */
  httpProxyUser?: string;
  /** Password of that account. */
  httpProxyPassword?: string | null;
  /** Whether httpProxyPassword is set. */
  httpProxyPasswordSet?: boolean;
  /** Targets that HTTP and HTTPS reaches directly: names with * for anything, addresses and CIDRs, with | between them. */
  httpNonProxyHosts?: string;
  /** Host name or address of the proxy for HTTPS; empty: direct. Written as a host name or an address, or nothing for direct connections. */
  httpsProxyHost?: string;
  /** TCP port of the proxy; 0 only where there is none. */
  httpsProxyPort?: number;
  /** Account at the proxy; empty: it asks for none. Written as a user name without colon and control characters. */
  httpsProxyUser?: string;
  /** Password of that account. */
  httpsProxyPassword?: string | null;
  /** Whether httpsProxyPassword is set. */
  httpsProxyPasswordSet?: boolean;
  /** Host name or address of the proxy for FTP; empty: direct. Written as a host name or an address, or nothing for direct connections. */
  ftpProxyHost?: string;
  /** TCP port of the proxy; 0 only where there is none. */
  ftpProxyPort?: number;
  /** Account at the proxy; empty: it asks for none. Written as a user name without colon and control characters. */
  ftpProxyUser?: string;
  /** Password of that account. */
  ftpProxyPassword?: string | null;
  /** Whether ftpProxyPassword is set. */
  ftpProxyPasswordSet?: boolean;
  /** Targets that FTP reaches directly: names with * for anything, addresses and CIDRs, with | between them. */
  ftpNonProxyHosts?: string;
  /** Counts the configured changes; send it back to refuse a stale write. */
  version?: number;
  /** Who changed the record last. */
  lastModifiedBy?: string;
  /** When it was changed last. */
  lastModifiedDate?: string;
}

export interface RankSet {
  id: number;
  /** The place it moves to; the others give way. */
  rank: number;
}

export interface RankSwap {
  /** The two records. */
  id: [number, number];
}

export interface ResyncInterfaces {
  /** Identities of the records. */
  id: number[];
  /** Delete ports and SSIDs that are gone, carry nobody and are in no group. */
  purge?: boolean;
}

/** Attributes of hosts and users that policies match on, in the order they win. */
export interface Role {
  /** Identity of the record. */
  id: number;
  /** Number of the cell that owns the record. */
  landscape: number;
  /** Counts the configured changes; send it back to refuse a stale write. */
  version: number;
  /** Who changed the record last. */
  lastModifiedBy: string;
  /** When it was changed last. */
  lastModifiedDate: string;
  /** Identity of the record at the manager that gave it; 0: it is of this cell. */
  guid: number;
  /** When the manager changed it last. */
  globalModifiedDate: string | null;
  note: string;
  name: string;
  /** Place in the order, from 1. On create absent or 0: last; on update: move. */
  rank: number;
  /** Members of these host or user groups, and of the groups below them, get the role. */
  groupIDs: number[];
  /** Comes with the service and cannot be deleted. */
  builtIn: boolean;
  /** Hosts that have it. */
  hosts: number;
  /** User accounts that have it. */
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
  /** Counts the configured changes; send it back to refuse a stale write. */
  version?: number;
  /** Who changed the record last. */
  lastModifiedBy?: string;
  /** When it was changed last. */
  lastModifiedDate?: string;
  /** Identity of the record at the manager that gave it; 0: it is of this cell. */
  guid?: number;
  /** When the manager changed it last. */
  globalModifiedDate?: string | null;
  note?: string;
  name?: string;
  /** Place in the order, from 1. On create absent or 0: last; on update: move. */
  rank?: number;
  /** Members of these host or user groups, and of the groups below them, get the role. */
  groupIDs?: number[];
  /** Comes with the service and cannot be deleted. */
  builtIn?: boolean;
  /** Hosts that have it. */
  hosts?: number;
  /** User accounts that have it. */
  users?: number;
}

export interface RoleSupportingInfo {
  /** Host groups, by name; at most 5000. */
  hostGroups: RoleGroup[];
  /** User groups, by name; at most 5000. */
  userGroups: RoleGroup[];
  /** What can give somebody a role, strongest first. */
  sources: ('ADMIN' | 'PROFILING_RULE' | 'DIRECTORY' | 'GROUP' | 'VENDOR_OUI' | 'PORTAL' | 'DEFAULT')[];
  /** How many hosts and users have each role. */
  counts: RoleCount[];
}

export interface SecretValue {
  name: string;
  value: string;
}

export interface Session {
  id: number;
  owner: string;
  /** Written as an IPv4 or IPv6 address. */
  address: string | null;
  createdAt: string;
  usedAt: string;
  expiresAt: string;
  /** The session of this very call. */
  current: boolean;
}

export interface SimpleRole {
  id: number;
  name: string;
}

/** Wireless networks that devices have; they are found, never made by hand. */
export interface Ssid {
  /** Identity of its port. */
  id: number;
  /** Its name on the air. */
  name: string;
  /** The access point or controller. */
  deviceID: number;
  /** Name of the device. */
  deviceName: string;
  /** Container of the device. */
  containerID: number;
  /** Addresses of its radios. */
  bssids: string[];
  /** How hosts join it. */
  security: 'OPEN' | 'PSK' | 'ENTERPRISE' | 'UNKNOWN';
  /** False: the device no longer has it; it stays until its interfaces are read with purge. */
  present: boolean;
  /** Hosts on it now. */
  clients: number;
  /** When it was found. */
  firstSeen: string;
  /** When the device told it last. */
  lastSeen: string;
}

export interface SsidAccess {
  logicalNetworkID: number;
  accessEnforcement: 'ENFORCE' | 'BYPASS' | 'DENY';
}

export interface SsidAccessInput {
  logicalNetworkID?: number;
  accessEnforcement?: 'ENFORCE' | 'BYPASS' | 'DENY';
}

export interface SsidConfig {
  /** The SSIDs it is for. */
  id: number[];
  /** Servers and access values of the device count; false: those given here. */
  inherit: boolean;
  /** The server that is asked first. */
  primaryAAAServerID: number | null;
  /** The server that is asked when the first is silent. */
  secondaryAAAServerID: number | null;
  /** Guests of these templates alone may use it; empty: all may. */
  guestTemplateIDs: number[];
  /** Pages that its hosts are shown. */
  portalConfigurationID: number | null;
  /** Access values by logical network: none can be given yet. */
  configurations: SsidAccess[];
  inheritedFrom: InheritedFrom | null;
  /** Counts the configured changes; send it back to refuse a stale write. */
  version: number;
}

export interface SsidConfigInput {
  /** The SSIDs it is for. */
  id: number[];
  /** Servers and access values of the device count; false: those given here. */
  inherit?: boolean;
  /** The server that is asked first. */
  primaryAAAServerID?: number | null;
  /** The server that is asked when the first is silent. */
  secondaryAAAServerID?: number | null;
  /** Guests of these templates alone may use it; empty: all may. */
  guestTemplateIDs?: number[];
  /** Pages that its hosts are shown. */
  portalConfigurationID?: number | null;
  /** Access values by logical network: none can be given yet. */
  configurations?: SsidAccessInput[];
  inheritedFrom?: InheritedFromInput | null;
  /** Counts the configured changes; send it back to refuse a stale write. */
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

export interface Token {
  id: number;
  name: string;
  /** How its text begins. */
  prefix: string;
  owner: string;
  /** Verbs on permission keys that the token is limited to; null: all that its owner may. */
  scopes: Record<string, ('view' | 'add' | 'modify' | 'delete')[]> | null;
  /** Networks it may be used from; none: any. */
  allowedNetworks: string[];
  createdAt: string;
  expiresAt: string;
  lastUsedAt: string | null;
  /** Written as an IPv4 or IPv6 address. */
  lastUsedIp: string | null;
  state: 'ACTIVE' | 'EXPIRED' | 'REVOKED';
}

export interface TokenRequest {
  /** What it is for. */
  name: string;
  /** 90 unless said otherwise. */
  expiresInDays?: number;
  /** Verbs on permission keys that the token is limited to; null: all that its owner may. */
  scopes?: Record<string, ('view' | 'add' | 'modify' | 'delete')[]> | null;
  /** Networks it may be used from; none: any. */
  allowedNetworks?: string[];
}

export interface TokenRotation {
  /** How long the old one still works. */
  graceMinutes?: number;
}

export interface TypeFromArchive {
  name: string;
  /** The key of the type; made from its name when absent. Written as 2 to 40 small letters, digits and hyphens. */
  tag?: string;
  /** What kind of thing it is, for grouping. */
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

export interface UsageEntry {
  /** The group that refers to the record. */
  name: string;
  /** Names of its records that do. */
  children: string[];
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

export interface WeeklySchedule {
  version: number;
  /** Minutes after midnight. */
  startTimeOfDay: number;
  /** Minutes after midnight, exclusive; before the start: on the next day. */
  endTimeOfDay: number;
  /** Bits: Sunday 1, Monday 2 … Saturday 64. */
  daysOfWeek: number;
  /** Whether now is inside. */
  validTime: boolean;
  /** True makes the rest irrelevant. */
  alwaysOn: boolean;
  startTimeOfDayAM: boolean;
  endTimeOfDayAM: boolean;
  /** On a clock of twelve hours. */
  startTimeOfDayHours: number;
  endTimeOfDayHours: number;
  startTimeOfDayMinutes: number;
  endTimeOfDayMinutes: number;
}

export interface WeeklyScheduleInput {
  version?: number;
  /** Minutes after midnight. */
  startTimeOfDay?: number;
  /** Minutes after midnight, exclusive; before the start: on the next day. */
  endTimeOfDay?: number;
  /** Bits: Sunday 1, Monday 2 … Saturday 64. */
  daysOfWeek?: number;
  /** Whether now is inside. */
  validTime?: boolean;
  /** True makes the rest irrelevant. */
  alwaysOn?: boolean;
  startTimeOfDayAM?: boolean;
  endTimeOfDayAM?: boolean;
  /** On a clock of twelve hours. */
  startTimeOfDayHours?: number;
  endTimeOfDayHours?: number;
  startTimeOfDayMinutes?: number;
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
       * Create an AAA server, or update the one with the identity sent.
       * Answers the record as it would be with `dryRun`, and no results without.
       * May be refused as forbidden, not-found, duplicate, protected, stale, rejected.
       */
      create(
        body: AaaServerInput,
        options?: Options<'dryRun' | 'idempotencyKey' | 'ifMatch'>,
      ): Promise<Answer<AaaServer>> {
        return client.call<AaaServer>(operations['aaa-server.create'], { ...options, body });
      },

      /**
       * Fetch one AAA server.
       * May be refused as forbidden, not-found.
       */
      fetch(id: number, options?: Options): Promise<AnswerOfOne<AaaServer>> {
        return client.one<AaaServer>(operations['aaa-server.fetch'], { ...options, path: { id } });
      },

      /**
       * Update an AAA server; absent fields keep their value.
       * Answers the record as it would be with `dryRun`, and no results without.
       * May be refused as forbidden, not-found, duplicate, protected, stale, rejected.
       */
      update(
        id: number,
        body: AaaServerInput,
        options?: Options<'dryRun' | 'idempotencyKey' | 'ifMatch'>,
      ): Promise<Answer<AaaServer>> {
        return client.call<AaaServer>(operations['aaa-server.update'], { ...options, path: { id }, body });
      },

      /**
       * Delete an AAA server.
       * May be refused as forbidden, not-found, in-use, protected, stale, rejected.
       */
      deleteOne(id: number, options?: Options<'dryRun' | 'ifMatch'>): Promise<Answer<never>> {
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
      deleteByPost(id: number, options?: Options<'dryRun' | 'idempotencyKey' | 'ifMatch'>): Promise<Answer<never>> {
        return client.call<never>(operations['aaa-server.delete-by-post'], { ...options, path: { id } });
      },

      /**
       * Delete AAA server records, all or none.
       * May be refused as forbidden, not-found, in-use, protected, stale, rejected.
       */
      deleteMany(body: IdList, options?: Options<'dryRun' | 'idempotencyKey'>): Promise<Answer<never>> {
        return client.call<never>(operations['aaa-server.delete-many'], { ...options, body });
      },

      /**
       * Read the shared secret of an AAA server.
       * May be refused as forbidden, not-found.
       */
      secret(id: number, options?: Options<'dryRun'>): Promise<Answer<SecretValue>> {
        return client.call<SecretValue>(operations['aaa-server.secret'], { ...options, path: { id } });
      },

      /**
       * Read the password of the check user.
       * May be refused as forbidden, not-found.
       */
      validateUserPassword(id: number, options?: Options<'dryRun'>): Promise<Answer<SecretValue>> {
        return client.call<SecretValue>(operations['aaa-server.validate-user-password'], { ...options, path: { id } });
      },

      /**
       * Say whether AAA servers can be tested from here.
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
       * Test an AAA server that is not saved.
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
       * Create a MDM server, or update the one with the identity sent.
       * Answers the record as it would be with `dryRun`, and no results without.
       * May be refused as forbidden, not-found, duplicate, protected, stale, rejected.
       */
      create(
        body: MdmServerInput,
        options?: Options<'dryRun' | 'idempotencyKey' | 'ifMatch'>,
      ): Promise<Answer<MdmServer>> {
        return client.call<MdmServer>(operations['mdm-server.create'], { ...options, body });
      },

      /**
       * Fetch one MDM server.
       * May be refused as forbidden, not-found.
       */
      fetch(id: number, options?: Options): Promise<AnswerOfOne<MdmServer>> {
        return client.one<MdmServer>(operations['mdm-server.fetch'], { ...options, path: { id } });
      },

      /**
       * Update a MDM server; absent fields keep their value.
       * Answers the record as it would be with `dryRun`, and no results without.
       * May be refused as forbidden, not-found, duplicate, protected, stale, rejected.
       */
      update(
        id: number,
        body: MdmServerInput,
        options?: Options<'dryRun' | 'idempotencyKey' | 'ifMatch'>,
      ): Promise<Answer<MdmServer>> {
        return client.call<MdmServer>(operations['mdm-server.update'], { ...options, path: { id }, body });
      },

      /**
       * Delete a MDM server.
       * May be refused as forbidden, not-found, in-use, protected, stale, rejected.
       */
      deleteOne(id: number, options?: Options<'dryRun' | 'ifMatch'>): Promise<Answer<never>> {
        return client.call<never>(operations['mdm-server.delete-one'], { ...options, path: { id } });
      },

      /**
       * List what refers to a MDM server.
       * May be refused as forbidden, not-found.
       */
      usage(id: number, options?: Options): Promise<Answer<UsageEntry>> {
        return client.call<UsageEntry>(operations['mdm-server.usage'], { ...options, path: { id } });
      },

      /**
       * Delete a MDM server.
       * May be refused as forbidden, not-found, in-use, protected, stale, rejected.
       */
      deleteByPost(id: number, options?: Options<'dryRun' | 'idempotencyKey' | 'ifMatch'>): Promise<Answer<never>> {
        return client.call<never>(operations['mdm-server.delete-by-post'], { ...options, path: { id } });
      },

      /**
       * Delete MDM server records, all or none.
       * May be refused as forbidden, not-found, in-use, protected, stale, rejected.
       */
      deleteMany(body: IdList, options?: Options<'dryRun' | 'idempotencyKey'>): Promise<Answer<never>> {
        return client.call<never>(operations['mdm-server.delete-many'], { ...options, body });
      },

      /**
       * Read the password of an MDM server.
       * May be refused as forbidden, not-found.
       */
      password(id: number, options?: Options<'dryRun'>): Promise<Answer<SecretValue>> {
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
        options?: Options<'dryRun' | 'idempotencyKey' | 'ifMatch'>,
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
       * Create a Directory agent config, or update the one with the identity sent.
       * Answers the record as it would be with `dryRun`, and no results without.
       * May be refused as forbidden, not-found, duplicate, protected, stale, rejected.
       */
      create(
        body: DirectoryAgentConfigInput,
        options?: Options<'dryRun' | 'idempotencyKey' | 'ifMatch'>,
      ): Promise<Answer<DirectoryAgentConfig>> {
        return client.call<DirectoryAgentConfig>(operations['directory-agent-config.create'], { ...options, body });
      },

      /**
       * Fetch one Directory agent config.
       * May be refused as forbidden, not-found.
       */
      fetch(id: number, options?: Options): Promise<AnswerOfOne<DirectoryAgentConfig>> {
        return client.one<DirectoryAgentConfig>(operations['directory-agent-config.fetch'], {
          ...options,
          path: { id },
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
        options?: Options<'dryRun' | 'idempotencyKey' | 'ifMatch'>,
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
      deleteOne(id: number, options?: Options<'dryRun' | 'ifMatch'>): Promise<Answer<never>> {
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
      deleteByPost(id: number, options?: Options<'dryRun' | 'idempotencyKey' | 'ifMatch'>): Promise<Answer<never>> {
        return client.call<never>(operations['directory-agent-config.delete-by-post'], { ...options, path: { id } });
      },

      /**
       * Delete Directory agent config records, all or none.
       * May be refused as forbidden, not-found, in-use, protected, stale, rejected.
       */
      deleteMany(body: IdList, options?: Options<'dryRun' | 'idempotencyKey'>): Promise<Answer<never>> {
        return client.call<never>(operations['directory-agent-config.delete-many'], { ...options, body });
      },

      /**
       * Enable a Directory agent config.
       * Answers the record as it would be with `dryRun`, and no results without.
       * May be refused as forbidden, not-found, protected, rejected.
       */
      enable(id: number, options?: Options<'dryRun' | 'idempotencyKey'>): Promise<Answer<DirectoryAgentConfig>> {
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
      disable(id: number, options?: Options<'dryRun' | 'idempotencyKey'>): Promise<Answer<DirectoryAgentConfig>> {
        return client.call<DirectoryAgentConfig>(operations['directory-agent-config.disable'], {
          ...options,
          path: { id },
        });
      },

      /**
       * Move a Directory agent config to a place in the order.
       * Answers the record as it would be with `dryRun`, and no results without.
       * May be refused as forbidden, not-found, rejected.
       */
      rankSet(body: RankSet, options?: Options<'dryRun' | 'idempotencyKey'>): Promise<Answer<DirectoryAgentConfig>> {
        return client.call<DirectoryAgentConfig>(operations['directory-agent-config.rank-set'], { ...options, body });
      },

      /**
       * Exchange the places of two Directory agent config records.
       * May be refused as forbidden, not-found, rejected.
       */
      rankSwap(body: RankSwap, options?: Options<'dryRun' | 'idempotencyKey'>): Promise<Answer<never>> {
        return client.call<never>(operations['directory-agent-config.rank-swap'], { ...options, body });
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
       * Create a Device type, or update the one with the identity sent.
       * Answers the record as it would be with `dryRun`, and no results without.
       * May be refused as forbidden, not-found, duplicate, protected, stale, rejected.
       */
      create(
        body: DeviceTypeInput,
        options?: Options<'dryRun' | 'idempotencyKey' | 'ifMatch'>,
      ): Promise<Answer<DeviceType>> {
        return client.call<DeviceType>(operations['device-type.create'], { ...options, body });
      },

      /**
       * Fetch one Device type.
       * May be refused as forbidden, not-found.
       */
      fetch(id: number, options?: Options): Promise<AnswerOfOne<DeviceType>> {
        return client.one<DeviceType>(operations['device-type.fetch'], { ...options, path: { id } });
      },

      /**
       * Update a Device type; absent fields keep their value.
       * Answers the record as it would be with `dryRun`, and no results without.
       * May be refused as forbidden, not-found, duplicate, protected, stale, rejected.
       */
      update(
        id: number,
        body: DeviceTypeInput,
        options?: Options<'dryRun' | 'idempotencyKey' | 'ifMatch'>,
      ): Promise<Answer<DeviceType>> {
        return client.call<DeviceType>(operations['device-type.update'], { ...options, path: { id }, body });
      },

      /**
       * Delete a Device type.
       * May be refused as forbidden, not-found, in-use, protected, stale, rejected.
       */
      deleteOne(id: number, options?: Options<'dryRun' | 'ifMatch'>): Promise<Answer<never>> {
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
      deleteByPost(id: number, options?: Options<'dryRun' | 'idempotencyKey' | 'ifMatch'>): Promise<Answer<never>> {
        return client.call<never>(operations['device-type.delete-by-post'], { ...options, path: { id } });
      },

      /**
       * Delete Device type records, all or none.
       * May be refused as forbidden, not-found, in-use, protected, stale, rejected.
       */
      deleteMany(body: IdList, options?: Options<'dryRun' | 'idempotencyKey'>): Promise<Answer<never>> {
        return client.call<never>(operations['device-type.delete-many'], { ...options, body });
      },

      /**
       * List the icons a device type can be made with.
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
        options?: Options<'dryRun' | 'idempotencyKey'>,
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
       * Create a MAC exclusion, or update the one with the identity sent.
       * Answers the record as it would be with `dryRun`, and no results without.
       * May be refused as forbidden, not-found, duplicate, protected, stale, rejected.
       */
      create(
        body: MacExclusionInput,
        options?: Options<'dryRun' | 'idempotencyKey' | 'ifMatch'>,
      ): Promise<Answer<MacExclusion>> {
        return client.call<MacExclusion>(operations['mac-exclusion.create'], { ...options, body });
      },

      /**
       * Delete MAC exclusion records, all or none.
       * May be refused as forbidden, not-found, in-use, protected, stale, rejected.
       */
      deleteMany(body: IdList, options?: Options<'dryRun' | 'idempotencyKey'>): Promise<Answer<never>> {
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
       * Create a Network address, or update the one with the identity sent.
       * Answers the record as it would be with `dryRun`, and no results without.
       * May be refused as forbidden, not-found, duplicate, protected, stale, rejected.
       */
      create(
        body: NetworkAddressInput,
        options?: Options<'dryRun' | 'idempotencyKey' | 'ifMatch'>,
      ): Promise<Answer<NetworkAddress>> {
        return client.call<NetworkAddress>(operations['network-address.create'], { ...options, body });
      },

      /**
       * Fetch one Network address.
       * May be refused as forbidden, not-found.
       */
      fetch(id: number, options?: Options): Promise<AnswerOfOne<NetworkAddress>> {
        return client.one<NetworkAddress>(operations['network-address.fetch'], { ...options, path: { id } });
      },

      /**
       * Update a Network address; absent fields keep their value.
       * Answers the record as it would be with `dryRun`, and no results without.
       * May be refused as forbidden, not-found, duplicate, protected, stale, rejected.
       */
      update(
        id: number,
        body: NetworkAddressInput,
        options?: Options<'dryRun' | 'idempotencyKey' | 'ifMatch'>,
      ): Promise<Answer<NetworkAddress>> {
        return client.call<NetworkAddress>(operations['network-address.update'], { ...options, path: { id }, body });
      },

      /**
       * Delete a Network address.
       * May be refused as forbidden, not-found, in-use, protected, stale, rejected.
       */
      deleteOne(id: number, options?: Options<'dryRun' | 'ifMatch'>): Promise<Answer<never>> {
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
      deleteByPost(id: number, options?: Options<'dryRun' | 'idempotencyKey' | 'ifMatch'>): Promise<Answer<never>> {
        return client.call<never>(operations['network-address.delete-by-post'], { ...options, path: { id } });
      },

      /**
       * Delete Network address records, all or none.
       * May be refused as forbidden, not-found, in-use, protected, stale, rejected.
       */
      deleteMany(body: IdList, options?: Options<'dryRun' | 'idempotencyKey'>): Promise<Answer<never>> {
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
       * Create a Network address group, or update the one with the identity sent.
       * Answers the record as it would be with `dryRun`, and no results without.
       * May be refused as forbidden, not-found, duplicate, protected, stale, rejected.
       */
      create(
        body: NetworkAddressGroupInput,
        options?: Options<'dryRun' | 'idempotencyKey' | 'ifMatch'>,
      ): Promise<Answer<NetworkAddressGroup>> {
        return client.call<NetworkAddressGroup>(operations['network-address-group.create'], { ...options, body });
      },

      /**
       * Fetch one Network address group.
       * May be refused as forbidden, not-found.
       */
      fetch(id: number, options?: Options): Promise<AnswerOfOne<NetworkAddressGroup>> {
        return client.one<NetworkAddressGroup>(operations['network-address-group.fetch'], { ...options, path: { id } });
      },

      /**
       * Update a Network address group; absent fields keep their value.
       * Answers the record as it would be with `dryRun`, and no results without.
       * May be refused as forbidden, not-found, duplicate, protected, stale, rejected.
       */
      update(
        id: number,
        body: NetworkAddressGroupInput,
        options?: Options<'dryRun' | 'idempotencyKey' | 'ifMatch'>,
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
      deleteOne(id: number, options?: Options<'dryRun' | 'ifMatch'>): Promise<Answer<never>> {
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
      deleteByPost(id: number, options?: Options<'dryRun' | 'idempotencyKey' | 'ifMatch'>): Promise<Answer<never>> {
        return client.call<never>(operations['network-address-group.delete-by-post'], { ...options, path: { id } });
      },

      /**
       * Delete Network address group records, all or none.
       * May be refused as forbidden, not-found, in-use, protected, stale, rejected.
       */
      deleteMany(body: IdList, options?: Options<'dryRun' | 'idempotencyKey'>): Promise<Answer<never>> {
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
       * Answer what holds for wireless networks, with what they inherit.
       * May be refused as forbidden, not-found.
       */
      read(
        query?: {
          /** The SSIDs; all, up to 500, when absent. Written as identities with commas between them. */
          id?: string;
        },
        options?: Options,
      ): Promise<AnswerOfOne<SsidConfig>> {
        return client.one<SsidConfig>(operations['ssid-config.read'], { ...options, query });
      },

      /**
       * Replace what holds for wireless networks, all or none; what is left out is as at the beginning.
       * May be refused as forbidden, not-found, stale, rejected.
       */
      replace(body: SsidConfigInput, options?: Options<'dryRun'>): Promise<Answer<never>> {
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
       * Create a Container, or update the one with the identity sent.
       * Answers the record as it would be with `dryRun`, and no results without.
       * May be refused as forbidden, not-found, duplicate, protected, stale, rejected.
       */
      create(
        body: ContainerInput,
        options?: Options<'dryRun' | 'idempotencyKey' | 'ifMatch'>,
      ): Promise<Answer<Container>> {
        return client.call<Container>(operations['container.create'], { ...options, body });
      },

      /**
       * Fetch one Container.
       * May be refused as forbidden, not-found.
       */
      fetch(id: number, options?: Options): Promise<AnswerOfOne<Container>> {
        return client.one<Container>(operations['container.fetch'], { ...options, path: { id } });
      },

      /**
       * Delete a Container.
       * May be refused as forbidden, not-found, in-use, protected, stale, rejected.
       */
      deleteOne(id: number, options?: Options<'dryRun' | 'ifMatch'>): Promise<Answer<never>> {
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
      deleteByPost(id: number, options?: Options<'dryRun' | 'idempotencyKey' | 'ifMatch'>): Promise<Answer<never>> {
        return client.call<never>(operations['container.delete-by-post'], { ...options, path: { id } });
      },

      /**
       * Delete Container records, all or none.
       * May be refused as forbidden, not-found, in-use, protected, stale, rejected.
       */
      deleteMany(body: IdList, options?: Options<'dryRun' | 'idempotencyKey'>): Promise<Answer<never>> {
        return client.call<never>(operations['container.delete-many'], { ...options, body });
      },

      /**
       * Start to follow changes of Container records.
       * May be refused as forbidden, duplicate, rejected.
       */
      monitorStart(
        body?: MonitorStart,
        options?: Options<'dryRun' | 'idempotencyKey'>,
      ): Promise<Answer<MonitorStarted>> {
        return client.call<MonitorStarted>(operations['container.monitor-start'], { ...options, body });
      },

      /**
       * Read the changes that a monitor has not told yet.
       * May be refused as forbidden, not-found, gone.
       */
      monitorPoll(
        id: number,
        query?: {
          /** The last entry that was dealt with. */
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
       * End a monitor.
       * May be refused as forbidden, not-found, gone, rejected.
       */
      monitorStop(id: number, options?: Options<'dryRun' | 'idempotencyKey'>): Promise<Answer<never>> {
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
      fetch(id: number, options?: Options): Promise<AnswerOfOne<NetworkDevice>> {
        return client.one<NetworkDevice>(operations['network-device.fetch'], { ...options, path: { id } });
      },

      /**
       * Delete a Network device.
       * May be refused as forbidden, not-found, in-use, protected, stale, rejected.
       */
      deleteOne(id: number, options?: Options<'dryRun' | 'ifMatch'>): Promise<Answer<never>> {
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
      deleteByPost(id: number, options?: Options<'dryRun' | 'idempotencyKey' | 'ifMatch'>): Promise<Answer<never>> {
        return client.call<never>(operations['network-device.delete-by-post'], { ...options, path: { id } });
      },

      /**
       * Delete Network device records, all or none.
       * May be refused as forbidden, not-found, in-use, protected, stale, rejected.
       */
      deleteMany(body: IdList, options?: Options<'dryRun' | 'idempotencyKey'>): Promise<Answer<never>> {
        return client.call<never>(operations['network-device.delete-many'], { ...options, body });
      },

      /**
       * Start to follow changes of Network device records.
       * May be refused as forbidden, duplicate, rejected.
       */
      monitorStart(
        body?: MonitorStart,
        options?: Options<'dryRun' | 'idempotencyKey'>,
      ): Promise<Answer<MonitorStarted>> {
        return client.call<MonitorStarted>(operations['network-device.monitor-start'], { ...options, body });
      },

      /**
       * Read the changes that a monitor has not told yet.
       * May be refused as forbidden, not-found, gone.
       */
      monitorPoll(
        id: number,
        query?: {
          /** The last entry that was dealt with. */
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
       * End a monitor.
       * May be refused as forbidden, not-found, gone, rejected.
       */
      monitorStop(id: number, options?: Options<'dryRun' | 'idempotencyKey'>): Promise<Answer<never>> {
        return client.call<never>(operations['network-device.monitor-stop'], { ...options, path: { id } });
      },

      /**
       * Model a device that is managed, or update the one with the identity sent.
       * Answers the record as it would be with `dryRun`, and no results without.
       * May be refused as forbidden, not-found, duplicate, stale, rejected, remote-failed, remote-timeout.
       */
      createSnmp(
        body: NetworkDeviceInput,
        query?: {
          /** Ask the device first, and store nothing unless it answers. */
          validate?: boolean;
        },
        options?: Options<'dryRun' | 'idempotencyKey' | 'ifMatch'>,
      ): Promise<Answer<NetworkDevice>> {
        return client.call<NetworkDevice>(operations['network-device.create-snmp'], { ...options, body, query });
      },

      /**
       * Update a device that is managed; absent fields keep their value.
       * Answers the record as it would be with `dryRun`, and no results without.
       * May be refused as forbidden, not-found, duplicate, stale, rejected, remote-failed, remote-timeout.
       */
      updateSnmp(
        id: number,
        body: NetworkDeviceInput,
        query?: {
          /** Ask the device first, and store nothing unless it answers. */
          validate?: boolean;
        },
        options?: Options<'dryRun' | 'idempotencyKey' | 'ifMatch'>,
      ): Promise<Answer<NetworkDevice>> {
        return client.call<NetworkDevice>(operations['network-device.update-snmp'], {
          ...options,
          path: { id },
          body,
          query,
        });
      },

      /**
       * Model a device that is only pinged, or update the one with the identity sent.
       * Answers the record as it would be with `dryRun`, and no results without.
       * May be refused as forbidden, not-found, duplicate, stale, rejected.
       */
      createPingable(
        body: NetworkDeviceInput,
        options?: Options<'dryRun' | 'idempotencyKey' | 'ifMatch'>,
      ): Promise<Answer<NetworkDevice>> {
        return client.call<NetworkDevice>(operations['network-device.create-pingable'], { ...options, body });
      },

      /**
       * Update a device that is only pinged; absent fields keep their value.
       * Answers the record as it would be with `dryRun`, and no results without.
       * May be refused as forbidden, not-found, duplicate, stale, rejected.
       */
      updatePingable(
        id: number,
        body: NetworkDeviceInput,
        options?: Options<'dryRun' | 'idempotencyKey' | 'ifMatch'>,
      ): Promise<Answer<NetworkDevice>> {
        return client.call<NetworkDevice>(operations['network-device.update-pingable'], {
          ...options,
          path: { id },
          body,
        });
      },

      /**
       * Move devices to another container: a preview, unless commit is true.
       * May be refused as forbidden, not-found, rejected.
       */
      move(
        query: {
          /** The devices. Written as identities with commas between them. */
          id: string;
          /** Where they come to. */
          containerID: number;
          /** Do it; needs the right to modify. */
          commit?: boolean;
        },
        options?: Options<'dryRun'>,
      ): Promise<Answer<DeviceMove>> {
        return client.call<DeviceMove>(operations['network-device.move'], { ...options, query });
      },

      /**
       * List the devices whose ARP and neighbour tables are read, with how the last reading went.
       * May be refused as forbidden.
       */
      l3Polling(
        query?: {
          /** By lastSuccess the worst come first; by id, unless said. */
          sortKey?: 'deviceID' | 'name' | 'priority' | 'lastPoll' | 'lastSuccess' | 'durationMs' | 'entries';
          /** Ascending unless said otherwise. */
          sortDir?: 'asc' | 'desc';
          /** How many devices to skip. */
          start?: number;
          /** How many devices to answer at most. */
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
      resyncInterfaces(body: ResyncInterfaces, options?: Options<'dryRun' | 'idempotencyKey'>): Promise<Answer<never>> {
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
        options?: Options<'dryRun' | 'idempotencyKey' | 'ifMatch'>,
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
      fetch(id: number, options?: Options): Promise<AnswerOfOne<Port>> {
        return client.one<Port>(operations['port.fetch'], { ...options, path: { id } });
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
        options?: Options<'dryRun' | 'idempotencyKey'>,
      ): Promise<Answer<MonitorStarted>> {
        return client.call<MonitorStarted>(operations['port.monitor-start'], { ...options, body });
      },

      /**
       * Read the changes that a monitor has not told yet.
       * May be refused as forbidden, not-found, gone.
       */
      monitorPoll(
        id: number,
        query?: {
          /** The last entry that was dealt with. */
          position?: string;
        },
        options?: Options,
      ): Promise<Answer<PortFeedEntry>> {
        return client.call<PortFeedEntry>(operations['port.monitor-poll'], { ...options, path: { id }, query });
      },

      /**
       * End a monitor.
       * May be refused as forbidden, not-found, gone, rejected.
       */
      monitorStop(id: number, options?: Options<'dryRun' | 'idempotencyKey'>): Promise<Answer<never>> {
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
          /** Virtual interfaces too. */
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
          /** Virtual interfaces too. */
          includeHidden?: boolean;
        },
        options?: Options,
      ): AsyncGenerator<Port, void, undefined> {
        return client.walk<Port>(operations['port.by-device'], { ...options, query });
      },

      /**
       * List the ports that take part in isolating hosts; filters and sort keys are those of ports.
       * May be refused as forbidden, too-expensive.
       */
      enforcement(query?: ListQuery, options?: Options): Promise<Answer<EnforcedPort>> {
        return client.call<EnforcedPort>(operations['port.enforcement'], { ...options, query });
      },

      /** List the ports that take part in isolating hosts; filters and sort keys are those of ports: all of them, page after page; `count` is the size of a page. */
      enforcementWalk(query?: ListQuery, options?: Options): AsyncGenerator<EnforcedPort, void, undefined> {
        return client.walk<EnforcedPort>(operations['port.enforcement'], { ...options, query });
      },

      /**
       * Count the ports that take part in isolating hosts.
       * May be refused as forbidden, too-expensive.
       */
      enforcementCount(query?: Pick<ListQuery, 'filter'>, options?: Options): Promise<Answer<never>> {
        return client.call<never>(operations['port.enforcement-count'], { ...options, query });
      },

      /**
       * Say what the caller may change of ports.
       * May be refused as forbidden.
       */
      portManagement(options?: Options): Promise<Answer<PortManagement>> {
        return client.call<PortManagement>(operations['port.port-management'], options);
      },

      /**
       * Change ports: up to 20 of one device while the client waits, more as a background task.
       * May be refused as forbidden, not-found, rejected, remote-failed, remote-timeout.
       */
      properties(body: PortProperties, options?: Options): Promise<Answer<never>> {
        return client.call<never>(operations['port.properties'], { ...options, body });
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
      fetch(id: number, options?: Options): Promise<AnswerOfOne<PortChange>> {
        return client.one<PortChange>(operations['port-change.fetch'], { ...options, path: { id } });
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
       * Search ranges of addresses for network devices and model them in a container.
       * May be refused as forbidden, duplicate, rejected.
       */
      discover(body: DiscoveryRequest, options?: Options<'dryRun' | 'idempotencyKey'>): Promise<Answer<never>> {
        return client.call<never>(operations['discovery-run.discover'], { ...options, body });
      },

      /**
       * Tell how a discovery stands and what it found.
       * May be refused as forbidden, not-found.
       */
      status(
        query?: {
          /** The run. */
          id?: number;
          /** Instead of the run: the newest one into this container. */
          containerID?: number;
        },
        options?: Options,
      ): Promise<Answer<DiscoveryRun>> {
        return client.call<DiscoveryRun>(operations['discovery-run.status'], { ...options, query });
      },

      /**
       * Tell how every discovery under way stands, and the last 50 that have ended, newest first.
       * May be refused as forbidden.
       */
      statusAll(options?: Options): Promise<Answer<DiscoveryRun>> {
        return client.call<DiscoveryRun>(operations['discovery-run.status-all'], options);
      },

      /**
       * Stop a discovery; what it has added stays.
       * May be refused as forbidden, not-found, rejected.
       */
      stop(body: DiscoveryStop, options?: Options<'dryRun' | 'idempotencyKey'>): Promise<Answer<never>> {
        return client.call<never>(operations['discovery-run.stop'], { ...options, body });
      },
    },

    l3Scan: {
      /**
       * Find out which devices route, and so know the addresses of hosts; nothing is enabled by it.
       * May be refused as forbidden, not-found, duplicate, rejected.
       */
      start(body?: L3ScanStart, options?: Options<'dryRun' | 'idempotencyKey'>): Promise<Answer<never>> {
        return client.call<never>(operations['l3-scan.start'], { ...options, body });
      },

      /**
       * Tell how the last L3 scan stands, and which devices it recommends.
       * May be refused as forbidden.
       */
      status(options?: Options): Promise<Answer<L3ScanStatus>> {
        return client.call<L3ScanStatus>(operations['l3-scan.status'], options);
      },

      /**
       * Stop the L3 scan; what it has found stays.
       * May be refused as forbidden, not-found, rejected.
       */
      stop(options?: Options<'dryRun' | 'idempotencyKey'>): Promise<Answer<never>> {
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
       * Create an Adapter, or update the one with the identity sent.
       * Answers the record as it would be with `dryRun`, and no results without.
       * May be refused as forbidden, not-found, duplicate, protected, stale, rejected.
       */
      create(body: AdapterInput, options?: Options<'dryRun' | 'idempotencyKey' | 'ifMatch'>): Promise<Answer<Adapter>> {
        return client.call<Adapter>(operations['adapter.create'], { ...options, body });
      },

      /**
       * Fetch one Adapter.
       * May be refused as forbidden, not-found.
       */
      fetch(id: number, options?: Options): Promise<AnswerOfOne<Adapter>> {
        return client.one<Adapter>(operations['adapter.fetch'], { ...options, path: { id } });
      },

      /**
       * Update an Adapter; absent fields keep their value.
       * Answers the record as it would be with `dryRun`, and no results without.
       * May be refused as forbidden, not-found, duplicate, protected, stale, rejected.
       */
      update(
        id: number,
        body: AdapterInput,
        options?: Options<'dryRun' | 'idempotencyKey' | 'ifMatch'>,
      ): Promise<Answer<Adapter>> {
        return client.call<Adapter>(operations['adapter.update'], { ...options, path: { id }, body });
      },

      /**
       * Delete an Adapter.
       * May be refused as forbidden, not-found, in-use, protected, stale, rejected.
       */
      deleteOne(id: number, options?: Options<'dryRun' | 'ifMatch'>): Promise<Answer<never>> {
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
      deleteByPost(id: number, options?: Options<'dryRun' | 'idempotencyKey' | 'ifMatch'>): Promise<Answer<never>> {
        return client.call<never>(operations['adapter.delete-by-post'], { ...options, path: { id } });
      },

      /**
       * Delete Adapter records, all or none.
       * May be refused as forbidden, not-found, in-use, protected, stale, rejected.
       */
      deleteMany(body: IdList, options?: Options<'dryRun' | 'idempotencyKey'>): Promise<Answer<never>> {
        return client.call<never>(operations['adapter.delete-many'], { ...options, body });
      },

      /**
       * Enable an Adapter.
       * Answers the record as it would be with `dryRun`, and no results without.
       * May be refused as forbidden, not-found, protected, rejected.
       */
      enable(id: number, options?: Options<'dryRun' | 'idempotencyKey'>): Promise<Answer<Adapter>> {
        return client.call<Adapter>(operations['adapter.enable'], { ...options, path: { id } });
      },

      /**
       * Disable an Adapter.
       * Answers the record as it would be with `dryRun`, and no results without.
       * May be refused as forbidden, not-found, protected, rejected.
       */
      disable(id: number, options?: Options<'dryRun' | 'idempotencyKey'>): Promise<Answer<Adapter>> {
        return client.call<Adapter>(operations['adapter.disable'], { ...options, path: { id } });
      },

      /**
       * List what refers to an Adapter: the groups it is in.
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
       * List the adapters that are on these ports now.
       * May be refused as forbidden, too-expensive.
       */
      connectedToPorts(
        query: ListQuery & {
          /** The ports. Written as identities with commas between them. */
          portID: string;
        },
        options?: Options,
      ): Promise<Answer<Adapter>> {
        return client.call<Adapter>(operations['adapter.connected-to-ports'], { ...options, query });
      },

      /** List the adapters that are on these ports now: all of them, page after page; `count` is the size of a page. */
      connectedToPortsWalk(
        query: ListQuery & {
          /** The ports. Written as identities with commas between them. */
          portID: string;
        },
        options?: Options,
      ): AsyncGenerator<Adapter, void, undefined> {
        return client.walk<Adapter>(operations['adapter.connected-to-ports'], { ...options, query });
      },

      /**
       * Answer the port that an adapter is on now; nothing when it is on none.
       * May be refused as forbidden, not-found.
       */
      getPort(
        id: number,
        query?: {
          /** When it is on none: the port it was on last. */
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
      runNetworkScan(body: NetworkScanWish, options?: Options<'dryRun' | 'idempotencyKey'>): Promise<Answer<never>> {
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
       * Create a Host, or update the one with the identity sent.
       * Answers the record as it would be with `dryRun`, and no results without.
       * May be refused as forbidden, not-found, duplicate, protected, stale, rejected.
       */
      create(body: HostInput, options?: Options<'dryRun' | 'idempotencyKey' | 'ifMatch'>): Promise<Answer<Host>> {
        return client.call<Host>(operations['host.create'], { ...options, body });
      },

      /**
       * Fetch one Host.
       * May be refused as forbidden, not-found.
       */
      fetch(id: number, options?: Options): Promise<AnswerOfOne<Host>> {
        return client.one<Host>(operations['host.fetch'], { ...options, path: { id } });
      },

      /**
       * Update a Host; absent fields keep their value.
       * Answers the record as it would be with `dryRun`, and no results without.
       * May be refused as forbidden, not-found, duplicate, protected, stale, rejected.
       */
      update(
        id: number,
        body: HostInput,
        options?: Options<'dryRun' | 'idempotencyKey' | 'ifMatch'>,
      ): Promise<Answer<Host>> {
        return client.call<Host>(operations['host.update'], { ...options, path: { id }, body });
      },

      /**
       * Delete a Host.
       * May be refused as forbidden, not-found, in-use, protected, stale, rejected.
       */
      deleteOne(id: number, options?: Options<'dryRun' | 'ifMatch'>): Promise<Answer<never>> {
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
      deleteByPost(id: number, options?: Options<'dryRun' | 'idempotencyKey' | 'ifMatch'>): Promise<Answer<never>> {
        return client.call<never>(operations['host.delete-by-post'], { ...options, path: { id } });
      },

      /**
       * Delete Host records, all or none.
       * May be refused as forbidden, not-found, in-use, protected, stale, rejected.
       */
      deleteMany(body: IdList, options?: Options<'dryRun' | 'idempotencyKey'>): Promise<Answer<never>> {
        return client.call<never>(operations['host.delete-many'], { ...options, body });
      },

      /**
       * Enable a Host.
       * Answers the record as it would be with `dryRun`, and no results without.
       * May be refused as forbidden, not-found, protected, rejected.
       */
      enable(id: number, options?: Options<'dryRun' | 'idempotencyKey'>): Promise<Answer<Host>> {
        return client.call<Host>(operations['host.enable'], { ...options, path: { id } });
      },

      /**
       * Disable a Host.
       * Answers the record as it would be with `dryRun`, and no results without.
       * May be refused as forbidden, not-found, protected, rejected.
       */
      disable(id: number, options?: Options<'dryRun' | 'idempotencyKey'>): Promise<Answer<Host>> {
        return client.call<Host>(operations['host.disable'], { ...options, path: { id } });
      },

      /**
       * List what refers to a Host: the groups it is in.
       * May be refused as forbidden, not-found.
       */
      usage(id: number, options?: Options): Promise<Answer<UsageEntry>> {
        return client.call<UsageEntry>(operations['host.usage'], { ...options, path: { id } });
      },

      /**
       * Answer the host that has an IP address, or had it at a time.
       * May be refused as forbidden, not-found.
       */
      byIp(
        ip: string,
        query?: {
          /** When; now unless said otherwise. */
          at?: string;
        },
        options?: Options,
      ): Promise<Answer<Host>> {
        return client.call<Host>(operations['host.by-ip'], { ...options, path: { ip }, query });
      },

      /**
       * Answer the host that has an adapter with a MAC address, in any notation.
       * May be refused as forbidden, not-found.
       */
      byMac(mac: string, options?: Options): Promise<Answer<Host>> {
        return client.call<Host>(operations['host.by-mac'], { ...options, path: { mac } });
      },

      /**
       * List the hosts that are on a port now.
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

      /** List the hosts that are on a port now: all of them, page after page; `count` is the size of a page. */
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
       * List the device types that hosts have, with how many do.
       * May be refused as forbidden.
       */
      deviceTypes(options?: Options): Promise<Answer<DeviceTypeInUse>> {
        return client.call<DeviceTypeInUse>(operations['host.device-types'], options);
      },

      /**
       * Answer how many hosts a user may own.
       * May be refused as forbidden.
       */
      globalAllowedHosts(options?: Options): Promise<Answer<AllowedHosts>> {
        return client.call<AllowedHosts>(operations['host.global-allowed-hosts'], options);
      },

      /**
       * List how the health of a host changed, newest first.
       * May be refused as forbidden, not-found.
       */
      healthHistory(id: number, options?: Options): Promise<Answer<HealthChange>> {
        return client.call<HealthChange>(operations['host.health-history'], { ...options, path: { id } });
      },

      /**
       * Find hosts by a text: name, MAC or IP address, network, owner, user, place, system, notes.
       * May be refused as forbidden, too-expensive.
       */
      search(
        query: {
          /** The text; two characters at least. */
          q: string;
          /** How many hosts to skip. */
          start?: number;
          /** How many hosts to answer at most. */
          count?: number;
        },
        options?: Options,
      ): Promise<Answer<never>> {
        return client.call<never>(operations['host.search'], { ...options, query });
      },

      /**
       * List hosts by filters over them, one of their adapters and their owner: host., adapter., user..
       * May be refused as forbidden, too-expensive.
       */
      multifilter(query?: ListQuery, options?: Options): Promise<Answer<HostWithUser>> {
        return client.call<HostWithUser>(operations['host.multifilter'], { ...options, query });
      },

      /** List hosts by filters over them, one of their adapters and their owner: host., adapter., user.: all of them, page after page; `count` is the size of a page. */
      multifilterWalk(query?: ListQuery, options?: Options): AsyncGenerator<HostWithUser, void, undefined> {
        return client.walk<HostWithUser>(operations['host.multifilter'], { ...options, query });
      },

      /**
       * List the owners of the hosts that the same filters find.
       * May be refused as forbidden, too-expensive.
       */
      multifilterUsers(query?: ListQuery, options?: Options): Promise<Answer<UserOfHost>> {
        return client.call<UserOfHost>(operations['host.multifilter-users'], { ...options, query });
      },

      /** List the owners of the hosts that the same filters find: all of them, page after page; `count` is the size of a page. */
      multifilterUsersWalk(query?: ListQuery, options?: Options): AsyncGenerator<UserOfHost, void, undefined> {
        return client.walk<UserOfHost>(operations['host.multifilter-users'], { ...options, query });
      },

      /**
       * List named filters of hosts, with how many each finds.
       * May be refused as forbidden, too-expensive.
       */
      clientFilters(options?: Options): Promise<Answer<HostFilter>> {
        return client.call<HostFilter>(operations['host.client-filters'], options);
      },

      /**
       * List the first hosts that a named filter finds, as they were found at most a minute ago.
       * May be refused as forbidden, not-found, too-expensive.
       */
      cached(name: string, options?: Options): Promise<Answer<never>> {
        return client.call<never>(operations['host.cached'], { ...options, path: { name } });
      },

      /**
       * Give hosts a role that stays until it is cleared, or clear it.
       * May be refused as forbidden, not-found, rejected.
       */
      setRole(body: HostsRole, options?: Options<'dryRun' | 'idempotencyKey'>): Promise<Answer<never>> {
        return client.call<never>(operations['host.set-role'], { ...options, body });
      },

      /**
       * Set or clear when hosts leave the database, by a date and by how long they are away.
       * May be refused as forbidden, not-found, rejected.
       */
      setExpiration(body: HostsExpiration, options?: Options<'dryRun' | 'idempotencyKey'>): Promise<Answer<never>> {
        return client.call<never>(operations['host.set-expiration'], { ...options, body });
      },

      /**
       * Put a host at risk, or take away why it is.
       * May be refused as forbidden, not-found, rejected.
       */
      setHealth(id: number, body: HostHealth, options?: Options<'dryRun' | 'idempotencyKey'>): Promise<Answer<never>> {
        return client.call<never>(operations['host.set-health'], { ...options, path: { id }, body });
      },

      /**
       * Enable the host that has an IP address now.
       * May be refused as forbidden, not-found, rejected.
       */
      enableByIp(
        body: EnableByIp,
        query?: {
          /** Also when the address was seen too long ago. */
          force?: boolean;
        },
        options?: Options<'dryRun' | 'idempotencyKey'>,
      ): Promise<Answer<never>> {
        return client.call<never>(operations['host.enable-by-ip'], { ...options, body, query });
      },

      /**
       * Enable the host that has a MAC address.
       * May be refused as forbidden, not-found, rejected.
       */
      enableByMac(body: EnableByMac, options?: Options<'dryRun' | 'idempotencyKey'>): Promise<Answer<never>> {
        return client.call<never>(operations['host.enable-by-mac'], { ...options, body });
      },

      /**
       * Disable the host that has an IP address now.
       * May be refused as forbidden, not-found, rejected.
       */
      disableByIp(
        body: DisableByIp,
        query?: {
          /** Also when the address was seen too long ago. */
          force?: boolean;
        },
        options?: Options<'dryRun' | 'idempotencyKey'>,
      ): Promise<Answer<never>> {
        return client.call<never>(operations['host.disable-by-ip'], { ...options, body, query });
      },

      /**
       * Disable the host that has a MAC address.
       * May be refused as forbidden, not-found, rejected.
       */
      disableByMac(
        body: DisableByMac,
        query?: {
          /** Nobody has it: make a disabled rogue, so that it is kept out when it comes. */
          create?: boolean;
        },
        options?: Options<'dryRun' | 'idempotencyKey'>,
      ): Promise<Answer<never>> {
        return client.call<never>(operations['host.disable-by-mac'], { ...options, body, query });
      },

      /**
       * Register hosts as devices, and put them into the topology if that is asked for.
       * May be refused as forbidden, not-found, duplicate, protected, rejected.
       */
      registerAsDevice(
        body: DeviceRegistration,
        options?: Options<'dryRun' | 'idempotencyKey'>,
      ): Promise<Answer<never>> {
        return client.call<never>(operations['host.register-as-device'], { ...options, body });
      },

      /**
       * Say that a user logged on to a host, or off.
       * May be refused as forbidden, not-found, rejected.
       */
      setLoggedOnUser(
        body: LoggedOnUser,
        query?: {
          /** Also when the address was seen too long ago. */
          force?: boolean;
        },
        options?: Options<'dryRun' | 'idempotencyKey'>,
      ): Promise<Answer<never>> {
        return client.call<never>(operations['host.set-logged-on-user'], { ...options, body, query });
      },

      /**
       * Create a Host and its adapters together.
       * Answers the record as it would be with `dryRun`, and no results without.
       * May be refused as forbidden, not-found, duplicate, stale, rejected.
       */
      createWithAdapters(
        body: HostWithAdapters,
        options?: Options<'dryRun' | 'idempotencyKey' | 'ifMatch'>,
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
        options?: Options<'dryRun' | 'idempotencyKey' | 'ifMatch'>,
      ): Promise<Answer<Host>> {
        return client.call<Host>(operations['host.update-with-adapters'], { ...options, path: { id }, body });
      },

      /**
       * Import hosts from CSV or JSON lines; the background task names up to 9,999 lines that failed.
       * May be refused as forbidden, rejected.
       */
      importHosts(
        query?: {
          /** So many lines may fail; one more, and nothing is imported. 0 unless said otherwise. */
          maxErrors?: number;
          /** What the file is called, for those who look at the task. */
          fileName?: string;
        },
        options?: Options<'dryRun'>,
      ): Promise<Answer<never>> {
        return client.call<never>(operations['host.import-hosts'], { ...options, query });
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
       * Create a Device profiling rule, or update the one with the identity sent.
       * Answers the record as it would be with `dryRun`, and no results without.
       * May be refused as forbidden, not-found, duplicate, protected, stale, rejected.
       */
      create(
        body: DeviceProfilingRuleInput,
        options?: Options<'dryRun' | 'idempotencyKey' | 'ifMatch'>,
      ): Promise<Answer<DeviceProfilingRule>> {
        return client.call<DeviceProfilingRule>(operations['device-profiling-rule.create'], { ...options, body });
      },

      /**
       * Fetch one Device profiling rule.
       * May be refused as forbidden, not-found.
       */
      fetch(id: number, options?: Options): Promise<AnswerOfOne<DeviceProfilingRule>> {
        return client.one<DeviceProfilingRule>(operations['device-profiling-rule.fetch'], { ...options, path: { id } });
      },

      /**
       * Update a Device profiling rule; absent fields keep their value.
       * Answers the record as it would be with `dryRun`, and no results without.
       * May be refused as forbidden, not-found, duplicate, protected, stale, rejected.
       */
      update(
        id: number,
        body: DeviceProfilingRuleInput,
        options?: Options<'dryRun' | 'idempotencyKey' | 'ifMatch'>,
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
      deleteOne(id: number, options?: Options<'dryRun' | 'ifMatch'>): Promise<Answer<never>> {
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
      deleteByPost(id: number, options?: Options<'dryRun' | 'idempotencyKey' | 'ifMatch'>): Promise<Answer<never>> {
        return client.call<never>(operations['device-profiling-rule.delete-by-post'], { ...options, path: { id } });
      },

      /**
       * Delete Device profiling rule records, all or none.
       * May be refused as forbidden, not-found, in-use, protected, stale, rejected.
       */
      deleteMany(body: IdList, options?: Options<'dryRun' | 'idempotencyKey'>): Promise<Answer<never>> {
        return client.call<never>(operations['device-profiling-rule.delete-many'], { ...options, body });
      },

      /**
       * Enable a Device profiling rule.
       * Answers the record as it would be with `dryRun`, and no results without.
       * May be refused as forbidden, not-found, protected, rejected.
       */
      enable(id: number, options?: Options<'dryRun' | 'idempotencyKey'>): Promise<Answer<DeviceProfilingRule>> {
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
      disable(id: number, options?: Options<'dryRun' | 'idempotencyKey'>): Promise<Answer<DeviceProfilingRule>> {
        return client.call<DeviceProfilingRule>(operations['device-profiling-rule.disable'], {
          ...options,
          path: { id },
        });
      },

      /**
       * Exchange the places of two Device profiling rule records.
       * May be refused as forbidden, not-found, rejected.
       */
      rankSwap(body: RankSwap, options?: Options<'dryRun' | 'idempotencyKey'>): Promise<Answer<never>> {
        return client.call<never>(operations['device-profiling-rule.rank-swap'], { ...options, body });
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
       * Create a Role, or update the one with the identity sent.
       * Answers the record as it would be with `dryRun`, and no results without.
       * May be refused as forbidden, not-found, duplicate, protected, stale, rejected.
       */
      create(body: RoleInput, options?: Options<'dryRun' | 'idempotencyKey' | 'ifMatch'>): Promise<Answer<Role>> {
        return client.call<Role>(operations['role.create'], { ...options, body });
      },

      /**
       * Fetch one Role.
       * May be refused as forbidden, not-found.
       */
      fetch(id: number, options?: Options): Promise<AnswerOfOne<Role>> {
        return client.one<Role>(operations['role.fetch'], { ...options, path: { id } });
      },

      /**
       * Update a Role; absent fields keep their value.
       * Answers the record as it would be with `dryRun`, and no results without.
       * May be refused as forbidden, not-found, duplicate, protected, stale, rejected.
       */
      update(
        id: number,
        body: RoleInput,
        options?: Options<'dryRun' | 'idempotencyKey' | 'ifMatch'>,
      ): Promise<Answer<Role>> {
        return client.call<Role>(operations['role.update'], { ...options, path: { id }, body });
      },

      /**
       * Delete a Role.
       * May be refused as forbidden, not-found, in-use, protected, stale, rejected.
       */
      deleteOne(id: number, options?: Options<'dryRun' | 'ifMatch'>): Promise<Answer<never>> {
        return client.call<never>(operations['role.delete-one'], { ...options, path: { id } });
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
       * May be refused as forbidden, not-found, in-use, protected, stale, rejected.
       */
      deleteByPost(id: number, options?: Options<'dryRun' | 'idempotencyKey' | 'ifMatch'>): Promise<Answer<never>> {
        return client.call<never>(operations['role.delete-by-post'], { ...options, path: { id } });
      },

      /**
       * Delete Role records, all or none.
       * May be refused as forbidden, not-found, in-use, protected, stale, rejected.
       */
      deleteMany(body: IdList, options?: Options<'dryRun' | 'idempotencyKey'>): Promise<Answer<never>> {
        return client.call<never>(operations['role.delete-many'], { ...options, body });
      },

      /**
       * Move a Role to a place in the order.
       * Answers the record as it would be with `dryRun`, and no results without.
       * May be refused as forbidden, not-found, rejected.
       */
      rankSet(body: RankSet, options?: Options<'dryRun' | 'idempotencyKey'>): Promise<Answer<Role>> {
        return client.call<Role>(operations['role.rank-set'], { ...options, body });
      },

      /**
       * Exchange the places of two Role records.
       * May be refused as forbidden, not-found, rejected.
       */
      rankSwap(body: RankSwap, options?: Options<'dryRun' | 'idempotencyKey'>): Promise<Answer<never>> {
        return client.call<never>(operations['role.rank-swap'], { ...options, body });
      },

      /**
       * List the roles by rank, each with its id and name only.
       * May be refused as forbidden.
       */
      simple(options?: Options): Promise<Answer<SimpleRole>> {
        return client.call<SimpleRole>(operations['role.simple'], options);
      },

      /**
       * Answer what a form for roles offers: groups, sources and how often each role is held.
       * May be refused as forbidden.
       */
      supportingInfo(options?: Options): Promise<Answer<RoleSupportingInfo>> {
        return client.call<RoleSupportingInfo>(operations['role.supporting-info'], options);
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
       * May be refused as forbidden, rejected.
       */
      create(body: PostedEvent, options?: Options<'dryRun' | 'idempotencyKey'>): Promise<Answer<never>> {
        return client.call<never>(operations['event.create'], { ...options, body });
      },

      /**
       * Fetch one Event.
       * May be refused as forbidden, not-found.
       */
      fetch(id: number, options?: Options): Promise<AnswerOfOne<Event>> {
        return client.one<Event>(operations['event.fetch'], { ...options, path: { id } });
      },

      /**
       * Delete an Event.
       * May be refused as forbidden, not-found, in-use, protected, stale, rejected.
       */
      deleteOne(id: number, options?: Options<'dryRun' | 'ifMatch'>): Promise<Answer<never>> {
        return client.call<never>(operations['event.delete-one'], { ...options, path: { id } });
      },

      /**
       * Add notes to an event; nothing else of it can change.
       * May be refused as forbidden, not-found, protected, rejected.
       */
      update(id: number, body: EventInput, options?: Options<'dryRun' | 'idempotencyKey'>): Promise<Answer<never>> {
        return client.call<never>(operations['event.update'], { ...options, path: { id }, body });
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
      deleteByPost(id: number, options?: Options<'dryRun' | 'idempotencyKey' | 'ifMatch'>): Promise<Answer<never>> {
        return client.call<never>(operations['event.delete-by-post'], { ...options, path: { id } });
      },

      /**
       * Delete Event records, all or none.
       * May be refused as forbidden, not-found, in-use, protected, stale, rejected.
       */
      deleteMany(body: IdList, options?: Options<'dryRun' | 'idempotencyKey'>): Promise<Answer<never>> {
        return client.call<never>(operations['event.delete-many'], { ...options, body });
      },

      /**
       * Start to follow new Event records.
       * May be refused as forbidden, duplicate, rejected.
       */
      monitorStart(
        body?: MonitorStart,
        options?: Options<'dryRun' | 'idempotencyKey'>,
      ): Promise<Answer<MonitorStarted>> {
        return client.call<MonitorStarted>(operations['event.monitor-start'], { ...options, body });
      },

      /**
       * Read the changes that a monitor has not told yet.
       * May be refused as forbidden, not-found, gone.
       */
      monitorPoll(
        id: number,
        query?: {
          /** The last entry that was dealt with. */
          position?: string;
        },
        options?: Options,
      ): Promise<Answer<never>> {
        return client.call<never>(operations['event.monitor-poll'], { ...options, path: { id }, query });
      },

      /**
       * End a monitor.
       * May be refused as forbidden, not-found, gone, rejected.
       */
      monitorStop(id: number, options?: Options<'dryRun' | 'idempotencyKey'>): Promise<Answer<never>> {
        return client.call<never>(operations['event.monitor-stop'], { ...options, path: { id } });
      },

      /**
       * List the archives of Event records, newest first.
       * May be refused as forbidden.
       */
      archiveList(
        query?: {
          /** Which log; event unless said otherwise. */
          log?: 'event' | 'audit_record';
        },
        options?: Options,
      ): Promise<Answer<LogArchive>> {
        return client.call<LogArchive>(operations['event.archive-list'], { ...options, query });
      },

      /**
       * Bring archived Event records back, from files that are kept or sent.
       * May be refused as forbidden, not-found, rejected.
       */
      archiveImport(
        body: ArchiveImport,
        query?: {
          /** Which log; event unless said otherwise. */
          log?: 'event' | 'audit_record';
        },
        options?: Options<'dryRun' | 'idempotencyKey'>,
      ): Promise<Answer<never>> {
        return client.call<never>(operations['event.archive-import'], { ...options, body, query });
      },

      /**
       * Say how imports of Event records go, newest first.
       * May be refused as forbidden.
       */
      archiveImportStatus(
        query?: {
          /** Which log; event unless said otherwise. */
          log?: 'event' | 'audit_record';
        },
        options?: Options,
      ): Promise<Answer<ImportStatus>> {
        return client.call<ImportStatus>(operations['event.archive-import-status'], { ...options, query });
      },

      /**
       * Add a note to events, or without any log it as an event of its own.
       * May be refused as forbidden, not-found, rejected.
       */
      note(body: EventNoteRequest, options?: Options<'dryRun' | 'idempotencyKey'>): Promise<Answer<never>> {
        return client.call<never>(operations['event.note'], { ...options, body });
      },

      /**
       * List what shows or follows from an event.
       * May be refused as forbidden, not-found.
       */
      usage(id: number, options?: Options): Promise<Answer<UsageEntry>> {
        return client.call<UsageEntry>(operations['event.usage'], { ...options, path: { id } });
      },

      /**
       * Read what events can be filtered by, and how many there were on each of the last 30 days.
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
      group(body: EventTypeGroup, options?: Options<'dryRun' | 'idempotencyKey'>): Promise<Answer<never>> {
        return client.call<never>(operations['event-type.group'], { ...options, body });
      },

      /**
       * Say where events of some types are logged; every node acts on it within a second.
       * May be refused as forbidden, not-found, protected, rejected.
       */
      loggingStrategy(body: EventTypeStrategy, options?: Options<'dryRun' | 'idempotencyKey'>): Promise<Answer<never>> {
        return client.call<never>(operations['event-type.logging-strategy'], { ...options, body });
      },

      /**
       * List the limits that the service watches itself by, with what was measured last.
       * May be refused as forbidden.
       */
      listThresholds(options?: Options): Promise<Answer<EventThreshold>> {
        return client.call<EventThreshold>(operations['event-type.list-thresholds'], options);
      },

      /**
       * Change limits that the service watches itself by; absent fields keep their value.
       * May be refused as forbidden, rejected.
       */
      changeThresholds(
        body: EventThresholdChangeInput[],
        options?: Options<'dryRun' | 'idempotencyKey'>,
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
       * Create an Admin profile, or update the one with the identity sent.
       * Answers the record as it would be with `dryRun`, and no results without.
       * May be refused as forbidden, not-found, duplicate, protected, stale, rejected.
       */
      create(
        body: AdminProfileInput,
        options?: Options<'dryRun' | 'idempotencyKey' | 'ifMatch'>,
      ): Promise<Answer<AdminProfile>> {
        return client.call<AdminProfile>(operations['admin-profile.create'], { ...options, body });
      },

      /**
       * Fetch one Admin profile.
       * May be refused as forbidden, not-found.
       */
      fetch(id: number, options?: Options): Promise<AnswerOfOne<AdminProfile>> {
        return client.one<AdminProfile>(operations['admin-profile.fetch'], { ...options, path: { id } });
      },

      /**
       * Update an Admin profile; absent fields keep their value.
       * Answers the record as it would be with `dryRun`, and no results without.
       * May be refused as forbidden, not-found, duplicate, protected, stale, rejected.
       */
      update(
        id: number,
        body: AdminProfileInput,
        options?: Options<'dryRun' | 'idempotencyKey' | 'ifMatch'>,
      ): Promise<Answer<AdminProfile>> {
        return client.call<AdminProfile>(operations['admin-profile.update'], { ...options, path: { id }, body });
      },

      /**
       * Delete an Admin profile.
       * May be refused as forbidden, not-found, in-use, protected, stale, rejected.
       */
      deleteOne(id: number, options?: Options<'dryRun' | 'ifMatch'>): Promise<Answer<never>> {
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
      deleteByPost(id: number, options?: Options<'dryRun' | 'idempotencyKey' | 'ifMatch'>): Promise<Answer<never>> {
        return client.call<never>(operations['admin-profile.delete-by-post'], { ...options, path: { id } });
      },

      /**
       * Delete Admin profile records, all or none.
       * May be refused as forbidden, not-found, in-use, protected, stale, rejected.
       */
      deleteMany(body: IdList, options?: Options<'dryRun' | 'idempotencyKey'>): Promise<Answer<never>> {
        return client.call<never>(operations['admin-profile.delete-many'], { ...options, body });
      },

      /**
       * Answer a profile that is not stored: every permission key with nothing granted, and the defaults.
       * May be refused as forbidden.
       */
      new(options?: Options): Promise<Answer<NewAdminProfile>> {
        return client.call<NewAdminProfile>(operations['admin-profile.new'], options);
      },

      /**
       * Answer which pages and groups each permission key opens.
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
       * Create an Admin profile mapping, or update the one with the identity sent.
       * Answers the record as it would be with `dryRun`, and no results without.
       * May be refused as forbidden, not-found, duplicate, protected, stale, rejected.
       */
      create(
        body: AdminProfileMappingInput,
        options?: Options<'dryRun' | 'idempotencyKey' | 'ifMatch'>,
      ): Promise<Answer<AdminProfileMapping>> {
        return client.call<AdminProfileMapping>(operations['admin-profile-mapping.create'], { ...options, body });
      },

      /**
       * Fetch one Admin profile mapping.
       * May be refused as forbidden, not-found.
       */
      fetch(id: number, options?: Options): Promise<AnswerOfOne<AdminProfileMapping>> {
        return client.one<AdminProfileMapping>(operations['admin-profile-mapping.fetch'], { ...options, path: { id } });
      },

      /**
       * Update an Admin profile mapping; absent fields keep their value.
       * Answers the record as it would be with `dryRun`, and no results without.
       * May be refused as forbidden, not-found, duplicate, protected, stale, rejected.
       */
      update(
        id: number,
        body: AdminProfileMappingInput,
        options?: Options<'dryRun' | 'idempotencyKey' | 'ifMatch'>,
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
      deleteOne(id: number, options?: Options<'dryRun' | 'ifMatch'>): Promise<Answer<never>> {
        return client.call<never>(operations['admin-profile-mapping.delete-one'], { ...options, path: { id } });
      },

      /**
       * Delete Admin profile mapping records, all or none.
       * May be refused as forbidden, not-found, in-use, protected, stale, rejected.
       */
      deleteMany(body: IdList, options?: Options<'dryRun' | 'idempotencyKey'>): Promise<Answer<never>> {
        return client.call<never>(operations['admin-profile-mapping.delete-many'], { ...options, body });
      },

      /**
       * Move an Admin profile mapping to a place in the order.
       * Answers the record as it would be with `dryRun`, and no results without.
       * May be refused as forbidden, not-found, rejected.
       */
      rankSet(body: RankSet, options?: Options<'dryRun' | 'idempotencyKey'>): Promise<Answer<AdminProfileMapping>> {
        return client.call<AdminProfileMapping>(operations['admin-profile-mapping.rank-set'], { ...options, body });
      },

      /**
       * Exchange the places of two Admin profile mapping records.
       * May be refused as forbidden, not-found, rejected.
       */
      rankSwap(body: RankSwap, options?: Options<'dryRun' | 'idempotencyKey'>): Promise<Answer<never>> {
        return client.call<never>(operations['admin-profile-mapping.rank-swap'], { ...options, body });
      },

      /**
       * List the profiles and the groups of people that a mapping can name.
       * May be refused as forbidden.
       */
      supportingInfo(options?: Options): Promise<Answer<MappingSupport>> {
        return client.call<MappingSupport>(operations['admin-profile-mapping.supporting-info'], options);
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
       * Create a Background task, or update the one with the identity sent.
       * Answers the record as it would be with `dryRun`, and no results without.
       * May be refused as forbidden, not-found, duplicate, protected, stale, rejected.
       */
      create(
        body: BackgroundTaskInput,
        options?: Options<'dryRun' | 'idempotencyKey' | 'ifMatch'>,
      ): Promise<Answer<BackgroundTask>> {
        return client.call<BackgroundTask>(operations['background-task.create'], { ...options, body });
      },

      /**
       * Fetch one Background task.
       * May be refused as forbidden, not-found.
       */
      fetch(id: number, options?: Options): Promise<AnswerOfOne<BackgroundTask>> {
        return client.one<BackgroundTask>(operations['background-task.fetch'], { ...options, path: { id } });
      },

      /**
       * Update a Background task; absent fields keep their value.
       * Answers the record as it would be with `dryRun`, and no results without.
       * May be refused as forbidden, not-found, duplicate, protected, stale, rejected.
       */
      update(
        id: number,
        body: BackgroundTaskInput,
        options?: Options<'dryRun' | 'idempotencyKey' | 'ifMatch'>,
      ): Promise<Answer<BackgroundTask>> {
        return client.call<BackgroundTask>(operations['background-task.update'], { ...options, path: { id }, body });
      },

      /**
       * Delete Background task records, all or none.
       * May be refused as forbidden, not-found, in-use, protected, stale, rejected.
       */
      deleteMany(body: IdList, options?: Options<'dryRun' | 'idempotencyKey'>): Promise<Answer<never>> {
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
       * Complete a manual task, or acknowledge a job that failed or was cancelled.
       * May be refused as forbidden, not-found, rejected.
       */
      complete(
        id: number,
        body?: TaskCompletion,
        options?: Options<'dryRun' | 'idempotencyKey'>,
      ): Promise<Answer<never>> {
        return client.call<never>(operations['background-task.complete'], { ...options, path: { id }, body });
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
      fetch(id: number, options?: Options): Promise<AnswerOfOne<Group>> {
        return client.one<Group>(operations['group.fetch'], { ...options, path: { id } });
      },

      /**
       * Delete a Group.
       * May be refused as forbidden, not-found, in-use, protected, stale, rejected.
       */
      deleteOne(id: number, options?: Options<'dryRun' | 'ifMatch'>): Promise<Answer<never>> {
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
       * Create a Group, or update the one with the identity sent.
       * Answers the record as it would be with `dryRun`, and no results without.
       * May be refused as forbidden, not-found, duplicate, protected, stale, rejected.
       */
      create(
        groupType: string,
        body: GroupInput,
        options?: Options<'dryRun' | 'idempotencyKey' | 'ifMatch'>,
      ): Promise<Answer<Group>> {
        return client.call<Group>(operations['group.create'], { ...options, path: { groupType }, body });
      },

      /**
       * Update a Group; absent fields keep their value.
       * Answers the record as it would be with `dryRun`, and no results without.
       * May be refused as forbidden, not-found, duplicate, protected, stale, rejected.
       */
      update(
        groupType: string,
        id: number,
        body: GroupInput,
        options?: Options<'dryRun' | 'idempotencyKey' | 'ifMatch'>,
      ): Promise<Answer<Group>> {
        return client.call<Group>(operations['group.update'], { ...options, path: { groupType, id }, body });
      },

      /**
       * Delete a Group.
       * May be refused as forbidden, not-found, in-use, protected, stale, rejected.
       */
      deleteByPost(id: number, options?: Options<'dryRun' | 'idempotencyKey' | 'ifMatch'>): Promise<Answer<never>> {
        return client.call<never>(operations['group.delete-by-post'], { ...options, path: { id } });
      },

      /**
       * Delete Group records, all or none.
       * May be refused as forbidden, not-found, in-use, protected, stale, rejected.
       */
      deleteMany(body: IdList, options?: Options<'dryRun' | 'idempotencyKey'>): Promise<Answer<never>> {
        return client.call<never>(operations['group.delete-many'], { ...options, body });
      },

      /**
       * List the members of a group, by id; nested, each once, with the nearest group that holds it.
       * May be refused as forbidden, not-found, too-expensive.
       */
      members(
        id: number,
        query?: {
          /** Members of the groups below too; false unless said. */
          nested?: boolean;
          /** How many members to skip. */
          start?: number;
          /** How many members to answer at most. */
          count?: number;
          /** Where a walk goes on; from the Link header. */
          after?: number;
        },
        options?: Options,
      ): Promise<Answer<NestedGroupMember>> {
        return client.call<NestedGroupMember>(operations['group.members'], { ...options, path: { id }, query });
      },

      /** List the members of a group, by id; nested, each once, with the nearest group that holds it: all of them, page after page; `count` is the size of a page. */
      membersWalk(
        id: number,
        query?: {
          /** Members of the groups below too; false unless said. */
          nested?: boolean;
          /** How many members to skip. */
          start?: number;
          /** How many members to answer at most. */
          count?: number;
          /** Where a walk goes on; from the Link header. */
          after?: number;
        },
        options?: Options,
      ): AsyncGenerator<NestedGroupMember, void, undefined> {
        return client.walk<NestedGroupMember>(operations['group.members'], { ...options, path: { id }, query });
      },

      /**
       * Answer the ids of all members of a group, at most 500,000.
       * May be refused as forbidden, not-found, rejected, too-expensive.
       */
      memberIds(
        id: number,
        query?: {
          /** Members of the groups below too; true unless said. */
          nested?: boolean;
        },
        options?: Options,
      ): Promise<Answer<number>> {
        return client.call<number>(operations['group.member-ids'], { ...options, path: { id }, query });
      },

      /**
       * List all groups below a group, nearest first, with their depth and the shortest path to them.
       * May be refused as forbidden, not-found, rejected, too-expensive.
       */
      descendants(id: number, options?: Options): Promise<Answer<GroupDescendant>> {
        return client.call<GroupDescendant>(operations['group.descendants'], { ...options, path: { id } });
      },

      /**
       * Let every one of these elements join every one of these groups.
       * May be refused as forbidden, not-found, protected, rejected.
       */
      addMembers(body: GroupMembership, options?: Options<'dryRun' | 'idempotencyKey'>): Promise<Answer<never>> {
        return client.call<never>(operations['group.add-members'], { ...options, body });
      },

      /**
       * Let every one of these elements leave every one of these groups.
       * May be refused as forbidden, not-found, protected, rejected.
       */
      removeMembers(body: GroupMembership, options?: Options<'dryRun' | 'idempotencyKey'>): Promise<Answer<never>> {
        return client.call<never>(operations['group.remove-members'], { ...options, body });
      },

      /**
       * Make these the only groups of a type that elements are direct members of.
       * May be refused as forbidden, not-found, protected, rejected.
       */
      membership(body: GroupMembershipOfType, options?: Options<'dryRun' | 'idempotencyKey'>): Promise<Answer<never>> {
        return client.call<never>(operations['group.membership'], { ...options, body });
      },

      /**
       * Put a group below others.
       * May be refused as forbidden, not-found, protected, rejected.
       */
      addToParents(body: GroupParents, options?: Options<'dryRun' | 'idempotencyKey'>): Promise<Answer<never>> {
        return client.call<never>(operations['group.add-to-parents'], { ...options, body });
      },

      /**
       * Take groups out of a group that they are right below.
       * May be refused as forbidden, not-found, rejected.
       */
      removeFromParent(body: GroupChildren, options?: Options<'dryRun' | 'idempotencyKey'>): Promise<Answer<never>> {
        return client.call<never>(operations['group.remove-from-parent'], { ...options, body });
      },

      /**
       * Make a local group of the same type, with the same members and children.
       * Answers the record as it would be with `dryRun`, and no results without.
       * May be refused as forbidden, not-found, duplicate, rejected.
       */
      copy(body: GroupCopy, options?: Options<'dryRun' | 'idempotencyKey'>): Promise<Answer<Group>> {
        return client.call<Group>(operations['group.copy'], { ...options, body });
      },

      /**
       * Store after how many days the members of groups expire.
       * May be refused as forbidden, not-found, rejected.
       */
      aging(body: GroupAging, options?: Options<'dryRun' | 'idempotencyKey'>): Promise<Answer<never>> {
        return client.call<never>(operations['group.aging'], { ...options, body });
      },

      /**
       * Say which groups the members of an administrator group may see and change.
       * May be refused as forbidden, not-found, rejected.
       */
      manages(
        groupID: string,
        body: GroupManages,
        options?: Options<'dryRun' | 'idempotencyKey'>,
      ): Promise<Answer<never>> {
        return client.call<never>(operations['group.manages'], { ...options, path: { groupID }, body });
      },
    },

    session: {
      /** Sign in with user name and password. */
      login(body: Login, options?: Options): Promise<Answer<LoggedIn>> {
        return client.call<LoggedIn>(operations['session.login'], { ...options, body });
      },

      /**
       * End the session of this call.
       * May be refused as forbidden, rejected.
       */
      logout(options?: Options<'dryRun' | 'idempotencyKey'>): Promise<Answer<never>> {
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
       * End a session: your own, or with admin-profiles modify that of another.
       * May be refused as forbidden, not-found.
       */
      revoke(id: number, options?: Options<'dryRun'>): Promise<Answer<never>> {
        return client.call<never>(operations['session.revoke'], { ...options, path: { id } });
      },

      /**
       * Change your own password; your other sessions end.
       * May be refused as forbidden, rejected.
       */
      password(body: PasswordChange, options?: Options<'dryRun' | 'idempotencyKey'>): Promise<Answer<never>> {
        return client.call<never>(operations['session.password'], { ...options, body });
      },
    },

    token: {
      /**
       * List API tokens: your own, or with `all` those of everybody.
       * May be refused as forbidden.
       */
      list(
        query?: {
          /** Also those of others; needs admin-profiles view. */
          all?: boolean;
        },
        options?: Options,
      ): Promise<Answer<Token>> {
        return client.call<Token>(operations['token.list'], { ...options, query });
      },

      /**
       * Issue an API token for yourself; its text is answered once.
       * May be refused as forbidden, duplicate, rejected.
       */
      create(body: TokenRequest, options?: Options<'dryRun' | 'idempotencyKey'>): Promise<Answer<IssuedToken>> {
        return client.call<IssuedToken>(operations['token.create'], { ...options, body });
      },

      /**
       * Replace an API token by a new one; the old one ends at once or after a grace time.
       * May be refused as forbidden, not-found, duplicate, rejected.
       */
      rotate(
        id: number,
        body?: TokenRotation,
        options?: Options<'dryRun' | 'idempotencyKey'>,
      ): Promise<Answer<IssuedToken>> {
        return client.call<IssuedToken>(operations['token.rotate'], { ...options, path: { id }, body });
      },

      /**
       * Revoke an API token; every node refuses it within a second.
       * May be refused as forbidden, not-found.
       */
      revoke(id: number, options?: Options<'dryRun'>): Promise<Answer<never>> {
        return client.call<never>(operations['token.revoke'], { ...options, path: { id } });
      },
    },

    health: {
      /** Say that the process runs. */
      live(options?: Options): Promise<Answer<HealthCheck>> {
        return client.call<HealthCheck>(operations['health.live'], options);
      },

      /** Say whether the node can serve, and what keeps it from that. */
      ready(options?: Options): Promise<Answer<HealthCheck>> {
        return client.call<HealthCheck>(operations['health.ready'], options);
      },
    },
  };
}
