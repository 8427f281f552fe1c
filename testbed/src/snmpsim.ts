import { chown, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { UsmUser } from '@portreeve/server/protocols/snmp/usm.ts';
import { freeUdpPorts } from './free-ports.ts';
import { startServer } from './process.ts';
import type { SnmpAgent } from './snmpd.ts';

const host = '127.0.0.1';
const privNames = { DES: 'DES', AES: 'AES', AES256B: 'AES256BLMT', AES256R: 'AES256' };

/**
 * Starts snmpsim, which replies from a recording with lines of `oid
 * tag
 * value`. The name of the recording is its community and context.
 */
export async function startSnmpsim(recordings: Readonly<Record<string, string>>, user: UsmUser): Promise<SnmpAgent> {
  let port = 0;
  const part = await startServer({
    name: 'snmpsim',
    program: '/usr/bin/snmpsimd',
    user: 'nobody',
    async prepare(folder, owner) {
      [port] = (await freeUdpPorts(host, 1)) as [number];
      const folders = [folder, join(folder, 'data'), join(folder, 'cache')];
      for (const path of folders.slice(1)) await mkdir(path, { recursive: true });
      const files = Object.entries(recordings).map(
        ([name, text]) => [join(folder, 'data', `${name}.snmprec`), text] as const,
      );
      for (const [path, text] of files) await writeFile(path, text);
      if (owner)
        for (const path of [...folders, ...files.map(([file]) => file)]) await chown(path, owner.uid, owner.gid);
      return {
        args: [
          `--data-dir=${join(folder, 'data')}`,
          `--cache-dir=${join(folder, 'cache')}`,
          '--variation-modules-dir=/usr/share/snmpsim/variation',
          `--v3-user=${user.userName}`,
          ...(user.auth ? [`--v3-auth-proto=${user.auth.protocol}`, `--v3-auth-key=${user.auth.password}`] : []),
          ...(user.priv
            ? [`--v3-priv-proto=${privNames[user.priv.protocol]}`, `--v3-priv-key=${user.priv.password}`]
            : []),
          `--agent-udpv4-endpoint=${host}:${port}`,
        ],
        readyWhen: 'Listening at UDP/IPv4 endpoint',
        environment: { HOME: folder },
      };
    },
  });
  return { host, port, stop: part.stop };
}
