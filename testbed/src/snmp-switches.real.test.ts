import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Switches, startSwitches } from './snmp-switches.ts';
import { netSnmpArguments } from './snmpd.ts';

const run = promisify(execFile);
const user = {
  userName: 'op',
  auth: { protocol: 'SHA256', password: 'auth-pass-123' },
  priv: { protocol: 'AES', password: 'priv-pass-456' },
} as const;
const [access, cisco] = ['127.0.40.1', '127.0.40.2'] as const;
const [staticLists, pvid] = ['1.3.6.1.2.1.17.7.1.4.3.1', '1.3.6.1.2.1.17.7.1.4.5.1.1'];

let switches: Switches;
beforeAll(async () => {
  switches = await startSwitches([
    { address: access, users: [user] },
    { address: cisco, kind: 'cisco', users: [user] },
  ]);
});
afterAll(() => switches.stop());

/** Runs a tool of Net-SNMP and returns the lines of its output or of its errors. */
async function tool(
  program: string,
  args: readonly string[],
  address: string,
  names: readonly string[],
): Promise<string[]> {
  const { stdout } = await run(program, [...args, '-Oqn', `${address}:${switches.port}`, ...names], {
    env: { MIBS: '' },
  }).catch((error: { stdout: string; stderr: string }) => ({ stdout: error.stdout + error.stderr }));
  return stdout.trim().split('\n');
}

const readOnly = ['-v2c', '-c', 'public'];
const write = ['-v2c', '-c', 'private'];
const reason = async (names: readonly string[]) =>
  (await tool('snmpset', write, access, names)).find((line) => line.startsWith('Reason'))?.split(' ')[1] ?? 'done';

