import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { brokenByLoad, type Finding } from './busy-machine.ts';

const root = fileURLToPath(new URL('../../..', import.meta.url));

const moment = 'chooses when a process is killed or a setting changed; no result is expected at that time';

const header = 'a text that is compared; no server listens there';

/** Allowed lines by kind and file, each with the reason why it also works on a busy machine. */
const exceptions: Readonly<Record<Finding['kind'], Readonly<Record<string, Readonly<Record<string, string>>>>>> = {
  'elapsed time': {
    'server/src/logging/connection-log/connection-log.test.ts': {
      'expect(Date.now() - Date.parse(oldest!.end_time)).toBeLessThan(180 * 86_400_000);':
        'compares the end of a row with the age of the log, not a duration',
    },
    'server/src/radius/accounting/accounting.test.ts': {
      'expect(Math.abs(Date.parse(row!.end_time) - Date.now())).toBeLessThan(3_600_000);':
        'shows that a clock that is a year off does not decide the end of a connection',
    },
    'sdk/src/sdk.test.ts': {
      'expect(requests[1]!.atMs).toBeLessThan(8_000);': 'the clock is simulated and moves by timers only',
      'expect(requests[1]!.atMs).toBeLessThan(7_000);': 'the clock is simulated and moves by timers only',
      'expect(pauseMs).toBeLessThanOrEqual(250 * 2 ** index);': 'the clock is simulated and moves by timers only',
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
      'server.listen(2222, address);': 'the scan connects to this port; where it is in use, the next address is tried',
    },
  },
  sleep: {
    'server/src/protocols/snmp/trap-receiver.real.test.ts': {
      'await new Promise((resolve) => setTimeout(resolve, 5)); // simulates a transaction':
        'the shortest duration of a transaction; a longer one only makes larger batches',
    },
    'server/src/system/background-task/follow-jobs.long.test.ts': {
      'await sleep(200);':
        'proves that no further request follows; a late one would be missed, which never fails the test',
    },
    'server/test/overlay/job-on-create.ts': {
      'run: async () => void (await sleep(20)),': 'the shortest duration of the job; the test waits for its end',
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
      'await sleep(300);':
        'lets clients continue after the last restart; their results are checked, not how many they are',
    },
  },
};

/** The folders of vitest.config.ts, without the tests that only `npm test -- --all` runs. */
const gateTests = globSync('{server/src,server/test,sdk/src,cli/src,testbed/src,tools}/**/*.test.ts', {
  cwd: root,
}).filter((path) => !/\.(slow|bench)\.test\.ts$/.test(path));

const helperFolders = /^(server\/test|testbed\/src)\/|\.fixture\.ts$/;

/** Returns the tests of the gate, the test helpers that they import, and all fixtures, with their texts. */
function gateFiles(): Map<string, string> {
  const textByPath = new Map<string, string>();
  const add = (path: string): void => {
    if (textByPath.has(path) || !existsSync(join(root, path))) return;
    const text = readFileSync(join(root, path), 'utf8');
    textByPath.set(path, text);
    for (const { 1: name = '' } of text.matchAll(/'((?:\.{1,2}|@portreeve\/testbed)\/[^'\n]+\.ts)'/g)) {
      const imported = name.startsWith('.')
        ? join(dirname(path), name)
        : name.replace('@portreeve/testbed', 'testbed/src');
      if (helperFolders.test(imported) && !imported.endsWith('.test.ts')) add(imported);
    }
  };
  for (const path of [...gateTests, ...globSync('server/src/**/*.fixture.ts', { cwd: root })]) add(path);
  return textByPath;
}

const words = ({ kind, file, line }: Finding): string => `${kind}: ${file}: ${line}`;

describe('the tests of the gate', () => {
  const files = gateFiles();

  test('have no bound on elapsed time, no fixed port and no sleep in place of a condition', () => {
    expect(files.size).toBeGreaterThan(250);
    const findings = [...files]
      .filter(([path]) => !path.includes('/busy-machine.'))
      .flatMap(([path, text]) => brokenByLoad(path, text));
    const listed = Object.entries(exceptions).flatMap(([kind, byFile]) =>
      Object.entries(byFile).flatMap(([file, lines]) =>
        Object.keys(lines).map((line) => words({ kind: kind as Finding['kind'], file, line })),
      ),
    );
    expect(
      findings.map(words).sort(),
      'wait for the condition (until, expect.poll), use promised() or cpuMsOf() for a bound, and port 0; or list the line with its reason',
    ).toEqual(listed.sort());
  });

  test('have a reason for every exception', () => {
    for (const byFile of Object.values(exceptions))
      for (const lines of Object.values(byFile))
        for (const [line, reason] of Object.entries(lines)) expect(reason.length, line).toBeGreaterThan(20);
  });
});

describe('brokenByLoad', () => {
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
  ])('reports a bound on elapsed time: %s', (line) => {
    expect(planted(`test('x', async () => {\n  ${line}\n});\n`)).toEqual([`elapsed time: ${line}`]);
  });

  test('reports a bound on a variable that holds a difference of times, and over several lines', () => {
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
  ])('accepts a bound on something else: %s', (line) => {
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
  ])('reports a fixed port: %s', (line) => {
    expect(planted(`  ${line}\n`)).toEqual([`fixed port: ${line}`]);
  });

  test('reports a fixed port in a constant', () => {
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
  ])('accepts a port that is not fixed: %s', (line) => {
    expect(planted(line)).toEqual([]);
  });

  test.each([
    'await sleep(500);',
    'await sleep(settleMs);',
    'await new Promise((done) => setTimeout(done, 100));',
    'setTimeout(() => aborter.abort(), 50);',
  ])('reports a sleep: %s', (line) => {
    const before = 'for (const name of names) await create(name);\nwhile (isOver()) {\n  look();\n}';
    expect(planted(`test('x', async () => {\n  ${before}\n  ${line}\n});\n`)).toEqual([`sleep: ${line}`]);
  });

  test('reports a second line that is equal to a listed one', () => {
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
  ])('accepts a pause within a loop, a zero pause or a text: %s', (text) => {
    expect(planted(`${text}\n`)).toEqual([]);
  });
});
