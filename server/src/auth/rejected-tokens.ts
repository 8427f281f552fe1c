import { everyRow } from '../kernel/access/visible-tables.ts';
import { systemOrigin } from '../kernel/declare/caller.ts';
import type { Runtime } from '../kernel/write/runtime.ts';
import { userAccount } from '../user/user-account/user-account.ts';
import { tokenRejected } from './auth.events.ts';
import type { RejectedToken } from './gate.ts';

const everyUser = everyRow(userAccount, 'accounts are loaded for authentication, before there is a caller');

const quietMs = 60_000;
const rememberedMax = 10_000;

/** Finds the reason if the gate has none: the token is revoked, or its owner may not sign in. An unknown token has no row and no event. */
const emitSql = `with refused as (
  select t.id, t.name, a.id as account_id, a.user_id,
    case when $2 <> '' then $2 when t.revoked_at is not null then 'it was revoked' else 'its owner may not sign in' end as reason
  from api_token t join ${everyUser} a on a.id = t.account_id
  where t.public_id = $1
), told as (
  insert into api_token_rejection as x (token_id, reason)
  select r.id, r.reason from refused r
  on conflict (token_id, reason) do update set told_at = now() where x.told_at <= now() - interval '1 minute'
  returning x.token_id
)
select r.name, r.account_id as "accountId", r.user_id as "userID", r.reason from refused r join told t on t.token_id = r.id`;

/** Emits events for refused tokens, at most once a minute for each token and reason in the whole cell. */
export class RejectedTokens {
  readonly #runtime: Runtime;
  readonly #onError: (error: Error) => void;
  /** Recent reports of this node, so that a flood of refused requests does not become a flood of SQL statements. */
  readonly #reported = new Map<string, number>();
  readonly #pendingWrites = new Set<Promise<void>>();

  constructor(runtime: Runtime, onError: (error: Error) => void) {
    this.#runtime = runtime;
    this.#onError = onError;
  }

  readonly report: RejectedToken = (publicId, reason, address) => {
    const key = `${publicId} ${reason}`;
    const now = performance.now();
    if (now - (this.#reported.get(key) ?? Number.NEGATIVE_INFINITY) < quietMs) return;
    this.#reported.delete(key);
    this.#reported.set(key, now);
    if (this.#reported.size > rememberedMax) this.#reported.delete(this.#reported.keys().next().value!);
    const telling = this.#write(publicId, reason, address).catch(this.#onError);
    this.#pendingWrites.add(telling);
    void telling.finally(() => this.#pendingWrites.delete(telling));
  };

  async close(): Promise<void> {
    await Promise.allSettled(this.#pendingWrites);
  }

  async #write(publicId: string, reason: string, address: string): Promise<void> {
    await this.#runtime.transact({ ...systemOrigin('gate'), address }, async (tx) => {
      const { rows } = await tx.client.query<{ name: string; accountId: number; userID: string; reason: string }>(
        emitSql,
        [publicId, reason],
      );
      const refused = rows[0];
      if (!refused) return;
      await tx.emit({
        type: tokenRejected,
        element: { id: refused.accountId, name: refused.userID },
        ip: address,
        userName: refused.userID,
        attributes: { token: refused.name, address, reason: refused.reason },
      });
    });
  }
}