describe('simulated switches, queried with Net-SNMP', () => {
  test('return the same full walk in versions 2c and 3, and in version 1', async () => {
    const byCommunity = await tool('snmpbulkwalk', readOnly, access, ['.1.3.6.1.2.1.2']);
    expect(byCommunity.length).toBe(1 + 9 * 55);
    expect(await tool('snmpbulkwalk', netSnmpArguments(user), access, ['.1.3.6.1.2.1.2'])).toEqual(byCommunity);
    expect(await tool('snmpwalk', ['-v1', '-c', 'public'], access, ['.1.3.6.1.2.1.2'])).toEqual(byCommunity);
  });

  test('number interfaces and bridge ports differently, and give the aggregate a bridge port in place of its members', async () => {
    const mapping = await tool('snmpbulkwalk', readOnly, access, ['1.3.6.1.2.1.17.1.4.1.2']);
    expect(mapping).toHaveLength(47);
    expect(mapping[24]).toBe('.1.3.6.1.2.1.17.1.4.1.2.33 10125');
    expect(mapping.at(-1)).toBe('.1.3.6.1.2.1.17.1.4.1.2.69 5001');
  });

  test('move a port to another VLAN only in the order that keeps their lists consistent', async () => {
    const list = (vlan: number, column: number, hex: string) => [`${staticLists}.${column}.${vlan}`, 'x', hex];
    expect(await reason([`${pvid}.7`, 'u', '30'])).toBe('inconsistentValue');
    expect(await reason(list(30, 4, '020000000000000000'))).toBe('inconsistentValue');
    expect(await reason(list(30, 2, '0200'))).toBe('wrongLength');
    expect(await reason(list(30, 2, '000000010000000008'))).toBe('wrongValue');
    expect(await reason(list(77, 2, '020000000000000008'))).toBe('noCreation');
    expect(await reason([`${pvid}.7`, 'u', '77'])).toBe('wrongValue');
    expect(await reason([`${pvid}.7`, 'i', '30'])).toBe('wrongType');
    expect(await reason([...list(30, 2, '020000000000000008'), ...list(30, 4, '020000000000000000')])).toBe('done');
    expect(await reason([...list(1, 2, 'FDFFFF00FFFFFC0008'), ...list(1, 4, 'FDFFFF00FFFFFC0008')])).toBe(
      'inconsistentValue',
    );
    expect(await reason([`${pvid}.7`, 'u', '30'])).toBe('done');
    expect(await reason([...list(1, 2, 'FDFFFF00FFFFFC0008'), ...list(1, 4, 'FDFFFF00FFFFFC0008')])).toBe('done');
    expect(await switches.portOf(access, 7)).toMatchObject({ pvid: 30, bridgePort: 7, ifIndex: 10_107 });
    const [first, ...rest] = await switches.takeSets(access);
    expect(first).toMatchObject({
      outcome: 'inconsistentValue',
      securityName: 'private',
      varbinds: [{ oid: `${pvid}.7`, type: 'gauge', value: 30 }],
    });
    expect(rest).toHaveLength(10);
  });

  test('fail as configured, from the configured write on', async () => {
    const alias = (text: string) => reason(['1.3.6.1.2.1.31.1.1.1.18.10103', 's', text]);
    await switches.failWrites(access, { word: 'genErr', skip: 1, times: 1 });
    expect([await alias('one'), await alias('two'), await alias('three')]).toEqual(['done', '(genError)', 'done']);
    await switches.failWrites(access, null);
    expect(await reason(['1.3.6.1.2.1.1.5.0', 's', 'name'])).toBe('notWritable');
  });

  test('show hosts in the forwarding table of the VLAN that their port is in, under an id that is not its number', async () => {
    await switches.plug(access, 3, '02:11:22:33:44:55');
    const entries = await tool('snmpbulkwalk', readOnly, access, ['1.3.6.1.2.1.17.7.1.2.2.1.2']);
    expect(entries).toContain('.1.3.6.1.2.1.17.7.1.2.2.1.2.1001.2.17.34.51.68.85 3');
    await switches.unplug(access, 3, '02:11:22:33:44:55');
    expect(await tool('snmpbulkwalk', readOnly, access, ['1.3.6.1.2.1.17.7.1.2.2.1.2'])).toHaveLength(
      entries.length - 1,
    );
  });

  test('of Cisco answer for each VLAN separately, with the bridge ports of that VLAN only', async () => {
    const inVlan = (vlan: number, name: string) =>
      tool('snmpbulkwalk', ['-v2c', '-c', `public@${vlan}`], cisco, [name]);
    expect(await inVlan(1, '1.3.6.1.2.1.17.1.4.1.2')).toHaveLength(47);
    expect(await inVlan(10, '1.3.6.1.2.1.17.1.4.1.2')).toEqual(['.1.3.6.1.2.1.17.1.4.1.2.69 5001']);
    await tool('snmpset', write, cisco, ['1.3.6.1.4.1.9.9.68.1.2.2.1.2.10105', 'i', '10']);
    expect(await inVlan(10, '1.3.6.1.2.1.17.4.3.1.2')).toEqual(['.1.3.6.1.2.1.17.4.3.1.2.2.0.40.2.0.5 5']);
  });

  test('count time from their start, with other interface numbers if configured', async () => {
    await switches.setUptime(access, 4_294_967_200);
    const upTime = async () =>
      Number((await tool('snmpget', [...readOnly, '-Ot'], access, ['1.3.6.1.2.1.1.3.0']))[0]!.split(' ')[1]);
    await expect.poll(upTime, { timeout: 60_000 }).toBeLessThan(4_294_967_200);
    await switches.reboot(access, true);
    // Ticks are hundredths of a second: the uptime is small again, even if the query took long.
    expect(await upTime()).toBeLessThan(12_000);
    expect(await switches.portOf(access, 7)).toMatchObject({ ifIndex: 10_607, bridgePort: 7 });
  });

  test('have 4,800 ports in little memory', async () => {
    const many = await startSwitches(Array.from({ length: 100 }, (_, index) => ({ address: `127.0.44.${index + 1}` })));
    const { switches: count, rssBytes } = await many.stats();
    await many.stop();
    expect(count).toBe(100);
    expect(rssBytes).toBeLessThan(250 * 1024 * 1024);
  });
});
