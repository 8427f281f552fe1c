import { Client, portreeve } from '@portreeve/sdk';
import { container } from '@portreeve/server/device/container/container.ts';
import { networkDevice } from '@portreeve/server/device/network-device/network-device.ts';
import { observePorts } from '@portreeve/server/device/port/observe-ports.ts';
import type { WriteTx } from '@portreeve/server/kernel/runtime.ts';
import {
  aaaServers,
  adminProfiles,
  buildings,
  deviceTypes,
  directoryAgentConfigs,
  mdmServers,
  portOf,
  portsEach,
  profilingRules,
  switches,
  tasks,
} from './campus.ts';

/** What no operation makes yet: the topology with its switches, and the ports a poll would have seen. */
export async function fillNetwork(tx: WriteTx): Promise<void> {
  const floorIDs = new Map<string, number>();
  for (const { name, description, floors } of buildings) {
    await tx.records.create(container, { name, description, parent: 'Network' });
    for (let floor = 0; floor < floors; floor++) {
      const place = { name: `${name} ${floor}`, parent: name, pollingInterval: 300 };
      floorIDs.set(place.name, (await tx.records.create(container, place)).id);
    }
  }
  for (const [index, { container: floor, ...device }] of switches().entries()) {
    const { id } = await tx.records.create(networkDevice, { ...device, containerID: floorIDs.get(floor)! });
    await observePorts(
      tx.client,
      Array.from({ length: portsEach }, (_, port) => ({ deviceID: id, ...portOf(index, port + 1) })),
    );
  }
}

/** The rest, as a client would: through the API, by the typed client. */
export async function fillByApi(url: string, token: string): Promise<void> {
  const api = portreeve(new Client({ url, token }));
  for (const server of aaaServers) await api.aaaServer.create(server);
  for (const config of directoryAgentConfigs) await api.directoryAgentConfig.create(config);
  for (const type of deviceTypes)
    await api.deviceType.createFromArchive(type as Parameters<typeof api.deviceType.createFromArchive>[0]);
  const mdmIDs = new Map<string, number | undefined>();
  for (const server of mdmServers) {
    const { id } = await api.mdmServer.create(server as Parameters<typeof api.mdmServer.create>[0]);
    mdmIDs.set(server.name, id);
  }
  for (const profile of adminProfiles)
    await api.adminProfile.create(profile as Parameters<typeof api.adminProfile.create>[0]);
  for (const { typeTag, mdm, methods, ...rule } of profilingRules) {
    const byMdm = { methodType: { shortName: 'MDM' }, data: { mdmID: mdm && mdmIDs.get(mdm), compliant: true } };
    await api.deviceProfilingRule.create({
      ...rule,
      type: { tag: typeTag },
      methods: mdm ? [...methods, byMdm] : methods,
    } as Parameters<typeof api.deviceProfilingRule.create>[0]);
  }
  await api.proxySettings.write({
    httpProxyHost: 'proxy.campus.example',
    httpProxyPort: 3128,
    httpNonProxyHosts: '*.campus.example|10.0.0.0/8',
  });
  for (const task of tasks) await api.backgroundTask.create(task);
}
