import { extraOperations } from '../kernel/declare/extra-operation.ts';

/** Declares an operation for the console outside the contract. It returns only what the rights on the resources allow. */
export const consoleOperation = extraOperations('Console', '/console/api');
