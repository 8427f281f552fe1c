import { execFile } from 'node:child_process';
import { chmod, cp, mkdir, mkdtemp, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, onTestFinished, test } from 'vitest';
import { installCommitHook } from './commit-hook.ts';

const run = promisify(execFile);
const identity = { GIT_AUTHOR_NAME: 'a', GIT_AUTHOR_EMAIL: 'a@b', GIT_COMMITTER_NAME: 'a', GIT_COMMITTER_EMAIL: 'a@b' };
const ownConfig = { GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_NOSYSTEM: '1' };

async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'commit-hook-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

/** Runs git in a folder; returns its exit code and what it reported. */
const git = (folder: string, ...args: string[]): Promise<{ code: number; stderr: string }> =>
  run('git', args, { cwd: folder, env: { PATH: process.env.PATH, ...identity, ...ownConfig } }).then(
    ({ stderr }) => ({ code: 0, stderr }),
    ({ code, stderr }: { code: number; stderr: string }) => ({ code, stderr }),
  );

/** Creates a repository with Node and the check alone: no package and no other code. */
async function repository(): Promise<string> {
  const folder = await temporaryFolder();
  await git(folder, 'init', '-q');
  await mkdir(join(folder, 'node_modules/.bin'), { recursive: true });
  await symlink(process.execPath, join(folder, 'node_modules/.bin/node'));
  await writeFile(join(folder, 'package.json'), '{ "type": "module" }\n');
  for (const file of ['commit-message.ts', 'language/commit-message.ts', 'language/wording.ts'])
    await cp(join(process.cwd(), 'tools', file), join(folder, 'tools', file));
  await writeFile(join(folder, 'code.ts'), 'export {};\n');
  await git(folder, 'add', 'code.ts');
  return folder;
}

describe('the commit-msg hook', () => {
  test('refuses a message that breaks the rules, and accepts one that keeps them', async () => {
    const folder = await repository();
    expect(installCommitHook(folder)).toBeUndefined();
    const refused = await git(folder, 'commit', '-m', 'everything is better now; more to come');
    expect(refused.code).toBe(1);
    expect(refused.stderr).toContain('semicolon');
    expect(refused.stderr).toContain('There is no body. Say why, because code.ts');
    expect(await git(folder, 'commit', '-m', 'host: refuse an empty name', '-m', 'The reason.')).toMatchObject({
      code: 0,
    });
  });

  test('checks nothing in a worktree whose commit has no check', async () => {
    const folder = await repository();
    installCommitHook(folder);
    await git(folder, 'commit', '-m', 'host: refuse an empty name', '-m', 'The reason.');
    const worktree = join(await temporaryFolder(), 'worktree');
    await git(folder, 'worktree', 'add', '-q', worktree);
    await writeFile(join(worktree, 'more.ts'), '');
    await git(worktree, 'add', '.');
    expect(await git(worktree, 'commit', '-m', 'Anything; goes')).toMatchObject({ code: 0 });
  });

  test('is installed from a worktree for all of them, and again without a change', async () => {
    const folder = await repository();
    await git(folder, 'commit', '-m', 'host: refuse an empty name');
    const worktree = join(await temporaryFolder(), 'worktree');
    await git(folder, 'worktree', 'add', '-q', worktree);
    expect(installCommitHook(worktree)).toBeUndefined();
    const hook = join(folder, '.git/hooks/commit-msg');
    const first = await stat(hook);
    expect(first.mode & 0o111).toBe(0o111);
    expect(installCommitHook(folder)).toBeUndefined();
    expect((await stat(hook)).ino).toBe(first.ino);
  });

  test('replaces an earlier version of itself and keeps a hook of the developer', async () => {
    const folder = await repository();
    installCommitHook(folder);
    const hook = join(folder, '.git/hooks/commit-msg');
    const current = await readFile(hook, 'utf8');
    await writeFile(hook, `${current}# earlier\n`);
    expect(installCommitHook(folder)).toBeUndefined();
    expect(await readFile(hook, 'utf8')).toBe(current);
    await writeFile(hook, '#!/bin/sh\n');
    await chmod(hook, 0o755);
    expect(installCommitHook(folder)).toContain('a hook of your own');
    expect(await readFile(hook, 'utf8')).toBe('#!/bin/sh\n');
  });

  test('is not installed into a folder of hooks outside of the repository', async () => {
    const folder = await repository();
    const shared = await temporaryFolder();
    await git(folder, 'config', 'core.hooksPath', shared);
    expect(installCommitHook(folder)).toContain('core.hooksPath');
    await expect(stat(join(shared, 'commit-msg'))).rejects.toThrow();
  });

  test('is not installed into a copy of the files without a repository, or below another one', async () => {
    expect(installCommitHook(await temporaryFolder())).toBeUndefined();
    const folder = await repository();
    await mkdir(join(folder, 'copy'));
    expect(installCommitHook(join(folder, 'copy'))).toBeUndefined();
    await expect(stat(join(folder, '.git/hooks/commit-msg'))).rejects.toThrow();
  });
});
