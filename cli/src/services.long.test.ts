import { once } from 'node:events';
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { adapter } from '@portreeve/server/host/adapter/adapter.ts';
import { host } from '@portreeve/server/host/host/host.ts';
import { world } from '@portreeve/server/test/world/world.ts';
import { afterAll, afterEach, describe, expect, test } from 'vitest';
import { run } from './run.ts';
import { fakeScreen } from './testing/fake-screen.ts';

/** A port without a listener. */
async function closedPort(): Promise<string> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  await new Promise((done) => server.close(done));
  return `http://127.0.0.1:${port}`;
}

describe('stored services', async () => {
  const { admin, service } = await world();
  const url = await service.app.listen({ host: '127.0.0.1', port: 0 });
  const home = await mkdtemp(join(tmpdir(), 'portreeve-services-'));
  afterAll(() => rm(home, { recursive: true, force: true }));
  afterEach(() => {
    process.exitCode = undefined;
  });
  const file = join(home, '.config', 'portreeve', 'config.json');
  const token = async (name: string) =>
    (await admin.post<{ token: string }>('/auth/tokens', { name })).body.results![0]!.token;

  const portreeve = async (argv: readonly string[], env: Record<string, string> = {}, width?: number) => {
    const screen = { ...fakeScreen(width), env: { HOME: home, ...env } };
    await run(argv, screen);
    return { out: screen.out.written, err: screen.err.written };
  };
  const portOf = new URL(url).host;

  test('are stored by login, listed, selected and removed', async () => {
    await portreeve(['login', '--url', url, '--token', await token('first')]);
    await portreeve(['login', '--url', url, '--token', await token('second'), '--context', 'lab']);
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect((await portreeve(['context', 'list'])).out).toBe(`used\tname\turl\n\t${portOf}\t${url}\n*\tlab\t${url}\n`);
    expect((await portreeve(['status'])).out).toMatch(/Token +second, expires/);
    expect((await portreeve(['status'], { PORTREEVE_CONTEXT: portOf })).out).toMatch(/Token +first, expires/);
    expect((await portreeve(['context', 'use', portOf])).out).toBe(`Using ${portOf}: ${url}.\n`);
    expect((await portreeve(['status'])).out).toMatch(/Token +first, expires/);
    await expect(portreeve(['context', 'use', 'labb'])).rejects.toThrow(
      'There is no context "labb". Did you mean lab?',
    );
    await portreeve(['context', 'use', 'lab']);
    expect((await portreeve(['logout', '--revoke'])).out).toBe(`Signed out of ${url}. Its token is revoked.\n`);
    expect(await readFile(file, 'utf8')).not.toContain('lab');
    await expect(portreeve(['status'])).rejects.toThrow('The URL of the service is not set.');
    const listed = (await admin.get<{ name: string; state: string }>('/auth/tokens')).body.results!;
    expect(listed.find(({ name }) => name === 'second')).toMatchObject({ state: 'REVOKED' });
    expect(listed.find(({ name }) => name === 'first')).toMatchObject({ state: 'ACTIVE' });
  });

  test('are read from a file of the old format with one connection', async () => {
    await writeFile(file, JSON.stringify({ url, token: await token('old file') }));
    expect((await portreeve(['status'])).out).toMatch(/Token +old file, expires/);
  });

  test('status shows service, version, account and profile, and advice to sign in again', async () => {
    const env = { PORTREEVE_URL: url, PORTREEVE_TOKEN: await token('short') };
    const { out } = await portreeve(['status'], env);
    expect(out).toContain(`Service  ${url} (ready)\n`);
    expect(out).toMatch(/Version +Portreeve \d+\.\d+\.\d+; command line \d/);
    expect(out).toMatch(/Account +system-administrator-1 \(System Administrator\)/);
    const refused = await portreeve(['status'], { PORTREEVE_URL: url, PORTREEVE_TOKEN: 'prt_wrong' });
    expect(refused.err).toBe(
      `${url} does not accept the token of PORTREEVE_TOKEN: it is invalid, expired or revoked. Run \`portreeve login --url ${url}\`, or set PORTREEVE_TOKEN.\n`,
    );
    expect(process.exitCode).toBe(3);
    const nobody = await portreeve(['status', '--json'], { PORTREEVE_URL: await closedPort(), PORTREEVE_TOKEN: 'x' });
    expect(JSON.parse(nobody.out)).toMatchObject({
      ready: false,
      service: null,
      fault: expect.stringContaining('cannot be reached'),
    });
  });

  test('a command without a valid token reports which one was rejected and how to sign in', async () => {
    const advice = `Run \`portreeve login --url ${url}\`, or set PORTREEVE_TOKEN.`;
    const fault = 'it is invalid, expired or revoked.';
    const list = (env: Record<string, string>, ...options: string[]) =>
      portreeve(['container', 'list', ...options], { HOME: '/nonexistent', PORTREEVE_URL: url, ...env });
    const empty = list({});
    await expect(empty).rejects.toMatchObject({
      message: `You are not signed in to ${url}. ${advice}`,
      word: 'unauthenticated',
      httpCode: 401,
    });
    await expect(list({ PORTREEVE_TOKEN: 'prt_wrong' })).rejects.toThrow(
      `${url} does not accept the token of PORTREEVE_TOKEN: ${fault} ${advice}`,
    );
    await expect(list({}, '--token', 'prt_wrong')).rejects.toThrow(
      `${url} does not accept the token of --token: ${fault}`,
    );
    await writeFile(file, JSON.stringify({ current: 'lab', contexts: { lab: { url, token: 'prt_wrong' } } }));
    await expect(list({ HOME: home })).rejects.toThrow(`${url} does not accept the token of the context lab: ${fault}`);
    await expect(portreeve(['login', '--url', url, '--token', 'prt_wrong'])).rejects.toThrow(
      `${url} does not accept the token: ${fault}`,
    );
    const signIn = portreeve(['api', 'POST', '/auth/login', '-F', 'userID=nobody', '-F', 'password=wrong-password']);
    await expect(signIn).rejects.toThrow('Sign-in failed: wrong user name or password');
  });

  describe('portreeve api', () => {
    const env = { PORTREEVE_URL: url, PORTREEVE_TOKEN: admin.token };
    const api = async (...argv: string[]) => JSON.parse((await portreeve(['api', ...argv], env)).out);

    test('sends any request, with fields in the query or typed in the body', async () => {
      await api('post', '/device/container', '-F', 'name=attic', '-F', 'pollingInterval=600', '--reason', 'CHG-9');
      const result = await api('GET', '/device/container?filter=name==attic', '--field', 'count=1');
      expect(result).toMatchObject({
        status: 'success',
        filtered: 1,
        results: [{ name: 'attic', pollingInterval: 600 }],
      });
      const [row] = (await api('GET', '/logging/audit', '-F', 'filter=auditObjectName==attic')).results;
      expect(row).toMatchObject({ reason: 'CHG-9' });
      expect(await api('GET', '/auth/tokens')).toMatchObject({ status: 'success' });
      await expect(api('PATCH', '/x')).rejects.toThrow('METHOD must be one of GET, POST, PUT, DELETE.');
      await expect(api('GET', '/no/such')).rejects.toThrow('There is no resource');
    });

    test('walks through every page', async () => {
      for (const name of ['one', 'two', 'three']) await api('POST', '/device/container', '-F', `name=page ${name}`);
      const { out } = await portreeve(
        ['api', 'GET', '/device/container', '-F', 'count=2', '-F', 'filter=name==page*', '--paginate'],
        env,
      );
      expect(
        out
          .trim()
          .split('\n')
          .map((line) => JSON.parse(line).name),
      ).toEqual(['page one', 'page two', 'page three']);
    });
  });

  test('find prints matches with readable values', async () => {
    const env = { PORTREEVE_URL: url, PORTREEVE_TOKEN: admin.token };
    const id = await admin.create(host, { hostName: 'ward-cart' });
    await admin.create(adapter, { physicalAddress: '00:1D:09:00:00:04', hostID: id });
    const { out } = await portreeve(['find', '001d-0900-0004'], env, 120);
    expect(out.split('\n').map((line) => line.split(/ {2,}/))).toEqual([
      ['group', expect.anything(), 'name', expect.anything(), expect.anything(), expect.anything(), 'matched'].slice(0),
      expect.arrayContaining(['host', 'ward-cart', 'no', 'MAC']),
      expect.arrayContaining(['adapter', '00:1D:09:00:00:04', 'no', 'MAC']),
      [''],
    ]);
    for (const form of [[], ['--json'], ['-o', 'name']])
      await expect(portreeve(['find', 'nothing like it', ...form], env)).rejects.toMatchObject({
        message: 'No record matches "nothing like it".',
        word: 'error',
      });
  });

  test.each([
    [['containers', 'ls', '--count', '1'], 'id'],
    [['switch', 'count'], '0'],
    [['device', 'ls', '-n', '1'], 'id'],
    [['ports', 'ls'], 'id'],
    [['hosts', 'show', 'ward-cart'], 'id:'],
  ])('runs the command that %j means', async (argv, start) => {
    const { out } = await portreeve(argv, { PORTREEVE_URL: url, PORTREEVE_TOKEN: admin.token });
    expect(out.startsWith(start)).toBe(true);
  });
});
