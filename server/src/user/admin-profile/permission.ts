import type { Field } from '../../kernel/declare/field.ts';
import { type PermissionKey, permissionKeys, type Verb, verbs } from '../../kernel/declare/permissions.ts';
import type { MapShape, ObjectShape } from '../../kernel/declare/shape.ts';
import { shapes } from '../../kernel/declare/shapes.ts';
import type { Fault } from '../../kernel/failure.ts';
import { permissionPages } from './permission-views.ts';

/** The rights of a profile for one permission key. */
export interface Permission extends Record<Verb, boolean> {
  customized: boolean;
  allIDs: boolean;
  selectedIDs: number[];
  attributes: Record<string, string>;
  displayName_API: string;
  allowedViews: Record<string, boolean>;
}

export type Permissions = Record<string, Permission>;

type StoredPermission = Omit<Permission, 'displayName_API' | 'allowedViews'>;

/** Keys that can be limited to selected records. */
const customizable: readonly string[] = ['guests', 'device-profiling', 'groups', 'devices'];

const allOrOwn = { words: 'ALL or OWN', fits: /^(ALL|OWN)$/ };

/** The attributes that permission keys may have. */
const knownAttributes: Readonly<Record<string, Readonly<Record<string, { words: string; fits: RegExp }>>>> = {
  guests: {
    accounts: allOrOwn,
    maxDaysAhead: { words: 'a number of days', fits: /^\d{1,4}$/ },
    sharedPasswordAllowed: { words: 'true or false', fits: /^(true|false)$/ },
  },
  'self-registration': { requests: allOrOwn },
  'host-registration': { requests: allOrOwn },
};

const permissionShape = {
  kind: 'object',
  name: 'Permission',
  properties: {
    view: { kind: 'flag', doc: 'Set by the service if add, modify or delete is true.' },
    add: { kind: 'flag' },
    modify: { kind: 'flag' },
    delete: { kind: 'flag' },
    customized: {
      kind: 'flag',
      doc: 'Limits device-profiling, groups or devices to selectedIDs. Absent: as stored, and true if selectedIDs has any.',
    },
    allIDs: {
      kind: 'flag',
      absent: true,
      doc: 'True: selectedIDs is ignored. Absent: as stored, and false if selectedIDs is sent.',
    },
    selectedIDs: {
      kind: 'list',
      item: shapes.id,
      max: 1_000,
      doc: 'Profiling rules, groups, or containers with everything inside; guest templates cannot be selected yet. Other records are not visible to the administrator.',
    },
    attributes: {
      kind: 'map',
      value: { kind: 'text', max: 40 },
      max: 10,
      doc: 'For guests: accounts (ALL or OWN), maxDaysAhead, sharedPasswordAllowed; for self-registration and host-registration: requests (ALL or OWN).',
    },
    displayName_API: {
      kind: 'text',
      max: 80,
      doc: 'Display name of the key; set by the service.',
      example: 'Admin profiles',
    },
    allowedViews: {
      kind: 'map',
      value: { kind: 'flag' },
      max: 20,
      doc: 'Console pages, and whether this permission opens them; set by the service.',
      example: { 'admin-profiles': true },
    },
  },
} as const satisfies ObjectShape;

const permissionsShape = {
  kind: 'map',
  keys: permissionKeys,
  value: permissionShape,
  max: permissionKeys.length,
  doc: 'Rights by permission key; a missing key grants nothing. A map that is sent replaces the stored one, but limits that an entry leaves out are kept.',
} as const satisfies MapShape;

const noRights: StoredPermission = {
  view: false,
  add: false,
  modify: false,
  delete: false,
  customized: false,
  allIDs: true,
  selectedIDs: [],
  attributes: {},
};

