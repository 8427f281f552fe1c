import type pg from 'pg';
import { describe, expect, test } from 'vitest';
import type { CacheInvalidation } from '../kernel/database/cache-invalidation.ts';
import { allows } from '../kernel/declare/permissions.ts';
import { checksum, credentialHash, issueCredential } from './credential.ts';
import { CredentialGate } from './gate.ts';

/** Creates a gate with one credential, a clock and a revocation counter that the test controls. */
function openGate(kind: 'token' | 'session' = 'token') {
  const { text, publicId } = issueCredential(kind);
  const state = {
    nowMs: 0,
    generation: 0,
    leftMs: 60_000,
    isRevoked: false,
    scopes: null as Record<string, string[]> | null,
    lookups: 0,
    touches: 0,
    during: () => {},
  };
  const row = () => ({
    rowId: 1,
    hash: credentialHash(text),
    name: 'one',
    scopes: state.scopes,
    networks: null,
    leftMs: state.leftMs,
    accountId: 1,
    userID: 'somebody',
    administrator: true,
    permissions: null,
    manageByGroups: false,
    isInHours: true,
    hasHours: false,
    minuteLeftMs: 60_000,
  });
  const query = async (statement: string | { text: string }) => {
    if (typeof statement === 'string' && statement.startsWith('update ')) {
      state.touches++;
      return { rows: [] };
    }
    const rows = state.isRevoked ? [] : [row()];
    state.lookups++;
    state.during();
    return { rows };
  };
  const pool = { query, connect: async () => ({ query, release: () => undefined }) } as unknown as pg.Pool;
  const followed = { isTrusted: () => true, generation: () => state.generation };
  const generations = { follow: () => followed } as unknown as CacheInvalidation;
  const gate = new CredentialGate(
    pool,
    generations,
    () => state.nowMs,
    () => undefined,
  );
  const ask = (shown = text, headers: Record<string, string> = {}) =>
    gate.authenticate({
      headers: { authorization: `Bearer ${shown}`, ...headers },
      address: '192.0.2.1',
      writes: false,
    });
  return { state, ask, text, publicId };
}

test('refuses a token with a known id and a wrong secret', async () => {
  const { ask, text, publicId } = openGate();
  const body = `prt_${publicId}_${issueCredential('token').text.slice(17, 60)}`;
  await ask();
  await expect(ask(body + checksum(body))).rejects.toMatchObject({ word: 'unauthenticated' });
  expect((body + checksum(body)).length).toBe(text.length);
});

test('scopes limit a token, also that of an administrator who may do everything', async () => {
  const { state, ask } = openGate();
  state.scopes = { devices: ['view'] };
  const { rights } = await ask();
  expect([
    allows(rights, 'devices', 'view'),
    allows(rights, 'devices', 'modify'),
    allows(rights, 'hosts', 'view'),
  ]).toEqual([true, false, false]);
});

describe('the credential cache of a node', () => {
  test('loads a credential once while nothing changes', async () => {
    const { state, ask } = openGate();
    await ask();
    const { lookups } = state;
    expect(await ask()).toMatchObject({ userID: 'somebody' });
    expect(state.lookups).toBe(lookups);
  });

  test('does not keep a credential that was revoked while it was loaded', async () => {
    const { state, ask } = openGate();
    state.during = () => {
      state.isRevoked = true;
      state.generation++;
      state.during = () => {};
    };
    await ask();
    await expect(ask()).rejects.toMatchObject({ word: 'unauthenticated' });
  });

  test('does not keep a credential after its expiration', async () => {
    const { state, ask } = openGate();
    state.leftMs = 10_000;
    await ask();
    state.nowMs = 9_999;
    await ask();
    state.nowMs = 10_000;
    await expect(ask()).rejects.toMatchObject({ word: 'unauthenticated' });
  });
});

describe('a session', () => {
  const watching: Record<string, string>[] = [
    { 'x-unattended': '1' },
    { accept: 'text/event-stream' },
    { accept: 'application/json, text/event-stream;q=0.5' },
  ];

  test.each(watching)('is not extended by a page that only watches: %j', async (headers) => {
    const { state, ask, text } = openGate('session');
    await ask(text, headers);
    expect(state.touches).toBe(0);
    await ask(text, { 'x-unattended': '0', accept: 'application/json' });
    expect(state.touches).toBe(1);
  });

  test('stores its last use for every kind of request if it is a token', async () => {
    const { state, ask, text } = openGate();
    await ask(text, { 'x-unattended': '1' });
    expect(state.touches).toBe(1);
  });
});
