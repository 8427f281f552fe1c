import type { Context, RecordValue } from '../../context.ts';
import { shapesOf } from '../../kernel/declare/declaration.ts';
import type { ObjectShape } from '../../kernel/declare/shape.ts';
import { Failure, invalid } from '../../kernel/failure.ts';
import { elementsOf } from './configured-elements.ts';
import { type EffectiveValue, effectiveValues } from './effective-values.ts';
import { type ConfiguredElementType, logicalNetworkConfiguration } from './logical-network-configuration.ts';

export const valuesMax = 200;

const { fields } = logicalNetworkConfiguration;

/** The value of a logical network, without the element it applies to. */
export const networkValueShape = {
  kind: 'object',
  name: 'NetworkValue',
  properties: shapesOf(fields, [
    'logicalNetworkID',
    'accessEnforcement',
    'accessType',
    'accessValue',
    'radiusAttrGroupID',
    'cliApply',
    'cliUndo',
    'firewallTagIDs',
    'note',
  ]),
  required: ['logicalNetworkID'],
} as const satisfies ObjectShape;

/** A value as a client sends it, with its element. */
export interface ValueInput {
  logicalNetworkID: number;
  elementType: ConfiguredElementType;
  elementID: number;
  [field: string]: unknown;
}

const keyOf = ({ logicalNetworkID, elementType, elementID }: ValueInput): string =>
  `${elementType} ${elementID} ${logicalNetworkID}`;

/** Creates or changes values by network and element, and returns the ids of their rows. Faults have the index of their value in the list. */
export async function upsertValues(
  { tx, query }: Context,
  values: readonly ValueInput[],
  list = '',
): Promise<number[]> {
  refuseRepeated(values, list);
  const rows = await query<ValueInput & { id: number }>(
    `select r.id, r.logical_network_id as "logicalNetworkID", r.element_type as "elementType", r.element_id as "elementID"
     from logical_network_configuration r
     join unnest($1::bigint[], $2::text[], $3::bigint[]) k(network, type, element)
       on r.logical_network_id = k.network and r.element_type = k.type and r.element_id = k.element`,
    [
      values.map((value) => value.logicalNetworkID),
      values.map((value) => value.elementType),
      values.map((value) => value.elementID),
    ],
  );
  const storedIDs = new Map(rows.map((row) => [keyOf(row), row.id]));
  const ids: number[] = [];
  for (const [index, value] of values.entries()) {
    const id = storedIDs.get(keyOf(value));
    const save = () =>
      id === undefined
        ? tx.records.create(logicalNetworkConfiguration, value)
        : tx.records.update(logicalNetworkConfiguration, id, value);
    ids.push((await withPointer(save, `${list}[${index}]`, `${list && `/${list}`}/${index}`)).id);
  }
  return ids;
}

/** Returns the values of logical networks on SSIDs, by the id of the SSID: its own, or those of its device and containers. */
export async function valuesOfSsids(
  context: Context,
  ids: readonly number[],
): Promise<ReadonlyMap<number, readonly unknown[]>> {
  const elements = await elementsOf(context, 'SSID', ids);
  const values = await effectiveValues(context, elements);
  return new Map(
    elements.map(({ elementID }, index) => [
      elementID,
      values[index]!.filter(({ id }) => id !== null).map(
        ({ id: _, logicalNetworkName: __, inheritedFrom: ___, ...value }) => value,
      ),
    ]),
  );
}

/** Returns the values of logical networks on a device; empty if the caller does not see it. */
export async function valuesOfDevice(context: Context, id: number): Promise<readonly EffectiveValue[]> {
  const [values] = await effectiveValues(context, await elementsOf(context, 'DEVICE', [id]));
  return values ?? [];
}

/** Replaces all values of an element by these. */
export async function replaceValues(
  context: Context,
  elementType: ConfiguredElementType,
  elementID: number,
  values: readonly RecordValue[],
  list: string,
): Promise<void> {
  const completeValues = values.map(
    (value) => ({ ...defaults, ...value, elementType, elementID }) as unknown as ValueInput,
  );
  const upsertedIDs = await upsertValues(context, completeValues, list);
  const remainingRows = await context.query<{ id: number }>(
    `select r.id from logical_network_configuration r
     where r.element_type = $1 and r.element_id = $2 and r.id <> all($3::bigint[]) order by r.id`,
    [elementType, elementID, upsertedIDs],
  );
  if (remainingRows.length > 0)
    await context.tx.records.remove(
      logicalNetworkConfiguration,
      remainingRows.map(({ id }) => id),
    );
}

/** Values of omitted fields: a replaced value gets the defaults. */
const defaults: RecordValue = Object.fromEntries(
  Object.keys(networkValueShape.properties)
    .filter((name) => name !== 'logicalNetworkID')
    .map((name) => [name, fields[name as keyof typeof fields].default]),
);

function refuseRepeated(values: readonly ValueInput[], list: string): void {
  const previousKeys = new Set<string>();
  for (const [index, value] of values.entries()) {
    const key = keyOf(value);
    if (previousKeys.has(key))
      throw invalid([
        {
          pointer: `${list && `/${list}`}/${index}`,
          message: `${list}[${index}]: repeats the network and element of an earlier value.`,
        },
      ]);
    previousKeys.add(key);
  }
}

/** Adds the index of the value to the faults of a rejected save. */
async function withPointer<T>(save: () => Promise<T>, place: string, pointer: string): Promise<T> {
  try {
    return await save();
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    const faults = error.faults.map((fault) => ({
      pointer: `${pointer}${fault.pointer}`,
      message: `${place}.${fault.message}`,
    }));
    throw new Failure(error.word, `${place}: ${error.message}`, { faults, cause: error });
  }
}
