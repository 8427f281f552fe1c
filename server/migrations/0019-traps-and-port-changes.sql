create table "port_change" (
  id bigint not null default log_id(),
  at timestamptz(3) generated always as (log_time(id)) stored,
  txid xid8 not null default pg_current_xact_id(),
  "landscape" bigint not null default cell_landscape(),
  "port_id" bigint not null,
  "port_name" text not null,
  "device_id" bigint not null,
  "device_name" text not null,
  "container_id" bigint not null,
  "mac" text,
  "host_id" bigint,
  "host_name" text,
  "user_name" text,
  "access_state" text,
  "reason" text not null,
  "policy_name" text,
  "access_configuration_name" text,
  "logical_network_name" text,
  "from_vlan" text,
  "to_vlan" text,
  "from_cli" text,
  "to_cli" text,
  "method" text not null,
  "trigger" text not null,
  "triggered_by" text not null,
  "success" boolean not null,
  "error_message" text,
  "duration_ms" bigint not null,
  "generation" bigint not null,
  constraint port_change_pk primary key (id, landscape),
  constraint port_change_access_state_known check ("access_state" in ('DEAD_END', 'QUARANTINE', 'REGISTRATION', 'AUTHENTICATION', 'GUEST', 'PRODUCTION')),
  constraint port_change_reason_known check ("reason" in ('REGISTRATION', 'QUARANTINE', 'DEAD_END', 'AUTHENTICATION', 'GUEST', 'ROLE', 'DEFAULT', 'UNDO', 'MANUAL', 'RESTORE')),
  constraint port_change_method_known check ("method" in ('RADIUS', 'COA', 'DISCONNECT', 'SNMP', 'CLI', 'BOUNCE')),
  constraint port_change_trigger_known check ("trigger" in ('TRAP', 'POLL', 'RADIUS', 'ADMIN', 'POLICY', 'HEALTH', 'REGISTRATION', 'PROFILING', 'AGING', 'SCHEDULE', 'STARTUP'))
) partition by range (id);

create index port_change_port_id_ix on "port_change" ("port_id", id desc);

create index port_change_device_id_ix on "port_change" ("device_id", id desc);

create index port_change_mac_ix on "port_change" ("mac", id desc);

create index port_change_txid_ix on "port_change" (txid);

create trigger port_change_count_log_added after insert on "port_change"
  referencing new table as changed for each statement execute function count_log_added('week');

create trigger port_change_count_log_removed after delete on "port_change"
  referencing old table as changed for each statement execute function count_log_removed('week');

insert into log_setting (name, value) values ('connectionDays', 180) on conflict do nothing;
insert into log_table (table_name, slice, closed_by, age_setting, removable, always_archived)
  values ('port_change', 'week', null, 'connectionDays', false, false);
revoke update, delete on "port_change" from portreeve_service;

-- The number of a port in the tables of its bridge, by which notifications of MAC addresses name it.
create table port_bridge (
  port_id bigint primary key references port (id) on delete cascade,
  device_id bigint not null,
  bridge_port integer not null
);
create index port_bridge_device_ix on port_bridge (device_id, bridge_port);

-- What devices told lately, so that the same word at two nodes, or twice, counts once, and one that comes late does not undo a later one.
create table trap_seen (
  device_id bigint not null,
  subject text not null,
  ticks bigint not null,
  what text not null,
  at timestamptz(3) not null default now(),
  primary key (device_id, subject, ticks, what)
);
create index trap_seen_at_ix on trap_seen (at);

-- Who sent traps that nobody asked for, and was told of in the last hour.
create table trap_stranger (
  address inet primary key,
  told_at timestamptz(3) not null default now()
);

-- Informs of SNMPv3 go by the receiver's engine, whose id never changes and whose starts are counted (RFC 3414 section 2.2).
create table trap_engine (
  node text primary key,
  engine_id bytea not null,
  boots integer not null default 1
);

-- Who writes to a device now: one at a time in the whole cell, and when that one dies, the next.
alter table device_poll
  add column write_until timestamptz(3) not null default '-infinity',
  add column writer text not null default '';

-- Whether an address is that of a device of ours is asked for each one that a switch tells of.
create index network_device_physical_address_ix on network_device (physical_address, id);
create index port_phys_addr_ix on port (phys_addr, id);
