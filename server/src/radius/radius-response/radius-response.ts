import { log } from '../../kernel/declare/declaration.ts';
import { choice, computed, field, identity, integer, landscape, text } from '../../kernel/declare/field.ts';
import { integerMax } from '../../kernel/declare/shape.ts';
import { shapes } from '../../kernel/declare/shapes.ts';

export const replies = ['ACCEPT', 'REJECT', 'CHALLENGE_TIMEOUT', 'IGNORED'] as const;

/** Why somebody was not let in. */
export const causes = [
  'NONE',
  'BAD_PASSWORD',
  'UNKNOWN_USER',
  'ACCOUNT_DISABLED',
  'ACCOUNT_EXPIRED',
  'OUTSIDE_SCHEDULE',
  'HOST_DISABLED',
  'HOST_LIMIT',
  'NO_POLICY',
  'CERT_EXPIRED',
  'CERT_UNTRUSTED',
  'CERT_REVOKED',
  'CERT_NAME',
  'EAP_TYPE_REFUSED',
  'EAP_TIMEOUT',
  'NAS_UNKNOWN',
  'BAD_SECRET',
  'DIRECTORY_UNAVAILABLE',
  'DECISION_UNAVAILABLE',
  'LOGIN_LOCKED',
  'OTHER',
] as const;
export type Cause = (typeof causes)[number];

const optionalText = (max: number, doc: string) => text({ max, nullable: true, search: true, doc });

/** The host whose adapter has the MAC address of the row now. */
const hostOfRow = `(select a.host_id from adapter a where a.physical_address = r.calling_station_id and a.landscape = r.landscape)`;
/** The port that the row names, for MAC addresses that no host has. */
const portOfRow = `(select p.id from port p where p.device_id = r.device_id
  and case when r.ssid is null then r.nas_port in (p.ifname, p.name, p.ifdescr) else p.ifname = 'ssid:' || r.ssid end
  order by p.ifname = r.nas_port desc, p.name = r.nas_port desc, p.id limit 1)`;

/** What the RADIUS service answered, and why. */
export const radiusResponse = log({
  name: 'radius-response',
  title: 'RADIUS response',
  path: '/radius/radius-health-details',
  permission: 'radius',
  doc: 'Answers of the RADIUS service to access devices, with the cause of each reject.',
  columns: ['date', 'callingStationId', 'username', 'nas', 'nasPort', 'ssid', 'reply', 'cause', 'message'],
  patterns: ['list'],
  slice: 'day',
  age: { setting: 'radiusResponseDays', days: 30 },
  identity: 'id',
  label: 'callingStationId',
  timeField: 'date',
  concerns: { group: 'network-device', by: 'deviceID' },
  visibleWith: [
    { group: 'host', id: hostOfRow },
    { group: 'port', id: portOfRow },
  ],
  indexes: [['callingStationId'], ['deviceID'], ['cause']],
  totals: ['callingStationId', 'username', 'nas', 'message', 'cause'],
  units: { durationMs: 'ms' },
  fields: {
    id: identity('Identity of the answer; it contains the time.'),
    landscape,
    date: computed<string>({ kind: 'time' }, 'r.at', { doc: 'When it was given.' }),
    callingStationId: field<string | null>(
      { kind: 'mac', nullable: true },
      { doc: 'MAC address; null: none was sent.' },
    ),
    username: optionalText(253, 'Name that was sent; for a device known by its MAC address alone that address.'),
    deviceID: field<number>(shapes.count, { doc: 'The access device.' }),
    nas: text({ max: 128, search: true, doc: 'Its name at that time.' }),
    nasPort: optionalText(255, 'Port of the access device; null: it named none.'),
    ssid: optionalText(32, 'Wireless network; null: wired.'),
    outerEapType: optionalText(40, 'Outer EAP method.'),
    eapType: optionalText(40, 'EAP method, or MAB, PAP, CHAP, MS-CHAP.'),
    reply: choice(replies, { doc: 'What was answered.' }),
    cause: choice(causes, { doc: 'Why it was no accept; NONE: it was one.' }),
    message: text({ max: 500, search: true, doc: 'The same in a sentence.' }),
    decisionID: optionalText(40, 'Identity of the decision; null: it was answered without one.'),
    durationMs: integer({
      min: 0,
      max: integerMax,
      doc: 'Time that the node took for the last request of the engine; not the EAP conversation with the supplicant.',
    }),
    clusterNode: text({ max: 253, doc: 'The node that answered.' }),
  },
});
