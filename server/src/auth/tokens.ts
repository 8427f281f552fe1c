import { Failure, forbidden, notFound, rejected } from '../kernel/failure.ts';
import { Parameters } from '../kernel/filter/compile.ts';
import type { Call, Operation } from '../kernel/operation.ts';
import { allows, type PermissionKey, permissionKeys, type Verb, verbs } from '../kernel/permissions.ts';
import type { Runtime, WriteTx } from '../kernel/runtime.ts';
import type { ObjectShape, Shape } from '../kernel/shape.ts';
import { integerMax } from '../kernel/shape.ts';
import { instantSql } from '../kernel/time.ts';
import { sightOf } from '../kernel/write/engine.ts';
import { userAccount } from '../user/user-account/user-account.ts';
import { tokenIssued, tokenRevoked, tokenRotated } from './auth-event-types.ts';
import { credentialHash, issueCredential, prefixes } from './credential.ts';
import { authOperation } from './operation.ts';

const tokensMax = 50;

const scopesShape: Shape = {
  kind: 'map',
  keys: permissionKeys,
  value: { kind: 'list', item: { kind: 'choice', values: verbs }, max: verbs.length },
  max: permissionKeys.length,
  nullable: true,
  doc: 'Verbs on permission keys that the token is limited to; null: all that its owner may.',
};
const networksShape: Shape = {
  kind: 'list',
  item: { kind: 'network' },
  max: 50,
  doc: 'Networks it may be used from; none: any.',
};

const tokenRequest: ObjectShape = {
  kind: 'object',
  name: 'TokenRequest',
  properties: {
    name: { kind: 'text', min: 1, max: 120, doc: 'What it is for.' },
    expiresInDays: { kind: 'integer', min: 1, max: 365, doc: '90 unless said otherwise.' },
    scopes: scopesShape,
    allowedNetworks: networksShape,
  },
  required: ['name'],
};

const instant: Shape = { kind: 'time' };
const tokenProperties: Record<string, Shape> = {
  id: { kind: 'integer', min: 1, max: integerMax },
  name: { kind: 'text', max: 120 },
  prefix: { kind: 'text', max: 20, doc: 'How its text begins.' },
  owner: { kind: 'text', max: 120 },
  scopes: scopesShape,
  allowedNetworks: networksShape,
  createdAt: instant,
  expiresAt: instant,
  lastUsedAt: { ...instant, nullable: true },
  lastUsedIp: { kind: 'address', nullable: true },
  state: { kind: 'choice', values: ['ACTIVE', 'EXPIRED', 'REVOKED'] },
};
const tokenShape: ObjectShape = { kind: 'object', name: 'Token', properties: tokenProperties };
const issuedShape: ObjectShape = {
  kind: 'object',
  name: 'IssuedToken',
  properties: {
    ...tokenProperties,
    token: { kind: 'text', max: 80, doc: 'The token itself: shown now and never again.' },
  },
};

const listSql = `select t.id, t.name, '${prefixes.token}_' || t.public_id as prefix, a.user_id as owner, t.scopes,
  coalesce(to_jsonb(t.allowed_networks::text[]), '[]'::jsonb) as "allowedNetworks", ${instantSql('t.created_at')} as "createdAt", ${instantSql('t.expires_at')} as "expiresAt",
  ${instantSql('t.last_used_at')} as "lastUsedAt", host(t.last_used_ip) as "lastUsedIp",
  case when t.revoked_at is not null then 'REVOKED' when t.expires_at <= now() then 'EXPIRED' else 'ACTIVE' end as state
from api_token t join user_account a on a.id = t.account_id`;

interface TokenRow {
  id: number;
  name: string;
}

interface HeldToken extends TokenRow {
  accountId: number;
  scopes: Record<string, string[]> | null;
  networks: string[];
}

export interface TokenWish {
  name: string;
  expiresInDays?: number;
  scopes?: Record<string, string[]> | null;
  allowedNetworks?: string[];
}

