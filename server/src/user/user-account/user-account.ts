import { collection } from '../../kernel/declare/declaration.ts';
import {
  choice,
  derived,
  flag,
  identity,
  isSet,
  landscape,
  modified,
  reference,
  secret,
  text,
  time,
  version,
} from '../../kernel/declare/field.ts';

/** What can give somebody a role, strongest first. */
export const roleSources = [
  'ADMIN',
  'PROFILING_RULE',
  'DIRECTORY',
  'GROUP',
  'VENDOR_OUI',
  'PORTAL',
  'DEFAULT',
] as const;

export type RoleSource = (typeof roleSources)[number];

const role = {
  ...reference('role', 'restrict', {
    by: 'name',
    counted: true,
    doc: 'Role that policies match on. A value sent here is fixed until it is sent empty.',
  }),
  default: 'NAC-Default' as never,
};

/** A person: an administrator when it has a profile. */
export const userAccount = collection({
  name: 'user-account',
  title: 'User account',
  permission: 'admin-profiles',
  doc: 'People who own hosts or administer the service.',
  patterns: [],
  label: 'userID',
  events: { elementType: 6 },
  memberOf: ['USER', 'ADMINISTRATOR'],
  scopedBy: { elementType: 6, andSelf: true },
  fields: {
    id: identity(),
    landscape,
    version,
    ...modified,
    userID: text({ min: 1, max: 120, unique: true, search: 'indexed' }),
    firstName: text({ max: 120, default: '', search: 'indexed' }),
    lastName: text({ max: 120, default: '', search: 'indexed' }),
    email: text({ max: 254, default: '', search: 'indexed' }),
    source: choice(['LOCAL', 'DIRECTORY', 'IDP', 'RADIUS', 'GUEST'], { default: 'LOCAL' }),
    role,
    roleSource: derived<RoleSource>({ kind: 'choice', values: roleSources }, 'DEFAULT', 'Source of the role.'),
    state: choice(['ENABLED', 'DISABLED'], { default: 'ENABLED' }),
    adminProfileDBID: reference('admin-profile', 'restrict', {
      nullable: true,
      doc: 'Admin profile; makes the account an administrator.',
    }),
    adminProfileSource: derived<'ASSIGNED' | 'MAPPING' | null>(
      { kind: 'choice', values: ['ASSIGNED', 'MAPPING'], nullable: true },
      null,
      'Whether the profile was assigned by hand, or by a mapping that may remove it again.',
    ),
    mustChangePassword: flag({ default: false }),
    expirationDate: time({ nullable: true }),
    networkPassword: secret({
      min: 1,
      max: 128,
      doc: 'Password for the network (RADIUS); no operation returns it.',
    }),
    networkPasswordSet: isSet('networkPassword'),
    lastLoginDate: derived<string | null>({ kind: 'time', nullable: true }, null, 'Last successful login.'),
  },
});
