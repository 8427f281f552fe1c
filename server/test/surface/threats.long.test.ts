import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { describe, expect, onTestFinished, test } from 'vitest';
import { container } from '../../src/device/container/container.ts';
import { deviceProfilingRule } from '../../src/host/device-profiling-rule/device-profiling-rule.ts';
import { aaaServer } from '../../src/integration/aaa-server/aaa-server.ts';
import { mdmServer } from '../../src/integration/mdm-server/mdm-server.ts';
import { proxySettings } from '../../src/integration/proxy-settings/proxy-settings.ts';
import { permissionKeys } from '../../src/kernel/declare/permissions.ts';
import { unwrapDataKeys } from '../../src/kernel/write/secrets.ts';
import { migrateDatabase } from '../../src/node/migrate-database.ts';
import { outboundHttp } from '../../src/protocols/outbound/http.ts';
import { type Lookup, outboundGuard } from '../../src/protocols/outbound/outbound.ts';
import { radiusClient } from '../../src/protocols/radius/radius.ts';
import { Client, type Reply } from '../world/client.ts';
import { emptyDatabase, testMasterKey } from '../world/databases.ts';
import { openWorld } from '../world/open-world.ts';
import { pathWith } from '../world/paths.ts';
import { type World, world } from '../world/world.ts';
import { citedTests, tableRows } from './cited-tests.ts';
import { dumpOf, secretsIn } from './secret-search.ts';

const sourceFolder = fileURLToPath(new URL('../../src', import.meta.url));
const repository = join(sourceFolder, '../..');

/**
 * Operations that send or store something although the right to view is enough. A new one must be added here, so it is
 * visible in review.
 */
const viewersMay = [
  // A test of a server as it is stored: ten a minute, to an address that an administrator configured.
  'aaa-server.supports-validation',
  'aaa-server.validate-stored',
  // A preview; to commit it takes the right to modify, which `network-device.test.ts` tests.
  'network-device.move',
  // A monitor is the caller's own position in the feed.
  'container.monitor-start',
  'container.monitor-stop',
  'event.monitor-start',
  'event.monitor-stop',
  'network-device.monitor-start',
  'network-device.monitor-stop',
  'port.monitor-start',
  'port.monitor-stop',
];

const loggedIn = async (testWorld: World, userID: string, password: string, address = '198.51.100.1') => {
  const reply = await testWorld.service.app.inject({
    method: 'POST',
    url: '/auth/login',
    headers: { 'content-type': 'application/json' },
    payload: JSON.stringify({ userID, password }),
    remoteAddress: address,
  });
  const session = reply.json().results?.[0] as { sessionKey: string; securityKey: string } | undefined;
  return { code: reply.statusCode, text: reply.body, session };
};

const userOf = async ({ service }: World, accountId: number): Promise<string> =>
  (await service.runtime.pool.query('select user_id as name from user_account where id = $1', [accountId])).rows[0]
    .name;

describe('rights', async () => {
  const testWorld = await world();
  const { service } = testWorld;

  test('a caller with only the right to view can change nothing, except by listed operations', async () => {
    const viewer = await testWorld.caller(Object.fromEntries(permissionKeys.map((key) => [key, ['view']])));
    const passed: string[] = [];
    for (const operation of service.operations) {
      const { operationId, method, path, access, writes, example } = operation;
      if (access.kind !== 'permission' || (method === 'GET' && !writes && !/validat/i.test(path))) continue;
      const reply = await viewer.call(method, pathWith(operation, 999_999_999), example);
      // A POST that only reads is allowed.
      if (reply.code !== 403 && (writes || method === 'GET')) passed.push(operationId);
    }
    expect(passed.sort()).toEqual([...viewersMay].sort());
  });

  test('no operation writes with the cookie alone', async () => {
    const userID = await userOf(testWorld, (testWorld.admin as Client & { accountId: number }).accountId);
    const { session } = await loggedIn(testWorld, userID, 'correct-horse-battery');
    const byCookie = new Client(service.app, '');
    const cookie = `__Host-session=${session!.sessionKey}`;
    const writing = service.operations.filter(({ access, writes }) => access.kind !== 'open' && writes);
    expect(writing.length).toBeGreaterThan(30);
    for (const operation of writing) {
      const { operationId, method, example } = operation;
      for (const key of [{}, { 'x-security-key': 'x'.repeat(30) }, { 'x-security-key': session!.sessionKey }]) {
        const url = pathWith(operation, 1);
        const reply = await byCookie.call(method, url, example, { cookie, ...(key as Record<string, string>) });
        expect(reply, operationId).toMatchObject({ code: 403, body: { status: 'forbidden' } });
        expect(reply.body.errorMessage).toContain('X-Security-Key');
      }
    }
    // A form of another site can send neither JSON nor the key; even with both, a form field does not count as the key.
    const form = { cookie, 'content-type': 'application/x-www-form-urlencoded' };
    expect((await byCookie.call('POST', container.path!, 'name=evil', form)).code).toBe(403);
    const right = { cookie, 'x-security-key': session!.securityKey };
    expect((await byCookie.post(container.path!, { name: 'by the console' }, right)).code).toBe(201);
  });
});

