import { existsSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client, portreeve } from '@portreeve/sdk/index.ts';
import type { Config } from '@portreeve/server/node/config.ts';
import { freePort, freeUdpPorts } from '@portreeve/testbed/free-ports.ts';

const programs = ['/usr/sbin/freeradius', '/usr/lib/freeradius/rlm_rest.so', '/usr/bin/radclient'];
const startedMsMax = 30_000;

/** Returns the settings of a RADIUS engine on loopback; none if FreeRADIUS is not installed. */
export async function radiusSettings(folder: string): Promise<Partial<Config>> {
  if (!programs.every((program) => existsSync(program))) return {};
  const [radiusStatusPort] = await freeUdpPorts('127.0.0.1', 1);
  return { radiusFolder: folder, radiusHost: '127.0.0.1', radiusStatusPort, decisionPort: await freePort() };
}

/** The access device: new hosts on the first of its ports must register first. */
const address = '127.41.0.2';
const secret = 'demo-radius-secret';

/** Makes a simulated switch an access device, and waits until the engine replies to it. */
export async function fillRadius(url: string, token: string): Promise<void> {
  const api = portreeve(new Client({ url, token }));
  const [authPort] = await freeUdpPorts('127.0.0.1', 1);
  await api.radiusGlobal.write({ authPort: authPort! });
  const [device] = (await api.networkDevice.list({ filter: [`ipAddress==${address}`] })).results;
  await api.networkDevice.updateSnmp(device!.id!, { radiusEnabled: true, radiusSecret: secret });
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
    if (status?.serviceStatus === 'RUNNING') return;
    if (performance.now() > end) throw new Error(`the RADIUS engine does not run: ${JSON.stringify(status)}`);
  }
}
