import { writeResponses } from '@portreeve/server/radius/radius-response/radius-response.service.ts';
import { until } from '@portreeve/server/test/world/patience.ts';
import { Limiter } from '@portreeve/server/test/world/restricted-admins.ts';
import { world as startWorld } from '@portreeve/server/test/world/world.ts';
import { beforeAll, describe, expect, test } from 'vitest';
import { runPortreeve, startPortreeve } from './testing/run-portreeve.ts';

describe('portreeve radius', async () => {
  const world = await startWorld();
  const url = await world.service.app.listen({ host: '127.0.0.1', port: 0 });
  const env = { PORTREEVE_URL: url, PORTREEVE_TOKEN: world.admin.token, HOME: '/nonexistent' };
  const limiter = new Limiter(world);
  let deviceID: number;
  const write = (n: number, attributes: object = {}) =>
    limiter.transact(({ client }) =>
      writeResponses(client, [
        {
          callingStationId: `00:1D:09:00:00:0${n}`,
          username: 'alice\u001b[31m',
          deviceID,
          nas: 'sw-3',
          nasPort: 'Gi1/0/7',
          ssid: null,
          outerEapType: 'PEAP',
          eapType: 'MSCHAPv2',
          reply: 'ACCEPT',
          cause: 'NONE',
          message: `Answer ${n}.`,
          decisionID: null,
          durationMs: 3,
          clusterNode: 'node-1',
          ...attributes,
        },
      ]),
    );
  const tail = async (...words: string[]) => {
    const { code, out, err } = await runPortreeve(['radius', 'tail', ...words], env);
    expect([code, err]).toEqual([0, '']);
    return out.trim().split('\n');
  };

  beforeAll(async () => {
    deviceID = await limiter.device('Network');
    await write(1);
    await write(2, { reply: 'REJECT', cause: 'BAD_PASSWORD' });
  });

  test('tail shows the last replies, oldest first, with terminal sequences escaped', async () => {
    expect(await tail('--lines', '5')).toEqual([
      expect.stringMatching(
        /^20\S+Z {2}ACCEPT {2}00:1D:09:00:00:01 {2}alice\S* {2}sw-3 Gi1\/0\/7 {2}PEAP\/MSCHAPv2 {2}3 ms {2}Answer 1\.$/,
      ),
      expect.stringContaining('REJECT BAD_PASSWORD  00:1D:09:00:00:02'),
    ]);
    expect((await tail('--lines', '5')).join()).not.toContain('\u001b');
    expect(await tail('--lines', '5', '--failed')).toHaveLength(1);
    expect(await tail('--lines', '5', '--mac', '00:1D:09:00:00:01')).toHaveLength(1);
    expect(await tail('--lines', '5', '--device', 'sw-3')).toHaveLength(2);
    expect((await runPortreeve(['radius', 'tail', '--lines', '0'], env)).code).toBe(2);
  });

  test('top shows the most frequent causes and devices', async () => {
    const top = (...words: string[]) => runPortreeve(['radius', 'top', ...words], env);
    const { code, out, err } = await top();
    expect([code, err]).toEqual([0, '']);
    expect(out.split('\n').slice(0, 3)).toEqual(['Cause', '1  BAD_PASSWORD', '1  NONE']);
    expect(out).toMatch(/^2 {2}alice/m);
    expect(out).toMatch(/^Access device\n2 {2}sw-3\n$/m);
    expect(out).not.toContain('\u001b');
    expect(JSON.parse((await top('--failed', '--json')).out)).toMatchObject({
      cause: [{ name: 'BAD_PASSWORD', count: 1 }],
      message: [{ name: 'Answer 2.', count: 1 }],
    });
    expect(await top('--mac', '00:1D:09:00:00:99', '--since', '2h')).toMatchObject({
      code: 0,
      out: '',
      err: 'No replies since 2h.\n',
    });
    expect((await top('--since', 'yesterday')).code).toBe(2);
  });

  test('tail follows new replies and prints each once', async () => {
    const running = startPortreeve(['radius', 'tail'], env);
    await until('the first', () => running.out.includes('Answer 2'));
    for (const n of [3, 4]) {
      await write(n);
      await until(`answer ${n}`, () => running.out.includes(`Answer ${n}`));
    }
    const { out } = await running.interrupt();
    expect(out.match(/Answer \d/g)).toEqual(['Answer 1', 'Answer 2', 'Answer 3', 'Answer 4']);
  });
});
