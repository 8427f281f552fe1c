import type { Jq, JqError } from 'jq-wasm';
import { escapedJson, escapeUnsafe } from './text.ts';
import { UsageError } from './usage-error.ts';

let loaded: Promise<Jq> | undefined;

/** Loaded when it is asked for: it costs a tenth of a second. */
const loadedJq = (): Promise<Jq> => {
  loaded ??= import('jq-wasm').then(({ loadJq }) => loadJq());
  return loaded;
};

/** Applies an expression of jq to each JSON text of an input; returns what it prints, a line a value, text without quotes. */
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

/** Names come from devices: what they would do to a terminal is spelled out, but for the lines and columns that an expression makes. */
const safeText = (text: string): string => text.replace(/[^\n\t]+/g, escapeUnsafe);

/** `jq: error: …` without the name of the program, and without the count of errors at the end. */
const reasonFrom = (stderr: string): string =>
  stderr
    .split('\n')
    .map((line) => line.replace(/^jq: (?:error: )?/, '').trimEnd())
    .filter((line) => line !== '' && !/^\d+ compile errors?$/.test(line))
    .join('\n  ');
