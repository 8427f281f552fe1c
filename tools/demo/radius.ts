import { existsSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client, portreeve } from '@portreeve/sdk';
import { freePort } from '@portreeve/testbed/postgres.ts';
import { freeUdpPorts } from '@portreeve/testbed/udp-ports.ts';

const programs = ['/usr/sbin/freeradius', '/usr/lib/freeradius/rlm_rest.so', '/usr/bin/radclient'];
const startedMsMax = 30_000;

/** What a node needs to run a RADIUS engine on loopback; nothing where FreeRADIUS is not installed. */
export async function radiusEnvironment(folder: string): Promise<Record<string, string>> {
  if (!programs.every((program) => existsSync(program))) return {};
  const [statusPort] = await freeUdpPorts('127.0.0.1', 1);
  return {
    PORTREEVE_RADIUS_FOLDER: folder,
    PORTREEVE_RADIUS_HOST: '127.0.0.1',
    PORTREEVE_RADIUS_STATUS_PORT: String(statusPort),
    PORTREEVE_DECISION_PORT: String(await freePort()),
    PORTREEVE_NODE: 'demo',
  };
}

/** An access device that one can ask as, and who may be asked about. */
export interface DemoLogin {
  authPort: number;
  address: string;
  secret: string;
  port: string;
  mac: string;
}

/** Makes a simulated switch an access device: who is new at one of its ports registers first. */
export async function fillRadius(url: string, token: string): Promise<DemoLogin> {
  const api = portreeve(new Client({ url, token }));
  const [authPort] = await freeUdpPorts('127.0.0.1', 1);
  const login = { authPort: authPort!, address: '127.41.0.2', secret: 'demo-radius-secret', mac: '00:1D:09:11:22:33' };
  await api.radiusGlobal.write({ authPort: login.authPort });
  const [device] = (await api.networkDevice.list({ filter: [`ipAddress==${login.address}`] })).results;
  await api.networkDevice.updateSnmp(device!.id!, { radiusEnabled: true, radiusSecret: login.secret });
  const [network] = (await api.logicalNetwork.list({ filter: ['accessState==REGISTRATION'] })).results;
  await api.logicalNetworkConfiguration.create({
    logicalNetworkID: network!.id!,
    elementType: 'DEVICE',
    elementID: device!.id!,
    accessType: 'VLAN_ID',
    accessValue: '30',
  });
  const [port] = (await api.port.list({ filter: [`deviceID==${device!.id};displayable==true;name!=Po*`], count: 1 }))
    .results;
  const [group] = (await api.group.list({ filter: ['tag==enforce-registration'] })).results;
  await api.group.addMembers({ groupID: [group!.dbid!], elemID: [port!.dbid!] });
  for (const end = performance.now() + startedMsMax; ; await sleep(100)) {
    const [status] = (await api.serverConfiguration.status()).results;
    if (status?.serviceStatus === 'RUNNING') return { ...login, port: port!.ifname! };
    if (performance.now() > end) throw new Error(`the RADIUS engine does not run: ${JSON.stringify(status)}`);
  }
}
