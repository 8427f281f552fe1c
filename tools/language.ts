import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { flag, readCommand, text } from './command.ts';
import {
  type Allowed,
  type Ceilings,
  countFolders,
  type FolderCount,
  loweredCeilings,
  placesOfKind,
  raisedCeilings,
  tooMany,
} from './language/compare.ts';
import { countFile, type FileCount } from './language/places.ts';
import { goals, kinds } from './language/wording.ts';
import { startOfChange } from './touched.ts';

/** Counts comments, names, test titles and texts that are not plain technical English, as docs/glossary.md (Verbs) defines it. */

const allowedFile = 'tools/language/allowed.json';
const ceilingsFile = 'tools/language/ceilings.json';

const { values } = readCommand({
  usage: 'npm run language',
  doc: 'Counts wording that is not plain technical English, and fails where a folder has more of it than its ceiling.',
  options: {
    list: flag('print each place'),
    in: text('', 'count only files below this folder'),
    update: flag(`lower the ceilings in ${ceilingsFile} to the present counts`),
  },
});

const readJson = <T>(file: string): T => JSON.parse(readFileSync(file, 'utf8')) as T;

function git(...args: string[]): string | undefined {
  try {
    return execFileSync('git', args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'], maxBuffer: 1e8 });
  } catch {
    return undefined;
  }
}

const files = (git('ls-files', '-co', '--exclude-standard', values.in || '.') ?? '')
  .split('\n')
  .filter((file) => /\.tsx?$/.test(file) && !file.includes('generated/') && existsSync(file));
const counts = new Map<string, FileCount>(files.map((file) => [file, countFile(file, readFileSync(file, 'utf8'))]));
const { folders, unused } = countFolders(counts, readJson<Allowed[]>(allowedFile));
const stored = existsSync(ceilingsFile) ? readJson<Ceilings>(ceilingsFile) : undefined;

if (values.list) for (const folder of folders.values()) printPlaces(folder);
printTotals();
if (values.update) updateCeilings();
else report();

function printPlaces({ places }: FolderCount): void {
  for (const place of places) console.log(`${place.kind}  ${place.file}:${place.line}  ${place.text.slice(0, 160)}`);
}

function printTotals(): void {
  for (const kind of kinds) {
    const all = [...folders.values()].reduce((sum, folder) => sum + folder.all[kind], 0);
    const places = [...folders.values()].reduce((sum, folder) => sum + placesOfKind(folder, kind).length, 0);
    const share = percent(places / Math.max(all, 1));
    console.log(`${kind}: ${places} of ${all}, ${share} (goal ${percent(goals[kind])})`);
  }
}

function percent(share: number): string {
  return `${(100 * share).toFixed(1)} %`;
}

function updateCeilings(): void {
  if (values.in) throw new Error('--update counts the whole tree: leave --in out');
  // One line for each folder, so that changes of different folders merge.
  const lines = Object.entries(loweredCeilings(folders, stored)).map(
    ([name, limits]) =>
      `  ${JSON.stringify(name)}: ${JSON.stringify(limits).replace(/[:,]/g, '$& ').replace(/[{}]/g, ' $& ').trim()}`,
  );
  writeFileSync(ceilingsFile, lines.length > 0 ? `{\n${lines.join(',\n')}\n}\n` : '{}\n');
}

function report(): void {
  const base = startOfChange();
  const earlier = base && git('show', `${base}:${ceilingsFile}`);
  const faults = [
    ...tooMany(folders, stored ?? {}),
    ...(earlier && stored ? raisedCeilings(JSON.parse(earlier) as Ceilings, stored) : []),
    ...(values.in ? [] : unused.map(({ path, text }) => `${allowedFile}: "${text}" in ${path} is no longer there`)),
  ];
  for (const fault of faults) console.log(fault);
  if (faults.length > 0) {
    console.log(
      'npm run language -- --list --in FOLDER prints each place. A place that is right goes into allowed.json.',
    );
    process.exitCode = 1;
  }
}
