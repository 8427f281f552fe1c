import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { dirname } from 'node:path';

/** Files that differ from the start of the change, committed or not. */
export function touchedFiles(): string[] {
  const base = startOfChange();
  const changed = base ? (git('diff', '--name-only', base) ?? '') : '';
  const added = git('ls-files', '--others', '--exclude-standard') ?? '';
  return [...changed.split('\n'), ...added.split('\n')].filter((path) => path !== '');
}

/**
 * The commit that a change is compared with: the merge base with origin/main, without such a branch that with main, and on main itself
 * the commit before the last.
 */
export function startOfChange(): string | undefined {
  const head = git('rev-parse', 'HEAD');
  const local = git('merge-base', 'HEAD', 'main');
  return (
    git('merge-base', 'HEAD', 'origin/main') ??
    (local === head ? undefined : local) ??
    git('rev-parse', '--verify', 'HEAD~1')
  );
}

/** More files than this are no change of one thought: checking all of them costs no more. */
const lintedMax = 300;

/** What the linter is given for a change: its files that still exist, or everything where its rules may have changed. */
export function lintedFiles(files: readonly string[], exists = existsSync): string[] {
  const isEverything =
    files.length > lintedMax || files.some((file) => /^(biome\.json|package-lock\.json)$/.test(file));
  return isEverything ? ['.'] : files.filter((file) => /\.(ts|tsx|js|json|css)$/.test(file) && exists(file));
}

/** Returns the output of git, or undefined if it fails: no such branch, no repository. */
function git(...args: string[]): string | undefined {
  try {
    return execFileSync('git', args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();
  } catch {
    return undefined;
  }
}

/** Folders that belong to no resource; their tests run with every check. */
const shared = /^server\/src\/(kernel|node|auth|protocols|drivers)\//;
/** Files that every resource depends on. */
const foundation = /^server\/(src\/(kernel|node)\/|src\/context\.ts|test\/(conformance|world)\/)/;
/** A tree with built-in records, one with secrets and a protocol, one with ranks and nested values. */
const fixedGroups = [
  'server/src/device/container/',
  'server/src/integration/aaa-server/',
  'server/src/host/device-profiling-rule/',
];

/**
 * Returns folders of resources whose tests a change can break first: the touched ones, and three fixed ones if it
 * touches the kernel.
 */
export function touchedGroups(files: readonly string[], hasTests = holdsTests): string[] {
  const ownFolders = files
    .filter((file) => file.startsWith('server/src/') && !shared.test(file))
    .map((file) => /^server\/src\/[^/]+\/[^/]+\//.exec(`${dirname(file)}/`)?.[0])
    .filter((folder) => folder !== undefined);
  const fixed = files.some((file) => foundation.test(file)) ? fixedGroups : [];
  return [...new Set([...ownFolders, ...fixed])].filter(hasTests).sort();
}

function holdsTests(folder: string): boolean {
  try {
    return readdirSync(folder, { recursive: true, encoding: 'utf8' }).some((name) => name.endsWith('.test.ts'));
  } catch {
    // The change has removed this folder.
    return false;
  }
}
