-- The log engine: counters by slice, slices made, archived, detached and attached again. Slices belong to the role that migrates;
-- the serving role reaches them through the functions below, which check what they are asked for.

alter table log_table
  add column closed_by text,
  add column age_setting text not null default 'eventDays',
  add column removable boolean not null default false,
  add column always_archived boolean not null default false;
alter table log_table alter column age_setting drop default;
revoke insert, update, delete on log_table from portreeve_service;

-- How long what is logged stays; flags are 0 or 1. The settings of backups edit it.
create table log_setting (
  name text primary key,
  value integer not null check (value between 0 and 36500)
);
revoke insert, delete on log_setting from portreeve_service;
insert into log_setting (name, value) values
  ('eventDays', 30), ('securityEventDays', 30), ('connectionDays', 180), ('alarmDays', 365), ('securityAlarmDays', 365),
  ('auditDays', 730), ('scanResultDays', 180), ('radiusResponseDays', 30),
  ('archiveBeforePurge', 1), ('archiveKeepDays', 730), ('importedKeepDays', 14);

create function log_setting(wanted text) returns integer
  language sql stable parallel safe
  as 'select s.value from public.log_setting s where s.name = wanted';

-- The first day of the slice that holds an instant, and the first id of a day.
create function log_slice_of(width text, at timestamptz) returns date
  language sql immutable parallel safe strict
  as $$ select date_trunc(width, at at time zone 'UTC')::date $$;

create function log_slice_of(width text, id bigint) returns date
  language sql immutable parallel safe strict
  as $$ select date_trunc(width, (date '2020-01-01' + ((id >> 13) / 86400000)::integer)::timestamp)::date $$;

create function log_slice_end(width text, slice date) returns date
  language sql immutable parallel safe strict
  as $$ select (slice + case width when 'day' then interval '1 day' when 'week' then interval '7 days' else interval '1 month' end)::date $$;

create function log_first_id(day date) returns bigint
  language sql immutable parallel safe strict
  as $$ select (day - date '2020-01-01')::bigint * 86400000 * 8192 $$;

create function log_slice_name(log text, slice date) returns text
  language sql immutable parallel safe strict
  as $$ select log || '_' || lpad((extract(year from slice) * 10000 + extract(month from slice) * 100 + extract(day from slice))::text, 8, '0') $$;

-- Totals of logs are kept by slice, so that a slice takes its count along when it leaves; other tables have one count.
alter table row_count add column slice date not null default '-infinity';
alter table row_count drop constraint row_count_pkey;
alter table row_count add constraint row_count_pkey primary key (table_name, slice);
alter table row_count_delta add column slice date not null default '-infinity';

create or replace function row_total(wanted text) returns bigint
  language sql stable parallel safe
  as $$
    select (coalesce((select sum(c.rows) from public.row_count c where c.table_name = wanted), 0)
      + coalesce((select sum(d.delta) from public.row_count_delta d where d.table_name = wanted), 0))::bigint
  $$;

-- With the width of the slices; and the column of the end time, where that is what slices go by.
create function count_log_added() returns trigger language plpgsql as $$
begin
  if tg_nargs = 2 then
    execute format(
      'insert into row_count_delta (table_name, slice, delta) select %L, log_slice_of(%L, c.%I), count(*) from changed c group by 2',
      tg_table_name, tg_argv[0], tg_argv[1]);
    return null;
  end if;
  insert into row_count_delta (table_name, slice, delta)
  select tg_table_name, log_slice_of(tg_argv[0], c.id), count(*) from changed c group by 2;
  return null;
end $$;

create function count_log_removed() returns trigger language plpgsql as $$
begin
  if tg_nargs = 2 then
    execute format(
      'insert into row_count_delta (table_name, slice, delta) select %L, log_slice_of(%L, c.%I), -count(*) from changed c group by 2',
      tg_table_name, tg_argv[0], tg_argv[1]);
    return null;
  end if;
  insert into row_count_delta (table_name, slice, delta)
  select tg_table_name, log_slice_of(tg_argv[0], c.id), -count(*) from changed c group by 2;
  return null;
end $$;

-- Rows that an administrator deleted: an import does not bring them back.
create table log_tombstone (
  log text not null,
  id bigint not null,
  landscape bigint not null,
  slice date not null,
  at timestamptz not null default now(),
  primary key (log, id, landscape)
);
create index log_tombstone_slice_ix on log_tombstone (log, slice);
revoke insert, update, delete on log_tombstone from portreeve_service;

