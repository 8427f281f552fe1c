import type { IconName } from '../parts/icon-names.ts';
import { text } from '../texts/text.ts';

/** Something to begin with, where nothing is known yet. */
export interface FirstAction {
  name: string;
  why: string;
  icon: IconName;
  /** Operation that it ends in; it is offered to those who may call it. */
  operation: string;
  /** Group of the operation. */
  group: string;
  href: string;
}

/** How hosts and devices come into a new cell. */
export const firstActions: readonly FirstAction[] = [
  {
    name: text.first.device.name,
    why: text.first.device.why,
    icon: 'server',
    group: 'network-device',
    operation: 'network-device.create-snmp',
    href: '/devices?group=network-device&form=network-device.create-snmp',
  },
  {
    name: text.first.discover.name,
    why: text.first.discover.why,
    icon: 'radar',
    group: 'discovery-run',
    operation: 'discovery-run.discover',
    href: '/discovery?act=discovery-run.discover',
  },
  {
    name: text.first.importHosts.name,
    why: text.first.importHosts.why,
    icon: 'archive',
    group: 'host',
    operation: 'host.import-hosts',
    href: '/hosts?act=host.import-hosts',
  },
];
