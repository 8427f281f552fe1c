import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Limiter } from '@portreeve/server/test/world/restricted-admins.ts';
import { world } from '@portreeve/server/test/world/world.ts';
import { userAccount } from '@portreeve/server/user/user-account/user-account.ts';
import { afterAll, describe, expect, test } from 'vitest';
import { run } from './run.ts';
import { fakeScreen } from './testing/fake-screen.ts';
import { runPortreeve, typeOnTerminal } from './testing/run-portreeve.ts';

describe('portreeve user', async () => {
  const testWorld = await world();
  const { admin, service } = testWorld;
  const limiter = new Limiter(testWorld);
  const url = await service.app.listen({ host: '127.0.0.1', port: 0 });
  const home = await mkdtemp(join(tmpdir(), 'portreeve-user-'));
  afterAll(() => rm(home, { recursive: true, force: true }));
  const helpdesk = await limiter.caller({
    permissions: { hosts: { view: true, add: true, modify: true, delete: true } },
  });
  // No database, no key file and no configuration of a node.
  const env = { PORTREEVE_URL: url, PORTREEVE_TOKEN: helpdesk.token, HOME: home };
  /** Runs a command in a separate process, with a password on standard input. */
  const withPassword = (args: readonly string[], password: string) => runPortreeve(args, env, password);
  /** Runs a command in this process and returns its output or error. */
  const portreeve = async (...argv: string[]) => {
    const screen = { ...fakeScreen(), env };
    await run(argv, screen);
    return screen.out.written;
  };

  const auditOf = async (userID: string) =>
    limiter.sql<{ action: string; user: string }>(
      `select r.action, r."user" from audit_record r join user_account u on u.id = r.live_dbid
       where r.db_table_name = 'user_account' and u.user_id = $1 order by r.id`,
      [userID],
    );

  test('creates, shows, disables, enables and deletes a user as the caller, without the database of a node', async () => {
    const created = await withPassword(['user', 'create', 'alice', '--network-password'], 'violet-harbour-41\n');
    expect(created, created.err).toMatchObject({ code: 0, out: 'alice can log in to the network.\n' });
    const got = JSON.parse(await portreeve('user', 'get', 'alice', '--json', 'id,userID,state,networkPasswordSet'));
    expect(got).toMatchObject({ userID: 'alice', state: 'ENABLED', networkPasswordSet: true });
    expect(await portreeve('user', 'disable', 'alice')).toBe('Disabled user alice.\n');
    expect(await portreeve('users', 'list', '--filter', 'state==DISABLED', '-o', 'name')).toBe('alice\n');
    expect(await portreeve('user', 'enable', 'alice')).toBe('Enabled user alice.\n');
    const [{ name } = { name: '' }] = await limiter.sql<{ name: string }>(
      'select user_id as name from user_account where id = $1',
      [helpdesk.accountId],
    );
    expect(await auditOf('alice')).toEqual(['ADD', 'DISABLE', 'ENABLE'].map((action) => ({ action, user: name })));
    expect(await portreeve('user', 'delete', 'alice', '--yes')).toMatch(/^Deleted user \d+ "alice"\.\n$/);
    await expect(portreeve('user', 'get', 'alice')).rejects.toMatchObject({ word: 'not-found' });
    expect(await portreeve('user', 'create', 'zoe', '--role', 'NAC-Default')).toBe(
      'zoe can log in with a certificate.\n',
    );
    expect(await portreeve('user', 'create', 'eve', '--dry-run')).toBe('eve can be created. Nothing was created.\n');
    await expect(portreeve('user', 'get', 'eve')).rejects.toMatchObject({ word: 'not-found' });
  });

  test('sets a new password, and names the command for a user who exists', async () => {
    const again = ['user', 'create', 'bob', '--network-password'];
    expect((await withPassword(again, 'first-password\n')).code).toBe(0);
    const duplicate = await withPassword(again, 'second-password\n');
    expect(duplicate).toMatchObject({ code: 6, err: expect.stringContaining('portreeve user set-password bob') });
    const before = await limiter.sql('select network_password from user_account where user_id = $1', ['bob']);
    const set = await withPassword(['user', 'set-password', 'BOB'], 'second-password\n');
    expect(set).toMatchObject({
      code: 0,
      out: 'bob has a new network password, which is required at the next login.\n',
    });
    const after = await limiter.sql('select network_password from user_account where user_id = $1', ['bob']);
    expect(after).not.toEqual(before);
    await expect(portreeve('user', 'set-password', 'nobody')).rejects.toMatchObject({ word: 'not-found' });
    expect(await withPassword(['user', 'set-password', 'bob'], '')).toMatchObject({ code: 2 });
  });

  test('prompts twice without echo on a terminal, and changes nothing when both differ', async () => {
    await admin.create({ path: '/auth/users' }, { userID: 'carol' });
    const typed = 'violet-harbour-45';
    const type = (second: string) =>
      typeOnTerminal(['user', 'set-password', 'carol'], env, [
        ['Network password for carol', typed],
        ['Repeat the password: ', second],
      ]);
    const isSet = async () =>
      (
        await limiter.sql<{ isSet: boolean }>(
          `select network_password is not null as "isSet" from user_account where user_id = 'carol'`,
        )
      )[0]!.isSet;
    const differing = await type('another');
    expect(differing).toMatchObject({ code: 2, out: expect.stringContaining('The two passwords differ') });
    expect(await isSet()).toBe(false);
    const same = await type(typed);
    expect(same, same.out).toMatchObject({ code: 0 });
    expect(same.out).not.toContain(typed);
    expect(await isSet()).toBe(true);
  });

  test('sets the network password of an administrator only with the right for administrators', async () => {
    await limiter.transact(({ records }) => records.create(userAccount, { userID: 'dora', adminProfileDBID: 2 }));
    const args = ['user', 'set-password', 'dora'];
    expect((await withPassword(args, 'violet-harbour-46\n')).code).toBe(4);
    const asAdministrator = await runPortreeve(args, { ...env, PORTREEVE_TOKEN: admin.token }, 'violet-harbour-46\n');
    expect(asAdministrator, asAdministrator.err).toMatchObject({ code: 0 });
  });
});
