import { spawnSync } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { OpenApi } from '@portreeve/sdk/emitter/document.ts';
import { emit } from '@portreeve/sdk/emitter/emit.ts';

/** Writes the generated files of the typed client from openapi.json; with --check only says whether they are what it gives. */

const root = fileURLToPath(new URL('..', import.meta.url));
const document = JSON.parse(await readFile(`${root}openapi.json`, 'utf8')) as OpenApi;

for (const [name, text] of Object.entries(emit(document))) {
  const file = `sdk/src/generated/${name}`;
  const wanted = formatted(file, text);
  const stands = await readFile(root + file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    // Not there yet is only the farthest it can differ.
    if (error.code === 'ENOENT') return undefined;
    throw error;
  });
  if (stands === wanted) {
    console.log(`${file} is what openapi.json gives.`);
  } else if (process.argv.includes('--check')) {
    console.error(`${file} differs from what openapi.json gives; run \`npm run sdk\`.`);
    process.exitCode = 1;
  } else {
    await writeFile(root + file, wanted);
    console.log(`Wrote ${file}.`);
  }
}

/** As the formatter of the project would leave it, so that a generated file is checked like any other. */
function formatted(file: string, text: string): string {
  const biome = `${root}node_modules/.bin/biome`;
  const { status, stdout, stderr, error } = spawnSync(biome, ['format', `--stdin-file-path=${file}`], {
    cwd: root,
    input: text,
    encoding: 'utf8',
    maxBuffer: 64 * 1_048_576,
  });
  if (status !== 0) throw new Error(`formatting ${file}: ${stderr}`, { cause: error });
  return stdout;
}
