import { execFile } from 'node:child_process';
import { X509Certificate } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type Login, logIn, supplicantText } from '@portreeve/testbed/eapol-test.ts';
import { msChapV2 } from '@portreeve/testbed/ms-chap-v2.ts';
import { type Layer, logInThroughTunnels } from '@portreeve/testbed/tunnel-supplicant.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { dumpOf, secretsIn } from '../../../test/surface/secret-search.ts';
import { until } from '../../../test/world/patience.ts';
import { nasAddress, nasSecret, type RadiusWorld, radiusWorld } from '../../../test/world/radius-world.ts';
import { Limiter } from '../../../test/world/restricted-admins.ts';
import { observePorts } from '../../device/port/port.service.ts';
import { systemOrigin } from '../../kernel/declare/caller.ts';
import { userAccount } from '../../user/user-account/user-account.ts';

const run = promisify(execFile);
const certificates = '/settings/security/certificate-server';
const speeches = '/settings/tls-service-configuration';
const profiles = '/radius/radius-server-config';
const details = '/radius/radius-health-details';
const password = 'wonder"land %{User-Name} \\ ü';

describe('logins', () => {
  let world: RadiusWorld;
  let limiter: Limiter;
  let folder: string;
  let attemptCount = 0;
  const openssl = async (...args: string[]) => (await run('/usr/bin/openssl', args, { cwd: folder })).stdout;
  const readText = (file: string) => readFile(join(folder, file), 'utf8');
  const newKey = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];
  const authority = (name: string) =>
    openssl(
      ...['req', '-x509', ...newKey, '-keyout', `${name}.key`, '-out', `${name}.pem`, '-days', '90'],
      ...['-subj', `/CN=CA of ${name}`, '-addext', 'basicConstraints=critical,CA:TRUE'],
    );
  const createCertificate = async (name: string, ca: string, ...options: string[]) => {
    const subject = name === 'nameless' ? '/O=Campus' : `/CN=${name}`;
    await openssl('req', ...newKey, '-utf8', '-keyout', `${name}.key`, '-out', `${name}.csr`, '-subj', subject);
    await openssl(
      ...['x509', '-req', '-in', `${name}.csr`, '-CA', `${ca}.pem`, '-CAkey', `${ca}.key`, '-out', `${name}.pem`],
      ...(options.length > 0 ? options : ['-days', '60']),
    );
  };
  const deploy = async (...id: number[]) => {
    const { code, headers } = await world.admin.post(`${speeches}/deploy`, { id });
    expect(code).toBe(202);
    const task = String(headers.location).replace('/api/v2', '');
    const state = async () => (await world.admin.get<{ state: string }>(task)).body.results![0]!.state;
    await until('the task', async () => ['COMPLETED', 'FAILED'].includes(await state()));
    expect(await state()).toBe('COMPLETED');
    await world.runs();
  };
  const user = (userID: string, word = password) =>
    world.service.runtime.transact(systemOrigin('test'), ({ records }) =>
      records.create(userAccount, { userID, networkPassword: word }),
    );
  /** Returns a new MAC address for each attempt, which identifies its row. */
  const newMac = () => `02:00:00:00:01:${(++attemptCount).toString(16).padStart(2, '0').toUpperCase()}`;
  const eap = async (network: Record<string, string>, source = nasAddress) => {
    const mac = newMac();
    const login = await logIn({ source, port: world.authPort, secret: nasSecret, mac, network });
    return { ...login, mac };
  };
  const tunnel = (kind: 'PEAP' | 'TTLS', phase2: string, name: string, word = password) => ({
    eap: kind,
    identity: supplicantText(name),
    anonymous_identity: '"nobody"',
    password: supplicantText(word),
    ca_cert: `"${join(folder, 'servers.pem')}"`,
    phase2: `"${phase2}"`,
  });
  const certificate = (name: string) => ({
    eap: 'TLS',
    identity: '"anything"',
    ca_cert: `"${join(folder, 'servers.pem')}"`,
    client_cert: `"${join(folder, `${name}.pem`)}"`,
    private_key: `"${join(folder, `${name}.key`)}"`,
  });
  interface Attempt extends Login {
    mac: string;
  }
  const plain = async (attributes: Record<string, string>): Promise<Attempt> => {
    const mac = newMac();
    const { code } = await world.send({ attributes: { 'Calling-Station-Id': mac, ...attributes } });
    return { isAccepted: code === 'Access-Accept', mac, certificate: '', output: code };
  };
  const rowOf = async (mac: string) => {
    const rows = async () =>
      (await world.admin.get<Record<string, unknown>>(`${details}?filter=callingStationId==${mac}`)).body.results!;
    await until(`the row of ${mac}`, async () => (await rows()).length > 0);
    expect(await rows()).toHaveLength(1);
    return (await rows())[0]!;
  };
  /** Returns the number of HTTP calls of the engine so far. */
  const calls = async () => {
    const page = await world.node().metrics.page();
    return [...page.matchAll(/^portreeve_radius_calls_total\{.*\} (\d+)$/gm)].reduce(
      (sum, [, n]) => sum + Number(n),
      0,
    );
  };

  beforeAll(async () => {
    world = await radiusWorld({ jobs: 'work' });
    limiter = new Limiter(world);
    folder = await mkdtemp(join(tmpdir(), 'portreeve-eap-'));
    for (const name of ['servers', 'clients', 'strangers']) await authority(name);
    await createCertificate('radius.example.org', 'servers');
    await createCertificate('alice', 'clients');
    await createCertificate('bob', 'clients');
    await createCertificate('pump-7', 'clients');
    await createCertificate('mallory', 'strangers');
    await createCertificate('nameless', 'clients');
    await createCertificate('zoë', 'clients');
    await createCertificate('late', 'clients', '-not_before', '20200101000000Z', '-not_after', '20200102000000Z').catch(
      () => createCertificate('late', 'clients', '-days', '-1'),
    );
    await writeFile(join(folder, 'ca.cnf'), '[ca]\ndefault_ca=d\n[d]\ndatabase=index.txt\ndefault_md=sha256\n');
    await writeFile(join(folder, 'index.txt'), '');
    const signing = ['ca', '-config', 'ca.cnf', '-keyfile', 'clients.key', '-cert', 'clients.pem'];
    await openssl(...signing, '-revoke', 'bob.pem');
    await openssl(...signing, '-gencrl', '-crldays', '30', '-out', 'clients.crl');
    const { admin } = world;
    const ok = async (response: ReturnType<typeof admin.post>) =>
      expect([(await response).code, (await response).body.errorMessage]).toEqual([200, null]);
    await ok(
      admin.post(`${certificates}/clients`, {
        certificate: await readText('clients.pem'),
        crl: await readText('clients.crl'),
      }),
    );
    await ok(
      admin.post(`${certificates}/radius`, {
        certificate: await readText('radius.example.org.pem'),
        privateKey: await readText('radius.example.org.key'),
      }),
    );
    await ok(admin.post(`${speeches}/3`, { trustAliases: ['clients'] }));
    await ok(admin.post(`${profiles}/1`, { crlEnabled: true, papEnabled: true, chapEnabled: true }));
    await deploy(3);
    for (const name of ['alice', 'carol', 'zoë']) await user(name);
    // The program that sends CHAP packets interprets a backslash as an escape.
    await user('dave', 'simple-password');
    await limiter.sql(`update user_account set state = 'DISABLED' where user_id = 'carol'`);
  });
  afterAll(async () => {
    await world.close();
    await rm(folder, { recursive: true, force: true });
  });

  const good: [
    string,
    () => Promise<Attempt>,
    { username?: string; eapType: string; outerEapType?: string | null },
    number,
  ][] = [
    [
      'PAP',
      () => plain({ 'User-Name': 'alice', 'User-Password': password }),
      { eapType: 'PAP', outerEapType: null },
      2,
    ],
    [
      'CHAP',
      () => plain({ 'User-Name': 'dave', 'CHAP-Password': 'simple-password' }),
      { username: 'dave', eapType: 'CHAP' },
      2,
    ],
    ['MS-CHAPv2', async () => plain(await msChapV2('alice', password)), { eapType: 'MS-CHAP' }, 2],
    ['TTLS-PAP', () => eap(tunnel('TTLS', 'auth=PAP', 'alice')), { outerEapType: 'TTLS', eapType: 'PAP' }, 2],
    [
      'TTLS-MSCHAPv2',
      () => eap(tunnel('TTLS', 'auth=MSCHAPV2', 'alice')),
      { outerEapType: 'TTLS', eapType: 'MS-CHAP' },
      2,
    ],
    [
      'PAP, with a name beyond ASCII',
      () => plain({ 'User-Name': 'zoë', 'User-Password': password }),
      { username: 'zoë', eapType: 'PAP' },
      2,
    ],
    [
      'TTLS-PAP, with such a name',
      () => eap(tunnel('TTLS', 'auth=PAP', 'zoë')),
      { username: 'zoë', outerEapType: 'TTLS', eapType: 'PAP' },
      2,
    ],
    ['PEAP', () => eap(tunnel('PEAP', 'auth=MSCHAPV2', 'alice')), { outerEapType: 'PEAP', eapType: 'MSCHAPv2' }, 3],
    ['EAP-TLS', () => eap(certificate('alice')), { outerEapType: 'TLS', eapType: 'TLS' }, 1],
    [
      'EAP-TLS, with a name beyond ASCII',
      () => eap(certificate('zoë')),
      { username: 'zoë', outerEapType: 'TLS', eapType: 'TLS' },
      1,
    ],
  ];
  test.each(good)('by %s is accepted, with the name that was proven', async (_, attempt, row, callsMade) => {
    const before = await calls();
    const login = await attempt();
    expect(login.isAccepted, login.output.slice(-3_000)).toBe(true);
    expect((await calls()) - before).toBe(callsMade);
    const { username: name = 'alice', ...methods } = row;
    expect(await rowOf(login.mac)).toMatchObject({ ...methods, username: name, reply: 'ACCEPT', cause: 'NONE' });
    await until('who is logged on', async () => {
      const loggedOnRows = await limiter.sql(
        `select from adapter a join host h on h.id = a.host_id
         where a.physical_address = $1 and a.auth_type = $3 and h.authenticated and h.logged_on_user_id = $2`,
        [login.mac, name, row.outerEapType ? 'DOT1X' : 'PORTAL'],
      );
      return loggedOnRows.length === 1;
    });
  });

  const bad: [string, () => Promise<Attempt>, object][] = [
    [
      'a wrong password, PAP',
      () => plain({ 'User-Name': 'alice', 'User-Password': 'x' }),
      { cause: 'BAD_PASSWORD', username: 'alice' },
    ],
    ['a wrong password, MS-CHAPv2', async () => plain(await msChapV2('alice', 'x')), { cause: 'BAD_PASSWORD' }],
    [
      'the right password by MS-CHAPv1',
      () => plain({ 'User-Name': 'alice', 'MS-CHAP-Password': password }),
      { cause: 'OTHER', message: 'MS-CHAPv1 is not accepted outside a tunnel: the password can be computed from it.' },
    ],
    [
      'a wrong password, PEAP',
      () => eap(tunnel('PEAP', 'auth=MSCHAPV2', 'alice', 'x')),
      { cause: 'BAD_PASSWORD', username: 'alice' },
    ],
    [
      'a wrong password, TTLS',
      () => eap(tunnel('TTLS', 'auth=PAP', 'alice', 'x')),
      { cause: 'BAD_PASSWORD', username: 'alice' },
    ],
    [
      'a name that nobody has',
      () => eap(tunnel('TTLS', 'auth=PAP', 'ghost')),
      { cause: 'UNKNOWN_USER', username: 'ghost' },
    ],
    [
      'a name that nobody has, PEAP',
      () => eap(tunnel('PEAP', 'auth=MSCHAPV2', 'ghost')),
      { cause: 'UNKNOWN_USER', username: 'ghost' },
    ],
    [
      'a password that repeats the name, in a tunnel',
      () => eap(tunnel('TTLS', 'auth=PAP', 'alice', 'alice')),
      { cause: 'BAD_PASSWORD' },
    ],
    [
      'a name that nobody has, repeated as password',
      () => eap(tunnel('TTLS', 'auth=PAP', 'ghost', 'ghost')),
      { cause: 'UNKNOWN_USER' },
    ],
    [
      'a disabled account',
      () => plain({ 'User-Name': 'carol', 'User-Password': password }),
      { cause: 'ACCOUNT_DISABLED' },
    ],
    [
      'a certificate of strangers',
      () => eap(certificate('mallory')),
      { cause: 'CERT_UNTRUSTED', message: 'The certificate was issued by an authority that is not trusted.' },
    ],
    [
      'a supplicant that does not trust the certificate of the service',
      () => eap({ ...tunnel('PEAP', 'auth=MSCHAPV2', 'alice'), ca_cert: `"${join(folder, 'strangers.pem')}"` }),
      { cause: 'CERT_UNTRUSTED', message: 'The supplicant does not trust the certificate of this service.' },
    ],
    ['a certificate that was revoked', () => eap(certificate('bob')), { cause: 'CERT_REVOKED' }],
    ['a certificate without a common name', () => eap(certificate('nameless')), { cause: 'CERT_NAME' }],
    ['a certificate that has ended', () => eap(certificate('late')), { cause: 'CERT_EXPIRED' }],
  ];
  test.each(bad)('with %s is rejected, with the cause', async (_, attempt, row) => {
    const login = await attempt();
    expect(login.isAccepted).toBe(false);
    expect(await rowOf(login.mac)).toMatchObject({ ...row, reply: 'REJECT' });
  });

  describe('inside a tunnel', () => {
    const pap = (userName: string): Layer => ({ type: 'PAP', userName, password });
    const through = (type: 'TTLS' | 'PEAP', identity: string, inside: Layer): Layer => ({ type, identity, inside });
    const attempt = (mac: string, layers: Layer) =>
      logInThroughTunnels({ source: nasAddress, port: world.authPort, secret: nasSecret, mac, layers });

    test('accepts a password in TTLS, with the supplicant that also nests tunnels', async () => {
      expect(await attempt(newMac(), through('TTLS', 'anonymous', pap('alice')))).toBe('accepted');
    });

    const gtc: Layer = { type: 'GTC', userName: 'alice', password };
    const nested: ['TTLS' | 'PEAP', 'TTLS' | 'PEAP', Layer][] = [
      ['TTLS', 'TTLS', pap('alice')],
      ['TTLS', 'PEAP', pap('alice')],
      ['PEAP', 'TTLS', gtc],
      ['PEAP', 'PEAP', gtc],
    ];
    test.each(nested)('does not offer a second tunnel: %s in %s', async (innerType, outerType, innermost) => {
      const layers = through(outerType, 'anonymous', through(innerType, 'zoë', innermost));
      expect(await attempt(newMac(), layers)).toBe(`${innerType} not offered`);
    });

    const certified: [string, Record<string, string>][] = [
      ['TTLS', { eap: 'TTLS', phase2: '"autheap=TLS"' }],
      ['PEAP', { eap: 'PEAP', phase2: '"auth=TLS"' }],
    ];
    test.each(certified)('does not offer EAP-TLS: a certificate in %s proves no inner identity', async (_, network) => {
      const login = await eap({
        ...network,
        identity: '"alice"',
        anonymous_identity: '"anonymous"',
        ca_cert: `"${join(folder, 'servers.pem')}"`,
        client_cert2: `"${join(folder, 'pump-7.pem')}"`,
        private_key2: `"${join(folder, 'pump-7.key')}"`,
      });
      expect(login.isAccepted).toBe(false);
      // Rejected by the engine, before the node checks the proof.
      expect(await rowOf(login.mac)).toMatchObject({ reply: 'REJECT', cause: 'EAP_TYPE_REFUSED' });
    });
  });

  test('MAC authentication ends the previous login of the adapter', async () => {
    const role = await world.admin.create({ path: '/policy/role' }, { name: 'Staff' });
    await limiter.sql(`update user_account set role_id = $1 where user_id = 'alice'`, [role]);
    const { mac } = await eap(certificate('alice'));
    const loggedOn = () =>
      limiter.sql<{ user: string | null; authenticated: boolean }>(
        `select h.logged_on_user_id as user, h.authenticated from adapter a join host h on h.id = a.host_id where a.physical_address = $1`,
        [mac],
      );
    await until('the login', async () => (await loggedOn())[0]?.user === 'alice');
    expect((await world.mab(mac)).code).toBe('Access-Accept');
    await until('the end of it', async () => (await loggedOn())[0]?.user === null);
    expect(await loggedOn()).toEqual([{ user: null, authenticated: false }]);
  });

  test('accepts a certificate without an account, and rejects one whose account is disabled', async () => {
    expect(await rowOf((await eap(certificate('pump-7'))).mac)).toMatchObject({ username: 'pump-7', reply: 'ACCEPT' });
    await user('pump-7');
    await limiter.sql(`update user_account set state = 'DISABLED' where user_id = 'pump-7'`);
    const login = await eap(certificate('pump-7'));
    expect(login.isAccepted).toBe(false);
    expect(await rowOf(login.mac)).toMatchObject({ username: 'pump-7', reply: 'REJECT', cause: 'ACCOUNT_DISABLED' });
  });

  test('applies a change of an account from the next login on: disabled, enabled, expired, deleted', async () => {
    const { admin } = world;
    const path = '/auth/users';
    const id = await admin.create({ path }, { userID: 'erin', networkPassword: password });
    const logins = [
      () => plain({ 'User-Name': 'erin', 'User-Password': password }),
      () => eap(tunnel('PEAP', 'auth=MSCHAPV2', 'erin')),
    ];
    const answers = async (isAccepted: boolean, cause: string) => {
      for (const attempt of logins) {
        const login = await attempt();
        expect(login.isAccepted, login.output.slice(-3_000)).toBe(isAccepted);
        expect(await rowOf(login.mac)).toMatchObject({ username: 'erin', cause });
      }
    };
    await answers(true, 'NONE');
    expect((await admin.post(`${path}/${id}/disable`)).code).toBe(200);
    await answers(false, 'ACCOUNT_DISABLED');
    expect((await admin.post(`${path}/${id}/enable`)).code).toBe(200);
    await answers(true, 'NONE');
    expect((await admin.post(`${path}/${id}`, { expirationDate: '2020-01-01T00:00:00.000Z' })).code).toBe(200);
    await answers(false, 'ACCOUNT_EXPIRED');
    expect((await admin.post(`${path}/${id}`, { expirationDate: null, networkPassword: 'another one' })).code).toBe(
      200,
    );
    await answers(false, 'BAD_PASSWORD');
    expect((await admin.delete(`${path}/${id}`)).code).toBe(200);
    await answers(false, 'UNKNOWN_USER');
  });

  test('policies give PEAP and EAP-TLS different VLANs, each by its own login', async () => {
    const { admin } = world;
    for (const [type, accessValue] of [
      ['TLS', '41'],
      ['PEAP', '42'],
    ]) {
      const accessConfigurationID = await admin.create(
        { path: '/policy/access-configuration' },
        { name: `By ${type}`, type: 'DIRECT', directConfiguration: { accessType: 'VLAN_ID', accessValue } },
      );
      const conditions = [{ attribute: 'adapter.outerEapType', op: 'EQ', value: type }];
      await admin.create(
        { path: '/policy/access' },
        { name: `By ${type}`, criteria: { who: { attributes: [{ conditions }] } }, accessConfigurationID },
      );
    }
    const mac = newMac();
    const logInBy = (network: Record<string, string>) =>
      logIn({ source: nasAddress, port: world.authPort, secret: nasSecret, mac, network });
    const isIn = async (vlan: string) =>
      (await limiter.sql('select from connection_active where mac = $1 and vlan = $2', [mac, vlan])).length === 1;
    expect((await logInBy(certificate('alice'))).isAccepted).toBe(true);
    await until(
      'the connection',
      async () => (await limiter.sql('select from connection_active where mac = $1', [mac])).length === 1,
    );
    await limiter.sql(
      `insert into group_member (group_id, element_type, member_id)
       select g.id, 3, c.port_id from "group" g, connection_active c where g.tag = 'enforce-role' and c.mac = $1`,
      [mac],
    );
    await world.node().policies.latest();
    for (const [network, vlan] of [
      [certificate('alice'), '41'],
      [tunnel('PEAP', 'auth=MSCHAPV2', 'alice'), '42'],
      [certificate('alice'), '41'],
    ] as const) {
      expect((await logInBy(network)).isAccepted).toBe(true);
      await until(`VLAN ${vlan}`, () => isIn(vlan));
    }
    for (const type of ['TLS', 'PEAP'])
      await limiter.sql('update access_policy set enabled = false where name = $1', [`By ${type}`]);
  });

  test("presents the certificate of the access device's profile", async () => {
    await createCertificate('branch.example.org', 'servers');
    const { admin } = world;
    await admin.post(`${certificates}/branches`, {
      certificate: await readText('branch.example.org.pem'),
      privateKey: await readText('branch.example.org.key'),
    });
    const speech = await admin.create(
      { path: speeches },
      { name: 'Branches', certificateAlias: 'branches', protocols: ['TLS_1_2'], autoUpdate: false },
    );
    const profile = await admin.create({ path: profiles }, { name: 'Branches', tlsConfigID: speech });
    await world.device('127.0.0.10', { radiusServerConfigID: profile });
    await world.runs();
    const subjects = (pem: string) =>
      pem.match(/-----BEGIN.+?-----END CERTIFICATE-----/gs)!.map((block) => new X509Certificate(block).subject);
    const here = await eap(tunnel('PEAP', 'auth=MSCHAPV2', 'alice'));
    const there = await eap(tunnel('PEAP', 'auth=MSCHAPV2', 'alice'), '127.0.0.10');
    expect([here.isAccepted, there.isAccepted]).toEqual([true, true]);
    expect(subjects(here.certificate)).toContain('CN=radius.example.org');
    expect(subjects(there.certificate)).toContain('CN=branch.example.org');
  });

  test('rejects a supplicant with TLS 1.2 only if TLS 1.3 is required', async () => {
    expect((await world.admin.post(`${speeches}/3`, { protocols: ['TLS_1_3'], autoUpdate: false })).code).toBe(200);
    await deploy(3);
    const phase1 = (version: string) => ({ phase1: `"${version}"` });
    const old = await eap({ ...tunnel('TTLS', 'auth=PAP', 'alice'), ...phase1('tls_disable_tlsv1_3=1') });
    expect(old.isAccepted).toBe(false);
    const current = await eap({ ...tunnel('TTLS', 'auth=PAP', 'alice'), ...phase1('tls_disable_tlsv1_3=0') });
    expect(current.isAccepted, current.output.slice(-2_000)).toBe(true);
  });

  test('rejects MAC authentication, PAP and CHAP if the profile disables them', async () => {
    const attempts = {
      mab: { 'User-Name': '001d09000001', 'User-Password': '001d09000001', 'Service-Type': 'Call-Check' },
      pap: { 'User-Name': 'alice', 'User-Password': password },
      chap: { 'User-Name': 'dave', 'CHAP-Password': 'simple-password' },
      msChapV2: await msChapV2('alice', password),
      msChapV1: { 'User-Name': 'alice', 'MS-CHAP-Password': password },
    };
    const tried = async () => {
      const entries = Object.entries(attempts).map(
        async ([name, attempt]) => [name, (await plain(attempt)).isAccepted] as const,
      );
      return Object.fromEntries(await Promise.all(entries));
    };
    expect(await tried()).toEqual({ mab: true, pap: true, chap: true, msChapV2: true, msChapV1: false });
    const off = { mabEnabled: false, papEnabled: false, chapEnabled: false };
    expect((await world.admin.post(`${profiles}/1`, off)).code).toBe(200);
    await world.runs();
    expect(await tried()).toEqual({ mab: false, pap: false, chap: false, msChapV2: false, msChapV1: false });
    const messages = async () =>
      (await world.admin.get<{ message: string }>(`${details}?filter=cause==OTHER`)).body.results!.map(({ message }) =>
        message.split(': ').at(-1),
      );
    await until('why', async () => {
      const currentMessages = await messages();
      return Object.keys(off).every((setting) => currentMessages.includes(`${setting} is off.`));
    });
  });

  test('keeps the ports of a device without SNMP access that were found otherwise', async () => {
    const { pool } = world.service.runtime;
    const { rows } = await pool.query<{ id: number }>('select id from network_device where ip_address = $1', [
      nasAddress,
    ]);
    const deviceID = rows[0]!.id;
    await observePorts(pool, [{ deviceID, name: 'Gi1/0/7', status: 1 }]);
    const { headers } = await world.admin.post('/device/resync-interfaces', { id: [deviceID] });
    const task = String(headers.location).replace('/api/v2', '');
    const state = async () => (await world.admin.get<{ state: string }>(task)).body.results![0]!.state;
    await until('the task', async () => (await state()) === 'COMPLETED');
    const ports = await pool.query<{ status: number }>(`select status from port where name = 'Gi1/0/7'`);
    expect(ports.rows).toEqual([{ status: 1 }]);
  });

  test('no log, response, row, argument or variable has passwords, secrets or private keys', async () => {
    const { logged, printed, noted } = await world.engine.logs(10_000);
    const { pid } = (await world.engine.running())!;
    const dump = await dumpOf(world.database);
    const processes = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
    const commandLines = await Promise.all(
      processes.map((name) => readFile(`/proc/${name}/cmdline`, 'utf8').catch(() => '')),
    );
    // The supplicant of the tests gets the secret as an argument; a concurrent test run may have started one.
    const commands = commandLines.filter((line) => !line.startsWith('/usr/bin/eapol_test'));
    const places = {
      'the log of the node': world.logged.join('\n'),
      'the logs of the engine': [logged, printed, noted].join('\n'),
      'the list of answers': (await world.admin.get(`${details}?count=1000`)).text,
      'the database': dump,
      'the arguments of processes': commands.join('\n'),
      'the environment of the engine': await readFile(`/proc/${pid}/environ`, 'utf8'),
    };
    // Each place has its expected content, so that a search in it means something.
    expect(places['the arguments of processes']).toContain('freeradius');
    expect(dump).toContain('INSERT INTO public.audit_record');
    const escaped = JSON.stringify(password).slice(1, -1);
    expect(secretsIn([password, escaped, nasSecret, 'PRIVATE KEY'], places)).toEqual([]);
  });
});
