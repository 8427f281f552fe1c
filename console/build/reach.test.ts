import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import type { Document } from './cut-document.ts';
import { reachOf } from './reach.ts';

test('every operation that is served is reached from the menu, and no page is a dead end', async () => {
  const document = JSON.parse(await readFile(new URL('../../openapi.json', import.meta.url), 'utf8')) as Document;
  const { missing, deadEnds, groups, reachedGroups } = reachOf(document);
  expect(missing).toEqual([]);
  expect(deadEnds).toEqual([]);
  expect(reachedGroups).toBe(groups);
  // An operation that nothing offers is found.
  const hidden = structuredClone(document);
  const [path] = Object.keys(hidden.paths).filter((candidate) => candidate.endsWith('/policy/role/{id}'));
  for (const operation of Object.values(hidden.paths[path!]!)) operation.tags = ['Nowhere'];
  expect(reachOf(hidden).missing).toContain('role.update');
});
