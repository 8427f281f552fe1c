import { execFile } from 'node:child_process';
import { chmod, chown, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { freeUdpPorts } from './free-ports.ts';
import { startServer, writeFiles } from './process.ts';

export interface FreeRadiusOptions {
  /** Password of each user. */
  users: Record<string, string>;
  secret: string;
  /** Folder for the server's temporary folder; by default the system's. */
  directory?: string;
  /** Delay of a reject in seconds: FreeRADIUS itself uses 1 by default, tests use 0. */
  rejectDelaySeconds?: number;
  /** False: the server does not support RFC 5997. */
  statusServer?: boolean;
  /** False: a server with the defaults before CVE-2024-3596, whose replies have no Message-Authenticator. */
  signsReplies?: boolean;
  /** True: requests without a Message-Authenticator are dropped. */
  requiresSignature?: boolean;
  /** Certificate and key in PEM: the server also accepts PEAP with MS-CHAPv2. */
  eap?: { certificate: string; key: string };
  /** True: every request is accepted, whatever its credential is. */
  acceptsAll?: boolean;
  /** Attributes of each accept, as lines of the engine's configuration such as `&Filter-Id := 'guests'`. */
  acceptAttributes?: readonly string[];
}

export interface FreeRadius {
  host: string;
  authPort: number;
  acctPort: number;
  secret: string;
  stop(): Promise<void>;
  /** The last 256 KiB of the server's output. */
  log(): string;
}

const run = promisify(execFile);
const program = '/usr/sbin/freeradius';
const host = '127.0.0.1';
const checkMsMax = 120_000;

/** Starts a private FreeRADIUS on free loopback ports, for tests and demonstrations. */
export async function startFreeRadius(options: FreeRadiusOptions): Promise<FreeRadius> {
  let ports: [number, number] = [0, 0];
  const part = await startServer({
    name: 'freeradius',
    program,
    user: 'freerad',
    directory: options.directory,
    async prepare(folder, owner) {
      const [authPort, acctPort] = await freeUdpPorts(host, 2);
      ports = [authPort!, acctPort!];
      await mkdir(join(folder, 'run'), { recursive: true });
      // FreeRADIUS refuses a configuration that others may write to, and must own the files that it reads.
      await chmod(folder, 0o700);
      const files = {
        dictionary: '',
        ...(options.eap && { 'server.pem': options.eap.certificate, 'server.key': options.eap.key }),
        users: usersFile(options.users),
        'radiusd.conf': configuration(folder, ...ports, options),
      };
      await writeFiles(folder, owner, files, 0o640);
      if (owner) await chown(join(folder, 'run'), owner.uid, owner.gid);
      const args = ['-l', 'stdout', '-d', folder];
      await run(program, ['-C', ...args], { ...owner, timeout: checkMsMax }).catch((cause: unknown) => {
        const output = cause instanceof Error && 'stdout' in cause ? String(cause.stdout) : '';
        throw new Error(`FreeRADIUS refuses its configuration: ${output.trim()}`, { cause });
      });
      return { args: ['-f', ...args], readyWhen: 'Ready to process requests' };
    },
  });
  return { host, authPort: ports[0], acctPort: ports[1], secret: options.secret, log: part.log, stop: part.stop };
}

// Quotes, backslashes and dollars are special characters in these files; tests do not need them.
function plainText(what: string, text: string): string {
  if (!/^[ !#%&(-[\]-~]{1,128}$/.test(text))
    throw new Error(`${what} must be 1 to 128 plain ASCII characters without quotes, \\ and $`);
  return text;
}

function usersFile(users: Record<string, string>): string {
  return Object.entries(users)
    .map(([name, password]) => {
      if (!/^[\w.@-]{1,64}$/.test(name)) throw new Error(`the user name ${name} is not plain`);
      // Single quotes, because a % in double quotes is expanded.
      return `${name} Cleartext-Password := '${plainText('a password', password)}'\n`;
    })
    .join('');
}

function configuration(folder: string, authPort: number, acctPort: number, options: FreeRadiusOptions): string {
  // FreeRADIUS 3.2.1 signs only EAP replies by default.
  const sign = options.signsReplies === false ? '' : 'update reply {\n      &Message-Authenticator := 0x00\n    }';
  const acceptAttributes = options.acceptAttributes
    ? `update reply {\n      ${options.acceptAttributes.join('\n      ')}\n    }`
    : '';
  const eap = options.eap !== undefined;
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
  ${eap ? eapModules(folder) : ''}
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
    ${options.acceptsAll ? 'update control {\n      &Auth-Type := Accept\n    }' : ''}
    ${eap ? 'eap {\n      ok = return\n    }' : ''}
    files
    pap
  }
  authenticate {
    Auth-Type PAP {
      pap
    }
    ${eap ? 'eap' : ''}
  }
  preacct {
    ok
  }
  accounting {
    ok
  }
  post-auth {
    ${sign}
    ${acceptAttributes}
    Post-Auth-Type REJECT {
      ${sign}
    }
  }
}
${eap ? innerServer : ''}`;
}

const eapModules = (folder: string): string => `mschap {
    use_mppe = yes
  }
  eap {
    default_eap_type = peap
    timer_expire = 60
    max_sessions = 1024
    tls-config tls-common {
      private_key_file = ${folder}/server.key
      certificate_file = ${folder}/server.pem
      tls_min_version = "1.2"
      tls_max_version = "1.2"
      ecdh_curve = ""
      cache {
        enable = no
      }
    }
    peap {
      tls = tls-common
      default_eap_type = mschapv2
      virtual_server = inner
    }
    mschapv2 {
    }
  }`;

const innerServer = `server inner {
  authorize {
    eap {
      ok = return
    }
    files
    mschap
  }
  authenticate {
    Auth-Type MS-CHAP {
      mschap
    }
    eap
  }
}
`;
