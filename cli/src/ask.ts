import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { UsageError } from './usage-error.ts';

/** Prompts on the terminal; a secret is read without echo. */
async function question(prompt: string, isSecret: boolean): Promise<string> {
  // readline clears the line it starts on, so readline writes a visible prompt itself; for a secret we write it.
  if (isSecret) process.stderr.write(prompt);
  // readline echoes input to its output stream, so a secret gets a stream that discards everything.
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() });
  const terminal = createInterface({
    input: process.stdin,
    output: isSecret ? nowhere : process.stderr,
    terminal: true,
  });
  // Without this, the prompt never resolves after Ctrl-C or Ctrl-D.
  const left = new AbortController();
  terminal.once('SIGINT', () => left.abort()).once('close', () => left.abort());
  try {
    return await terminal.question(isSecret ? '' : prompt, { signal: left.signal });
  } catch {
    throw new UsageError('Cancelled. Nothing was done.');
  } finally {
    terminal.close();
    if (isSecret) process.stderr.write('\n');
  }
}

/** True only for an explicit y or yes. */
export async function confirmed(prompt: string): Promise<boolean> {
  return /^y(es)?$/i.test((await question(`${prompt} [y/N] `, false)).trim());
}

/** Reads a secret from the terminal without echo, or the first line of a pipe. */
export async function readSecret(prompt: string): Promise<string> {
  if (process.stdin.isTTY) return question(prompt, true);
  for await (const line of createInterface({ input: process.stdin })) return line;
  throw new UsageError('Standard input is empty.');
}
