-- Every node asks for two years of offsets when it starts: looks at each day first, and only at the quarters of an hour of the days on
-- which the offset changes. No zone leaves its offset and has it again within 24 hours.
create or replace function zone_offsets(zone text, span_from timestamptz, span_to timestamptz)
  returns table (at timestamptz, offset_minutes integer)
  language sql stable
  as $$
    with minute_offset as (
      select m.at, (extract(epoch from (m.at at time zone zone) - (m.at at time zone 'UTC')) / 60)::integer as minutes
      from (
        select span_from as at
        union all
        select q.at
        from generate_series(span_from, span_to - interval '1 microsecond', interval '24 hours') d(at)
        cross join lateral generate_series(
          d.at + interval '15 minutes',
          least(d.at + interval '24 hours', span_to - interval '1 microsecond'),
          interval '15 minutes') q(at)
        where (d.at at time zone zone) - (d.at at time zone 'UTC') is distinct from
          (least(d.at + interval '24 hours', span_to) at time zone zone) - (least(d.at + interval '24 hours', span_to) at time zone 'UTC')
      ) m
    )
    select o.at, o.minutes
    from (select m.at, m.minutes, lag(m.minutes) over (order by m.at) as before from minute_offset m) o
    where o.before is distinct from o.minutes
    order by o.at
  $$;
