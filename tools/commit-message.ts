import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { faultsOfMessage, storedMessage } from './language/commit-message.ts';

/**
 * The commit-msg hook: `npm run setup` installs it. Git passes the file with the message.
 * It imports nothing but its rules, so that it also runs while packages or other code are broken.
 */

const [file] = process.argv.slice(2);
if (file === undefined) throw new Error('Usage: node tools/commit-message.ts FILE');

const staged = execFileSync('git', ['diff', '--cached', '--name-only', '-z'], { encoding: 'utf8', maxBuffer: 1e8 });
const faults = faultsOfMessage(
  storedMessage(readFileSync(file, 'utf8')),
  staged.split('\0').filter((path) => path !== ''),
);
if (faults.length > 0) {
  console.error(['The commit message does not follow CONTRIBUTING.md (Commits):', ...faults].join('\n- '));
  console.error('Your message is kept: git commit --edit --file="$(git rev-parse --git-path COMMIT_EDITMSG)"');
  process.exitCode = 1;
}
