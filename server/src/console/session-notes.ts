import type pg from 'pg';
import type { Call } from '../kernel/declare/operation.ts';
import { keptBytesMax } from './session-operation.ts';

const everyMs = 5_000;
/** Maximum number of pending values, each up to `keptBytesMax` bytes. */
const keysMax = 2_000;

interface Note {
  sessionId: number;
  key: string;
  value: string;
}

const writeSql = `insert into session_value (session_id, key, value)
  select n.session_id, n.key, n.value::jsonb
  from unnest($1::bigint[], $2::text[], $3::text[]) n (session_id, key, value)
  join login_session s on s.id = n.session_id and s.revoked_at is null
  on conflict (session_id, key) do update set value = excluded.value`;

/**
 * Stores the last list and its filter for each session, so that a page can be restored. Requests do not wait for it. A key is written at
 * once, and then at most every five seconds with its latest value.
 */
export class SessionNotes {
  readonly #pool: pg.Pool;
  readonly #monotonicMs: () => number;
  readonly #writtenMs = new Map<string, number>();
  readonly #pending = new Map<string, Note>();
  readonly #timer: NodeJS.Timeout;
  #writing: Promise<void> = Promise.resolve();

  constructor(pool: pg.Pool, monotonicMs: () => number) {
    this.#pool = pool;
    this.#monotonicMs = monotonicMs;
    this.#timer = setInterval(() => this.#writeDue(), everyMs / 5).unref();
  }

  /** Writes the pending values. */
  async close(): Promise<void> {
    clearInterval(this.#timer);
    this.#write([...this.#pending.values()]);
    await this.#writing;
  }

  /** Records a list that the caller has read. */
  listed({ caller, operation, query }: Call): void {
    if (!caller.session) return;
    const { id: sessionId } = caller.session;
    const [group] = operation.operationId.split('.') as [string];
    const { filter = [], sortKey = null, sortDir = null, start = null, count = null, after = null } = query;
    this.#record({ sessionId, key: `filter:${group}` }, { filter, sortKey, sortDir, start, count, after });
    this.#record({ sessionId, key: 'last-visited' }, { group, operation: operation.operationId });
    this.#writeDue();
  }

  #record(noteKey: Pick<Note, 'sessionId' | 'key'>, content: object): void {
    const value = JSON.stringify(content);
    const place = placeOf(noteKey);
    if (Buffer.byteLength(value) > keptBytesMax) return;
    if (this.#pending.size < keysMax || this.#pending.has(place)) this.#pending.set(place, { ...noteKey, value });
  }

  #writeDue(): void {
    const now = this.#monotonicMs();
    for (const [place, ms] of this.#writtenMs) if (now - ms >= everyMs) this.#writtenMs.delete(place);
    const due = [...this.#pending].filter(([place]) => !this.#writtenMs.has(place)).map(([, note]) => note);
    for (const note of due) this.#writtenMs.set(placeOf(note), now);
    this.#write(due);
  }

  #write(notes: readonly Note[]): void {
    if (notes.length === 0) return;
    for (const note of notes) this.#pending.delete(placeOf(note));
    const values = [
      notes.map(({ sessionId }) => sessionId),
      notes.map(({ key }) => key),
      notes.map(({ value }) => value),
    ];
    this.#writing = this.#writing.then(async () => {
      // A failed write is not retried: the next list writes the keys again.
      await this.#pool.query(writeSql, values).catch(() => undefined);
    });
  }
}

const placeOf = ({ sessionId, key }: Pick<Note, 'sessionId' | 'key'>): string => `${sessionId} ${key}`;
