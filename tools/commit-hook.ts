import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, realpathSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, isAbsolute, join, relative } from 'node:path';

/** Marks a hook of this project, also one of an earlier version. */
const mark = 'Installed by npm run setup of Portreeve.';

/**
 * All worktrees of a repository share the hook. A worktree whose commit has no check, or without packages, commits as
 * without a hook.
 */
const hook = `#!/bin/sh
# ${mark}
top=$(git rev-parse --show-toplevel) || exit 0
node=$top/node_modules/.bin/node
check=$top/tools/commit-message.ts
[ -x "$node" ] && [ -f "$check" ] || exit 0
exec "$node" "$check" "$1"
`;

/**
 * Installs the hook that checks commit messages. Returns why it did not: no git, hooks outside of the repository,
 * another hook.
 */
export function installCommitHook(root: string): string | undefined {
  const folders = gitFolders(root);
  if (!folders) return undefined;
  const { common, hooks } = folders;
  const below = relative(common, hooks);
  if (below.startsWith('..') || isAbsolute(below))
    return `core.hooksPath is ${hooks}, which other repositories may share`;
  const file = join(hooks, 'commit-msg');
  const before = existsSync(file) ? readFileSync(file, 'utf8') : undefined;
  if (before === hook) return undefined;
  if (before !== undefined && !before.includes(mark)) return `${file} is a hook of your own`;
  mkdirSync(dirname(file), { recursive: true });
  // Another worktree may commit at this moment: the file is complete before it gets its name.
  const complete = `${file}.${process.pid}`;
  writeFileSync(complete, hook, { mode: 0o755 });
  renameSync(complete, file);
  return undefined;
}

/**
 * Returns the folders of the repository and of its hooks; undefined in a copy of the files, and if git is not
 * installed.
 */
function gitFolders(root: string): { common: string; hooks: string } | undefined {
  const git = (...args: string[]): string =>
    execFileSync('git', ['rev-parse', '--path-format=absolute', ...args], {
      cwd: root,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    }).trim();
  try {
    // The files may be in a folder of another repository.
    if (git('--show-toplevel') !== realpathSync(root)) return undefined;
    return { common: git('--git-common-dir'), hooks: git('--git-path', 'hooks') };
  } catch {
    return undefined;
  }
}
