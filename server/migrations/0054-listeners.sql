-- How often somebody asked listeners to take their certificates; nodes follow the number.
create table listener_restart (
  singleton boolean primary key default true check (singleton),
  generation bigint not null default 0
);
insert into listener_restart default values;

-- What each running node serves; the row of one that is gone is no longer renewed.
create table node_listener (
  node text not null check (length(node) <= 300),
  target text not null check (length(target) <= 40),
  generation bigint not null,
  sha256 text not null check (length(sha256) = 64),
  fault text check (length(fault) <= 500),
  renewed timestamptz(3) not null default clock_timestamp(),
  primary key (node, target)
);
