import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { brokenByLoad, type Finding } from './busy-machine.ts';

const root = fileURLToPath(new URL('../../..', import.meta.url));

const moment = 'chooses when something is killed or changed; nothing is expected to have happened by then';

const header = 'a text that is compared; nothing listens there';

/** Places that may stay, by kind and file: the line, and why a busy machine does not break it. */
const exceptions: Readonly<Record<Finding['kind'], Readonly<Record<string, Readonly<Record<string, string>>>>>> = {
  'elapsed time': {
    'sdk/src/sdk.test.ts': {
      'expect(requests[1]!.atMs).toBeLessThan(8_000);': 'the clock is false and moves by timers only',
      'expect(requests[1]!.atMs).toBeLessThan(7_000);': 'the clock is false and moves by timers only',
      'expect(pauseMs).toBeLessThanOrEqual(250 * 2 ** at);': 'the clock is false and moves by timers only',
    },
  },
  'fixed port': {
    'tools/development.test.ts': {
      "url: 'http://127.0.0.1:8080',": header,
      "expect([url, curl]).toEqual(['https://127.0.0.1:8443', 'curl --cacert /tmp/dev.pem']);": header,
      "expect(trust).toContain('openssl s_client -connect 127.0.0.1:8443');": header,
    },
    'server/src/auth/foreign-page.test.ts': {
      "['the console in a browser that sends only Origin', { ...json, origin: 'http://localhost:80' }],": header,
    },
    'server/src/kernel/http/foreign-page.test.ts': {
      "[publicOrigin, '127.0.0.1:8443'],": header,
      "expect(isRefused({ fetchSite, origin: 'https://elsewhere.example', host: '127.0.0.1:8443' })).toBe(false);":
        header,
    },
    'server/src/host/adapter/network-scan.real.test.ts': {
      'server.listen(2222, address);': 'the scan looks at this port; where it is taken, the next address is tried',
    },
  },
  sleep: {
    'server/src/protocols/snmp/trap-receiver.real.test.ts': {
      'await new Promise((resolve) => setTimeout(resolve, 5)); // simulates a transaction':
        'how long a transaction takes at least; a longer one only makes larger batches',
    },
    'server/src/system/background-task/follow-jobs.long.test.ts': {
      'await sleep(200);': 'proves that nothing follows; late work would be missed, and never be a false alarm',
    },
    'server/test/overlay/job-on-create.ts': {
      'run: async () => void (await sleep(20)),': 'how long the job takes at least; its end is waited for',
    },
    'server/test/trials/log-monitor.ts': {
      'await sleep(this.#options.seconds * 250);': moment,
      'await sleep(this.#options.seconds * 333);': moment,
      'await sleep(this.#options.seconds * 500);': moment,
    },
    'server/test/trials/sudden-death.ts': {
      'await sleep(300 + this.random() * 500);': moment,
    },
    'server/test/trials/two-nodes.ts': {
      'await sleep((options.seconds * 1_000) / 3);': moment,
      'await sleep((options.seconds * 1_000) / 4);': moment,
      'await sleep(300);': 'lets clients go on after the last restart; what they meet is judged, not how much it is',
    },
  },
};

/** The folders of vitest.config.ts, without what the gate leaves to `npm test -- --all`. */
const gateTests = globSync('{server/src,server/test,sdk/src,cli/src,testbed/src,tools}/**/*.test.ts', {
  cwd: root,
}).filter((path) => !/\.(slow|bench)\.test\.ts$/.test(path));

const helperFolders = /^(server\/test|testbed\/src)\/|\.fixture\.ts$/;

/** The tests of the gate, what they import that only tests use, and the fixtures, which are found by their name. */
function gateFiles(): Map<string, string> {
  const found = new Map<string, string>();
  const add = (path: string): void => {
    if (found.has(path) || !existsSync(join(root, path))) return;
    const text = readFileSync(join(root, path), 'utf8');
    found.set(path, text);
    for (const { 1: name = '' } of text.matchAll(/'((?:\.{1,2}|@portreeve\/testbed)\/[^'\n]+\.ts)'/g)) {
      const imported = name.startsWith('.')
        ? join(dirname(path), name)
        : name.replace('@portreeve/testbed', 'testbed/src');
      if (helperFolders.test(imported) && !imported.endsWith('.test.ts')) add(imported);
    }
  };
  for (const path of [...gateTests, ...globSync('server/src/**/*.fixture.ts', { cwd: root })]) add(path);
  return found;
}

const words = ({ kind, file, line }: Finding): string => `${kind}: ${file}: ${line}`;

describe('on a busy machine', () => {
  const files = gateFiles();

  test('the tests of the gate hold no bound on elapsed time, no fixed port and no sleep in place of a condition', () => {
    expect(files.size).toBeGreaterThan(250);
    const found = [...files]
      .filter(([path]) => !path.includes('/busy-machine.'))
      .flatMap(([path, text]) => brokenByLoad(path, text));
    const listed = Object.entries(exceptions).flatMap(([kind, byFile]) =>
      Object.entries(byFile).flatMap(([file, lines]) =>
        Object.keys(lines).map((line) => words({ kind: kind as Finding['kind'], file, line })),
      ),
    );
    expect(
      found.map(words).sort(),
      'wait for the condition (until, expect.poll), take promised() or cpuMsOf() for a bound, and port 0; or list the line with its reason',
    ).toEqual(listed.sort());
  });

  test('every exception has its reason', () => {
    for (const byFile of Object.values(exceptions))
      for (const lines of Object.values(byFile))
        for (const [line, reason] of Object.entries(lines)) expect(reason.length, line).toBeGreaterThan(20);
  });
});