/** Issues a token for an account and says its text, which is kept nowhere. */
export async function issueToken(tx: WriteTx, accountId: number, wish: TokenWish): Promise<Record<string, unknown>> {
  const { rows: held } = await tx.client.query<{ count: number }>(
    'select count(*)::integer as count from api_token where account_id = $1 and revoked_at is null and expires_at > now()',
    [accountId],
  );
  if (held[0]!.count >= tokensMax) throw rejected(`An account holds at most ${tokensMax} tokens; revoke one first.`);
  const credential = issueCredential('token');
  const { rows } = await tx.client.query<{ id: number }>(
    `insert into api_token (public_id, hash, account_id, name, scopes, allowed_networks, expires_at)
     values ($1, $2, $3, $4, $5, $6::cidr[], now() + make_interval(days => $7)) returning id`,
    [
      credential.publicId,
      credentialHash(credential.text),
      accountId,
      wish.name,
      wish.scopes ? JSON.stringify(wish.scopes) : null,
      wish.allowedNetworks ?? [],
      wish.expiresInDays ?? 90,
    ],
  );
  const { id } = rows[0]!;
  await noteToken(tx, 'ADD', tokenIssued, { id, name: wish.name });
  const { rows: shown } = await tx.client.query<Record<string, unknown>>(`${listSql} where t.id = $1`, [id]);
  return { ...shown[0], token: credential.text };
}

/** Issuing, rotating and revoking are audited and told like any other change. */
async function noteToken(
  tx: WriteTx,
  action: 'ADD' | 'MODIFY' | 'DELETE',
  type: typeof tokenIssued | typeof tokenRotated | typeof tokenRevoked,
  token: TokenRow,
): Promise<void> {
  const entry = {
    action,
    table: 'api_token',
    recordId: token.id,
    recordName: token.name,
    eventTag: type.name,
    summary: '',
    changes: [],
  };
  await tx.engine.sinks.audit(tx.client, tx.origin, [entry]);
  await tx.emit({
    type,
    element: { id: tx.origin.accountId, name: tx.origin.user },
    attributes: { token: token.name },
  });
}

/** A token may not give more than what asked for it has: else a narrow one could make itself a wide one. */
function scopesFor(call: Call, wanted: Record<string, string[]> | null | undefined): Record<string, string[]> | null {
  if (!wanted) return call.caller.credential.scopes;
  for (const [key, granted] of Object.entries(wanted)) {
    for (const verb of granted) {
      if (!allows(call.caller.rights, key as PermissionKey, verb as Verb)) throw forbidden(key, verb);
    }
  }
  return wanted;
}

/** The same for networks: a token that is bound to some gives at most these. */
async function networksFor(tx: WriteTx, call: Call, wanted: readonly string[] = []): Promise<string[]> {
  const { rows } = await tx.client.query<{ own: string[]; fits: boolean }>(
    `select t.allowed_networks::text[] as own,
       not exists (select from unnest($2::cidr[]) w(network)
         where not exists (select from unnest(t.allowed_networks) o(network) where w.network <<= o.network)) as fits
     from api_token t where t.public_id = $1 and t.allowed_networks <> '{}'`,
    [call.caller.credential.publicId, wanted],
  );
  const bound = rows[0];
  if (!bound) return [...wanted];
  if (wanted.length === 0) return bound.own;
  if (!bound.fits)
    throw new Failure(
      'forbidden',
      `allowedNetworks: this token may only be used from, and give, ${bound.own.join(', ')}.`,
    );
  return [...wanted];
}

const seesOthers = (call: Call, verb: Verb): boolean => allows(call.caller.rights, 'admin-profiles', verb);

/** People whom the caller sees. */
const seenAccounts = ({ engine }: Runtime, { caller }: Call, parameters: Parameters): string =>
  `select r.id from user_account r where ${sightOf(engine, caller).condition(userAccount, parameters) ?? 'true'}`;

