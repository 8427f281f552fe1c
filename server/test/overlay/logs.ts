import { deletes, log } from '../../src/kernel/declare/declaration.ts';
import {
  choice,
  computed,
  field,
  identity,
  integer,
  landscape,
  list,
  text,
  time,
} from '../../src/kernel/declare/field.ts';
import { integerMax } from '../../src/kernel/declare/shape.ts';
import { resource } from '../../src/kernel/operations/resource.ts';

/** Cups that a machine has made: a log by id, with a slice for each day. */
export const cup = log({
  name: 'cup',
  title: 'Cup',
  path: '/settings/kitchen/cup',
  permission: 'system-settings',
  doc: 'Every cup that was made.',
  patterns: ['list', 'fetch', 'count', 'countAll', 'monitor', 'archive', ...deletes],
  archivesOf: ['brewing-session', 'audit-record'],
  slice: 'day',
  age: { setting: 'cupDays', days: 30 },
  identity: 'id',
  label: 'drink',
  timeField: 'madeAt',
  indexes: [['machineID']],
  added: { 2: ['extras'] },
  fields: {
    landscape,
    id: identity(),
    drink: text({ min: 1, max: 60, search: true }),
    machineID: field<number>({ kind: 'integer', min: 0, max: integerMax }),
    strength: integer({ min: 1, max: 9, nullable: true }),
    extras: list<string>({ item: { kind: 'text', max: 40 }, max: 10 }, { default: [] }),
    madeAt: computed<string>({ kind: 'time' }, 'r.at'),
  },
});

/** How long a user used a machine: a log closed by its end, with a slice for each week. */
export const brewingSession = log({
  name: 'brewing-session',
  title: 'Brewing session',
  path: '/settings/kitchen/brewing-session',
  permission: 'system-settings',
  doc: 'The uses of a machine, with start and end.',
  patterns: ['list', 'fetch', 'count', 'monitor'],
  slice: 'week',
  age: { setting: 'brewingSessionDays', days: 180 },
  alwaysArchived: true,
  identity: 'id',
  label: 'userName',
  timeField: 'startTime',
  closedBy: 'endTime',
  indexes: [['userName']],
  fields: {
    landscape,
    id: identity(),
    userName: text({ min: 1, max: 60, search: true }),
    startTime: computed<string>({ kind: 'time' }, 'r.at'),
    endTime: time({ doc: 'When it was over.' }),
    outcome: choice(['SERVED', 'OUT_OF_BEANS'], { doc: 'How it ended.' }),
  },
});

/** Visits of the kitchen, some of which have not ended: a log by end whose open rows are in a table of their own. */
export const visit = log({
  name: 'visit',
  title: 'Visit',
  path: '/settings/kitchen/visit',
  permission: 'system-settings',
  doc: 'The visits of the kitchen.',
  patterns: ['list', 'fetch', 'count', 'countAll', 'archive'],
  slice: 'week',
  age: { setting: 'visitDays', days: 180 },
  identity: 'id',
  label: 'guest',
  timeField: 'startTime',
  closedBy: 'endTime',
  openRows: 'visit_open',
  indexes: [['guest']],
  fields: {
    landscape,
    id: identity(),
    guest: text({ min: 1, max: 60, search: true }),
    cups: integer({ min: 0, max: 1_000 }),
    startTime: computed<string>({ kind: 'time' }, 'r.at'),
    endTime: time({ nullable: true, doc: 'When it was over; null: it is not.' }),
    reason: choice(['FULL', 'CALLED'], { nullable: true, doc: 'How it ended.' }),
  },
});

/** The open visits, and the end of some of them. */
export const visitScript = `create table visit_open_row (id bigint primary key default log_id(), guest text not null, cups integer not null);
create view visit_open as
  select o.id, log_time(o.id) as at, null::xid8 as txid, cell_landscape() as landscape, o.guest, o.cups,
    null::timestamptz(3) as end_time, null::text as reason
  from visit_open_row o;
create function end_visits(ids bigint[], at timestamptz) returns void language sql as $$
  with gone as (delete from visit_open_row o where o.id = any(ids) returning o.*)
  insert into visit (id, guest, cups, end_time, reason) select g.id, g.guest, g.cups, at, 'FULL' from gone g
$$;`;

export const visitGroup = resource('Visit', visit);

export const logGroups = [resource('Cup', cup), resource('Brewing session', brewingSession)];
