import { type Switches, startSwitches } from '@portreeve/testbed/snmp-switches.ts';
import { startSshDevice } from '@portreeve/testbed/ssh-device.ts';
import { expect, onTestFinished, test } from 'vitest';
import { dumpOf, secretsIn } from '../../../test/surface/secret-search.ts';
import type { Reply } from '../../../test/world/client.ts';
import { world } from '../../../test/world/world.ts';
import { networkDevice } from './network-device.ts';

const issued: string[] = [];
const hush = (what: string): string => {
  const secret = `hush-${what}-${Math.random().toString(36).slice(2)}`;
  issued.push(secret);
  return secret;
};
const [plain, sealed] = ['127.0.33.1', '127.0.33.2'];
const community = hush('community');
const user = {
  userName: 'op',
  auth: { protocol: 'SHA256', password: hush('authentication') },
  priv: { protocol: 'AES', password: hush('privacy') },
} as const;
const v3 = {
  snmpProtocol: 'V3_AUTH_PRIV',
  snmpUsername: 'op',
  snmpAuthenticationProtocol: 'SHA256',
  snmpAuthenticationPassword: user.auth.password,
  snmpPrivacyProtocol: 'AES',
  snmpPrivacyPassword: user.priv.password,
};

test('credentials of devices are in no log line, audit row, event, document, response or dump while they are used, rejected or changed', async () => {
  const switches: Switches = await startSwitches([
    { address: plain!, ports: 8, readCommunity: community },
    { address: sealed!, ports: 8, users: [user], communities: false },
  ]);
  onTestFinished(() => switches.stop());
  const account = { userName: 'op', password: hush('ssh'), enablePassword: hush('enable') };
  const point = await startSshDevice({ ...account, commands: { 'cat /proc/uptime': '1.0 1.0\n' } });
  onTestFinished(() => point.stop());
  const { admin, service, database, logged } = await world({ jobs: 'work' });
  // Long enough for a switch on a busy machine: after a late reply the next poll would follow only after minutes.
  await admin.post('/device/properties', { snmpTimeout: 30, snmpRetries: 0 });

  const answers: string[] = [];
  const keep = (reply: Reply): Reply => {
    answers.push(reply.text);
    return reply;
  };
  const send = async (path: string, body: object) => keep(await admin.post(path, body));
  let createdCount = 0;
  const create = async (ipAddress: string, overrides: object) => {
    const body = { name: `kept-${++createdCount}`, ipAddress, snmpPort: switches.port, containerID: 1, ...overrides };
    const reply = await send('/device/snmp', body);
    expect(reply, reply.text).toMatchObject({ code: 201 });
    return Number(String(reply.headers.location).split('/').at(-1));
  };
  // The right community first: each wrong one takes the complete timeout.
  const communities = [community, hush('community')];
  const open = await create(plain!, { snmpProtocol: 'V2C', snmpSecurityStrings: communities });
  const closed = await create(sealed!, v3);
  const overSsh = await create(point.host, {
    snmpPort: 161,
    radiusEnabled: true,
    radiusSecret: hush('radius'),
    deviceTypeOverride: 'access-point',
    cliCredentials: { ...account, port: point.port },
  });
  const status = async (id: number) => (await admin.fetch(networkDevice, id)).status;
  const settled = (id: number, expectedStatus: number) =>
    expect.poll(() => status(id), { timeout: 60_000 }).toBe(expectedStatus);
  await settled(open, 1);
  await settled(closed, 1);
  await settled(overSsh, 1);

  // The device refuses wrong passwords, and an event reports that; they could leak there.
  await send(`/device/snmp/${closed}`, { snmpAuthenticationPassword: hush('wrong') });
  await settled(closed, 3);
  await send(`/device/snmp/${overSsh}`, { radiusSecret: hush('radius'), cliCredentials: { password: hush('wrong') } });
  await settled(overSsh, 3);
  // A device does not reply to a wrong community.
  await admin.post('/device/properties', { snmpTimeout: 1 });
  await send(`/device/snmp/${open}`, { snmpSecurityStrings: [hush('wrong')] });
  await settled(open, 3);
  for (const [id, body] of [
    [open, { snmpSecurityStrings: [hush('probed')] }],
    [closed, { snmpPrivacyPassword: hush('probed'), snmpAuthenticationPassword: user.auth.password }],
  ] as const)
    expect(await send(`/device/snmp/${id}?validate=true`, body)).toMatchObject({ code: 424 });
  // In fields that do not exist, and in bodies that are not objects.
  for (const body of [
    { snmpPort: hush('misplaced') },
    { snmpSecurityStrings: hush('misplaced') },
    { snmpProtocol: hush('misplaced') },
    { cliCredentials: { port: hush('misplaced') } },
    { name: 'kept-1', radiusSecret: 'x'.repeat(300) + hush('misplaced') },
  ])
    await admin.post(`/device/snmp/${closed}`, body);
  await admin.get(`/device?filter=${encodeURIComponent(`snmpSecurityStrings==${hush('misplaced')}`)}`);
  const json = { accept: 'application/json' };
  for (const path of ['/device', `/device/${open}`, '/logging/audit', '/logging/event', '/system/background-task'])
    for (const headers of [json, { accept: 'application/xml' }])
      expect(keep(await admin.get(path, headers)).code).toBe(200);
  const events = (await admin.get('/logging/event?filter=name==DEVICE_AUTHENTICATION_FAILED')).body;
  expect(events.filtered).toBeGreaterThanOrEqual(2);

  const dump = await dumpOf(database);
  for (const table of ['network_device', 'device_poll_result', 'event', 'audit_record', 'change_feed'])
    expect(dump, 'the dump is one').toContain(`INSERT INTO public.${table}`);
  expect(answers.join('')).toContain('kept-1');
  const { text: openapi } = await admin.get('/api/v2/openapi.json');
  expect(openapi).toContain('snmpSecurityStrings');
  const log = logged.join('\n');
  expect(log).toContain('network-device.create-snmp');
  expect(secretsIn(issued, { dump, openapi, log, answers: answers.join('\n') })).toEqual([]);
  const { rows } = await service.runtime.pool.query(
    'select p.error from device_poll_result p where p.error is not null',
  );
  expect(rows.length).toBeGreaterThan(0);
}, 300_000);
