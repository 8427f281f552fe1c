import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, readFileSync, truncateSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { createAdministrator } from '@portreeve/server/auth/account.ts';
import { issueToken } from '@portreeve/server/auth/tokens.ts';
import { catalogue } from '@portreeve/server/catalogue.ts';
import { readConfig } from '@portreeve/server/config.ts';
import { recordShape } from '@portreeve/server/kernel/read/select.ts';
import { onDatabase } from '@portreeve/server/on-database.ts';
import { modelFor } from '@portreeve/server/service.ts';
import { adminProfile } from '@portreeve/server/user/admin-profile/admin-profile.ts';
import { cpuMsOf } from '@portreeve/testbed/cpu.ts';
import { ensureKeyFile, ensurePostgres, freePort, postgresFolder } from '@portreeve/testbed/postgres.ts';
import { jsonForm, xmlForm } from './answers.ts';
import { type FilledDatabase, filledDatabase, onDatabaseUrl, sparePorts } from './fill.ts';
import type { LoadSpec, Target } from './load.ts';
import { endProgram, postmasterPid, startProgram } from './processes.ts';
import type { GeneratorAnswer, GeneratorOptions, GeneratorOrder } from './programs/generator.ts';

/** Sessions of each server on the database, as a node opens them by itself. */
const connectionsMax = 20;
const clients = 32;

/** What one contestant did in one round. */
export interface Measured {
  perSecond: number;
  p50Ms: number;
  p99Ms: number;
  /** CPU time for each request, in microseconds. */
  cpu: { server: number; postgres: number; generator: number };
  faults: readonly string[];
}

export type ServerKind = 'service' | 'bare';

export interface HttpLoad {
  server: ServerKind;
  ports: number;
  target: Target;
  format?: 'json' | 'xml';
}

interface Server {
  pid: number;
  port: number;
  headers: readonly string[];
  /** Requests it has logged since it was asked last; undefined for one that logs nothing. */
  logged?: () => number;
  close(): Promise<void>;
}

export interface StageOptions {
  seed: number;
  say(line: string): void;
}

/** Databases, servers and the load generator, each started when the first benchmark needs it and kept for the next. */
export class Stage {
  readonly seed: number;
  readonly say: (line: string) => void;
  readonly #databases = new Map<number, FilledDatabase & { drop(): Promise<void> }>();
  readonly #servers = new Map<string, Server>();
  #generator: { child: ChildProcess; databases: number } | undefined;
  #rounds = 0;
  readonly #closers: (() => Promise<void>)[] = [];

  constructor(options: StageOptions) {
    this.seed = options.seed;
    this.say = options.say;
  }

  /** What a benchmark started of its own is ended before its database goes. */
  onClose(close: () => Promise<void>): void {
    this.#closers.push(close);
  }

  /** The environment of a node on this database. */
  async deployment(ports: number): Promise<NodeJS.ProcessEnv> {
    const folder = await mkdtemp(join(tmpdir(), 'portreeve-bench-'));
    this.onClose(() => rm(folder, { recursive: true, force: true }));
    return (await deploy(folder, await this.database(ports))).environment;
  }

