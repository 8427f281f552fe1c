import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { freePort } from '@portreeve/testbed/postgres.ts';
import { flag, text } from '../command.ts';
import { defineTrial } from '../define-trial.ts';
import { masks } from '../docs/masks.ts';
import { runPage } from '../docs/run-page.ts';

const checkout = fileURLToPath(new URL('../..', import.meta.url));
const startMsMax = 240_000;

export const trial = defineTrial({
  doc: 'Types every block of shell of README and handbook into a fresh demonstration, page after page, and compares what is printed with the page.',
  options: {
    only: text(undefined, 'pages whose name contains this'),
    reverse: flag('the pages in the other order'),
    masks: flag('print what may differ, and run nothing'),
  },
  async run({ only = '', reverse, masks: printsMasks }) {
    if (printsMasks) return masks.forEach(({ what }) => void console.log(what));
    const handbook = readdirSync(join(checkout, 'docs/handbook')).map((name) => `docs/handbook/${name}`);
    const pages = ['README.md', ...handbook.sort()].filter((page) => page.includes(only));
    if (reverse) pages.reverse();
    const demo = await startDemo();
    try {
      const sum = { run: 0, differing: 0, skipped: 0 };
      for (const page of pages) {
        const { run, skipped, differing, differences } = await runPage(join(checkout, page), demo.environment);
        console.log(`${page}: ${run} run, ${differing} differ, ${skipped} not for the demo`);
        for (const { place, command, expected, printed } of differences)
          console.log([place, `$ ${command}`, 'shown:', ...expected, 'printed:', ...printed].join('\n  '));
        sum.run += run;
        sum.differing += differing;
        sum.skipped += skipped;
      }
      console.log(`${sum.run} blocks run, ${sum.differing} differ; ${sum.skipped} are marked as not for the demo.`);
      if (sum.differing > 0) process.exitCode = 1;
    } finally {
      await demo.end();
    }
  },
});

/** A demonstration, and the settings that it prints. */
async function startDemo(): Promise<{ environment: NodeJS.ProcessEnv; end(): Promise<void> }> {
  const demo = spawn(process.execPath, ['tools/demo.ts', '--port', String(await freePort())], {
    cwd: checkout,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  process.once('exit', () => demo.kill('SIGTERM'));
  const greeting = await greetingOf(demo);
  const printed = [...greeting.matchAll(/^ {2}export (PORTREEVE_\w+)=(.*)$/gm)].map(([, name, value]) => [
    name!,
    value!,
  ]);
  return {
    environment: {
      ...process.env,
      ...Object.fromEntries(printed),
      PATH: `${join(checkout, 'cli')}:${process.env.PATH}`,
    },
    async end() {
      demo.kill('SIGTERM');
      await once(demo, 'exit');
    },
  };
}

async function greetingOf(demo: ChildProcess): Promise<string> {
  let greeting = '';
  const patience = setTimeout(() => demo.kill('SIGTERM'), startMsMax);
  for await (const chunk of demo.stdout!.iterator({ destroyOnReturn: false })) {
    greeting += chunk;
    if (!greeting.includes('Stop it with Ctrl-C')) continue;
    clearTimeout(patience);
    return greeting;
  }
  throw new Error(`the demonstration does not run:\n${greeting}`);
}
