import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { afterAll, describe, expect, test } from 'vitest';
import { world } from '../../test/world/world.ts';

describe('the console served by a node', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'portreeve-console-'));
  afterAll(() => rm(folder, { recursive: true }));
  await mkdir(join(folder, 'assets'));
  const page = '<!doctype html><title>Portreeve</title>';
  const script = 'export const answer = 42;\n';
  await writeFile(join(folder, 'index.html'), page);
  await writeFile(join(folder, 'assets/shell-abc.js'), script);
  await writeFile(join(folder, 'assets/shell-abc.js.gz'), gzipSync(script));
  await writeFile(join(folder, 'assets/map.json'), '{}');
  const { service } = await world({
    consoleFolder: folder,
    limits: { requestsPerSecond: 0.001, burst: 1, testsPerMinute: 1 },
  });
  const get = (url: string, headers: Record<string, string> = {}) => service.app.inject({ url, headers });

  test('returns the page at every path, with any query, and is revalidated each time', async () => {
    for (const path of ['/console/', '/console/hosts', '/console/hosts/17?filter=a==b&open=3']) {
      const reply = await get(path);
      expect(reply).toMatchObject({ statusCode: 200, body: page });
      expect(reply.headers).toMatchObject({ 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-cache' });
      expect((await get(path, { 'if-none-match': String(reply.headers.etag) })).statusCode).toBe(304);
    }
  });

  test('caches assets for a year, and sends them in the smallest encoding that the browser accepts', async () => {
    const path = '/console/assets/shell-abc.js';
    const plain = await get(path);
    expect(plain).toMatchObject({ statusCode: 200, body: script });
    expect(plain.headers['cache-control']).toBe('public, max-age=31536000, immutable');
    const small = await get(path, { 'accept-encoding': 'br;q=0.9, gzip' });
    expect(small.headers).toMatchObject({ 'content-encoding': 'gzip', vary: 'accept-encoding' });
    expect(small.headers.etag).not.toBe(plain.headers.etag);
    expect(gunzipSync(small.rawPayload).toString()).toBe(script);
    expect((await get(path, { 'accept-encoding': 'gzip;q=0' })).headers['content-encoding']).toBeUndefined();
  });

  test('serves no other file and no other method', async () => {
    for (const path of [
      '/console/assets/none.js',
      '/console/assets/map.json',
      '/console/assets/../../etc/passwd',
      '/console/assets/%2e%2e%2findex.html',
    ])
      expect((await get(path)).body, path).not.toContain('root:');
    expect((await get('/console/assets/none.js')).statusCode).toBe(404);
    expect((await get('/console/api/none')).statusCode).toBe(404);
    expect((await get('/console/api/counts')).statusCode).toBe(401);
    expect((await get('/console/assets/map.json')).statusCode).toBe(404);
    const posted = await service.app.inject({ method: 'POST', url: '/console/hosts', payload: 'a=b' });
    expect(posted).toMatchObject({ statusCode: 405, headers: { allow: 'GET, HEAD, OPTIONS' } });
  });

  test('limits the page to content of the service, and forbids frames', async () => {
    const { headers } = await get('/console/');
    expect(headers['content-security-policy']).toBe(
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; font-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'",
    );
    expect(headers).toMatchObject({
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      'cross-origin-opener-policy': 'same-origin',
    });
  });

  test('redirects browsers to the console, and does not throttle its files', async () => {
    expect(await get('/', { accept: 'text/html' })).toMatchObject({
      statusCode: 303,
      headers: { location: '/console/' },
    });
    expect((await get('/console')).headers.location).toBe('/console/');
    expect((await get('/docs')).statusCode).toBe(429);
    expect((await get('/console/')).statusCode).toBe(200);
  });

  test('redirects browsers to the API reference if no console was built', async () => {
    const { service: bare } = await world({ consoleFolder: join(folder, 'nothing') });
    expect((await bare.app.inject({ url: '/console/' })).statusCode).toBe(404);
    const entrance = await bare.app.inject({ url: '/', headers: { accept: 'text/html' } });
    expect(entrance.headers.location).toBe('/docs');
  });
});
