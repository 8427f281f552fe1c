import { everyRow, visibleTables } from '../kernel/access/visible-tables.ts';
import type { Call, Operation } from '../kernel/declare/operation.ts';
import { allows, type PermissionKey, permissionKeys, type Verb, verbs } from '../kernel/declare/permissions.ts';
import { integerMax, type ObjectShape, type Shape } from '../kernel/declare/shape.ts';
import type { ValueOf } from '../kernel/declare/value-of.ts';
import { Failure, forbidden, notFound, rejected } from '../kernel/failure.ts';
import { instantSql } from '../kernel/values/time.ts';
import { visibilityOf } from '../kernel/write/engine.ts';
import type { Runtime, WriteTx } from '../kernel/write/runtime.ts';
import { userAccount } from '../user/user-account/user-account.ts';
import { tokenIssued, tokenRevoked, tokenRotated } from './auth.events.ts';
import { credentialHash, issueCredential, prefixes } from './credential.ts';
import { lockCredentials, requireUnlimitedCredential } from './credential-limits.ts';
import { authOperation } from './operation.ts';

const everyUser = everyRow(userAccount, 'tokens are limited to the accounts that the caller sees');

const tokensMax = 50;

const scopesShape = {
  kind: 'map',
  keys: permissionKeys,
  value: { kind: 'list', item: { kind: 'choice', values: verbs }, max: verbs.length },
  max: permissionKeys.length,
  nullable: true,
  doc: 'Permission keys and verbs that the token is limited to; null: all rights of its owner.',
} as const satisfies Shape;
const networksShape = {
  kind: 'list',
  item: { kind: 'network' },
  max: 50,
  doc: 'Networks the token may be used from; empty: any.',
} as const satisfies Shape;

const tokenRequest = {
  kind: 'object',
  name: 'TokenRequest',
  properties: {
    name: { kind: 'text', min: 1, max: 120, doc: 'Purpose of the token.' },
    expiresInDays: { kind: 'integer', min: 1, max: 365, doc: 'Default: 90.' },
    scopes: scopesShape,
    allowedNetworks: networksShape,
  },
  required: ['name'],
} as const satisfies ObjectShape;

const instant = { kind: 'time' } as const satisfies Shape;
const tokenProperties: Record<string, Shape> = {
  id: { kind: 'integer', min: 1, max: integerMax },
  name: { kind: 'text', max: 120 },
  prefix: { kind: 'text', max: 20, doc: 'First characters of the token.' },
  owner: { kind: 'text', max: 120 },
  profile: { kind: 'text', max: 120, nullable: true, doc: 'Admin profile of the owner; null: none.' },
  scopes: scopesShape,
  allowedNetworks: networksShape,
  createdAt: instant,
  expiresAt: instant,
  lastUsedAt: { ...instant, nullable: true },
  lastUsedIp: { kind: 'address', nullable: true },
  state: { kind: 'choice', values: ['ACTIVE', 'EXPIRED', 'REVOKED'] },
};
const tokenShape = { kind: 'object', name: 'Token', properties: tokenProperties } as const satisfies ObjectShape;
const issuedShape = {
  kind: 'object',
  name: 'IssuedToken',
  properties: {
    ...tokenProperties,
    token: { kind: 'text', max: 80, doc: 'The token itself: returned only once.' },
  },
} as const satisfies ObjectShape;

const listSql = `select t.id, t.name, '${prefixes.token}_' || t.public_id as prefix, a.user_id as owner,
  (select p.name from admin_profile p where p.id = effective_admin_profile(a)) as profile, t.scopes,
  coalesce(to_jsonb(t.allowed_networks::text[]), '[]'::jsonb) as "allowedNetworks", ${instantSql('t.created_at')} as "createdAt", ${instantSql('t.expires_at')} as "expiresAt",
  ${instantSql('t.last_used_at')} as "lastUsedAt", host(t.last_used_ip) as "lastUsedIp",
  case when t.revoked_at is not null then 'REVOKED' when t.expires_at <= now() then 'EXPIRED' else 'ACTIVE' end as state
from api_token t join ${everyUser} a on a.id = t.account_id`;

