import type { OutboundGuard } from '../protocols/outbound/outbound.ts';
import type { Snmp } from '../protocols/snmp/snmp.ts';
import type { Ssh } from '../protocols/ssh/ssh.ts';
import { ciscoDriver } from './cisco-ios.ts';
import type { Driver } from './driver.ts';
import type { DriverName } from './names.ts';
import { fpingPinger, type Pinger, pingedDriver } from './ping.ts';
import { qbridgeDriver } from './qbridge.ts';
import { Serial } from './serial.ts';
import { hostapdDriver, linuxFirewallDriver } from './ssh-devices.ts';

/** All drivers, and the ping of many devices at once. */
export interface Drivers {
  of(name: DriverName): Driver;
  pinger: Pinger;
}

export function openDrivers({ snmp, ssh, outbound }: { snmp: Snmp; ssh: Ssh; outbound: OutboundGuard }): Drivers {
  const serial = new Serial();
  const pinger = fpingPinger({ outbound });
  const drivers: Record<DriverName, Driver> = {
    qbridge: qbridgeDriver(snmp, serial),
    'cisco-ios': ciscoDriver(snmp, serial),
    hostapd: hostapdDriver(ssh),
    'radius-only': pingedDriver('radius-only', pinger),
    'linux-firewall': linuxFirewallDriver(ssh),
    ping: pingedDriver('ping', pinger),
  };
  return { of: (name) => drivers[name], pinger };
}
