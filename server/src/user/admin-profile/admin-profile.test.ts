import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import contract from '../../../../catalogue.json' with { type: 'json' };
import { testCollection } from '../../../test/conformance/conformance.ts';
import { Client } from '../../../test/world/client.ts';
import { pathWith } from '../../../test/world/paths.ts';
import { world } from '../../../test/world/world.ts';
import { createAdministrator } from '../../auth/account.ts';
import { issueToken } from '../../auth/tokens.ts';
import { type Origin, systemOrigin } from '../../kernel/declare/caller.ts';
import {
  allows,
  firstBeyond,
  grantsOf,
  intersect,
  type PermissionKey,
  permissionKeys,
  rightsOf,
  type Verb,
  verbs,
} from '../../kernel/declare/permissions.ts';
import { userAccount } from '../user-account/user-account.ts';
import { adminProfile } from './admin-profile.ts';
import {
  excessKioskRight,
  misusedPermissions,
  type Permissions,
  shownPermission,
  shownPermissions,
} from './permission.ts';
import { permissionPages, permissionViewMap } from './permission-views.ts';

const path = '/user/admin-profile';
const fully = { view: true, add: true, modify: true, delete: true };
/** All rights for a key, with the views that follow from them. */
const everyDay = {
  version: 0,
  startTimeOfDay: 0,
  endTimeOfDay: 1_440,
  daysOfWeek: 127,
  validTime: true,
  alwaysOn: false,
  startTimeOfDayAM: true,
  endTimeOfDayAM: true,
  startTimeOfDayHours: 12,
  endTimeOfDayHours: 12,
  startTimeOfDayMinutes: 0,
  endTimeOfDayMinutes: 0,
};

