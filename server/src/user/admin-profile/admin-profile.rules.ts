import { type Narrowed, refuseWiderVisibility } from '../../auth/auth.service.ts';
import { type RecordValue, rules, same } from '../../context.ts';
import { firstBeyond, grantsOf, type Rights, rightsOf, type Verb } from '../../kernel/declare/permissions.ts';
import { forbidden, invalid, protectedRecord, rejected } from '../../kernel/failure.ts';
import { forgetCredentials } from '../user-account/user-account.service.ts';
import { adminProfile } from './admin-profile.ts';
import { excessKioskRight, misusedPermissions, type Permissions } from './permission.ts';
import { refuseUnknownSelection } from './selected-records.ts';

export const adminProfileRules = rules(adminProfile, {
  async beforeSave({ before, after, sent: requestBody }, { tx }) {
    if (before?.administrator && !same(before, after))
      throw protectedRecord(
        `The profile ${before.name} is built in and cannot be changed; create another one instead.`,
      );
    const permissions = after.permissions as Permissions;
    refuseLostSession(requestBody.permissions as Permissions | undefined);
    const faults = misusedPermissions(permissions);
    if (faults.length > 0) throw invalid(faults);
    refuseEscalation(tx.origin.rights, before?.permissions as Permissions | undefined, permissions);
    refuseWiderVisibility(tx.origin.limits, after as unknown as Narrowed, before as unknown as Narrowed | undefined);
    await refuseUnknownSelection(tx, before?.permissions as Permissions | undefined, permissions);
    if (after.isKioskMode) refuseOpenKiosk(after);
  },

  /** Applies changed rights to the next request of every account with the profile. */
  afterSave: (_step, context) => forgetCredentials(context),

  beforeDelete(record) {
    if (record.administrator)
      throw protectedRecord(`The profile ${record.name} is built in and cannot be deleted; nothing was deleted.`);
  },
});

function refuseLostSession(requestedPermissions: Readonly<Record<string, { view?: boolean }>> | undefined): void {
  if (requestedPermissions?.['own-session']?.view === false)
    throw invalid([
      {
        pointer: '/permissions/own-session/view',
        message: 'permissions.own-session.view: every account sees its own session; send true, or leave it out.',
      },
    ]);
}

/** Throws if the change adds rights that the caller lacks. Rights that the profile already grants may stay. */
function refuseEscalation(callerRights: Rights, before: Permissions | undefined, after: Permissions): void {
  const grantedBefore = grantsOf(before ?? {});
  const added = Object.entries(grantsOf(after)).map(([key, granted]): [string, Verb[]] => [
    key,
    granted.filter((verb) => !grantedBefore[key]?.includes(verb)),
  ]);
  const missingRight = firstBeyond(callerRights, rightsOf(Object.fromEntries(added)));
  if (missingRight) throw forbidden(...missingRight);
}

function refuseOpenKiosk({ permissions, kioskTemplateID }: RecordValue): void {
  if (kioskTemplateID === null) throw rejected('kioskTemplateID: required for a kiosk.', '/kioskTemplateID');
  const excessRight = excessKioskRight(permissions as Permissions);
  if (excessRight)
    throw rejected(
      `permissions.${excessRight[0]}: a kiosk may only add guests, not ${excessRight[1]} ${excessRight[0]}.`,
      '/permissions',
    );
}
