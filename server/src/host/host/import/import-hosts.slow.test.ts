import { request } from 'node:http';
import { afterAll, describe, expect, test } from 'vitest';
import { openCell } from '../../../../test/world/cell.ts';
import { macOf } from '../../../../test/world/restricted-admins.ts';

const lines = 50_000;
const bad = 10;

describe('a large import of hosts', async () => {
  const cell = await openCell({ nodes: 2 });
  afterAll(() => cell.close());
  const [first, second] = cell.nodes as [(typeof cell.nodes)[0], (typeof cell.nodes)[0]];

  const file = `adap.mac,host.host\n${Array.from({ length: lines }, (_, n) => `${n < lines - bad ? macOf(0x30_00_00 + n) : 'nonsense'},batch-${n}\n`).join('')}`;

  const send = (port: number, query: string): Promise<string> =>
    new Promise((done, fail) => {
      const { authorization } = cell.client(first);
      const uploadRequest = request(
        {
          host: '127.0.0.1',
          port,
          method: 'POST',
          path: `/api/v2/host/import-hosts${query}`,
          headers: { ...authorization, 'content-type': 'text/csv' },
        },
        (response) => {
          response.resume();
          if (response.statusCode === 202) done(String(response.headers.location).replace('/api/v2', ''));
          else fail(new Error(`answered ${response.statusCode}`));
        },
      );
      uploadRequest.on('error', fail).end(file);
    });

  interface Task {
    state: string;
    attempts: number;
    progress: { done: number };
    report: { item: string; detail: string }[];
  }
  const taskAt = async (node: typeof first, path: string) =>
    (await cell.client(node).get<Task>(path)).body.results![0]!;
  const ended = async (node: typeof first, path: string): Promise<Task> => {
    await expect
      .poll(async () => ['COMPLETED', 'FAILED'].includes((await taskAt(node, path)).state), {
        timeout: 240_000,
        interval: 500,
      })
      .toBe(true);
    return taskAt(node, path);
  };

  test('lists exactly the failed lines in a dry run, and stores nothing', async () => {
    const task = await ended(first, await send(first.port, '?dryRun=true'));
    expect(task.report.map(({ item }) => item)).toEqual([
      'file',
      ...Array.from({ length: bad }, (_, n) => `line ${lines - bad + n + 2}`),
    ]);
    expect((await cell.sql.query('select from host')).rowCount).toBe(0);
  }, 300_000);

  test('continues after its node is killed from the last batch, and creates every host once', async () => {
    const path = await send(first.port, `?maxErrors=${bad}`);
    const hostCount = async () => (await cell.sql.query('select from host')).rowCount!;
    await expect.poll(hostCount, { interval: 50 }).toBeGreaterThan(0);
    await cell.kill9(first);
    await cell.kill9(second);
    const writtenHosts = await hostCount();
    expect(writtenHosts % 2_000, 'only whole batches are there').toBe(0);
    expect(writtenHosts).toBeLessThan(lines - bad);
    const began = performance.now();
    await cell.startNode(second);
    const task = await ended(second, path);
    expect(task).toMatchObject({ state: 'COMPLETED', attempts: 2 });
    expect(task.report[0]!.detail).toBe(`${lines - bad} created, 0 updated, ${bad} failed`);
    const { rows } = await cell.sql.query(
      'select count(*)::integer as hosts, count(distinct host_name)::integer as names, max(version) as version from host',
    );
    expect(rows).toEqual([{ hosts: lines - bad, names: lines - bad, version: 1 }]);
    console.log(
      `${lines - bad - writtenHosts} hosts were left when both nodes died, and there ${Math.round(performance.now() - began)} ms after one began again.`,
    );
  }, 300_000);
});
