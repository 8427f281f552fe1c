import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { access, chmod, chown, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

export interface FreeRadiusOptions {
  /** Password of each user. */
  users: Record<string, string>;
  secret: string;
  /** Folder in which the server's own temporary folder is made; the system's if absent. */
  directory?: string;
  /** Seconds a rejection waits: FreeRADIUS itself waits 1 unless told otherwise, tests seldom want to. */
  rejectDelaySeconds?: number;
  /** False is a server that does not speak RFC 5997. */
  statusServer?: boolean;
  /** False is a server as it comes, older than CVE-2024-3596: its answers carry no Message-Authenticator. */
  signsReplies?: boolean;
  /** True drops requests without a Message-Authenticator. */
  requiresSignature?: boolean;
}

export interface FreeRadius {
  host: string;
  authPort: number;
  acctPort: number;
  secret: string;
  stop(): Promise<void>;
  /** What the server has printed, the last 256 KiB of it. */
  log(): string;
}

const run = promisify(execFile);
const binary = '/usr/sbin/freeradius';
const host = '127.0.0.1';
const lifeSecondsMax = 900;
const startMsMax = 20_000;
const stopMsMax = 5_000;
const startsMax = 3;
const logLengthMax = 256 * 1024;

/** Starts a private FreeRADIUS on free loopback ports, for tests and demonstrations. */
export async function startFreeRadius(options: FreeRadiusOptions): Promise<FreeRadius> {
  await access(binary).catch((cause: unknown) => {
    throw new Error(`${binary} is missing: \`npm run setup\` installs it`, { cause });
  });
  const owner = await ownerOfServer();
  const folder = await mkdtemp(join(options.directory ?? tmpdir(), 'portreeve-freeradius-'));
  try {
    for (let start = 1; ; start += 1) {
      try {
        return await startIn(folder, options, owner);
      } catch (error) {
        // Another process may have taken a port between finding it free and binding it.
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

// The Debian package makes this user; a server that reads packets from anybody has no business being root.
async function ownerOfServer(): Promise<Owner | null> {
  if (process.getuid?.() !== 0) return null;
  const [uid, gid] = await Promise.all(
    ['-u', '-g'].map(async (flag) => Number((await run('id', [flag, 'freerad'])).stdout)),
  );
  return { uid: uid!, gid: gid! };
}

async function startIn(folder: string, options: FreeRadiusOptions, owner: Owner | null): Promise<FreeRadius> {
  const [authPort, acctPort] = await freePorts();
  const files = {
    dictionary: '',
    users: usersFile(options.users),
    'radiusd.conf': configuration(folder, authPort, acctPort, options),
  };
  await mkdir(join(folder, 'run'), { recursive: true });
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text, { mode: 0o640 });
  // FreeRADIUS refuses a configuration that others may write to, and must own what it reads.
  await chmod(folder, 0o700);
  if (owner) {
    for (const name of ['', 'run', ...Object.keys(files)]) await chown(join(folder, name), owner.uid, owner.gid);
  }

  const serverArguments = ['-l', 'stdout', '-d', folder];
  const identity = owner ?? {};
  await run(binary, ['-C', ...serverArguments], { ...identity, timeout: startMsMax }).catch((cause: unknown) => {
    const output = cause instanceof Error && 'stdout' in cause ? String(cause.stdout) : '';
    throw new Error(`FreeRADIUS refuses its configuration: ${output.trim()}`, { cause });
  });

  // `timeout` bounds its life even if this process is killed; its own process group lets both be ended at once.
  const child = spawn('timeout', ['--kill-after=1', String(lifeSecondsMax), binary, '-f', ...serverArguments], {
    ...identity,
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { PATH: process.env.PATH, TZ: 'UTC' },
  });
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
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      log = (log + text).slice(-logLengthMax);
    });
  }
  // `close` comes when the last holder of the pipes has ended, so not before FreeRADIUS itself.
  const closed = new Promise<void>((resolve) => {
    child.once('close', () => {
      isClosed = true;
      process.off('exit', abandon);
      resolve();
    });
  });
  async function stopServer() {
    end('SIGTERM');
    const killer = setTimeout(kill, stopMsMax);
    await closed;
    clearTimeout(killer);
  }

  try {
    await readiness(child, () => log);
  } catch (error) {
    await stopServer();
    throw error;
  }
  return {
    host,
    authPort,
    acctPort,
    secret: options.secret,
    log: () => log,
    async stop() {
      await stopServer();
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

/** Resolves when the server says that it serves: its sockets are open by then. */
async function readiness(child: ChildProcess, log: () => string): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  await new Promise<void>((resolve, reject) => {
    const fail = (why: string, cause?: unknown) => reject(new Error(`FreeRADIUS ${why}: ${log().trim()}`, { cause }));
    timer = setTimeout(() => fail(`was not ready within ${startMsMax} ms`), startMsMax);
    child.once('error', (cause) => fail('could not be started', cause));
    child.once('close', () => fail('ended before it was ready'));
    child.stdout?.on('data', () => {
      if (log().includes('Ready to process requests')) resolve();
    });
  }).finally(() => clearTimeout(timer));
}

/** Two UDP ports that nobody uses; both are held until both are known, so that they differ. */
async function freePorts(): Promise<[number, number]> {
  const sockets: Socket[] = [createSocket('udp4'), createSocket('udp4')];
  const ports = await Promise.all(
    sockets.map(async (socket) => {
      socket.bind(0, host);
      await once(socket, 'listening');
      return socket.address().port;
    }),
  );
  await Promise.all(
    sockets.map(async (socket) => {
      socket.close();
      await once(socket, 'close');
    }),
  );
  return [ports[0]!, ports[1]!];
}

// Quotes, backslashes and dollars mean something in these files; a test can do without them.
function plainText(what: string, text: string): string {
  if (!/^[ !#%&(-[\]-~]{1,128}$/.test(text))
    throw new Error(`${what} must be 1 to 128 plain ASCII characters without quotes, \\ and $`);
  return text;
}

function usersFile(users: Record<string, string>): string {
  return Object.entries(users)
    .map(([name, password]) => {
      if (!/^[\w.@-]{1,64}$/.test(name)) throw new Error(`the user name ${name} is not plain`);
      // Single quotes: a % in double quotes is expanded.
      return `${name} Cleartext-Password := '${plainText('a password', password)}'\n`;
    })
    .join('');
}

function configuration(folder: string, authPort: number, acctPort: number, options: FreeRadiusOptions): string {
  // FreeRADIUS 3.2.1 signs only EAP answers by itself.
  const sign = options.signsReplies === false ? '' : 'update reply {\n      &Message-Authenticator := 0x00\n    }';
  return `libdir = /usr/lib/freeradius
raddbdir = ${folder}
logdir = ${folder}
run_dir = ${folder}/run
pidfile = ${folder}/run/radiusd.pid
max_request_time = 10
cleanup_delay = 2
max_requests = 1024
hostname_lookups = no
log {
  destination = stdout
  auth = yes
}
security {
  max_attributes = 200
  reject_delay = ${options.rejectDelaySeconds ?? 0}
  status_server = ${options.statusServer === false ? 'no' : 'yes'}
}
thread pool {
  start_servers = 1
  max_servers = 4
  min_spare_servers = 1
  max_spare_servers = 2
}
modules {
  always ok {
    rcode = ok
  }
  files {
    filename = ${folder}/users
  }
  pap {
  }
}
client local {
  ipaddr = ${host}
  secret = '${plainText('the secret', options.secret)}'
  require_message_authenticator = ${options.requiresSignature ? 'yes' : 'no'}
}
server testbed {
  listen {
    type = auth
    ipaddr = ${host}
    port = ${authPort}
  }
  listen {
    type = acct
    ipaddr = ${host}
    port = ${acctPort}
  }
  authorize {
    files
    pap
  }
  authenticate {
    Auth-Type PAP {
      pap
    }
  }
  preacct {
    ok
  }
  accounting {
    ok
  }
  post-auth {
    ${sign}
    Post-Auth-Type REJECT {
      ${sign}
    }
  }
}
`;
}
