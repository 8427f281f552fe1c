import { budgets, judgeSizes } from '@portreeve/console/build/budgets.ts';
import { buildConsole } from '@portreeve/console/build/build-console.ts';
import { takePictures } from '@portreeve/console/build/pictures.ts';
import { number, readCommand, text } from './command.ts';

/** Builds the console that nodes serve at /console/. */

const { values } = readCommand({
  usage: 'npm run console',
  doc: 'Builds the console into console/dist and prints the size of each chunk (gzip). Ends with 1 when one exceeds its budget.',
  options: {
    budget: number(budgets.shell, 'kB of script that the first page may load'),
    pictures: text(undefined, 'take the pictures of docs/console instead, from the demonstration at this address'),
  },
});

if (values.pictures !== undefined) {
  for (const name of await takePictures(values.pictures, 'docs/console')) console.log(`docs/console/${name}`);
} else {
  const { lines, fits } = judgeSizes(await buildConsole(), { ...budgets, shell: values.budget });
  for (const line of lines) console.log(line);
  process.exitCode = fits ? 0 : 1;
}
