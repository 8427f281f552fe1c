import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import fc from 'fast-check';
import { describe, expect, test, vi } from 'vitest';
import { catalogue } from '../../src/catalogue.ts';
import { networkDevice } from '../../src/device/network-device/network-device.ts';
import { deviceProfilingRule } from '../../src/host/device-profiling-rule/device-profiling-rule.ts';
import { aaaServer } from '../../src/integration/aaa-server/aaa-server.ts';
import { mdmServer } from '../../src/integration/mdm-server/mdm-server.ts';
import { proxySettings } from '../../src/integration/proxy-settings/proxy-settings.ts';
import { systemOrigin } from '../../src/kernel/declare/caller.ts';
import type { Declaration } from '../../src/kernel/declare/declaration.ts';
import { boundPathsOf } from '../../src/kernel/declare/secret-binding.ts';
import { secretsOf } from '../../src/kernel/model/secret-binding.ts';
import type { Client } from '../world/client.ts';
import { world } from '../world/world.ts';

type Body = Readonly<Record<string, unknown>>;

/** A record with stored secrets, and for each field that they are bound to, the requests that change it. */
interface Sample {
  declaration: Declaration;
  /** Secrets of the declaration that the record has, with the path that the error message names. */
  secrets: Readonly<Record<string, string>>;
  /** Returns the record with its secrets; `n` makes names and addresses unique. */
  state: (n: number) => Body;
  /** The secrets, as a request sends them again. */
  again: Body;
  changes: Readonly<Record<string, readonly ((n: number) => Body)[]>>;
  /** Creates the record and returns the path that updates it. */
  create?: (admin: Client, state: Body) => Promise<string>;
}

const address = (net: number, n: number) => `10.${net}.${Math.floor(n / 250)}.${(n % 250) + 1}`;

const device = (fields: Body) => (n: number) => ({
  name: `bound-${n}`,
  ipAddress: address(91, n),
  containerID: 1,
  ...fields,
});

const createDevice = async (admin: Client, state: Body): Promise<string> => {
  const id = await admin.create({ path: '/device/snmp' }, state);
  return `/device/snmp/${id}`;
};

const otherAddress = (n: number) => ({ ipAddress: address(92, n) });

const v3 = {
  snmpProtocol: 'V3_AUTH_PRIV',
  snmpUsername: 'op',
  snmpAuthenticationProtocol: 'SHA256',
  snmpPrivacyProtocol: 'AES',
};
const v3Secrets = { snmpAuthenticationPassword: 'auth-pass-123', snmpPrivacyPassword: 'priv-pass-456' };
const cliSecrets = { cliCredentials: { password: 'cli-password', enablePassword: 'enable-password' } };
const account = { userName: 'netops', port: 22, hostKey: 'ssh-ed25519 AAAA' };
const mdmChanges = (field: string, value: unknown) => ({ [field]: [() => ({ [field]: value })] });
const scheme = (name: 'http' | 'https'): Sample => ({
  declaration: proxySettings,
  secrets: { [`${name}ProxyPassword`]: `${name}ProxyPassword` },
  state: () => ({
    [`${name}ProxyHost`]: 'proxy.example.org',
    [`${name}ProxyPort`]: 3128,
    [`${name}ProxyUser`]: 'ann',
    [`${name}ProxyPassword`]: 'proxy-password',
  }),
  again: { [`${name}ProxyPassword`]: 'proxy-password' },
  changes: {
    [`${name}ProxyHost`]: [() => ({ [`${name}ProxyHost`]: 'attacker.example.org' })],
    [`${name}ProxyPort`]: [() => ({ [`${name}ProxyPort`]: 3129 })],
    [`${name}ProxyUser`]: [() => ({ [`${name}ProxyUser`]: 'bob' })],
  },
  create: async (admin, state) => {
    expect(await admin.post(proxySettings.path!, state)).toMatchObject({ code: 200 });
    return proxySettings.path!;
  },
});

/** A profiling rule with two methods: the second one has the secret. */
const rule = (type: string, data: Body, secret: string, text: Body): Sample => ({
  declaration: deviceProfilingRule,
  secrets: { [`methods[].data.${secret}`]: `methods[0].data.${secret}` },
  state: (n) => ({
    name: `bound rule ${n}`,
    type: { tag: 'printer' },
    methods: [{ methodType: { shortName: type }, data: merged(data, text) }],
  }),
  again: { methods: [{ methodType: { shortName: type }, data: merged(data, text) }] },
  changes: {
    methods: [
      () => ({
        methods: [
          { methodType: { shortName: type }, data: merged(data, maskValues(text)) },
          { methodType: { shortName: 'IP' }, data: { ranges: [{ startIP: '192.0.2.66', endIP: '192.0.2.66' }] } },
        ],
      }),
    ],
  },
});

