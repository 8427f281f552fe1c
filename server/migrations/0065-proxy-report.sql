-- Which proxies were reported as out of reach, and when: one event in ten minutes, whichever node asks them.
create table proxy_report (
  proxy text primary key,
  reported_at timestamptz not null default now()
);