-- Every archive that was written and checked, or came in by an import.
create table log_archive (
  name text primary key,
  log text not null references log_table (table_name),
  slice date not null,
  landscape bigint not null,
  rows bigint not null,
  min_id bigint not null,
  max_id bigint not null,
  bytes bigint not null,
  sha256 text not null,
  schema_version integer not null,
  product_version text not null,
  created_at timestamptz(3) not null,
  imported_until timestamptz(3),
  offline_since timestamptz(3),
  missing boolean not null default false,
  unique (log, slice, landscape)
);
revoke insert, update, delete on log_archive from portreeve_service;
grant update (missing, imported_until) on log_archive to portreeve_service;

-- Imports that were asked for, for those who wait.
create table log_import (
  id bigint generated always as identity primary key,
  task_id bigint not null default 0,
  name text not null,
  log text not null,
  upload text,
  state text not null default 'QUEUED' check (state in ('QUEUED', 'RUNNING', 'DONE', 'FAILED')),
  rows_done bigint not null default 0,
  rows_total bigint not null default 0,
  inserted bigint not null default 0,
  duplicates bigint not null default 0,
  rejected bigint not null default 0,
  requested_at timestamptz(3) not null default now(),
  started_at timestamptz(3),
  finished_at timestamptz(3),
  error text
);
create index log_import_log_ix on log_import (log, id desc);

-- A known log, or a refusal.
create function known_log(log text) returns log_table
  language plpgsql stable set search_path = public, pg_temp
  as $$
declare
  l log_table;
begin
  select t.* into l from log_table t where t.table_name = log;
  if not found then
    raise exception 'there is no log called %', log using errcode = 'invalid_parameter_value';
  end if;
  return l;
end $$;

create function log_slice_bounds(l log_table, slice date) returns text
  language sql immutable
  as $$
    select case when l.closed_by is null
      then format('from (%s) to (%s)', log_first_id(slice), log_first_id(log_slice_end(l.slice, slice)))
      else format('from (%L) to (%L)', slice::text || ' 00:00:00+00', log_slice_end(l.slice, slice)::text || ' 00:00:00+00') end
  $$;

create function is_log_slice(log text, slice date) returns boolean
  language sql stable set search_path = public, pg_temp
  as $$
    select exists (select from pg_inherits i
      where i.inhparent = to_regclass(quote_ident(log)) and i.inhrelid = to_regclass(quote_ident(log_slice_name(log, slice))))
  $$;

-- A table of its own that is then attached: unlike `create … partition of` that lets readers of the log go on.
create function make_log_slice(l log_table, slice date) returns boolean
  language plpgsql set search_path = public, pg_temp
  as $$
declare
  slice_name text := log_slice_name(l.table_name, slice);
begin
  if to_regclass(quote_ident(slice_name)) is not null then
    return false;
  end if;
  execute format('create table %I (like %I including defaults including generated including constraints)', slice_name, l.table_name);
  execute format('revoke all on %I from portreeve_service', slice_name);
  execute format('alter table %I attach partition %I for values %s', l.table_name, slice_name, log_slice_bounds(l, slice));
  return true;
end $$;

-- The present slice of every log, those ahead, and one back for what ends late.
create or replace function make_log_slices(ahead integer) returns integer
  language plpgsql security definer set search_path = public, pg_temp
  as $$
declare
  l log_table;
  first date;
  made integer := 0;
begin
  perform pg_advisory_xact_lock(hashtext('portreeve-log-slices'));
  for l in select t.* from log_table t order by t.table_name loop
    first := log_slice_of(l.slice, now());
    for n in (case when l.closed_by is null then 0 else -1 end)..least(ahead, 60) loop
      if make_log_slice(l, log_slice_of(l.slice, (first + n * ('1 ' || l.slice)::interval) at time zone 'UTC')) then
        made := made + 1;
      end if;
    end loop;
  end loop;
  return made;
end $$;

-- The slice that a row needs whose key is given as text, and whether it may have one: not when it is past its age, or far ahead.
create function make_log_slice_for(log text, key text) returns boolean
  language plpgsql security definer set search_path = public, pg_temp
  as $$
