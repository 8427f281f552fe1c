import { describe, expect, test } from 'vitest';
import { testCollection } from '../../../test/conformance/conformance.ts';
import { world } from '../../../test/world/world.ts';
import { systemOrigin } from '../../kernel/declare/caller.ts';
import { accessConfiguration } from '../../policy/access-configuration/access-configuration.ts';
import { accessPolicy } from '../../policy/access-policy/access-policy.ts';
import { freeRadius } from '../../protocols/radius-engine/radius-engine.ts';
import { loadDictionary } from './load-dictionary.ts';
import { radiusDictionaryEntry } from './radius-dictionary-entry.ts';

const path = radiusDictionaryEntry.path!;
const tier = { attribute: 'Example-Tier', value: '1', type: 'integer', vendor: 'Example', vendorID: 99_999 };
const otherVendor = { vendor: 'Other', vendorID: 65_010 };

describe('RADIUS dictionary', async () => {
  const shared = await world();
  const { admin, service } = shared;

  testCollection(radiusDictionaryEntry, {
    world: shared,
    // With the format 1,1 a number is one octet.
    sample: (n) => ({ ...tier, attribute: `Sample-${n}`, value: String(n), type: 'string', format: '1,1' }),
    change: (n) => ({ value: String(255 - n) }),
  });

  test('is found by name, in upper or lower case', async () => {
    const entries = (await admin.get(`${path}/attribute/tunnel-TYPE`)).body.results!;
    expect(entries).toMatchObject([{ attribute: 'Tunnel-Type', value: '64', hasTag: true, custom: false }]);
    expect((await admin.get(`${path}/attribute/Nobody-Knows`)).code).toBe(404);
  });

  test('entries of the engine cannot be changed', async () => {
    const { dbid } = (await admin.get(`${path}/attribute/Cisco-AVPair`)).body.results![0]!;
    const refusals = [await admin.post(`${path}/${dbid}`, { type: 'octets' }), await admin.delete(`${path}/${dbid}`)];
    for (const { code, body } of refusals)
      expect([code, body.errorMessage]).toEqual([
        409,
        'The attribute Cisco-AVPair belongs to the engine; only your own attributes can be changed.',
      ]);
  });

  test.each<[string, object, string]>([
    [
      'a number that is taken',
      { value: '64', vendor: null, vendorID: null },
      'value: 64 is already the number of Tunnel-Type.',
    ],
    ['a vendor under another number', { vendor: 'Cisco' }, 'vendor: other attributes have Cisco with the number 9.'],
    [
      'a number of another vendor',
      { vendorID: 9, value: '9' },
      'vendor: other attributes have Cisco with the number 9.',
    ],
    [
      'another format than the vendor has',
      { value: '250', vendor: 'Cisco', vendorID: 9, format: '2,1' },
      'format: the attributes of Cisco have none; Example-Tier must have the same.',
    ],
  ])('%s is refused', async (_, change, message) => {
    const { code, body } = await admin.post(path, { ...tier, ...change });
    expect([code, body.errorMessage]).toEqual([422, expect.stringContaining(message)]);
  });

  test('rejects an entry that the engine rejects, with its message', async () => {
    const tooLarge = await admin.post(path, { ...tier, ...otherVendor, value: '300' });
    expect([tooLarge.code, tooLarge.body.errorMessage]).toEqual([
      422,
      "The RADIUS engine rejects this entry: Invalid attribute identifier: Number '300' out of allowed range in attribute identifier.",
    ]);
    const namedText = await admin.post(path, { ...tier, ...otherVendor, type: 'string', definedValues: { 1: 'Gold' } });
    expect([namedText.code, namedText.body.errorMessage]).toEqual([
      422,
      expect.stringContaining('The RADIUS engine rejects this entry: '),
    ]);
  });

  test.each([
    [{ vendor: null }, 'vendor: is required: a vendor has a name and a number'],
    [{ vendor: null, vendorID: null, format: '1,1' }, 'format: requires a vendor'],
    [{ definedValues: { '-1': 'Gold' } }, 'definedValues: "-1" is not a number from 0 to 4294967295'],
    [{ definedValues: { 1: 'Two words' } }, 'definedValues'],
    [{ attribute: 'Example Tier' }, 'attribute'],
    [{ attribute: 'Example\nVENDOR' }, 'attribute'],
  ])('%j is invalid', async (change, message) => {
    const { code, body } = await admin.post(path, { ...tier, ...change });
    expect([code, body.errorMessage]).toEqual([400, expect.stringContaining(message)]);
  });

  test('writes members of an attribute after it, in any order of creation', async () => {
    const nestedVendor = { vendor: 'Nested', vendorID: 65_001 };
    const inner = { ...nestedVendor, attribute: 'Nested-Inner', value: '1.2', type: 'integer' };
    expect((await admin.post(path, inner)).body.errorMessage).toContain('The RADIUS engine rejects this entry: ');
    expect((await admin.post(path, { ...nestedVendor, attribute: 'Nested-Outer', value: '1', type: 'tlv' })).code).toBe(
      201,
    );
    expect((await admin.post(path, inner)).code).toBe(201);
    const { dbid } = (await admin.get(`${path}/attribute/Nested-Outer`)).body.results![0]!;
    expect(await admin.delete(`${path}/${dbid}`)).toMatchObject({
      code: 409,
      body: { errorMessage: 'The attribute Nested-Inner is a member of Nested-Outer; delete it first.' },
    });
  });

  test('limits the number of own attributes', async () => {
    const many = `insert into radius_dictionary_entry (attribute, value, type, vendor, vendor_id, has_tag, encrypt_method, custom, defined_values)
      select 'Many-' || n, n::text, 'string', 'Many', 65003, false, 0, true, '{}' from generate_series(1, 2000) n`;
    await service.runtime.pool.query(many);
    const { code, body } = await admin.post(path, { ...tier, ...otherVendor, attribute: 'One-More' });
    expect([code, body.errorMessage]).toEqual([
      422,
      expect.stringContaining('There are already 2000 attributes of your own'),
    ]);
    await service.runtime.pool.query(`delete from radius_dictionary_entry where vendor = 'Many'`);
  });

  test('accepts one of two concurrent entries with the same number', async () => {
    const same = ['Race-A', 'Race-B'].map((attribute) =>
      admin.post(path, { attribute, value: '7', type: 'string', vendor: 'Race', vendorID: 65_002 }),
    );
    expect((await Promise.all(same)).map(({ code }) => code).sort()).toEqual([201, 422]);
  });
});

