import type { Fixtures } from '../../../test/world/fixtures.ts';
import { elementTypes } from '../../kernel/declare/element-type.ts';

export const fixtures: Fixtures = {
  group: {
    restricted: (limiter) => limiter.group(elementTypes[0]!),
    // A copy would be one of those that they do not see.
    refused: { copy: 403 },
  },
};
