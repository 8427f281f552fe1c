import type { UsmUser } from '@portreeve/server/protocols/snmp/usm.ts';
import { freeUdpPorts } from './free-ports.ts';
import { startServer, writeFiles } from './process.ts';

export interface SnmpAgent {
  host: string;
  port: number;
  stop(): Promise<void>;
}

const host = '127.0.0.1';
const authNames = {
  MD5: 'MD5',
  SHA: 'SHA',
  SHA224: 'SHA-224',
  SHA256: 'SHA-256',
  SHA384: 'SHA-384',
  SHA512: 'SHA-512',
};
const privNames = { DES: 'DES', AES: 'AES', AES256B: 'AES-256', AES256R: 'AES-256-C' };

/** Returns the arguments of Net-SNMP's tools for a user. */
export function netSnmpArguments({ userName, auth, priv }: UsmUser): string[] {
  return [
    ...['-v3', '-u', userName, '-l', priv ? 'authPriv' : auth ? 'authNoPriv' : 'noAuthNoPriv'],
    ...(auth ? ['-a', authNames[auth.protocol], '-A', auth.password] : []),
    ...(priv ? ['-x', privNames[priv.protocol], '-X', priv.password] : []),
  ];
}

/** Starts Net-SNMP's agent: the implementation that most network devices use. */
export async function startSnmpd({
  community,
  users,
}: {
  community: string;
  users: readonly UsmUser[];
}): Promise<SnmpAgent> {
  let port = 0;
  const part = await startServer({
    name: 'snmpd',
    program: '/usr/sbin/snmpd',
    user: 'Debian-snmp',
    async prepare(folder, owner) {
      [port] = (await freeUdpPorts(host, 1)) as [number];
      const lines = users.flatMap((user) => [
        ['createUser', user.userName, ...secretsOf(user)].join(' '),
        `rwuser ${user.userName} ${user.priv ? 'authPriv' : user.auth ? 'authNoPriv' : 'noauth'}`,
      ]);
      const system = ['sysName agent of Net-SNMP', 'sysServices 72'];
      await writeFiles(folder, owner, {
        'snmpd.conf': [`rwcommunity ${community} ${host}`, ...system, ...lines, ''].join('\n'),
      });
      return {
        args: ['-f', '-Lo', '-C', '-c', `${folder}/snmpd.conf`, `udp:${host}:${port}`],
        readyWhen: 'NET-SNMP version',
        environment: { SNMP_PERSISTENT_DIR: folder, MIBS: '' },
      };
    },
  });
  return { host, port, stop: part.stop };
}

const secretsOf = ({ auth, priv }: UsmUser): string[] => [
  ...(auth ? [authNames[auth.protocol], auth.password] : []),
  ...(priv ? [privNames[priv.protocol], priv.password] : []),
];
