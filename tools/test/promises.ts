import { glob, readFile } from 'node:fs/promises';
import { dirname, join, normalize } from 'node:path';

const testFiles = '{server/src,server/test,sdk/src,cli/src,testbed/src,tools}/**/*.test.ts';
const isSlow = /\.(slow|bench)\.test\.ts$/;
const makesPromise = /\bpromised\(/;

/** Test files of the gate that bound a time by `promised`, themselves or in a module that they import. */
export async function filesWithPromises(): Promise<string[]> {
  const found: string[] = [];
  for await (const file of glob(testFiles)) {
    if (isSlow.test(file)) continue;
    const text = await readFile(file, 'utf8');
    const imported = [...text.matchAll(/from '(\.[^']+\.ts)'/g)].map(([, path]) =>
      normalize(join(dirname(file), path!)),
    );
    // `patience.ts` defines the word; whoever imports it may use another part of it.
    const modules = imported.filter((path) => !path.endsWith('patience.ts'));
    const texts = [text, ...(await Promise.all(modules.map((path) => readFile(path, 'utf8'))))];
    if (texts.some((each) => makesPromise.test(each))) found.push(file);
  }
  return found.sort();
}
