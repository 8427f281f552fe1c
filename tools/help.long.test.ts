import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

const run = promisify(execFile);
const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as { scripts: Record<string, string> };
const files = Object.values(scripts).flatMap((script) => /^node (tools\/\S+)$/.exec(script)?.[1] ?? []);

test.each(files)('%s prints its usage with --help, and does nothing else', async (file) => {
  const { stdout, stderr } = await run(process.execPath, [file, '--help'], { timeout: 60_000 });
  expect(stdout).toMatch(/^Usage: npm /);
  expect(stdout).toMatch(/ --help +print this\n$/);
  expect(stderr).toBe('');
});

test('every command of the project is tried', () => {
  expect(files).toEqual(expect.arrayContaining(['tools/dev.ts', 'tools/check.ts', 'tools/demo.ts', 'tools/setup.ts']));
});
