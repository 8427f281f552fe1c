import { describe, expect, test } from 'vitest';
import { testCollection } from '../../../test/conformance/conformance.ts';
import { world as startWorld } from '../../../test/world/world.ts';
import { systemOrigin } from '../../kernel/declare/caller.ts';
import { never } from '../../kernel/values/time.ts';
import { mdmServer } from './mdm-server.ts';

describe('MDM server', async () => {
  const world = await startWorld();
  const { admin } = world;
  const path = '/settings/integration/mdm';
  let serverCount = 0;
  const server = (overrides: Record<string, unknown> = {}) => ({
    name: `mdm ${++serverCount}`,
    pluginName: 'GENERIC_JSON',
    request: 'https://mdm.example.org/api',
    ...overrides,
  });
  const eventsOf = async (id: number) => {
    const { rows } = await world.service.runtime.pool.query<{ name: string; text: string }>(
      `select e.name, e.event_format_string as text from event e where e.element_id = $1 and e.name like 'MDM\\_TLS\\_%'`,
      [id],
    );
    return rows;
  };

  testCollection(mdmServer, {
    world,
    sample: (n) => ({
      name: `law ${n}`,
      pluginName: 'JAMF_PRO',
      request: `https://mdm-${n}.example.org:8443/api`,
      identifier: `tenant-${n}`,
      pollInterval: 5 + n,
      password: `password-${n}`,
      credentialText: `{"token": "${n}"}`,
      appAccessKey: `key-${n}`,
    }),
  });

  test('serves the nine operations that need no MDM server', () => {
    const served = world.service.operations.filter((operation) => operation.group === 'MDM');
    expect(served.map((operation) => `${operation.method} ${operation.path.replace(`/api/v2${path}`, '')}`)).toEqual([
      'GET ',
      'GET /{id}',
      'GET /{id}/usage',
      'POST ',
      'POST /{id}',
      'DELETE /{id}',
      'POST /{id}/delete',
      'POST /delete',
      'GET /{id}/password',
    ]);
  });

  test('has the fields and defaults of the contract, in its order', async () => {
    const id = await admin.create(mdmServer, server({ name: 'plain' }));
    const record = await admin.fetch(mdmServer, id);
    expect(Object.entries(record)).toEqual(
      Object.entries({
        dbid: id,
        name: 'plain',
        pluginName: 'GENERIC_JSON',
        request: 'https://mdm.example.org/api',
        identifier: '',
        userID: '',
        passwordSet: false,
        credentialTextSet: false,
        platformID: '',
        appID: '',
        appVersion: '',
        appAccessKeySet: false,
        poll: true,
        pollInterval: 60,
        onDemandRegistration: false,
        reValidation: false,
        deleteOnRemove: false,
        updateApplications: false,
        complianceRetrieval: true,
        approvedOnly: false,
        riskLevel: '',
        sslVerifyCert: true,
        sslVerifyHostname: true,
        option1: '',
        option2: '',
        option3: '',
        option4: '',
        lastPoll: never,
        lastSuccessfulPoll: never,
        createDate: record.lastModifiedDate,
        version: 1,
        lastModifiedBy: record.lastModifiedBy,
        lastModifiedDate: record.lastModifiedDate,
      }),
    );
  });

  test('keeps its creation date when it is changed', async () => {
    const madeAfter = Date.now();
    const id = await admin.create(mdmServer, server());
    const madeBefore = Date.now();
    const { createDate } = await admin.fetch(mdmServer, id);
    expect(Date.parse(String(createDate))).toBeGreaterThanOrEqual(madeAfter);
    expect(Date.parse(String(createDate))).toBeLessThanOrEqual(madeBefore);
    expect((await admin.post(`${path}/${id}`, { poll: false })).code).toBe(200);
    const after = await admin.fetch(mdmServer, id);
    expect(after).toMatchObject({ createDate, poll: false });
    expect(Date.parse(String(after.lastModifiedDate))).toBeGreaterThan(Date.parse(String(createDate)));
  });

  test.each([
    'http://mdm.example.org',
    'https://',
    'https://user:pass@mdm.example.org/',
    'https://mdm.example.org/api?key=1',
    'https://mdm.example.org/#top',
    'https://mdm.example.org:99999/',
    'https://[::1',
    'https://[1.2.3]/',
    'https://mdm.example.org/a b',
    'https://mdm.example.org\n',
    'ftp://mdm.example.org',
    '',
  ])('refuses the URL "%s"', async (request) => {
    const reply = await admin.post(path, server({ request }));
    expect(reply).toMatchObject({ code: 400, body: { status: 'invalid' } });
    expect(reply.body.errorMessage).toContain('request');
  });

  test.each(['https://192.0.2.7', 'https://[2001:db8::7]:8443/v1/', 'https://MDM.example.org/a/b;c'])(
    'accepts the URL "%s"',
    async (request) => {
      const id = await admin.create(mdmServer, server({ request }));
      expect(await admin.fetch(mdmServer, id)).toMatchObject({ request });
    },
  );

  test('shows which secrets are set, and returns only the password', async () => {
    const id = await admin.create(mdmServer, server({ password: 'open-sesame', credentialText: 'refresh-me' }));
    const shown = { passwordSet: true, credentialTextSet: true, appAccessKeySet: false };
    expect(await admin.fetch(mdmServer, id)).toMatchObject(shown);
    const reply = await admin.get(`${path}/${id}/password`);
    expect(reply).toMatchObject({ code: 200, body: { results: [{ name: 'password', value: 'open-sesame' }] } });
    expect(reply.headers['cache-control']).toBe('no-store');
    const audit = (await admin.get(`/logging/audit?filter=requestID=="${reply.headers['x-request-id']}"`)).body;
    expect(audit.results).toMatchObject([{ action: 'READ_SECRET', summary: 'read password', liveDBID: id }]);
    const viewer = await world.caller({ 'mdm-patch': ['view'] });
    expect((await viewer.get(`${path}/${id}/password`)).code).toBe(403);
    expect((await admin.get(`${path}/999999999/password`)).code).toBe(404);
    expect((await admin.post(`${path}/${id}`, { password: '', appAccessKey: 'key' })).code).toBe(200);
    expect(await admin.fetch(mdmServer, id)).toMatchObject({ ...shown, passwordSet: false, appAccessKeySet: true });
    expect((await admin.get(`${path}/${id}/password`)).body.results).toEqual([{ name: 'password', value: '' }]);
  });

  test('raises one event when its certificate is no longer verified', async () => {
    const id = await admin.create(mdmServer, server({ name: 'trusting' }));
    expect(await eventsOf(id)).toEqual([]);
    expect((await admin.post(`${path}/${id}`, { sslVerifyHostname: false })).code).toBe(200);
    expect(await eventsOf(id)).toEqual([]);
    const unverified = {
      name: 'MDM_TLS_UNVERIFIED',
      text: 'The certificate of the MDM server trusting is not verified.',
    };
    expect((await admin.post(`${path}/${id}`, { sslVerifyCert: false })).code).toBe(200);
    expect(await eventsOf(id)).toEqual([unverified]);
    expect((await admin.post(`${path}/${id}`, { poll: false, sslVerifyCert: false })).code).toBe(200);
    expect(await eventsOf(id)).toEqual([unverified]);
    await admin.post(`${path}/${id}`, { sslVerifyCert: true });
    await admin.post(`${path}/${id}`, { sslVerifyCert: false });
    expect(await eventsOf(id)).toHaveLength(2);
    const born = await admin.create(mdmServer, server({ sslVerifyCert: false }));
    expect(await eventsOf(born)).toHaveLength(1);
  });

  test('stores the time of a poll without a new version, so that no write becomes stale', async () => {
    const id = await admin.create(mdmServer, server());
    const pollTimes = { lastPoll: '2026-01-31T08:15:30.123Z', lastSuccessfulPoll: '2026-01-31T08:15:30.123Z' };
    await world.service.runtime.transact(systemOrigin('test'), (tx) => tx.records.observe(mdmServer, id, pollTimes));
    expect(await admin.fetch(mdmServer, id)).toMatchObject({ ...pollTimes, version: 1 });
    expect((await admin.post(`${path}/${id}`, { poll: false }, { 'if-match': '"1"' })).code).toBe(200);
  });
});
