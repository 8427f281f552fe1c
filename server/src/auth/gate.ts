import { BlockList, isIPv6 } from 'node:net';
import type pg from 'pg';
import { everyRow } from '../kernel/access/visible-tables.ts';
import type { CacheInvalidation, InvalidationState } from '../kernel/database/cache-invalidation.ts';
import { onBehalfOf } from '../kernel/database/shares.ts';
import { withConnection } from '../kernel/database/transaction.ts';
import type { Caller, Limits } from '../kernel/declare/caller.ts';
import { grantsOf, intersect, type Rights, rightsOf } from '../kernel/declare/permissions.ts';
import { Failure, unauthenticated } from '../kernel/failure.ts';
import type { Gate } from '../kernel/http/server.ts';
import { userAccount } from '../user/user-account/user-account.ts';
import { type Credential, credentialHash, hashFits, parseCredential, securityKeyOf } from './credential.ts';
import { limitsOf, type Narrowed } from './limits.ts';

const everyUser = everyRow(userAccount, 'accounts are loaded for authentication, before there is a caller');

/** The account and rights behind a credential, as they are cached. */
interface Holder {
  hash: Buffer;
  rowId: number;
  accountId: number;
  userID: string;
  name: string;
  /** By the node's monotonic clock, computed from the remaining time that the database returns. */
  expiresMs: number;
  networks: BlockList | undefined;
  rights: Rights;
  limits: Limits | undefined;
  /** True if the schedule of the profile allowed access when the row was loaded. */
  isInHours: boolean;
  scopes: Record<string, string[]> | null;
  rememberedUntilMs: number;
  usedMs: number;
}

const rememberMs = 30_000;
/** Intervals for storing the last use. Sessions may expire after one idle minute, so theirs is shorter. */
const touchMs = { token: 60_000, session: 15_000 } as const;
const rememberedMax = 20_000;

const holderColumns = `a.id as "accountId", a.user_id as "userID", coalesce(p.administrator, false) as administrator, p.permissions, coalesce(p.manage_by_groups, false) as "manageByGroups",
  coalesce(weekly_schedule_holds(p.schedule), true) as "isInHours", not coalesce((p.schedule ->> 'alwaysOn')::boolean, true) as "hasHours",
  (60000 - extract(epoch from now()) * 1000 % 60000)::bigint as "minuteLeftMs"`;

const tokenSql = `select t.id as "rowId", t.hash, t.name, t.scopes, t.allowed_networks::text[] as networks,
  (extract(epoch from least(t.expires_at, a.expiration_date) - now()) * 1000)::bigint as "leftMs", ${holderColumns}
from api_token t
join ${everyUser} a on a.id = t.account_id and a.state = 'ENABLED'
left join admin_profile p on p.id = effective_admin_profile(a)
where t.public_id = $1 and t.revoked_at is null`;

const sessionSql = `select s.id as "rowId", s.hash, s.public_id as name, null as scopes, null as networks,
  a.must_change_password as "mustChangePassword", (extract(epoch from least(s.expires_at, s.used_at + make_interval(mins => p.inactivity_time), a.expiration_date) - now()) * 1000)::bigint as "leftMs", ${holderColumns}
from login_session s
join ${everyUser} a on a.id = s.account_id and a.state = 'ENABLED'
join admin_profile p on p.id = effective_admin_profile(a)
where s.public_id = $1 and s.revoked_at is null`;

/**
 * Identifies the caller of a request. Accounts are cached for half a minute, but only while this node is notified of revocations
 * (`CacheInvalidation`). The expiration of a credential is computed by the database's clock, so that a node with a wrong clock refuses no
 * valid credential.
 */
export class CredentialGate implements Gate {
  readonly #pool: pg.Pool;
  readonly #monotonicMs: () => number;
  readonly #cache = new Map<string, Holder>();
  readonly #touching = new Set<Promise<void>>();
  readonly #epoch: InvalidationState;
  readonly #onRejected: RejectedToken;

