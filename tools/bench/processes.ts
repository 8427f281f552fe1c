import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { postgresFolder } from '@portreeve/testbed/postgres.ts';

/** Returns the process id of the postmaster of this checkout's private cluster. */
export function postmasterPid(): number {
  const checkout = fileURLToPath(new URL('../..', import.meta.url));
  const [pid] = readFileSync(join(postgresFolder(checkout), 'data', 'postmaster.pid'), 'latin1').split('\n');
  return Number(pid);
}

/** Starts a program of this folder and waits for its first message. */
export async function startProgram<T>(
  file: string,
  args: readonly string[],
  environment: NodeJS.ProcessEnv = process.env,
): Promise<{ child: ChildProcess; said: T }> {
  const child = fork(fileURLToPath(new URL(file, import.meta.url)), args, {
    env: environment,
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  const ended = once(child, 'exit').then(([code]) => {
    throw new Error(`${file} ended with code ${code}`);
  });
  const [firstMessage] = (await Promise.race([once(child, 'message'), ended])) as [T];
  return { child, said: firstMessage };
}

export async function endProgram(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  const patience = setTimeout(() => child.kill('SIGKILL'), 5_000);
  await ended;
  clearTimeout(patience);
}
