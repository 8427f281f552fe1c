import { createHash } from 'node:crypto';
import type pg from 'pg';
import { Failure, invalid, rejected } from '../failure.ts';
import type { Answer } from '../operation.ts';

const keepHours = 24;

/** The text of an Idempotency-Key header: anything printable, bounded. */
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
 * Takes the key for this write. A twin that runs at the same time waits here until the first one ends: after its commit
 * it gets the kept answer, after its rollback it does the work itself.
 */
export async function claimKey(
  client: pg.PoolClient,
  owner: string,
  key: string,
  hash: Buffer,
): Promise<Answer | undefined> {
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
  const kept = rows[0];
  if (!kept || !hash.equals(kept.request_hash)) {
    throw rejected('This Idempotency-Key was used for another request; use a new key for each request.');
  }
  if (!kept.answer)
    throw new Failure(
      'duplicate',
      'This request was carried out before, and its answer held a secret that is not kept.',
    );
  return kept.answer;
}

/** Remembers the answer, in the transaction of the write; one that carries a secret is not kept. */
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
