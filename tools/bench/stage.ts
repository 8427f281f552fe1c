import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { catalogue } from '@portreeve/server/catalogue.ts';
import { multifilterRecord } from '@portreeve/server/host/host/actions/multifilter.ts';
import type { ObjectShape } from '@portreeve/server/kernel/declare/shape.ts';
import { recordShape } from '@portreeve/server/kernel/read/select.ts';
import { modelFor } from '@portreeve/server/node/start-service.ts';
import { cpuMsOf } from '@portreeve/testbed/cpu.ts';
import { ensurePostgres, postgresFolder } from '@portreeve/testbed/postgres.ts';
import { jsonForm, xmlForm } from './answers.ts';
import { type FilledDatabase, filledDatabase } from './fill.ts';
import type { ImportFigures } from './fill-hosts.ts';
import type { LoadSpec, Target } from './load.ts';
import { type BenchNode, checkout, deploy, startNode } from './node.ts';
import { onDatabaseUrl } from './on-database-url.ts';
import { endProgram, postmasterPid, startProgram } from './processes.ts';
import type { GeneratorAnswer, GeneratorOptions, GeneratorOrder } from './programs/generator.ts';
import { type Filling, type Subject, type SubjectName, spareRows } from './subjects/subject.ts';
import { subjects } from './subjects/subjects.ts';

/** Database connections of each server, the same number as a node opens. */
const connectionsMax = 20;
const clients = 32;

/** The figures of one contestant in one round. */
export interface Measured {
  perSecond: number;
  p50Ms: number;
  p99Ms: number;
  /** CPU time for each request, in microseconds. */
  cpu: { server: number; postgres: number; generator: number };
  /** True if the round did not measure what it should, although every response was right. */
  isDisturbed?: boolean;
  faults: readonly string[];
}

type ServerKind = 'service' | 'bare';

export interface HttpLoad {
  server: ServerKind;
  subject: SubjectName;
  /** The size of the filling. */
  size: number;
  target: Target;
  format?: 'json' | 'xml';
}

interface Server {
  pid: number;
  port: number;
  headers: readonly string[];
  /** The position for a walk, from the response at the start of the service. */
  position?: { prefix: readonly unknown[] };
  /** Returns the requests that it has logged since the last call; undefined if it logs nothing. */
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
  readonly #databases = new Map<string, FilledDatabase & { drop(): Promise<void> }>();
  readonly #servers = new Map<string, Server>();
  #generator: { child: ChildProcess; knows: number } | undefined;
  #rounds = 0;
  readonly #closers: (() => Promise<void>)[] = [];

  constructor(options: StageOptions) {
    this.seed = options.seed;
    this.say = options.say;
  }

  /** Registers a function that ends a benchmark's own processes before its database is dropped. */
  onClose(close: () => Promise<void>): void {
    this.#closers.push(close);
  }

  /** Returns the environment of a node on a database of this many ports. */
  async deployment(ports: number): Promise<NodeJS.ProcessEnv> {
    const folder = await mkdtemp(join(tmpdir(), 'portreeve-bench-'));
    this.onClose(() => rm(folder, { recursive: true, force: true }));
    return deploy(folder, await this.database('ports', ports));
  }

