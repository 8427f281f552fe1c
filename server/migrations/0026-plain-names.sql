-- Two tables get plain names: requests to reconcilers, and changes of who sees a record.

alter table poke rename to reconcile_request;

alter table sight_change rename to visibility_change;
alter table visibility_change rename constraint sight_change_pkey to visibility_change_pkey;
alter index sight_change_table_ix rename to visibility_change_table_ix;
alter index sight_change_at_ix rename to visibility_change_at_ix;

create or replace function note_membership() returns trigger language plpgsql as $$
begin
  insert into visibility_change (table_name, record_id, kind, place)
  select (array[null, 'network_device', 'port', 'host', 'adapter', 'user_account'])[c.element_type], c.member_id, 'group',
    case tg_op when 'DELETE' then c.group_id end
  from changed c
  where c.element_type between 2 and 6;
  -- Members of groups of users and of administrators may have a profile by that.
  if exists (select from changed c where c.element_type in (6, 7)) then
    insert into auth_change default values;
  end if;
  return null;
end $$;
