import { describe, expect, test, vi } from 'vitest';
import { rightPassword, signInWorld, tally } from '../../test/world/sign-in.ts';

/** A hundred passwords take their time on a busy machine. */
vi.setConfig({ testTimeout: 120_000 });

const { service, other: otherNode, account, logIn, countOf } = await signInWorld();

const judged = (userID: string) => countOf('from login_failure where user_id = lower($1) and judged', [userID]);

describe('guessing passwords at once', () => {
  test('judges at most the threshold of the profile of 50 guesses over two nodes, wherever the right one is', async () => {
    const { userID } = await account();
    // Ten addresses of one network, so that the limit of an address does not stop them first.
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

  test('stops an address after ten, though all came at once', async () => {
    const replies = await Promise.all(
      Array.from({ length: 60 }, (_, n) =>
        logIn(`nobody ${n}`, 'wrong-password', '198.51.100.7', n % 2 ? service : otherNode),
      ),
    );
    expect(tally(replies.map(({ code }) => code))).toEqual({ 401: 10, 429: 50 });
  });
});
