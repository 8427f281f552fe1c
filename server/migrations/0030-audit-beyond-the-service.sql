-- What leaves the audit log, and when, is decided here, by the role that owns it, from the rows it holds: the serving role is not believed.

-- The least that a setting of log_setting may be. The owner changes it; the serving role reads it.
create table log_floor (
  setting text primary key,
  days integer not null check (days between 1 and 36500)
);
revoke insert, update, delete, truncate on log_floor from portreeve_service;
insert into log_floor (setting, days) values ('auditDays', 365);

create function refuse_below_floor() returns trigger language plpgsql set search_path = public, pg_temp as $$
declare
  least_days integer;
begin
  select f.days into least_days from log_floor f where f.setting = new.name;
  if new.value < least_days then
    raise exception '% is at least % days; the owner of the database decides in log_floor', new.name, least_days
      using errcode = 'check_violation';
  end if;
  return new;
end $$;
create trigger log_setting_floor before insert or update on log_setting
  for each row execute function refuse_below_floor();

-- The floor holds here too, whatever the setting was before it.
create or replace function log_slices_due() returns table (log text, slice date)
  language sql stable set search_path = public, pg_temp
  as $$
    select s.log, s.slice from (
      select t.table_name as log, t.slice as width, t.age_setting, to_date(right(c.relname, 8), 'YYYYMMDD') as slice
      from log_table t
      join pg_inherits i on i.inhparent = to_regclass(quote_ident(t.table_name))
      join pg_class c on c.oid = i.inhrelid
    ) s
    where log_slice_end(s.width, s.slice)::timestamp at time zone 'UTC' < now() - make_interval(days =>
        greatest(log_setting(s.age_setting), (select f.days from log_floor f where f.setting = s.age_setting)))
      and not exists (select from log_archive a where a.log = s.log and a.slice = s.slice and a.imported_until > now())
    order by s.log, s.slice
  $$;

-- Of this cell an archive is noted only while its rows are here to be compared with. One of a log that is always archived holds
-- exactly these; others may hold rows that an administrator has deleted since.
create or replace function record_log_archive(archive log_archive) returns void
  language plpgsql security definer set search_path = public, pg_temp
  as $$
declare
  l log_table := known_log(archive.log);
  here record;
begin
  if archive.name <> format('%s-%s-L%s', archive.log, archive.slice, archive.landscape) then
    raise exception '% is not the name of that archive', archive.name using errcode = 'invalid_parameter_value';
  end if;
  if archive.slice <> log_slice_of(l.slice, archive.slice::timestamp at time zone 'UTC')
    or log_slice_end(l.slice, archive.slice)::timestamp at time zone 'UTC' > now() then
    raise exception '% is no closed slice of %', archive.slice, archive.log using errcode = 'invalid_parameter_value';
  end if;
  if archive.sha256 !~ '^[0-9a-f]{64}$' or archive.bytes <= 0 then
    raise exception 'the archive % has no hash, or no bytes', archive.name using errcode = 'invalid_parameter_value';
  end if;
  if archive.landscape = cell_landscape() then
    if not is_log_slice(archive.log, archive.slice) then
      raise exception 'the rows of % are not here, so that nothing shows whether it is theirs', archive.name using errcode = 'invalid_parameter_value';
    end if;
    execute format('select count(*) as rows, min(r.id) as min_id, max(r.id) as max_id from %I r where r.landscape = cell_landscape()',
      log_slice_name(archive.log, archive.slice)) into here;
    if here.rows > archive.rows then
      raise exception 'the slice % of % has more rows than its archive', archive.slice, archive.log using errcode = 'invalid_parameter_value';
    end if;
    if l.always_archived
      and (here.rows, here.min_id, here.max_id) is distinct from (archive.rows, archive.min_id, archive.max_id) then
      raise exception 'the slice % of % has other rows than its archive', archive.slice, archive.log using errcode = 'invalid_parameter_value';
    end if;
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

-- When each sealed day was last compared with its rows; all of them take turns.
create table audit_seal_check (
  day date primary key constraint audit_seal_check_day_fk references audit_seal (day) on delete cascade,
  checked_at timestamptz(3) not null default now()
);
create index audit_seal_check_checked_at_ix on audit_seal_check (checked_at);
