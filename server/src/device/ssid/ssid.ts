import { collection, type RowOf } from '../../kernel/declare/declaration.ts';
import { computed, flag, identity, list, observed, reference, version } from '../../kernel/declare/field.ts';
import { shapes } from '../../kernel/declare/shapes.ts';

/** Element type of ports: an SSID is a port. */
const portElementType = 3;

export const ssidSecurities = ['OPEN', 'PSK', 'ENTERPRISE', 'UNKNOWN'] as const;
export type SsidSecurity = (typeof ssidSecurities)[number];

export const bssidsMax = 1_000;
const ofDevice = (column: string) => `(select d.${column} from network_device d where d.id = r.device_id)`;
const seenAt = (doc: string) => observed<string>({ kind: 'time' }, '1970-01-01T00:00:00.000Z', doc);

/** A wireless network of an access point or controller; it is a port of that device, with the same id. */
export const ssid = collection({
  name: 'ssid',
  title: 'SSID',
  path: '/ssid',
  permission: 'devices',
  doc: 'Wireless networks of devices; they are discovered and cannot be created by hand.',
  columns: ['id', 'name', 'deviceName', 'security', 'present', 'clients', 'lastSeen'],
  patterns: ['list'],
  events: { elementType: portElementType },
  scopedBy: { elementType: portElementType, seenWith: 'deviceID' },
  exactKey: ['deviceID', 'name'],
  labelPrefix: 'deviceName',
  fields: {
    id: identity('Identity of its port.'),
    name: { ...observed<string>({ kind: 'text', max: 128 }, '', 'Broadcast name.'), search: true },
    deviceID: {
      ...reference('network-device', 'cascade', { doc: 'The access point or controller.' }),
      access: 'computed',
    },
    deviceName: {
      ...computed<string>({ kind: 'text', max: 128 }, ofDevice('name'), { doc: 'Name of the device.' }),
      via: 'deviceID.name',
    },
    containerID: {
      ...computed<number>(shapes.count, ofDevice('container_id'), {
        doc: 'Container of the device.',
      }),
      via: 'deviceID.containerID',
    },
    bssids: observed<string[]>({ kind: 'list', item: { kind: 'mac' }, max: bssidsMax }, [], 'BSSIDs of its radios.'),
    security: observed<SsidSecurity>({ kind: 'choice', values: ssidSecurities }, 'UNKNOWN', 'Security mode.'),
    present: observed<boolean>(
      { kind: 'flag' },
      true,
      'False: no longer on the device; the record stays until its interfaces are read with purge.',
    ),
    clients: computed<number>(shapes.count, '(select count(*) from connection_active a where a.port_id = r.id)', {
      doc: 'Number of connected hosts.',
    }),
    firstSeen: seenAt('When it was first seen.'),
    lastSeen: seenAt('When the device last reported it.'),
  },
});

/** The access settings of an SSID, where they differ from those of its device. */
export const ssidConfig = collection({
  name: 'ssid-config',
  title: 'SSID configuration',
  path: '/ssid/config',
  permission: 'devices',
  doc: 'Configuration of one wireless network.',
  patterns: [],
  events: { elementType: portElementType },
  deciding: { fields: ['inherit'] },
  fields: {
    id: identity(),
    name: computed<string>({ kind: 'text', max: 128 }, '(select s.name from ssid s where s.id = r.ssid_id)'),
    ssidID: { ...reference('ssid', 'cascade', { doc: 'The wireless network.' }), unique: true },
    inherit: flag({
      default: true,
      doc: 'True: servers and access values of the device apply; false: those given here.',
    }),
    primaryAAAServerID: reference('aaa-server', 'restrict', {
      nullable: true,
      doc: 'Server for logins whose user domain has no mapping.',
    }),
    secondaryAAAServerID: reference('aaa-server', 'restrict', {
      nullable: true,
      doc: 'Secondary server, used if the primary does not respond.',
    }),
    guestTemplateIDs: list<number>(
      { item: shapes.id, max: 100 },
      {
        default: [],
        nestedReferences: [{ path: ['*'], to: 'guest-template', onDelete: 'restrict' }],
        doc: 'Only guests of these templates may use it; empty: all may.',
      },
    ),
    portalConfigurationID: reference('portal-configuration', 'restrict', {
      nullable: true,
      doc: 'Portal pages shown to its hosts.',
    }),
    version,
  },
});

declare module '../../database.ts' {
  interface Database {
    ssid: RowOf<typeof ssid>;
  }
}
