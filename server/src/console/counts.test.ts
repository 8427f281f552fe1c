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

describe('counts by field values', async () => {
  const shared = await world();
  const { admin, service } = shared;
  const limiter = new Limiter(shared);
  const counts = async (query: string, client: Client = admin): Promise<Count[]> => {
    const { code, body, text } = await client.get<Count>(`/console/api/counts?${query}`);
    expect({ code }, text).toEqual({ code: 200 });
    return body.results!;
  };
  const refusal = async (query: string, client: Client = admin) => {
    const { code, body } = await client.get(`/console/api/counts?${query}`);
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

  test('equal those of the list, for a choice, a flag and a reference', async () => {
    for (const fieldName of Object.keys(host.fields)) {
      const reply = await admin.get<Count>(`/console/api/counts?group=host&by=${fieldName}&filter=hostName==a*`);
      if (reply.code !== 200) continue;
      expect(
        reply.body.results!.reduce((sum, { count }) => sum + count, 0),
        fieldName,
      ).toBe(3);
      for (const { value, count, from: stepStart } of reply.body.results!) {
        expect(stepStart).toBeNull();
        const is = value === null ? `${fieldName}=isnull=true` : `${fieldName}==${JSON.stringify(value)}`;
        expect(await filtered(host.path!, `hostName==a*;${is}`), `${fieldName} ${value}`).toBe(count);
      }
    }
    expect(await counts('group=host&by=role&filter=hostName==a*')).toContainEqual({
      value: 'Nurse',
      count: 2,
      from: null,
    });
  });

  test('of hosts accept the filters of multifilter, and count by fields of their adapters', async () => {
    const hostID = ids[0]!;
    for (const physicalAddress of ['02:00:00:00:0C:01', '02:00:00:00:0C:02'])
      await admin.create(adapter, { physicalAddress, hostID });
    const [first] = (await admin.get(`${adapter.path}?filter=hostID==${hostID}`)).body.results!;
    const state = (value: string, id: unknown) =>
      service.runtime.pool.query('update adapter set access_state = $1 where id = $2', [value, id]);
    await service.runtime.pool.query(`update adapter set access_state = 'DEAD_END' where host_id = $1`, [hostID]);
    const count = (fieldName: string, ...filter: string[]) =>
      counts(
        `group=host&by=${fieldName}&${filter.map((element) => `filter=${encodeURIComponent(element)}`).join('&')}`,
      );
    const singleCount = (value: string) => ({ value, count: 1, from: null });
    // Two adapters of a host in the same state count as one host.
    expect(await count('adapter.accessState', 'host.hostName==a*')).toEqual([singleCount('DEAD_END')]);
    await state('PRODUCTION', first!.id);
    expect(await count('adapter.accessState', 'hostName==a*', 'adapter.accessState=in=(DEAD_END)')).toEqual([
      singleCount('DEAD_END'),
      singleCount('PRODUCTION'),
    ]);
    expect(await count('role', 'adapter.physicalAddress==02:00:00:00:0C:01')).toEqual([singleCount('Nurse')]);
    expect(await count('role', 'user.userID==nobody')).toEqual([]);
    expect(await refusal('group=host&by=adapter.physicalAddress')).toMatchObject({
      code: 400,
      message: expect.stringContaining('accessState'),
    });
  });

  test('of a log are returned in time steps from the start of the filter', async () => {
    const rows = await counts('group=audit-record&by=action&per=hour&filter=timestamp=ge=-1h;action==ADD');
    expect(rows.length).toBeGreaterThan(0);
    expect(rows.every(({ from: stepStart }) => /T\d\d:00:00\.000Z$/.test(stepStart!))).toBe(true);
    const sum = rows.reduce((total, { count }) => total + count, 0);
    expect(sum).toBe(await filtered('/logging/audit', 'timestamp=ge=-1h;action==ADD'));
    expect(await refusal('group=audit-record&by=action&per=hour')).toMatchObject({ code: 400 });
    expect(await refusal('group=audit-record&by=action&per=hour&filter=action==ADD,timestamp=ge=-1h')).toMatchObject({
      code: 400,
    });
    expect(await refusal('group=host&by=state&per=hour')).toMatchObject({ code: 400 });
    expect(await refusal('group=host&by=adapter.accessState&per=hour')).toMatchObject({ code: 400 });
  });

  test('are refused for fields with too many values and unknown fields, with the possible fields', async () => {
    for (const fieldName of ['hostName', 'nothing', 'created'])
      expect(await refusal(`group=host&by=${fieldName}`)).toMatchObject({
        code: 400,
        message: expect.stringContaining('role'),
      });
    expect((await refusal('group=nothing&by=x')).code).toBe(400);
    expect((await refusal('group=host&by=role&filter=nothing==1')).code).toBe(400);
  });

  test('require the right to the resource, and include only visible records', async () => {
    const none = await shared.caller({ roles: ['view'] });
    expect((await refusal('group=host&by=role', none)).code).toBe(403);
    const caller = await limiter.caller({ manageByGroups: true, permissions: { hosts: everyVerb } });
    const managed = await limiter.group('HOST');
    await limiter.manage(caller.accountId, managed);
    await limiter.join(managed, 4, ids[0]!);
    const visibleCounts = await counts('group=host&by=role&filter=hostName==a*', caller);
    expect(visibleCounts.map(({ count }) => count)).toEqual([1]);
    expect(await counts('group=host&by=role&filter=hostName==a*')).not.toEqual(visibleCounts);
  });

  test('of one token are not returned to another token of the account with fewer rights', async () => {
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

  test('are cached for ten seconds for callers who see the same rows', async () => {
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
    const cachedCounts = new Counts(counting, () => nowMs);
    const caller = { accountId: 0, userID: '', rights: 'everything' };
    const ask = () =>
      cachedCounts.by({ caller, query: { group: 'host', by: 'role' }, nowMs: Date.now() } as unknown as CountsCall);
    const first = await ask();
    nowMs += 9_999;
    expect(await ask()).toEqual(first);
    expect(reads).toBe(1);
    nowMs += 1;
    await ask();
    expect(reads).toBe(2);
  });
});