describe('secrets', async () => {
  test('are neither in a dump of the database nor in the log: passwords, tokens, sessions and secrets of records', async () => {
    const testWorld = await world({ jobs: 'enqueue' });
    const { admin, service, database, logged } = testWorld;
    const issued = ['correct-horse-battery', 'wrong-horse-battery', 'a-new-horse-battery', admin.token];
    let n = 0;
    const hush = (what: string) => {
      const secret = `hush ${what} ${++n} ${Math.random().toString(36).slice(2)}`;
      issued.push(secret);
      return secret;
    };
    const expectDone = (reply: Reply) => {
      expect(reply.code, reply.text).toBeLessThan(300);
      return reply;
    };

    const server = await admin.create(aaaServer, {
      name: 'r',
      netId: '192.0.2.1',
      secret: hush('aaa'),
      checkPassword: hush('check'),
    });
    expectDone(await admin.post(`${aaaServer.path}/${server}`, { secret: hush('aaa') }, { 'idempotency-key': 'once' }));
    expectDone(await admin.get(`${aaaServer.path}/${server}/secret`));
    const mdm = {
      ...(mdmServer.example as object),
      password: hush('mdm'),
      credentialText: hush('credential'),
      appAccessKey: hush('access'),
    };
    await admin.create(mdmServer, mdm);
    expectDone(
      await admin.post(proxySettings.path!, {
        httpProxyHost: 'proxy.example',
        httpProxyPort: 3128,
        httpProxyUser: 'u',
        httpProxyPassword: hush('proxy'),
        httpsProxyHost: 'proxy.example',
        httpsProxyPort: 3128,
        httpsProxyUser: 'u',
        httpsProxyPassword: hush('proxy'),
      }),
    );
    const rule = await admin.create(deviceProfilingRule, {
      name: 'credentials',
      type: { id: 1 },
      methods: [
        { methodType: { shortName: 'SSH' }, data: { userName: 'probe', password: hush('ssh') } },
        {
          methodType: { shortName: 'SNMP' },
          data: {
            oid: '1.3.6.1.2.1.1.1.0',
            version: 'V3',
            credentials: {
              community: hush('community'),
              userName: 'probe',
              authenticationPassword: hush('authentication'),
              privacyPassword: hush('privacy'),
            },
          },
        },
        { methodType: { shortName: 'HTTP' }, data: { match: ['x'], userName: 'probe', password: hush('http') } },
      ],
    });
    expectDone(await admin.post(`${deviceProfilingRule.path}/${rule}`, { name: 'changed beside' }));

    const token = expectDone(await admin.post('/auth/tokens', { name: 'one' }, { 'idempotency-key': 'token' })).body
      .results![0]!;
    issued.push(String(token.token));
    const rotated = expectDone(await admin.post(`/auth/tokens/${token.id}/rotate`, {})).body.results![0]!;
    issued.push(String(rotated.token));
    const userID = await userOf(testWorld, (admin as Client & { accountId: number }).accountId);
    await loggedIn(testWorld, userID, 'wrong-horse-battery');
    const { session } = await loggedIn(testWorld, userID, 'correct-horse-battery');
    issued.push(session!.sessionKey, session!.securityKey);
    const bySession = new Client(service.app, session!.sessionKey);
    const change = { currentPassword: 'correct-horse-battery', newPassword: 'a-new-horse-battery' };
    expectDone(await bySession.post('/auth/password', change));
    const chosen = hush('chosen');
    const account = expectDone(
      await admin.post('/auth/admins', { userID: 'with a password', adminProfileDBID: 2, password: chosen }),
    ).body.results![0]!;
    for (const [url, body] of [
      ['/auth/admins', { userID: 'with a one-time password', adminProfileDBID: 2 }],
      [`/auth/admins/${account.id}/reset-password`, {}],
    ] as const) {
      const { password } = expectDone(await admin.post(url, body, { 'idempotency-key': `at${url.length}` })).body
        .results![0]!;
      issued.push(String(password));
    }
    expectDone(await admin.post(`/auth/admins/${account.id}/reset-password`, { password: hush('reset') }));
    const accounts = (await admin.get('/auth/admins')).text;
    // In a wrong field they are refused and not stored.
    const misplaced = hush('misplaced');
    await admin.get(
      `${aaaServer.path}?filter=${encodeURIComponent(`secret==${misplaced}`)}&secret=${encodeURIComponent(misplaced)}`,
    );
    await admin.post(`${aaaServer.path}/${server}`, { authPort: misplaced });
    await admin.post(`${aaaServer.path}/${server}`, `{"secret": "${misplaced}`);

    const [dumped, log] = [await dumpOf(database), logged.join('\n')];
    for (const table of ['api_token', 'login_session', 'password', 'aaa_server', 'data_key_wrapping', 'audit_record'])
      expect(dumped, 'the dump contains the table').toContain(`INSERT INTO public.${table}`);
    expect(dumped).toContain('pgboss');
    expect(dumped).toContain(userID);
    expect(logged.length).toBeGreaterThan(10);
    const masterKey = await testMasterKey();
    const dataKeys = [...(await unwrapDataKeys(service.runtime.pool, masterKey)).keys.values()];
    expect(dataKeys.length).toBeGreaterThan(0);
    expect(secretsIn(issued, { dump: dumped, log, accounts })).toEqual([]);
    for (const key of [masterKey, ...dataKeys])
      for (const form of [key.toString('hex'), key.toString('base64').slice(0, -1)])
        expect((dumped + log).includes(form)).toBe(false);
  });

  test('differ between two fresh installations: landscape, data key, accounts and tokens', async () => {
    const installs = await Promise.all([emptyDatabase(), emptyDatabase()]);
    onTestFinished(() => Promise.all(installs.map((database) => database.drop())).then(() => undefined));
    const masterKey = await testMasterKey();
    const facts = await Promise.all(
      installs.map(async (database) => {
        await migrateDatabase(database.ownerUrl);
        const client = new pg.Client({ connectionString: database.serviceUrl });
        await client.connect();
        const [shipped] = (
          await client.query(
            `select (select count(*)::integer from user_account) as accounts, (select count(*)::integer from api_token) as tokens,
               (select count(*)::integer from password) as passwords, (select count(*)::integer from data_key) as keys,
               (select landscape from cell) as landscape, (select min(landscape) from container) as root`,
          )
        ).rows;
        await client.end();
        return shipped;
      }),
    );
    for (const shipped of facts) expect(shipped).toMatchObject({ accounts: 0, tokens: 0, passwords: 0, keys: 0 });
    expect(new Set(facts.map(({ landscape }) => landscape)).size).toBe(2);
    for (const { landscape, root } of facts) expect(root).toBe(landscape);
    // Even with one master key for both, which is not recommended.
    const keys = await Promise.all(
      installs.map(async (database) => {
        const { service } = await openWorld({ database });
        const unwrapped = await unwrapDataKeys(service.runtime.pool, masterKey);
        await service.close();
        return unwrapped.keys.get(1)!.toString('hex');
      }),
    );
    expect(keys[0]).not.toBe(keys[1]);
  });
});

