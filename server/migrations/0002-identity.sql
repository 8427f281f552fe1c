-- Credentials. Only hashes: a dump of this database signs nobody in.

create table password (
  account_id bigint primary key,
  hash text not null,
  changed_at timestamptz not null default now()
);

create table api_token (
  id bigint generated always as identity primary key,
  public_id text not null constraint api_token_public_id_uq unique,
  hash bytea not null,
  account_id bigint not null,
  name text not null,
  scopes jsonb,
  allowed_networks cidr[] not null default '{}',
  created_at timestamptz(3) not null default now(),
  expires_at timestamptz(3) not null,
  revoked_at timestamptz(3),
  last_used_at timestamptz(3),
  last_used_ip inet
);
create index api_token_account_ix on api_token (account_id);

create table login_session (
  id bigint generated always as identity primary key,
  public_id text not null constraint login_session_public_id_uq unique,
  hash bytea not null,
  security_key text not null,
  account_id bigint not null,
  address inet,
  created_at timestamptz(3) not null default now(),
  expires_at timestamptz(3) not null,
  used_at timestamptz(3) not null default now(),
  idle_minutes integer not null,
  revoked_at timestamptz(3)
);
create index login_session_account_ix on login_session (account_id);

-- Failed logins, counted where every node sees them.
create table login_failure (
  id bigint generated always as identity primary key,
  user_id text not null,
  address inet not null,
  at timestamptz not null default now()
);
create index login_failure_user_ix on login_failure (user_id, at);
create index login_failure_address_ix on login_failure (address, at);

-- Rises with every revocation and every change of a right; nodes compare it each second and drop what they remember.
create table auth_epoch (
  single boolean primary key default true check (single),
  epoch bigint not null
);
insert into auth_epoch (epoch) values (1);

create function bump_auth_epoch() returns trigger language plpgsql as $$
begin
  update auth_epoch set epoch = epoch + 1;
  perform pg_notify('auth_changed', '');
  return null;
end $$;

create trigger api_token_epoch after update of revoked_at, expires_at, hash, scopes, allowed_networks or delete on api_token
  for each statement execute function bump_auth_epoch();
create trigger login_session_epoch after update of revoked_at, expires_at or delete on login_session
  for each statement execute function bump_auth_epoch();
