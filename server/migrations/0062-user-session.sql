-- The security key of a session follows from its text.
alter table login_session drop column security_key;

-- What the console keeps for a user, by name.
create table user_attribute (
  account_id bigint not null references user_account (id) on delete cascade,
  name text not null,
  value jsonb not null,
  constraint user_attribute_pk primary key (account_id, name)
);

create table bookmark (
  id bigint generated always as identity constraint bookmark_pk primary key,
  account_id bigint not null references user_account (id) on delete cascade,
  page_uuid text not null,
  label text not null,
  path text not null,
  position integer not null
);
create index bookmark_account_ix on bookmark (account_id, position);

-- What the service keeps for a session, as long as that lasts.
create table session_value (
  session_id bigint not null references login_session (id) on delete cascade,
  key text not null,
  value jsonb not null,
  constraint session_value_pk primary key (session_id, key)
);