describe("the engine's dictionary", async () => {
  const { admin, service } = await world();
  const engineAttributes = (await freeRadius().dictionary())!;
  const load = (attributes = engineAttributes) =>
    service.runtime.transact(systemOrigin('test'), (tx) => loadDictionary(tx, attributes));
  const count = async (filter = '') => (await admin.get(`${path}?count=1${filter}`)).body.filtered!;
  const idOf = async (name: string) => (await admin.get(`${path}/attribute/${name}`)).body.results![0]!.dbid;

  test('is loaded completely and once, and its entries keep their ids', async () => {
    const before = await idOf('Tunnel-Type');
    expect(await load()).toBe(engineAttributes.length);
    expect(engineAttributes.length).toBeGreaterThan(7_000);
    expect(await count()).toBe(engineAttributes.length);
    expect(await idOf('Tunnel-Type')).toBe(before);
    const [type] = (await admin.get(`${path}/attribute/Tunnel-Type`)).body.results!;
    expect(type).toMatchObject({ definedValues: { 1: 'PPTP', 13: 'VLAN' }, version: 1 });
    await load();
    expect(await count()).toBe(engineAttributes.length);
  });

  test('criteria accept only its attributes, with its spelling', async () => {
    await load();
    const configuration = await admin.create(accessConfiguration, {
      name: 'Wired',
      type: 'DIRECT',
      directConfiguration: { accessType: 'VLAN_ID', accessValue: '40' },
    });
    const policy = (name: string, attribute: string) => ({
      name,
      accessConfigurationID: configuration,
      criteria: { who: { attributes: [{ conditions: [{ attribute, op: 'EQ', value: 'Ethernet' }] }] } },
    });
    const id = await admin.create(accessPolicy, policy('Wired', 'radius.nas-port-TYPE'));
    expect(JSON.stringify(await admin.fetch(accessPolicy, id))).toContain('"radius.NAS-Port-Type"');
    const { code, body } = await admin.post(accessPolicy.path!, policy('Typing error', 'radius.NAS-Prot-Type'));
    expect([code, body.errorMessage]).toEqual([
      422,
      'radius.NAS-Prot-Type: the RADIUS dictionary has no attribute NAS-Prot-Type.',
    ]);
  });

  test('removes entries that another release omits, unless a group uses them, and keeps own entries', async () => {
    await admin.create(radiusDictionaryEntry, tier);
    const removedNames = ['Acct-Link-Count', 'Aruba-User-Role'];
    const remainingAttributes = engineAttributes.filter(({ attribute }) => !removedNames.includes(attribute));
    const namesake = { ...engineAttributes[0]!, attribute: 'example-tier', value: '9' };
    await load([...remainingAttributes, namesake]);
    expect((await admin.get(`${path}/attribute/Acct-Link-Count`)).code).toBe(404);
    expect((await admin.get(`${path}/attribute/Aruba-User-Role`)).code).toBe(200);
    expect((await admin.get(`${path}/attribute/Example-Tier`)).body.results).toMatchObject([{ ...tier, custom: true }]);
    expect(await count('&filter=custom==true')).toBe(1);
  });
});
