import type { Protocols } from '../context.ts';
import { openDrivers } from '../drivers/drivers.ts';
import { nmapScanner } from '../protocols/nmap/nmap.ts';
import type { OutboundGuard } from '../protocols/outbound/outbound.ts';
import type { ProbeGuard } from '../protocols/outbound/probe-guard.ts';
import { radiusClient } from '../protocols/radius/radius.ts';
import { freeRadius } from '../protocols/radius-engine/radius-engine.ts';
import { snmpClient } from '../protocols/snmp/client.ts';
import { EngineClocks } from '../protocols/snmp/engine-clocks.ts';
import { sshClient } from '../protocols/ssh/ssh.ts';

/** Creates the clients for other systems. They connect on first use. */
export function openProtocols(probes: ProbeGuard, outbound: OutboundGuard): Protocols {
  const snmpClocks = new EngineClocks();
  const snmp = snmpClient({ outbound: probes, clocks: snmpClocks });
  return {
    probes,
    outbound,
    radius: radiusClient({ outbound: probes }),
    radiusEngine: freeRadius(),
    snmp,
    snmpClocks,
    scanner: nmapScanner({ outbound: probes }),
    drivers: openDrivers({ snmp, ssh: sshClient({ outbound: probes }), outbound: probes }),
  };
}
