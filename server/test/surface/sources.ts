import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../src', import.meta.url));
const tests = fileURLToPath(new URL('..', import.meta.url));

/** Folders of the sources that hold no groups. */
const others = ['auth', 'console', 'drivers', 'kernel', 'node', 'protocols', 'search'];
const domains = readdirSync(root, { withFileTypes: true })
  .filter((entry) => entry.isDirectory() && !others.includes(entry.name))
  .map(({ name }) => name);

/** Files at the root and in `node/` put a node together, so they may import everything. */
export const folders = {
  kernel: /^kernel\//,
  protocols: /^(protocols|drivers)\//,
  testing: /^\.\.\/test\//,
  /** What is served in addition to the catalogue. */
  extra: /^(auth|console|search)\//,
  groups: new RegExp(`^(${domains.join('|')})/`),
};

export interface Source {
  path: string;
  text: string;
  /** What it imports, from the folder of the sources, or the package's name. */
  imports: string[];
}

/** Every TypeScript file of the server and its tests. */
export const sources: Source[] = [root, tests]
  .flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((path) => relative(root, join(folder, path))),
  )
  .filter((path) => path.endsWith('.ts'))
  .map((path) => {
    const text = readFileSync(join(root, path), 'utf8');
    const specifiers = [...text.matchAll(/(?:^|[\s;(])(?:from|import)\s*\(?\s*'([^']+)'/g)].map((match) => match[1]!);
    const imports = specifiers.map((name) =>
      name.startsWith('.') ? relative(root, join(root, dirname(path), name)) : name,
    );
    return { path, text, imports };
  });

/** Tests may import everything. */
export const isTest = ({ path }: Source): boolean => /\.(test|fixture)\.ts$/.test(path) || folders.testing.test(path);

/** Imports of these sources that nothing here allows, as `file → import`. */
export const strays = (
  of: (source: Source) => boolean,
  isAllowed: (imported: string, source: Source) => boolean,
): string[] =>
  sources
    .filter((source) => of(source) && !isTest(source))
    .flatMap((source) =>
      source.imports
        .filter((imported) => !isAllowed(imported, source))
        .map((imported) => `${source.path} → ${imported}`),
    );

export const isPackage = (imported: string): boolean => !imported.endsWith('.ts') && !imported.endsWith('.json');
