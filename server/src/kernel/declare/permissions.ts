/** The forty permission keys; an administrator's profile grants view, add, modify and delete on each. */
export const permissionKeys = [
  'admin-profiles',
  'own-session',
  'dashboard',
  'guests',
  'guest-templates',
  'self-registration',
  'groups',
  'hosts',
  'host-registration',
  'host-lifecycle',
  'scan-results',
  'device-profiling',
  'devices',
  'discovery',
  'firewall',
  'policy-access',
  'policy-authentication',
  'policy-compliance',
  'policy-supplicant',
  'roles',
  'portal',
  'security-incidents',
  'events-alarms',
  'connection-log',
  'audit-log',
  'radius',
  'authentication-servers',
  'directories',
  'mdm-patch',
  'messaging',
  'log-transport',
  'agents',
  'network-settings',
  'certificates',
  'system-settings',
  'high-availability',
  'backup',
  'federation',
  'scheduler',
  'debug',
] as const;

export type PermissionKey = (typeof permissionKeys)[number];

export const verbs = ['view', 'add', 'modify', 'delete'] as const;

export type Verb = (typeof verbs)[number];

/** The rights of a caller: everything, or the verbs granted on each key. */
export type Rights = 'everything' | ReadonlyMap<PermissionKey, ReadonlySet<Verb>>;

/** True if these rights allow the verb. Every caller has all rights to its own session. */
export function allows(rights: Rights, key: PermissionKey, verb: Verb): boolean {
  if (rights === 'everything' || key === 'own-session') return true;
  return rights.get(key)?.has(verb) ?? false;
}

/** Converts stored grants to rights; granting add, modify or delete implies view. */
export function rightsOf(grants: Readonly<Record<string, readonly string[]>>): Rights {
  const rights = new Map<PermissionKey, ReadonlySet<Verb>>();
  for (const key of permissionKeys) {
    const granted = verbs.filter((verb) => grants[key]?.includes(verb));
    if (granted.length > 0) rights.set(key, new Set<Verb>(['view', ...granted]));
  }
  return rights;
}

/** Converts the flags that profiles store for each verb to the form of a token's scopes. */
export const grantsOf = (
  permissions: Readonly<Record<string, Partial<Record<Verb, boolean>>>>,
): Record<string, Verb[]> =>
  Object.fromEntries(
    Object.entries(permissions).map(([key, granted]) => [key, verbs.filter((verb) => granted[verb] === true)]),
  );

/** Returns the first granted right that the caller lacks: an account must not grant more than it has. */
export function firstBeyond(ownRights: Rights, granted: Rights): [PermissionKey, Verb] | undefined {
  for (const key of permissionKeys) {
    const verb = verbs.find((candidate) => !allows(ownRights, key, candidate) && allows(granted, key, candidate));
    if (verb) return [key, verb];
  }
  return undefined;
}

/** Returns the rights that both allow: a token never exceeds its owner's rights. */
export function intersect(owner: Rights, scope: Rights): Rights {
  if (owner === 'everything') return scope;
  if (scope === 'everything') return owner;
  const both = new Map<PermissionKey, ReadonlySet<Verb>>();
  for (const [key, granted] of owner) {
    const shared = granted.intersection(scope.get(key) ?? new Set());
    if (shared.size > 0) both.set(key, shared);
  }
  return both;
}
