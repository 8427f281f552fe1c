import type pg from 'pg';
import { Parameters } from '../database/parameters.ts';
import { quoted } from '../declare/names.ts';
import { Failure, invalid } from '../failure.ts';
import type { Table } from '../model/model.ts';
import type { Reader } from '../read/reader.ts';
import type { RecordValue } from '../read/select.ts';
import { isSnapshot } from '../values/snapshot.ts';

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
 * The position of a client. Changes are read between two snapshots of the database, in the order in which they were
 * made: changes that are visible in `upto` but not in `since`, after the sequence number `seq`. A transaction that
 * commits late belongs to a later window, so no change is missed. A transaction that waited for another one comes after
 * it, so the versions of a record never go backwards.
 */
interface Position {
  since: string;
  upto: string | null;
  seq: number;
}

const pollMax = 1_000;
/** How many pages of changes without a visible record one poll reads; the next poll continues. */
const pagesMax = 20;
const keptHours = 24;

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

/** Returns the position after which every later commit is reported. */
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

/** Returns the position after which all changes since a snapshot are reported. */
export const positionAt = (snapshot: string): string => writePosition({ since: snapshot, upto: null, seq: 0 });

/**
 * Returns the changes after a position, at most a thousand, each with the present record, and the position to continue
 * from.
 */
export async function readFeed(
  client: pg.PoolClient,
  reader: Reader,
  startPosition: string,
  filter: readonly string[],
  nowMs: number,
): Promise<FeedPage> {
  let position = startPosition;
  for (let page = 1; ; page++) {
    const { rows, upto } = await readRows(client, reader, readPosition(position));
    const entries = await withRecords(client, reader, rows.slice(0, pollMax), filter, nowMs);
    const hasMore = rows.length > pollMax;
    position = hasMore ? rows[pollMax - 1]!.position : positionAt(upto);
    if (entries.length > 0 || !hasMore || page === pagesMax) return { entries, upto: position };
  }
}

async function readRows(
  client: pg.PoolClient,
  reader: Reader,
  startPosition: Position,
): Promise<{ rows: Row[]; upto: string }> {
  const rows: Row[] = [];
  let position = startPosition;
  if (position.upto !== null) {
    rows.push(...(await readWindow(client, reader, position, position.upto)));
    position = { since: position.upto, upto: null, seq: 0 };
  }
  const upto = await currentSnapshot(client);
  if (rows.length <= pollMax) rows.push(...(await readWindow(client, reader, position, upto)));
  return { rows, upto };
}

const isLimited = ({ visibility, table }: Reader): boolean => visibility.limitsOn(table.declaration).length > 0;

/** Callers with row limits also need changes of visibility. */
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
  /** True if there are too many to fetch one by one; `ids` is then empty. */
  isMany: boolean;
}

/** Maximum number of listed ids. */
export const changedIdsMax = 500;

/** Returns which records changed between two snapshots, if the viewer sees them or saw them before. */
export async function changedBetween(
  client: pg.PoolClient,
  reader: Reader,
  since: string,
  upto: string,
): Promise<ChangedIds> {
  const rows = await readWindow(client, reader, { since, upto: null, seq: 0 }, upto);
  if (rows.length > pollMax) return { ids: [], isMany: true };
  const changed = [...new Set(rows.map(({ id }) => id))];
  const visibleIds =
    isLimited(reader) && changed.length > 0 ? await reader.visibleIds(client, changed) : new Set(changed);
  const formerlyVisible = await formerlyVisibleIds(
    client,
    reader,
    rows.filter(({ id }) => !visibleIds.has(id)),
  );
  const ids = changed.filter((id) => visibleIds.has(id) || formerlyVisible.has(id));
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
  const visibleRecords = await reader.fetchMany(client, [...masks.keys()], filter, nowMs);
  const records = new Map(visibleRecords.map((record) => [record[identity] as number, record]));
  const since = declaration.kind === 'collection' ? declaration.changeMask?.since : undefined;
  const reported = isLimited(reader) ? await withoutHidden(client, reader, rows, records) : rows;
  return reported.map(({ id, change, position }) => {
    const record = records.get(id);
    // The record was deleted or no longer matches the filter: for the client both mean that it is removed.
    if (!record) return { position, change: 'removed', record: { [identity]: id } };
    return { position, change, record: since ? { ...record, [since]: masks.get(id) } : record };
  });
}

/**
 * Returns the entries for a caller with row limits: changes of visible rows, and one `removed` when a record becomes
 * invisible. A record that was never visible is not reported, so its existence is not revealed.
 */
async function withoutHidden(
  client: pg.PoolClient,
  reader: Reader,
  rows: readonly Row[],
  records: ReadonlyMap<number, RecordValue>,
): Promise<readonly Row[]> {
  const missing = [...new Set(rows.map(({ id }) => id))].filter((id) => !records.has(id));
  if (missing.length === 0) return rows;
  const visibleIds = await reader.visibleIds(client, missing);
  const unseen = new Set(missing.filter((id) => !visibleIds.has(id)));
  const departures = rows.filter(({ id }) => unseen.has(id));
  const formerlyVisible = await formerlyVisibleIds(client, reader, departures);
  const last = new Map(departures.map((row) => [row.id, row]));
  return rows.filter((row) => !unseen.has(row.id) || (formerlyVisible.has(row.id) && last.get(row.id) === row));
}

/**
 * Returns the hidden records that were visible before: each limit is met now, or was met at the former place of the
 * record.
 */
async function formerlyVisibleIds(client: pg.PoolClient, reader: Reader, rows: readonly Row[]): Promise<Set<number>> {
  if (rows.length === 0) return new Set();
  const { table, visibility } = reader;
  const parameters = new Parameters([
    rows.map(({ id }) => id),
    rows.map(({ kind }) => kind),
    rows.map(({ place }) => place),
  ]);
  const limits = visibility.limitsOn(table.declaration).map(
    ({
      rowCondition: conditionNow,
      wasVisible: conditionBefore,
    }) => `(select p.id from unnest($1::bigint[], $2::text[], $3::bigint[]) p(id, kind, place) where ${conditionBefore(parameters)}
     union select r.id from ${quoted(table.name)} r where r.id = any($1::bigint[]) and ${conditionNow(parameters)})`,
  );
  const { rows: formerRows } = await client.query<{ id: number }>(limits.join('\nintersect\n'), parameters.values);
  return new Set(formerRows.map(({ id }) => id));
}

/**
 * Throws 410 if changes that the client has not received have expired. The client has received an expired change if it
 * was committed when the client's window began, or when the window ended and the client has read past it.
 */
export async function refuseForgotten(client: pg.PoolClient, table: Table, position: string): Promise<void> {
  const { since, upto, seq } = readPosition(position);
  const { rows } = await client.query<{ seen: boolean }>(
    `select p.txid < pg_snapshot_xmin($2::pg_snapshot)
       or ($3::pg_snapshot is not null and p.seq <= $4 and p.txid < pg_snapshot_xmin($3::pg_snapshot)) as seen
     from feed_purge p where p.table_name = $1`,
    [table.name, since, upto, seq],
  );
  if (rows[0] && !rows[0].seen)
    throw new Failure('gone', `The changes after this position have expired (${keptHours} h); start a new monitor.`);
}

/** Deletes expired changes, and stores the last of them. */
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
