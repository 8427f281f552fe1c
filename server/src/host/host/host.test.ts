import { describe } from 'vitest';
import { collectionLaws } from '../../../test/conformance/laws.ts';
import { host } from './host.ts';

describe('host', () => {
  collectionLaws(host, {
    sample: (n) => ({
      type: 1,
      hostName: `host-${n}`,
      operatingSystem: `system ${n}`,
      attributes: [{ name: 'room', value: `${n}` }],
    }),
  });
});