/** Own tokens need no permission; those of others need admin-profiles. */
async function findToken(tx: WriteTx, call: Call): Promise<HeldToken> {
  const { rows } = await tx.client.query<HeldToken>(
    `select t.id, t.name, t.account_id as "accountId", t.scopes, t.allowed_networks::text[] as networks
     from api_token t where t.id = $1 and t.revoked_at is null for update`,
    [call.id],
  );
  const token = rows[0];
  const isOwn = token?.accountId === call.caller.accountId;
  const isSeen =
    token && (isOwn || (seesOthers(call, 'modify') && (await tx.records.exists(userAccount, token.accountId))));
  if (!isSeen) throw notFound('token', call.id);
  return token;
}

export const tokenOperations = (runtime: Runtime): Operation[] => [
  authOperation({
    operationId: 'token.list',
    method: 'GET',
    path: '/auth/tokens',
    summary: 'List API tokens: your own, or with `all` those of everybody',
    query: { all: { shape: { kind: 'flag', doc: 'Also those of others; needs admin-profiles view.' } } },
    result: tokenShape,
    writes: false,
    run: (call) => {
      const all = call.query.all === true;
      if (all && !seesOthers(call, 'view')) throw forbidden('admin-profiles', 'view');
      return runtime.read(async (client) => {
        const parameters = new Parameters([call.caller.accountId]);
        const others = all ? ` or t.account_id in (${seenAccounts(runtime, call, parameters)})` : '';
        const { rows } = await client.query<Record<string, unknown>>(
          `${listSql} where t.account_id = $1${others} order by t.id limit 5000`,
          parameters.values,
        );
        return { results: rows };
      });
    },
  }),
  authOperation({
    operationId: 'token.create',
    method: 'POST',
    path: '/auth/tokens',
    summary: 'Issue an API token for yourself; its text is answered once',
    body: tokenRequest,
    example: { name: 'inventory script', expiresInDays: 30, scopes: { devices: ['view'] } },
    result: issuedShape,
    success: 201,
    run: (call) =>
      runtime.write(call, async (tx) => {
        const wish = call.body as TokenWish;
        return {
          results: [
            await issueToken(tx, call.caller.accountId, {
              ...wish,
              scopes: scopesFor(call, wish.scopes),
              allowedNetworks: await networksFor(tx, call, wish.allowedNetworks),
            }),
          ],
          secret: true,
        };
      }),
  }),
  authOperation({
    operationId: 'token.rotate',
    method: 'POST',
    path: '/auth/tokens/{id}/rotate',
    summary: 'Replace an API token by a new one; the old one ends at once or after a grace time',
    body: {
      kind: 'object',
      name: 'TokenRotation',
      properties: { graceMinutes: { kind: 'integer', min: 0, max: 60, doc: 'How long the old one still works.' } },
    },
    bodyOptional: true,
    example: { graceMinutes: 5 },
    result: issuedShape,
    success: 201,
    errors: ['not-found', 'rejected'],
    run: (call) =>
      runtime.write(call, async (tx) => {
        const token = await findToken(tx, call);
        if (token.accountId !== call.caller.accountId) throw notFound('token', call.id);
        const { graceMinutes = 0 } = (call.body ?? {}) as { graceMinutes?: number };
        await tx.client.query(
          'update api_token set expires_at = least(expires_at, now() + make_interval(mins => $2)) where id = $1',
          [token.id, graceMinutes],
        );
        await noteToken(tx, 'MODIFY', tokenRotated, token);
        return {
          results: [
            await issueToken(tx, token.accountId, {
              name: token.name,
              scopes: scopesFor(call, token.scopes),
              allowedNetworks: await networksFor(tx, call, token.networks),
            }),
          ],
          secret: true,
        };
      }),
  }),
  authOperation({
    operationId: 'token.revoke',
    method: 'DELETE',
    path: '/auth/tokens/{id}',
    summary: 'Revoke an API token; every node refuses it within a second',
    errors: ['not-found'],
    run: (call) =>
      runtime.write(call, async (tx) => {
        const token = await findToken(tx, call);
        await tx.client.query('update api_token set revoked_at = now() where id = $1', [token.id]);
        await noteToken(tx, 'DELETE', tokenRevoked, token);
        return {};
      }),
  }),
];
