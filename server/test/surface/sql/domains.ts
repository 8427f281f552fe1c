import { readdirSync } from 'node:fs';
import { catalogue } from '../../../src/catalogue.ts';
import type { Declaration } from '../../../src/kernel/declare/declaration.ts';

/** The domain of operations without a resource folder: sign-in, tokens, health. */
export const nodeDomain = 'node';

const sources = new URL('../../../src/', import.meta.url);

/** Returns the domain of each declaration by its name: the folder that contains the resource. */
export async function domainsOfDeclarations(): Promise<ReadonlyMap<string, string>> {
  const declared = new Set<unknown>(catalogue.map(({ declaration }) => declaration));
  // A declaration is in a file named like its folder, such as host/host/host.ts.
  const files = readdirSync(sources, { recursive: true, encoding: 'utf8' }).filter((file) =>
    /^[^/]+\/([^/]+)\/\1\.ts$/.test(file),
  );
  const domains = new Map<string, string>();
  for (const file of files.filter((path) => !path.startsWith('kernel/'))) {
    const exported = (await import(new URL(file, sources).href)) as Readonly<Record<string, unknown>>;
    for (const value of Object.values(exported))
      if (declared.has(value)) domains.set((value as Declaration).name, file.split('/')[0]!);
  }
  const missing = catalogue.filter(({ declaration }) => !domains.has(declaration.name));
  if (missing.length > 0)
    throw new Error(`no file named like its folder exports ${missing.map(({ declaration }) => declaration.name)}`);
  return domains;
}
