-- Schedules follow the wall clock of the cell: a name of pg_timezone_names.
alter table cell add column time_zone text not null default 'UTC';

create function cell_time_zone() returns text
  language sql stable parallel safe
  as 'select c.time_zone from public.cell c';

-- Whether an instant lies inside a weekly schedule, by the wall clock of a zone. A window past midnight belongs to the day it starts on.
create function weekly_schedule_holds(schedule jsonb, at timestamptz, zone text default cell_time_zone()) returns boolean
  language plpgsql stable parallel safe
  as $$
declare
  wall timestamp := at at time zone zone;
  today integer := extract(dow from wall)::integer;
  minute integer := extract(hour from wall)::integer * 60 + extract(minute from wall)::integer;
  days integer := (schedule ->> 'daysOfWeek')::integer;
  starts integer := (schedule ->> 'startTimeOfDay')::integer;
  ends integer := (schedule ->> 'endTimeOfDay')::integer;
  is_today boolean := (days >> today) & 1 = 1;
begin
  if (schedule ->> 'alwaysOn')::boolean then
    return true;
  elsif ends >= starts then
    return is_today and minute >= starts and minute < ends;
  end if;
  return (is_today and minute >= starts) or ((days >> (today + 6) % 7) & 1 = 1 and minute < ends);
end $$;

create or replace function weekly_schedule_holds(schedule jsonb) returns boolean
  language sql stable parallel safe
  as 'select weekly_schedule_holds(schedule, now())';

-- Offsets of a zone in a span, as minutes to add to UTC: the first row is the offset at the beginning, each further one a change.
-- Zones change their offset at a quarter of an hour.
create function zone_offsets(zone text, span_from timestamptz, span_to timestamptz)
  returns table (at timestamptz, offset_minutes integer)
  language sql stable
  as $$
    select o.at, o.minutes
    from (
      select q.at, q.minutes, lag(q.minutes) over (order by q.at) as before
      from (
        select g.at, (extract(epoch from (g.at at time zone zone) - (g.at at time zone 'UTC')) / 60)::integer as minutes
        from generate_series(span_from, span_to - interval '1 microsecond', interval '15 minutes') g(at)
      ) q
    ) o
    where o.before is distinct from o.minutes
    order by o.at
  $$;

-- Another zone decides otherwise.
create function note_cell_time_zone() returns trigger language plpgsql as $$
begin
  insert into policy_change default values;
  return null;
end $$;

create trigger cell_time_zone_changed after update of time_zone on cell
  for each row when (old.time_zone is distinct from new.time_zone) execute function note_cell_time_zone();
