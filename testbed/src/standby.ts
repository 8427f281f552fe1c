import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { chmod, mkdir, readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { freePort } from './free-ports.ts';
import { serverUser, superRole } from './postgres.ts';

const run = promisify(execFile);
const binaries = '/usr/lib/postgresql/15/bin';
const lifeSecondsMax = 1_800;
const startMsMax = 60_000;
const stopMsMax = 10_000;
const logLengthMax = 64 * 1024;

/** A streaming standby of a running server. */
export interface Standby {
  port: number;
  /** Sends SIGSTOP to all its processes: it confirms nothing any more, and its primary does not notice. */
  freeze(): Promise<void>;
  thaw(): Promise<void>;
  /** Makes it a primary, and waits until it accepts writes. */
  promote(): Promise<void>;
  stop(): Promise<void>;
}

/** Copies a server (pg_basebackup) and starts the copy as its standby, with the given application name. */
export async function startStandby(options: {
  folder: string;
  primaryPort: number;
  name: string;
  port?: number;
}): Promise<Standby> {
  const owner = await serverUser();
  const data = join(options.folder, options.name);
  const port = options.port ?? (await freePort());
  const connection = `host=127.0.0.1 port=${options.primaryPort} user=${superRole} application_name=${options.name}`;
  await rm(data, { recursive: true, force: true });
  await run(join(binaries, 'pg_basebackup'), ['-d', connection, '-D', data, '-R', '-X', 'stream', '-c', 'fast'], {
    ...owner,
    cwd: options.folder,
  });
  await mkdir(data, { recursive: true });
  if (!owner) await chmod(data, 0o700);
  // Not fewer connections than any primary of the tests: PostgreSQL refuses to replay otherwise.
  const settings = [
    'listen_addresses=127.0.0.1',
    'fsync=off',
    `unix_socket_directories=${data}`,
    'max_connections=200',
  ];
  const child: ChildProcess = spawn(
    'timeout',
    [
      '--kill-after=5',
      String(lifeSecondsMax),
      join(binaries, 'postgres'),
      ...['-D', data, '-p', String(port)],
      ...settings.flatMap((value) => ['-c', value]),
    ],
    { ...owner, cwd: options.folder, detached: true, stdio: ['ignore', 'ignore', 'pipe'] },
  );
  let log = '';
  child.stderr!.setEncoding('utf8').on('data', (text: string) => {
    log = (log + text).slice(-logLengthMax);
  });
  const closed = new Promise<void>((done) => child.once('close', () => done()));
  const end = () => signalTree('SIGKILL');
  process.once('exit', () => child.exitCode === null && child.pid && process.kill(-child.pid, 'SIGKILL'));
  const isReady = () =>
    run(join(binaries, 'pg_isready'), ['-q', '-h', '127.0.0.1', '-p', String(port)]).then(
      () => true,
      () => false,
    );
  const signalTree = async (signal: NodeJS.Signals) => {
    const pid = await postmasterOf(data);
    if (pid !== undefined) await signalAll(pid, signal);
  };
  for (const untilMs = performance.now() + startMsMax; !(await isReady()); await sleep(50)) {
    if (child.exitCode !== null || performance.now() > untilMs) {
      await end();
      throw new Error(`the standby ${options.name} did not start: ${log.trim()}`);
    }
  }
  return {
    port,
    freeze: () => signalTree('SIGSTOP'),
    thaw: () => signalTree('SIGCONT'),
    promote: async () => {
      await run(join(binaries, 'pg_ctl'), ['promote', '-D', data, '-w', '-t', '60'], { ...owner, cwd: options.folder });
    },
    async stop() {
      if (child.exitCode !== null) return;
      await signalTree('SIGCONT');
      const pid = await postmasterOf(data);
      if (pid !== undefined) process.kill(pid, 'SIGINT');
      const killer = setTimeout(() => void end(), stopMsMax);
      await closed;
      clearTimeout(killer);
    },
  };
}

async function postmasterOf(data: string): Promise<number | undefined> {
  const text = await readFile(join(data, 'postmaster.pid'), 'utf8').catch(() => '');
  const pid = Number(text.split('\n')[0]);
  return pid > 0 ? pid : undefined;
}

/** Signals a server and its backends, which are its children. */
export async function signalAll(postmaster: number, signal: NodeJS.Signals): Promise<void> {
  const pids = [postmaster];
  for (const name of await readdir('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    const stat = await readFile(`/proc/${name}/stat`, 'utf8').catch(() => '');
    // The name of a process, in parentheses, may contain spaces.
    const parent = Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]);
    if (parent === postmaster) pids.push(Number(name));
  }
  for (const pid of pids) {
    try {
      process.kill(pid, signal);
    } catch (error) {
      // A backend may have ended meanwhile.
      if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
    }
  }
}
