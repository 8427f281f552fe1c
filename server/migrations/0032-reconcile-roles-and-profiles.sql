-- Roles and profiles are assigned by reconcilers; the queues of the jobs that did it end. A new installation has no job queue at this point.
do $$
declare
  ended text;
begin
  if to_regclass('pgboss.queue') is null then
    return;
  end if;
  foreach ended in array array['role-assign', 'admin-remap'] loop
    delete from pgboss.schedule s where s.name = ended;
    delete from pgboss.job j where j.name = ended;
    delete from pgboss.queue q where q.name = ended;
  end loop;
end $$;
