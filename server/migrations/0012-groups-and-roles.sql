-- Groups and roles are served: what else a group says, who has which role, and what follows when members come and go.

alter table "group"
  add column "directory_id" bigint,
  add column "directory_key" text,
  add column "dn" text,
  add column "access_policy" integer not null default -1,
  add column "days_valid" integer not null default 0,
  add column "days_inactive" integer not null default 0;
alter table "group"
  alter column "access_policy" drop default,
  alter column "days_valid" drop default,
  alter column "days_inactive" drop default;

alter table "user_account"
  add column "role_id" bigint,
  add column "role_source" text not null default 'DEFAULT';
alter table "user_account"
  alter column "role_source" drop default,
  add constraint user_account_role_id_fk foreign key ("role_id") references "role" (id) on delete no action,
  add constraint user_account_role_source_known
    check ("role_source" in ('ADMIN', 'PROFILING_RULE', 'DIRECTORY', 'GROUP', 'VENDOR_OUI', 'PORTAL', 'DEFAULT'));
create index user_account_role_id_ix on "user_account" ("role_id");
update user_account set role_id = (select r.id from role r where r.name = 'NAC-Default');

-- Members of each group are counted as rows of tables are: by deltas that are only ever inserted, so that those who edit a busy group never wait.
-- A change of ports or devices also changes what policies see.
create function note_members() returns trigger language plpgsql as $$
begin
  insert into row_count_delta (table_name, delta)
  select 'group_member:' || c.group_id, case tg_op when 'INSERT' then count(*) else -count(*) end
  from changed c
  group by c.group_id;
  if exists (select from changed c where c.element_type in (2, 3)) then
    insert into policy_change default values;
  end if;
  return null;
end $$;

create function note_edges() returns trigger language plpgsql as $$
begin
  if exists (select from changed) then
    insert into policy_change default values;
  end if;
  return null;
end $$;

-- Counts what decisions depend on; whoever keeps a compiled form of it compares. Raised at the commit, so that the one row is locked for a moment only.
create table policy_generation (
  single boolean primary key default true check (single),
  generation bigint not null
);
insert into policy_generation (generation) values (1);

create table policy_change (
  id bigint generated always as identity primary key
);

create function raise_policy_generation() returns trigger language plpgsql as $$
begin
  delete from policy_change c where c.id = new.id;
  update policy_generation set generation = generation + 1;
  perform pg_notify('policy_changed', '');
  return null;
end $$;

create constraint trigger policy_change_raise after insert on policy_change
  deferrable initially deferred for each row execute function raise_policy_generation();

create trigger group_member_joined after insert on group_member
  referencing new table as changed for each statement execute function note_members();
create trigger group_member_left after delete on group_member
  referencing old table as changed for each statement execute function note_members();
create trigger group_edge_added after insert on group_edge
  referencing new table as changed for each statement execute function note_edges();
create trigger group_edge_removed after delete on group_edge
  referencing old table as changed for each statement execute function note_edges();

-- Groups whose members, and accounts which, need another look at their role. Only ever inserted; the job takes them away.
create table role_due (
  id bigint generated always as identity primary key,
  group_id bigint,
  account_id bigint,
  -- How far the members of the group have been looked at.
  after_id bigint not null default 0
);

-- With arguments: the codes under which the rows are members of groups. They leave them when they go.
create or replace function note_removed() returns trigger language plpgsql as $$
begin
  insert into row_count_delta (table_name, delta)
  select tg_table_name, -count(*) from changed having count(*) > 0;
  insert into change_feed (table_name, record_id, change, version)
  select tg_table_name, c.id, 'removed', c.version from changed c;
  if tg_nargs > 0 then
    delete from group_member m using changed c where m.element_type = any (tg_argv::smallint[]) and m.member_id = c.id;
  end if;
  return null;
end $$;

create or replace function note_truncated() returns trigger language plpgsql as $$
begin
  execute format(
    'insert into change_feed (table_name, record_id, change, version) select %L, id, ''removed'', version from %I',
    tg_table_name, tg_table_name);
  execute format(
    'insert into row_count_delta (table_name, delta) select %L, -count(*) from %I having count(*) > 0',
    tg_table_name, tg_table_name);
  if tg_nargs > 0 then
    delete from group_member m where m.element_type = any (tg_argv::smallint[]);
  end if;
  return null;
end $$;

drop trigger network_device_note_removed on "network_device";
create trigger network_device_note_removed after delete on "network_device"
  referencing old table as changed for each statement execute function note_removed('2');
drop trigger network_device_note_truncated on "network_device";
create trigger network_device_note_truncated before truncate on "network_device"
  for each statement execute function note_truncated('2');

drop trigger port_note_removed on "port";
create trigger port_note_removed after delete on "port"
  referencing old table as changed for each statement execute function note_removed('3');
drop trigger port_note_truncated on "port";
create trigger port_note_truncated before truncate on "port"
  for each statement execute function note_truncated('3');

drop trigger user_account_note_removed on "user_account";
create trigger user_account_note_removed after delete on "user_account"
  referencing old table as changed for each statement execute function note_removed('6', '7');
drop trigger user_account_note_truncated on "user_account";
create trigger user_account_note_truncated before truncate on "user_account"
  for each statement execute function note_truncated('6', '7');

-- Every administrator is in the built-in group; the service keeps it so from here on.
insert into group_member (group_id, element_type, member_id)
select g.id, 7, a.id from "group" g cross join user_account a
where g.tag = 'all-administrators' and a.admin_profile_dbid is not null;
