import { setTimeout as sleep } from 'node:timers/promises';
import { Client, portreeve } from '@portreeve/sdk/index.ts';
import { container } from '@portreeve/server/device/container/container.ts';
import { networkDevice } from '@portreeve/server/device/network-device/network-device.ts';
import { refreshConnectionStates } from '@portreeve/server/device/port/connection-states.ts';
import { observePorts } from '@portreeve/server/device/port/observe-ports.ts';
import { type DoneToPort, writePortChanges } from '@portreeve/server/device/port-change/port-change.service.ts';
import { adapter } from '@portreeve/server/host/adapter/adapter.ts';
import { makeRogues } from '@portreeve/server/host/adapter/make-rogues.ts';
import { host } from '@portreeve/server/host/host/host.ts';
import type { WriteTx } from '@portreeve/server/kernel/write/runtime.ts';
import { writeResponses } from '@portreeve/server/radius/radius-response/radius-response.service.ts';
import { userAccount } from '@portreeve/server/user/user-account/user-account.ts';
import type { Switches } from '@portreeve/testbed/snmp-switches.ts';
import {
  aaaServers,
  adminProfiles,
  attributeGroups,
  buildings,
  certificateRequest,
  community,
  devicesOnPorts,
  devicesWithRoles,
  deviceTypes,
  directoryAgentConfigs,
  hosts,
  learnedOn,
  macExclusions,
  mdmServers,
  networkAddresses,
  networkAddressGroups,
  newSwitch,
  ownedAdapter,
  ownedHost,
  owner,
  polledSwitches,
  portOf,
  portsEach,
  postedEvents,
  profilingRules,
  radiusProfile,
  roles,
  secondAdministrator,
  shiftNote,
  switches,
  tasks,
  tlsConfigurations,
  visitor,
} from './campus.ts';

/** Creates switches that are not polled, with the ports that a poll would have stored: more than one would simulate. */
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
    await fillConnections(tx, id, index);
    if (index === 0) await fillResponses(tx, id);
  }
  const { id: ownerID } = await tx.records.create(userAccount, owner);
  const { id: hostID } = await tx.records.create(host, { ...ownedHost, ownerID });
  await tx.records.create(adapter, { ...ownedAdapter, hostID });
  await fillPortChanges(tx);
}

/** Stores a change of a port of every tenth switch; one switch refused it. */
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

/** Stores the reply of the RADIUS service to a host on the first port of a switch. */
async function fillResponses({ client }: WriteTx, deviceID: number): Promise<void> {
  const { rows } = await client.query<{ nas: string; port: string; mac: string }>(
    `select d.name as nas, p.name as port, c.mac from connection_active c join port p on p.id = c.port_id join network_device d on d.id = p.device_id
     where c.device_id = $1 order by p.id limit 2`,
    [deviceID],
  );
  await writeResponses(
    client,
    rows.map(({ nas, port, mac }, index) => ({
      callingStationId: mac,
      username: mac.replaceAll(':', '').toLowerCase(),
      deviceID,
      nas,
      nasPort: port,
      ssid: null,
      outerEapType: null,
      eapType: 'MAB',
      reply: index === 0 ? ('ACCEPT' as const) : ('REJECT' as const),
      cause: index === 0 ? ('NONE' as const) : ('HOST_DISABLED' as const),
      message:
        index === 0
          ? 'Nothing is enforced: the port is in no enforcement group.'
          : 'The host is disabled, and Dead End is not enforced here: the request is rejected.',
      decisionID: null,
      durationMs: 2 + index,
      clusterNode: 'demo',
    })),
  );
}

