import { copyFile, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ensureProducts } from './generate/products.ts';
import { run } from './run.ts';

/**
 * Builds `sdk/dist`, the JavaScript and the type declarations of the published package; `npm pack` in `sdk/` calls it. The workspace
 * itself runs the TypeScript sources, which Node refuses to load from `node_modules`.
 */

const sdk = fileURLToPath(new URL('../sdk', import.meta.url));
const dist = join(sdk, 'dist');
const typescript = dirname(createRequire(import.meta.url).resolve('typescript/package.json'));

await ensureProducts();
await rm(dist, { recursive: true, force: true });
process.exitCode = await run(process.execPath, [join(typescript, 'bin/tsc'), '-p', join(sdk, 'tsconfig.build.json')]);

await copyFile(fileURLToPath(new URL('../LICENSE', import.meta.url)), join(dist, 'LICENSE'));

// The compiler rewrites imports in JavaScript only; a declaration that imports a .ts file is an error for a strict consumer (TS5097).
for (const name of await readdir(dist, { recursive: true }))
  if (name.endsWith('.d.ts')) {
    const file = join(dist, name);
    const text = await readFile(file, 'utf8');
    await writeFile(file, text.replaceAll(/(from |import\()(['"])(\.{1,2}\/[^'"]+)\.ts\2/g, '$1$2$3.js$2'));
  }