interface TokenRow {
  id: number;
  name: string;
}

interface GrantedToken extends TokenRow {
  publicId: string;
  accountId: number;
  scopes: Record<string, string[]> | null;
  networks: string[];
}

export type TokenRequest = ValueOf<typeof tokenRequest>;

/** Issues a token for an account and returns its text, which is not stored. It expires no later than the token with scopes that issued it. */
export async function issueToken(
  tx: WriteTx,
  accountId: number,
  desired: TokenRequest,
  issuer?: string,
): Promise<Record<string, unknown>> {
  await lockCredentials(tx.client, accountId);
  const { rows: activeTokens } = await tx.client.query<{ count: number }>(
    'select count(*)::integer as count from api_token where account_id = $1 and revoked_at is null and expires_at > now()',
    [accountId],
  );
  if (activeTokens[0]!.count >= tokensMax)
    throw rejected(`An account can have at most ${tokensMax} tokens; revoke one first.`);
  const credential = issueCredential('token');
  const { rows } = await tx.client.query<{ id: number }>(
    `insert into api_token (public_id, hash, account_id, name, scopes, allowed_networks, expires_at)
     values ($1, $2, $3, $4, $5, $6::cidr[], least(now() + make_interval(days => $7),
       (select t.expires_at from api_token t where t.public_id = $8 and t.scopes is not null))) returning id`,
    [
      credential.publicId,
      credentialHash(credential.text),
      accountId,
      desired.name,
      desired.scopes ? JSON.stringify(desired.scopes) : null,
      desired.allowedNetworks ?? [],
      desired.expiresInDays ?? 90,
      issuer ?? null,
    ],
  );
  const { id } = rows[0]!;
  await recordTokenChange(tx, 'ADD', tokenIssued, { id, name: desired.name });
  const { rows: shown } = await tx.client.query<Record<string, unknown>>(`${listSql} where t.id = $1`, [id]);
  return { ...shown[0], token: credential.text };
}

