import type { GroupInfo, GroupOperation } from './group.ts';
import { operationOf, pathParameter } from './operations.ts';

/** Patterns that lists, records, their tabs and the feed make use of, or that do what another one does: counts are the size of the list. */
const patternsOfPages: ReadonlySet<string> = new Set([
  'list',
  'fetch',
  'count',
  'countAll',
  'usage',
  'usageByPost',
  'deleteByPost',
  'settingsRead',
  'monitor',
]);

const isOperationNamed = ({ name }: GroupInfo, { id }: GroupOperation, act: string): boolean =>
  new RegExp(`^${name}\\.${act}(-|$)`).test(id);

/** Forms for a new record. */
export const creatorsOf = (group: GroupInfo): GroupOperation[] =>
  group.operations.filter((operation) => isOperationNamed(group, operation, 'create') && operation.method === 'POST');

/** Forms for a record that exists, or for the one of a group of settings. */
export const editorsOf = (group: GroupInfo): GroupOperation[] =>
  group.operations.filter(
    (operation) =>
      (operation.pattern === 'settingsWrite' && isOperationNamed(group, operation, 'write')) ||
      (isOperationNamed(group, operation, 'update') && operation.path.includes('{')),
  );

/** Operations that a screen by hand calls by their name. */
const operationsOfScreens: ReadonlySet<string> = new Set(['host.policy', 'host.multifilter']);

/** It is no act of its own: a list, a record or a screen makes use of it. */
export const isUsedByPage = ({ id, pattern }: GroupOperation): boolean =>
  patternsOfPages.has(pattern ?? '') || operationsOfScreens.has(id);

const isForm = (group: GroupInfo, operation: GroupOperation): boolean =>
  creatorsOf(group).includes(operation) || editorsOf(group).includes(operation);

/** The parameter of a path, or the field of a body, that takes the identity of a record of the group. */
export function ownInput(group: GroupInfo, operation: GroupOperation): string | undefined {
  const ownName = pathParameter(operationOf(group, 'fetch')) ?? pathParameter(operationOf(group, 'deleteOne')) ?? 'id';
  const isInPath = operation.path.includes(`{${ownName}}`);
  const isOwn = ({ reference, kind, items }: { reference?: { group: string }; kind: string; items?: string }) =>
    reference?.group === group.name && (kind !== 'list' || items === 'integer' || items === 'text');
  const field = [...(operation.fields ?? []), ...(operation.parameters ?? [])].find(
    (candidate) => candidate.name === group.identity && isOwn(candidate),
  );
  return isInPath ? ownName : field?.name;
}

/** What can be done with one record. */
export function recordActions(group: GroupInfo): GroupOperation[] {
  return group.operations.filter(
    (operation) =>
      !isUsedByPage(operation) &&
      !operation.pattern?.endsWith('Many') &&
      !isForm(group, operation) &&
      ownInput(group, operation) !== undefined,
  );
}

/** Acts with one record that are also there for many; what moves a record in an order is about one. */
const bulkPatterns: Readonly<Record<string, string>> = {
  deleteOne: 'deleteMany',
  enable: 'enableMany',
  disable: 'disableMany',
  rankSet: '',
  rankSwap: '',
};

/** What can be done with several records: by one request where an operation takes a list, else by one each. */
export function bulkActions(group: GroupInfo): GroupOperation[] {
  const acts = new Set(recordActions(group));
  const isThere = (pattern: string) => pattern === '' || operationOf(group, pattern) !== undefined;
  return group.operations.filter(
    (operation) =>
      operation.writes &&
      (acts.has(operation) || (operation.pattern?.endsWith('Many') && ownInput(group, operation) !== undefined)) &&
      !(operation.pattern && operation.pattern in bulkPatterns && isThere(bulkPatterns[operation.pattern]!)),
  );
}

/** The operation takes a list of records. */
export const takesMany = ({ fields = [] }: GroupOperation, ownName: string): boolean =>
  fields.find(({ name }) => name === ownName)?.kind === 'list';

/** What can be done with a group as a whole, or with records that are named first. */
export function groupActions(group: GroupInfo): GroupOperation[] {
  const acts = new Set(recordActions(group));
  return group.operations.filter(
    (operation) =>
      !isUsedByPage(operation) && !isForm(group, operation) && (!acts.has(operation) || !operation.path.includes('{')),
  );
}

/** What cuts somebody off, or cannot be taken back. */
export const isDangerous = ({ id, method }: GroupOperation): boolean =>
  method === 'DELETE' || /\.(delete|disable|revoke|restart|stop|clear|remove)/.test(id);

/** `Disable a Host; …` is "Disable a Host". */
export const nameOf = ({ summary }: GroupOperation): string => summary.split(';')[0]!;
