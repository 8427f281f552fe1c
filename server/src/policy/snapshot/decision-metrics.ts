import type { Metrics } from '../../context.ts';
import type { Decision } from '../decide/decide.service.ts';
import type { Snapshot } from './policy-snapshots.ts';

const secondsBounds = [0.000_01, 0.000_05, 0.000_1, 0.000_5, 0.001, 0.005, 0.01, 0.05, 0.1];

/** Counts and times decisions, and reports the size of the snapshot that they read. */
export class DecisionMetrics {
  readonly #decisions;
  readonly #seconds;
  readonly #labels = new Map<string, { outcome: string; step: string }>();
  #compileSeconds = 0;

  constructor(metrics: Metrics, current: () => Snapshot | undefined) {
    this.#decisions = metrics.counter('portreeve_decisions_total', 'Access decisions, by outcome and deciding step.');
    this.#seconds = metrics.histogram('portreeve_decision_seconds', 'Time of one access decision.', secondsBounds);
    const gauge = (name: string, help: string, readValue: (snapshot: Snapshot) => number) =>
      metrics.gauge(name, help, () => {
        const snapshot = current();
        return snapshot ? [{ labels: {}, value: readValue(snapshot) }] : [];
      });
    gauge('portreeve_policy_generation', 'Generation of the policies in use.', ({ set }) => set.generation);
    gauge('portreeve_policy_compile_seconds', 'Time of the last compilation of policies.', () => this.#compileSeconds);
    metrics.gauge('portreeve_policy_snapshot_rows', 'Rows in memory that decisions read, by kind.', () => {
      const snapshot = current();
      if (!snapshot) return [];
      const { policies, topology } = snapshot;
      const rows = {
        ...topology.size,
        policies: policies.accessPolicies.length + policies.families.authentication.length,
        mappings: policies.roleMappings.length,
        values: policies.logicalNetworkConfigurations.length,
      };
      return Object.entries(rows).map(([kind, value]) => ({ labels: { kind }, value }));
    });
  }

  timed<D extends Decision>(decide: () => D): D {
    const begunMs = performance.now();
    const decision = decide();
    this.#seconds.observe({}, (performance.now() - begunMs) / 1_000);
    this.#decisions.add(this.#labelsOf(decision));
    return decision;
  }

  compiled<T>(compile: () => T): T {
    const begunMs = performance.now();
    const set = compile();
    this.#compileSeconds = (performance.now() - begunMs) / 1_000;
    return set;
  }

  /** Returns the same object for the same labels. */
  #labelsOf({ outcome, step }: Decision): { outcome: string; step: string } {
    const key = `${outcome} ${step}`;
    const cachedLabels = this.#labels.get(key) ?? { outcome, step: String(step) };
    this.#labels.set(key, cachedLabels);
    return cachedLabels;
  }
}
