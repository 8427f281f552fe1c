import type { Limits } from '../kernel/declare/caller.ts';
import { type PermissionKey, permissionKeys, type Verb, verbs } from '../kernel/declare/permissions.ts';
import { Failure } from '../kernel/failure.ts';
import { same } from '../kernel/write/changes.ts';

/** What a profile grants on a key, as far as it may narrow it. */
type Granted = Partial<Record<Verb, boolean>> & { customized?: boolean; allIDs?: boolean; selectedIDs?: number[] };

/** A profile, as far as it limits which rows its holders see. */
export interface Narrowed {
  administrator: boolean;
  manageByGroups: boolean;
  permissions: Readonly<Record<string, Granted>> | null;
}

/** The rows that a profile lets its holders see, where it does not let them see all. The built-in administrator is never limited. */
export function limitsOf(
  accountId: number,
  { administrator, manageByGroups, permissions }: Narrowed,
): Limits | undefined {
  if (administrator) return undefined;
  const selected = new Map<PermissionKey, readonly number[]>();
  for (const key of permissionKeys) {
    const granted = permissions?.[key];
    // What is not said to be all is not: a profile that lists nothing shows nothing.
    if (granted?.customized && granted.allIDs === false) selected.set(key, granted.selectedIDs ?? []);
  }
  return manageByGroups || selected.size > 0 ? { accountId, byGroups: manageByGroups, selected } : undefined;
}

/**
 * Nobody hands out more rows than they see: a profile that they give, map or change is at least as narrow as their own.
 * What it let its holders see before may stay.
 */
export function refuseWiderVisibility(callerLimits: Limits | undefined, granted: Narrowed, before?: Narrowed): void {
  if (!callerLimits) return;
  const grantedLimits = limitsOf(0, granted);
  const previousLimits = before && limitsOf(0, before);
  const isAdded = (key: PermissionKey) =>
    verbs.some((verb) => granted.permissions?.[key]?.[verb] && !before?.permissions?.[key]?.[verb]);
  const isReselected = (key: PermissionKey) =>
    !same(previousLimits?.selected.get(key), grantedLimits?.selected.get(key));
  const keepsGroups = before !== undefined && !previousLimits?.byGroups && !permissionKeys.some(isAdded);
  const grants = (key: PermissionKey) =>
    granted.administrator || verbs.some((verb) => granted.permissions?.[key]?.[verb]);
  if (callerLimits.byGroups && !grantedLimits?.byGroups && !keepsGroups && permissionKeys.some(grants))
    throw new Failure(
      'forbidden',
      'manageByGroups: the caller sees only the members of the groups they manage, and cannot grant others more visibility.',
    );
  for (const [key, ids] of callerLimits.selected) {
    if (!grants(key) || (before && !isAdded(key) && !isReselected(key))) continue;
    const selected = grantedLimits?.selected.get(key);
    const hiddenId = selected?.find((id) => !ids.includes(id));
    if (!selected || hiddenId !== undefined)
      throw new Failure(
        'forbidden',
        `permissions.${key}: the caller sees only the records selected for them${hiddenId === undefined ? '' : `, not ${hiddenId}`}, and cannot grant others more visibility.`,
      );
  }
}
