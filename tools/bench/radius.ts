import type { ChildProcess } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { cp, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { elementCodes } from '@portreeve/server/kernel/declare/element-type.ts';
import { readMasterKey } from '@portreeve/server/kernel/write/secrets.ts';
import { macExclusion } from '@portreeve/server/network/mac-exclusion/mac-exclusion.ts';
import { identityFolderOf } from '@portreeve/server/node/engine-identity.ts';
import { openProtocols } from '@portreeve/server/node/open-protocols.ts';
import { startService } from '@portreeve/server/node/start-service.ts';
import { accessConfiguration } from '@portreeve/server/policy/access-configuration/access-configuration.ts';
import { accessPolicy } from '@portreeve/server/policy/access-policy/access-policy.ts';
import {
  connectionAt,
  type Facts,
  factsMax,
  readFacts,
  unknownFacts,
} from '@portreeve/server/policy/snapshot/snapshot.service.ts';
import { outboundGuard } from '@portreeve/server/protocols/outbound/outbound.ts';
import { probeGuard } from '@portreeve/server/protocols/outbound/probe-guard.ts';
import { EngineProcess } from '@portreeve/server/protocols/radius-engine/engine-process.ts';
import { radiusGlobal } from '@portreeve/server/radius/radius-global/radius-global.ts';
import { Random } from '@portreeve/server/test/decide/random.ts';
import { slowDecision } from '@portreeve/server/test/decide/slow-engine.ts';
import type { DecisionWorld } from '@portreeve/server/test/decide/world.ts';
import { cpuMsOf } from '@portreeve/testbed/cpu.ts';
import { freePort, freeUdpPorts } from '@portreeve/testbed/free-ports.ts';
import { ensureKeyFile, postgresFolder } from '@portreeve/testbed/postgres.ts';
import type { Bench, Contestant } from './bench.ts';
import { type BenchNode, checkout, startNode } from './node.ts';
import { onDatabaseUrl } from './on-database-url.ts';
import { endProgram, postmasterPid, startProgram } from './processes.ts';
import type { Login, SenderAnswer, SenderOptions, SenderOrder } from './programs/radius-sender.ts';
import type { Measured, Stage } from './stage.ts';
import { macOf } from './subjects/adapter.ts';
import { familySize } from './subjects/subject.ts';

const host = '127.0.0.1';
const secret = 'secret-of-the-bench';
const nasCount = 16;
const nasOf = (device: number): string => `127.0.5.${device}`;
const policyCount = 200;
const firstVlan = 1_000;
const sampled = { short: 2_000, full: 20_000 };
const unknownCount = 100;
/** Excluded addresses stay unknown after any number of requests. */
const unknownPrefix = '02:1E:00:00:01';
const disabledHost = 50;
const changingHost = 53;
/** As many requests as a thousand switches send at once after a power failure; the engine has 32 threads. */
const onTheWay = 64;

/** Disables some hosts and gives others another access. */
const particularSql = (hosts: number) => `
  update host set enabled = false where id <= ${hosts} and id % 50 = 0;
  insert into group_member (group_id, element_type, member_id)
  select g.id, ${elementCodes.PORT}, p.id from "group" g, port p
  where g.tag in ('enforce-role', 'enforce-dead-end', 'enforce-registration', 'enforce-remediation') and p.device_id <= ${nasCount};
  insert into host_risk (host_id, source, level) select h.id, 'ADMIN', 'AT_RISK' from host h where h.id <= ${hosts} and h.id % 50 = 1;
  update network_device set protocol = 'RADIUS', driver = 'radius-only', managed = true where id <= ${nasCount};
  truncate change_feed;
  analyze`;

/**
 * The access devices of a node with its engine, an engine with a server that always sends the same response, and the
 * sender of packets to both.
 */
class RadiusStage {
  readonly #stage: Stage;
  readonly #seed: number;
  #sender!: ChildProcess;
  #node!: BenchNode;
  #engines!: Record<'service' | 'constant', { engine: EngineProcess; authPort: number }>;
  #constant!: ChildProcess;
  #rounds = 0;
  /** A host that is changed during the measurement, and the reply to disabled hosts. */
  #changing!: Login;
  #disabled!: string;

  constructor(stage: Stage) {
    this.#stage = stage;
    this.#seed = stage.seed;
  }

  async open(hosts: number, samples: number): Promise<void> {
    // Logins move adapters to their ports, so this needs a separate database.
    const database = await this.#stage.ownDatabase('hosts', hosts, 'radius');
    await onDatabaseUrl(database.ownerUrl, (client) => client.query(particularSql(hosts)));
    const folders = [0, 1].map(() => join('/dev/shm', `portreeve-bench-${randomUUID()}`)) as [string, string];
    this.#stage.onClose(async () => {
      for (const folder of folders) await rm(folder, { recursive: true, force: true });
    });
    const ports = await freeUdpPorts(host, 4);
    const [decisionPort, constantPort] = [await freePort(), await freePort()];
    const service = new EngineProcess(folders[0]);
    this.#stage.onClose(() => service.stop());
    this.#node = await startNode(
      database,
      { administrator: true },
      {
        PORTREEVE_RADIUS_FOLDER: folders[0],
        PORTREEVE_RADIUS_HOST: host,
        PORTREEVE_RADIUS_STATUS_PORT: String(ports[1]),
        PORTREEVE_DECISION_PORT: String(decisionPort),
        PORTREEVE_NODE: 'bench',
      },
    );
    this.#stage.onClose(() => this.#node.close());
    await this.#configure(ports[0]!);
    const running = await this.#running(service);
    const constant = new EngineProcess(folders[1]);
    this.#stage.onClose(() => constant.stop());
    await cp(identityFolderOf(folders[0]), identityFolderOf(folders[1]), { recursive: true });
    await copyEngine(service, constant, running.generation, [
      [folders[0], folders[1]],
      [`port = ${ports[0]}`, `port = ${ports[2]}`],
      [`port = ${ports[1]}`, `port = ${ports[3]}`],
      [`:${decisionPort}/`, `:${constantPort}/`],
    ]);
    this.#constant = (
      await startProgram<object>('programs/radius-constant.ts', [
        String(constantPort),
        secret,
        identityFolderOf(folders[1]),
      ])
    ).child;
    this.#stage.onClose(() => endProgram(this.#constant));
    this.#engines = {
      service: { engine: service, authPort: ports[0]! },
      constant: { engine: constant, authPort: ports[2]! },
    };
    const logins = await this.#logins(database.serviceUrl, hosts, samples);
    this.#changing = logins.pop()!;
    this.#disabled = logins.pop()!.expected!;
    const kinds = Object.entries(
      Object.groupBy(logins, ({ expected }) => (Number(expected) >= firstVlan ? 'policy' : expected!)),
    );
    this.#stage.say(
      `${logins.length} logins of ${hosts.toLocaleString('en')} hosts by ${policyCount} policies, each decided by the slow engine too: ${kinds.map(([kind, all]) => `${kind} ${all!.length}`).join(', ')}`,
    );
    this.#sender = (await startProgram<string>('programs/radius-sender.ts', [])).child;
    this.#stage.onClose(() => endProgram(this.#sender));
    const opened = once(this.#sender, 'message');
    this.#sender.send({ host, secret, logins } satisfies SenderOptions);
    await opened;
  }

  /** Sends for a time, and measures the cost. */
  async run(kind: 'service' | 'constant', seconds: number, perSecond?: number): Promise<Measured & { lost: number }> {
    const { engine, authPort } = this.#engines[kind];
    const { pid: enginePid } = (await engine.running())!;
    // The engine of the node is its child, and counts on both sides.
    const serverMs = () =>
      kind === 'service' ? cpuMsOf(this.#node.pid) : cpuMsOf(this.#constant.pid!) + cpuMsOf(enginePid);
    const before = { server: serverMs(), postgres: cpuMsOf(postmasterPid()) };
    const order = this.#order({
      authPort,
      seconds,
      isChecked: kind === 'service',
      ...(perSecond !== undefined && { perSecond }),
    });
    const changed = kind === 'service' ? await this.#change(authPort, seconds) : [];
    const answer = await order;
    const perLogin = (ms: number) => (ms * 1_000) / Math.max(1, answer.answered);
    return {
      perSecond: answer.answered / answer.seconds,
      p50Ms: answer.p50Ms,
      p99Ms: answer.p99Ms,
      cpu: {
        server: perLogin(serverMs() - before.server),
        postgres: perLogin(cpuMsOf(postmasterPid()) - before.postgres),
        generator: perLogin(answer.cpuMs),
      },
      faults: [...answer.faults, ...changed, ...(answer.lost > 0 ? [`${answer.lost} were lost`] : [])],
      lost: answer.lost,
    };
  }

  async #order(
    order: Partial<SenderOrder> & Pick<SenderOrder, 'authPort' | 'seconds' | 'isChecked'>,
  ): Promise<SenderAnswer> {
    const id = ++this.#rounds;
    const answered = new Promise<SenderAnswer>((done) => {
      const take = (answer: SenderAnswer) => {
        if (answer.id !== id) return;
        this.#sender.off('message', take);
        done(answer);
      };
      this.#sender.on('message', take);
    });
    this.#sender.send({ id, seed: this.#seed + id, onTheWay, ...order } satisfies SenderOrder);
    return answered;
  }

  /**
   * Disables a host during other logins: the very next reply must reject it, and the next one after enabling must
   * accept it.
   */
  async #change(authPort: number, seconds: number): Promise<string[]> {
    await sleep(seconds * 300);
    const faults: string[] = [];
    for (const [enabled, expected] of [
      [false, this.#disabled],
      [true, this.#changing.expected!],
    ] as const) {
      await this.#call(`/host/${changingHost}`, { enabled });
      const singleLogin = { ...this.#changing, expected };
      const answer = await this.#order({ authPort, seconds: 0, isChecked: true, only: singleLogin });
      faults.push(...answer.faults.map((fault) => `after a change: ${fault}`));
    }
    return faults;
  }

  async #call(path: string, body?: object): Promise<{ results: Record<string, unknown>[]; location: string | null }> {
    const reply = await fetch(`http://127.0.0.1:${this.#node.port}/api/v2${path}`, {
      headers: { authorization: `Bearer ${this.#node.token}`, 'content-type': 'application/json' },
      ...(body && { method: 'POST', body: JSON.stringify(body) }),
    });
    const answer = (await reply.json()) as { results?: Record<string, unknown>[]; errorMessage: string | null };
    if (reply.status >= 300) throw new Error(`${path}: ${answer.errorMessage}`);
    return { results: answer.results ?? [], location: reply.headers.get('location') };
  }

  async #configure(authPort: number): Promise<void> {
    await this.#call(radiusGlobal.path!, { authPort });
    for (let device = 1; device <= nasCount; device++)
      await this.#call(`/device/snmp/${device}`, {
        ipAddress: nasOf(device),
        radiusEnabled: true,
        radiusSecret: secret,
      });
    await this.#call(macExclusion.path!, { name: 'bench', start: `${unknownPrefix}:00`, end: `${unknownPrefix}:FF` });
    const { results } = await this.#call('/policy/logical-network?filter=accessState!=PRODUCTION&count=100');
    for (const [index, { id }] of results.entries())
      await this.#call('/policy/logical-network-configuration', {
        logicalNetworkID: id,
        elementType: 'CONTAINER',
        elementID: 1,
        accessType: 'VLAN_ID',
        accessValue: String(30 + index),
      });
    for (let n = 0; n < policyCount; n++) {
      const { location } = await this.#call(accessConfiguration.path!, {
        name: `Network ${n}`,
        type: 'DIRECT',
        directConfiguration: { accessType: 'VLAN_ID', accessValue: String(firstVlan + n) },
      });
      const conditions = [
        { attribute: 'adapter.ipaddress', op: 'IN_SUBNET', value: `10.${n >> 4}.${(n & 15) << 4}.0/20` },
      ];
      await this.#call(accessPolicy.path!, {
        name: `Policy ${n}`,
        criteria: { who: { attributes: [{ conditions }] } },
        accessConfigurationID: Number(location!.split('/').at(-1)),
      });
    }
  }

  async #running(engine: EngineProcess): Promise<{ pid: number; generation: number }> {
    for (let tries = 0; tries < 600; tries++, await sleep(100)) {
      const { results } = await this.#call('/radius/radius-server-config/status');
      const running = results[0]!.serviceStatus === 'RUNNING' ? await engine.running() : undefined;
      if (running) return running;
    }
    throw new Error('the engine does not run');
  }

  /** Returns random hosts at random ports, with the decision of the slow engine for each. */
  async #logins(url: string, hosts: number, samples: number): Promise<Login[]> {
    const random = new Random(this.#seed);
    const places = random.list(samples + unknownCount + 2, () => ({
      device: random.integer(1, nasCount),
      port: random.integer(1, familySize),
    }));
    const macs = [
      // The host that changes is requested separately: among the others its expected reply is unknown.
      ...random.list(samples, () => macOf(anotherThan(changingHost, random.integer(1, hosts)))),
      ...random.list(unknownCount, (n) => `${unknownPrefix}:${n.toString(16).padStart(2, '0').toUpperCase()}`),
      macOf(disabledHost),
      macOf(changingHost),
    ];
    const decisions = await slowDecisions(url, macs, places);
    return macs.map((mac, n) => ({
      mac,
      nas: nasOf(places[n]!.device),
      port: `Gi1/0/${places[n]!.port}`,
      expected: decisions[n]!,
    }));
  }
}

