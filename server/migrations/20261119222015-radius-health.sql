create table "radius_health" (
  id bigint not null default log_id(),
  at timestamptz(3) generated always as (log_time(id)) stored,
  txid xid8 not null default pg_current_xact_id(),
  "landscape" bigint not null default cell_landscape(),
  "cluster_node" text not null,
  "seconds" integer not null,
  "accept_count" bigint not null,
  "reject_count" bigint not null,
  "reject_count_by_cause" jsonb not null,
  "duration_ms_sum" bigint not null,
  "duration_counts" jsonb not null,
  "requests" bigint not null,
  "accepts" bigint not null,
  "rejects" bigint not null,
  "challenges" bigint not null,
  "duplicates" bigint not null,
  "malformed" bigint not null,
  "invalid" bigint not null,
  "dropped" bigint not null,
  "conflicts" bigint not null,
  "acct_requests" bigint not null,
  "queue_len_auth" bigint not null,
  "pps_in" bigint not null,
  "start_seconds" bigint not null,
  "hup_seconds" bigint not null,
  constraint radius_health_pk primary key (id, landscape)
) partition by range (id);

create index radius_health_txid_ix on "radius_health" (txid);

create trigger radius_health_count_log_added after insert on "radius_health"
  referencing new table as changed for each statement execute function count_log_added('day');

create trigger radius_health_count_log_removed after delete on "radius_health"
  referencing old table as changed for each statement execute function count_log_removed('day');

insert into log_setting (name, value) values ('radiusResponseDays', 30) on conflict do nothing;
insert into log_table (table_name, slice, closed_by, age_setting, removable, always_archived)
  values ('radius_health', 'day', null, 'radiusResponseDays', false, false);
revoke update, delete on "radius_health" from portreeve_service;

-- The end of the last interval that a node stored, and the counters of its engine at that time: a node that was stopped continues there.
create table radius_health_node (
  node text primary key check (length(node) <= 253),
  counted_to timestamptz(3) not null,
  counters jsonb
);

-- Whether the engine of a node responds, as the last event reported it.
create table radius_engine_state (
  node text primary key check (length(node) <= 253),
  is_up boolean not null,
  changed_at timestamptz(3) not null default clock_timestamp()
);

-- Whether the failure rate of the cell is high, as the last event reported it.
create table radius_failure_rate (
  id boolean primary key default true check (id),
  is_high boolean not null default false,
  changed_at timestamptz(3) not null default clock_timestamp()
);
insert into radius_failure_rate default values;
