import { beforeAll, describe, expect, test } from 'vitest';
import { Limiter } from '../../../test/world/restricted-admins.ts';
import { world as startWorld } from '../../../test/world/world.ts';
import { networkDevice } from '../../device/network-device/network-device.ts';
import { observePorts } from '../../device/port/port.service.ts';
import { adapter } from '../../host/adapter/adapter.ts';
import { host } from '../../host/host/host.ts';
import { elementCodes } from '../../kernel/declare/element-type.ts';
import { accessConfiguration } from '../access-configuration/access-configuration.ts';
import { accessPolicy } from '../access-policy/access-policy.ts';

interface Explained {
  step: number;
  policyName: string;
  trace: { name: string; result: string; checks: { section: string; actual: unknown; ok: boolean }[] }[];
}

describe('hostile criteria', async () => {
  const world = await startWorld();
  const { admin } = world;
  const { path } = accessPolicy as { path: string };
  const limiter = new Limiter(world);
  let hostID = 0;
  let portID = 0;
  let accessConfigurationID = 0;
  const conditions = (op: string, value: unknown) => ({
    who: { attributes: [{ conditions: [{ attribute: 'host.hostName', op, value }] }] },
  });
  const create = (name: string, criteria: object) =>
    admin.create(accessPolicy, { name, criteria, accessConfigurationID });
  const explain = async () =>
    (await admin.get<Explained>(`/host/${hostID}/policy?portID=${portID}&enforced=true`)).body.results![0]!;

  beforeAll(async () => {
    const { id: deviceID } = await limiter.transact(({ records }) =>
      records.create(networkDevice, { name: 'sw', containerID: 1 }),
    );
    await limiter.transact(({ client }) =>
      observePorts(client, [{ deviceID, name: 'Gi1', portType: 0, defaultVlan: '1' }]),
    );
    portID = (await limiter.sql<{ id: number }>('select id from port'))[0]!.id;
    const [enforced] = await limiter.sql<{ id: number }>(`select id from "group" where tag = 'enforce-role'`);
    await limiter.join(enforced!.id, elementCodes.PORT, portID);
    hostID = (
      await limiter.transact(({ records }) => records.create(host, { hostName: `${'a'.repeat(250)}b`, type: 2 }))
    ).id;
    await limiter.transact(({ records }) => records.create(adapter, { physicalAddress: '00:1D:09:00:00:01', hostID }));
    accessConfigurationID = await admin.create(accessConfiguration, {
      name: 'VLAN 30',
      type: 'DIRECT',
      directConfiguration: { accessType: 'VLAN_ID', accessValue: '30' },
    });
  });

  test('stores, returns and evaluates LIKE with 900 stars and 200 values of 4 kB', async () => {
    const stars = '*a'.repeat(900);
    const many = Array.from({ length: 200 }, (_, n) => `${n}`.padEnd(4_000, '*a'));
    const starred = await create('stars', conditions('LIKE', stars));
    const listed = await create('many', conditions('IN', many));
    const value = async (id: number) => {
      const { results } = (
        await admin.get<{ criteria: { who: { attributes: { conditions: { value: unknown }[] }[] } } }>(`${path}/${id}`)
      ).body;
      return results![0]!.criteria.who.attributes[0]!.conditions[0]!.value;
    };
    expect(await value(starred)).toBe(stars);
    expect(await value(listed)).toEqual(many);
    const last = await create('last', conditions('LIKE', `${'*a'.repeat(250)}*b`));
    const { step, policyName, trace } = await explain();
    expect({ step, policyName }).toEqual({ step: 7, policyName: 'last' });
    const resultOf = (name: string) => trace.find((entry) => entry.name === name)!.result;
    expect(['stars', 'many', 'last'].map(resultOf)).toEqual(['NO_MATCH', 'NO_MATCH', 'MATCH']);
    for (const id of [starred, listed, last]) expect((await admin.delete(`${path}/${id}`)).code).toBe(200);
  });

  test('rejects values beyond the limits: 8,193 characters, 201 values', async () => {
    const code = async (op: string, value: unknown) =>
      (await admin.post(path, { name: 'more', criteria: conditions(op, value), accessConfigurationID })).code;
    expect(await code('LIKE', 'a'.repeat(8_193))).toBe(400);
    expect(
      await code(
        'IN',
        Array.from({ length: 201 }, (_, n) => `${n}`),
      ),
    ).toBe(400);
  });

  test.each([
    ['4,000 stars', 'LIKE', '*a'.repeat(4_000), 4_001],
    ['200 patterns of 6 wildcards', 'NOT_LIKE', Array.from({ length: 200 }, (_, n) => `*?*?*?${n}`), 1_400],
  ])('refuses %s: their number bounds what a decision costs', async (_what, op, value, comparisons) => {
    const reply = await admin.post(path, { name: 'costly', criteria: conditions(op, value), accessConfigurationID });
    expect(reply, reply.text).toMatchObject({ code: 400, body: { status: 'invalid' } });
    expect(reply.body.errorMessage).toContain(`has ${comparisons} patterns, wildcards and networks`);
  });

  test('limits the patterns and networks of all conditions together to 1,000', async () => {
    const criteria = (patterns: number) => ({
      who: {
        attributes: [
          {
            conditions: [
              ...Array.from({ length: 4 }, (_, n) => ({
                attribute: 'adapter.ipaddress',
                op: 'IN_SUBNET',
                value: Array.from({ length: 200 }, (_each, place) => `10.${n}.${place}.0/24`),
              })),
              {
                attribute: 'adapter.physicalAddress',
                op: 'LIKE',
                value: Array.from({ length: patterns }, (_, n) => `00:1D:${String(n).padStart(2, '0')}:*`),
              },
            ],
          },
        ],
      },
    });
    const send = async (patterns: number) =>
      admin.post(path, { name: 'many', criteria: criteria(patterns), accessConfigurationID });
    expect((await send(101)).body.errorMessage).toContain('has 1002 patterns');
    const stored = await send(100);
    expect(stored, stored.text).toMatchObject({ code: 201 });
    await admin.delete(`${path}/${String(stored.headers.location).split('/').at(-1)}`);
  });

  test('rejects __proto__ as an attribute name and as a key', async () => {
    const criteriaByName = { who: { attributes: [{ conditions: [{ attribute: '__proto__', op: 'NOT_SET' }] }] } };
    expect((await admin.post(path, { name: 'proto', criteria: criteriaByName, accessConfigurationID })).code).toBe(400);
    const keyed = `{"name": "proto", "accessConfigurationID": ${accessConfigurationID}, "criteria": {"__proto__": {}}}`;
    expect((await admin.post(path, keyed)).code).toBe(400);
  });

  test('returns markup and bidirectional marks as plain text in JSON and XML, and rejects control characters', async () => {
    const name = '<script>alert(1)</script> & "\u202eevil"';
    const id = await create(name, conditions('NE', name));
    expect((await explain()).trace.map((entry) => entry.name)).toContain(name);
    const xml = await admin.get(`${path}/${id}`, { accept: 'application/xml' });
    expect(xml.text).toContain('&lt;script&gt;alert(1)&lt;/script&gt; &amp; &quot;\u202eevil&quot;');
    expect(xml.text).not.toContain('<script>');
    const explained = await admin.get(`/host/${hostID}/policy?portID=${portID}`, { accept: 'application/xml' });
    expect(explained.code).toBe(200);
    expect(explained.text).not.toContain('<script>');
    expect((await admin.post(path, { name: 'a\u0000b', accessConfigurationID })).code).toBe(400);
    expect(
      (await admin.post(path, { name: 'bell', criteria: conditions('EQ', 'a\u0007b'), accessConfigurationID })).code,
    ).toBe(400);
  });
});