/** Returns a permission with all properties. The other rights include the right to view, and the own session is always visible. */
export function shownPermission(key: PermissionKey, input: Partial<Permission>): Permission {
  const { label, views } = permissionPages[key];
  const stored = storedPermission({ ...noRights, ...input });
  const view = key === 'own-session' || verbs.some((verb) => stored[verb]);
  return {
    ...stored,
    view,
    displayName_API: label,
    allowedViews: Object.fromEntries(views.map((page) => [page.view, view])),
  };
}

const storedPermission = ({ displayName_API, allowedViews, ...stored }: StoredPermission & Partial<Permission>) =>
  stored satisfies StoredPermission;

/** Returns the permissions in the order of the keys, with all properties. */
export const shownPermissions = (input: Readonly<Record<string, Partial<Permission>>>): Permissions =>
  Object.fromEntries(
    permissionKeys.filter((key) => Object.hasOwn(input, key)).map((key) => [key, shownPermission(key, input[key]!)]),
  );

type SentPermissions = Readonly<Record<string, Partial<Permission>>>;

/** Merges the limits of each key, so that an entry without them removes none. Rights are replaced: an absent verb is not granted. */
const mergePermissions = (input: SentPermissions, before: Permissions): Permissions =>
  shownPermissions(
    Object.fromEntries(
      Object.entries(input).map(([key, permission]) => [
        key,
        { ...permission, ...limitsOf(permission, Object.hasOwn(before, key) ? before[key]! : noRights) },
      ]),
    ),
  );

/** Returns the limits of a permission. A selection without flags limits the key to these records, because the defaults of the flags would ignore it. */
function limitsOf(permission: Partial<Permission>, previous: StoredPermission) {
  const { customized, allIDs, selectedIDs, attributes } = permission;
  const isSelecting = selectedIDs !== undefined && selectedIDs.length > 0;
  return {
    customized: customized ?? (isSelecting || previous.customized),
    allIDs: allIDs ?? (selectedIDs === undefined && previous.allIDs),
    selectedIDs: selectedIDs ?? previous.selectedIDs,
    attributes: attributes ?? previous.attributes,
  };
}

/** The field that holds the rights of a profile. */
export const permissionsField: Field<Permissions> = {
  shape: permissionsShape,
  access: 'write',
  stored: true,
  default: {},
  render: (cell) => shownPermissions(cell as Permissions),
  merge: (input, before) => mergePermissions(input as SentPermissions, (before ?? {}) as Permissions),
  store: (value) =>
    Object.fromEntries(
      Object.entries(value as Permissions).map(([key, permission]) => [key, storedPermission(permission)]),
    ),
};

/** Returns the faults of permissions with values that have no meaning for their key. */
export function misusedPermissions(permissions: Permissions): Fault[] {
  const faults: Fault[] = [];
  const fault = (path: readonly string[], message: string) =>
    faults.push({ pointer: `/permissions/${path.join('/')}`, message: `permissions.${path.join('.')}: ${message}.` });
  for (const [key, { customized, attributes }] of Object.entries(permissions)) {
    if (customized && !customizable.includes(key))
      fault([key, 'customized'], `only ${customizable.join(', ')} can be limited to selected records`);
    for (const [name, text] of Object.entries(attributes)) {
      // `hasOwn`, because every object inherits names such as `constructor`.
      const attribute = Object.hasOwn(knownAttributes[key] ?? {}, name) ? knownAttributes[key]?.[name] : undefined;
      if (!attribute) fault([key, 'attributes', name], 'there is no such attribute');
      else if (!attribute.fits.test(text)) fault([key, 'attributes', name], `expected ${attribute.words}`);
    }
  }
  return faults;
}

/** Returns the first right that a kiosk must not have: it may only create guests. */
export const excessKioskRight = (permissions: Permissions): [string, Verb] | undefined => {
  for (const [key, permission] of Object.entries(permissions)) {
    if (key === 'own-session') continue;
    const verb = verbs.find(
      (verbName) => permission[verbName] && !(key === 'guests' && (verbName === 'view' || verbName === 'add')),
    );
    if (verb) return [key, verb];
  }
  return undefined;
};
