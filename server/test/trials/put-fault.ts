import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** A fault of a few words that somebody could make, for a copy of the code. */
export interface Fault {
  name: string;
  /** Below the folder that is copied. */
  file: string;
  from: string;
  to: string;
}

/** Puts a fault into a copy; answers what takes it out again. A text that is not there once is no fault that anybody could make. */
export async function putFault(folder: string, { file, from, to }: Fault): Promise<() => Promise<void>> {
  const path = join(folder, file);
  const text = await readFile(path, 'utf8');
  if (text.split(from).length !== 2) throw new Error(`${file} does not have this once: ${from}`);
  await writeFile(
    path,
    text.replace(from, () => to),
  );
  return () => writeFile(path, text);
}