describe('requests to other systems', () => {
  test('a name whose address changes is resolved once, and the connection goes to the checked address', async () => {
    let connections = 0;
    const inside = createServer((_request, reply) => reply.end('inside')).listen(0, '127.0.0.1');
    inside.on('connection', () => connections++);
    const packets = createSocket('udp4', () => connections++);
    packets.bind(0, '127.0.0.1');
    await Promise.all([once(inside, 'listening'), once(packets, 'listening')]);
    let lookups = 0;
    const changing: Lookup = async () => [{ address: ++lookups % 2 === 1 ? '192.0.2.1' : '127.0.0.1', family: 4 }];
    const guard = outboundGuard({ allow: [], refuse: [] }, changing);
    const http = outboundHttp({
      guard,
      proxy: async () => ({ http: null, https: null, direct: '' }),
      connectMsMax: 150,
    });
    const { port } = inside.address() as AddressInfo;
    await expect(http.request({ method: 'GET', url: `http://rebinding.example:${port}/` })).rejects.toThrow(
      'rebinding.example',
    );
    expect(lookups).toBe(1);
    await expect(http.request({ method: 'GET', url: `http://rebinding.example:${port}/` })).rejects.toThrow(
      'a loopback address',
    );
    expect(lookups).toBe(2);
    const radius = radiusClient({ outbound: guard, timeoutMs: 100, tries: 2 });
    const packetPort = packets.address().port;
    const probe = {
      host: 'rebinding.example',
      authPort: packetPort,
      acctPort: packetPort,
      secret: 'hush-hush',
      checkUser: 'u',
      checkPassword: 'p',
    };
    expect(await radius.probe(probe)).toMatchObject({ passed: false });
    expect(lookups).toBe(3);
    expect(await radius.probe(probe)).toMatchObject({ passed: false });
    expect(connections).toBe(0);
    inside.close();
    packets.close();
  });

  test('a validation reaches neither loopback nor link-local addresses, in any notation', async () => {
    const testWorld = await world({
      parts: { radius: radiusClient({ outbound: outboundGuard({ allow: [], refuse: [] }), timeoutMs: 50 }) },
    });
    let packets = 0;
    const inside = createSocket('udp4', () => packets++);
    inside.bind(0, '127.0.0.1');
    await once(inside, 'listening');
    const { port } = inside.address();
    for (const netId of [
      '127.0.0.1',
      'localhost',
      '0',
      '127.1',
      '2130706433',
      '0x7f000001',
      '::1',
      '::ffff:127.0.0.1',
      '169.254.169.254',
      'fe80::1',
      '0.0.0.0',
    ]) {
      const reply = await testWorld.admin.post(`${aaaServer.path}/validate`, {
        name: 'probe',
        netId,
        authPort: port,
        acctPort: port,
        secret: 'hush-hush',
      });
      expect([200, 422], reply.text).toContain(reply.code);
      expect(reply.text, netId).toMatch(/refused|cannot be resolved/);
    }
    expect(packets).toBe(0);
    // The same request arrives if the deployment allows it, so the guard refused the others.
    const { admin } = await world();
    const allowed = { name: 'probe', netId: '127.0.0.1', authPort: port, acctPort: port, secret: 'hush-hush' };
    expect((await admin.post(`${aaaServer.path}/validate`, allowed)).code).toBe(200);
    inside.close();
    expect(packets).toBeGreaterThan(0);
  });
});

