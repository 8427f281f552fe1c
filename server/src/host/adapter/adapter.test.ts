import { describe } from 'vitest';
import { collectionLaws } from '../../../test/conformance/laws.ts';
import { adapter } from './adapter.ts';

const mac = (n: number) =>
  `00:50:C2:00:${(n >> 8).toString(16).padStart(2, '0')}:${(n & 255).toString(16).padStart(2, '0')}`.toUpperCase();

describe('adapter', () => {
  collectionLaws(adapter, {
    sample: (n) => ({ physicalAddress: mac(n), description: `adapter ${n} of the ward` }),
    change: (n) => ({ description: `changed ${n}` }),
  });
});
