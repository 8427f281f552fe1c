import { setTimeout as sleep } from 'node:timers/promises';
import { type Switches, type SwitchSpec, startSwitches } from '@portreeve/testbed/snmp-switches.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openCell } from '../../../test/world/cell.ts';
import { promised } from '../../../test/world/patience.ts';

const count = 24;
const secondsMax = 120;
const sets = ['set-one', 'set-two', 'set-three'];
const specs: SwitchSpec[] = Array.from({ length: count }, (_, n) => ({
  address: `127.0.50.${n + 1}`,
  sysName: `mortal-${n + 1}`,
  readCommunity: sets[n % sets.length]!,
  ports: 4,
}));

describe('when the node that discovers is killed', async () => {
  const cell = await openCell({ nodes: 2, settings: { outbound: { allow: ['127.0.0.0/8'], refuse: [] } } });
  afterAll(() => cell.close());
  let switches: Switches;
  beforeAll(async () => {
    switches = await startSwitches(specs);
  });
  afterAll(() => switches.stop());

  const [first, second] = cell.nodes;
  const run = async () => (await cell.sql.query('select * from discovery_run')).rows[0];
  const until = async (isReached: () => Promise<boolean>) => {
    const endMs = Date.now() + secondsMax * 1_000;
    while (!(await isReached())) {
      if (Date.now() > endMs) throw new Error(`not within ${secondsMax} s: ${JSON.stringify(await run())}`);
      await sleep(100);
    }
  };

  test('another one goes on within 30 s, models every device once, and leaves nothing behind', async () => {
    // With one node only, it is known which one works on the run.
    await cell.kill9(second!);
    const reply = await cell.client(first!).post('/device/discovery/discover', {
      containerID: 1,
      ranges: [{ start: '127.0.50.1', end: `127.0.50.${count + 4}` }],
      credentials: sets.map((community) => ({
        snmpProtocol: 'V2C',
        snmpPort: switches.port,
        snmpSecurityStrings: [community],
      })),
      probesPerSecond: 2,
    });
    expect(reply.code, String(reply.body.errorMessage)).toBe(202);
    const workers = async () =>
      (await cell.sql.query<{ worker: string | null }>('select worker from discovery_work')).rows;
    await until(async () => (await workers())[0]?.worker != null);
    const { worker } = (await workers())[0]!;
    // The first node is killed at a point of the run, not after a time: work is left however long the second one takes
    // to start.
    const starting = cell.startNode(second!);
    await until(async () => (await run()).devices_added >= 4);
    await cell.kill9(first!);
    expect((await run()).devices_added).toBeLessThan(count - 4);
    await starting;
    const readyMs = Date.now();
    await until(async () => {
      const rows = await workers();
      return rows.length === 0 || (rows[0]!.worker !== null && rows[0]!.worker !== worker);
    });
    expect(Date.now() - readyMs).toBeLessThan(promised(30_000));
    await until(async () => (await run()).finished_at !== null);
    expect(await run()).toMatchObject({
      state: 'DONE',
      addresses_total: count + 4,
      addresses_probed: count + 4,
      devices_added: count,
      errors: 0,
      credentials: null,
    });
    const { rows: devices } = await cell.sql.query<{ address: string; name: string }>(
      `select host(d.ip_address) as address, d.name from network_device d order by d.ip_address`,
    );
    expect(devices).toEqual(specs.map(({ address, sysName }) => ({ address, name: sysName })));
    const { rows: created } = await cell.sql.query(
      `select e.element_id from event e where e.name = 'DEVICE_CREATED' group by e.element_id having count(*) = 1`,
    );
    expect(created).toHaveLength(count);
    for (const table of ['discovery_work', 'discovery_address'])
      expect((await cell.sql.query(`select from ${table}`)).rowCount, table).toBe(0);
    const location = String(reply.headers.location).replace('/api/v2', '');
    await until(async () => (await cell.client(second!).get(location)).body.results![0]!.state === 'COMPLETED');
    expect((await cell.client(second!).get(location)).body.results![0]).toMatchObject({
      attempts: 2,
      progress: { done: count + 4, total: count + 4 },
    });
  }, 300_000);
});
