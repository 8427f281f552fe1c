import { collection } from '../../kernel/declare.ts';
import { eventType } from '../../kernel/event-type.ts';
import { computed, flag, identity, list, observed, reference, version } from '../../kernel/field.ts';
import { integerMax } from '../../kernel/shape.ts';

/** The code of ports among elements of the topology: an SSID is one. */
const portElementType = 3;

export const ssidSecurities = ['OPEN', 'PSK', 'ENTERPRISE', 'UNKNOWN'] as const;
export type SsidSecurity = (typeof ssidSecurities)[number];

export const bssidsMax = 1_000;
const ofDevice = (column: string) => `(select d.${column} from network_device d where d.id = r.device_id)`;
const seenAt = (doc: string) => observed<string>({ kind: 'time' }, '1970-01-01T00:00:00.000Z', doc);

const ofSsid = { category: 'PORT', elementType: portElementType } as const;

export const ssidDiscovered = eventType({
  ...ofSsid,
  name: 'SSID_DISCOVERED',
  description: 'A wireless network was seen on a device for the first time, or again.',
  format: 'SSID {element} was found.',
});

export const ssidRemoved = eventType({
  ...ofSsid,
  name: 'SSID_REMOVED',
  description: 'A device no longer has a wireless network.',
  format: 'SSID {element} is gone.',
});

/** A wireless network of an access point or controller; it is a port of that device, under the same identity. */
export const ssid = collection({
  name: 'ssid',
  title: 'SSID',
  path: '/ssid',
  permission: 'devices',
  doc: 'Wireless networks that devices have; they are found, never made by hand.',
  columns: ['id', 'name', 'deviceName', 'security', 'present', 'clients', 'lastSeen'],
  patterns: ['list'],
  events: { elementType: portElementType },
  scopedBy: { elementType: portElementType, seenWith: 'deviceID' },
  exactKey: ['deviceID', 'name'],
  fields: {
    id: identity('Identity of its port.'),
    name: { ...observed<string>({ kind: 'text', max: 128 }, '', 'Its name on the air.'), search: true },
    deviceID: {
      ...reference('network-device', 'cascade', { doc: 'The access point or controller.' }),
      access: 'computed',
    },
    deviceName: {
      ...computed<string>({ kind: 'text', max: 128 }, ofDevice('name'), { doc: 'Name of the device.' }),
      through: 'deviceID.name',
    },
    containerID: {
      ...computed<number>({ kind: 'integer', min: 0, max: integerMax }, ofDevice('container_id'), {
        doc: 'Container of the device.',
      }),
      through: 'deviceID.containerID',
    },
    bssids: observed<string[]>({ kind: 'list', item: { kind: 'mac' }, max: bssidsMax }, [], 'Addresses of its radios.'),
    security: observed<SsidSecurity>({ kind: 'choice', values: ssidSecurities }, 'UNKNOWN', 'How hosts join it.'),
    present: observed<boolean>(
      { kind: 'flag' },
      true,
      'False: the device no longer has it; it stays until its interfaces are read with purge.',
    ),
    clients: computed<number>(
      { kind: 'integer', min: 0, max: integerMax },
      '(select count(*) from connection_active a where a.port_id = r.id)',
      { doc: 'Hosts on it now.' },
    ),
    firstSeen: seenAt('When it was found.'),
    lastSeen: seenAt('When the device told it last.'),
  },
});

/** How access to a wireless network is decided, where it is not as on its device. */
export const ssidConfig = collection({
  name: 'ssid-config',
  title: 'SSID configuration',
  path: '/ssid/config',
  permission: 'devices',
  doc: 'What holds for one wireless network alone.',
  patterns: [],
  events: { elementType: portElementType },
  fields: {
    id: identity(),
    name: computed<string>({ kind: 'text', max: 128 }, '(select s.name from ssid s where s.id = r.ssid_id)'),
    ssidID: { ...reference('ssid', 'cascade', { doc: 'The wireless network.' }), unique: true },
    inherit: flag({ default: true, doc: 'Servers and access values of the device count; false: those given here.' }),
    primaryAAAServerID: reference('aaa-server', 'restrict', {
      nullable: true,
      doc: 'The server that is asked first.',
    }),
    secondaryAAAServerID: reference('aaa-server', 'restrict', {
      nullable: true,
      doc: 'The server that is asked when the first is silent.',
    }),
    guestTemplateIDs: list<number>(
      { item: { kind: 'integer', min: 1, max: integerMax }, max: 100 },
      {
        default: [],
        inner: [{ path: ['*'], to: 'guest-template', onDelete: 'restrict' }],
        doc: 'Guests of these templates alone may use it; empty: all may.',
      },
    ),
    portalConfigurationID: reference('portal-configuration', 'restrict', {
      nullable: true,
      doc: 'Pages that its hosts are shown.',
    }),
    version,
  },
});
