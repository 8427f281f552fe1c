import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { logIn } from '@portreeve/testbed/eapol-test.ts';
import { type FreeRadius, type FreeRadiusOptions, startFreeRadius } from '@portreeve/testbed/freeradius.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { until } from '../../../test/world/patience.ts';
import { nasAddress, nasSecret, type RadiusWorld, radiusWorld } from '../../../test/world/radius-world.ts';
import { Limiter } from '../../../test/world/restricted-admins.ts';
import { systemOrigin } from '../../kernel/declare/caller.ts';
import { outboundGuard } from '../../protocols/outbound/outbound.ts';
import { userAccount } from '../../user/user-account/user-account.ts';
import { aaaMapping } from './aaa-mappings.ts';

const run = promisify(execFile);
const defaults = `${aaaMapping.path}/defaults`;
const localDomains = `${aaaMapping.path}/local-domains`;
const password = 'home password';
const ownPassword = 'password of this service';

describe('logins of other domains', () => {
  let world: RadiusWorld;
  let limiter: Limiter;
  let folder: string;
  let certificate: string;
  let key: string;
  let attempts = 0;
  let servers = 0;
  const started: FreeRadius[] = [];

  const newMac = () => `02:00:00:00:07:${(++attempts).toString(16).padStart(2, '0').toUpperCase()}`;
  /** Starts a home server and stores it as an AAA server. */
  const home = async (options: Partial<FreeRadiusOptions> = {}, fields: Record<string, unknown> = {}) => {
    const radius = await startFreeRadius({ users: {}, secret: 'secret of a home', ...options });
    started.push(radius);
    const { host: netId, authPort, acctPort, secret } = radius;
    const name = `home-${++servers}`;
    const id = await world.admin.create(
      { path: '/settings/integration/aaa' },
      { name, netId, authPort, acctPort, secret, ...fields },
    );
    return { id, name, radius, requests: () => radius.log().match(/Login (?:OK|incorrect)/g)?.length ?? 0 };
  };
  const map = (domainName: string, radiusServerID: number) =>
    world.admin.create(aaaMapping, { domainName, radiusServerID });
  const post = async (path: string, body: object) => {
    const { code, body: reply } = await world.admin.post(path, body);
    expect([code === 200 || code === 201, reply.errorMessage]).toEqual([true, null]);
  };
  const peap = (name: string, word = password, seconds?: number) =>
    logIn({
      source: nasAddress,
      port: world.authPort,
      secret: nasSecret,
      mac: newMac(),
      network: {
        eap: 'PEAP',
        identity: `"${name}"`,
        password: `"${word}"`,
        phase2: '"auth=MSCHAPV2"',
      },
      ...(seconds !== undefined && { seconds }),
    });
  /** Sends the first packet of an EAP login, which a home server that accepts everything accepts. */
  const eapIdentity = (name: string, extraAttributes: Record<string, string> = {}) => {
    const identity = Buffer.from(name);
    const header = Buffer.from([2, 0, 0, 5 + identity.length, 1]);
    return world.send({
      attributes: {
        'User-Name': name,
        'EAP-Message': `0x${Buffer.concat([header, identity]).toString('hex')}`,
        'Calling-Station-Id': newMac().replaceAll(':', '-'),
        ...extraAttributes,
      },
    });
  };

  beforeAll(async () => {
    const outbound = outboundGuard({ allow: ['127.0.0.0/8'], refuse: [] });
    world = await radiusWorld({ jobs: 'work', parts: { outbound } });
    limiter = new Limiter(world);
    folder = await mkdtemp(join(tmpdir(), 'portreeve-homes-'));
    await run(
      '/usr/bin/openssl',
      [
        ...['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '30'],
        ...['-keyout', 'home.key', '-out', 'home.pem', '-subj', '/CN=home.test'],
      ],
      { cwd: folder },
    );
    certificate = await readFile(join(folder, 'home.pem'), 'utf8');
    key = await readFile(join(folder, 'home.key'), 'utf8');
    for (const userID of ['bob', 'carol', 'bob@a.test'])
      await world.service.runtime.transact(systemOrigin('test'), ({ records }) =>
        records.create(userAccount, { userID, networkPassword: ownPassword }),
      );
  });
  afterAll(async () => {
    await world.close();
    for (const radius of started) await radius.stop();
    await rm(folder, { recursive: true, force: true });
  });

  test('reach the servers of their domain, and the next server when the first is killed', async () => {
    const eap = { certificate, key };
    const first = await home({ eap, users: { 'bob@a.test': password } });
    const second = await home({ eap, users: { 'bob@a.test': password } });
    const otherHome = await home({ eap, users: { 'bob@b.test': password } });
    await map('a.test', first.id);
    await map('a.test', second.id);
    await map('b.test', otherHome.id);
    await world.runs();
    expect((await peap('bob@A.Test')).isAccepted).toBe(false);
    const login = await peap('bob@a.test');
    expect(login.isAccepted, login.output).toBe(true);
    expect(first.radius.log()).toContain('Login OK: [bob@a.test]');
    expect(second.requests()).toBe(0);
    expect((await peap('bob@b.test')).isAccepted).toBe(true);
    expect(otherHome.requests()).toBeGreaterThan(0);
    expect(second.requests()).toBe(0);
    // A wrong password is not tried at the next server.
    expect((await peap('bob@a.test', 'wrong')).isAccepted).toBe(false);
    expect(second.requests()).toBe(0);
    await first.radius.stop();
    await until('a login at the second server', async () => (await peap('bob@a.test', password, 12)).isAccepted);
    expect(second.radius.log()).toContain('Login OK: [bob@a.test]');
  });

  test('with a local domain, or without a mapping, are checked here and never forwarded', async () => {
    const everything = await home({ acceptsAll: true });
    await map('*.c.test', everything.id);
    await post(localDomains, { domainName: 'campus.c.test' });
    await world.runs();
    const code = async (name: string) => (await eapIdentity(name)).code;
    expect(await code('carol@campus.c.test')).toBe('Access-Challenge');
    expect(await code('carol@unmapped')).toBe('Access-Challenge');
    expect(await code('carol')).toBe('Access-Challenge');
    expect(everything.requests()).toBe(0);
    expect(await code('carol@c.test')).toBe('Access-Accept');
    expect(await code('carol@deep.below.C.test')).toBe('Access-Accept');
    expect(await code('carol@notc.test')).toBe('Access-Challenge');
    // Only EAP is forwarded: a password in the request would be sent to another party.
    const { code: plain } = await world.send({ attributes: { 'User-Name': 'dave@c.test', 'User-Password': 'x' } });
    expect(plain).toBe('Access-Reject');
    expect(everything.radius.log()).not.toContain('dave@c.test');
  });

  test('follow the order of choice: mapping, federation, no domain, SSID, defaults', async () => {
    const names = ['federation', 'nameless', 'wireless', 'default'] as const;
    const [federation, nameless, wireless, fallback] = await Promise.all(
      names.map((name) => home({ acceptsAll: true, acceptAttributes: [`&Reply-Message := '${name}'`] })),
    );
    const replyTo = async (name: string, station?: string) => {
      const { code, attributes } = await eapIdentity(name, station ? { 'Called-Station-Id': station } : {});
      return code === 'Access-Accept'
        ? attributes.find((attribute) => attribute.name === 'Reply-Message')?.value
        : code;
    };
    const station = '02-00-00-00-00-AA:Café 7';
    expect(await replyTo('dan@else', station)).toBe('Access-Challenge');
    await post(`/settings/integration/aaa/${federation!.id}`, { flrPriority: 1 });
    await post(defaults, {
      primaryServerID: fallback!.id,
      radiusProxyAuthEnabled: true,
      radiusProxyAuthPort: world.authPort,
    });
    await world.runs();
    // The first accepted login at a wireless network stores it.
    expect(await replyTo('dan@else', station)).toBe('default');
    const networks = () => limiter.sql<{ id: number }>(`select s.id from ssid s where s.name = 'Café 7'`);
    await until('the wireless network', async () => (await networks()).length === 1);
    const [network] = await networks();
    const config = { id: [Number(network!.id)], inherit: false, primaryAAAServerID: wireless!.id };
    const { code } = await world.admin.call('PUT', '/ssid/config', config);
    expect(code).toBe(200);
    await world.runs();
    expect(await replyTo('dan@x.example')).toBe('federation');
    expect(await replyTo('dan@else')).toBe('default');
    expect(await replyTo('CORP\\dan')).toBe('default');
    expect(await replyTo('dan')).toBe('default');
    expect(await replyTo('dan@else', station)).toBe('wireless');
    expect(await replyTo('dan@else', '02:00:00:00:00:AA:another')).toBe('default');
    await map('', nameless!.id);
    await map('corp', federation!.id);
    await world.runs();
    expect(await replyTo('dan', station)).toBe('nameless');
    expect(await replyTo('CORP\\dan', station)).toBe('federation');
    expect(await replyTo('OTHER\\dan', station)).toBe('wireless');
    await post(defaults, { radiusProxyAuthEnabled: false });
    await post(`/settings/integration/aaa/${federation!.id}`, { flrPriority: 0 });
    await world.runs();
    expect(await replyTo('dan@else')).toBe('Access-Challenge');
  });

  test('a reply without Message-Authenticator, and a server that is down, give silence and not a reject', async () => {
    const unsigned = await home({ acceptsAll: true, signsReplies: false });
    const stopped = await home({ acceptsAll: true });
    await map('unsigned.test', unsigned.id);
    await map('stopped.test', stopped.id);
    await world.runs();
    expect((await eapIdentity('eve@unsigned.test')).code).toBe('none');
    expect(unsigned.requests()).toBeGreaterThan(0);
    await stopped.radius.stop();
    for (let time = 0; time < 2; time += 1) expect((await eapIdentity('eve@stopped.test')).code).toBe('none');
  });

  test('get the access of a mapped server only while no policy decides, and never that of the federation', async () => {
    const acceptAttributes = [
      "&Filter-Id := 'by-home'",
      '&Tunnel-Type:0 := VLAN',
      '&Tunnel-Medium-Type:0 := IEEE-802',
      "&Tunnel-Private-Group-Id:0 := '66'",
      "&User-Name := 'carol'",
      "&Class := 'home class'",
    ];
    const mapped = await home({ acceptsAll: true, acceptAttributes });
    const federation = await home({ acceptsAll: true, acceptAttributes }, { flrPriority: 1 });
    await map('vlan.test', mapped.id);
    await world.runs();
    const replyTo = async (name: string) => {
      const { code, attributes } = await eapIdentity(name);
      expect(code).toBe('Access-Accept');
      return attributes
        .map((attribute) => attribute.name)
        .filter((attributeName) => !/^(Message-Authenticator|Reply-Message)$/.test(attributeName));
    };
    expect((await replyTo('fay@vlan.test')).sort()).toEqual([
      'Class',
      'Filter-Id',
      'Tunnel-Medium-Type',
      'Tunnel-Private-Group-Id',
      'Tunnel-Type',
    ]);
    expect(await replyTo('fay@roaming.example')).toEqual(['Class']);
    expect(federation.requests()).toBeGreaterThan(0);
  });

  test('get the VLAN of a policy instead of that of the home server, which the policy can compare', async () => {
    const acceptAttributes = [
      "&Filter-Id := 'staff'",
      '&Tunnel-Type:0 := VLAN',
      '&Tunnel-Medium-Type:0 := IEEE-802',
      "&Tunnel-Private-Group-Id:0 := '66'",
      "&Cisco-AVPair := 'ip:inacl#1=permit ip any any'",
    ];
    const mapped = await home({ acceptsAll: true, acceptAttributes });
    await map('policy.test', mapped.id);
    await world.runs();
    const accessConfigurationID = await world.admin.create(
      { path: '/policy/access-configuration' },
      { name: 'Staff', type: 'DIRECT', directConfiguration: { accessType: 'VLAN_ID', accessValue: '42' } },
    );
    const conditions = [{ attribute: 'radius.Filter-Id', op: 'EQ', value: 'staff' }];
    const criteria = { who: { attributes: [{ conditions }] } };
    await world.admin.create({ path: '/policy/access' }, { name: 'Staff', criteria, accessConfigurationID });
    const mac = '02:00:00:00:08:01';
    const station = { 'Calling-Station-Id': mac.replaceAll(':', '-') };
    await eapIdentity('gil@policy.test', station);
    const connected = async () =>
      (await limiter.sql('select from connection_active where mac = $1', [mac])).length === 1;
    await until('the connection', connected);
    await limiter.sql(
      `insert into group_member (group_id, element_type, member_id)
       select g.id, 3, c.port_id from "group" g, connection_active c where g.tag = 'enforce-role' and c.mac = $1`,
      [mac],
    );
    await world.node().policies.latest();
    const { code, attributes } = await eapIdentity('gil@policy.test', station);
    expect(code).toBe('Access-Accept');
    const valuesOf = (name: string) =>
      attributes.filter((attribute) => attribute.name.startsWith(name)).map(({ value }) => value);
    expect(valuesOf('Tunnel-Private-Group-Id')).toEqual(['42']);
    expect([valuesOf('Filter-Id'), valuesOf('Cisco-AVPair')]).toEqual([[], []]);
  });

  test('never become a local user, whatever name the home server accepted', async () => {
    const rogue = await home({ acceptsAll: true, acceptAttributes: ["&User-Name := 'carol'"] });
    await map('rogue.test', rogue.id);
    await world.runs();
    await world.service.runtime.transact(systemOrigin('test'), ({ records }) =>
      records.create(userAccount, { userID: 'carol@rogue.test', networkPassword: ownPassword }),
    );
    const mac = `02:00:00:00:07:${(attempts + 1).toString(16).padStart(2, '0').toUpperCase()}`;
    expect((await eapIdentity('carol@rogue.test')).code).toBe('Access-Accept');
    await until(
      'the stored login',
      async () =>
        (await limiter.sql(`select from adapter where physical_address = $1 and auth_type = 'DOT1X'`, [mac])).length ===
        1,
    );
    const [host] = await limiter.sql(
      `select h.authenticated_user_id as account, h.logged_on_user_id as name from host h join adapter a on a.host_id = h.id
       where a.physical_address = $1`,
      [mac],
    );
    expect(host).toEqual({ account: null, name: null });
  });
});
