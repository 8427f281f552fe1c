import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { UsageError } from './usage-error.ts';

/** A question on the terminal; the answer is kept from the screen when it is a secret. */
async function question(prompt: string, isSecret: boolean): Promise<string> {
  // readline wipes the line it starts on, so a visible prompt is its own to write; a secret's is ours.
  if (isSecret) process.stderr.write(prompt);
  // readline echoes what is typed to its output, so a secret gets one that shows nothing.
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() });
  const terminal = createInterface({
    input: process.stdin,
    output: isSecret ? nowhere : process.stderr,
    terminal: true,
  });
  // Ctrl-C and Ctrl-D leave the question open for ever otherwise.
  const left = new AbortController();
  terminal.once('SIGINT', () => left.abort()).once('close', () => left.abort());
  try {
    return await terminal.question(isSecret ? '' : prompt, { signal: left.signal });
  } catch {
    throw new UsageError('Nothing was done.');
  } finally {
    terminal.close();
    if (isSecret) process.stderr.write('\n');
  }
}

/** Yes only when it is said. */
export async function confirmed(prompt: string): Promise<boolean> {
  return /^y(es)?$/i.test((await question(`${prompt} [y/N] `, false)).trim());
}

/** A secret from a person without echo, or the first line of a pipe. */
export async function readSecret(prompt: string): Promise<string> {
  if (process.stdin.isTTY) return question(prompt, true);
  for await (const line of createInterface({ input: process.stdin })) return line;
  throw new UsageError('There is nothing on standard input.');
}
