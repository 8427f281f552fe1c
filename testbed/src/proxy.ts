import { type ChildProcess, execFile, spawn, spawnSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { access, chown, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { freePort } from './postgres.ts';

export interface WebProxyOptions {
  /** Password of each user; a proxy without users lets everybody through. */
  users: Record<string, string>;
  /** Addresses of names that only this proxy knows; others it does not resolve. */
  hosts?: Record<string, string>;
  /** Folder in which the proxy's own temporary folder is made; the system's if absent. */
  directory?: string;
}

export interface AccessLine {
  method: string;
  /** `host:port` of a CONNECT, else the URL. */
  url: string;
  /** `-` when nobody signed in. */
  user: string;
  status: number;
}

export interface RunningWebProxy {
  host: string;
  port: number;
  /** What went through, oldest first; a tunnel is noted when it ends. */
  accessed(): Promise<AccessLine[]>;
  /** What the proxy has printed, the last 256 KiB of it. */
  log(): string;
  stop(): Promise<void>;
}

const run = promisify(execFile);
const binary = '/usr/sbin/squid';
const openssl = '/usr/bin/openssl';
const helper = '/usr/lib/squid/basic_ncsa_auth';
const host = '127.0.0.1';
const lifeSecondsMax = 900;
const startMsMax = 20_000;
const stopMsMax = 5_000;
const startsMax = 3;
const logLengthMax = 256 * 1024;

/** Starts a private squid on a free loopback port, for tests and demonstrations. */
export async function startWebProxy(options: WebProxyOptions): Promise<RunningWebProxy> {
  await access(binary).catch((cause: unknown) => {
    throw new Error(`${binary} is missing: \`npm run setup\` installs it`, { cause });
  });
  const owner = await ownerOfProxy();
  const folder = await mkdtemp(join(options.directory ?? tmpdir(), 'portreeve-squid-'));
  try {
    for (let start = 1; ; start += 1) {
      try {
        return await startIn(folder, options, owner);
      } catch (error) {
        // Another process may have taken the port between finding it free and binding it.
        const isTaken = error instanceof Error && error.message.includes('Address already in use');
        if (!isTaken || start === startsMax) throw error;
      }
    }
  } catch (error) {
    await rm(folder, { recursive: true, force: true });
    throw error;
  }
}

interface Owner {
  uid: number;
  gid: number;
}

// Debian has this user from the start; what talks to anybody has no business being root.
async function ownerOfProxy(): Promise<Owner | null> {
  if (process.getuid?.() !== 0) return null;
  const [uid, gid] = await Promise.all(
    ['-u', '-g'].map(async (flag) => Number((await run('id', [flag, 'proxy'])).stdout)),
  );
  return { uid: uid!, gid: gid! };
}

async function startIn(folder: string, options: WebProxyOptions, owner: Owner | null): Promise<RunningWebProxy> {
  const port = await freePort();
  const files = {
    users: usersFile(options.users),
    hosts: hostsFile(options.hosts ?? {}),
    'access.log': '',
    'squid.conf': configuration(folder, port, Object.keys(options.users).length > 0),
  };
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text, { mode: 0o600 });
  if (owner) {
    for (const name of ['', ...Object.keys(files)]) await chown(join(folder, name), owner.uid, owner.gid);
  }

  // `timeout` bounds its life even if this process is killed; its own process group lets all of them be ended at once.
  const child = spawn(
    'timeout',
    ['--kill-after=5', String(lifeSecondsMax), binary, '-N', '-d', '1', '-f', join(folder, 'squid.conf')],
    {
      ...owner,
      cwd: folder,
      detached: true,
      stdio: ['ignore', 'ignore', 'pipe'],
      env: { PATH: process.env.PATH, TZ: 'UTC' },
    },
  );
  let isClosed = false;
  // Not after its end: the number may belong to another process by then.
  const end = (signal: NodeJS.Signals) => {
    if (!isClosed) endGroup(child, signal);
  };
  const kill = () => end('SIGKILL');
  const abandon = () => {
    kill();
    rmSync(folder, { recursive: true, force: true });
  };
  process.once('exit', abandon);
  let log = '';
  child.stderr!.setEncoding('utf8').on('data', (text: string) => {
    log = (log + text).slice(-logLengthMax);
  });
  const closed = new Promise<void>((resolve) => {
    child.once('close', () => {
      isClosed = true;
      process.off('exit', abandon);
      resolve();
    });
  });
  async function stopProxy() {
    end('SIGTERM');
    const killer = setTimeout(kill, stopMsMax);
    await closed;
    clearTimeout(killer);
  }

  try {
    await readiness(child, () => log);
  } catch (error) {
    await stopProxy();
    throw error;
  }
  return {
    host,
    port,
    log: () => log,
    accessed: async () => accessLines(await readFile(join(folder, 'access.log'), 'utf8')),
    async stop() {
      await stopProxy();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

function endGroup(child: ChildProcess, signal: NodeJS.Signals) {
  if (child.pid === undefined) return;
  try {
    process.kill(-child.pid, signal);
  } catch (error) {
    // Nothing is left to end: that is what was wanted.
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error;
  }
}

/** Resolves when the proxy says that it listens. */
async function readiness(child: ChildProcess, log: () => string): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  await new Promise<void>((resolve, reject) => {
    const fail = (why: string, cause?: unknown) => reject(new Error(`squid ${why}: ${log().trim()}`, { cause }));
    timer = setTimeout(() => fail(`was not ready within ${startMsMax} ms`), startMsMax);
    child.once('error', (cause) => fail('could not be started', cause));
    child.once('close', () => fail('ended before it was ready'));
    child.stderr?.on('data', () => {
      if (log().includes('Accepting HTTP Socket connections')) resolve();
    });
  }).finally(() => clearTimeout(timer));
}

function usersFile(users: Record<string, string>): string {
  return Object.entries(users)
    .map(([name, password]) => {
      if (!/^[\w.@-]{1,64}$/.test(name)) throw new Error(`the user name ${name} is not plain`);
      if (!/^[!-~]{1,128}$/.test(password)) throw new Error('a password must be 1 to 128 visible ASCII characters');
      const hashed = spawnSync(openssl, ['passwd', '-6', '-stdin'], { input: `${password}\n`, encoding: 'utf8' });
      if (hashed.status !== 0) throw new Error(`openssl did not hash a password: ${hashed.stderr}`);
      return `${name}:${hashed.stdout.trim()}\n`;
    })
    .join('');
}

function hostsFile(hosts: Record<string, string>): string {
  return Object.entries(hosts)
    .map(([name, address]) => {
      if (!/^[\w.-]{1,255}$/.test(name) || !/^[\da-fA-F.:]+$/.test(address))
        throw new Error(`${name} ${address} is no line of a hosts file`);
      return `${address} ${name}\n`;
    })
    .join('');
}

const accessLines = (text: string): AccessLine[] =>
  text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => {
      const [method = '', url = '', user = '', status] = line.split(' ');
      return { method, url, user, status: Number(status) };
    });

function configuration(folder: string, port: number, hasUsers: boolean): string {
  const access = hasUsers
    ? `auth_param basic program ${helper} ${folder}/users
auth_param basic children 2 startup=1
auth_param basic realm testbed
acl known proxy_auth REQUIRED
http_access allow known`
    : `acl neighbour src ${host}
http_access allow neighbour`;
  return `http_port ${host}:${port}
visible_hostname testbed.invalid
${access}
http_access deny all
cache deny all
cache_mem 1 MB
hosts_file ${folder}/hosts
# No name server: what the hosts file does not know does not exist.
dns_nameservers ${host}
dns_timeout 1 seconds
logformat brief %rm %ru %un %>Hs
access_log stdio:${folder}/access.log brief
buffered_logs off
strip_query_terms off
cache_log /dev/null
cache_store_log none
pid_filename none
netdb_filename none
coredump_dir ${folder}
pinger_enable off
shutdown_lifetime 0 seconds
`;
}
