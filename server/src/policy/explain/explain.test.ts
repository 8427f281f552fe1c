import { beforeAll, describe, expect, test } from 'vitest';
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
import { role } from '../role/role.ts';

type Decision = Record<string, unknown> & {
  trace: { step: number; kind: string; id: number; name: string; result: string; checks: { actual: unknown }[] }[];
};

describe('GET /host/{id}/policy', async () => {
  const world = await startWorld();
  const { admin } = world;
  const limiter = new Limiter(world);
  const { sql, transact } = { sql: limiter.sql.bind(limiter), transact: limiter.transact.bind(limiter) };
  const mac = (n: number) => `00:1D:09:00:00:${n.toString(16).padStart(2, '0').toUpperCase()}`;
  const ids: Record<string, number> = {};
  let createdHosts = 0;

  const explain = async (hostID: number, query = '', caller: Pick<typeof admin, 'get'> = admin) =>
    (await caller.get<Decision>(`/host/${hostID}/policy${query}`)).body.results!;
  const criteria = (who: object = {}, where: object = {}, when: object = {}) => ({
    who: { roles: [], groups: [], attributes: [], ...who },
    where: { containers: [], deviceGroups: [], portGroups: [], ssids: [], ...where },
    when: { version: 0, alwaysOn: true, startTimeOfDay: 0, endTimeOfDay: 1_440, daysOfWeek: 127, ...when },
  });
  const policy = async (name: string, policyCriteria: object, configurationID: number) =>
    (
      await sql<{ id: number }>(
        `insert into access_policy (name, note, rank, enabled, criteria, access_configuration_id)
         values ($1, '', (select coalesce(max(rank), 0) + 1 from access_policy), true, $2, $3) returning id`,
        [name, JSON.stringify(policyCriteria), configurationID],
      )
    )[0]!.id;
  const tagged = async (tag: string) =>
    (await sql<{ id: number }>('select id from "group" where tag = $1', [tag]))[0]!.id;
  const newHost = async (fields: object = {}) => {
    const { id } = await transact(({ records }) =>
      records.create(host, { hostName: `host-${++createdHosts}`, ...fields }),
    );
    const { id: adapterID } = await transact(({ records }) =>
      records.create(adapter, { physicalAddress: mac(createdHosts), hostID: id }),
    );
    return { id, adapterID, mac: mac(createdHosts) };
  };
  const connect = (address: string, portID: number) =>
    sql('insert into connection_active (mac, device_id, port_id, vlan) values ($1, $2, $3, $4)', [
      address,
      ids.device,
      portID,
      '1',
    ]);
  const networkValue = (logicalNetworkID: number, elementType: string, elementID: number, vlan: string) =>
    admin.create(logicalNetworkConfiguration, {
      logicalNetworkID,
      elementType,
      elementID,
      accessType: 'VLAN_ID',
      accessValue: vlan,
    });

  beforeAll(async () => {
    ids.hall = await admin.create(container, { name: 'Hall' });
    ids.device = (
      await transact(({ records }) => records.create(networkDevice, { name: 'sw-3', containerID: ids.hall! }))
    ).id;
    await sql(`update network_device set protocol = 'SNMP_V2C'`);
    const observedPort = (name: string, portType: number) => ({
      deviceID: ids.device!,
      name,
      portType,
      defaultVlan: '99',
    });
    await transact(({ client }) => observePorts(client, [observedPort('Gi1/0/1', 0), observedPort('Gi1/0/2', 0)]));
    await transact(({ client }) => observePorts(client, [observedPort('Guests', 1)]));
    for (const { id, name } of await sql<{ id: number; name: string }>('select id, name from port')) ids[name] = id;
    ids.cameras = await admin.create(logicalNetwork, { name: 'Cameras' });
    ids.camera = await admin.create(role, { name: 'Camera' });
    ids.cameraAccess = await admin.create(accessConfiguration, {
      name: 'Cameras',
      type: 'LOGICAL_NETWORK',
      logicalNetworkID: ids.cameras,
    });
    await networkValue(ids.cameras, 'CONTAINER', ids.hall, '30');
    ids.cameraPolicy = await policy(
      'Cameras',
      criteria({ roles: [ids.camera] }, { containers: [ids.hall] }),
      ids.cameraAccess,
    );
    for (const tag of ['enforce-registration', 'enforce-role'])
      await limiter.join(await tagged(tag), elementCodes.PORT, ids['Gi1/0/1']!);
  });

  test('returns one entry without a decision for a host without a connection, and decides for a place in the query', async () => {
    const { id, adapterID } = await newHost();
    const [entry, ...rest] = await explain(id);
    expect(rest).toEqual([]);
    expect(entry).toMatchObject({ hostID: id, adapterID, outcome: 'NOT_ENFORCED', step: null, trace: [] });
    expect(entry!.reason).toContain('is not connected');
    expect(await explain(id, `?portID=${ids['Gi1/0/1']}`)).toMatchObject([{ step: 9, outcome: 'GRANT' }]);
    expect(await explain(id, '?ssid=Guests')).toMatchObject([{ step: 9, outcome: 'NOT_ENFORCED' }]);
  });

  test('isolates a rogue in Registration where registration is enforced', async () => {
    const rogue = await newHost({ type: 1 });
    await connect(rogue.mac, ids['Gi1/0/1']!);
    const [decision] = await explain(rogue.id);
    expect(decision).toMatchObject({
      mac: rogue.mac,
      outcome: 'DENY',
      accessState: 'REGISTRATION',
      step: 4,
      value: null,
    });
    const [registration] = await sql<{ id: number }>(
      `select id from logical_network where access_state = 'REGISTRATION'`,
    );
    await networkValue(registration!.id, 'DEVICE', ids.device!, '77');
    expect((await explain(rogue.id))[0]).toMatchObject({
      outcome: 'ISOLATE',
      logicalNetwork: 'Registration',
      value: { accessType: 'VLAN_ID', accessValue: '77', source: 'DEVICE' },
      radius: null,
    });
  });

  describe('at a RADIUS client', () => {
    const reject = { code: 'Access-Reject', attributes: [] };
    const place = (name: string) => `portID=${ids[name]}`;
    const decide = async (hostID: number, query: string) => (await explain(hostID, `?${query}`))[0]!;

    beforeAll(async () => {
      const { id: deviceID } = await transact(({ records }) =>
        records.create(networkDevice, {
          name: 'ap-1',
          ipAddress: '127.0.0.9',
          containerID: 1,
          radiusEnabled: true,
          radiusSecret: 'secret-of-nas',
        }),
      );
      ids.client = deviceID;
      const observed = (name: string, portType: number) => ({ deviceID, name, portType, defaultVlan: '44' });
      await transact(({ client }) =>
        observePorts(client, [observed('Gi2/0/1', 0), observed('Gi2/0/2', 0), observed('Gi2/0/3', 0)]),
      );
      await transact(({ client }) => observePorts(client, [observed('Staff', 1)]));
      for (const { id, name } of await sql<{ id: number; name: string }>(
        'select id, name from port where device_id = $1',
        [deviceID],
      ))
        ids[name] = id;
      for (const name of ['Gi2/0/1', 'Staff'])
        await limiter.join(await tagged('enforce-remediation'), elementCodes.PORT, ids[name]!);
      await limiter.join(await tagged('enforce-role'), elementCodes.PORT, ids['Gi2/0/3']!);
    });

    const atRisk = async () => {
      const { id } = await newHost();
      await sql(`insert into host_risk (host_id, source, level) values ($1, 'ADMIN', 'AT_RISK')`, [id]);
      return id;
    };

    test('rejects a host that never sent a RADIUS request if its state has no value', async () => {
      const id = await atRisk();
      const isRejected = { step: 3, outcome: 'DENY', accessState: 'QUARANTINE', value: null, radius: reject };
      expect(await decide(id, place('Gi2/0/1'))).toMatchObject({
        ...isRejected,
        reason: 'The host is at risk: Quarantine has no value here, so the request is rejected.',
      });
      expect(await decide(id, 'ssid=Staff')).toMatchObject(isRejected);
      const bySnmp = await decide(id, `${place('Gi1/0/1')}&enforced=true`);
      expect(bySnmp).toMatchObject({ radius: null });
      expect(bySnmp.reason).toContain('the port is left as it is');
    });

    test('rejects a disabled host where Dead End is not enforced', async () => {
      const { id } = await newHost({ enabled: false });
      expect(await decide(id, place('Gi2/0/2'))).toMatchObject({
        step: 2,
        outcome: 'DENY',
        accessState: 'DEAD_END',
        radius: reject,
      });
      expect(await decide(id, place('Gi1/0/2'))).toMatchObject({ step: 2, outcome: 'NOT_ENFORCED', radius: null });
    });

    test('decides a connection that a poll found as a RADIUS connection, also in the list of ports', async () => {
      const id = await atRisk();
      const [{ mac: address }] = (await sql<{ mac: string }>(
        'select physical_address as mac from adapter where host_id = $1',
        [id],
      )) as [{ mac: string }];
      await sql('insert into connection_active (mac, device_id, port_id, vlan) values ($1, $2, $3, $4)', [
        address,
        ids.client,
        ids['Gi2/0/1'],
        '44',
      ]);
      expect((await explain(id))[0]).toMatchObject({ outcome: 'DENY', radius: reject });
      const listed = await admin.get('/device/port/enforcement?filter=name==Gi2/0/1');
      expect(listed.body.results).toMatchObject([{ accessState: 'QUARANTINE', desiredVlan: null, inSync: true }]);
    });

    test('does not show a default VLAN that the reply does not contain as value or desired VLAN', async () => {
      const camera = await newHost({ type: 3 });
      await sql('insert into connection_active (mac, device_id, port_id, vlan) values ($1, $2, $3, $4)', [
        camera.mac,
        ids.client,
        ids['Gi2/0/3'],
        '1',
      ]);
      const port = async () =>
        (await admin.get<object>('/device/port/enforcement?filter=name==Gi2/0/3')).body.results![0];
      expect((await explain(camera.id))[0]).toMatchObject({
        step: 9,
        outcome: 'GRANT',
        value: null,
        radius: { code: 'Access-Accept', attributes: [] },
        reason: "No policy matches: the device's own default applies (sendDefaultVlan is off).",
      });
      expect(await port()).toMatchObject({ desiredVlan: null, inSync: true });
      await transact(({ records }) => records.update(networkDevice, ids.client!, { sendDefaultVlan: true }));
      expect((await explain(camera.id))[0]).toMatchObject({ value: { accessValue: '44', source: 'PORT' } });
      expect(await port()).toMatchObject({ desiredVlan: '44', inSync: false });
    });
  });

  test('shows the decision for the connected adapter at the port, and the number of decisions at the policy', async () => {
    const camera = await newHost({ type: 3, role: 'Camera' });
    const observedPort = { deviceID: ids.device!, name: 'Gi1/0/9', portType: 0, currentVlan: '30' };
    await transact(({ client }) => observePorts(client, [observedPort]));
    const [storedPort] = await sql<{ id: number }>(`select id from port where name = 'Gi1/0/9'`);
    const portID = storedPort!.id;
    await limiter.join(await tagged('enforce-role'), elementCodes.PORT, portID);
    await connect(camera.mac, portID);
    const enforced = async () =>
      (await admin.get<Record<string, unknown>>('/device/port/enforcement?filter=name==Gi1/0/9')).body.results![0];
    expect(await enforced()).toMatchObject({
      hosts: 1,
      rogues: 0,
      accessState: 'PRODUCTION',
      desiredVlan: '30',
      inSync: true,
    });
    await sql(`update port set current_vlan = '1' where id = $1`, [portID]);
    expect(await enforced()).toMatchObject({ desiredVlan: '30', inSync: false });
    const hits = await world.service.policies.hits(Date.parse('2027-01-04T12:00:00Z'));
    expect(hits.access.get(ids.cameraPolicy!)).toBeGreaterThan(0);
  });

  test('grants a role its network with the value of the place, and shows every step', async () => {
    const camera = await newHost({ type: 3, role: 'Camera' });
    await connect(camera.mac, ids['Gi1/0/1']!);
    const [decision] = await explain(camera.id);
    expect(decision).toMatchObject({
      outcome: 'GRANT',
      accessState: 'PRODUCTION',
      step: 7,
      policyID: ids.cameraPolicy,
      policyName: 'Cameras',
      configurationID: ids.cameraAccess,
      logicalNetwork: 'Cameras',
      value: { accessType: 'VLAN_ID', accessValue: '30', source: 'CONTAINER' },
      families: { authentication: null, compliance: null, portal: null, supplicant: null },
      reason: 'Access policy Cameras matches: Cameras is VLAN 30, from container Hall.',
    });
    expect(new Set(decision!.trace.map(({ step }) => step))).toEqual(new Set([1, 2, 3, 4, 5, 7, 8, 9]));
    expect(decision!.trace.find(({ kind }) => kind === 'ACCESS')).toMatchObject({ name: 'Cameras', result: 'MATCH' });
    const [watched] = await explain(camera.id, `?portID=${ids['Gi1/0/2']}`);
    expect(watched).toMatchObject({ outcome: 'NOT_ENFORCED', step: 9 });
    expect(watched!.trace.find(({ kind }) => kind === 'ACCESS')).toMatchObject({ result: 'SKIPPED_NOT_ENFORCED_HERE' });
    expect(await explain(camera.id, `?portID=${ids['Gi1/0/2']}&enforced=true`)).toMatchObject([
      { step: 7, value: { accessValue: '30' } },
    ]);
    expect(await explain(camera.id, '?radius.NAS-Port-Type=Ethernet')).toMatchObject([
      {
        radius: {
          code: 'Access-Accept',
          attributes: [
            { name: 'Tunnel-Type', value: 'VLAN' },
            { name: 'Tunnel-Medium-Type', value: 'IEEE-802' },
            { name: 'Tunnel-Private-Group-Id', value: '30' },
          ],
        },
      },
    ]);
  });

  test('shows current names, also after a rename that changes no decision', async () => {
    const camera = await newHost({ type: 3, role: 'Camera' });
    await connect(camera.mac, ids['Gi1/0/1']!);
    await transact(({ records }) => records.update(container, ids.hall!, { name: 'Hall B' }));
    expect((await explain(camera.id))[0]!.reason).toContain('container Hall B');
    await transact(({ records }) => records.update(container, ids.hall!, { name: 'Hall' }));
  });

  test('decides for a user, RADIUS attributes and an instant of the query', async () => {
    const office = await admin.create(accessConfiguration, {
      name: 'Office',
      type: 'DIRECT',
      directConfiguration: { accessType: 'VLAN_ID', accessValue: '40' },
    });
    const condition = (attribute: string, value: string) => ({ conditions: [{ attribute, op: 'EQ', value }] });
    await policy('Alice', criteria({ attributes: [condition('user.userID', 'alice')] }), office);
    await policy('Wired', criteria({ attributes: [condition('radius.NAS-Port-Type', 'Ethernet')] }), office);
    await policy('Saturday', criteria({}, {}, { alwaysOn: false, daysOfWeek: 64 }), office);
    await transact(({ records }) => records.create(userAccount, { userID: 'alice' }));
    const laptop = await newHost();
    await connect(laptop.mac, ids['Gi1/0/1']!);
    const [year] = await sql<{ from: string; next: string }>(
      `select to_char(d.day, 'YYYY-MM-DD') as "from", to_char(d.day + 1, 'YYYY-MM-DD') as next
       from (select current_date + (13 - extract(dow from current_date)::integer) as day) d`,
    );
    const policyNameFor = async (query: string) => (await explain(laptop.id, query))[0]!.policyName;
    expect(await policyNameFor('?userID=Alice')).toBe('Alice');
    await transact(({ records }) => records.create(userAccount, { userID: 'bob' }));
    expect(await policyNameFor('?userID=bob&radius.NAS-Port-Type=ethernet')).toBe('Wired');
    expect(await policyNameFor(`?at=${year!.from}T12:00:00Z`)).toBe('Saturday');
    expect(await policyNameFor(`?at=${year!.next}T12:00:00Z`)).toBe(null);
    // On a Saturday it would also match the hosts of the following tests.
    await sql(`delete from access_policy where name = 'Saturday'`);
  });

  test('matches a host added to the lowest of three nested groups with a policy for the highest at once', async () => {
    const [top, middle, bottom] = [
      await limiter.group('HOST'),
      await limiter.group('HOST'),
      await limiter.group('HOST'),
    ];
    for (const [parentID, groupID] of [
      [top, middle],
      [middle, bottom],
    ])
      expect((await admin.post('/system/group/add-to-parents', { groupID, parentID: [parentID] })).code).toBe(200);
    const granted = await admin.create(accessConfiguration, {
      name: 'Laboratory',
      type: 'DIRECT',
      directConfiguration: { accessType: 'VLAN_ID', accessValue: '50' },
    });
    const top1 = await policy('Laboratory', criteria({ groups: [top] }), granted);
    const { id, mac: address } = await newHost();
    await connect(address, ids['Gi1/0/1']!);
    expect((await explain(id))[0]!.policyID).not.toBe(top1);
    const generation = (await explain(id))[0]!.generation;
    expect((await admin.post('/system/group/add-members', { elemID: [id], groupID: [bottom] })).code).toBe(200);
    expect((await explain(id))[0]).toMatchObject({
      policyName: 'Laboratory',
      value: { accessValue: '50' },
      generation,
    });
  });

  test('rejects unknown records and contradictory parameters', async () => {
    const { id } = await newHost();
    const otherHost = await newHost();
    const code = async (query: string, hostID = id) => (await admin.get(`/host/${hostID}/policy${query}`)).code;
    expect(await code('', 999_999)).toBe(404);
    expect(await code(`?adapterID=${otherHost.adapterID}`)).toBe(422);
    expect(await code('?portID=999999')).toBe(422);
    expect(await code('?ssid=Nowhere')).toBe(422);
    expect(await code(`?portID=${ids['Gi1/0/1']}&ssid=Guests`)).toBe(400);
    expect(await code('?at=2199-01-01T00:00:00Z')).toBe(400);
    expect(await code('?radius.__proto__%20x=1')).toBe(400);
    expect(await code('?radius=1')).toBe(400);
    expect(await code('?radius.NAS-Port-Type=Ethernet')).toBe(200);
  });

  test('hides other hosts and names from a caller who sees only some hosts', async () => {
    const camera = await newHost({ type: 3, role: 'Camera' });
    await connect(camera.mac, ids['Gi1/0/1']!);
    const hosts = await limiter.group('HOST');
    const adapters = await limiter.group('ADAPTER');
    const scoped = await limiter.caller({ manageByGroups: true, permissions: { hosts: { view: true } } });
    await limiter.manage(scoped.accountId, hosts, adapters);
    expect((await scoped.get(`/host/${camera.id}/policy`)).code).toBe(404);
    await limiter.join(hosts, elementCodes.HOST, camera.id);
    await limiter.join(adapters, elementCodes.ADAPTER, camera.adapterID);
    await expect.poll(async () => (await scoped.get(`/host/${camera.id}/policy`)).code, { timeout: 10_000 }).toBe(200);
    const text = JSON.stringify(await explain(camera.id, '', scoped));
    for (const hidden of ['Cameras', 'Hall', 'sw-3', 'Gi1/0/1', '"Camera"']) expect(text).not.toContain(hidden);
    expect(text).toContain(`access policy #${ids.cameraPolicy}`);
    expect(text).toContain(`role #${ids.camera}`);
  });

  describe('as another user', () => {
    const profileWith = (permissions: object = {}) => ({ permissions: { hosts: { view: true }, ...permissions } });
    const accounts = { 'admin-profiles': { view: true } };
    const queryFor = (userID: string) => `?portID=${ids['Gi1/0/1']}&enforced=true&userID=${userID}`;
    const answerFor = async (caller: Pick<typeof admin, 'get'>, hostID: number, userID: string) => {
      const { code, body } = await caller.get<Decision>(`/host/${hostID}/policy${queryFor(userID)}`);
      return `${code} ${body.errorMessage ?? body.results![0]!.userName}`;
    };

    beforeAll(async () => {
      await transact(({ records }) => records.create(userAccount, { userID: 'carol' }));
    });

    test('decides for an account, and rejects a name that no account has', async () => {
      const { id } = await newHost();
      const viewer = await limiter.caller(profileWith(accounts));
      for (const caller of [admin, viewer]) {
        expect(await answerFor(caller, id, 'Carol')).toBe('200 carol');
        expect(await answerFor(caller, id, 'nosuch')).toBe('422 userID: there is no account "nosuch".');
      }
    });

    test('returns the same response for existing and unknown names without the right to view accounts', async () => {
      const { id } = await newHost();
      const caller = await limiter.caller(profileWith());
      const refusal = await answerFor(caller, id, 'carol');
      expect(refusal).toMatch(/^403 .*admin-profiles/);
      expect(await answerFor(caller, id, 'nosuch')).toBe(refusal);
    });

    test('returns the same response for an account that row limits hide as for one that does not exist', async () => {
      const { id, adapterID } = await newHost();
      const caller = await limiter.caller({ manageByGroups: true, ...profileWith(accounts) });
      const [hosts, adapters] = [await limiter.group('HOST'), await limiter.group('ADAPTER')];
      await limiter.join(hosts, elementCodes.HOST, id);
      await limiter.join(adapters, elementCodes.ADAPTER, adapterID);
      await limiter.manage(caller.accountId, hosts, adapters);
      const answerOfNone = await answerFor(caller, id, 'nosuch');
      expect(answerOfNone).toMatch(/^422/);
      expect(await answerFor(caller, id, 'carol')).toBe(answerOfNone.replace('nosuch', 'carol'));
    });

    test('hides users and the user attributes that policies read, without that right', async () => {
      const { id, mac: address } = await newHost();
      await connect(address, ids['Gi1/0/1']!);
      const caller = await limiter.caller(profileWith());
      const textFor = async (userID: string) => {
        await sql('update host set logged_on_user_id = $2 where id = $1', [id, userID]);
        const text = JSON.stringify(await explain(id, '', caller));
        expect(JSON.stringify(await explain(id))).toContain(userID);
        return text;
      };
      for (const userID of ['carol', 'dave-without-account']) {
        const text = await textFor(userID);
        expect(text).not.toContain(userID);
        expect(text).toContain('"userName":null');
        expect(text).toContain('"actual":"a user"');
      }
    });
  });

  test('accepts RADIUS attributes of the dictionary in any case, and rejects others', async () => {
    const { id } = await newHost();
    await sql(
      `insert into radius_dictionary_entry (attribute, value, type, custom, has_tag, encrypt_method, defined_values) values ('NAS-Port-Type', '61', 'integer', false, false, 0, '{}')`,
    );
    await sql(`update radius_dictionary set sha256 = decode(repeat('00', 32), 'hex')`);
    const bodyFor = async (query: string) =>
      (await admin.get<Decision>(`/host/${id}/policy?portID=${ids['Gi1/0/1']}&${query}`)).body;
    expect((await bodyFor('radius.nas-port-TYPE=ethernet')).results).toMatchObject([{ policyName: 'Wired' }]);
    expect((await bodyFor('radius.Nosuch=x')).errorMessage).toBe(
      'radius.Nosuch: the RADIUS dictionary has no attribute Nosuch.',
    );
  });
});
