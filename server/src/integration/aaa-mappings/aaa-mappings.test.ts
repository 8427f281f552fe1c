import { describe, expect, test } from 'vitest';
import { testCollection } from '../../../test/conformance/conformance.ts';
import { world } from '../../../test/world/world.ts';
import { systemOrigin } from '../../kernel/declare/caller.ts';
import { aaaServer } from '../aaa-server/aaa-server.ts';
import { aaaLocalDomain, aaaMapping } from './aaa-mappings.ts';

const { path } = aaaMapping as { path: string };
const localDomains = `${path}/local-domains`;
const defaults = `${path}/defaults`;

describe('AAA mappings', async () => {
  const shared = await world();
  const { admin, service } = shared;
  let serverCount = 0;
  const server = (fields: Record<string, unknown> = {}) => {
    const name = `home ${++serverCount}`;
    return admin.create(aaaServer, { name, netId: `${serverCount}.example.org`, secret: 'shared-secret', ...fields });
  };
  const [first, second] = await Promise.all([server(), server()]);
  const create = (body: Record<string, unknown>) => admin.post(path, body);
  const events = async (filter: string) =>
    (
      await admin.get<{ message: string; eventFormatString: string }>(
        `/logging/event?filter=${encodeURIComponent(filter)}`,
      )
    ).body.results!;
  const generation = async () =>
    service.runtime.transact(systemOrigin('test'), async ({ client }) => {
      const { rows } = await client.query<{ wanted: number }>(
        `select g.wanted from config_generation g where g.topic = 'radius'`,
      );
      return Number(rows[0]!.wanted);
    });

  describe('mappings', () =>
    testCollection(aaaMapping, {
      world: shared,
      sample: (n) => ({ domainName: `d${n}.example.org`, radiusServerID: first }),
    }));

  describe('local domains', () =>
    testCollection(aaaLocalDomain, {
      world: shared,
      sample: (n) => ({ domainName: `own${n}.example.org` }),
      async remove({ admin }, id) {
        const [domain] = (await admin.get<{ domainName: string }>(`${localDomains}?filter=id==${id}`)).body.results!;
        return admin.post(`${localDomains}/delete`, { domain: [domain?.domainName ?? 'absent.test'] });
      },
    }));

  test('stores domains in lower case, and the server by id or name', async () => {
    const id = await admin.create(aaaMapping, { domainName: 'Mixed.Example.ORG', radiusServer: 'HOME 1' });
    const rows = (await admin.get(`${path}?filter=id==${id}`)).body.results!;
    expect(rows).toMatchObject([{ domainName: 'mixed.example.org', radiusServerID: first, radiusServer: 'home 1' }]);
    expect((await create({ id, radiusServerID: second, version: 1 })).code).toBe(200);
    expect((await admin.get(`${path}?filter=id==${id}`)).body.results).toMatchObject([
      { radiusServer: 'home 2', version: 2 },
    ]);
    for (const body of [
      { domainName: 'x.test', radiusServer: 'nobody' },
      { domainName: 'x.test', radiusServer: 'home 1', radiusServerID: second },
    ])
      expect(await create(body)).toMatchObject({ code: 422, body: { status: 'rejected' } });
    expect((await create({ domainName: 'x.test' })).code).toBe(400);
  });

  test('refuses what is not a domain', async () => {
    for (const domainName of ['a b', 'a..b', '.a', 'a.', '*', '*.', 'a.*', '*.*.a', 'bob@a', "a'b", 'ä.test', 'a/b'])
      expect((await create({ domainName, radiusServerID: first })).code, domainName).toBe(400);
    for (const domainName of ['CORP', '*.below.test', 'under_score.test', 'xn--4ca.test'])
      expect((await create({ domainName, radiusServerID: first })).code, domainName).toBe(201);
    for (const domainName of ['*.a.test', '']) expect((await admin.post(localDomains, { domainName })).code).toBe(400);
  });

  test('refuses a domain that is both local and mapped, also by concurrent requests', async () => {
    await create({ domainName: 'mapped.test', radiusServerID: first });
    const local = await admin.post(localDomains, { domainName: 'Mapped.test' });
    expect(local).toMatchObject({ code: 409, body: { status: 'duplicate' } });
    expect((await admin.post(localDomains, { domainName: 'local.test' })).code).toBe(201);
    const mapping = await create({ domainName: 'LOCAL.test', radiusServerID: first });
    expect(mapping).toMatchObject({ code: 409, body: { status: 'duplicate' } });
    const codes = await Promise.all([
      create({ domainName: 'race.test', radiusServerID: first }),
      admin.post(localDomains, { domainName: 'race.test' }),
    ]);
    expect(codes.map(({ code }) => code).sort()).toEqual([201, 409]);
  });

  test('keeps a server that a mapping or the defaults use', async () => {
    const [used, fallback] = [await server(), await server()];
    await create({ domainName: 'used.test', radiusServerID: used });
    await admin.post(defaults, { primaryServerID: fallback });
    for (const [id, user] of [
      [used, 'used.test'],
      [fallback, 'AAA defaults'],
    ] as const) {
      expect((await admin.get(`${aaaServer.path}/${id}/usage`)).text).toContain(user);
      expect(await admin.delete(`${aaaServer.path}/${id}`)).toMatchObject({ code: 409 });
    }
    await admin.post(defaults, { primaryServerID: null });
    expect((await admin.delete(`${aaaServer.path}/${fallback}`)).code).toBe(200);
  });

  test('swaps the ranks of two mappings', async () => {
    const ids = [];
    for (const radiusServerID of [first, second])
      ids.push(await admin.create(aaaMapping, { domainName: 'swapped.test', radiusServerID }));
    const order = async () =>
      (await admin.get<{ id: number }>(`${path}?filter=domainName==swapped.test&sortKey=rank`)).body.results!.map(
        ({ id }) => id,
      );
    expect(await order()).toEqual(ids);
    const before = await generation();
    expect((await admin.post(`${path}/swap`, { id: ids })).code).toBe(200);
    expect(await order()).toEqual(ids.toReversed());
    expect(await generation()).toBeGreaterThan(before);
  });

  test('deletes local domains by name, all or none', async () => {
    for (const domainName of ['one.test', 'two.test']) await admin.post(localDomains, { domainName });
    const names = async () =>
      (await admin.get<{ domainName: string }>(`${localDomains}?filter=domainName=in=(one.test,two.test)`)).body
        .results!;
    expect((await admin.post(`${localDomains}/delete`, { domain: ['one.test', 'three.test'] })).code).toBe(404);
    expect(await names()).toHaveLength(2);
    const before = (await events('name==AAA_LOCAL_DOMAIN_DELETED')).length;
    expect((await admin.post(`${localDomains}/delete`, { domain: ['One.test', 'two.test', 'one.test'] })).code).toBe(
      200,
    );
    expect(await names()).toEqual([]);
    expect(await events('name==AAA_LOCAL_DOMAIN_DELETED')).toHaveLength(before + 2);
  });

  test('keeps absent defaults, and refuses incomplete ones', async () => {
    const save = async (body: object) => (await admin.post(defaults, body)).code;
    expect((await admin.get(defaults)).body.results).toMatchObject([
      {
        primaryServerID: null,
        primaryServerName: null,
        radiusProxyAuthEnabled: false,
        radiusProxyAcctEnabled: false,
        radiusProxyAuthPort: 1812,
        radiusProxyAcctPort: 1813,
      },
    ]);
    expect(await save({ radiusProxyAuthEnabled: true })).toBe(400);
    expect(await save({ secondaryServerID: second })).toBe(400);
    expect(await save({ primaryServerID: first, secondaryServerID: first })).toBe(400);
    expect(await save({ radiusProxyAcctEnabled: true })).toBe(422);
    expect(await save({ radiusProxyAcctPort: 1814 })).toBe(422);
    expect(await save({ primaryServerID: first, secondaryServerID: second })).toBe(200);
    expect(await save({ radiusProxyAuthEnabled: true, radiusProxyAuthPort: 1813 })).toBe(422);
    expect(await save({ radiusProxyAuthEnabled: true })).toBe(200);
    expect((await admin.get(defaults)).body.results).toMatchObject([
      { primaryServerName: 'home 1', secondaryServerName: 'home 2', radiusProxyAuthEnabled: true },
    ]);
    await save({ radiusProxyAuthEnabled: false, primaryServerID: null, secondaryServerID: null });
  });

  test('refuses servers to which no login can be forwarded: without a port, or of this service itself', async () => {
    const accountingOnly = await server({ authPort: 0 });
    expect((await create({ domainName: 'none.test', radiusServerID: accountingOnly })).code).toBe(422);
    expect((await admin.post(defaults, { primaryServerID: accountingOnly })).code).toBe(422);
    const loop = { name: 'loop', netId: '127.0.0.1', authPort: 1812, secret: 'shared-secret' };
    expect(await admin.post(aaaServer.path!, loop)).toMatchObject({ code: 422, body: { status: 'rejected' } });
    expect((await admin.post(aaaServer.path!, { ...loop, authPort: 18_120 })).code).toBe(201);
    expect((await admin.post(aaaServer.path!, { ...loop, secret: 'back\\slash' })).code).toBe(400);
  });

  test('reports changes with domain and servers, and that a mapping hides the defaults', async () => {
    const id = await admin.create(aaaMapping, { domainName: 'reported.test', radiusServerID: first });
    await create({ id, radiusServerID: second });
    await admin.post(`${path}/delete`, { id: [id] });
    const messages = (await events(`elementType==10;elementID==${id}`)).map(({ message }) => message).join('\n');
    expect(messages).toContain('ADD reported.test');
    expect(messages).toContain(`radiusServerID: ${first} → ${second}`);
    expect(messages).toContain('DELETE reported.test');
    await create({ domainName: '', radiusServerID: second });
    const [hidden] = await events('name==AAA_MAPPING_HIDES_DEFAULTS');
    expect(hidden!.eventFormatString).toContain('home 2');
  });

  test('rolls out a changed server only if logins can be forwarded to it', async () => {
    const [unused, mapped] = [await server(), await server()];
    await create({ domainName: 'rolled.test', radiusServerID: mapped });
    const changes = async (id: number, fields: object) => {
      const before = await generation();
      expect((await admin.post(`${aaaServer.path}/${id}`, fields)).code).toBe(200);
      return (await generation()) > before;
    };
    expect(await changes(unused, { secret: 'another-secret' })).toBe(false);
    expect(await changes(mapped, { secret: 'another-secret' })).toBe(true);
    expect(await changes(mapped, { name: 'renamed' })).toBe(false);
    expect(await changes(mapped, { authPort: 1645, secret: 'another-secret', checkPassword: '' })).toBe(true);
    expect(await changes(unused, { flrPriority: 3 })).toBe(true);
  });
});
