import { readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { build, type Rolldown } from 'vite';

const folder = fileURLToPath(new URL('..', import.meta.url));
export const consoleDist = join(folder, 'dist');

/** A file of the built console; `isShell` if it is loaded before the first paint. */
export interface BuiltFile {
  name: string;
  isShell: boolean;
  gzipBytes: number;
}

/** Builds the console and writes the compressed forms of each file next to it; nodes serve them from memory. */
export async function buildConsole(): Promise<BuiltFile[]> {
  const output = await buildForProduction(() => build({ configFile: join(folder, 'vite.config.ts') }));
  const entry = output.find((file) => file.type === 'chunk' && file.isEntry) as Rolldown.OutputChunk;
  const shell = new Set([entry.fileName, ...entry.imports]);
  const files = output.filter(({ fileName }) => /\.(js|css|svg|html)$/.test(fileName));
  return Promise.all(
    files.map(async ({ fileName }) => ({
      name: fileName,
      isShell: shell.has(fileName) || fileName.endsWith('.css'),
      gzipBytes: await compress(join(consoleDist, fileName)),
    })),
  );
}

/** Sets NODE_ENV to production: a test environment would select the development builds of the libraries. */
async function buildForProduction(work: () => ReturnType<typeof build>): Promise<Rolldown.RolldownOutput['output']> {
  const { NODE_ENV: before } = process.env;
  process.env.NODE_ENV = 'production';
  try {
    return ((await work()) as Rolldown.RolldownOutput).output;
  } finally {
    if (before === undefined) delete process.env.NODE_ENV;
    else process.env.NODE_ENV = before;
  }
}

/** Writes the gzip and Brotli form of a file; returns the gzip size, which the budgets use. */
async function compress(file: string): Promise<number> {
  const bytes = await readFile(file);
  const gzip = gzipSync(bytes, { level: 9 });
  const brotli = brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } });
  await Promise.all([writeFile(`${file}.gz`, gzip), writeFile(`${file}.br`, brotli)]);
  return gzip.length;
}

/** Builds the console if it is missing or older than its sources. */
export async function ensureConsole(): Promise<void> {
  const built = await changedAt(join(consoleDist, 'index.html'));
  const root = dirname(folder.replace(/\/$/, ''));
  const sources = [
    join(root, 'openapi.json'),
    join(root, 'package-lock.json'),
    join(folder, 'index.html'),
    join(folder, 'vite.config.ts'),
    ...(await filesIn(join(folder, 'src'))),
    ...(await filesIn(join(folder, 'build'))),
    ...(await filesIn(join(root, 'sdk/src'))),
  ];
  const changes = await Promise.all(sources.map(changedAt));
  if (built < Math.max(...changes)) await buildConsole();
}

const filesIn = async (path: string): Promise<string[]> =>
  (await readdir(path, { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name));

/** Returns the modification time of a file; 0 if it does not exist. */
const changedAt = async (file: string): Promise<number> => {
  try {
    return (await stat(file)).mtimeMs;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return 0;
    throw error;
  }
};
