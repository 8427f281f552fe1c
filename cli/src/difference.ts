import { line, type Pen } from './output.ts';
import { isBookkeeping } from './schema.ts';
import { isObject } from './set.ts';
import { harmless, harmlessJson } from './text.ts';

interface Difference {
  path: string;
  before: unknown;
  after: unknown;
}

/** Every path at which two values differ; objects are compared field by field, lists as a whole. */
function differences(before: unknown, after: unknown, path = ''): Difference[] {
  if (isObject(before) && isObject(after)) {
    const names = new Set([...Object.keys(before), ...Object.keys(after)]);
    return [...names].flatMap((name) => differences(before[name], after[name], path === '' ? name : `${path}.${name}`));
  }
  return JSON.stringify(before) === JSON.stringify(after) ? [] : [{ path, before, after }];
}

/** `field: before → after`, a line each. */
export async function printDifferences(pen: Pen, before: unknown, after: unknown): Promise<void> {
  const all = differences(before, after);
  // Fields that every write changes (version, dates) would hide the interesting ones.
  const own = all.filter(({ path }) => !isBookkeeping(path.split('.')[0]!));
  const changed = own.length > 0 ? own : all;
  if (changed.length === 0) return line(pen, 'Nothing would change.');
  for (const { path, before: from, after: to } of changed)
    await line(
      pen,
      `${pen.style('bold', `${harmless(path)}:`)} ${pen.style('red', written(from))} → ${pen.style('green', written(to))}`,
    );
}

const written = (value: unknown): string => (value === undefined ? '(empty)' : harmlessJson(value));
