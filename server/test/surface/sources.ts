import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../src', import.meta.url));
const tests = fileURLToPath(new URL('..', import.meta.url));

/** Folders of the sources that contain no resources. */
const otherFolders = ['auth', 'console', 'drivers', 'kernel', 'node', 'protocols', 'search'];
const domains = readdirSync(root, { withFileTypes: true })
  .filter((entry) => entry.isDirectory() && !otherFolders.includes(entry.name))
  .map(({ name }) => name);

/** Patterns of folders. Files at the root and in `node/` assemble a node, so they may import everything. */
export const folders = {
  kernel: /^kernel\//,
  protocols: /^(protocols|drivers)\//,
  testing: /^\.\.\/test\//,
  /** Resources that are served in addition to the catalogue. */
  extra: /^(auth|console|search)\//,
  groups: new RegExp(`^(${domains.join('|')})/`),
};

export interface Source {
  path: string;
  text: string;
  /** Imported files, relative to the folder of the sources, or names of packages. */
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

/** True for tests and fixtures, which may import everything. */
export const isTest = ({ path }: Source): boolean => /\.(test|fixture)\.ts$/.test(path) || folders.testing.test(path);

/** Returns the imports of the selected sources that are not allowed, as `file → import`. */
export const strays = (
  isSelected: (source: Source) => boolean,
  isAllowed: (imported: string, source: Source) => boolean,
): string[] =>
  sources
    .filter((source) => isSelected(source) && !isTest(source))
    .flatMap((source) =>
      source.imports
        .filter((imported) => !isAllowed(imported, source))
        .map((imported) => `${source.path} → ${imported}`),
    );

export const isPackage = (imported: string): boolean => !imported.endsWith('.ts') && !imported.endsWith('.json');
