import { collection, deletes } from '../../kernel/declare/declaration.ts';
import { type Field, flag, integer, list, notYet } from '../../kernel/declare/field.ts';
import type { ObjectShape } from '../../kernel/declare/shape.ts';
import { shapes } from '../../kernel/declare/shapes.ts';
import { connectionChange } from '../connection-change/connection-change.ts';
import { configurationFields, policyEvents } from '../criteria/criteria.ts';

export const methodKinds = ['LOCAL', 'LDAP', 'AAA', 'IDP'] as const;

/** A source of accounts; LOCAL has no id. */
export interface AuthenticationMethod {
  kind: (typeof methodKinds)[number];
  id: number | null;
}

const method = {
  kind: 'object',
  name: 'AuthenticationMethod',
  required: ['kind'],
  properties: {
    kind: {
      kind: 'choice',
      values: methodKinds,
      doc: 'Source of the accounts; guests and local users are LOCAL.',
    },
    id: { ...shapes.id, nullable: true, doc: 'The server; null with LOCAL.' },
  },
} as const satisfies ObjectShape;

/** Accepts only the default list, because logins are checked against local accounts only. */
const methods: Field<AuthenticationMethod[]> = {
  ...list<AuthenticationMethod>(
    { item: method, max: 20 },
    {
      default: [{ kind: 'LOCAL', id: null }],
      // Configurations of earlier versions may name AAA servers.
      nestedReferences: [{ path: ['*', 'id'], to: 'aaa-server', onDelete: 'restrict' }],
      doc: 'Sources of accounts for logins at the portal and agent, in this order. The next one is used only if a server does not answer or has no such user.',
    },
  ),
  merge: (input) => (input as AuthenticationMethod[]).map(({ kind, id }) => ({ kind, id: id ?? null })),
};

const sweep = 'the service ends authentications by itself';

const minutes = (initial: number, doc: string) => integer({ min: 0, max: 525_600, default: initial, doc });

/** Whether and how the user of a host must authenticate, and how long an authentication is valid. */
export const authenticationConfiguration = collection({
  name: 'authentication-configuration',
  title: 'Authentication configuration',
  path: '/policy/authentication-configuration',
  permission: 'policy-authentication',
  doc: 'Whether and how users of hosts must authenticate, and how long an authentication is valid.',
  columns: ['id', 'name', 'enableAuthentication', 'methods', 'timeInProductionBeforeAuthentication', 'note'],
  patterns: ['list', 'fetch', 'usage', 'create', 'update', ...deletes],
  events: policyEvents,
  example: {
    name: 'Staff log in',
    methods: [{ kind: 'LOCAL' }],
    timeInProductionBeforeAuthentication: 5,
  },
  deciding: { fields: ['enableAuthentication', 'timeInProductionBeforeAuthentication'], impact: connectionChange },
  units: {
    timeInProductionBeforeAuthentication: 'min',
    timeOfflineBeforeDeauthentication: 'min',
    reauthenticationInterval: 'min',
  },
  fields: {
    ...configurationFields,
    enableAuthentication: flag({ default: true, doc: 'False: hosts that match its policies need not authenticate.' }),
    methods: notYet(methods, 'logins are forwarded to other servers'),
    timeInProductionBeforeAuthentication: minutes(0, 'Minutes on the network before authentication is required.'),
    timeOfflineBeforeDeauthentication: notYet(
      minutes(10, 'Minutes offline after which an authentication ends; 0: immediately.'),
      sweep,
    ),
    reauthenticationInterval: notYet(minutes(0, 'Minutes after which an authentication ends; 0: never.'), sweep),
  },
});
