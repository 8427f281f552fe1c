import { readdir } from 'node:fs/promises';
import contract from '../../catalogue.json' with { type: 'json' };
import type { Context, NodeDependencies } from './context.ts';
import { isSingle } from './kernel/declare/declaration.ts';
import type { Resource } from './kernel/operations/resource.ts';

type Group = Resource<Context, NodeDependencies>;

/**
 * Every group, in the order of the contract's catalogue; those without a path are not served yet.
 * A group is listed by its folder: `<domain>/<name>/<name>.module.ts` exports it. Two groups that are made at the same time
 * therefore change no line in common.
 */
export const catalogue: readonly Group[] = await readCatalogue();

async function readCatalogue(): Promise<readonly Group[]> {
  const groups: Group[] = [];
  // One after the other, because modules that import each other must be evaluated in the same order in every process.
  for (const file of await moduleFiles()) groups.push(...(await groupsIn(file)));
  const places = placesInContract();
  return groups
    .map((group) => ({ group, place: placeOf(group, places) }))
    .sort((a, b) => comparePlaces(a.place, b.place) || (nameOf(a.group) < nameOf(b.group) ? -1 : 1))
    .map(({ group }) => group);
}

function comparePlaces(a: readonly number[], b: readonly number[]): number {
  const different = a.findIndex((part, index) => part !== b[index]);
  return different < 0 ? 0 : a[different]! - b[different]!;
}

/** Modules lie two folders deep; nothing else is looked at, because every start of a process pays for it. */
async function moduleFiles(): Promise<string[]> {
  const sources = new URL('./', import.meta.url);
  const folders = async (path: string): Promise<string[]> =>
    (await readdir(new URL(path, sources), { withFileTypes: true }))
      .filter((entry) => entry.isDirectory())
      .map(({ name }) => `${path}${name}/`);
  const domains = (await folders('./')).filter((path) => path !== './kernel/');
  const groups = (await Promise.all(domains.map(folders))).flat();
  const files = await Promise.all(
    groups.map(async (path) => (await readdir(new URL(path, sources))).map((name) => `${path}${name}`)),
  );
  return files
    .flat()
    .filter((path) => path.endsWith('.module.ts'))
    .sort();
}

async function groupsIn(path: string): Promise<Group[]> {
  const exported = Object.values(
    (await import(new URL(path, import.meta.url).href)) as Readonly<Record<string, unknown>>,
  );
  if (exported.length === 0 || !exported.every(isGroup))
    throw new Error(`server/src/${path.slice(2)} must export nothing but groups, and at least one`);
  return exported;
}

/** A group is what `resource` returns. */
function isGroup(value: unknown): value is Group {
  return typeof value === 'object' && value !== null && 'group' in value && 'declaration' in value;
}

function nameOf({ declaration }: Group): string {
  return declaration.name;
}

/** Returns the place of the first operation of each title, and of each path and the paths below it. */
function placesInContract(): ReadonlyMap<string, number> {
  const places = new Map<string, number>();
  for (const [index, { group, path }] of contract.entries())
    for (const key of [group, ...parentsOf(path)]) if (!places.has(key)) places.set(key, index);
  return places;
}

/** Returns a path and the paths above it. A group may have no operation at its own path. */
function parentsOf(path: string): string[] {
  const steps = path.split('/');
  return steps.slice(1).map((_, index) => steps.slice(0, index + 2).join('/'));
}

/** Groups of one title follow each other: collections before settings, then in the order of their paths. Those that the contract does not list are last. */
function placeOf({ group, declaration }: Group, places: ReadonlyMap<string, number>): readonly number[] {
  const last = Number.MAX_SAFE_INTEGER;
  const path = declaration.path === undefined ? undefined : places.get(declaration.path);
  return [places.get(group) ?? last, isSingle(declaration) ? 1 : 0, path ?? last];
}
