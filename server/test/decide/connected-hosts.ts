import { container } from '../../src/device/container/container.ts';
import { networkDevice } from '../../src/device/network-device/network-device.ts';
import { observePorts } from '../../src/device/port/port.service.ts';
import { adapter } from '../../src/host/adapter/adapter.ts';
import { host } from '../../src/host/host/host.ts';
import { elementCodes } from '../../src/kernel/declare/element-type.ts';
import { userAccount } from '../../src/user/user-account/user-account.ts';
import type { LimitedClient, Limiter } from '../world/restricted-admins.ts';
import type { World } from '../world/world.ts';

/** A container with one switch, and hosts at its ports, whose access depends on their role. */
export interface ConnectedHosts {
  containerID: number;
  deviceID: number;
  /** Returns the MAC address of a host by its number. */
  mac(n: number): string;
  /** Creates an administrator who sees one of the hosts and its adapter. */
  managerOf(n: number, permissions: object): Promise<LimitedClient>;
}

/** Connects hosts `host-0`, `host-1` … to enforced ports; their owners are `user-0` …. */
export async function connectHosts({ admin }: World, limiter: Limiter, count: number): Promise<ConnectedHosts> {
  const containerID = await admin.create(container, { name: 'Hall' });
  const snmp = { ipAddress: '192.0.2.3', protocol: 'SNMP_V2C', snmpSecurityStrings: JSON.stringify(['public']) };
  const { id: deviceID } = await limiter.transact(({ records }) =>
    records.create(networkDevice, { name: 'sw-3', containerID, ...snmp }),
  );
  const ports = Array.from({ length: count }, (_, n) => ({ deviceID, name: `Gi1/0/${n + 1}`, portType: 0 }));
  await limiter.transact(({ client }) => observePorts(client, ports));
  const portIDs = (await limiter.sql<{ id: number }>('select id from port order by name')).map(({ id }) => id);
  const mac = (n: number) => `00:1D:09:00:01:0${n}`;
  const ids: { hostID: number; adapterID: number }[] = [];
  for (const [n, portID] of portIDs.entries()) {
    const { id: ownerID } = await limiter.transact(({ records }) =>
      records.create(userAccount, { userID: `user-${n}` }),
    );
    const { id: hostID } = await limiter.transact(({ records }) =>
      records.create(host, { hostName: `host-${n}`, type: 2, ownerID }),
    );
    const { id: adapterID } = await limiter.transact(({ records }) =>
      records.create(adapter, { physicalAddress: mac(n), hostID }),
    );
    await limiter.sql('insert into connection_active (mac, device_id, port_id) values ($1, $2, $3)', [
      mac(n),
      deviceID,
      portID,
    ]);
    ids.push({ hostID, adapterID });
  }
  const [enforced] = await limiter.sql<{ id: number }>(`select id from "group" where tag = 'enforce-role'`);
  const joined = await admin.post('/system/group/add-members', { elemID: portIDs, groupID: [enforced!.id] });
  if (joined.code !== 200) throw new Error(joined.text);
  return {
    containerID,
    deviceID,
    mac,
    async managerOf(n, permissions) {
      const manager = await limiter.caller({ manageByGroups: true, permissions });
      const [hosts, adapters] = [await limiter.group('HOST'), await limiter.group('ADAPTER')];
      await limiter.join(hosts, elementCodes.HOST, ids[n]!.hostID);
      await limiter.join(adapters, elementCodes.ADAPTER, ids[n]!.adapterID);
      await limiter.manage(manager.accountId, hosts, adapters);
      return manager;
    },
  };
}
