import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { startServer, writeFiles } from './process.ts';

interface SshDeviceOptions {
  userName: string;
  password: string;
  /** How it requests the password. */
  method?: 'password' | 'keyboard-interactive';
  /** The output of each command; any other command is not found. */
  commands: Readonly<Record<string, string>>;
}

export interface SshDevice {
  host: string;
  port: number;
  /** Its host key, as `ecdsa-sha2-nistp256 AAAA…`. */
  hostKey: string;
  /** Returns the commands that were run, in order. */
  ran(): string[];
  stop(): Promise<void>;
}

/** A command with this output never ends. */
export const hangs = '\u0000hangs';

const server = new URL('ssh-device/server.py', import.meta.url);

/** Starts a device that is managed over SSH, with paramiko's server, because sshd only accepts users of the system. */
export async function startSshDevice({
  userName,
  password,
  method = 'password',
  commands,
}: SshDeviceOptions): Promise<SshDevice> {
  const part = await startServer({
    name: 'ssh-device',
    program: '/usr/bin/python3',
    user: 'nobody',
    async prepare(folder, owner) {
      const device = JSON.stringify({ userName, password, method, commands, hangs });
      // A copy of the program: its user may not be able to read the checkout.
      await writeFiles(folder, owner, { 'device.json': device, 'server.py': await readFile(server, 'utf8') });
      return { args: [join(folder, 'server.py'), join(folder, 'device.json')], readyWhen: 'listening on' };
    },
  });
  const [, hostKey = ''] = /^key (.+)$/m.exec(part.log()) ?? [];
  const [, port] = /^listening on (\d+)$/m.exec(part.log()) ?? [];
  return {
    host: '127.0.0.1',
    port: Number(port),
    hostKey,
    ran: () => [...part.log().matchAll(/^ran (.+)$/gm)].map(([, command]) => command!),
    stop: part.stop,
  };
}
