create table "connection_log" (
  id bigint not null default log_id(),
  at timestamptz(3) generated always as (log_time(id)) stored,
  txid xid8 not null default pg_current_xact_id(),
  "landscape" bigint not null default cell_landscape(),
  "end_time" timestamptz(3) not null,
  "host_id" bigint,
  "host_name" text,
  "adapter_id" bigint,
  "mac" text not null,
  "ip" inet,
  "user_id" bigint,
  "user_name" text,
  "device_id" bigint not null,
  "device_name" text not null,
  "port_id" bigint not null,
  "port_name" text not null,
  "ssid" text,
  "location" text not null,
  "connection_type" text not null,
  "eap_type" text,
  "session_id" text,
  "multi_session_id" text,
  "access_state" text,
  "logical_network" text,
  "policy_id" bigint,
  "policy_name" text,
  "decision_reason" text,
  "generation" bigint,
  "vlan_at_start" text,
  "vlan" text,
  "vlan_changes" bigint not null,
  "input_octets" bigint not null,
  "output_octets" bigint not null,
  "disconnect_reason" text not null,
  "source" text not null,
  constraint connection_log_pk primary key ("end_time", id, landscape),
  constraint connection_log_connection_type_known check ("connection_type" in ('WIRED_SNMP', 'WIRED_MAB', 'WIRED_8021X', 'WIRELESS_SNMP', 'WIRELESS_MAB', 'WIRELESS_8021X', 'VPN')),
  constraint connection_log_access_state_known check ("access_state" in ('DEAD_END', 'QUARANTINE', 'REGISTRATION', 'AUTHENTICATION', 'GUEST', 'PRODUCTION')),
  constraint connection_log_disconnect_reason_known check ("disconnect_reason" in ('USER', 'LINK_DOWN', 'AGED_OUT', 'MOVED', 'NAS_REBOOT', 'SESSION_TIMEOUT', 'ADMIN', 'POLICY', 'LOST')),
  constraint connection_log_source_known check ("source" in ('RADIUS', 'SNMP', 'BOTH', 'VPN'))
) partition by range ("end_time");

create index connection_log_mac_ix on "connection_log" ("mac", id desc);

create index connection_log_port_id_ix on "connection_log" ("port_id", id desc);

create index connection_log_user_name_ix on "connection_log" ("user_name", id desc);

create index connection_log_session_id_ix on "connection_log" ("session_id", id desc);

create index connection_log_txid_ix on "connection_log" (txid);

create trigger connection_log_count_log_added after insert on "connection_log"
  referencing new table as changed for each statement execute function count_log_added('week', 'end_time');

create trigger connection_log_count_log_removed after delete on "connection_log"
  referencing old table as changed for each statement execute function count_log_removed('week', 'end_time');

insert into log_setting (name, value) values ('connectionDays', 180) on conflict do nothing;
insert into log_table (table_name, slice, closed_by, age_setting, removable, always_archived)
  values ('connection_log', 'week', 'end_time', 'connectionDays', false, false);
revoke update, delete on "connection_log" from portreeve_service;

-- The id of a log row that began at an instant.
create function log_id_at(began timestamptz) returns bigint
  language sql volatile
  as $$
    select (floor(extract(epoch from began) * 1000)::bigint - 1577836800000) * 8192 + (nextval('public.log_sequence') & 8191)
  $$;

-- What the log says of a connection and nothing else knows. Of these columns only id is indexed, and it changes with the port alone:
-- updates by accounting are HOT.
alter table connection_active
  add column id bigint,
  add column source text not null default 'SNMP' constraint connection_active_source_known check (source in ('RADIUS', 'SNMP', 'BOTH', 'VPN')),
  add column vlan_at_start text not null default '',
  add column vlan_changes integer not null default 0,
  add column ip inet,
  add column session_id text,
  add column multi_session_id text,
  -- Acct-Session-Time of the newest stored packet, and when that packet was stored.
  add column session_seconds bigint,
  add column counted_at timestamptz(3),
  -- Between the last two stored interim updates; null: none came.
  add column interim_seconds integer,
  add column input_octets bigint not null default 0,
  add column output_octets bigint not null default 0,
  -- Octets of the session that earlier rows of the log have.
  add column input_before bigint not null default 0,
  add column output_before bigint not null default 0,
  -- Set in the transaction that deletes the row; null: the reason of the statement, and now.
  add column disconnect_reason text,
  add column ended timestamptz(3);
