import { beforeAll, describe, expect, test } from 'vitest';
import { type ChangeRow, decideEverybody, differences } from '../../../test/decide/everybody.ts';
import type { Client } from '../../../test/world/client.ts';
import { until } from '../../../test/world/patience.ts';
import { Limiter } from '../../../test/world/restricted-admins.ts';
import { world as startWorld } from '../../../test/world/world.ts';
import { container } from '../../device/container/container.ts';
import { networkDevice } from '../../device/network-device/network-device.ts';
import { observePorts } from '../../device/port/port.service.ts';
import { adapter } from '../../host/adapter/adapter.ts';
import { host } from '../../host/host/host.ts';
import { elementCodes } from '../../kernel/declare/element-type.ts';
import { userAccount } from '../../user/user-account/user-account.ts';
import { accessConfiguration } from '../access-configuration/access-configuration.ts';
import { logicalNetwork } from '../logical-network/logical-network.ts';
import { logicalNetworkConfiguration } from '../logical-network-configuration/logical-network-configuration.ts';
import { assignDueRoles } from '../role/role.service.ts';
import { role } from '../role/role.ts';

interface Row extends ChangeRow {
  hostID: number;
  hostName: string;
  userName: string | null;
  location: string | null;
  families: { family: string; before: string | null; after: string | null }[];
  enforcement: string | null;
  interrupts: boolean;
  unresolved: boolean;
}
type Write = [path: string, body?: object, method?: 'POST' | 'DELETE'];

const hosts = 6;
const vlan = (accessValue: string) => ({ accessType: 'VLAN_ID', accessValue });
const mac = (n: number) => `00:1D:09:00:01:${n.toString(16).padStart(2, '0').toUpperCase()}`;