describe('admin-profile', async () => {
  const shared = await world();
  const { admin, service } = shared;
  const { pool } = service.runtime;
  let profileCount = 0;

  const transact = <T>(
    work: Parameters<typeof service.runtime.transact<T>>[1],
    rights: Origin['rights'] = 'everything',
  ) => service.runtime.transact({ ...systemOrigin('test'), rights }, work);
  const create = (overrides: object = {}) =>
    admin.create(adminProfile, { name: `own ${++profileCount}`, ...overrides });
  const update = (id: number, body: object, client: Client = admin) => client.post(`${path}/${id}`, body);
  const shown = (id: number) => admin.fetch(adminProfile, id);
  const builtIn = async (name: string) => {
    const { body } = await admin.get<Record<string, unknown> & { dbid: number; permissions: Permissions }>(
      `${path}?filter=${encodeURIComponent(`name=="${name}"`)}`,
    );
    return body.results![0]!;
  };
  /** Creates an account with a profile, a token and a password. */
  const holder = async (profile: number) => {
    const { name } = (await shown(profile)) as { name: string };
    const userID = `holder-${++profileCount}`;
    return transact(async (tx) => {
      const id = await createAdministrator(tx, { userID, password: 'correct-horse-battery', profile: name });
      const { token } = await issueToken(tx, id, { name: userID });
      return { id, userID, client: new Client(service.app, token as string) };
    });
  };
  const logIn = (userID: string) =>
    new Client(service.app, '').post<{ sessionKey: string }>('/auth/login', {
      userID,
      password: 'correct-horse-battery',
    });

  testCollection(adminProfile, {
    world: shared,
    sample: (n) => ({
      name: `profile of the laws ${n}`,
      note: 'Made by a law.',
      permissions: shownPermissions({ 'admin-profiles': { view: true }, guests: { attributes: { accounts: 'OWN' } } }),
      schedule: everyDay,
      inactivityTime: 10,
      lockoutThreshold: 3,
    }),
    referrer: async ({ service: { runtime } }, { dbid }) => {
      const userID = `referrer-${dbid}`;
      await runtime.transact(systemOrigin('test'), ({ records }) =>
        records.create(userAccount, { userID, adminProfileDBID: dbid }),
      );
      return { group: 'User account', name: userID };
    },
  });

  describe('permissions', () => {
    test('add the right to view to add, modify or delete, and show it in the audit record', async () => {
      const id = await create({ permissions: { hosts: { modify: true }, roles: {} } });
      const { permissions } = (await shown(id)) as { permissions: Permissions };
      expect(permissions).toEqual({
        hosts: {
          view: true,
          add: false,
          modify: true,
          delete: false,
          customized: false,
          allIDs: true,
          selectedIDs: [],
          attributes: {},
          displayName_API: 'Hosts',
          allowedViews: { hosts: true, adapters: true, applications: true },
        },
        roles: expect.objectContaining({ view: false, allowedViews: { roles: false, 'role-mappings': false } }),
      });
      const audit = await admin.get<{ changes: { field: string; after: string }[] }>(
        `/logging/audit?filter=${encodeURIComponent(`auditObjectType.dbTableName==admin_profile;liveDBID==${id}`)}`,
      );
      const { changes } = audit.body.results![0]!;
      expect(JSON.parse(changes.find(({ field }) => field === 'permissions.hosts')!.after)).toMatchObject({
        view: true,
        modify: true,
      });
    });

    test('are replaced completely, and the audit record names the changed keys', async () => {
      const id = await create({ permissions: { hosts: fully, roles: { view: true } } });
      expect((await update(id, { permissions: { hosts: fully, groups: { view: true } } })).code).toBe(200);
      expect(Object.keys((await shown(id)).permissions as object)).toEqual(['groups', 'hosts']);
      const audit = await admin.get<{ changes: { field: string }[] }>(
        `/logging/audit?sortKey=auditDBID&sortDir=desc&count=1&filter=${encodeURIComponent(`auditObjectType.dbTableName==admin_profile;liveDBID==${id}`)}`,
      );
      const { changes } = audit.body.results![0]!;
      expect(changes.map(({ field }) => field).sort()).toEqual(['permissions.groups', 'permissions.roles']);
    });

    test('are refused by name if a key does not exist or a value has no meaning for its key', async () => {
      const refused: [permissions: object, pointer: string][] = [
        [{ hostz: { view: true } }, '#/permissions/hostz'],
        [{ hosts: { view: 'yes' } }, '#/permissions/hosts/view'],
        [{ hosts: { see: true } }, '#/permissions/hosts/see'],
        [{ hosts: { customized: true } }, '#/permissions/hosts/customized'],
        [{ hosts: { attributes: { accounts: 'OWN' } } }, '#/permissions/hosts/attributes/accounts'],
        [{ guests: { attributes: { accounts: 'MINE' } } }, '#/permissions/guests/attributes/accounts'],
        [{ guests: { attributes: { maxDaysAhead: 'many' } } }, '#/permissions/guests/attributes/maxDaysAhead'],
      ];
      for (const [permissions, pointer] of refused) {
        const reply = await admin.post(path, { name: 'x', permissions }, { accept: 'application/problem+json' });
        expect(reply, reply.text).toMatchObject({ code: 400 });
        expect(reply.body).toMatchObject({ errors: [{ pointer }] });
      }
      const requestedPermissions = { guests: { add: true } };
      const id = await create({
        permissions: { ...requestedPermissions, 'self-registration': { attributes: { requests: 'OWN' } } },
      });
      expect(await shown(id)).toMatchObject({ permissions: requestedPermissions });
    });

    test('can select only existing records, and always include the own session', async () => {
      const selecting = (key: string, selectedIDs: number[]) =>
        admin.post(path, {
          name: `selects ${++profileCount}`,
          permissions: { [key]: { view: true, customized: true, allIDs: false, selectedIDs } },
        });
      for (const key of ['groups', 'devices', 'device-profiling', 'guests']) {
        const reply = await selecting(key, [999_999_999]);
        expect(reply, reply.text).toMatchObject({ code: 422, body: { status: 'rejected' } });
        expect(reply.body.errorMessage).toContain(`permissions.${key}.selectedIDs`);
      }
      expect((await selecting('devices', [1])).code).toBe(201);
      const ownSessionReply = await admin.post(path, { name: 'x', permissions: { 'own-session': { view: false } } });
      expect([ownSessionReply.code, ownSessionReply.body.errorMessage]).toEqual([
        400,
        'permissions.own-session.view: every account sees its own session; send true, or leave it out.',
      ]);
      const id = await create({ permissions: { 'own-session': { modify: true } } });
      expect((await shown(id)).permissions).toMatchObject({ 'own-session': { view: true, modify: true } });
      const [fresh] = (await admin.get(`${path}/new`)).body.results!;
      expect(fresh!.permissions).toMatchObject({ 'own-session': { view: true } });
    });

    test('keep a limit to selected records that is sent without its flags, or left out of an update', async () => {
      const shown = async (id: number) => ((await admin.fetch(adminProfile, id)).permissions as Permissions).devices;
      const selected = { customized: true, allIDs: false, selectedIDs: [1] };
      const flagless = await create({ permissions: { devices: { view: true, selectedIDs: [1] } } });
      expect(await shown(flagless)).toMatchObject(selected);
      const customized = { view: true, customized: true, selectedIDs: [1] };
      const id = await create({ permissions: { devices: customized } });
      expect(await shown(id)).toMatchObject(selected);
      await update(id, { permissions: { devices: { view: true, modify: true } } });
      expect(await shown(id)).toMatchObject({ ...selected, modify: true });
      await update(id, { permissions: { devices: { view: true, allIDs: true } } });
      expect(await shown(id)).toMatchObject({ allIDs: true });
      const ownAccounts = { attributes: { accounts: 'OWN' } };
      const sponsor = await create({ permissions: { guests: { view: true, ...ownAccounts } } });
      await update(sponsor, { permissions: { guests: { view: true, add: true } } });
      expect((await admin.fetch(adminProfile, sponsor)).permissions).toMatchObject({ guests: ownAccounts });
    });

    test('cannot include a right that the caller lacks; the error names the first one', async () => {
      const profile = await create({ permissions: { 'admin-profiles': fully, hosts: { view: true, modify: true } } });
      const { client } = await holder(profile);
      const grant = (permissions: object) => client.post(path, { name: `granted ${++profileCount}`, permissions });
      expect((await grant({ hosts: { modify: true }, 'admin-profiles': fully })).code).toBe(201);
      for (const [permissions, right] of [
        [{ hosts: { delete: true } }, 'delete hosts'],
        [{ debug: { view: true }, roles: { modify: true } }, 'view roles'],
      ] as const) {
        const reply = await grant(permissions);
        expect(reply).toMatchObject({ code: 403, body: { status: 'forbidden' } });
        expect(reply.body.errorMessage).toContain(right);
      }
      // The same applies to their own profile. Rights that another administrator granted may stay or be removed.
      const grantedProfile = { permissions: { 'admin-profiles': fully, hosts: fully } };
      expect((await update(profile, grantedProfile, client)).code).toBe(403);
      const strong = await create({ permissions: { debug: { view: true, modify: true } } });
      expect((await update(strong, { note: 'seen', permissions: { debug: { view: true } } }, client)).code).toBe(200);
      expect((await update(strong, { permissions: { debug: { modify: true } } }, client)).code).toBe(403);
      expect((await grant({ 'own-session': { view: true } })).code).toBe(201);
    });

    test('cannot include more rights than a token with scopes has', async () => {
      const { body } = await admin.post<{ token: string }>('/auth/tokens', {
        name: 'narrow',
        scopes: { 'admin-profiles': [...verbs] },
      });
      const narrow = new Client(service.app, body.results![0]!.token);
      const profile = { name: 'from a narrow token', permissions: { hosts: { view: true } } };
      expect((await narrow.post(path, profile)).body.errorMessage).toContain('view hosts');
    });

    test('change with the next request of every account with the profile', async () => {
      const profile = await create({ permissions: { devices: { view: true } } });
      const { client } = await holder(profile);
      expect((await client.get('/device/container')).code).toBe(200);
      await update(profile, { permissions: {} });
      await expect.poll(async () => (await client.get('/device/container')).code).toBe(403);
      await update(profile, { permissions: { devices: { add: true } } });
      await expect.poll(async () => (await client.get('/device/container')).code).toBe(200);
    });
  });

  describe('the schedule', () => {
    /** Returns a schedule of half an hour that includes now, and one that does not. */
    const schedulesAround = async () => {
      const { rows } = await pool.query<{ minute: number }>(
        'select extract(hour from now())::integer * 60 + extract(minute from now())::integer as minute',
      );
      const minuteAt = (offset: number) => (rows[0]!.minute + offset + 1_440) % 1_440;
      const schedule = { alwaysOn: false, daysOfWeek: 127 };
      return {
        inside: { ...schedule, startTimeOfDay: minuteAt(-15), endTimeOfDay: minuteAt(15) },
        outside: { ...schedule, startTimeOfDay: minuteAt(60), endTimeOfDay: minuteAt(90) },
      };
    };

    test('limits sign-ins if it is sent without alwaysOn, and is refused if it never holds', async () => {
      const hours = { startTimeOfDay: 480, endTimeOfDay: 1_080, daysOfWeek: 62 };
      const id = await create({ schedule: hours });
      expect(await admin.fetch(adminProfile, id)).toMatchObject({ schedule: { ...hours, alwaysOn: false } });
      const refused = await update(id, { schedule: { daysOfWeek: 0 } });
      expect([refused.code, refused.body.errorMessage]).toEqual([
        400,
        'schedule: never holds, because daysOfWeek is 0; send a schedule that holds at some time.',
      ]);
    });

    test('refuses logins and requests outside of its hours, and allows them inside', async () => {
      const { inside, outside } = await schedulesAround();
      const profile = await create({ permissions: { devices: { view: true } }, schedule: inside });
      const { client, userID } = await holder(profile);
      const session = await logIn(userID);
      expect(session.code).toBe(200);
      const signedIn = new Client(service.app, session.body.results![0]!.sessionKey);
      for (const signedInClient of [client, signedIn])
        expect((await signedInClient.get('/device/container')).code).toBe(200);
      expect((await update(profile, { schedule: outside })).code).toBe(200);
      for (const signedInClient of [client, signedIn])
        await expect.poll(async () => (await signedInClient.get('/device/container')).code).toBe(401);
      const stranger = await new Client(service.app, '').post('/auth/login', { userID: 'nobody', password: 'x' });
      expect(await logIn(userID)).toMatchObject({ code: 401, body: stranger.body });
      await update(profile, { schedule: { alwaysOn: true } });
      for (const signedInClient of [client, signedIn])
        await expect.poll(async () => (await signedInClient.get('/device/container')).code).toBe(200);
    });

    test('is cached until the end of the minute at most', async () => {
      let now = 1_000;
      const otherWorld = await world({ monotonicMs: () => now });
      const client = await otherWorld.caller({ devices: ['view'] });
      const { inside } = await schedulesAround();
      const set = (schedule: object) =>
        otherWorld.service.runtime.pool.query(
          `update admin_profile p set schedule = $2 from user_account a where a.id = $1 and p.id = a.admin_profile_dbid`,
          [client.accountId, JSON.stringify({ ...everyDay, daysOfWeek: 0, ...schedule })],
        );
      const ask = async () => (await client.get('/device/container')).code;
      await set(inside);
      expect(await ask()).toBe(200);
      // Written directly to the database, so that no node is notified.
      await set({});
      now += 60_000;
      expect(await ask()).toBe(401);
    });
  });

  test('the idle time of the profile applies to every request', async () => {
    for (const [minutes, code] of [
      [5, 401],
      [30, 200],
    ] as const) {
      const profile = await create();
      const { userID } = await holder(profile);
      const key = (await logIn(userID)).body.results![0]!.sessionKey;
      await pool.query(`update login_session set used_at = now() - interval '10 minutes' where public_id = $1`, [
        key.split('_')[1],
      ]);
      await update(profile, { inactivityTime: minutes });
      expect((await new Client(service.app, key).get('/auth/sessions')).code, `${minutes} minutes`).toBe(code);
    }
  });

  describe('built-in profiles', () => {
    const names = ['System Administrator', 'Operator', 'Help Desk', 'Guest Sponsor', 'Auditor', 'API Read Only'];

    test('are six in a new cell, of which one has all rights', async () => {
      const profiles = await Promise.all(names.map(builtIn));
      expect(profiles.map(({ administrator }) => administrator)).toEqual([true, false, false, false, false, false]);
      const rightsOfProfiles = profiles.map(
        ({ permissions }) => rightsOf(grantsOf(permissions)) as Map<PermissionKey, Set<Verb>>,
      );
      const [all, operator, helpDesk, sponsor, auditor, reader] = rightsOfProfiles as [
        (typeof rightsOfProfiles)[0],
        ...typeof rightsOfProfiles,
      ];
      expect([...all.keys()]).toEqual(permissionKeys);
      expect([...all.values()].every((granted) => granted.size === verbs.length)).toBe(true);
      const but = (...without: string[]) => permissionKeys.filter((key) => !['own-session', ...without].includes(key));
      expect([...operator!.keys()]).toEqual(but('debug', 'admin-profiles', 'backup'));
      const modified = ['groups', 'hosts', 'security-incidents', 'events-alarms'];
      expect([...operator!].filter(([, granted]) => granted.size > 1).map(([key]) => key)).toEqual(modified);
      expect([...auditor!.keys()]).toEqual(but('debug'));
      for (const viewer of [auditor!, reader!])
        expect([...viewer.values()].every((granted) => granted.size === 1 && granted.has('view'))).toBe(true);
      expect([...helpDesk!.get('hosts')!]).toEqual(['view', 'modify']);
      expect(helpDesk!.get('guests')!.size).toBe(4);
      expect(helpDesk!.has('admin-profiles')).toBe(false);
      expect([...sponsor!]).toMatchObject([
        ['guests', new Set(['view', 'add', 'modify'])],
        ['self-registration', {}],
      ]);
      expect(profiles[3]!.permissions.guests!.attributes).toEqual({ accounts: 'OWN' });
      for (const { permissions } of profiles) expect(misusedPermissions(permissions)).toEqual([]);
    });

    test('allow exactly the operations of their rights', async () => {
      const guarded = service.operations.filter(({ access }) => access.kind === 'permission');
      for (const name of names) {
        const { dbid, permissions } = await builtIn(name);
        const { client, id } = await holder(dbid);
        const rights = rightsOf(grantsOf(permissions));
        for (const operation of guarded) {
          const { operationId, access, method } = operation;
          const { key, verb } = access as { key: PermissionKey; verb: Verb | 'save' };
          const needed: Verb[] = verb === 'save' ? ['add', 'modify'] : [verb];
          const reply = await client.call(method, `${pathWith(operation, 999_999_999)}?noSuchParameter=1`);
          const expected = needed.some((verb) => allows(rights, key, verb)) ? 400 : 403;
          expect(reply.code, `${name} at ${operationId}`).toBe(expected);
        }
        await transact(({ records }) => records.remove(userAccount, [id]));
      }
    });

    test('include the administrator, which can be sent back but not changed or deleted', async () => {
      const record = await builtIn('System Administrator');
      expect((await admin.post(path, record)).code).toBe(200);
      for (const change of [{ name: 'Weaker' }, { permissions: {} }, { schedule: everyDay }, { lockoutThreshold: 0 }]) {
        const reply = await update(record.dbid, change);
        expect(reply).toMatchObject({ code: 409, body: { status: 'protected' } });
        expect(reply.body.errorMessage).toContain('System Administrator');
      }
      const otherProfile = await create();
      for (const reply of [
        await admin.delete(`${path}/${record.dbid}`),
        await admin.post(`${path}/${record.dbid}/delete`),
        await admin.post(`${path}/delete`, { id: [otherProfile, record.dbid] }),
      ])
        expect(reply).toMatchObject({ code: 409, body: { status: 'protected' } });
      expect((await admin.get(`${path}/${otherProfile}`)).code).toBe(200);
    });

    test('can be changed, and deleted if no account has them', async () => {
      const { dbid } = await builtIn('Guest Sponsor');
      expect((await update(dbid, { note: 'ours' })).code).toBe(200);
      expect((await admin.delete(`${path}/${dbid}`)).code).toBe(200);
    });

    test('cannot be changed to the administrator profile', async () => {
      const id = await create({ administrator: true });
      expect((await shown(id)).administrator).toBe(false);
      expect((await update(id, { administrator: true })).code).toBe(400);
    });
  });

  describe('accounts', () => {
    const everything = async () => (await builtIn('System Administrator')).dbid;
    const save = (id: number, change: object, rights: Origin['rights'] = 'everything') =>
      transact(({ records }) => records.update(userAccount, id, { ...change }), rights);

    test("cannot get a profile that exceeds the caller's permissions", async () => {
      const [weak, strong] = [
        await create({ permissions: { hosts: { view: true } } }),
        await create({ permissions: { debug: fully } }),
      ];
      const { id } = await holder(weak);
      const rights = rightsOf({ 'admin-profiles': [...verbs], hosts: ['view'] });
      await expect(save(id, { adminProfileDBID: strong }, rights)).rejects.toThrow('view debug');
      await expect(save(id, { adminProfileDBID: await everything() }, rights)).rejects.toThrow('the right to');
      const nearly = rightsOf(Object.fromEntries(permissionKeys.map((key) => [key, verbs])));
      await expect(save(id, { adminProfileDBID: await everything() }, nearly)).rejects.toThrow(
        'only an administrator with all rights',
      );
      await expect(save(id, { adminProfileDBID: strong }, nearly)).resolves.toMatchObject({ changed: true });
      await expect(save(id, { adminProfileDBID: weak }, rights)).resolves.toMatchObject({ changed: true });
    });
  });

  test('a kiosk requires a template for its guests, and only the right to add them', async () => {
    const reply = await admin.post(path, { name: 'Lobby', isKioskMode: true, permissions: { guests: { add: true } } });
    expect(reply).toMatchObject({ code: 422, body: { status: 'rejected' } });
    expect(reply.body.errorMessage).toContain('kioskTemplateID');
    expect((await admin.post(path, { name: 'Lobby', kioskTemplateID: 1 })).code).toBe(422);
    expect(
      excessKioskRight(shownPermissions({ guests: { add: true }, hosts: {}, 'own-session': fully })),
    ).toBeUndefined();
    expect(excessKioskRight(shownPermissions({ guests: { modify: true } }))).toEqual(['guests', 'modify']);
    expect(excessKioskRight(shownPermissions({ hosts: { view: true } }))).toEqual(['hosts', 'view']);
  });

  test('a new profile shows every key without rights except the own session, and can be created with a name', async () => {
    const { code, body } = await admin.get(`${path}/new`);
    expect(code).toBe(200);
    const [draft] = body.results as [Record<string, unknown> & { permissions: Permissions }];
    expect(draft).toMatchObject({
      dbid: null,
      name: '',
      administrator: false,
      inactivityTime: 15,
      schedule: { alwaysOn: true },
      landingPage: 'dashboard',
      kioskTemplateID: null,
    });
    expect(Object.keys(draft.permissions)).toEqual(permissionKeys);
    expect(rightsOf(grantsOf(draft.permissions))).toEqual(new Map([['own-session', new Set(['view'])]]));
    const { body: listed } = await admin.get(path);
    expect(Object.keys(draft)).toEqual(Object.keys(listed.results![0]!));
    const id = await admin.create(adminProfile, { ...draft, name: 'from a draft' });
    const stored = await shown(id);
    for (const field of ['permissions', 'schedule', 'inactivityTime', 'note'])
      expect(stored[field]).toEqual(draft[field]);
  });

  test('the view map lists the pages of each key, and leaves out pages that need devices on a manager', async () => {
    const { body } = await admin.get(`${path}/permission-view-map`);
    expect(body.results).toEqual([permissionViewMap]);
    expect(Object.keys(permissionViewMap.viewMap)).toEqual(permissionKeys);
    expect(Object.keys(permissionViewMap.ncmViewMap)).toContain('policy-access');
    for (const key of ['hosts', 'devices', 'discovery', 'connection-log'])
      expect(permissionViewMap.ncmViewMap).not.toHaveProperty(key);
  });
});

