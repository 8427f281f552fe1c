import type pg from 'pg';
import type { WriteTx } from '../../kernel/runtime.ts';
import type { DeviceIdentity, DeviceInterface, DeviceVlan, Neighbour } from '../../parts/drivers/driver.ts';
import { networkDevice } from '../network-device/network-device.ts';
import { observePorts, type SeenPort } from '../port/observe-ports.ts';
import type { PolledDevice } from './device-access.ts';

/** What a device says of itself and its interfaces. */
export interface Inventory {
  identity: DeviceIdentity;
  interfaces: readonly DeviceInterface[];
  vlans: readonly DeviceVlan[];
  neighbours: readonly Neighbour[];
}

const portTypes = { physical: 0, ssid: 1, aggregate: 3, virtual: 4 } as const;

/** Port status: 1 up, 2 down, 3 administratively down. */
export const portStatus = (adminStatus: number, operStatus: number): number =>
  adminStatus === 2 ? 3 : operStatus === 1 ? 1 : 2;

const seenPort = (deviceID: number, of: DeviceInterface): SeenPort => ({
  deviceID,
  name: of.name,
  portType: portTypes[of.kind],
  ifindex: of.ifIndex === null ? '' : String(of.ifIndex),
  status: portStatus(of.adminStatus, of.operStatus),
  ip: of.ip ?? '',
  physAddr: of.mac ?? '',
  currentVlan: of.vlan === null ? '' : String(of.vlan),
  ifspeed: String(of.speedBps),
  ifdescr: of.description,
  ifadminStatus: of.adminStatus,
  ifoperStatus: of.operStatus,
  label: of.alias,
  defaultVlan: of.vlan === null ? '' : String(of.vlan),
});

/** A device may name two interfaces alike; the first of them is the one. */
const distinct = (interfaces: readonly DeviceInterface[]): DeviceInterface[] => {
  const names = new Set<string>();
  return interfaces.filter(({ name }) => !names.has(name) && names.add(name));
};

/** What a device says of itself, as its record shows it. */
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

/** Notes by what traps of the device, and the device at another address, are known again. */
export async function noteSigns(
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

/** Writes down the inventory: ports are known by their names, so that numbers which changed at a restart lose none. */
export async function storeInventory(
  tx: WriteTx,
  device: PolledDevice,
  { identity, interfaces, vlans, neighbours }: Inventory,
): Promise<{ ports: number; added: number }> {
  const { deviceType, ...said } = identityFields(identity);
  await tx.records.observe(networkDevice, device.id, {
    ...said,
    vlans,
    ...(!device.deviceTypeOverride && { deviceType }),
  });
  const ports = distinct(interfaces).map((each) => seenPort(device.id, each));
  const { added } = await observePorts(tx.client, ports);
  await tx.client.query(
    `update port set status = 4 where device_id = $1 and port_type not in (1, 2) and status <> 4 and not (ifname = any($2::text[]))`,
    [device.id, ports.map(({ name }) => name)],
  );
  await tx.client.query(
    `insert into device_neighbour (device_id, neighbours) values ($1, $2)
     on conflict (device_id) do update set neighbours = excluded.neighbours where device_neighbour.neighbours <> excluded.neighbours`,
    [device.id, JSON.stringify(neighbours)],
  );
  await noteSigns(tx.client, device.id, identity);
  return { ports: ports.length, added };
}
