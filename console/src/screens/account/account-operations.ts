import { shellOperations } from '../../../build/shell-operations.ts';
import type { GroupInfo, GroupOperation } from '../../document/group.ts';

/** Operations that one part of the page calls by their name. */
const namedOperations = [
  'token.list',
  'token.create',
  'token.rotate',
  'token.revoke',
  'session.list',
  'session.revoke',
  'session.password',
  'session.bookmarks',
  'session.save-bookmark',
  'service.index',
] as const;

export type NamedOperation = (typeof namedOperations)[number];

/** One that the page has a part for. */
export const accountOperation = ({ operations }: GroupInfo, id: NamedOperation): GroupOperation =>
  operations.find((operation) => operation.id === id)!;

const operationsWithControl: ReadonlySet<string> = new Set([...namedOperations, ...shellOperations]);

/** What else somebody can do, or ask. */
export const otherActions = ({ operations }: GroupInfo): GroupOperation[] =>
  operations.filter(({ id }) => !operationsWithControl.has(id));

/** Everything that the page leads to. */
export const accountOperations = (group: GroupInfo): GroupOperation[] => [
  ...namedOperations.map((id) => accountOperation(group, id)),
  ...otherActions(group),
];
