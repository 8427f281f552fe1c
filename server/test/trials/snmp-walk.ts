import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { netSnmpArguments } from '@portreeve/testbed/snmpd.ts';
import { oid } from '../../src/protocols/snmp/oid.ts';
import type { Snmp, SnmpCredential } from '../../src/protocols/snmp/snmp.ts';

/** Columns by the table they are in. */
export type Tables = Readonly<Record<string, readonly number[]>>;

/** The tables that an L2 poll reads (RFC 4188, RFC 4363). */
export const forwardingTables: Tables = {
  '1.3.6.1.2.1.17.1.4.1': [2],
  '1.3.6.1.2.1.17.7.1.2.2.1': [2, 3],
  '1.3.6.1.2.1.17.7.1.4.2.1': [3],
};

/** The tables that an inventory poll reads, and the forwarding table. */
export const interfaceTables: Tables = {
  '1.3.6.1.2.1.2.2.1': [1, 2, 3, 4, 5, 6, 7, 8, 9],
  '1.3.6.1.2.1.31.1.1.1': [1, 15, 17, 18],
  '1.3.6.1.2.1.17.1.4.1': [1, 2],
  '1.3.6.1.2.1.17.7.1.2.2.1': [2, 3],
  '1.3.6.1.2.1.17.7.1.4.5.1': [1],
};

export interface WalkTarget {
  host: string;
  port: number;
  credential: SnmpCredential;
}

/** Walks the tables with the SNMP client alone; returns the number of values. */
export async function walkTables(snmp: Snmp, target: WalkTarget, tables: Tables): Promise<number> {
  let values = 0;
  for (const [entry, columns] of Object.entries(tables)) {
    const roots = columns.map((column) => oid(`${entry}.${column}`));
    const walked = await snmp.walk({ ...target, timeoutMs: 5_000, retries: 2 }, roots);
    values += walked.reduce((sum, rows) => sum + rows.length, 0);
  }
  return values;
}

const run = promisify(execFile);

/** The same with Net-SNMP's snmpbulkwalk, a process for each table. */
export async function bulkWalk({ host, port, credential }: WalkTarget, tables: Tables): Promise<number> {
  const who = credential.version === 'v3' ? netSnmpArguments(credential.user) : ['-v2c', '-c', credential.community];
  let values = 0;
  for (const entry of Object.keys(tables)) {
    const args = [...who, '-Cr40', '-Oqn', '-t', '5', `${host}:${port}`, entry];
    const { stdout } = await run('snmpbulkwalk', args, { env: { PATH: process.env.PATH, MIBS: '' } });
    values += stdout.split('\n').length - 1;
  }
  return values;
}

/** Runs work for all items, at most `count` at once. */
export async function inParallel<T>(
  items: readonly T[],
  count: number,
  work: (item: T) => Promise<void>,
): Promise<void> {
  const waiting = items.values();
  const worker = async () => {
    for (const item of waiting) await work(item);
  };
  await Promise.all(Array.from({ length: count }, worker));
}
