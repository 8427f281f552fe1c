import { describe, expect, test } from 'vitest';
import { systemOrigin } from '../../src/kernel/declare/caller.ts';
import type { Access } from '../../src/kernel/declare/operation.ts';
import { type PermissionKey, type Verb, verbs } from '../../src/kernel/declare/permissions.ts';
import { group as userGroup } from '../../src/system/group/group.ts';
import { adminProfile } from '../../src/user/admin-profile/admin-profile.ts';
import { permissionPages } from '../../src/user/admin-profile/permission-views.ts';
import { adminProfileMapping } from '../../src/user/admin-profile-mapping/admin-profile-mapping.ts';
import { Stage } from '../world/example-fixtures.ts';
import { pathWith } from '../world/paths.ts';
import { world } from '../world/world.ts';
import { attempt, footprint, isGuarded, type Permission, tokenIssuer } from './rights-matrix.ts';

/** Operations that are allowed without a token. A new one must be added here, so it is visible in review. */
const openOperations = ['service.index', 'health.live', 'health.ready', 'session.login'];

/** Operations that every signed-in caller may call, because they concern only the caller's own data. */
const signedInOperations = [
  'background-task.list',
  'background-task.fetch',
  'background-task.current-user',
  'console.counts',
  'console.feed',
  'search.find',
  'session.logout',
  'session.list',
  'session.revoke',
  'session.password',
  'session.attribute',
  'session.save-attribute',
  'session.timeout',
  'session.security-key',
  'session.cache',
  'session.feature-visibility',
  'session.navigation-settings',
  'session.bookmarks',
  'session.save-bookmark',
  'token.list',
  'token.create',
  'token.rotate',
  'token.revoke',
];

/** Operations that need another key than that of their resource, because they concern data of other callers. */
const keyExceptions: Readonly<Record<string, PermissionKey>> = {
  'session.user-attribute': 'admin-profiles',
  'session.save-user-attribute': 'admin-profiles',
};

/**
 * Operations whose path suggests another verb than they need. A new one must be added here, so it is visible in review.
 */
const verbExceptions: Readonly<Record<string, Verb>> = {
  'logical-network.add-predefined-network-access': 'add',
  'host.create-with-adapters': 'add',
  'device-type.create-from-archive': 'add',
  'event.create': 'add',
  'group.copy': 'add',
};

/** Resources outside the catalogue, and the permission key of their operations. */
const outsideCatalogue: readonly (readonly [string, PermissionKey])[] = [
  ['Administrator account', 'admin-profiles'],
  ['Network user', 'hosts'],
];

/** Returns the verb that an operation needs, by its method and path alone. */
function verbOfShape(method: string, path: string, isGroupsOwn: boolean): Verb | 'save' {
  if (method === 'DELETE' || /\/delete$/.test(path)) return 'delete';
  if (/\/(secret|check-password|password|get-password|validate-user-password)$/.test(path)) return 'modify';
  if (method === 'GET' || /\/usage$|\/monitor\/(start|\{id\}\/stop)$/.test(path)) return 'view';
  return isGroupsOwn ? 'save' : 'modify';
}

