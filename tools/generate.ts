import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { suggestion } from '../cli/src/nearest.ts';
import { flag, readCommand, refuse, text } from './command.ts';
import type { Generator } from './generate/generator.ts';
import { run } from './run.ts';

/** Writes every checked-in file that is made from declarations; their diff is part of the review. */

// In this order: events need numbers before a service starts, and the SDK follows from the document.
const names = ['event-types', 'openapi', 'sdk', 'coverage', 'fields', 'sql'];
const usage = 'npm run generate';
const root = fileURLToPath(new URL('..', import.meta.url));

const { values } = readCommand({
  usage,
  doc: `Writes the checked-in files that are made from declarations: ${names.join(', ')}.`,
  options: {
    check: flag('only compare, and fail where a file differs'),
    only: text(undefined, `one of ${names.join(', ')}`),
  },
});

if (values.only === undefined) {
  const codes: number[] = [];
  // Each in a process of its own, which reads what the one before has written.
  for (const name of names)
    codes.push(
      await run(process.execPath, [
        fileURLToPath(import.meta.url),
        '--only',
        name,
        ...(values.check ? ['--check'] : []),
      ]),
    );
  process.exitCode = Math.max(...codes);
} else {
  if (!names.includes(values.only))
    refuse({ usage }, `There is nothing named "${values.only}" to generate.${suggestion(values.only, names)}`);
  const { generator } = (await import(`./generate/${values.only}.ts`)) as { generator: Generator };
  const files = await generator.files();
  for (const [path, wanted] of Object.entries(files)) await compare(generator, path, wanted, values.check);
  if (generator.folder !== undefined) await removeOthers(generator.folder, files, values.check);
}

/** A file that nothing generates any more would be reviewed and believed for ever. */
async function removeOthers(folder: string, files: Readonly<Record<string, string>>, isCheck: boolean): Promise<void> {
  const stored = (await readdir(join(root, folder))).map((name) => `${folder}/${name}`);
  for (const path of stored.filter((each) => !(each in files))) {
    if (isCheck) {
      console.error(`${path} is generated no more; run ${usage}.`);
      process.exitCode = 1;
    } else {
      await rm(join(root, path));
      console.log(`Removed ${path}.`);
    }
  }
}

async function compare(generator: Generator, path: string, wanted: string, isCheck: boolean): Promise<void> {
  const file = join(root, path);
  const stored = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    // A file that does not exist yet differs like any other.
    if (error.code === 'ENOENT') return undefined;
    throw error;
  });
  if (stored === wanted) return console.log(`${path} is up to date.`);
  const differing = generator.difference?.(stored ?? '', wanted);
  if (isCheck) {
    console.error(`${path} is out of date; run ${usage}, and review the diff.${differing ? `\n\n${differing}` : ''}`);
    process.exitCode = 1;
    return;
  }
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, wanted);
  console.log(`Wrote ${path}: review its diff.${differing ? `\n\n${differing}` : ''}`);
}
