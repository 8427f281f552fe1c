import type { Call, Operation } from '../declare/operation.ts';
import type { ObjectShape, Shape } from '../declare/shape.ts';
import { type Fault, invalid } from '../failure.ts';
import { shortened } from '../format/text.ts';
import { hintFor } from '../values/nearest.ts';

const fieldsMax = 100;

/**
 * Each selection has its own writers, which are compiled at its first use, so selections are cached for later requests.
 */
const selectionsMax = 500;
const selections = new Map<string, ObjectShape>();

/**
 * Returns the shape of the records with only the identity and the fields that the parameter `fields` names; undefined
 * without the parameter.
 */
export function selectedShape(
  operation: Pick<Operation, 'operationId' | 'identity' | 'result'>,
  { fields }: Call['query'],
): ObjectShape | undefined {
  if (operation.identity === undefined || typeof fields !== 'string') return undefined;
  const key = `${operation.operationId} ${fields}`;
  const cachedShape = selections.get(key);
  if (cachedShape) return cachedShape;
  const shape = selectionOf(recordShapeOf(operation), fields.split(','), operation.identity);
  if (selections.size >= selectionsMax) selections.delete(selections.keys().next().value!);
  selections.set(key, shape);
  return shape;
}

function recordShapeOf({ operationId, result }: Pick<Operation, 'operationId' | 'result'>): ObjectShape {
  const shape: Shape | undefined = result;
  if (shape?.kind !== 'object') throw new Error(`${operationId} takes fields but returns no records`);
  return shape;
}

function selectionOf(shape: ObjectShape, names: readonly string[], identity: string): ObjectShape {
  const fieldNames = Object.keys(shape.properties);
  const faults: Fault[] = names.flatMap((name, index) => {
    const fault =
      faultOf(name, fieldNames) ?? (names.indexOf(name) < index ? `${shortened(name)} is named twice.` : undefined);
    return fault === undefined ? [] : [{ pointer: '?fields', message: `fields: ${fault}` }];
  });
  if (names.length > fieldsMax)
    throw invalid([{ pointer: '?fields', message: `fields: at most ${fieldsMax} fields.` }]);
  if (faults.length > 0) throw invalid(faults);
  const selected = new Set([identity, ...names]);
  const properties = Object.entries(shape.properties).filter(([name]) => selected.has(name));
  return { ...shape, properties: Object.fromEntries(properties) };
}

/** Returns the fault of a name in `fields`. The shape of a record has no secrets, so they are reported as unknown. */
function faultOf(name: string, fieldNames: readonly string[]): string | undefined {
  if (fieldNames.includes(name)) return undefined;
  const top = name.split('.', 1)[0]!;
  if (fieldNames.includes(top)) return `${shortened(name)} is not a top-level field; use ${top}.`;
  return `there is no field ${shortened(name)}; ${hintFor(name, 'the fields', fieldNames)}`;
}
