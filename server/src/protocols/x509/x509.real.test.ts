import { execFile } from 'node:child_process';
import { createPrivateKey, X509Certificate } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { makeKey, makeRequest, selfSigned } from './make-certificate.ts';
import { keyTypes } from './names.ts';
import { openPkcs12 } from './pkcs12.ts';
import {
  alternativeNames,
  chainOf,
  isForServers,
  isSelfSigned,
  keyTypeOf,
  readCertificates,
} from './read-certificate.ts';

const names = ['nac.example', '*.nac.example', '192.0.2.7', '2001:db8::7'];
const subject = { CN: 'nac.example', O: 'Krankenhaus Süd', OU: 'Netz', L: 'Köln', ST: 'NRW', C: 'DE' };

describe('certificates, as openssl sees them', () => {
  let folder: string;
  const run = promisify(execFile);
  const openssl = async (...args: string[]) => (await run('openssl', args, { cwd: folder })).stdout;
  const write = (file: string, text: string) => writeFile(join(folder, file), text, { mode: 0o600 });

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'portreeve-x509-'));
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  test.each(keyTypes.filter((type) => type !== 'RSA_4096'))(
    '%s: a request and a certificate of our own',
    async (type) => {
      const key = await makeKey(type);
      expect(keyTypeOf(createPrivateKey(key))).toBe(type);
      await write('request.pem', makeRequest(key, subject, names));
      const request = await openssl(
        'req',
        '-in',
        'request.pem',
        '-noout',
        '-verify',
        '-text',
        '-nameopt',
        'utf8,sep_comma_plus',
      );
      expect(request).toContain('C=DE,ST=NRW,L=Köln,O=Krankenhaus Süd,OU=Netz,CN=nac.example');
      expect(request).toContain(
        'DNS:nac.example, DNS:*.nac.example, IP Address:192.0.2.7, IP Address:2001:DB8:0:0:0:0:0:7',
      );
      expect(request).toContain('TLS Web Server Authentication');

      const certificate = selfSigned(key, subject, names, { nowMs: Date.now(), days: 397 });
      await write('own.pem', certificate);
      expect(await openssl('verify', '-CAfile', 'own.pem', 'own.pem')).toBe('own.pem: OK\n');
      const [certificateRead] = readCertificates(certificate);
      expect(isSelfSigned(certificateRead!)).toBe(true);
      expect(isForServers(certificateRead!)).toBe(true);
      expect(alternativeNames(certificateRead!)).toEqual([
        'nac.example',
        '*.nac.example',
        '192.0.2.7',
        '2001:DB8:0:0:0:0:0:7',
      ]);
      expect(certificateRead!.checkPrivateKey(createPrivateKey(key))).toBe(true);
    },
  );

  test('a chain is put in order, whatever order it came in', async () => {
    const ca = async (name: string, issuer?: string) => {
      const signer = issuer ? ['-CA', `${issuer}.pem`, '-CAkey', `${issuer}.key`] : [];
      await openssl(
        ...[
          'req',
          '-x509',
          '-newkey',
          'ec',
          '-pkeyopt',
          'ec_paramgen_curve:prime256v1',
          '-nodes',
          '-keyout',
          `${name}.key`,
        ],
        ...[
          '-subj',
          `/CN=${name}`,
          '-addext',
          'basicConstraints=critical,CA:TRUE',
          '-days',
          '30',
          '-out',
          `${name}.pem`,
        ],
        ...signer,
      );
    };
    await ca('root');
    await ca('middle', 'root');
    await ca('stranger');
    const key = await makeKey('EC_P256');
    await write('leaf.csr', makeRequest(key, { CN: 'nac.example' }, names));
    await openssl(
      ...['x509', '-req', '-in', 'leaf.csr', '-CA', 'middle.pem', '-CAkey', 'middle.key', '-days', '20'],
      ...['-copy_extensions', 'copyall', '-out', 'leaf.pem'],
    );
    const readCertificateFile = async (name: string) =>
      new X509Certificate(await readFile(join(folder, `${name}.pem`)));
    const [leaf, middle, root] = [
      await readCertificateFile('leaf'),
      await readCertificateFile('middle'),
      await readCertificateFile('root'),
    ];
    expect(alternativeNames(leaf)).toContain('nac.example');
    expect(chainOf(leaf, [root, middle]).map(({ subject }) => subject)).toEqual([
      'CN=nac.example',
      'CN=middle',
      'CN=root',
    ]);
    expect(chainOf(leaf, [middle])).toHaveLength(2);
    const stranger = await readCertificateFile('stranger');
    expect(() => chainOf(leaf, [middle, stranger])).toThrow('CN=stranger is no part of the chain');

    await write('leaf.key', key);
    const bundle = [
      'pkcs12',
      '-export',
      '-in',
      'leaf.pem',
      '-inkey',
      'leaf.key',
      '-certfile',
      'middle.pem',
      '-out',
      'leaf.p12',
    ];
    await openssl(...bundle, '-passout', 'pass:hush "$(id)" %');
    const file = await readFile(join(folder, 'leaf.p12'));
    const opened = await openPkcs12(file, 'hush "$(id)" %');
    expect(readCertificates(opened)).toHaveLength(2);
    expect(leaf.checkPrivateKey(createPrivateKey(opened))).toBe(true);
    await expect(openPkcs12(file, 'wrong')).rejects.toThrow('the PKCS#12 file cannot be opened');
    await expect(openPkcs12(Buffer.from('nonsense'), '')).rejects.toThrow('the PKCS#12 file cannot be opened');
  });
});
