import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { postgresFolder, superRole } from '@portreeve/testbed/postgres.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

const run = promisify(execFile);
const space = `portreeve-demo-${process.pid}`;
const demoProgram = fileURLToPath(new URL('../demo.ts', import.meta.url));
const port = 8080;

interface Reply {
  status: number;
  body: { errorMessage: string | null; results?: Record<string, unknown>[] };
}

/** Runs the complete demonstration in a network namespace with one way out, and counts the packets that leave there. */
describe.skipIf(process.getuid?.() !== 0)('no packet leaves the machine', () => {
  let folder: string;
  let demo: ChildProcess;
  let token: string;

  const inside = async (program: string, ...args: string[]) =>
    (await run('ip', ['netns', 'exec', space, program, ...args], { maxBuffer: 10_000_000 })).stdout;

  /** Returns the number of packets that left, ARP requests included. */
  const sentPackets = async () => Number(await inside('cat', '/sys/class/net/out/statistics/tx_packets'));

  const call = async (path: string, body?: object): Promise<Reply> => {
    const request = { path, token, body: body && JSON.stringify(body) };
    const script = `const { path, token, body } = ${JSON.stringify(request)};
      const reply = await fetch('http://127.0.0.1:${port}/api/v2' + path, {
        method: body ? 'POST' : 'GET', body, headers: { authorization: 'Bearer ' + token, 'content-type': 'application/json' } });
      console.log(JSON.stringify({ status: reply.status, body: await reply.json() }));`;
    return JSON.parse(await inside(process.execPath, '--input-type=module', '-e', script));
  };

  const sql = async (text: string) => {
    const [, , , databasePort] = (await readFile(join(postgresFolder(folder), 'data', 'postmaster.pid'), 'utf8')).split(
      '\n',
    );
    return inside('psql', '-XAtqc', text, `postgres://${superRole}@127.0.0.1:${databasePort}/portreeve_demo`);
  };

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'portreeve-demo-packets-'));
    await run('ip', ['netns', 'add', space]);
    // Without IPv6 no interface sends packets by itself.
    await inside('sysctl', '-q', '-w', 'net.ipv6.conf.all.disable_ipv6=1', 'net.ipv6.conf.default.disable_ipv6=1');
    await inside('ip', 'link', 'add', 'out', 'type', 'veth', 'peer', 'name', 'street');
    for (const name of ['lo', 'street', 'out']) await inside('ip', 'link', 'set', name, 'up');
    await inside('ip', 'address', 'add', '100.64.0.1/24', 'dev', 'out');
    await inside('ip', 'route', 'add', 'default', 'via', '100.64.0.2');
    const tokenFile = join(folder, 'token');
    // It runs from another folder than the checkout, so it also has its own database inside.
    demo = spawn(
      'ip',
      ['netns', 'exec', space, process.execPath, demoProgram, '--port', String(port), '--token-file', tokenFile],
      { cwd: folder, env: { PATH: process.env.PATH, HOME: folder }, stdio: ['ignore', 'pipe', 'pipe'] },
    );
    let printed = '';
    for (const stream of [demo.stdout!, demo.stderr!]) stream.on('data', (text) => (printed += text));
    for (const end = performance.now() + 150_000; ; await sleep(200)) {
      token = (await readFile(tokenFile, 'utf8').catch(() => '')).trim();
      if (token !== '') break;
      if (demo.exitCode !== null || performance.now() > end)
        throw new Error(`the demonstration did not start:\n${printed}`);
    }
  }, 200_000);

  afterAll(async () => {
    if (demo && demo.exitCode === null) {
      demo.kill('SIGTERM');
      await once(demo, 'exit', { signal: AbortSignal.timeout(20_000) });
    }
    await run('ip', ['netns', 'del', space]);
    await rm(postgresFolder(folder), { recursive: true, force: true });
    await rm(folder, { recursive: true, force: true });
  }, 60_000);

  test('while it is filled, nor by a scan, a discovery or a ping of outside addresses, which are refused with the reason', async () => {
    const outside = /^Probing \S+ is refused: it is outside the networks that this deployment may probe/;
    const adapters = (await call('/adapter?filter=ipaddress==198.51.100.0/24&count=5')).body.results!;
    expect(adapters.length).toBeGreaterThan(0);
    const scan = await call('/adapter/run-network-scan', { id: adapters.map(({ id }) => id) });
    expect(scan).toMatchObject({ status: 422, body: { errorMessage: expect.stringMatching(outside) } });

    const [place] = (await call('/device/container?count=1')).body.results!;
    const discovery = await call('/device/discovery/discover', {
      containerID: place!.id,
      ranges: [{ cidr: '203.0.113.0/28' }],
      credentials: [{ snmpProtocol: 'V2C', snmpSecurityStrings: ['public'] }],
      addPingable: true,
    });
    expect(discovery).toMatchObject({
      status: 422,
      body: { errorMessage: expect.stringMatching(/^Probing 203\.0\.113\.1 to/) },
    });

    const pinged = { name: 'pinged', ipAddress: '203.0.113.250', containerID: place!.id, deviceType: 'ups' };
    expect(await call('/device/pingable', pinged)).toMatchObject({
      status: 422,
      body: { errorMessage: expect.stringMatching(outside) },
    });
    // A device that was created earlier is not pinged either: its poll ends with the same reason.
    expect((await call('/device/pingable', { ...pinged, contactPollingEnabled: false })).status).toBe(201);
    await sql(`update network_device set contact_polling_enabled = true where name = 'pinged'`);
    await sql(
      `update device_poll p set contact_due = now() from network_device d where d.id = p.device_id and d.name = 'pinged'`,
    );
    const pollError = () =>
      sql(
        `select r.error from device_poll_result r join network_device d on d.id = r.device_id where d.name = 'pinged' and r.kind = 'contact'`,
      );
    await expect.poll(pollError, { timeout: 60_000, interval: 1_000 }).toMatch(outside);

    expect(await sentPackets()).toBe(0);
    // The counter works: a single packet is counted.
    await inside('fping', '-c', '1', '-t', '100', '203.0.113.250').catch(() => undefined);
    expect(await sentPackets()).toBeGreaterThan(0);
  }, 150_000);
});
