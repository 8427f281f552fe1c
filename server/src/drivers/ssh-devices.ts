import { remoteFailed } from '../kernel/failure.ts';
import { type Ssh, sshFaultOf } from '../protocols/ssh/ssh.ts';
import type { ArpEntry, DeviceAccess, DeviceInterface, Driver, MacEntry } from './driver.ts';
import { ssidInterface } from './snmp-reading.ts';
import { type Bss, readBsses, readInterfaceNames, readNeighbourTable, readSecurity, readStations } from './stations.ts';

/** Limit on the networks of one access point. */
const bssesMax = 64;

function runner(ssh: Ssh) {
  return (device: DeviceAccess, ...command: string[]): Promise<string> => {
    if (!device.ssh) throw new Error(`device ${device.key} has no SSH access`);
    return ssh.run(device.host, device.ssh, command);
  };
}

type Run = ReturnType<typeof runner>;

async function readUptime(run: Run, device: DeviceAccess): Promise<{ uptimeTicks: number | null }> {
  const seconds = Number((await run(device, 'cat', '/proc/uptime')).split(' ')[0]);
  return { uptimeTicks: Number.isFinite(seconds) ? Math.floor(seconds * 100) : null };
}

/** Driver for access points with hostapd: its networks are ports, its stations the hosts on them. */
export function hostapdDriver(ssh: Ssh): Driver {
  const run = runner(ssh);
  return {
    name: 'hostapd',
    alive: (device) => readUptime(run, device),
    readInterfaces: (device) => readInterfaces(run, device),
    readMacTable: (device) => readMacTable(run, device),
    disconnectHost: (device, mac) => disconnectHost(run, device, mac),
  };
}

async function bssesOf(run: Run, device: DeviceAccess): Promise<Bss[]> {
  const bsses = new Map<string, Bss>();
  for (const name of readInterfaceNames(await run(device, 'hostapd_cli', 'interface')).slice(0, bssesMax)) {
    // A radio reports all its networks, so known ones need no request of their own.
    if (bsses.has(name)) continue;
    for (const bss of readBsses(await run(device, 'hostapd_cli', '-i', name, 'status')))
      bsses.set(bss.interfaceName, bss);
  }
  return [...bsses.values()];
}

async function readInterfaces(run: Run, device: DeviceAccess): Promise<DeviceInterface[]> {
  const interfaces: DeviceInterface[] = [];
  for (const bss of await bssesOf(run, device)) {
    // The security mode is optional: a failure to read it must not hide the network.
    const config = await run(device, 'hostapd_cli', '-i', bss.interfaceName, 'get_config').catch((error) => {
      if (sshFaultOf(error)?.kind !== 'failed') throw error;
    });
    interfaces.push({ ...interfaceOf(bss), security: config === undefined ? 'UNKNOWN' : readSecurity(config) });
  }
  return interfaces;
}

const portIdOf = ({ ssid }: Bss): string => `ssid:${ssid}`;

const interfaceOf = (bss: Bss): DeviceInterface =>
  ssidInterface(bss.ssid, { description: bss.interfaceName, mac: bss.bssid, operStatus: bss.isUp ? 1 : 2 });

async function readMacTable(run: Run, device: DeviceAccess): Promise<MacEntry[]> {
  const entries: MacEntry[] = [];
  for (const bss of await bssesOf(run, device)) {
    const stations = readStations(await run(device, 'hostapd_cli', '-i', bss.interfaceName, 'all_sta'));
    for (const { mac, vlan, isAuthorized } of stations) {
      entries.push({ mac, vlan, portId: portIdOf(bss), status: isAuthorized ? 'learned' : 'other' });
    }
  }
  return entries;
}

async function disconnectHost(run: Run, device: DeviceAccess, mac: string): Promise<boolean> {
  for (const { interfaceName } of await bssesOf(run, device)) {
    const stations = readStations(await run(device, 'hostapd_cli', '-i', interfaceName, 'all_sta'));
    if (!stations.some((station) => station.mac === mac)) continue;
    const answer = await run(device, 'hostapd_cli', '-i', interfaceName, 'deauthenticate', mac);
    if (!/^OK$/m.test(answer)) throw remoteFailed(`The device ${device.host} did not disconnect ${mac}.`);
    return true;
  }
  return false;
}

/** Driver for Linux firewalls: reads addresses, but no ports. */
export function linuxFirewallDriver(ssh: Ssh): Driver {
  const run = runner(ssh);
  return {
    name: 'linux-firewall',
    alive: (device) => readUptime(run, device),
    async readArpTable(device): Promise<ArpEntry[]> {
      const entries = readNeighbourTable(await run(device, 'ip', '-j', 'neigh'));
      if (!entries)
        throw remoteFailed(`The device ${device.host} answered \`ip -j neigh\` with something other than a list.`);
      return entries;
    },
  };
}
