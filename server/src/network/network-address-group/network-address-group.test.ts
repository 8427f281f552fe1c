import { beforeAll, describe, expect, test } from 'vitest';
import { testCollection } from '../../../test/conformance/conformance.ts';
import { world } from '../../../test/world/world.ts';
import { networkAddress } from '../network-address/network-address.ts';
import { networkAddressGroup } from './network-address-group.ts';

describe('network address group', async () => {
  const shared = await world();
  const { admin } = shared;
  const path = networkAddressGroup.path!;
  const addresses: number[] = [];

  beforeAll(async () => {
    for (const n of [1, 2, 3])
      addresses.push(await admin.create(networkAddress, { name: `host ${n}`, type: 'HOST', address: `10.0.0.${n}` }));
  });

  testCollection(networkAddressGroup, {
    world: shared,
    sample: (n) => ({ name: `set ${n}`, addressIDs: addresses.slice(0, 2) }),
    change: (n) => ({ description: `changed ${n}` }),
  });

  test('shows its addresses in the order they were given, and by the names they have now', async () => {
    const [a, b, c] = addresses as [number, number, number];
    const id = await admin.create(networkAddressGroup, { name: 'ordered', addressIDs: [c, a, b] });
    await admin.post(`${networkAddress.path}/${a}`, { name: 'renamed' });
    expect((await admin.fetch(networkAddressGroup, id)).addresses).toEqual([
      { id: c, name: 'host 3', type: 'HOST' },
      { id: a, name: 'renamed', type: 'HOST' },
      { id: b, name: 'host 2', type: 'HOST' },
    ]);
  });

  test('holds its addresses: one of them is not deleted, and usage names the group', async () => {
    const address = await admin.create(networkAddress, { name: 'held', type: 'HOST', address: '10.0.1.1' });
    const id = await admin.create(networkAddressGroup, { name: 'holder', addressIDs: [address] });
    const reply = await admin.delete(`${networkAddress.path}/${address}`);
    expect([reply.code, reply.body.status]).toEqual([409, 'in-use']);
    expect((await admin.get(`${networkAddress.path}/${address}/usage`)).body.results).toEqual([
      { name: 'Network address group', children: ['holder'] },
    ]);
    await admin.delete(`${path}/${id}`);
    expect((await admin.delete(`${networkAddress.path}/${address}`)).code).toBe(200);
  });

  test('an address that is named twice, is unknown, or is missing altogether is refused', async () => {
    const [a] = addresses as [number];
    expect((await admin.post(path, { name: 'x', addressIDs: [a, a] })).code).toBe(400);
    expect((await admin.post(path, { name: 'x', addressIDs: [] })).code).toBe(400);
    expect((await admin.post(path, { name: 'x', addressIDs: [999_999_999] })).code).toBe(422);
  });

  test('two are built in: they may be empty, and are not deleted', async () => {
    const { results } = (await admin.get(`${path}?filter=tag=isnull=false`)).body;
    expect(results!.map(({ name, tag, addressIDs }) => [name, tag, addressIDs])).toEqual([
      ['AP Management - Authorized', 'ap-authorized', []],
      ['AP Management - Unauthorized', 'ap-unauthorized', []],
    ]);
    const { id } = results![0]!;
    expect((await admin.post(`${path}/${id}`, { addressIDs: [addresses[0]!] })).code).toBe(200);
    expect((await admin.post(`${path}/${id}`, { addressIDs: [] })).code).toBe(200);
    expect((await admin.delete(`${path}/${id}`)).body.status).toBe('protected');
  });
});
