import { type ChildProcess, execFile, spawn, spawnSync } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { chmod, chown, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { freePort } from './free-ports.ts';
import { type Owner, ownerNamed } from './process.ts';

const run = promisify(execFile);
const binaries = '/usr/lib/postgresql/15/bin';
const patienceMs = 120_000;

/** The role that owns the tables and migrates, and the role of the service. */
export const ownerRole = 'portreeve_owner';
export const serviceRole = 'portreeve_service';
/** The superuser role, of the private cluster only; it may load extensions that observe the server. */
export const superRole = 'postgres';

export interface Postgres {
  port: number;
  /** Connection strings: `owner` migrates, `service` serves. */
  url(role: typeof ownerRole | typeof serviceRole | typeof superRole, database: string): string;
}

/**
 * Returns the folder of a checkout's private cluster: outside of the checkout, because its user must be able to enter
 * every parent folder.
 */
export function postgresFolder(checkout: string): string {
  const mark = createHash('sha256').update(resolve(checkout)).digest('hex').slice(0, 10);
  return join(tmpdir(), `portreeve-postgres-${mark}`);
}

/** Starts the private cluster if it does not run yet, and leaves it running. Never as root. */
export async function ensurePostgres(folder: string): Promise<Postgres> {
  if (!existsSync(join(binaries, 'postgres'))) throw new Error('PostgreSQL 15 is not installed; run `npm run setup`.');
  const user = await serverUser();
  await mkdir(folder, { recursive: true, mode: 0o755 });
  await chmod(folder, 0o755);
  if (user) await chown(folder, user.uid, user.gid);
  if (!existsSync(join(folder, 'data', 'PG_VERSION'))) await initialise(folder, user);
  const running = await runningPort(folder);
  if (running !== undefined) return postgresAt(running);
  return postgresAt(await start(folder, user));
}

const postgresAt = (port: number): Postgres => ({
  port,
  url: (role, database) => `postgres://${role}@127.0.0.1:${port}/${database}`,
});

/** Returns a running cluster, without starting one. */
export async function findPostgres(folder: string): Promise<Postgres | undefined> {
  const port = await runningPort(folder);
  return port === undefined ? undefined : postgresAt(port);
}

export async function stopPostgres(folder: string): Promise<void> {
  const pid = await serverPid(folder);
  if (pid === undefined) return;
  // SIGINT is the fast shutdown; SIGTERM would wait for every client.
  process.kill(pid, 'SIGINT');
  for (const end = performance.now() + patienceMs; isAlive(pid) && performance.now() < end; ) await sleep(100);
}

/** Returns the packaged user if this process is root, because PostgreSQL refuses root; otherwise undefined. */
export const serverUser = (): Promise<Owner | undefined> => ownerNamed('postgres');

async function initialise(folder: string, user: Owner | undefined): Promise<void> {
  const data = join(folder, 'data');
  await rm(data, { recursive: true, force: true });
  await run(
    join(binaries, 'initdb'),
    ['-D', data, '-U', superRole, '-A', 'trust', '--no-sync', '-E', 'UTF8', '--locale=C.UTF-8', '--no-instructions'],
    {
      ...user,
      cwd: folder,
    },
  );
  // The owner may end sessions that prevent the drop of a test's database.
  const roles = [
    `create role ${ownerRole} login createdb;`,
    `create role ${serviceRole} login;`,
    `grant pg_signal_backend to ${ownerRole};`,
  ].join('\n');
  const single = spawnSync(join(binaries, 'postgres'), ['--single', '-D', data, 'postgres'], {
    ...user,
    cwd: folder,
    input: `${roles}\n`,
  });
  if (single.status !== 0) throw new Error(`creating the database roles failed: ${single.stderr}`);
}

/** Settings without durability: for development and tests only. Trials of durability use their own cluster. */
const settings = [
  'listen_addresses=127.0.0.1',
  // Like the service.
  'jit=off',
  'fsync=off',
  'synchronous_commit=off',
  'full_page_writes=off',
  'max_connections=200',
  'shared_buffers=256MB',
  'log_min_messages=fatal',
  'max_wal_size=4GB',
  'checkpoint_timeout=30min',
];

async function start(folder: string, user: Owner | undefined): Promise<number> {
  const port = await freePort();
  const values = [...settings, `unix_socket_directories=${folder}`];
  await rm(join(folder, 'data', 'postmaster.pid'), { force: true });
  const child: ChildProcess = spawn(
    join(binaries, 'postgres'),
    ['-D', join(folder, 'data'), '-p', String(port), ...values.flatMap((value) => ['-c', value])],
    {
      ...user,
      cwd: folder,
      detached: true,
      stdio: 'ignore',
    },
  );
  child.unref();
  for (const end = performance.now() + patienceMs; performance.now() < end; ) {
    if (child.exitCode !== null) throw new Error(`PostgreSQL did not start; see ${folder}`);
    if (await answers(port)) return port;
    await sleep(50);
  }
  throw new Error(`PostgreSQL did not answer on port ${port} within ${patienceMs / 1_000} s`);
}

/** Reads the file of the server: process id in the first line, port in the fourth. */
async function pidFile(folder: string): Promise<string[]> {
  try {
    return (await readFile(join(folder, 'data', 'postmaster.pid'), 'utf8')).split('\n');
  } catch {
    return [];
  }
}

async function serverPid(folder: string): Promise<number | undefined> {
  const pid = Number((await pidFile(folder))[0]);
  return pid > 0 && isAlive(pid) ? pid : undefined;
}

async function runningPort(folder: string): Promise<number | undefined> {
  if ((await serverPid(folder)) === undefined) return undefined;
  const port = Number((await pidFile(folder))[3]);
  return port > 0 && (await answers(port)) ? port : undefined;
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

async function answers(port: number): Promise<boolean> {
  return run(join(binaries, 'pg_isready'), [
    '-q',
    '-h',
    '127.0.0.1',
    '-p',
    String(port),
    '-U',
    ownerRole,
    '-d',
    'postgres',
  ]).then(
    () => true,
    () => false,
  );
}

/** Creates a master key for development and tests, once for each checkout. */
export async function ensureKeyFile(folder: string): Promise<string> {
  const file = join(folder, 'development.key');
  if (!existsSync(file)) {
    await writeFile(file, `${randomBytes(32).toString('hex')}\n`, { mode: 0o600 });
  }
  return file;
}
