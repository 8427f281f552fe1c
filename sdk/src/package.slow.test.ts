import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { world } from '@portreeve/server/test/world/world.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

const execute = promisify(execFile);
const sdkFolder = fileURLToPath(new URL('..', import.meta.url));
const require = createRequire(import.meta.url);

/** A client program; its JavaScript and TypeScript versions differ only in the annotations. */
const program = (annotation: string) => `
import { Client, PortreeveError, portreeve } from '@portreeve/sdk';

const url${annotation} = process.argv[2] ?? '';
const token${annotation} = process.argv[3] ?? '';
const api = portreeve(new Client({ url, token }));
const { id } = await api.container.create({ name: 'from-a-package-' + process.version });
if (id === undefined) throw new Error('no id');
const { results } = await api.container.fetch(id);
const name${annotation} = results[0].name;
let count = 0;
for await (const container of api.container.walk({ filter: ['name==from-a-package-*'] })) count += container.id > 0 ? 1 : 0;
try {
  await api.container.create({ name });
} catch (error) {
  if (!(error instanceof PortreeveError)) throw error;
  console.log(name, count > 0, error.word);
}
`;

/** Returns the Node of this project, and that of the system if it is another release. */
async function nodes(): Promise<string[]> {
  const system = ['/usr/bin/node', '/usr/local/bin/node'];
  const executables: string[] = [process.execPath];
  for (const path of system) {
    const version = await execute(path, ['--version']).catch(() => undefined);
    if (version && version.stdout.trim() !== process.version) executables.push(path);
  }
  return executables;
}

describe('the package of the client', async () => {
  const { admin, service } = await world();
  const url = await service.app.listen({ host: '127.0.0.1', port: 0 });
  let folder: string;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'portreeve-package-'));
    // Vitest sets variables that would make npm work in the workspace.
    const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^npm_/i.test(name)));
    const npm = (directory: string, ...args: string[]) => execute('npm', args, { cwd: directory, env });
    await npm(sdkFolder, 'pack', '--pack-destination', folder);
    const [tarball] = (await readdir(folder)).filter((name) => name.endsWith('.tgz'));
    const consumer = join(folder, 'consumer');
    await mkdir(consumer);
    await writeFile(join(consumer, 'package.json'), JSON.stringify({ private: true, type: 'module' }));
    await npm(consumer, 'install', '--offline', '--no-audit', '--no-fund', join(folder, tarball!));
  }, 300_000);
  afterAll(() => rm(folder, { recursive: true, force: true }));

  test('contains JavaScript and declarations, and no source', async () => {
    const installed = await readdir(join(folder, 'consumer/node_modules/@portreeve/sdk'), { recursive: true });
    expect(installed).toEqual(
      expect.arrayContaining(['README.md', 'dist/index.js', 'dist/index.d.ts', 'dist/LICENSE']),
    );
    expect(installed.filter((name) => /(?<!\.d)\.ts$/.test(name))).toEqual([]);
  });

  test('runs a client against a node on each Node of the machine', async () => {
    const file = join(folder, 'consumer/client.mjs');
    await writeFile(file, program(''));
    for (const node of await nodes()) {
      const { stdout: version } = await execute(node, ['--version']);
      const { stdout } = await execute(node, [file, url, admin.token]);
      expect(stdout, node).toBe(`from-a-package-${version.trim()} true duplicate\n`);
    }
  });

  test.each([
    ['nodenext', 'nodenext'],
    ['esnext', 'bundler'],
  ])('type-checks in a strict project without skipLibCheck, module %s', async (module, moduleResolution) => {
    const consumer = join(folder, 'consumer');
    await writeFile(join(consumer, 'client.ts'), program(': string'));
    const options = {
      ...{ module, moduleResolution, target: 'es2022', lib: ['es2022', 'dom', 'dom.iterable', 'dom.asynciterable'] },
      ...{ strict: true, exactOptionalPropertyTypes: true, noUncheckedIndexedAccess: false, skipLibCheck: false },
      ...{ noEmit: true, types: [] },
    };
    await writeFile(
      join(consumer, 'tsconfig.json'),
      JSON.stringify({ compilerOptions: options, files: ['client.ts', 'globals.d.ts'] }),
    );
    await writeFile(join(consumer, 'globals.d.ts'), 'declare const process: { argv: string[]; version: string };\n');
    const compiler = join(dirname(require.resolve('typescript/package.json')), 'bin/tsc');
    const { stdout } = await execute(process.execPath, [compiler, '-p', consumer]).catch((error) => error);
    expect(stdout).toBe('');
  });
});
