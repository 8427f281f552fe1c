import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const repository = fileURLToPath(new URL('../../..', import.meta.url));

/** A test that a page of the docs cites as `` `file.test.ts`: “title” ``. */
export interface CitedTest {
  path: string;
  name: string;
  isThere: boolean;
}

/** Returns the pages in a folder of the docs, as `tableRows` expects them. */
export const pagesIn = (folder: string): string[] =>
  readdirSync(join(repository, 'docs', folder))
    .sort()
    .map((name) => `${folder}/${name}`);

/** Returns the rows of a page's tables, without headers and separator lines. */
export function tableRows(page: string): string[] {
  const lines = readFileSync(join(repository, 'docs', page), 'utf8').split('\n');
  return lines.filter(
    (line, index) =>
      line.startsWith('| ') && !/^\|[-|: ]+\|$/.test(lines[index + 1] ?? '') && !/^\|[-|: ]+\|$/.test(line),
  );
}

/**
 * Returns the tests cited in a text, each with whether its file contains the title. Paths below `server/src/` are
 * relative to that folder, others to the root.
 */
export function citedTests(text: string): CitedTest[] {
  return [...text.matchAll(/`([\w./-]+\.ts)`: “([^”]+)”/g)].map(([, path, name]) => {
    const source = sourceOf(path!);
    const isThere = ["'", '`', '"'].some((mark) => source.includes(`${mark}${name}${mark}`));
    return { path: path!, name: name!, isThere };
  });
}

function sourceOf(path: string): string {
  for (const folder of ['server/src', '.']) {
    try {
      return readFileSync(join(repository, folder, path), 'utf8');
    } catch {
      // The file is not in this folder: try the next one.
    }
  }
  return '';
}
