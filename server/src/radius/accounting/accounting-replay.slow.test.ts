import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, expect, test } from 'vitest';
import { AccountingWorld, accountingSecret } from '../../../test/accounting/accounting-world.ts';
import { promised } from '../../../test/world/patience.ts';
import { Limiter } from '../../../test/world/restricted-admins.ts';
import { world as startWorld } from '../../../test/world/world.ts';
import { adapter } from '../../host/adapter/adapter.ts';

const adapters = 500;
const rounds = 100;
const octets = 1_000;

const world = await startWorld();
const limiter = new Limiter(world);
const accounting = await AccountingWorld.start(world);
const folder = await mkdtemp(join(tmpdir(), 'portreeve-replay-'));
afterAll(async () => {
  await accounting.close();
  await rm(folder, { recursive: true });
});

test('stores 50,000 sessions that radclient replays, each one once', async () => {
  await accounting.device('nas', '127.0.0.1');
  const macs = Array.from({ length: adapters }, (_, n) => `00:1D:09:61:${hex(n >> 8)}:${hex(n & 255)}`);
  await limiter.transact(async ({ records }) => {
    for (const physicalAddress of macs) await records.create(adapter, { physicalAddress });
  });
  const packets: string[] = [];
  for (let round = 0; round < rounds; round++) {
    for (const mac of macs) packets.push(packet(mac, round, 'Start', ''));
    const counters = `, Acct-Session-Time = 60, Acct-Input-Octets = ${octets}, Acct-Terminate-Cause = User-Request`;
    for (const mac of macs) packets.push(packet(mac, round, 'Stop', counters));
  }
  const file = join(folder, 'packets');
  await writeFile(file, packets.join('\n\n'));
  const startMs = Date.now();
  const address = `127.0.0.1:${accounting.port}`;
  const options = ['-s', '-p', '200', '-r', '20', '-t', '3', '-f', file, address, 'acct', accountingSecret];
  await promisify(execFile)('radclient', options, { maxBuffer: 64 * 1024 * 1024 });
  const elapsedMs = Date.now() - startMs;
  const [stored] = await limiter.sql(
    `select count(*) as rows, count(distinct session_id) as sessions, sum(input_octets)::bigint as octets,
       count(*) filter (where disconnect_reason = 'USER') as ended from connection_log`,
  );
  const sessions = adapters * rounds;
  expect(stored).toEqual({ rows: sessions, sessions, octets: sessions * octets, ended: sessions });
  expect(await limiter.sql('select from connection_active')).toHaveLength(0);
  const total = (await world.admin.get('/logging/connection/count/all')).body.total;
  expect(total).toBe(sessions);
  expect(elapsedMs).toBeLessThan(promised(400_000));
}, 900_000);

const hex = (byte: number): string => byte.toString(16).padStart(2, '0').toUpperCase();

const packet = (mac: string, round: number, status: string, more: string): string =>
  `Acct-Status-Type = ${status}, Acct-Session-Id = "${mac}-${round}", Calling-Station-Id = "${mac}", NAS-IP-Address = 127.0.0.1, NAS-Port-Id = "Gi1"${more}`;
