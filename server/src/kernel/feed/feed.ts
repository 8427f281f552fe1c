import type pg from 'pg';
import { Parameters } from '../database/parameters.ts';
import { quoted } from '../declare/names.ts';
import { Failure, invalid } from '../failure.ts';
import type { Table } from '../model/model.ts';
import type { Reader } from '../read/reader.ts';
import type { RecordValue } from '../read/select.ts';

/** One change that a monitor reports. */
export interface FeedEntry {
  position: string;
  change: 'added' | 'modified' | 'removed';
  record: RecordValue;
}

/** Result of a poll: the entries, the position up to which it has read, and for a log the number of waiting rows. */
export interface FeedPage {
  entries: FeedEntry[];
  upto: string;
  waiting?: number;
}

/**
 * How far a client has got. Changes are read between two snapshots of the database, in the order they were made:
 * what is visible in `upto` but not in `since`, behind the sequence number `seq`. A transaction that commits late belongs to a
 * later window, so nothing is missed; one that waited for another comes after it, so versions never run backwards.
 */
interface Position {
  since: string;
  upto: string | null;
  seq: number;
}

const pollMax = 1_000;
/** How many thousands of changes that a client may not see one poll goes through, before the next one goes on. */
const pagesMax = 20;
const keptHours = 24;
const snapshotText = /^(\d{1,19}):(\d{1,19}):((?:\d{1,19}(?:,\d{1,19})*)?)$/;

const writePosition = ({ since, upto, seq }: Position): string =>
  Buffer.from([since, upto ?? '', seq].join('|')).toString('base64url');

export function readPosition(text: string): Position {
  const [since, upto, seq, ...rest] = Buffer.from(text, 'base64url').toString('latin1').split('|');
  if (rest.length > 0 || !isSnapshot(since) || (upto !== '' && !isSnapshot(upto)) || !/^\d{1,16}$/.test(seq ?? '')) {
    throw invalid([
      {
        pointer: '?position',
        message: 'position: not a valid monitor position; use the position of an entry unchanged.',
      },
    ]);
  }
  return { since: since!, upto: upto || null, seq: Number(seq) };
}

/** What PostgreSQL takes as a pg_snapshot: anything else must be a fault of the request, not of a cast in the database. */
export function isSnapshot(text: string | undefined): boolean {
  const match = snapshotText.exec(text ?? '');
  if (!match) return false;
  const [from, to] = [BigInt(match[1]!), BigInt(match[2]!)];
  if (from < 1n || to < from || to >= 2n ** 63n) return false;
  let least = from;
  return (match[3] ? match[3].split(',').map(BigInt) : []).every((running) => {
    const fits = running >= least && running < to;
    least = running;
    return fits;
  });
}

/** The position after which every later commit is reported. */
export async function currentPosition(client: pg.PoolClient): Promise<string> {
  return positionAt(await currentSnapshot(client));
}

async function currentSnapshot(client: pg.PoolClient): Promise<string> {
  const { rows } = await client.query<{ snapshot: string }>('select pg_current_snapshot()::text as snapshot');
  return rows[0]!.snapshot;
}

interface Row {
  seq: number;
  id: number;
  change: FeedEntry['change'];
  mask: number;
  /** Where the record was, if it may have become invisible to some callers. */
  kind: string | null;
  place: number | null;
  position: string;
}

/** A position from which everything behind a snapshot follows. */
export const positionAt = (snapshot: string): string => writePosition({ since: snapshot, upto: null, seq: 0 });

/** The changes that follow a position, at most a thousand, each with the record as it is now; and from where to go on when there are none. */
export async function readFeed(
  client: pg.PoolClient,
  reader: Reader,
  from: string,
  filter: readonly string[],
  nowMs: number,
): Promise<FeedPage> {
  let position = from;
  for (let page = 1; ; page++) {
    const { rows, upto } = await readRows(client, reader, readPosition(position));
    const entries = await withRecords(client, reader, rows.slice(0, pollMax), filter, nowMs);
    const hasMore = rows.length > pollMax;
    position = hasMore ? rows[pollMax - 1]!.position : positionAt(upto);
    if (entries.length > 0 || !hasMore || page === pagesMax) return { entries, upto: position };
  }
}

