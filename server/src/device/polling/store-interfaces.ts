import type pg from 'pg';
import { everyRow, type WriteTx } from '../../context.ts';
import type { DeviceIdentity, DeviceInterface, DeviceVlan, Neighbour } from '../../drivers/driver.ts';
import { networkDevice } from '../network-device/network-device.ts';
import { observePorts, type SeenPort } from '../port/port.service.ts';
import { port, portElementType, unknownPort, virtualPortType } from '../port/port.ts';
import { observeSsids, removeSsids, type SeenSsid } from '../ssid/ssid.service.ts';
import { ssid } from '../ssid/ssid.ts';
import type { PolledDevice } from './device-access.ts';

const everyPort = everyRow(port, 'a poll is work of the service');
const everySsid = everyRow(ssid, 'a poll is work of the service');

/** Identity and interfaces, as a device reports them. */
export interface Inventory {
  /** Set if the device identifies itself. */
  identity: DeviceIdentity | undefined;
  interfaces: readonly DeviceInterface[];
  vlans: readonly DeviceVlan[];
  neighbours: readonly Neighbour[];
  /** Deletes unused ports that the device no longer has. */
  purge: boolean;
}

/** Changes that an inventory has made. */
export interface StoredInventory {
  ports: number;
  added: number;
  /** Number of ports that the device no longer has. */
  gone: number;
  purged: number;
}

const portTypes = { physical: 0, ssid: 1, aggregate: 3, virtual: 4 } as const;
const vpnPortType = 2;

/** Port status: 1 up, 2 down, 3 administratively down. */
export const portStatus = (adminStatus: number, operStatus: number): number =>
  adminStatus === 2 ? 3 : operStatus === 1 ? 1 : 2;

const seenPort = (deviceID: number, deviceInterface: DeviceInterface): SeenPort => ({
  deviceID,
  name: deviceInterface.name,
  portType: portTypes[deviceInterface.kind],
  ifindex: deviceInterface.ifIndex === null ? '' : String(deviceInterface.ifIndex),
  status: portStatus(deviceInterface.adminStatus, deviceInterface.operStatus),
  ip: deviceInterface.ip ?? '',
  physAddr: deviceInterface.mac ?? '',
  currentVlan: deviceInterface.vlan === null ? '' : String(deviceInterface.vlan),
  ifspeed: String(deviceInterface.speedBps),
  ifdescr: deviceInterface.description,
  ifadminStatus: deviceInterface.adminStatus,
  ifoperStatus: deviceInterface.operStatus,
  label: deviceInterface.alias,
  defaultVlan: deviceInterface.vlan === null ? '' : String(deviceInterface.vlan),
});

/** A device may use one name for two interfaces; the first one counts. */
const distinct = (interfaces: readonly DeviceInterface[]): DeviceInterface[] => {
  const keys = new Set<string>();
  const keyOf = ({ kind, name }: DeviceInterface) => `${kind === 'ssid'} ${name}`;
  return interfaces.filter((deviceInterface) => !keys.has(keyOf(deviceInterface)) && keys.add(keyOf(deviceInterface)));
};

/** The reported identity, as fields of the record. */
export const identityFields = (identity: DeviceIdentity) => ({
  driver: identity.driver,
  vendor: identity.vendor,
  model: identity.model,
  firmware: identity.firmware,
  serialNumber: identity.serialNumber,
  sysOid: identity.sysObjectId,
  sysDescr: identity.sysDescr,
  systemName: identity.sysName,
  contactName: identity.contact,
  deviceLocation: identity.location,
  mibs: identity.mibs,
  deviceType: (identity.services & 4) > 0 && (identity.services & 2) === 0 ? 'router' : 'switch',
});

/** Stores the identifiers by which traps, and the device at another address, are recognised. */
export async function storeIdentifiers(
  client: pg.PoolClient,
  id: number,
  { engineId, chassisMac }: DeviceIdentity,
): Promise<void> {
  await client.query(
    `update device_poll set engine_id = $2, chassis_mac = $3
     where device_id = $1 and (engine_id is distinct from $2 or chassis_mac is distinct from $3)`,
    [id, engineId === null ? null : Buffer.from(engineId, 'hex'), chassisMac],
  );
}

/** Stores the inventory. Ports are matched by name, because interface numbers may change at a restart. */
export async function storeInventory(
  tx: WriteTx,
  device: PolledDevice,
  { identity, interfaces, vlans, neighbours, purge }: Inventory,
): Promise<StoredInventory> {
  if (identity) await storeIdentity(tx, device, identity, vlans);
  const ports = distinct(interfaces).map((deviceInterface) => seenPort(device.id, deviceInterface));
  const { added } = await observePorts(tx.client, ports);
  await takeNames(tx, device, ports);
  await observeSsids(tx, device, ssidsOf(interfaces));
  const goneCount = await markGone(tx, device, ports);
  await removeSsids(tx, device);
  await storeBridgePorts(tx, device.id, interfaces);
  await tx.client.query(
    `insert into device_neighbour (device_id, neighbours) values ($1, $2)
     on conflict (device_id) do update set neighbours = excluded.neighbours where device_neighbour.neighbours <> excluded.neighbours`,
    [device.id, JSON.stringify(neighbours)],
  );
  const purged = purge ? await purgePorts(tx, device.id) : 0;
  return { ports: ports.length, added, gone: goneCount, purged };
}

