import { spawn } from 'node:child_process';

/**
 * Runs a command of the project with its output shown, and returns its exit code. Without a shell, so arguments need no
 * quoting.
 */
export function run(
  program: string,
  args: readonly string[],
  environment: NodeJS.ProcessEnv = process.env,
): Promise<number> {
  return new Promise((done, fail) => {
    const child = spawn(program, args, { stdio: 'inherit', env: environment });
    child.on('error', fail);
    child.on('exit', (code, signal) => done(code ?? (signal ? 1 : 0)));
  });
}

/** A step of a check: its name, and the command. */
export type Step = readonly [name: string, program: string, args: readonly string[]];

/** Runs a command and shows its output when it has ended, so that several can run at once. */
function runQuietly(program: string, args: readonly string[]): Promise<number> {
  return new Promise((done, fail) => {
    const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'pipe'] });
    const output: Buffer[] = [];
    child.stdout.on('data', (data: Buffer) => output.push(data));
    child.stderr.on('data', (data: Buffer) => output.push(data));
    child.on('error', fail);
    child.on('close', (code, signal) => {
      process.stdout.write(Buffer.concat(output));
      done(code ?? (signal ? 1 : 0));
    });
  });
}

/**
 * Runs steps, prints how long each took, and ends when one has failed: the first ones at once, the others after them,
 * one by one.
 */
export async function runSteps(atOnce: readonly Step[], laterSteps: readonly Step[]): Promise<void> {
  const started = performance.now();
  const timed = async ([name, program, args]: Step, start: typeof run) => {
    const before = performance.now();
    const code = await start(program, args);
    console.log(`── ${name}: ${code === 0 ? 'ok' : `failed with code ${code}`} (${seconds(before)})`);
    return code;
  };
  const codes = await Promise.all(atOnce.map((step) => timed(step, runQuietly)));
  let code = Math.max(...codes);
  for (const step of laterSteps) if (code === 0) code = await timed(step, run);
  if (code !== 0) process.exit(code);
  console.log(`── all ok (${seconds(started)})`);
}

const seconds = (since: number): string => `${((performance.now() - since) / 1_000).toFixed(1)} s`;
