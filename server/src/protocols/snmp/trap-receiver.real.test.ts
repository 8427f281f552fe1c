import { execFile } from 'node:child_process';
import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { promisify } from 'node:util';
import { type Switches, startSwitches } from '@portreeve/testbed/snmp-switches.ts';
import { netSnmpArguments } from '@portreeve/testbed/snmpd.ts';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { type CommunityMessage, decodeMessage, encodeCommunityMessage, type RequestPdu } from './message.ts';
import { deviceEventOf, type Notification } from './notification.ts';
import { dotted, oid } from './oid.ts';
import { openTrapReceiver, type TrapReceiver, type TrapReceiverOptions } from './trap-receiver.ts';
import {
  type AuthProtocol,
  authProtocols,
  keysOf,
  type PrivProtocol,
  privProtocols,
  sealMessage,
  type UsmUser,
} from './usm.ts';

const run = promisify(execFile);
const host = '127.0.0.1';
const linkDown = '1.3.6.1.6.3.1.1.5.3';
const deviceEngine = '80001f8804aabbccddeeff0011';
const ourEngine = Buffer.from('80001f8804706f727472656576', 'hex');

const users: UsmUser[] = [
  ...(Object.keys(authProtocols) as AuthProtocol[]).map((auth) => userOf(auth, 'AES')),
  ...(Object.keys(privProtocols) as PrivProtocol[])
    .filter((priv) => priv !== 'AES')
    .map((priv) => userOf('SHA256', priv)),
  userOf('SHA', undefined),
];

function userOf(auth: AuthProtocol, priv: PrivProtocol | undefined): UsmUser {
  return {
    userName: `u-${auth}-${priv ?? 'none'}`,
    auth: { protocol: auth, password: 'auth-pass-123' },
    priv: priv && { protocol: priv, password: 'priv-pass-456' },
  };
}

const open: { close(): unknown }[] = [];
afterEach(async () => {
  for (const closable of open.splice(0)) await closable.close();
});

async function receiver(
  changes: Partial<TrapReceiverOptions> = {},
): Promise<{ receiver: TrapReceiver; got: Notification[] }> {
  const got: Notification[] = [];
  const opened = await openTrapReceiver({
    address: host,
    port: 0,
    engine: { id: ourEngine, boots: 4 },
    admits: (_source, community) => community === 'public',
    userOf: (_engineId, userName) => users.find((user) => user.userName === userName),
    handle: async (batch) => void got.push(...batch),
    onFailure: (error) => expect.unreachable(String(error)),
    ...changes,
  });
  open.push(opened);
  return { receiver: opened, got };
}

/** Runs a tool of Net-SNMP; snmpinform fails without an acknowledgement. */
async function tool(
  program: 'snmptrap' | 'snmpinform',
  port: number,
  args: readonly string[],
  name = linkDown,
): Promise<boolean> {
  const varbind = ['1.3.6.1.2.1.2.2.1.1.7', 'i', '7'];
  const what = args.includes('-v1')
    ? ['1.3.6.1.4.1.9.1.1208', '10.9.8.7', '2', '0', '', ...varbind]
    : ['', name, ...varbind];
  return run(program, ['-r', '59', '-t', '1', ...args, `${host}:${port}`, ...what], { env: { MIBS: '' } }).then(
    () => true,
    () => false,
  );
}

