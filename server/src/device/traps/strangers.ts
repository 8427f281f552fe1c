import type { Runtime } from '../../kernel/runtime.ts';
import { BoundedMap } from '../../parts/snmp/bounded-map.ts';
import type { Refusal } from '../../parts/snmp/trap-receiver.ts';
import { systemOrigin } from '../../system/background-task/follow-jobs.ts';
import { trapFromUnknownDevice } from '../device-event-types.ts';

const hourMs = 3_600_000;
const rememberedMax = 10_000;
const waitingMax = 1_000;
/** Whoever forges addresses fills neither the table nor the log. */
const toldMax = 1_000;

const words: Readonly<Partial<Record<Refusal, string>>> = {
  unknownCommunity: 'no device has this address and this community',
  unknownUser: 'no device has this user of SNMPv3',
  unauthentic: 'their signature is not that of the device',
};

const claimSql = `insert into trap_stranger as s (address)
select a::inet from unnest($1::text[]) a where (select count(*) from trap_stranger) < ${toldMax} order by 1
on conflict (address) do update set told_at = now() where s.told_at < now() - interval '1 hour'
returning host(s.address) as address`;

/** Those whose traps are not taken: each is told once an hour, whichever node hears it. */
export class Strangers {
  readonly #runtime: Runtime;
  readonly #heard = new BoundedMap<string, number>(rememberedMax);
  readonly #waiting = new Map<string, string>();

  constructor(runtime: Runtime) {
    this.#runtime = runtime;
  }

  note(address: string, refusal: Refusal): void {
    const why = words[refusal];
    const nowMs = performance.now();
    if (!why || this.#waiting.size >= waitingMax || (this.#heard.get(address) ?? -hourMs) > nowMs - hourMs) return;
    this.#heard.set(address, nowMs);
    this.#waiting.set(address, why);
  }

  /** Tells of those that were noted, and forgets those of an hour ago. */
  async tell(): Promise<void> {
    await this.#runtime.pool.query(`delete from trap_stranger s where s.told_at < now() - interval '1 hour'`);
    if (this.#waiting.size === 0) return;
    const noted = new Map(this.#waiting);
    this.#waiting.clear();
    await this.#runtime.transact(systemOrigin('traps'), async (tx) => {
      const { rows } = await tx.client.query<{ address: string }>(claimSql, [[...noted.keys()]]);
      for (const { address } of rows)
        await tx.emit({
          type: trapFromUnknownDevice,
          element: { id: 0, name: address },
          ip: address,
          attributes: { why: noted.get(address) ?? '' },
        });
    });
  }
}
