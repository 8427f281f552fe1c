import { glob, readFile } from 'node:fs/promises';
import { dirname, join, normalize } from 'node:path';

const testFiles = '{server/src,server/test,sdk/src,cli/src,testbed/src,tools}/**/*.test.ts';
const isSlow = /\.(slow|bench)\.test\.ts$/;
const makesPromise = /\bpromised\(/;

/** Returns test files of the gate with a time limit by `promised`, in the file or in a module that it imports. */
export async function filesWithPromises(): Promise<string[]> {
  const files: string[] = [];
  for await (const file of glob(testFiles)) {
    if (isSlow.test(file)) continue;
    const text = await readFile(file, 'utf8');
    const imported = [...text.matchAll(/from '(\.[^']+\.ts)'/g)].map(([, path]) =>
      normalize(join(dirname(file), path!)),
    );
    // `patience.ts` defines the function; a file may import other functions of it.
    const modules = imported.filter((path) => !path.endsWith('patience.ts'));
    const texts = [text, ...(await Promise.all(modules.map((path) => readFile(path, 'utf8'))))];
    if (texts.some((moduleText) => makesPromise.test(moduleText))) files.push(file);
  }
  return files.sort();
}
