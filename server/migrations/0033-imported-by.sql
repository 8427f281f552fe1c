-- Who brought back the rows of an archive, and when: rows of others are marked by it in every answer.
alter table log_import add column requested_by text not null default '';
alter table log_archive add column imported_by text, add column imported_at timestamptz(3);
grant update (imported_by, imported_at) on log_archive to portreeve_service;
