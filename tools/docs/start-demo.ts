import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { freePort } from '@portreeve/testbed/free-ports.ts';

export const checkout = fileURLToPath(new URL('../..', import.meta.url));
const startMsMax = 240_000;

/** Starts a demonstration, and returns the settings that it prints. */
export async function startDemo(): Promise<{ environment: NodeJS.ProcessEnv; end(): Promise<void> }> {
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
