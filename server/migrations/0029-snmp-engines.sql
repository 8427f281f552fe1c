-- The clocks of SNMP engines, so that a node that has just started knows a trap from before a device's last start.
create table snmp_engine (
  engine_id bytea primary key check (length(engine_id) between 5 and 32),
  boots integer not null check (boots >= 0),
  -- The newest time that the engine has signed in this run of it, in seconds, and when that was received.
  time integer not null check (time >= 0),
  received_at timestamptz(3) not null default now()
);
create index snmp_engine_received_at_ix on snmp_engine (received_at);
