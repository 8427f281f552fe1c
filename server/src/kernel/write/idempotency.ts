import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import type { Answer } from '../declare/operation.ts';
import { Failure, invalid, rejected } from '../failure.ts';

const keepHours = 24;
/** A claim is renewed while its work runs; a claim that is not renewed belongs to a node that crashed. */
const claimSeconds = 30;
const renewMs = 10_000;
const pollMs = 100;
/** How long a repeated call waits for the first one. */
const waitMsMax = 60_000;

/** Returns the checked text of an Idempotency-Key header: printable characters, limited length. */
export function readIdempotencyKey(header: string | undefined): string | undefined {
  if (header === undefined) return undefined;
  if (!/^[\x21-\x7e]{1,200}$/.test(header))
    throw invalid('Idempotency-Key: expected 1 to 200 printable ASCII characters without spaces.');
  return header;
}

export const requestHash = (method: string, url: string, body: Buffer | undefined): Buffer =>
  createHash('sha256')
    .update(`${method} ${url}\n`)
    .update(
      createHash('sha256')
        .update(body ?? '')
        .digest(),
    )
    .digest();

/**
 * Claims the key for this write. A concurrent call with the same key waits here until the first one ends: after its commit it gets the
 * stored response, after its rollback it does the work itself.
 */
export async function claimKey(
  client: pg.PoolClient,
  owner: string,
  key: string,
  hash: Buffer,
): Promise<Answer | Failure | undefined> {
  await client.query('delete from idempotency_key where owner = $1 and key = $2 and expires_at < now()', [owner, key]);
  const claimed = await client.query(
    `insert into idempotency_key (owner, key, request_hash, expires_at)
     values ($1, $2, $3, now() + make_interval(hours => $4)) on conflict do nothing`,
    [owner, key, hash, keepHours],
  );
  if (claimed.rowCount === 1) return undefined;
  const { rows } = await client.query<{ request_hash: Buffer; answer: Answer | null }>(
    'select request_hash, answer from idempotency_key where owner = $1 and key = $2',
    [owner, key],
  );
  const storedRow = rows[0];
  if (!storedRow || !hash.equals(storedRow.request_hash)) throw otherRequest();
  if (!storedRow.answer)
    // Returned, not thrown: it reports that the work is done, so its commit waits for the standby too.
    return new Failure(
      'duplicate',
      'This request was already executed, and its response contained a secret that is not stored.',
    );
  return storedRow.answer;
}

/** Checks if a write with this key was stored before. */
export async function isClaimed(sql: Pick<pg.Pool, 'query'>, owner: string, key: string): Promise<boolean> {
  const { rowCount } = await sql.query(
    'select from idempotency_key k where k.owner = $1 and k.key = $2 and k.expires_at >= now()',
    [owner, key],
  );
  return rowCount! > 0;
}

/** Stores the response in the transaction of the write; a response with a secret is not stored. */
export async function keepAnswer(
  client: pg.PoolClient,
  owner: string,
  key: string,
  answer: Answer | null,
): Promise<void> {
  await client.query('update idempotency_key set answer = $3 where owner = $1 and key = $2', [
    owner,
    key,
    answer && JSON.stringify(answer),
  ]);
}

const otherRequest = () =>
  rejected('This Idempotency-Key was used for another request; use a new key for each request.');

/**
 * Runs a write that contacts another system, at most once per key: the claim is committed before the work begins and completed with the
 * response. A refusal releases it. A claim whose node crashed is never executed again.
 */
export async function underClaim(
  pool: pg.Pool,
  { owner, key, hash, outcome }: { owner: string; key: string; hash: Buffer; outcome: string },
  work: () => Promise<Answer>,
): Promise<Answer> {
  const storedAnswer = await claim(pool, owner, key, hash, outcome);
  if (storedAnswer) return storedAnswer;
  const renewing = setInterval(() => {
    const until = `now() + make_interval(secs => ${claimSeconds})`;
    const renewed = pool.query(
      `update idempotency_key set claimed_until = ${until} where owner = $1 and key = $2 and claimed_until > now()`,
      [owner, key],
    );
    // A claim that cannot be renewed expires, and then counts as that of a crashed node.
    renewed.catch(() => undefined);
  }, renewMs);
  try {
    const answer = await work();
    await pool.query('update idempotency_key set answer = $3, claimed_until = null where owner = $1 and key = $2', [
      owner,
      key,
      JSON.stringify(answer),
    ]);
    return answer;
  } catch (error) {
    // A failure of the contract may be retried; after any other error it is unknown how far the work got.
    const text =
      error instanceof Failure
        ? 'delete from idempotency_key where owner = $1 and key = $2'
        : `update idempotency_key set claimed_until = '-infinity' where owner = $1 and key = $2`;
    await pool.query(text, [owner, key]);
    throw error;
  } finally {
    clearInterval(renewing);
  }
}

interface Claim {
  request_hash: Buffer;
  answer: Answer | null;
  isRunning: boolean | null;
}

/** Claims the key, or waits for the response of the call that claimed it. */
async function claim(
  pool: pg.Pool,
  owner: string,
  key: string,
  hash: Buffer,
  outcome: string,
): Promise<Answer | undefined> {
  const giveUpAt = performance.now() + waitMsMax;
  await pool.query('delete from idempotency_key where owner = $1 and key = $2 and expires_at < now()', [owner, key]);
  for (;;) {
    const claimed = await pool.query(
      `insert into idempotency_key (owner, key, request_hash, expires_at, claimed_until)
       values ($1, $2, $3, now() + make_interval(hours => $4), now() + make_interval(secs => $5)) on conflict do nothing`,
      [owner, key, hash, keepHours, claimSeconds],
    );
    if (claimed.rowCount === 1) return undefined;
    const { rows } = await pool.query<Claim>(
      'select request_hash, answer, claimed_until > now() as "isRunning" from idempotency_key where owner = $1 and key = $2',
      [owner, key],
    );
    const [claimRow] = rows;
    if (claimRow && !hash.equals(claimRow.request_hash)) throw otherRequest();
    if (claimRow?.answer) return claimRow.answer;
    if (claimRow && !claimRow.isRunning)
      throw new Failure(
        'duplicate',
        `This request was begun by a node that ended before it was complete, and is not repeated; read ${outcome} to see what was done, then use a new key.`,
      );
    if (claimRow && performance.now() > giveUpAt)
      throw new Failure('duplicate', `This request is still being executed; read ${outcome} to see what was done.`);
    if (claimRow) await sleep(pollMs);
  }
}
