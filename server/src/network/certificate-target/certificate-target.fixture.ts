import type { Fixtures } from '../../../test/world/fixtures.ts';
import { fillEmpty } from './certificate-target.service.ts';
import { certificateTarget } from './certificate-target.ts';

export const fixtures: Fixtures = {
  'certificate-target': {
    /** Creates an authority, and a certificate to copy. */
    async stage(tx) {
      await fillEmpty(tx, 'agent');
      return (await tx.records.create(certificateTarget, { name: 'example-ca', target: 'TRUST' })).id;
    },
  },
};
