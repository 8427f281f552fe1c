-- An attempt to sign in is claimed before its password is judged, and locks are of an account and a network.

-- /24 and /56: what one customer of a provider usually has. An IPv4 address that came through an IPv6 socket counts as IPv4.
create function login_network_of(address inet) returns cidr language sql immutable strict as $$
  select network(set_masklen($1, case when family($1) = 4 then 24 when $1 <<= '::ffff:0.0.0.0/96' then 120 else 56 end))
$$;

alter table login_failure
  add column network cidr not null generated always as (login_network_of(address)) stored,
  -- False: refused by a lock without a look at the password. It counts for the address only, so that nobody prolongs a lock.
  add column judged boolean not null default true;

-- Networks that an account signed in from: they get in while the account is attacked from everywhere else.
create table login_network (
  account_id bigint not null constraint login_network_account_id_fk references user_account (id) on delete cascade,
  network cidr not null,
  last_at timestamptz not null default now(),
  constraint login_network_pk primary key (account_id, network)
);
create index login_network_last_at_ix on login_network (last_at);
