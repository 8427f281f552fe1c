import { type Context, everyRow } from '../../context.ts';
import { networkDevice } from '../../device/network-device/network-device.ts';
import { notFound } from '../../kernel/failure.ts';
import type { AccessType, AccessValue } from '../../policy/decide/decide.service.ts';
import { type AttributeGroup, type ReplyAttribute, type ReplyGroup, replyAttributes } from './reply-attributes.ts';
import { type TemplateValues, vlanValues } from './templates.ts';

export { type ReplyAttribute, type ReplyGroup, type ReplyOrigin, replyOrigins } from './reply-attributes.ts';

/** The properties of a device that determine its replies. */
export interface ReplyDevice {
  id: number;
  driver: string;
  radiusAttrGroupID: number | null;
  vlans: readonly { id: number; name: string }[];
}

/** The properties of the session that a reply can contain. */
export interface ReplySession {
  mac?: string | undefined;
  userName?: string | undefined;
  role?: string | undefined;
  /** Number of the port in the request. */
  nasPort?: string | undefined;
  decisionID?: string | undefined;
  sessionTimeoutSeconds: number | null;
}

export type ReplyValue = Pick<AccessValue, 'accessType' | 'accessValue' | 'radiusAttrGroupID'>;

/** An attribute group of a reply, by its id or, if it is built in, by its name. */
export type RequestedGroup = Pick<ReplyGroup, 'from'> & ({ id: number } | { name: string });

/** Built-in groups for drivers whose devices need other attributes for a VLAN. */
const presetOfDriver: Readonly<Record<string, string>> = { 'cisco-ios': 'Cisco_Vlan' };

const withoutValue: ReadonlySet<AccessType> = new Set(['CLI', 'DENY', 'NONE']);
export const isVlan = (type: AccessType): boolean => type === 'VLAN_ID' || type === 'VLAN_NAME';

/** True if the group of the device is used. A filter is sent as Filter-Id (RFC 2865) to every device, unless the value has its own group. */
const usesDeviceGroup = (type: AccessType): boolean => type !== 'FILTER_ID';

/** Returns the groups that carry a value to a device: those of the device and the value, otherwise that of its driver or the default. */
export function requestedGroups(
  { accessType, radiusAttrGroupID }: Omit<ReplyValue, 'accessValue'>,
  { driver, radiusAttrGroupID: deviceGroupID }: Omit<ReplyDevice, 'id' | 'vlans'>,
): RequestedGroup[] {
  if (withoutValue.has(accessType)) return [];
  const assignedGroups: RequestedGroup[] = [
    ...(deviceGroupID !== null && usesDeviceGroup(accessType) ? [{ from: 'DEVICE' as const, id: deviceGroupID }] : []),
    ...(radiusAttrGroupID !== null ? [{ from: 'LOGICAL_NETWORK' as const, id: radiusAttrGroupID }] : []),
  ];
  if (assignedGroups.length > 0) return assignedGroups;
  if (!isVlan(accessType)) return [{ from: 'DEFAULT', name: 'RFC_Filter' }];
  const preset = presetOfDriver[driver];
  return [preset ? { from: 'DRIVER', name: preset } : { from: 'DEFAULT', name: 'RFC_Vlan' }];
}

const groupsSql = `select g.id, g.name, (select jsonb_agg(jsonb_build_object('attribute', e.attribute,
    'tag', i.item -> 'tag', 'responseValues', i.item -> 'responseValues') order by i.place)
  from jsonb_array_elements(g.attributes) with ordinality i(item, place)
  join radius_dictionary_entry e on e.id = (i.item ->> 'dbid')::bigint) as attributes
from radius_attribute_group g`;
const someGroupsSql = `${groupsSql} where g.id = any($1::bigint[]) or g.name = any($2::text[])`;

export interface StoredGroup extends AttributeGroup {
  id: number;
}

/** Reads the requested groups with their attributes. */
export async function readGroups(
  { query }: Context,
  requested: readonly RequestedGroup[],
): Promise<(ReplyGroup & { id: number })[]> {
  if (requested.length === 0) return [];
  const rows = await query<StoredGroup>(someGroupsSql, [
    requested.flatMap((request) => ('id' in request ? [request.id] : [])),
    requested.flatMap((request) => ('name' in request ? [request.name] : [])),
  ]);
  return pickGroups(requested, rows);
}

