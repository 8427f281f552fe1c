import { type PermissionKey, permissionKeys, type Verb } from '../../kernel/declare/permissions.ts';

/** A page of the console that a permission opens. */
export interface PermissionView {
  /** The name of the page in links. */
  view: string;
  label: string;
  /** The verbs that have an effect on the page. */
  verbs: readonly Verb[];
  /** The resources of the contract whose operations the page calls. */
  groups: readonly string[];
}

interface PermissionPages {
  label: string;
  /** False if the pages are useless on a manager of cells, which has no devices. */
  onManager: boolean;
  views: readonly PermissionView[];
}

const look: readonly Verb[] = ['view'];
const change: readonly Verb[] = ['view', 'modify'];
const clear: readonly Verb[] = ['view', 'modify', 'delete'];
const all: readonly Verb[] = ['view', 'add', 'modify', 'delete'];

const page = (view: string, label: string, verbs: readonly Verb[], ...groups: string[]): PermissionView => ({
  view,
  label,
  verbs,
  groups: groups.length > 0 ? groups : [label],
});

const everywhere = (label: string, ...views: PermissionView[]): PermissionPages => ({ label, onManager: true, views });
const onCells = (label: string, ...views: PermissionView[]): PermissionPages => ({ label, onManager: false, views });

/** The label and the pages of each permission key. Every resource of the contract appears once. */
export const permissionPages: Readonly<Record<PermissionKey, PermissionPages>> = {
  'admin-profiles': everywhere('Admin profiles', page('admin-profiles', 'Admin profiles', all, 'Admin profile')),
  'own-session': everywhere('Own session', page('own-session', 'Own session', change, 'User session and attributes')),
  dashboard: everywhere('Dashboard', page('dashboard', 'Dashboard', all)),
  guests: onCells('Guests', page('guests', 'Guest accounts', all, 'Guest account')),
  'guest-templates': everywhere('Guest templates', page('guest-templates', 'Guest templates', all, 'Guest template')),
  'self-registration': onCells('Self registration', page('self-registration', 'Self registration', change)),
  groups: everywhere('Groups', page('groups', 'Groups', all, 'Group')),
  hosts: onCells(
    'Hosts',
    page('hosts', 'Hosts', all, 'Host record', 'Host record, more'),
    page('adapters', 'Adapters', all, 'Adapter'),
    page('applications', 'Scanned applications', clear, 'Scanned application'),
  ),
  'host-registration': onCells(
    'Host registration',
    page('host-registration', 'Host registration requests', clear, 'Host registration request'),
  ),
  'host-lifecycle': onCells('Host lifecycle', page('aging', 'Aging', change)),
  'scan-results': onCells('Scan results', page('scan-results', 'Scan results', change, 'Host scan', 'Scan result')),
  'device-profiling': everywhere(
    'Device profiling',
    page('device-profiler', 'Device profiler', change),
    page('device-profiling-rules', 'Device profiling rules', all, 'Device profiling rule'),
    page('device-identities', 'Device identities', all, 'Device identity'),
    page('device-identity-sources', 'Device identity sources', all, 'Device identity source'),
    page('fingerprints', 'Fingerprints', all, 'Fingerprint'),
    page('device-types', 'Device types', all, 'Device type'),
    page('vendor-ouis', 'Vendor OUIs', all, 'Vendor OUI'),
  ),
  devices: onCells(
    'Devices',
    page('devices', 'Devices and topology', all, 'Container', 'Network device'),
    page('ports', 'Ports', change, 'Port', 'Port changes', 'SSID'),
    page('access-points', 'Access point management', look),
  ),
  discovery: onCells('Discovery', page('discovery', 'Discovery', change, 'Discovery', 'L3 scan')),
  firewall: onCells(
    'Firewall',
    page('firewall-sessions', 'Firewall sessions', all, 'Firewall session'),
    page('firewall-tags', 'Firewall tags', all, 'Firewall tag'),
    page('single-sign-on', 'Single sign-on agent settings', change),
  ),
  'policy-access': everywhere(
    'Access policies',
    page('access-policies', 'Access policies', all, 'Access policy'),
    page('access-configurations', 'Access configurations', all, 'Access configuration'),
    page('logical-networks', 'Logical networks', all, 'Logical network', 'Logical network configuration'),
  ),
  'policy-authentication': everywhere(
    'Authentication policies',
    page('authentication-policies', 'Authentication policies', all, 'Authentication policy'),
    page('authentication-configurations', 'Authentication configurations', all, 'Authentication configuration'),
  ),
  'policy-compliance': everywhere(
    'Endpoint compliance',
    page('compliance-policies', 'Endpoint compliance policies', all, 'Endpoint compliance policy'),
    page('compliance-configurations', 'Endpoint compliance configurations', all, 'Endpoint compliance configuration'),
    page(
      'compliance-scans',
      'Endpoint compliance scans',
      all,
      'Endpoint compliance scan',
      'Endpoint compliance custom scan',
    ),
  ),
  'policy-supplicant': everywhere(
    'Supplicant policies',
    page('supplicant-policies', 'Supplicant policies', all, 'Supplicant policy'),
    page('supplicant-configurations', 'Supplicant configurations', all, 'Supplicant configuration'),
  ),
  roles: everywhere(
    'Roles',
    page('roles', 'Roles', all, 'Role'),
    page('role-mappings', 'Role mappings', all, 'Role mapping'),
  ),
  portal: everywhere(
    'Portal',
    page('portal-policies', 'Portal policies', all, 'Portal policy'),
    page('portal-configurations', 'Portal configurations', ['view', 'delete'], 'Portal configuration'),
    page('portal-settings', 'Portal settings', change),
    page('allowed-domains', 'Allowed domains', change),
  ),
  'security-incidents': everywhere(
    'Security incidents',
    page('security-events', 'Security events', look, 'Security event'),
    page('security-rules', 'Security rules', all, 'Security rule', 'Security rule trigger'),
    page('security-event-parsers', 'Security event parsers', all, 'Security event parser'),
    page('telemetry', 'Telemetry integration', all),
  ),
  'events-alarms': everywhere(
    'Events and alarms',
    page('events', 'Events', all, 'Event'),
    page('alarms', 'Alarms', clear, 'Alarm'),
    page('event-types', 'Event types', change),
    page('event-alarm-mappings', 'Event to alarm mappings', all, 'Event to alarm mapping'),
    page('event-actions', 'Event actions', all, 'Event action'),
  ),
  'connection-log': onCells('Connection log', page('connections', 'Connection log', change)),
  'audit-log': everywhere('Audit log', page('audit', 'Audit log', look)),
  radius: everywhere(
    'RADIUS',
    page('radius', 'RADIUS servers', all, 'Server configuration', 'Health'),
    page('radius-attributes', 'RADIUS attribute groups', all, 'Attribute group configuration'),
    page('radius-dictionary', 'RADIUS dictionary', all, 'Dictionary configuration'),
  ),
  'authentication-servers': everywhere(
    'Authentication servers',
    page('aaa-servers', 'AAA servers', all, 'AAA server'),
    page('aaa-mappings', 'AAA mappings', all),
  ),
  directories: everywhere(
    'Directories',
    page('ldap', 'LDAP', all),
    page('identity-provider', 'Identity provider integration', all),
  ),
  'mdm-patch': everywhere(
    'Device and patch management',
    page('mdm', 'MDM', all),
    page('patch-management', 'Patch management', change),
  ),
  messaging: everywhere(
    'Messaging',
    page('email', 'Email', clear),
    page('message-templates', 'Message templates', all, 'Message template'),
    page('messaging-gateways', 'Messaging gateways', all, 'Messaging gateway'),
    page('sms-providers', 'SMS providers', all, 'SMS provider'),
  ),
  'log-transport': everywhere(
    'Log transport',
    page('log-receivers', 'Log receivers', all, 'Log receiver'),
    page('snmp', 'SNMP', change),
    page('syslog', 'Syslog', all),
    page('trap-mibs', 'Trap MIBs', all, 'Trap MIB'),
  ),
  agents: everywhere(
    'Agents',
    page('agent-updates', 'Agent updates', clear, 'Agent update', 'Agent packages'),
    page('agent-credentials', 'Agent credentials', change, 'Credential config'),
    page('directory-agents', 'Directory agents', all, 'Directory agent config'),
    page('agent-transport', 'Agent transport', all, 'Packet transport config'),
    page('agent-properties', 'Security management properties', change),
    page('agent-notifications', 'Status notifications', change),
  ),
  'network-settings': everywhere(
    'Network settings',
    page('mac-exclusions', 'MAC exclusions', all, 'MAC exclusion'),
    page('nat-detection', 'NAT detection', all),
    page('network-addresses', 'Network addresses', all, 'Network address', 'Network address group'),
    page('quarantine', 'Quarantine', change),
    page('rogue-dhcp-detection', 'Rogue DHCP detection', all),
  ),
  certificates: everywhere(
    'Certificates',
    page('certificates', 'Certificates', clear, 'Certificate'),
    page('tls-services', 'TLS service configurations', all, 'TLS service configuration'),
  ),
  'system-settings': everywhere(
    'System settings',
    page('system', 'Local properties', change),
    page('time', 'Services (NTP)', change),
    page('proxy', 'Proxy', change),
    page('licenses', 'License management', look),
    page('updates', 'Updates', change, 'Update', 'OS update'),
    page('analytics', 'Analytics', change),
    page('service-connectors', 'Service connectors', look, 'Service connector'),
  ),
  'high-availability': everywhere('High availability', page('high-availability', 'High availability', change)),
  backup: everywhere('Backup', page('backup', 'Backup', clear, 'Backup configuration', 'Backup settings')),
  federation: everywhere('Federation', page('federation', 'Federation', all, 'Server management')),
  scheduler: everywhere(
    'Scheduler',
    page('jobs', 'Background tasks', all, 'Background task'),
    page('schedules', 'Scheduler', clear),
    page('tasks', 'Tasks', all, 'Task'),
  ),
  debug: everywhere('Debug', page('debug', 'Debug', clear)),
};

const viewsOf = (keys: readonly PermissionKey[]): Record<string, readonly PermissionView[]> =>
  Object.fromEntries(keys.map((key) => [key, permissionPages[key].views]));

/** The pages by permission key, on a cell and on a manager of cells. */
export const permissionViewMap = {
  viewMap: viewsOf(permissionKeys),
  ncmViewMap: viewsOf(permissionKeys.filter((key) => permissionPages[key].onManager)),
};
