-- Plans go by what is known of the tables. After an import nobody waits for autovacuum to look: only who owns a table may look at once.
create function measure_import_lines() returns void
  language plpgsql security definer set search_path = public, pg_temp
  as $$
begin
  analyze host_import_line;
end
$$;

create function measure_hosts() returns void
  language plpgsql security definer set search_path = public, pg_temp
  as $$
begin
  analyze host, adapter, ip_mac;
end
$$;
