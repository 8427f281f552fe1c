import { extraOperation, type Operation } from '../kernel/declare/operation.ts';

/** An operation for the console that the contract does not have; it shows what the rights on the groups show. */
export const consoleOperation = (operation: Omit<Parameters<typeof extraOperation>[0], 'group'>): Operation =>
  extraOperation({ group: 'Console', ...operation, path: `/console/api${operation.path}` });
