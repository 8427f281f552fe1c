import { readFile } from 'node:fs/promises';
import { creatorsOf, editorsOf, groupActs, recordActs } from '../src/document/acts.ts';
import type { GroupInfo } from '../src/document/group.ts';
import { type Document, groupsOf } from './cut-document.ts';
import { isListed } from './document-modules.ts';
import { shellOperations } from './shell-operations.ts';

/** Patterns that a list, a record, its tabs or the feed make use of; some are the same question or act asked in another way. */
const byPage: Readonly<Record<string, string>> = {
  list: 'the list',
  count: 'the size of the list',
  countAll: 'the size of the list',
  fetch: 'the record',
  usage: 'the tab Used by',
  usageByPost: 'the tab Used by',
  deleteByPost: 'the action Delete',
  settingsRead: 'the settings',
  monitor: 'the feed of the console',
};

/** What the console calls by name. */
const byName: ReadonlySet<string> = new Set([...shellOperations, 'console.feed', 'host.policy', 'host.multifilter']);

/** What of the document can be reached from the menu. */
export interface Reach {
  operations: number;
  reached: number;
  groups: number;
  reachedGroups: number;
  /** Operations that no page leads to. */
  missing: string[];
  /** Groups whose page would show nothing. */
  deadEnds: string[];
}

/** Of the document that is checked in. */
export const readReach = async (): Promise<Reach> =>
  reachOf(JSON.parse(await readFile(new URL('../../openapi.json', import.meta.url), 'utf8')) as Document);

export function reachOf(document: Document): Reach {
  const groups = groupsOf(document);
  const reached = new Set<string>(groups.flatMap((group) => reachedIn(group)));
  const all = Object.values(document.paths).flatMap((byMethod) =>
    Object.values(byMethod).map(({ operationId }) => operationId),
  );
  const missing = all.filter((id) => !reached.has(id) && !byName.has(id));
  const deadEnds = groups.filter((group) => !isListed(group.name, group.operations) && groupActs(group).length === 0);
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
  const offered = [...groupActs(group), ...recordActs(group), ...creatorsOf(group), ...editorsOf(group)];
  const own = group.operations.filter(({ pattern }) => pattern !== undefined && byPage[pattern] !== undefined);
  return [...offered, ...own].map(({ id }) => id);
}
