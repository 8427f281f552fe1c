import { setTimeout as sleep } from 'node:timers/promises';
import type { CacheInvalidation } from '../kernel/database/cache-invalidation.ts';
import { systemOrigin } from '../kernel/declare/caller.ts';
import type { Metrics } from '../kernel/telemetry/metrics.ts';
import { writeInstant } from '../kernel/values/time.ts';
import type { Runtime } from '../kernel/write/runtime.ts';
import type { OutboundGuard } from '../protocols/outbound/outbound.ts';
import type { EngineFacts, EngineProcess } from '../protocols/radius-engine/engine-process.ts';
import { engineFiles } from '../radius/engine-files/engine-files.ts';
import { hasEngine } from '../radius/rollout/rollout.service.ts';
import {
  radiusConfigApplied,
  radiusConfigInvalid,
} from '../radius/server-configuration/server-configuration.events.ts';
import {
  answerRequests,
  type EnginePlace,
  engineSettings,
  ensureStatusSecret,
  type OcspResponder,
  type WantedEngine,
  wantedEngine,
} from '../radius/server-configuration/server-configuration.service.ts';
import type { EngineIdentity } from './engine-identity.ts';

const roundMs = 1_000;
const comeUpMs = 5_000;
const probeEveryMs = 5_000;
const factsEveryMs = 60_000;
const tidyEveryMs = 60_000;
/** Two questions without an answer: it is taken for dead. */
const unansweredMax = 2;
const waitMsMax = 30_000;
const lastErrorMax = 2_000;

const lockSql = `select pg_try_advisory_lock(hashtext('radius_rollout')) as "isMine"`;
const unlockSql = `select pg_advisory_unlock(hashtext('radius_rollout'))`;

const renewSql = `insert into cluster_node as n (node, version, radius_generation, radius) values ($1, $2, $3, $4)
on conflict (node) do update set version = excluded.version, radius_generation = excluded.radius_generation, radius = excluded.radius,
  renewed = clock_timestamp()`;

const forgetSql = `delete from cluster_node n where n.node = $1 or n.renewed < clock_timestamp() - interval '1 day'`;

const refuseSql = `update config_generation set refused = $1, refused_why = $2 where topic = 'radius' and wanted = $1`;

/** By the node that is the last to run it. */
const appliedSql = `update config_generation g set applied = g.wanted
from (select count(*) as nodes, min(n.radius_generation) as lowest from cluster_node n where ${hasEngine}) live
where g.topic = 'radius' and g.applied < g.wanted and live.lowest >= g.wanted
returning g.wanted as generation, live.nodes, extract(epoch from clock_timestamp() - g.raised_at)::double precision as seconds`;

const generationSql = `select n.radius_generation as generation,
  case when n.radius_generation < g.wanted then extract(epoch from clock_timestamp() - g.raised_at) else 0 end::double precision as behind
from cluster_node n, config_generation g where n.node = $1 and g.topic = 'radius'`;

/** What a generation was made for, next to the engine's own files. */
interface MadeFor {
  place: string;
  statusSecret: string;
  /** By the id of the profile. */
  responders: Record<string, OcspResponder>;
}

const madeForFile = 'made-for.json';

/** What the files of a generation were made for; its secret may be older than the stored one. */
export async function readMadeFor(engine: EngineProcess, generation: number): Promise<MadeFor | undefined> {
  const text = await engine.read(generation, madeForFile);
  return text === undefined ? undefined : (JSON.parse(text) as MadeFor);
}

interface Applied {
  generation: number;
  nodes: number;
  seconds: number;
}

/** Whether an engine does what is wanted of it, and if not, why. */
export interface EngineHealth {
  ready: boolean;
  detail: string;
}

/** Everybody may read it: what the engine says against its files is for those who may view the settings. */
function healthOf(
  { isEnabled, isMonitored }: WantedEngine,
  running: { generation: number } | undefined,
  answersMs: number | undefined,
): EngineHealth {
  if (!isEnabled) return { ready: true, detail: 'disabled' };
  if (!running) return { ready: false, detail: 'the engine does not run' };
  if (isMonitored && answersMs === undefined) return { ready: false, detail: 'the engine does not answer' };
  return { ready: true, detail: `generation ${running.generation}` };
}

/** A generation that a node could not run is tried again only where there is none to go back to. */
const isDue = ({ generation, refused }: WantedEngine, current: number | undefined): boolean =>
  current === undefined || (current !== generation && refused !== generation);

/** Keeps the engine of this node running on what is stored: makes its files, starts it, asks whether it answers, and goes back to the files before when it does not. */
export class RadiusSupervisor {
  readonly #runtime: Runtime;
  readonly #engine: EngineProcess;
  readonly #identity: EngineIdentity;
  readonly #outbound: OutboundGuard;
  /** Of `start`, before which there are no rounds. */
  #place!: EnginePlace;
  readonly #node: string;
  readonly #version: string;
  readonly #onError: (error: Error) => void;
  readonly #onBadlySigned: (addresses: readonly string[]) => void;
  readonly #clock: () => number;
  #timer: NodeJS.Timeout | undefined;
  #working: Promise<void> = Promise.resolve();
  #isWaiting = false;
  #isClosed = false;
  #facts: EngineFacts | undefined;
  #factsMs = Number.NEGATIVE_INFINITY;
  #responseMs: number | undefined;
  #unanswered = 0;
  #probedMs = Number.NEGATIVE_INFINITY;
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

