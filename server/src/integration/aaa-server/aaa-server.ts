import { collection, deletes, type RowOf } from '../../kernel/declare/declaration.ts';
import { flag, identity, integer, modified, port, secret, text, withoutEffect } from '../../kernel/declare/field.ts';

/** The fields that determine where packets with the shared secret are sent. */
const socket = ['netId', 'authPort', 'acctPort'] as const;

/** A RADIUS server to which this service forwards requests, or which it tests as a client. */
export const aaaServer = collection({
  name: 'aaa-server',
  title: 'AAA server',
  path: '/settings/integration/aaa',
  permission: 'authentication-servers',
  doc: 'RADIUS servers that authenticate users who are not local to this service.',
  columns: ['id', 'name', 'netId', 'authPort', 'acctPort', 'flrPriority', 'localClientDefault', 'checkUser'],
  patterns: ['list', 'fetch', 'count', 'countAll', 'usage', 'create', 'update', ...deletes],
  events: { elementType: 10 },
  uniqueTogether: [['netId', 'authPort']],
  example: {
    name: 'radius-north',
    netId: '192.0.2.10',
    secret: 'a-long-shared-secret',
    checkUser: 'probe',
    checkPassword: 'probe-password',
  },
  fields: {
    id: identity(),
    name: text({ min: 1, max: 64, unique: true, search: true }),
    netId: text({ min: 1, max: 255, search: true, doc: 'Host name or address the service sends to.' }),
    authPort: port({ default: 1812, doc: 'UDP port for authentication; 0: not used.' }),
    acctPort: port({ default: 1813, doc: 'UDP port for accounting; 0: not used.' }),
    checkUser: text({ max: 253, default: '', doc: 'User name for validation.' }),
    ...modified,
    flrPriority: integer({
      min: 0,
      max: 99,
      default: 0,
      doc: 'Priority among the federation-level servers, which get every domain with a dot that has no mapping; 0: none.',
    }),
    localClientDefault: withoutEffect(
      flag({
        default: false,
        doc: 'Used for checks by the service itself if the user name has no mapped domain; at most one.',
      }),
      'the service checks passwords at AAA servers itself',
    ),
    secret: secret({
      min: 8,
      max: 128,
      required: true,
      boundTo: socket,
      doc: 'Shared secret, 8 to 128 bytes; 16 or more recommended.',
    }),
    checkPassword: secret({ max: 128, boundTo: [...socket, 'checkUser'], doc: 'Password of the check user.' }),
  },
});

declare module '../../database.ts' {
  interface Database {
    aaa_server: RowOf<typeof aaaServer>;
  }
}