async function readRows(client: pg.PoolClient, reader: Reader, from: Position): Promise<{ rows: Row[]; upto: string }> {
  const rows: Row[] = [];
  let position = from;
  if (position.upto !== null) {
    rows.push(...(await readWindow(client, reader, position, position.upto)));
    position = { since: position.upto, upto: null, seq: 0 };
  }
  const upto = await currentSnapshot(client);
  if (rows.length <= pollMax) rows.push(...(await readWindow(client, reader, position, upto)));
  return { rows, upto };
}

const isLimited = ({ visibility, table }: Reader): boolean => visibility.limitsOn(table.declaration).length > 0;

/** Callers with limited visibility also need changes of visibility. */
const visibilityChanges = `select s.seq, s.txid, s.table_name, s.record_id, 'modified', 0, s.kind, s.place from visibility_change s`;

const newsFor = (reader: Reader): string =>
  `select c.seq, c.txid, c.table_name, c.record_id, c.change, c.mask, null::text, null::bigint from change_feed c${isLimited(reader) ? `\nunion all ${visibilityChanges}` : ''}`;

async function readWindow(client: pg.PoolClient, reader: Reader, position: Position, upto: string): Promise<Row[]> {
  const { rows } = await client.query<Omit<Row, 'position'>>(
    `select f.seq, f.record_id as id, f.change, f.mask, f.kind, f.place
     from (${newsFor(reader)}) f(seq, txid, table_name, record_id, change, mask, kind, place)
     where f.table_name = $1
       and f.txid >= pg_snapshot_xmin($2::pg_snapshot)
       and not pg_visible_in_snapshot(f.txid, $2::pg_snapshot)
       and pg_visible_in_snapshot(f.txid, $3::pg_snapshot)
       and f.seq > $4
     order by f.seq
     limit $5`,
    [reader.table.name, position.since, upto, position.seq, pollMax + 1],
  );
  return rows.map((row) => ({ ...row, position: writePosition({ since: position.since, upto, seq: row.seq }) }));
}

/** Records that changed between two snapshots. */
export interface ChangedIds {
  ids: number[];
  /** There are more than anybody wants to fetch one by one; `ids` is empty then. */
  isMany: boolean;
}

/** More are not listed. */
export const changedIdsMax = 500;

/** Which records changed between two snapshots, as far as the reader's viewer sees them, or saw them before. */
export async function changedBetween(
  client: pg.PoolClient,
  reader: Reader,
  since: string,
  upto: string,
): Promise<ChangedIds> {
  const rows = await readWindow(client, reader, { since, upto: null, seq: 0 }, upto);
  if (rows.length > pollMax) return { ids: [], isMany: true };
  const changed = [...new Set(rows.map(({ id }) => id))];
  const seen = isLimited(reader) && changed.length > 0 ? await reader.visibleIds(client, changed) : new Set(changed);
  const left = await seenBefore(
    client,
    reader,
    rows.filter(({ id }) => !seen.has(id)),
  );
  const ids = changed.filter((id) => seen.has(id) || left.has(id));
  return ids.length > changedIdsMax ? { ids: [], isMany: true } : { ids, isMany: false };
}

async function withRecords(
  client: pg.PoolClient,
  reader: Reader,
  rows: readonly Row[],
  filter: readonly string[],
  nowMs: number,
): Promise<FeedEntry[]> {
  if (rows.length === 0) return [];
  const { declaration } = reader.table;
  const { identity } = declaration;
  const masks = new Map<number, number>();
  for (const row of rows) masks.set(row.id, (masks.get(row.id) ?? 0) | row.mask);
  const found = await reader.fetchMany(client, [...masks.keys()], filter, nowMs);
  const records = new Map(found.map((record) => [record[identity] as number, record]));
  const since = declaration.kind === 'collection' ? declaration.changeMask?.since : undefined;
  const reported = isLimited(reader) ? await withoutHidden(client, reader, rows, records) : rows;
  return reported.map(({ id, change, position }) => {
    const record = records.get(id);
    // Gone by now, or no longer what the monitor asked for: to its client that is the same.
    if (!record) return { position, change: 'removed', record: { [identity]: id } };
    return { position, change, record: since ? { ...record, [since]: masks.get(id) } : record };
  });
}

