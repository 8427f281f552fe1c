import type pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { migratedDatabase } from '../../../test/world/databases.ts';
import { CacheInvalidation } from './cache-invalidation.ts';
import { connect } from './connect.ts';

let pool: pg.Pool;

beforeAll(async () => {
  pool = connect({ url: (await migratedDatabase()).ownerUrl });
  await pool.query('create table kept (value integer not null); insert into kept values (1)');
});

afterAll(() => pool.end());

const readKept = async () => (await pool.query<{ value: number }>('select value from kept')).rows[0]!.value;

test('catching up reloads what other nodes changed before', async () => {
  let remembered = 0;
  const invalidation = new CacheInvalidation(pool, () => performance.now());
  invalidation.follow({
    channel: 'kept_changed',
    sql: 'select value from kept',
    forget: async () => {
      remembered = await readKept();
    },
  });
  await invalidation.start();
  try {
    for (const value of [2, 3, 4]) {
      await pool.query(`update kept set value = ${value}; notify kept_changed`);
      await invalidation.catchUp();
      expect(remembered).toBe(value);
    }
  } finally {
    await invalidation.close();
  }
});

test('a change that was not notified is found by its number', async () => {
  let forgotten = 0;
  const invalidation = new CacheInvalidation(pool, () => performance.now());
  const followed = invalidation.follow({
    channel: 'kept_changed',
    sql: 'select value from kept',
    forget: () => {
      forgotten += 1;
    },
  });
  await invalidation.start();
  try {
    await invalidation.catchUp();
    const [times, generation] = [forgotten, followed.generation()];
    await pool.query('update kept set value = 7');
    await invalidation.catchUp();
    expect(forgotten).toBe(times + 1);
    expect(followed.generation()).toBe(generation + 1);
  } finally {
    await invalidation.close();
  }
});
