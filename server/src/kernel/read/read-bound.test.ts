import { describe, expect, test } from 'vitest';
import { world } from '../../../test/world/world.ts';
import type { Table } from '../model/model.ts';
import { ReadBound } from './read-bound.ts';

describe('a read that runs out of its time', async () => {
  const { service } = await world();
  const bound = new ReadBound(service.runtime.pool);
  const table = { name: 'container' } as Table;
  const nothing = { text: 'select', values: [] };
  const read = { ...nothing, filter: undefined, matching: nothing, isSorted: false };

  const outOfTime = (hasMore: boolean) =>
    service.runtime.read(async (client) => {
      await client.query('set statement_timeout = 50');
      try {
        return await bound.run(client, table, { ...read, hasMore }, () => client.query('select pg_sleep(5)'));
      } catch (error) {
        return error;
      } finally {
        await client.query('reset statement_timeout');
      }
    });

  test('is 503 where it is known to be little: the machine is busy, and another filter would not help', async () => {
    expect(await outOfTime(false)).toMatchObject({ word: 'unavailable', message: expect.stringContaining('too busy') });
  });

  test('is the fault of the read where it has conditions of unknown cost', async () => {
    expect(await outOfTime(true)).toMatchObject({ code: '57014' });
  });
});
