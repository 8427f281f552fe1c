import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { testCollection } from '../../../test/conformance/conformance.ts';
import { openWorld } from '../../../test/world/open-world.ts';
import { until } from '../../../test/world/patience.ts';
import { systemOrigin } from '../../kernel/declare/caller.ts';
import { certificateTarget } from '../certificate-target/certificate-target.ts';
import { tlsServiceConfiguration } from './tls-service-configuration.ts';

const path = tlsServiceConfiguration.path!;
const certificates = certificateTarget.path!;
const run = promisify(execFile);
const program = '/usr/bin/openssl';

interface Shown {
  id: number;
  name: string;
  protocols: string[];
  ciphers: string[];
  autoUpdate: boolean;
  version: number;
  deployedVersion: number | null;
  deployedAt: string | null;
  usedBy: string[];
}

describe('TLS service configurations', async () => {
  const world = await openWorld({ https: true, jobs: 'work' });
  const { admin, service } = world;
  let folder: string;
  const openssl = async (...args: string[]) => (await run(program, args, { cwd: folder })).stdout;
  const readText = (file: string) => readFile(join(folder, file), 'utf8');

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'portreeve-tls-'));
    await service.app.listen({ host: '127.0.0.1', port: 0 });
    for (const name of ['clients', 'strangers']) await authority(name);
    await client('alice', 'clients');
    await client('bob', 'clients');
    await client('mallory', 'strangers');
    await writeFile(join(folder, 'ca.cnf'), '[ca]\ndefault_ca=d\n[d]\ndatabase=index.txt\ndefault_md=sha256\n');
    await writeFile(join(folder, 'index.txt'), '');
    const signing = ['ca', '-config', 'ca.cnf', '-keyfile', 'clients.key', '-cert', 'clients.pem'];
    await openssl(...signing, '-revoke', 'bob.pem');
    await openssl(...signing, '-gencrl', '-crldays', '30', '-out', 'clients.crl');
  });
  afterAll(async () => {
    await world.close();
    await rm(folder, { recursive: true, force: true });
  });

  const newKey = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];
  const authority = (name: string) =>
    openssl(
      ...['req', '-x509', ...newKey, '-keyout', `${name}.key`, '-out', `${name}.pem`, '-days', '90'],
      ...['-subj', `/CN=CA of ${name}`, '-addext', 'basicConstraints=critical,CA:TRUE'],
    );
  const client = async (name: string, ca: string) => {
    await openssl('req', ...newKey, '-keyout', `${name}.key`, '-out', `${name}.csr`, '-subj', `/CN=${name}`);
    await openssl(
      ...['x509', '-req', '-in', `${name}.csr`, '-CA', `${ca}.pem`, '-CAkey', `${ca}.key`, '-days', '60'],
      ...['-out', `${name}.pem`],
    );
  };

  /** Returns the output of openssl for a request to the listener: the response or the error. */
  const ask = (...args: string[]): Promise<string> =>
    new Promise((done) => {
      const { port } = service.app.server.address() as AddressInfo;
      const client = execFile(
        program,
        ['s_client', '-connect', `127.0.0.1:${port}`, '-quiet', ...args],
        { cwd: folder },
        (_, stdout, stderr) =>
          done(/HTTP\/1.1 \d+/.exec(stdout)?.[0] ?? `refused: ${/alert \S+ \S+|:error:/.exec(stderr)?.[0]}`),
      );
      client.stdin!.on('error', () => undefined);
      client.stdin!.end('GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n');
    });
  const clientArguments = (name: string) => ['-cert', `${name}.pem`, '-key', `${name}.key`];
  const served = 'HTTP/1.1 200';
  const refused = expect.stringContaining('refused');

  const shown = async (filter: string) => (await admin.get<Shown>(`${path}?filter=${filter}`)).body.results![0]!;
  const api = () => shown('tag==default');
  const change = async (values: object) => admin.post(`${path}/${(await api()).id}`, values);
  const save = async (values: object) => {
    const reply = await change(values);
    return [reply.code, reply.body.errorMessage];
  };
  const deploy = async () => {
    const { code, headers } = await admin.post(`${path}/deploy`, { id: [(await api()).id] });
    expect(code).toBe(202);
    const task = String(headers.location).replace('/api/v2', '');
    const readTask = async () =>
      (await admin.get<{ state: string; errorMessage: string; report: object[] }>(task)).body.results![0]!;
    await until('the task', async () => ['COMPLETED', 'FAILED'].includes((await readTask()).state));
    return readTask();
  };

  testCollection(tlsServiceConfiguration, {
    world,
    sample: (n) => ({ name: `speech ${n}`, certificateAlias: 'admin_ui' }),
    change: (n) => ({ name: `other speech ${n}` }),
  });

  test('three are shipped; the API speaks by the first', async () => {
    const { results } = (await admin.get<Shown>(`${path}?filter=tag=isnull=false`)).body;
    expect(
      results!.map(({ name, protocols, autoUpdate, usedBy }) => ({ name, protocols, autoUpdate, usedBy })),
    ).toEqual([
      { name: 'Default', protocols: ['TLS_1_2', 'TLS_1_3'], autoUpdate: true, usedBy: ['API'] },
      { name: 'Agent', protocols: ['TLS_1_2', 'TLS_1_3'], autoUpdate: true, usedBy: [] },
      { name: 'RADIUS EAP', protocols: ['TLS_1_2'], autoUpdate: true, usedBy: ['RADIUS: Default'] },
    ]);
    expect([await ask('-tls1_2'), await ask('-tls1_3')]).toEqual([served, served]);
    expect(await ask('-tls1_2', '-cipher', 'ECDHE-ECDSA-AES128-SHA256')).toEqual(refused);
    expect((await admin.delete(`${path}/${(await api()).id}`)).body).toMatchObject({
      status: 'protected',
      errorMessage: 'Default is how the API speaks TLS and cannot be deleted.',
    });
  });

  test('restricted to TLS 1.3 it speaks as before until it is deployed, and then nothing else', async () => {
    expect(await save({ protocols: ['TLS_1_3'] })).toEqual([
      400,
      'protocols: is chosen by the release while autoUpdate is on; send autoUpdate: false as well.',
    ]);
    expect(await save({ autoUpdate: false, protocols: ['TLS_1_3'] })).toEqual([200, null]);
    const waiting = await api();
    expect(waiting.deployedVersion).toBeLessThan(waiting.version);
    expect(await ask('-tls1_2')).toBe(served);

    expect(await deploy()).toMatchObject({ state: 'COMPLETED', report: [{ outcome: 'DONE' }] });
    expect(await ask('-tls1_2')).toEqual(refused);
    expect(await ask('-tls1_3')).toBe(served);
    expect((await api()).deployedVersion).toBe(waiting.version);
    const events = (await admin.get('/logging/event?filter=name==TLS_CONFIG_DEPLOYED')).body;
    expect(events).toMatchObject({ filtered: 1 });

    expect(await save({ autoUpdate: true })).toEqual([200, null]);
    expect((await api()).protocols).toEqual(['TLS_1_2', 'TLS_1_3']);
    await deploy();
    expect(await ask('-tls1_2')).toBe(served);
  });

  test('ciphers are those of OpenSSL, one for each version, and fit the key', async () => {
    const { results } = (
      await admin.get<{ name: string; protocol: string; recommended: boolean }>(`${path}/radiusciphers`)
    ).body;
    expect(results).toContainEqual({
      name: 'ECDHE-ECDSA-AES256-GCM-SHA384',
      protocol: 'TLS_1_2',
      keyExchange: 'ECDH',
      authentication: 'ECDSA',
      encryption: 'AESGCM(256)',
      recommended: true,
    });
    expect(results!.find(({ name }) => name === 'AES128-SHA')).toMatchObject({ recommended: false });

    const usedWith = (ciphers: string[]) => save({ autoUpdate: false, protocols: ['TLS_1_2', 'TLS_1_3'], ciphers });
    const modern = 'TLS_AES_128_GCM_SHA256';
    expect(await usedWith([modern, 'RC4-MD5'])).toEqual([422, 'ciphers.1: OpenSSL has no cipher RC4-MD5.']);
    expect(await usedWith([modern, modern])).toEqual([400, `ciphers: names ${modern} twice.`]);
    expect(await usedWith([modern])).toEqual([
      400,
      'ciphers: none of them is for TLS_1_2; add one, or take it out of protocols.',
    ]);
    expect(await usedWith([modern, 'ECDHE-RSA-AES128-GCM-SHA256'])).toEqual([
      422,
      'ciphers: none of them for TLS_1_2 fits the EC_P256 key of admin_ui.',
    ]);
    expect(await usedWith([modern, 'ECDHE-ECDSA-AES128-GCM-SHA256'])).toEqual([200, null]);
    await deploy();
    expect(await ask('-tls1_2', '-cipher', 'ECDHE-ECDSA-AES128-GCM-SHA256')).toBe(served);
    expect(await ask('-tls1_2', '-cipher', 'ECDHE-ECDSA-AES256-GCM-SHA384')).toEqual(refused);
    expect(await ask('-tls1_3', '-ciphersuites', 'TLS_AES_256_GCM_SHA384')).toEqual(refused);

    await openssl(
      'req',
      '-x509',
      '-newkey',
      'rsa:2048',
      '-nodes',
      '-keyout',
      'rsa.key',
      '-out',
      'rsa.pem',
      '-subj',
      '/CN=r',
    );
    const certificate = { certificate: await readText('rsa.pem'), privateKey: await readText('rsa.key') };
    expect((await admin.post(`${certificates}/admin_ui`, certificate)).body).toMatchObject({
      status: 'rejected',
      errorMessage: 'certificate: its RSA_2048 key fits no cipher of TLS service configuration Default.',
    });
    expect(await save({ autoUpdate: true })).toEqual([200, null]);
    await deploy();
  });

  test('clients without a good certificate are refused, as soon as one is required', async () => {
    expect(await save({ clientAuth: 'REQUIRED' })).toEqual([
      400,
      'trustAliases: must name an authority, because clientAuth is REQUIRED.',
    ]);
    expect((await admin.post(`${certificates}/clients`, { certificate: await readText('clients.pem') })).code).toBe(
      200,
    );
    expect(await save({ clientAuth: 'OPTIONAL', trustAliases: ['clients'] })).toEqual([200, null]);
    await deploy();
    const all = () =>
      Promise.all([
        ask(),
        ask(...clientArguments('alice')),
        ask(...clientArguments('bob')),
        ask(...clientArguments('mallory')),
      ]);
    expect(await all()).toEqual([served, served, served, refused]);
    expect(await Promise.all([ask('-tls1_2'), ask('-tls1_2', ...clientArguments('mallory'))])).toEqual([
      served,
      refused,
    ]);

    expect(await save({ checkCrl: true })).toEqual([
      422,
      'checkCrl: clients has no revocation list, so that all of its certificates would be refused; install its crl.',
    ]);
    const list = async (crl: string) => {
      const { code, body } = await admin.post(`${certificates}/clients`, { crl });
      return [code, body.errorMessage];
    };
    expect(await list(await readText('clients.crl'))).toEqual([200, null]);
    expect(await save({ clientAuth: 'REQUIRED', checkCrl: true })).toEqual([200, null]);
    expect(await deploy()).toMatchObject({ state: 'COMPLETED', report: [{ outcome: 'DONE' }] });
    expect(await all()).toEqual([refused, served, refused, refused]);
    expect(await ask('-tls1_2')).toEqual(refused);
  });

  test('an authority that is in use stays, and its list is its own', async () => {
    const certificate = await readText('strangers.pem');
    const send = async (path: string, body?: object) => {
      const reply = await admin.post(`${certificates}/${path}`, body);
      return [reply.code, reply.body.errorMessage];
    };
    expect((await send('clients/deleteServerCert'))[1]).toBe(
      'clients is used by TLS service configuration Default; deploy another one first.',
    );
    expect(await send('clients', { certificate })).toEqual([
      422,
      'crl: the revocation list that is there is not signed by CN=CA of strangers; send that of the certificate.',
    ]);
    expect(await send('strangers', { certificate, crl: await readText('clients.crl') })).toEqual([
      422,
      'crl: is not signed by CN=CA of strangers.',
    ]);
    expect(await send('clients', { crl: '-----BEGIN X509 CRL-----\nAAAA\n-----END X509 CRL-----' })).toEqual([
      422,
      'crl: the revocation list cannot be read.',
    ]);
    expect((await send('clients', { crl: certificate }))[1]).toBe('crl: is no revocation list in PEM.');
    expect((await send('admin_ui', { crl: await readText('clients.crl') }))[1]).toBe(
      'crl: admin_ui is no authority to be trusted, and has no revocation list.',
    );
    expect((await send('clients', { passphrase: 'x' }))[0]).toBe(400);
    expect((await send('nobody', { crl: await readText('clients.crl') }))[1]).toBe(
      'crl: there is no authority nobody yet; send its certificate as well.',
    );

    expect(await save({ clientAuth: 'NONE', trustAliases: [], checkCrl: false })).toEqual([200, null]);
    expect((await send('clients/delete'))[1]).toBe(
      'clients is used by TLS service configuration Default; deploy another one first.',
    );
    await deploy();
    expect(await ask('-tls1_2')).toBe(served);
    expect(await send('clients/delete')).toEqual([200, null]);
  });

  test('what a listener cannot use is put back, on the task and as an event', async () => {
    const before = await api();
    await save({ certificateAlias: 'agent' });
    // A certificate that does not match its key, which the API would never store.
    await admin.post(`${certificates}/agent/deleteServerCert`);
    await service.runtime.transact(systemOrigin('test'), ({ client: sql }) =>
      sql.query(`update certificate_target set certificate_pem = $1 where name = 'agent'`, [
        '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n',
      ]),
    );
    const task = await deploy();
    expect(task.state).toBe('FAILED');
    expect(await ask()).toBe(served);
    expect((await api()).deployedVersion).toBe(before.deployedVersion);
    expect((await admin.get('/logging/event?filter=name==TLS_CONFIG_DEPLOY_FAILED')).body.filtered).toBe(1);
    expect(await save({ certificateAlias: 'admin_ui' })).toEqual([200, null]);
    expect((await deploy()).state).toBe('COMPLETED');
  });

  test('only what has listeners is deployed, and only certificates with a key are named', async () => {
    const { id } = await shown('tag==agent');
    expect((await admin.post(`${path}/deploy`, { id: [id] })).body.errorMessage).toBe('id: nothing listens by Agent.');
    expect((await admin.post(`${path}/deploy`, { id: [999_999] })).code).toBe(404);
    await admin.post(`${certificates}/strangers`, { certificate: await readText('strangers.pem') });
    expect(await save({ certificateAlias: 'strangers' })).toEqual([
      422,
      'certificateAlias: strangers is an authority; it has no key.',
    ]);
    const aliases = (await admin.get<{ name: string; state: string }>(`${path}/aliases`)).body.results!;
    expect(aliases.map(({ name }) => name)).toEqual(['admin_ui', 'agent']);
    expect((await admin.delete(`${certificates}/admin_ui`)).code).not.toBe(200);
  });
});
