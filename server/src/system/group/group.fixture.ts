import type { Fixtures } from '../../../test/world/fixtures.ts';
import { elementTypes } from '../../kernel/declare/element-type.ts';

export const fixtures: Fixtures = {
  group: {
    restricted: (limiter) => limiter.group(elementTypes[0]!),
    // The caller's row limits would hide the copy.
    refused: { copy: 403 },
  },
};