/** If the properties require it, interface names of the device replace the labels of administrators. */
async function takeNames(tx: WriteTx, { id }: PolledDevice, ports: readonly SeenPort[]): Promise<void> {
  const { rows } = await tx.client.query<{ id: number; label: string }>(
    `select p.id, s.label from jsonb_to_recordset($2::jsonb) s(name text, "portType" integer, label text)
     join ${everyPort} p on p.device_id = $1 and p.name = s.name and p.port_type = s."portType"
     cross join device_properties x
     where not x.preserve_port_names and p.label <> s.label order by p.id`,
    [id, JSON.stringify(ports.map(({ name, portType, label }) => ({ name, portType, label })))],
  );
  for (const { id: portID, label } of rows) await tx.records.update(port, portID, { label });
}

async function storeIdentity(
  tx: WriteTx,
  device: PolledDevice,
  identity: DeviceIdentity,
  vlans: readonly DeviceVlan[],
): Promise<void> {
  const { deviceType, ...reportedFields } = identityFields(identity);
  await tx.records.observe(networkDevice, device.id, {
    ...reportedFields,
    vlans,
    ...(!device.deviceTypeOverride && { deviceType }),
  });
  await storeIdentifiers(tx.client, device.id, identity);
}

const ssidsOf = (interfaces: readonly DeviceInterface[]): SeenSsid[] =>
  interfaces
    .filter(({ kind }) => kind === 'ssid')
    .map(({ name, mac, security }) => ({ name, bssid: mac, security: security ?? 'UNKNOWN' }));

/**
 * SSIDs learned from RADIUS stay, unless the device itself reports its SSIDs; so does the port for hosts whose port is
 * unknown.
 */
async function markGone({ client }: WriteTx, { id }: PolledDevice, ports: readonly SeenPort[]): Promise<number> {
  const tellsSsids = ports.some(({ portType }) => portType === portTypes.ssid);
  const { rowCount } = await client.query(
    `update ${everyPort} set status = 4 where device_id = $1 and status <> 4
       and not (port_type = ${virtualPortType} and name = '${unknownPort}') and port_type <> all($3::integer[]) and (port_type, name) not in (
         select s.port_type, s.name from jsonb_to_recordset($2::jsonb) s(port_type integer, name text))`,
    [
      id,
      JSON.stringify(ports.map(({ name, portType }) => ({ name, port_type: portType }))),
      tellsSsids ? [vpnPortType] : [portTypes.ssid, vpnPortType],
    ],
  );
  return rowCount ?? 0;
}

const purgedMax = 5_000;

/** Deletes ports that are gone, have no connections and are in no group, and SSIDs that were never configured. */
async function purgePorts({ client, records }: WriteTx, deviceID: number): Promise<number> {
  const { rows } = await client.query<{ id: number }>(
    `select p.id from ${everyPort} p
     where p.device_id = $1 and p.status = 4
       and not exists (select from connection_active a where a.port_id = p.id)
       and not exists (select from group_member m where m.element_type = ${portElementType} and m.member_id = p.id)
       and not exists (select from ssid_config c where c.ssid_id = p.id and c.version > 1)
     order by p.id limit ${purgedMax}`,
    [deviceID],
  );
  const ids = rows.map(({ id }) => id);
  const { rows: networks } = await client.query<{ id: number }>(
    `select s.id from ${everySsid} s where s.id = any($1::bigint[])`,
    [ids],
  );
  if (networks.length > 0)
    await records.remove(
      ssid,
      networks.map(({ id }) => id),
    );
  if (ids.length > 0) await records.remove(port, ids);
  return ids.length;
}

/** Stores the bridge port numbers of the device. */
async function storeBridgePorts({ client }: WriteTx, deviceID: number, interfaces: readonly DeviceInterface[]) {
  const numbered = distinct(interfaces).flatMap(({ name, bridgePort }) => (bridgePort ? [{ name, bridgePort }] : []));
  await client.query(
    `with told as (
       select p.id, t."bridgePort" from jsonb_to_recordset($2::jsonb) t(name text, "bridgePort" integer)
       join ${everyPort} p on p.device_id = $1 and p.ifname = t.name
     ), dropped as (
       delete from port_bridge b where b.device_id = $1 and not exists (select from told t where t.id = b.port_id)
     )
     insert into port_bridge as b (port_id, device_id, bridge_port) select t.id, $1, t."bridgePort" from told t
     on conflict (port_id) do update set bridge_port = excluded.bridge_port where b.bridge_port <> excluded.bridge_port`,
    [deviceID, JSON.stringify(numbered)],
  );
}
