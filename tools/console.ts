import { budgets, compareSizes } from '@portreeve/console/build/budgets.ts';
import { buildConsole } from '@portreeve/console/build/build-console.ts';
import { readReach } from '@portreeve/console/build/reach.ts';
import { flag, number, readCommand, text } from './command.ts';
import { ensureProducts } from './generate/products.ts';

/** Builds the console that nodes serve at /console/. */

const { values } = readCommand({
  usage: 'npm run console',
  doc: 'Builds the console into console/dist and prints the size of each chunk (gzip). Ends with 1 when one exceeds its budget.',
  options: {
    budget: number(budgets.shell, 'kB of script that the first page may load'),
    reach: flag('print which operations of the document can be reached from the menu instead'),
    pictures: text(undefined, 'take the pictures of docs/console instead, from the demonstration at this address'),
  },
});

await ensureProducts();
if (values.reach) {
  const { operations, reached, groups, reachedGroups, missing, deadEnds } = await readReach();
  for (const id of missing) console.log(`not reached: ${id}`);
  console.log(
    `operations ${reached} of ${operations} reached, groups ${reachedGroups} of ${groups}, dead ends ${deadEnds.length}`,
  );
} else if (values.pictures !== undefined) {
  const { consolePictures } = await import('./console-pictures.ts');
  for (const name of await consolePictures(values.pictures, 'docs/console')) console.log(`docs/console/${name}`);
} else {
  const { lines, fits } = compareSizes(await buildConsole(), { ...budgets, shell: values.budget });
  for (const line of lines) console.log(line);
  process.exitCode = fits ? 0 : 1;
}
