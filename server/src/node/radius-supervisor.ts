import { setTimeout as sleep } from 'node:timers/promises';
import type { CacheInvalidation } from '../kernel/database/cache-invalidation.ts';
import { systemOrigin } from '../kernel/declare/caller.ts';
import type { Metrics } from '../kernel/telemetry/metrics.ts';
import { writeInstant } from '../kernel/values/time.ts';
import type { Runtime } from '../kernel/write/runtime.ts';
import type { OutboundGuard } from '../protocols/outbound/outbound.ts';
import type { EngineStatistics } from '../protocols/radius/engine-statistics.ts';
import type { EngineFacts, EngineProcess } from '../protocols/radius-engine/engine-process.ts';
import { engineFiles } from '../radius/engine-files/engine-files.ts';
import {
  forgetEngineState,
  reportEngineState,
  reportSilentNodes,
} from '../radius/radius-health/radius-health.service.ts';
import { hasEngine } from '../radius/rollout/rollout.service.ts';
import {
  radiusConfigApplied,
  radiusConfigInvalid,
} from '../radius/server-configuration/server-configuration.events.ts';
import {
  answerRequests,
  type DesiredEngine,
  type EnginePlace,
  engineSettings,
  ensureStatusSecret,
  type HomeAddress,
  type OcspResponder,
  readDesiredEngine,
} from '../radius/server-configuration/server-configuration.service.ts';
import type { EngineIdentity } from './engine-identity.ts';

const roundMs = 1_000;
const comeUpMs = 5_000;
/** Wait for a reply while the engine starts: a request that arrives too early is lost, and another one follows. */
const startAnswerMs = 1_000;
const probeEveryMs = 5_000;
const factsEveryMs = 60_000;
const tidyEveryMs = 60_000;
/** Status-Server requests without a reply before the engine counts as down. */
const unansweredMax = 2;
const waitMsMax = 30_000;
/** Time without a gap in the rounds of this node, after which it reports nodes that no longer renew their rows. */
const steadyMs = 15_000;
const gapMsMax = 5_000;
const lastErrorMax = 2_000;

const lockSql = `select pg_try_advisory_lock(hashtext('radius_rollout')) as "isMine"`;
const unlockSql = `select pg_advisory_unlock(hashtext('radius_rollout'))`;

const renewSql = `insert into cluster_node as n (node, version, radius_generation, radius) values ($1, $2, $3, $4)
on conflict (node) do update set version = excluded.version, radius_generation = excluded.radius_generation, radius = excluded.radius,
  renewed = clock_timestamp()`;

const forgetSql = `delete from cluster_node n where n.node = $1 or n.renewed < clock_timestamp() - interval '1 day'`;

const refuseSql = `update config_generation set refused = $1, refused_why = $2 where topic = 'radius' and wanted = $1`;

/** Executed by every node; changes a row only when the last node runs the generation. */
const appliedSql = `update config_generation g set applied = g.wanted
from (select count(*) as nodes, min(n.radius_generation) as lowest from cluster_node n where ${hasEngine}) live
where g.topic = 'radius' and g.applied < g.wanted and live.lowest >= g.wanted
returning g.wanted as generation, live.nodes, extract(epoch from clock_timestamp() - g.raised_at)::double precision as seconds`;

const generationSql = `select n.radius_generation as generation,
  case when n.radius_generation < g.wanted then extract(epoch from clock_timestamp() - g.raised_at) else 0 end::double precision as behind
from cluster_node n, config_generation g where n.node = $1 and g.topic = 'radius'`;

/** The inputs of a generation, stored next to the files of the engine. */
interface MadeFor {
  place: string;
  statusSecret: string;
  /** By the id of the profile. */
  responders: Record<string, OcspResponder>;
  /** By the id of the AAA server; absent in files of earlier releases. */
  homes?: Record<string, HomeAddress>;
}

const madeForFile = 'made-for.json';