  async close(): Promise<void> {
    for (const close of this.#closers.toReversed()) await close();
    if (this.#generator) await endProgram(this.#generator.child);
    for (const server of this.#servers.values()) await server.close();
    for (const database of this.#databases.values()) await database.drop();
  }

  async database(ports: number): Promise<FilledDatabase> {
    const known = this.#databases.get(ports);
    if (known) return known;
    await ensurePostgres(postgresFolder(checkout));
    const made = await filledDatabase(ports, this.say);
    this.#databases.set(ports, made);
    return made;
  }

  /** Starts what a load needs, so that no round pays for it. */
  async prepare(loads: readonly HttpLoad[]): Promise<void> {
    for (const { ports, server } of loads) await this.#server(server, ports);
    if (this.#generator?.databases !== this.#databases.size) await this.#startGenerator();
  }

  async load(load: HttpLoad, seconds: number): Promise<Measured> {
    const server = await this.#server(load.server, load.ports);
    const spec = this.#specOf(load, server, seconds);
    const [serverMs, postgresMs] = [cpuMsOf(server.pid), cpuMsOf(postmasterPid())];
    server.logged?.();
    const answer = await this.#order({ database: String(load.ports), load: spec });
    const cpuMs = { server: cpuMsOf(server.pid) - serverMs, postgres: cpuMsOf(postmasterPid()) - postgresMs };
    const { report } = answer;
    const each = (ms: number) => (ms * 1_000) / Math.max(1, report.requests);
    return {
      perSecond: report.requests / report.seconds,
      p50Ms: report.p50Ms,
      p99Ms: report.p99Ms,
      cpu: { server: each(cpuMs.server), postgres: each(cpuMs.postgres), generator: each(answer.cpuMs) },
      faults: [
        ...report.faults,
        ...(await unlogged(server, report.requests)),
        ...(report.written === 0 ? ['nobody wrote during the run'] : []),
      ],
    };
  }

  /** Whether the counters say what counting says, after all that was written. */
  async miscounted(): Promise<string[]> {
    const faults: string[] = [];
    for (const { serviceUrl, ports } of this.#databases.values()) {
      const { rows } = await onDatabaseUrl(serviceUrl, (client) =>
        client.query<{ told: string; counted: string }>(
          `select row_total('port') as told, (select count(*) from port) as counted`,
        ),
      );
      const { told, counted } = rows[0]!;
      if (told !== counted || Number(counted) !== ports + sparePorts)
        faults.push(`${ports} ports: the counter says ${told}, count(*) ${counted}`);
    }
    return faults;
  }

  #specOf({ server: kind, ports, target, format = 'json' }: HttpLoad, server: Server, seconds: number): LoadSpec {
    const isService = kind === 'service';
    const isCounted = isService && target !== 'record';
    return {
      port: server.port,
      target,
      clients,
      seconds,
      seed: this.seed + ++this.#rounds,
      ports,
      headers: [...server.headers, ...(format === 'xml' ? ['Accept: application/xml'] : [])],
      form: format === 'xml' ? xmlForm(portShape) : jsonForm(portShape, isCounted),
      position: isService ? walkPosition : undefined,
      isService,
    };
  }

  async #server(kind: ServerKind, ports: number): Promise<Server> {
    const name = `${kind} ${ports}`;
    const known = this.#servers.get(name);
    if (known) return known;
    const database = await this.database(ports);
    const server = kind === 'bare' ? await startBare(database) : await startNode(database, this.say);
    this.#servers.set(name, server);
    return server;
  }

  async #startGenerator(): Promise<void> {
    // One that knows a new database takes its place.
    if (this.#generator) await endProgram(this.#generator.child);
    const options: GeneratorOptions = {
      seed: this.seed,
      databases: [...this.#databases.values()].map(({ ports, serviceUrl }) => ({
        name: String(ports),
        url: serviceUrl,
        ports,
      })),
    };
    const { child } = await startProgram('programs/generator.ts', [JSON.stringify(options)]);
    this.#generator = { child, databases: this.#databases.size };
  }

  async #order(order: GeneratorOrder): Promise<Extract<GeneratorAnswer, { cpuMs: number }>> {
    const { child } = this.#generator!;
    child.send(order);
    const [answer] = (await once(child, 'message')) as [GeneratorAnswer];
    if (!('cpuMs' in answer))
      throw new Error(`the load generator failed: ${'error' in answer ? answer.error : 'it started again'}`);
    return answer;
  }
}

const checkout = fileURLToPath(new URL('../..', import.meta.url));
const portShape = recordShape(modelFor(catalogue).byName('port'));
/** Position of a walk by identity, ascending, without a filter; learnt from the service itself when it starts. */
let walkPosition: { prefix: readonly unknown[] } | undefined;

async function startBare(database: FilledDatabase): Promise<Server> {
  const { child, said } = await startProgram<{ port: number }>('programs/bare.ts', [
    database.serviceUrl,
    String(connectionsMax),
  ]);
  return { pid: child.pid!, port: said.port, headers: [], close: () => endProgram(child) };
}