/** Returns the requested groups from groups that were already read. */
export const pickGroups = (
  requested: readonly RequestedGroup[],
  groups: readonly StoredGroup[],
): (ReplyGroup & { id: number })[] =>
  requested.flatMap((request) => {
    const group = groups.find(({ id, name }) => ('id' in request ? request.id === id : request.name === name));
    return group ? [{ id: group.id, from: request.from, group }] : [];
  });

/** Reads every group, for callers that make thousands of replies per second. */
export const readAllGroups = ({ query }: Pick<Context, 'query'>): Promise<StoredGroup[]> =>
  query<StoredGroup>(groupsSql, []);

/** The attributes that make the device authenticate the host again after a time. */
const timeout: ReplyGroup = {
  from: 'SESSION',
  group: {
    name: 'session',
    attributes: [
      { attribute: 'Session-Timeout', tag: 0, responseValues: ['%SESSION_TIMEOUT%'] },
      { attribute: 'Termination-Action', tag: 0, responseValues: ['RADIUS-Request'] },
    ],
  },
};

/** Returns requested groups, from the database or a cache. */
export type GroupReader = (requested: readonly RequestedGroup[]) => Promise<readonly ReplyGroup[]>;

/** Returns the attributes of an Access-Accept: those of a value (null: none), and the session timeout. */
export async function replyTo(
  readReplyGroups: GroupReader,
  device: ReplyDevice,
  value: ReplyValue | null,
  session: ReplySession,
): Promise<ReplyAttribute[]> {
  const groups = value ? await readReplyGroups(requestedGroups(value, device)) : [];
  const isBounded = session.sessionTimeoutSeconds !== null;
  return replyAttributes([...groups, ...(isBounded ? [timeout] : [])], variablesOf(device, value, session));
}

function variablesOf(device: ReplyDevice, value: ReplyValue | null, session: ReplySession): TemplateValues {
  const { mac, userName, role, nasPort, decisionID, sessionTimeoutSeconds } = session;
  return {
    ...(value && { ACCESS_VALUE: value.accessValue, ...vlanOf(device, value) }),
    ...(mac !== undefined && { MAC: mac }),
    ...(userName !== undefined && { USERNAME: userName }),
    ...(role !== undefined && { ROLE: role }),
    ...(nasPort !== undefined && { NAS_PORT: nasPort }),
    ...(decisionID !== undefined && { DECISION_ID: decisionID }),
    ...(sessionTimeoutSeconds !== null && { SESSION_TIMEOUT: String(sessionTimeoutSeconds) }),
  };
}

/** Returns the VLAN variables: number and name, of which the device's list of VLANs adds the missing one. */
function vlanOf({ vlans }: ReplyDevice, { accessType, accessValue }: ReplyValue): TemplateValues {
  if (!isVlan(accessType)) return {};
  const deviceVlan = vlans.find(({ id, name }) => (accessType === 'VLAN_ID' ? String(id) : name) === accessValue);
  const id = accessType === 'VLAN_ID' ? Number(accessValue) : deviceVlan?.id;
  const name = accessType === 'VLAN_NAME' ? accessValue : deviceVlan?.name;
  return { ...(id !== undefined && vlanValues(id)), ...(name && { VLAN_NAME: name }) };
}

const devicesSql = (table: string): string =>
  `select d.id, d.driver, d.radius_attr_group_id as "radiusAttrGroupID", d.vlans from ${table} d where d.id = any($1::bigint[])`;

const everyDeviceSql = devicesSql(
  everyRow(networkDevice, 'a reply has the attributes of its device, independently of who views the reply'),
);

/** Reads the properties of devices that determine their replies, by id. */
export async function replyDevices(
  { query }: Pick<Context, 'query'>,
  ids: readonly number[],
): Promise<ReadonlyMap<number, ReplyDevice>> {
  const rows = await query<ReplyDevice>(everyDeviceSql, [ids]);
  return new Map(rows.map((row) => [row.id, row]));
}

/** Reads one of these devices. Throws 404 if the caller does not see it. */
export async function visibleReplyDevice({ query, visible }: Context, id: number): Promise<ReplyDevice> {
  const [device] = await query<ReplyDevice>(devicesSql(visible(networkDevice)), [[id]]);
  if (!device) throw notFound(networkDevice.title, id);
  return device;
}