  constructor(pool: pg.Pool, generations: CacheInvalidation, monotonicMs: () => number, onRejected: RejectedToken) {
    this.#pool = pool;
    this.#monotonicMs = monotonicMs;
    this.#onRejected = onRejected;
    this.#epoch = generations.follow({
      channel: 'auth_changed',
      sql: 'select epoch from auth_epoch',
      forget: () => this.#cache.clear(),
    });
  }

  async close(): Promise<void> {
    await Promise.allSettled(this.#touching);
  }

  async authenticate(request: Parameters<Gate['authenticate']>[0]): Promise<Caller> {
    const { credential, byCookie } = credentialOfRequest(request.headers);
    if (!credential) throw unauthenticated();
    const holder = await this.#holder(credential);
    const now = this.#monotonicMs();
    const refusal = refusalOf(credential, holder, request.address, now);
    if (refusal !== undefined || !holder) {
      if (credential.kind === 'token') this.#onRejected(credential.publicId, refusal ?? '', request.address);
      throw unauthenticated();
    }
    if (byCookie && request.writes) refuseCrossSite(credential, request.headers['x-security-key']);
    const isAttendedCall = !request.isUnattended && isAttended(request.headers);
    const isUse = credential.kind === 'token' || isAttendedCall;
    if (isUse && now - holder.usedMs > touchMs[credential.kind]) this.#touch(credential, holder, request.address, now);
    return {
      ...callerOf(credential, holder),
      ...(credential.kind === 'session' && {
        session: {
          id: holder.rowId,
          securityKey: () => securityKeyOf(credential.text),
          isAttended: byCookie && isAttendedCall,
        },
      }),
    };
  }

  /** Returns the current caller of a credential without its text, for background work that the credential started. */
  async callerAgain({ kind, publicId }: Pick<Caller['credential'], 'kind' | 'publicId'>): Promise<Caller | undefined> {
    const now = this.#monotonicMs();
    const holder = await this.#loadHolder({ kind, publicId }, now);
    return holder && holder.expiresMs > now && holder.isInHours ? callerOf({ kind, publicId }, holder) : undefined;
  }

  async #holder(credential: Credential): Promise<Holder | undefined> {
    const now = this.#monotonicMs();
    const cachedHolder = this.#epoch.isTrusted() ? this.#cache.get(credential.publicId) : undefined;
    if (cachedHolder && now < cachedHolder.rememberedUntilMs) return cachedHolder;
    const epoch = this.#epoch.generation();
    const holder = await this.#loadHolder(credential, now);
    // A revocation may have arrived during the query; then the result may be outdated and is not cached.
    if (holder && epoch === this.#epoch.generation()) this.#addToCache(credential.publicId, holder);
    return holder;
  }

  async #loadHolder(credential: Pick<Credential, 'kind' | 'publicId'>, now: number): Promise<Holder | undefined> {
    const isToken = credential.kind === 'token';
    const query = {
      name: `gate.${credential.kind}`,
      text: isToken ? tokenSql : sessionSql,
      values: [credential.publicId],
    };
    const { rows } = await onBehalfOf({ lane: 'identity' }, () =>
      withConnection(this.#pool, (client) => client.query(query)),
    );
    const row = rows[0];
    if (!row) return undefined;
    const owner: Rights = rightsOfOwner(row);
    return {
      ...row,
      rights: row.scopes ? intersect(owner, rightsOf(row.scopes)) : owner,
      // A token has the row limits of its owner.
      limits: limitsOf(row.accountId, row as Narrowed),
      // Without scopes, such a session could issue a token with all rights of the account.
      scopes: row.mustChangePassword ? {} : row.scopes,
      networks: networkList(row.networks),
      expiresMs: now + row.leftMs,
      rememberedUntilMs: now + rememberedMs(row),
      usedMs: this.#cache.get(credential.publicId)?.usedMs ?? Number.NEGATIVE_INFINITY,
    };
  }

  #addToCache(publicId: string, holder: Holder): void {
    if (this.#cache.size >= rememberedMax) this.#cache.delete(this.#cache.keys().next().value!);
    this.#cache.set(publicId, holder);
  }

  /** Stores the time of the last use, without waiting for the write. */
  #touch(credential: Credential, holder: Holder, address: string, now: number): void {
    holder.usedMs = now;
    const [text, values] =
      credential.kind === 'token'
        ? ['update api_token set last_used_at = now(), last_used_ip = $2 where id = $1', [holder.rowId, address]]
        : ['update login_session set used_at = now() where id = $1', [holder.rowId]];
    const touching = this.#pool.query(text as string, values as unknown[]).then(
      () => undefined,
      // The credential is valid even if this write fails; a later request stores its use again.
      () => undefined,
    );
    this.#touching.add(touching);
    void touching.finally(() => this.#touching.delete(touching));
  }
}

