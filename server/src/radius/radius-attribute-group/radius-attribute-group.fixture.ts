import type { Fixtures } from '../../../test/world/fixtures.ts';

export const fixtures: Fixtures = {
  'radius-attribute-group': {
    // The example's attribute is Filter-Id.
    values: { attributes: [[{ dbid: 1, responseValues: ['%ROLE%'], tag: 0 }]] },
  },
};
