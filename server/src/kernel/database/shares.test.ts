import { describe, expect, test } from 'vitest';
import { onBehalfOf, Shares, type Work } from './shares.ts';

const waitMs = 50;

/** Acquires as many sessions as it gets, each for separate work. */
async function takeAll(shares: Shares, work: Work, sessionCount = 30): Promise<((isDone: boolean) => void)[]> {
  const outcomes = await Promise.allSettled(
    Array.from({ length: sessionCount }, () => onBehalfOf(work, () => shares.take())),
  );
  return outcomes.flatMap((outcome) => (outcome.status === 'fulfilled' ? [outcome.value] : []));
}

const reads = (credential: string, subject: string): Work => ({
  lane: 'read',
  credential,
  account: credential,
  subject,
});

describe('the sessions of a node', () => {
  test('are not all had by one credential, nor by all tokens of one account', async () => {
    const shares = new Shares(20, waitMs);
    expect(await takeAll(shares, reads('a', 'Host record'))).toHaveLength(4);
    expect(await takeAll(shares, reads('a', 'Event'))).toHaveLength(1);
    const tokens = new Shares(20, waitMs);
    const releases = await Promise.all(
      ['b', 'c', 'd'].map((credential, n) => takeAll(tokens, { ...reads(credential, `s${n}`), account: 'x' })),
    );
    expect(releases.flat()).toHaveLength(7);
    expect(await takeAll(tokens, reads('other', 'Event'), 1)).toHaveLength(1);
  });

  test('are there for every other kind of work while one kind takes all it gets', async () => {
    const shares = new Shares(20, waitMs);
    for (let n = 0; n < 10; n++) await takeAll(shares, reads(`c${n}`, `s${n}`), 4);
    expect(await takeAll(shares, { lane: 'health' }, 2)).toHaveLength(2);
    expect(await takeAll(shares, { lane: 'write', credential: 'w', subject: 's' }, 4)).toHaveLength(4);
    expect(await takeAll(shares, { lane: 'background' }, 4)).toHaveLength(4);
    expect(await takeAll(shares, { lane: 'identity' }, 2)).toHaveLength(2);
  });

  test('are there for other tables while one table holds what works on it', async () => {
    const shares = new Shares(20, waitMs);
    for (let n = 0; n < 10; n++) await takeAll(shares, reads(`c${n}`, 'Host record'), 4);
    expect(await takeAll(shares, reads('c0', 'Event'), 1)).toHaveLength(1);
  });

  test('a waiting request gets the next session, and after the wait limit an error that names the share', async () => {
    const shares = new Shares(4, waitMs);
    const take = () => onBehalfOf(reads('a', 'Event'), () => shares.take());
    const giveBack = await take();
    const waitingSession = take();
    giveBack(true);
    const giveNextBack = await waitingSession;
    const [third, fourth] = [take(), take()];
    giveNextBack(true);
    await third;
    await expect(fourth).rejects.toMatchObject({ word: 'throttled', headers: { 'retry-after': '1' } });
  });

  test('refuses a waiting request as slow database if no other request of its caller ended', async () => {
    const shares = new Shares(4, waitMs);
    const take = () => onBehalfOf(reads('a', 'Event'), () => shares.take());
    await take();
    await expect(take()).rejects.toMatchObject({ word: 'unavailable', headers: { 'retry-after': '2' } });
  });

  test('a second one for the same work is never refused because of the first', async () => {
    const shares = new Shares(1, waitMs);
    await onBehalfOf(reads('a', 'Event'), async () => {
      await shares.take();
      await expect(shares.take()).resolves.toBeTypeOf('function');
    });
  });

  test('giving back twice gives back once', async () => {
    const shares = new Shares(2, waitMs);
    const [first] = await takeAll(shares, { lane: 'background' }, 2);
    first!(true);
    first!(true);
    expect(await takeAll(shares, { lane: 'background' }, 2)).toHaveLength(1);
  });
});
