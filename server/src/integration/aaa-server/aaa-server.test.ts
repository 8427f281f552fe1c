import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { describe, expect, test } from 'vitest';
import { testCollection } from '../../../test/conformance/conformance.ts';
import { world } from '../../../test/world/world.ts';
import { aaaServer } from './aaa-server.ts';

describe('AAA server', async () => {
  const shared = await world();
  const { admin } = shared;
  const path = '/settings/integration/aaa';
  let serverCount = 0;
  const server = (overrides: Record<string, unknown> = {}) => ({
    name: `server ${++serverCount}`,
    netId: `server-${serverCount}.example.org`,
    secret: 'correct-horse-battery',
    ...overrides,
  });

  testCollection(aaaServer, {
    world: shared,
    sample: (n) => ({
      name: `radius-${n}`,
      netId: `192.0.2.${n}.example.org`,
      authPort: 1812,
      checkUser: 'probe',
      flrPriority: n % 100,
      secret: `correct-horse-${n}`,
      checkPassword: `battery-staple-${n}`,
    }),
  });

  test('allows one server for each host and port', async () => {
    await admin.create(aaaServer, server({ netId: 'Twin.example.org', authPort: 1812 }));
    const reply = await admin.post(path, server({ netId: 'twin.EXAMPLE.org', authPort: 1812 }));
    expect(reply).toMatchObject({ code: 409, body: { status: 'duplicate' } });
    expect(reply.body.errorMessage).toContain('netId and authPort');
    expect((await admin.post(path, server({ netId: 'twin.example.org', authPort: 1645 }))).code).toBe(201);
  });

  test('requires a host name or an address as netId', async () => {
    for (const netId of ['bad host', 'a..b', '-a.example.org', '10.0.0.256', 'x/y', 'a:b'])
      expect(await admin.post(path, server({ netId })), netId).toMatchObject({
        code: 422,
        body: { status: 'rejected' },
      });
    for (const netId of ['2001:db8::7', '192.0.2.77', 'radius-7', 'Radius_8.example.org.'])
      expect((await admin.post(path, server({ netId }))).code, netId).toBe(201);
  });

  test('removes the default from the previous server, as an audited change', async () => {
    const first = await admin.create(aaaServer, server({ localClientDefault: true }));
    const second = await admin.create(aaaServer, server());
    expect((await admin.post(`${path}/${second}`, { localClientDefault: true })).code).toBe(200);
    expect((await admin.fetch(aaaServer, first)).localClientDefault).toBe(false);
    const { results } = (await admin.get(`${path}?filter=localClientDefault==true`)).body;
    expect(results?.map(({ id }) => id)).toEqual([second]);
    const audit = (await admin.get(`/logging/audit?filter=liveDBID==${first};auditObjectType.dbTableName==aaa_server`))
      .body;
    expect(audit.results?.[0]).toMatchObject({ action: 'MODIFY', summary: 'localClientDefault: true → false' });
  });

  test('has one default server after concurrent changes', async () => {
    const ids = await Promise.all([1, 2, 3, 4].map(() => admin.create(aaaServer, server())));
    const replies = await Promise.all(ids.map((id) => admin.post(`${path}/${id}`, { localClientDefault: true })));
    expect(replies.map(({ code }) => code)).toEqual([200, 200, 200, 200]);
    expect((await admin.get(`${path}?count=0&filter=localClientDefault==true`)).body.filtered).toBe(1);
  });

  test('refuses a server without ports, and a secret with too many bytes', async () => {
    expect((await admin.post(path, server({ authPort: 0, acctPort: 0 }))).code).toBe(422);
    expect((await admin.post(path, server({ authPort: 0 }))).code).toBe(201);
    expect((await admin.post(path, server({ secret: 'ü'.repeat(65) }))).code).toBe(400);
    expect((await admin.post(path, server({ secret: 'ü'.repeat(64) }))).code).toBe(201);
    expect((await admin.post(path, server({ secret: null }))).code).toBe(400);
  });

  test('requires the right to modify for reading a secret, audits it, and does not store the response', async () => {
    const id = await admin.create(aaaServer, server({ secret: 'open-sesame-1', checkPassword: 'open-sesame-2' }));
    const viewer = await shared.caller({ 'authentication-servers': ['view'] });
    for (const [requestPath, name, value] of [
      ['secret', 'secret', 'open-sesame-1'],
      ['validate-user-password', 'checkPassword', 'open-sesame-2'],
    ] as const) {
      expect((await viewer.get(`${path}/${id}/${requestPath}`)).code).toBe(403);
      const reply = await admin.get(`${path}/${id}/${requestPath}`);
      expect(reply).toMatchObject({ code: 200, body: { results: [{ name, value }] } });
      expect(reply.headers['cache-control']).toBe('no-store');
      const audit = (await admin.get(`/logging/audit?filter=requestID=="${reply.headers['x-request-id']}"`)).body
        .results!;
      expect(audit).toMatchObject([{ action: 'READ_SECRET', summary: `read ${name}`, changes: [], liveDBID: id }]);
    }
    expect((await admin.get(`${path}/999999999/secret`)).code).toBe(404);
    expect(shared.logged.join('')).not.toContain('open-sesame');
  });

  test('returns no secret in a dry run, which would not be audited', async () => {
    const id = await admin.create(aaaServer, server({ secret: 'not-by-the-back-door' }));
    const reply = await admin.get(`${path}/${id}/secret?dryRun=true`);
    expect(reply.text).not.toContain('not-by-the-back-door');
  });

  test('refuses a test of the stored secret at another host, and sends it nothing', async () => {
    const packets: Buffer[] = [];
    const stranger = createSocket('udp4', (packet) => packets.push(packet));
    stranger.bind(0, '127.0.0.1');
    await once(stranger, 'listening');
    const authPort = stranger.address().port;
    const id = await admin.create(aaaServer, server({ netId: '127.0.0.2', authPort, acctPort: 0, checkUser: 'probe' }));
    const reply = await admin.post(`${path}/validate`, { id, netId: '127.0.0.1' });
    expect(reply).toMatchObject({ code: 422, body: { status: 'rejected' } });
    expect(reply.body.errorMessage).toContain('secret: netId changes');
    for (const otherPorts of [{ authPort: authPort - 1 }, { acctPort: authPort }])
      expect((await admin.post(`${path}/validate`, { id, ...otherPorts })).code).toBe(422);
    expect((await admin.post(`${path}/validate`, { name: 'new', netId: '127.0.0.1' })).code).toBe(400);
    expect((await admin.post(`${path}/validate`, { id: 999_999_999, secret: 'a-new-secret' })).code).toBe(404);
    expect(packets).toEqual([]);
    stranger.close();
  });

  test('changes nothing in a test, and reports a server that does not respond', async () => {
    const silent = createSocket('udp4');
    silent.bind(0, '127.0.0.1');
    await once(silent, 'listening');
    const authPort = silent.address().port;
    const id = await admin.create(aaaServer, server({ netId: '127.0.0.1', authPort, acctPort: 0 }));
    silent.close();
    const [stored, requestReply] = await Promise.all([
      admin.get(`${path}/validate/${id}`),
      admin.post(`${path}/validate`, { id, checkUser: 'probe', checkPassword: 'word' }),
    ]);
    for (const reply of [stored, requestReply]) {
      expect(reply, reply.text).toMatchObject({ code: 200, body: { results: [{ passed: false }] } });
      expect(reply.text).not.toContain('correct-horse');
    }
    expect(await admin.fetch(aaaServer, id)).toMatchObject({ checkUser: '' });
    expect((await admin.get(`${path}/supportsValidation`)).body.results).toEqual([
      { supportsValidation: true, methods: ['PAP', 'STATUS_SERVER'], reason: null },
    ]);
  });
});
