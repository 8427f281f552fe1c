import { extraOperation, type Operation } from '../kernel/declare/operation.ts';

/** An operation about who one is: outside the catalogue, but served, documented and tested like all others. */
export const authOperation = (operation: Omit<Parameters<typeof extraOperation>[0], 'group'>): Operation =>
  extraOperation({ group: 'Authentication', ...operation });