update connection_active set id = log_id_at(since), vlan_at_start = vlan;
alter table connection_active alter column id set not null;
create index connection_active_id_ix on connection_active (id);

-- A connection begins with its row, and again at another port.
create function begin_connection() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' or old.port_id <> new.port_id then
    new.id := log_id_at(new.since);
    new.vlan_at_start := new.vlan;
    new.vlan_changes := 0;
    new.ip := null;
    new.session_id := null;
    new.multi_session_id := null;
    new.session_seconds := null;
    new.counted_at := null;
    new.interim_seconds := null;
    new.input_octets := 0;
    new.output_octets := 0;
    new.input_before := 0;
    new.output_before := 0;
    new.disconnect_reason := null;
    new.ended := null;
  elsif new.vlan <> '' and old.vlan_at_start = '' then
    new.vlan_at_start := new.vlan;
  elsif new.vlan <> '' and old.vlan <> '' then
    new.vlan_changes := old.vlan_changes + 1;
  end if;
  return new;
end $$;

create trigger connection_active_begun before insert on connection_active
  for each row execute function begin_connection();
create trigger connection_active_placed before update on connection_active
  for each row when (old.port_id <> new.port_id or old.vlan <> new.vlan) execute function begin_connection();

-- The reason of the deletions of one statement: `delete from connection_active a using closing_because('LINK_DOWN') where …`.
create function closing_because(reason text) returns boolean language plpgsql as $$
begin
  perform set_config('portreeve.disconnect_reason', reason, true);
  return true;
end $$;

-- Writes connections that ended into their log, with the names of this moment. A row older than the log keeps is given the age of the
-- oldest slice, because the log has no slice for it. Large tables are looked up row by row (offset 0).
create function log_connections(gone connection_active[], because text) returns void
  language plpgsql set enable_nestloop = on as $$
declare
  oldest timestamptz := now() - make_interval(days => greatest(1, log_setting('connectionDays') - 1));
begin
  insert into connection_log (id, end_time, host_id, host_name, adapter_id, mac, ip, user_id, user_name, device_id, device_name, port_id, port_name,
    ssid, location, connection_type, eap_type, session_id, multi_session_id, access_state, logical_network, policy_id, policy_name,
    decision_reason, generation, vlan_at_start, vlan, vlan_changes, input_octets, output_octets, disconnect_reason, source)
  select c.id, greatest(coalesce(c.ended, now()), c.since, oldest), h.id, nullif(h.host_name, ''), a.id, c.mac,
    coalesce(c.ip, (select m.ip from ip_mac m where m.mac = c.mac order by m.last_seen desc, m.ip limit 1)),
    u.id, left(h.logged_on_user_id, 253), c.device_id, coalesce(d.name, ''), c.port_id, coalesce(p.name, ''),
    case p.port_type when 1 then left(regexp_replace(p.ifname, '^ssid:', ''), 32) end,
    left(concat_ws(' / ', k.name, d.name, p.name), 512),
    case
      when c.source <> 'SNMP' and a.auth_type = 'VPN' then 'VPN'
      else (case p.port_type when 1 then 'WIRELESS' else 'WIRED' end)
        || (case when c.source = 'SNMP' then '_SNMP' when a.auth_type = 'DOT1X' then '_8021X' else '_MAB' end)
    end,
    case when c.source <> 'SNMP' then coalesce(a.inner_eap_type, a.outer_eap_type) end,
    c.session_id, c.multi_session_id,
    x.desired ->> 'accessState', left(x.desired -> 'logicalNetwork' ->> 'name', 120), (x.desired ->> 'policyID')::bigint,
    left(x.desired ->> 'policyName', 120), left(x.desired ->> 'message', 2000), x.generation,
    nullif(c.vlan_at_start, ''), nullif(c.vlan, ''), c.vlan_changes, c.input_octets, c.output_octets,
    coalesce(c.disconnect_reason, because), c.source
  from unnest(gone) c
  left join lateral (select a.* from adapter a where a.physical_address = c.mac offset 0) a on true
  left join lateral (select h.* from host h where h.id = a.host_id offset 0) h on true
  left join lateral (select u.id from user_account u where lower(u.user_id) = lower(h.logged_on_user_id) offset 0) u on true
  left join lateral (select d.* from network_device d where d.id = c.device_id offset 0) d on true
  left join lateral (select p.* from port p where p.id = c.port_id offset 0) p on true
  left join container k on k.id = d.container_id
  left join lateral (
    select x.* from adapter_access x where x.adapter_id = a.id and x.decided_at >= c.since and c.source <> 'SNMP' offset 0) x on true
  order by c.id;
