import { afterAll, expect, test } from 'vitest';
import { starve } from '../../../../test/trials/starve.ts';
import { openCell } from '../../../../test/world/cell.ts';
import { macOf } from '../../../../test/world/restricted-admins.ts';

const lines = 20_000;
const file = `adap.mac,host.host\n${Array.from({ length: lines }, (_, n) => `${macOf(0x30_00_00 + n)},batch-${n}\n`).join('')}`;

const cell = await openCell({ nodes: 2 });
afterAll(() => cell.close());

test('a host import completes when its stalled node resumes next to the node that took over', async () => {
  const [first] = cell.nodes as [(typeof cell.nodes)[0]];
  const task = await starve(cell, {
    async begin() {
      const reply = await fetch(`http://127.0.0.1:${first.port}/api/v2/host/import-hosts`, {
        method: 'POST',
        headers: { ...cell.client(first).authorization, 'content-type': 'text/csv' },
        body: file,
      });
      expect(reply.status).toBe(202);
    },
    isBusy: async () => (await cell.sql.query('select from host')).rowCount! > 0,
  });
  expect(task).toEqual({ state: 'COMPLETED', attempts: 2, error: null });
  const { rows } = await cell.sql.query(
    'select count(*)::integer as hosts, count(distinct h.host_name)::integer as names, max(h.version) as version from host h',
  );
  expect(rows).toEqual([{ hosts: lines, names: lines, version: 1 }]);
}, 600_000);