/** Connects hosts to the ports of a switch that are up, as an L2 poll would have done. */
async function fillConnections(tx: WriteTx, deviceID: number, index: number): Promise<void> {
  const { rows: ports } = await tx.client.query<{ id: number; ifindex: string }>(
    'select p.id, p.ifindex from port p where p.device_id = $1 and p.ifoper_status = 1 and p.connection_state < 8',
    [deviceID],
  );
  const learned = ports.map(({ id, ifindex }) => ({ mac: learnedOn(index, Number(ifindex) - 10_100), portID: id }));
  await tx.client.query(
    `insert into connection_active (mac, device_id, port_id, vlan)
     select h.mac, p.device_id, p.id, p.current_vlan from jsonb_to_recordset($1::jsonb) h(mac text, "portID" bigint) join port p on p.id = h."portID"`,
    [JSON.stringify(learned)],
  );
  await makeRogues(tx.client, learned);
  await refreshConnectionStates(
    tx.client,
    learned.map(({ portID }) => portID),
  );
}

/** Fills the rest like a client: through the API, with the typed client. */
export async function fillByApi(url: string, token: string, switches: Switches): Promise<void> {
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
  await api.account.create({ ...secondAdministrator, adminProfileDBID: profileIDs[0]! });
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
  for (const registered of hosts)
    await api.host.createWithAdapters(registered as Parameters<typeof api.host.createWithAdapters>[0]);
  await api.certificateTarget.generateRequest(certificateRequest);
  for (const configuration of tlsConfigurations) await api.tlsServiceConfiguration.create(configuration);
  const [eap] = (await api.tlsServiceConfiguration.list({ filter: ['tag==radius-eap'] })).results;
  await api.serverConfiguration.create({ ...radiusProfile, tlsConfigID: eap!.id! });
  for (const { name, attributes } of attributeGroups)
    await api.radiusAttributeGroup.create({
      name,
      attributes: await Promise.all(
        attributes.map(async ({ attribute, responseValues }) => {
          const [entry] = (await api.radiusDictionaryEntry.byName(attribute)).results;
          return { dbid: entry!.dbid!, responseValues };
        }),
      ),
    });
  await fillGroups(api);
  await fillPolicies(api, switches);
  const { id: groupDBID } = await api.group.create('ADMINISTRATOR', { name: 'Ward support' });
  for (const adminProfileDBID of profileIDs)
    await api.adminProfileMapping.create({ adminProfileDBID, groupDBID: groupDBID! });
}

const hostsEach = 20;

/** Connects the access switches to the core, which then learns their hosts and addresses. */
export async function connectSimulated(switches: Switches): Promise<void> {
  const [core, ...access] = polledSwitches.filter(({ ssids }) => !ssids);
  for (const [index, { address }] of access.entries())
    for (let host = 1; host <= hostsEach; host++) {
      const mac = await switches.hostMac(address, host);
      await switches.plug(core!.address, index + 1, mac, 1);
      await switches.setArp(core!.address, `203.0.113.${index * hostsEach + host}`, mac, 1);
    }
}

/** Makes every simulated switch send its traps to the node. */
export async function sendTraps(switches: Switches, port: number): Promise<void> {
  for (const { address } of [...polledSwitches, newSwitch])
    await switches.sendTrapsTo(address, { host: '127.0.0.1', port, version: 'v2c', community });
}

/** Connects and disconnects a visitor's laptop until the signal ends it. */
export async function visit(switches: Switches, signal: AbortSignal): Promise<void> {
  const { address, port, mac, staysMs } = visitor;
  for (let isThere = false; !signal.aborted; isThere = !isThere) {
    await (isThere ? switches.unplug(address, port, mac) : switches.plug(address, port, mac));
    await sleep(staysMs, undefined, { signal });
  }
}

const polledMsMax = 180_000;

/**
 * Creates the devices of the simulated switches, and waits until the node has polled their identity, ports and hosts.
 */
