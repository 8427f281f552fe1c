import { action } from '../../../context.ts';
import type { ObjectShape, Shape } from '../../../kernel/declare/shape.ts';
import { shapes } from '../../../kernel/declare/shapes.ts';
import { instantSql } from '../../../kernel/values/time.ts';
import { l3Priorities, networkDevice } from '../network-device.ts';

const { count } = shapes;
const timeField = (doc: string) => ({ kind: 'time', nullable: true, doc }) as const satisfies Shape;

const l3Polling = {
  kind: 'object',
  name: 'L3Polling',
  properties: {
    deviceID: shapes.id,
    name: { kind: 'text', max: 128, doc: 'Name of the device.' },
    ipAddress: { kind: 'address', nullable: true },
    enabled: { kind: 'flag', doc: 'False: polling is disabled, but it was polled before.' },
    interval: { ...count, doc: 'Seconds between polls.' },
    priority: { kind: 'choice', values: l3Priorities },
    lastPoll: timeField('Last attempt.'),
    lastSuccess: timeField('Last success.'),
    durationMs: { ...count, doc: 'Duration of the last poll.' },
    entries: { ...count, doc: 'Entries that the device returned.' },
    newEntries: { ...count, doc: 'Entries that are new.' },
    error: { kind: 'text', max: 2_000, nullable: true, doc: 'Why the last poll failed.' },
  },
} as const satisfies ObjectShape;

/** Worst first: devices that were never polled come before those polled long ago. */
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

/** Lists when and how ARP tables were read. */
export const l3PollingList = action(networkDevice, {
  name: 'l3-polling',
  method: 'GET',
  path: '/polling/l3',
  doc: 'List the devices whose ARP and neighbour tables are polled, with the result of the last poll',
  query: {
    sortKey: {
      shape: {
        kind: 'choice',
        values: Object.keys(orders) as (keyof typeof orders)[],
        doc: 'lastSuccess lists the longest failing first. Default: id.',
      },
    },
    sortDir: { shape: { kind: 'choice', values: ['asc', 'desc'], doc: 'Default: ascending.' } },
    start: { shape: { ...count, max: 2_000_000_000, doc: 'Number of devices to skip.' } },
    count: { shape: { ...count, max: pageMax, doc: 'Maximum number of devices to return.' } },
  },
  result: l3Polling,
  counted: true,
  async run(call, { query, visible }) {
    const { sortKey = 'deviceID', sortDir = 'asc', start = 0, count: rowsMax = pageMax } = call.query;
    const rows = await query<{ total: number; row: object | null }>(
      `with polled as (
         select r.id as "deviceID", r.name, host(r.ip_address) as "ipAddress", r.l3_polling_enabled as enabled,
           r.l3_polling_interval as interval, r.l3_polling_priority as priority,
           ${instantSql('p.at')} as "lastPoll", ${instantSql('p.succeeded_at')} as "lastSuccess",
           coalesce(p.duration_ms, 0) as "durationMs", coalesce(p.entries, 0) as entries,
           coalesce(p.new_entries, 0) as "newEntries", p.error, row_number() over (order by ${orders[sortKey]} ${sortDir}, r.id) as place
         from ${visible(networkDevice)} r
         left join device_poll_result p on p.device_id = r.id and p.kind = 'l3'
         where (r.l3_polling_enabled or p.device_id is not null)
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
