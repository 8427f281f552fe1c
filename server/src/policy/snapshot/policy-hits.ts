import { LoopShare } from '../../kernel/values/loop-share.ts';
import { decideAccess } from '../decide/decide.service.ts';
import { decisionContext, openConnection } from './decision-context.ts';
import type { PolicySnapshots } from './policy-snapshots.ts';

const cacheMs = 60_000;

/** Number of connections that each policy currently decides, by its id. */
export interface PolicyHits {
  access: ReadonlyMap<number, number>;
  mappings: ReadonlyMap<number, number>;
  authentication: ReadonlyMap<number, number>;
}

const countIn = (counts: Map<number, number>, id: number | null | undefined): void => {
  if (id !== null && id !== undefined) counts.set(id, (counts.get(id) ?? 0) + 1);
};

/** Counts hits on request. Evaluates all connections at most once a minute. */
export class CountedHits {
  readonly #policies: PolicySnapshots;
  readonly #monotonicMs: () => number;
  #counting: Promise<PolicyHits> | undefined;
  #countedMs = Number.NEGATIVE_INFINITY;

  constructor(policies: PolicySnapshots, monotonicMs: () => number) {
    this.#policies = policies;
    this.#monotonicMs = monotonicMs;
  }

  read(atMs: number): Promise<PolicyHits> {
    if (this.#counting && this.#monotonicMs() - this.#countedMs < cacheMs) return this.#counting;
    this.#countedMs = this.#monotonicMs();
    const counting = this.#count(atMs);
    // A failure is not cached.
    counting.catch(() => {
      if (this.#counting === counting) this.#counting = undefined;
    });
    this.#counting = counting;
    return counting;
  }

  async #count(atMs: number): Promise<PolicyHits> {
    const { set, topology } = await this.#policies.latest();
    const access = new Map<number, number>();
    const mappings = new Map<number, number>();
    const authentication = new Map<number, number>();
    const share = new LoopShare();
    for await (const batch of this.#policies.connected()) {
      for (const facts of batch) {
        const connection = openConnection(topology, facts);
        if (!connection) continue;
        const { step, policyID, families } = decideAccess(set, decisionContext(facts, connection, atMs));
        countIn(step === 6 ? mappings : access, policyID);
        countIn(authentication, families.authentication?.policyID);
        if (share.isUsedUp()) await share.pause();
      }
    }
    return { access, mappings, authentication };
  }
}
