import type { GroupInfo, GroupOperation } from './group.ts';

/** Returns an operation by its id, such as `host.policy`. */
export const findOperation = ({ operations }: GroupInfo, id: string | null): GroupOperation | undefined =>
  operations.find((operation) => operation.id === id);

/** Returns the operation of a resource with a pattern. Operations of other resources under the same tag are excluded by their id. */
export const operationOf = (group: GroupInfo, pattern: string): GroupOperation | undefined =>
  group.operations.find(
    ({ id, pattern: operationPattern }) => operationPattern === pattern && id.startsWith(`${group.name}.`),
  );

/** Returns the name of the path parameter, which is the id of a record. */
export const pathParameter = (operation: GroupOperation | undefined): string | undefined =>
  /\{(\w+)\}/.exec(operation?.path ?? '')?.[1];
