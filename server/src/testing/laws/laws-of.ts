import { describe } from 'vitest';
import { catalogue } from '../../catalogue.ts';
import type { Declaration } from '../../kernel/declare.ts';
import { isQuick } from '../quickly.ts';

/**
 * `describe` for the laws of a group. `npm run check` keeps them of the groups that are made for tests, which have everything a
 * declaration can have: what breaks in the kernel shows there. Those of served groups it leaves to `npm test`, for they grow with them.
 */
export const lawsOf = (declaration: Declaration): ReturnType<typeof describe.skipIf> =>
  describe.skipIf(isQuick() && catalogue.some((group) => group.declaration === declaration));
