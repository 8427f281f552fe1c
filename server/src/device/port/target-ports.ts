import type { Context } from '../../context.ts';
import type { DeviceVlan } from '../../drivers/driver.ts';
import type { DriverName } from '../../drivers/names.ts';
import { networkDevice } from '../network-device/network-device.ts';
import type { TargetPort } from './desired-port-state.ts';
import { port } from './port.ts';

interface PortRow extends Omit<TargetPort, 'canSetVlan' | 'canSetAdminStatus' | 'ifIndex'> {
  ifindex: string;
  driver: DriverName;
  vlans: DeviceVlan[];
}

/** Loads ports that are visible to the caller, with the data that decides whether they can be changed. */
export async function targetPorts(context: Context, ids: readonly number[]): Promise<TargetPort[]> {
  const rows = await context.query<PortRow>(
    `select r.id, r.name, r.device_id as "deviceID", d.name as "deviceName", r.ifindex, r.current_vlan as "currentVlan",
       r.ifadmin_status as "ifadminStatus", r.ifoper_status as "ifoperStatus", d.driver, d.vlans,
       exists (select from port_uplink u where u.port_id = r.id) as "isUplink"
     from ${context.visible(port)} r
     join ${context.visible(networkDevice)} d on d.id = r.device_id
     where r.id = any($1::bigint[]) order by r.id`,
    [ids],
  );
  return rows.map(({ ifindex, driver: name, ...row }) => {
    const driver = context.protocols.drivers.of(name);
    return {
      ...row,
      ifIndex: ifindex === '' ? null : Number(ifindex),
      canSetVlan: driver.writeVlan !== undefined,
      canSetAdminStatus: driver.setAdminStatus !== undefined,
    };
  });
}
