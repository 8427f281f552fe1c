-- Nodes keep in memory which access devices there are. A change of one raises this number, once a transaction, at the commit.
insert into config_generation (topic) values ('nas');

create table nas_change (
  txid xid8 primary key default pg_current_xact_id()
);

create function raise_nas_generation() returns trigger language plpgsql as $$
begin
  delete from nas_change c where c.txid = new.txid;
  update config_generation set wanted = wanted + 1, raised_at = clock_timestamp() where topic = 'nas';
  perform pg_notify('nas_changed', '');
  return null;
end $$;

create constraint trigger nas_change_raise after insert on nas_change
  deferrable initially deferred for each row execute function raise_nas_generation();
