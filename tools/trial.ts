import { readdir } from 'node:fs/promises';
import { suggestion } from '../cli/src/nearest.ts';
import { flag, readCommand, refuse } from './command.ts';
import type { AnyTrial } from './define-trial.ts';
import { ensureProducts } from './generate/products.ts';

/** Runs one of the trials in tools/trials; each has its own options. */

await ensureProducts();
const usage = 'npm run trial';
const names = (await readdir(new URL('./trials/', import.meta.url)))
  .filter((file) => file.endsWith('.ts'))
  .map((file) => file.slice(0, -'.ts'.length))
  .sort();
const [first = '--list', ...rest] = process.argv.slice(2);

if (first.startsWith('-')) {
  readCommand({
    usage,
    doc: 'Runs a trial: minutes of load, kills or hostile input, then everything is checked. NAME --help prints its options.',
    takes: 'NAME',
    options: { list: flag('name the trials') },
  });
  for (const name of names) console.log(`${name.padEnd(14)} ${(await load(name)).doc}`);
  process.exitCode = process.argv.length > 2 ? 0 : 2;
} else {
  if (!names.includes(first))
    refuse({ usage }, `There is no trial "${first}".${suggestion(first, names)} npm run trial -- --list prints all.`);
  const trial = await load(first);
  const { values } = readCommand({ usage: `${usage} -- ${first}`, ...trial }, rest);
  // A trial's nodes and databases end with the process.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));
  await trial.run(values);
}

async function load(name: string): Promise<AnyTrial> {
  const { trial } = (await import(`./trials/${name}.ts`)) as { trial: AnyTrial };
  return trial;
}
