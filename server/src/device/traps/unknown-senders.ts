import type { Runtime } from '../../context.ts';
import { systemOrigin } from '../../kernel/declare/caller.ts';
import { BoundedMap } from '../../protocols/snmp/bounded-map.ts';
import type { Refusal } from '../../protocols/snmp/trap-receiver.ts';
import { trapFromUnknownDevice } from '../network-device/network-device.events.ts';

const hourMs = 3_600_000;
const rememberedMax = 10_000;
const waitingMax = 1_000;
/** Limit, so that forged addresses cannot fill the table or the log. */
const reportedMax = 1_000;

const words: Readonly<Partial<Record<Refusal, string>>> = {
  unknownCommunity: 'no device has this address and this community',
  unknownUser: 'no device has this SNMPv3 user',
  unauthentic: 'their authentication does not match the device',
};

const claimSql = `insert into trap_stranger as s (address)
select a::inet from unnest($1::text[]) a where (select count(*) from trap_stranger) < ${reportedMax} order by 1
on conflict (address) do update set told_at = now() where s.told_at < now() - interval '1 hour'
returning host(s.address) as address`;

/** Senders whose traps are rejected: one event per sender and hour, whichever node receives them. */
export class UnknownSenders {
  readonly #runtime: Runtime;
  readonly #learned = new BoundedMap<string, number>(rememberedMax);
  readonly #waiting = new Map<string, string>();

  constructor(runtime: Runtime) {
    this.#runtime = runtime;
  }

  note(address: string, refusal: Refusal): void {
    const why = words[refusal];
    const nowMs = performance.now();
    if (!why || this.#waiting.size >= waitingMax || (this.#learned.get(address) ?? -hourMs) > nowMs - hourMs) return;
    this.#learned.set(address, nowMs);
    this.#waiting.set(address, why);
  }

  /** Emits events for recorded senders, and deletes those older than an hour. */
  async emitEvents(): Promise<void> {
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
