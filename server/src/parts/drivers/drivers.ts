import type { OutboundGuard } from '../outbound/outbound.ts';
import type { Snmp } from '../snmp/snmp.ts';
import { ciscoDriver } from './cisco-ios.ts';
import type { Driver, DriverName } from './driver.ts';
import { fpingPinger, type Pinger, pingedDriver } from './ping.ts';
import { qbridgeDriver } from './qbridge.ts';
import { Serial } from './serial.ts';

/** Every driver, and the ping of many devices at once. */
export interface Drivers {
  of(name: DriverName): Driver | undefined;
  pinger: Pinger;
}

export function openDrivers({ snmp, outbound }: { snmp: Snmp; outbound: OutboundGuard }): Drivers {
  const serial = new Serial();
  const pinger = fpingPinger({ outbound });
  const drivers = [
    qbridgeDriver(snmp, serial),
    ciscoDriver(snmp, serial),
    pingedDriver('radius-only', pinger),
    pingedDriver('ping', pinger),
  ];
  return { of: (name) => drivers.find((driver) => driver.name === name), pinger };
}
