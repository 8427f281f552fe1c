import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { container } from '@portreeve/server/device/container/container.ts';
import { Client } from '@portreeve/server/test/world/client.ts';
import { testMasterKey } from '@portreeve/server/test/world/databases.ts';
import { world } from '@portreeve/server/test/world/world.ts';
import { afterAll, describe, expect, test } from 'vitest';
import { candidates } from './completion.ts';
import { run } from './run.ts';
import { fakeScreen } from './testing/fake-screen.ts';
import { runPortreeve, typeOnTerminal } from './testing/run-portreeve.ts';

describe('portreeve account', async () => {
  const { admin, service, database } = await world();
  const url = await service.app.listen({ host: '127.0.0.1', port: 0 });
  const home = await mkdtemp(join(tmpdir(), 'portreeve-account-'));
  afterAll(() => rm(home, { recursive: true, force: true }));
  const env = { PORTREEVE_URL: url, PORTREEVE_TOKEN: admin.token, HOME: home };
  const { pool } = service.runtime;

  /** Runs a command in this process and returns its output or error. */
  const portreeve = async (...argv: string[]) => {
    const screen = { ...fakeScreen(), env };
    await run(argv, screen);
    return { out: screen.out.written, err: screen.err.written };
  };
  const passwordOf = ({ out }: { out: string }) => out.trim();
  const signIn = (userID: string, password: string) =>
    new Client(service.app, '').post('/auth/login', { userID, password });

  test('creates, lists, disables, enables, resets, unlocks and deletes by name', async () => {
    const result = await portreeve(
      'account',
      'create',
      'carol',
      '--profile',
      'auditor',
      '--email',
      'c@example.net',
      '--generate',
    );
    expect(result.err).toContain('carol can sign in with the profile Auditor, and must change the password first.');
    expect((await signIn('carol', passwordOf(result))).body.results).toMatchObject([{ mustChangePassword: true }]);
    const listed = await portreeve(
      'account',
      'list',
      '--filter',
      'userID==carol',
      '--columns',
      'userID,profileName,email',
    );
    expect(listed.out).toMatch(/carol\s+Auditor\s+c@example.net/);
    expect(listed.out).not.toContain(passwordOf(result));

    expect((await portreeve('account', 'disable', 'carol')).out).toBe('Disabled account carol.\n');
    expect((await signIn('carol', passwordOf(result))).code).toBe(401);
    expect((await portreeve('account', 'enable', 'carol')).out).toBe('Enabled account carol.\n');

    const reset = await portreeve('account', 'reset-password', 'CAROL', '--generate');
    expect(reset.err).toContain('Sessions and tokens have ended');
    expect((await signIn('carol', passwordOf(result))).code).toBe(401);
    expect((await signIn('carol', passwordOf(reset))).code).toBe(200);

    await signIn('carol', 'wrong-password');
    expect((await portreeve('account', 'unlock', 'carol')).out).toBe(
      'carol can sign in again. The failed sign-ins were deleted.\n',
    );
    expect((await pool.query(`select from login_failure where user_id = 'carol'`)).rowCount).toBe(0);

    await portreeve('account', 'update', 'carol', '--set', 'lastName=Jones');
    expect((await portreeve('account', 'get', 'carol')).out).toMatch(/lastName: +Jones/);
    expect((await portreeve('account', 'delete', 'carol', '--yes')).out).toMatch(/^Deleted account \d+ "carol"\.\n$/);
    await expect(portreeve('account', 'unlock', 'carol')).rejects.toThrow('There is no administrator account "carol".');
  });

  test('prints the one-time password also for a create with --set', async () => {
    const { out } = await portreeve('account', 'create', '--set', 'userID=dora', '--set', 'adminProfileDBID=2');
    const password = /password: +(\S+)/.exec(out)![1]!;
    expect((await signIn('dora', password)).code).toBe(200);
    const token = await portreeve('token', 'create', '--set', 'name=by fields');
    expect(token.out).toMatch(/token: +prt_/);
  });

  test('requires a profile and lists the available ones', async () => {
    await expect(portreeve('account', 'create', 'eve', '--generate')).rejects.toThrow('--profile is required');
    await expect(portreeve('account', 'create', 'eve', '--profile', 'Viewer', '--generate')).rejects.toThrow(
      /There is no admin profile "Viewer"\. Available: .*Auditor/,
    );
  });

  test('prompts for passwords without echo, twice, and refuses two that differ', async () => {
    const typed = 'typed-at-the-terminal';
    const args = ['account', 'create', 'frank', '--profile', 'Auditor'];
    const twice = (again: string) =>
      typeOnTerminal(args, env, [
        ['New password for frank', typed],
        ['Repeat the password: ', again],
      ]);
    const differing = await twice('something-else');
    expect(differing).toMatchObject({ code: 2, out: expect.stringContaining('The two passwords differ') });
    const result = await twice(typed);
    expect(result, result.out).toMatchObject({
      code: 0,
      out: expect.stringContaining('frank can sign in with the profile Auditor'),
    });
    for (const { out } of [differing, result]) expect(out).not.toContain(typed);
    expect((await signIn('frank', typed)).code).toBe(200);
  });

  test('login --user reads the password, changes it if required, and stores a token', async () => {
    const oneTime = passwordOf(await portreeve('account', 'create', 'grace', '--profile', 'Auditor', '--generate'));
    const newPassword = 'a-password-of-my-own';
    const login = (input: string, ...extraArguments: string[]) =>
      runPortreeve(['login', '--url', url, '--user', 'grace', ...extraArguments], { HOME: home }, input);
    const signedIn = await login(`${oneTime}\n${newPassword}\n`);
    expect(signedIn, signedIn.err).toMatchObject({ code: 0, out: expect.stringContaining('Signed in') });
    const { contexts, current } = JSON.parse(await readFile(join(home, '.config/portreeve/config.json'), 'utf8'));
    const { token } = contexts[current];
    const tokens = await new Client(service.app, token).get('/auth/tokens');
    expect(tokens.body.results).toMatchObject([{ owner: 'grace', state: 'ACTIVE', scopes: null }]);
    expect((await new Client(service.app, token).get('/auth/sessions')).body.results).toEqual([]);
    expect((await new Client(service.app, token).get(container.path!)).code).toBe(200);
    expect(await login(`${oneTime}\n`)).toMatchObject({ code: 3 });
    expect(await login(`${newPassword}\n`, '--days', '400')).toMatchObject({ code: 2 });
  });

  test('unlock --on-node works without a sign-in', async () => {
    await portreeve('account', 'create', 'henry', '--profile', 'Auditor', '--generate');
    await signIn('henry', 'wrong-password');
    const keyFile = join(home, 'master.key');
    await writeFile(keyFile, `${(await testMasterKey()).toString('hex')}\n`, { mode: 0o600 });
    const onNode = { HOME: home, PORTREEVE_DATABASE_URL: database.serviceUrl, PORTREEVE_KEY_FILE: keyFile };
    const unlocked = await runPortreeve(['account', 'unlock', 'henry', '--on-node'], onNode);
    expect(unlocked, unlocked.err).toMatchObject({
      code: 0,
      out: 'henry can sign in again. 1 failed sign-in was deleted.\n',
    });
  });

  test('completes the verbs and their options', () => {
    const words = (...typed: string[]) => candidates(typed).map(({ word }) => word);
    expect(words('account', '')).toEqual(
      expect.arrayContaining(['list', 'create', 'disable', 'enable', 'reset-password', 'unlock', 'delete']),
    );
    expect(words('account', 'unlock', '--on')).toEqual(['--on-node']);
  });
});