end $$;

-- A row that is deleted was a connection that ended, whatever deletes it.
create function log_closed_connections() returns trigger language plpgsql as $$
declare
  rows connection_active[] := (select array_agg(g::connection_active) from gone g);
begin
  if rows is not null then
    perform log_connections(rows, coalesce(nullif(current_setting('portreeve.disconnect_reason', true), ''), 'ADMIN'));
  end if;
  perform set_config('portreeve.disconnect_reason', '', true);
  return null;
end $$;
create trigger connection_active_logged after delete on connection_active
  referencing old table as gone for each statement execute function log_closed_connections();

-- Moves: the console is told, the access state ends, and the connection at the port before goes to the log.
create function note_moves(placed text[], left_behind connection_active[]) returns void
  language plpgsql set enable_nestloop = on as $$
begin
  insert into change_feed (table_name, record_id, change, version)
  select 'adapter', a.id, 'modified', a.version from adapter a where a.physical_address = any(placed);
  if left_behind is null then
    return;
  end if;
  update adapter a set access_state = null
  from (
    select x.id from adapter x
    where x.access_state is not null and x.physical_address in (select b.mac from unnest(left_behind) b)
    order by x.id
    for no key update
  ) held
  where a.id = held.id;
  perform log_connections(left_behind, 'MOVED');
end $$;

-- Updates that only count and refresh are most of all, a thousand rows at a time: one join finds that none of them moved. Without
-- nested loops, because the plan of the first small batch is kept for the large ones.
create function follow_moves() returns trigger language plpgsql set enable_nestloop = off as $$
declare
  placed text[];
  left_behind connection_active[];
begin
  select array_agg(c.mac), array_agg(f::connection_active) filter (where f.port_id <> c.port_id) into placed, left_behind
  from changed c
  join former f on f.mac = c.mac
  where f.port_id <> c.port_id or f.device_id <> c.device_id or f.vlan <> c.vlan;
  if placed is not null then
    perform note_moves(placed, left_behind);
  end if;
  return null;
end $$;
drop trigger connection_active_moved on connection_active;
drop trigger connection_active_state_moved on connection_active;
drop function note_moved();
drop function clear_moved_access_state();
create trigger connection_active_moved after update on connection_active
  referencing old table as former new table as changed for each statement execute function follow_moves();

-- What accounting knows of an access device: when a packet of it was last received, how often it sends interim updates, and its last restart.
create table accounting_nas (
  device_id bigint primary key references network_device (id) on delete cascade,
  received_at timestamptz(3) not null default now(),
  interim_seconds integer,
  rebooted_at timestamptz(3),
  -- Of the packet that reported the restart: the same packet again is a retransmission.
  reboot_authenticator text
) with (fillfactor = 70);

-- Since when any node of the cell has received accounting without a gap: interim updates of a gap were not missed by the device.
create table accounting_receiver (
  id smallint primary key check (id = 1),
  receiving_since timestamptz(3) not null,
  received_at timestamptz(3) not null
) with (fillfactor = 70);
insert into accounting_receiver values (1, now(), now());
