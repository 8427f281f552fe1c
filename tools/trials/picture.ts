import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { number, text } from '../command.ts';
import { defineTrial } from '../define-trial.ts';
import { checkout, startDemo } from '../docs/start-demo.ts';
import { terminalPicture } from '../docs/terminal-picture.ts';

/** The commands in the picture of the README: a search, an explanation, and a preview of a change. */
const commands = [
  'portreeve find 0200.0002.0007',
  'portreeve host explain lobby-camera --enforced | head -4',
  "portreeve group add-to-parents --set groupID=$(portreeve group get 'Ports of Library' --jq .dbid) --set parentID=$(portreeve group get 'Role Based Access' --jq .dbid) --set replace=false --dry-run",
];
/** The third command, without the lookup of its numbers. */
const shownAs = new Map([
  [commands[2]!, 'portreeve group add-to-parents --set groupID=12 --set parentID=3 --set replace=false --dry-run'],
]);

export const trial = defineTrial({
  doc: 'Types a few commands into a fresh demonstration, and writes what a terminal shows as a picture (SVG) for the README.',
  options: {
    file: text('docs/demo.svg', 'where the picture goes'),
    columns: number(112, 'width of the terminal'),
  },
  async run({ file, columns }) {
    const demo = await startDemo();
    try {
      const lines: string[] = [];
      for (const command of commands) {
        lines.push(`$ ${shownAs.get(command) ?? command}`, ...(await typed(command, columns, demo.environment)), '');
      }
      await writeFile(join(checkout, file), terminalPicture(lines.slice(0, -1), columns, 'portreeve on a terminal'));
      console.log(`Wrote ${file}: ${lines.length - 1} lines.`);
    } finally {
      await demo.end();
    }
  },
});

async function typed(command: string, columns: number, env: NodeJS.ProcessEnv): Promise<string[]> {
  const onTerminal = ['--quiet', '--command', `stty cols ${columns}; ${command}`, '/dev/null'];
  const options = { env: { ...env, TERM: 'xterm', SHELL: '/bin/bash' }, timeout: 60_000 };
  const { stdout } = await promisify(execFile)('script', onTerminal, options);
  return stdout.replaceAll('\r\n', '\n').trimEnd().split('\n');
}
