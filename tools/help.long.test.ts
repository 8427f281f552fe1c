import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

const run = promisify(execFile);

test.each(['dev', 'check'])('npm run %s -- --help prints the usage, and does nothing else', async (name) => {
  const { stdout, stderr } = await run(process.execPath, [`tools/${name}.ts`, '--help'], { timeout: 120_000 });
  expect(stdout).toMatch(new RegExp(`^Usage: npm run ${name} `));
  expect(stdout).toMatch(/ --help +print this\n$/);
  expect(stderr).toBe('');
});
