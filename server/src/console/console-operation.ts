import { commonErrors, type Operation } from '../kernel/declare/operation.ts';

/** An operation for the console that the contract does not have; it shows what the rights on the groups show. */
export const consoleOperation = (
  operation: Pick<Operation, 'operationId' | 'method' | 'path' | 'summary' | 'run'> & Partial<Operation>,
): Operation => ({
  group: 'Console',
  access: { kind: 'signed-in' },
  query: {},
  writes: false,
  success: 200,
  ...operation,
  path: `/console/api${operation.path}`,
  errors: [...commonErrors, ...(operation.errors ?? [])],
});
