import type { Runtime } from '../../context.ts';
import { systemOrigin } from '../../kernel/declare/caller.ts';
import { singleId } from '../../kernel/declare/declaration.ts';
import { proxyUnreachable } from './proxy-settings.events.ts';

const quietMs = 600_000;

const claimSql = `with claimed as (
  insert into proxy_report as r (proxy) values ($1)
  on conflict (proxy) do update set reported_at = now() where r.reported_at <= now() - interval '10 minutes'
  returning proxy
), old as (delete from proxy_report where reported_at < now() - interval '1 day' and proxy <> $1)
select proxy from claimed`;

/** Emits an event for an unreachable proxy, at most once in ten minutes in the cell. */
export class UnreachableProxies {
  readonly #runtime: Runtime;
  readonly #onError: (error: Error) => void;
  /** The last report of this node. Connections through an unreachable proxy are retried every second. */
  #reported = { proxy: '', atMs: 0 };

  constructor(runtime: Runtime, onError: (error: Error) => void) {
    this.#runtime = runtime;
    this.#onError = onError;
  }

  async report(proxy: string, why: string): Promise<void> {
    const nowMs = performance.now();
    if (this.#reported.proxy === proxy && nowMs - this.#reported.atMs < quietMs) return;
    this.#reported = { proxy, atMs: nowMs };
    await this.#emit(proxy, why).catch(this.#onError);
  }

  async #emit(proxy: string, why: string): Promise<void> {
    await this.#runtime.transact(systemOrigin('proxy'), async (tx) => {
      const { rows } = await tx.client.query(claimSql, [proxy]);
      if (rows.length === 0) return;
      await tx.emit({ type: proxyUnreachable, element: { id: singleId, name: proxy }, attributes: { why } });
    });
  }
}
