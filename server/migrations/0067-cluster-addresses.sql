-- Where a node answers the RADIUS engines of the others, and the certificate of its own that it shows and is known by. A node is trusted
-- as long as its row is here.
create table cluster_address (
  node text primary key check (length(node) <= 253),
  address inet not null,
  port integer not null check (port between 1 and 65535),
  certificate text not null check (length(certificate) <= 4000),
  renewed timestamptz(3) not null default clock_timestamp()
);

-- Raised when a row comes, goes or changes: each node reads them again.
insert into config_generation (topic) values ('cluster');
