import { hostname } from 'node:os';
import type { Runtime, WriteTx } from '../../context.ts';
import type { Origin } from '../../kernel/declare/caller.ts';
import { evaluateThreshold, type Limits, type ThresholdState, type Watch } from './evaluate-threshold.ts';
import { eventsOf } from './event-threshold.events.ts';
import { Measurer } from './measure.ts';
import { type Threshold, thresholds } from './thresholds.ts';

const node = hostname();

/** Stores the thresholds. Updates their texts from the code, and keeps limits that administrators may have changed. */
export async function upsertThresholds(pool: Runtime['pool']): Promise<void> {
  await pool.query(
    `insert into event_threshold as t (name, metric, unit, warning, critical, for_seconds, enabled)
     select n.name, n.metric, n.unit, n.warning, n.critical, n."forSeconds", true
     from jsonb_to_recordset($1::jsonb) n(name text, metric text, unit text, warning double precision, critical double precision, "forSeconds" integer)
     order by n.name
     on conflict (lower(name)) do update set metric = excluded.metric, unit = excluded.unit
     where (t.metric, t.unit) is distinct from (excluded.metric, excluded.unit)`,
    [JSON.stringify(thresholds)],
  );
}

interface Row extends Limits, Watch {
  id: number;
  enabled: boolean;
  nowMs: number;
}

const lockSql = `select t.id, t.warning, t.critical, t.for_seconds as "forSeconds", t.enabled, s.state,
  (extract(epoch from s.warning_since) * 1000)::double precision as "warningSinceMs",
  (extract(epoch from s.critical_since) * 1000)::double precision as "criticalSinceMs",
  (extract(epoch from clock_timestamp()) * 1000)::double precision as "nowMs"
from event_threshold t join threshold_state s on s.threshold_id = t.id and s.element = $2
where t.name = $1
for no key update of s`;

/**
 * Measures this node and the cell, and emits events when a limit is crossed. The state between measurements is a row that is locked for
 * each measurement, so that nodes that measure the same metric emit one event per crossing.
 */
export class SelfMonitor {
  readonly #runtime: Runtime;
  readonly #origin: Origin;
  readonly #onError: (error: Error) => void;
  readonly #measurer: Measurer;
  #timer: NodeJS.Timeout | undefined;
  #running: Promise<void> | undefined;

  constructor(runtime: Runtime, origin: Origin, folders: readonly string[], onError: (error: Error) => void) {
    this.#runtime = runtime;
    this.#origin = origin;
    this.#onError = onError;
    this.#measurer = new Measurer(runtime.pool, folders);
  }

  start(everyMs: number): void {
    this.#timer = setInterval(() => {
      this.#running ??= this.#measure()
        .catch(this.#onError)
        .finally(() => {
          this.#running = undefined;
        });
    }, everyMs).unref();
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
    await this.#running;
  }

  async #measure(): Promise<void> {
    const measured = await this.#measurer.measure();
    for (const threshold of thresholds) {
      const value = measured.get(threshold.name);
      if (value !== undefined)
        await this.#runtime.transact(this.#origin, (tx) => recordMeasurement(tx, threshold, value));
    }
  }
}

/** Stores the state of a threshold after a measurement, and emits an event if it changed. */
async function recordMeasurement(tx: WriteTx, threshold: Threshold, value: number): Promise<void> {
  const element = threshold.scope === 'node' ? node : 'cell';
  await tx.client.query(
    `insert into threshold_state (threshold_id, element) select t.id, $2 from event_threshold t where t.name = $1
     on conflict (threshold_id, element) do nothing`,
    [threshold.name, element],
  );
  const { rows } = await tx.client.query<Row>(lockSql, [threshold.name, element]);
  const before = rows[0]!;
  // A disabled threshold has no limits, so that its reported state ends.
  const limits = before.enabled ? before : { warning: null, critical: null, forSeconds: 0 };
  const after = evaluateThreshold(limits, before, value, before.nowMs);
  await tx.client.query(
    `update threshold_state set current = $3, state = $4, warning_since = to_timestamp($5::double precision / 1000), critical_since = to_timestamp($6::double precision / 1000),
       measured_at = now()
     where threshold_id = $1 and element = $2`,
    [before.id, element, rounded(value), after.state, after.warningSinceMs, after.criticalSinceMs],
  );
  if (after.state !== before.state) await emitChange(tx, threshold, element, value, after.state, limits);
}

/** Rounds to two decimals. */
const rounded = (value: number): number => Math.round(value * 100) / 100;

async function emitChange(
  tx: WriteTx,
  { name, metric, unit }: Threshold,
  element: string,
  value: number,
  state: ThresholdState,
  limits: Limits,
): Promise<void> {
  const types = eventsOf.get(name)!;
  const common = { metric, value: rounded(value), unit };
  const eventElement = { id: 0, name: element };
  if (state === 'OK') await tx.emit({ type: types.NORMAL, element: eventElement, attributes: common });
  else
    await tx.emit({
      type: types[state],
      element: eventElement,
      attributes: { ...common, limit: limits[state === 'WARNING' ? 'warning' : 'critical'] ?? 0 },
    });
}
