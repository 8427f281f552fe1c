import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const repository = fileURLToPath(new URL('../../..', import.meta.url));

/** A test that a page of the docs cites as `` `file.test.ts`: “what is true” ``. */
export interface CitedTest {
  path: string;
  name: string;
  isThere: boolean;
}

/** The pages in a folder of the docs, as `tableRows` takes them. */
export const pagesIn = (folder: string): string[] =>
  readdirSync(join(repository, 'docs', folder))
    .sort()
    .map((name) => `${folder}/${name}`);

/** The rows of a page's tables, without heads and rules. */
export function tableRows(page: string): string[] {
  const lines = readFileSync(join(repository, 'docs', page), 'utf8').split('\n');
  return lines.filter(
    (line, index) =>
      line.startsWith('| ') && !/^\|[-|: ]+\|$/.test(lines[index + 1] ?? '') && !/^\|[-|: ]+\|$/.test(line),
  );
}

/** The tests cited in a text, each with whether a file really has it. Files below `server/src/` are named from there, others from the root. */
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
      // Not there: the next folder, or nowhere.
    }
  }
  return '';
}
