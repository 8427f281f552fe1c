import { log } from '../../kernel/declare/declaration.ts';
import { choice, computed, field, identity, integer, landscape, text } from '../../kernel/declare/field.ts';
import { integerMax } from '../../kernel/declare/shape.ts';
import { shapes } from '../../kernel/declare/shapes.ts';

export const replies = ['ACCEPT', 'REJECT', 'CHALLENGE_TIMEOUT', 'IGNORED'] as const;

/** Causes of a reject; NONE for an accept. */
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
/** The port of the row, for MAC addresses that no host has. */
const portOfRow = `(select p.id from port p where p.device_id = r.device_id
  and case when r.ssid is null then r.nas_port in (p.ifname, p.name, p.ifdescr) else p.ifname = 'ssid:' || r.ssid end
  order by p.ifname = r.nas_port desc, p.name = r.nas_port desc, p.id limit 1)`;

/** The log of the replies of the RADIUS service, with their causes. */
export const radiusResponse = log({
  name: 'radius-response',
  title: 'RADIUS response',
  path: '/radius/radius-health-details',
  permission: 'radius',
  doc: 'Replies of the RADIUS service to access devices, with the cause of each reject.',
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
    id: identity('Identity of the response; it contains the time.'),
    landscape,
    date: computed<string>({ kind: 'time' }, 'r.at', { doc: 'Time of the reply.' }),
    callingStationId: field<string | null>(
      { kind: 'mac', nullable: true },
      { doc: 'MAC address of the host; null: none was sent.' },
    ),
    username: optionalText(253, 'User name of the request; with MAC authentication, the MAC address.'),
    deviceID: field<number>(shapes.count, { doc: 'Id of the access device.' }),
    nas: text({ max: 128, search: true, doc: 'Name of the access device at that time.' }),
    nasPort: optionalText(255, 'Port of the access device; null: none was sent.'),
    ssid: optionalText(32, 'Wireless network; null: wired.'),
    outerEapType: optionalText(40, 'Outer EAP method.'),
    eapType: optionalText(40, 'EAP method, or MAB, PAP, CHAP, MS-CHAP.'),
    reply: choice(replies, { doc: 'Type of the reply.' }),
    cause: choice(causes, { doc: 'Cause of a reject; NONE: the request was accepted.' }),
    message: text({ max: 500, search: true, doc: 'The cause or the reason of the decision, in one sentence.' }),
    decisionID: optionalText(40, 'Identity of the decision; null: there was no access decision.'),
    durationMs: integer({
      min: 0,
      max: integerMax,
      doc: 'Time that the node took for the last request of the engine, without the EAP exchange with the supplicant.',
    }),
    clusterNode: text({ max: 253, doc: 'Name of the node that decided.' }),
  },
});
