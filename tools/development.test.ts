import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { systemOrigin } from '@portreeve/server/kernel/declare/caller.ts';
import { world } from '@portreeve/server/test/world/world.ts';
import { describe, expect, test } from 'vitest';
import { addressesOf, developmentToken, refuseTakenPort } from './development.ts';

describe('npm run dev', async () => {
  const { service } = await world();
  const issue = (pid: number) => service.runtime.transact(systemOrigin('test'), (tx) => developmentToken(tx, pid));
  const answers = async (token: string) => {
    const { statusCode } = await service.app.inject({
      url: '/api/v2/device/container',
      headers: { authorization: `Bearer ${token}` },
    });
    return statusCode;
  };

  test('keeps the token of another one that runs, and revokes that of one that has ended', async () => {
    const ended = spawn('true');
    await once(ended, 'exit');
    const [first, endedToken] = [await issue(process.pid), await issue(ended.pid!)];
    const second = await issue(process.ppid);
    expect(await Promise.all([first, second].map(answers))).toEqual([200, 200]);
    await expect.poll(() => answers(endedToken)).toBe(401);
  });

  test('refuses a used port with a sentence', async () => {
    const portHolder = createServer().listen(0, '127.0.0.1');
    await once(portHolder, 'listening');
    const { port } = portHolder.address() as AddressInfo;
    await expect(refuseTakenPort('127.0.0.1', port)).rejects.toThrow(`Port ${port} is taken`);
    portHolder.close();
    await once(portHolder, 'close');
    await refuseTakenPort('127.0.0.1', port);
  });
});

describe('the addresses of a node under development', () => {
  const certificateFile = '/tmp/dev.pem';

  test('are plain HTTP by default', () => {
    expect(addressesOf({ https: false, port: 8080, certificateFile })).toEqual({
      url: 'http://127.0.0.1:8080',
      curl: 'curl',
      trust: '',
    });
  });

  test('are HTTPS if the node serves it, with a curl command that trusts its certificate', () => {
    const { url, curl, trust } = addressesOf({ https: true, port: 8443, certificateFile });
    expect([url, curl]).toEqual(['https://127.0.0.1:8443', 'curl --cacert /tmp/dev.pem']);
    expect(trust).toContain('openssl s_client -connect 127.0.0.1:8443');
    expect(trust).toContain('export NODE_EXTRA_CA_CERTS=/tmp/dev.pem');
  });
});