/**
 * Entries for a caller with limited visibility: changes of visible rows, and one `removed` when a record becomes invisible. A record that was never visible
 * is not reported, so its existence is not revealed.
 */
async function withoutHidden(
  client: pg.PoolClient,
  reader: Reader,
  rows: readonly Row[],
  records: ReadonlyMap<number, RecordValue>,
): Promise<readonly Row[]> {
  const missing = [...new Set(rows.map(({ id }) => id))].filter((id) => !records.has(id));
  if (missing.length === 0) return rows;
  const seen = await reader.visibleIds(client, missing);
  const unseen = new Set(missing.filter((id) => !seen.has(id)));
  const departures = rows.filter(({ id }) => unseen.has(id));
  const left = await seenBefore(client, reader, departures);
  const last = new Map(departures.map((row) => [row.id, row]));
  return rows.filter((row) => !unseen.has(row.id) || (left.has(row.id) && last.get(row.id) === row));
}

/** Records that are hidden now and were seen before: each limit holds still, or held where the record was. */
async function seenBefore(client: pg.PoolClient, reader: Reader, rows: readonly Row[]): Promise<Set<number>> {
  if (rows.length === 0) return new Set();
  const { table, visibility } = reader;
  const parameters = new Parameters([
    rows.map(({ id }) => id),
    rows.map(({ kind }) => kind),
    rows.map(({ place }) => place),
  ]);
  const limits = visibility.limitsOn(table.declaration).map(
    ({
      rowCondition: holds,
      wasVisible: held,
    }) => `(select p.id from unnest($1::bigint[], $2::text[], $3::bigint[]) p(id, kind, place) where ${held(parameters)}
     union select r.id from ${quoted(table.name)} r where r.id = any($1::bigint[]) and ${holds(parameters)})`,
  );
  const { rows: found } = await client.query<{ id: number }>(limits.join('\nintersect\n'), parameters.values);
  return new Set(found.map(({ id }) => id));
}

/**
 * Says 410 when changes that a client has not seen are no longer kept. What was forgotten was seen if it had all been committed
 * when the client's window began, or when it ended and the client has come further than the last of it.
 */
export async function refuseForgotten(client: pg.PoolClient, table: Table, from: string): Promise<void> {
  const { since, upto, seq } = readPosition(from);
  const { rows } = await client.query<{ seen: boolean }>(
    `select p.txid < pg_snapshot_xmin($2::pg_snapshot)
       or ($3::pg_snapshot is not null and p.seq <= $4 and p.txid < pg_snapshot_xmin($3::pg_snapshot)) as seen
     from feed_purge p where p.table_name = $1`,
    [table.name, since, upto, seq],
  );
  if (rows[0] && !rows[0].seen)
    throw new Failure('gone', `The changes after this position have expired (${keptHours} h); start a new monitor.`);
}

/** Forgets changes that are older than the feed is kept, and remembers up to where. */
export async function purgeFeed(client: pg.PoolClient): Promise<number> {
  const { rows } = await client.query<{ purged: number }>(
    `with changes as (
       delete from change_feed where at < now() - make_interval(hours => $1) returning table_name, txid, seq
     ), sights as (
       delete from visibility_change where at < now() - make_interval(hours => $1) returning table_name, txid, seq
     ), gone as (
       select * from changes union all select * from sights
     ), noted as (
       insert into feed_purge as p (table_name, txid, seq)
       select g.table_name, max(g.txid), max(g.seq) from gone g group by g.table_name
       on conflict (table_name) do update set txid = greatest(p.txid, excluded.txid), seq = greatest(p.seq, excluded.seq)
     )
     select count(*)::integer as purged from gone`,
    [keptHours],
  );
  return rows[0]!.purged;
}
