import { describe, expect, test } from 'vitest';
import { EngineClocks, isInOwnWindow } from './engine-clocks.ts';
import { decodeMessage, type Pdu, type V3Message } from './message.ts';
import {
  type AuthProtocol,
  authProtocols,
  isAuthentic,
  keysOf,
  localizedKey,
  openMessage,
  type PrivProtocol,
  privProtocols,
  sealMessage,
  type UsmUser,
} from './usm.ts';

const engineId = Buffer.from('000000000000000000000002', 'hex');
const pdu: Pdu = {
  type: 'get',
  requestId: 7,
  errorStatus: 0,
  errorIndex: 0,
  varbinds: [{ oid: [1, 3, 6], type: 'null', value: null }],
};
const scoped = { contextEngineId: engineId, contextName: 'vlan-30', pdu };
const envelope = { msgId: 12, isReportable: true, engineId, boots: 3, time: 99_999, userName: 'op' };

const protocols = (Object.keys(authProtocols) as AuthProtocol[]).flatMap((auth) =>
  ([...Object.keys(privProtocols), undefined] as (PrivProtocol | undefined)[]).map((priv) => [auth, priv] as const),
);

const userOf = (auth: AuthProtocol, priv: PrivProtocol | undefined): UsmUser => ({
  userName: 'op',
  auth: { protocol: auth, password: 'maplesyrup' },
  priv: priv && { protocol: priv, password: 'sugarmaple' },
});

function sealed(user: UsmUser): V3Message {
  return decodeMessage(sealMessage(envelope, keysOf(user, engineId), scoped)) as V3Message;
}

describe('USM', () => {
  test('makes the keys of RFC 3414 appendix A.3', () => {
    expect(localizedKey('MD5', 'maplesyrup', engineId).toString('hex')).toBe('526f5eed9fcce26f8964c2930787d82b');
    expect(localizedKey('SHA', 'maplesyrup', engineId).toString('hex')).toBe(
      '6695febc9288e36282235fc7151f128497b38f3f',
    );
  });

  test.each(protocols)('%s with %s: opens what it sealed, and nothing that was changed', (auth, priv) => {
    const user = userOf(auth, priv);
    const message = sealed(user);
    const keys = keysOf(user, engineId);
    expect(message).toMatchObject({ ...envelope, hasAuth: true, hasPriv: priv !== undefined });
    expect(isAuthentic(message, keys)).toBe(true);
    expect(openMessage(message, keys)).toEqual(scoped);

    const changed = Buffer.from(message.bytes);
    changed[changed.length - 1]! ^= 1;
    expect(isAuthentic(decodeMessage(changed) as V3Message, keys)).toBe(false);
    const otherUser = { ...user, auth: { protocol: auth, password: 'maplesyruq' } };
    expect(isAuthentic(message, keysOf(otherUser, engineId))).toBe(false);
  });

  test('never accepts a message without a signature as authentic', () => {
    const message = sealed({ userName: 'op' });
    expect(message.hasAuth).toBe(false);
    expect(isAuthentic(message, keysOf(userOf('SHA', undefined), engineId))).toBe(false);
    expect(isAuthentic(message, {})).toBe(false);
  });

  test('never encrypts two messages the same way', () => {
    const user = userOf('SHA256', 'AES');
    expect(sealed(user).payload).not.toEqual(sealed(user).payload);
  });
});

describe('engine clocks', () => {
  test('refuse what is older than 150 seconds, and all from before a restart', () => {
    let nowMs = 0;
    const clocks = new EngineClocks(8, () => nowMs);
    expect(clocks.now(engineId)).toBeUndefined();
    expect(clocks.admit(engineId, 5, 1_000)).toBe(true);
    nowMs = 100_000;
    expect(clocks.now(engineId)).toEqual({ boots: 5, time: 1_100 });
    expect(clocks.admit(engineId, 5, 950)).toBe(true);
    expect(clocks.admit(engineId, 5, 949)).toBe(false);
    expect(clocks.admit(engineId, 6, 1)).toBe(true);
    expect(clocks.admit(engineId, 5, 1_100)).toBe(false);
    expect(clocks.now(engineId)).toEqual({ boots: 6, time: 1 });
  });

  test('are not held back by a message that is repeated', () => {
    let nowMs = 0;
    const clocks = new EngineClocks(8, () => nowMs);
    clocks.admit(engineId, 1, 1_000);
    for (nowMs = 0; nowMs <= 150_000; nowMs += 10_000) expect(clocks.admit(engineId, 1, 1_000)).toBe(true);
    nowMs = 151_000;
    expect(clocks.admit(engineId, 1, 1_000)).toBe(false);
  });

  test('of engines that have started too often are trusted no more', () => {
    const clocks = new EngineClocks();
    expect(clocks.admit(engineId, 0x7fff_ffff, 1)).toBe(false);
    expect(isInOwnWindow({ boots: 0x7fff_ffff, time: 1 }, 0x7fff_ffff, 1)).toBe(false);
  });

  test('of our own run both ways', () => {
    const ownClock = { boots: 2, time: 1_000 };
    expect(isInOwnWindow(ownClock, 2, 850)).toBe(true);
    expect(isInOwnWindow(ownClock, 2, 1_150)).toBe(true);
    expect(isInOwnWindow(ownClock, 2, 849)).toBe(false);
    expect(isInOwnWindow(ownClock, 2, 1_151)).toBe(false);
    expect(isInOwnWindow(ownClock, 1, 1_000)).toBe(false);
  });
});
