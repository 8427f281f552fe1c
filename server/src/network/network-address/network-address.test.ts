import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { testCollection } from '../../../test/conformance/conformance.ts';
import { world } from '../../../test/world/world.ts';
import { addressNumber, addressOf, bitsOf, writeAddress } from '../../kernel/values/address.ts';
import { type Addresses, holdsAddress, holdsAddressSql } from './addresses.ts';
import { networkAddress } from './network-address.ts';

describe('network address', async () => {
  const shared = await world();
  const { admin, service } = shared;
  const path = networkAddress.path!;

  testCollection(networkAddress, {
    world: shared,
    sample: (n) => ({ name: `net ${n}`, type: 'SUBNET', network: `10.${n % 250}.0.0/16` }),
    change: (n) => ({ description: `changed ${n}` }),
    needed: ['network'],
  });

  test.each([
    [{ type: 'SUBNET' }, 'network'],
    [{ type: 'SUBNET', network: '10.0.0.0/8', address: '10.0.0.1' }, 'address'],
    [{ type: 'RANGE', start: '10.0.0.1' }, 'end'],
    [{ type: 'RANGE', start: '10.0.0.2', end: '10.0.0.1' }, 'end'],
    [{ type: 'RANGE', start: '10.0.0.2', end: '2001:db8::1' }, 'end'],
    [{ type: 'RANGE', start: '10.0.0.0', end: '11.0.0.0' }, 'end'],
    [{ type: 'HOST', network: '10.0.0.0/8' }, 'address'],
  ])('%j is refused for its %s', async (body, field) => {
    const reply = await admin.post(path, { name: 'odd', ...body });
    expect([reply.code, reply.body.errorMessage!.split(':')[0]]).toEqual([400, field]);
  });

  test('a network with bits behind its prefix is refused with the one that was meant', async () => {
    for (const [sentText, storedText] of [
      ['10.20.30.40/16', '10.20.0.0/16'],
      ['2001:DB8::1/32', '2001:db8::/32'],
    ]) {
      const reply = await admin.post(path, { name: 'bits', type: 'SUBNET', network: sentText });
      expect(reply.code).toBe(400);
      expect(reply.body.errorMessage).toContain(storedText);
    }
  });

  test('another type takes the fields of the one before along', async () => {
    const id = await admin.create(networkAddress, { name: 'changing', type: 'SUBNET', network: '10.9.0.0/24' });
    expect((await admin.post(`${path}/${id}`, { type: 'HOST', address: '10.9.0.7' })).code).toBe(200);
    expect(await admin.fetch(networkAddress, id)).toMatchObject({ type: 'HOST', network: null, address: '10.9.0.7' });
  });

  test('every spelling of an IPv6 network is the same network', async () => {
    const id = await admin.create(networkAddress, { name: 'spelled', type: 'SUBNET', network: '2001:DB8:0:0::/32' });
    expect(await admin.fetch(networkAddress, id)).toMatchObject({ network: '2001:db8::/32', version: 1 });
    await admin.post(`${path}/${id}`, { network: '2001:0db8::/32' });
    expect(await admin.fetch(networkAddress, id)).toMatchObject({ version: 1 });
  });

  test('an address is written as PostgreSQL writes it', async () => {
    const zeros = fc.array(fc.constantFrom('0', '0', '0', '1', 'ffff', 'c0a8', '20'), { minLength: 8, maxLength: 8 });
    const addresses = fc.sample(
      fc.oneof(
        fc.ipV6(),
        zeros.map((groups) => groups.join(':')),
      ),
      { seed: 7, numRuns: 5_000 },
    );
    const { rows } = await service.runtime.pool.query<{ text: string }>(
      'select host(a::inet) as text from unnest($1::text[]) with ordinality u(a, place) order by place',
      [addresses],
    );
    expect(addresses.map(writeAddress)).toEqual(rows.map(({ text }) => text));
  });

  test('PostgreSQL and TypeScript agree on what an address is in, for 10,000 random ones of both families', async () => {
    const near = fc.tuple(
      fc.oneof(fc.ipV4(), fc.ipV6()),
      fc.integer({ min: 0, max: 128 }),
      fc.bigInt(0n, (1n << 16n) - 1n),
    );
    const cases = fc.sample(fc.tuple(near, fc.nat(2), fc.oneof(fc.ipV4(), fc.ipV6()), fc.boolean()), {
      seed: 20_260_131,
      numRuns: 10_000,
    });
    const rows = cases.map(([[base, wide, span], kind, otherAddress, isNear]) => {
      const bits = bitsOf(base);
      const number = addressNumber(base);
      const last = number + span < 1n << BigInt(bits) ? number + span : number;
      const prefix = Math.min(wide, bits);
      const first = (number >> BigInt(bits - prefix)) << BigInt(bits - prefix);
      const plain: Addresses = { type: 'HOST', network: null, start: null, end: null, address: null };
      const addresses: Addresses = [
        { ...plain, type: 'SUBNET' as const, network: `${addressOf(first, bits)}/${prefix}` },
        { ...plain, type: 'RANGE' as const, start: base, end: addressOf(last, bits) },
        { ...plain, address: base },
      ][kind]!;
      return { ...addresses, asked: isNear ? addressOf(last, bits) : otherAddress };
    });
    const { rows: answers } = await service.runtime.pool.query<{ holds: boolean }>(
      `select ${holdsAddressSql('n', 'n.asked')} as holds
       from jsonb_array_elements($1::jsonb) with ordinality j(row, place),
         lateral jsonb_to_record(j.row) as n(type text, network cidr, start inet, "end" inet, address inet, asked inet)
       order by j.place`,
      [JSON.stringify(rows)],
    );
    expect(answers.map(({ holds }) => holds)).toEqual(rows.map((row) => holdsAddress(row, row.asked)));
    expect(new Set(answers.map(({ holds }) => holds)).size).toBe(2);
  });
});
