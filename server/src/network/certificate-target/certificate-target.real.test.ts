import { execFile } from 'node:child_process';
import { X509Certificate } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { Agent, get } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect, type TLSSocket } from 'node:tls';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openNode, openWorld } from '../../../test/world/open-world.ts';
import { until } from '../../../test/world/patience.ts';
import { systemOrigin } from '../../kernel/declare/caller.ts';
import { reportEnding } from './certificate-target.jobs.ts';
import { certificateTarget } from './certificate-target.ts';

interface Shown {
  id: number;
  name: string;
  target: string;
  state: string;
  issuedTo: string | null;
  issuedBy: string | null;
  subjectAltNames: string[];
  csrPem: string | null;
  certificatePem: string | null;
  sha256: string | null;
  chain: { subject: string }[];
  warnings: string[];
}

const path = certificateTarget.path!;
const request = {
  subject: { CN: 'nac.example', O: 'Example' },
  subjectAltNames: ['nac.example', 'localhost'],
  keyType: 'EC_P256',
};

describe('certificates', async () => {
  const world = await openWorld();
  const { admin, service } = world;
  let folder: string;
  const run = promisify(execFile);
  const openssl = async (...args: string[]) => {
    const running = run('openssl', args, { cwd: folder });
    // With an open stdin, s_client stays connected until the listener closes the connection.
    running.child.stdin!.end();
    return (await running).stdout;
  };
  const write = (file: string, text: string) => writeFile(join(folder, file), text, { mode: 0o600 });
  const readText = (file: string) => readFile(join(folder, file), 'utf8');
  const shown = async (name: string) => (await admin.get<Shown>(`${path}?filter=name==${name}`)).body.results![0]!;
  const send = async (subPath: string, body?: object) => {
    const reply = await admin.post(`${path}${subPath}`, body);
    return [reply.code, reply.body.errorMessage];
  };
  const ok = [200, null];

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'portreeve-certificates-'));
    await openssl(
      ...['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-keyout', 'ca.key'],
      ...['-subj', '/CN=Private CA', '-addext', 'basicConstraints=critical,CA:TRUE', '-days', '90', '-out', 'ca.pem'],
    );
  });
  afterAll(async () => {
    await world.close();
    await rm(folder, { recursive: true, force: true });
  });

  /** Signs a request as a certificate authority does. */
  const signed = async (csr: string, days = 60): Promise<string> => {
    await write('request.csr', csr);
    await openssl(
      ...['x509', '-req', '-in', 'request.csr', '-CA', 'ca.pem', '-CAkey', 'ca.key', '-days', String(days)],
      ...['-copy_extensions', 'copyall', '-out', 'signed.pem'],
    );
    return readText('signed.pem');
  };

  test('a request is made, signed elsewhere, and its certificate installed', async () => {
    expect(await shown('admin_ui')).toMatchObject({ target: 'ADMIN_UI', state: 'EMPTY' });
    expect(await send('/csr/generate', { name: 'admin_ui', ...request })).toEqual(ok);
    const pending = await shown('admin_ui');
    expect(pending).toMatchObject({ state: 'CSR_PENDING', certificatePem: null });
    const certificate = await signed(pending.csrPem!);
    expect(await send('/admin_ui', { certificate, chain: await readText('ca.pem') })).toEqual(ok);
    expect(await shown('admin_ui')).toMatchObject({
      state: 'INSTALLED',
      issuedTo: 'CN=nac.example, O=Example',
      issuedBy: 'CN=Private CA',
      subjectAltNames: ['nac.example', 'localhost'],
      csrPem: null,
      chain: [{ subject: 'CN=nac.example, O=Example' }, { subject: 'CN=Private CA' }],
      warnings: [],
    });
    expect(JSON.stringify(await shown('admin_ui'))).not.toContain('PRIVATE KEY');
  });

  test('a node that speaks HTTPS serves it, and the whole chain', async () => {
    const node = await openNode({ database: world.database, https: true });
    await node.app.listen({ host: '127.0.0.1', port: 0 });
    const { port } = node.app.server.address() as AddressInfo;
    const opensslOutput = await openssl(
      ...['s_client', '-connect', `127.0.0.1:${port}`, '-servername', 'nac.example', '-verify_hostname', 'nac.example'],
      ...['-CAfile', 'ca.pem', '-verify_return_error'],
    ).catch((error) => String(error.stdout));
    expect(opensslOutput).toContain('Verify return code: 0 (ok)');
    const ca = await readText('ca.pem');
    const [status, strict] = await new Promise<unknown[]>((done, fail) =>
      get({ host: '127.0.0.1', port, path: '/healthz', servername: 'localhost', ca }, (reply) => {
        reply.resume();
        done([reply.statusCode, reply.headers['strict-transport-security']]);
      }).on('error', fail),
    );
    expect(status).toBe(200);
    // Over plain HTTP the header has no meaning (RFC 6797, 7.2).
    expect(strict).toBe('max-age=31536000');
    expect((await admin.get('/healthz')).headers).not.toHaveProperty('strict-transport-security');
    await node.close();
  });

  test('a target that is empty gets a self-signed one, when a listener wants it or it is deleted', async () => {
    expect(await send('/admin_ui/deleteServerCert')).toEqual(ok);
    const fresh = await shown('admin_ui');
    expect(fresh).toMatchObject({ state: 'SELF_SIGNED', chain: [{}] });
    expect(fresh.subjectAltNames).toContain('localhost');
    expect(fresh.warnings).toEqual(['It is self-signed: clients must be configured to trust it.']);
    expect(await send('/admin_ui/delete')).toEqual([409, 'admin_ui is built in: a listener of the service uses it.']);
  });

  test('a key and its certificate go to other targets', async () => {
    expect(await send('/copy', { from: 'admin_ui', to: ['portal', 'agent'] })).toEqual(ok);
    const { sha256 } = await shown('admin_ui');
    expect((await shown('portal')).sha256).toBe(sha256);
    expect(await send('/copy', { from: 'radsec', to: ['portal'] })).toEqual([
      422,
      'from: radsec has no certificate with a key.',
    ]);
    expect((await send('/copy', { from: 'admin_ui', to: ['nobody'] }))[0]).toBe(404);
  });

  test('an authority is trusted, without a key', async () => {
    expect(await send('/private-ca', { certificate: await readText('ca.pem') })).toEqual(ok);
    expect(await shown('private-ca')).toMatchObject({ target: 'TRUST', issuedTo: 'CN=Private CA' });
    expect(await send('/portal', { certificate: await readText('ca.pem') })).toEqual([
      422,
      'certificate: its private key is missing, and portal is no authority to be trusted.',
    ]);
    expect(await send('/second-ca', { certificate: await readText('ca.pem'), target: 'RADIUS_EAP' })).toEqual([
      422,
      'target: an authority to be trusted is no RADIUS_EAP; its private key is missing.',
    ]);
    expect(await send('/private-ca/delete')).toEqual(ok);
    expect(await shown('private-ca')).toBeUndefined();
  });

  test('PKCS#12, with its passphrase', async () => {
    expect(
      await send('/csr/generate', { name: 'eap-2', target: 'RADIUS_EAP', ...request, keyType: 'RSA_2048' }),
    ).toEqual(ok);
    expect(await shown('eap-2')).toMatchObject({ target: 'RADIUS_EAP', state: 'CSR_PENDING' });
    await openssl('genrsa', '-out', 'rsa.key', '2048');
    await openssl('req', '-new', '-key', 'rsa.key', '-subj', '/CN=eap.example', '-out', 'rsa.csr');
    await write('signed.pem', await signed(await readText('rsa.csr')));
    const bundle = ['pkcs12', '-export', '-in', 'signed.pem', '-inkey', 'rsa.key', '-out', 'rsa.p12'];
    await openssl(...bundle, '-passout', 'pass:hush');
    const certificate = (await readFile(join(folder, 'rsa.p12'))).toString('base64');
    expect(await send('/eap-2', { certificate, passphrase: 'wrong' })).toEqual([
      422,
      'certificate: the PKCS#12 file cannot be opened; check its passphrase.',
    ]);
    expect(await send('/eap-2', { certificate, passphrase: 'hush' })).toEqual(ok);
    expect((await shown('eap-2')).warnings).toEqual([
      'Its chain ends before its authority: CN=Private CA is not in it.',
      'It is for no name: browsers will refuse it.',
    ]);
  });

  test('the same files as a form, as a browser or curl -F sends them', async () => {
    const form = async (parts: [field: string, content: Buffer | string][], query = '') => {
      const data = new FormData();
      for (const [field, content] of parts) data.append(field, new Blob([content]), 'any name');
      const formResponse = new Response(data);
      const body = Buffer.from(await formResponse.arrayBuffer());
      const headers = { 'content-type': formResponse.headers.get('content-type')! };
      const reply = await world.admin.call('POST', `${path}/eap-3${query}`, body, headers);
      return [reply.code, reply.body.errorMessage];
    };
    expect(
      await send('/csr/generate', { name: 'eap-3', target: 'RADIUS_EAP', ...request, keyType: 'RSA_2048' }),
    ).toEqual(ok);
    const bundle = await readFile(join(folder, 'rsa.p12'));
    expect(
      await form([
        ['certificate', bundle],
        ['passphrase', 'wrong'],
      ]),
    ).toEqual([422, 'certificate: the PKCS#12 file cannot be opened; check its passphrase.']);
    const formFields: [string, Buffer | string][] = [
      ['certificate', bundle],
      ['passphrase', 'hush'],
    ];
    expect((await form(formFields, '?dryRun=true'))[0]).toBe(200);
    expect(await shown('eap-3')).toMatchObject({ state: 'CSR_PENDING' });
    expect(await form(formFields)).toEqual(ok);
    expect(await shown('eap-3')).toMatchObject({ issuedTo: 'CN=eap.example' });
    const [signed, key] = [await readText('signed.pem'), await readText('rsa.key')];
    expect(
      await form([
        ['certificate', signed],
        ['privateKey', key],
      ]),
    ).toEqual(ok);
    expect(
      await form([
        ['certificate', signed],
        ['certificate', signed],
      ]),
    ).toEqual([400, 'certificate: is in the form twice.']);
    expect((await form([['certificat', signed]]))[0]).toBe(400);
    expect((await form([['certificate', Buffer.alloc(2_000_000, 'x')]]))[0]).toBe(413);
  });

  test.each<[string, () => Promise<object>, string]>([
    ['no certificate', async () => ({ certificate: '-----BEGIN NOTHING-----' }), 'is neither a certificate in PEM nor'],
    [
      'the key of another',
      async () => ({ certificate: await readText('signed.pem'), privateKey: await readText('ca.key') }),
      'the private key is not that of CN=eap.example',
    ],
    [
      'an authority with the key of another',
      async () => ({ certificate: await readText('ca.pem'), privateKey: await readText('rsa.key') }),
      'the private key is not that of CN=Private CA',
    ],
    ['no key', async () => ({ certificate: await readText('signed.pem') }), 'certificate: its private key is missing.'],
    [
      'a stranger in the chain',
      async () => {
        await openssl(
          'req',
          '-x509',
          '-newkey',
          'rsa:2048',
          '-nodes',
          '-keyout',
          'x.key',
          '-subj',
          '/CN=Stranger',
          '-out',
          'x.pem',
        );
        return {
          certificate: await readText('signed.pem'),
          privateKey: await readText('rsa.key'),
          chain: await readText('x.pem'),
        };
      },
      'CN=Stranger is no part of the chain',
    ],
  ])('%s is refused', async (_, body, message) => {
    const [code, text] = await send('/radsec', await body());
    expect([code, text]).toEqual([422, expect.stringContaining(message)]);
  });

  test('one that has ended is refused, and one that ends is reported in time', async () => {
    expect(await send('/csr/generate', { name: 'radsec', ...request })).toEqual(ok);
    const { csrPem } = await shown('radsec');
    expect((await send('/radsec', { certificate: await signed(csrPem!, -1) }))[1]).toContain('ended on');
    expect(await send('/radsec', { certificate: await signed(csrPem!, 10) })).toEqual(ok);
    expect((await shown('radsec')).state).toBe('EXPIRING');
    const report = () => service.runtime.transact(systemOrigin('test'), reportEnding);
    await report();
    await report();
    const { body } = await admin.get('/logging/event?filter=name==CERTIFICATE_EXPIRING');
    expect(body.filtered).toBe(1);
    const bookkeeping = Object.keys(await shown('radsec')).filter((name) => name.endsWith('Reported'));
    expect(bookkeeping, 'a record shows no bookkeeping of the service').toEqual([]);
  });

  test.each([
    [{ subjectAltNames: ['no host'] }, 'subjectAltNames.0'],
    [{ subjectAltNames: ['fe80::1%eth0'] }, 'subjectAltNames.0'],
    [{ subject: { CN: 'a\nb' } }, 'subject.CN'],
    [{ subject: { CN: 'a', C: 'Germany' } }, 'subject.C'],
    [{ name: 'copy' }, 'name'],
    [{ name: 'Large' }, 'name'],
  ])('%j is invalid', async (change, where) => {
    const [code, text] = await send('/csr/generate', { name: 'other', ...request, ...change });
    expect([code, text]).toEqual([400, expect.stringContaining(where)]);
  });

  test('a request may keep the key of the certificate', async () => {
    const before = new X509Certificate((await shown('admin_ui')).certificatePem!);
    expect(
      (await send('/csr/generate', { name: 'admin_ui', ...request, keyType: 'RSA_2048', reuseKey: true }))[0],
    ).toBe(422);
    expect(await send('/csr/generate', { name: 'admin_ui', ...request, reuseKey: true })).toEqual(ok);
    const renewed = new X509Certificate(await signed((await shown('admin_ui')).csrPem!));
    expect(renewed.publicKey.equals(before.publicKey)).toBe(true);
  });
});

