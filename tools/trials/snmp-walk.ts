import { outboundGuard } from '@portreeve/server/protocols/outbound/outbound.ts';
import { snmpClient } from '@portreeve/server/protocols/snmp/client.ts';
import type { SnmpCredential } from '@portreeve/server/protocols/snmp/snmp.ts';
import type { UsmUser } from '@portreeve/server/protocols/snmp/usm.ts';
import { bulkWalk, inParallel, interfaceTables, walkTables } from '@portreeve/server/test/trials/snmp-walk.ts';
import { cpuMsOf } from '@portreeve/testbed/cpu.ts';
import { type Switches, startSwitches } from '@portreeve/testbed/snmp-switches.ts';
import { number } from '../command.ts';
import { defineTrial } from '../define-trial.ts';

const parallel = 10;
const user: UsmUser = {
  userName: 'op',
  auth: { protocol: 'SHA256', password: 'auth-pass-123' },
  priv: { protocol: 'AES', password: 'priv-pass-456' },
};
const credentials: readonly SnmpCredential[] = [
  { version: 'v2c', community: 'public' },
  { version: 'v3', user },
];

export const trial = defineTrial({
  doc: "Walks the tables that a poll needs of many simulated 48-port switches, by this service's client and by Net-SNMP's snmpbulkwalk.",
  options: { switches: number(100, 'simulated switches') },
  async run({ switches: count }) {
    const addresses = Array.from(
      { length: count },
      (_, index) => `127.0.${60 + Math.floor(index / 250)}.${(index % 250) + 1}`,
    );
    const startedMs = performance.now();
    const switches = await startSwitches(addresses.map((address) => ({ address, users: [user] })));
    const snmp = snmpClient({ outbound: outboundGuard({ allow: ['127.0.0.0/8'], refuse: [] }) });
    try {
      const { rssBytes } = await switches.stats();
      console.log(
        `${count} switches started in ${seconds(performance.now() - startedMs)}, ${Math.round(rssBytes / 2 ** 20)} MB resident`,
      );
      for (const credential of credentials)
        await measure(switches, addresses, `our client, ${credential.version}`, (host) =>
          walkTables(snmp, { host, port: switches.port, credential }, interfaceTables),
        );
      for (const credential of credentials)
        await measure(switches, addresses, `snmpbulkwalk, ${credential.version}`, (host) =>
          bulkWalk({ host, port: switches.port, credential }, interfaceTables),
        );
    } finally {
      snmp.close();
      await switches.stop();
    }
  },
});

async function measure(
  switches: Switches,
  addresses: readonly string[],
  what: string,
  walk: (address: string) => Promise<number>,
): Promise<void> {
  const agentsMs = async () => (await switches.stats()).cpuMs;
  // Time of the walkers only: the switches are a child of this process too.
  const ownMs = async () => cpuMsOf(process.pid) - (await agentsMs());
  const before = { ms: performance.now(), cpuMs: await ownMs(), agents: await agentsMs() };
  let values = 0;
  await inParallel(addresses, parallel, async (address) => {
    const walked = await walk(address);
    values += walked;
  });
  const used = (await ownMs()) - before.cpuMs;
  const agents = (await agentsMs()) - before.agents;
  const wall = performance.now() - before.ms;
  console.log(
    `${what}: ${values} values in ${seconds(wall)}, ${seconds(used)} CPU (${((used / values) * 1_000).toFixed(1)} µs a value); the switches ${seconds(agents)} CPU`,
  );
}

const seconds = (ms: number): string => `${(ms / 1_000).toFixed(2)} s`;
