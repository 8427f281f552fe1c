import type { Collection, Declaration } from '../../src/kernel/declare/declaration.ts';
import type { Field } from '../../src/kernel/declare/field.ts';
import type { Shape } from '../../src/kernel/declare/shape.ts';
import { fitting } from '../conformance/checks/values.ts';

/** How many values are tried for a field until one is accepted, at most. */
const valuesMax = 5;

/** Provides ids of records that a reference may name, and the value by which a reference names one of them. */
export interface Targets {
  ids(group: string, where?: Readonly<Record<string, string>>): Promise<number[]>;
  nameOf(group: string, id: number, key: string | undefined): Promise<string>;
}

/**
 * Returns values that differ from the current one and that the field may accept, those of references and examples
 * first.
 */
export async function valuesFor(
  declaration: Declaration,
  name: string,
  shape: Shape,
  current: unknown,
  targets: Targets,
): Promise<unknown[]> {
  const field: Field | undefined = declaration.fields[name];
  const example = (declaration as Collection).example?.[name];
  const values = [
    ...(field ? await references(field, targets) : []),
    ...(example === undefined ? [] : [example]),
    ...ofShape(shape),
    // For a secret, null means "no change".
    ...(shape.nullable && field?.access !== 'secret' ? [null] : []),
  ];
  const distinct = new Map(values.map((value) => [JSON.stringify(value), value]));
  return (
    [...distinct.values()]
      .filter((value) => value !== undefined && !isShown(value, current))
      // Rank 0 means the last position, so the stored rank differs.
      .filter((value) => name !== 'rank' || value !== 0)
      .slice(0, field && isServices(field) ? 1 : valuesMax)
  );
}

const isServices = ({ access }: Field): boolean => access === 'computed' || access === 'readOnly';

async function references({ reference, nestedReferences = [] }: Field, targets: Targets): Promise<unknown[]> {
  if (reference) {
    const ids = await targets.ids(reference.to, reference.where);
    return reference.by === 'id' ? ids : Promise.all(ids.map((id) => targets.nameOf(reference.to, id, reference.key)));
  }
  const direct = nestedReferences.find(({ path }) => path.length === 1);
  return direct ? (await targets.ids(direct.to, direct.where)).map((id) => [id]) : [];
}

function ofShape(shape: Shape): unknown[] {
  const tried = [0, 1, 2, 3].map((index) => fitting(shape, index));
  switch (shape.kind) {
    case 'choice':
      return [...shape.values];
    case 'integer':
    case 'decimal':
      return [...tried, shape.max, shape.min];
    case 'list':
      return [[fitting(shape.item, 1)], [fitting(shape.item, 2), fitting(shape.item, 3)], []];
    case 'map':
      return [{ [shape.keys?.[0] ?? 'key']: fitting(shape.value, 1) }, {}];
    default:
      return tried;
  }
}

/** True if a record shows the sent value. Of an object, only the sent properties are compared. */
export function isShown(sentValue: unknown, shown: unknown): boolean {
  if (Array.isArray(sentValue))
    return (
      Array.isArray(shown) && sentValue.length === shown.length && sentValue.every((item, n) => isShown(item, shown[n]))
    );
  if (sentValue !== null && typeof sentValue === 'object')
    return (
      shown !== null &&
      typeof shown === 'object' &&
      Object.entries(sentValue).every(([key, value]) => isShown(value, (shown as Record<string, unknown>)[key]))
    );
  return sentValue === shown;
}
