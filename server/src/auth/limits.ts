import type { Limits } from '../kernel/declare/caller.ts';
import { type PermissionKey, permissionKeys, type Verb, verbs } from '../kernel/declare/permissions.ts';
import { Failure } from '../kernel/failure.ts';
import { same } from '../kernel/write/changes.ts';

/** The rights of a profile for one permission key, with the selection of records. */
type Granted = Partial<Record<Verb, boolean>> & { customized?: boolean; allIDs?: boolean; selectedIDs?: number[] };

/** The properties of a profile that limit the visible rows. */
export interface Narrowed {
  administrator: boolean;
  manageByGroups: boolean;
  permissions: Readonly<Record<string, Granted>> | null;
}

/** Returns the row limits of a profile, or undefined if it has none. The built-in administrator profile is never limited. */
export function limitsOf(
  accountId: number,
  { administrator, manageByGroups, permissions }: Narrowed,
): Limits | undefined {
  if (administrator) return undefined;
  const selected = new Map<PermissionKey, readonly number[]>();
  for (const key of permissionKeys) {
    const granted = permissions?.[key];
    // A customized key without selected ids shows no records.
    if (granted?.customized && granted.allIDs === false) selected.set(key, granted.selectedIDs ?? []);
  }
  return manageByGroups || selected.size > 0 ? { accountId, byGroups: manageByGroups, selected } : undefined;
}

/**
 * Throws if a profile that a caller assigns, maps or changes would show rows that the caller does not see. Rows that the profile showed
 * before may stay visible.
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
      'manageByGroups: you see only the members of the groups that you manage, and cannot grant more visibility.',
    );
  for (const [key, ids] of callerLimits.selected) {
    if (!grants(key) || (before && !isAdded(key) && !isReselected(key))) continue;
    const selected = grantedLimits?.selected.get(key);
    const hiddenId = selected?.find((id) => !ids.includes(id));
    if (!selected || hiddenId !== undefined)
      throw new Failure(
        'forbidden',
        `permissions.${key}: you see only the records that your profile selects${hiddenId === undefined ? '' : `, not ${hiddenId}`}, and cannot grant more visibility.`,
      );
  }
}
