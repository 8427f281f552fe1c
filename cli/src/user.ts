import { operations } from '@portreeve/sdk/generated/operations.ts';
import type { Client } from '@portreeve/sdk/runtime.ts';
import { readSecret } from './ask.ts';
import { NoSuchRecord } from './identities.ts';
import { filterText } from './text.ts';
import { UsageError } from './usage-error.ts';

export interface User {
  id: number;
  userID: string;
  /** Admin profile; null for a user who is not an administrator. */
  adminProfileDBID: number | null;
}

/** Finds a user by name or ID; a name that consists of digits takes precedence. */
export async function userFrom(client: Client, word: string): Promise<User> {
  const filter = /^\d{1,16}$/.test(word) ? `id==${word},userID==${filterText(word)}` : `userID==${filterText(word)}`;
  const { results } = await client.call<User>(operations['user.list'], { query: { filter: [filter], count: 2 } });
  const user = results.find(({ userID }) => userID.toLowerCase() === word.toLowerCase()) ?? results[0];
  if (!user) throw new NoSuchRecord(`There is no user ${JSON.stringify(word)}.`);
  return user;
}

/** Reads a network password: typed twice on a terminal without echo, or the first line of a pipe. */
export async function readNetworkPassword(userID: string): Promise<string> {
  const password = await readSecret(`Network password for ${userID}: `);
  if (password === '') throw new UsageError('The password is empty. Nothing was done.');
  if (process.stdin.isTTY && (await readSecret('Repeat the password: ')) !== password)
    throw new UsageError('The two passwords differ. Nothing was done.');
  return password;
}
