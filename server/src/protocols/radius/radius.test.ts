import { createHash, createHmac } from 'node:crypto';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { afterEach, describe, expect, test } from 'vitest';
import { promised } from '../../../test/world/patience.ts';
import { Failure } from '../../kernel/failure.ts';
import { outboundGuard } from '../outbound/outbound.ts';
import type { TestResult } from '../test-result.ts';
import { decode, type Packet } from './packet.ts';
import { type RadiusProbe, radiusClient } from './radius.ts';

const secret = 'correct-horse-battery';
const outbound = outboundGuard({ allow: ['127.0.0.1/32'], refuse: [] });
const impatient = radiusClient({ outbound, timeoutMs: 120 });
const closers: (() => Promise<void>)[] = [];

afterEach(async () => {
  await Promise.all(closers.splice(0).map((close) => close()));
});

interface Answer {
  code: number;
  identifier?: number;
  key?: string;
  signature?: 'good' | 'bad' | 'none';
}

function reply(
  request: Packet,
  { code, identifier = request.identifier, key = secret, signature = 'good' }: Answer,
): Buffer {
  const bytes = Buffer.alloc(signature === 'none' ? 20 : 38);
  bytes.set([code, identifier, 0, bytes.length]);
  request.authenticator.copy(bytes, 4);
  if (signature !== 'none') bytes.set([80, 18], 20);
  if (signature === 'good') createHmac('md5', key).update(bytes).digest().copy(bytes, 22);
  createHash('md5').update(bytes).update(key).digest().copy(bytes, 4);
  return bytes;
}

/**
 * Starts a server that replies to each packet as the test defines, for replies that FreeRADIUS cannot be configured to
 * send.
 */
async function fakeServer(answer: (request: Packet) => readonly Buffer[]) {
  const received: Packet[] = [];
  const socket = createSocket('udp4');
  socket.on('message', (datagram, sender) => {
    const request = decode(datagram);
    received.push(request);
    for (const bytes of answer(request)) socket.send(bytes, sender.port, sender.address);
  });
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  let isOpen = true;
  const close = async () => {
    if (!isOpen) return;
    isOpen = false;
    socket.close();
    await once(socket, 'close');
  };
  closers.push(close);
  return { port: socket.address().port, received, close };
}

const probeOf = (port: number, changes: Partial<RadiusProbe> = {}): RadiusProbe => ({
  host: '127.0.0.1',
  authPort: port,
  acctPort: 0,
  secret,
  checkUser: 'bob',
  checkPassword: 'hello',
  ...changes,
});
const detailsOf = ({ steps }: TestResult) => Object.fromEntries(steps.map(({ name, detail }) => [name, detail]));
const isStatus = (request: Packet) => request.code === 12;
const isSigned = (request: Packet) => request.attributes[0]?.type === 80;
const mentions = (request: Packet, text: string) => request.bytes.includes(text);

