import { operations } from '@portreeve/sdk/generated/operations.ts';
import type { Client } from '@portreeve/sdk/runtime.ts';

/** A token in the list of the service. */
export interface ListedToken {
  id: number;
  name: string;
  owner: string;
  profile: string | null;
  prefix: string;
  scopes: Record<string, string[]> | null;
  expiresAt: string;
}

/** Finds the listed token of a token text; undefined for a session key. */
export async function ownToken(client: Client, token: string): Promise<ListedToken | undefined> {
  const { results } = await client.call<ListedToken>(operations['token.list']);
  return results.find(({ prefix }) => token.startsWith(prefix));
}
