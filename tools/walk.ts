import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { outboundGuard } from '@portreeve/server/parts/outbound/outbound.ts';
import { snmpClient } from '@portreeve/server/parts/snmp/client.ts';
import { oid } from '@portreeve/server/parts/snmp/oid.ts';
import type { SnmpCredential } from '@portreeve/server/parts/snmp/snmp.ts';
import type { UsmUser } from '@portreeve/server/parts/snmp/usm.ts';
import { startSwitches } from '@portreeve/testbed/snmp-switches.ts';
import { netSnmpArguments } from '@portreeve/testbed/snmpd.ts';

/** Walks the tables that a poll needs of many simulated 48-port switches, by our client and by Net-SNMP's snmpbulkwalk. */

const run = promisify(execFile);
const count = Number(process.argv[2] ?? 100);
const parallel = 10;
const user: UsmUser = {
  userName: 'op',
  auth: { protocol: 'SHA256', password: 'auth-pass-123' },
  priv: { protocol: 'AES', password: 'priv-pass-456' },
};
const tables: Readonly<Record<string, number[]>> = {
  '1.3.6.1.2.1.2.2.1': [1, 2, 3, 4, 5, 6, 7, 8, 9],
  '1.3.6.1.2.1.31.1.1.1': [1, 15, 17, 18],
  '1.3.6.1.2.1.17.1.4.1': [1, 2],
  '1.3.6.1.2.1.17.7.1.2.2.1': [2, 3],
  '1.3.6.1.2.1.17.7.1.4.5.1': [1],
};
const addresses = Array.from({ length: count }, (_, at) => `127.0.${60 + Math.floor(at / 250)}.${(at % 250) + 1}`);

const startedMs = performance.now();
const switches = await startSwitches(addresses.map((address) => ({ address, users: [user] })));
const { rssBytes } = await switches.stats();
console.log(
  `${count} switches started in ${seconds(performance.now() - startedMs)}, ${Math.round(rssBytes / 2 ** 20)} MB resident`,
);

const snmp = snmpClient({ outbound: outboundGuard({ allow: ['127.0.0.0/8'], refuse: [] }) });
await measure('our client, v2c', (address) => ours(address, { version: 'v2c', community: 'public' }));
await measure('our client, v3', (address) => ours(address, { version: 'v3', user }));
await measure('snmpbulkwalk, v2c', (address) => netSnmp(address, ['-v2c', '-c', 'public']));
await measure('snmpbulkwalk, v3', (address) => netSnmp(address, netSnmpArguments(user)));
snmp.close();
await switches.stop();

async function ours(host: string, credential: SnmpCredential): Promise<number> {
  const target = { host, port: switches.port, credential, timeoutMs: 5_000, retries: 2 };
  let values = 0;
  for (const [entry, columns] of Object.entries(tables)) {
    const walked = await snmp.walk(
      target,
      columns.map((column) => oid(`${entry}.${column}`)),
    );
    values += walked.reduce((sum, rows) => sum + rows.length, 0);
  }
  return values;
}

async function netSnmp(host: string, who: readonly string[]): Promise<number> {
  let values = 0;
  for (const entry of Object.keys(tables)) {
    const args = [...who, '-Cr40', '-Oqn', '-t', '5', `${host}:${switches.port}`, entry];
    const { stdout } = await run('snmpbulkwalk', args, { env: { PATH: process.env.PATH, MIBS: '' } });
    values += stdout.split('\n').length - 1;
  }
  return values;
}

async function measure(what: string, walk: (address: string) => Promise<number>): Promise<void> {
  const before = { ms: performance.now(), cpuMs: cpuMs(), agents: (await switches.stats()).cpuMs };
  const waiting = [...addresses];
  let values = 0;
  const worker = async () => {
    for (let address = waiting.pop(); address !== undefined; address = waiting.pop()) {
      const walked = await walk(address);
      values += walked;
    }
  };
  await Promise.all(Array.from({ length: parallel }, worker));
  const used = cpuMs() - before.cpuMs;
  const agents = (await switches.stats()).cpuMs - before.agents;
  const wall = performance.now() - before.ms;
  console.log(
    `${what}: ${values} values in ${seconds(wall)}, ${seconds(used)} CPU (${((used / values) * 1_000).toFixed(1)} µs a value); the switches ${seconds(agents)} CPU`,
  );
}

/** Ours and that of the children that have ended (proc(5): utime, stime, cutime, cstime, in hundredths of a second). */
function cpuMs(): number {
  const fields = readFileSync('/proc/self/stat', 'utf8')
    .replace(/^.*\) /, '')
    .split(' ');
  return [11, 12, 13, 14].reduce((sum, at) => sum + Number(fields[at]) * 10, 0);
}

function seconds(ms: number): string {
  return `${(ms / 1_000).toFixed(2)} s`;
}
