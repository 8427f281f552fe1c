import { createHash } from 'node:crypto';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { run } from '../run.ts';

/**
 * The OpenAPI document and the generated part of the SDK follow from the declarations and are not checked in. Whatever needs them
 * (setup, check, tests, the console, packing the SDK) calls `ensureProducts` first.
 */

const root = fileURLToPath(new URL('../..', import.meta.url));

/** Holds a hash of the sources that the products were made from. */
const stamp = join(root, 'sdk/src/generated/.inputs');

/** Set to `leave` for a copy of the code with a fault in it: its products are those of the code without. */
const variable = 'PORTREEVE_PRODUCTS';

/** Makes the products if they are absent, or if a source of theirs has changed since. */
export async function ensureProducts(): Promise<void> {
  if (process.env[variable] === 'leave') return;
  const stored = await readFile(stamp, 'utf8').catch(() => undefined);
  if (stored === (await hashOfInputs())) return;
  // In a process of its own, because it loads the whole service.
  const code = await run(process.execPath, [join(root, 'tools/generate.ts'), '--only', 'openapi,sdk']);
  if (code !== 0) throw new Error('The OpenAPI document and the client cannot be made; the reason is above.');
}

/** Records that the products are those of the sources as they are now. */
export async function stampProducts(): Promise<void> {
  await writeFile(stamp, await hashOfInputs());
}

async function hashOfInputs(): Promise<string> {
  const folders = await Promise.all(['server/src', 'sdk/src/emitter'].map(sourcesIn));
  const paths = [
    ...folders.flat(),
    'server/package.json',
    'tools/generate/build-document.ts',
    'tools/generate/openapi.ts',
    'tools/generate/sdk.ts',
  ].sort();
  const texts = await Promise.all(paths.map((path) => readFile(join(root, path))));
  const hash = createHash('sha256');
  for (const [index, path] of paths.entries()) hash.update(`${path}\0${texts[index]!.length}\0`).update(texts[index]!);
  return hash.digest('hex');
}

async function sourcesIn(folder: string): Promise<string[]> {
  const names = await readdir(join(root, folder), { recursive: true });
  return names.filter((name) => /(?<!\.test|\.fixture)\.ts$/.test(name)).map((name) => `${folder}/${name}`);
}
