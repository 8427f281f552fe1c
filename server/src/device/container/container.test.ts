import { beforeAll, describe, expect, test } from 'vitest';
import { testCollection } from '../../../test/conformance/conformance.ts';
import { world } from '../../../test/world/world.ts';
import { systemOrigin } from '../../kernel/declare/caller.ts';
import { role } from '../../policy/role/role.ts';
import { group } from '../../system/group/group.ts';
import { container } from './container.ts';

describe('container', async () => {
  const shared = await world();
  const { admin } = shared;

  test('a fresh cell has the root and the place for access points', async () => {
    const { body } = await admin.get('/device/container');
    expect(body.results?.map((record) => record.domainName)).toEqual(['Network', 'Network/Wireless']);
    expect(body).toMatchObject({ status: 'success', errorMessage: null, filtered: 2, total: 2 });
  });

  test('an update sent to the address of one record is refused with the address to use', async () => {
    const reply = await admin.post('/device/container/1', { notes: 'x' });
    expect([reply.code, reply.body.errorMessage]).toEqual([
      405,
      'POST is not supported here; use DELETE, GET, or POST /api/v2/device/container with the identity in the body to update it.',
    ]);
    expect((await admin.post('/device/container/1/nothing')).code).toBe(404);
  });

  test('a container and what lies in it go together in one list, in any order', async () => {
    const outer = await admin.create(container, { name: 'Outer' });
    const inner = await admin.create(container, { name: 'Inner', parent: 'Outer' });
    expect((await admin.delete(`${container.path}/${outer}`)).body.status).toBe('in-use');
    expect((await admin.post(`${container.path}/delete`, { id: [outer, inner] })).code).toBe(200);
  });

  test('a new container lies under the root and remembers its creation', async () => {
    const id = await admin.create(container, { name: 'Building A' });
    const record = await admin.fetch(container, id);
    expect(record).toMatchObject({ parent: 'Network', domainName: 'Network/Building A', version: 1 });
    expect(record.creationEvent).toMatchObject({
      name: 'DOMAIN_CREATED',
      empty: false,
      elementID: id,
      eventFormatString: 'Container Building A created.',
    });
    expect(record.destroyEvent).toMatchObject({ name: 'DOMAIN_DESTROYED', empty: true, id: 0 });
  });

  testCollection(container, {
    world: shared,
    sample: (n) => ({ name: `Building ${n}`, parent: 'Network', description: `House ${n}`, pollingInterval: 60 + n }),
    referrer: async ({ admin }, { name }) => {
      await admin.create(container, { name: `Floor of ${name}`, parent: name });
      return { group: 'Container', name: `Floor of ${name}` };
    },
  });

  const names = async (ids: number[]) =>
    Promise.all(ids.map(async (id) => (await admin.fetch(container, id)).domainName));
  const root = async () => (await admin.get('/device/container?filter=parent=isnull=true')).body.results![0]!;

  describe('is found by what it refers to as by what it shows', () => {
    beforeAll(async () => {
      await admin.create(container, { name: 'Yard' });
      await admin.create(container, { name: 'Shed', parent: 'yard' });
    });
    const shownParent = ({ parent }: Record<string, unknown>) => String(parent).toLowerCase();
    const isFound: [operator: string, (parent: string) => boolean][] = [
      ['==yard', (parent) => parent === 'yard'],
      ['==Y*', (parent) => parent.startsWith('y')],
      ['==*', () => true],
      ['==""', (parent) => parent === ''],
      ['!=Yard', (parent) => parent !== 'yard'],
      ['!=*a*', (parent) => !parent.includes('a')],
      ['=in=(Yard,Nowhere)', (parent) => parent === 'yard'],
      ['=in=(Yard,"")', (parent) => parent === 'yard' || parent === ''],
      ['=out=(Yard,"")', (parent) => parent !== 'yard' && parent !== ''],
      ['>network', (parent) => parent > 'network'],
      ['<=network', (parent) => parent <= 'network'],
      ['=isnull=true', (parent) => parent === ''],
      ['=isnull=false', (parent) => parent !== ''],
    ];
    const idsMatching = async (filter: string) =>
      (await admin.get(`/device/container?filter=${encodeURIComponent(filter)}`)).body.results!.map(({ id }) => id);

    test.each(isFound)('parent%s', async (operator, fits) => {
      const all = (await admin.get('/device/container')).body.results!;
      const ids = (those: typeof all) => those.map(({ id }) => id);
      expect(await idsMatching(`parent${operator}`)).toEqual(ids(all.filter((record) => fits(shownParent(record)))));
      // A container without a parent has no value for `parent.…`: no value equals it, and it is in no list.
      const isNone = operator.startsWith('!=') || operator.startsWith('=out=') || operator === '=isnull=true';
      const behindDot = all.filter((record) => (shownParent(record) === '' ? isNone : fits(shownParent(record))));
      expect(await idsMatching(`parent.name${operator}`)).toEqual(ids(behindDot));
    });
  });

  test('containers nest eight deep, counted with all that a move brings along', async () => {
    let parent = 'Network';
    for (let depth = 2; depth <= 8; depth++) {
      await admin.create(container, { name: `level ${depth}`, parent });
      parent = `level ${depth}`;
    }
    const deeper = await admin.post('/device/container', { name: 'level 9', parent });
    expect(deeper).toMatchObject({ code: 422, body: { status: 'rejected' } });
    const top = await admin.create(container, { name: 'tower' });
    await admin.create(container, { name: 'room', parent: 'tower' });
    expect((await admin.post('/device/container', { id: top, parent: 'level 7' })).code).toBe(422);
    expect((await admin.post('/device/container', { id: top, parent: 'level 6' })).code).toBe(200);
    expect((await admin.fetch(container, top)).domainName).toMatch(/^Network\/level 2\/.*\/level 6\/tower$/);
  });

  test('a container cannot lie in itself or in what lies in it', async () => {
    const outer = await admin.create(container, { name: 'outer' });
    await admin.create(container, { name: 'middle', parent: 'outer' });
    await admin.create(container, { name: 'inner', parent: 'middle' });
    for (const parent of ['outer', 'middle', 'inner', 'INNER'])
      expect(await admin.post('/device/container', { id: outer, parent }), parent).toMatchObject({
        code: 422,
        body: { status: 'rejected' },
      });
  });

  test('two moves at the same time do not close a cycle', async () => {
    const [a, b] = [await admin.create(container, { name: 'left' }), await admin.create(container, { name: 'right' })];
    const replies = await Promise.all([
      admin.post('/device/container', { id: a, parent: 'right' }),
      admin.post('/device/container', { id: b, parent: 'left' }),
    ]);
    expect(replies.map(({ code }) => code).sort()).toEqual([200, 422]);
    expect((await names([a, b])).every((name) => String(name).startsWith('Network/'))).toBe(true);
  });

  test('the root can be renamed and nothing else: it is not deleted, not moved, and there is one', async () => {
    const { id, name } = await root();
    for (const reply of [
      await admin.delete(`/device/container/${id}`),
      await admin.post('/device/container/delete', { id: [id] }),
    ])
      expect(reply).toMatchObject({ code: 409, body: { status: 'protected' } });
    await admin.create(container, { name: 'somewhere' });
    expect((await admin.post('/device/container', { id, parent: 'somewhere' })).code).toBe(422);
    expect((await admin.post('/device/container', { name: 'second root', parent: '' })).code).toBe(422);
    const otherContainer = await admin.create(container, { name: 'under the root', parent: 'NETWORK' });
    expect((await admin.fetch(container, otherContainer)).parent).toBe('Network');
    expect((await admin.post('/device/container', { id, name: 'Campus' })).code).toBe(200);
    expect((await admin.fetch(container, otherContainer)).parent).toBe('Campus');
    expect((await admin.post('/device/container', { id, name })).code).toBe(200);
  });

  test('a parent in other letters is the same parent', async () => {
    const id = await admin.create(container, { name: 'same place' });
    const reply = await admin.post('/device/container', { id, parent: 'network' });
    expect(reply).toMatchObject({ code: 200, headers: { etag: '"1"' } });
  });

  test('a new name shows in the children, and to those who follow them', async () => {
    const id = await admin.create(container, { name: 'old house' });
    const child = await admin.create(container, { name: 'cellar', parent: 'old house' });
    const started = await admin.post('/device/container/monitor/start');
    await admin.post('/device/container', { id, name: 'new house', notes: 'painted' });
    expect(await admin.fetch(container, child)).toMatchObject({
      parent: 'new house',
      domainName: 'Network/new house/cellar',
      version: 1,
    });
    const { results } = (await admin.get(String(started.headers.location))).body;
    expect(results).toMatchObject([
      { change: 'modified', record: { id, name: 'new house', changeMask: 1 | 64, lastChangeMask: 1 | 64 } },
      { change: 'modified', record: { id: child, parent: 'new house', changeMask: 2 } },
    ]);
  });

  test('the change mask of a monitor accumulates changes that were not sent yet', async () => {
    const id = await admin.create(container, { name: 'masked', pollingInterval: 600 });
    const started = await admin.post('/device/container/monitor/start');
    await admin.post('/device/container', { id, pollingInterval: 700 });
    await admin.post('/device/container', { id, suffix: '.example.org' });
    const { results } = (await admin.get(String(started.headers.location))).body;
    expect(results!.map(({ record }) => (record as { changeMask: number }).changeMask)).toEqual([16 | 32, 16 | 32]);
    expect(await admin.fetch(container, id)).toMatchObject({ changeMask: 0, lastChangeMask: 32 });
  });

  test('there is at most one place for access points', async () => {
    const reply = await admin.post('/device/container', { name: 'more wireless', type: 'WIRELESS' });
    expect(reply).toMatchObject({ code: 409, body: { status: 'duplicate' } });
  });

  test('attributes have distinct names and are found by them', async () => {
    const attribute = [
      { name: 'owner', value: 'facilities' },
      { name: 'cost', value: '42' },
    ];
    const id = await admin.create(container, { name: 'with attributes', attribute });
    expect(await admin.fetch(container, id)).toMatchObject({ attribute, attributeNames: ['owner', 'cost'] });
    for (const filter of ['attributeNames==cost', 'attribute.value==facilities']) {
      const { body } = await admin.get(`/device/container?filter=${filter}`);
      expect(
        body.results?.map((record) => record.id),
        filter,
      ).toEqual([id]);
    }
    const repeated = { name: 'twice', attribute: [attribute[0], attribute[0]] };
    expect((await admin.post('/device/container', repeated)).code).toBe(400);
  });

  test('a role is held while a container gives it; a device group is let go', async () => {
    const { runtime } = shared.service;
    const transact = <T>(work: Parameters<typeof runtime.transact<T>>[1]) =>
      runtime.transact(systemOrigin('test'), work);
    const fixtures = await transact(async ({ records }) => ({
      group: await records.create(group, { name: 'Switches', type: 'DEVICE' }),
      hosts: await records.create(group, { name: 'Printers', type: 'HOST' }),
      role: await records.create(role, { name: 'Lab' }),
    }));
    const id = await admin.create(container, { name: 'laboratory', role: 'lab', group: 'switches' });
    expect(await admin.fetch(container, id)).toMatchObject({ role: 'Lab', group: 'Switches' });
    expect((await admin.post('/device/container', { id, group: 'Printers' })).code).toBe(422);
    await expect(transact(({ records }) => records.remove(role, [fixtures.role.id]))).rejects.toMatchObject({
      word: 'in-use',
      message: expect.stringContaining('Container laboratory'),
    });
    await transact(({ records }) => records.remove(group, [fixtures.group.id]));
    expect(await admin.fetch(container, id)).toMatchObject({ group: null, version: 2 });
  });

  test('the moments of a container are written with +0000', async () => {
    const id = await admin.create(container, { name: 'punctual' });
    const record = await admin.fetch(container, id);
    expect(record.lastSuccessfulPoll).toBe('1970-01-01T00:00:00.000+0000');
    expect((record.creationEvent as { timeOfEvent: string }).timeOfEvent).toMatch(/\.\d{3}\+0000$/);
  });
});
