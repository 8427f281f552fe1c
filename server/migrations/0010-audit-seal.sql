-- Each day of the audit log, sealed: what was altered later no longer gives the same hash, and each seal holds the one before it.
create table audit_seal (
  day date primary key,
  records bigint not null,
  sha256 bytea not null check (length(sha256) = 32),
  previous bytea not null,
  sealed_at timestamptz(3) not null default now()
);
revoke update, delete, truncate on audit_seal from portreeve_service;