interface Source {
  path: string;
  text: string;
}

const sourcesBelow = (folder: string): Source[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts') && !path.includes('node_modules'))
    .map((path) => ({ path, text: readFileSync(join(folder, path), 'utf8') }));

describe('the sources', () => {
  const served = sourcesBelow(sourceFolder).filter(({ path }) => !path.endsWith('.test.ts'));

  test('start seven programs, and none through a shell', () => {
    const starters = served.filter(({ text }) => /child_process|worker_threads|node:vm|node:cluster/.test(text));
    // fping and nmap get checked addresses behind `--`; ssh gets a command of plain words only; freeradius and radmin
    // get a folder, and radmin the address of a device; radclient gets a packet and its secret on standard input;
    // openssl gets a file and its passphrase through pipes, or lists its ciphers.
    expect(starters.map(({ path }) => path).sort()).toEqual([
      'drivers/ping.ts',
      'protocols/nmap/nmap.ts',
      'protocols/radius-engine/engine-process.ts',
      'protocols/radius-engine/radclient.ts',
      'protocols/radius-engine/radius-engine.ts',
      'protocols/ssh/ssh.ts',
      'protocols/tls/ciphers.ts',
      'protocols/x509/pkcs12.ts',
    ]);
    const everywhere = ['server/src', 'cli/src', 'testbed/src', 'tools', 'sdk/src'].flatMap((folder) =>
      sourcesBelow(join(repository, folder)).map(({ path, text }) => ({ path: `${folder}/${path}`, text })),
    );
    expect(everywhere.length).toBeGreaterThan(100);
    const shell =
      /\bshell\s*:\s*(true|['"`])|\bexecSync\s*\(|import\s*\{[^}]*\bexec\b[^}]*\}\s*from\s*'node:child_process'/;
    const guilty = everywhere.filter(
      ({ path, text }) => path !== 'server/test/surface/threats.long.test.ts' && shell.test(text),
    );
    expect(guilty.map(({ path }) => path)).toEqual([]);
  });

  test('create code from text in two places, from declarations only', () => {
    const makers = served.filter(({ text }) => /new Function\b|\beval\s*\(|Function\s*\(\s*['"`]/.test(text));
    // Both quote every name with JSON.stringify; json-writer.test.ts tests names that would be code.
    expect(makers.map(({ path }) => path).sort()).toEqual(['kernel/format/json-writer.ts', 'kernel/read/select.ts']);
    const loaders = served.filter(({ text }) => /\bimport\s*\(\s*[^'"\s)]|\brequire\s*\(/.test(text));
    // The catalogue imports the modules of groups, files of its own folder, and nothing that a caller sends.
    expect(loaders.map(({ path }) => path)).toEqual(['catalogue.ts']);
  });

  test('contain every test that docs/threats.md cites', () => {
    const rows = tableRows('threats.md');
    expect(rows.length).toBeGreaterThanOrEqual(12);
    for (const row of rows) {
      const cited = citedTests(row);
      expect(cited.length, `${row} cites a test`).toBeGreaterThan(0);
      expect(cited.filter(({ isThere }) => !isThere)).toEqual([]);
    }
  });
});
