-- Dry runs that are compared by a background task: which task, and what it found, for a few minutes. A crash may forget them.
create unlogged table what_if (
  key text primary key,
  task_id bigint references background_task (id) on delete cascade,
  made_at timestamptz not null default now(),
  changed integer,
  total integer
);
create unlogged table what_if_slice (
  key text not null references what_if (key) on delete cascade,
  place integer not null,
  changes jsonb not null,
  primary key (key, place)
);
