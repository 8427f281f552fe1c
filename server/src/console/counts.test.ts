import { beforeAll, describe, expect, test } from 'vitest';
import { Client } from '../../test/world/client.ts';
import { everyVerb, Limiter } from '../../test/world/restricted-admins.ts';
import { world } from '../../test/world/world.ts';
import { adapter } from '../host/adapter/adapter.ts';
import { host } from '../host/host/host.ts';
import { role } from '../policy/role/role.ts';
import { Counts, type CountsCall } from './counts.ts';

interface Count {
  value: string | null;
  count: number;
  from: string | null;
}

describe('counts by the values of a field', async () => {
  const shared = await world();
  const { admin, service } = shared;
  const limiter = new Limiter(shared);
  const counts = async (query: string, by: Client = admin): Promise<Count[]> => {
    const { code, body, text } = await by.get<Count>(`/console/api/counts?${query}`);
    expect({ code }, text).toEqual({ code: 200 });
    return body.results!;
  };
  const refusal = async (query: string, by: Client = admin) => {
    const { code, body } = await by.get(`/console/api/counts?${query}`);
    return { code, message: body.errorMessage };
  };
  const filtered = async (path: string, filter: string) =>
    (await admin.get(`${path}?count=0&filter=${encodeURIComponent(filter)}`)).body.filtered;

  let ids: number[] = [];

  beforeAll(async () => {
    await admin.create(role, { name: 'Nurse' });
    ids = [];
    for (const [index, hostName] of ['a1', 'a2', 'a3', 'b1'].entries())
      ids.push(await admin.create(host, { hostName, ...(index < 2 && { role: 'Nurse' }) }));
  });

  test('are those of the list, for a choice, a flag and a reference', async () => {
    for (const by of Object.keys(host.fields)) {
      const reply = await admin.get<Count>(`/console/api/counts?group=host&by=${by}&filter=hostName==a*`);
      if (reply.code !== 200) continue;
      expect(
        reply.body.results!.reduce((sum, { count }) => sum + count, 0),
        by,
      ).toBe(3);
      for (const { value, count, from } of reply.body.results!) {
        expect(from).toBeNull();
        const is = value === null ? `${by}=isnull=true` : `${by}==${JSON.stringify(value)}`;
        expect(await filtered(host.path!, `hostName==a*;${is}`), `${by} ${value}`).toBe(count);
      }
    }
    expect(await counts('group=host&by=role&filter=hostName==a*')).toContainEqual({
      value: 'Nurse',
      count: 2,
      from: null,
    });
  });

  test('of hosts take the filters of multifilter, and count by what their adapters have', async () => {
    const hostID = ids[0]!;
    for (const physicalAddress of ['02:00:00:00:0C:01', '02:00:00:00:0C:02'])
      await admin.create(adapter, { physicalAddress, hostID });
    const [first] = (await admin.get(`${adapter.path}?filter=hostID==${hostID}`)).body.results!;
    const state = (value: string, id: unknown) =>
      service.runtime.pool.query('update adapter set access_state = $1 where id = $2', [value, id]);
    await service.runtime.pool.query(`update adapter set access_state = 'DEAD_END' where host_id = $1`, [hostID]);
    const count = (by: string, ...filter: string[]) =>
      counts(`group=host&by=${by}&${filter.map((element) => `filter=${encodeURIComponent(element)}`).join('&')}`);
    const one = (value: string) => ({ value, count: 1, from: null });
    // Two adapters of one host in the same state are one host.
    expect(await count('adapter.accessState', 'host.hostName==a*')).toEqual([one('DEAD_END')]);
    await state('PRODUCTION', first!.id);
    expect(await count('adapter.accessState', 'hostName==a*', 'adapter.accessState=in=(DEAD_END)')).toEqual([
      one('DEAD_END'),
      one('PRODUCTION'),
    ]);
    expect(await count('role', 'adapter.physicalAddress==02:00:00:00:0C:01')).toEqual([one('Nurse')]);
    expect(await count('role', 'user.userID==nobody')).toEqual([]);
    expect(await refusal('group=host&by=adapter.physicalAddress')).toMatchObject({
      code: 400,
      message: expect.stringContaining('accessState'),
    });
  });

  test('a log is counted in steps of time, from when its filter says', async () => {
    const rows = await counts('group=audit-record&by=action&per=hour&filter=timestamp=ge=-1h;action==ADD');
    expect(rows.length).toBeGreaterThan(0);
    expect(rows.every(({ from }) => /T\d\d:00:00\.000Z$/.test(from!))).toBe(true);
    const sum = rows.reduce((total, { count }) => total + count, 0);
    expect(sum).toBe(await filtered('/logging/audit', 'timestamp=ge=-1h;action==ADD'));
    expect(await refusal('group=audit-record&by=action&per=hour')).toMatchObject({ code: 400 });
    expect(await refusal('group=audit-record&by=action&per=hour&filter=action==ADD,timestamp=ge=-1h')).toMatchObject({
      code: 400,
    });
    expect(await refusal('group=host&by=state&per=hour')).toMatchObject({ code: 400 });
    expect(await refusal('group=host&by=adapter.accessState&per=hour')).toMatchObject({ code: 400 });
  });

  test('what has too many values, or is no field, is refused with what can be counted by', async () => {
    for (const by of ['hostName', 'nothing', 'created'])
      expect(await refusal(`group=host&by=${by}`)).toMatchObject({
        code: 400,
        message: expect.stringContaining('role'),
      });
    expect((await refusal('group=nothing&by=x')).code).toBe(400);
    expect((await refusal('group=host&by=role&filter=nothing==1')).code).toBe(400);
  });

  test('need the right to the group, and count what the caller sees', async () => {
    const none = await shared.caller({ roles: ['view'] });
    expect((await refusal('group=host&by=role', none)).code).toBe(403);
    const caller = await limiter.caller({ manageByGroups: true, permissions: { hosts: everyVerb } });
    const managed = await limiter.group('HOST');
    await limiter.manage(caller.accountId, managed);
    await limiter.join(managed, 4, ids[0]!);
    const seen = await counts('group=host&by=role&filter=hostName==a*', caller);
    expect(seen.map(({ count }) => count)).toEqual([1]);
    expect(await counts('group=host&by=role&filter=hostName==a*')).not.toEqual(seen);
  });

  test('what one token of an account was given is not given to another that may view less', async () => {
    const tokens = await Promise.all(
      [{ hosts: ['view'], devices: ['view'] }, { hosts: ['view'] }].map(async (scopes, n) => {
        const issued = await admin.post('/auth/tokens', { name: `counts ${n}`, scopes });
        return new Client(service.app, String(issued.body.results![0]!.token));
      }),
    );
    const filter = 'filter=containerID.name==Library';
    const [wide, narrow] = tokens as [Client, Client];
    const listed = await narrow.get(`${host.path}?count=0&${filter}`);
    expect(listed.code).not.toBe(200);
    expect((await refusal(`group=host&by=role&${filter}`, wide)).code).toBe(200);
    expect((await refusal(`group=host&by=role&${filter}`, narrow)).code).toBe(listed.code);
  });

  test('are kept for ten seconds, for who sees the same', async () => {
    let nowMs = 0;
    let reads = 0;
    const { runtime } = service;
    const counting = Object.assign(Object.create(runtime), {
      read: (...args: Parameters<typeof runtime.read>) => {
        reads += 1;
        return runtime.read(...args);
      },
      reader: (...args: Parameters<typeof runtime.reader>) => runtime.reader(...args),
    }) as typeof runtime;
    const kept = new Counts(counting, () => nowMs);
    const caller = { accountId: 0, userID: '', rights: 'everything' };
    const ask = () =>
      kept.by({ caller, query: { group: 'host', by: 'role' }, nowMs: Date.now() } as unknown as CountsCall);
    const first = await ask();
    nowMs += 9_999;
    expect(await ask()).toEqual(first);
    expect(reads).toBe(1);
    nowMs += 1;
    await ask();
    expect(reads).toBe(2);
  });
});
