import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const program = fileURLToPath(new URL('../../portreeve', import.meta.url));

export interface Ended {
  code: number | null;
  out: string;
  err: string;
}

/** Runs the program without a terminal and waits for its end. */
export function runPortreeve(args: readonly string[], env: Record<string, string>, input = ''): Promise<Ended> {
  return collect(program, args, env, input);
}

/** Runs the program on a pseudo terminal of 100 cells. */
export function runOnTerminal(args: readonly string[], env: Record<string, string>, input = ''): Promise<Ended> {
  return collect('script', onTerminal(args), { TERM: 'xterm', ...env }, input);
}

/** Runs the program on a pseudo terminal and answers each prompt when it is shown. */
export function typeOnTerminal(
  args: readonly string[],
  env: Record<string, string>,
  answers: readonly (readonly [prompt: string, typed: string])[],
): Promise<Ended> {
  return collect('script', onTerminal(args), { TERM: 'xterm', ...env }, answers);
}

function onTerminal(args: readonly string[]): string[] {
  const quoted = [program, ...args].map((word) => `'${word.replaceAll("'", `'\\''`)}'`).join(' ');
  return ['-qec', `stty cols 100; ${quoted}`, '/dev/null'];
}

function collect(
  command: string,
  args: readonly string[],
  env: Record<string, string>,
  input: string | readonly (readonly [prompt: string, typed: string])[],
): Promise<Ended> {
  return new Promise((done, fail) => {
    const child = spawn(command, args, { env: { PATH: process.env.PATH ?? '', ...env }, timeout: 120_000 });
    const ended: Ended = { code: null, out: '', err: '' };
    const answers = typeof input === 'string' ? [] : [...input];
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      ended.out += text;
      if (answers[0] && ended.out.includes(answers[0][0])) child.stdin.write(`${answers.shift()![1]}\n`);
    });
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      ended.err += text;
    });
    child.once('error', fail).once('close', (code) => done({ ...ended, code }));
    if (typeof input === 'string') child.stdin.end(input);
  });
}

/** A command that runs until it is stopped. */
export interface Running {
  readonly out: string;
  readonly err: string;
  /** Sends Ctrl-C and returns the output. */
  interrupt(): Promise<Ended>;
}

export function startPortreeve(args: readonly string[], env: Record<string, string>): Running {
  const child = spawn(program, args, { env: { PATH: process.env.PATH ?? '', ...env }, timeout: 180_000 });
  const output = { out: '', err: '' };
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output.out += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    output.err += text;
  });
  const ended = new Promise<Ended>((done) => child.once('close', (code) => done({ ...output, code })));
  return {
    get out() {
      return output.out;
    },
    get err() {
      return output.err;
    },
    interrupt() {
      child.kill('SIGINT');
      return ended;
    },
  };
}
