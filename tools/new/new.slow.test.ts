import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, expect, test } from 'vitest';
import type { ContractOperation } from './plan.ts';

const checkout = fileURLToPath(new URL('../..', import.meta.url));
const path = '/settings/kitchen/coffee-machine';
const operations: readonly [method: string, rest: string][] = [
  ['GET', ''],
  ['GET', '/{id}'],
  ['GET', '/count'],
  ['GET', '/count/all'],
  ['GET', '/{id}/usage'],
  ['POST', ''],
  ['POST', '/{id}'],
  ['DELETE', '/{id}'],
  ['POST', '/{id}/delete'],
  ['POST', '/delete'],
];

/** What a plain group may touch outside its folder, by hand or by a generator. */
const byHand = [/^server\/migrations\/\d{14}-add-coffee-machine\.sql$/, /^docs\/proofs\/kitchen\.md$/];
const generated = [
  /^api\/(coffee-machine|shared)\.txt$/,
  /^event-types\/coffee-machine\.json$/,
  /^server\/sql\/\w+\.txt$/,
  /^docs\/(coverage|fields)\.md$/,
];

let folder: string | undefined;
afterAll(async () => {
  if (!folder) return;
  await run('node', 'tools/setup.ts', '--stop');
  await rm(folder, { recursive: true, force: true });
});

/** Runs a program in the clone, without what the test runner has set. */
async function run(program: string, ...args: string[]): Promise<string> {
  const { PATH, HOME, LANG } = process.env;
  const environment = { PATH: `${folder}/node_modules/.bin:${PATH}`, HOME, LANG };
  const options = { cwd: folder!, env: environment, maxBuffer: 64 * 1_048_576 };
  return promisify(execFile)(program, args, options).then(
    ({ stdout }) => stdout,
    (error: { stdout: string; stderr: string }) => {
      throw new Error(
        `${program} ${args.join(' ')} failed:\n${error.stdout.slice(-6_000)}\n${error.stderr.slice(-6_000)}`,
      );
    },
  );
}

test('a group of the contract is begun by one command and passes the check with its conformance tests', async () => {
  folder = await mkdtemp(join(tmpdir(), 'portreeve-new-'));
  await promisify(execFile)('git', ['clone', '--quiet', checkout, folder]);
  // Packages come from the checkout; the workspaces among them are links into the clone.
  await linkPackages(folder);
  const contract = JSON.parse(await readFile(join(folder, 'catalogue.json'), 'utf8')) as ContractOperation[];
  for (const [method, rest] of operations)
    contract.push({ section: 'Kitchen', group: 'Coffee machine', method, path: `${path}${rest}` });
  await writeFile(
    join(folder, 'catalogue.json'),
    `[\n${contract.map((operation) => JSON.stringify(operation)).join(',\n')}\n]\n`,
  );
  await commit('contract: list the coffee machine');

  await run('npm', 'run', '--silent', 'setup');
  expect(await run('npm', 'run', '--silent', 'new', '--', 'kitchen/coffee-machine')).toContain('npm run generate');
  await run('npm', 'run', '--silent', 'migration', '--', 'add-coffee-machine');
  await run('npm', 'run', '--silent', 'generate', '--', '--all');
  await run('npm', 'run', '--silent', 'generate', '--', '--check');
  // The tests of the kernel do not depend on the new group, and are run by themselves.
  const checked = await run('npm', 'run', '--silent', 'check', '--', '--touched');
  expect(checked).toMatch(/with those of .*coffee-machine/);
  expect(checked).toContain('kitchen/coffee-machine/coffee-machine.test.ts');
  expect(checked).toContain('all ok');

  const touched = (await run('git', 'status', '--porcelain', '--untracked-files=all'))
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => line.slice(3));
  expect(touched).toContain('server/src/kitchen/coffee-machine/coffee-machine.ts');
  expect(touched).toContain('server/src/kitchen/coffee-machine/coffee-machine.module.ts');
  expect(touched).toContain('docs/proofs/kitchen.md');
  expect(touched).toContain('server/sql/kitchen.txt');
  expect(touched).toContain('api/coffee-machine.txt');
  const outside = touched.filter((file) => !file.startsWith('server/src/kitchen/coffee-machine/'));
  expect(outside.filter((file) => ![...byHand, ...generated].some((allowed) => allowed.test(file)))).toEqual([]);
}, 1_800_000);

async function commit(subject: string): Promise<void> {
  const author = ['-c', 'user.name=test', '-c', 'user.email=test@example.net'];
  await run('git', ...author, 'commit', '--quiet', '--all', '--message', subject);
}

/** Links every package of the checkout but the workspaces, which are the clone's own. */
async function linkPackages(into: string): Promise<void> {
  const [from, to] = [join(checkout, 'node_modules'), join(into, 'node_modules')];
  await mkdir(join(to, '@portreeve'), { recursive: true });
  for (const name of await readdir(from))
    if (name !== '@portreeve' && name !== '.vite' && name !== '.cache') await symlink(join(from, name), join(to, name));
  for (const name of await readdir(join(from, '@portreeve')))
    await symlink(`../../${name}`, join(to, '@portreeve', name));
}
