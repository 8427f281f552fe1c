import { createInterface, type Interface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { UsageError } from './usage-error.ts';

/** Prompts on the terminal; a secret is read without echo. */
async function question(prompt: string, isSecret: boolean): Promise<string> {
  // readline echoes input to its output stream, so a secret gets a stream that discards everything.
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() });
  const terminal = createInterface({
    input: process.stdin,
    output: isSecret ? nowhere : process.stderr,
    terminal: true,
  });
  // readline clears the line it starts on, so it writes a visible prompt itself. The prompt for a secret is printed only when echo is
  // off, because the user may start to type at once.
  if (isSecret) process.stderr.write(prompt);
  // Without this, the prompt never resolves after Ctrl-C or Ctrl-D.
  const cancellation = new AbortController();
  terminal.once('SIGINT', () => cancellation.abort()).once('close', () => cancellation.abort());
  try {
    return await terminal.question(isSecret ? '' : prompt, { signal: cancellation.signal });
  } catch {
    throw new UsageError('Cancelled. Nothing was done.');
  } finally {
    terminal.close();
    if (isSecret) process.stderr.write('\n');
  }
}

/** Prompts for a confirmation; true only for y or yes. */
export async function askForConfirmation(prompt: string): Promise<boolean> {
  return /^y(es)?$/i.test((await question(`${prompt} [y/N] `, false)).trim());
}

/** Reads a secret from the terminal without echo, or the next line of a pipe. */
export async function readSecret(prompt: string): Promise<string> {
  if (process.stdin.isTTY) return question(prompt, true);
  pipe ??= new PipedLines();
  const line = await pipe.next();
  if (line === undefined) throw new UsageError('Standard input has no further line.');
  return line;
}

let pipe: PipedLines | undefined;

/** Reads lines of standard input one at a time and buffers the rest. */
class PipedLines {
  readonly #input: Interface = createInterface({ input: process.stdin });
  readonly #lines: string[] = [];
  #isOver = false;

  constructor() {
    this.#input.on('line', (line) => this.#lines.push(line));
    this.#input.once('close', () => {
      this.#isOver = true;
    });
  }

  async next(): Promise<string | undefined> {
    if (this.#lines.length === 0 && !this.#isOver) {
      this.#input.resume();
      await new Promise<void>((done) => {
        this.#input.once('line', () => done()).once('close', () => done());
      });
      // A pipe that stays open must not keep the program running.
      if (!this.#isOver) this.#input.pause();
    }
    return this.#lines.shift();
  }
}
