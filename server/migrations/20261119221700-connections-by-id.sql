-- A row is found by its id, and rows are listed by their start. The primary key begins with the end.
create index connection_log_id_ix on connection_log (id desc);
