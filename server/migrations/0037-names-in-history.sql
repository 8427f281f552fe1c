-- The newest event of a port, whoever caused it; until now the newest change stood there.
alter table "port" add column "yams_event_tag" text not null default '';
update "port" set "yams_event_tag" = "audit_tag" where "audit_tag" <> '';
alter table "port" alter column "yams_event_tag" drop default;

-- Where an adapter was last keeps the name of the container, as it keeps those of device and port.
alter table connection_last add column container text;
update connection_last l set container = k.name
from network_device d join container k on k.id = d.container_id where d.id = l.device_id;

create or replace function connection_closed() returns trigger language plpgsql as $$
begin
  insert into connection_last as l (mac, device_id, port_id, location, container, since, last_seen, ended)
  select o.mac, o.device_id, o.port_id, coalesce(d.name || ':' || p.name, ''), k.name, o.since, o.last_seen, now()
  from gone o
  left join port p on p.id = o.port_id
  left join network_device d on d.id = o.device_id
  left join container k on k.id = d.container_id
  order by o.mac
  on conflict (mac) do update set device_id = excluded.device_id, port_id = excluded.port_id, location = excluded.location,
    container = excluded.container, since = excluded.since, last_seen = excluded.last_seen, ended = excluded.ended;
  return null;
end $$;
