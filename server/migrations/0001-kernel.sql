-- The tables and functions that every group stands on. Owned by the role that migrates; the serving role gets rights by default below.

create extension if not exists pg_trgm;

alter default privileges in schema public grant select, insert, update, delete on tables to portreeve_service;
alter default privileges in schema public grant usage, select on sequences to portreeve_service;
revoke insert, update, delete on migration from portreeve_service;
grant select on migration to portreeve_service;

-- One cell, one number: the landscape of everything it owns.
create table cell (
  single boolean primary key default true check (single),
  landscape bigint not null
);
insert into cell (landscape) values (1 + floor(random() * 1099511627775)::bigint);

create function cell_landscape() returns bigint
  language sql stable parallel safe
  as 'select c.landscape from public.cell c';

-- Ids of log rows tell their time: milliseconds since 2020 above 13 bits of sequence.
create sequence log_sequence as bigint cache 32 cycle;

create function log_id() returns bigint
  language sql volatile
  as $$
    select (floor(extract(epoch from clock_timestamp()) * 1000)::bigint - 1577836800000) * 8192
      + (nextval('public.log_sequence') & 8191)
  $$;

create function log_time(id bigint) returns timestamptz
  language sql immutable parallel safe strict
  as 'select to_timestamp((id / 8192 + 1577836800000) / 1000.0::double precision)';

-- Exact totals without count(*): a base that a job folds, and deltas that are only ever inserted, so that writers never wait for each other.
create table row_count (
  table_name text primary key,
  rows bigint not null
);

create table row_count_delta (
  id bigint generated always as identity primary key,
  table_name text not null,
  delta bigint not null
);
create index row_count_delta_table_ix on row_count_delta (table_name) include (delta);

create function row_total(wanted text) returns bigint
  language sql stable parallel safe
  as $$
    select coalesce((select c.rows from public.row_count c where c.table_name = wanted), 0)
      + coalesce((select sum(d.delta) from public.row_count_delta d where d.table_name = wanted), 0)::bigint
  $$;

-- What changed, in the order it was done. Readers compare snapshots, so nothing committed late is missed.
create table change_feed (
  seq bigint generated always as identity primary key,
  txid xid8 not null default pg_current_xact_id(),
  at timestamptz(3) not null default clock_timestamp(),
  table_name text not null,
  record_id bigint not null,
  change text not null check (change in ('added', 'modified', 'removed')),
  version integer not null,
  mask integer not null default 0
);
create index change_feed_table_ix on change_feed (table_name, txid);
create index change_feed_at_ix on change_feed (at);

create function note_added() returns trigger language plpgsql as $$
begin
  insert into row_count_delta (table_name, delta)
  select tg_table_name, count(*) from changed having count(*) > 0;
  insert into change_feed (table_name, record_id, change, version)
  select tg_table_name, c.id, 'added', c.version from changed c;
  return null;
end $$;

-- With an argument: the column that says as bits what the write changed.
create function note_modified() returns trigger language plpgsql as $$
begin
  if tg_nargs = 1 then
    execute format(
      'insert into change_feed (table_name, record_id, change, version, mask) select %L, c.id, ''modified'', c.version, c.%I from changed c',
      tg_table_name, tg_argv[0]);
    return null;
  end if;
  insert into change_feed (table_name, record_id, change, version)
  select tg_table_name, c.id, 'modified', c.version from changed c;
  return null;
end $$;

create function note_removed() returns trigger language plpgsql as $$
begin
  insert into row_count_delta (table_name, delta)
  select tg_table_name, -count(*) from changed having count(*) > 0;
  insert into change_feed (table_name, record_id, change, version)
  select tg_table_name, c.id, 'removed', c.version from changed c;
  return null;
end $$;

-- Truncating is not something the service does; should an operator do it, totals and feed stay right.
create function note_truncated() returns trigger language plpgsql as $$
begin
  execute format(
    'insert into change_feed (table_name, record_id, change, version) select %L, id, ''removed'', version from %I',
    tg_table_name, tg_table_name);
  execute format(
    'insert into row_count_delta (table_name, delta) select %L, -count(*) from %I having count(*) > 0',
    tg_table_name, tg_table_name);
  return null;
end $$;

create function count_added() returns trigger language plpgsql as $$
begin
  insert into row_count_delta (table_name, delta)
  select tg_table_name, count(*) from changed having count(*) > 0;
  return null;
end $$;

-- References that stand inside lists and objects; foreign keys cannot reach there.
create table reference (
  from_table text not null,
  from_id bigint not null,
  field text not null,
  to_table text not null,
  to_id bigint not null,
  primary key (from_table, from_id, field, to_table, to_id)
);
create index reference_to_ix on reference (to_table, to_id);

-- The newest event of each name for elements whose record embeds it.
create table latest_event (
  element_type integer not null,
  element_id bigint not null,
  name text not null,
  event jsonb not null,
  primary key (element_type, element_id, name)
);

-- Answers of writes that carried an Idempotency-Key, written in the write's own transaction.
create table idempotency_key (
  owner text not null,
  key text not null,
  request_hash bytea not null,
  answer jsonb,
  expires_at timestamptz not null,
  primary key (owner, key)
);
create index idempotency_key_expires_ix on idempotency_key (expires_at);

-- A monitor remembers how far its client has acknowledged, so that any node can answer the next poll.
create table monitor (
  id bigint generated always as identity primary key,
  table_name text not null,
  credential text not null,
  filter text[] not null,
  acknowledged text not null,
  -- The snapshot up to which nothing followed what was acknowledged, when the last poll found nothing.
  clear_until text,
  started_at timestamptz not null default now(),
  polled_at timestamptz not null default now()
);
create index monitor_credential_ix on monitor (credential);

-- Logs and the width of their slices; partitions are made ahead, there is no default one.
create table log_table (
  table_name text primary key,
  slice text not null check (slice in ('day', 'week', 'month'))
);

-- The only way the serving role makes a table: the next slices of a known log, on which it gets no rights of its own.
create function make_log_slices(ahead integer) returns integer
  language plpgsql security definer set search_path = public, pg_temp
  as $$
declare
  l record;
  n integer;
  made integer := 0;
  starts timestamp;
  ends timestamp;
  slice_name text;
begin
  perform pg_advisory_xact_lock(hashtext('portreeve-log-slices'));
  for l in select t.table_name, t.slice from log_table t order by t.table_name loop
    for n in 0..least(ahead, 60) loop
      starts := date_trunc(l.slice, now() at time zone 'UTC') + n * ('1 ' || l.slice)::interval;
      ends := starts + ('1 ' || l.slice)::interval;
      slice_name := l.table_name || '_' || to_char(starts, 'YYYYMMDD');
      if to_regclass(quote_ident(slice_name)) is null then
        execute format(
          'create table %I partition of %I for values from (%s) to (%s)', slice_name, l.table_name,
          ((extract(epoch from starts) * 1000)::bigint - 1577836800000) * 8192,
          ((extract(epoch from ends) * 1000)::bigint - 1577836800000) * 8192);
        execute format('revoke all on %I from portreeve_service', slice_name);
        made := made + 1;
      end if;
    end loop;
  end loop;
  return made;
end $$;

-- Keys that seal secret fields, each wrapped by the master key, which is not in this database.
create table data_key (
  id integer primary key,
  wrapped bytea not null,
  created_at timestamptz not null default now()
);

-- Up to where the change feed of a table has been forgotten; a monitor that has not seen all of that gets 410.
create table feed_purge (
  table_name text primary key,
  txid xid8 not null,
  seq bigint not null
);
