import { beforeAll, describe, expect, test } from 'vitest';
import { world } from '../../../test/world/world.ts';
import { group } from '../../system/group/group.ts';
import { authenticationPolicy } from '../authentication-policy/authentication-policy.ts';
import { role } from '../role/role.ts';
import type { CriteriaRecord } from './criteria.ts';

const { path } = authenticationPolicy as { path: string };
interface Shown {
  id: number;
  name: string;
  rank: number;
  version: number;
  shadowedBy: number | null;
  criteriaSummary: string;
  criteria: CriteriaRecord;
}

interface Listed extends Shown {
  enabled: boolean;
  catchAll: boolean;
}

const configuration = { authenticationConfigurationID: 1 };

describe('criteria of policies', async () => {
  const { admin } = await world();
  let createdPolicies = 0;
  const policy = (criteria: unknown, fields = {}) => ({
    name: `policy ${++createdPolicies}`,
    criteria,
    ...configuration,
    ...fields,
  });
  const create = (criteria: unknown, fields = {}) => admin.create(authenticationPolicy, policy(criteria, fields));
  const fetch = async (id: number) => {
    const { results } = (await admin.get<Shown>(`${path}/${id}`)).body;
    return results![0]!;
  };
  const attributes = (...conditions: unknown[]) => ({ who: { attributes: [{ conditions }] } });
  const refused = async (criteria: unknown) => {
    const { code, body } = await admin.post(path, policy(criteria));
    return `${code} ${body.errorMessage}`;
  };

  test('shows roles by their current name, accepts them in any case, and prevents their deletion', async () => {
    const camera = await admin.create(role, { name: 'Camera' });
    const id = await create({ who: { roles: ['cAMERA', 'Guest'] } });
    expect((await fetch(id)).criteria.who.roles).toEqual(['Camera', 'Guest']);
    expect((await admin.post(`${path}/${id}`, { criteria: { who: { roles: ['CAMERA', 'guest'] } } })).code).toBe(200);
    expect((await fetch(id)).version).toBe(1);
    await admin.post(`${role.path}/${camera}`, { name: 'Lens' });
    expect(await fetch(id)).toMatchObject({ version: 1, criteria: { who: { roles: ['Lens', 'Guest'] } } });
    const deletion = await admin.delete(`${role.path}/${camera}`);
    expect(deletion).toMatchObject({ code: 409, body: { status: 'in-use' } });
    expect(deletion.body.errorMessage).toContain(`policy ${createdPolicies}`);
    expect(await refused({ who: { roles: ['Nobody'] } })).toMatch(/^422 .*Nobody/);
    expect(await refused({ who: { roles: ['Guest', 'GUEST'] } })).toMatch(/^400 .*twice/);
  });

  test('keeps the parts of the criteria that an update omits', async () => {
    const id = await create({ who: { roles: ['Guest'] }, where: { ssids: ['lab'] } });
    await admin.post(`${path}/${id}`, { criteria: { when: { alwaysOn: false, daysOfWeek: 62 } } });
    await admin.post(`${path}/${id}`, { criteria: { where: { containers: [1] } } });
    expect((await fetch(id)).criteria).toMatchObject({
      who: { roles: ['Guest'], groups: [], attributes: [] },
      where: { containers: [1], ssids: ['lab'] },
      when: { alwaysOn: false, daysOfWeek: 62, startTimeOfDay: 0, endTimeOfDay: 1_440 },
    });
  });

  test('limits a policy to the hours of its schedule, also if it is sent without alwaysOn', async () => {
    const when = { startTimeOfDay: 480, endTimeOfDay: 1_080, daysOfWeek: 62 };
    const id = await create({ when });
    expect(await fetch(id)).toMatchObject({ criteria: { when: { ...when, alwaysOn: false } } });
    expect((await fetch(id)).criteriaSummary).toContain('08:00');
    expect(await refused({ when: { ...when, alwaysOn: true } })).toMatch(/^400 .*contradicts alwaysOn/);
    expect(await refused({ when: { ...when, daysOfWeek: 0 } })).toMatch(/^400 criteria.when: never holds/);
    expect(await refused({ when: { startTimeOfDay: 480, endTimeOfDay: 480 } })).toMatch(/^400 .*never holds/);
  });

  test('requires groups of the type of each list, and prevents their deletion', async () => {
    const hosts = await admin.create({ path: `${group.path}/HOST` }, { name: 'hosts' });
    const ports = await admin.create({ path: `${group.path}/PORT` }, { name: 'ports' });
    await create({ who: { groups: [hosts] }, where: { portGroups: [ports] } });
    expect(await refused({ who: { groups: [ports] } })).toMatch(/^422 .*PORT group/);
    expect(await refused({ where: { portGroups: [hosts] } })).toMatch(/^422/);
    expect(await refused({ where: { deviceGroups: [ports] } })).toMatch(/^422/);
    for (const id of [hosts, ports]) expect((await admin.delete(`${group.path}/${id}`)).code).toBe(409);
  });

  test.each([
    ['an unknown name', { attribute: 'host.colour', op: 'EQ', value: 'red' }, /^400 .*no attribute host.colour/],
    ['a name of the prototype', { attribute: '__proto__', op: 'IS_SET' }, /^400 .*no attribute __proto__/],
    ['what nothing fills yet', { attribute: 'host.application', op: 'EQ', value: 'x' }, /^422 .*not supported yet/],
    ['a directory', { attribute: 'user.directory.department', op: 'IS_SET' }, /^422 .*not supported yet/],
    ['another operator', { attribute: 'host.registered', op: 'LIKE', value: 't*' }, /^400 .*takes EQ, NE/],
    ['no value', { attribute: 'host.hostName', op: 'EQ' }, /^400 .*needs a value/],
    ['a value too many', { attribute: 'host.hostName', op: 'IS_SET', value: 'x' }, /^400 .*takes no value/],
    ['one value for IN', { attribute: 'host.hostName', op: 'IN', value: 'x' }, /^400 .*needs a list/],
    ['a list for EQ', { attribute: 'host.hostName', op: 'EQ', value: ['x'] }, /^400 .*takes one value/],
    ['no such choice', { attribute: 'host.health', op: 'EQ', value: 'FINE' }, /^400 .*SAFE, PENDING, AT_RISK/],
    ['no flag', { attribute: 'host.enabled', op: 'EQ', value: 'maybe' }, /^400 .*true or false/],
    ['no time', { attribute: 'host.creationTime', op: 'GT', value: 'yesterday' }, /^400 .*takes a time/],
    ['no minutes', { attribute: 'host.creationTime', op: 'OLDER_THAN', value: -1 }, /^400 .*minutes/],
    ['no network', { attribute: 'adapter.ipaddress', op: 'IN_SUBNET', value: '10.0.0.1/8' }, /^400 .*host bits/],
    ['an object', { attribute: 'host.hostName', op: 'EQ', value: {} }, /^400 .*expected text, a number/],
  ])('a condition with %s is refused', async (_what, condition, expected) => {
    expect(await refused(attributes(condition))).toMatch(expected);
  });

  test('stores values in one form, and accepts text for numbers and flags, as XML sends them', async () => {
    const id = await create(
      attributes(
        { attribute: 'host.registered', op: 'EQ', value: 'true' },
        { attribute: 'host.health', op: 'IN', value: ['safe', 'AT_RISK'] },
        { attribute: 'host.creationTime', op: 'NEWER_THAN', value: '60' },
        { attribute: 'adapter.ipaddress', op: 'IN_SUBNET', value: '10.1.2.3' },
        { attribute: 'connection.vlan', op: 'EQ', value: 30 },
        { attribute: 'host.attributes.Owner of it', op: 'NOT_SET' },
      ),
    );
    const conditions = (await fetch(id)).criteria.who.attributes[0]!.conditions;
    expect(conditions.map(({ value }) => value)).toEqual([true, ['SAFE', 'AT_RISK'], 60, '10.1.2.3/32', '30', null]);
    const xml = await admin.get(`${path}/${id}`, { accept: 'application/xml' });
    expect(xml.text).toContain('<value><item>SAFE</item><item>AT_RISK</item></value>');
    expect(xml.text).toContain('<value>60</value>');
    const body = `<request xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance">${/<criteria>.*<\/criteria>/s.exec(xml.text)![0]}</request>`;
    const update = await admin.post(`${path}/${id}`, body, { 'content-type': 'application/xml' });
    expect(update.code).toBe(200);
    expect((await fetch(id)).version).toBe(1);
  });

  test('rejects more than 50 conditions, 200 values or 32 bytes of an SSID', async () => {
    const condition = { attribute: 'host.registered', op: 'EQ', value: true };
    const filters = (count: number) => ({
      who: { attributes: Array(count).fill({ conditions: [condition, condition] }) },
    });
    expect(await refused(filters(26))).toMatch(/^400 .*52 conditions; at most 50/);
    await create(filters(25));
    expect(await refused({ where: { ssids: Array.from({ length: 201 }, (_, n) => `net-${n}`) } })).toMatch(/^400/);
    expect(await refused({ where: { ssids: ['ä'.repeat(17)] } })).toMatch(/^400 .*32 bytes/);
  });

  test('summarises criteria in one line, also if there are none', async () => {
    const hosts = await admin.create({ path: `${group.path}/HOST` }, { name: 'Instruments' });
    const id = await create({
      who: {
        roles: ['Guest', 'Contractor'],
        groups: [hosts],
        attributes: [
          {
            conditions: [
              { attribute: 'host.hostName', op: 'LIKE', value: 'lab-*' },
              { attribute: 'host.enabled', op: 'EQ', value: true },
            ],
          },
          { conditions: [{ attribute: 'host.health', op: 'IN', value: ['SAFE', 'PENDING'] }] },
        ],
      },
      where: { containers: [1], ssids: ['lab'] },
      when: { alwaysOn: false, daysOfWeek: 62, startTimeOfDay: 480, endTimeOfDay: 1_080 },
    });
    expect((await fetch(id)).criteriaSummary).toBe(
      'role Guest, Contractor; group Instruments; host.hostName LIKE lab-* and host.enabled EQ true or host.health IN SAFE, PENDING; at Network, lab; Mon,Tue,Wed,Thu,Fri 08:00–18:00',
    );
    const none = await create({}, { enabled: false });
    expect(await fetch(none)).toMatchObject({ criteriaSummary: 'everybody, everywhere, always', catchAll: true });
    await admin.delete(`${path}/${none}`);
  });
});

