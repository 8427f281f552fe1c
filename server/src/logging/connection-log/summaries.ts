import type { Context } from '../../context.ts';
import { integerMax } from '../../kernel/declare/shape.ts';
import { instantSql } from '../../kernel/values/time.ts';
import { connectionLog } from './connection-log.ts';
import { isOpenDuring, secondsOf, spanWithin, type TimeRange } from './time-range.ts';

/** What a summary is about: connections that match the filter, as far as they lie in the time range. */
export interface SummaryOptions {
  filter: readonly string[];
  range: TimeRange;
}

/** Sums are numeric in PostgreSQL; an empty sum is 0. */
const total = (sum: string): string => `least(coalesce(sum(${sum}), 0), ${integerMax})::bigint`;

const octets = `${total('c.input_octets')} as "inputOctets", ${total('c.output_octets')} as "outputOctets"`;

/** Connections with their seconds in the range, as `c`. */
const connectionsIn = (matches: string, span: string, columns: readonly string[]): string =>
  `(select s.*, ${secondsOf('s.span')} as seconds from (
    select ${columns.map((name) => `r.${name}`).join(', ')}, ${span} as span from ${matches}) s) c`;

export interface ConnectionTotals {
  connections: number;
  active: number;
  hosts: number;
  users: number;
  devices: number;
  connectedSeconds: number;
  inputOctets: number;
  outputOctets: number;
  firstStart: string | null;
  lastEnd: string | null;
}

export const connectionTotals = ({ summarize }: Context, { filter, range }: SummaryOptions) =>
  summarize<ConnectionTotals>(connectionLog, {
    filter,
    extraFilter: isOpenDuring(range),
    statement: ({ matches, parameters }) => `select count(*) as connections,
  count(*) filter (where c.end_time is null) as active,
  count(distinct c.host_id) as hosts, count(distinct lower(c.user_name)) as users, count(distinct c.device_id) as devices,
  floor(${total('c.seconds')}) as "connectedSeconds", ${octets},
  ${instantSql('min(c.at)')} as "firstStart", ${instantSql('max(c.end_time)')} as "lastEnd"
from ${connectionsIn(matches, spanWithin(range)(parameters), totalColumns)}`,
  });

const totalColumns = ['at', 'end_time', 'host_id', 'user_name', 'device_id', 'input_octets', 'output_octets'];

export interface HostActivity {
  hostID: number | null;
  hostName: string | null;
  mac: string;
  connections: number;
  moves: number;
  connectedSeconds: number;
  inputOctets: number;
  outputOctets: number;
  lastLocation: string;
}

/** Returns the hosts with the most connections. Connections of an adapter without a host count by its MAC address. */
export const mostActiveHosts = ({ summarize }: Context, count: number, { filter, range }: SummaryOptions) =>
  summarize<HostActivity>(connectionLog, {
    filter,
    extraFilter: isOpenDuring(range),
    statement: ({ matches, records, parameters }) => `with most as materialized (
  select count(*) as connections, count(*) filter (where c.disconnect_reason = 'MOVED') as moves,
    ${total('c.seconds')} as "connectedSeconds", ${octets}, max(c.id) as last_id
  from ${connectionsIn(matches, spanWithin(range)(parameters), hostColumns)}
  group by c.host_id, case when c.host_id is null then c.mac end
  order by connections desc, last_id desc
  limit ${parameters.add(count, '::bigint')}
)
select l.host_id as "hostID", l.host_name as "hostName", l.mac, m.connections, m.moves, m."connectedSeconds",
  m."inputOctets", m."outputOctets", l.location as "lastLocation"
from most m
cross join lateral (select r.host_id, r.host_name, r.mac, r.location from ${records} where r.id = m.last_id limit 1) l
order by m.connections desc, m.last_id desc`,
  });

const hostColumns = ['id', 'host_id', 'mac', 'disconnect_reason', 'input_octets', 'output_octets'];

export interface UserTime {
  userName: string;
  connections: number;
  hosts: number;
  connectedSeconds: number;
  distinctSeconds: number;
}

/** Returns the users who were connected for the longest time, in which overlapping connections count once. */
export const longestConnectedUsers = ({ summarize }: Context, count: number, { filter, range }: SummaryOptions) =>
  summarize<UserTime>(connectionLog, {
    filter,
    extraFilter: (parameters) => `r.user_name <> '' and ${isOpenDuring(range)(parameters)}`,
    statement: ({ matches, parameters }) => `with by_user as (
  select max(c.user_name) as "userName", count(*) as connections, count(distinct c.host_id) as hosts,
    ${total('c.seconds')} as "connectedSeconds", range_agg(c.span) as spans
  from ${connectionsIn(matches, spanWithin(range)(parameters), userColumns)}
  group by lower(c.user_name)
)
select u."userName", u.connections, u.hosts, u."connectedSeconds", s.seconds as "distinctSeconds"
from by_user u
cross join lateral (select ${total(secondsOf('s'))} as seconds from unnest(u.spans) s) s
order by s.seconds desc, u."userName"
limit ${parameters.add(count, '::bigint')}`,
  });

const userColumns = ['user_name', 'host_id'];
