import { line, type Pen } from './output.ts';
import { isBookkeeping } from './schema.ts';
import { isObject } from './set.ts';
import { escapedJson, escapeUnsafe } from './text.ts';

interface Difference {
  path: string;
  before: unknown;
  after: unknown;
}

/** Returns every path at which two values differ. Objects are compared by field, lists as one value. */
function differences(before: unknown, after: unknown, path = ''): Difference[] {
  if (isObject(before) && isObject(after)) {
    const names = new Set([...Object.keys(before), ...Object.keys(after)]);
    return [...names].flatMap((name) => differences(before[name], after[name], path === '' ? name : `${path}.${name}`));
  }
  return JSON.stringify(before) === JSON.stringify(after) ? [] : [{ path, before, after }];
}

/** Returns the differences without fields that every write changes, such as version and dates. */
export const ownDifferences = (before: unknown, after: unknown): Difference[] =>
  differences(before, after).filter(({ path }) => !isBookkeeping(path.split('.')[0]!));

/** Prints the changes of a dry run, one `field: before → after` per line. */
export async function printDifferences(pen: Pen, before: unknown, after: unknown): Promise<void> {
  const contentDifferences = ownDifferences(before, after);
  const changed = contentDifferences.length > 0 ? contentDifferences : differences(before, after);
  if (changed.length === 0) return line(pen, 'Nothing would change.');
  for (const difference of changed) await line(pen, differenceText(pen, difference));
}

export const differenceText = (pen: Pen, { path, before, after }: Difference): string =>
  `${pen.style('bold', `${escapeUnsafe(path)}:`)} ${pen.style('red', valueText(before))} → ${pen.style('green', valueText(after))}`;

const valueText = (value: unknown): string => (value === undefined ? '(empty)' : escapedJson(value));
