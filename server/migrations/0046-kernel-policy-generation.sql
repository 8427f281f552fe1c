-- The policy generation rises once a transaction, with every configured change that decides about access and with no other.

drop table if exists policy_change;

create table policy_change (
  txid xid8 primary key default pg_current_xact_id()
);

create or replace function raise_policy_generation() returns trigger language plpgsql as $$
begin
  delete from policy_change c where c.txid = new.txid;
  update policy_generation set generation = generation + 1;
  perform pg_notify('policy_changed', '');
  return null;
end $$;

create constraint trigger policy_change_raise after insert on policy_change
  deferrable initially deferred for each row execute function raise_policy_generation();

create or replace function note_members() returns trigger language plpgsql as $$
begin
  insert into row_count_delta (table_name, delta)
  select 'group_member:' || c.group_id, case tg_op when 'INSERT' then count(*) else -count(*) end
  from changed c
  group by c.group_id;
  if exists (select from changed c where c.element_type in (2, 3)) then
    insert into policy_change default values on conflict do nothing;
  end if;
  return null;
end $$;

create or replace function note_edges() returns trigger language plpgsql as $$
begin
  if exists (select from changed) then
    insert into policy_change default values on conflict do nothing;
  end if;
  return null;
end $$;

create or replace function note_cell_time_zone() returns trigger language plpgsql as $$
begin
  insert into policy_change default values on conflict do nothing;
  return null;
end $$;

-- What a row's own columns decide: `deciding` in its declaration.
create function note_policy_change() returns trigger language plpgsql as $$
begin
  insert into policy_change default values on conflict do nothing;
  return null;
end $$;
