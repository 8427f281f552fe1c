import { describe, expect, test } from 'vitest';
import { fillCampus, macOf } from '../../../test/trials/churn/campus.ts';
import { Limiter } from '../../../test/world/restricted-admins.ts';
import { world as startWorld } from '../../../test/world/world.ts';
import { factsMax, readFacts } from './read-facts.ts';

const campus = 10_000;

describe('facts of many adapters', async () => {
  const limiter = new Limiter(await startWorld());

  test('are found by indexes in tables that were never analyzed', () =>
    limiter.transact(async (tx) => {
      // The rows of this transaction are visible to it only, so autovacuum cannot analyze them.
      await fillCampus(tx, campus);
      const { client } = tx;
      const macs = Array.from({ length: factsMax }, (_, n) => macOf(n + 1));
      const facts = await readFacts(client, 'mac', macs);
      expect(facts.map(({ adapter }) => adapter.mac)).toEqual(macs);
      const { rows } = await client.query<{ 'QUERY PLAN': string }>(
        `explain execute "facts.by-mac" (${client.escapeLiteral(JSON.stringify(macs))})`,
      );
      const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
      expect(plan).toMatch(/Index Scan (on|using) adapter_physical_address/);
      expect(plan).not.toMatch(/Seq Scan on (adapter|host|connection_active|port|ip_mac)\b/);
      expect(plan, 'PostgreSQL expects as many rows as there can be').toMatch(new RegExp(`^.* rows=${factsMax} `));
    }));

  test('throws if there are more keys than the statement returns', () =>
    limiter.transact(async ({ client }) => {
      const macs = Array.from({ length: factsMax + 1 }, (_, n) => macOf(n + 1));
      await expect(readFacts(client, 'mac', macs)).rejects.toThrow('facts of 501 keys at once, at most 500');
    }));
});