declare
  l log_table := known_log(log);
  at timestamptz := case when l.closed_by is null then log_time(key::bigint) else key::timestamptz end;
begin
  if at < now() - make_interval(days => log_setting(l.age_setting)) or at > now() + 60 * ('1 ' || l.slice)::interval then
    return false;
  end if;
  perform pg_advisory_xact_lock(hashtext('portreeve-log-slices'));
  perform make_log_slice(l, log_slice_of(l.slice, at));
  return true;
end $$;

-- Rows of this cell in a slice, whether they lie there or were deleted since it was archived.
create function log_slice_rows(l log_table, wanted date, deleted_since timestamptz) returns bigint
  language plpgsql stable set search_path = public, pg_temp
  as $$
declare
  live bigint;
  deleted bigint;
begin
  execute format('select count(*) from %I r where r.landscape = cell_landscape()', log_slice_name(l.table_name, wanted)) into live;
  select count(*) into deleted from log_tombstone t
  where t.log = l.table_name and t.slice = wanted and t.landscape = cell_landscape() and t.at > deleted_since;
  return live + deleted;
end $$;

-- Whether the file of a slice holds every row of this cell that the slice has.
create function is_log_slice_archived(log text, wanted date) returns boolean
  language plpgsql stable security definer set search_path = public, pg_temp
  as $$
declare
  l log_table := known_log(log);
  kept log_archive;
begin
  select a.* into kept from log_archive a
  where a.log = l.table_name and a.slice = wanted and a.landscape = cell_landscape() and not a.missing;
  if not found then
    return log_slice_rows(l, wanted, 'infinity') = 0;
  end if;
  -- A row may be deleted by a transaction that began before the file did and ended after it.
  return log_slice_rows(l, wanted, kept.created_at - interval '1 minute') <= kept.rows;
end $$;

-- Notes an archive that was written and read back. One of this cell must hold what its slice holds while that is there.
create function record_log_archive(archive log_archive) returns void
  language plpgsql security definer set search_path = public, pg_temp
  as $$
declare
  l log_table := known_log(archive.log);
begin
  if archive.name <> format('%s-%s-L%s', archive.log, archive.slice, archive.landscape) then
    raise exception '% is not the name of that archive', archive.name using errcode = 'invalid_parameter_value';
  end if;
  if archive.slice <> log_slice_of(l.slice, archive.slice::timestamp at time zone 'UTC')
    or log_slice_end(l.slice, archive.slice)::timestamp at time zone 'UTC' > now() then
    raise exception '% is no closed slice of %', archive.slice, archive.log using errcode = 'invalid_parameter_value';
  end if;
  if archive.landscape = cell_landscape() and is_log_slice(archive.log, archive.slice)
    and log_slice_rows(l, archive.slice, 'infinity') > archive.rows then
    raise exception 'the slice % of % has more rows than its archive', archive.slice, archive.log using errcode = 'invalid_parameter_value';
  end if;
  archive.offline_since := case when is_log_slice(archive.log, archive.slice) then null else now() end;
  insert into log_archive as a select archive.*
  on conflict (name) do update set rows = excluded.rows, min_id = excluded.min_id, max_id = excluded.max_id, bytes = excluded.bytes,
    sha256 = excluded.sha256, schema_version = excluded.schema_version, product_version = excluded.product_version,
    created_at = excluded.created_at, missing = false
  where a.log = excluded.log and a.slice = excluded.slice and a.landscape = excluded.landscape and a.offline_since is null;
  if not found then
    raise exception 'the archive % is kept as it is', archive.name using errcode = 'invalid_parameter_value';
  end if;
end $$;

-- Slices that may leave: past their age, and no import that is still wanted.
create function log_slices_due() returns table (log text, slice date)
  language sql stable set search_path = public, pg_temp
  as $$
    select s.log, s.slice from (
      select t.table_name as log, t.slice as width, t.age_setting, to_date(right(c.relname, 8), 'YYYYMMDD') as slice
      from log_table t
      join pg_inherits i on i.inhparent = to_regclass(quote_ident(t.table_name))
      join pg_class c on c.oid = i.inhrelid
    ) s
    where log_slice_end(s.width, s.slice)::timestamp at time zone 'UTC' < now() - make_interval(days => log_setting(s.age_setting))
      and not exists (select from log_archive a where a.log = s.log and a.slice = s.slice and a.imported_until > now())
    order by s.log, s.slice
  $$;

