import { forgetCredentials } from '../../auth/epoch.rules.ts';
import { type Narrowed, refuseWiderSight } from '../../auth/limits.ts';
import { rules } from '../../context.ts';
import { forbidden, invalid, protectedRecord, rejected } from '../../kernel/failure.ts';
import { firstBeyond, grantsOf, type Rights, rightsOf, type Verb } from '../../kernel/permissions.ts';
import type { RecordValue } from '../../kernel/read/select.ts';
import { same } from '../../kernel/write/changes.ts';
import { adminProfile } from './admin-profile.ts';
import { beyondKiosk, misused, type Permissions } from './permission.ts';

export const adminProfileRules = rules(adminProfile, {
  beforeSave({ before, after }, { tx }) {
    if (before?.administrator && !same(before, after))
      throw protectedRecord(`The profile ${before.name} is built in and cannot be changed; make another one instead.`);
    const permissions = after.permissions as Permissions;
    const faults = misused(permissions);
    if (faults.length > 0) throw invalid(faults);
    refuseEscalation(tx.origin.rights, before?.permissions as Permissions | undefined, permissions);
    refuseWiderSight(tx.origin.limits, after as unknown as Narrowed, before as unknown as Narrowed | undefined);
    if (after.isKioskMode) refuseOpenKiosk(after);
  },

  /** Rights act on the next request of every holder. */
  afterSave: (_step, context) => forgetCredentials(context),

  beforeDelete(record) {
    if (record.administrator)
      throw protectedRecord(`The profile ${record.name} is built in and cannot be deleted; nothing was.`);
  },
});

/** Nobody grants what they do not hold. What a profile already grants was granted by somebody who did. */
function refuseEscalation(held: Rights, before: Permissions | undefined, after: Permissions): void {
  const already = grantsOf(before ?? {});
  const added = Object.entries(grantsOf(after)).map(([key, granted]): [string, Verb[]] => [
    key,
    granted.filter((verb) => !already[key]?.includes(verb)),
  ]);
  const beyond = firstBeyond(held, rightsOf(Object.fromEntries(added)));
  if (beyond) throw forbidden(...beyond);
}

function refuseOpenKiosk({ permissions, kioskTemplateID }: RecordValue): void {
  if (kioskTemplateID === null)
    throw rejected('kioskTemplateID: a kiosk needs the template of the guests it makes.', '/kioskTemplateID');
  const beyond = beyondKiosk(permissions as Permissions);
  if (beyond)
    throw rejected(
      `permissions.${beyond[0]}: a kiosk adds guests; it may not ${beyond[1]} ${beyond[0]}.`,
      '/permissions',
    );
}
