import type { Fixtures } from '../../../test/world/fixtures.ts';
import { certificateTarget } from './certificate-target.ts';
import { ownCertificate } from './own-certificate.ts';

export const fixtures: Fixtures = {
  'certificate-target': {
    /** An authority, and a certificate to copy. */
    async stage({ client, records }) {
      const { rows } = await client.query<{ id: number; nowMs: number }>(
        `select c.id, (extract(epoch from now()) * 1000)::double precision as "nowMs" from certificate_target c where c.name = 'agent'`,
      );
      for (const { id, nowMs } of rows) await records.update(certificateTarget, id, await ownCertificate(nowMs));
      return (await records.create(certificateTarget, { name: 'example-ca', target: 'TRUST' })).id;
    },
  },
};