/** Reads the inputs of a generation. Its status secret may be older than the stored one. */
export async function readMadeFor(engine: EngineProcess, generation: number): Promise<MadeFor | undefined> {
  const text = await engine.read(generation, madeForFile);
  return text === undefined ? undefined : (JSON.parse(text) as MadeFor);
}

interface Applied {
  generation: number;
  nodes: number;
  seconds: number;
}

/** Whether an engine is in the desired state, with the reason if it is not. */
export interface EngineHealth {
  ready: boolean;
  detail: string;
}

/** Returns the public health. Error messages of the engine are left out, because only callers with the right to view settings may read them. */
function healthOf(
  { isEnabled, isMonitored }: DesiredEngine,
  running: { generation: number } | undefined,
  answersMs: number | undefined,
): EngineHealth {
  if (!isEnabled) return { ready: true, detail: 'disabled' };
  if (!running) return { ready: false, detail: 'the engine does not run' };
  if (isMonitored && answersMs === undefined) return { ready: false, detail: 'the engine does not answer' };
  return { ready: true, detail: `generation ${running.generation}` };
}

/** True if the generation must be rolled out. A generation that a node refused is retried only if there is no previous one. */
const isDue = ({ generation, refused }: DesiredEngine, current: number | undefined): boolean =>
  current === undefined || (current !== generation && refused !== generation);

/**
 * Keeps the engine of this node running with the stored configuration: writes its files, starts it, checks that it responds, and restores
 * the previous files if it does not.
 */
export class RadiusSupervisor {
  readonly #runtime: Runtime;
  readonly #engine: EngineProcess;
  readonly #identity: EngineIdentity;
  readonly #outbound: OutboundGuard;
  /** Set by `start`, before the first round. */
  #place!: EnginePlace;
  readonly #node: string;
  readonly #version: string;
  readonly #onError: (error: Error) => void;
  readonly #onBadlySigned: (addresses: readonly string[]) => void;
  readonly #clock: () => number;
  #timer: NodeJS.Timeout | undefined;
  #currentWork: Promise<void> = Promise.resolve();
  #isWaiting = false;
  #isClosed = false;
  #facts: EngineFacts | undefined;
  #factsMs = Number.NEGATIVE_INFINITY;
  #responseMs: number | undefined;
  #probedMs = Number.NEGATIVE_INFINITY;
  #renewedMs = Number.NEGATIVE_INFINITY;
  #steadySinceMs = 0;
  #failures = 0;
  #retryMs = Number.NEGATIVE_INFINITY;
  #tidiedMs = Number.NEGATIVE_INFINITY;
  #lastReload: string | null = null;
  #lastError: string | null = null;
  #health: EngineHealth = { ready: false, detail: 'the engine was not started yet' };

  constructor(options: {
    runtime: Runtime;
    generations: CacheInvalidation;
    engine: EngineProcess;
    identity: EngineIdentity;
    outbound: OutboundGuard;
    node: string;
    version: string;
    metrics: Metrics;
    clock: () => number;
    onError: (error: Error) => void;
    onBadlySigned: (addresses: readonly string[]) => void;
  }) {
    this.#runtime = options.runtime;
    this.#engine = options.engine;
    this.#identity = options.identity;
    this.#outbound = options.outbound;
    this.#node = options.node;
    this.#version = options.version;
    this.#clock = options.clock;
    this.#onError = options.onError;
    this.#onBadlySigned = options.onBadlySigned;
    this.#observe(options.metrics);
    options.generations.follow({
      channel: 'radius_changed',
      sql: `select g.wanted from config_generation g where g.topic = 'radius'`,
      forget: () => this.#enqueue(),
    });
    options.generations.follow({
      channel: 'node_requested',
      sql: 'select coalesce(max(q.id), 0) from node_request q',
      forget: () => this.#enqueue(),
    });
  }

