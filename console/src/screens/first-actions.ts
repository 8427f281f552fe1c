import type { IconName } from '../parts/icon-names.ts';
import { text } from '../texts/text.ts';

/** A suggested action in an empty cell. */
export interface FirstAction {
  name: string;
  why: string;
  icon: IconName;
  /** The operation that it opens; shown only to users who may call it. */
  operation: string;
  /** Resource of the operation. */
  group: string;
  href: string;
}

/** The ways to add hosts and devices to an empty cell. */
export const firstActions: readonly FirstAction[] = [
  {
    name: text.firstActions.device.name,
    why: text.firstActions.device.why,
    icon: 'server',
    group: 'network-device',
    operation: 'network-device.create-snmp',
    href: '/devices?group=network-device&form=network-device.create-snmp',
  },
  {
    name: text.firstActions.discover.name,
    why: text.firstActions.discover.why,
    icon: 'radar',
    group: 'discovery-run',
    operation: 'discovery-run.discover',
    href: '/discovery?act=discovery-run.discover',
  },
  {
    name: text.firstActions.importHosts.name,
    why: text.firstActions.importHosts.why,
    icon: 'archive',
    group: 'host',
    operation: 'host.import-hosts',
    href: '/hosts?act=host.import-hosts',
  },
];
