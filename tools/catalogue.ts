import { catalogue } from '@portreeve/server/catalogue.ts';
import { describeOperations } from '@portreeve/server/node/describe-operations.ts';
import contract from '../catalogue.json' with { type: 'json' };
import { flag, readCommand } from './command.ts';

/** Prints how many of the contract's operations are served, and which are not. */
const { values } = readCommand({
  usage: 'npm run catalogue',
  doc: "Prints the contract's operations that are not served, and how many are; fails while any is missing.",
  options: { json: flag('print them as JSON') },
});
const operations = describeOperations(catalogue);
const served = new Set(operations.map(({ method, path }) => `${method} ${path.replace(/^\/api\/v2/, '')}`));
// The contract lists some operations under two groups; each counts there.
const missing = contract.map(({ method, path }) => `${method} ${path}`).filter((operation) => !served.has(operation));
const total = contract.length;

if (values.json) {
  console.log(JSON.stringify({ served: total - missing.length, total, missing }));
} else {
  for (const operation of missing) console.log(operation);
  console.log(`${total - missing.length} of ${total} operations are served.`);
}
process.exitCode = missing.length > 0 ? 1 : 0;
