create table "radius_response" (
  id bigint not null default log_id(),
  at timestamptz(3) generated always as (log_time(id)) stored,
  txid xid8 not null default pg_current_xact_id(),
  "landscape" bigint not null default cell_landscape(),
  "calling_station_id" text,
  "username" text,
  "device_id" bigint not null,
  "nas" text not null,
  "nas_port" text,
  "ssid" text,
  "outer_eap_type" text,
  "eap_type" text,
  "reply" text not null,
  "cause" text not null,
  "message" text not null,
  "decision_id" text,
  "duration_ms" bigint not null,
  "cluster_node" text not null,
  constraint radius_response_pk primary key (id, landscape),
  constraint radius_response_reply_known check ("reply" in ('ACCEPT', 'REJECT', 'CHALLENGE_TIMEOUT', 'IGNORED')),
  constraint radius_response_cause_known check ("cause" in ('NONE', 'BAD_PASSWORD', 'UNKNOWN_USER', 'ACCOUNT_DISABLED', 'ACCOUNT_EXPIRED', 'OUTSIDE_SCHEDULE', 'HOST_DISABLED', 'HOST_LIMIT', 'NO_POLICY', 'CERT_EXPIRED', 'CERT_UNTRUSTED', 'CERT_REVOKED', 'CERT_NAME', 'EAP_TYPE_REFUSED', 'EAP_TIMEOUT', 'NAS_UNKNOWN', 'BAD_SECRET', 'DIRECTORY_UNAVAILABLE', 'DECISION_UNAVAILABLE', 'OTHER'))
) partition by range (id);

create index radius_response_calling_station_id_ix on "radius_response" ("calling_station_id", id desc);

create index radius_response_device_id_ix on "radius_response" ("device_id", id desc);

create index radius_response_cause_ix on "radius_response" ("cause", id desc);

create index radius_response_txid_ix on "radius_response" (txid);

create trigger radius_response_count_log_added after insert on "radius_response"
  referencing new table as changed for each statement execute function count_log_added('day');

create trigger radius_response_count_log_removed after delete on "radius_response"
  referencing old table as changed for each statement execute function count_log_removed('day');

insert into log_setting (name, value) values ('radiusResponseDays', 30) on conflict do nothing;
insert into log_table (table_name, slice, closed_by, age_setting, removable, always_archived)
  values ('radius_response', 'day', null, 'radiusResponseDays', false, false);
revoke update, delete on "radius_response" from portreeve_service;

-- When a device was last reported to have asked for a port that nobody knows.
create table radius_port_unresolved (
  device_id bigint primary key references network_device (id) on delete cascade,
  reported_at timestamptz(3) not null default now()
);

-- What an adapter should get, and what it was given: a RADIUS reply is applied by being sent.
create table adapter_access (
  adapter_id bigint primary key references adapter (id) on delete cascade,
  desired jsonb not null,
  applied jsonb,
  status text not null check (status in ('PENDING', 'APPLIED', 'FAILED', 'NOT_ENFORCED')),
  phase text check (phase in ('VLAN', 'BOUNCE')),
  attempts integer not null default 0,
  next_try timestamptz(3),
  generation bigint not null,
  decided_at timestamptz(3) not null default now()
) with (fillfactor = 70);
