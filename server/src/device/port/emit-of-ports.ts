import { everyRow, type WriteTx } from '../../context.ts';
import type { EventEntry } from '../../kernel/declare/event-type.ts';
import { port } from './port.ts';

const everyPort = everyRow(port, 'events of a port are events of the service');

/** Emits events of ports; each port stores the name of its newest one. */
export async function emitOfPorts(tx: WriteTx, events: readonly EventEntry[]): Promise<void> {
  if (events.length === 0) return;
  await tx.engine.sinks.events(tx.client, tx.origin, events);
  await noteNewest(
    tx,
    events.map(({ element, type }) => ({ id: element.id, name: type.name })),
  );
}

/** Updates ports in the order of their ids, as all code locks them. */
async function noteNewest(
  { client }: Pick<WriteTx, 'client'>,
  events: readonly { id: number; name: string }[],
): Promise<void> {
  const newest = [...new Map(events.map((event) => [event.id, event])).values()];
  await client.query({
    name: 'port.newest-event',
    text: `with said as (
       select p.id, n.name from jsonb_to_recordset($1::jsonb) n(id bigint, name text)
       join ${everyPort} p on p.id = n.id
       order by p.id for no key update of p
     )
     update ${everyPort} p set yams_event_tag = s.name from said s where p.id = s.id and p.yams_event_tag <> s.name`,
    values: [JSON.stringify(newest)],
  });
}
