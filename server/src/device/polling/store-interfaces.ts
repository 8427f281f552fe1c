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

/** Writes down the inventory: ports are known by their names, so that numbers which changed at a restart lose none. */
export async function storeInventory(
  tx: WriteTx,
  device: PolledDevice,
  { identity, interfaces, vlans, neighbours }: Inventory,
): Promise<{ ports: number; added: number }> {
  await tx.records.observe(networkDevice, device.id, {
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
    vlans,
    ...(!device.deviceTypeOverride && {
      deviceType: (identity.services & 4) > 0 && (identity.services & 2) === 0 ? 'router' : 'switch',
    }),
  });
  const ports = distinct(interfaces).map((each) => seenPort(device.id, each));
  const { added } = await observePorts(tx.client, ports);
  await tx.client.query(
    `update port set status = 4 where device_id = $1 and port_type not in (1, 2) and status <> 4 and not (ifname = any($2::text[]))`,
    [device.id, ports.map(({ name }) => name)],
  );
  await storeBridgePorts(tx, device.id, interfaces);
  await tx.client.query(
    `insert into device_neighbour (device_id, neighbours) values ($1, $2)
     on conflict (device_id) do update set neighbours = excluded.neighbours where device_neighbour.neighbours <> excluded.neighbours`,
    [device.id, JSON.stringify(neighbours)],
  );
  await tx.client.query(
    'update device_poll set engine_id = $2 where device_id = $1 and engine_id is distinct from $2',
    [device.id, identity.engineId === null ? null : Buffer.from(identity.engineId, 'hex')],
  );
  return { ports: ports.length, added };
}

/** The numbers by which the device's bridge knows its ports. */
async function storeBridgePorts({ client }: WriteTx, deviceID: number, interfaces: readonly DeviceInterface[]) {
  const numbered = distinct(interfaces).flatMap(({ name, bridgePort }) => (bridgePort ? [{ name, bridgePort }] : []));
  await client.query(
    `with told as (
       select p.id, t."bridgePort" from jsonb_to_recordset($2::jsonb) t(name text, "bridgePort" integer)
       join port p on p.device_id = $1 and p.ifname = t.name
     ), dropped as (
       delete from port_bridge b where b.device_id = $1 and not exists (select from told t where t.id = b.port_id)
     )
     insert into port_bridge as b (port_id, device_id, bridge_port) select t.id, $1, t."bridgePort" from told t
     on conflict (port_id) do update set bridge_port = excluded.bridge_port where b.bridge_port <> excluded.bridge_port`,
    [deviceID, JSON.stringify(numbered)],
  );
}