export async function fillPolled(url: string, token: string, snmpPort: number): Promise<number> {
  const api = portreeve(new Client({ url, token }));
  const [place] = (await api.container.list({ filter: ['name=="Computing Centre 0"'] })).results;
  for (const { address, sysName } of polledSwitches)
    await api.networkDevice.createSnmp({
      name: sysName!,
      ipAddress: address,
      containerID: place!.id!,
      snmpProtocol: 'V2C',
      snmpSecurityStrings: [community],
      snmpPort,
      l3PollingEnabled: sysName === 'core-1',
    });
  const filter = ['ipAddress==127.41.0.0/16;status==1;lastL2Poll=isnull=false'];
  for (const end = performance.now() + polledMsMax; ; await sleep(200)) {
    const { filtered } = await api.networkDevice.list({ filter, count: 0 });
    if (filtered === polledSwitches.length) break;
    if (performance.now() > end) throw new Error(`the node has read ${filtered} of ${polledSwitches.length} switches`);
  }
  return (await api.port.list({ filter: ['deviceID.ipAddress==127.41.0.0/16'], count: 0 })).filtered ?? 0;
}

async function fillAddresses(api: ReturnType<typeof portreeve>): Promise<void> {
  const ids = new Map<string, number>();
  for (const address of networkAddresses) ids.set(address.name, (await api.networkAddress.create(address)).id!);
  for (const { name, addresses } of networkAddressGroups)
    await api.networkAddressGroup.create({ name, addressIDs: addresses.map((address) => ids.get(address)!) });
  for (const exclusion of macExclusions) await api.macExclusion.create(exclusion);
}

/**
 * Puts the ports of each building into a group, those of both hospitals into one above; and adds roles that groups of
 * people give.
 */
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
  // New hosts in the dormitory or the library must register first.
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

/** VLANs of the predefined networks on the whole campus. */
const networkVlans = {
  Corporate: 10,
  'Guest Internet': 90,
  Voice: 20,
  Printers: 40,
  Cameras: 50,
  'Building Systems': 60,
  'Medical Devices': 70,
} as const;

/**
 * Creates a network for each kind of device with its VLAN at the root container, and eight policies, the last of them
 * shadowed.
 */
async function fillPolicies(api: ReturnType<typeof portreeve>, switches: Switches): Promise<void> {
  const names = Object.keys(networkVlans) as (keyof typeof networkVlans)[];
  const { results: networks } = await api.logicalNetwork.addPredefinedNetworkAccess({ names, createPolicies: true });
  await api.accessPolicy.enableMany({ id: networks.map(({ accessPolicyID }) => accessPolicyID!) });
  const cameras = networks.find(({ name }) => name === 'Cameras')!;
  await api.accessPolicy.create({
    name: 'Cameras of the lobby',
    criteria: { who: { roles: ['Cameras'] }, where: { containers: [1] } },
    accessConfigurationID: cameras.accessConfigurationID,
  });
  await api.logicalNetworkConfiguration.batchUpsert(
    networks.map(({ name, logicalNetworkID }) => ({
      logicalNetworkID,
      elementType: 'CONTAINER' as const,
      elementID: 1,
      accessType: 'VLAN_ID' as const,
      accessValue: String(networkVlans[name as keyof typeof networkVlans]),
    })),
  );
  for (const device of devicesWithRoles)
    await api.host.createWithAdapters(device as Parameters<typeof api.host.createWithAdapters>[0]);
  for (const { address, port, deviceType: tag, ...device } of devicesOnPorts)
    await api.host.createWithAdapters({
      ...device,
      deviceType: { tag },
      adapterObjects: [{ physicalAddress: await switches.hostMac(address, port), mediaType: 'WIRED' }],
    });
  const [voice] = (await api.role.list({ filter: ['name==Voice'] })).results;
  await api.roleMapping.create({
    name: 'Phones',
    roleID: voice!.id!,
    directConfiguration: { accessType: 'VLAN_ID', accessValue: String(networkVlans.Voice) },
  });
  const { id } = await api.authenticationConfiguration.create({
    name: 'Staff',
    methods: [{ kind: 'LOCAL', id: null }],
  });
  await api.authenticationPolicy.create({
    name: 'Staff sign in each working day',
    criteria: { who: { roles: ['Corporate'] } },
    authenticationConfigurationID: id!,
  });
}
