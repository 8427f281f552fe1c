import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import type { Document } from './cut-document.ts';
import { reachOf } from './reach.ts';

test('every served operation can be reached from the menu and no page is empty', async () => {
  const document = JSON.parse(await readFile(new URL('../../openapi.json', import.meta.url), 'utf8')) as Document;
  const { missing, deadEnds, groups, reachedGroups } = reachOf(document);
  expect(missing).toEqual([]);
  expect(deadEnds).toEqual([]);
  expect(reachedGroups).toBe(groups);
  // The check reports an operation that no page offers.
  const hidden = structuredClone(document);
  const [path] = Object.keys(hidden.paths).filter((candidate) => candidate.endsWith('/policy/role/{id}'));
  for (const operation of Object.values(hidden.paths[path!]!)) operation.tags = ['Nowhere'];
  expect(reachOf(hidden).missing).toContain('role.update');
});
