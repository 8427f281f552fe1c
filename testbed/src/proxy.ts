import { spawnSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { freePort } from './free-ports.ts';
import { startServer, writeFiles } from './process.ts';

export interface WebProxyOptions {
  /** Password of each user; a proxy without users accepts every client. */
  users: Record<string, string>;
  /** Addresses of names; other names are not resolved. */
  hosts?: Record<string, string>;
  /** Folder for the proxy's temporary folder; by default the system's. */
  directory?: string;
}

export interface AccessLine {
  method: string;
  /** `host:port` of a CONNECT, otherwise the URL. */
  url: string;
  /** `-` without authentication. */
  user: string;
  status: number;
}

export interface RunningWebProxy {
  host: string;
  port: number;
  /** Returns the requests, oldest first; a tunnel is logged when it ends. */
  accessed(): Promise<AccessLine[]>;
  /** The last 256 KiB of the proxy's output. */
  log(): string;
  stop(): Promise<void>;
}

const openssl = '/usr/bin/openssl';
const helper = '/usr/lib/squid/basic_ncsa_auth';
const host = '127.0.0.1';

/** Starts a private squid on a free loopback port, for tests and demonstrations. */
export async function startWebProxy(options: WebProxyOptions): Promise<RunningWebProxy> {
  let port = 0;
  const { folder, log, stop } = await startServer({
    name: 'squid',
    program: '/usr/sbin/squid',
    user: 'proxy',
    directory: options.directory,
    async prepare(proxyFolder, owner) {
      port = await freePort();
      await writeFiles(proxyFolder, owner, {
        users: usersFile(options.users),
        hosts: hostsFile(options.hosts ?? {}),
        'access.log': '',
        'squid.conf': configuration(proxyFolder, port, Object.keys(options.users).length > 0),
      });
      return {
        args: ['-N', '-d', '1', '-f', join(proxyFolder, 'squid.conf')],
        readyWhen: 'Accepting HTTP Socket connections',
      };
    },
  });
  const accessed = async () => accessLines(await readFile(join(folder, 'access.log'), 'utf8'));
  return { host, port, accessed, log, stop };
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
        throw new Error(`${name} ${address} is not a line of a hosts file`);
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
