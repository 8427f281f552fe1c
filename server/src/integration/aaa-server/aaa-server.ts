import { collection, deletes } from '../../kernel/declare.ts';
import { flag, identity, integer, modified, port, secret, text } from '../../kernel/field.ts';

/** A RADIUS server that this service forwards authentication to, or asks as a client. */
export const aaaServer = collection({
  name: 'aaa-server',
  title: 'AAA server',
  path: '/settings/integration/aaa',
  permission: 'authentication-servers',
  doc: 'RADIUS servers that answer for users this service does not know itself.',
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
    authPort: port({ default: 1812, doc: 'UDP port of authentication; 0: no such duty.' }),
    acctPort: port({ default: 1813, doc: 'UDP port of accounting; 0: no such duty.' }),
    checkUser: text({ max: 253, default: '', doc: 'Account that validation signs in with.' }),
    ...modified,
    flrPriority: integer({
      min: 0,
      max: 99,
      default: 0,
      doc: 'Place among the federation-level servers; 0 means none.',
    }),
    localClientDefault: flag({
      default: false,
      doc: 'Used for checks of the service itself when the user name names no mapped domain; at most one.',
    }),
    secret: secret({ min: 8, max: 128, required: true, doc: 'Shared secret, 8 to 128 bytes; 16 or more are advised.' }),
    checkPassword: secret({ max: 128, doc: 'Password of the check user.' }),
  },
});
