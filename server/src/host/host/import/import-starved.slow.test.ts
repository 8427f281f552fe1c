import { readFileSync } from 'node:fs';
import { afterAll, expect, test } from 'vitest';
import { openCell } from '../../../../test/world/cell.ts';
import { macOf } from '../../../../test/world/restricted-admins.ts';

const lines = 20_000;
const file = `adap.mac,host.host\n${Array.from({ length: lines }, (_, n) => `${macOf(0x30_00_00 + n)},batch-${n}\n`).join('')}`;

const cell = await openCell({ nodes: 2 });
afterAll(() => cell.close());

test('an import whose node gets no processor for a while, and then goes on beside the one that took over, fails nowhere', async () => {
  const [first, second] = cell.nodes as [(typeof cell.nodes)[0], (typeof cell.nodes)[0]];
  // So that it is known who works.
  await cell.kill9(second);
  const reply = await fetch(`http://127.0.0.1:${first.port}/api/v2/host/import-hosts`, {
    method: 'POST',
    headers: { ...cell.client(first).authorization, 'content-type': 'text/csv' },
    body: file,
  });
  expect(reply.status).toBe(202);
  const written = async () => (await cell.sql.query('select from host')).rowCount!;
  await expect.poll(written, { interval: 10 }).toBeGreaterThan(0);
  // What a cell knows is who watches the node.
  const node = Number(readFileSync(`/proc/${first.pid()}/task/${first.pid()}/children`, 'utf8'));
  process.kill(node, 'SIGSTOP');
  const task = async () =>
    (await cell.sql.query('select t.state, t.attempts, t.error_message as error from background_task t')).rows[0];
  try {
    expect(await task()).toMatchObject({ state: 'RUNNING', attempts: 1 });
    await cell.startNode(second);
    await expect.poll(async () => (await task()).attempts).toBe(2);
  } finally {
    process.kill(node, 'SIGCONT');
  }
  await expect.poll(async () => (await task()).state, { timeout: 240_000 }).toMatch(/COMPLETED|FAILED/);
  const job = async () => (await cell.sql.query(`select j.state from pgboss.job j where j.name = 'host-import'`)).rows;
  await expect.poll(job).toEqual([{ state: 'completed' }]);
  expect(await task()).toEqual({ state: 'COMPLETED', attempts: 2, error: null });
  const { rows } = await cell.sql.query(
    'select count(*)::integer as hosts, count(distinct h.host_name)::integer as names, max(h.version) as version from host h',
  );
  expect(rows).toEqual([{ hosts: lines, names: lines, version: 1 }]);
}, 600_000);