describe('the last administrator', async () => {
  const { service } = await world();
  const transact = <T>(work: Parameters<typeof service.runtime.transact<T>>[1]) =>
    service.runtime.transact(systemOrigin('test'), work);
  const save = (id: number, change: object) =>
    transact(({ records }) => records.update(userAccount, id, { ...change }));
  const administrators = async () =>
    (
      await service.runtime.pool.query<{ id: number; profile: number }>(
        `select a.id, p.id as profile from user_account a join admin_profile p on p.id = a.admin_profile_dbid and p.administrator
         where a.state = 'ENABLED' order by a.id`,
      )
    ).rows;

  test('keeps the last enabled local account with all rights', async () => {
    const [{ id: last, profile }] = (await administrators()) as [{ id: number; profile: number }];
    const weak = (await transact(({ records }) => records.create(adminProfile, { name: 'weak' }))).id;
    const changes = [
      { state: 'DISABLED' },
      { adminProfileDBID: weak },
      { adminProfileDBID: null },
      { source: 'DIRECTORY' },
      { expirationDate: '2099-01-01T00:00:00.000Z' },
    ];
    for (const change of changes)
      await expect(save(last, change), JSON.stringify(change)).rejects.toMatchObject({ word: 'rejected' });
    await expect(transact(({ records }) => records.remove(userAccount, [last]))).rejects.toMatchObject({
      word: 'rejected',
    });
    await expect(save(last, { firstName: 'Ada' })).resolves.toMatchObject({ changed: true });
    const { id: second } = await transact(({ records }) =>
      records.create(userAccount, { userID: 'second', adminProfileDBID: profile }),
    );
    for (const change of [{ state: 'DISABLED' }, { state: 'ENABLED' }, { adminProfileDBID: weak }])
      await expect(save(second, change)).resolves.toMatchObject({ changed: true });
    await save(second, { adminProfileDBID: profile });
    // If two are disabled at the same time, one stays.
    const results = await Promise.allSettled([last, second].map((id) => save(id, { state: 'DISABLED' })));
    expect(results.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    expect(await administrators()).toHaveLength(1);
  });
});

describe('permission views', () => {
  const pages = Object.values(permissionPages).flatMap(({ views }) => views);

  test('contain every resource of the contract once', () => {
    const groups = [...new Set(contract.map(({ group }) => group))];
    expect(groups).toHaveLength(112);
    expect(pages.flatMap((page) => page.groups).sort()).toEqual(groups.sort());
  });

  test('contain every page once', () => {
    const names = pages.map(({ view }) => view);
    expect(new Set(names).size).toBe(names.length);
  });

  test('allow deletion where a resource of the page can be deleted, and only viewing where none can be changed', () => {
    for (const { view, verbs: offered, groups } of pages) {
      const operations = contract.filter(({ group }) => groups.includes(group));
      const deletes = operations.some(
        ({ method, path: requestPath }) => method === 'DELETE' || /\/delete(ServerCert)?$/.test(requestPath),
      );
      const isMonitor = /\/monitor\/(start|\{id\}\/stop)$|\/\{id\}\/monitor\/stop$/;
      const writes = operations.some(
        ({ method, path: requestPath }) => method !== 'GET' && !isMonitor.test(requestPath),
      );
      expect([view, offered.includes('delete')]).toEqual([view, deletes || view === 'backup']);
      expect([view, offered.length > 1]).toEqual([view, writes]);
    }
  });
});

describe('rights', () => {
  const grants = fc.dictionary(
    fc.constantFrom(...permissionKeys),
    fc.record({ view: fc.boolean(), add: fc.boolean(), modify: fc.boolean(), delete: fc.boolean() }),
  );

  test('show a profile unchanged after reading it and sending it back', () => {
    fc.assert(
      fc.property(grants, (permissions) => {
        const once = shownPermissions(permissions);
        expect(shownPermissions(once)).toEqual(once);
        for (const [key, permission] of Object.entries(once))
          expect(permission.view).toBe(
            key === 'own-session' || verbs.some((verb) => permissions[key as PermissionKey]![verb]),
          );
      }),
    );
  });

  test('report a missing right exactly if the granted rights exceed those of the caller', () => {
    fc.assert(
      fc.property(grants, grants, (a, b) => {
        const [callerRights, granted] = [rightsOf(grantsOf(a)), rightsOf(grantsOf(b))];
        expect(firstBeyond(callerRights, intersect(callerRights, granted))).toBeUndefined();
        expect(firstBeyond('everything', granted)).toBeUndefined();
        const missingRight = firstBeyond(callerRights, granted);
        if (!missingRight) return;
        const [key, verb] = missingRight;
        expect(shownPermission(key, b[key]!)[verb]).toBe(true);
        expect(shownPermission(key, a[key] ?? {})[verb]).toBe(false);
      }),
    );
  });
});
