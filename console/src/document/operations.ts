import type { GroupInfo, GroupOperation } from './group.ts';

/** An operation by its whole id, such as `host.policy`. */
export const findOperation = ({ operations }: GroupInfo, id: string | null): GroupOperation | undefined =>
  operations.find((operation) => operation.id === id);

/** The operation of a group that follows a pattern. A heading may have operations of a lesser group too. */
export const operationOf = (group: GroupInfo, pattern: string): GroupOperation | undefined =>
  group.operations.find(
    ({ id, pattern: operationPattern }) => operationPattern === pattern && id.startsWith(`${group.name}.`),
  );

/** The parameter of a path that is about one record. */
export const pathParameter = (operation: GroupOperation | undefined): string | undefined =>
  /\{(\w+)\}/.exec(operation?.path ?? '')?.[1];
