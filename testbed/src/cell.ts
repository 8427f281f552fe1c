import { type ChildProcess, spawn } from 'node:child_process';
import { rmSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ensurePostgres, ownerRole, serverUser, serviceRole, stopPostgres } from './postgres.ts';
import { type Command, nodeCommand, type Owner } from './process.ts';

const lifeSecondsUsual = 900;
const startMsMax = 120_000;
const logLengthMax = 256 * 1024;
const binary = '/usr/lib/postgresql/15/bin/postgres';

/** One node of a cell: a process on a port that stays the same when the node is started again. */
export interface CellNode {
  name: string;
  port: number;
  isRunning(): boolean;
  /** The process that started the node and counts its CPU time; undefined while the node does not run. */
  pid(): number | undefined;
  /** The output of the node since its last start. */
  log(): string;
}

/** The cell before its first node starts. */
export interface CellGround {
  folder: string;
  /** The user of the cell's processes, if this process is root. */
  owner: Owner | undefined;
  ownerUrl: string;
  serviceUrl: string;
}

export interface CellOptions {
  nodes: number;
  /** The TypeScript file that a node runs. */
  program: string;
  /** The line that a node prints when it is ready. */
  readyWhen: string;
  /** Prepares the database, and returns a function that returns the environment of a node by its port. */
  prepare(ground: CellGround): Promise<(port: number) => Record<string, string>>;
  /** All processes of the cell end after this time. */
  lifeSeconds?: number;
}

/** A PostgreSQL with durable settings, and nodes on it, each a process that can be killed. */
export interface Cell extends CellGround {
  nodes: readonly CellNode[];
  postgresPid(): number | undefined;
  /** Starts a node that does not run, and waits until it is ready. */
  startNode(node: CellNode): Promise<void>;
  /** Sends SIGTERM, waits for the end, and returns the exit code. */
  stopNode(node: CellNode): Promise<number | null>;
  /** Sends SIGKILL to its process group. */
  kill9(node: CellNode): Promise<void>;
  /** Sends SIGKILL to the postmaster; its backends then end by themselves. */
  killPostgres(): Promise<void>;
  /** Starts PostgreSQL on the existing data, and waits until it accepts connections. */
  restartPostgres(): Promise<void>;
  /** Ends all processes and deletes the folder. */
  stop(): Promise<void>;
}

/** Durable as in a deployment: what was acknowledged must be on disk. */
const settings = [
  'listen_addresses=127.0.0.1',
  'fsync=on',
  'synchronous_commit=on',
  'full_page_writes=on',
  'max_connections=150',
  'shared_buffers=64MB',
];

