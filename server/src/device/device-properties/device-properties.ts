import { settings } from '../../kernel/declare/declaration.ts';
import { flag, integer, modified, notYet, version } from '../../kernel/declare/field.ts';

const secondsOf = (standard: number, max: number, doc: string) => integer({ min: 0, max, default: standard, doc });

const enforcement = 'decisions are enforced on ports';

/** Settings for polling devices and receiving their traps. */
export const deviceProperties = settings({
  name: 'device-properties',
  title: 'Device properties',
  path: '/device/properties',
  permission: 'devices',
  doc: 'Settings of device polling and trap handling for the whole cell.',
  events: { elementType: 0 },
  example: { uplinkCount: 30, snmpTimeout: 3 },
  sections: {
    Traps: ['minTrapPeriod', 'maxTrapPeriods', 'coldWarmTrapDelay', 'ignoreMacNotificationOnPhone'],
    Enforcement: ['registrationDelay', 'vlanSwitchingDelay', 'vlanResetDelay', 'bounceDownSeconds'],
    Ports: ['uplinkCount', 'macSpoofDelay', 'multiAccessThreshold', 'preservePortNames'],
    Discovery: ['lldpDiscovery', 'cdpDiscovery', 'maxHops'],
    Protocols: ['cliTimeout', 'snmpTimeout', 'snmpRetries'],
    Users: ['allowedHosts'],
  },
  units: {
    minTrapPeriod: 's',
    coldWarmTrapDelay: 's',
    registrationDelay: 's',
    vlanSwitchingDelay: 's',
    vlanResetDelay: 's',
    bounceDownSeconds: 's',
    macSpoofDelay: 's',
    cliTimeout: 's',
    snmpTimeout: 's',
  },
  fields: {
    minTrapPeriod: secondsOf(10, 600, 'Seconds after a linkUp before the forwarding table is read.'),
    maxTrapPeriods: integer({ min: 1, max: 20, default: 4, doc: 'How often further linkUp traps may postpone that.' }),
    coldWarmTrapDelay: secondsOf(60, 3_600, 'Seconds after a restart before the interfaces are read.'),
    registrationDelay: notYet(
      secondsOf(5, 300, 'Seconds after a registration before access changes, so that the user can read the page.'),
      enforcement,
    ),
    vlanSwitchingDelay: notYet(secondsOf(0, 300, 'Seconds before a VLAN is changed.'), enforcement),
    vlanResetDelay: notYet(
      secondsOf(60, 86_400, 'Seconds after the last host left before the port returns to its VLAN.'),
      enforcement,
    ),
    bounceDownSeconds: notYet(
      integer({ min: 1, max: 60, default: 3, doc: 'How long a bounced port is down.' }),
      enforcement,
    ),
    uplinkCount: integer({
      min: 2,
      max: 10_000,
      default: 20,
      doc: 'A port with more MAC addresses than this becomes an uplink.',
    }),
    macSpoofDelay: secondsOf(
      300,
      86_400,
      'Seconds within which the same MAC address on two ports is reported as spoofing.',
    ),
    multiAccessThreshold: notYet(
      integer({ min: 1, max: 1_000, default: 3, doc: 'More MAC addresses than this on a port emit an event.' }),
      'ports with several hosts are reported',
    ),
    lldpDiscovery: flag({ default: true, doc: 'Follow LLDP neighbours.' }),
    cdpDiscovery: flag({ default: true, doc: 'Follow CDP neighbours.' }),
    maxHops: integer({ min: 1, max: 20, default: 3, doc: 'Maximum hops of a discovery.' }),
    ignoreMacNotificationOnPhone: notYet(
      flag({ default: true, doc: 'Ignore MAC addresses that a switch reports on ports with a phone.' }),
      'phones are recognised',
    ),
    preservePortNames: flag({ default: true, doc: 'Reading interfaces does not overwrite an edited label.' }),
    cliTimeout: integer({ min: 1, max: 120, default: 12, doc: 'Seconds to wait for the command line.' }),
    snmpTimeout: integer({ min: 1, max: 30, default: 2, doc: 'Seconds to wait for an SNMP response.' }),
    snmpRetries: integer({ min: 0, max: 10, default: 2, doc: 'Number of SNMP retries.' }),
    allowedHosts: integer({ min: 0, max: 10_000, default: 5, doc: 'Maximum number of hosts per user.' }),
    ...modified,
    version,
  },
});
