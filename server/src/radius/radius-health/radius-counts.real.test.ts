import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { until } from '../../../test/world/patience.ts';
import { nasAddress, nasSecret, type RadiusWorld, radiusWorld } from '../../../test/world/radius-world.ts';
import { systemOrigin } from '../../kernel/declare/caller.ts';
import { accessRequest, authenticityOf, decode, packetCode } from '../../protocols/radius/packet.ts';
import { userAccount } from '../../user/user-account/user-account.ts';

const path = '/radius/radius-health';
const globalPath = '/radius/radius-server-config/global';
const callingStationId = 31;
const password = 'password of the users';
const requests = 1_000;
/** Every fifth request has a wrong password. */
const wrongEvery = 5;
const users = 20;
const inFlight = 10;

interface Snapshot {
  acceptCount: number;
  rejectCount: number;
  totalCount: number;
  rejectCountByCause: Record<string, number>;
  p95Ms: number | null;
  engine: Record<string, number | string | null>;
}

describe('the counts of a node with an engine', () => {
  let world: RadiusWorld;

  /** Sends a login by PAP from a MAC address of its own; returns the code of the reply. */
  const logIn = (n: number): Promise<number> => {
    const request = accessRequest({
      identifier: n % 256,
      secret: nasSecret,
      userName: `user-${n % users}`,
      password: n % wrongEvery === 0 ? 'another password' : password,
      attributes: [[callingStationId, Buffer.from(`02-1D-09-10-${hex(n >> 8)}-${hex(n & 255)}`)]],
    });
    const socket = createSocket('udp4').bind(0, nasAddress);
    return new Promise<number>((done, fail) => {
      const send = () => socket.send(request.bytes, world.authPort, '127.0.0.1');
      // Repeated like a switch does; the engine answers a repeated request with its first reply.
      const timer = setInterval(send, 3_000);
      socket.on('error', fail).on('message', (bytes) => {
        const reply = decode(bytes);
        if (authenticityOf(reply, request, nasSecret) !== 'signed') return;
        clearInterval(timer);
        socket.close();
        done(reply.code);
      });
      once(socket, 'listening').then(send, fail);
    });
  };
  const hex = (byte: number): string => byte.toString(16).padStart(2, '0');
  const latest = async () => (await world.admin.get<Snapshot>(`${path}/latest?timespan=10`)).body.results!;
  const sum = async (count: (snapshot: Snapshot) => number) =>
    (await latest()).reduce((total, snapshot) => total + count(snapshot), 0);

  beforeAll(async () => {
    world = await radiusWorld();
    await world.admin.post(globalPath, { snapshotInterval: 10, decisionTimeoutMs: 5_000 });
    await world.admin.post('/radius/radius-server-config/1', { papEnabled: true });
    await world.service.runtime.transact(systemOrigin('test'), async ({ records }) => {
      for (let n = 0; n < users; n++)
        await records.create(userAccount, { userID: `user-${n}`, networkPassword: password });
    });
    await world.runs();
  });
  afterAll(() => world.close());

  test('shows 800 accepts and 200 wrong passwords of 1,000 requests, as the counters of the engine do', async () => {
    const codes: number[] = [];
    let nextNumber = 0;
    const sendAll = async () => {
      while (nextNumber < requests) codes.push(await logIn(nextNumber++));
    };
    await Promise.all(Array.from({ length: inFlight }, sendAll));
    expect(codes.filter((code) => code === packetCode.accessAccept)).toHaveLength(800);
    expect(codes.filter((code) => code === packetCode.accessReject)).toHaveLength(200);
    await until('all replies in the snapshots', async () => (await sum(({ totalCount }) => totalCount)) === requests);
    await until('the counters of the engine', async () => {
      const replies = ({ engine }: Snapshot) => Number(engine.accepts) + Number(engine.rejects);
      return (await sum(replies)) >= requests;
    });
    expect(await sum(({ acceptCount }) => acceptCount)).toBe(800);
    expect(await sum(({ rejectCount }) => rejectCount)).toBe(200);
    expect(await sum(({ rejectCountByCause }) => rejectCountByCause.BAD_PASSWORD ?? 0)).toBe(200);
    expect(await sum(({ engine }) => Number(engine.accepts))).toBe(800);
    expect(await sum(({ engine }) => Number(engine.rejects))).toBe(200);
    // The engine counts the Status-Server requests of its node too.
    expect(await sum(({ engine }) => Number(engine.requests))).toBeGreaterThan(requests);
    const busy = (await latest()).filter(({ totalCount }) => totalCount > 0);
    for (const { p95Ms, engine } of busy) {
      expect(p95Ms).toBeGreaterThanOrEqual(0);
      expect(engine.startTime).not.toBeNull();
    }
    const page = await world.node().metrics.page();
    expect(page).toContain('portreeve_radius_engine_packets_total{counter="accepts"} 800\n');
  });
});
