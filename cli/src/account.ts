import { operations } from '@portreeve/sdk/generated/operations.ts';
import type { Client } from '@portreeve/sdk/runtime.ts';
import type { Options } from './args.ts';
import { readSecret } from './ask.ts';
import { NoSuchRecord } from './identities.ts';
import { line, type Screen } from './output.ts';
import { escapeUnsafe, filterText } from './text.ts';
import { UsageError } from './usage-error.ts';

export const connectionOptions: Options = {
  url: { value: 'URL', doc: 'URL of the service' },
  token: { value: 'TOKEN', doc: 'API token' },
};

export const generateOption: Options = {
  generate: { doc: 'Let the service generate a one-time password, which is printed once' },
};

/** Finds an administrator account by name or number. */
export async function accountFrom(client: Client, word: string): Promise<{ id: number; userID: string }> {
  const filter = /^\d{1,16}$/.test(word) ? `id==${word},userID==${filterText(word)}` : `userID==${filterText(word)}`;
  const { results } = await client.call<{ id: number; userID: string }>(operations['account.list'], {
    query: { filter: [filter], count: 2 },
  });
  const account = results.find(({ userID }) => userID.toLowerCase() === word.toLowerCase()) ?? results[0];
  if (!account) throw new NoSuchRecord(`There is no administrator account ${JSON.stringify(word)}.`);
  return account;
}

/** Finds an admin profile by name. */
export async function profileFrom<P extends { dbid: number; name: string }>(client: Client, name: string): Promise<P> {
  const { results } = await client.call<P>(operations['admin-profile.list'], {
    query: { filter: [`name==${filterText(name)}`], count: 1 },
  });
  if (results[0]) return results[0];
  const profiles = await client.call<{ name: string }>(operations['admin-profile.list'], {
    query: { sortKey: 'name', count: 20 },
  });
  throw new UsageError(
    `There is no admin profile ${JSON.stringify(name)}. Available: ${profiles.results.map((profile) => escapeUnsafe(profile.name)).join(', ')}.`,
  );
}

/** Reads a new password: typed twice on a terminal without echo, or the first line of a pipe. */
export async function readNewPassword(userID: string): Promise<string> {
  const password = await readSecret(`New password for ${userID} (at least 10 characters): `);
  if (!process.stdin.isTTY) return password;
  if ((await readSecret('Repeat the password: ')) !== password)
    throw new UsageError('The two passwords differ. Nothing was done.');
  return password;
}

/** Prints the result. A generated password is printed alone on standard output, for scripts. */
export async function emitPassword(screen: Screen, sentence: string, generated?: string | null): Promise<void> {
  if (!generated) return line(screen.out, sentence);
  await line(screen.err, sentence);
  await line(screen.err, 'One-time password (shown only once):');
  await line(screen.out, generated);
}