  async close(): Promise<void> {
    for (const close of this.#closers.toReversed()) await close();
    if (this.#generator) await endProgram(this.#generator.child);
    for (const server of this.#servers.values()) await server.close();
    for (const database of this.#databases.values()) await database.drop();
  }

  async database(filling: Filling, size: number): Promise<FilledDatabase> {
    const name = `${filling} ${size}`;
    const existing = this.#databases.get(name);
    if (existing) return existing;
    await ensurePostgres(postgresFolder(checkout));
    const database = await filledDatabase(filling, size, { say: this.say });
    this.#databases.set(name, database);
    return database;
  }

  /** Returns a database for one benchmark: its changes do not affect the responses that others expect. */
  async ownDatabase(filling: Filling, size: number, use: string): Promise<FilledDatabase> {
    await ensurePostgres(postgresFolder(checkout));
    const database = await filledDatabase(filling, size, { say: this.say, use });
    this.onClose(() => database.drop());
    return database;
  }

  /** Fills the database of this many hosts again, to measure how long it takes. */
  async importAnew(size: number): Promise<ImportFigures> {
    await ensurePostgres(postgresFolder(checkout));
    let figures: ImportFigures | undefined;
    const imported = (imports: ImportFigures) => {
      figures = imports;
    };
    const database = await filledDatabase('hosts', size, { say: this.say, anew: true, imported });
    await database.drop();
    return figures!;
  }

  /** Starts what a load needs, so that no round includes the start. */
  async prepare(loads: readonly HttpLoad[]): Promise<void> {
    for (const load of loads) await this.#server(load);
    if (this.#generator?.knows !== this.#writers().length) await this.#startGenerator();
  }

  async load(load: HttpLoad, seconds: number): Promise<Measured> {
    const server = await this.#server(load);
    const spec = this.#specOf(load, server, seconds);
    const [serverMs, postgresMs] = [cpuMsOf(server.pid), cpuMsOf(postmasterPid())];
    server.logged?.();
    const answer = await this.#order({ writer: writerName(load), load: spec });
    const cpuMs = { server: cpuMsOf(server.pid) - serverMs, postgres: cpuMsOf(postmasterPid()) - postgresMs };
    const { report } = answer;
    const perRequest = (ms: number) => (ms * 1_000) / Math.max(1, report.requests);
    return {
      perSecond: report.requests / report.seconds,
      p50Ms: report.p50Ms,
      p99Ms: report.p99Ms,
      cpu: {
        server: perRequest(cpuMs.server),
        postgres: perRequest(cpuMs.postgres),
        generator: perRequest(answer.cpuMs),
      },
      faults: [...report.faults, ...(await unlogged(server, report.requests))],
      // Reads are measured during writes; on a busy machine a short round may end before the first write.
      isDisturbed: report.written === 0,
    };
  }

  /** Compares the counters with count(*), after all writes. */
  async miscounted(): Promise<string[]> {
    const faults: string[] = [];
    for (const { serviceUrl, filling, size } of this.#databases.values())
      for (const { name, plural, rows: rowsOf } of subjectsOf(filling)) {
        const { rows } = await onDatabaseUrl(serviceUrl, (client) =>
          client.query<{ reported: string; counted: string }>(
            `select row_total('${name}') as reported, (select count(*) from ${name}) as counted`,
          ),
        );
        const { reported, counted } = rows[0]!;
        if (reported !== counted || Number(counted) !== rowsOf(size) + spareRows)
          faults.push(`${rowsOf(size)} ${plural}: the counter says ${reported}, count(*) ${counted}`);
      }
    return faults;
  }

  #specOf(
    { server: kind, subject, size, target, format = 'json' }: HttpLoad,
    server: Server,
    seconds: number,
  ): LoadSpec {
    const isService = kind === 'service';
    const isCounted = isService && target !== 'record';
    const { captured } = subjects[subject];
    const shape = target === 'multifilter' ? multifilterRecord : shapes[subject];
    return {
      port: server.port,
      subject,
      target,
      clients,
      seconds,
      seed: this.seed + ++this.#rounds,
      size,
      headers: [...server.headers, ...(format === 'xml' ? ['Accept: application/xml'] : [])],
      form: format === 'xml' ? xmlForm(shape, captured) : jsonForm(shape, captured, isCounted),
      position: server.position,
      isService,
    };
  }

  async #server({ server: kind, subject: name, size }: HttpLoad): Promise<Server> {
    const key = `${kind} ${name} ${size}`;
    const existing = this.#servers.get(key);
    if (existing) return existing;
    const subject = subjects[name];
    const database = await this.database(subject.filling, size);
    const server =
      kind === 'bare' ? await startBare(database, subject) : await startService(database, subject, this.say);
    this.#servers.set(key, server);
    return server;
  }

  #writers(): GeneratorOptions['writers'] {
    return [...this.#databases.values()].flatMap(({ filling, size, serviceUrl }) =>
      subjectsOf(filling).map(({ name, rows }) => ({
        name: writerName({ subject: name, size }),
        url: serviceUrl,
        subject: name,
        rows: rows(size),
      })),
    );
  }

  async #startGenerator(): Promise<void> {
    // A generator with the new database replaces the running one.
    if (this.#generator) await endProgram(this.#generator.child);
    const options: GeneratorOptions = { seed: this.seed, writers: this.#writers() };
    const { child } = await startProgram('programs/generator.ts', [JSON.stringify(options)]);
    this.#generator = { child, knows: options.writers.length };
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

const model = modelFor(catalogue);
const shapes: Readonly<Record<SubjectName, ObjectShape>> = {
  port: recordShape(model.byName('port')),
  host: recordShape(model.byName('host')),
  adapter: recordShape(model.byName('adapter')),
};

const subjectsOf = (filled: Filling): Subject[] => Object.values(subjects).filter(({ filling }) => filling === filled);

const writerName = ({ subject, size }: Pick<HttpLoad, 'subject' | 'size'>): string => `${subject} ${size}`;

async function startBare(database: FilledDatabase, { name }: Subject): Promise<Server> {
  const { child, said: firstMessage } = await startProgram<{ port: number }>('programs/bare.ts', [
    database.serviceUrl,
    String(connectionsMax),
    name,
  ]);
  return { pid: child.pid!, port: firstMessage.port, headers: [], close: () => endProgram(child) };
}

async function startService(database: FilledDatabase, subject: Subject, say: (line: string) => void): Promise<Server> {
  const node = await startNode(database, { permissions: subject.permissions });
  try {
    const position = await readBack(node, subject, database);
    say(
      `node on ${database.size.toLocaleString('en')} ${database.filling}: authentication, permission, validation, audit and logging are on (each tried); ` +
        'the rate limit is raised to 1,000,000 a second',
    );
    return {
      pid: node.pid,
      port: node.port,
      headers: [`Authorization: Bearer ${node.token}`],
      position,
      logged: () => node.logged(subject.name),
      close: () => node.close(),
    };
  } catch (error) {
    await node.close();
    throw error;
  }
}

/** Checks that the running node refuses, logs and audits as configured. Returns the position for a walk. */
async function readBack(
  node: BenchNode,
  subject: Subject,
  database: FilledDatabase,
): Promise<{ prefix: readonly unknown[] }> {
  const ask = (path: string, token?: string) =>
    fetch(`http://127.0.0.1:${node.port}/api/v2${subject.path}${path}`, {
      headers: token ? { authorization: `Bearer ${token}` } : {},
    });
  const expected: readonly [what: string, path: string, token: string | undefined, code: number][] = [
    ['authentication', '/1', undefined, 401],
    ['permission', '/1', node.stranger, 403],
    ['validation', '?count=many', node.token, 400],
    ['reading', '/1', node.token, 200],
  ];
  for (const [what, path, token, code] of expected) {
    const { status } = await ask(path, token);
    if (status !== code) throw new Error(`${what} is not on: GET ${path} answered ${status} instead of ${code}`);
  }
  const first = await ask('?count=1', node.token);
  const { rows } = await onDatabaseUrl(database.serviceUrl, (client) =>
    client.query<{ audited: string }>(`select count(*) as audited from audit_record`),
  );
  if (Number(rows[0]!.audited) < 4) throw new Error('audit is not on: making two accounts left no trace');
  return positionIn(first.headers.get('link'));
}

/** Decodes the position in a link, so that a walk can start anywhere. */
function positionIn(link: string | null): { prefix: readonly unknown[] } {
  const parts: unknown = JSON.parse(
    Buffer.from(/after=([\w-]+)/.exec(link ?? '')?.[1] ?? '', 'base64url').toString() || 'null',
  );
  if (!Array.isArray(parts) || parts.at(-1) !== 1)
    throw new Error(`the position of a walk has another form now: ${link}`);
  return { prefix: parts.slice(0, -1) };
}

/** Returns the requests that the node did not log: then logging is off, or delayed. */
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
