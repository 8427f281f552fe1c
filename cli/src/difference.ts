import { line, type Pen } from './output.ts';
import { isBookkeeping } from './schema.ts';
import { isObject } from './set.ts';
import { harmless, harmlessJson } from './text.ts';

interface Difference {
  path: string;
  before: unknown;
  after: unknown;
}

/** Every place where two values differ; objects are gone into, lists are compared whole. */
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
  // What follows from every write would hide what somebody wants to see.
  const own = all.filter(({ path }) => !isBookkeeping(path.split('.')[0]!));
  const changed = own.length > 0 ? own : all;
  if (changed.length === 0) return line(pen, 'Nothing would change.');
  for (const { path, before: from, after: to } of changed)
    await line(
      pen,
      `${pen.style('bold', `${harmless(path)}:`)} ${pen.style('red', written(from))} → ${pen.style('green', written(to))}`,
    );
}

const written = (value: unknown): string => (value === undefined ? 'nothing' : harmlessJson(value));
