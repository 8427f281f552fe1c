import { readFile, writeFile } from 'node:fs/promises';
import { advice, difference } from '@portreeve/server/testing/sql/difference.ts';
import { observeSql, pinnedFile } from '@portreeve/server/testing/sql/pin.ts';

/** Writes down the SQL behind every operation and the rows it reads; with --check only says what differs. */

const { text } = await observeSql();
const stands = await readFile(pinnedFile, 'utf8').catch((error: NodeJS.ErrnoException) => {
  // Not there yet is only the farthest it can differ.
  if (error.code === 'ENOENT') return '';
  throw error;
});
const differing = difference(stands, text);

if (differing === '') {
  console.log('server/sql.pinned.txt is what the operations ask of PostgreSQL.');
} else if (process.argv.includes('--check')) {
  console.error(advice(differing));
  process.exitCode = 1;
} else {
  await writeFile(pinnedFile, text);
  console.log(`Wrote server/sql.pinned.txt: read its diff, it is part of the review.\n\n${differing}`);
}
