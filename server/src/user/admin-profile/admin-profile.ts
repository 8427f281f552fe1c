import { auditFields, collection, deletes } from '../../kernel/declare.ts';
import {
  type Field,
  flag,
  identity,
  integer,
  kept,
  landscape,
  managed,
  modified,
  reference,
  text,
  version,
} from '../../kernel/field.ts';
import { weeklySchedule } from '../../kernel/weekly-schedule.ts';
import { permissionsField } from './permission.ts';

const { auditObjectName, auditObjectType, yamsEventTag, auditObj } = auditFields('admin-profile');

const administrator: Field<boolean> = {
  ...kept<boolean>({ kind: 'flag' }, 'r.administrator', 'May do everything; true on the one built-in.'),
  stored: true,
  default: false,
};

/** The rights and login rules of a kind of administrator. */
export const adminProfile = collection({
  name: 'admin-profile',
  title: 'Admin profile',
  path: '/user/admin-profile',
  permission: 'admin-profiles',
  doc: 'What a kind of administrator may do, and how they sign in.',
  columns: ['dbid', 'name', 'administrator', 'note', 'inactivityTime'],
  patterns: ['list', 'fetch', 'usage', 'create', 'update', ...deletes],
  identity: 'dbid',
  events: { elementType: 7 },
  example: {
    name: 'Profile reviewer',
    note: 'Sees who may do what, and changes nothing.',
    permissions: { 'admin-profiles': { view: true } },
    inactivityTime: 30,
  },
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
      'When its holders may sign in and call; outside of it every request is refused.',
    ),
    landingPage: text({ max: 80, default: 'dashboard', doc: 'Page of the console that opens after the login.' }),
    manageByGroups: flag({
      default: false,
      doc: 'Limits hosts, adapters, ports and users to members of the groups that its holders manage; of all others they see nothing.',
    }),
    lockoutThreshold: integer({ min: 0, max: 100, default: 5, doc: 'Failed logins that lock an account; 0: never.' }),
    lockoutDuration: integer({ min: 1, max: 86_400, default: 300, doc: 'Seconds that a lock lasts.' }),
    preventAging: flag({ default: true, doc: 'Holders never age; false: they age like other users.' }),
    upgradePermissions: flag({
      default: true,
      doc: 'Keys that are new in a release are granted view; false: nothing.',
    }),
    isKioskMode: flag({
      default: false,
      doc: 'The console is one form that makes guests; needs kioskTemplateID, and no right but to add guests.',
    }),
    kioskTemplateID: reference('guest-template', 'restrict', {
      nullable: true,
      doc: 'Template of the guests that the kiosk makes.',
    }),
    kioskWelcomeMessage: text({ max: 500, nullable: true, doc: 'What stands above the form of the kiosk.' }),
    ...managed,
    auditObjectName,
    auditObjectType,
    yamsEventTag,
    auditObj,
  },
});