describe('places of policies', async () => {
  const { admin } = await world();
  const create = (name: string, criteria: unknown, fields = {}) =>
    admin.create(authenticationPolicy, { name, criteria, ...configuration, ...fields });
  const list = async () => (await admin.get<Listed>(path)).body.results!;

  test('places a new policy last but above a catch-all, and requires a catch-all elsewhere to be disabled', async () => {
    await create('first', { where: { ssids: ['a'] } });
    await create('rest', {});
    await create('second', { where: { ssids: ['b'] } });
    const names = async () => (await list()).map(({ name, rank }) => `${rank} ${name}`);
    expect(await names()).toEqual(['1 first', '2 second', '3 rest']);
    const above = await admin.post(path, { name: 'above', rank: 1, ...configuration });
    expect(above).toMatchObject({ code: 422, body: { status: 'rejected' } });
    await create('off', {}, { rank: 1, enabled: false });
    expect(await names()).toEqual(['1 off', '2 first', '3 second', '4 rest']);
    expect((await admin.post(path, { name: 'last', rank: 5, ...configuration })).code).toBe(201);
  });

  describe('an enabled policy without criteria', () => {
    const refusal = { code: 422, body: { status: 'rejected' } };
    const ids: Record<string, number> = {};
    const places = async () => (await list()).map(({ name, rank }) => `${rank} ${name}`);

    beforeAll(async () => {
      for (const { id } of await list()) await admin.delete(`${path}/${id}`);
      ids.first = await create('first', { where: { ssids: ['a'] } });
      ids.second = await create('second', { where: { ssids: ['b'] } });
      ids.off = await create('off', {}, { rank: 1, enabled: false });
      ids.rest = await create('rest', {});
    });

    test.each<[way: string, send: () => [path: string, body?: object]]>([
      ['by a rank', () => ['/rank/set', { id: ids.rest, rank: 1 }]],
      ['by its record', () => [`/${ids.rest}`, { rank: 2 }]],
      ['by a swap', () => ['/rank/swap', { id: [ids.rest, ids.first] }]],
      ['by a swap the other way', () => ['/rank/swap', { id: [ids.second, ids.rest] }]],
      ['by enabling it', () => [`/${ids.off}/enable`]],
      ['by enabling it among others', () => ['/enable', { id: [ids.first, ids.off] }]],
      ['by a record that enables it', () => [`/${ids.off}`, { enabled: true }]],
      ['by losing its last criterion', () => [`/${ids.first}`, { criteria: { where: { ssids: [] } } }]],
    ])('does not get above others %s', async (_way, send) => {
      const was = await places();
      const [route, body] = send();
      const reply = await admin.post(`${path}${route}`, body);
      expect(reply, reply.text).toMatchObject(refusal);
      expect(reply.body.errorMessage).toContain('would shadow the policies below');
      expect(await places()).toEqual(was);
      expect((await list()).filter(({ catchAll, enabled }) => catchAll && enabled).map(({ name }) => name)).toEqual([
        'rest',
      ]);
    });

    test('can be changed at its rank, moved while it is disabled, and moved down', async () => {
      const send = async (route: string, body?: object) => (await admin.post(`${path}${route}`, body)).code;
      expect(await send(`/${ids.rest}`, { note: 'The rest' })).toBe(200);
      expect(await send('/rank/set', { id: ids.off, rank: 2 })).toBe(200);
      expect(await send(`/${ids.off}`, { enabled: true, criteria: { where: { ssids: ['c'] } } })).toBe(200);
      expect(await send('/rank/set', { id: ids.first, rank: 4 })).toBe(200);
      expect(await places()).toEqual(['1 off', '2 second', '3 rest', '4 first']);
      expect(await send(`/${ids.rest}`, { note: 'Above one' })).toBe(200);
      expect(await send('/rank/set', { id: ids.rest, rank: 4 })).toBe(200);
      expect(await places()).toEqual(['1 off', '2 second', '3 first', '4 rest']);
    });
  });

  test('a policy that is never reached names the policy above that shadows it', async () => {
    for (const { id } of await list()) await admin.delete(`${path}/${id}`);
    const condition = (value: string) => ({ attribute: 'host.hostName', op: 'LIKE', value });
    const wide = await create('wide', { who: { roles: ['Guest', 'Contractor'] } });
    const narrow = await create('narrow', { who: { roles: ['Guest'] }, where: { ssids: ['a'] } });
    const unrelated = await create('other', { who: { roles: ['NAC-Default'] } });
    const strict = await create('strict', { who: { attributes: [{ conditions: [condition('a*')] }] } });
    const stricter = await create('stricter', {
      who: { attributes: [{ conditions: [condition('a*'), condition('*b')] }] },
    });
    const looser = await create('looser', {
      who: { attributes: [{ conditions: [condition('a*')] }, { conditions: [condition('c*')] }] },
    });
    const hours = { alwaysOn: false, daysOfWeek: 2, startTimeOfDay: 60, endTimeOfDay: 120 };
    const timed = await create('timed', { where: { ssids: ['t'] }, when: hours });
    const same = await create('same', { where: { ssids: ['t'] }, when: hours });
    const untimed = await create('untimed', { where: { ssids: ['t'] } });
    const shadows = async () => Object.fromEntries((await list()).map(({ name, shadowedBy }) => [name, shadowedBy]));
    expect(await shadows()).toEqual({
      wide: null,
      narrow: wide,
      other: null,
      strict: null,
      stricter: strict,
      looser: null,
      timed: null,
      same: timed,
      untimed: null,
    });
    await admin.post(`${path}/disable`, { id: [wide, same] });
    expect(await shadows()).toMatchObject({ narrow: null, same: null });
    await admin.post(`${path}/rank/set`, { id: stricter, rank: 1 });
    expect(await shadows()).toMatchObject({ stricter: null, strict: null });
    expect([unrelated, narrow, looser, untimed].every((id) => id > 0)).toBe(true);
  });

  test('enables and disables all policies of a list or none', async () => {
    const ids = (await list()).slice(0, 2).map(({ id }) => id);
    expect((await admin.post(`${path}/disable`, { id: [...ids, 999_999] })).code).toBe(404);
    expect((await admin.get(`${path}?filter=enabled==false`)).body.filtered).toBe(2);
    expect((await admin.post(`${path}/disable`, { id: ids })).code).toBe(200);
    expect((await admin.post(`${path}/enable`, { id: ids })).code).toBe(200);
    expect((await admin.get(`${path}/${ids[0]}`)).body.results).toMatchObject([{ enabled: true }]);
  });

  test('labels the shadowing policy as an id', async () => {
    const { text } = await admin.get('/openapi.json');
    expect(text.match(/"label":"Shadowed by \(ID\)"/g)!.length).toBeGreaterThanOrEqual(2);
    expect(text).not.toContain('"label":"Shadowed by"');
  });

  test('documents that ordering operators take numbers, also for texts', async () => {
    const condition = (value: unknown) => ({ attribute: 'host.serialNumber', op: 'GE', value });
    const send = (value: unknown) =>
      admin.post(path, {
        name: 'ordered',
        rank: 1,
        criteria: { who: { attributes: [{ conditions: [condition(value)] }] } },
        ...configuration,
      });
    expect((await send('ABC')).body.errorMessage).toContain('takes a number with GE');
    expect((await send('100')).code).toBe(201);
    const { text } = await admin.get('/openapi.json');
    expect(text).toContain('GT, GE, LT and LE of a TEXT take a number');
    expect(text).toContain('Always 0 in this release: decisions of closed connections are not stored.');
  });
});
