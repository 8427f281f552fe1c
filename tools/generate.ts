import { execFileSync } from 'node:child_process';
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { suggestion } from '../cli/src/nearest.ts';
import { flag, readCommand, refuse, text } from './command.ts';
import type { Generator } from './generate/generator.ts';
import { run } from './run.ts';

/** Writes every file that is made from declarations. The diff of those that are checked in is part of the review. */

/** The SQL is last and in a process of its own: it starts a service, which reads the numbers of event types at its start. */
const names = ['event-types', 'api', 'openapi', 'sdk', 'coverage', 'fields', 'sql'];
const usage = 'npm run generate';
const root = fileURLToPath(new URL('..', import.meta.url));

const { values } = readCommand({
  usage,
  doc: `Writes the files that are made from declarations: ${names.join(', ')}.`,
  options: {
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
  const chosen = values.only?.split(',') ?? names;
  for (const name of chosen)
    if (!names.includes(name))
      refuse({ usage }, `There is nothing named "${name}" to generate.${suggestion(name, names)}`);
  const isAlone = chosen.length === 1;
  for (const name of chosen.filter((choice) => isAlone || choice !== 'sql')) await generate(name);
  if (!isAlone && chosen.includes('sql')) {
    const args = ['--only', 'sql', ...(values.check ? ['--check'] : [])];
    const code = await run(process.execPath, [fileURLToPath(import.meta.url), ...args]);
    process.exitCode ||= code;
  }
  if (chosen.includes('openapi') && chosen.includes('sdk')) {
    const { stampProducts } = await import('./generate/products.ts');
    await stampProducts();
  }
}

async function generate(name: string): Promise<void> {
  const { generator } = (await import(`./generate/${name}.ts`)) as { generator: Generator };
  const files = await generator.files();
  for (const [path, wanted] of Object.entries(files)) await compare(generator, path, wanted);
  if (generator.folder !== undefined) await removeOthers(generator.folder, files);
}

/** A file that nothing generates any more would be reviewed and believed for ever. */
async function removeOthers(folder: string, files: Readonly<Record<string, string>>): Promise<void> {
  const stored = (await readdir(join(root, folder))).map((name) => `${folder}/${name}`);
  for (const path of stored.filter((storedPath) => !(storedPath in files))) {
    if (values.check) {
      console.error(`${path} is generated no more; run ${usage}.`);
      process.exitCode = 1;
    } else {
      await rm(join(root, path));
      console.log(`Removed ${path}.`);
    }
  }
}

async function compare(generator: Generator, path: string, wanted: string): Promise<void> {
  const file = join(root, path);
  const stored = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    // A file that does not exist yet differs like any other.
    if (error.code === 'ENOENT') return undefined;
    throw error;
  });
  // Of the many files that are as they were, the list would hide those that are not.
  if (stored === wanted) return;
  const differing = generator.difference?.(stored ?? '', wanted);
  if (values.check && !generator.isProduct) {
    console.error(`${path} is out of date; run ${usage}, and review the diff.${differing ? `\n\n${differing}` : ''}`);
    process.exitCode = 1;
    return;
  }
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, wanted);
  const review = generator.isProduct ? '.' : ': review its diff.';
  console.log(`Wrote ${path}${review}${differing ? `\n\n${differing}` : ''}`);
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
