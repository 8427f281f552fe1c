import { operations } from '@portreeve/sdk/generated/operations.ts';
import type { Client } from '@portreeve/sdk/runtime.ts';
import { UsageError } from './usage-error.ts';

/** Finds a container by name or ID; without a word the root container. */
export async function containerFrom(client: Client, word: string | undefined): Promise<number> {
  if (word !== undefined && /^\d{1,16}$/.test(word)) return Number(word);
  const exact = word?.replaceAll(/[\\"*]/g, (sign) => `\\${sign}`);
  const filter = exact === undefined ? 'parent=isnull=true' : `name=="${exact}"`;
  const { results } = await client.call<{ id: number }>(operations['container.list'], {
    query: { filter: [filter], count: 1 },
  });
  if (!results[0])
    throw new UsageError(`There is no container ${word === undefined ? 'at the root' : JSON.stringify(word)}.`);
  return results[0].id;
}
