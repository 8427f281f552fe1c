-- Where an adapter is lies in connection_active. Who follows adapters is told when one comes, moves or goes; not that it is still there.
create function note_connected() returns trigger language plpgsql as $$
begin
  insert into change_feed (table_name, record_id, change, version)
  select 'adapter', a.id, 'modified', a.version from changed c join adapter a on a.physical_address = c.mac;
  return null;
end $$;

create function note_moved() returns trigger language plpgsql as $$
begin
  insert into change_feed (table_name, record_id, change, version)
  select 'adapter', a.id, 'modified', a.version
  from changed c
  join former f on f.mac = c.mac and (f.port_id <> c.port_id or f.device_id <> c.device_id or f.vlan <> c.vlan)
  join adapter a on a.physical_address = c.mac;
  return null;
end $$;

create trigger connection_active_opened after insert on connection_active
  referencing new table as changed for each statement execute function note_connected();
create trigger connection_active_moved after update on connection_active
  referencing old table as former new table as changed for each statement execute function note_moved();
create trigger connection_active_gone after delete on connection_active
  referencing old table as changed for each statement execute function note_connected();