-- Takes a slice that is due out of its log, with its count, and answers how many rows left. No reader is in the log meanwhile, so none
-- sees one without the other. The caller says by its lock_timeout how long whoever reads may be kept waiting behind it.
create function detach_log_slice(log text, wanted date) returns bigint
  language plpgsql security definer set search_path = public, pg_temp
  as $$
declare
  l log_table := known_log(log);
  slice_name text := log_slice_name(log, wanted);
  gone bigint;
  added bigint;
begin
  if not exists (select from log_slices_due() d where d.log = l.table_name and d.slice = wanted) then
    raise exception 'the slice % of % is not due', wanted, log using errcode = 'invalid_parameter_value';
  end if;
  if (l.always_archived or log_setting('archiveBeforePurge') = 1) and not is_log_slice_archived(log, wanted) then
    raise exception 'the slice % of % is not archived', wanted, log using errcode = 'invalid_parameter_value';
  end if;
  execute format('alter table %I detach partition %I', log, slice_name);
  execute format('alter table %I rename to %I', slice_name, slice_name || '_gone');
  -- First the deltas: a fold that holds them has added them to the base when this goes on.
  with taken as (delete from row_count_delta d where d.table_name = log and d.slice = wanted returning d.delta)
  select coalesce(sum(t.delta), 0) into added from taken t;
  with taken as (delete from row_count c where c.table_name = log and c.slice = wanted returning c.rows)
  select coalesce(sum(t.rows), 0) + added into gone from taken t;
  update log_archive a set imported_until = null, offline_since = now() where a.log = l.table_name and a.slice = wanted;
  return gone;
end $$;

-- Drops what was detached, and tables of imports that ended without being attached.
create function drop_log_leftovers() returns integer
  language plpgsql security definer set search_path = public, pg_temp
  as $$
declare
  left_over record;
  dropped integer := 0;
begin
  for left_over in
    select c.relname from pg_class c
    join log_table t on c.relname ~ ('^' || t.table_name || '_\d{8}_(gone|import_\d+)$')
    where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and not c.relispartition
      and not exists (select from log_import i
        where c.relname ~ ('_import_' || i.id || '$') and i.state = 'RUNNING' and i.started_at > now() - interval '2 hours')
  loop
    execute format('drop table %I', left_over.relname);
    dropped := dropped + 1;
  end loop;
  return dropped;
end $$;

-- Forgets an archive whose time is over; the caller then removes its files.
create function forget_log_archives() returns setof text
  language sql security definer set search_path = public, pg_temp
  as $$
    delete from log_archive a
    where a.offline_since < now() - make_interval(days => log_setting('archiveKeepDays')) and not is_log_slice(a.log, a.slice)
    returning a.name
  $$;

create function log_import_name(log text, slice date, import bigint) returns text
  language sql immutable
  as $$ select log_slice_name(log, slice) || '_import_' || import $$;

-- A table for the rows of an import, that the serving role may fill until it is attached.
create function begin_log_import(log text, wanted date, import bigint) returns text
  language plpgsql security definer set search_path = public, pg_temp
  as $$
declare
  l log_table := known_log(log);
  import_name text := log_import_name(log, wanted, import);
begin
  if wanted <> log_slice_of(l.slice, wanted::timestamp at time zone 'UTC') then
    raise exception '% begins no slice of %', wanted, log using errcode = 'invalid_parameter_value';
  end if;
  execute format('drop table if exists %I', import_name);
  execute format('create table %I (like %I including defaults including generated including constraints including indexes)', import_name, log);
  execute format('revoke all on %I from portreeve_service', import_name);
  execute format('grant select, insert on %I to portreeve_service', import_name);
  return import_name;
end $$;

-- Makes the table of an import the slice it came from, with its count; or, where the slice is there, adds the rows it lacks.
create function finish_log_import(log text, wanted date, import bigint) returns bigint
  language plpgsql security definer set search_path = public, pg_temp
  as $$
declare
  l log_table := known_log(log);
  import_name text := log_import_name(log, wanted, import);
  slice_name text := log_slice_name(log, wanted);
  key text := coalesce(l.closed_by, 'id');
  columns text;
  added bigint;
