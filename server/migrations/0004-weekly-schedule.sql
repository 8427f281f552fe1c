-- Whether now, in the cell's zone, lies inside a weekly schedule.
create function weekly_schedule_holds(schedule jsonb) returns boolean
  language sql stable parallel safe
  as $$
    select case
      when (schedule ->> 'alwaysOn')::boolean then true
      when s.ends >= s.starts then s.days & s.today > 0 and s.minute >= s.starts and s.minute < s.ends
      else (s.days & s.today > 0 and s.minute >= s.starts) or (s.days & s.yesterday > 0 and s.minute < s.ends)
    end
    from (
      select (schedule ->> 'startTimeOfDay')::integer as starts, (schedule ->> 'endTimeOfDay')::integer as ends,
        (schedule ->> 'daysOfWeek')::integer as days,
        (1 << extract(dow from now())::integer) as today,
        (1 << ((extract(dow from now())::integer + 6) % 7)) as yesterday,
        extract(hour from now())::integer * 60 + extract(minute from now())::integer as minute
    ) s
  $$;