const anotherThan = (host: number, drawn: number): number => (drawn === host ? host + 1 : drawn);

/** Copies the files of a running engine, so that both process packets in the same way. */
async function copyEngine(
  source: EngineProcess,
  target: EngineProcess,
  generation: number,
  replaced: readonly (readonly [string, string])[],
): Promise<void> {
  await target.prepare();
  const folder = target.folderOf(generation);
  await cp(source.folderOf(generation), folder, { recursive: true, filter: (name) => !/run[/].+/.test(name) });
  const text = await readFile(join(folder, 'radiusd.conf'), 'utf8');
  const changed = replaced.reduce((changing, [before, after]) => changing.replaceAll(before, after), text);
  await writeFile(join(folder, 'radiusd.conf'), changed);
  await target.start(generation);
}

/**
 * Returns the slow engine's decision for each address at each place: a VLAN, `reject`, or `none` without enforcement.
 */
async function slowDecisions(
  databaseUrl: string,
  macs: readonly string[],
  places: readonly { device: number; port: number }[],
): Promise<string[]> {
  const keyFile = await ensureKeyFile(postgresFolder(checkout));
  const service = await startService({
    databaseUrl,
    masterKey: await readMasterKey(keyFile),
    parts: openProtocols(probeGuard({ allow: [], refuse: [], networks: [] }), outboundGuard({ allow: [], refuse: [] })),
    jobs: 'none',
    limits: { requestsPerSecond: 1, burst: 1, testsPerMinute: 1, eventsPerSecond: 1 },
    logger: false,
  });
  try {
    const { policies, topology } = await service.policies.latest();
    const { rows: ports } = await service.runtime.pool.query<{ id: number; device: number; name: string }>(
      'select p.id, p.device_id as device, p.name from port p where p.device_id <= $1',
      [nasCount],
    );
    const { rows: containers } = await service.runtime.pool.query<{ id: number }>('select c.id from container c');
    const world: DecisionWorld = {
      set: policies,
      containers: containers.map(({ id }) => topology.container(id)!),
      devices: [...new Set(ports.map(({ device }) => device))].map((id) => topology.device(id)!),
      ports: ports.map(({ id }) => topology.port(id)!),
      hostGroupEdges: [],
      connections: [],
    };
    const portIDs = new Map(ports.map(({ id, device, name }) => [`${device} ${name}`, id]));
    const facts = new Map<string, Facts>();
    for (let start = 0; start < macs.length; start += factsMax)
      for (const hostFacts of await readFacts(service.runtime.pool, 'mac', macs.slice(start, start + factsMax)))
        facts.set(hostFacts.adapter.mac, hostFacts);
    return macs.map((mac, n) => {
      const { device, port } = places[n]!;
      const place = topology.placeOfPort(portIDs.get(`${device} Gi1/0/${port}`)!)!;
      const { containers: _, device: nas, port: node, type: __, ...connection } = connectionAt(place, 'WIRED_MAB', {});
      const { adapter, host: decidedHost, loggedOnUser, owner } = facts.get(mac) ?? unknownFacts(mac);
      const raw = { atMs: Date.now(), adapter, host: decidedHost, loggedOnUser, owner, ...connection };
      return answerOf(slowDecision(world, { ...raw, deviceID: nas.id, portID: node!.id, isByRequest: true }));
    });
  } finally {
    await service.close();
  }
}

