import { ensureConsole } from '../build/build-console.ts';

/* What vitest does before the first test in a browser: several files would build at once. */

export const setup = ensureConsole;
