-- The access state of an adapter is that of its open connection: it ends with the connection, and when the address is learned on
-- another port. RADIUS stores the state of a new connection after the connection.
create function clear_access_state() returns trigger language plpgsql as $$
begin
  update adapter a set access_state = null
  from (
    select x.id from adapter x
    where x.access_state is not null and x.physical_address in (select c.mac from changed c)
    order by x.id
    for no key update
  ) held
  where a.id = held.id;
  return null;
end $$;

create function clear_moved_access_state() returns trigger language plpgsql as $$
begin
  update adapter a set access_state = null
  from (
    select x.id from adapter x
    where x.access_state is not null and x.physical_address in (
      select c.mac from changed c join former f on f.mac = c.mac where f.port_id <> c.port_id)
    order by x.id
    for no key update
  ) held
  where a.id = held.id;
  return null;
end $$;

create trigger connection_active_state_ended after delete on connection_active
  referencing old table as changed for each statement execute function clear_access_state();
create trigger connection_active_state_moved after update on connection_active
  referencing old table as former new table as changed for each statement execute function clear_moved_access_state();

update adapter a set access_state = null
where a.access_state is not null and not exists (select from connection_active c where c.mac = a.physical_address);