  /** As of the last round. */
  get health(): EngineHealth {
    return this.#health;
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
      'Time since a generation is wanted that the RADIUS engine does not run on; 0: it runs on the newest.',
      'behind',
    );
  }

  /** The engine goes on: it asks other nodes, and the next start of this one finds it. */
  async close(): Promise<void> {
    this.#isClosed = true;
    clearInterval(this.#timer);
    await this.#working;
    await this.#runtime.pool.query(forgetSql, [this.#node]).catch(this.#onError);
  }

  /** One round at a time, and at most one more waits. */
  #enqueue(): void {
    if (this.#isWaiting || this.#isClosed || !this.#timer) return;
    this.#isWaiting = true;
    this.#working = this.#working
      .then(async () => {
        this.#isWaiting = false;
        if (!this.#isClosed) await this.#round();
      })
      .catch(this.#onError);
  }

  async #round(): Promise<void> {
    const desiredEngine = await wantedEngine(this.#runtime);
    await this.#stopIfPlaceChanged();
    const running = await this.#engine.running();
    const current = await this.#engine.current();
    if (!desiredEngine.isEnabled) await this.#stopEngine();
    else if (isDue(desiredEngine, current)) await this.#rollOut(current);
    else if (!running) await this.#restart(current!);
    else if (desiredEngine.isMonitored) await this.#probe(running.generation);
    await this.#renew(desiredEngine);
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

  /** An engine that was started with other ports or another address than this node has now cannot be used. */
  async #stopIfPlaceChanged(): Promise<void> {
    const current = await this.#engine.current();
    if (current === undefined || (await readMadeFor(this.#engine, current))?.place === JSON.stringify(this.#place))
      return;
    await this.#engine.forget();
    await this.#writeNote('stopped: its address or ports are not those of the deployment file');
  }

  async #measureResponse(generation: number): Promise<number | undefined> {
    const madeFor = await readMadeFor(this.#engine, generation);
    return madeFor && this.#engine.answers(this.#place.statusPort, madeFor.statusSecret);
  }

  async #stopEngine(): Promise<void> {
    if (!(await this.#engine.running())) return;
    await this.#engine.stop();
    this.#responseMs = undefined;
    await this.#writeNote('stopped: the service is disabled');
  }

  /** Nodes take their turn, so that one of them always answers. */
  async #rollOut(before: number | undefined): Promise<void> {
    if (performance.now() < this.#retryMs) return;
    const client = await this.#runtime.pool.connect();
    try {
      const { rows } = await client.query<{ isMine: boolean }>(lockSql);
      if (!rows[0]!.isMine) return;
      try {
        await this.#apply((await wantedEngine(this.#runtime)).generation, before);
        if ((await this.#engine.current()) === undefined) this.#increaseRetryDelay();
      } catch (error) {
        // A folder that is full, an engine that is not installed: no fault of what is stored.
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
    const outbound = { guard: this.#outbound, responders: previous?.responders ?? {} };
    const { settings, responders, problems } = await engineSettings(this.#runtime, this.#place, outbound);
    const place = JSON.stringify(this.#place);
    const madeFor: MadeFor = { place, statusSecret: settings.statusSecret, responders };
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
    await this.#refuse(generation, 'The engine started and answered nobody.');
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

  /** One that ended is started again, each time after a longer wait. */
  async #restart(generation: number): Promise<void> {
    this.#responseMs = undefined;
    if (performance.now() < this.#retryMs) return;
    this.#increaseRetryDelay();
    await this.#writeNote(`not running; starts generation ${generation} again`);
    await this.#startEngine(generation);
    await this.#waitForStart(generation);
  }

  /** Each engine gets keys of its own: a copy of the files of an earlier one is of no use. */
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
      this.#responseMs = await this.#measureResponse(generation);
      if (this.#responseMs !== undefined) return this.#isUp();
      if ((await this.#engine.running())?.generation !== generation && performance.now() > end - comeUpMs + 500) break;
    }
    return false;
  }

  async #isUp(): Promise<true> {
    this.#failures = 0;
    this.#unanswered = 0;
    this.#retryMs = Number.NEGATIVE_INFINITY;
    this.#probedMs = performance.now();
    await this.#readFacts();
    return true;
  }

  async #readFacts(): Promise<void> {
    this.#factsMs = performance.now();
    this.#facts = await this.#engine.facts();
  }

  async #probe(generation: number): Promise<void> {
    if (performance.now() - this.#probedMs < probeEveryMs) return;
    this.#probedMs = performance.now();
    this.#responseMs = await this.#measureResponse(generation);
    if (performance.now() - this.#factsMs > factsEveryMs) await this.#readFacts();
    this.#unanswered = this.#responseMs === undefined ? this.#unanswered + 1 : 0;
    if (this.#unanswered < unansweredMax) return;
    await this.#writeNote(`does not answer; starts generation ${generation} again`);
    await this.#startEngine(generation);
    await this.#waitForStart(generation);
  }

  async #renew(desiredEngine: WantedEngine): Promise<void> {
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
