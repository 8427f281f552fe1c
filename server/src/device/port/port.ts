import { auditFields, collection, type RowOf } from '../../kernel/declare/declaration.ts';
import {
  computed,
  type Field,
  flag,
  identity,
  modified,
  observed,
  reference,
  text,
} from '../../kernel/declare/field.ts';
import { integerMax } from '../../kernel/declare/shape.ts';
import { shapes } from '../../kernel/declare/shapes.ts';

const { auditObj } = auditFields('port');

/** Element type of ports; SSIDs and VPN entries have it too. */
export const portElementType = 3;

/** Interfaces without a plug: VLAN interface, loopback, management. */
export const virtualPortType = 4;

/** Wireless networks of access points. */
export const ssidPortType = 1;

/** Name of the virtual port for hosts whose port is unknown. */
export const unknownPort = 'unknown';

const code = (max: number) => ({ kind: 'integer', min: 0, max }) as const;
const words = (max: number) => ({ kind: 'text', max }) as const;

/** SQL for a column of the port's device. */
const ofDevice = (column: string) => `(select d.${column} from network_device d where d.id = r.device_id)`;

/** The device is set by the service: ports are created and deleted with it. */
const deviceID: Field<number | null> = {
  ...reference('network-device', 'cascade', { doc: 'The device it belongs to.' }),
  access: 'computed',
};

/** An interface of a device, an SSID of an access point, or a VPN entry of a firewall. */
export const port = collection({
  name: 'port',
  title: 'Port',
  path: '/device/port',
  permission: 'devices',
  doc: 'Interfaces of devices, SSIDs and VPN entries, with the state reported by the device.',
  columns: [
    'dbid',
    'deviceName',
    'name',
    'label',
    'status',
    'connectionState',
    'currentVlan',
    'defaultVlan',
    'physAddr',
  ],
  patterns: ['list', 'fetch', 'count', 'countAll', 'monitor'],
  identity: 'dbid',
  events: { elementType: portElementType },
  scopedBy: { elementType: portElementType, seenWith: 'deviceID' },
  exactKey: ['deviceID', 'ifname'],
  deciding: { fields: ['defaultVlan'], rowsAreObserved: true },
  labelPrefix: 'deviceName',
  memberOf: ['PORT'],
  memberAs: { name: `${ofDevice('name')} || ' ' || r.name` },
  sections: {
    Port: ['name', 'label', 'displayName', 'deviceName', 'notes'],
    State: ['status', 'connectionState', 'ifadminStatus', 'ifoperStatus', 'ifspeed'],
    Access: ['defaultVlan', 'currentVlan', 'currentCli', 'uplinkDisabled'],
    Interface: ['ifname', 'ifindex', 'ifdescr', 'physAddr', 'ip'],
  },
  fields: {
    dbid: identity(),
    legacyDBID: computed<number>(code(integerMax), 'r.id', { doc: 'Same as the identity.' }),
    portType: observed<number>(shapes.code(['physical', 'SSID', 'VPN', 'link aggregate', 'virtual']), 0),
    name: {
      ...observed<string>(words(255), '', 'Name on the device (ifName), or name of the SSID or VPN entry.'),
      search: 'indexed',
      index: true,
    },
    portID: observed<string>(
      words(300),
      '',
      'ifIndex as text; `ssid:<name>` or `vpn:<name>` for an SSID or VPN entry.',
    ),
    displayName: computed<string>(words(255), `coalesce(nullif(r.label, ''), r.name)`, {
      doc: 'The label, or the name if there is no label.',
    }),
    deviceName: {
      ...computed<string>(words(128), ofDevice('name'), { doc: 'Name of the device.' }),
      via: 'deviceID.name',
    },
    deviceID,
    status: observed<number>(
      shapes.code(['unknown', 'up', 'down', 'administratively down', 'gone from the device']),
      0,
    ),
    domainID: {
      ...computed<number>(code(integerMax), ofDevice('container_id'), { doc: 'Container of the device.' }),
      via: 'deviceID.containerID',
    },
    ip: observed<string>(words(45), '', 'Address of the interface itself; empty: none.'),
    physAddr: { ...observed<string>({ kind: 'mac' }, '', 'MAC address of the interface itself.'), index: true },
    label: text({
      max: 255,
      default: '',
      search: 'indexed',
      doc: 'Name assigned by administrators; initially the ifAlias of the device.',
    }),
    connectionState: observed<number>(
      shapes.code([
        'nothing connected',
        'registered host',
        'rogue',
        'IP phone',
        'host registered as device',
        'several hosts',
        'rogue and phone',
        'registered host and phone',
        'learned uplink',
        'threshold uplink',
        'user-defined uplink',
        'WAP uplink',
        'disabled host',
        'host at risk',
      ]),
      0,
    ),
    defaultVlan: text({ max: 64, default: '', doc: 'VLAN it returns to when no host is connected.' }),
    currentVlan: observed<string>(words(64), '', 'VLAN at the last reading.'),
    currentCli: observed<string>(words(128), '', 'CLI configuration in force; empty: none.'),
    notes: text({ max: 2_000, default: '' }),
    lastModifiedBy: modified.lastModifiedBy,
    lastChangeSummary: observed<string>(words(500), '', 'Description of the last change of the port.'),
    lastModifiedDate: modified.lastModifiedDate,
    displayable: computed<boolean>({ kind: 'flag' }, `(r.port_type <> ${virtualPortType})`, {
      doc: 'False for virtual interfaces.',
    }),
    ifname: observed<string>(words(300), '', 'ifName, the stable key of the port; the portID of an SSID or VPN entry.'),
    ifindex: {
      ...observed<string>(words(10), '', 'ifIndex; the device may change it at a restart. Empty: none.'),
      // Numbers as text: 10 is sorted after 9, and ports without a number last.
      order: `coalesce(nullif(lpad(r.ifindex, 10, '0'), '0000000000'), ':')`,
    },
    ifspeed: observed<string>(words(20), '', 'Bits per second.'),
    ifdescr: observed<string>(words(255), '', 'ifDescr.'),
    ifadminStatus: observed<number>(
      shapes.code(['not reported', 'up', 'down', 'testing']),
      0,
      'Configured state (ifAdminStatus).',
    ),
    ifoperStatus: observed<number>(
      shapes.code(['not reported', 'up', 'down', 'testing', 'unknown', 'dormant', 'not present', 'lower layer down']),
      0,
      'Operational state (ifOperStatus).',
    ),
    yamsEventTag: observed<string>(words(80), '', 'Type of the newest event of this port; empty: none yet.'),
    auditObj,
    uplinkDisabled: flag({ default: false, doc: 'Never classify it as a learned or threshold uplink.' }),
  },
});

declare module '../../database.ts' {
  interface Database {
    port: RowOf<typeof port>;
  }
}