describe('the dry run of a write and live connections', async () => {
  const world = await startWorld();
  const { admin, service } = world;
  const limiter = new Limiter(world);
  const { sql, transact } = { sql: limiter.sql.bind(limiter), transact: limiter.transact.bind(limiter) };
  const ids: Record<string, number> = {};
  const ports: number[] = [];

  const send = ([path, body, method = 'POST']: Write, query = '') => admin.call<Row>(method, `${path}${query}`, body);
  const dryRun = async (write: Write, query = '') => {
    const reply = await send(write, `?dryRun=true${query}`);
    expect(reply, reply.text).toMatchObject({ code: 200 });
    return reply.body;
  };
  const everywhere = () => ({ criteria: { where: { containers: [ids.hall] } } });
  const tagged = async (tag: string) =>
    (await sql<{ id: number }>('select id from "group" where tag = $1', [tag]))[0]!.id;
  const generation = async () =>
    Number((await sql<{ generation: string }>('select generation from policy_generation'))[0]!.generation);

  const everybody = () => decideEverybody(service);

  let writing: Client | undefined;
  /** Returns the hosts and users that a dry run shows to a caller who may make the change and may view neither. */
  const namedWithoutRights = async ([path, body, method = 'POST']: Write, changed: number) => {
    const every = { view: true, add: true, modify: true, delete: true };
    const permissions = { 'policy-access': every, roles: every, groups: every, devices: { view: true } };
    writing ??= await limiter.caller({ permissions });
    const reply = await writing.call<Row>(method, `${path}?dryRun=true`, body);
    expect(reply, reply.text).toMatchObject({ code: 200, body: { filtered: changed } });
    return reply.body.results!.flatMap(({ mac: address, hostID, hostName, userName }) =>
      [address, hostID, hostName, userName].filter((value) => value !== null),
    );
  };

  beforeAll(async () => {
    ids.hall = await admin.create(container, { name: 'Hall' });
    const snmp = { ipAddress: '192.0.2.3', protocol: 'SNMP_V2C', snmpSecurityStrings: JSON.stringify(['public']) };
    const { id: deviceID } = await transact(({ records }) =>
      records.create(networkDevice, { name: 'sw-3', containerID: ids.hall!, ...snmp }),
    );
    ids.device = deviceID;
    const names = Array.from({ length: hosts }, (_, n) => `Gi1/0/${n + 1}`);
    await transact(({ client }) =>
      observePorts(
        client,
        names.map((name) => ({ deviceID, name, portType: 0, defaultVlan: '99' })),
      ),
    );
    ports.push(...(await sql<{ id: number }>('select id from port order by name')).map(({ id }) => id));
    ids.camera = await admin.create(role, { name: 'Camera' });
    ids.network = await admin.create(logicalNetwork, { name: 'Cameras' });
    ids.configuration = await admin.create(accessConfiguration, {
      name: 'To cameras',
      type: 'LOGICAL_NETWORK',
      logicalNetworkID: ids.network,
    });
    ids.value = await admin.create(logicalNetworkConfiguration, {
      logicalNetworkID: ids.network,
      elementType: 'CONTAINER',
      elementID: ids.hall,
      accessType: 'VLAN_ID',
      accessValue: '30',
    });
    ids.others = await admin.create(accessConfiguration, {
      name: 'To 40',
      type: 'DIRECT',
      directConfiguration: { accessType: 'VLAN_ID', accessValue: '40' },
    });
    ids.to50 = await admin.create(accessConfiguration, {
      name: 'To 50',
      type: 'DIRECT',
      directConfiguration: { accessType: 'VLAN_ID', accessValue: '50' },
    });
    for (let n = 0; n < hosts; n++) {
      const fields = { hostName: `host-${n}`, type: 2, ...(n < 2 && { role: 'Camera' }) };
      const { id } = await transact(({ records }) => records.create(host, fields));
      ids[`host-${n}`] = id;
      await transact(({ records }) => records.create(adapter, { physicalAddress: mac(n), hostID: id }));
      await sql('insert into connection_active (mac, device_id, port_id, vlan) values ($1, $2, $3, $4)', [
        mac(n),
        deviceID,
        ports[n],
        '1',
      ]);
    }
    ids.enforced = await tagged('enforce-role');
    ids.registration = await tagged('enforce-registration');
    ids.floor = Number(
      String((await admin.post('/system/group/PORT', { name: 'Floor' })).headers.location)
        .split('/')
        .at(-1),
    );
    ids.lab = Number(
      String((await admin.post('/system/group/HOST', { name: 'Lab' })).headers.location)
        .split('/')
        .at(-1),
    );
    expect((await send(['/system/group/add-members', { elemID: [ids['host-3']], groupID: [ids.lab] }])).code).toBe(200);
    ids.staff = await admin.create(role, { name: 'Staff' });
    ids.people = await admin.create({ path: '/system/group/USER' }, { name: 'People' });
    // Two users of the group, one of them logged on at a connected host.
    for (const userID of ['ann', 'bob']) {
      const { id } = await transact(({ records }) => records.create(userAccount, { userID }));
      await limiter.join(ids.people, elementCodes.USER, id);
    }
    await sql('update host set logged_on_user_id = $2 where id = $1', [ids['host-2'], 'Ann']);
  });

  /** The writes run in this order, each on the result of the previous one. */
  const writes: [name: string, write: () => Write, changed: number, made?: string][] = [
    [
      'a policy where nothing is enforced',
      () => [
        '/policy/access',
        { name: 'Cameras', criteria: { who: { roles: ['Camera'] } }, accessConfigurationID: ids.configuration },
      ],
      0,
      'first',
    ],
    [
      'ports that join an enforcement group',
      () => ['/system/group/add-members', { elemID: ports.slice(0, 4), groupID: [ids.enforced] }],
      4,
    ],
    [
      'a policy for the others',
      () => ['/policy/access', { name: 'Others', ...everywhere(), accessConfigurationID: ids.others }],
      2,
      'second',
    ],
    ['another order', () => ['/policy/access/rank/swap', { id: [ids.first, ids.second] }], 2],
    ['the order as it was', () => ['/policy/access/rank/set', { id: ids.first, rank: 1 }], 2],
    [
      'another value of a logical network',
      () => [`/policy/logical-network-configuration/${ids.value}`, { accessValue: '31' }],
      2,
    ],
    [
      'values of a device',
      () => [
        `/policy/logical-network-configuration/element/properties/${ids.device}`,
        { configurations: [{ logicalNetworkID: ids.network, accessType: 'VLAN_ID', accessValue: '32' }] },
      ],
      2,
    ],
    [
      'values by key',
      () => [
        '/policy/logical-network-configuration/batch-upsert',
        [
          {
            logicalNetworkID: ids.network,
            elementType: 'PORT',
            elementID: ports[0],
            accessType: 'VLAN_ID',
            accessValue: '33',
          },
        ],
      ],
      1,
    ],
    [
      'a configuration',
      () => [
        `/policy/access-configuration/${ids.others}`,
        { directConfiguration: { accessType: 'VLAN_ID', accessValue: '41' } },
      ],
      2,
    ],
    ['a label that decides nothing', () => [`/policy/access-configuration/${ids.others}`, { name: 'To 41' }], 0],
    ['a role that claims a group', () => [`/policy/role/${ids.camera}`, { groupIDs: [ids.lab] }], 1],
    [
      'a policy for a role that nobody has',
      () => [
        '/policy/access',
        { name: 'Staff', rank: 1, criteria: { who: { roles: ['Staff'] } }, accessConfigurationID: ids.configuration },
      ],
      0,
    ],
    ['a role that claims who is logged on', () => [`/policy/role/${ids.staff}`, { groupIDs: [ids.people] }], 1],
    ['a role that claims nobody', () => [`/policy/role/${ids.staff}`, { groupIDs: [] }], 1],
    [
      'a nested group of ports',
      () => ['/system/group/add-to-parents', { groupID: ids.floor, parentID: [ids.enforced] }],
      0,
    ],
    [
      'a port in the nested group',
      () => ['/system/group/membership', { elemID: [ports[4]], groupID: [ids.floor], type: 'PORT' }],
      1,
    ],
    [
      'a group that is taken out',
      () => ['/system/group/remove-from-parent', { parentID: ids.enforced, id: [ids.floor] }],
      1,
    ],
    [
      'a role mapping',
      () => [
        '/policy/role-mapping',
        { name: 'Mapped', roleID: ids.camera, accessConfigurationID: ids.others, appliesTo: 'ALL' },
      ],
      3,
      'mapping',
    ],
    ['a disabled policy', () => [`/policy/access/${ids.second}/disable`], 1],
    ['a policy that goes', () => [`/policy/access/${ids.second}`, undefined, 'DELETE'], 0],
    ['a mapping that goes', () => ['/policy/role-mapping/delete', { id: [ids.mapping] }], 3],
    ['ports that leave', () => ['/system/group/remove-members', { elemID: [ports[0]], groupID: [ids.enforced] }], 1],
  ];

  test.each(writes)(
    '%s: the dry run lists the connections that the write changes',
    async (_name, write, changed, idName) => {
      const before = await everybody();
      const was = await generation();
      const { results, filtered, total } = await dryRun(write());
      expect(await generation()).toBe(was);
      expect(await namedWithoutRights(write(), changed)).toEqual([]);
      expect({ filtered, total }).toEqual({ filtered: changed, total: hosts });
      const reply = await send(write());
      expect([200, 201], reply.text).toContain(reply.code);
      if (idName) ids[idName] = Number(String(reply.headers.location).split('/').at(-1));
      while (await transact((tx) => assignDueRoles(tx)));
      const after = await everybody();
      expect(differences(results!, before, after)).toEqual([]);
    },
  );

  test('a row shows the host, its location and how the device would apply the change', async () => {
    const write: Write = [
      '/policy/access',
      { name: 'All', rank: 1, ...everywhere(), accessConfigurationID: ids.others },
    ];
    const { results, filtered } = await dryRun(write, '&start=1&count=1');
    expect(filtered).toBe(3);
    expect(results).toEqual([
      {
        mac: mac(2),
        hostID: ids['host-2'],
        hostName: 'host-2',
        userName: 'ann',
        location: 'sw-3 Gi1/0/3',
        before: { outcome: 'GRANT', accessState: 'PRODUCTION', policyName: null, value: vlan('99') },
        after: {
          outcome: 'GRANT',
          accessState: 'PRODUCTION',
          policyName: 'All',
          value: vlan('41'),
        },
        families: [],
        enforcement: null,
        interrupts: false,
        unresolved: false,
      },
    ]);
  });

  test('a later page comes from the comparison of the first page, without running the write again', async () => {
    const write: Write = [
      '/policy/access',
      { name: 'Pages', rank: 1, ...everywhere(), accessConfigurationID: ids.others },
    ];
    const first = await dryRun(write, '&count=2');
    await transact(async ({ client }) => {
      await client.query('select from policy_generation for update');
      const second = await dryRun(write, '&start=2&count=2');
      expect([second.filtered, second.total]).toEqual([first.filtered, first.total]);
      const macs = [...first.results!, ...second.results!].map((row) => row.mac);
      expect(macs).toHaveLength(first.filtered!);
      expect(new Set(macs).size).toBe(first.filtered);
    });
  });

  test('maxImpact rejects a write that changes more connections, with their number, and stores one that does not', async () => {
    const body = { name: 'Bounded', rank: 1, ...everywhere(), accessConfigurationID: ids.others };
    const was = await generation();
    const refused = await send(['/policy/access', body], '?maxImpact=2');
    expect(refused).toMatchObject({ code: 409, body: { status: 'protected' } });
    expect(refused.body.errorMessage).toContain('would change 3 live connections, and maxImpact allows 2');
    expect(await send(['/policy/access', body], '?maxImpact=2&dryRun=true')).toMatchObject({
      code: 409,
      text: refused.text,
    });
    expect(await generation()).toBe(was);
    expect((await sql(`select from access_policy where name = 'Bounded'`)).length).toBe(0);
    const headers = { 'idempotency-key': 'bounded' };
    const stored = await admin.post('/policy/access?maxImpact=3', body, headers);
    expect(stored).toMatchObject({ code: 201 });
    const again = await admin.post('/policy/access?maxImpact=3', body, headers);
    expect(again).toMatchObject({ code: 201, text: stored.text });
    expect(await generation()).toBe(was + 1);
  });

  test('rejects a role that changes more connections than maxImpact allows, and stores one that changes as many', async () => {
    const claims = (groupIDs: unknown[]): Write => [`/policy/role/${ids.camera}`, { groupIDs }];
    const groupsOf = async () => (await admin.fetch(role, ids.camera!)).groupIDs;
    const criteria = { who: { roles: ['Camera'] } };
    const policy = { name: 'Of cameras', rank: 1, criteria, accessConfigurationID: ids.to50 };
    const id = await admin.create({ path: '/policy/access' }, policy);
    const before = (await groupsOf()) as unknown[];
    expect((await dryRun(claims([]))).filtered).toBe(1);
    expect(await send(claims([]), '?maxImpact=0')).toMatchObject({ code: 409, body: { status: 'protected' } });
    expect(await groupsOf()).toEqual(before);
    expect(await send(claims([]), '?maxImpact=1')).toMatchObject({ code: 200 });
    expect(await groupsOf()).toEqual([]);
    for (const write of [claims(before), [`/policy/access/${id}`, undefined, 'DELETE'] as Write])
      expect(await send(write)).toMatchObject({ code: 200 });
    while (await transact((tx) => assignDueRoles(tx)));
  });

  test('counts the same VLAN by other RADIUS attributes as a change for RADIUS connections only', async () => {
    const withAttributes = (radiusAttrGroupID: number): Write => [
      `/policy/access-configuration/${ids.others}`,
      { directConfiguration: { ...vlan('41'), radiusAttrGroupID } },
    ];
    expect((await dryRun(withAttributes(1))).filtered).toBe(0);
    await sql('update network_device set radius_enabled = true where id = $1', [ids.device]);
    const { results, filtered } = await dryRun(withAttributes(2));
    const moved = results!.map((row) => row.mac);
    expect(filtered).toBe(moved.length);
    expect(moved).toContain(mac(1));
    await sql('update network_device set radius_enabled = false where id = $1', [ids.device]);
  });

  test('maxImpact reports the same faults, and is accepted only by operations that can change connections', async () => {
    expect(
      (await send(['/policy/access', { name: 'Bounded', accessConfigurationID: ids.others }], '?maxImpact=9')).code,
    ).toBe(409);
    expect((await send(['/policy/access', { name: 'None', accessConfigurationID: 999 }], '?maxImpact=9')).code).toBe(
      422,
    );
    expect((await send(['/device/container', { name: 'Yard' }], '?maxImpact=9')).code).toBe(400);
    const hostGroup: Write = ['/system/group/add-members', { elemID: [ids['host-1']], groupID: [ids.lab] }];
    expect(await send(hostGroup, '?maxImpact=9')).toMatchObject({ code: 422 });
    expect(await dryRun(hostGroup)).toEqual({ status: 'success', errorMessage: null, results: [] });
  });

  test('counts no connection whose access stays the same under another policy', async () => {
    const create = (name: string, accessConfigurationID: number) =>
      admin.create({ path: '/policy/access' }, { name, rank: 1, ...everywhere(), accessConfigurationID });
    const below = await create('All in 41', ids.others!);
    const same = await admin.create(accessConfiguration, {
      name: 'Also 41',
      type: 'DIRECT',
      directConfiguration: vlan('41'),
    });
    const above: Write = [
      '/policy/access',
      { name: 'All above', rank: 1, ...everywhere(), accessConfigurationID: same },
    ];
    expect(await dryRun(above)).toMatchObject({ results: [], filtered: 0, total: hosts });
    expect(await send(above, '?maxImpact=0')).toMatchObject({ code: 201 });
    expect([...(await everybody()).values()].filter(({ policyName }) => policyName === 'All above')).toHaveLength(3);
    const slower: Write = [`/policy/access-configuration/${same}`, { sessionTimeoutMinutes: 5 }];
    expect((await dryRun(slower)).filtered).toBe(3);
    const [{ id }] = (await sql<{ id: number }>(`select id from access_policy where name = 'All above'`)) as [
      { id: number },
    ];
    for (const policy of [id, below]) expect((await admin.delete(`/policy/access/${policy}`)).code).toBe(200);
    expect((await admin.delete(`/policy/access-configuration/${same}`)).code).toBe(200);
  });

  test('lists the next login as the enforcement of a RADIUS connection, and none for others', async () => {
    let runs = 0;
    // A different name each time, because a repeated dry run returns the comparison of the first one.
    const body = () => ({ name: `All ${++runs}`, rank: 1, ...everywhere(), accessConfigurationID: ids.to50 });
    const enforcements = async () =>
      (await dryRun(['/policy/access', body()])).results!.map(({ enforcement, interrupts }) => [
        enforcement,
        interrupts,
      ]);
    expect(await enforcements()).toEqual(Array(3).fill([null, false]));
    await sql('update network_device set radius_enabled = true');
    await sql(`update adapter set auth_type = 'MAB'`);
    await expect.poll(enforcements).toEqual(Array(3).fill(['NEXT_LOGIN', false]));
    await sql('update network_device set radius_enabled = false');
    await sql(`update adapter set auth_type = 'NONE'`);
    await expect.poll(enforcements).toEqual(Array(3).fill([null, false]));
  });

  test('the preview of a move names the policies that lose or gain a connection, and moves nothing', async () => {
    const yard = await admin.create(container, { name: 'Yard' });
    const before = await everybody();
    const shown = await admin.get(`/device/move?id=${ids.device}&containerID=${yard}`);
    expect(shown, `${shown.text}${world.logged.at(-1)}`).toMatchObject({ code: 200 });
    expect(shown.body.results).toMatchObject([{ to: 'Yard', policiesAffected: ['Bounded', 'Cameras'] }]);
    expect(await everybody()).toEqual(before);
    expect(await admin.fetch(networkDevice, ids.device!)).toMatchObject({ container: 'Hall' });
    const moved = await admin.get(`/device/move?id=${ids.device}&containerID=${yard}&commit=true`);
    expect(moved.body.results).toEqual(shown.body.results);
    const names = [...(await everybody()).values()].map(({ policyName }) => policyName);
    expect(names).not.toContain('Bounded');
    expect((await admin.get(`/device/move?id=${ids.device}&containerID=${ids.hall}&commit=true`)).code).toBe(200);
  });

  test('compares each of several concurrent writes with maxImpact on top of those stored before it', async () => {
    const every = { view: true, add: true, modify: true, delete: true };
    const callers = await Promise.all(
      Array.from({ length: 3 }, () => limiter.caller({ permissions: { 'policy-access': every } })),
    );
    const policies = await Promise.all(
      Array.from({ length: 6 }, (_, n) =>
        callers[n % callers.length]!.post(`/policy/access?maxImpact=${hosts}`, {
          name: `Race ${n}`,
          accessConfigurationID: ids.others,
        }),
      ),
    );
    for (const { code, text } of policies) expect([201, 409], text).toContain(code);
    const storedPolicies = await sql(`select from access_policy where name like 'Race %'`);
    expect(storedPolicies).toHaveLength(policies.filter(({ code }) => code === 201).length);
  });

  test('accepts two concurrent dry runs of one account, and those of other accounts at the same time', async () => {
    const permissions = { 'policy-access': { view: true, add: true } };
    const [first, second] = [await limiter.caller({ permissions }), await limiter.caller({ permissions })];
    const tryWith = (caller: typeof first, n: number) =>
      caller.post('/policy/access?dryRun=true', { name: `Tried ${n}`, accessConfigurationID: ids.others });
    const replies: { caller: typeof first; code: number; text: string }[] = [];
    let all: Promise<unknown> = Promise.resolve();
    await transact(async ({ client }) => {
      // No dry run can continue while this transaction locks the generation row.
      await client.query('select from policy_generation for update');
      const underWay = [first, second].flatMap((caller) =>
        [1, 2, 3].map(async (n) => {
          const { code, text } = await tryWith(caller, n);
          replies.push({ caller, code, text });
        }),
      );
      // The service may accept the three requests of an account in any order: whichever comes last is refused.
      await until('a refusal for each account', () => replies.length >= 2);
      all = Promise.all(underWay);
      expect(new Set(replies.map(({ caller }) => caller))).toEqual(new Set([first, second]));
      for (const { code, text } of replies) {
        expect(code, text).toBe(503);
        expect(text).toContain('Two dry runs');
      }
    });
    await all;
    expect(replies.map(({ code }) => code)).toEqual([503, 503, 200, 200, 200, 200]);
    expect((await tryWith(first, 6)).code).toBe(200);
  });
});
