import { extraOperations } from '../kernel/declare/extra-operation.ts';

/** An operation about who one is: outside the catalogue, but served, documented and tested like all others. */
export const authOperation = extraOperations('Authentication');