describe('the rights matrix', async () => {
  const shared = await world();
  const { service } = shared;
  const { operations } = service;

  const issue = tokenIssuer(shared);

  test('has a permission for every operation, or the operation is in a list of exceptions', () => {
    const ids = (kind: Access['kind']) =>
      operations.filter(({ access }) => access.kind === kind).map((operation) => operation.operationId);
    expect(ids('open').sort()).toEqual([...openOperations].sort());
    expect(ids('signed-in').sort()).toEqual([...signedInOperations].sort());
    expect(operations.filter(isGuarded).length).toBe(
      operations.length - openOperations.length - signedInOperations.length,
    );
  });

  test('has for every operation the key of its resource and the verb of its path', () => {
    const keyOf = new Map<string, string>([
      ...Object.entries(permissionPages).flatMap(([key, { views }]) =>
        views.flatMap((view) => view.groups.map((group) => [group, key] as const)),
      ),
      ...outsideCatalogue,
    ]);
    const wrong = operations.filter(isGuarded).filter(({ group, access, operationId, method, path }) => {
      const verb = verbExceptions[operationId] ?? verbOfShape(method, path, /\.create(-\w+)?$/.test(operationId));
      return access.key !== (keyExceptions[operationId] ?? keyOf.get(group)) || access.verb !== verb;
    });
    expect(wrong.map(({ operationId, access }) => [operationId, access])).toEqual([]);
  });

  test('without rights every operation is 403 and names the right, whatever else is wrong with the call', async () => {
    const stranger = await shared.caller({});
    const before = await footprint(shared);
    for (const operation of operations.filter(isGuarded)) {
      const { key, verb } = operation.access;
      const path = pathWith(operation, 1);
      const words = `${verb === 'save' ? 'add or modify' : verb} ${key}`;
      for (const reply of [
        await attempt(stranger, operation),
        await stranger.call(operation.method, path, operation.example),
        await stranger.call(operation.method, path, 'nonsense', { 'content-type': 'text/plain', accept: 'image/png' }),
      ]) {
        expect(reply, operation.operationId).toMatchObject({ code: 403, body: { status: 'forbidden' } });
        expect(reply.body.errorMessage).toContain(words);
      }
    }
    expect(await footprint(shared)).toEqual(before);
  });

  test('the exceptions allow a signed-in caller, and change no data of others', async () => {
    const stranger = await shared.caller({});
    const before = await footprint(shared);
    for (const operation of operations.filter(({ access }) => access.kind === 'signed-in'))
      expect((await attempt(stranger, operation)).code, operation.operationId).toBe(400);
    for (const path of ['/auth/tokens/1', '/auth/sessions/1', `/auth/tokens/${999_999_999}`])
      expect((await stranger.delete(path)).code, path).toBe(404);
    expect((await stranger.post('/auth/tokens/1/rotate')).code).toBe(404);
    expect((await stranger.get('/auth/tokens?all=true')).code).toBe(403);
    expect((await stranger.get('/auth/tokens')).body.results).toMatchObject([{ state: 'ACTIVE' }]);
    expect(await footprint(shared)).toEqual(before);
  });

  test('one verb on one key opens the operations of that key and verb, and no other', async () => {
    const guarded = operations.filter(isGuarded);
    const keys = [...new Set(guarded.map(({ access }) => access.key))];
    for (const key of keys) {
      const ofKey = guarded.filter(({ access }) => access.key === key);
      // One operation of each other key is enough: the test above called them all without any right.
      const ofOtherKeys = keys
        .filter((otherKey) => otherKey !== key)
        .map((otherKey) => guarded.find(({ access }) => access.key === otherKey)!);
      for (const verb of verbs) {
        const holder = await issue({ scopes: { [key]: [verb] } });
        for (const operation of [...ofKey, ...ofOtherKeys]) {
          const expected = opens(key, verb, operation.access) ? 400 : 403;
          expect((await attempt(holder.client, operation)).code, `${verb} ${key} at ${operation.operationId}`).toBe(
            expected,
          );
        }
        await holder.end();
      }
    }
  });

  /** Creates a profile without permissions for a new user group: every caller may map these. */
  const harmlessMapping = () =>
    service.runtime.transact(systemOrigin('test'), async ({ records }) => {
      const name = `harmless ${++mappings}`;
      const [group, profile] = [
        await records.create(userGroup, { name, type: 'USER' }),
        await records.create(adminProfile, { name }),
      ];
      return { groupDBID: group.id, adminProfileDBID: profile.id };
    });
  let mappings = 0;

  test('POST on the path of a resource creates with add alone, and updates with modify alone', async () => {
    // Accounts grant rights, so a token with this one right alone cannot create the example: `auth/admins.test.ts`
    // tests them.
    // Both kinds of accounts share one declaration, which has no path: `auth/users.test.ts` tests users.
    const testedElsewhere = ['account.create', 'user.create'];
    const saves = operations
      .filter(isGuarded)
      .filter(
        ({ access, example, operationId }) =>
          access.verb === 'save' && example && !testedElsewhere.includes(operationId),
      );
    expect(saves.length).toBeGreaterThan(0);
    const stage = await Stage.open(shared);
    for (const operation of saves) {
      const { access, operationId } = operation;
      const path = pathWith(operation, 1);
      const [noun, verb] = operationId.split('.') as [string, string];
      const { identity } = service.runtime.engine.model.byName(noun).declaration;
      const update = { [identity]: await stage.record(noun, undefined, verb) };
      const harmless = noun === adminProfileMapping.name ? await harmlessMapping() : {};
      const twin = { ...(await stage.fresh(noun, undefined, verb)), ...harmless };
      const adder = await issue({ scopes: { [access.key]: ['add'] } });
      const modifier = await issue({ scopes: { [access.key]: ['modify'] } });
      expect((await adder.client.post(`${path}?dryRun=true`, twin)).code, operationId).toBe(200);
      expect(await adder.client.post(path, update)).toMatchObject({ code: 403 });
      expect((await modifier.client.post(path, update)).code, operationId).toBe(200);
      expect(await modifier.client.post(path, twin)).toMatchObject({ code: 403 });
      await Promise.all([adder.end(), modifier.end()]);
    }
  });
});

/** True if a right opens an operation: add, modify and delete imply view. */
function opens(key: PermissionKey, verb: Verb, access: Permission): boolean {
  if (access.key !== key) return false;
  if (access.verb === 'save') return verb === 'add' || verb === 'modify';
  return access.verb === verb || access.verb === 'view';
}
