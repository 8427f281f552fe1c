import { Client, portreeve } from '@portreeve/sdk';
import { container } from '@portreeve/server/device/container/container.ts';
import { networkDevice } from '@portreeve/server/device/network-device/network-device.ts';
import { observePorts } from '@portreeve/server/device/port/observe-ports.ts';
import { type DoneToPort, writePortChanges } from '@portreeve/server/device/port-change/write-port-changes.ts';
import type { WriteTx } from '@portreeve/server/kernel/runtime.ts';
import {
  aaaServers,
  adminProfiles,
  buildings,
  deviceTypes,
  directoryAgentConfigs,
  macExclusions,
  mdmServers,
  networkAddresses,
  networkAddressGroups,
  portOf,
  portsEach,
  postedEvents,
  profilingRules,
  roles,
  shiftNote,
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
  await fillPortChanges(tx);
}

/** A port of every tenth switch was given to somebody else; one switch would not have it. */
async function fillPortChanges({ client }: WriteTx): Promise<void> {
  const { rows } = await client.query<{ id: number; vlan: string }>(
    `select min(p.id) as id, min(p.current_vlan) as vlan from port p where p.port_type = 0 group by p.device_id order by 1 limit 1000`,
  );
  const changes = rows
    .filter((_, index) => index % 10 === 0)
    .map(
      ({ id, vlan }, index): DoneToPort => ({
        portID: id,
        reason: 'MANUAL',
        method: 'SNMP',
        trigger: 'ADMIN',
        triggeredBy: 'night-shift',
        vlan: { from: '10', to: vlan },
        errorMessage: index === 0 ? 'The device answered noAccess for 1.3.6.1.2.1.17.7.1.4.3.1.2.20.' : null,
        durationMs: 180 + index,
      }),
    );
  await writePortChanges(client, changes);
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
  const profileIDs: number[] = [];
  for (const profile of adminProfiles)
    profileIDs.push((await api.adminProfile.create(profile as Parameters<typeof api.adminProfile.create>[0])).id!);
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
  await fillAddresses(api);
  for (const task of tasks) await api.backgroundTask.create(task);
  for (const event of postedEvents) await api.event.create(event);
  await api.event.note({ text: shiftNote });
  await fillGroups(api);
  const { id: groupDBID } = await api.group.create('ADMINISTRATOR', { name: 'Ward support' });
  for (const adminProfileDBID of profileIDs)
    await api.adminProfileMapping.create({ adminProfileDBID, groupDBID: groupDBID! });
}

async function fillAddresses(api: ReturnType<typeof portreeve>): Promise<void> {
  const ids = new Map<string, number>();
  for (const address of networkAddresses) ids.set(address.name, (await api.networkAddress.create(address)).id!);
  for (const { name, addresses } of networkAddressGroups)
    await api.networkAddressGroup.create({ name, addressIDs: addresses.map((each) => ids.get(each)!) });
  for (const exclusion of macExclusions) await api.macExclusion.create(exclusion);
}

/** The ports of each building in a group, those of both hospitals in one above; and roles that groups of people give. */
async function fillGroups(api: ReturnType<typeof portreeve>): Promise<void> {
  const byBuilding = new Map<string, number>();
  for (const { name, description } of buildings) {
    const members: number[] = [];
    const prefix = `sw-${name.toLowerCase().replaceAll(' ', '-')}-`;
    for await (const { dbid } of api.port.walk({ filter: [`deviceName==${prefix}*;displayable==true`] }))
      members.push(dbid);
    const { id } = await api.group.create('PORT', { name: `Ports of ${name}`, description, members });
    byBuilding.set(name, id!);
  }
  // Whoever is new in the dormitory or the library registers first.
  for await (const { dbid } of api.group.walk({ filter: ['tag==enforce-registration'] }))
    for (const building of ['Dormitory East', 'Library'])
      await api.group.addToParents({ groupID: byBuilding.get(building)!, parentID: [dbid] });
  const childGroups = [...byBuilding].filter(([name]) => name.startsWith('Hospital')).map(([, id]) => id);
  await api.group.create('PORT', { name: 'Hospital', description: 'Both buildings', childGroups });
  for (const { name, groups, note } of roles) {
    const groupIDs: number[] = [];
    for (const group of groups) groupIDs.push((await api.group.create('USER', { name: group })).id!);
    await api.role.create({ name, note, groupIDs });
  }
}
