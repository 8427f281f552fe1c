import { settings } from '../../kernel/declare.ts';
import { flag, integer, modified, version } from '../../kernel/field.ts';

const secondsOf = (standard: number, max: number, doc: string) => integer({ min: 0, max, default: standard, doc });

/** How the service polls devices and takes their traps. */
export const deviceProperties = settings({
  name: 'device-properties',
  title: 'Device properties',
  path: '/device/properties',
  permission: 'devices',
  doc: 'How devices are polled, and what follows their traps, for the whole cell.',
  events: { elementType: 0 },
  example: { uplinkCount: 30, snmpTimeout: 3 },
  fields: {
    minTrapPeriod: secondsOf(10, 600, 'Seconds after a linkUp before the forwarding table is read.'),
    maxTrapPeriods: integer({ min: 1, max: 20, default: 4, doc: 'How often further linkUps may put that off.' }),
    coldWarmTrapDelay: secondsOf(60, 3_600, 'Seconds after a restart before the interfaces are read.'),
    registrationDelay: secondsOf(5, 300, 'Seconds after a registration before access changes: time to read the page.'),
    vlanSwitchingDelay: secondsOf(0, 300, 'Seconds before a VLAN is changed.'),
    vlanResetDelay: secondsOf(60, 86_400, 'Seconds after the last host left before the port returns to its VLAN.'),
    bounceDownSeconds: integer({ min: 1, max: 60, default: 3, doc: 'How long a bounced port is down.' }),
    uplinkCount: integer({ min: 2, max: 10_000, default: 20, doc: 'More addresses than this make a port an uplink.' }),
    macSpoofDelay: secondsOf(300, 86_400, 'Seconds in which one address on two ports is suspicious.'),
    multiAccessThreshold: integer({
      min: 1,
      max: 1_000,
      default: 3,
      doc: 'More addresses than this on a port are told.',
    }),
    lldpDiscovery: flag({ default: true, doc: 'Follow LLDP neighbours.' }),
    cdpDiscovery: flag({ default: true, doc: 'Follow CDP neighbours.' }),
    maxHops: integer({ min: 1, max: 20, default: 3, doc: 'How far a discovery follows neighbours.' }),
    ignoreMacNotificationOnPhone: flag({
      default: true,
      doc: 'Leave out addresses that a switch tells of ports with a phone.',
    }),
    preservePortNames: flag({ default: true, doc: 'Reading the interfaces never overwrites an edited label.' }),
    cliTimeout: integer({ min: 1, max: 120, default: 12, doc: 'Seconds to wait for the command line.' }),
    snmpTimeout: integer({ min: 1, max: 30, default: 2, doc: 'Seconds to wait for an answer by SNMP.' }),
    snmpRetries: integer({ min: 0, max: 10, default: 2, doc: 'How often SNMP asks again.' }),
    allowedHosts: integer({ min: 0, max: 10_000, default: 5, doc: 'Hosts that a user may own.' }),
    ...modified,
    version,
  },
});
