import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { postgresFolder } from '@portreeve/testbed/postgres.ts';

/** Ticks of the kernel's clock a second, on every Linux that Node runs on. */
const ticksPerSecond = 100;

interface Stat {
  parent: number;
  /** Own time, and that of the children it has reaped. */
  ownMs: number;
  reapedMs: number;
}

function statOf(pid: number): Stat | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'latin1');
    // The name stands in parentheses and may hold anything.
    const fields = text
      .slice(text.lastIndexOf(')') + 2)
      .split(' ')
      .map(Number);
    const ms = (ticks: number) => (ticks * 1_000) / ticksPerSecond;
    return { parent: fields[1]!, ownMs: ms(fields[11]! + fields[12]!), reapedMs: ms(fields[13]! + fields[14]!) };
  } catch {
    return undefined;
  }
}

/** CPU time of a process and everything it started, also of what has ended since. */
export function cpuMsOf(pid: number): number {
  const all = readdirSync('/proc').flatMap((name) => {
    const stat = /^\d+$/.test(name) ? statOf(Number(name)) : undefined;
    return stat ? [{ pid: Number(name), ...stat }] : [];
  });
  const sum = (of: number): number => {
    const stat = all.find((each) => each.pid === of);
    if (!stat) return 0;
    return (
      stat.ownMs +
      stat.reapedMs +
      all.filter(({ parent }) => parent === of).reduce((ms, child) => ms + sum(child.pid), 0)
    );
  };
  return sum(pid);
}

/** The postmaster of this checkout's private cluster. */
export function postmasterPid(): number {
  const checkout = fileURLToPath(new URL('../..', import.meta.url));
  const [pid] = readFileSync(join(postgresFolder(checkout), 'data', 'postmaster.pid'), 'latin1').split('\n');
  return Number(pid);
}

/** Starts one of our own programs and waits for the first thing it says. */
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
  const [said] = (await Promise.race([once(child, 'message'), ended])) as [T];
  return { child, said };
}

export async function endProgram(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  const patience = setTimeout(() => child.kill('SIGKILL'), 5_000);
  await ended;
  clearTimeout(patience);
}
