import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** A fault of a few words, for a copy of the code. */
export interface Fault {
  name: string;
  /** Below the folder that is copied. */
  file: string;
  from: string;
  to: string;
}

/** Puts a fault into a copy, and returns a function that removes it. The replaced text must occur exactly once. */
export async function putFault(folder: string, { file, from, to }: Fault): Promise<() => Promise<void>> {
  const path = join(folder, file);
  const text = await readFile(path, 'utf8');
  if (text.split(from).length !== 2) throw new Error(`${file} does not contain this exactly once: ${from}`);
  await writeFile(
    path,
    text.replace(from, () => to),
  );
  return () => writeFile(path, text);
}
