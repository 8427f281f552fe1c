import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { cpuMsOf } from '../../../test/world/patience.ts';
import { manyRuns } from '../../../test/world/test-speed.ts';
import { faultInNonProxyHosts, type ProxyChoice, proxyFor } from './proxy-choice.ts';

const http = { host: 'http-proxy.example', port: 3128, user: '', password: '' };
const https = { host: 'https-proxy.example', port: 3129, user: 'ann', password: 'secret' };
const choice = (direct = '', overrides: Partial<ProxyChoice> = {}): ProxyChoice => ({
  http,
  https,
  direct,
  ...overrides,
});
const target = (host: string, address = '192.0.2.1') => ({ scheme: 'https' as const, host, address });
const isDirect = (direct: string, host: string, address?: string) =>
  proxyFor(choice(direct), target(host, address)) === null;

/** Labels of a host name. */
const label = fc.stringMatching(/^[a-z][a-z0-9-]{0,8}$/);
const hostName = fc.array(label, { minLength: 1, maxLength: 4 }).map((labels) => labels.join('.'));

describe('the choice of a proxy', () => {
  test('goes by the scheme, and is none where there is none', () => {
    expect(proxyFor(choice(), { ...target('a.example'), scheme: 'http' })).toBe(http);
    expect(proxyFor(choice(), target('a.example'))).toBe(https);
    expect(proxyFor(choice('', { https: null }), target('a.example'))).toBeNull();
  });

  test.each([
    ['localhost', '127.0.0.1'],
    ['LOCALHOST.', '127.0.0.1'],
    ['db.localhost', '127.0.0.1'],
    ['127.0.0.1', '127.0.0.1'],
    ['127.9.9.9', '127.9.9.9'],
    ['::1', '::1'],
    // As the guard returns it.
    ['::ffff:7f00:1', '127.0.0.1'],
  ])('is none for %s, which is this machine', (host, address) => {
    expect(isDirect('', host, address)).toBe(true);
  });

  test('goes by the name where a name leads to loopback: the proxy may know another', () => {
    expect(isDirect('', 'inside.example', '127.0.0.5')).toBe(false);
    expect(isDirect('', 'notlocalhost', '127.0.0.5')).toBe(false);
  });

  test.each([
    ['a.example', 'a.example', true],
    ['a.example', 'A.Example.', true],
    ['A.EXAMPLE', 'a.example', true],
    ['a.example', 'b.a.example', false],
    ['a.example', 'a.example.org', false],
    ['*.example', 'a.example', true],
    ['*.example', 'a.b.example', true],
    ['*.example', 'example', false],
    ['*', 'anything', true],
    ['a*b*c', 'aXbYc', true],
    ['a*b*c', 'ac', false],
    ['a*a', 'a', false],
    ['x.example|*.local', 'printer.local', true],
    ['10.*', '10.1.2.3', true],
    ['10.*', 'a.example', false],
  ])('the list %s holds %s: %s', (list, host, expected) => {
    expect(isDirect(list, host)).toBe(expected);
  });

  test.each([
    ['10.0.0.0/8', '10.1.2.3', true],
    ['10.1.2.3', '10.1.2.3', true],
    ['10.1.2.4', '10.1.2.3', false],
    ['10.0.0.0/8', '11.1.2.3', false],
    ['2001:db8::/32', '2001:db8::9', true],
    ['::/0', '10.1.2.3', false],
    ['::/0', '2001:db8::9', true],
    ['0.0.0.0/0', '10.1.2.3', true],
  ])('the network %s holds the address %s, by name or not: %s', (list, address, expected) => {
    expect(isDirect(list, address, address)).toBe(expected);
    expect(isDirect(list, 'named.example', address)).toBe(expected);
  });

  test('matches stars as a regular expression would', () => {
    const pattern = fc.stringMatching(/^[ab.*]{1,12}$/).filter((text) => faultInNonProxyHosts(text) === null);
    fc.assert(
      fc.property(pattern, fc.stringMatching(/^[ab.]{0,12}[ab]$/), (glob, name) => {
        const source = glob.replace(/\.$/, '').replaceAll('.', '\\.').replaceAll('*', '.*');
        expect(isDirect(glob, name)).toBe(new RegExp(`^${source}$`).test(name));
      }),
      { numRuns: manyRuns(2_000) },
    );
  });

  test('does not tire of stars', () => {
    const cpuMs = cpuMsOf(() => expect(isDirect(`${'*a'.repeat(120)}*b`, 'a'.repeat(253))).toBe(false));
    expect(cpuMs).toBeLessThan(500);
  });

  test('a list with the name in it, anywhere, is direct; one without it is not', () => {
    fc.assert(
      fc.property(fc.array(hostName, { maxLength: 5 }), hostName, fc.nat(5), (otherNames, host, place) => {
        fc.pre(!otherNames.includes(host) && host !== 'localhost' && !host.endsWith('.localhost'));
        expect(isDirect(otherNames.join('|'), host)).toBe(false);
        expect(isDirect(otherNames.toSpliced(place, 0, host.toUpperCase()).join('|'), host)).toBe(true);
      }),
    );
  });

  test('an address is in the network of its own prefix, and not in that of another', () => {
    fc.assert(
      fc.property(fc.ipV4(), fc.integer({ min: 1, max: 32 }), (address, bits) => {
        expect(isDirect(`${address}/${bits}`, 'named.example', address)).toBe(true);
        const [first, ...rest] = address.split('.');
        const otherAddress = [Number(first) ^ 128, ...rest].join('.');
        expect(isDirect(`${otherAddress}/${bits}`, 'named.example', address)).toBe(false);
      }),
    );
  });
});

describe('a non-proxy list', () => {
  test('of names, addresses and networks has no fault', () => {
    for (const list of ['', '*', 'a', '*.example.org|10.0.0.0/8|2001:db8::/32|::1|192.0.2.7|10.*|my_host'])
      expect(faultInNonProxyHosts(list), list).toBeNull();
    fc.assert(
      fc.property(fc.array(fc.oneof(hostName, fc.ipV4(), fc.ipV6()), { minLength: 1, maxLength: 5 }), (entries) => {
        expect(faultInNonProxyHosts(entries.join('|'))).toBeNull();
      }),
    );
  });

  test.each([
    '|',
    'a||b',
    'a|',
    ' a',
    'a, b',
    'http://a',
    'a:80',
    '10.0.0.0/33',
    '10.0.0',
    '1.2.3.400',
    '::/129',
    '[::1]',
  ])('rejects "%s"', (list) => {
    expect(faultInNonProxyHosts(list)).toMatch(/^".*" is neither a name/);
  });
});
