import fc from 'fast-check';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { Failure } from '../../kernel/failure.ts';
import { type Lookup, outboundGuard } from './outbound.ts';

const nothing = { allow: [], refuse: [] };
const answering =
  (...addresses: string[]): Lookup =>
  async () =>
    addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));

const refusal = async (promise: Promise<unknown>): Promise<Failure> => {
  const reason = await promise.then(
    (value) => expect.fail(`allowed: ${JSON.stringify(value)}`),
    (error: unknown) => error,
  );
  expect(reason).toBeInstanceOf(Failure);
  expect((reason as Failure).word).toBe('rejected');
  return reason as Failure;
};

afterEach(() => {
  // Spies first: they were set on the fake timers.
  vi.restoreAllMocks();
  vi.useRealTimers();
});

describe('outbound guard', () => {
  test.each([
    ['127.0.0.1', 'loopback'],
    ['127.255.0.9', 'loopback'],
    ['0.0.0.0', 'unspecified'],
    ['0.1.2.3', 'unspecified'],
    ['169.254.169.254', 'link-local'],
    ['224.0.0.1', 'multicast'],
    ['239.255.255.255', 'multicast'],
    ['255.255.255.255', 'broadcast'],
    ['::', 'unspecified'],
    ['::1', 'loopback'],
    ['0:0:0:0:0:0:0:1', 'loopback'],
    ['fe80::1', 'link-local'],
    ['febf::1', 'link-local'],
    ['fe80::1%eth0', 'link-local'],
    ['ff02::1', 'multicast'],
    ['::ffff:127.0.0.1', 'loopback'],
    ['::ffff:7f00:1', 'loopback'],
    ['0:0:0:0:0:FFFF:A9FE:A9FE', 'link-local'],
    ['::127.0.0.1', 'loopback'],
    ['::ffff:0:127.0.0.1', 'loopback'],
    ['64:ff9b::127.0.0.1', 'loopback'],
    ['64:ff9b::a9fe:a9fe', 'link-local'],
    ['64:ff9b:1::c000:201', 'local translation'],
    ['2002:7f00:1::', 'loopback'],
    ['2002:a9fe:a9fe:1::1', 'link-local'],
    ['2001:0:c000:201::80ff:fffe', 'loopback'],
    ['2001:0:7f00:1::3fff:fdfe', 'loopback'],
  ])('refuses %s as %s', async (address, why) => {
    expect((await refusal(outboundGuard(nothing).resolve(address))).message).toContain(why);
  });

  test.each([
    ['192.0.2.7', '192.0.2.7', 4],
    ['10.0.0.1', '10.0.0.1', 4],
    ['2001:db8::1', '2001:db8::1', 6],
    ['fd00::5', 'fd00::5', 6],
    ['::ffff:192.0.2.7', '192.0.2.7', 4],
    ['::ffff:c000:207', '192.0.2.7', 4],
    ['64:ff9b::192.0.2.7', '64:ff9b::192.0.2.7', 6],
    ['2002:c000:207::1', '2002:c000:207::1', 6],
  ])('lets %s through as %s', async (host, address, family) => {
    expect(await outboundGuard(nothing).resolve(host)).toEqual({ address, family });
  });

  test('refuses its own addresses in every form', async () => {
    const guard = outboundGuard({ allow: [], refuse: ['10.1.2.3', '2001:db8:5::/48'] });
    for (const address of ['10.1.2.3', '::ffff:10.1.2.3', '64:ff9b::10.1.2.3', '2002:a01:203::', '2001:db8:5::9']) {
      expect((await refusal(guard.resolve(address))).message).toContain('this service itself');
    }
    expect(await guard.resolve('10.1.2.4')).toEqual({ address: '10.1.2.4', family: 4 });
  });

  test('lets the allowed networks win, in their own family only', async () => {
    const guard = outboundGuard({ allow: ['127.0.20.0/24', '::ffff:127.0.30.0/120', '::1'], refuse: ['127.0.20.5'] });
    expect(await guard.resolve('127.0.20.5')).toEqual({ address: '127.0.20.5', family: 4 });
    expect(await guard.resolve('::ffff:127.0.20.5')).toEqual({ address: '127.0.20.5', family: 4 });
    expect(await guard.resolve('127.0.30.9')).toEqual({ address: '127.0.30.9', family: 4 });
    expect(await guard.resolve('::1')).toEqual({ address: '::1', family: 6 });
    await refusal(guard.resolve('127.0.21.5'));
    await refusal(outboundGuard({ allow: ['::/0'], refuse: [] }).resolve('127.0.0.1'));
    expect(await outboundGuard({ allow: ['0.0.0.0/0'], refuse: [] }).resolve('127.0.0.1')).toMatchObject({ family: 4 });
  });

  test.each(['10.0.0.0/33', '10.0.0.0/', '10.0.0.0/8/8', 'db.example', '', '::/129', '10.0.0.0/-1', 'fe80::1%eth0'])(
    'does not start with the policy entry "%s"',
    (entry) => {
      expect(() => outboundGuard({ allow: [entry], refuse: [] })).toThrow('neither an address nor a CIDR');
    },
  );

  test('uses the first permitted address of a name, and resolves it once', async () => {
    const lookup = vi.fn(answering('127.0.0.1', '::ffff:a9fe:1', '192.0.2.1', '192.0.2.2'));
    expect(await outboundGuard(nothing, lookup).resolve('radius.example')).toEqual({ address: '192.0.2.1', family: 4 });
    expect(lookup).toHaveBeenCalledTimes(1);
  });

  test('names the first address when none is allowed', async () => {
    const failure = await refusal(
      outboundGuard(nothing, answering('169.254.1.1', '127.0.0.1')).resolve('inside.example'),
    );
    expect(failure.message).toContain('inside.example (169.254.1.1)');
    expect(failure.message).toContain('link-local');
  });

  test('sees through numbers that only the system resolver reads as addresses', async () => {
    await refusal(outboundGuard(nothing, answering('127.0.0.1')).resolve('0x7f.1'));
  });

  test('refuses a name without an address, an unknown name and an impossible one', async () => {
    await refusal(outboundGuard(nothing, answering()).resolve('empty.example'));
    const unknown: Lookup = () => Promise.reject(Object.assign(new Error('getaddrinfo'), { code: 'ENOTFOUND' }));
    expect((await refusal(outboundGuard(nothing, unknown).resolve('no.example'))).message).toContain('ENOTFOUND');
    await refusal(outboundGuard(nothing).resolve('a\0b'));
    await refusal(outboundGuard(nothing, answering('192.0.2.1')).resolve(''));
    await refusal(outboundGuard(nothing, answering('192.0.2.1')).resolve('a'.repeat(256)));
  });

  test('waits five seconds for a name and no longer', async () => {
    vi.useFakeTimers();
    const [set, cleared] = [vi.spyOn(globalThis, 'setTimeout'), vi.spyOn(globalThis, 'clearTimeout')];
    const refused = refusal(outboundGuard(nothing, () => new Promise(() => undefined)).resolve('slow.example'));
    await vi.advanceTimersByTimeAsync(5_000);
    expect((await refused).message).toContain('not resolved within 5 seconds');
    // Other code in this process sets timers too; the first one is the lookup's.
    expect(cleared).toHaveBeenCalledWith(set.mock.results[0]!.value);
  });

  test('judges every IPv4 address alike in all its IPv6 clothes', async () => {
    const guard = outboundGuard({ allow: [], refuse: ['10.0.0.0/8'] });
    const isAllowed = (host: string) =>
      guard.resolve(host).then(
        () => true,
        () => false,
      );
    await fc.assert(
      fc.asyncProperty(fc.ipV4(), async (address) => {
        const expected = await isAllowed(address);
        const [a, b, c, d] = address.split('.').map((part) => Number(part).toString(16).padStart(2, '0'));
        for (const host of [`::ffff:${address}`, `64:ff9b::${a}${b}:${c}${d}`, `2002:${a}${b}:${c}${d}::1`]) {
          expect(await isAllowed(host)).toBe(expected);
        }
      }),
    );
  });
});
