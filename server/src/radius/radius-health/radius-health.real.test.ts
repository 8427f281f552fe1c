import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { promised, until } from '../../../test/world/patience.ts';
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

interface LoggedEvent {
  name: string;
  elementName: string;
  timeOfEvent: string;
}

describe('the health of a node with an engine', () => {
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
  const events = async () => {
    const filter = encodeURIComponent('name==RADIUS_SERVICE_*');
    return (await world.admin.get<LoggedEvent>(`/logging/event?sortKey=id&filter=${filter}`)).body.results!;
  };
  const pid = async () => (await world.engine.running())?.pid;

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

  test('reports an engine that was killed as down, and as up when it responds again', async () => {
    expect(await events()).toEqual([]);
    const before = await pid();
    const killedMs = Date.now();
    process.kill(before!, 'SIGKILL');
    await until('both events', async () => (await events()).length === 2);
    const [down, up] = await events();
    expect([down, up]).toMatchObject([
      { name: 'RADIUS_SERVICE_DOWN', elementName: 'node-1' },
      { name: 'RADIUS_SERVICE_UP', elementName: 'node-1' },
    ]);
    expect(Date.parse(down!.timeOfEvent) - killedMs).toBeLessThan(promised(10_000));
    expect(await pid()).not.toBe(before);
  });

  test('reports an engine that hangs as down, and as up after its restart', async () => {
    const before = await pid();
    process.kill(before!, 'SIGSTOP');
    await until('both events', async () => (await events()).length === 4);
    expect((await events()).slice(2).map(({ name }) => name)).toEqual(['RADIUS_SERVICE_DOWN', 'RADIUS_SERVICE_UP']);
    expect(await pid()).not.toBe(before);
  });

  test('an engine that is stopped by the settings is not reported', async () => {
    await world.admin.post(globalPath, { serviceEnabled: false });
    await until('the end of the engine', async () => (await pid()) === undefined);
    await world.admin.post(globalPath, { serviceEnabled: true });
    await world.runs();
    expect(await events()).toHaveLength(4);
  });
});