function answerOf({ outcome, value }: ReturnType<typeof slowDecision>): string {
  if (outcome === 'NOT_ENFORCED' || (outcome !== 'DENY' && !value)) return 'none';
  return value && value.accessType === 'VLAN_ID' ? value.accessValue : 'reject';
}

/** MAC authentication through the engine, compared with an engine whose server always sends the same response. */
export const radius: Bench = {
  name: 'radius',
  doc: 'MAC authentication of random hosts by 200 policies through FreeRADIUS, every answer held against the slow engine, against the same FreeRADIUS asking a node:http that always answers the same; and at half that rate',
  limit:
    'the call itself: FreeRADIUS writes the packet as JSON and reads JSON, the node reads and writes it, and both share two cores with the sender',
  missed:
    'the facts of an address are a statement, and what was answered is stored: PostgreSQL alone costs more than the call. Tried: a plan that is kept, those who wait share a statement, larger batches. Next: an excluded address makes a write transaction each time.',
  comparisons: [{ label: '', of: 'service', to: 'constant', measure: 'rate', goal: { atLeast: 0.9 } }],
  async contestants(stage, { large, rounds }) {
    const radiusStage = new RadiusStage(stage);
    await radiusStage.open(large, large >= 1_000_000 ? sampled.full : sampled.short);
    const peaks: number[] = [];
    const contestants: Contestant[] = [
      {
        name: 'service',
        async run(seconds) {
          const measured = await radiusStage.run('service', seconds);
          peaks.push(measured.perSecond);
          return measured;
        },
      },
      { name: 'constant', run: (seconds) => radiusStage.run('constant', seconds) },
      {
        name: 'service, half of it',
        run: (seconds) => radiusStage.run('service', seconds, Math.max(...peaks.slice(-rounds)) / 2),
      },
    ];
    return contestants;
  },
};
