import type { GroupInfo, GroupOperation } from './group.ts';
import { operationOf, pathParameter } from './operations.ts';

/** Patterns that lists, record views and the feed call themselves, or that duplicate another one. They are not offered as actions. */
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

const isOperationNamed = ({ name }: GroupInfo, { id }: GroupOperation, suffix: string): boolean =>
  new RegExp(`^${name}\\.${suffix}(-|$)`).test(id);

/** Returns the operations that create a record with a form. */
export const creatorsOf = (group: GroupInfo): GroupOperation[] =>
  group.operations.filter((operation) => isOperationNamed(group, operation, 'create') && operation.method === 'POST');

/** Returns the operations that update a record, or the settings, with a form. */
export const editorsOf = (group: GroupInfo): GroupOperation[] =>
  group.operations.filter(
    (operation) =>
      (operation.pattern === 'settingsWrite' && isOperationNamed(group, operation, 'write')) ||
      (isOperationNamed(group, operation, 'update') && operation.path.includes('{')),
  );

/** Operations that a special screen calls by name. */
const operationsOfScreens: ReadonlySet<string> = new Set(['host.policy', 'host.multifilter']);

/** Returns whether a list, record view or screen calls the operation, so that it is not offered as an action. */
export const isUsedByPage = ({ id, pattern }: GroupOperation): boolean =>
  patternsOfPages.has(pattern ?? '') || operationsOfScreens.has(id);

const isForm = (group: GroupInfo, operation: GroupOperation): boolean =>
  creatorsOf(group).includes(operation) || editorsOf(group).includes(operation);

/** Returns the path parameter or body field that takes the id of a record of the resource. */
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

/** Returns the actions on one record. */
export function recordActions(group: GroupInfo): GroupOperation[] {
  return group.operations.filter(
    (operation) =>
      !isUsedByPage(operation) &&
      !operation.pattern?.endsWith('Many') &&
      !isForm(group, operation) &&
      ownInput(group, operation) !== undefined,
  );
}

/** Patterns for one record and the bulk pattern that replaces them. Rank changes have none: they apply to one record only. */
const bulkPatterns: Readonly<Record<string, string>> = {
  deleteOne: 'deleteMany',
  enable: 'enableMany',
  disable: 'disableMany',
  rankSet: '',
  rankSwap: '',
};

/** Returns the actions on several records: one request if the operation takes a list, otherwise one request per record. */
export function bulkActions(group: GroupInfo): GroupOperation[] {
  const actions = new Set(recordActions(group));
  const isThere = (pattern: string) => pattern === '' || operationOf(group, pattern) !== undefined;
  return group.operations.filter(
    (operation) =>
      operation.writes &&
      (actions.has(operation) || (operation.pattern?.endsWith('Many') && ownInput(group, operation) !== undefined)) &&
      !(operation.pattern && operation.pattern in bulkPatterns && isThere(bulkPatterns[operation.pattern]!)),
  );
}

/** Returns whether the operation takes a list of records. */
export const takesMany = ({ fields = [] }: GroupOperation, ownName: string): boolean =>
  fields.find(({ name }) => name === ownName)?.kind === 'list';

/** Returns the actions of a list: those without a record, and those whose records are entered in the form. */
export function groupActions(group: GroupInfo): GroupOperation[] {
  const actions = new Set(recordActions(group));
  return group.operations.filter(
    (operation) =>
      !isUsedByPage(operation) &&
      !isForm(group, operation) &&
      (!actions.has(operation) || !operation.path.includes('{')),
  );
}

/** Returns whether the operation disconnects hosts or users, or cannot be undone. */
export const isDangerous = ({ id, method }: GroupOperation): boolean =>
  method === 'DELETE' || /\.(delete|disable|revoke|restart|stop|clear|remove)/.test(id);

/** Clauses of a summary that describe details of the request or of the effect. */
const detailClause = /[;:] |, (?=or |all |with |by |in |now |as |where |and optionally |including |without |newest )/;

/**
 * Returns the name of an operation as a verb and a noun: "Disable host" for the summary "Disable a Host; …", and "Create AAA server" for
 * "Create an AAA server, or update the one with the given identity".
 */
export function nameOf({ summary }: Pick<GroupOperation, 'summary'>): string {
  const [clause = ''] = summary.split(detailClause);
  const [, verb, article, noun] = /^(\w+) (an? |the )?(.+)$/.exec(clause) ?? [];
  if (verb === undefined || noun === undefined) return clause;
  const isTitle = article !== undefined || / records$/.test(noun);
  return `${verb} ${isTitle && /^[A-Z][a-z]/.test(noun) ? noun.charAt(0).toLowerCase() + noun.slice(1) : noun}`;
}
