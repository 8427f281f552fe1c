import type { Context } from '../../context.ts';
import { container } from '../../device/container/container.ts';
import { networkDevice } from '../../device/network-device/network-device.ts';
import { port } from '../../device/port/port.ts';
import { ssid } from '../../device/ssid/ssid.ts';
import { type AccessType, accessTypes } from '../decide/decide.service.ts';
import type { ConfiguredElementType } from './logical-network-configuration.ts';

/** An element on which values can be configured, if the caller sees it. */
export interface ConfiguredElement {
  elementType: ConfiguredElementType;
  elementID: number;
  elementName: string;
  /** The device itself, or the device of the port or SSID; null for a container. */
  deviceID: number | null;
  /** Name of that device; empty for a container. */
  deviceName: string;
  /** The container itself, or the container of the device. */
  containerID: number;
  vlans: { id: number; name: string }[];
  /** RADIUS attribute group of that device. */
  radiusAttrGroupID: number | null;
  supportedAccessTypes: AccessType[];
}

interface Row extends Omit<ConfiguredElement, 'elementType' | 'supportedAccessTypes'> {
  byRadius: boolean;
  bySnmp: boolean;
  byCli: boolean;
}

const ofDevice = `d.vlans, d.radius_attr_group_id as "radiusAttrGroupID", d.radius_enabled or d.protocol = 'RADIUS' as "byRadius",
  d.protocol in ('SNMP_V1', 'SNMP_V2C', 'SNMP_V3') as "bySnmp", d.cli_credentials is not null as "byCli"`;

const onPort = (table: string, { visible }: Context): string =>
  `select e.id as "elementID", d.name || ' ' || e.name as "elementName", d.id as "deviceID", d.name as "deviceName", d.container_id as "containerID", ${ofDevice}
   from ${table} e join ${visible(networkDevice)} d on d.id = e.device_id`;

const selects: Readonly<Record<ConfiguredElementType, (context: Context) => string>> = {
  CONTAINER: ({ visible }) =>
    `select e.id as "elementID", e.name as "elementName", null::bigint as "deviceID", '' as "deviceName", e.id as "containerID",
       '[]'::jsonb as vlans, null::bigint as "radiusAttrGroupID", true as "byRadius", true as "bySnmp", true as "byCli" from ${visible(container)} e`,
  DEVICE: ({ visible }) =>
    `select d.id as "elementID", d.name as "elementName", d.id as "deviceID", d.name as "deviceName", d.container_id as "containerID", ${ofDevice}
     from ${visible(networkDevice)} d`,
  SSID: (context) => onPort(context.visible(ssid), context),
  PORT: (context) => onPort(context.visible(port), context),
};

/** Returns the elements that the caller sees, in the order of their ids. */
export async function elementsOf(
  context: Context,
  elementType: ConfiguredElementType,
  ids: readonly number[],
): Promise<ConfiguredElement[]> {
  const rows = await context.query<Row>(
    `select * from (${selects[elementType](context)}) e where e."elementID" = any($1::bigint[]) order by e."elementID"`,
    [ids],
  );
  return rows.map(({ byRadius, bySnmp, byCli, ...element }) => ({
    elementType,
    ...element,
    supportedAccessTypes: accessTypes.filter((type) => isSupported(type, { byRadius, bySnmp, byCli })),
  }));
}

/** True if a value of the type can be applied to a device by the protocols that it is managed by. */
function isSupported(type: AccessType, { byRadius, bySnmp, byCli }: Pick<Row, 'byRadius' | 'bySnmp' | 'byCli'>) {
  switch (type) {
    case 'VLAN_ID':
    case 'VLAN_NAME':
      return byRadius || bySnmp || byCli;
    case 'FILTER_ID':
    case 'ROLE':
    case 'VPN_GROUP':
    case 'RADIUS_GROUP':
      return byRadius;
    case 'CLI':
      return byCli;
    case 'DENY':
    case 'NONE':
      return true;
  }
}
