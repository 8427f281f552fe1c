import { type PermissionKey, permissionKeys, type Verb } from '../../kernel/declare/permissions.ts';

/** A page of the console that a permission opens. */
export interface PermissionView {
  /** The page, as a link names it. */
  view: string;
  label: string;
  /** The verbs that do something there. */
  verbs: readonly Verb[];
  /** The groups of the contract whose operations it calls. */
  groups: readonly string[];
}

interface PermissionPages {
  label: string;
  /** False where a manager of cells, which has no devices of its own, has no use for it. */
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

/** What each permission key is called and opens. Every group of the contract stands here once. */
export const permissionPages: Readonly<Record<PermissionKey, PermissionPages>> = {
  'admin-profiles': everywhere('Admin profiles', page('admin-profiles', 'Admin profile', all)),
  'own-session': everywhere('Own session', page('own-session', 'Own session', change, 'User session and attributes')),
  dashboard: everywhere('Dashboard', page('dashboard', 'Dashboard', all)),
  guests: onCells('Guests', page('guests', 'Guest account', all)),
  'guest-templates': everywhere('Guest templates', page('guest-templates', 'Guest template', all)),
  'self-registration': onCells('Self registration', page('self-registration', 'Self registration', change)),
  groups: everywhere('Groups', page('groups', 'Group', all)),
  hosts: onCells(
    'Hosts',
    page('hosts', 'Hosts', all, 'Host record', 'Host record, more'),
    page('adapters', 'Adapter', all),
    page('applications', 'Scanned application', clear),
  ),
  'host-registration': onCells('Host registration', page('host-registration', 'Host registration request', clear)),
  'host-lifecycle': onCells('Host lifecycle', page('aging', 'Aging', change)),
  'scan-results': onCells('Scan results', page('scan-results', 'Scan results', change, 'Host scan', 'Scan result')),
  'device-profiling': everywhere(
    'Device profiling',
    page('device-profiler', 'Device profiler', change),
    page('device-profiling-rules', 'Device profiling rule', all),
    page('device-identities', 'Device identity', all),
    page('device-identity-sources', 'Device identity source', all),
    page('fingerprints', 'Fingerprint', all),
    page('device-types', 'Device type', all),
    page('vendor-ouis', 'Vendor OUI', all),
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
    page('firewall-sessions', 'Firewall session', all),
    page('firewall-tags', 'Firewall tag', all),
    page('single-sign-on', 'Single sign-on agent settings', change),
  ),
  'policy-access': everywhere(
    'Access policies',
    page('access-policies', 'Access policy', all),
    page('access-configurations', 'Access configuration', all),
    page('logical-networks', 'Logical networks', all, 'Logical network', 'Logical network configuration'),
  ),
  'policy-authentication': everywhere(
    'Authentication policies',
    page('authentication-policies', 'Authentication policy', all),
    page('authentication-configurations', 'Authentication configuration', all),
  ),
  'policy-compliance': everywhere(
    'Endpoint compliance',
    page('compliance-policies', 'Endpoint compliance policy', all),
    page('compliance-configurations', 'Endpoint compliance configuration', all),
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
    page('supplicant-policies', 'Supplicant policy', all),
    page('supplicant-configurations', 'Supplicant configuration', all),
  ),
  roles: everywhere('Roles', page('roles', 'Role', all), page('role-mappings', 'Role mapping', all)),
  portal: everywhere(
    'Portal',
    page('portal-policies', 'Portal policy', all),
    page('portal-configurations', 'Portal configuration', ['view', 'delete']),
    page('portal-settings', 'Portal settings', change),
    page('allowed-domains', 'Allowed domains', change),
  ),
  'security-incidents': everywhere(
    'Security incidents',
    page('security-events', 'Security event', look),
    page('security-rules', 'Security rules', all, 'Security rule', 'Security rule trigger'),
    page('security-event-parsers', 'Security event parser', all),
    page('telemetry', 'Telemetry integration', all),
  ),
  'events-alarms': everywhere(
    'Events and alarms',
    page('events', 'Event', all),
    page('alarms', 'Alarm', clear),
    page('event-types', 'Event types', change),
    page('event-alarm-mappings', 'Event to alarm mapping', all),
    page('event-actions', 'Event action', all),
  ),
  'connection-log': onCells('Connection log', page('connections', 'Connection log', change)),
  'audit-log': everywhere('Audit log', page('audit', 'Audit log', look)),
  radius: everywhere(
    'RADIUS',
    page('radius', 'RADIUS servers', all, 'Server configuration', 'Health'),
    page('radius-attributes', 'Attribute group configuration', all),
    page('radius-dictionary', 'Dictionary configuration', all),
  ),
  'authentication-servers': everywhere(
    'Authentication servers',
    page('aaa-servers', 'AAA server', all),
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
    page('message-templates', 'Message template', all),
    page('messaging-gateways', 'Messaging gateway', all),
    page('sms-providers', 'SMS provider', all),
  ),
  'log-transport': everywhere(
    'Log transport',
    page('log-receivers', 'Log receiver', all),
    page('snmp', 'SNMP', change),
    page('syslog', 'Syslog', all),
    page('trap-mibs', 'Trap MIB', all),
  ),
  agents: everywhere(
    'Agents',
    page('agent-updates', 'Agent updates', clear, 'Agent update', 'Agent packages'),
    page('agent-credentials', 'Credential config', change),
    page('directory-agents', 'Directory agent config', all),
    page('agent-transport', 'Packet transport config', all),
    page('agent-properties', 'Security management properties', change),
    page('agent-notifications', 'Status notifications', change),
  ),
  'network-settings': everywhere(
    'Network settings',
    page('mac-exclusions', 'MAC exclusion', all),
    page('nat-detection', 'NAT detection', all),
    page('network-addresses', 'Network addresses', all, 'Network address', 'Network address group'),
    page('quarantine', 'Quarantine', change),
    page('rogue-dhcp-detection', 'Rogue DHCP detection', all),
  ),
  certificates: everywhere(
    'Certificates',
    page('certificates', 'Certificate', clear),
    page('tls-services', 'TLS service configuration', all),
  ),
  'system-settings': everywhere(
    'System settings',
    page('system', 'Local properties', change),
    page('time', 'Services (NTP)', change),
    page('proxy', 'Proxy', change),
    page('licenses', 'License management', look),
    page('updates', 'Updates', change, 'Update', 'OS update'),
    page('analytics', 'Analytics', change),
    page('service-connectors', 'Service connector', look),
  ),
  'high-availability': everywhere('High availability', page('high-availability', 'High availability', change)),
  backup: everywhere('Backup', page('backup', 'Backup', clear, 'Backup configuration', 'Backup settings')),
  federation: everywhere('Federation', page('federation', 'Server management', all)),
  scheduler: everywhere(
    'Scheduler',
    page('jobs', 'Background task', all),
    page('schedules', 'Scheduler', clear),
    page('tasks', 'Task', all),
  ),
  debug: everywhere('Debug', page('debug', 'Debug', clear)),
};

const viewsOf = (keys: readonly PermissionKey[]): Record<string, readonly PermissionView[]> =>
  Object.fromEntries(keys.map((key) => [key, permissionPages[key].views]));

/** The pages of a cell, and those of a manager of cells. */
export const permissionViewMap = {
  viewMap: viewsOf(permissionKeys),
  ncmViewMap: viewsOf(permissionKeys.filter((key) => permissionPages[key].onManager)),
};