describe('what a busy machine breaks', () => {
  const planted = (text: string): string[] =>
    brokenByLoad('planted.test.ts', text).map(({ kind, line }) => `${kind}: ${line}`);

  test.each([
    'expect(performance.now() - began).toBeLessThan(500);',
    "expect(Date.now() - began, 'slow').toBeLessThanOrEqual(1_000);",
    'expect(result.durationMs).toBeLessThan(3_000);',
    'expect(await foundAfterMs(device)).toBeLessThan(2_000);',
    'expect(Math.max(...report.recoveryMs)).toBeLessThan(5_000);',
    'expect(performance.now() - began < 500).toBe(true);',
    'expect(deadline).toBeGreaterThan(Date.now());',
  ])('a bound on elapsed time is found: %s', (line) => {
    expect(planted(`test('x', async () => {\n  ${line}\n});\n`)).toEqual([`elapsed time: ${line}`]);
  });

  test('a bound is found by the name of the difference, and over several lines', () => {
    const text = `const spent = performance.now() - began;\nexpect(spent).toBeLessThan(500);\nexpect(\n  reply.tookMs,\n  'slow',\n)\n  .not.toBeLessThan(5);\n`;
    expect(planted(text)).toEqual(['elapsed time: expect(spent).toBeLessThan(500);', 'elapsed time: expect(']);
  });

  test.each([
    'expect(performance.now() - began).toBeLessThan(promised(500));',
    'expect(cpuMsOf(() => clean(drawing))).toBeLessThan(500);',
    'const cpuMs = cpuMsOf(work); expect(cpuMs).toBeLessThan(500);',
    'expect(performance.now() - began).toBeGreaterThanOrEqual(500);',
    'expect(rows.length).toBeLessThan(5);',
    '// expect(performance.now() - began).toBeLessThan(500);',
  ])('this is none: %s', (line) => {
    expect(planted(line)).toEqual([]);
  });

  test.each([
    'server.listen(2222, address);',
    "socket.bind(1_812, '127.0.0.1');",
    "await service.app.listen({ host: '127.0.0.1', port: 8080 });",
    'const device = await openSshDevice({ users, port: 2222 });',
    'const receiver = new TrapReceiver({ port: 162 });',
    "const reply = await fetch('http://127.0.0.1:8080/healthz');",
    'const client = new Client({ url: `http://localhost:8080` });',
    "const environment = { PORTREEVE_PORT: '8080' };",
  ])('a fixed port is found: %s', (line) => {
    expect(planted(`  ${line}\n`)).toEqual([`fixed port: ${line}`]);
  });

  test('a fixed port is found by the name of the constant', () => {
    expect(planted('const sshPort = 2222;\nserver.listen(sshPort, address);\n')).toEqual([
      'fixed port: server.listen(sshPort, address);',
    ]);
  });

  test.each([
    'server.listen(0, address);',
    "await service.app.listen({ host: '127.0.0.1', port: 0 });",
    'const handler = handle.bind(target);',
    "await admin.create(aaaServer, { name: 'a', authPort: 1812 });",
    `const reply = await fetch(\`http://127.0.0.1:$\{port}/healthz\`);`,
  ])('this is none: %s', (line) => {
    expect(planted(line)).toEqual([]);
  });

  test.each([
    'await sleep(500);',
    'await sleep(settleMs);',
    'await new Promise((done) => setTimeout(done, 100));',
    'setTimeout(() => aborter.abort(), 50);',
  ])('a sleep is found: %s', (line) => {
    const before = 'for (const name of names) await create(name);\nwhile (isOver()) {\n  look();\n}';
    expect(planted(`test('x', async () => {\n  ${before}\n  ${line}\n});\n`)).toEqual([`sleep: ${line}`]);
  });

  test('a second line that is equal to a listed one is found too', () => {
    expect(planted('await sleep(200);\nlook();\nawait sleep(200);\n')).toEqual([
      'sleep: await sleep(200);',
      'sleep: await sleep(200);',
    ]);
  });

  test.each([
    'while (!isOver) await sleep(20);',
    'for (; !(await isDone()); await sleep(50)) look();',
    'for (let tries = 0; tries < 9; tries++) {\n  if (await isDone()) return;\n  await sleep(50);\n}',
    'do {\n  await sleep(50);\n} while (!isOver);',
    'await expect.poll(async () => {\n  await sleep(5);\n  return read();\n}).toBe(1);',
    "await until('it is there', () => sleep(5).then(isThere));",
    'await sleep(0);',
    "const words = 'await sleep(500)';",
  ])('this is none: %s', (text) => {
    expect(planted(`${text}\n`)).toEqual([]);
  });
});
