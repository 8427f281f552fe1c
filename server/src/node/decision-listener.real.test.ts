import { once } from 'node:events';
import { readdir, readFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:https';
import { createServer as createTcpServer, type Server as TcpServer } from 'node:net';
import { join } from 'node:path';
import { logIn } from '@portreeve/testbed/eapol-test.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { until } from '../../test/world/patience.ts';
import { nasAddress, nasSecret, type RadiusWorld, radiusWorld } from '../../test/world/radius-world.ts';
import { systemOrigin } from '../kernel/declare/caller.ts';
import { writeAnswer } from '../protocols/radius-engine/rest-calls.ts';
import { makeKey, selfSigned } from '../protocols/x509/make-certificate.ts';
import { userAccount } from '../user/user-account/user-account.ts';
import { engineTls, identityFolderOf } from './engine-identity.ts';

const mac = '00:1D:09:03:00:01';
const password = 'password-of-yara';

describe('the engine and its own node', () => {
  let world: RadiusWorld;
  const folder = () => identityFolderOf(world.radius.folder);
  const pap = (tries: number) =>
    world.send({
      attributes: { 'User-Name': 'yara', 'User-Password': password, 'Calling-Station-Id': mac },
      tries,
      waitSeconds: 1,
    });
  const tunnel = () =>
    logIn({
      source: nasAddress,
      port: world.authPort,
      secret: nasSecret,
      mac,
      network: {
        eap: 'TTLS',
        identity: '"yara"',
        anonymous_identity: '"anonymous"',
        password: `"${password}"`,
        phase2: '"auth=PAP"',
      },
      seconds: 4,
    });

  beforeAll(async () => {
    world = await radiusWorld();
    await world.admin.post('/radius/radius-server-config/1', { papEnabled: true });
    await world.service.runtime.transact(systemOrigin('test'), ({ records }) =>
      records.create(userAccount, { userID: 'yara', networkPassword: password }),
    );
    await world.runs();
    expect((await pap(3)).code).toBe('Access-Accept');
    expect((await world.mab(mac)).code).toBe('Access-Accept');
  });
  afterAll(() => world.close());

  /** Listens at the decision port, accepts any request by TLS, and stores the received data. */
  const startTlsImpostor = async (): Promise<{ server: Server; requests: string[]; handshakes: () => number }> => {
    const key = await makeKey('EC_P256');
    const cert = selfSigned(key, { CN: 'node' }, ['127.0.0.1'], { nowMs: Date.now(), days: 1, usages: ['serverAuth'] });
    const requests: string[] = [];
    let failed = 0;
    const server = createServer({ key, cert, requestCert: true, rejectUnauthorized: false }, (request, response) => {
      requests.push(`${request.url} ${JSON.stringify(request.headers)}`);
      request.on('data', (chunk: Buffer) => requests.push(chunk.toString('latin1')));
      response.end(accept);
    }).on('tlsClientError', () => {
      failed += 1;
    });
    server.listen(world.radius.decisionPort, '127.0.0.1');
    await once(server, 'listening');
    return { server, requests, handshakes: () => failed };
  };
  const accept = writeAnswer([
    { list: 'control', attribute: 'Auth-Type', values: ['Accept'] },
    { list: 'control', attribute: 'Portreeve-Verdict', values: ['ACCEPT'] },
    { list: 'reply', attribute: 'Tunnel-Private-Group-Id', values: ['666'] },
  ]);
  /** Does the same without TLS. */
  const startPlainImpostor = async (): Promise<{ server: TcpServer; bytes: () => Buffer }> => {
    const chunks: Buffer[] = [];
    const server = createTcpServer((socket) => {
      socket
        .on('error', () => undefined)
        .on('data', (chunk) => {
          chunks.push(chunk);
          socket.write(
            `HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: ${accept.length}\r\n\r\n${accept}`,
          );
        });
    });
    server.listen(world.radius.decisionPort, '127.0.0.1');
    await once(server, 'listening');
    return { server, bytes: () => Buffer.concat(chunks) };
  };
  const closed = async (server: TcpServer) => {
    server.close();
    await once(server, 'close');
  };

  test('sends no key and no password to an impostor on the decision port, and does not use its decision', async () => {
    const running = await world.engine.running();
    await world.node().close();
    const engineKey = await readFile(join(folder(), 'engine-key.pem'), 'utf8');

    const first = await startTlsImpostor();
    expect(await pap(1)).toEqual({ code: 'none', attributes: [] });
    expect(await world.mab(mac, { tries: 1, waitSeconds: 1 })).toEqual({ code: 'none', attributes: [] });
    expect((await tunnel()).isAccepted).toBe(false);
    // The engine has connected.
    expect(first.handshakes()).toBeGreaterThan(0);
    expect(first.requests).toEqual([]);
    await closed(first.server);

    const second = await startPlainImpostor();
    expect((await pap(1)).code).toBe('none');
    expect((await world.mab(mac, { tries: 1, waitSeconds: 1 })).code).toBe('none');
    expect(second.bytes().length).toBeGreaterThan(0);
    for (const secret of [password, 'yara', nasSecret, engineKey, 'radius'])
      expect(second.bytes().toString('latin1')).not.toContain(secret);
    await closed(second.server);

    await world.startNode();
    await until('an answer of the node', async () => (await pap(1)).code === 'Access-Accept');
    expect((await tunnel()).isAccepted).toBe(true);
    expect(await world.engine.running()).toEqual(running);
  });

  test('gives each start of the engine new keys, in files that only the user of the service can read', async () => {
    const before = await engineTls(folder());
    const { pid } = (await world.engine.running())!;
    process.kill(pid, 'SIGKILL');
    await until('another engine', async () => ![pid, undefined].includes((await world.engine.running())?.pid));
    await until('an answer', async () => (await world.mab(mac, { tries: 1 })).code === 'Access-Accept');
    const after = (await engineTls(folder()))!;
    expect(Object.entries(after).filter(([part, text]) => before![part as keyof typeof after] === text)).toEqual([]);
    expect(await readdir(folder())).toHaveLength(4);
  });
});
