import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { logIn } from '@portreeve/testbed/eapol-test.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { until } from '../../../test/world/patience.ts';
import { nasAddress, nasSecret, type RadiusWorld, radiusWorld } from '../../../test/world/radius-world.ts';

const run = promisify(execFile);
const details = '/radius/radius-health-details';
const authorities = 5;

describe('requests with long attributes', () => {
  let world: RadiusWorld;
  let folder: string;
  const openssl = (...args: string[]) => run('/usr/bin/openssl', args, { cwd: folder });
  const readText = (name: string) => readFile(join(folder, name), 'utf8');

  /** Signs `name` with the authority `issuer`, or with itself. All authorities share a key, because generating one is slow. */
  const sign = async (name: string, { key, issuer }: { key: string; issuer?: string }) => {
    const subject = ['-subj', `/CN=${name}`, '-key', `${key}.key`];
    if (issuer === undefined) {
      const extensions = ['-addext', 'basicConstraints=critical,CA:TRUE'];
      await openssl('req', '-x509', ...subject, ...extensions, '-days', '90', '-out', `${name}.pem`);
      return;
    }
    await openssl('req', ...subject, '-out', `${name}.csr`, '-new');
    await writeFile(join(folder, `${name}.ext`), `basicConstraints=CA:${key === 'authority' ? 'TRUE' : 'FALSE'}\n`);
    await openssl(
      ...['x509', '-req', '-in', `${name}.csr`, '-CA', `${issuer}.pem`, '-CAkey', 'authority.key', '-days', '60'],
      ...['-extfile', `${name}.ext`, '-out', `${name}.pem`],
    );
  };
  /** A device whose certificate was signed through five authorities, of which the first one is `root`. */
  const makeChain = async (root: string) => {
    const names = Array.from({ length: authorities }, (_, n) => (n === 0 ? root : `${root}-${n}`));
    await sign(root, { key: 'authority' });
    for (const [n, name] of names.entries()) if (n > 0) await sign(name, { key: 'authority', issuer: names[n - 1]! });
    await sign(`pump-of-${root}`, { key: 'device', issuer: names.at(-1)! });
    const chain = [`pump-of-${root}`, ...names.slice(1).reverse()];
    const texts = await Promise.all(chain.map((name) => readText(`${name}.pem`)));
    await writeFile(join(folder, `chain-of-${root}.pem`), texts.join(''));
  };
  const logInWith = async (root: string, mac: string) => {
    const network = {
      eap: 'TLS',
      identity: '"anything"',
      client_cert: `"${join(folder, `chain-of-${root}.pem`)}"`,
      private_key: `"${join(folder, 'device.key')}"`,
    };
    return logIn({ source: nasAddress, port: world.authPort, secret: nasSecret, mac, network });
  };
  const rowOf = async (mac: string) => {
    const rows = async () =>
      (await world.admin.get<object>(`${details}?filter=callingStationId==${mac}`)).body.results!;
    await until(`the row of ${mac}`, async () => (await rows()).length > 0);
    return (await rows())[0];
  };

  beforeAll(async () => {
    world = await radiusWorld({ jobs: 'work' });
    folder = await mkdtemp(join(tmpdir(), 'portreeve-large-'));
    for (const name of ['authority', 'device'])
      await openssl('genpkey', '-algorithm', 'RSA', '-pkeyopt', 'rsa_keygen_bits:4096', '-out', `${name}.key`);
    await makeChain('trusted');
    await makeChain('stranger');
    await world.trustAuthority('trusted', await readText('trusted.pem'));
  });
  afterAll(async () => {
    await world.close();
    await rm(folder, { recursive: true, force: true });
  });

  test('accepts a certificate with RSA 4,096 and a chain of five authorities, and stores the response', async () => {
    const { isAccepted, output } = await logInWith('trusted', '02:00:00:00:05:01');
    expect(isAccepted, output.slice(-2_000)).toBe(true);
    expect(await rowOf('02:00:00:00:05:01')).toMatchObject({ reply: 'ACCEPT', username: 'pump-of-trusted' });
  });

  test('rejects such a certificate of an untrusted authority, and stores the cause', async () => {
    expect((await logInWith('stranger', '02:00:00:00:05:02')).isAccepted).toBe(false);
    expect(await rowOf('02:00:00:00:05:02')).toMatchObject({ reply: 'REJECT', cause: 'CERT_UNTRUSTED' });
  });

  test('answers MAC authentication with as many long attributes as fit into a packet', async () => {
    const mac = '02:00:00:00:05:03';
    const attributes = {
      Class: Array.from({ length: 14 }, (_, n) => `0x${Buffer.alloc(253, n + 65).toString('hex')}`),
    };
    const reply = await world.mab(mac, { attributes: { 'NAS-Identifier': 'x'.repeat(200), ...attributes } });
    expect(reply.code).toBe('Access-Accept');
    expect(await rowOf(mac)).toMatchObject({ reply: 'ACCEPT', eapType: 'MAB' });
  });
});
