import { describe } from 'vitest';
import { testCollection } from '../../../test/conformance/conformance.ts';
import { host } from './host.ts';

describe('host', () => {
  testCollection(host, {
    sample: (n) => ({
      type: 1,
      hostName: `host-${n}`,
      operatingSystem: `system ${n}`,
      attributes: [{ name: 'room', value: `${n}` }],
    }),
  });
});