describe('listeners that take their certificates', async () => {
  const world = await openWorld({ https: true, jobs: 'work' });
  afterAll(() => world.close());
  const { admin, service } = world;
  const agent = new Agent({ keepAlive: true, maxSockets: 1, rejectUnauthorized: false });

  /** Sends a request over HTTPS; returns its socket. */
  const ask = () =>
    new Promise<TLSSocket>((done, fail) => {
      const { port } = service.app.server.address() as AddressInfo;
      const request = get({ host: '127.0.0.1', port, path: '/healthz', agent }, (reply) => {
        reply.resume().once('end', () => done(request.socket as TLSSocket));
      }).on('error', fail);
    });
  const served = async (): Promise<string | undefined> => {
    const { port } = service.app.server.address() as AddressInfo;
    return new Promise((done, fail) => {
      const socket = connect({ host: '127.0.0.1', port, rejectUnauthorized: false }, () => {
        done(socket.getPeerX509Certificate()?.fingerprint256.replaceAll(':', '').toLowerCase());
        socket.destroy();
      }).on('error', fail);
    });
  };
  const installed = async () =>
    (await admin.get<Shown>(`${path}?filter=name==admin_ui`)).body.results![0]!.sha256 ?? undefined;

  test('creates a certificate on the first node, serves a new one on request, and keeps open connections', async () => {
    await service.app.listen({ host: '127.0.0.1', port: 0 });
    const first = await served();
    expect(first).toBe(await installed());
    const connection = await ask();
    expect((await admin.post(`${path}/admin_ui/deleteServerCert`)).code).toBe(200);
    expect(await installed()).not.toBe(first);
    expect(await served()).toBe(first);

    const { code, headers } = await admin.post(`${path}/restart`, {});
    expect(code).toBe(202);
    const task = String(headers.location).replace('/api/v2', '');
    const readTask = async () => (await admin.get<{ state: string; report: object[] }>(task)).body.results![0]!;
    await until('the task', async () => ['COMPLETED', 'FAILED'].includes((await readTask()).state));
    const sha256 = await installed();
    expect(await readTask()).toMatchObject({
      state: 'COMPLETED',
      report: [{ outcome: 'DONE', detail: `serves ${sha256}` }],
    });
    expect(await served()).toBe(sha256);
    expect(await ask()).toBe(connection);
    agent.destroy();
  });

  test('targets without a listener are refused', async () => {
    expect(await admin.post(`${path}/restart`, { name: ['admin_ui', 'radsec'] })).toMatchObject({
      code: 422,
      body: { errorMessage: 'name: nothing listens with radsec in this release.' },
    });
    expect((await admin.post(`${path}/restart`, { name: ['nobody'] })).code).toBe(404);
  });
});
