import { describe } from 'vitest';
import { testCollection } from '../../../test/conformance/conformance.ts';
import { adapter } from './adapter.ts';

const mac = (n: number) =>
  `00:50:C2:00:${(n >> 8).toString(16).padStart(2, '0')}:${(n & 255).toString(16).padStart(2, '0')}`.toUpperCase();

describe('adapter', () => {
  testCollection(adapter, {
    sample: (n) => ({ physicalAddress: mac(n), description: `adapter ${n} of the ward` }),
    change: (n) => ({ description: `changed ${n}` }),
  });
});
