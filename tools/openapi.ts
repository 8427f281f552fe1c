import { readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { catalogue } from '@portreeve/server/catalogue.ts';
import { describeOperations } from '@portreeve/server/describe.ts';
import { documentText, openApiDocument } from '@portreeve/server/kernel/openapi.ts';
import serverPackage from '../server/package.json' with { type: 'json' };

/** Writes openapi.json from the declarations; with --check only says whether it is what they give. */

const file = fileURLToPath(new URL('../openapi.json', import.meta.url));
const text = `${documentText(openApiDocument(describeOperations(catalogue), serverPackage))}\n`;
const stands = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
  // Not there yet is only the farthest it can differ.
  if (error.code === 'ENOENT') return undefined;
  throw error;
});

if (stands === text) {
  console.log('openapi.json is what the declarations give.');
} else if (process.argv.includes('--check')) {
  console.error('openapi.json differs from what the declarations give; run `npm run openapi`.');
  process.exitCode = 1;
} else {
  await writeFile(file, text);
  console.log('Wrote openapi.json: read its diff, it is part of the review.');
}
