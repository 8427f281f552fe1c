-- A password of the network is counted as wrong from the moment it is handed to the engine until the login succeeds.
create table network_login_attempt (
  id bigint generated always as identity primary key,
  account_id bigint not null constraint network_login_attempt_account_id_fk references user_account (id) on delete cascade,
  -- MAC address of the device; empty: the request has none.
  mac text not null check (length(mac) <= 17),
  at timestamptz not null default clock_timestamp()
);
create index network_login_attempt_account_ix on network_login_attempt (account_id, mac, at);
create index network_login_attempt_mac_ix on network_login_attempt (mac, at);
create index network_login_attempt_at_ix on network_login_attempt (at);

-- Devices that an account logged in from: they are admitted while others guess its password.
create table network_login_device (
  account_id bigint not null constraint network_login_device_account_id_fk references user_account (id) on delete cascade,
  mac text not null check (length(mac) <= 17),
  last_at timestamptz not null default clock_timestamp(),
  constraint network_login_device_pk primary key (account_id, mac)
);
create index network_login_device_last_at_ix on network_login_device (last_at);

-- Locks that an event was emitted for: each has one event, whichever node notices it.
create table network_login_lock (
  name text primary key check (length(name) <= 60),
  until timestamptz not null
);
