import { action } from '../../context.ts';
import type { ObjectShape, Shape } from '../../kernel/shape.ts';
import { integerMax } from '../../kernel/shape.ts';
import { instantSql } from '../../kernel/time.ts';
import { l3Priorities, networkDevice } from './network-device.ts';

const count: Shape = { kind: 'integer', min: 0, max: integerMax };
const at = (doc: string): Shape => ({ kind: 'time', nullable: true, doc });

const l3Polling: ObjectShape = {
  kind: 'object',
  name: 'L3Polling',
  properties: {
    deviceID: { kind: 'integer', min: 1, max: integerMax },
    name: { kind: 'text', max: 128, doc: 'Name of the device.' },
    ipAddress: { kind: 'address', nullable: true },
    enabled: { kind: 'flag', doc: 'False: it was polled before.' },
    interval: { ...count, doc: 'Seconds between polls.' },
    priority: { kind: 'choice', values: l3Priorities },
    lastPoll: at('Last time it was tried.'),
    lastSuccess: at('Last time it succeeded.'),
    durationMs: { ...count, doc: 'How long the last one took.' },
    entries: { ...count, doc: 'Addresses that the device told.' },
    newEntries: { ...count, doc: 'Those that were not known before.' },
    error: { kind: 'text', max: 2_000, nullable: true, doc: 'Why the last one failed.' },
  },
};

/** Who was never polled comes before who was polled long ago: worst first. */
const orders = {
  deviceID: 'r.id',
  name: 'lower(r.name)',
  priority: `array_position(array['${l3Priorities.join("','")}'], r.l3_polling_priority)`,
  lastPoll: `coalesce(p.at, '-infinity')`,
  lastSuccess: `coalesce(p.succeeded_at, '-infinity')`,
  durationMs: 'coalesce(p.duration_ms, 0)',
  entries: 'coalesce(p.entries, 0)',
} as const;

const pageMax = 1_000;

interface L3Query {
  sortKey: keyof typeof orders;
  sortDir: 'asc' | 'desc';
  start: number;
  count: number;
}

/** How the reading of ARP and neighbour tables goes. */
export const l3PollingList = action(networkDevice, {
  name: 'l3-polling',
  method: 'GET',
  path: '/polling/l3',
  doc: 'List the devices whose ARP and neighbour tables are read, with how the last reading went',
  query: {
    sortKey: {
      shape: {
        kind: 'choice',
        values: Object.keys(orders),
        doc: 'By lastSuccess the worst come first; by id, unless said.',
      },
    },
    sortDir: { shape: { kind: 'choice', values: ['asc', 'desc'], doc: 'Ascending unless said otherwise.' } },
    start: { shape: { ...count, max: 2_000_000_000, doc: 'How many devices to skip.' } },
    count: { shape: { ...count, max: pageMax, doc: 'How many devices to answer at most.' } },
  },
  result: l3Polling,
  counted: true,
  async run(call, { query, andSeen }) {
    const {
      sortKey = 'deviceID',
      sortDir = 'asc',
      start = 0,
      count: rowsMax = pageMax,
    } = call.query as Partial<L3Query>;
    const rows = await query<{ total: number; row: object | null }>(
      `with polled as (
         select r.id as "deviceID", r.name, host(r.ip_address) as "ipAddress", r.l3_polling_enabled as enabled,
           r.l3_polling_interval as interval, r.l3_polling_priority as priority,
           ${instantSql('p.at')} as "lastPoll", ${instantSql('p.succeeded_at')} as "lastSuccess",
           coalesce(p.duration_ms, 0) as "durationMs", coalesce(p.entries, 0) as entries,
           coalesce(p.new_entries, 0) as "newEntries", p.error, row_number() over (order by ${orders[sortKey]} ${sortDir}, r.id) as place
         from network_device r
         left join device_poll_result p on p.device_id = r.id and p.kind = 'l3'
         where (r.l3_polling_enabled or p.device_id is not null)${andSeen(networkDevice)}
       )
       select c.total, to_jsonb(p) - 'place' as row
       from (select count(*)::integer as total from polled) c
       left join polled p on p.place > $2 and p.place <= $2 + $1
       order by p.place`,
      [rowsMax, start],
    );
    const { total } = rows[0]!;
    return { results: rows.flatMap(({ row }) => row ?? []), filtered: total, total };
  },
});
