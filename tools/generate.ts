import { execFileSync } from 'node:child_process';
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { suggestion } from '../cli/src/nearest.ts';
import { flag, readCommand, refuse, text } from './command.ts';
import type { Generator } from './generate/generator.ts';

/** Writes every file that is made from declarations. The diff of those that are checked in is part of the review. */

/** Made from the declarations alone, in one process. */
const quickNames = ['event-types', 'api', 'openapi', 'sdk', 'coverage', 'fields'];
/** The SQL calls every operation of a running service: it takes minutes, and only a change of statements needs it. */
const names = [...quickNames, 'sql'];
const usage = 'npm run generate';
const root = fileURLToPath(new URL('..', import.meta.url));

const { values } = readCommand({
  usage,
  doc: `Writes the files that are made from declarations: ${quickNames.join(', ')}, and with --all sql.`,
  options: {
    all: flag('also the pinned SQL, for which every operation of a service is called: some minutes'),
    check: flag('only compare, and fail where a file that is checked in differs'),
    only: text(undefined, `one or several of ${names.join(', ')}, separated by commas`),
    compare: text(
      undefined,
      'a commit, or the openapi.json of a release: fail if the API breaks its clients and no file in changes/ states it',
    ),
  },
});

if (values.compare !== undefined) {
  process.exitCode = await compareWith(values.compare);
} else {
  const chosen = values.only?.split(',') ?? (values.all ? names : quickNames);
  for (const name of chosen)
    if (!names.includes(name))
      refuse({ usage }, `There is nothing named "${name}" to generate.${suggestion(name, names)}`);
  let differing = 0;
  for (const name of chosen) differing += await generate(name);
  if (differing === 0) console.log('Everything is up to date.');
  if (chosen.includes('openapi') && chosen.includes('sdk')) {
    const { stampProducts } = await import('./generate/products.ts');
    await stampProducts();
  }
}

/** Returns how many files differed. */
async function generate(name: string): Promise<number> {
  const { generator } = (await import(`./generate/${name}.ts`)) as { generator: Generator };
  const files = await generator.files();
  let differing = 0;
  for (const [path, content] of Object.entries(files)) if (!(await compare(generator, path, content))) differing++;
  return differing + (generator.folder === undefined ? 0 : await removeOthers(generator.folder, files));
}

/** A file that nothing generates any more would be reviewed and believed for ever. */
async function removeOthers(folder: string, files: Readonly<Record<string, string>>): Promise<number> {
  const stored = (await readdir(join(root, folder))).map((name) => `${folder}/${name}`);
  const obsolete = stored.filter((path) => !(path in files));
  for (const path of obsolete) {
    if (values.check) {
      console.error(`${path} is generated no more; run ${usage}.`);
      process.exitCode = 1;
    } else {
      await rm(join(root, path));
      console.log(`Removed ${path}.`);
    }
  }
  return obsolete.length;
}

/** Writes or reports a file that differs; returns whether it is as it should be. */
async function compare(generator: Generator, path: string, content: string): Promise<boolean> {
  const file = join(root, path);
  const stored = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    // A file that does not exist yet differs like any other.
    if (error.code === 'ENOENT') return undefined;
    throw error;
  });
  // A list of the many files that are as they were would hide those that are not.
  if (stored === content) return true;
  const differing = generator.difference?.(stored ?? '', content);
  if (values.check && !generator.isProduct) {
    console.error(`${path} is out of date; run ${usage}, and review the diff.${differing ? `\n\n${differing}` : ''}`);
    process.exitCode = 1;
    return false;
  }
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, content);
  const review = generator.isProduct ? '.' : ': review its diff.';
  console.log(`Wrote ${path}${review}${differing ? `\n\n${differing}` : ''}`);
  return false;
}

/** Compares the texts of this tree with those of a commit, or with those that follow from the document of a release. */
async function compareWith(base: string): Promise<number> {
  const { unstatedBreaks } = await import('./generate/api/unstated-breaks.ts');
  const { apiTexts } = await import('./generate/api/api-text.ts');
  const { buildDocument } = await import('./generate/build-document.ts');
  const before = base.endsWith('.json')
    ? Object.values(apiTexts(JSON.parse(await readFile(base, 'utf8'))))
    : textsOfCommit(base);
  const breaks = await unstatedBreaks(before, Object.values(apiTexts(await buildDocument())), join(root, 'changes'));
  for (const { key, what } of breaks) console.error(`${key}: ${what}`);
  if (breaks.length === 0) {
    console.log(`The API breaks no client that was written for ${base}.`);
    return 0;
  }
  console.error(
    `\n${breaks.length} of these changes can break a client. Undo them, or state each in a file of changes/: breaks: KEY`,
  );
  return 1;
}

function textsOfCommit(commit: string): string[] {
  const git = (...args: string[]): string =>
    execFileSync('git', args, { cwd: root, encoding: 'utf8', maxBuffer: 64 * 1_048_576 });
  const files = git('ls-tree', '--name-only', commit, 'api/')
    .split('\n')
    .filter((path) => path.endsWith('.txt'));
  if (files.length === 0) refuse({ usage }, `The commit ${commit} has no texts in api/.`);
  return files.map((path) => git('show', `${commit}:${path}`));
}
