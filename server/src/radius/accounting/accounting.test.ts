import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { AccountingWorld, accountingSecret, type Sent } from '../../../test/accounting/accounting-world.ts';
import { Limiter } from '../../../test/world/restricted-admins.ts';
import { world as startWorld } from '../../../test/world/world.ts';
import type { Context } from '../../context.ts';
import { closeLostSessions } from '../../logging/connection-log/lost-sessions.ts';
import { statusServer } from '../../protocols/radius/packet.ts';

interface Row {
  mac: string;
  port_id: number;
  session_id: string | null;
  input_octets: number;
  output_octets: number;
  source: string;
  disconnect_reason: string | null;
  since: string;
}

interface LogRow extends Row {
  id: number;
  at: string;
  end_time: string;
}

const nas1 = '127.0.0.21';
const nas2 = '127.0.0.22';
const strange = '127.0.0.23';

describe('accounting', async () => {
  const world = await startWorld();
  const limiter = new Limiter(world);
  const sql = <R extends object>(text: string, values: unknown[] = []) => limiter.sql<R>(text, values);
  let accounting: AccountingWorld;
  let ports: number[];
  let otherPorts: number[];
  let macs = 0;
  let mac = '';

  beforeAll(async () => {
    accounting = await AccountingWorld.start(world);
    ({ ports } = await accounting.device('nas-1', nas1));
    ({ ports: otherPorts } = await accounting.device('nas-2', nas2));
  });
  afterAll(() => accounting.close());
  afterEach(() => expect(accounting.errors).toEqual([]));

  const nextMac = () => {
    macs += 1;
    mac = `00:1D:09:00:56:${macs.toString(16).padStart(2, '0').toUpperCase()}`;
    return mac;
  };
  const send = (sent: Omit<Sent, 'mac'> & { mac?: string }, source = nas1) =>
    accounting.send(source, { mac, session: `s-${mac}`, port: 'Gi1', ...sent });
  const active = (of = mac) => sql<Row>('select * from connection_active where mac = $1', [of]);
  const logged = (of = mac) => sql<LogRow>('select * from connection_log where mac = $1 order by end_time, id', [of]);
  /** As if this much time had passed since the last packet was stored. */
  const later = (seconds: number) =>
    sql(
      `update connection_active set counted_at = counted_at - make_interval(secs => $2), last_seen = last_seen - make_interval(secs => $2),
         since = since - make_interval(secs => $2), id = log_id_at(since - make_interval(secs => $2)) where mac = $1`,
      [mac, seconds],
    );

  test('opens a connection with Start, counts with Interim, and writes it to the log with Stop', async () => {
    nextMac();
    expect((await send({ status: 'START' }))[0]).toBe(5);
    expect(await active()).toMatchObject([
      { port_id: ports[0], session_id: `s-${mac}`, source: 'RADIUS', input_octets: 0 },
    ]);
    expect(await sql('select from adapter where physical_address = $1', [mac])).toHaveLength(1);
    await later(600);
    await send({ status: 'INTERIM', seconds: 600, input: 5 * 2 ** 32 + 7, output: 9, ip: '10.9.8.7' });
    expect(await active()).toMatchObject([{ input_octets: 5 * 2 ** 32 + 7, output_octets: 9 }]);
    expect(await sql('select host(ip) as ip from ip_mac where mac = $1', [mac])).toEqual([{ ip: '10.9.8.7' }]);
    await send({ status: 'STOP', seconds: 630, input: 6 * 2 ** 32, output: 10, cause: 1 });
    expect(await active()).toEqual([]);
    const [row, ...otherRows] = await logged();
    expect(otherRows).toEqual([]);
    expect(row).toMatchObject({
      port_id: ports[0],
      session_id: `s-${mac}`,
      input_octets: 6 * 2 ** 32,
      output_octets: 10,
      disconnect_reason: 'USER',
      source: 'RADIUS',
      ip: '10.9.8.7',
      device_name: 'nas-1',
      connection_type: 'WIRED_MAB',
    });
  });

  test('attaches a session to the connection that an accept or a poll opened', async () => {
    nextMac();
    await sql(
      `insert into connection_active (mac, device_id, port_id, vlan, since)
       select $1, p.device_id, p.id, '30', now() - interval '1 hour' from port p where p.id = $2`,
      [mac, ports[1]],
    );
    const [{ id }] = (await sql<{ id: number }>('select id from connection_active where mac = $1', [mac])) as [
      { id: number },
    ];
    // A device that names its port otherwise than in the access request.
    await send({ status: 'START', port: 'no such port' });
    expect(await active()).toMatchObject([
      { id, port_id: ports[1], vlan: '30', session_id: `s-${mac}`, source: 'BOTH' },
    ]);
  });

  test('stores interim updates at most once a minute, and tells the console nothing of them', async () => {
    nextMac();
    await send({ status: 'START' });
    const [{ position }] = (await sql<{ position: number }>('select max(seq) as position from change_feed')) as [
      { position: number },
    ];
    await send({ status: 'INTERIM', seconds: 30, input: 30 });
    expect(await active()).toMatchObject([{ input_octets: 0 }]);
    await later(61);
    await send({ status: 'INTERIM', seconds: 61, input: 61 });
    expect(await active()).toMatchObject([{ input_octets: 61 }]);
    expect(
      await sql(`select from change_feed where seq > $1 and table_name in ('adapter', 'host')`, [position]),
    ).toEqual([]);
    await send({ status: 'STOP', seconds: 70, input: 70 });
    expect(await logged()).toMatchObject([{ input_octets: 70 }]);
  });

  test('ignores duplicates, late packets and octets that run backwards', async () => {
    nextMac();
    await send({ status: 'START' });
    await later(120);
    const interim = accounting.packet({ status: 'INTERIM', mac, session: `s-${mac}`, seconds: 120, input: 500 });
    await accounting.send(nas1, interim);
    await later(120);
    await accounting.send(nas1, interim);
    await send({ status: 'START' });
    await send({ status: 'INTERIM', seconds: 60, input: 900 });
    expect(await active()).toMatchObject([{ input_octets: 500 }]);
    await send({ status: 'INTERIM', seconds: 240, input: 400 });
    expect(await active()).toMatchObject([{ input_octets: 500 }]);
    await send({ status: 'STOP', seconds: 100 });
    expect(await active()).toHaveLength(1);
    expect(await logged()).toEqual([]);
  });

  test('ignores everything of a session that its Stop has ended', async () => {
    nextMac();
    const start = accounting.packet({ status: 'START', mac, session: `s-${mac}`, port: 'Gi1' });
    await accounting.send(nas1, start);
    await later(300);
    const stop = accounting.packet({ status: 'STOP', mac, session: `s-${mac}`, port: 'Gi1', seconds: 300, input: 5 });
    await accounting.send(nas1, stop);
    for (const replayed of [start, stop]) await accounting.send(nas1, replayed);
    await send({ status: 'INTERIM', seconds: 299, input: 4 });
    await send({ status: 'START' });
    expect(await active()).toEqual([]);
    expect(await logged()).toMatchObject([{ input_octets: 5 }]);
  });

  test('ignores a replayed Stop of a session that a poll found late', async () => {
    nextMac();
    await sql(
      'insert into connection_active (mac, device_id, port_id) select $1, p.device_id, p.id from port p where p.id = $2',
      [mac, ports[0]],
    );
    const stop = accounting.packet({ status: 'STOP', mac, session: `s-${mac}`, port: 'Gi1', seconds: 3_600, input: 5 });
    await accounting.send(nas1, stop);
    await accounting.send(nas1, stop);
    expect(await logged()).toMatchObject([{ input_octets: 5, source: 'BOTH' }]);
  });

  test('writes a session to the log whose Start never came', async () => {
    nextMac();
    await send({ status: 'STOP', seconds: 3_600, input: 7, cause: 5 });
    const [row] = await logged();
    expect(row).toMatchObject({ input_octets: 7, disconnect_reason: 'SESSION_TIMEOUT' });
    expect(Date.parse(row!.end_time) - Date.parse(row!.at)).toBeGreaterThan(3_590_000);
    await send({ status: 'START' });
    expect(await active()).toEqual([]);
  });

  test('counts the octets of a session that goes on after it was closed only once', async () => {
    nextMac();
    await send({ status: 'START' });
    await later(600);
    await send({ status: 'INTERIM', seconds: 600, input: 1_000 });
    await sql(`delete from connection_active a using closing_because('LINK_DOWN') where a.mac = $1`, [mac]);
    await send({ status: 'INTERIM', seconds: 700, input: 1_500 });
    expect(await active()).toMatchObject([{ session_id: `s-${mac}`, input_octets: 500 }]);
    await send({ status: 'STOP', seconds: 800, input: 1_800 });
    expect(await logged()).toMatchObject([{ input_octets: 1_000 }, { input_octets: 800 }]);
  });

  test('closes a connection when the MAC address connects elsewhere, and ignores its late packets', async () => {
    nextMac();
    await send({ status: 'START', session: 'first' });
    await later(60);
    await send({ status: 'START', session: 'second', port: 'Gi2' }, nas2);
    expect(await logged()).toMatchObject([{ session_id: 'first', port_id: ports[0], disconnect_reason: 'MOVED' }]);
    expect(await active()).toMatchObject([{ session_id: 'second', port_id: otherPorts[1] }]);
    await send({ status: 'INTERIM', session: 'first', seconds: 65 });
    await send({ status: 'STOP', session: 'first', seconds: 70 });
    expect(await active()).toMatchObject([{ session_id: 'second', port_id: otherPorts[1] }]);
    expect(await logged()).toHaveLength(1);
  });

  test('closes a session as lost when the same port reports the next one', async () => {
    nextMac();
    await send({ status: 'START', session: 'first' });
    await later(60);
    await send({ status: 'START', session: 'second' });
    expect(await logged()).toMatchObject([{ session_id: 'first', disconnect_reason: 'LOST' }]);
    expect(await active()).toMatchObject([{ session_id: 'second', port_id: ports[0] }]);
  });

  test.each(['ON', 'OFF'] as const)(
    'closes all sessions of an access device with Accounting-%s, and no other',
    async (status) => {
      const [here, there] = [nextMac(), nextMac()];
      await send({ status: 'START', mac: here });
      await send({ status: 'START', mac: there }, nas2);
      const restart = accounting.packet({ status });
      await accounting.send(nas1, restart);
      expect(await active(here)).toEqual([]);
      expect(await logged(here)).toMatchObject([{ disconnect_reason: 'NAS_REBOOT' }]);
      expect(await active(there)).toHaveLength(1);
      // The number of the session may come again after a restart, and the same packet is a retransmission.
      await send({ status: 'START', mac: here });
      await accounting.send(nas1, restart);
      expect(await active(here)).toHaveLength(1);
      const events = await world.admin.get('/logging/event?filter=name==ACCOUNTING_STALE_SESSIONS_CLOSED');
      expect(events.body.filtered).toBeGreaterThan(0);
    },
  );

  test('closes a session as lost after three missed interim updates, with its last sighting as end', async () => {
    nextMac();
    await send({ status: 'START' });
    await later(300);
    await send({ status: 'INTERIM', seconds: 300, input: 3 });
    const write: Context['write'] = (work) => limiter.transact(work);
    const close = () => closeLostSessions({ write }, new AbortController().signal);
    await sql(`update accounting_receiver set receiving_since = now() - interval '1 day'`);
    await later(900);
    expect(await close()).toBe(0);
    await later(60);
    // A node that did not receive has missed the packets itself.
    await sql('update accounting_receiver set receiving_since = now()');
    expect(await close()).toBe(0);
    await sql(`update accounting_receiver set receiving_since = now() - interval '1 day'`);
    const [{ counted_at: countedAt }] = (await active()) as unknown as [{ counted_at: string }];
    expect(await close()).toBe(1);
    expect(await logged()).toMatchObject([{ disconnect_reason: 'LOST', end_time: countedAt, input_octets: 3 }]);
  });

  test('judges nothing by the clock of the access device', async () => {
    nextMac();
    const inAYear = Math.floor(Date.now() / 1_000) + 31_536_000;
    await send({ status: 'START', delay: 31_536_000, more: [[55, inAYear]] });
    await later(60);
    await send({ status: 'INTERIM', seconds: 60, input: 5, more: [[55, inAYear - 2 * 31_536_000]] });
    expect(await active()).toMatchObject([{ input_octets: 5 }]);
    await send({ status: 'STOP', seconds: 61, input: 6, more: [[55, inAYear]] });
    const [row] = await logged();
    expect(row).toMatchObject({ input_octets: 6 });
    expect(Math.abs(Date.parse(row!.end_time) - Date.now())).toBeLessThan(3_600_000);
  });

  test('answers packets without a MAC address, of no session, and of no host, and stores nothing', async () => {
    const stored = () => sql('select mac from connection_active order by mac');
    const before = await stored();
    await accounting.send(nas1, { status: 'START', session: 'x' });
    await accounting.send(nas1, { status: 'TUNNEL' });
    await accounting.send(nas1, { status: 'START', session: 'x', mac: 'FF:FF:FF:FF:FF:FF', port: 'Gi1' });
    await accounting.send(nas1, statusServer({ identifier: 1, secret: accountingSecret }).bytes);
    expect(await stored()).toEqual(before);
    for (const outcome of ['no-mac', 'unknown-mac', 'status'] as const)
      expect(accounting.listener.count(outcome)).toBe(1);
  });

  test('makes at most 20 rogues a second of one access device', async () => {
    accounting.frozenMs = performance.now() + 60_000;
    const flood = Array.from({ length: 40 }, (_, index) => `02:1D:09:00:57:${index.toString(16).padStart(2, '0')}`);
    await Promise.all(flood.map((address) => send({ status: 'START', mac: address, session: address }, nas2)));
    const [{ count }] = (await sql<{ count: number }>(
      `select count(*)::integer as count from connection_active where mac like '02:1D:09:00:57:%'`,
    )) as [{ count: number }];
    expect(count).toBe(20);
    expect(accounting.listener.count('unknown-mac')).toBe(21);
  });

  test('does not answer strangers, packets with another secret, and what is no accounting request', async () => {
    nextMac();
    const start: Sent = { status: 'START', mac, session: 's', port: 'Gi1' };
    await accounting.sendInVain(strange, accounting.packet(start), 'unknown-device');
    expect(accounting.unknownDevices).toEqual([strange]);
    await accounting.sendInVain(nas1, accounting.packet(start, 'another secret'), 'bad-authenticator');
    await accounting.sendInVain(nas1, accounting.packet(start).subarray(0, 30), 'malformed');
    await accounting.sendInVain(nas1, accounting.packet({ status: 'START', mac }), 'malformed');
    expect(await active()).toEqual([]);
  });

  test('answers only what is committed', async () => {
    nextMac();
    const holder = await world.service.runtime.pool.connect();
    await holder.query('begin; lock table connection_active in access exclusive mode');
    let isAnswered = false;
    const answered = send({ status: 'START' }).then(() => {
      isAnswered = true;
    });
    const waits = `select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`;
    await expect.poll(async () => (await sql(waits)).length).toBeGreaterThan(0);
    expect(isAnswered).toBe(false);
    await holder.query('rollback');
    holder.release();
    await answered;
    expect(await active()).toHaveLength(1);
  });
});
