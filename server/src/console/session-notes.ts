import type pg from 'pg';
import type { Call } from '../kernel/declare/operation.ts';
import { keptBytesMax } from './session-operation.ts';

const everyMs = 5_000;
/** Each may have as many bytes as are kept. */
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
 * Stores for each session which list somebody looked at last, and how: so that a page that is opened again can be as it was.
 * Nothing waits for it. A key is written at once, then at most once in five seconds, with what was last.
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

  /** Stores what is left. */
  async close(): Promise<void> {
    clearInterval(this.#timer);
    this.#write([...this.#pending.values()]);
    await this.#writing;
  }

  /** A list that somebody looked at. */
  listed({ caller, operation, query }: Call): void {
    if (!caller.session) return;
    const { id: sessionId } = caller.session;
    const [group] = operation.operationId.split('.') as [string];
    const { filter = [], sortKey = null, sortDir = null, start = null, count = null, after = null } = query;
    this.#note({ sessionId, key: `filter:${group}` }, { filter, sortKey, sortDir, start, count, after });
    this.#note({ sessionId, key: 'last-visited' }, { group, operation: operation.operationId });
    this.#writeDue();
  }

  #note(of: Pick<Note, 'sessionId' | 'key'>, content: object): void {
    const value = JSON.stringify(content);
    const place = placeOf(of);
    if (Buffer.byteLength(value) > keptBytesMax) return;
    if (this.#pending.size < keysMax || this.#pending.has(place)) this.#pending.set(place, { ...of, value });
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
      // What cannot be stored now is of no use later: the next list says it again.
      await this.#pool.query(writeSql, values).catch(() => undefined);
    });
  }
}

const placeOf = ({ sessionId, key }: Pick<Note, 'sessionId' | 'key'>): string => `${sessionId} ${key}`;
