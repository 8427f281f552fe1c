import { readChanges } from '../../changes/change-file.ts';
import { type Break, breaksBetween } from './compare-api.ts';

/** Returns the breaking changes between two sets of texts that no file in the folder of changes states. */
export async function unstatedBreaks(
  before: readonly string[],
  after: readonly string[],
  folder: string,
): Promise<Break[]> {
  const stated = (await readChanges(folder)).flatMap(({ breaks }) => breaks);
  const isStated = (key: string): boolean =>
    stated.some((pattern) => (pattern.endsWith('*') ? key.startsWith(pattern.slice(0, -1)) : key === pattern));
  return breaksBetween(before, after).filter(({ key }) => !isStated(key));
}
