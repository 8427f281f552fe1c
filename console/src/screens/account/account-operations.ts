import { shellOperations } from '../../../build/shell-operations.ts';
import type { GroupInfo, GroupOperation } from '../../document/group.ts';

/** Operations that a section of the account page calls by name. */
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

/** Returns an operation that a section of the page calls. */
export const accountOperation = ({ operations }: GroupInfo, id: NamedOperation): GroupOperation =>
  operations.find((operation) => operation.id === id)!;

const operationsWithControl: ReadonlySet<string> = new Set([...namedOperations, ...shellOperations]);

/** Returns the remaining operations, offered under Actions. */
export const otherActions = ({ operations }: GroupInfo): GroupOperation[] =>
  operations.filter(({ id }) => !operationsWithControl.has(id));

/** Returns all operations of the page. */
export const accountOperations = (group: GroupInfo): GroupOperation[] => [
  ...namedOperations.map((id) => accountOperation(group, id)),
  ...otherActions(group),
];
