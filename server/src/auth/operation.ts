import { commonErrors, type Operation } from '../kernel/declare/operation.ts';

/** An operation about who one is: outside the catalogue, but served, documented and tested like all others. */
export const authOperation = (
  operation: Pick<Operation, 'operationId' | 'method' | 'path' | 'summary' | 'run'> & Partial<Operation>,
): Operation => ({
  group: 'Authentication',
  access: { kind: 'signed-in' },
  query: {},
  writes: true,
  success: 200,
  ...operation,
  errors: [...commonErrors, ...(operation.errors ?? [])],
});
