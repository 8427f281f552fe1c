-- Data keys can be replaced while nodes run: each may be wrapped by more than one master key, and nodes tell which one they hold.

create table data_key_wrapping (
  data_key_id integer not null,
  -- Follows from the master key, one way; empty where the key was wrapped before wrappings were told apart.
  master_id text not null,
  wrapped bytea not null,
  constraint data_key_wrapping_pk primary key (data_key_id, master_id),
  constraint data_key_wrapping_data_key_id_fk foreign key (data_key_id) references data_key (id) on delete cascade
);
insert into data_key_wrapping (data_key_id, master_id, wrapped) select d.id, '', d.wrapped from data_key d;
alter table data_key drop column wrapped;

-- Nodes that run, and the master key that each can unwrap data keys with.
create table key_holder (
  node text primary key,
  master_id text not null,
  seen_at timestamptz not null default now()
);

-- The key to seal with. Who asks holds the lock until the end of its transaction, and a new key is made under the exclusive one:
-- whatever was sealed with an older key is committed by then, and nothing is sealed with it afterwards.
-- Not one SQL statement: the key must be read after the lock was given.
create function sealing_key() returns integer
  language plpgsql volatile
  as $$
begin
  perform pg_advisory_xact_lock_shared(hashtext('portreeve-sealing'));
  return (select max(d.id) from public.data_key d);
end $$;

-- Sealing a secret anew changes nothing that anybody can read, so the session that does it makes no feed entries.
create or replace function note_modified() returns trigger language plpgsql as $$
begin
  if current_setting('portreeve.resealing', true) = 'on' then
    return null;
  end if;
  if tg_nargs = 1 then
    execute format(
      'insert into change_feed (table_name, record_id, change, version, mask) select %L, c.id, ''modified'', c.version, c.%I from changed c',
      tg_table_name, tg_argv[0]);
    return null;
  end if;
  insert into change_feed (table_name, record_id, change, version)
  select tg_table_name, c.id, 'modified', c.version from changed c;
  return null;
end $$;

-- The key that pages send beside the session cookie is stored like the session itself: as its hash.
update login_session set security_key = encode(sha256(convert_to(security_key, 'UTF8')), 'hex');
