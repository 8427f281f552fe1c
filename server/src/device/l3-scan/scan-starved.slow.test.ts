import { startSwitches } from '@portreeve/testbed/snmp-switches.ts';
import { afterAll, expect, test } from 'vitest';
import { starve } from '../../../test/trials/starve.ts';
import { openCell } from '../../../test/world/cell.ts';

const many = 60;
const address = (n: number) => `127.0.98.${n + 1}`;
const switches = await startSwitches(
  Array.from({ length: many }, (_, n) => ({ address: address(n), sysName: `switch-${n}`, ports: 24 })),
);
afterAll(() => switches.stop());
const cell = await openCell({ nodes: 2 });
afterAll(() => cell.close());
const [first] = cell.nodes as [(typeof cell.nodes)[0]];

const send = async (path: string, body: object, code: number) => {
  const reply = await cell.client(first).call('POST', path, body);
  expect(reply.code, reply.body.errorMessage ?? '').toBe(code);
};
const count = async (text: string) => (await cell.sql.query(text)).rowCount!;

test('a scan, and a resync, whose node gets no processor for a while end once, with what the other node has read', async () => {
  for (let n = 0; n < many; n++)
    await send(
      '/device/snmp',
      {
        name: `switch-${n}`,
        ipAddress: address(n),
        containerID: 1,
        snmpProtocol: 'V2C',
        snmpPort: switches.port,
        snmpSecurityStrings: ['public'],
      },
      201,
    );
  await expect.poll(() => count('select distinct p.device_id from port p'), { timeout: 240_000 }).toBe(many);
  await expect.poll(() => count('select from network_device d where d.status = 1')).toBe(many);
  const ports = await count('select from port');

  const scan = await starve(cell, {
    begin: () => send('/device/l3scan/start', {}, 202),
    isBusy: async () => (await count('select from l3_scan_device x where x.scanned_at is not null')) > 0,
  });
  expect(scan).toEqual({ state: 'COMPLETED', attempts: 2, error: null });
  expect(await count(`select from event e where e.name = 'L3_SCAN_COMPLETED'`)).toBe(1);
  expect(await count('select from l3_scan_device x where x.scanned_at is not null and x.error is null')).toBe(many);

  const ids = (await cell.sql.query<{ id: string }>('select d.id from network_device d')).rows.map(({ id }) =>
    Number(id),
  );
  const resync = await starve(cell, {
    begin: () => send('/device/resync-interfaces', { id: ids }, 202),
    isBusy: async () =>
      (await count(`select from background_task t where t.job_name like '%resync%' and t.state = 'RUNNING'`)) > 0,
  });
  expect(resync).toEqual({ state: 'COMPLETED', attempts: 2, error: null });
  expect(await count('select from port')).toBe(ports);
  const { rows } = await cell.sql.query<{ items: number; done: number }>(
    `select jsonb_array_length(t.report) as items, (select count(*)::integer from jsonb_array_elements(t.report) i where i ->> 'outcome' = 'DONE') as done
     from background_task t order by t.id desc limit 1`,
  );
  expect(rows).toEqual([{ items: many, done: many }]);
}, 900_000);
