import type { Parts } from './context.ts';
import { openDrivers } from './parts/drivers/drivers.ts';
import { nmapScanner } from './parts/nmap/nmap.ts';
import type { OutboundGuard } from './parts/outbound/outbound.ts';
import { radiusClient } from './parts/radius/radius.ts';
import { snmpClient } from './parts/snmp/client.ts';
import { EngineClocks } from './parts/snmp/engine-clocks.ts';
import { sshClient } from './parts/ssh/ssh.ts';

/** The outside world as a node speaks to it; nothing is connected before it is asked. */
export function openParts(outbound: OutboundGuard): Parts {
  const snmpClocks = new EngineClocks();
  const snmp = snmpClient({ outbound, clocks: snmpClocks });
  return {
    radius: radiusClient({ outbound }),
    snmp,
    snmpClocks,
    scanner: nmapScanner({ outbound }),
    drivers: openDrivers({ snmp, ssh: sshClient({ outbound }), outbound }),
  };
}
