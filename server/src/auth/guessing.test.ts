import { describe, expect, test, vi } from 'vitest';
import { rightPassword, signInWorld, tally } from '../../test/world/sign-in.ts';

/** Hashing a hundred passwords is slow on a busy machine. */
vi.setConfig({ testTimeout: 120_000 });

const { service, other: otherNode, account, logIn, countOf } = await signInWorld();

const judged = (userID: string) => countOf('from login_failure where user_id = lower($1) and judged', [userID]);

describe('concurrent password guessing', () => {
  test('checks no more of 50 guesses over two nodes than the threshold of the profile', async () => {
    const { userID } = await account();
    // Twenty addresses of one network, so that the limit per address does not apply first.
    const replies = await Promise.all(
      Array.from({ length: 50 }, (_, n) =>
        logIn(
          userID,
          n === 49 ? rightPassword : `guess number ${n}`,
          `192.0.2.${1 + (n % 20)}`,
          n % 2 ? service : otherNode,
        ),
      ),
    );
    expect(tally(replies.map(({ code }) => code))).toEqual({ 401: 50 });
    expect(await judged(userID)).toBe(5);
    expect(await countOf(`from event where name = 'ADMIN_LOCKED' and element_name = $1`, [userID])).toBe(1);
  });

  test('refuses an address after ten attempts, even if all arrive at once', async () => {
    const replies = await Promise.all(
      Array.from({ length: 60 }, (_, n) =>
        logIn(`nobody ${n}`, 'wrong-password', '198.51.100.7', n % 2 ? service : otherNode),
      ),
    );
    expect(tally(replies.map(({ code }) => code))).toEqual({ 401: 10, 429: 50 });
  });
});
