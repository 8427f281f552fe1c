import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readBsses, readInterfaceNames, readNeighbourTable, readSecurity, readStations } from './stations.ts';

describe('what hostapd_cli prints', () => {
  test('names the interfaces, without the socket for all of them', () => {
    expect(readInterfaceNames("Selected interface 'wlan0'\nAvailable interfaces:\nwlan0\nwlan0_1\nglobal\n")).toEqual([
      'wlan0',
      'wlan0_1',
    ]);
    expect(readInterfaceNames('Failed to connect to hostapd\n')).toEqual([]);
  });

  test('contains every network of a radio', () => {
    const output =
      'state=ENABLED\nbss[0]=wlan0\nbssid[0]=02:00:00:00:01:00\nssid[0]=corp=1\nbss[1]=wlan0_1\nbssid[1]=02:00:00:00:01:01\nssid[1]=guest\n';
    expect(readBsses(output)).toEqual([
      { interfaceName: 'wlan0', ssid: 'corp=1', bssid: '02:00:00:00:01:00', isUp: true },
      { interfaceName: 'wlan0_1', ssid: 'guest', bssid: '02:00:00:00:01:01', isUp: true },
    ]);
  });

  test('distinguishes authorised stations from others', () => {
    const output =
      "Selected interface 'wlan0'\n02:00:00:00:00:07\nflags=[AUTH][ASSOC][AUTHORIZED]\naid=1\nvlan_id=30\n02:00:00:00:00:08\nflags=[AUTH][ASSOC]\n";
    expect(readStations(output)).toEqual([
      { mac: '02:00:00:00:00:07', isAuthorized: true, vlan: 30 },
      { mac: '02:00:00:00:00:08', isAuthorized: false, vlan: null },
    ]);
  });
});

test('what ip prints is read without the entries that failed', () => {
  const entries = [
    { dst: '10.0.0.7', dev: 'eth0', lladdr: '02:00:00:00:00:07', state: ['REACHABLE'] },
    { dst: 'fe80::7', dev: 'eth0', lladdr: '02:00:00:00:00:07', state: ['STALE'] },
    { dst: '10.0.0.8', dev: 'eth0', state: ['FAILED'] },
    { dst: '10.0.0.9', dev: 'eth0', lladdr: '02:00:00:00:00:09', state: ['INCOMPLETE'] },
    null,
  ];
  expect(readNeighbourTable(JSON.stringify(entries))).toEqual([
    { ip: '10.0.0.7', mac: '02:00:00:00:00:07', ifIndex: null },
    { ip: 'fe80::7', mac: '02:00:00:00:00:07', ifIndex: null },
  ]);
  expect(readNeighbourTable('ip: not found')).toBeUndefined();
  expect(readNeighbourTable('{}')).toBeUndefined();
});

test('whatever a device prints is read or left out', () => {
  fc.assert(
    fc.property(
      fc.oneof(
        fc.uint8Array({ maxLength: 400 }).map((bytes) => Buffer.from(bytes).toString('latin1')),
        fc.json(),
      ),
      (output) => {
        for (const { mac } of [...readStations(output), ...(readNeighbourTable(output) ?? [])])
          expect(mac).toMatch(/^([0-9A-F]{2}:){5}[0-9A-F]{2}$/);
        for (const name of [...readInterfaceNames(output), ...readBsses(output).map((bss) => bss.interfaceName)])
          expect(name).toMatch(/^[\w.-]{1,15}$/);
      },
    ),
  );
});

test('gives the security of a network by its key management', () => {
  const config = (keyManagement: string) => `bssid=02:00:00:00:01:00\nssid=corp\n${keyManagement}`;
  expect(readSecurity(config('wpa=2\nkey_mgmt=WPA-EAP WPA-EAP-SHA256\n'))).toBe('ENTERPRISE');
  expect(readSecurity(config('wpa=2\nkey_mgmt=WPA-PSK SAE\n'))).toBe('PSK');
  expect(readSecurity(config(''))).toBe('OPEN');
  expect(readSecurity('Failed to connect to hostapd\n')).toBe('UNKNOWN');
});