const callerOf = ({ kind, publicId }: Pick<Credential, 'kind' | 'publicId'>, holder: Holder): Caller => ({
  accountId: holder.accountId,
  userID: holder.userID,
  rights: holder.rights,
  limits: holder.limits,
  credential: { kind, publicId, name: holder.name, scopes: holder.scopes },
});

/** Called with refused API tokens, and the reason if the gate has one. The request does not wait for it. */
export type RejectedToken = (publicId: string, reason: string, address: string) => void;

/** Why a credential is refused; the caller never learns which reason. Revoked ones, and those of disabled owners, are not cached and have none. */
function refusalOf(
  credential: Credential,
  holder: Holder | undefined,
  address: string,
  now: number,
): string | undefined {
  if (!holder) return '';
  if (!hashFits(credential.text, holder.hash)) return 'its secret is wrong';
  if (holder.expiresMs <= now) return 'it has expired';
  if (!holder.isInHours) return 'it is outside the hours of the profile';
  if (holder.networks && !holder.networks.check(address, isIPv6(address) ? 'ipv6' : 'ipv4'))
    return 'the client address is not in its allowed networks';
  return undefined;
}

/** Returns how long a credential may be cached: with a schedule at most until the next minute of the database's clock, when it may end. */
export const rememberedMs = ({ hasHours, minuteLeftMs }: { hasHours: boolean; minuteLeftMs: number }): number =>
  hasHours ? Math.min(rememberMs, minuteLeftMs) : rememberMs;

/** Returns the rights of an account. With a required password change there are none, so that only the password can be changed. */
export function rightsOfOwner(row: {
  administrator: boolean;
  permissions: Parameters<typeof grantsOf>[0] | null;
  mustChangePassword?: boolean;
}): Rights {
  if (row.mustChangePassword) return new Map();
  return row.administrator ? 'everything' : rightsOf(grantsOf(row.permissions ?? {}));
}

/** Returns the credential of a request: from the Authorization header, or the cookie of the console. */
function credentialOfRequest(headers: Readonly<Record<string, string | string[] | undefined>>): {
  credential: Credential | undefined;
  byCookie: boolean;
} {
  const { authorization, cookie } = headers;
  if (typeof authorization === 'string') {
    const match = /^Bearer ([\w-]{1,200})$/i.exec(authorization);
    return { credential: match ? parseCredential(match[1]!) : undefined, byCookie: false };
  }
  const session =
    typeof cookie === 'string' ? /(?:^|;\s*)__Host-session=([\w-]{1,200})(?:;|$)/.exec(cookie)?.[1] : undefined;
  return { credential: session ? parseCredential(session) : undefined, byCookie: true };
}

/** True if a person caused the request. Pages that refresh themselves send x-unattended or read event streams, and must not extend the session. */
const isAttended = ({
  accept,
  'x-unattended': mark,
}: Readonly<Record<string, string | string[] | undefined>>): boolean =>
  mark !== '1' && !/\btext\/event-stream\b/i.test(String(accept ?? ''));

/** Throws if the security key is missing or wrong. A browser adds the cookie to requests of any page, but only the console has the key. */
function refuseCrossSite({ text }: Credential, securityKey: string | string[] | undefined): void {
  if (typeof securityKey === 'string' && hashFits(securityKey, credentialHash(securityKeyOf(text)))) return;
  throw new Failure(
    'forbidden',
    'A write with the session cookie needs the header X-Security-Key with the securityKey that the login or GET /api/v2/user/current-session/securityKey returned.',
  );
}

function networkList(networks: string[] | null): BlockList | undefined {
  if (!networks || networks.length === 0) return undefined;
  const list = new BlockList();
  for (const network of networks) {
    const [address, prefix] = network.split('/') as [string, string];
    list.addSubnet(address, Number(prefix), isIPv6(address) ? 'ipv6' : 'ipv4');
  }
  return list;
}
