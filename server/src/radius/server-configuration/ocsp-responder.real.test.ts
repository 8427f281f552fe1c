import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { logIn } from '@portreeve/testbed/eapol-test.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { nasAddress, nasSecret, type RadiusWorld, radiusWorld } from '../../../test/world/radius-world.ts';
import { outboundGuard } from '../../protocols/outbound/outbound.ts';

const run = promisify(execFile);
const profile = '/radius/radius-server-config/1';

describe('the responder of client certificates', () => {
  let world: RadiusWorld;
  let folder: string;
  let server: Server;
  let port: number;
  let requests: string[];
  /** Address that the name of the responder resolves to. */
  let address: string | undefined = '127.0.0.1';
  let attempts = 0;

  const openssl = (...args: string[]) => run('/usr/bin/openssl', args, { cwd: folder });
  const attempt = async () => {
    requests = [];
    attempts += 1;
    const network = {
      eap: 'TLS',
      identity: '"anything"',
      client_cert: `"${join(folder, 'device.pem')}"`,
      private_key: `"${join(folder, 'device.key')}"`,
    };
    const mac = `02:00:00:00:06:0${attempts}`;
    const login = await logIn({ source: nasAddress, port: world.authPort, secret: nasSecret, mac, network });
    return { isAccepted: login.isAccepted, requests };
  };
  const save = async (values: object) => {
    const { code, body } = await world.admin.post(profile, values);
    expect([code, body.errorMessage]).toEqual([200, null]);
    await world.runs();
  };
  const lastError = async () =>
    (await world.admin.get<{ nodes: { lastError: string | null }[] }>('/radius/radius-server-config/status')).body
      .results![0]!.nodes[0]!.lastError;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'portreeve-ocsp-'));
    server = createServer((request, response) => {
      requests.push(`${request.url} ${request.headers.host}`);
      response.writeHead(500).end();
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    port = (server.address() as AddressInfo).port;
    const newKey = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];
    const authority = ['-subj', '/CN=Devices', '-addext', 'basicConstraints=critical,CA:TRUE', '-days', '90'];
    await openssl('req', '-x509', ...newKey, '-keyout', 'ca.key', '-out', 'ca.pem', ...authority);
    await openssl('req', ...newKey, '-keyout', 'device.key', '-out', 'device.csr', '-subj', '/CN=pump-7');
    await writeFile(join(folder, 'ext'), `authorityInfoAccess=OCSP;URI:http://127.0.0.1:${port}/from-certificate\n`);
    const issuer = ['-CA', 'ca.pem', '-CAkey', 'ca.key', '-days', '60', '-extfile', 'ext'];
    await openssl('x509', '-req', '-in', 'device.csr', ...issuer, '-out', 'device.pem');
    const lookup = async () => {
      if (address === undefined) throw Object.assign(new Error('no such name'), { code: 'ENOTFOUND' });
      return [{ address, family: 4 }];
    };
    const outbound = outboundGuard({ allow: ['127.0.0.1/32'], refuse: [] }, lookup);
    world = await radiusWorld({ jobs: 'work', parts: { outbound } });
    await world.trustAuthority('devices', await readFile(join(folder, 'ca.pem'), 'utf8'));
  });
  afterAll(async () => {
    await world.close();
    server.close();
    await rm(folder, { recursive: true, force: true });
  });

  test('receives requests at the address that was checked, and certificates are rejected if it does not answer', async () => {
    await save({ ocspEnabled: true, ocspUrl: `http://ocsp.example.org:${port}/named`, ocspSoftFail: false });
    expect(await attempt()).toEqual({ isAccepted: false, requests: [`/named 127.0.0.1:${port}`] });
    expect(await lastError()).toBeNull();
  });

  test('keeps its address while its name cannot be resolved', async () => {
    address = undefined;
    await save({ tlsCommonFragmentSize: 1_100 });
    expect(await attempt()).toEqual({ isAccepted: false, requests: [`/named 127.0.0.1:${port}`] });
    expect(await lastError()).toContain('127.0.0.1 stays in use');
  });

  test('receives no request if its name has an address that the deployment does not permit', async () => {
    address = '127.0.0.2';
    await save({ ocspUrl: `http://other.example.org:${port}/named` });
    expect(await attempt()).toEqual({ isAccepted: false, requests: [] });
    expect(await lastError()).toContain('Connecting to other.example.org (127.0.0.2) is refused');
    await save({ ocspSoftFail: true });
    expect(await attempt()).toEqual({ isAccepted: true, requests: [] });
  });

  test('is never taken from a certificate', async () => {
    await world.service.runtime.pool.query('update server_configuration set ocsp_url = null, ocsp_soft_fail = false');
    await world.admin.post('/radius/radius-server-config/global', { nasCacheSeconds: 99 });
    await world.runs();
    expect(await attempt()).toEqual({ isAccepted: false, requests: [] });
    expect(await lastError()).toContain('ocspEnabled is on without ocspUrl');
  });
});
