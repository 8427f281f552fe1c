import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, readlink, rm, stat, writeFile } from 'node:fs/promises';
import { type AddressInfo, connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { Client, portreeve } from '@portreeve/sdk/index.ts';
import { refuseOtherSchema } from '@portreeve/server/node/migrate-database.ts';
import { instanceNamespace, readXml, tableDifferences } from '@portreeve/server/test/surface/seeds/compare.ts';
import {
  aaaServerRecord,
  containerEventNames,
  containerRecord,
  deviceProfilingRuleRecord,
  directoryAgentRecord,
  listEnvelope,
  mdmUsageEntry,
  portRecord,
  readEnvelope,
  type Table,
  writeEnvelope,
} from '@portreeve/server/test/surface/seeds/tables.ts';
import { openWorld } from '@portreeve/server/test/world/open-world.ts';
import { promised } from '@portreeve/server/test/world/patience.ts';
import { freePort } from '@portreeve/testbed/free-ports.ts';
import { ensurePostgres, ownerRole, postgresFolder } from '@portreeve/testbed/postgres.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { runPage } from '../docs/run-page.ts';

type Row = Record<string, unknown>;
type Format = 'json' | 'xml';

const checkout = resolve(fileURLToPath(new URL('../..', import.meta.url)));
const cli = join(checkout, 'cli', 'portreeve');
const formats = ['json', 'xml'] as const;

/** An environment without variables of the test runner or its user. */
const ownEnvironment = (): NodeJS.ProcessEnv => ({
  PATH: process.env.PATH,
  HOME: '/nonexistent',
  ...(process.env.TMPDIR && { TMPDIR: process.env.TMPDIR }),
});

/** Returns the exit code and the output of a demonstration that does not start. */
async function refused(args: readonly string[]): Promise<[code: number, said: string]> {
  const demo = spawn(process.execPath, ['tools/demo.ts', ...args], {
    cwd: checkout,
    env: ownEnvironment(),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const printed = outputOf(demo);
  const [code] = await once(demo, 'close', { signal: AbortSignal.timeout(60_000) });
  return [code, printed()];
}

describe('a demonstration that cannot start prints the reason in a sentence', () => {
  test('on a port that is in use', async () => {
    const holder = createServer().listen(0, '127.0.0.1');
    await once(holder, 'listening');
    const { port } = holder.address() as AddressInfo;
    try {
      expect(await refused(['--port', String(port)])).toEqual([
        1,
        `Port ${port} of 127.0.0.1 is in use; choose another one: npm run demo -- --port 8081.\n`,
      ]);
    } finally {
      holder.close();
    }
  });

  test('with an unknown option, or an invalid port', async () => {
    expect(await refused(['--prot', '1'])).toEqual([
      2,
      'Unknown option --prot. Did you mean --port? See npm run demo -- --help.\n',
    ]);
    expect(await refused(['--port', '99999'])).toEqual([
      2,
      '--port 99999 is not a port. See npm run demo -- --help.\n',
    ]);
  });

  test('and --help prints the options', async () => {
    const [code, helpText] = await refused(['--help']);
    expect(code).toBe(0);
    expect(helpText).toMatch(/^Usage: npm run demo -- \[options\]\n[\s\S]*--shell/);
  });
});

test("--shell opens the user's shell, which finds the service and the command line; leaving it ends everything", async () => {
  const demo = spawn(process.execPath, ['tools/demo.ts', '--port', String(await freePort()), '--shell'], {
    cwd: checkout,
    env: { ...ownEnvironment(), SHELL: '/bin/bash' },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  const printed = outputOf(demo);
  demo.stdin.end('portreeve network-device count\necho "at $PORTREEVE_URL"\n');
  const [code] = await once(demo, 'close', { signal: AbortSignal.timeout(240_000) });
  expect(code, printed()).toBe(0);
  const [, url] = /^Portreeve serves (\S+)/m.exec(printed())!;
  expect(printed().split('\n').slice(-3)).toEqual(['45', `at ${url}`, '']);
  expect(await accepts(Number(new URL(url!).port))).toBe(false);
});

describe('the demonstration', () => {
  let folder: string;
  let demo: ChildProcess;
  let printed: () => string;
  let databaseUrl: string;
  let url: string;
  let token: string;

  beforeAll(async () => {
    databaseUrl = (await ensurePostgres(postgresFolder(checkout))).url(ownerRole, 'portreeve_demo');
    if (await demoRuns())
      throw new Error('A demonstration runs in this checkout; stop it first, this one would end it.');
    folder = await mkdtemp(join(tmpdir(), 'portreeve-demo-test-'));
    const port = await freePort();
    demo = spawn(process.execPath, ['tools/demo.ts', '--port', String(port), '--token-file', join(folder, 'token')], {
      cwd: checkout,
      env: ownEnvironment(),
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    printed = outputOf(demo);
    url = await printedUrl(demo, printed);
    expect(url).toBe(`http://127.0.0.1:${port}`);
    token = (await readFile(join(folder, 'token'), 'utf8')).trim();
  });

  afterAll(async () => {
    if (demo && demo.exitCode === null && demo.signalCode === null) {
      demo.kill('SIGTERM');
      await once(demo, 'exit', { signal: AbortSignal.timeout(60_000) });
    }
    if (folder) await rm(folder, { recursive: true, force: true });
  });

  /** Sends one call like any client. */
  const call = (path: string, { format = 'json', body }: { format?: Format; body?: string } = {}): Promise<Response> =>
    fetch(new URL(path, url), {
      method: body === undefined ? 'GET' : 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': `application/${format}` },
      body,
      signal: AbortSignal.timeout(60_000),
    });

  /** Reads a successful response in either format, and compares it with the specification. */
  async function read(reply: Response, format: Format, table: Table): Promise<Row> {
    const text = await reply.text();
    expect(reply.ok, text).toBe(true);
    expect(reply.headers.get('content-type')).toBe(`application/${format}; charset=utf-8`);
    const envelope = format === 'xml' ? readXml(text, table) : JSON.parse(text);
    expect(tableDifferences(envelope, table)).toEqual([]);
    expect(envelope).toMatchObject({ status: 'success', errorMessage: null });
    return envelope as Row;
  }

  const get = async (path: string, format: Format, table: Table): Promise<Row> =>
    read(await call(`/api/v2${path}`, { format }), format, table);

  /** Reads in both formats, which must be equal. */
  async function getInBoth(path: string, table: Table): Promise<Row> {
    const json = await get(path, 'json', table);
    expect(await get(path, 'xml', table)).toEqual(json);
    return json;
  }

  /** Sends a write and expects a response of `status` and `errorMessage` only. */
  async function post(path: string, body: Row, format: Format): Promise<Response> {
    const text = format === 'xml' ? requestOf(body) : JSON.stringify(body);
    const reply = await call(`/api/v2${path}`, { format, body: text });
    expect(await read(reply, format, writeEnvelope)).toEqual({ status: 'success', errorMessage: null });
    return reply;
  }

  /** Returns every record of a list by following the links. */
  async function listed(path: string): Promise<Row[]> {
    const records: Row[] = [];
    let nextUrl: string | undefined = `/api/v2${path}`;
    while (nextUrl) {
      const reply: Response = await call(nextUrl);
      records.push(...((await reply.json()) as { results: Row[] }).results);
      nextUrl = /<([^>]+)>; *rel="?next"?/.exec(reply.headers.get('link') ?? '')?.[1];
    }
    return records;
  }

  const callerEnvironment = () => ({ ...ownEnvironment(), PORTREEVE_URL: url, PORTREEVE_TOKEN: token });

  const commandLine = async (...words: string[]): Promise<string> => {
    const options = { cwd: folder, env: callerEnvironment(), maxBuffer: 100_000_000, timeout: 60_000 };
    return (await promisify(execFile)(cli, words, options)).stdout;
  };

  describe('serves the seven operations that the specification shows', () => {
    test('GET /device/container', async () => {
      const { results, filtered, total } = await getInBoth('/device/container', listEnvelope(containerRecord));
      const records = results as Row[];
      expect([filtered, total]).toEqual([records.length, records.length]);
      expect(records.map(({ name }) => name)).toContain('Hospital North 3');
      for (const record of records)
        for (const [field, name] of Object.entries(containerEventNames)) expect(record[field]).toMatchObject({ name });
    });

    test('GET /settings/integration/aaa/count', async () => {
      const path = '/settings/integration/aaa';
      const envelope = listEnvelope(aaaServerRecord);
      const filter = encodeURIComponent('name==federation-*');
      expect(await getInBoth(`${path}/count`, envelope)).toMatchObject({ results: [], filtered: 4, total: 4 });
      expect(await getInBoth(`${path}/count?filter=${filter}`, envelope)).toMatchObject({ filtered: 2, total: 4 });
      // A count returns no records, so the list shows that they are those of the table.
      expect((await getInBoth(path, envelope)).results).toHaveLength(4);
    });

    test.each(formats)('POST /settings/agent/directory-agent in %s', async (format) => {
      const path = '/settings/agent/directory-agent';
      const listTable = listEnvelope(directoryAgentRecord);
      const { results, total } = await getInBoth(path, listTable);
      const [sample] = results as [Row];
      expect(sample.addGroupList).not.toEqual([]);

      const created = await post(path, { ...sample, dbid: 0, rank: 0, name: `Copy in ${format}` }, format);
      expect(created.status).toBe(201);
      const location = created.headers.get('location')!.slice('/api/v2'.length);
      const fetched = async () => {
        const envelope = await getInBoth(location, readEnvelope(directoryAgentRecord));
        return (envelope.results as [Row])[0];
      };
      const copy = await fetched();
      expect(location).toBe(`${path}/${copy.dbid}`);
      expect(copy).toMatchObject({
        name: `Copy in ${format}`,
        version: 1,
        scanGraceLength: sample.scanGraceLength,
        addToGroupNames: sample.addToGroupNames,
      });

      expect((await post(path, { ...copy, scanGraceLength: 77, debug: true }, format)).status).toBe(200);
      expect(await fetched()).toMatchObject({ ...ownFields(copy), version: 2, scanGraceLength: 77, debug: true });
      expect((await getInBoth(path, listTable)).total).toBe(Number(total) + 1);
    });

    test('GET /settings/integration/mdm/{id}/usage', async () => {
      const [server] = await listed('/settings/integration/mdm');
      const usage = await getInBoth(`/settings/integration/mdm/${server!.dbid}/usage`, readEnvelope(mdmUsageEntry));
      expect(usage.results).toEqual([{ name: 'Device profiling rule', children: ['Ward tablets in the MDM'] }]);
    });

    test.each(formats)('POST /user/admin-profile/delete in %s', async (format) => {
      const path = '/user/admin-profile';
      const before = await listed(path);
      const createdIds: string[] = [];
      for (const name of ['Night shift', 'Holiday cover'])
        createdIds.push((await post(path, { name }, 'json')).headers.get('location')!);
      const id = createdIds.map((location) => Number(location.split('/').at(-1)));
      await post(`${path}/delete`, { id }, format);
      for (const location of createdIds) expect((await call(location)).status).toBe(404);
      expect(await listed(path)).toEqual(before);
    });

    test('GET /host/device-profiling-rule/count/all', async () => {
      const path = '/host/device-profiling-rule';
      const envelope = listEnvelope(deviceProfilingRuleRecord);
      const [json, xml] = [await get(path, 'json', envelope), await get(path, 'xml', envelope)];
      expect(withoutMethodData(xml)).toEqual(withoutMethodData(json));
      expect(await getInBoth(`${path}/count/all`, envelope)).toEqual({ ...json, results: [] });
      expect(json.total).toBe((json.results as Row[]).length);
    });

    test('GET /device/port', async () => {
      const envelope = await getInBoth('/device/port', listEnvelope(portRecord));
      expect(envelope.total).toBeGreaterThan(1_920);
      expect(envelope.filtered).toBe(envelope.total);
      expect(envelope.results).toHaveLength(1_000);
    });
  });

  test('the typed client, the command line and plain fetch return the same ports in the same order', async () => {
    const ports: unknown[] = [];
    for await (const port of portreeve(new Client({ url, token })).port.walk()) ports.push(port);
    expect(ports.length).toBeGreaterThan(1_920);
    expect(new Set(ports.map((port) => (port as Row).dbid)).size).toBe(ports.length);
    expect(await listed('/device/port?count=500')).toEqual(ports);
    const printed = JSON.parse(await commandLine('port', 'list', '--all', '--json'));
    expect(printed).toEqual(ports.map((port) => ({ id: (port as Row).dbid, ...(port as Row) })));
  });

  test('polls its simulated switches: identities, uplinks between them, and hosts on the other ports', async () => {
    const devices = await listed(`/device?filter=${encodeURIComponent('ipAddress==127.41.0.0/16')}&sortKey=name`);
    expect(devices.map(({ name, status, driver }) => [name, status, driver])).toEqual([
      ['access-1', 1, 'qbridge'],
      ['access-2', 1, 'qbridge'],
      ['access-3', 1, 'cisco-ios'],
      ['access-point-1', 1, 'qbridge'],
      ['core-1', 1, 'qbridge'],
    ]);
    // With the visitor there are 21.
    expect(devices.map(({ connectedHosts }) => connectedHosts)).toEqual([20, expect.toBeOneOf([20, 21]), 20, 4, 0]);
    const uplinks = await listed(`/device/port?filter=${encodeURIComponent('connectionState==8;deviceName==core-1')}`);
    expect(uplinks.map(({ name }) => name).sort()).toEqual(['1/1', '1/2', '1/3']);
    expect((await listed('/ssid')).map(({ name }) => name).sort()).toEqual(['campus', 'guests']);
    const events = await listed('/logging/event?filter=name==CONTACT_ESTABLISHED;elementType==2');
    expect(events).toHaveLength(5);
  });

  test('an export with one change that is imported changes only that place', async () => {
    const [containers, audits] = [await listed('/device/container'), await listed('/logging/audit')];
    const exported = linesOf(await commandLine('container', 'export'));
    expect(exported).toEqual(containers);

    const changed = exported.find(({ name }) => name === 'Lecture Halls')!;
    const [before, after] = [changed.description, 'Halls A to G; "new"\tGröße 𝄞'];
    changed.description = after;
    const file = join(folder, 'containers.jsonl');
    await writeFile(file, exported.map((record) => `${JSON.stringify(record)}\n`).join(''));
    await commandLine('container', 'import', file);
    expect(await readdir(folder)).not.toContain('containers.jsonl.failed.jsonl');

    // Counters and change fields differ for the changed record.
    const isMade = ({ id }: Row) => id === changed.id;
    const reported = {
      version: Number(changed.version) + 1,
      packedVersion: Number(changed.packedVersion) + 1,
      lastChangeMask: expect.any(Number),
    };
    expect(await listed('/device/container')).toEqual(
      containers.map((record) => (isMade(record) ? { ...record, description: after, ...reported } : record)),
    );
    const [audit, ...otherAudits] = await listed('/logging/audit');
    expect(audit).toMatchObject({
      user: 'demo',
      action: 'MODIFY',
      liveDBID: changed.id,
      auditObjectType: { dbTableName: 'container' },
      changes: [{ field: 'description', before, after, changed: true }],
    });
    // Older audit rows of the same record show its current state, and change in nothing else.
    const liveObj = audit!.liveObj;
    const isOfMade = ({ auditObjectType, liveDBID }: Row) =>
      (auditObjectType as Row).dbTableName === 'container' && liveDBID === changed.id;
    expect(otherAudits).toEqual(audits.map((row) => (isOfMade(row) ? { ...row, liveObj } : row)));
  });

  test('every served collection has more records than a new installation', async () => {
    const lists = listsOf(await (await call('/api/v2/openapi.json')).json());
    expect(lists.map(({ path }) => path)).toContain('/api/v2/device/port');
    const [port] = await listed('/device/port?count=1&filter=name==Gi1/0/1');
    const [adapter] = await listed('/adapter?filter=ipaddress==198.51.100.11');
    const knownValues: Readonly<Row> = {
      deviceID: port!.deviceID,
      hostID: adapter!.hostID,
      portID: adapter!.portID,
      userID: 'f.nightingale',
    };
    const world = await openWorld();
    try {
      for (const { path, needs } of lists) {
        expect(Object.keys(knownValues)).toEqual(expect.arrayContaining(needs));
        const query = needs.map((name) => `${name}=${knownValues[name]}`).join('&');
        const { total } = (await (await call(`${path}?count=1&${query}`)).json()) as { total: number };
        const shipped = needs.length > 0 ? 0 : (await world.admin.get(`${path}?count=0`)).body.total;
        expect(total, path).toBeGreaterThan(Number(shipped));
      }
    } finally {
      await world.close();
    }
  });

  test('every printed command runs as it is printed, and prints a result', async () => {
    const commands = printed()
      .split('\n')
      .flatMap((line) => /^ {2}portreeve (.*)$/.exec(line)?.[1] ?? []);
    expect(commands).toEqual(['network-device list', 'host explain lobby-camera', 'event tail']);
    const [devices, explained] = [
      await commandLine('network-device', 'list'),
      await commandLine('host', 'explain', 'lobby-camera'),
    ];
    expect(linesIn(devices)).toHaveLength(1 + 45);
    expect(explained).toContain('Role Based Access is not enforced here: the default of the port applies, VLAN 110');
    // Its visitor connects or disconnects three times a minute.
    const tail = spawn(cli, ['event', 'tail'], { env: callerEnvironment(), stdio: ['ignore', 'pipe', 'pipe'] });
    try {
      const followed = outputOf(tail);
      await expect.poll(followed, { timeout: 60_000 }).toMatch(/PORT_LINK_(UP|DOWN)\taccess-2 1\/22/);
    } finally {
      tail.kill('SIGINT');
      await once(tail, 'exit');
    }
  });

  test('the exported lines are enough for a shell, also for commands of the node', async () => {
    const lines = printed()
      .split('\n')
      .filter((line) => line.startsWith('  export '))
      .join('\n');
    const run = (command: string) =>
      promisify(execFile)('bash', ['-c', `${lines}\n${command}`], { cwd: folder, env: ownEnvironment() });
    expect((await run('portreeve container count --filter name==Library')).stdout).toBe('1\n');
    expect((await run('echo a-password-of-her-own | portreeve admin create printed')).stdout).toContain(
      'printed can sign in',
    );
  });

  test('a port moved to another VLAN is changed on the switch, and shows it at the next poll', async () => {
    const filter = 'deviceName==access-1;name==1/8';
    const [port] = await listed(`/device/port?filter=${encodeURIComponent(filter)}`);
    await commandLine('port', 'properties', '--set', `id=${port!.dbid}`, '--set', 'currentVlan=20');
    const [device] = await listed('/device?filter=name==access-1');
    await commandLine('network-device', 'resync-interfaces', '--set', `id=${device!.id}`);
    expect(await listed(`/device/port?filter=${encodeURIComponent(`${filter};currentVlan==20`)}`)).toHaveLength(1);
  });

  test('a port that is shut down is reported by a trap', async () => {
    const filter = 'deviceName==access-1;name==1/12';
    const [port] = await listed(`/device/port?filter=${encodeURIComponent(filter)}`);
    await commandLine('port', 'properties', '--set', `id=${port!.dbid}`, '--set', 'adminStatus=false');
    const reported = async () =>
      listed(`/logging/event?filter=${encodeURIComponent('name==PORT_LINK_DOWN;elementName=="access-1 1/12"')}`);
    await expect.poll(reported, { timeout: 20_000 }).toHaveLength(1);
    const [device] = await listed('/device?filter=name==access-1');
    expect(device!.lastTrap).not.toBeNull();
  });

  test('the tour runs as it is printed', async () => {
    const lines = printed().matchAll(/^ {2}export (PORTREEVE_\w+)=(.*)$/gm);
    const settings = Object.fromEntries([...lines].map(([, name, value]) => [name!, value!]));
    const environment = {
      ...ownEnvironment(),
      ...settings,
      PATH: `${join(checkout, 'cli')}:${process.env.PATH}`,
    };
    const { run, differences } = await runPage(join(checkout, 'docs/handbook/tour.md'), environment);
    expect(differences).toEqual([]);
    expect(run).toBeGreaterThan(10);
  });

  test('no port of the campus is missing on its device', async () => {
    const ports = await listed('/device/port?count=1000&filter=deviceName==sw-*');
    expect(ports).toHaveLength(1_920);
    expect(
      Object.fromEntries(
        Map.groupBy(ports, ({ status }) => status as number)
          .entries()
          .map(([status, lines]) => [status, lines.length > 0]),
      ),
    ).toEqual({ 1: true, 2: true, 3: true });
  });

  test('a second demonstration reports the running one in a sentence', async () => {
    expect(await refused(['--port', String(await freePort())])).toEqual([
      1,
      'Another demonstration runs in this checkout; stop it first.\n',
    ]);
    expect((await call('/healthz')).status).toBe(200);
  });

  test('the token is stored so that only its owner can read it', async () => {
    expect((await stat(join(folder, 'token'))).mode & 0o777).toBe(0o600);
  });

  test.skipIf(process.getuid?.() !== 0)('a demonstration started as root runs its node without root', async () => {
    const node = await nodeOf(demo);
    const status = await readFile(`/proc/${node.pid}/status`, 'utf8');
    const numbers = (field: string) =>
      new RegExp(`^${field}:(.*)$`, 'm').exec(status)![1]!.split(/\s+/).filter(Boolean).map(Number);
    for (const field of ['Uid', 'Gid', 'Groups']) expect(numbers(field), field).not.toContain(0);
    expect(/^CapEff:\s*(\w+)$/m.exec(status)![1]).toMatch(/^0+$/);
  });

  // The last test, because it ends the demonstration.
  test('SIGTERM ends all its processes within 10 s', async () => {
    const node = await nodeOf(demo);
    const home = /(?:^|\0)HOME=([^\0]+)/.exec(await readFile(`/proc/${node.pid}/environ`, 'utf8'))![1]!;
    expect(await readdir(home)).toContain('master.key');
    const started = new Set((await descendantsOf(demo.pid!)).map(({ pid }) => pid));
    expect(started).toContain(node.pid);

    const stoppedMs = performance.now();
    demo.kill('SIGTERM');
    const [code] = await once(demo, 'close', { signal: AbortSignal.timeout(60_000) });
    expect(code, printed()).toBe(0);
    const remains = async () => ({
      processes: (await processes()).filter(({ pid }) => started.has(pid)),
      listens: await accepts(Number(new URL(url).port)),
      database: await refuseOtherSchema(databaseUrl).then(
        () => 'there',
        ({ cause }) => cause?.code,
      ),
      home: await readdir(home).catch(({ code }) => code),
    });
    await expect
      .poll(remains)
      // 3D000: the database does not exist.
      .toEqual({ processes: [], listens: false, database: '3D000', home: 'ENOENT' });
    expect(performance.now() - stoppedMs).toBeLessThan(promised(10_000));
  });
});

/** Collects the output of a program. */
function outputOf({ stdout, stderr }: ChildProcess): () => string {
  let printed = '';
  for (const stream of [stdout!, stderr!])
    stream.setEncoding('utf8').on('data', (text: string) => {
      printed += text;
    });
  return () => printed;
}

/** Resolves with the address that the demonstration prints when it is ready. */
function printedUrl(demo: ChildProcess, printed: () => string): Promise<string> {
  return new Promise((done, fail) => {
    const giveUp = (why: string) => {
      clearTimeout(timer);
      fail(new Error(`${why}:\n${printed()}`));
    };
    const timer = setTimeout(giveUp, 240_000, 'the demonstration does not serve after 240 s');
    demo.once('close', (code) => giveUp(`the demonstration ended with code ${code}`));
    demo.stdout!.on('data', () => {
      const match = /^Portreeve serves (\S+)[\s\S]*Stop it/m.exec(printed());
      if (!match) return;
      clearTimeout(timer);
      done(match[1]!);
    });
  });
}

const linesIn = (text: string): string[] => text.split('\n').filter((line) => line !== '');

const linesOf = (text: string): Row[] => linesIn(text).map((line) => JSON.parse(line));

/** Returns a body in XML, in the form of the contract. */
const requestOf = (body: Row): string =>
  `<request xmlns:xsi="${instanceNamespace}">${elementsOf(Object.entries(body))}</request>`;

const elementsOf = (fields: readonly (readonly [string, unknown])[]): string =>
  fields
    .map(([name, value]) => (value === null ? `<${name} xsi:nil="true"/>` : `<${name}>${contentOf(value)}</${name}>`))
    .join('');

function contentOf(value: unknown): string {
  if (Array.isArray(value)) return elementsOf(value.map((item) => ['item', item] as const));
  if (typeof value === 'object') return elementsOf(Object.entries(value as Row));
  return String(value).replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

/** Returns a directory agent configuration without the fields about its last change. */
function ownFields(record: Row): Row {
  const { lastModifiedDate: _date, yamsEventTag: _tag, auditObj: _audit, ...configuredFields } = record;
  return configuredFields;
}

/** The specification does not define `data`, so its XML has no types. */
const withoutMethodData = ({ results, ...rest }: Row): Row => ({
  ...rest,
  results: (results as { methods: Row[] }[]).map(({ methods, ...record }) => ({
    ...record,
    methods: methods.map(({ data: _, ...method }) => method),
  })),
});

interface Parameter {
  name: string;
  in: string;
  required?: boolean;
}

interface OpenApi {
  paths: Record<string, { get?: { parameters?: (Parameter | { $ref: string })[] } }>;
  components: { parameters: Record<string, Parameter> };
}

/** Returns the lists that a document describes, each with its required parameters. */
function listsOf(document: unknown): { path: string; needs: string[] }[] {
  const { paths, components } = document as OpenApi;
  return Object.entries(paths).flatMap(([path, { get }]) => {
    const parameters = (get?.parameters ?? []).map((parameter) =>
      '$ref' in parameter ? components.parameters[parameter.$ref.split('/').at(-1)!]! : parameter,
    );
    const isList = ['filter', 'start', 'count'].every((parameterName) =>
      parameters.some(({ name }) => name === parameterName),
    );
    return isList ? [{ path, needs: parameters.filter(({ required }) => required).map(({ name }) => name) }] : [];
  });
}

interface Process {
  pid: number;
  parent: number;
  words: string[];
}

/** Returns the running processes of this machine, without zombies. */
async function processes(): Promise<Process[]> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const processLists = await Promise.all(
    pids.map(async (pid) => {
      try {
        const status = await readFile(`/proc/${pid}/status`, 'utf8');
        if (/^State:\s*[ZX]/m.test(status)) return [];
        const words = (await readFile(`/proc/${pid}/cmdline`, 'utf8')).split('\0');
        return [{ pid: Number(pid), parent: Number(/^PPid:\s*(\d+)/m.exec(status)![1]), words }];
      } catch {
        // The process ended meanwhile.
        return [];
      }
    }),
  );
  return processLists.flat();
}

async function descendantsOf(pid: number): Promise<Process[]> {
  const all = await processes();
  const below = (parent: number): Process[] =>
    all.filter((candidate) => candidate.parent === parent).flatMap((child) => [child, ...below(child.pid)]);
  return below(pid);
}

async function nodeOf(demo: ChildProcess): Promise<Process> {
  const [node, ...otherNodes] = (await descendantsOf(demo.pid!)).filter(({ words }) =>
    words.includes(join(checkout, 'server/src/main.ts')),
  );
  expect(otherNodes).toEqual([]);
  return node!;
}

async function demoRuns(): Promise<boolean> {
  for (const { pid, words } of await processes()) {
    if (!basename(words[0]!).startsWith('node') || !words.some((word) => word.endsWith('tools/demo.ts'))) continue;
    if ((await readlink(`/proc/${pid}/cwd`).catch(() => '')) === checkout) return true;
  }
  return false;
}

const accepts = (port: number): Promise<boolean> =>
  new Promise((done) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('connect', () => done(true)).once('error', () => done(false));
    socket.once('connect', () => socket.destroy());
  });