describe('trap receiver, sent to by Net-SNMP', () => {
  test('takes traps of versions 1 and 2c alike, and only of a community that it admits', async () => {
    const { receiver: trap, got } = await receiver();
    await tool('snmptrap', trap.port, ['-v1', '-c', 'public']);
    await tool('snmptrap', trap.port, ['-v2c', '-c', 'public']);
    await tool('snmptrap', trap.port, ['-v2c', '-c', 'guess']);
    await expect.poll(() => trap.stats().received).toBe(3);
    await expect.poll(() => trap.stats()).toMatchObject({ handled: 2, unknownCommunity: 1, acknowledged: 0 });
    expect(
      got.map((notification) => [notification.version, dotted(notification.name), notification.agentAddress]),
    ).toEqual([
      ['v1', linkDown, '10.9.8.7'],
      ['v2c', linkDown, null],
    ]);
    expect(got.map((notification) => deviceEventOf(notification, false))).toEqual(
      Array(2).fill({ kind: 'linkDown', ifIndex: 7 }),
    );
  });

  test('acknowledges an inform when it is stored, and not when it could not be', async () => {
    let isBroken = true;
    const failures: unknown[] = [];
    const { receiver: trap } = await receiver({
      handle: async () => {
        if (isBroken) throw new Error('the database is away');
      },
      onFailure: (error) => failures.push(error),
    });
    expect(await tool('snmpinform', trap.port, ['-v2c', '-c', 'public', '-r', '0'])).toBe(false);
    expect(failures.length).toBeGreaterThan(0);
    expect(trap.stats()).toMatchObject({ acknowledged: 0, handled: 0 });
    isBroken = false;
    expect(await tool('snmpinform', trap.port, ['-v2c', '-c', 'public'])).toBe(true);
    expect(trap.stats()).toMatchObject({ acknowledged: 1, handled: 1 });
  });

  test.each(users.map((user) => [user.userName, user] as const))(
    'takes traps and informs of version 3 as %s',
    async (_name, user) => {
      const { receiver: trap, got } = await receiver();
      const args = netSnmpArguments(user);
      await tool('snmptrap', trap.port, [...args, '-e', `0x${deviceEngine}`]);
      expect(await tool('snmpinform', trap.port, args)).toBe(true);
      await expect.poll(() => got.length).toBe(2);
      expect(got).toMatchObject([
        { version: 'v3', isInform: false, engineId: deviceEngine, userName: user.userName },
        { version: 'v3', isInform: true, userName: user.userName },
      ]);
    },
  );

  test('refuses a wrong password, an unknown user and a weaker level, and counts them', async () => {
    const refused: string[] = [];
    const { receiver: trap, got } = await receiver({ onRefused: (source, why) => refused.push(`${source} ${why}`) });
    const user = userOf('SHA256', 'AES256B');
    const engine = ['-e', `0x${deviceEngine}`];
    const wrong = { ...user, auth: { protocol: 'SHA256' as const, password: 'wrong-pass-123' } };
    await tool('snmptrap', trap.port, [...netSnmpArguments(wrong), ...engine]);
    await tool('snmptrap', trap.port, [...netSnmpArguments({ ...user, userName: 'nobody' }), ...engine]);
    await tool('snmptrap', trap.port, [...netSnmpArguments({ ...user, priv: undefined }), ...engine]);
    expect(await tool('snmpinform', trap.port, [...netSnmpArguments(wrong), '-r', '0'])).toBe(false);
    expect(got).toEqual([]);
    await expect.poll(() => trap.stats()).toMatchObject({ unauthentic: 3, unknownUser: 1 });
    expect(refused).toContain(`${host} unknownUser`);
  });
});

async function socketOn(address: string): Promise<Socket> {
  const socket = createSocket('udp4');
  open.push(socket);
  socket.bind(0, address);
  await once(socket, 'listening');
  return socket;
}

const pduOf = (type: 'trap' | 'inform', requestId: number): RequestPdu => ({
  type,
  requestId,
  errorStatus: 0,
  errorIndex: 0,
  varbinds: [
    { oid: oid('1.3.6.1.2.1.1.3.0'), type: 'ticks', value: requestId },
    { oid: oid('1.3.6.1.6.3.1.1.4.1.0'), type: 'oid', value: oid(linkDown) },
    { oid: oid('1.3.6.1.2.1.2.2.1.1.7'), type: 'integer', value: requestId },
  ],
});
const byCommunity = (pdu: RequestPdu) =>
  encodeCommunityMessage({ version: 'v2c', community: Buffer.from('public'), pdu });

