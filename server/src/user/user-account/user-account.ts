import { collection } from '../../kernel/declare/declaration.ts';
import {
  choice,
  computed,
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
import { shapes } from '../../kernel/declare/shapes.ts';

/** The sources of a role, in descending precedence. */
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
    help: 'Role for policies. A selected role stays until you clear the field; then the role comes from groups and other sources again.',
  }),
  default: 'NAC-Default' as never,
};

/** Failed logins whose password was checked. A network with as many as the profile allows is locked until the oldest of them expires. */
const failures = 'from login_failure f where f.user_id = lower(r.user_id) and f.judged';

const lockedUntil = `(select max(n.at + make_interval(secs => p.lockout_duration))
  from admin_profile p
  join (select f.at, row_number() over (partition by f.network order by f.at desc) as place ${failures}) n on n.place = p.lockout_threshold
  where p.id = r.admin_profile_dbid and n.at + make_interval(secs => p.lockout_duration) > now())`;

/** The account of a person. With an admin profile it is an administrator. */
export const userAccount = collection({
  name: 'user-account',
  title: 'User account',
  permission: 'admin-profiles',
  doc: 'People who own hosts or administer the service.',
  columns: ['id', 'userID', 'profileName', 'state', 'lastLoginDate', 'lockedUntil'],
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
      help: 'Permissions of the account. An account with an admin profile is an administrator.',
    }),
    adminProfileSource: derived<'ASSIGNED' | 'MAPPING' | null>(
      { kind: 'choice', values: ['ASSIGNED', 'MAPPING'], nullable: true },
      null,
      'Whether the profile was assigned by hand, or by a mapping that may remove it again.',
    ),
    profileName: computed<string>(
      { kind: 'text', max: 64 },
      `coalesce((select p.name from admin_profile p where p.id = r.admin_profile_dbid), '')`,
      { doc: 'Name of the admin profile.' },
    ),
    mustChangePassword: flag({
      default: false,
      doc: 'The password must be changed at the next sign-in, before anything else.',
      help: 'On: the user must change the password at the next sign-in.',
    }),
    failedLogins: computed<number>(
      shapes.count,
      `(select count(*)::integer ${failures} and f.at > now() - interval '1 hour')`,
      { doc: 'Failed logins of the last hour, from all networks.' },
    ),
    lockedUntil: computed<string | null>({ kind: 'time', nullable: true }, lockedUntil, {
      doc: 'End of the last lock of a network from which the account failed to sign in; null: no network is locked.',
    }),
    expirationDate: time({
      nullable: true,
      doc: 'When the account expires; null: never.',
      help: 'The account cannot be used after this time. Empty: never.',
    }),
    networkPassword: secret({
      min: 1,
      max: 128,
      unbound: 'The node compares passwords with it, and sends it to no other system.',
      doc: 'Password for the network (RADIUS); no operation returns it.',
      help: 'Password for network logins (RADIUS). It does not change the sign-in password.',
    }),
    networkPasswordSet: isSet('networkPassword'),
    lastLoginDate: derived<string | null>({ kind: 'time', nullable: true }, null, 'Last successful login.'),
  },
});
