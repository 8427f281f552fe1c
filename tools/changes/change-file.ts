import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** One change for users, in a file of its own, so that two changes never meet in one line of the changelog. */
export interface Change {
  file: string;
  category: Category;
  /** Sentences for users, in Markdown, as they will stand in the changelog. */
  text: string;
  /** Operations and fields of the API that the change breaks; a `*` at the end stands for any rest. */
  breaks: readonly string[];
}

/** The categories of Keep a Changelog, in the order in which a release lists them. */
export const categories = ['Added', 'Changed', 'Deprecated', 'Removed', 'Fixed', 'Security'] as const;
export type Category = (typeof categories)[number];

const textMax = 1_000;
const slugPattern = /^[a-z0-9]+(-[a-z0-9]+)*\.md$/;
const breakPattern = /^breaks: (\S(?:.*\S)?)$/;

/** Describes the folder; it is no change. */
const readme = 'README.md';

/** Returns the changes in a folder by their names. A fault in one of them is an error that names its file. */
export async function readChanges(folder: string): Promise<Change[]> {
  const names = await readdir(folder);
  return Promise.all(
    names
      .filter((name) => name !== readme)
      .sort()
      .map(async (name) => readChange(name, await readFile(join(folder, name), 'utf8'))),
  );
}

/** Reads one change: a line with its category, its text, and a line `breaks: KEY` for each break of the API. */
export function readChange(file: string, source: string): Change {
  const fault = (what: string): Error => new Error(`changes/${file}: ${what}`);
  if (!slugPattern.test(file)) throw fault('the name is not like retry-after-in-seconds.md');
  const [head = '', ...lines] = source.trimEnd().split('\n');
  const category = categories.find((name) => name === head);
  if (!category) throw fault(`the first line is none of ${categories.join(', ')}`);
  const breaks = lines.flatMap((line) => breakPattern.exec(line)?.[1] ?? []);
  const text = lines
    .filter((line) => !breakPattern.test(line))
    .join('\n')
    .trim();
  if (text === '') throw fault('it has no text');
  if (text.length > textMax) throw fault(`its text has more than ${textMax} characters`);
  if (!/[.:)`]$/.test(text)) throw fault('its text does not end with a period');
  if (/^[-*#]/m.test(text)) throw fault('its text is a list or has a heading: one file has one change, as sentences');
  return { file, category, text, breaks };
}
