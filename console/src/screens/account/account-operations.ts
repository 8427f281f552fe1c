import { shellOperations } from '../../../build/shell-operations.ts';
import type { GroupInfo, GroupOperation } from '../../document/group.ts';

/** Operations that one part of the page calls by their name. */
const byName = [
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

export type NamedOperation = (typeof byName)[number];

/** One that the page has a part for. */
export const accountOperation = ({ operations }: GroupInfo, id: NamedOperation): GroupOperation =>
  operations.find((operation) => operation.id === id)!;

const elsewhere: ReadonlySet<string> = new Set([...byName, ...shellOperations]);

/** What else somebody can do, or ask. */
export const otherActions = ({ operations }: GroupInfo): GroupOperation[] =>
  operations.filter(({ id }) => !elsewhere.has(id));

/** Everything that the page leads to. */
export const accountOperations = (group: GroupInfo): GroupOperation[] => [
  ...byName.map((id) => accountOperation(group, id)),
  ...otherActions(group),
];
