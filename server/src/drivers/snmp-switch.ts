import type { Snmp } from '../protocols/snmp/snmp.ts';
import type { Driver } from './driver.ts';
import type { Serial } from './serial.ts';
import { readArp, readIdentity, readRoutingFacts, readUptime } from './snmp-reading.ts';
import { bouncePorts, changeAdminStatus } from './snmp-writing.ts';

type Common = 'alive' | 'identify' | 'readArpTable' | 'readRouting' | 'setAdminStatus' | 'bounce';

/** The methods that all SNMP switches have in common. */
export const snmpSwitch = (snmp: Snmp, serial: Serial): Required<Pick<Driver, Common>> => ({
  alive: (device) => readUptime(snmp, device),
  identify: (device) => readIdentity(snmp, device),
  readArpTable: (device) => readArp(snmp, device),
  readRouting: (device) => readRoutingFacts(snmp, device),
  setAdminStatus: (device, ifIndexes, isUp) =>
    serial.run(device.key, () => changeAdminStatus(snmp, device, ifIndexes, isUp)),
  bounce: (device, ifIndexes, downMs) => serial.run(device.key, () => bouncePorts(snmp, device, ifIndexes, downMs)),
});
