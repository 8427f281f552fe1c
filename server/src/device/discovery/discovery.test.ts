import { describe, expect, test } from 'vitest';
import { everyVerb, Limiter, selecting } from '../../../test/world/restricted-admins.ts';
import { world } from '../../../test/world/world.ts';
import { systemOrigin } from '../../kernel/declare/caller.ts';
import { networkAddress } from '../../network/network-address/network-address.ts';
import { networkAddressGroup } from '../../network/network-address-group/network-address-group.ts';
import { container } from '../container/container.ts';
import { networkDevice } from '../network-device/network-device.ts';
import { tidyRuns } from './stored-run.ts';

describe('discovery', async () => {
  const shared = await world({ jobs: 'enqueue' });
  const { admin, service } = shared;
  const { runtime } = service;
  const path = '/device/discovery/discover';
  const community = { snmpProtocol: 'V2C', snmpSecurityStrings: ['hush'] };
  const request = { ranges: [{ cidr: '198.51.100.0/24' }], credentials: [community] };
  let places = 0;
  const place = () => admin.create(container, { name: `Place ${++places}` });
  const sql = async <T extends object>(text: string, values: unknown[] = []) =>
    (await runtime.pool.query<T>(text, values)).rows;
  const tidy = () => runtime.transact(systemOrigin('test'), tidyRuns);

  const start = async (overrides: object = {}) => {
    const containerID = await place();
    const reply = await admin.post(path, { containerID, ...request, ...overrides });
    expect(reply, reply.text).toMatchObject({ code: 202 });
    return { containerID, ...(await statusOf(containerID)) };
  };
  const statusOf = async (containerID: number) =>
    (await admin.get<Record<string, unknown> & { id: number }>(`${path}/status?containerID=${containerID}`)).body
      .results![0]!;
  const addressesOf = async (id: number) =>
    (
      await sql<{ address: string }>(
        'select host(a.address) as address from discovery_address a where a.run_id = $1 order by a.address',
        [id],
      )
    ).map(({ address }) => address);

  test('computes its addresses before it starts: overlapping ranges once, of both families', async () => {
    const run = await start({
      ranges: [
        { start: '10.0.0.1', end: '10.0.0.3' },
        { start: '10.0.0.2', end: '10.0.0.4' },
        { cidr: '2001:db8::/127' },
      ],
    });
    expect(run).toMatchObject({ state: 'QUEUED', addressesTotal: 6, addressesProbed: 0, finishedAt: null, items: [] });
    expect(await addressesOf(run.id)).toEqual([
      '10.0.0.1',
      '10.0.0.2',
      '10.0.0.3',
      '10.0.0.4',
      '2001:db8::',
      '2001:db8::1',
    ]);
  });

  test('takes the addresses of a network address group, and with seeds begins at these alone', async () => {
    const addresses = [
      await admin.create(networkAddress, { name: 'one', type: 'HOST', address: '10.1.0.9' }),
      await admin.create(networkAddress, { name: 'few', type: 'RANGE', start: '10.1.0.1', end: '10.1.0.2' }),
      await admin.create(networkAddress, { name: 'net', type: 'SUBNET', network: '10.2.0.0/30' }),
    ];
    const addressGroupID = await admin.create(networkAddressGroup, { name: 'to ask', addressIDs: addresses });
    const all = await start({ ranges: [], addressGroupID });
    expect(await addressesOf(all.id)).toEqual(['10.1.0.1', '10.1.0.2', '10.1.0.9', '10.2.0.1', '10.2.0.2']);
    const seeded = await start({ ranges: [{ cidr: '10.0.0.0/8' }], seeds: ['10.3.0.1', '10.3.0.1'] });
    expect(await addressesOf(seeded.id)).toEqual(['10.3.0.1']);
    const containerID = await place();
    const stray = await admin.post(path, { containerID, ...request, ranges: [], addressGroupID, seeds: ['10.3.0.1'] });
    expect([stray.code, stray.body.errorMessage]).toEqual([422, 'seeds: 10.3.0.1 is not in any of the ranges.']);
    expect((await admin.post(path, { containerID, ...request, addressGroupID: 999_999 })).code).toBe(422);
  });

  test.each([
    ['no range', { ranges: [] }, 'ranges: no addresses to probe'],
    ['a range without an end', { ranges: [{ start: '10.0.0.1' }] }, 'ranges[0]: needs cidr, or start and end.'],
    ['too many addresses', { ranges: [{ cidr: '10.0.0.0/8' }] }, 'a run probes at most 65536'],
    ['a seed outside', { seeds: ['10.0.0.1'] }, 'seeds: 10.0.0.1 is not in any of the ranges.'],
    ['no credential', { credentials: [] }, 'credentials: without credentials'],
    [
      'no community',
      { credentials: [{ snmpProtocol: 'V2C' }] },
      'credentials[0].snmpSecurityStrings: required for SNMP_V2C.',
    ],
    [
      'no privacy',
      {
        credentials: [
          {
            snmpProtocol: 'V3_AUTH_PRIV',
            snmpUsername: 'u',
            snmpAuthenticationProtocol: 'SHA',
            snmpAuthenticationPassword: 'hush-hush',
          },
        ],
      },
      'credentials[0].snmpPrivacyProtocol: required for V3_AUTH_PRIV.',
    ],
    [
      'too many communities',
      {
        credentials: Array.from({ length: 3 }, () => ({
          snmpProtocol: 'V2C',
          snmpSecurityStrings: Array(10).fill('x'),
        })),
      },
      'credentials: 30 communities and users',
    ],
    ['an unknown field', { probes: 1 }, 'probes'],
    ['too fast a pace', { probesPerSecond: 5_000 }, 'probesPerSecond'],
  ])('with %s is rejected, with a message how to fix it', async (_, wrong, reason) => {
    const reply = await admin.post(path, { containerID: 1, ...request, ...wrong });
    expect([reply.code, reply.body.errorMessage]).toEqual([400, expect.stringContaining(reason)]);
    expect(reply.text).not.toContain('hush');
  });

  test('is rejected for an unknown container, and an unknown run can neither be read nor stopped', async () => {
    expect((await admin.post(path, { containerID: 999_999, ...request })).code).toBe(422);
    for (const query of ['id=999999', 'containerID=999999'])
      expect((await admin.get(`${path}/status?${query}`)).code).toBe(404);
    expect((await admin.post(`${path}/stop`, { id: 999_999 })).code).toBe(404);
    for (const query of ['', '?id=1&containerID=1']) expect((await admin.get(`${path}/status${query}`)).code).toBe(400);
    expect((await admin.post(`${path}/stop`, {})).code).toBe(400);
  });

  test('that has not started is stopped immediately, and frees its container', async () => {
    const { id, containerID } = await start();
    expect((await admin.post(path, { containerID, ...request })).body.status).toBe('duplicate');
    expect((await admin.post(`${path}/stop`, { id })).code).toBe(200);
    expect(await statusOf(containerID)).toMatchObject({ id, state: 'STOPPED', finishedAt: expect.any(String) });
    expect(await sql('select credentials from discovery_run where id = $1', [id])).toEqual([{ credentials: null }]);
    expect((await admin.post(path, { containerID, ...request })).code).toBe(202);
  });

  test('that is only rehearsed leaves nothing', async () => {
    const containerID = await place();
    expect((await admin.post(`${path}?dryRun=true`, { containerID, ...request })).code).toBe(200);
    expect((await admin.get(`${path}/status?containerID=${containerID}`)).code).toBe(404);
  });

  test('that no node continues is ended, and frees its container', async () => {
    const [deleted, abandoned, waiting] = [await start(), await start(), await start()];
    const [work] = await sql<{ task: number }>('select w.task_id as task from discovery_work w where w.run_id = $1', [
      deleted.id,
    ]);
    expect((await admin.post('/system/background-task/delete', { id: [work!.task] })).code).toBe(200);
    await sql(`update discovery_work set worker = 'dead', beat_at = now() - interval '3 minutes' where run_id = $1`, [
      abandoned.id,
    ]);
    await tidy();
    for (const { containerID } of [deleted, abandoned])
      expect(await statusOf(containerID)).toMatchObject({ state: 'FAILED', finishedAt: expect.any(String) });
    expect(await statusOf(waiting.containerID)).toMatchObject({ state: 'QUEUED' });
  });

  test('is listed with all running ones and the last fifty that ended, newest first', async () => {
    const open = await start();
    const { containerID } = await start();
    await admin.post(`${path}/stop`, { containerID });
    await sql(
      `insert into discovery_run (container_id, container_name, state, started_by, started_at, finished_at, addresses_total,
         addresses_probed, responded, devices_added, devices_updated, skipped, hop, errors)
       select $1, 'Old', 'DONE', 'x', now(), now(), 0, 0, 0, 0, 0, 0, 0, 0 from generate_series(1, 60)`,
      [containerID],
    );
    const { results } = (await admin.get(`${path}/status/all`)).body;
    expect(results!.filter(({ finishedAt }) => finishedAt !== null)).toHaveLength(50);
    expect(results!.map(({ id }) => id)).toContain(open.id);
    expect(results!.map(({ id }) => id)).toEqual(results!.map(({ id }) => id as number).toSorted((a, b) => b - a));
    await tidy();
    expect(await sql('select from discovery_run where finished_at is not null')).toHaveLength(50);
  });

  test('is seen by those who see its container, and shows them nothing of devices elsewhere', async () => {
    const limiter = new Limiter(shared);
    const [ownRun, otherRun] = [await start(), await start()];
    const caller = await limiter.caller({
      permissions: { devices: selecting(ownRun.containerID), discovery: everyVerb },
    });
    const hidden = await runtime.transact(systemOrigin('test'), ({ records }) =>
      records.create(networkDevice, { name: 'hidden', containerID: otherRun.containerID }),
    );
    const storedRun = await runtime.transact(systemOrigin('test'), ({ records }) =>
      records.create(networkDevice, { name: 'seen', containerID: ownRun.containerID }),
    );
    for (const { id, name } of [
      { id: hidden.id, name: 'hidden' },
      { id: storedRun.id, name: 'seen' },
    ])
      await sql(
        `insert into discovery_item (run_id, ip_address, outcome, device_id, name, detail) values ($1, '10.0.0.1', 'DUPLICATE', $2, $3, $3)`,
        [ownRun.id, id, name],
      );
    expect((await caller.get(`${path}/status/all`)).body.results!.map(({ id }) => id)).toEqual([ownRun.id]);
    const { results } = (await caller.get(`${path}/status?id=${ownRun.id}`)).body;
    expect(results![0]!.items).toMatchObject([
      { deviceID: storedRun.id, name: 'seen', detail: 'seen' },
      { deviceID: null, name: null, detail: null },
    ]);
    expect((await caller.get(`${path}/status?id=${otherRun.id}`)).code).toBe(404);
    expect((await caller.post(`${path}/stop`, { id: otherRun.id })).code).toBe(404);
    expect((await caller.post(path, { containerID: otherRun.containerID, ...request })).code).toBe(422);
    expect((await caller.post(`${path}/stop`, { id: ownRun.id })).code).toBe(200);
  });

  test('goes with its container', async () => {
    const { containerID, id } = await start();
    expect((await admin.delete(`${container.path}/${containerID}`)).code).toBe(200);
    expect(await sql('select from discovery_work where run_id = $1', [id])).toEqual([]);
  });
});
