import type { Server } from 'node:http';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { CacheInvalidation } from '../kernel/database/cache-invalidation.ts';
import { unavailable } from '../kernel/failure.ts';
import type { Counter, Metrics } from '../kernel/telemetry/metrics.ts';
import type { Runtime } from '../kernel/write/runtime.ts';
import type { PolicySnapshots } from '../policy/snapshot/snapshot.service.ts';
import type { OutboundGuard } from '../protocols/outbound/outbound.ts';
import { EngineProcess } from '../protocols/radius-engine/engine-process.ts';
import type { PacketAttributes } from '../protocols/radius-engine/rest-calls.ts';
import {
  AccessDevices,
  AccessRequestHandler,
  AccessRequestStore,
  clientOf,
  type EngineRequest,
  markAttribute,
  RefusedSources,
  testedDevice,
  UnknownMacs,
  WrittenAnswers,
} from '../radius/access-request/access-request.service.ts';
import { AccountingListener, AccountingStore } from '../radius/accounting/accounting.service.ts';
import { HealthRecorder } from '../radius/radius-health/radius-health.service.ts';
import type { EnginePlace } from '../radius/server-configuration/server-configuration.service.ts';
import { ClusterListener, type ClusterPlace } from './cluster-listener.ts';
import { type EngineCall, EngineRequests, listenForEngine } from './decision-listener.ts';
import { EngineFolder } from './engine-folder.ts';
import { EngineIdentity, identityFolderOf } from './engine-identity.ts';
import { type EngineHealth, RadiusSupervisor } from './radius-supervisor.ts';

/** The folder of the engine, and the settings of the deployment for it. */
export type RadiusOptions = Omit<EnginePlace, 'identityFolder' | 'cluster'> & {
  folder: string;
  /** Address for the engines of other nodes; this engine uses theirs in return. Undefined: nodes do not help each other. */
  cluster?: ClusterPlace | undefined;
};

/** The RADIUS part of a node: its engine, and the handling of the engine's requests. */
export class RadiusNode {
  readonly #engine: EngineProcess;
  readonly #place: EnginePlace;
  readonly #identity: EngineIdentity;
  readonly #folder: EngineFolder;
  readonly #cluster: ClusterListener | undefined;
  readonly #supervisor: RadiusSupervisor;
  readonly #devices: AccessDevices;
  readonly #store: AccessRequestStore;
  readonly #log: WrittenAnswers;
  readonly #refused: RefusedSources;
  readonly #answers: AccessRequestHandler;
  readonly #accounting: AccountingListener;
  readonly #health: HealthRecorder;
  readonly #requests: EngineRequests;
  readonly #calls: Counter;
  readonly #onError: (error: Error) => void;
  readonly #policies: PolicySnapshots;
  #listener: Server | undefined;
  #clusterListener: Server | undefined;
  #starting: Promise<void> = Promise.resolve();
  #openingListeners: Promise<void> = Promise.resolve();
  #isClosed = false;
  #forgetting: Promise<void> = Promise.resolve();