  async start(place: EnginePlace): Promise<void> {
    this.#place = place;
    await ensureStatusSecret(this.#runtime);
    this.#timer = setInterval(() => this.#enqueue(), roundMs).unref();
    this.#enqueue();
  }

  /** The health at the end of the last round. */
  get health(): EngineHealth {
    return this.#health;
  }

  /** Returns the counters of the running engine; undefined: it does not reply. */
  async statistics(): Promise<EngineStatistics | undefined> {
    const running = await this.#engine.running();
    const madeFor = running && (await readMadeFor(this.#engine, running.generation));
    return madeFor && this.#engine.statistics(this.#place.statusPort, madeFor.statusSecret);
  }

  #observe(metrics: Metrics): void {
    const gauge = (name: string, help: string, column: 'generation' | 'behind') =>
      metrics.gauge(name, help, async () => {
        const { rows } = await this.#runtime.pool.query<Record<typeof column, number>>(generationSql, [this.#node]);
        return rows.map((row) => ({ labels: { node: this.#node }, value: Number(row[column]) }));
      });
    gauge(
      'portreeve_radius_generation',
      'Generation of the files that the RADIUS engine runs on; 0: none.',
      'generation',
    );
    gauge(
      'portreeve_radius_generation_behind_seconds',
      'Time since the newest generation was requested, if the RADIUS engine does not run on it; 0: it does.',
      'behind',
    );
  }

  /** Stops the supervisor but not the engine: it uses other nodes, and the next start of this node takes it over. */
  async close(): Promise<void> {
    this.#isClosed = true;
    clearInterval(this.#timer);
    await this.#currentWork;
    await this.#runtime.pool.query(forgetSql, [this.#node]).catch(this.#onError);
  }

  /** Runs one round at a time, and queues at most one more. */
  #enqueue(): void {
    if (this.#isWaiting || this.#isClosed || !this.#timer) return;
    this.#isWaiting = true;
    this.#currentWork = this.#currentWork
      .then(async () => {
        this.#isWaiting = false;
        if (!this.#isClosed) await this.#round();
      })
      .catch(this.#onError);
  }

  async #round(): Promise<void> {
    const desiredEngine = await readDesiredEngine(this.#runtime);
    await this.#stopIfPlaceChanged();
    const running = await this.#engine.running();
    const current = await this.#engine.current();
    if (!desiredEngine.isEnabled) await this.#stopEngine();
    else if (isDue(desiredEngine, current)) await this.#rollOut(current);
    else if (!running) await this.#restart(current!);
    else if (desiredEngine.isMonitored) await this.#probe(running.generation);
    else await this.#reportState(true);
    await this.#renew(desiredEngine);
    if (this.#isSteady()) await reportSilentNodes(this.#runtime);
    await answerRequests(this.#runtime, this.#node, this.#engine);
    if (desiredEngine.applied < desiredEngine.generation) await this.#reportApplied();
    this.#onBadlySigned(await this.#engine.badlySigned());
    await this.#tidy();
  }

  async #tidy(): Promise<void> {
    if (performance.now() - this.#tidiedMs < tidyEveryMs) return;
    this.#tidiedMs = performance.now();
    await this.#engine.tidy();
  }

  /** Stops an engine that was started with another address or other ports than those of the deployment file. */
  async #stopIfPlaceChanged(): Promise<void> {
    const current = await this.#engine.current();
    if (current === undefined || (await readMadeFor(this.#engine, current))?.place === JSON.stringify(this.#place))
      return;
    await this.#engine.forget();
    await this.#writeNote('stopped: its address or ports are not those of the deployment file');
  }

  async #measureResponse(generation: number, waitMs?: number): Promise<number | undefined> {
    const madeFor = await readMadeFor(this.#engine, generation);
    return madeFor && this.#engine.answers(this.#place.statusPort, madeFor.statusSecret, waitMs);
  }

  async #stopEngine(): Promise<void> {
    if (!(await this.#engine.running())) return;
    await this.#engine.stop();
    this.#responseMs = undefined;
    await forgetEngineState(this.#runtime, this.#node);
    await this.#writeNote('stopped: the service is disabled');
  }

  /** Applies the newest generation. Only one node does so at a time, so that the engines of the others respond meanwhile. */
  async #rollOut(before: number | undefined): Promise<void> {
    if (performance.now() < this.#retryMs) return;
    const client = await this.#runtime.pool.connect();
    try {
      const { rows } = await client.query<{ isMine: boolean }>(lockSql);
      if (!rows[0]!.isMine) return;
      try {
        await this.#apply((await readDesiredEngine(this.#runtime)).generation, before);
        if ((await this.#engine.current()) === undefined) this.#increaseRetryDelay();
      } catch (error) {
        // The configuration is not refused: the cause is local, such as a full folder or an engine that is not installed.
        this.#lastError = (error as Error).message;
        this.#increaseRetryDelay();
        throw error;
      } finally {
        await client.query(unlockSql);
      }
    } finally {
      client.release();
    }
  }

  async #apply(generation: number, before: number | undefined): Promise<void> {
    const previous = before === undefined ? undefined : await readMadeFor(this.#engine, before);
    const outbound = { guard: this.#outbound, responders: previous?.responders ?? {}, homes: previous?.homes ?? {} };
    const { settings, responders, homes, problems } = await engineSettings(this.#runtime, this.#place, outbound);
    const place = JSON.stringify(this.#place);
    const madeFor: MadeFor = { place, statusSecret: settings.statusSecret, responders, homes };
    const files = engineFiles(settings, this.#engine.folderOf(generation));
    await this.#engine.write(generation, new Map([...files, [madeForFile, JSON.stringify(madeFor)]]));
    const complaint = await this.#engine.check(generation);
    if (complaint !== undefined) return this.#refuse(generation, complaint);
    await this.#startEngine(generation);
    if (await this.#waitForStart(generation)) {
      this.#lastError = problems.length > 0 ? problems.join('\n').slice(0, lastErrorMax) : null;
      this.#lastReload = writeInstant(this.#clock());
      for (const problem of problems) await this.#writeNote(problem);
      return this.#writeNote(`runs generation ${generation}`);
    }
    if (before === undefined) await this.#engine.forget();
    else {
      await this.#startEngine(before);
      await this.#waitForStart(before);
    }
    await this.#refuse(generation, 'The engine started but did not respond.');
  }

  async #refuse(generation: number, why: string): Promise<void> {
    this.#lastError = why;
    await this.#writeNote(`generation ${generation} cannot be run: ${why}`);
    const element = { id: 0, name: this.#node };
    await this.#runtime.transact(systemOrigin('radius'), async ({ client, emit }) => {
      const { rowCount } = await client.query(refuseSql, [generation, why.slice(0, 2_000)]);
      if (rowCount === 1)
        await emit({ type: radiusConfigInvalid, element, attributes: { generation, why: why.slice(0, 500) } });
    });
  }

  /** Starts an engine again that ended, after a delay that grows with each attempt. */
  async #restart(generation: number): Promise<void> {
    this.#responseMs = undefined;
    await this.#reportState(false, 'its process ended.');
    if (performance.now() < this.#retryMs) return;
    this.#increaseRetryDelay();
    await this.#writeNote(`not running; starts generation ${generation} again`);
    await this.#startEngine(generation);
    await this.#waitForStart(generation);
  }

  /** Starts the engine with new keys, so that a copy of the files of an earlier engine is useless. */
  async #startEngine(generation: number): Promise<void> {
    await this.#engine.stop();
    await this.#identity.renew();
    await this.#engine.start(generation);
  }

  #increaseRetryDelay(): void {
    this.#failures += 1;
    this.#retryMs = performance.now() + Math.min(waitMsMax, 500 * 2 ** this.#failures);
  }

  async #waitForStart(generation: number): Promise<boolean> {
    for (const end = performance.now() + comeUpMs; performance.now() < end; await sleep(20)) {
      this.#responseMs = await this.#measureResponse(generation, startAnswerMs);
      if (this.#responseMs !== undefined) return this.#isUp();
      if ((await this.#engine.running())?.generation !== generation && performance.now() > end - comeUpMs + 500) break;
    }
    return false;
  }

  async #isUp(): Promise<true> {
    this.#failures = 0;
    this.#retryMs = Number.NEGATIVE_INFINITY;
    this.#probedMs = performance.now();
    await this.#readFacts();
    await this.#reportState(true);
    return true;
  }

  async #readFacts(): Promise<void> {
    this.#factsMs = performance.now();
    this.#facts = await this.#engine.facts();
  }

  /** Two requests without a reply follow each other immediately, so that an engine that hangs is down within 10 s. */
  async #probe(generation: number): Promise<void> {
    if (performance.now() - this.#probedMs < probeEveryMs) return;
    this.#probedMs = performance.now();
    for (let unanswered = 0; unanswered < unansweredMax; unanswered++) {
      this.#responseMs = await this.#measureResponse(generation);
      if (this.#responseMs !== undefined) break;
    }
    if (performance.now() - this.#factsMs > factsEveryMs) await this.#readFacts();
    if (this.#responseMs !== undefined) return this.#reportState(true);
    await this.#reportState(false, `${unansweredMax} Status-Server requests had no reply.`);
    await this.#writeNote(`does not answer; starts generation ${generation} again`);
    await this.#startEngine(generation);
    await this.#waitForStart(generation);
  }

  /**
   * True if this node has renewed its own row for long enough to compare those of other nodes with it: after an outage of the database, or
   * of this node, the others may renew theirs a moment later.
   */
  #isSteady(): boolean {
    const now = performance.now();
    if (now - this.#renewedMs > gapMsMax) this.#steadySinceMs = now;
    this.#renewedMs = now;
    return now - this.#steadySinceMs > steadyMs;
  }

  /** Reports a change of the engine's state. A failure to store it must not delay the restart of the engine. */
  #reportState(isUp: boolean, cause = ''): Promise<void> {
    return reportEngineState(this.#runtime, this.#node, { isUp, cause }).catch(this.#onError);
  }

  async #renew(desiredEngine: DesiredEngine): Promise<void> {
    const running = await this.#engine.running();
    this.#health = healthOf(desiredEngine, running, this.#responseMs);
    const radius = {
      pid: running?.pid ?? null,
      version: this.#facts?.version ?? null,
      upSince: running && this.#facts?.upSinceMs ? writeInstant(this.#facts.upSinceMs) : null,
      clients: running ? this.#engine.countCached(desiredEngine.nasCacheSeconds) : 0,
      lastReload: this.#lastReload,
      lastError: this.#lastError,
      answersMs: running && this.#responseMs !== undefined ? Math.round(this.#responseMs * 10) / 10 : null,
    };
    await this.#runtime.pool.query(renewSql, [
      this.#node,
      this.#version,
      running?.generation ?? 0,
      JSON.stringify(radius),
    ]);
  }

  async #reportApplied(): Promise<void> {
    await this.#runtime.transact(systemOrigin('radius'), async ({ client, emit }) => {
      const { rows } = await client.query<Applied>(appliedSql);
      for (const { generation, nodes, seconds } of rows)
        await emit({
          type: radiusConfigApplied,
          element: { id: 0, name: 'RADIUS' },
          attributes: { generation, nodes: Number(nodes), seconds: Math.round(seconds * 10) / 10 },
        });
    });
  }

  #writeNote(what: string): Promise<void> {
    return this.#engine.note(`${writeInstant(this.#clock())} ${what}`);
  }
}
