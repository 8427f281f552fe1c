import { createSocket } from 'node:dgram';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { testMasterKey } from '@portreeve/server/test/world/databases.ts';
import { world } from '@portreeve/server/test/world/world.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { runPortreeve } from './testing/run-portreeve.ts';

describe('an error on a node is reported in one sentence and ends the command', async () => {
  const { service, database, admin } = await world();
  const url = await service.app.listen({ host: '127.0.0.1', port: 0 });
  const blockingServer = createServer();
  const takenForDatagrams = createSocket('udp4');
  let folder: string;
  let env: Record<string, string>;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'portreeve-words-'));
    const key = join(folder, 'master.key');
    await writeFile(key, `${(await testMasterKey()).toString('hex')}\n`, { mode: 0o600 });
    await new Promise<void>((done) => blockingServer.listen(0, '127.0.0.1', done));
    await new Promise<void>((done) => takenForDatagrams.bind(Number(takenPort()), '127.0.0.1', done));
    env = {
      HOME: folder,
      PORTREEVE_DATABASE_URL: database.serviceUrl,
      PORTREEVE_KEY_FILE: key,
      PORTREEVE_ARCHIVE_FOLDER: folder,
      PORTREEVE_HOST: '127.0.0.1',
      PORTREEVE_TRAP_HOST: '127.0.0.1',
      PORTREEVE_LOG_LEVEL: 'silent',
    };
  });
  afterAll(async () => {
    blockingServer.close();
    takenForDatagrams.close();
    await rm(folder, { recursive: true, force: true });
  });
  const takenPort = () => String((blockingServer.address() as AddressInfo).port);

  test('for an existing key file, which is not overwritten', async () => {
    const file = join(folder, 'another.key');
    expect(await runPortreeve(['keys', 'create', file], env)).toMatchObject({ code: 0 });
    expect(await runPortreeve(['keys', 'create', file], env)).toMatchObject({
      code: 1,
      err: `portreeve: ${file}: it exists already and is not overwritten; use another name.\n`,
    });
  });

  test('for a deployment file that is unreadable or invalid, without its content', async () => {
    const file = join(folder, 'deployment.json');
    const place = `The configuration ${file} (PORTREEVE_CONFIG)`;
    const missing = `${place} cannot be read: there is no such file or folder.`;
    const doctor = await runPortreeve(['doctor'], { ...env, PORTREEVE_CONFIG: file });
    expect(doctor).toMatchObject({ code: 1, out: expect.stringContaining(missing.slice(0, -1)) });
    const migrate = () => runPortreeve(['migrate'], { ...env, PORTREEVE_CONFIG: file });
    expect(await migrate()).toMatchObject({ code: 1, err: `portreeve: ${missing}\n` });
    await writeFile(file, '{"ownerUrl": hunter2}');
    const { code, err } = await migrate();
    expect(code).toBe(1);
    expect(err).toContain(`portreeve: ${place} is not valid JSON: Unexpected token 'h'.`);
    expect(err).not.toContain('hunter2');
    await writeFile(file, '[]');
    expect((await migrate()).err).toBe(`portreeve: ${place} is not a JSON object.\n`);
  });

  test('for a file that cannot be sent', async () => {
    const connection = ['--url', url, '--token', admin.token];
    const set = ['aaa-server', 'update', '1', '--set-file', 'secret=/nonexistent'];
    expect(await runPortreeve([...set, ...connection], env)).toMatchObject({
      code: 2,
      err: 'portreeve: /nonexistent cannot be read: there is no such file or folder.\n',
    });
    expect(await runPortreeve(['host', 'import', folder, ...connection], env)).toMatchObject({
      code: 2,
      err: `portreeve: ${folder} cannot be read: it is a folder.\n`,
    });
    const piped = await runPortreeve(['host', 'import', '/proc/self/fd/0', ...connection], env, 'adap.mac\n');
    expect(piped).toMatchObject({ code: 2, err: expect.stringMatching(/cannot be read: /) });
  });

  test('for an administrator that exists', async () => {
    const create = () => runPortreeve(['admin', 'create', 'alice'], env, 'a-long-enough-password\n');
    expect(await create()).toMatchObject({ code: 0 });
    expect(await create()).toMatchObject({ code: 6, err: 'portreeve: There is already an account named alice.\n' });
  });

  test('for a service that does not speak HTTPS', async () => {
    const args = ['container', 'list', '--url', url.replace('http:', 'https:'), '--token', admin.token];
    const { err } = await runPortreeve(args, env);
    expect(err).toContain('cannot be reached: the service does not use HTTPS; use http://.');
  });

  test('for a database that does not exist', async () => {
    const missing = database.serviceUrl.replace(/\/[^/?]+(\?|$)/, '/no_such_database$1');
    const served = await runPortreeve(['serve'], { ...env, PORTREEVE_DATABASE_URL: missing });
    expect(served).toMatchObject({
      code: 1,
      err: "portreeve: The database no_such_database does not exist; run 'portreeve migrate' first.\n",
    });
  });

  test.each([
    ['requests', 'PORTREEVE_PORT'],
    ['metrics', 'PORTREEVE_METRICS_PORT'],
    ['traps', 'PORTREEVE_TRAP_PORT'],
  ])('for a node whose port for %s is in use', async (what, variable) => {
    const ports = { PORTREEVE_PORT: '0', PORTREEVE_METRICS_PORT: '0', PORTREEVE_TRAP_PORT: '0' };
    const served = await runPortreeve(['serve'], { ...env, ...ports, [variable]: takenPort() });
    expect(served).toMatchObject({
      code: 1,
      err: `portreeve: The node cannot listen for ${what} at 127.0.0.1 port ${takenPort()}: another process listens there.\n`,
    });
  });
});
