import { existsSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { suggestion } from '../cli/src/nearest.ts';
import { readCommand, refuse } from './command.ts';
import { declarationText, moduleText, proofRow, proofsHead, testText } from './new/files.ts';
import { type ContractOperation, planOf } from './new/plan.ts';
import { run } from './run.ts';

/** Begins a group: its folder from the contract's operations, and its row in docs/proofs. */

const usage = 'npm run new';
const { positionals } = readCommand({
  usage,
  doc: 'Begins a group of the contract: declaration, module and test from its operations in catalogue.json, and its row in docs/proofs. The rest is printed.',
  takes: 'DOMAIN/NAME',
});
const root = fileURLToPath(new URL('..', import.meta.url));
const contract = JSON.parse(await readFile(join(root, 'catalogue.json'), 'utf8')) as ContractOperation[];
const [, domain, name] = /^([a-z][a-z0-9-]*)\/([a-z][a-z0-9-]*)$/.exec(positionals[0] ?? '') ?? [];
if (domain === undefined || name === undefined || positionals.length > 1)
  refuse({ usage }, 'Name a domain and a group in lower case, like npm run new -- network/mac-exclusion.');
const plan = planOf(domain, name, contract);
if (!plan) {
  const names = new Set(contract.map(({ group }) => group.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-')));
  refuse({ usage }, `catalogue.json has no group "${name}".${suggestion(name, names)}`);
}
const folder = `server/src/${domain}/${name}`;
if (existsSync(join(root, folder))) refuse({ usage }, `${folder} exists already.`);

const write = async (path: string, text: string): Promise<void> => {
  await mkdir(dirname(join(root, path)), { recursive: true });
  await writeFile(join(root, path), text);
};
const edit = async (path: string, change: (text: string) => string): Promise<void> =>
  write(path, change(await readFile(join(root, path), 'utf8')));

const files = {
  [`${folder}/${name}.ts`]: declarationText(plan),
  [`${folder}/${name}.module.ts`]: moduleText(plan),
  [`${folder}/${name}.test.ts`]: testText(plan),
};
for (const [path, text] of Object.entries(files)) await write(path, text);
const proofs = `docs/proofs/${domain}.md`;
if (existsSync(join(root, proofs))) await edit(proofs, (text) => `${text.trimEnd()}\n${proofRow(plan)}\n`);
else await write(proofs, `${proofsHead(domain)}${proofRow(plan)}\n`);
const code = await run(join(root, 'node_modules/.bin/biome'), ['check', '--write', folder]);

console.log(`Wrote ${[...Object.keys(files), proofs].join(', ')}.`);
if (plan.actions.length > 0)
  console.log(
    `No pattern serves these, so they become actions in ${name}.actions.ts, named in ${name}.module.ts:\n  ${plan.actions.join('\n  ')}`,
  );
console.log(`Next:
  1. complete fields, permission and docs of ${folder}/${name}.ts from the specification
  2. give each field that a client may set a reader, code outside the group's own checks that gives it its effect, and name that file
     in server/test/surface/declared-readers.ts; declare a field without one notYet(…), so that it is refused
  3. npm run migration -- add-${name}
  4. npm run generate -- --all
  5. a file in changes/, and the proofs that the specification asks for in ${proofs}
  6. npm run check`);
process.exitCode = code;
