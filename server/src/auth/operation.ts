import { extraOperations } from '../kernel/declare/extra-operation.ts';

/** Declares an operation about the caller's identity. It is outside the catalogue, but served, documented and tested like all others. */
export const authOperation = extraOperations('Authentication');
