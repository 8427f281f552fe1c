import { type Switches, startSwitches } from '@portreeve/testbed/snmp-switches.ts';
import { type SnmpAgent, startSnmpd } from '@portreeve/testbed/snmpd.ts';
import { startSnmpsim } from '@portreeve/testbed/snmpsim.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Failure, remoteFailed } from '../../kernel/failure.ts';
import { outboundGuard } from '../outbound/outbound.ts';
import { snmpClient, systemNames } from './client.ts';
import { dotted, oid } from './oid.ts';
import { type SnmpCredential, type SnmpTarget, snmpFaultOf } from './snmp.ts';
import { type AuthProtocol, authProtocols, type PrivProtocol, privProtocols, type UsmUser } from './usm.ts';

const snmp = snmpClient({ outbound: outboundGuard({ allow: ['127.0.0.0/8'], refuse: [] }) });
afterAll(() => snmp.close());

const users: UsmUser[] = [
  ...(Object.keys(authProtocols) as AuthProtocol[]).map((protocol) => userOf(protocol, undefined)),
  ...(Object.keys(privProtocols) as PrivProtocol[]).map((protocol) => userOf('SHA', protocol)),
  userOf('SHA512', 'AES256B'),
];

function userOf(auth: AuthProtocol, priv: PrivProtocol | undefined): UsmUser {
  return {
    userName: `u-${auth}-${priv ?? 'none'}`,
    auth: { protocol: auth, password: 'auth-pass-123' },
    priv: priv && { protocol: priv, password: 'priv-pass-456' },
  };
}

const quick = { timeoutMs: 10_000, retries: 2 };
const v2c = (community = 'public'): SnmpCredential => ({ version: 'v2c', community });
const sysContact = oid('1.3.6.1.2.1.1.4.0');
const system = oid('1.3.6.1.2.1.1');
const ifDescr = oid('1.3.6.1.2.1.2.2.1.2');

async function faultOf(promise: Promise<unknown>) {
  const error = await promise.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(Failure);
  const failure = error as Failure;
  return { word: failure.word, message: failure.message, kind: snmpFaultOf(failure)?.kind };
}

describe('snmp client with snmpd of Net-SNMP', () => {
  let agent: SnmpAgent;
  beforeAll(async () => {
    agent = await startSnmpd({ community: 'house', users });
  });
  afterAll(() => agent.stop());
  const targetWith = (credential: SnmpCredential): SnmpTarget => ({
    ...quick,
    host: agent.host,
    port: agent.port,
    credential,
  });

  test.each(['v1', 'v2c'] as const)('%s: reads, walks, and reports missing objects', async (version) => {
    const target = targetWith({ version, community: 'house' });
    const [name, missing, upTime] = await snmp.get(target, [
      systemNames.name,
      oid('1.3.6.1.2.1.1.99.0'),
      systemNames.upTime,
    ]);
    expect(name?.value?.toString()).toBe('agent of Net-SNMP');
    expect(missing).toBeNull();
    expect(upTime).toMatchObject({ type: 'ticks' });
    const [rows] = await snmp.walk(target, [system]);
    expect(rows!.length).toBeGreaterThan(6);
    expect(rows![0]!.index).toEqual([1, 0]);
  });

  test.each(users.map((user) => [user.userName, user] as const))('v3: reads and walks as %s', async (_name, user) => {
    const target = targetWith({ version: 'v3', user });
    const [name] = await snmp.get(target, [systemNames.name]);
    expect(name?.value?.toString()).toBe('agent of Net-SNMP');
    const [rows] = await snmp.walk(target, [ifDescr]);
    expect(String(rows![0]!.value.value)).toBe('lo');
  });

  test('v3: reports what is wrong with the credentials, without their text', async () => {
    const good = userOf('SHA', 'AES');
    const refusals = await Promise.all(
      [
        { ...good, userName: 'nobody' },
        { ...good, auth: { protocol: 'SHA' as const, password: 'wrong-pass-123' } },
        { ...good, priv: undefined },
      ].map((user) => faultOf(snmp.get(targetWith({ version: 'v3', user }), [systemNames.name]))),
    );
    expect(refusals.map(({ kind }) => kind)).toEqual(['unauthenticated', 'unauthenticated', 'refused']);
    expect(refusals[0]!.message).toContain('does not know the user');
    expect(refusals[1]!.message).toContain('does not accept the authentication password');
    // snmpd accepts the weaker level, but its access control shows no objects at that level.
    expect(refusals[2]!.message).toContain('authorizationError');
    expect(JSON.stringify(refusals)).not.toMatch(/pass-123|pass-456/);
  });

  test("writes, and reports a rejected write with the device's error", async () => {
    const target = targetWith({ version: 'v3', user: userOf('SHA256', undefined) });
    const fault = await faultOf(snmp.set(target, [{ oid: oid('1.3.6.1.2.1.1.3.0'), type: 'ticks', value: 1 }]));
    expect(fault).toMatchObject({ word: 'remote-failed', kind: 'refused' });
    expect(fault.message).toBe(
      `The device 127.0.0.1 (SNMP port ${agent.port}) answered notWritable for 1.3.6.1.2.1.1.3.0.`,
    );
    const text = Buffer.from('the night shift');
    await snmp.set(targetWith(v2c('house')), [{ oid: sysContact, type: 'octets', value: text }]);
    const [contact] = await snmp.get(target, [sysContact]);
    expect(contact?.value).toEqual(text);
  });

  test('sends nothing more once it is refused, also in the middle of several requests', async () => {
    for (const credential of [v2c('house'), { version: 'v3', user: userOf('SHA256', undefined) } as const]) {
      const before = await snmp.get(targetWith(credential), [sysContact]);
      let roundsLeft = 1;
      const beforeSend = () => {
        if (roundsLeft-- === 0) throw remoteFailed('The turn is over.');
      };
      const target = { ...targetWith(credential), beforeSend };
      await snmp.get(target, [sysContact]);
      const write = snmp.set(target, [{ oid: sysContact, type: 'octets', value: Buffer.from('too late') }]);
      await expect(write).rejects.toThrow('The turn is over.');
      expect(await snmp.get(targetWith(credential), [sysContact])).toEqual(before);
    }
  });
});

