import { type Context, everyRow } from '../../context.ts';
import { container } from '../../device/container/container.ts';
import type { AccessValue } from '../decide/decide.service.ts';
import type { ConfiguredElement } from './configured-elements.ts';
import type { accessEnforcements, ConfiguredElementType } from './logical-network-configuration.ts';

const everyContainer = everyRow(
  container,
  'a value applies in all containers below, for every caller; the name of the container is not shown',
);

/** The value of a logical network at an element, and its source. */
export interface EffectiveValue {
  /** The configuration that applies; null: the default of the network, or no value. */
  id: number | null;
  logicalNetworkID: number;
  logicalNetworkName: string;
  accessEnforcement: (typeof accessEnforcements)[number] | null;
  accessType: AccessValue['accessType'] | null;
  accessValue: string | null;
  cliApply: readonly string[];
  cliUndo: readonly string[];
  radiusAttrGroupID: number | null;
  firewallTagIDs: readonly number[];
  note: string;
  /** Null: the value is configured on the element itself. */
  inheritedFrom: { elementType: ConfiguredElementType; elementID: number; name: string } | null;
}

interface Row extends Omit<EffectiveValue, 'logicalNetworkName' | 'inheritedFrom'> {
  elementType: ConfiguredElementType;
  elementID: number;
  elementName: string;
}

const containersSql = `with recursive up (start, id, parent_id, depth) as (
  select c.id, c.id, c.parent_id, 0 from ${everyContainer} c where c.id = any($1::bigint[])
  union all
  select up.start, c.id, c.parent_id, up.depth + 1 from ${everyContainer} c join up on c.id = up.parent_id where up.depth < 20
) select up.start, array_agg(up.id order by up.depth) as ids from up group by up.start`;

/** An element whose values apply, in the order of lookup from the nearest outwards. */
type Place = readonly [type: ConfiguredElementType, id: number];

function lookup({ elementType, elementID, deviceID }: ConfiguredElement, containers: readonly number[]): Place[] {
  const ownPlaces: Place[] =
    elementType === 'PORT'
      ? [
          ['PORT', elementID],
          ['SSID', elementID],
        ]
      : elementType === 'CONTAINER'
        ? []
        : [[elementType, elementID]];
  const device: Place[] = deviceID !== null && elementType !== 'DEVICE' ? [['DEVICE', deviceID]] : [];
  return [...ownPlaces, ...device, ...containers.map((id): Place => ['CONTAINER', id])];
}

const keyOf = (type: string, id: number, network: number): string => `${type} ${id} ${network}`;

/** Returns, for each element, every logical network with its value there. */
export async function effectiveValues(
  context: Context,
  elements: readonly ConfiguredElement[],
): Promise<EffectiveValue[][]> {
  const containerRows = await context.query<{ start: number; ids: number[] }>(containersSql, [
    [...new Set(elements.map(({ containerID }) => containerID))],
  ]);
  const chains = new Map(containerRows.map(({ start, ids }) => [start, ids]));
  const places = elements.map((element) => lookup(element, chains.get(element.containerID) ?? []));
  const rows = await rowsAt(context, places.flat());
  const byKey = new Map(rows.map((row) => [keyOf(row.elementType, row.elementID, row.logicalNetworkID), row]));
  const networks = await context.db
    .selectFrom('logical_network')
    .select(['id', 'name', 'defaultValue'])
    .orderBy('name')
    .limit(5_000)
    .execute();
  return elements.map((element, index) =>
    networks.map(({ id, name, defaultValue }) => {
      const [type, elementID] =
        places[index]!.find(([placeType, placeID]) => byKey.has(keyOf(placeType, placeID, id))) ?? [];
      const row = type === undefined ? undefined : byKey.get(keyOf(type, elementID!, id))!;
      return row ? valueOfRow(row, name, element) : valueOfDefault(id, name, defaultValue);
    }),
  );
}

const rowsAt = ({ query, visible }: Context, places: readonly Place[]): Promise<Row[]> =>
  query<Row>(
    `select r.id, r.logical_network_id as "logicalNetworkID", r.element_type as "elementType", r.element_id as "elementID",
       coalesce(c.name, '') as "elementName", r.access_enforcement as "accessEnforcement", r.access_type as "accessType",
       r.access_value as "accessValue", r.cli_apply as "cliApply", r.cli_undo as "cliUndo",
       r.radius_attr_group_id as "radiusAttrGroupID", r.firewall_tag_ids as "firewallTagIDs", r.note
     from (select distinct p.type, p.id from unnest($1::text[], $2::bigint[]) p(type, id)) p
     join logical_network_configuration r on r.element_type = p.type and r.element_id = p.id
     left join ${visible(container)} c on c.id = r.container_id`,
    [places.map(([type]) => type), places.map(([, id]) => id)],
  );

function valueOfRow(row: Row, logicalNetworkName: string, element: ConfiguredElement): EffectiveValue {
  const { elementType, elementID, elementName, ...value } = row;
  const isOwn = elementType === element.elementType && elementID === element.elementID;
  const name = elementType === 'CONTAINER' ? elementName : element.deviceName;
  return {
    ...value,
    logicalNetworkName,
    inheritedFrom: isOwn ? null : { elementType, elementID, name },
  };
}

const valueOfDefault = (
  logicalNetworkID: number,
  logicalNetworkName: string,
  value: AccessValue | null,
): EffectiveValue => ({
  id: null,
  logicalNetworkID,
  logicalNetworkName,
  accessEnforcement: value && 'ENFORCE',
  accessType: value?.accessType ?? null,
  accessValue: value?.accessValue ?? null,
  cliApply: value?.cliApply ?? [],
  cliUndo: value?.cliUndo ?? [],
  radiusAttrGroupID: value?.radiusAttrGroupID ?? null,
  firewallTagIDs: [],
  note: '',
  inheritedFrom: null,
});
