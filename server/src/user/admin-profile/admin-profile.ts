import { auditFields, collection, deletes, type RowOf } from '../../kernel/declare/declaration.ts';
import {
  type Field,
  flag,
  identity,
  integer,
  landscape,
  managed,
  modified,
  notYet,
  readOnly,
  reference,
  text,
  version,
  withoutEffect,
} from '../../kernel/declare/field.ts';
import { weeklySchedule } from '../../kernel/declare/weekly-schedule.ts';
import { permissionsField } from './permission.ts';

const { auditObjectName, auditObjectType, yamsEventTag, auditObj } = auditFields('admin-profile');

const administrator: Field<boolean> = {
  ...readOnly<boolean>({ kind: 'flag' }, 'r.administrator', 'Grants all rights; true only for the built-in profile.'),
  stored: true,
  default: false,
};

/** The rights and sign-in rules of a kind of administrator. */
export const adminProfile = collection({
  name: 'admin-profile',
  title: 'Admin profile',
  path: '/user/admin-profile',
  permission: 'admin-profiles',
  doc: 'Rights and sign-in rules of administrators.',
  columns: ['dbid', 'name', 'administrator', 'note', 'inactivityTime'],
  patterns: ['list', 'fetch', 'usage', 'create', 'update', ...deletes],
  identity: 'dbid',
  events: { elementType: 7 },
  example: {
    name: 'Profile reviewer',
    note: 'Can view admin profiles, but not change them.',
    permissions: { 'admin-profiles': { view: true } },
    inactivityTime: 30,
  },
  sections: {
    Profile: ['name', 'note', 'administrator', 'landingPage'],
    Rights: ['permissions', 'manageByGroups', 'upgradePermissions'],
    'Sign-in': ['inactivityTime', 'schedule', 'lockoutThreshold', 'lockoutDuration', 'preventAging'],
    Kiosk: ['isKioskMode', 'kioskTemplateID', 'kioskWelcomeMessage'],
  },
  units: { inactivityTime: 'min', lockoutDuration: 's' },
  fields: {
    dbid: identity(),
    landscape,
    version,
    ...modified,
    name: text({ min: 1, max: 64, unique: true, search: true }),
    note: text({ max: 2_000, default: '', search: true }),
    administrator,
    permissions: permissionsField,
    inactivityTime: integer({ min: 1, max: 1_440, default: 15, doc: 'Minutes after which an idle session ends.' }),
    schedule: weeklySchedule(
      'schedule',
      'When its administrators may sign in and send requests; at other times every request is refused.',
    ),
    landingPage: text({ max: 80, default: 'dashboard', doc: 'Console page shown after login.' }),
    manageByGroups: flag({
      default: false,
      doc: 'Limits visible hosts, adapters, ports and users to members of the groups that its administrators manage.',
    }),
    lockoutThreshold: integer({ min: 0, max: 100, default: 5, doc: 'Failed logins that lock an account; 0: never.' }),
    lockoutDuration: integer({ min: 1, max: 86_400, default: 300, doc: 'Duration of a lock in seconds.' }),
    preventAging: notYet(
      flag({ default: true, doc: 'True: its administrators never expire; false: they expire like other users.' }),
      'users expire',
    ),
    upgradePermissions: notYet(
      flag({ default: true, doc: 'True: new permission keys of a release are granted view; false: nothing.' }),
      'a release brings new keys',
    ),
    isKioskMode: withoutEffect(
      flag({
        default: false,
        doc: 'The console shows only a form to create guests; requires kioskTemplateID, and allows only the right to add guests.',
      }),
      'guest templates are served',
    ),
    kioskTemplateID: reference('guest-template', 'restrict', {
      nullable: true,
      doc: 'Template of the guests that the kiosk creates.',
    }),
    kioskWelcomeMessage: notYet(
      text({ max: 500, nullable: true, doc: 'Text above the form of the kiosk.' }),
      'guest templates are served',
    ),
    ...managed,
    auditObjectName,
    auditObjectType,
    yamsEventTag,
    auditObj,
  },
});

declare module '../../database.ts' {
  interface Database {
    admin_profile: RowOf<typeof adminProfile>;
  }
}
