import { spawnSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { OpenApi } from '@portreeve/sdk/emitter/document.ts';
import { emit } from '@portreeve/sdk/emitter/emit.ts';
import type { Generator } from './generator.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

export const generator: Generator = {
  doc: 'sdk/src/generated, from openapi.json',
  async files() {
    const document = JSON.parse(await readFile(`${root}openapi.json`, 'utf8')) as OpenApi;
    return Object.fromEntries(
      Object.entries(emit(document)).map(([name, text]) => {
        const file = `sdk/src/generated/${name}`;
        return [file, formatted(file, text)];
      }),
    );
  },
};

/** As the project's formatter leaves it, so that a generated file passes the check like any other. */
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