const maskValues = (value: Body): Body =>
  Object.fromEntries(
    Object.entries(value).map(([key, entry]) => [key, typeof entry === 'object' ? maskValues(entry as Body) : '•••']),
  );

/** Merges two bodies, with their objects. */
function merged(first: Body, second: Body): Body {
  const isObject = (value: unknown): value is Body =>
    typeof value === 'object' && value !== null && !Array.isArray(value);
  const together = { ...first } as Record<string, unknown>;
  for (const [key, value] of Object.entries(second)) {
    const firstValue = together[key];
    if (Array.isArray(firstValue) && Array.isArray(value))
      together[key] = firstValue.map((item, index) => (value[index] === undefined ? item : merged(item, value[index])));
    else together[key] = isObject(firstValue) && isObject(value) ? merged(firstValue, value) : value;
  }
  return together;
}

const snmpRule = { oid: '1.3.6.1.2.1.1.1.0' };
const usmRule = {
  ...snmpRule,
  version: 'V3',
  credentials: { userName: 'op', authenticationProtocol: 'SHA256', privacyProtocol: 'AES' },
};

const samples: readonly Sample[] = [
  {
    declaration: networkDevice,
    secrets: { snmpSecurityStrings: 'snmpSecurityStrings' },
    state: device({ snmpProtocol: 'V2C', snmpSecurityStrings: ['community-1'] }),
    again: { snmpSecurityStrings: ['community-1'] },
    changes: {
      ipAddress: [otherAddress, () => ({ ipAddress: '2001:db8::66' })],
      snmpPort: [() => ({ snmpPort: 1161 })],
      protocol: [() => ({ snmpProtocol: 'V1' })],
    },
    create: createDevice,
  },
  {
    declaration: networkDevice,
    secrets: {
      snmpAuthenticationPassword: 'snmpAuthenticationPassword',
      snmpPrivacyPassword: 'snmpPrivacyPassword',
    },
    state: device({ ...v3, ...v3Secrets }),
    again: v3Secrets,
    changes: {
      ipAddress: [otherAddress],
      snmpPort: [() => ({ snmpPort: 1161 })],
      snmpUsername: [() => ({ snmpUsername: 'another' })],
      snmpAuthenticationProtocol: [() => ({ snmpAuthenticationProtocol: 'MD5' })],
      snmpPrivacyProtocol: [() => ({ snmpPrivacyProtocol: 'AES256B' })],
    },
    create: createDevice,
  },
  {
    declaration: networkDevice,
    secrets: { cliPasswords: 'cliCredentials.password' },
    state: device({
      radiusEnabled: true,
      ...radiusSecret(),
      cliCredentials: { ...account, ...cliSecrets.cliCredentials },
    }),
    again: { ...cliSecrets, ...radiusSecret() },
    changes: {
      ipAddress: [otherAddress],
      driver: [() => ({ deviceTypeOverride: 'firewall' })],
      'cliCredentials.userName': [() => ({ cliCredentials: { userName: 'root' } })],
      'cliCredentials.port': [() => ({ cliCredentials: { port: 2222 } })],
      'cliCredentials.hostKey': [
        () => ({ cliCredentials: { hostKey: null } }),
        () => ({ cliCredentials: { hostKey: 'ssh-ed25519 BBBB' } }),
      ],
    },
    create: createDevice,
  },
  {
    declaration: networkDevice,
    secrets: { radiusSecret: 'radiusSecret' },
    state: device({ radiusEnabled: true, ...radiusSecret() }),
    again: radiusSecret(),
    changes: { ipAddress: [otherAddress] },
    create: createDevice,
  },
  {
    declaration: aaaServer,
    secrets: { secret: 'secret', checkPassword: 'checkPassword' },
    state: (n) => ({
      name: `bound-${n}`,
      netId: `aaa-${n}.example.org`,
      checkUser: 'probe',
      secret: 'a-shared-secret',
      checkPassword: 'probe-password',
    }),
    again: { secret: 'a-shared-secret', checkPassword: 'probe-password' },
    changes: {
      netId: [(n) => ({ netId: `attacker-${n}.example.org` })],
      authPort: [() => ({ authPort: 11812 })],
      acctPort: [() => ({ acctPort: 11813 })],
      checkUser: [() => ({ checkUser: 'another' })],
    },
  },
  {
    declaration: mdmServer,
    secrets: { password: 'password', credentialText: 'credentialText', appAccessKey: 'appAccessKey' },
    state: (n) => ({
      name: `bound-${n}`,
      pluginName: 'JAMF_PRO',
      request: 'https://mdm.example.org/api',
      userID: 'portreeve',
      password: 'mdm-password',
      credentialText: 'mdm-token',
      appAccessKey: 'mdm-key',
    }),
    again: { password: 'mdm-password', credentialText: 'mdm-token', appAccessKey: 'mdm-key' },
    changes: {
      ...mdmChanges('request', 'https://attacker.example.org/api'),
      ...mdmChanges('pluginName', 'GENERIC_JSON'),
      ...mdmChanges('identifier', 'another-tenant'),
      ...mdmChanges('userID', 'another'),
      ...mdmChanges('platformID', 'another'),
      ...mdmChanges('appID', 'another'),
      ...mdmChanges('sslVerifyCert', false),
      ...mdmChanges('sslVerifyHostname', false),
    },
  },
  scheme('http'),
  scheme('https'),
  rule('SSH', { userName: 'probe' }, 'password', { password: 'probe-password' }),
  rule('SNMP', snmpRule, 'credentials.community', { credentials: { community: 'community-1' } }),
  rule('SNMP', usmRule, 'credentials.authenticationPassword', { credentials: { authenticationPassword: 'auth-pass' } }),
  rule('SNMP', usmRule, 'credentials.privacyPassword', {
    credentials: { authenticationPassword: 'auth-pass', privacyPassword: 'priv-pass' },
  }),
];

