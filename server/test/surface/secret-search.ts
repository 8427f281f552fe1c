import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { TestDatabase } from '../world/databases.ts';

const program = '/usr/lib/postgresql/15/bin/pg_dump';
const dumpBytesMax = 256 * 1_048_576;

/** Dumps a database as text. */
export async function dumpOf({ ownerUrl }: TestDatabase): Promise<string> {
  const args = ['--inserts', '--no-owner', `--dbname=${ownerUrl}`];
  return (await promisify(execFile)(program, args, { maxBuffer: dumpBytesMax })).stdout;
}

/** Returns a secret in the encodings in which a text could contain it. */
const spellings = (secret: string): string[] => [
  secret,
  Buffer.from(secret).toString('hex'),
  Buffer.from(secret).toString('base64').replaceAll('=', '').slice(0, -1),
  encodeURIComponent(secret),
];

/** Returns which secrets occur in which texts, with the place of each. */
export const secretsIn = (secrets: readonly string[], places: Readonly<Record<string, string>>): string[] =>
  Object.entries(places).flatMap(([place, text]) =>
    secrets.flatMap((secret) =>
      spellings(secret)
        .filter((spelling) => text.includes(spelling))
        .map((spelling) => `${place}: ${spelling}`),
    ),
  );
