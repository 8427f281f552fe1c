import { readFile } from 'node:fs/promises';
import { creatorsOf, editorsOf, groupActions, isUsedByPage, recordActions } from '../src/document/actions.ts';
import type { GroupInfo } from '../src/document/group.ts';
import { accountOperations } from '../src/screens/account/account-operations.ts';
import { type Document, groupsOf, ownAccountOf } from './cut-document.ts';
import { isListed } from './document-modules.ts';
import { shellOperations } from './shell-operations.ts';

/** Operations that the console calls outside the pages of resources. */
const operationsOutsideGroups: ReadonlySet<string> = new Set([...shellOperations, 'console.feed']);

/** The operations and resources that can be reached from the menu. */
export interface Reach {
  operations: number;
  reached: number;
  groups: number;
  reachedGroups: number;
  /** Operations that no page offers. */
  missing: string[];
  /** Resources whose page would be empty. */
  deadEnds: string[];
}

/** Reads the OpenAPI document of the repository. */
export const readReach = async (): Promise<Reach> =>
  reachOf(JSON.parse(await readFile(new URL('../../openapi.json', import.meta.url), 'utf8')) as Document);

export function reachOf(document: Document): Reach {
  const groups = groupsOf(document);
  const reached = new Set<string>(groups.flatMap((group) => reachedIn(group)));
  const all = Object.values(document.paths).flatMap((byMethod) =>
    Object.values(byMethod).map(({ operationId }) => operationId),
  );
  for (const { id } of accountOperations(ownAccountOf(document))) reached.add(id);
  const missing = all.filter((id) => !reached.has(id) && !operationsOutsideGroups.has(id));
  const deadEnds = groups.filter(
    (group) => !isListed(group.name, group.operations) && groupActions(group).length === 0,
  );
  return {
    operations: all.length,
    reached: all.length - missing.length,
    groups: groups.length,
    reachedGroups: groups.length - deadEnds.length,
    missing,
    deadEnds: deadEnds.map(({ name }) => name),
  };
}

function reachedIn(group: GroupInfo): string[] {
  const offered = [...groupActions(group), ...recordActions(group), ...creatorsOf(group), ...editorsOf(group)];
  return [...offered, ...group.operations.filter(isUsedByPage)].map(({ id }) => id);
}
