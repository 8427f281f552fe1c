import { beforeAll, describe, expect, test } from 'vitest';
import { type ConnectedHosts, connectHosts } from '../../../test/decide/connected-hosts.ts';
import { Limiter } from '../../../test/world/restricted-admins.ts';
import { world as startWorld } from '../../../test/world/world.ts';
import { accessConfiguration } from '../access-configuration/access-configuration.ts';
import { accessPolicy } from '../access-policy/access-policy.ts';

interface Row {
  mac: string | null;
  hostID: number | null;
  hostName: string | null;
  location: string | null;
  userName: string | null;
}

const hosts = 4;
const visibleHost = 3;

describe('a dry run by a caller with few rights', async () => {
  const world = await startWorld();
  const { admin } = world;
  const limiter = new Limiter(world);
  const path = accessPolicy.path!;
  let connected: ConnectedHosts;
  let accessConfigurationID = 0;

  const policy = (...conditions: object[]) => ({
    name: 'Tried',
    rank: 1,
    criteria: { where: { containers: [connected.containerID] }, who: { attributes: [{ conditions }] } },
    accessConfigurationID,
  });
  const everyHost = () => policy({ attribute: 'host.hostName', op: 'IS_SET' });
  const writing = { 'policy-access': { view: true, add: true, modify: true } };
  const stored = () => limiter.sql(`select from access_policy where name = 'Tried'`);

  beforeAll(async () => {
    connected = await connectHosts(world, limiter, hosts);
    accessConfigurationID = await admin.create(accessConfiguration, {
      name: 'To 40',
      type: 'DIRECT',
      directConfiguration: { accessType: 'VLAN_ID', accessValue: '40' },
    });
  });

  describe('whose profile shows some hosts only', () => {
    const managing = () => connected.managerOf(visibleHost, { ...writing, hosts: { view: true } });

    test('lists and counts the visible connections alone', async () => {
      const reply = await (await managing()).post<Row>(`${path}?dryRun=true`, everyHost());
      expect(reply, reply.text).toMatchObject({ code: 200, body: { filtered: 1, total: 1 } });
      expect(reply.body.results!.map(({ hostName, location }) => [hostName, location])).toEqual([['host-3', null]]);
      expect((await admin.post(`${path}?dryRun=true`, everyHost())).body).toMatchObject({ filtered: 4, total: 4 });
    });

    test.each([
      ['adapter.physicalAddress', '00:1D:09:00:01:02'],
      ['host.hostName', 'host-2'],
      ['user.userID', '*-2'],
    ])('answers alike whether or not a hidden connection matches %s', async (attribute, value) => {
      const managed = await managing();
      const [hidden, none] = [policy({ attribute, op: 'LIKE', value }), policy({ attribute, op: 'LIKE', value: 'z*' })];
      for (const [body, filtered] of [[hidden, 1] as const, [none, 0] as const])
        expect((await admin.post(`${path}?dryRun=true`, body)).body.filtered).toBe(filtered);
      for (const query of ['dryRun=true', 'dryRun=true&maxImpact=0', 'maxImpact=0']) {
        const onMatch = await managed.post(`${path}?${query}`, hidden);
        const onNone = await managed.post(`${path}?${query}`, none);
        expect([onMatch.code, onMatch.text]).toEqual([onNone.code, onNone.text]);
      }
    });

    test('refuses maxImpact, as does the write itself', async () => {
      const managed = await managing();
      for (const query of ['maxImpact=1000', 'maxImpact=1000&dryRun=true']) {
        const reply = await managed.post(`${path}?${query}`, everyHost());
        expect(reply, reply.text).toMatchObject({ code: 422, body: { status: 'rejected' } });
        expect(reply.body.errorMessage).toContain('your profile shows only some hosts');
      }
      expect(await stored()).toEqual([]);
    });

    test("also hides the counts in a form's choices and the policies of hidden connections in a preview of a move", async () => {
      const managed = await connected.managerOf(visibleHost, {
        ...writing,
        hosts: { view: true },
        devices: { view: true },
      });
      const id = await admin.create(accessPolicy, {
        ...policy({ attribute: 'host.hostName', op: 'EQ', value: 'host-2' }),
        name: 'Of a hidden host',
      });
      const connectedTo = async (caller: typeof admin) => {
        const [info] = (
          await caller.get<{ hits: { policyID: number; connected: number | null }[] }>(`${path}/supporting-info`)
        ).body.results!;
        return info!.hits.find(({ policyID }) => policyID === id)!.connected;
      };
      expect(await connectedTo(managed)).toBeNull();
      expect(await connectedTo(admin)).toBe(1);
      const yard = await admin.create({ path: '/device/container' }, { name: 'Yard' });
      const policiesMoved = async (caller: typeof admin) =>
        (await caller.get<{ policiesAffected: string[] }>(`/device/move?id=${connected.deviceID}&containerID=${yard}`))
          .body.results![0]!.policiesAffected;
      expect(await policiesMoved(admin)).toEqual(['Of a hidden host']);
      expect(await policiesMoved(managed)).toEqual([]);
      await admin.delete(`${path}/${id}`);
    });
  });

  test.each<[right: string, shown: string[]]>([
    ['hosts', ['mac', 'hostID', 'hostName']],
    ['devices', ['location']],
    ['admin-profiles', ['userName']],
  ])('names what the right to view %s shows, and nothing else', async (right, shown) => {
    const columns = ['mac', 'hostID', 'hostName', 'location', 'userName'] as const;
    const shownWith = async (permissions: object) => {
      const reply = await (await limiter.caller({ permissions })).post<Row>(`${path}?dryRun=true`, everyHost());
      expect(reply, reply.text).toMatchObject({ code: 200, body: { filtered: hosts } });
      return reply.body.results!.map((row) => columns.filter((name) => row[name] !== null));
    };
    expect(await shownWith({ ...writing, [right]: { view: true } })).toEqual(Array(hosts).fill(shown));
    expect(await shownWith(writing)).toEqual(Array(hosts).fill([]));
  });
});
