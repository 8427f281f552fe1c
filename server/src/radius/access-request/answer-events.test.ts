import { describe, expect, test } from 'vitest';
import { Limiter } from '../../../test/world/restricted-admins.ts';
import { world } from '../../../test/world/world.ts';
import { AfterReply } from './after-reply.ts';
import { AnswerEvents } from './answer-events.ts';
import { readRequest } from './parse-access-request.ts';
import type { AnsweredRequest } from './write-answers.ts';

const device = { id: 7, name: 'sw-library', address: '10.0.0.7', secret: '', profileID: 1, mustSign: true };
const ownMac = '00:1D:09:00:00:01';

describe('events of RADIUS answers', async () => {
  const opened = await world();
  const limiter = new Limiter(opened);
  const errors: Error[] = [];
  let nowMs = 0;

  const start = () => {
    const afterReply = new AfterReply(opened.service.runtime, (error) => errors.push(error));
    return { afterReply, events: new AnswerEvents(afterReply, 'node-1', () => nowMs) };
  };
  const request = (mac: string, fields: Partial<AnsweredRequest> = {}): AnsweredRequest => ({
    device,
    request: readRequest(
      new Map([
        ['User-Name', ['alice']],
        ['Calling-Station-Id', [mac]],
        ['NAS-Port-Id', ['Gi1']],
      ]),
    ),
    method: 'PAP',
    begunMs: 0,
    isTest: false,
    ...fields,
  });
  const rejected = { cause: 'BAD_PASSWORD', message: 'The password is wrong.', tookMs: 3 } as const;
  const eventsOf = async (name: string) =>
    limiter.sql<Record<string, unknown>>(
      `select e.element_name as element, e.element_type as type, e.mac, e.user_name as "userName", e.event_format_string as text
       from event e where e.name = $1 order by e.id`,
      [name],
    );
  const strategy = async (name: string, loggingStrategy: string) => {
    const [type] = (await opened.admin.get<{ id: number }>(`/logging/event-types?filter=name==${name}`)).body.results!;
    const changed = await opened.admin.post('/logging/event-types/logging-strategy', {
      id: [type!.id],
      loggingStrategy,
    });
    expect(changed.code).toBe(200);
  };

  test('report a reject once in five minutes for a MAC address and a cause', async () => {
    const { afterReply, events } = start();
    const fail = (mac = ownMac, outcome: Partial<typeof rejected> | { cause: 'UNKNOWN_USER' } = {}) =>
      events.answered(request(mac), { ...rejected, ...outcome });
    fail();
    fail();
    fail(ownMac, { cause: 'UNKNOWN_USER' });
    fail('00:1D:09:00:00:02');
    nowMs += 299_999;
    fail();
    nowMs += 1;
    fail();
    await afterReply.close();
    const logged = await eventsOf('RADIUS_AUTH_FAILURE');
    expect(logged).toHaveLength(4);
    expect(logged[0]).toEqual({
      element: 'sw-library',
      type: 2,
      mac: ownMac,
      userName: 'alice',
      text: 'A request of sw-library for 00:1D:09:00:00:01 was rejected, BAD_PASSWORD: The password is wrong.',
    });
  });

  test('report no reject while sendFailureEvents is off, and never more than 50 in a second', async () => {
    const count = async () => (await eventsOf('RADIUS_AUTH_FAILURE')).length;
    const before = await count();
    const many = async () => {
      const { afterReply, events } = start();
      for (let n = 0; n < 200; n++)
        events.answered(request(`02:00:00:00:00:${n.toString(16).padStart(2, '0')}`), rejected);
      await afterReply.close();
    };
    const path = '/radius/radius-server-config/global';
    expect((await opened.admin.post(path, { sendFailureEvents: false })).code).toBe(200);
    await many();
    expect(await count()).toBe(before);
    expect((await opened.admin.post(path, { sendFailureEvents: true })).code).toBe(200);
    await many();
    expect(await count()).toBe(before + 50);
  });

  test('report logins once an administrator has chosen to log them', async () => {
    const logIn = async () => {
      const { afterReply, events } = start();
      events.answered(request(ownMac, { login: { isAuthenticated: true, userID: 12 }, portName: 'Gi1/0/1' }), {
        cause: 'NONE',
        message: 'ok',
        tookMs: 1,
      });
      events.answered(request(ownMac, { login: { isAuthenticated: false, userID: null } }), rejected);
      events.answered(request(ownMac, { method: 'MAB' }), { cause: 'NONE', message: 'ok', tookMs: 1 });
      await afterReply.close();
    };
    await logIn();
    const names = ['USER_AUTHENTICATED', 'USER_AUTHENTICATION_FAILED'];
    for (const name of names) expect(await eventsOf(name)).toEqual([]);
    for (const name of names) await strategy(name, 'INTERNAL');
    // The node loads a changed event type after a notification.
    await expect
      .poll(async () => {
        await logIn();
        return Promise.all(names.map(async (name) => (await eventsOf(name)).length > 0));
      })
      .toEqual([true, true]);
    expect((await eventsOf('USER_AUTHENTICATED'))[0]).toEqual({
      element: 'alice',
      type: 6,
      mac: ownMac,
      userName: 'alice',
      text: `alice logged in from ${ownMac} at sw-library by PAP.`,
    });
    expect((await eventsOf('USER_AUTHENTICATION_FAILED'))[0]).toMatchObject({
      text: `The login of alice from ${ownMac} at sw-library by PAP failed: The password is wrong.`,
    });
  });

  test('report a logical network without a value once an hour for a device', async () => {
    const { afterReply, events } = start();
    const message = 'The host is at risk: Quarantine has no value here, so the request is rejected.';
    const answer = () =>
      events.answered(request(ownMac, { unresolved: 'Quarantine', portName: 'Gi1/0/1' }), {
        cause: 'NO_POLICY',
        message,
        tookMs: 1,
      });
    answer();
    answer();
    nowMs += 3_600_000;
    answer();
    await afterReply.close();
    const logged = await eventsOf('ACCESS_VALUE_UNRESOLVED');
    expect(logged).toHaveLength(2);
    expect(logged[0]).toMatchObject({
      element: 'sw-library',
      text: `The logical network Quarantine has no value on sw-library: ${message}`,
    });
  });

  test('report once when the 95th percentile of a node rises above a second', async () => {
    const { afterReply, events } = start();
    const minute = (answers: number, slow: number) => {
      for (let n = 0; n < answers; n++)
        events.answered(request(ownMac), { cause: 'NONE', message: 'ok', tookMs: n < slow ? 1_500 : 5 });
      nowMs += 60_000;
    };
    minute(100, 5);
    minute(19, 19);
    minute(100, 6);
    minute(100, 50);
    minute(100, 0);
    minute(20, 2);
    minute(1, 0);
    await afterReply.close();
    expect((await eventsOf('RADIUS_DECISION_SLOW')).map(({ text }) => text)).toEqual([
      'The node node-1 takes 1500 ms for RADIUS replies (95th percentile of 100 in a minute).',
      'The node node-1 takes 1500 ms for RADIUS replies (95th percentile of 20 in a minute).',
    ]);
    expect(errors).toEqual([]);
  });
});