describe('trap receiver', () => {
  test('takes a signed trap once: a copy is a replay, and one from before is too old', async () => {
    const { receiver: trap, got } = await receiver();
    const user = userOf('SHA256', 'AES');
    users.push({ ...user, userName: 'replayed' });
    const engineId = Buffer.from(deviceEngine, 'hex');
    const sealed = (boots: number, time: number, id: number) =>
      sealMessage(
        { msgId: id, isReportable: false, engineId, boots, time, userName: 'replayed' },
        keysOf(user, engineId),
        {
          contextEngineId: engineId,
          contextName: '',
          pdu: pduOf('trap', id),
        },
      );
    const socket = await socketOn(host);
    const recorded = sealed(3, 5_000, 1);
    for (let copy = 0; copy < 20; copy += 1) socket.send(recorded, trap.port, host);
    socket.send(sealed(3, 5_001, 2), trap.port, host);
    socket.send(sealed(3, 4_000, 3), trap.port, host);
    socket.send(sealed(4, 1, 4), trap.port, host);
    socket.send(sealed(3, 9_999, 5), trap.port, host);
    await expect.poll(() => trap.stats()).toMatchObject({ handled: 3, replayed: 19, notInTimeWindow: 2 });
    expect(got.map(({ uptimeTicks }) => uptimeTicks)).toEqual([1, 2, 4]);
  });

  test('stores a signed inform once, wherever copies of it come from, and acknowledges it to the device', async () => {
    const { receiver: trap, got } = await receiver();
    const user = { ...userOf('SHA256', 'AES'), userName: 'informer' };
    users.push(user);
    const recorded = sealMessage(
      { msgId: 9, isReportable: true, engineId: ourEngine, boots: 4, time: 0, userName: 'informer' },
      keysOf(user, ourEngine),
      { contextEngineId: Buffer.from(deviceEngine, 'hex'), contextName: '', pdu: pduOf('inform', 9) },
    );
    const sockets = await Promise.all(Array.from({ length: 7 }, () => socketOn(host)));
    let answers = 0;
    for (const socket of sockets) socket.on('message', () => void answers++);
    // Three copies in one batch, of which one is stored; later copies are detected too.
    for (const socket of sockets.slice(0, 3)) socket.send(recorded, trap.port, host);
    await expect.poll(() => trap.stats()).toMatchObject({ handled: 1, replayed: 2 });
    for (const socket of sockets.slice(3)) socket.send(recorded, trap.port, host);
    await expect.poll(() => trap.stats()).toMatchObject({ handled: 1, replayed: 6 });
    expect(got).toHaveLength(1);
    await expect.poll(() => answers).toBe(5);
  });

  test('takes a signed inform again that could not be stored', async () => {
    let fails = true;
    const { receiver: trap } = await receiver({
      handle: async () => {
        if (fails) throw new Error('the database is away');
      },
      onFailure: () => {
        fails = false;
      },
    });
    const user = { ...userOf('SHA256', 'AES'), userName: 'patient' };
    users.push(user);
    const recorded = sealMessage(
      { msgId: 9, isReportable: true, engineId: ourEngine, boots: 4, time: 0, userName: 'patient' },
      keysOf(user, ourEngine),
      { contextEngineId: Buffer.from(deviceEngine, 'hex'), contextName: '', pdu: pduOf('inform', 9) },
    );
    const socket = await socketOn(host);
    socket.send(recorded, trap.port, host);
    await expect.poll(() => trap.stats()).toMatchObject({ failed: 1 });
    socket.send(recorded, trap.port, host);
    await expect.poll(() => trap.stats()).toMatchObject({ handled: 1, acknowledged: 1, replayed: 0 });
  });

  test('stores a repeated inform once, and acknowledges it every time', async () => {
    const { receiver: trap, got } = await receiver();
    const socket = await socketOn(host);
    const answers: number[] = [];
    socket.on('message', (datagram) =>
      answers.push(((decodeMessage(datagram) as CommunityMessage).pdu as RequestPdu).requestId),
    );
    for (let time = 1; time <= 3; time += 1) {
      socket.send(byCommunity(pduOf('inform', 77)), trap.port, host);
      await expect.poll(() => answers.length).toBe(time);
    }
    expect(got).toHaveLength(1);
    expect(answers).toEqual([77, 77, 77]);
    expect(trap.stats()).toMatchObject({ handled: 1, acknowledged: 1, repeated: 2 });
  });

  test('takes a hundred a second from one address, and counts what is above', async () => {
    const { receiver: trap } = await receiver();
    const socket = await socketOn(host);
    for (let id = 1; id <= 400; id += 1) socket.send(byCommunity(pduOf('trap', id)), trap.port, host);
    await expect.poll(() => trap.stats().received).toBe(400);
    await expect.poll(() => trap.stats().waiting).toBe(0);
    const { handled, rateLimited } = trap.stats();
    expect(handled + rateLimited).toBe(400);
    expect(handled).toBeGreaterThanOrEqual(100);
    expect(rateLimited).toBeGreaterThan(0);
  });

  test('lets no more wait than it may, and counts what does not fit', async () => {
    let release = () => {};
    const blocked = new Promise<void>((resolve) => {
      release = resolve;
    });
    const { receiver: trap } = await receiver({
      handle: () => blocked,
      queueMax: 10,
      batchMax: 5,
      perSourcePerSecond: 1_000,
    });
    const socket = await socketOn(host);
    for (let id = 1; id <= 100; id += 1) socket.send(byCommunity(pduOf('trap', id)), trap.port, host);
    await expect.poll(() => trap.stats().received).toBe(100);
    expect(trap.stats().waiting).toBeLessThanOrEqual(10);
    expect(trap.stats().overflowed).toBeGreaterThanOrEqual(80);
    release();
    await expect.poll(() => trap.stats().handled + trap.stats().overflowed).toBe(100);
  });

  test('counts what is no SNMP and goes on', async () => {
    const { receiver: trap, got } = await receiver();
    const socket = await socketOn(host);
    socket.send(Buffer.from('GET / HTTP/1.1'), trap.port, host);
    socket.send(byCommunity(pduOf('trap', 1)).subarray(0, 30), trap.port, host);
    socket.send(Buffer.alloc(20_000, 0x30), trap.port, host);
    socket.send(byCommunity({ ...pduOf('trap', 1), type: 'get' }), trap.port, host);
    socket.send(byCommunity(pduOf('trap', 9)), trap.port, host);
    await expect.poll(() => got.length).toBe(1);
    expect(trap.stats()).toMatchObject({ malformed: 4, handled: 1 });
  });

  test('goes on after the look-up of a user has failed', async () => {
    const failures: unknown[] = [];
    const { receiver: trap, got } = await receiver({
      userOf: () => Promise.reject(new Error('the database is away')),
      onFailure: (error) => failures.push(error),
    });
    await tool('snmptrap', trap.port, [...netSnmpArguments(userOf('SHA', 'AES')), '-e', `0x${deviceEngine}`]);
    await expect.poll(() => failures.length).toBe(1);
    await tool('snmptrap', trap.port, ['-v2c', '-c', 'public']);
    await expect.poll(() => got.length).toBe(1);
  });

  test('reads back how large a buffer the kernel gave', async () => {
    const { receiver: trap } = await receiver();
    expect(trap.stats().receiveBufferBytes).toBeGreaterThan(100_000);
  });

  test('hands every inform over that it acknowledges, at a thousand a second, in a few batches', async () => {
    let batches = 0;
    const stored = new Set<number>();
    const { receiver: trap } = await receiver({
      handle: async (batch) => {
        batches += 1;
        await new Promise((resolve) => setTimeout(resolve, 5)); // simulates a transaction
        for (const { uptimeTicks } of batch) stored.add(uptimeTicks);
      },
    });
    const sources = await Promise.all(Array.from({ length: 20 }, (_, index) => socketOn(`127.0.43.${index + 1}`)));
    const acknowledged = new Set<number>();
    for (const socket of sources) {
      socket.on('message', (datagram) => {
        const { requestId } = (decodeMessage(datagram) as CommunityMessage).pdu as RequestPdu;
        // The receiver acknowledges an inform only after it was stored.
        expect(stored.has(requestId)).toBe(true);
        acknowledged.add(requestId);
      });
    }
    const send = (id: number) => sources[id % 20]!.send(byCommunity(pduOf('inform', id)), trap.port, host);
    let sentCount = 0;
    const startedMs = performance.now();
    while (sentCount < 2_000) {
      const due = Math.min(2_000, Math.floor(performance.now() - startedMs));
      for (; sentCount < due; sentCount += 1) send(sentCount + 1);
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    // Datagrams that the kernel dropped are resent, as devices do.
    const resend = () => {
      for (let id = 1; id <= 2_000; id += 1) if (!acknowledged.has(id)) send(id);
      return acknowledged.size;
    };
    await expect.poll(resend, { interval: 1_000, timeout: 60_000 }).toBe(2_000);
    expect(stored.size).toBe(2_000);
    expect(batches).toBeLessThan(200);
    expect(trap.stats()).toMatchObject({ overflowed: 0, malformed: 0, failed: 0 });
  });
});

describe('trap receiver with simulated switches', () => {
  const user = userOf('SHA256', 'AES');
  let switches: Switches;
  beforeAll(async () => {
    switches = await startSwitches([{ address: '127.0.42.1', kind: 'cisco' }, { address: '127.0.42.2' }]);
  });
  afterAll(() => switches.stop());

  test.each([
    { version: 'v1' },
    { version: 'v2c' },
    { version: 'v2c', isInform: true },
    { version: 'v3', user },
    { version: 'v3', user, isInform: true },
  ] as const)('receives a link down and a host move ($version)', async (how) => {
    const { receiver: trap, got } = await receiver();
    for (const address of ['127.0.42.1', '127.0.42.2'])
      await switches.sendTrapsTo(address, { ...how, host, port: trap.port });
    expect(await switches.setLink('127.0.42.2', 5, false)).toBe('isInform' in how);
    await switches.setLink('127.0.42.2', 5, true);
    await switches.plug('127.0.42.1', 3, '02:11:22:33:44:55');
    await switches.unplug('127.0.42.1', 3, '02:11:22:33:44:55');
    await switches.plug('127.0.42.2', 3, '02:11:22:33:44:55');
    await switches.reboot('127.0.42.2', false);
    await expect.poll(() => got.length).toBe(5);
    const mac = { vlan: 1, mac: '02:11:22:33:44:55', bridgePort: 3 };
    expect(got.map((notification) => deviceEventOf(notification, notification.source === '127.0.42.1'))).toEqual([
      { kind: 'linkDown', ifIndex: 10_105, isAdminUp: true },
      { kind: 'linkUp', ifIndex: 10_105, isAdminUp: true },
      { kind: 'macChanges', changes: [{ ...mac, isLearned: true }] },
      { kind: 'macChanges', changes: [{ ...mac, isLearned: false }] },
      { kind: 'coldStart' },
    ]);
    for (const address of ['127.0.42.1', '127.0.42.2']) await switches.sendTrapsTo(address);
    await switches.unplug('127.0.42.2', 3, '02:11:22:33:44:55');
  });
});
