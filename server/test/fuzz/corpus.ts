import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { Target } from './targets.ts';

/** The maximum size of all files of the corpus. */
export const corpusBytesMax = 2 * 1024 * 1024;

const fileOf = (name: string): string => fileURLToPath(new URL(`corpus/${name}.txt`, import.meta.url));

/** Returns the seeds and the inputs that once reached new code: a line of base64 each. */
export async function readCorpus({ name, seeds }: Target): Promise<Buffer[]> {
  const file = fileOf(name);
  const lines = existsSync(file) ? (await readFile(file, 'utf8')).split('\n').filter(Boolean) : [];
  return [...seeds.map((seed) => Buffer.from(seed)), ...lines.map((line) => Buffer.from(line, 'base64'))];
}

export async function writeCorpus({ name, seeds }: Target, inputs: readonly Buffer[]): Promise<void> {
  const lines = inputs.slice(seeds.length).map((input) => `${input.toString('base64')}\n`);
  await writeFile(fileOf(name), lines.join(''));
}
