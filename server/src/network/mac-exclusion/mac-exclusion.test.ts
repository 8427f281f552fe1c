import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { testCollection } from '../../../test/conformance/conformance.ts';
import { world } from '../../../test/world/world.ts';
import { type Exclusion, excludes, excludesSql } from './mac-exclusion.service.ts';
import { macExclusion } from './mac-exclusion.ts';

describe('MAC exclusion', async () => {
  const shared = await world();
  const { admin, service } = shared;
  const path = macExclusion.path!;
  const builtIns = async () => (await admin.get(`${path}?filter=builtIn==true`)).body.results!;

  testCollection(macExclusion, {
    world: shared,
    sample: (n) => ({ name: `cluster ${n}`, start: '02:AA:00:00:00:00', end: '02:AA:00:00:00:FF' }),
    change: (n) => ({ description: `changed ${n}` }),
  });

  test('a fresh cell leaves out the addresses of redundant gateways and clusters', async () => {
    const rules = (await builtIns()) as unknown as (Exclusion & { enabled: boolean })[];
    expect(rules.every(({ enabled }) => enabled)).toBe(true);
    const isLeftOut = (mac: string) => rules.some((rule) => excludes(rule, mac));
    // VRRP for IPv4 and IPv6 (RFC 9568), HSRP versions 1 and 2, HSRP for IPv6, GLBP, a load-balancing cluster.
    for (const mac of [
      '00:00:5E:00:01:0A',
      '00:00:5E:00:02:0A',
      '00:00:0C:07:AC:01',
      '00:00:0C:9F:F1:23',
      '00:05:73:A0:00:05',
      '00:07:B4:00:01:02',
      '02:BF:0A:01:02:03',
    ])
      expect(isLeftOut(mac), mac).toBe(true);
    for (const mac of ['00:00:5E:00:00:0A', '00:00:0C:07:AD:01', '00:1A:2B:3C:4D:5E'])
      expect(isLeftOut(mac), mac).toBe(false);
  });

  test('a built-in one is disabled, but neither changed nor deleted', async () => {
    const { id } = (await builtIns())[0]!;
    expect((await admin.post(path, { id, enabled: false })).code).toBe(200);
    expect((await admin.post(path, { id, end: 'FE:FF:FF:FF:FF:FF' })).body.status).toBe('protected');
    expect((await admin.post(`${path}/delete`, { id: [id] })).body.status).toBe('protected');
    expect((await admin.post(path, { id, enabled: true })).code).toBe(200);
  });

  test('a mask needs no end, which is then the start, also when the start changes', async () => {
    const mask = 'FF:FF:FF:00:00:00';
    const id = await admin.create(macExclusion, { name: 'by mask', start: '02:AB:00:00:00:00', mask });
    const stored = async () => (await admin.get(`${path}?filter=id==${id}`)).body.results![0]!;
    expect(await stored()).toMatchObject({ start: '02:AB:00:00:00:00', end: '02:AB:00:00:00:00', mask });
    expect((await admin.post(path, { id, start: '02:AC:00:00:00:00' })).code).toBe(200);
    expect(await stored()).toMatchObject({ start: '02:AC:00:00:00:00', end: '02:AC:00:00:00:00', mask });
    const missing = await admin.post(path, { name: 'neither', start: '02:AB:00:00:00:00' });
    expect([missing.code, missing.body.errorMessage]).toEqual([400, 'end: this field is required without a mask.']);
  });

  test.each([
    [{ start: '02:00:00:00:00:02', end: '02:00:00:00:00:01' }, 'end'],
    [{ start: '02:00:00:00:00:01', end: '02:00:00:00:00:02', mask: 'FF:FF:FF:00:00:00' }, 'end'],
    [{ start: '', end: '02:00:00:00:00:02' }, 'start'],
  ])('%j is refused for its %s', async (body, field) => {
    const reply = await admin.post(path, { name: 'odd', ...body });
    expect([reply.code, reply.body.errorMessage!.split(':')[0]]).toEqual([400, field]);
  });

  test('PostgreSQL and TypeScript agree on what is excluded', async () => {
    const macs = fc
      .sample(fc.integer({ min: 0, max: 2 ** 48 - 1 }), 900)
      .map((number) => number.toString(16).toUpperCase().padStart(12, '0').match(/../g)!.join(':'));
    const cases = Array.from({ length: 300 }, (_, n) => {
      const [a, b, c] = macs.slice(n * 3, n * 3 + 3) as [string, string, string];
      // A mask of few bits, so that about half of the addresses match.
      const mask = n % 2 === 0 ? null : ['80:00:00:00:00:00', '00:00:00:00:00:01'][n % 4 === 1 ? 0 : 1]!;
      return { start: a < b ? a : b, end: a < b ? b : a, mask, mac: c };
    });
    const { rows } = await service.runtime.pool.query<{ excluded: boolean }>(
      `select ${excludesSql('e.mac')} as excluded
       from jsonb_array_elements($1::jsonb) with ordinality j(item, place), lateral jsonb_to_record(j.item) e(start text, "end" text, mask text, mac text)
       order by j.place`,
      [JSON.stringify(cases)],
    );
    expect(rows.map(({ excluded }) => excluded)).toEqual(cases.map((exclusion) => excludes(exclusion, exclusion.mac)));
  });
});