describe('snmp client with snmpsim', () => {
  const user = userOf('SHA256', 'AES256R');
  let agent: SnmpAgent;
  beforeAll(async () => {
    agent = await startSnmpsim(
      { one: '1.3.6.1.2.1.1.1.0|4|first\n1.3.6.1.2.1.1.3.0|67|42\n', two: '1.3.6.1.2.1.1.1.0|4|second\n' },
      user,
    );
  });
  afterAll(() => agent.stop());

  test('reads another context with the same user, and the same context by community', async () => {
    const values = await Promise.all(
      [
        { version: 'v3', user, context: 'one' } as const,
        { version: 'v3', user, context: 'two' } as const,
        v2c('one'),
      ].map(async (credential) => {
        const [rows] = await snmp.walk({ ...quick, host: agent.host, port: agent.port, credential }, [system]);
        return rows!.map(({ value }) => String(value.value));
      }),
    );
    expect(values).toEqual([['first', '42'], ['second'], ['first', '42']]);
  });
});

describe('snmp client with simulated switches', () => {
  let switches: Switches;
  const user = userOf('SHA256', 'AES');
  const [linux, cisco] = ['127.0.41.1', '127.0.41.2'] as const;
  beforeAll(async () => {
    switches = await startSwitches([
      { address: linux, users: [user], writeCommunity: 'secret-write' },
      { address: cisco, kind: 'cisco', users: [user] },
    ]);
  });
  afterAll(() => switches.stop());
  const targetWith = (credential: SnmpCredential, host: string = linux): SnmpTarget => ({
    ...quick,
    host,
    port: switches.port,
    credential,
  });

  test('walks several columns side by side, and rows of one index stay together', async () => {
    const columns = [1, 2, 7].map((column) => oid(`1.3.6.1.2.1.2.2.1.${column}`));
    const [indexes, names, statuses] = await snmp.walk(targetWith(v2c()), columns);
    expect(indexes).toHaveLength(48 + 5 + 1 + 1);
    expect(names!.map(({ index }) => index)).toEqual(indexes!.map(({ index }) => index));
    expect(statuses!.map(({ index }) => index)).toEqual(indexes!.map(({ index }) => index));
  });

  test.each([v2c(), { version: 'v1', community: 'public' }, { version: 'v3', user }] as SnmpCredential[])(
    'goes on after lost packets ($version)',
    async (credential) => {
      await switches.disturb(linux, { loseEvery: 2 });
      const { retransmissions } = snmp.stats();
      const [rows] = await snmp.walk({ ...targetWith(credential), timeoutMs: 30, retries: 400 }, [ifDescr]);
      await switches.disturb(linux, {});
      expect(rows).toHaveLength(55);
      expect(snmp.stats().retransmissions).toBeGreaterThan(retransmissions);
    },
  );

  test('finds its way after a device has started again, with another count of starts', async () => {
    const target = targetWith({ version: 'v3', user });
    await snmp.get(target, [systemNames.name]);
    await switches.reboot(linux, false);
    const [upTime] = await snmp.get(target, [systemNames.upTime]);
    expect(upTime!.value).toBeLessThan(12_000);
  });

  test('reads a Cisco once per VLAN, by community or by context', async () => {
    const macs = oid('1.3.6.1.2.1.17.4.3.1.2');
    const inOne = await snmp.walk(targetWith(v2c('public@1'), cisco), [macs]);
    const inTen = await snmp.walk(targetWith({ version: 'v3', user, context: 'vlan-10' }, cisco), [macs]);
    expect(inOne[0]).toHaveLength(45);
    expect(inTen[0]).toHaveLength(0);
    const unknown = await faultOf(snmp.walk(targetWith({ version: 'v3', user, context: 'vlan-77' }, cisco), [macs]));
    expect(unknown.message).toContain('does not know the context');
  });

  test('reports that a device does not answer, whether it is off or the community is wrong', async () => {
    const target = { ...targetWith(v2c('not-the-community')), timeoutMs: 100, retries: 1 };
    const fault = await faultOf(snmp.get(target, [systemNames.name]));
    expect(fault).toMatchObject({ word: 'remote-timeout', kind: 'silent' });
    expect(fault.message).toBe(
      `The device ${linux} (SNMP port ${switches.port}) did not respond within 0.2 seconds and 2 tries.`,
    );
  });

  test.each([
    ['loop', 2_000, 'does not walk forward'],
    ['endless', 2_000, 'has more than 500 rows'],
    ['garbage', 100, 'did not respond'],
  ] as const)('survives a device in the mood "%s"', async (mood, timeoutMs, words) => {
    await switches.behave(linux, mood);
    const fault = await faultOf(
      snmp.walk({ ...targetWith(v2c()), timeoutMs, retries: 0 }, [ifDescr], { rowsMax: 500 }),
    );
    await switches.behave(linux, 'honest');
    expect(fault.message).toContain(words);
  });

  test('gives a walk no more time than it may take', async () => {
    await switches.disturb(linux, { delayMs: 60 });
    const fault = await faultOf(snmp.walk(targetWith(v2c()), [ifDescr, oid('1.3.6.1.2.1.31.1.1.1.1')], { msMax: 50 }));
    await switches.disturb(linux, {});
    expect(fault).toMatchObject({ word: 'remote-timeout' });
    expect(fault.message).toContain('did not return a complete table within 0.05 seconds');
  });

  test('reports a rejected write without the community', async () => {
    const pvid = { oid: oid('1.3.6.1.2.1.17.7.1.4.5.1.1.7'), type: 'gauge' as const, value: 30 };
    const readOnly = await faultOf(snmp.set(targetWith(v2c()), [pvid]));
    expect(readOnly.message).toContain(`answered noAccess for ${dotted(pvid.oid)}`);
    const inconsistent = await faultOf(snmp.set(targetWith(v2c('secret-write')), [pvid]));
    expect(inconsistent.message).toContain('answered inconsistentValue');
    expect(inconsistent.message).not.toContain('secret-write');
    expect((await switches.takeSets(linux)).map(({ outcome }) => outcome)).toEqual(['noAccess', 'inconsistentValue']);
  });

  test('tries one credential after the other, and distinguishes no answer from a rejection', async () => {
    const wrong = { ...user, auth: { protocol: 'SHA256' as const, password: 'wrong-pass-123' } };
    // A short timeout only for targets that never reply; a real reply may be slow on a busy machine.
    const silent = { ...targetWith(v2c('nope')), timeoutMs: 600, retries: 0 };
    const answering = (credential: SnmpCredential) => ({ ...targetWith(credential), timeoutMs: 30_000, retries: 0 });
    const probeResult = await snmp.probe([
      silent,
      answering({ version: 'v3', user: wrong }),
      answering({ version: 'v3', user }),
      answering(v2c()),
    ]);
    expect(probeResult).toMatchObject({ kind: 'answered', at: 2 });
    expect(await snmp.probe([answering({ version: 'v3', user: wrong }), silent])).toMatchObject({
      kind: 'refused',
    });
    expect(await snmp.probe([silent])).toMatchObject({ kind: 'silent' });
  });

  test('stops immediately when it is aborted', async () => {
    await switches.pause(linux);
    const aborter = new AbortController();
    const request = snmp.get({ ...targetWith(v2c()), timeoutMs: 20_000, signal: aborter.signal }, [systemNames.name]);
    await expect.poll(() => snmp.stats().inFlight).toBe(1);
    aborter.abort(new Error('enough'));
    await expect(request).rejects.toThrow('enough');
    await switches.resume(linux);
  });

  test('holds no more than four sockets, and no more requests in flight than it may', async () => {
    const narrow = snmpClient({ outbound: outboundGuard({ allow: ['127.0.0.0/8'], refuse: [] }), inFlightMax: 3 });
    let inFlightMost = 0;
    await Promise.all(
      Array.from({ length: 40 }, async () => {
        await narrow.get(targetWith(v2c()), [systemNames.name]);
        inFlightMost = Math.max(inFlightMost, narrow.stats().inFlight);
      }),
    );
    expect(narrow.stats()).toMatchObject({ sockets: 4, inFlight: 0, waiting: 0, requests: 40 });
    expect(inFlightMost).toBeLessThanOrEqual(3);
    narrow.close();
  });

  test('checks the outbound guard first', async () => {
    const guarded = snmpClient({ outbound: outboundGuard({ allow: [], refuse: [] }) });
    await expect(guarded.get(targetWith(v2c()), [systemNames.name])).rejects.toThrow(
      'is refused: it is a loopback address',
    );
    expect(guarded.stats().requests).toBe(0);
    guarded.close();
  });
});
