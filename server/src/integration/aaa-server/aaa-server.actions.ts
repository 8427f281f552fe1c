import { action, type Context, requireBoundSecretsOf, secretAction } from '../../context.ts';
import { inputShape } from '../../kernel/declare/declaration.ts';
import type { ObjectShape } from '../../kernel/declare/shape.ts';
import { invalidField, notFound } from '../../kernel/failure.ts';
import type { RadiusProbe } from '../../protocols/radius/radius.ts';
import { testResult } from '../../protocols/test-result.ts';
import { aaaServer } from './aaa-server.ts';

const supported = {
  kind: 'object',
  name: 'ValidationSupport',
  properties: {
    supportsValidation: { kind: 'flag' },
    methods: { kind: 'list', item: { kind: 'text', max: 40 }, max: 10 },
    reason: { kind: 'text', max: 500, nullable: true, doc: 'Why not.' },
  },
} as const satisfies ObjectShape;

const supportsValidation = action(aaaServer, {
  name: 'supports-validation',
  method: 'GET',
  path: '/supportsValidation',
  doc: 'Return whether this node can test AAA servers',
  transaction: false,
  result: supported,
  async run(_call, { protocols }) {
    const { supported: isSupported, reason } = await protocols.radius.canProbe();
    return [{ supportsValidation: isSupported, methods: ['PAP', 'STATUS_SERVER'], reason }];
  },
});

/** The fields of a server for the probe, from the stored record or from the request. */
type Server = Pick<RadiusProbe, 'authPort' | 'acctPort' | 'checkUser'> & { netId: string };

type StoredServer = Server & { version: number };

async function storedServer({ db }: Context, id: number): Promise<StoredServer> {
  const server = await db
    .selectFrom('aaa_server')
    .select(['version', 'netId', 'authPort', 'acctPort', 'checkUser'])
    .where('id', '=', id)
    .executeTakeFirst();
  if (!server) throw notFound('AAA server', id);
  return server;
}

const probeOf = (server: Server, secret: string, checkPassword: string): RadiusProbe => ({
  host: server.netId,
  authPort: server.authPort,
  acctPort: server.acctPort,
  checkUser: server.checkUser,
  secret,
  checkPassword,
});

const validateStored = action(aaaServer, {
  name: 'validate-stored',
  method: 'GET',
  path: '/validate/{id}',
  doc: 'Test a stored AAA server',
  transaction: false,
  external: true,
  result: testResult,
  errors: ['rejected'],
  async run({ id }, context) {
    context.admitTest();
    const server = await storedServer(context, id);
    const secretFor = (field: 'secret' | 'checkPassword') => context.secretOf(aaaServer, id, field, server.version);
    return [
      await context.protocols.radius.probe(
        probeOf(server, await secretFor('secret'), await secretFor('checkPassword')),
      ),
    ];
  },
});

const validateSent = action(aaaServer, {
  name: 'validate',
  method: 'POST',
  path: '/validate',
  doc: 'Test an AAA server without saving it',
  transaction: false,
  external: true,
  body: inputShape(aaaServer),
  result: testResult,
  errors: ['not-found', 'rejected'],
  example: { name: 'radius-north', netId: '192.0.2.10', secret: 'a-long-shared-secret' },
  async run(call, context) {
    context.admitTest();
    const requestBody = call.body;
    const stored = requestBody.id ? await storedServer(context, requestBody.id) : undefined;
    const netId = requestBody.netId ?? stored?.netId;
    if (!netId) throw invalidField('netId', 'this field is required');
    const server: Server = {
      netId,
      authPort: requestBody.authPort ?? stored?.authPort ?? 1812,
      acctPort: requestBody.acctPort ?? stored?.acctPort ?? 1813,
      checkUser: requestBody.checkUser ?? stored?.checkUser ?? '',
    };
    if (stored)
      await requireBoundSecretsOf(
        aaaServer,
        { before: { id: requestBody.id, ...stored }, after: server, sent: requestBody },
        context,
      );
    const secretFor = async (field: 'secret' | 'checkPassword') =>
      requestBody[field] ?? (stored ? context.secretOf(aaaServer, requestBody.id!, field, stored.version) : '');
    const secret = await secretFor('secret');
    if (secret === '') throw invalidField('secret', 'this field is required');
    return [await context.protocols.radius.probe(probeOf(server, secret, await secretFor('checkPassword')))];
  },
});

export const aaaServerActions = [
  secretAction<Context>(aaaServer, '/{id}/secret', 'secret', 'Read the shared secret of an AAA server'),
  secretAction<Context>(
    aaaServer,
    '/{id}/validate-user-password',
    'checkPassword',
    'Read the password of the check user',
  ),
  supportsValidation,
  validateStored,
  validateSent,
];
