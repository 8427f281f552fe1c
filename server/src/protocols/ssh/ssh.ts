import { type ExecFileException, execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Failure, remoteFailed, remoteTimeout } from '../../kernel/failure.ts';
import type { OutboundGuard } from '../outbound/outbound.ts';

export interface SshAccess {
  port: number;
  userName: string;
  password: string;
  /** The pinned key, as `ssh-ed25519 AAAA…`; null accepts the first key. */
  hostKey: string | null;
  /** Limit for connection, login and command together. */
  timeoutMs: number;
  /** Called with the first host key, so that it can be pinned. */
  onFirstKey?: ((hostKey: string) => void) | undefined;
}

/** Runs commands on devices over SSH. */
export interface Ssh {
  /** Returns the output of the command. Its words must be plain, so that no shell on the way can interpret them. */
  run(host: string, access: SshAccess, command: readonly string[]): Promise<string>;
}

export type SshFaultKind = 'hostKeyChanged' | 'unauthenticated' | 'silent' | 'failed';

/** The reason why a command failed; set as the cause of the failure that callers get. */
export class SshFault extends Error {
  override readonly name = 'SshFault';
  readonly kind: SshFaultKind;

  constructor(kind: SshFaultKind, message: string) {
    super(message);
    this.kind = kind;
  }
}

export const sshFaultOf = (error: unknown): SshFault | undefined =>
  error instanceof Failure && error.cause instanceof SshFault ? error.cause : undefined;

const outputBytesMax = 8 * 1024 * 1024;
const plainWord = /^[\w./:=@+-]{1,255}$/;
const keyForm = /^(?:ssh|ecdsa)-[\w.@-]{1,60} [A-Za-z0-9+/=]{40,2000}$/;
/** The name of the device in the known_hosts file, for every address and port. */
const alias = 'device';
const passwordVariable = 'PORTREEVE_SSH_PASSWORD';

/** Prints the password from ssh's environment; ssh calls this program to read a password. */
const askpass = `#!${process.execPath}\nprocess.stdout.write(process.env.${passwordVariable} + '\\n');\n`;

/**
 * Runs the system's OpenSSH as a child process: without shell, configuration and agent, and with the pinned key only.
 */
export function sshClient({ outbound, directory = tmpdir() }: { outbound: OutboundGuard; directory?: string }): Ssh {
  return {
    async run(host, access, command) {
      const stranger = command.find((word) => !plainWord.test(word));
      if (stranger !== undefined) throw new Error('an SSH command contains an unsafe argument');
      if (access.hostKey !== null && !keyForm.test(access.hostKey)) throw new Error('a pinned host key is malformed');
      const { address } = await outbound.resolve(host);
      const folder = await mkdtemp(join(directory, 'portreeve-ssh-'));
      try {
        const knownHosts = join(folder, 'known_hosts');
        const helper = join(folder, 'askpass');
        await writeFile(knownHosts, access.hostKey === null ? '' : `${alias} ${access.hostKey}\n`, { mode: 0o600 });
        await writeFile(helper, askpass, { mode: 0o700 });
        const args = [...optionsOf(access, knownHosts), '--', address, ...command];
        const output = await runSsh(args, access, helper);
        if (access.hostKey === null) await emitKey(knownHosts, access);
        return output;
      } catch (error) {
        throw failureOf(host, access, error);
      } finally {
        await rm(folder, { recursive: true, force: true });
      }
    },
  };
}

function optionsOf({ port, userName, hostKey, timeoutMs }: SshAccess, knownHosts: string): string[] {
  const options = {
    HostKeyAlias: alias,
    UserKnownHostsFile: knownHosts,
    GlobalKnownHostsFile: '/dev/null',
    StrictHostKeyChecking: hostKey === null ? 'accept-new' : 'yes',
    UpdateHostKeys: 'no',
    CheckHostIP: 'no',
    VerifyHostKeyDNS: 'no',
    HashKnownHosts: 'no',
    PreferredAuthentications: 'password,keyboard-interactive',
    PubkeyAuthentication: 'no',
    IdentityAgent: 'none',
    NumberOfPasswordPrompts: '1',
    ClearAllForwardings: 'yes',
    ConnectTimeout: String(Math.max(1, Math.ceil(timeoutMs / 1_000))),
    LogLevel: 'ERROR',
  };
  const optionArguments = Object.entries(options).flatMap(([name, value]) => ['-o', `${name}=${value}`]);
  return ['-F', 'none', '-T', '-p', String(port), '-l', userName, ...optionArguments];
}

function runSsh(args: readonly string[], access: SshAccess, helper: string): Promise<string> {
  const environment = {
    PATH: process.env.PATH,
    SSH_ASKPASS: helper,
    SSH_ASKPASS_REQUIRE: 'force',
    [passwordVariable]: access.password,
  };
  const limits = { timeout: access.timeoutMs, killSignal: 'SIGKILL' as const, maxBuffer: outputBytesMax };
  return new Promise((resolve, reject) => {
    const child = execFile('ssh', args, { ...limits, env: environment }, (error, stdout, stderr) => {
      if (error) reject(faultOf(error, stderr));
      else resolve(stdout);
    });
    child.stdin?.end();
  });
}

const sshFailed = 255;

/** The exit code of ssh is not specific enough; its messages are used. */
function faultOf(error: ExecFileException, stderr: string): Error {
  if (error.code === 'ENOENT') return new Error('the ssh program is missing', { cause: error.code });
  if (error.killed) return new SshFault('silent', 'did not finish in time');
  if (error.code !== sshFailed)
    return new SshFault('failed', `ended the command with code ${error.code}: ${lineOf(stderr)}`);
  if (/host key verification failed|identification has changed/i.test(stderr)) {
    return new SshFault('hostKeyChanged', 'has a host key that differs from the pinned one');
  }
  if (/permission denied|too many authentication failures/i.test(stderr)) {
    return new SshFault('unauthenticated', 'does not accept the user name or password');
  }
  if (/timed out|timeout/i.test(stderr)) return new SshFault('silent', 'does not respond');
  return new SshFault('failed', lineOf(stderr));
}

/** Returns one line of the output, in printable form. */
const lineOf = (text: string): string =>
  text
    .replaceAll(/[\p{Cc}\p{Cs}]+/gu, ' ')
    .trim()
    .slice(0, 200) || 'no reason was given';

function failureOf(host: string, { port }: SshAccess, error: unknown): unknown {
  if (!(error instanceof SshFault)) return error;
  const sentence = `The device ${host} (SSH port ${port}) ${error.message}.`;
  return error.kind === 'silent' ? remoteTimeout(sentence, error) : remoteFailed(sentence, error);
}

async function emitKey(knownHosts: string, { onFirstKey }: SshAccess): Promise<void> {
  const [first = ''] = (await readFile(knownHosts, 'utf8')).split('\n');
  const key = first.slice(alias.length + 1);
  if (first.startsWith(`${alias} `) && keyForm.test(key)) onFirstKey?.(key);
}
