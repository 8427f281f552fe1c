import { allows, type PermissionKey, permissionKeys, type Rights } from '../kernel/declare/permissions.ts';
import { type PermissionView, permissionPages } from '../user/admin-profile/admin-profile.service.ts';

/** The areas of the console menu with their pages in order. Every page is in one of them, except the own session. */
export const areas: Readonly<Record<string, readonly string[]>> = {
  Operate: [
    'dashboard',
    'hosts',
    'adapters',
    'applications',
    'scan-results',
    'connections',
    'events',
    'alarms',
    'security-events',
    'guests',
    'self-registration',
    'host-registration',
    'aging',
    'guest-templates',
    'event-types',
    'event-alarm-mappings',
    'event-actions',
    'security-rules',
    'security-event-parsers',
    'telemetry',
    'firewall-sessions',
  ],
  Network: [
    'devices',
    'ports',
    'discovery',
    'access-points',
    'network-addresses',
    'mac-exclusions',
    'nat-detection',
    'rogue-dhcp-detection',
    'quarantine',
    'trap-mibs',
    'vendor-ouis',
    'device-types',
    'firewall-tags',
    'patch-management',
  ],
  Decide: [
    'access-policies',
    'authentication-policies',
    'compliance-policies',
    'portal-policies',
    'supplicant-policies',
    'role-mappings',
    'access-configurations',
    'authentication-configurations',
    'compliance-configurations',
    'compliance-scans',
    'supplicant-configurations',
    'portal-configurations',
    'logical-networks',
    'roles',
    'groups',
    'device-profiler',
    'device-profiling-rules',
    'device-identities',
    'device-identity-sources',
    'fingerprints',
  ],
  System: [
    'radius',
    'radius-attributes',
    'radius-dictionary',
    'jobs',
    'schedules',
    'tasks',
    'audit',
    'federation',
    'high-availability',
    'backup',
    'debug',
    'licenses',
    'updates',
    'analytics',
    'system',
  ],
  Settings: [
    'service-connectors',
    'aaa-servers',
    'aaa-mappings',
    'ldap',
    'identity-provider',
    'mdm',
    'email',
    'sms-providers',
    'messaging-gateways',
    'message-templates',
    'log-receivers',
    'syslog',
    'snmp',
    'proxy',
    'time',
    'single-sign-on',
    'allowed-domains',
    'portal-settings',
    'certificates',
    'tls-services',
    'admin-profiles',
    'agent-updates',
    'agent-credentials',
    'directory-agents',
    'agent-transport',
    'agent-properties',
    'agent-notifications',
  ],
};

/** A page of the console with the permission key that opens it. */
interface Page extends PermissionView {
  key: PermissionKey;
}

/** All pages by their name in links. */
export const pages: ReadonlyMap<string, Page> = new Map(
  permissionKeys.flatMap((key) => permissionPages[key].views.map((view) => [view.view, { ...view, key }] as const)),
);

/** An entry of the menu. */
export interface MenuEntry {
  page: string;
  label: string;
}

/** Returns the menu for a caller with these rights: visible pages with at least one served resource, without empty areas. */
export function menuFor(rights: Rights, served: ReadonlySet<string>): (MenuEntry & { children: MenuEntry[] })[] {
  const isOpen = ({ key, groups }: Page) => allows(rights, key, 'view') && groups.some((group) => served.has(group));
  return Object.entries(areas)
    .map(([label, names]) => ({
      page: label.toLowerCase(),
      label,
      children: names
        .map((name) => pages.get(name)!)
        .filter(isOpen)
        .map((page) => ({ page: page.view, label: page.label })),
    }))
    .filter(({ children }) => children.length > 0);
}

/** Resources outside the contract, with their pages. */
const outsideContract = [
  ['Administrator account', 'admin-profiles'],
  ['Network user', 'hosts'],
] as const;

/** The page of each resource; if there are several, the first in the menu. */
export const pageOfGroup: ReadonlyMap<string, string> = new Map([
  ...outsideContract,
  ...Object.values(areas)
    .flat()
    .flatMap((name) => pages.get(name)!.groups.map((group) => [group, name] as const))
    .toReversed(),
]);

/** Returns the page that the console shows first: that of the profile if it is in the menu, otherwise the first of the menu; null if there is none. */
export function landingPageOf(menu: ReturnType<typeof menuFor>, page: string | undefined): string | null {
  const open = menu.flatMap(({ children }) => children.map((entry) => entry.page));
  return open.find((name) => name === page) ?? open[0] ?? null;
}