function radiusSecret() {
  return { radiusSecret: 'radius-secret-1' };
}

const collections = catalogue.map(({ declaration }) => declaration);

/** Every pair of a secret and a field that it is bound to, except fields that are not served yet. */
const declaredPairs = collections.flatMap(({ name, fields }) =>
  secretsOf(fields).flatMap(({ path, binding }) => {
    const isRefused = (bound: string) => fields[bound.split('.')[0]!]!.notYet !== undefined;
    if (fields[path]?.notYet) return [];
    return boundPathsOf(binding!)
      .filter((bound) => !isRefused(bound))
      .map((bound) => `${name}: ${path} × ${bound}`);
  }),
);

/** Switching to SNMPv1 or v2c deletes the passwords of SNMPv3, so no request keeps them: see the test below. */
const deletedInstead = ['snmpAuthenticationPassword', 'snmpPrivacyPassword'].map(
  (secret) => `network-device: ${secret} × protocol`,
);

describe('stored secrets', async () => {
  const { admin, service } = await world();
  let sampleCount = 0;
  const begin = async ({ declaration, state, create }: Sample, n: number): Promise<string> => {
    if (create) return create(admin, state(n));
    return `${declaration.path}/${await admin.create(declaration, state(n) as Record<string, unknown>)}`;
  };

  test('are tested with each field that a declaration binds them to', () => {
    const tried = samples.flatMap(({ declaration, secrets, changes }) =>
      Object.keys(secrets).flatMap((secret) =>
        Object.keys(changes).map((bound) => `${declaration.name}: ${secret} × ${bound}`),
      ),
    );
    const missing = declaredPairs.filter((pair) => !tried.includes(pair) && !deletedInstead.includes(pair));
    expect(missing, 'add a sample whose change of that field is refused').toEqual([]);
    expect(declaredPairs.length).toBeGreaterThan(40);
  });

  const attempts = samples.flatMap((sample) =>
    Object.entries(sample.changes).flatMap(([bound, bodies]) =>
      Object.entries(sample.secrets)
        .filter(([secret]) => declaredPairs.includes(`${sample.declaration.name}: ${secret} × ${bound}`))
        .flatMap(([secret, shown]) =>
          bodies.map((change) => [`${sample.declaration.name} ${secret}`, bound, { sample, change, shown }] as const),
        ),
    ),
  );

  test.each(attempts)('%s is required again by a request that changes %s', async (_secret, bound, attempt) => {
    const { sample, change, shown } = attempt;
    const n = ++sampleCount;
    const path = await begin(sample, n);
    const before = (await admin.get(path.replace('/device/snmp/', '/device/'))).body.results![0];
    const refused = await admin.post(path, change(n));
    expect(refused, refused.text).toMatchObject({ code: 422, body: { status: 'rejected' } });
    expect(refused.body.errorMessage).toContain(`${shown}: `);
    expect(refused.body.errorMessage).toContain(bound);
    expect(refused.body.errorMessage).toContain('again in the same request');
    expect((await admin.get(path.replace('/device/snmp/', '/device/'))).body.results![0]).toEqual(before);
    const accepted = await admin.post(path, merged(change(n), sample.again));
    expect(accepted, accepted.text).toMatchObject({ code: 200 });
  });

  test('are not required to send a record back unchanged', async () => {
    for (const sample of samples) {
      const n = ++sampleCount;
      const path = await begin(sample, n);
      const [record] = (await admin.get(path.replace('/device/snmp/', '/device/'))).body.results!;
      const reply = await admin.post(path, record);
      expect(reply, reply.text).toMatchObject({ code: 200 });
    }
  });

  test('are required again by every operation that takes a field they are bound to, saved or not', async () => {
    const tried = new Map<string, number>();
    for (const sample of samples) {
      const { declaration, changes } = sample;
      const n = ++sampleCount;
      const path = await begin(sample, n);
      const id = Number(path.split('/').at(-1));
      const readRecord = async () => (await admin.get(path.replace('/device/snmp/', '/device/'))).body.results![0];
      const before = await readRecord();
      const operations = service.operations.filter(
        ({ operationId, method, body }) =>
          operationId.startsWith(`${declaration.name}.`) && method !== 'GET' && body?.kind === 'object',
      );
      for (const body of Object.values(changes).flatMap((bodies) => bodies.map((change) => change(n))))
        for (const operation of operations) {
          const { operationId, method, body: shape, writes } = operation;
          const properties = shape!.kind === 'object' ? shape!.properties : {};
          if (!Object.keys(body).every((key) => Object.hasOwn(properties, key))) continue;
          const isByPath = operation.path.includes('{id}') || Number.isNaN(id);
          const requestBody = isByPath ? body : { [declaration.identity]: id, ...body };
          for (const query of writes ? ['', '?dryRun=true'] : ['']) {
            const reply = await admin.call(
              method,
              `${operation.path.replace('{id}', String(id))}${query}`,
              requestBody,
            );
            expect(reply.code, `${operationId}${query}: ${reply.text}`).toBe(422);
            tried.set(operationId, (tried.get(operationId) ?? 0) + 1);
          }
        }
      expect(await readRecord()).toEqual(before);
    }
    process.stdout.write(
      `secrets: ${[...tried].map(([operationId, times]) => `${operationId} ${times}`).join(', ')}\n`,
    );
    expect([...tried.keys()]).toEqual(
      expect.arrayContaining([
        'network-device.create-snmp',
        'network-device.update-snmp',
        'aaa-server.create',
        'aaa-server.validate',
        'mdm-server.create',
        'proxy-settings.write',
        'device-profiling-rule.create',
      ]),
    );
  });

  test('stay where they were entered after any sequence of writes that sends none of them', async () => {
    const valueAt = (record: unknown, path: string): unknown =>
      path.split('.').reduce<unknown>((parent, key) => (parent as Body | null | undefined)?.[key] ?? null, record);
    const isKept = (record: Body, secret: string) =>
      secret === 'cliPasswords'
        ? valueAt(record, 'cliCredentials.passwordSet') === true
        : record[`${secret}Set`] !== false;
    const top = samples.filter(({ secrets }) => Object.keys(secrets).every((secret) => !secret.includes('[]')));
    /** Bodies of which each request has some. */
    const bodiesOf = ({ declaration, changes }: Sample, n: number): Body[] => [
      ...Object.values(changes).flatMap((bodies) => bodies.map((change) => change(n))),
      ...Array.from({ length: 6 }, (_, index) => ({ name: `renamed ${n} ${index}` })),
      ...(declaration === networkDevice
        ? [
            { snmpProtocol: 'V1' },
            { snmpProtocol: 'V2C' },
            v3,
            { ipAddress: address(91, n) },
            { containerID: 1 },
            { contactPollingEnabled: false },
            { radiusEnabled: false },
            { cliCredentials: { hostKey: account.hostKey } },
            { cliCredentials: { enablePassword: '' } },
            { cliCredentials: null },
          ]
        : []),
    ];
    let [accepted, refused, keptSecrets] = [0, 0, 0];
    const step = fc.record({
      bodies: fc.array(fc.nat(), { minLength: 1, maxLength: 2 }),
      place: fc.nat(3),
      isDryRun: fc.boolean(),
    });
    await fc.assert(
      fc.asyncProperty(fc.nat(top.length - 1), fc.array(step, { minLength: 3, maxLength: 6 }), async (index, steps) => {
        const sample = top[index]!;
        const n = ++sampleCount;
        const path = await begin(sample, n);
        const id = Number(path.split('/').at(-1));
        const readPath = path.replace('/device/snmp/', '/device/');
        const readRecord = async () => (await admin.get(readPath)).body.results![0]!;
        const first = await readRecord();
        const bodies = bodiesOf(sample, n);
        for (const { bodies: chosen, place, isDryRun } of steps) {
          const body = chosen.reduce<Body>((all, choice) => merged(all, bodies[choice % bodies.length]!), {});
          const isSingle = Number.isNaN(id);
          const collection = path.replace(/\/\d+$/, '');
          const target = [
            path,
            collection,
            path.replace('/snmp/', '/pingable/'),
            collection.replace(/snmp$/, 'pingable'),
          ][isSingle ? 0 : place]!;
          const isById = target === path || /\d$/.test(target);
          const reply = await admin.post(`${target}?dryRun=${isDryRun}`, isById ? body : { id, ...body });
          expect(reply.code, reply.text).toBeLessThan(500);
          if (reply.code < 300) accepted++;
          else refused++;
          const record = await readRecord();
          for (const secret of Object.keys(sample.secrets)) {
            if (!isKept(record, secret)) continue;
            keptSecrets++;
            const { binding } = secretsOf(sample.declaration.fields).find((declared) => declared.path === secret)!;
            for (const bound of boundPathsOf(binding!))
              expect(valueAt(record, bound), `${secret} × ${bound}: ${JSON.stringify(body)}`).toEqual(
                valueAt(first, bound),
              );
          }
        }
      }),
      { numRuns: 40 },
    );
    process.stdout.write(`secrets: ${accepted} writes accepted, ${refused} refused, ${keptSecrets} secrets compared\n`);
    expect(Math.min(accepted, refused, keptSecrets)).toBeGreaterThan(0);
  });

  test('are not sent to the previous address by a probe during which the record is changed', async () => {
    const received: Buffer[] = [];
    const listener = createSocket('udp4', (packet) => received.push(packet));
    listener.bind(0, '127.91.0.2');
    await once(listener, 'listening');
    const n = ++sampleCount;
    const first = { ipAddress: '127.91.0.2', snmpPort: listener.address().port };
    const path = await createDevice(
      admin,
      device({ ...first, snmpProtocol: 'V2C', snmpSecurityStrings: ['community-1'] })(n),
    );
    const { pool } = service.runtime;
    const query = pool.query.bind(pool) as (...args: unknown[]) => Promise<unknown>;
    let changes = 0;
    const spy = vi.spyOn(pool, 'query').mockImplementation((async (...args: unknown[]) => {
      if (String(args[0]).includes('"snmp_security_strings" as sealed') && changes++ === 0) {
        const moved = { ...otherAddress(n), snmpSecurityStrings: ['community-2'] };
        expect(await admin.post(path, moved)).toMatchObject({ code: 200 });
      }
      return query(...args);
    }) as never);
    const reply = await admin.post(`${path}?validate=true`, { name: `probed ${n}` });
    spy.mockRestore();
    listener.close();
    expect(changes).toBeGreaterThan(0);
    expect([reply.code, reply.body.errorMessage]).toEqual([
      422,
      expect.stringMatching(/^Network device \d+ was changed at the same time; repeat the request\.$/),
    ]);
    expect(received).toEqual([]);
  });

  test('may be deleted instead, and sending one password again does not cover the other one', async () => {
    const n = ++sampleCount;
    const path = await createDevice(
      admin,
      device({ radiusEnabled: true, ...radiusSecret(), cliCredentials: { ...account, ...cliSecrets.cliCredentials } })(
        n,
      ),
    );
    const partial = await admin.post(path, { cliCredentials: { port: 23, password: 'again' } });
    expect(partial.code).toBe(422);
    expect(partial.body.errorMessage).toContain('cliCredentials.enablePassword: ');
    expect(partial.body.errorMessage).not.toContain('cliCredentials.password: ');
    const both = await admin.post(path, { cliCredentials: { port: 23, password: 'again', enablePassword: '' } });
    expect(both.code, both.text).toBe(200);
    const record = await admin.fetch(networkDevice, Number(path.split('/').at(-1)));
    expect(record.cliCredentials).toMatchObject({ port: 23, passwordSet: true, enablePasswordSet: false });
  });

  test('are deleted when a device is switched to a version of SNMP that does not use them', async () => {
    const n = ++sampleCount;
    const path = await createDevice(admin, device({ snmpProtocol: 'V2C', snmpSecurityStrings: ['community-1'] })(n));
    const record = () => admin.fetch(networkDevice, Number(path.split('/').at(-1)));
    expect(await admin.post(path, { ...v3, ...v3Secrets })).toMatchObject({ code: 200 });
    expect(await record()).toMatchObject({ snmpSecurityStringsSet: false, snmpPrivacyPasswordSet: true });
    const back = { snmpProtocol: 'V2C', snmpSecurityStrings: ['community-2'] };
    expect(await admin.post(path, back)).toMatchObject({ code: 200 });
    expect(await record()).toMatchObject({ snmpAuthenticationPasswordSet: false, snmpPrivacyPasswordSet: false });
  });

  test('allow pinning the first host key of a device, not dropping it', async () => {
    const n = ++sampleCount;
    const path = await createDevice(
      admin,
      device({ radiusEnabled: true, ...radiusSecret(), cliCredentials: { userName: 'op', password: 'cli-password' } })(
        n,
      ),
    );
    const hostKey = 'ssh-ed25519 CCCC';
    expect((await admin.post(path, { cliCredentials: { hostKey } })).code).toBe(200);
    const refused = await admin.post(path, { cliCredentials: { hostKey: null } });
    expect([refused.code, refused.body.errorMessage]).toEqual([
      422,
      'cliCredentials.password: cliCredentials.hostKey changes, and the stored secret was entered for the previous value; send cliCredentials.password again in the same request, or delete it.',
    ]);
  });

  test('are reported one by one, each with the pointer to its field', async () => {
    const n = ++sampleCount;
    const path = await createDevice(admin, device({ ...v3, ...v3Secrets })(n));
    const reply = await admin.post(path, otherAddress(n), { accept: 'application/problem+json' });
    const { errors } = reply.body as unknown as { errors: { pointer: string }[] };
    expect(errors.map(({ pointer }) => pointer)).toEqual(['#/snmpAuthenticationPassword', '#/snmpPrivacyPassword']);
  });

  test('are not sent to another address by a probe before the update', async () => {
    const received: Buffer[] = [];
    const listener = createSocket('udp4', (packet) => received.push(packet));
    listener.bind(0, '127.91.0.1');
    await once(listener, 'listening');
    const n = ++sampleCount;
    const path = await createDevice(admin, device({ snmpProtocol: 'V2C', snmpSecurityStrings: ['community-1'] })(n));
    const moved = { ipAddress: '127.91.0.1', snmpPort: listener.address().port };
    const reply = await admin.post(`${path}?validate=true`, moved);
    expect([reply.code, received], reply.text).toEqual([422, []]);
    const sentAgain = await admin.post(`${path}?validate=true`, { ...moved, snmpSecurityStrings: ['community-2'] });
    expect(sentAgain.body.status, 'the listener does not reply').toBe('remote-timeout');
    expect(received.length).toBeGreaterThan(0);
    expect(Buffer.concat(received).includes('community-1')).toBe(false);
    listener.close();
  });

  test('are also required by a write of the service itself', async () => {
    const n = ++sampleCount;
    const path = await createDevice(admin, device({ ...v3, ...v3Secrets })(n));
    const id = Number(path.split('/').at(-1));
    const change = service.runtime.transact(systemOrigin('test'), ({ records }) =>
      records.update(networkDevice, id, { protocol: 'SNMP_V2C', snmpSecurityStrings: '["x"]' }),
    );
    await expect(change).rejects.toThrow('snmpAuthenticationPassword: protocol changes');
  });
});
