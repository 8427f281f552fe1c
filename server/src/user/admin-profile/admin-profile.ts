import { collection } from '../../kernel/declare.ts';
import { flag, identity, integer, landscape, map, modified, text, version } from '../../kernel/field.ts';
import { verbs } from '../../kernel/permissions.ts';

/** The rights and login rules of a kind of administrator. */
export const adminProfile = collection({
  name: 'admin-profile',
  title: 'Admin profile',
  permission: 'admin-profiles',
  doc: 'What a kind of administrator may do, and how they sign in.',
  patterns: [],
  identity: 'dbid',
  fields: {
    dbid: identity(),
    landscape,
    version,
    ...modified,
    name: text({ min: 1, max: 64, unique: true }),
    note: text({ max: 2_000, default: '' }),
    administrator: flag({ default: false, doc: 'May do everything; true on the one built-in.' }),
    permissions: map<string[]>(
      { value: { kind: 'list', item: { kind: 'choice', values: verbs }, max: verbs.length }, max: 40 },
      { default: {}, doc: 'Verbs granted on each permission key; a missing key grants nothing.' },
    ),
    inactivityTime: integer({ min: 1, max: 1_440, default: 15, doc: 'Minutes after which an idle session ends.' }),
    landingPage: text({ max: 80, default: 'dashboard' }),
    lockoutThreshold: integer({ min: 0, max: 100, default: 5, doc: 'Failed logins that lock an account; 0: never.' }),
    lockoutDuration: integer({ min: 1, max: 86_400, default: 300, doc: 'Seconds that a lock lasts.' }),
  },
});
