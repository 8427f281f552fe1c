import { once } from 'node:events';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { afterAll, describe, expect, test } from 'vitest';
import { world } from '../../../test/world/world.ts';
import { nmapScanner } from '../../protocols/nmap/nmap.ts';
import { outboundGuard } from '../../protocols/outbound/outbound.ts';
import { adapter } from './adapter.ts';

describe('a network scan', async () => {
  const { admin, service } = await world({ jobs: 'work' });
  // A service with a banner, on a port that the scan includes.
  const greeter = createServer((socket) => socket.end('SSH-2.0-OpenSSH_9.9\r\n'));
  const address = await listenSomewhere(greeter);
  afterAll(() => new Promise((done) => greeter.close(done)));

  const ended = async (location: unknown) => {
    const path = String(location).replace('/api/v2', '');
    const task = async () =>
      (await admin.get<{ state: string; report: { item: string; outcome: string; detail: string }[] }>(path)).body
        .results![0]!;
    await expect
      .poll(async () => (await task()).state, { timeout: 120_000, interval: 300 })
      .toMatch(/COMPLETED|FAILED/);
    return task();
  };

  test('stores the open ports and the service found at the current address, and skips an adapter without an address', async () => {
    expect((greeter.address() as AddressInfo).port).toBe(2222);
    const there = await admin.create(adapter, { physicalAddress: '00:50:C2:77:00:01', ipaddress: address });
    const nowhere = await admin.create(adapter, { physicalAddress: '00:50:C2:77:00:02' });
    const reply = await admin.post('/adapter/run-network-scan', {
      id: [there, nowhere],
      intensity: 'STANDARD',
      osDetection: false,
    });
    expect(reply.code, reply.text).toBe(202);
    const task = await ended(reply.headers.location);
    expect(task.state).toBe('COMPLETED');
    const outcomes = new Map(task.report.map(({ item, outcome }) => [item, outcome]));
    expect([outcomes.get('00:50:C2:77:00:01'), outcomes.get('00:50:C2:77:00:02')]).toEqual(['SCANNED', 'SKIPPED']);
    expect((await admin.fetch(adapter, there)).openPorts).toMatch(/2222\/tcp ssh OpenSSH 9\.9/);
    const { rows } = await service.runtime.pool.query(
      `select from event where name = 'NETWORK_SCAN_COMPLETED' and element_id = $1`,
      [there],
    );
    expect(rows).toHaveLength(1);
    expect((await admin.post('/adapter/run-network-scan', { id: [999_999_999] })).code).toBe(404);
  }, 300_000);

  test('rejects a target that the outbound guard refuses, and a target that is not an address', async () => {
    const scanner = nmapScanner({ outbound: outboundGuard({ allow: [], refuse: [] }) });
    const desired = { intensity: 'LIGHT', osDetection: false } as const;
    await expect(scanner.scan('169.254.169.254', desired, new AbortController().signal)).rejects.toThrow();
    await expect(scanner.scan('-iL /etc/passwd', desired, new AbortController().signal)).rejects.toThrow();
  });
});

/** Listens on the only port that the scan includes. Another test run may use it on one of the addresses, so it tries the next address. */
async function listenSomewhere(server: Server): Promise<string> {
  for (let last = 1; ; last++) {
    const address = `127.0.77.${last}`;
    server.listen(2222, address);
    try {
      await once(server, 'listening');
      return address;
    } catch (error) {
      if ((error as { code?: string }).code !== 'EADDRINUSE' || last === 254) throw error;
    }
  }
}
