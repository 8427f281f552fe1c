import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readChanges } from './changes/change-file.ts';
import { foldChanges } from './changes/fold-changes.ts';
import { flag, readCommand, refuse } from './command.ts';

/** Moves the changes of a release from their files into the changelog. */

const usage = 'npm run changelog';
const { values, positionals } = readCommand({
  usage,
  doc: 'Moves the files of changes/ into CHANGELOG.md, below a heading for the version, and removes them.',
  takes: 'VERSION',
  options: { print: flag('print the changelog instead, and leave all files as they are') },
});
const [version] = positionals;
if (version === undefined || positionals.length > 1 || !/^\d+\.\d+\.\d+$/.test(version))
  refuse({ usage }, 'Name the version of the release, like npm run changelog -- 0.2.0.');

const root = fileURLToPath(new URL('..', import.meta.url));
const file = join(root, 'CHANGELOG.md');
const changes = await readChanges(join(root, 'changes'));
const day = new Date().toISOString().slice(0, 'YYYY-MM-DD'.length);
const text = foldChanges(await readFile(file, 'utf8'), changes, { version, day });
if (values.print) {
  process.stdout.write(text);
} else {
  await writeFile(file, text);
  for (const change of changes) await rm(join(root, 'changes', change.file));
  console.log(`Moved ${changes.length} changes into CHANGELOG.md, below ${version}.`);
}
