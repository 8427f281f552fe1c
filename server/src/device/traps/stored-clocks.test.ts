import { describe, expect, test } from 'vitest';
import { world } from '../../../test/world/world.ts';
import { EngineClocks } from '../../protocols/snmp/engine-clocks.ts';
import { StoredClocks } from './stored-clocks.ts';

const engine = Buffer.from('80001f8804aabbccddeeff0011', 'hex');

describe('the clocks of SNMP engines', async () => {
  const { pool } = (await world()).service.runtime;
  const node = () => {
    const clocks = new EngineClocks();
    return { clocks, stored: new StoredClocks(pool, clocks) };
  };

  test('a node that has just started refuses a trap of six starts ago, and one from before the window', async () => {
    const first = node();
    expect(first.clocks.admit(engine, 9, 5_000)).toBe(true);
    expect(first.clocks.hasStarted).toBe(true);
    await first.stored.save();
    expect(first.clocks.hasStarted).toBe(false);

    // Without a stored clock the message is accepted, which RFC 3414 permits for an unknown engine.
    expect(new EngineClocks().admit(engine, 3, 100)).toBe(true);
    const fresh = node();
    await fresh.stored.load();
    expect(fresh.clocks.admit(engine, 3, 100)).toBe(false);
    expect(fresh.clocks.admit(engine, 9, 4_800)).toBe(false);
    expect(fresh.clocks.admit(engine, 9, 4_900)).toBe(true);
    expect(fresh.clocks.admit(engine, 10, 1)).toBe(true);
  });

  test('of two nodes that store the same engine the newer clock stays', async () => {
    const [old, young] = [node(), node()];
    old.clocks.admit(engine, 11, 50);
    young.clocks.admit(engine, 12, 3);
    await young.stored.save();
    await old.stored.save();
    const { rows } = await pool.query('select boots, time from snmp_engine where engine_id = $1', [engine]);
    expect(rows).toEqual([{ boots: 12, time: 3 }]);
    await old.stored.load();
    expect(old.clocks.admit(engine, 11, 60)).toBe(false);
    expect(old.clocks.admit(engine, 12, 4)).toBe(true);
    expect(old.clocks.hasStarted).toBe(false);
  });

  test('the time continues while the engine sends nothing', async () => {
    await pool.query(
      `update snmp_engine set received_at = date_trunc('second', now()) - interval '1 hour', time = 1000, boots = 20`,
    );
    const { clocks, stored } = node();
    await stored.load();
    expect(clocks.now(engine)!.time).toBeGreaterThanOrEqual(4_600);
    expect(clocks.admit(engine, 20, 1_000)).toBe(false);
  });
});
