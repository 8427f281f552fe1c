import type { Jq, JqError } from 'jq-wasm';
import { escapedJson, escapeUnsafe } from './text.ts';
import { UsageError } from './usage-error.ts';

let loaded: Promise<Jq> | undefined;

/** Loads jq on first use, because it takes 0.1 s. */
const loadedJq = (): Promise<Jq> => {
  loaded ??= import('jq-wasm').then(({ loadJq }) => loadJq());
  return loaded;
};

/** Applies a jq expression to each JSON text of an input; returns one line per value, text without quotes. */
export async function runJq(input: string, expression: string): Promise<string> {
  const jq = await loadedJq();
  try {
    return jq
      .json(input, expression)
      .map((value) => `${typeof value === 'string' ? safeText(value) : escapedJson(value, 2)}\n`)
      .join('');
  } catch (error) {
    const { name, stderr } = error as Partial<JqError>;
    if (name !== 'JqError') throw error;
    throw new UsageError(`--jq: ${reasonFrom(stderr ?? '')}`);
  }
}

/** Escapes terminal sequences, because names come from devices; keeps the line breaks and tabs of an expression. */
const safeText = (text: string): string => text.replace(/[^\n\t]+/g, escapeUnsafe);

/** Returns the error message of jq without the program name and the error count. */
const reasonFrom = (stderr: string): string =>
  stderr
    .split('\n')
    .map((line) => line.replace(/^jq: (?:error: )?/, '').trimEnd())
    .filter((line) => line !== '' && !/^\d+ compile errors?$/.test(line))
    .join('\n  ');
