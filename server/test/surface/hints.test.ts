import { describe, expect, test } from 'vitest';
import { world } from '../world/world.ts';

describe('a mistyped name', async () => {
  const { admin } = await world();
  const refused = async (path: string) => {
    const { code, body } = await admin.get(path);
    expect(code).toBe(400);
    return body.errorMessage!;
  };

  test.each([
    ['/device?sortKey=lastpoll', 'sortKey: cannot sort by lastpoll; did you mean lastPoll?'],
    ['/device?sortKey=Name', 'sortKey: cannot sort by Name; did you mean name?'],
    ['/device?filter=nmae==x', 'filter: there is no field nmae (character 1); did you mean name?'],
    [
      '/device/container?filter=creationEvent.nmae==x',
      'filter: there is no field creationEvent.nmae (character 1); did you mean creationEvent.name?',
    ],
    ['/device?filtr=name==x', 'filtr: there is no such parameter; did you mean filter?'],
  ])('is refused with the nearest name as a hint: %s', async (path, message) => {
    expect(await refused(path)).toBe(message);
  });

  test('is refused with some of the names if none is near', async () => {
    for (const path of ['/device?sortKey=qqqqqq', '/device?filter=qqqqqq==1']) {
      const message = await refused(path);
      expect(message).toMatch(/fields are landscape, |fields are id, /);
      expect(message).toMatch(/ and \d+ more\.$/);
      expect(message.length).toBeLessThan(400);
    }
  });

  test('of a permission is refused with the key that differs in one letter', async () => {
    const reply = await admin.post('/user/admin-profile', { name: 'x', permissions: { device: { view: true } } });
    expect(reply.body.errorMessage).toContain('permissions.device: no such key; did you mean devices?');
  });
});
