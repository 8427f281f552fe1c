-- Who changes what a reconciler looks after leaves a row here, in the same transaction. Rows are only inserted, so writers never wait for
-- each other, and a reconciler that removes what it sees has not removed what is committed while it looks.
-- Without an index: it is nearly empty, and all of it is read.
create table poke (
  reconciler text not null
) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000);

create index port_name_trgm_ix on "port" using gin (lower("name") gin_trgm_ops) with (fastupdate = off);

create index port_label_trgm_ix on "port" using gin (lower("label") gin_trgm_ops) with (fastupdate = off);
