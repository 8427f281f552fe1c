import { describe, expect, test } from 'vitest';
import { refuseForeignPage } from './foreign-page.ts';

const host = 'nac.example.net';
const publicOrigin = 'https://portal.example.net:8443';

const isRefused = (headers: { fetchSite?: string; origin?: string; host?: string | undefined }): boolean => {
  try {
    refuseForeignPage({ fetchSite: undefined, origin: undefined, host, ...headers }, publicOrigin);
    return false;
  } catch (error) {
    expect(error).toMatchObject({ word: 'forbidden', httpCode: 403 });
    return true;
  }
};

describe('refuseForeignPage', () => {
  test('accepts a client that is no browser', () => {
    expect(isRefused({})).toBe(false);
  });

  test.each(['same-origin', 'none'])('accepts Sec-Fetch-Site %s, also if a proxy changed the host', (fetchSite) => {
    expect(isRefused({ fetchSite, origin: 'https://elsewhere.example', host: '127.0.0.1:8443' })).toBe(false);
  });

  test.each(['cross-site', 'same-site', 'anything', ''])(
    'refuses Sec-Fetch-Site %j, whatever Origin is',
    (fetchSite) => {
      expect(isRefused({ fetchSite })).toBe(true);
      expect(isRefused({ fetchSite, origin: `https://${host}` })).toBe(true);
    },
  );

  test.each([
    [`http://${host}`, host],
    [`https://${host}`, `${host}:443`],
    [`http://${host}:9480`, `${host}:9480`],
    ['https://NAC.example.net', host],
    ['http://[2001:db8::1]:9480', '[2001:db8::1]:9480'],
    [publicOrigin, '127.0.0.1:8443'],
  ])('accepts Origin %s for host %s', (origin, requested) => {
    expect(isRefused({ origin, host: requested })).toBe(false);
  });

  test.each([
    ['http://evil.example', host],
    [`http://${host}.evil.example`, host],
    [`http://${host}:9480`, host],
    [`http://${host}@evil.example`, host],
    ['https://portal.example.net', host],
    ['null', host],
    ['', host],
    [`http://${host}, http://evil.example`, host],
    ['http://evil.example', undefined],
    ['https://', ''],
    ['file://', ''],
  ])('refuses Origin %j for host %j', (origin, requested) => {
    expect(isRefused({ origin, host: requested })).toBe(true);
  });
});
