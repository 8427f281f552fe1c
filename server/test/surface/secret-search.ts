import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { TestDatabase } from '../world/databases.ts';

const program = '/usr/lib/postgresql/15/bin/pg_dump';
const dumpBytesMax = 256 * 1_048_576;

/** Everything that lies in a database, as text. */
export async function dumpOf({ ownerUrl }: TestDatabase): Promise<string> {
  const args = ['--inserts', '--no-owner', `--dbname=${ownerUrl}`];
  return (await promisify(execFile)(program, args, { maxBuffer: dumpBytesMax })).stdout;
}

/** A text that must be nowhere, in the spellings in which it could lie there. */
const spellings = (secret: string): string[] => [
  secret,
  Buffer.from(secret).toString('hex'),
  Buffer.from(secret).toString('base64').replaceAll('=', '').slice(0, -1),
  encodeURIComponent(secret),
];

/** Which of the secrets are in which of the texts, by the place of each. */
export const secretsIn = (secrets: readonly string[], places: Readonly<Record<string, string>>): string[] =>
  Object.entries(places).flatMap(([place, text]) =>
    secrets.flatMap((secret) =>
      spellings(secret)
        .filter((each) => text.includes(each))
        .map((each) => `${place}: ${each}`),
    ),
  );