  constructor(
    { folder, cluster, ...place }: RadiusOptions,
    parts: {
      runtime: Runtime;
      generations: CacheInvalidation;
      policies: PolicySnapshots;
      metrics: Metrics;
      node: string;
      version: string;
      outbound: OutboundGuard;
      clock: () => number;
      monotonicMs: () => number;
      onError: (error: Error) => void;
    },
  ) {
    const { runtime, generations, onError, node } = parts;
    const clusterFolder = join(folder, 'cluster');
    const identityFolder = identityFolderOf(folder);
    this.#place = { ...place, identityFolder, ...(cluster && { cluster: { node, folder: clusterFolder } }) };
    this.#identity = new EngineIdentity(identityFolder);
    this.#folder = new EngineFolder(folder);
    this.#cluster = cluster && new ClusterListener({ ...cluster, folder: clusterFolder }, parts);
    this.#calls = parts.metrics.counter('portreeve_radius_calls_total', 'Requests of the RADIUS engine, by kind.');
    parts.metrics.gauge(
      'portreeve_radius_ready',
      'Whether the RADIUS engine runs, responds and can reach its node.',
      () => [{ labels: { node: parts.node }, value: Number(this.health.ready) }],
    );
    this.#policies = parts.policies;
    this.#onError = onError;
    this.#engine = new EngineProcess(folder);
    this.#supervisor = new RadiusSupervisor({
      ...parts,
      engine: this.#engine,
      identity: this.#identity,
      onBadlySigned: (addresses) => this.#reportBadlySigned(addresses),
    });
    this.#devices = new AccessDevices(runtime, generations, (addresses) => this.#forget(addresses), onError);
    this.#store = new AccessRequestStore(runtime, onError);
    this.#log = new WrittenAnswers(runtime, parts.node, parts.metrics, onError);
    this.#refused = new RefusedSources(runtime, parts.monotonicMs, onError);
    const unknown = new UnknownMacs(runtime, parts.monotonicMs);
    this.#answers = new AccessRequestHandler({ ...parts, store: this.#store, log: this.#log, unknown });
    this.#accounting = new AccountingListener({
      ...parts,
      host: place.host,
      store: new AccountingStore({ ...parts, unknown }),
      deviceAt: (address) => this.#devices.at(address),
      onUnknownDevice: (address) => this.#refused.unknown(address),
      onBadAuthenticator: (device) => this.#refused.badlySigned(device),
    });
    this.#health = new HealthRecorder({
      ...parts,
      readStatistics: () => this.#supervisor.statistics(),
      countAccounting: () => this.#accounting.requests,
    });
    this.#requests = new EngineRequests(
      {
        accessDevice: (address) => {
          const device = this.#devices.at(address);
          if (device === null) this.#refused.unknown(address);
          if (device) this.#engine.noteLookup(address);
          return device && clientOf(device);
        },
        calls: {
          authorize: (call) => this.#answers.authorize(this.#accessRequestOf('authorize', call)),
          'authorize-inner': (call) => this.#answers.authorizeInner(this.#accessRequestOf('authorize-inner', call)),
          'post-auth': (call) => this.#answers.postAuth(this.#accessRequestOf('post-auth', call)),
        },
      },
      { clock: parts.clock, onError },
    );
  }

  async start(): Promise<void> {
    await this.#engine.prepare();
    await this.#devices.start();
    if (await this.#folder.take()) await this.#startEngine();
    else this.#starting = this.#startOnceFolderIsFree();
  }

  async #startOnceFolderIsFree(): Promise<void> {
    for (; !this.#isClosed; await sleep(retryMs)) {
      try {
        if (await this.#folder.take()) return await this.#startEngine();
      } catch (error) {
        // Retried, for example if the database is unreachable.
        this.#onError(error as Error);
        this.#folder.release();
      }
    }
  }

  async #startEngine(): Promise<void> {
    await this.#identity.prepare();
    await this.#cluster?.prepare();
    await this.#supervisor.start(this.#place);
    this.#health.start();
    this.#openingListeners = this.#listenOnceReady();
    // The cache of an engine that kept running may be outdated.
    this.#forget(this.#devices.addresses());
  }

  /** Opens the listeners when the first policies are loaded. Until then, connections of engines are refused at once instead of queueing. */
  async #listenOnceReady(): Promise<void> {
    while (!this.#policies.current && !this.#isClosed) await sleep(readyMs);
    const { decisionPort: port } = this.#place;
    const ofNode = this.#openWithRetries(() =>
      listenForEngine({ identity: this.#identity, port }, this.#requests),
    ).then((opened) => {
      this.#listener = opened;
    });
    if (this.#cluster) this.#clusterListener = await this.#openWithRetries(() => this.#cluster!.listen(this.#requests));
    await ofNode;
    if (!this.#isClosed) await this.#accounting.start();
  }

  /** Opens a listener, and retries while its port is used. Returns undefined if the node is closed before. */
  async #openWithRetries(listen: () => Promise<Server>): Promise<Server | undefined> {
    while (!this.#isClosed) {
      const listener = await listen().catch((error: Error) => void this.#onError(error));
      if (listener) return listener;
      await sleep(retryMs);
    }
    return undefined;
  }

  get health(): EngineHealth {
    if (!this.#folder.isHeld) return { ready: false, detail: 'another process uses the RADIUS folder of this node' };
    if (this.#listener || !this.#policies.current) return this.#supervisor.health;
    return { ready: false, detail: `another process listens at port ${this.#place.decisionPort} of loopback` };
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#starting;
    await this.#openingListeners;
    await this.#accounting.close();
    await this.#health.close();
    await this.#supervisor.close();
    await this.#forgetting;
    await this.#devices.close();
    await Promise.all([this.#listener, this.#clusterListener].map((listener) => listener && closeServer(listener)));
    await this.#cluster?.close();
    await this.#store.close();
    await this.#log.close();
    this.#folder.release();
  }

  /** Returns the access request of a call. Throws if the device was removed or changed its address meanwhile. */
  #accessRequestOf(what: string, { source, attributes, result }: EngineCall): EngineRequest {
    this.#calls.add({ call: what });
    const testedID = testedDevice(source, attributes);
    const isTest = testedID !== undefined;
    const device = isTest ? this.#devices.withID(testedID) : this.#devices.at(source);
    if (!device) throw unavailable(`${source} is not the address of an access device.`);
    return { device, attributes: isTest ? withoutAttribute(attributes, markAttribute) : attributes, result, isTest };
  }

  #reportBadlySigned(addresses: readonly string[]): void {
    for (const address of addresses) {
      const device = this.#devices.at(address);
      if (device) this.#refused.badlySigned(device);
    }
  }

  /** Removes addresses from the cache of the engine, which loads the devices again at their next packet. */
  #forget(addresses: readonly string[]): void {
    this.#forgetting = this.#forgetting.then(() => this.#engine.evict(addresses)).then(() => undefined, this.#onError);
  }
}

const withoutAttribute = (attributes: PacketAttributes, name: string): PacketAttributes =>
  new Map([...attributes].filter(([key]) => key !== name));

const readyMs = 20;
/** Pause before another attempt to open a port or folder that another process uses. */
const retryMs = 1_000;
const lastAnswersMs = 1_000;

/** Closes a server, and leaves it a second to complete the responses in progress. */
const closeServer = (server: Server): Promise<void> =>
  new Promise((done) => {
    server.close(() => done());
    server.closeIdleConnections();
    setTimeout(() => server.closeAllConnections(), lastAnswersMs).unref();
  });