describe('radius client', () => {
  test.each<[string, Answer, string]>([
    [
      'an Access-Accept without Message-Authenticator',
      { code: 2, signature: 'none' },
      'no Message-Authenticator in reply',
    ],
    [
      'an Access-Reject without Message-Authenticator',
      { code: 3, signature: 'none' },
      'no Message-Authenticator in reply',
    ],
    ['a wrong Message-Authenticator', { code: 2, signature: 'bad' }, 'bad authenticator (wrong secret)'],
    ['a reply made with another secret', { code: 2, key: 'other' }, 'bad authenticator (wrong secret)'],
    ['an Access-Challenge', { code: 11 }, 'challenged'],
    ['an Accounting-Response to an Access-Request', { code: 5 }, 'no answer'],
  ])('does not pass %s', async (_name, answer, detail) => {
    const server = await fakeServer((request) => [reply(request, isStatus(request) ? { code: 2 } : answer)]);
    const result = await impatient.probe(probeOf(server.port));
    expect(result.passed).toBe(false);
    expect(detailsOf(result)).toEqual({ resolve: '127.0.0.1', 'status-server': 'answered', 'access-request': detail });
  });

  test.each<[string, (request: Packet) => Buffer]>([
    ['garbage', () => Buffer.from('this is no RADIUS packet, not at all')],
    ['an empty datagram', () => Buffer.alloc(0)],
    ['a truncated packet', (request) => reply(request, { code: 2 }).subarray(0, 30)],
    [
      'a reply to another identifier',
      (request) => reply(request, { code: 2, identifier: (request.identifier + 100) % 256 }),
    ],
  ])('takes %s for no answer, and the right answer after it', async (_name, noise) => {
    const noisy = await fakeServer((request) => [noise(request)]);
    const silent = await impatient.probe(probeOf(noisy.port));
    expect(silent.passed).toBe(false);
    expect(detailsOf(silent)).toMatchObject({ 'status-server': 'no answer', 'access-request': 'no answer' });

    const late = await fakeServer((request) => [noise(request), reply(request, { code: 2 })]);
    expect(await impatient.probe(probeOf(late.port))).toMatchObject({ passed: true });
  });

  test('is not misled by a forged reply that comes before the real one', async () => {
    const server = await fakeServer((request) => [
      reply(request, { code: 3, key: 'forger' }),
      reply(request, { code: 2 }),
    ]);
    const result = await impatient.probe(probeOf(server.port));
    expect(result.passed).toBe(true);
    expect(detailsOf(result)).toMatchObject({ 'access-request': 'accepted' });
  });

  test('does not send the check user to a server whose secret is another', async () => {
    const server = await fakeServer((request) =>
      isSigned(request) ? [] : [reply(request, { code: 3, key: 'other' })],
    );
    const result = await impatient.probe(probeOf(server.port));
    expect(result.passed).toBe(false);
    expect(detailsOf(result)).toMatchObject({
      'status-server': 'bad authenticator (wrong secret)',
      'access-request': 'not sent: the secret is wrong',
    });
    expect(server.received.some((request) => mentions(request, 'bob'))).toBe(false);
  });

  test('tries the check user on a server that answers nothing else', async () => {
    const server = await fakeServer((request) => (mentions(request, 'bob') ? [reply(request, { code: 2 })] : []));
    const result = await impatient.probe(probeOf(server.port));
    expect(result.passed).toBe(true);
    expect(detailsOf(result)).toMatchObject({ 'status-server': 'no answer', 'access-request': 'accepted' });
  });

  test('repeats a packet byte by byte, and takes an answer to the repetition', async () => {
    const identifiers = new Set<string>();
    const server = await fakeServer((request) => {
      const text = request.bytes.toString('hex');
      if (identifiers.has(text)) return [reply(request, { code: 2 })];
      identifiers.add(text);
      return [];
    });
    expect(await impatient.probe(probeOf(server.port))).toMatchObject({ passed: true });
  });

  test('without a check user, a valid reject of an unknown user proves that the server works', async () => {
    const server = await fakeServer((request) =>
      isStatus(request) ? [] : [reply(request, { code: 3, signature: 'none' })],
    );
    const result = await impatient.probe(probeOf(server.port, { checkUser: '' }));
    expect(result).toMatchObject({
      passed: true,
      steps: [{ name: 'resolve' }, { name: 'status-server', passed: false }],
    });
    expect(result.steps[1]?.detail).toMatch(/^no answer, but .* the secret is right$/);
  });

  test('forgives silent accounting only to a server that is silent to every Status-Server', async () => {
    const mute = await fakeServer(() => []);
    const accepting = await fakeServer((request) => (isStatus(request) ? [] : [reply(request, { code: 2 })]));
    const speaking = await fakeServer((request) => [reply(request, { code: 2 })]);
    expect(await impatient.probe(probeOf(accepting.port, { acctPort: mute.port }))).toMatchObject({ passed: true });
    expect(await impatient.probe(probeOf(speaking.port, { acctPort: mute.port }))).toMatchObject({ passed: false });
    await mute.close();
    expect(await impatient.probe(probeOf(accepting.port, { acctPort: mute.port }))).toMatchObject({ passed: false });
  });

  test('tests only the services that the server provides', async () => {
    const server = await fakeServer((request) => [reply(request, { code: 5 })]);
    const result = await impatient.probe(probeOf(0, { acctPort: server.port }));
    expect(result.passed).toBe(true);
    expect(detailsOf(result)).toEqual({ resolve: '127.0.0.1', 'status-server-accounting': 'answered' });
  });

  test('reports no reply within three seconds if packets are lost', async () => {
    const server = await fakeServer(() => []);
    const result = await radiusClient({ outbound }).probe(probeOf(server.port, { acctPort: server.port }));
    expect(result.passed).toBe(false);
    expect(detailsOf(result)).toEqual({
      resolve: '127.0.0.1',
      'status-server': 'no answer',
      'access-request': 'no answer',
      'status-server-accounting': 'no answer',
    });
    expect(result.durationMs).toBeLessThan(promised(3_000));
  });

  test('reports no reply immediately if no server listens', async () => {
    const server = await fakeServer(() => []);
    await server.close();
    const result = await radiusClient({ outbound, timeoutMs: 20_000 }).probe(
      probeOf(server.port, { acctPort: server.port }),
    );
    expect(result.passed).toBe(false);
    expect(detailsOf(result)).toMatchObject({ 'status-server': 'no answer', 'access-request': 'no answer' });
    expect(result.durationMs).toBeLessThan(promised(3_000));
  });

  test('reports values that cannot be sent', async () => {
    const server = await fakeServer((request) => [reply(request, { code: 2 })]);
    const result = await impatient.probe(probeOf(server.port, { checkPassword: 'x'.repeat(129) }));
    expect(result.passed).toBe(false);
    expect(detailsOf(result)).toMatchObject({ 'access-request': 'not sent: the password is longer than 128 bytes' });
  });

  test('shows the refusal of the outbound guard as a failed step', async () => {
    const result = await impatient.probe(probeOf(1812, { host: '169.254.169.254' }));
    expect(result).toMatchObject({ passed: false, steps: [{ name: 'resolve', passed: false }] });
    expect(result.steps[0]?.detail).toContain('link-local');
  });

  test('reports whether a test is permitted and possible', async () => {
    expect(await impatient.canProbe()).toEqual({ supported: true, reason: null });
    const forbidden = radiusClient({ outbound, probesForbidden: true });
    expect(await forbidden.canProbe()).toMatchObject({ supported: false, reason: expect.stringContaining('forbids') });
    await expect(forbidden.probe(probeOf(1812))).rejects.toBeInstanceOf(Failure);
  });
});