begin
  execute format('revoke all on %I from portreeve_service', import_name);
  execute format('delete from %I r using log_tombstone t where t.log = %L and t.id = r.id and t.landscape = r.landscape', import_name, log);
  if is_log_slice(log, wanted) then
    select string_agg(quote_ident(a.attname), ', ' order by a.attnum) into columns from pg_attribute a
    where a.attrelid = quote_ident(log)::regclass and a.attnum > 0 and not a.attisdropped and a.attgenerated = '';
    execute format('insert into %I (%s) select %s from %I on conflict do nothing', log, columns, columns, import_name);
    get diagnostics added = row_count;
    execute format('drop table %I', import_name);
    return added;
  end if;
  -- What the check says need not be looked for again while the log is locked.
  if l.closed_by is null then
    execute format('alter table %I add constraint import_bounds check (id >= %s and id < %s)',
      import_name, log_first_id(wanted), log_first_id(log_slice_end(l.slice, wanted)));
  else
    execute format('alter table %I add constraint import_bounds check (%I >= %L and %I < %L)',
      import_name, key, wanted::text || ' 00:00:00+00', key, log_slice_end(l.slice, wanted)::text || ' 00:00:00+00');
  end if;
  execute format('select count(*) from %I', import_name) into added;
  perform pg_advisory_xact_lock(hashtext('portreeve-log-slices'));
  if is_log_slice(log, wanted) then
    raise exception 'the slice was made meanwhile' using errcode = 'serialization_failure';
  end if;
  execute format('alter table %I rename to %I', import_name, slice_name);
  execute format('lock table %I in access exclusive mode', log);
  execute format('alter table %I attach partition %I for values %s', log, slice_name, log_slice_bounds(l, wanted));
  execute format('alter table %I drop constraint import_bounds', slice_name);
  insert into row_count_delta (table_name, slice, delta) values (log, wanted, added);
  return added;
end $$;

-- Removes rows of a log that lets administrators do so, and remembers them.
create function remove_log_rows(log text, ids bigint[]) returns integer
  language plpgsql security definer set search_path = public, pg_temp
  as $$
declare
  l log_table := known_log(log);
  removed integer;
begin
  if not l.removable then
    raise exception 'rows of % are not removed', log using errcode = 'invalid_parameter_value';
  end if;
  execute format(
    'with gone as (delete from %I r where r.id = any($1) returning r.id, r.landscape, %s as slice)
     insert into log_tombstone (log, id, landscape, slice) select %L, g.id, g.landscape, g.slice from gone g on conflict do nothing',
    log, case when l.closed_by is null then format('log_slice_of(%L, r.id)', l.slice) else format('log_slice_of(%L, r.%I)', l.slice, l.closed_by) end, log)
  using ids;
  get diagnostics removed = row_count;
  return removed;
end $$;

-- What works with the rights of the owner is for the serving role alone; making a slice of any time for nobody.
do $$
declare
  f record;
begin
  for f in select p.oid::regprocedure as signature from pg_proc p where p.pronamespace = 'public'::regnamespace and p.prosecdef loop
    execute format('revoke execute on function %s from public', f.signature);
    execute format('grant execute on function %s to portreeve_service', f.signature);
  end loop;
end $$;
revoke execute on function make_log_slice(log_table, date) from public;

-- The logs there are so far.
update log_table set age_setting = case table_name when 'audit_record' then 'auditDays' else 'eventDays' end,
  always_archived = table_name = 'audit_record', removable = table_name = 'event';

do $$
declare
  l log_table;
begin
  for l in select t.* from log_table t loop
    execute format('drop trigger %I on %I', l.table_name || '_count_added', l.table_name);
    execute format('create trigger %I after insert on %I referencing new table as changed for each statement execute function count_log_added(%L)',
      l.table_name || '_count_log_added', l.table_name, l.slice);
    execute format('create trigger %I after delete on %I referencing old table as changed for each statement execute function count_log_removed(%L)',
      l.table_name || '_count_log_removed', l.table_name, l.slice);
    delete from row_count c where c.table_name = l.table_name;
    delete from row_count_delta d where d.table_name = l.table_name;
    execute format('insert into row_count (table_name, slice, rows) select %L, log_slice_of(%L, r.id), count(*) from %I r group by 2',
      l.table_name, l.slice, l.table_name);
  end loop;
end $$;