/** Writes the audit row and the event of an issued, rotated or revoked token. */
async function recordTokenChange(
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

/** Returns the scopes of a new token. Throws if they exceed the rights of the caller, so that a token with scopes cannot issue one with more rights. */
function scopesFor(
  call: Call,
  requestedScopes: Record<string, string[]> | null | undefined,
): Record<string, string[]> | null {
  if (!requestedScopes) return call.caller.credential.scopes;
  for (const [key, granted] of Object.entries(requestedScopes)) {
    for (const verb of granted) {
      if (!allows(call.caller.rights, key as PermissionKey, verb as Verb)) throw forbidden(key, verb);
    }
  }
  return requestedScopes;
}

/** Returns the allowed networks of a new token. Throws if they exceed those of the token that issues it. */
async function networksFor(tx: WriteTx, call: Call, requestedNetworks: readonly string[] = []): Promise<string[]> {
  const { rows } = await tx.client.query<{ own: string[]; fits: boolean }>(
    `select t.allowed_networks::text[] as own,
       not exists (select from unnest($2::cidr[]) w(network)
         where not exists (select from unnest(t.allowed_networks) o(network) where w.network <<= o.network)) as fits
     from api_token t where t.public_id = $1 and t.allowed_networks <> '{}'`,
    [call.caller.credential.publicId, requestedNetworks],
  );
  const limitedToken = rows[0];
  if (!limitedToken) return [...requestedNetworks];
  if (requestedNetworks.length === 0) return limitedToken.own;
  if (!limitedToken.fits)
    throw new Failure(
      'forbidden',
      `allowedNetworks: this token is limited to ${limitedToken.own.join(', ')} and cannot issue one for other networks.`,
    );
  return [...requestedNetworks];
}

const mayManageOthers = (call: Call, verb: Verb): boolean => allows(call.caller.rights, 'admin-profiles', verb);

/** Selects the accounts that the caller sees. */
const visibleAccounts = ({ engine }: Runtime, { caller }: Call): string =>
  `select r.id from ${visibleTables(visibilityOf(engine, caller)).visible(userAccount)} r where true`;

/** Returns a token and locks it. Tokens of other users require the right to modify admin-profiles. */
async function findToken(tx: WriteTx, call: Call): Promise<GrantedToken> {
  const { rows } = await tx.client.query<GrantedToken>(
    `select t.id, t.name, t.public_id as "publicId", t.account_id as "accountId", t.scopes, t.allowed_networks::text[] as networks
     from api_token t where t.id = $1 and t.revoked_at is null for update`,
    [call.id],
  );
  const token = rows[0];
  const isOwn = token?.accountId === call.caller.accountId;
  const isSeen =
    token && (isOwn || (mayManageOthers(call, 'modify') && (await tx.records.exists(userAccount, token.accountId))));
  if (!isSeen) throw notFound('token', call.id);
  if (isOwn) requireUnlimitedCredential(call, token.publicId);
  return token;
}

export const tokenOperations = (runtime: Runtime): Operation[] => [
  authOperation({
    operationId: 'token.list',
    method: 'GET',
    path: '/auth/tokens',
    summary: 'List your API tokens, or those of all users',
    query: {
      all: { shape: { kind: 'flag', doc: 'Include tokens of other users; needs the right to view admin-profiles.' } },
    },
    result: tokenShape,
    writes: false,
    run: (call) => {
      const all = call.query.all === true;
      if (all && !mayManageOthers(call, 'view')) throw forbidden('admin-profiles', 'view');
      return runtime.read(async (client) => {
        const othersCondition = all ? ` or t.account_id in (${visibleAccounts(runtime, call)})` : '';
        const { rows } = await client.query<Record<string, unknown>>(
          `${listSql} where t.account_id = $1${othersCondition} order by t.id limit 5000`,
          [call.caller.accountId],
        );
        return { results: rows };
      });
    },
  }),
  authOperation({
    operationId: 'token.create',
    method: 'POST',
    path: '/auth/tokens',
    summary: 'Issue an API token for yourself',
    body: tokenRequest,
    example: { name: 'inventory script', expiresInDays: 30, scopes: { devices: ['view'] } },
    result: issuedShape,
    success: 201,
    run: (call) =>
      runtime.write(call, async (tx) => {
        const desired = call.body;
        return {
          results: [
            await issueToken(
              tx,
              call.caller.accountId,
              {
                ...desired,
                scopes: scopesFor(call, desired.scopes),
                allowedNetworks: await networksFor(tx, call, desired.allowedNetworks),
              },
              call.caller.credential.publicId,
            ),
          ],
          secret: true,
        };
      }),
  }),
  authOperation({
    operationId: 'token.rotate',
    method: 'POST',
    path: '/auth/tokens/{id}/rotate',
    summary: 'Replace an API token with a new one',
    body: {
      kind: 'object',
      name: 'TokenRotation',
      properties: {
        graceMinutes: { kind: 'integer', min: 0, max: 60, doc: 'Minutes that the old token still works.' },
      },
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
        // The new token gets the scopes of the caller, so a token with more rights would lose them.
        if (call.caller.credential.scopes !== null && token.publicId !== call.caller.credential.publicId)
          throw new Failure('forbidden', 'A token with scopes can rotate only itself.');
        const { graceMinutes = 0 } = call.body ?? {};
        await tx.client.query(
          'update api_token set expires_at = least(expires_at, now() + make_interval(mins => $2)) where id = $1',
          [token.id, graceMinutes],
        );
        await recordTokenChange(tx, 'MODIFY', tokenRotated, token);
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
    summary: 'Revoke an API token',
    errors: ['not-found'],
    run: (call) =>
      runtime.write(call, async (tx) => {
        const token = await findToken(tx, call);
        await tx.client.query('update api_token set revoked_at = now() where id = $1', [token.id]);
        await recordTokenChange(tx, 'DELETE', tokenRevoked, token);
        return {};
      }),
  }),
];