/** A node as a deployment runs it, in a process of its own, with everything on; its log goes to a file. */
async function startNode(database: FilledDatabase, say: (line: string) => void): Promise<Server> {
  const folder = await mkdtemp(join(tmpdir(), 'portreeve-bench-'));
  const { environment, tokens } = await deploy(folder, database);
  const logFile = join(folder, 'node.log');
  const log = openSync(logFile, 'a');
  const child = spawn(process.execPath, [fileURLToPath(new URL('../../server/src/main.ts', import.meta.url))], {
    env: { ...process.env, ...environment },
    stdio: ['ignore', log, 'inherit'],
  });
  closeSync(log);
  const close = async () => {
    await endProgram(child);
    await rm(folder, { recursive: true, force: true });
  };
  try {
    while (!/Portreeve serves/.test(readFileSync(logFile, 'utf8'))) {
      if (child.exitCode !== null) throw new Error(`the node ended: ${readFileSync(logFile, 'utf8')}`);
      await sleep(20);
    }
    const port = Number(environment.PORTREEVE_PORT);
    say(`node on ${database.ports.toLocaleString('en')} ports: ${await readBack(port, tokens, database)}`);
    const logged = () => {
      const lines = readFileSync(logFile, 'latin1').split('"operation":"port.').length - 1;
      truncateSync(logFile);
      return lines;
    };
    return { pid: child.pid!, port, headers: [`Authorization: Bearer ${tokens.reader}`], logged, close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** The deployment file and two callers: one who may read ports and nothing else, one who may write containers and nothing else. */
async function deploy(folder: string, { serviceUrl, ownerUrl }: FilledDatabase) {
  const file = join(folder, 'portreeve.json');
  const port = await freePort();
  const keyFile = await ensureKeyFile(postgresFolder(checkout));
  const limits = { requestsPerSecond: 1_000_000, burst: 1_000_000, testsPerMinute: 10 };
  await writeFile(file, JSON.stringify({ databaseUrl: serviceUrl, ownerUrl, keyFile, limits, drainSeconds: 0 }), {
    mode: 0o600,
  });
  const environment = { PORTREEVE_CONFIG: file, PORTREEVE_PORT: String(port) };
  const tokens = await onDatabase(await readConfig(environment), async (tx) => {
    const tokenFor = async (name: string, permissions: object) => {
      await tx.records.create(adminProfile, { name, permissions });
      const id = await createAdministrator(tx, { userID: name, password: 'correct-horse-battery', profile: name });
      return String((await issueToken(tx, id, { name })).token);
    };
    return {
      reader: await tokenFor(`bench-reader ${port}`, { devices: { view: true } }),
      stranger: await tokenFor(`bench-stranger ${port}`, { roles: { view: true } }),
    };
  });
  return { environment, tokens };
}

/** Asks the running node what it does, rather than believing its settings: each of these must be refused, logged or audited. */
async function readBack(
  port: number,
  tokens: { reader: string; stranger: string },
  database: FilledDatabase,
): Promise<string> {
  const ask = (path: string, token?: string) =>
    fetch(`http://127.0.0.1:${port}/api/v2/device/port${path}`, {
      headers: token ? { authorization: `Bearer ${token}` } : {},
    });
  const expected: readonly [what: string, path: string, token: string | undefined, code: number][] = [
    ['authentication', '/1', undefined, 401],
    ['permission', '/1', tokens.stranger, 403],
    ['validation', '?count=many', tokens.reader, 400],
    ['reading', '/1', tokens.reader, 200],
  ];
  for (const [what, path, token, code] of expected) {
    const { status } = await ask(path, token);
    if (status !== code) throw new Error(`${what} is not on: GET ${path} answered ${status} instead of ${code}`);
  }
  const first = await ask('?count=1', tokens.reader);
  walkPosition = positionIn(first.headers.get('link'));
  const { rows } = await onDatabaseUrl(database.serviceUrl, (client) =>
    client.query<{ audited: string }>(`select count(*) as audited from audit_record`),
  );
  if (Number(rows[0]!.audited) < 4) throw new Error('audit is not on: making two accounts left no trace');
  return 'authentication, permission, validation, audit and logging are on (each tried); the rate limit is raised to 1,000,000 a second';
}

/** The position that the service gives, taken apart so that a walk can be entered anywhere. */
function positionIn(link: string | null): { prefix: readonly unknown[] } {
  const parts: unknown = JSON.parse(
    Buffer.from(/after=([\w-]+)/.exec(link ?? '')?.[1] ?? '', 'base64url').toString() || 'null',
  );
  if (!Array.isArray(parts) || parts.at(-1) !== 1)
    throw new Error(`the position of a walk has another form now: ${link}`);
  return { prefix: parts.slice(0, -1) };
}

/** A request that the node did not log: then logging is off, or lags behind. */
async function unlogged(server: Server, requests: number): Promise<string[]> {
  if (!server.logged) return [];
  let lines = 0;
  for (let tries = 0; tries < 40; tries++) {
    lines += server.logged();
    if (lines >= requests) return [];
    await sleep(50);
  }
  return [`the node logged ${lines} of ${requests} requests`];
}
