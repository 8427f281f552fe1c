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

  /** A changed certificate or list has no reports yet. */
  async afterSave({ id, before, after }, { tx: { client } }) {
    if (before && after.sha256 !== before.sha256)
      await client.query('update certificate_report set expiry_reported = null where certificate_id = $1', [id]);
    if (before && after.crlPem !== before.crlPem)
      await client.query('update certificate_report set crl_reported = false where certificate_id = $1', [id]);
  },

  beforeDelete: ({ id, name }, context) => refuseDeployed(context, id, name),
});
