import type { Fixtures } from '../../../test/world/fixtures.ts';

const vendor = { vendor: 'Fixture', vendorID: 98_000 };

export const fixtures: Fixtures = {
  'radius-dictionary-entry': {
    fresh: (number) => ({ vendor: `Example-${number}`, vendorID: 90_000 + number }),
    values: { vendorID: [98_001], definedValues: [{ 1: 'Gold' }], encryptMethod: [2], type: ['octets'] },
    needs: {
      vendor: { vendorID: 98_002 },
      vendorID: { vendor: 'Fixture-1' },
      format: { ...vendor },
      hasTag: { ...vendor, type: 'integer' },
      encryptMethod: { ...vendor, type: 'string' },
      definedValues: { type: 'integer' },
    },
  },
};
