import { rules } from '../../context.ts';
import {
  refuseDeployed,
  refuseNamed,
  refuseUnfitKey,
} from '../tls-service-configuration/tls-service-configuration.service.ts';
import { certificateTarget } from './certificate-target.ts';

export const certificateTargetRules = rules(certificateTarget, {
  async beforeSave({ id, before, after }, context) {
    if (before?.certificatePem && !after.certificatePem) await refuseNamed(context, id, before.name);
    if (before && after.keyType !== before.keyType) await refuseUnfitKey(context, id, after.keyType);
  },

  /** Of another certificate, or list, nothing has been reported yet. */
  async afterSave({ id, before, after }, { tx: { records } }) {
    if (before && after.sha256 !== before.sha256)
      await records.observe(certificateTarget, id, { expiryReported: null });
    if (before && after.crlPem !== before.crlPem) await records.observe(certificateTarget, id, { crlReported: false });
  },

  beforeDelete: ({ id, name }, context) => refuseDeployed(context, id, name),
});
