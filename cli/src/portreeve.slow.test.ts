import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { job } from '@portreeve/server/context.ts';
import { container } from '@portreeve/server/device/container/container.ts';
import { systemOrigin } from '@portreeve/server/kernel/declare/caller.ts';
import { event } from '@portreeve/server/logging/event/event.ts';
import { startTask } from '@portreeve/server/system/background-task/background-task.service.ts';
import { backgroundTask } from '@portreeve/server/system/background-task/background-task.ts';
import { testMasterKey } from '@portreeve/server/test/world/databases.ts';
import { openNode } from '@portreeve/server/test/world/open-world.ts';
import { world } from '@portreeve/server/test/world/world.ts';
import { afterAll, describe, expect, test } from 'vitest';
import { completionScripts } from './completion-scripts.ts';
import { type Running, runOnTerminal, runPortreeve, startPortreeve } from './testing/run-portreeve.ts';

/** The job waits for this promise before its last step. */
let lastSwitch: Promise<void> = Promise.resolve();

const countSlowly = job('count-slowly', {
  doc: 'Count to four',
  secondsMax: 60,
  repeatable: false,
  async run(_payload, { progress, report }) {
    for (let done = 1; done <= 4; done++) {
      await sleep(400);
      if (done === 4) await lastSwitch;
      progress(done, 4, `switch-${done}`);
    }
    report([{ item: 'all', outcome: 'COUNTED', detail: '4' }]);
  },
});

const failAlways = job('fail-always', {
  doc: 'Fail',
  secondsMax: 5,
  repeatable: false,
  run: async () => {
    throw new Error('The switch did not answer.');
  },
});

