import { readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { catalogue } from '@portreeve/server/catalogue.ts';
import { declaredEventTypes } from '@portreeve/server/event-types.ts';
import { modelFor } from '@portreeve/server/service.ts';

/**
 * Gives new event types the next free numbers in event-types.json, and changes none that is there: also a type that no code declares any
 * more keeps its number, for old events have it. With --check only says whether any is missing.
 */

const file = fileURLToPath(new URL('../event-types.json', import.meta.url));
const numbers: Record<string, number> = JSON.parse(await readFile(file, 'utf8'));
const missing = declaredEventTypes(catalogue, modelFor(catalogue))
  .map(({ name }) => name)
  .filter((name) => numbers[name] === undefined);

if (missing.length === 0) {
  console.log('event-types.json has a number for every event type.');
} else if (process.argv.includes('--check')) {
  console.error(`event-types.json has no number for ${missing.join(', ')}; run \`npm run event-types\`.`);
  process.exitCode = 1;
} else {
  let last = Math.max(0, ...Object.values(numbers));
  for (const name of missing) numbers[name] = ++last;
  await writeFile(file, `${JSON.stringify(numbers, null, 2)}\n`);
  console.log(`Gave a number to ${missing.join(', ')}.`);
}
