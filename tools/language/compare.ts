import type { FileCount, Place } from './places.ts';
import { goals, type Kind, kinds } from './wording.ts';

/** A place that is right as it is, and the reason. `text` is the whole name, or a part of the comment, title or text. */
export interface Allowed {
  kind: Kind;
  /** A file, or a folder that ends with `/`. */
  path: string;
  text: string;
  reason: string;
}

/** Places that a folder may still have, by kind. They only shrink, and the file goes when none is left. */
export type Ceilings = Readonly<Record<string, Readonly<Partial<Record<Kind, number>>>>>;

export interface FolderCount {
  all: Record<Kind, number>;
  places: Place[];
}

/** The folder that a file is counted in: two levels of `server/src` and `server/test`, one of all else. */
export function folderOf(file: string): string {
  const parts = file.split('/').slice(0, -1);
  return parts.slice(0, parts[0] === 'server' ? 3 : 2).join('/') || '.';
}

const isAllowed = ({ kind, path, text }: Allowed, place: Place): boolean =>
  kind === place.kind &&
  (path.endsWith('/') ? place.file.startsWith(path) : place.file === path) &&
  (kind === 'names' ? place.text === text : place.text.includes(text));

/** The counts of each folder, and the entries of the list that allow nothing any more. */
export function countFolders(
  counts: ReadonlyMap<string, FileCount>,
  list: readonly Allowed[],
): { folders: Map<string, FolderCount>; unused: Allowed[] } {
  const used = new Set<Allowed>();
  const folders = new Map<string, FolderCount>();
  for (const [file, { all, places }] of counts) {
    const name = folderOf(file);
    const folder = folders.get(name) ?? { all: { comments: 0, names: 0, tests: 0, texts: 0 }, places: [] };
    folders.set(name, folder);
    for (const kind of kinds) folder.all[kind] += all[kind];
    for (const place of places) {
      const matches = list.filter((entry) => isAllowed(entry, place));
      for (const entry of matches) used.add(entry);
      if (matches.length === 0) folder.places.push(place);
    }
  }
  return { folders, unused: list.filter((entry) => !used.has(entry)) };
}

export const placesOfKind = ({ places }: FolderCount, kind: Kind): Place[] =>
  places.filter((place) => place.kind === kind);

/** What the goal leaves a folder of this size. */
const shareOf = ({ all }: FolderCount, kind: Kind): number => Math.floor(goals[kind] * all[kind]);

/** Sentences about folders that have more places than their ceiling, or than the goal where there is none. */
export function tooMany(folders: ReadonlyMap<string, FolderCount>, ceilings: Ceilings): string[] {
  return [...folders].flatMap(([name, folder]) =>
    kinds.flatMap((kind) => {
      const count = placesOfKind(folder, kind).length;
      const limit = Math.max(ceilings[name]?.[kind] ?? 0, shareOf(folder, kind));
      return count > limit ? [`${name}: ${count} ${kind} with unusual wording, at most ${limit} are allowed`] : [];
    }),
  );
}

/** Ceilings at today's counts. Existing ones are lowered and never raised; `undefined` starts the file. */
export function loweredCeilings(folders: ReadonlyMap<string, FolderCount>, ceilings: Ceilings | undefined): Ceilings {
  const lowered: Record<string, Partial<Record<Kind, number>>> = {};
  for (const [name, folder] of [...folders].sort(([a], [b]) => (a < b ? -1 : 1))) {
    for (const kind of kinds) {
      const count = placesOfKind(folder, kind).length;
      const limit = ceilings === undefined ? count : Math.min(count, ceilings[name]?.[kind] ?? 0);
      if (limit > shareOf(folder, kind)) lowered[name] = { ...lowered[name], [kind]: limit };
    }
  }
  return lowered;
}

/** Sentences about ceilings that are higher than in an earlier version of the file. */
export function raisedCeilings(earlier: Ceilings, ceilings: Ceilings): string[] {
  return Object.entries(ceilings).flatMap(([name, limits]) =>
    kinds.flatMap((kind) => {
      const [before, now] = [earlier[name]?.[kind] ?? 0, limits[kind] ?? 0];
      return now > before ? [`${name}: the ceiling of ${kind} was raised from ${before} to ${now}`] : [];
    }),
  );
}
