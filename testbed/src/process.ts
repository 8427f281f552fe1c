import { type ChildProcess, execFile, spawn, spawnSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { access, chown, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const lifeSecondsMax = 900;
const startMsMax = 120_000;
const stopMsMax = 30_000;
const startsMax = 3;
const logLengthMax = 256 * 1024;

/**
 * The user of a server process if this process is root; otherwise undefined. A network server should not run as root.
 */
export interface Owner {
  uid: number;
  gid: number;
}

export async function ownerNamed(user: string): Promise<Owner | undefined> {
  if (process.getuid?.() !== 0) return undefined;
  const [uid, gid] = await Promise.all(
    ['-u', '-g'].map(async (flag) => Number((await run('id', [flag, user])).stdout)),
  );
  return { uid: uid!, gid: gid! };
}

export interface Command extends Partial<Owner> {
  program: string;
  args: string[];
}

/**
 * Capabilities that let a process read any file. Containers often lack the first; the second also allows writing any
 * file.
 */
const readingCapabilities = [
  { bit: 2n, name: 'dac_read_search' },
  { bit: 1n, name: 'dac_override' },
];

/**
 * Returns the command that starts a Node program of the checkout as `owner`. A checkout may be in a folder that only
 * root may enter, such as root's home: then the process keeps its user and gets one capability. For tests and
 * demonstrations only, not for deployments.
 */
export async function nodeCommand(file: string, owner: Owner | undefined): Promise<Command> {
  const plain = { program: process.execPath, args: [file] };
  if (!owner) return plain;
  const isReachable = [file, process.execPath].every((path) => spawnSync('test', ['-r', path], owner).status === 0);
  if (isReachable) return { ...plain, ...owner };
  const boundingSet = BigInt(`0x${/^CapBnd:\s*(\w+)$/m.exec(await readFile('/proc/self/status', 'utf8'))![1]}`);
  const capability = readingCapabilities.find(({ bit }) => ((boundingSet >> bit) & 1n) === 1n);
  if (!capability)
    throw new Error(`User ${owner.uid} cannot read ${file}: move the checkout to a folder that others may enter.`);
  const ids = ['--reuid', String(owner.uid), '--regid', String(owner.gid), '--clear-groups'];
  const rights = ['--inh-caps', '--ambient-caps'].map((set) => `${set}=-all,+${capability.name}`);
  return { program: 'setpriv', args: [...ids, ...rights, '--', plain.program, ...plain.args] };
}

/** A server that runs as a child process, in its own folder. */
export interface ServerProcess {
  folder: string;
  /** The last 256 KiB of its output. */
  log(): string;
  /** Ends it and deletes its folder. */
  stop(): Promise<void>;
}

interface Start {
  args: string[];
  readyWhen: string;
  environment?: Readonly<Record<string, string>>;
}

interface ServerOptions {
  name: string;
  program: string;
  /** The Debian user of the server if this process is root. */
  user: string;
  /** Folder for its temporary folder; by default the system's. */
  directory?: string | undefined;
  /** Writes its files and returns how to start it; called again with new ports if another process took one. */
  prepare(folder: string, owner: Owner | undefined): Promise<Start>;
}

/** Starts a server and waits until it is ready. Its life is limited, and it ends with this process. */
export async function startServer(options: ServerOptions): Promise<ServerProcess> {
  await access(options.program).catch((cause: unknown) => {
    throw new Error(`${options.program} is missing: \`npm run setup\` installs it`, { cause });
  });
  const owner = await ownerNamed(options.user);
  const folder = await mkdtemp(join(options.directory ?? tmpdir(), `portreeve-${options.name}-`));
  try {
    for (let start = 1; ; start += 1) {
      try {
        return await startIn(folder, options, owner, await options.prepare(folder, owner));
      } catch (error) {
        // Another process may have taken a port between the check and the bind.
        const isTaken = error instanceof Error && error.message.includes('Address already in use');
        if (!isTaken || start === startsMax) throw error;
      }
    }
  } catch (error) {
    await rm(folder, { recursive: true, force: true });
    throw error;
  }
}

/** Writes files into a server's folder and changes their owner. */
export async function writeFiles(
  folder: string,
  owner: Owner | undefined,
  files: Record<string, string>,
  mode = 0o600,
): Promise<void> {
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text, { mode });
  if (!owner) return;
  for (const name of ['', ...Object.keys(files)]) await chown(join(folder, name), owner.uid, owner.gid);
}

async function startIn(
  folder: string,
  { name, program }: ServerOptions,
  owner: Owner | undefined,
  { args, readyWhen, environment }: Start,
): Promise<ServerProcess> {
  // `timeout` limits its life even if this process is killed; in its own process group both can be ended at once.
  const child = spawn('timeout', ['--kill-after=5', String(lifeSecondsMax), program, ...args], {
    ...owner,
    cwd: folder,
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { PATH: process.env.PATH, TZ: 'UTC', ...environment },
  });
  let isClosed = false;
  // Not after its end: another process may have the number by then.
  const end = (signal: NodeJS.Signals) => {
    if (!isClosed) endGroup(child, signal);
  };
  const abandon = () => {
    end('SIGKILL');
    rmSync(folder, { recursive: true, force: true });
  };
  process.once('exit', abandon);
  let log = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      log = (log + text).slice(-logLengthMax);
    });
  }
  // `close` is emitted when the last holder of the pipes has ended, so not before the server itself.
  const closed = new Promise<void>((resolve) => {
    child.once('close', () => {
      isClosed = true;
      process.off('exit', abandon);
      resolve();
    });
  });
  const stopChild = async () => {
    end('SIGTERM');
    const killer = setTimeout(() => end('SIGKILL'), stopMsMax);
    await closed;
    clearTimeout(killer);
  };
  try {
    await readiness(name, child, () => log, readyWhen);
  } catch (error) {
    await stopChild();
    throw error;
  }
  return {
    folder,
    log: () => log,
    async stop() {
      await stopChild();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

function endGroup(child: ChildProcess, signal: NodeJS.Signals) {
  if (child.pid === undefined) return;
  try {
    process.kill(-child.pid, signal);
  } catch (error) {
    // The process group has ended already.
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error;
  }
}

/** Resolves when the server prints its ready line: its sockets are open by then. */
async function readiness(name: string, child: ChildProcess, log: () => string, readyWhen: string): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  await new Promise<void>((resolve, reject) => {
    const fail = (why: string, cause?: unknown) => reject(new Error(`${name} ${why}: ${log().trim()}`, { cause }));
    timer = setTimeout(() => fail(`was not ready within ${startMsMax} ms`), startMsMax);
    child.once('error', (cause) => fail('could not be started', cause));
    child.once('close', () => fail('ended before it was ready'));
    const look = () => {
      if (log().includes(readyWhen)) resolve();
    };
    child.stdout?.on('data', look);
    child.stderr?.on('data', look);
  }).finally(() => clearTimeout(timer));
}
