import { spawn } from 'node:child_process';

/** Runs a command of the project with its output shown, and answers its exit code. No shell: arguments stay arguments. */
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

/** Runs steps one after the other, says how long each took, and ends with the first that fails. */
export async function runSteps(
  steps: readonly (readonly [name: string, program: string, args: readonly string[]])[],
): Promise<void> {
  const started = performance.now();
  for (const [name, program, args] of steps) {
    const before = performance.now();
    const code = await run(program, args);
    console.log(`── ${name}: ${code === 0 ? 'ok' : `failed with code ${code}`} (${seconds(before)})`);
    if (code !== 0) process.exit(code);
  }
  console.log(`── all ok (${seconds(started)})`);
}

const seconds = (since: number): string => `${((performance.now() - since) / 1_000).toFixed(1)} s`;
