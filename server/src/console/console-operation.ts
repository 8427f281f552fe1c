import { extraOperations } from '../kernel/declare/extra-operation.ts';

/** An operation for the console that the contract does not have; it shows what the rights on the groups show. */
export const consoleOperation = extraOperations('Console', '/console/api');
