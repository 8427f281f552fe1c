-- Who sees only some rows is told by monitors when a record leaves their sight, and of none that they never saw.

-- What can bring a record into somebody's sight or out of it, in one order with the changes of records: it joined a group, it left one,
-- or it left what it lay in. `place` is where it was; null where it came to.
create table sight_change (
  seq bigint primary key default nextval('change_feed_seq_seq'),
  txid xid8 not null default pg_current_xact_id(),
  at timestamptz(3) not null default clock_timestamp(),
  table_name text not null,
  record_id bigint not null,
  kind text not null,
  place bigint
);
create index sight_change_table_ix on sight_change (table_name, txid);
create index sight_change_at_ix on sight_change (at);

-- What the sight of a monitor's holder was made of when it began; null: everything. `clear_until` is a position from now on, no snapshot.
alter table monitor add column frame text;
update monitor set clear_until = null;

create function note_membership() returns trigger language plpgsql as $$
begin
  insert into sight_change (table_name, record_id, kind, place)
  select (array[null, 'network_device', 'port', 'host', 'adapter', 'user_account'])[c.element_type], c.member_id, 'group',
    case tg_op when 'DELETE' then c.group_id end
  from changed c
  where c.element_type between 2 and 6;
  return null;
end $$;

create trigger group_member_note_joined after insert on group_member
  referencing new table as changed for each statement execute function note_membership();
create trigger group_member_note_left after delete on group_member
  referencing old table as changed for each statement execute function note_membership();

-- An element that is gone is in no group any more, whoever deleted it.
create or replace function note_removed() returns trigger language plpgsql as $$
declare
  element_types smallint[] := case tg_table_name
    when 'network_device' then '{2}' when 'port' then '{3}' when 'host' then '{4}' when 'adapter' then '{5}' when 'user_account' then '{6,7}'
  end;
begin
  insert into row_count_delta (table_name, delta)
  select tg_table_name, -count(*) from changed having count(*) > 0;
  insert into change_feed (table_name, record_id, change, version)
  select tg_table_name, c.id, 'removed', c.version from changed c;
  if element_types is not null then
    delete from group_member m using changed c where m.element_type = any (element_types) and m.member_id = c.id;
  end if;
  return null;
end $$;
