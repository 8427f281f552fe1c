import pg from 'pg';
import { describe, expect, test } from 'vitest';
import { world } from '../../../test/world/world.ts';

describe('a table that another session has locked', async () => {
  const { admin, caller, database } = await world();
  const reader = await caller({ devices: ['view'] });

  test('delays only requests that need the locked table', async () => {
    const locking = new pg.Client({ connectionString: database.ownerUrl });
    await locking.connect();
    await locking.query('begin; lock table container in access exclusive mode');
    const waiting = Promise.all(
      [admin, reader].flatMap((client) =>
        Array.from({ length: 20 }, (_, n) => [
          client.post('/device/container', { name: `c${n}` }),
          client.get('/device/container'),
        ]).flat(),
      ),
    );
    try {
      for (const path of ['/system/group?count=1', '/healthz', '/readyz', '/policy/role?count=1'])
        expect([path, (await admin.get(path)).code]).toEqual([path, 200]);
      const created = await admin.post('/policy/role', { name: 'made meanwhile' });
      expect(created.code).toBe(201);
    } finally {
      await locking.query('rollback');
      await locking.end();
    }
    const codes = new Set((await waiting).map(({ code }) => code));
    expect([...codes].filter((code) => ![200, 201, 403, 409, 429, 503].includes(code))).toEqual([]);
  });
});
