-- The health of a host lies in host_risk. Who follows hosts is told when a cause comes, changes or goes.
create function note_health() returns trigger language plpgsql as $$
begin
  insert into change_feed (table_name, record_id, change, version)
  select distinct 'host', h.id, 'modified', h.version from changed c join host h on h.id = c.host_id;
  return null;
end $$;

create trigger host_risk_added after insert on host_risk
  referencing new table as changed for each statement execute function note_health();
create trigger host_risk_changed after update on host_risk
  referencing new table as changed for each statement execute function note_health();
create trigger host_risk_gone after delete on host_risk
  referencing old table as changed for each statement execute function note_health();