/** Another program on loopback, stopped after the test. */
async function another<T>(answer: RequestListener, use: (port: number) => Promise<T>): Promise<T> {
  const server = createServer(answer);
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  try {
    return await use((server.address() as AddressInfo).port);
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

describe('portreeve', async () => {
  const { admin, service, database, caller } = await world({
    jobs: 'work',
    overlay: { jobs: [countSlowly, failAlways] },
  });
  const url = await service.app.listen({ host: '127.0.0.1', port: 0 });
  const folder = await mkdtemp(join(tmpdir(), 'portreeve-cli-'));
  afterAll(() => rm(folder, { recursive: true, force: true }));
  const env = { PORTREEVE_URL: url, PORTREEVE_TOKEN: admin.token, HOME: folder };
  const portreeve = (...args: string[]) => runPortreeve(args, env);
  const make = (name: string, attributes = {}) => admin.create(container, { name, ...attributes });
  const fetch = (id: number) => admin.fetch(container, id);

  test('imports hosts from a file in one task and writes the failed lines to a file', async () => {
    const file = join(folder, 'hosts.csv');
    await writeFile(
      file,
      'adap.mac,host.host\n00:50:C2:AA:00:01,"cart, one"\nnonsense,"cart, two"\n00:50:C2:AA:00:03,cart-3\n',
    );
    const refused = await portreeve('host', 'import', file);
    expect(refused).toMatchObject({
      code: 1,
      out: expect.stringContaining('line 3'),
      err: expect.stringContaining('hosts.csv.failed.csv'),
    });
    expect(await readFile(`${file}.failed.csv`, 'utf8')).toBe(await readFile(file, 'utf8'));
    const tried = await portreeve('host', 'import', file, '--dry-run', '--max-errors', '1');
    expect(tried).toMatchObject({
      code: 1,
      out: expect.stringContaining('CHECKED  2 would be created, 0 updated, 0 unchanged, 1 failed'),
    });
    const result = await portreeve('host', 'import', file, '--max-errors', '1');
    expect(result).toMatchObject({ code: 1, out: expect.stringContaining('IMPORTED  2 created, 0 updated, 1 failed') });
    const fixed = join(folder, 'more.jsonl');
    await writeFile(fixed, `${JSON.stringify({ 'adap.mac': '0050c2aa0002', 'host.host': 'cart-2' })}\n`);
    expect(await portreeve('host', 'import', fixed)).toMatchObject({
      code: 0,
      out: expect.stringContaining('1 created'),
    });
    const shown = await portreeve('host', 'list', '--filter', 'hostName==cart*', '--columns', 'hostName,primaryMac');
    expect(shown.out).toContain('cart, one');
    expect(await portreeve('host', 'import', join(folder, 'no-such-file'))).toMatchObject({ code: 2 });
    const drawn = await runOnTerminal(['host', 'import', fixed], env);
    expect(drawn.code).toBe(0);
  });

  test('control characters in a host name are escaped on the terminal', async () => {
    const hostName = '<b>$(reboot)\u202Egpj.exe \u2066';
    const reply = await admin.post('/host', { hostName });
    const id = String(reply.headers.location).split('/').at(-1)!;
    for (const args of [
      ['host', 'get', id],
      ['host', 'list', '--filter', `id==${id}`],
      ['host', 'get', id, '--json'],
    ]) {
      const { code, out } = await portreeve(...args);
      expect([code, /[\u202E\u2066]/u.test(out)]).toEqual([0, false]);
      expect(out).toContain('<b>$(reboot)');
    }
  });

  test('creates a group under its type, updates it without the type, and draws the hierarchy', async () => {
    const result = await portreeve('group', 'create', 'PORT', '--set', 'name=Top floor');
    expect(result).toMatchObject({ code: 0, out: expect.stringMatching(/^Created group \d+ "Top floor"\.\n$/) });
    const id = /\d+/.exec(result.out)![0];
    expect(await portreeve('group', 'create', '--set', 'name=x')).toMatchObject({
      code: 2,
      err: expect.stringContaining('GROUPTYPE is missing'),
    });
    expect((await portreeve('group', 'create', 'ports', '--set', 'name=x')).code).toBe(2);
    expect(await portreeve('group', 'update', id, '--set', 'description=All of it')).toMatchObject({ code: 0 });
    expect(await portreeve('group', 'update', 'Top floor', '--set', 'name=Roof', '--dry-run')).toMatchObject({
      code: 0,
      out: expect.stringContaining('Roof'),
    });
    const file = join(folder, 'groups.jsonl');
    const lines = [
      { type: 'PORT', name: 'West wing', childGroups: [Number(id)] },
      { type: 'PORT', name: 'East wing', childGroups: [Number(id)] },
      { name: 'of no type' },
    ];
    await writeFile(file, lines.map((record) => `${JSON.stringify(record)}\n`).join(''));
    expect((await portreeve('group', 'import', file)).out).toBe(
      '2 records created, 0 updated or unchanged, 1 failed.\n',
    );
    const tree = await portreeve('group', 'tree', '--type', 'port');
    expect(tree.out).toMatch(/├─ East wing {2}#\d+, 0 members\n│ {2}└─ Top floor {2}#\d+, 0 members\n/);
    const [west] = (await admin.get('/system/group?filter=name=="West wing"')).body.results!;
    expect((await portreeve('group', 'tree', '--below', String(west!.dbid))).out).toBe(
      `PORT\n└─ West wing  #${west!.dbid}, 0 members\n   └─ Top floor  #${id}, 0 members\n`,
    );
    expect((await portreeve('group', 'descendants', 'West wing', '--json')).out).toContain('"depth": 1');
    expect((await portreeve('group', 'members', id, '--nested', 'true', '--count', '5')).code).toBe(0);
  });

  test('lists as a table, as JSON, and as lines of JSON', async () => {
    const evil = 'a\u009b2Jb\u202ec';
    await make('list-1', { description: evil });
    await make('list-2');
    const filter = ['--filter', 'name==list-*', '--sort', 'name', '--desc'];
    const table = await runOnTerminal(['container', 'list', ...filter], env);
    expect(table.code).toBe(0);
    const lines = table.out.split('\r\n');
    // biome-ignore lint/suspicious/noControlCharactersInRegex: the escape sequence for bold
    expect(lines[0]).toMatch(/^\u001b\[1mid +name +/);
    expect(lines[1]).toMatch(/^ *\d+ +list-2/);
    expect(lines[2]).toMatch(/list-1 .*a\\x9b2Jb\\u\{202e\}c/);
    expect(table.out).toContain('2 records of 2 matching, ');

    const plain = await runOnTerminal(['container', 'list', ...filter], { ...env, NO_COLOR: '1' });
    expect(plain.out).not.toContain('\u001b');

    const json = await portreeve('container', 'list', ...filter, '--json');
    expect(JSON.parse(json.out)).toMatchObject([{ name: 'list-2' }, { name: 'list-1', description: evil }]);
    expect(json.out).not.toContain('\u009b');
    expect(json.err).toContain('2 records of 2 matching');

    const all = await portreeve('container', 'list', ...filter, '--all', '--json');
    expect(all.out).toBe(json.out);

    const tabbed = await portreeve('container', 'list', ...filter, '--columns', 'name,parent');
    expect(tabbed.out).toBe('name\tparent\nlist-2\tNetwork\nlist-1\tNetwork\n');
    expect((await portreeve('container', 'count', '--filter', 'name==list-*')).out).toBe('2\n');
  });

  test('gets a record by identity or name, with what its fields mean', async () => {
    const id = await make('get "me" *');
    const byName = await portreeve('container', 'get', 'get "me" *', '--explain');
    expect(byName.out).toMatch(new RegExp(`^id: +${id}$`, 'm'));
    expect(byName.out).toContain('Name, unique in the cell.');
    const json = await portreeve('container', 'get', String(id), '--json');
    expect(JSON.parse(json.out)).toEqual(await fetch(id));
    expect(await portreeve('container', 'get', 'nobody')).toMatchObject({ code: 5, out: '' });
    expect(await portreeve('container', 'get', '999999')).toMatchObject({
      code: 5,
      err: 'portreeve: There is no Container 999999.\n',
    });
  });

  test('creates from options, a file and standard input', async () => {
    const dry = await portreeve('container', 'create', '--set', 'name=dry', '--dry-run');
    expect(dry.out).toMatch(/^name: +dry$/m);
    expect(dry.err).toContain('Dry run: nothing was created.');
    expect((await portreeve('container', 'get', 'dry')).code).toBe(5);

    const set = await portreeve('container', 'create', '--set', 'name=by-set', '--set', 'pollingInterval=900');
    const id = Number(/^Created container (\d+) "by-set"\.\n$/.exec(set.out)?.[1]);
    expect(await fetch(id)).toMatchObject({ name: 'by-set', pollingInterval: 900 });

    const file = join(folder, 'two.jsonl');
    await writeFile(file, '{"name":"by-file-1"}\n\n{"name":"by-file-2"}\n');
    const two = await portreeve('container', 'create', '--file', file, '--set', 'notes=from a file', '--json');
    const [first, second] = two.out
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line).id);
    expect([await fetch(first), await fetch(second)]).toMatchObject([
      { name: 'by-file-1', notes: 'from a file' },
      { name: 'by-file-2', notes: 'from a file' },
    ]);

    const piped = await runPortreeve(['container', 'create'], env, '[{"name":"by-pipe"}]');
    expect(piped.out).toMatch(/^Created container/);
  });

  test('keeps a secret from the command line', async () => {
    const secret = join(folder, 'secret');
    await writeFile(secret, 'correct-horse-battery\n');
    const result = await portreeve(
      'aaa-server',
      'create',
      '--set',
      'name=r',
      '--set',
      'netId=192.0.2.1',
      '--set-file',
      `secret=${secret}`,
    );
    expect(result).toMatchObject({ code: 0, err: '' });
    expect((await portreeve('aaa-server', 'secret', 'r')).out).toContain('correct-horse-battery');
    await writeFile(secret, 'another-horse\n');
    const changed = await portreeve('aaa-server', 'update', 'r', '--set-file', `secret=${secret}`);
    expect(changed.out).toMatch(/^Updated aaa-server \d+ "r"\.\nsecret: set\n$/);
  });

  test('shows before an update what it would change, field by field', async () => {
    const id = await make('update-me', { notes: 'old' });
    const before = await fetch(id);
    const dry = await portreeve(
      'container',
      'update',
      'update-me',
      '--set',
      'notes=new',
      '--set',
      'description=null',
      '--dry-run',
    );
    expect(dry).toMatchObject({ code: 0, out: expect.stringContaining('notes: "old" → "new"\n') });
    expect(await fetch(id)).toEqual(before);
    expect((await portreeve('container', 'update', String(id), '--set', 'notes=new')).out).toBe(
      `Updated container ${id} "update-me".\nnotes: "old" → "new"\n`,
    );
    expect(await fetch(id)).toMatchObject({ notes: 'new', name: 'update-me' });
    expect((await portreeve('container', 'update', String(id), '--set', 'notes=new', '--dry-run')).out).toBe(
      'Nothing would change.\n',
    );
    expect((await portreeve('container', 'update', String(id), '--set', 'notes=new')).out).toBe(
      `Updated container ${id} "update-me".\nNothing changed: the record already had these values.\n`,
    );
    const stale = await portreeve('container', 'update', String(id), '--set', 'notes=newer', '--if-match', '1');
    expect(stale.code).toBe(6);
    expect((await portreeve('container', 'update', '999999', '--set', 'notes=x')).code).toBe(5);
  });

  test('updates a part of an object and leaves its neighbours', async () => {
    const { out } = await portreeve(
      'background-task',
      'create',
      '--set',
      'message=parts',
      '--set',
      'attributes.a=1',
      '--set',
      'attributes.b=2',
    );
    const id = /\d+/.exec(out)![0];
    await portreeve('background-task', 'update', id, '--set', 'attributes.b=3');
    const { out: json } = await portreeve('background-task', 'get', id, '--json');
    expect(JSON.parse(json).attributes).toEqual({ a: '1', b: '3' });
  });

  test('reads and changes settings, which have no identity', async () => {
    expect((await portreeve('proxy-settings', 'get')).out).toMatch(/^httpNonProxyHosts:/m);
    const change = ['proxy-settings', 'update', '--set', 'httpNonProxyHosts=*.example.net'];
    const dry = await portreeve(...change, '--dry-run');
    expect(dry).toMatchObject({ code: 0, out: expect.stringContaining('→ "*.example.net"') });
    expect((await portreeve(...change)).out).toBe('Updated proxy-settings.\nhttpNonProxyHosts: "" → "*.example.net"\n');
    expect((await portreeve('proxy-settings', 'get')).out).toMatch(/^httpNonProxyHosts: +\*\.example\.net$/m);
  });

  test('deletes with --yes', async () => {
    const ids = [await make('delete-1'), await make('delete-2'), await make('delete-3')].map(String);
    const unasked = await portreeve('container', 'delete', ids[0]!);
    expect(unasked).toMatchObject({ code: 2, err: expect.stringContaining('Use --yes') });
    expect((await portreeve('container', 'delete', ids[0]!, '--dry-run')).out).toContain('can be deleted');
    const refused = await runOnTerminal(['container', 'delete', ids[0]!], env, 'n\n');
    expect(refused.out).toContain(`Delete container ${ids[0]} "delete-1"? [y/N]`);
    expect(refused.code).toBe(2);
    const agreed = await runOnTerminal(['container', 'delete', 'delete-1'], env, 'y\n');
    expect(agreed.out).toContain(`Deleted container ${ids[0]} "delete-1".`);
    expect((await portreeve('container', 'delete', ids[1]!, ids[2]!, '--yes')).out).toBe(
      `Deleted 2 container records: ${ids[1]}, ${ids[2]}.\n`,
    );
    expect((await portreeve('container', 'count', '--filter', 'name==delete-*')).out).toBe('0\n');
  });

  test('changes exactly one field when an export is edited and imported', async () => {
    await Promise.all([1, 2, 3].map((n) => make(`transfer-${n}`, { notes: `note ${n}` })));
    const { out } = await portreeve('container', 'export', '--filter', 'name==transfer-*');
    const records = out
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(records).toHaveLength(3);
    const file = join(folder, 'transfer.jsonl');
    const changed = records.map((record, index) => (index === 1 ? { ...record, notes: 'changed' } : record));
    await writeFile(file, changed.map((record) => `${JSON.stringify(record)}\n`).join(''));
    expect(await portreeve('container', 'import', file)).toMatchObject({
      code: 0,
      out: '0 records created, 3 updated or unchanged.\n',
    });
    const after = await Promise.all(records.map(({ id }) => fetch(id)));
    expect([after[0], after[2]]).toEqual([records[0], records[2]]);
    const different = Object.keys(after[1]!).filter(
      (name) => JSON.stringify(after[1]![name]) !== JSON.stringify(records[1][name]),
    );
    expect(different).toContain('notes');
    expect(after[1]).toMatchObject({ notes: 'changed', version: records[1].version + 1 });
    const expectedFields = ['notes', 'version', 'packedVersion', 'lastChangeMask', 'changeMask', 'addAuditSummary'];
    expect(different.filter((name) => !expectedFields.includes(name))).toEqual([]);
  });

  test('failed lines are written to a file of their own, and can be fixed and imported', async () => {
    const file = join(folder, 'broken.jsonl');
    await writeFile(file, '{"name":"whole"}\n{"nmae":"broken"}\nnot json\n');
    expect(await portreeve('container', 'import', file)).toMatchObject({
      code: 2,
      out: '1 record created, 0 updated or unchanged, 2 failed.\n',
      err: expect.stringContaining(`${file}.failed.jsonl`),
    });
    const failed = await readFile(`${file}.failed.jsonl`, 'utf8');
    expect(
      failed
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line)),
    ).toMatchObject([
      { line: 2, status: 'invalid', reason: expect.stringContaining('nmae'), record: { nmae: 'broken' } },
      { line: 3, status: 'invalid', record: 'not json' },
    ]);
    await writeFile(`${file}.failed.jsonl`, failed.split('\n')[0]!.replace('{"nmae"', '{"name"'));
    expect((await portreeve('container', 'import', `${file}.failed.jsonl`)).out).toMatch(/^1 record created/);
    const bar = await runOnTerminal(['container', 'import', file, '--dry-run'], env);
    expect(bar.out).toMatch(/Checking {2}█+.*100 %/);
    expect(bar.out).toContain('Dry run: nothing was changed.');
  });

  test('moves and switches what has a rank', async () => {
    const ids: string[] = [];
    for (const name of ['rank-a', 'rank-b', 'rank-c']) {
      const { out } = await portreeve('directory-agent-config', 'create', '--set', `name=${name}`, '--json');
      ids.push(String(JSON.parse(out).id));
    }
    expect((await portreeve('directory-agent-config', 'rank', 'rank-c', '1')).code).toBe(0);
    expect((await portreeve('directory-agent-config', 'rank-swap', ids[0]!, ids[1]!)).code).toBe(0);
    expect((await portreeve('directory-agent-config', 'disable', 'rank-a')).code).toBe(0);
    const { out } = await portreeve('directory-agent-config', 'list', '--columns', 'rank,name,enabled');
    expect(
      out
        .split('\n')
        .slice(1, 4)
        .map((line) => line.split('\t')[1]),
    ).toEqual(['rank-c', 'rank-b', 'rank-a']);
    expect(out).toContain('rank-a\tfalse');
  });

  test('reports errors in sentences and ends with their exit code', async () => {
    const wrong = await portreeve(
      'aaa-server',
      'create',
      '--set',
      'name=x',
      '--set',
      'netId=y',
      '--set',
      'authPort=99999',
    );
    expect(wrong).toMatchObject({ code: 2, out: '' });
    expect(wrong.err).toContain(
      '  --set authPort=99999\n        ^^^^^^^^^^^^^^\nportreeve: authPort: 99999 is out of range',
    );
    await make('taken');
    expect((await portreeve('container', 'create', '--set', 'name=taken')).code).toBe(6);
    expect((await runPortreeve(['container', 'list'], { ...env, PORTREEVE_TOKEN: 'nonsense' })).code).toBe(3);
    const stranger = await caller({});
    const forbidden = await runPortreeve(['container', 'list'], { ...env, PORTREEVE_TOKEN: stranger.token });
    expect(forbidden).toMatchObject({ code: 4, err: expect.stringContaining('the right to view devices') });
    const filter = await portreeve('container', 'list', '--filter', 'nme==x');
    expect(filter).toMatchObject({ code: 2, err: expect.stringContaining('; did you mean name?') });
    expect(await portreeve('container', 'lst')).toMatchObject({
      code: 2,
      err: expect.stringContaining('Did you mean list?'),
    });
  });

  test('stores the connection readable by its owner only, and sends the token to no other address', async () => {
    const home = join(folder, 'home');
    const bare = { HOME: home };
    const wrong = await runPortreeve(['login', '--url', url, '--token', 'nonsense'], bare);
    expect(wrong.code).toBe(3);
    const login = await runPortreeve(['login', '--url', `${url}/api/v2/`], bare, `${admin.token}\n`);
    expect(login).toMatchObject({ code: 0, out: expect.stringContaining(`Signed in at ${url}`) });
    const stats = await stat(join(home, '.config', 'portreeve', 'config.json'));
    expect(stats.mode & 0o777).toBe(0o600);
    expect((await runPortreeve(['container', 'count'], bare)).code).toBe(0);
    const receivedTokens: (string | undefined)[] = [];
    await another(
      (request, response) => {
        receivedTokens.push(request.headers.authorization);
        response.writeHead(404).end();
      },
      (port) => runPortreeve(['container', 'count', '--url', `http://127.0.0.1:${port}`], bare),
    );
    expect(receivedTokens).toEqual([undefined]);
  });

  describe('a job', () => {
    const start = (which: typeof countSlowly) =>
      service.runtime.transact(systemOrigin('test'), (tx) => startTask(tx, service.jobs!, which, {}, 'Count switches'));

    test('is followed with a bar until it is done', async () => {
      const { promise, resolve } = Promise.withResolvers<void>();
      lastSwitch = promise;
      const id = await start(countSlowly);
      const watching = runOnTerminal(['background-task', 'watch', String(id)], env);
      const done = async () => ((await admin.fetch(backgroundTask, id)).progress as { done: number }).done;
      await expect.poll(done).toBe(3);
      // From here on, only the program sends requests; it polls the last stored progress.
      const requestCount = async () =>
        Number(/operation="background-task.fetch",status="success"\} (\d+)/.exec(await service.metrics.page())?.[1]);
      const before = await requestCount();
      await expect.poll(requestCount).toBeGreaterThan(before + 1);
      resolve();
      const watched = await watching;
      expect(watched.code).toBe(0);
      expect(watched.out).toMatch(/Task \d+ {2}█+░*.* %.*switch-\d/);
      expect(watched.out).toContain('all  COUNTED  4');
      expect(watched.out).toContain('is done: Count switches');
    });

    test('that fails ends with 1', async () => {
      const watched = await portreeve('background-task', 'watch', String(await start(failAlways)));
      expect(watched).toMatchObject({ code: 1, err: expect.stringContaining('The switch did not answer.') });
    });

    test('that an operation started is followed, except with --no-wait', async () => {
      const polls: string[] = [];
      const answer: RequestListener = (request, response) => {
        const isTask = request.url!.startsWith('/api/v2/system/background-task/');
        if (isTask) polls.push(request.url!);
        const state = polls.length > 1 ? 'COMPLETED' : 'RUNNING';
        const progress = { done: 1, total: 2, step: '' };
        const task = { message: 'Validate', state, progress, report: [], errorMessage: null };
        response.writeHead(isTask ? 200 : 202, { location: '/api/v2/system/background-task/9' });
        response.end(JSON.stringify({ status: 'success', errorMessage: null, ...(isTask && { results: [task] }) }));
      };
      await another(answer, async (port) => {
        const there = { ...env, PORTREEVE_URL: `http://127.0.0.1:${port}` };
        const hasty = await runPortreeve(['directory-agent-config', 'enable', '3', '--no-wait'], there);
        expect(hasty.out).toBe('Started task 9. Follow it with: portreeve background-task watch 9\n');
        expect(polls).toEqual([]);
        const patient = await runPortreeve(['directory-agent-config', 'enable', '3'], there);
        expect(patient).toMatchObject({ code: 0, err: 'Task 9 is done: Validate\n' });
        expect(polls).toHaveLength(2);
      });
    });
  });

  describe('doctor', () => {
    const examine = (variables: Record<string, string>) =>
      runPortreeve(['doctor'], {
        HOME: folder,
        PORTREEVE_PORT: new URL(url).port,
        PORTREEVE_ARCHIVE_FOLDER: folder,
        ...variables,
      });

    test('finds a node that serves in order, without a word of a secret', async () => {
      const key = (await testMasterKey()).toString('hex');
      const file = join(folder, 'master.key');
      await writeFile(file, `${key}\n`, { mode: 0o600 });
      const result = await examine({ PORTREEVE_DATABASE_URL: database.serviceUrl, PORTREEVE_KEY_FILE: file });
      expect(result).toMatchObject({ code: 0, err: '' });
      for (const words of [
        'Node 24.',
        'PostgreSQL ',
        'neither superuser nor owner',
        'migrations: all ',
        'key: fits',
        'clock: ',
        'is served by Portreeve',
        'archive folder: ',
        'fping: can ping',
      ])
        expect(result.out).toContain(words);
      expect(result.out).not.toContain(key);
      expect(result.out).not.toContain('not ok');
    });

    test('finds the owner role used as service role, a wrong key, and a port in use', async () => {
      const file = join(folder, 'other.key');
      await runPortreeve(['keys', 'create', file], {});
      const result = await another(
        (_request, response) => response.end('hello'),
        (port) =>
          examine({
            PORTREEVE_DATABASE_URL: database.ownerUrl,
            PORTREEVE_KEY_FILE: file,
            PORTREEVE_PORT: String(port),
          }),
      );
      expect(result.code).toBe(1);
      expect(result.out).toMatch(/not ok {2}role: .* owns the database/);
      expect(result.out).toMatch(/not ok {2}key: The key file does not fit this database/);
      expect(result.out).toMatch(/not ok {2}port: .* is in use by another program/);
      expect(result.err).toBe('3 problems found.\n');
    });

    test('reports that the database does not respond, without its password', async () => {
      const result = await examine({
        PORTREEVE_DATABASE_URL: 'postgres://portreeve_service:hunter2@127.0.0.1:1/portreeve',
      });
      expect(result.code).toBe(1);
      expect(result.out).toContain('portreeve_service@127.0.0.1:1/portreeve does not respond');
      expect(result.out + result.err).not.toContain('hunter2');
    });
  });

  test('follows events through the restart of a node, each once, until Ctrl-C', async () => {
    const node = await openNode({ database });
    const address = await node.app.listen({ host: '127.0.0.1', port: 0 });
    const post = (name: string) => admin.create(event, { name, elementType: 0, message: `posted by ${name} \u009b2J` });
    const tails = [
      startPortreeve(['event', 'tail', '--filter', 'name==EXT_*'], { ...env, PORTREEVE_URL: address }),
      startPortreeve(['event', 'tail', '--json', '--filter', 'name==EXT_*'], { ...env, PORTREEVE_URL: address }),
    ];
    const [asText, asJson] = tails as [Running, Running];
    const until = (running: Running, words: string) =>
      expect.poll(() => running.out + running.err, { timeout: 60_000 }).toContain(words);
    for (const running of tails) await until(running, 'Waiting for new entries');
    await post('EXT_BEFORE');
    await admin.post('/logging/event/note', { text: 'not asked for' });
    for (const running of tails) await until(running, 'EXT_BEFORE');
    await node.close();
    await post('EXT_MEANWHILE');
    for (const running of tails) await until(running, 'Retrying.');
    const secondNode = await openNode({ database });
    await secondNode.app.listen({ host: '127.0.0.1', port: Number(new URL(address).port) });
    try {
      await post('EXT_AFTER');
      for (const running of tails) await until(running, 'EXT_AFTER');
      const ended = await Promise.all(tails.map((running) => running.interrupt()));
      expect(ended.map(({ code }) => code)).toEqual([0, 0]);
    } finally {
      await secondNode.close();
    }
    const names = ['EXT_BEFORE', 'EXT_MEANWHILE', 'EXT_AFTER'];
    expect(
      asJson.out
        .trim()
        .split('\n')
        .map((text) => JSON.parse(text).name),
    ).toEqual(names);
    const [header, ...lines] = asText.out
      .trim()
      .split('\n')
      .map((text) => text.split('\t'));
    expect(header!.slice(1, 2)).toEqual(['name']);
    expect(lines.map(([, name]) => name)).toEqual(names);
    expect(lines[0]![3]).toBe('posted by EXT_BEFORE \\x9b2J');
    const { rows } = await service.runtime.pool.query('select from monitor');
    expect(rows).toEqual([]);
  }, 300_000);

  test('prints completion scripts that the shells accept', async () => {
    const file = join(folder, 'completion.bash');
    await writeFile(file, (await portreeve('completion', 'bash')).out);
    await promisify(execFile)('bash', ['-n', file]);
    const tried = `source ${file}; COMP_WORDS=(portreeve container ge); COMP_CWORD=2; _portreeve; echo "\${COMPREPLY[@]}"`;
    const { stdout } = await promisify(execFile)('bash', ['-c', tried], {
      env: { ...process.env, PATH: `${new URL('..', import.meta.url).pathname}:${process.env.PATH}` },
    });
    expect(stdout).toBe('get\n');
    expect(Object.keys(completionScripts)).toEqual(['bash', 'zsh', 'fish']);
    expect((await portreeve('completion', 'tcsh')).code).toBe(2);
  });

  test('treats a closed pipe as success', async () => {
    const { stderr } = await promisify(execFile)(
      'bash',
      ['-c', `${new URL('../portreeve', import.meta.url).pathname} audit-log list --all --json | head -n 1 >/dev/null`],
      { env: { ...process.env, ...env } },
    );
    expect(stderr).not.toContain('EPIPE');
  });
});