/** Starts a cell: cluster, database, nodes. Its life is limited, and it ends with this process. */
export async function startCell(options: CellOptions): Promise<Cell> {
  const owner = await serverUser();
  const folder = await mkdtemp(join(tmpdir(), 'portreeve-cell-'));
  const launched = new Set<Launched>();
  const abandon = () => {
    for (const child of launched) child.signal('SIGKILL');
    rmSync(folder, { recursive: true, force: true });
  };
  process.once('exit', abandon);
  const launch = async (command: Command, environment: Record<string, string>, readyWhen: string) => {
    const lifeSeconds = options.lifeSeconds ?? lifeSecondsUsual;
    const child = new Launched(command, lifeSeconds, {
      cwd: folder,
      env: { ...baseEnvironment(), ...environment },
    });
    launched.add(child);
    await child.ready(readyWhen);
    return child;
  };
  const heldPorts: Server[] = [];
  const postgres = new DurablePostgres(folder, owner, await steadyPort(heldPorts), launch);
  const nodes: NodeProcess[] = [];
  const stop = async () => {
    await Promise.all(nodes.map((node) => node.end('SIGKILL')));
    await postgres.stop();
    for (const server of heldPorts) server.close();
    process.off('exit', abandon);
    await rm(folder, { recursive: true, force: true });
  };
  try {
    await initialise(folder);
    await postgres.start();
    const ground: CellGround = {
      folder,
      owner,
      ownerUrl: postgres.url(ownerRole),
      serviceUrl: postgres.url(serviceRole),
    };
    const environmentOf = await options.prepare(ground);
    const command = await nodeCommand(options.program, owner);
    for (let n = 0; n < options.nodes; n++) {
      const port = await steadyPort(heldPorts);
      const start = () => launch(command, environmentOf(port), options.readyWhen);
      nodes.push(new NodeProcess(String.fromCharCode(65 + n), port, start));
    }
    await Promise.all(nodes.map((node) => node.start()));
    return {
      ...ground,
      nodes,
      postgresPid: () => postgres.pid(),
      startNode: (node) => (node as NodeProcess).start(),
      stopNode: (node) => (node as NodeProcess).end('SIGTERM'),
      kill9: async (node) => void (await (node as NodeProcess).end('SIGKILL')),
      killPostgres: () => postgres.kill(),
      restartPostgres: () => postgres.start(),
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

const baseEnvironment = (): Record<string, string> => ({ PATH: process.env.PATH ?? '', TZ: 'UTC' });

/** Creates the cluster and its roles like the shared cluster, and leaves it stopped. */
async function initialise(folder: string): Promise<void> {
  await ensurePostgres(folder);
  await stopPostgres(folder);
}

/**
 * Returns a free port outside of the ephemeral range, and occupies it at another address while the cell exists, so that
 * no other cell takes it while its process is dead.
 */
async function steadyPort(holders: Server[]): Promise<number> {
  for (let tries = 0; tries < 100; tries++) {
    const port = 20_000 + Math.floor(Math.random() * 12_000);
    const holder = await listening(port, '127.0.99.1');
    if (!holder) continue;
    holders.push(holder.unref());
    const server = await listening(port, '127.0.0.1');
    if (!server) continue;
    await new Promise((done) => server.close(done));
    return port;
  }
  throw new Error('no free port between 20000 and 32000');
}

const listening = (port: number, host: string): Promise<Server | undefined> =>
  new Promise((done) => {
    const server = createServer();
    server.once('error', () => done(undefined));
    server.listen(port, host, () => done(server));
  });

type Launch = (command: Command, environment: Record<string, string>, readyWhen: string) => Promise<Launched>;

class NodeProcess implements CellNode {
  readonly name: string;
  readonly port: number;
  readonly #start: () => Promise<Launched>;
  #child: Launched | undefined;

  constructor(name: string, port: number, start: () => Promise<Launched>) {
    this.name = name;
    this.port = port;
    this.#start = start;
  }

  isRunning(): boolean {
    return this.#child?.isGone === false;
  }

  pid(): number | undefined {
    return this.#child?.pid;
  }

  log(): string {
    return this.#child?.log ?? '';
  }

  async start(): Promise<void> {
    if (this.isRunning()) throw new Error(`node ${this.name} is running already`);
    this.#child = await this.#start();
  }

  async end(signal: NodeJS.Signals): Promise<number | null> {
    this.#child?.signal(signal);
    return this.#child ? this.#child.closed : null;
  }
}

class DurablePostgres {
  readonly #folder: string;
  readonly #owner: Owner | undefined;
  readonly #port: number;
  readonly #launch: Launch;
  #child: Launched | undefined;

  constructor(folder: string, owner: Owner | undefined, port: number, launch: Launch) {
    this.#folder = folder;
    this.#owner = owner;
    this.#port = port;
    this.#launch = launch;
  }

  pid(): number | undefined {
    return this.#child?.pid;
  }

  url(role: string): string {
    return `postgres://${role}@127.0.0.1:${this.#port}/portreeve`;
  }

  async start(): Promise<void> {
    const values = [...settings, `unix_socket_directories=${this.#folder}`];
    const args = [
      ...['-D', join(this.#folder, 'data'), '-p', String(this.#port)],
      ...values.flatMap((value) => ['-c', value]),
    ];
    this.#child = await this.#launch({ program: binary, args, ...this.#owner }, {}, 'ready to accept connections');
  }

  async kill(): Promise<void> {
    await this.#signal('SIGKILL');
  }

  /** The fast shutdown, which also releases its shared memory. */
  async stop(): Promise<void> {
    await this.#signal('SIGINT');
  }

  async #signal(signal: NodeJS.Signals): Promise<void> {
    if (!this.#child || this.#child.isGone) return;
    const [pid] = (await readFile(join(this.#folder, 'data', 'postmaster.pid'), 'utf8')).split('\n');
    process.kill(Number(pid), signal);
    // The last backend closes the pipe; before that no other postmaster may use the data.
    await this.#child.closed;
  }
}

/** A child in its own process group, started with `timeout`, which ends it if this process is killed. */
class Launched {
  readonly #child: ChildProcess;
  readonly closed: Promise<number | null>;
  log = '';
  isGone = false;

  constructor(
    { program, args, ...owner }: Command,
    lifeSeconds: number,
    options: { cwd: string; env: Record<string, string> },
  ) {
    this.#child = spawn('timeout', ['--kill-after=45', String(lifeSeconds), program, ...args], {
      ...owner,
      ...options,
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    for (const stream of [this.#child.stdout!, this.#child.stderr!]) {
      stream.setEncoding('utf8').on('data', (text: string) => {
        this.log = (this.log + text).slice(-logLengthMax);
      });
    }
    this.closed = new Promise((done) => {
      this.#child.once('close', (code) => {
        this.isGone = true;
        done(code);
      });
    });
  }

  get pid(): number | undefined {
    return this.isGone ? undefined : this.#child.pid;
  }

  /** Not after its end: another process may have the number by then. */
  signal(signal: NodeJS.Signals): void {
    if (this.isGone || this.#child.pid === undefined) return;
    process.kill(-this.#child.pid, signal);
  }

  async ready(words: string): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<string>((done) => {
      timer = setTimeout(() => done(`was not ready within ${startMsMax} ms`), startMsMax);
    });
    const serves = new Promise<undefined>((done) => {
      const look = () => {
        if (this.log.includes(words)) done(undefined);
      };
      this.#child.stdout!.on('data', look);
      this.#child.stderr!.on('data', look);
    });
    const failed = new Promise<string>((done) => {
      this.#child.once('error', (error) => done(`could not be started (${error.message})`));
    });
    const ended = this.closed.then(() => 'ended before it was ready');
    const why = await Promise.race([serves, late, failed, ended]).finally(() => clearTimeout(timer));
    if (why === undefined) return;
    this.signal('SIGKILL');
    throw new Error(`${this.#child.spawnargs.join(' ')} ${why}: ${this.log.trim()}`);
  }
}
