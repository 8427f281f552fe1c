import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { fileContent } from '../../context.ts';
import type { FileContent } from '../../kernel/declare/operation.ts';
import { iconNames } from './icon-names.ts';

export interface LibraryIcon {
  name: string;
  imageFile: string;
  licence: string;
}

/** The icons of the service, by name. */
export const libraryIcons: ReadonlyMap<string, LibraryIcon> = new Map(
  Object.entries(iconNames)
    .flatMap(([licence, names]) => names.map((name) => ({ name, imageFile: `/icons/${name}.svg`, licence })))
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .map((icon) => [icon.name, icon]),
);

const libraryPaths: ReadonlySet<string> = new Set([...libraryIcons.values()].map(({ imageFile }) => imageFile));

export const isLibraryPath = (path: string): boolean => libraryPaths.has(path);

const dayInSeconds = 86_400;
const cachedIcons = new Map<string, FileContent>();

/** Returns the file of a library icon; undefined for other names, so that no path is built from a caller's text. */
export async function readLibraryIcon(name: string): Promise<FileContent | undefined> {
  if (!libraryIcons.has(name)) return undefined;
  const cachedIcon = cachedIcons.get(name);
  if (cachedIcon) return cachedIcon;
  const bytes = await readFile(fileURLToPath(import.meta.resolve(`lucide-static/icons/${name}.svg`)));
  const content = fileContent('image/svg+xml', bytes, dayInSeconds);
  cachedIcons.set(name, content);
  return content;
}
