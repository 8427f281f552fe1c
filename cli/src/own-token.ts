import { operations } from '@portreeve/sdk/generated/operations.ts';
import type { Client } from '@portreeve/sdk/runtime.ts';

/** A token as the service lists it. */
export interface ListedToken {
  id: number;
  name: string;
  owner: string;
  profile: string | null;
  prefix: string;
  scopes: Record<string, string[]> | null;
  expiresAt: string;
}

/** The listed token that a text is; nothing for the key of a session. */
export async function ownToken(client: Client, token: string): Promise<ListedToken | undefined> {
  const { results } = await client.call<ListedToken>(operations['token.list']);
  return results.find(({ prefix }) => token.startsWith(prefix));
}
