import { catalogue } from '@portreeve/server/catalogue.ts';
import { describeOperations } from '@portreeve/server/describe.ts';
import contract from '../catalogue.json' with { type: 'json' };

/** How many of the contract's operations are served, and which are not. */
const operations = describeOperations(catalogue);
const served = new Set(operations.map(({ method, path }) => `${method} ${path.replace(/^\/api\/v2/, '')}`));
// The contract lists some operations under two groups; each counts where it stands.
const missing = contract.map(({ method, path }) => `${method} ${path}`).filter((operation) => !served.has(operation));
const total = contract.length;

if (process.argv.includes('--json')) {
  console.log(JSON.stringify({ served: total - missing.length, total, missing }));
} else {
  for (const operation of missing) console.log(operation);
  console.log(`${total - missing.length} of ${total} operations are served.`);
}
process.exitCode = missing.length > 0 ? 1 : 0;
