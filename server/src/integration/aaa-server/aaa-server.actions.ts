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

/** Whether this node can try servers at all. */
const supportsValidation = action(aaaServer, {
  name: 'supports-validation',
  method: 'GET',
  path: '/supportsValidation',
  doc: 'Read whether AAA servers can be tested from this node',
  transaction: false,
  result: supported,
  async run(_call, { protocols }) {
    const { supported: isSupported, reason } = await protocols.radius.canProbe();
    return [{ supportsValidation: isSupported, methods: ['PAP', 'STATUS_SERVER'], reason }];
  },
});

/** What the probe needs of a server, wherever it comes from. */
type Server = Pick<RadiusProbe, 'authPort' | 'acctPort' | 'checkUser'> & { netId: string };

async function storedServer({ db }: Context, id: number): Promise<Server> {
  const server = await db
    .selectFrom('aaa_server')
    .select(['netId', 'authPort', 'acctPort', 'checkUser'])
    .where('id', '=', id)
    .executeTakeFirst();
  if (!server) throw notFound('AAA server', id);
  return server;
}

const probeOf = ({ netId, ...server }: Server, secret: string, checkPassword: string): RadiusProbe => ({
  ...server,
  host: netId,
  secret,
  checkPassword,
});

/** Tries the stored server from here: does it answer, is the secret right, does it accept the check user? */
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
    const secret = await context.secretOf(aaaServer, id, 'secret');
    return [
      await context.protocols.radius.probe(
        probeOf(server, secret, await context.secretOf(aaaServer, id, 'checkPassword')),
      ),
    ];
  },
});

/** The same for a server as it stands in a form, saved or not. */
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
    const sent = call.body;
    const stored = sent.id ? await storedServer(context, sent.id) : undefined;
    const netId = sent.netId ?? stored?.netId;
    if (!netId) throw invalidField('netId', 'this field is required');
    const server: Server = {
      netId,
      authPort: sent.authPort ?? stored?.authPort ?? 1812,
      acctPort: sent.acctPort ?? stored?.acctPort ?? 1813,
      checkUser: sent.checkUser ?? stored?.checkUser ?? '',
    };
    if (stored)
      await requireBoundSecretsOf(aaaServer, { before: { id: sent.id, ...stored }, after: server, sent }, context);
    const secretFor = async (field: 'secret' | 'checkPassword') =>
      sent[field] ?? (sent.id ? context.secretOf(aaaServer, sent.id, field) : '');
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
