import { type SshDevice, startSshDevice } from '@portreeve/testbed/ssh-device.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { outboundGuard } from '../protocols/outbound/outbound.ts';
import { snmpClient } from '../protocols/snmp/client.ts';
import { sshClient } from '../protocols/ssh/ssh.ts';
import type { DeviceAccess, Driver } from './driver.ts';
import { openDrivers } from './drivers.ts';

const outbound = outboundGuard({ allow: ['127.0.0.1/32'], refuse: [] });
const snmp = snmpClient({ outbound });
const drivers = openDrivers({ snmp, ssh: sshClient({ outbound }), outbound });
const [guest, staff] = ['02:00:00:00:00:08', '02:00:00:00:00:07'];

let device: SshDevice;
beforeAll(async () => {
  device = await startSshDevice({
    userName: 'op',
    password: 'pass-123',
    commands: {
      'cat /proc/uptime': '360.55 1200.11\n',
      'hostapd_cli interface': "Selected interface 'wlan0'\nAvailable interfaces:\nwlan0\nwlan0_1\n",
      'hostapd_cli -i wlan0 status':
        'state=ENABLED\nbss[0]=wlan0\nbssid[0]=02:00:00:00:01:00\nssid[0]=corp\nbss[1]=wlan0_1\nbssid[1]=02:00:00:00:01:01\nssid[1]=guest\n',
      'hostapd_cli -i wlan0 all_sta': `${staff}\nflags=[AUTH][ASSOC][AUTHORIZED]\nvlan_id=30\n`,
      'hostapd_cli -i wlan0_1 all_sta': `${guest}\nflags=[AUTH][ASSOC]\n`,
      [`hostapd_cli -i wlan0_1 deauthenticate ${guest}`]: 'OK\n',
      [`hostapd_cli -i wlan0 deauthenticate ${staff}`]: 'FAIL\n',
      'ip -j neigh': JSON.stringify([{ dst: '10.0.0.7', dev: 'eth0', lladdr: staff, state: ['REACHABLE'] }]),
    },
  });
});
afterAll(async () => {
  snmp.close();
  await device.stop();
});

const deviceAccess = (): DeviceAccess => ({
  key: 'ap',
  host: device.host,
  ssh: { port: device.port, userName: 'op', password: 'pass-123', hostKey: device.hostKey, timeoutMs: 15_000 },
});
const hostapd = drivers.of('hostapd') as Required<Driver>;

describe('an access point over SSH', () => {
  test('has its networks as ports, and its stations on them', async () => {
    expect(await hostapd.readInterfaces(deviceAccess())).toMatchObject([
      { portId: 'ssid:corp', kind: 'ssid', name: 'corp', mac: '02:00:00:00:01:00', operStatus: 1 },
      { portId: 'ssid:guest', kind: 'ssid', name: 'guest', mac: '02:00:00:00:01:01' },
    ]);
    expect(await hostapd.readMacTable(deviceAccess())).toEqual([
      { mac: staff, vlan: 30, portId: 'ssid:corp', status: 'learned' },
      { mac: guest, vlan: null, portId: 'ssid:guest', status: 'other' },
    ]);
  });

  test('disconnects a host from its radio, and reports a failure', async () => {
    expect(await hostapd.disconnectHost(deviceAccess(), guest!)).toBe(true);
    expect(device.ran().at(-1)).toBe(`hostapd_cli -i wlan0_1 deauthenticate ${guest}`);
    expect(await hostapd.disconnectHost(deviceAccess(), '02:00:00:00:00:99')).toBe(false);
    await expect(hostapd.disconnectHost(deviceAccess(), staff!)).rejects.toThrow(`did not disconnect ${staff}`);
  });

  test('reports its uptime, and a firewall its ARP table', async () => {
    const firewall = drivers.of('linux-firewall') as Required<Driver>;
    expect(await hostapd.alive(deviceAccess())).toEqual({ uptimeTicks: 36_055 });
    expect(await firewall.readArpTable(deviceAccess())).toEqual([{ ip: '10.0.0.7', mac: staff, ifIndex: null }]);
    expect(firewall).not.toHaveProperty('readMacTable');
  });
});
