import { useState } from 'react';
import type { RecordValue } from '../../client/group-calls.ts';
import { type Related, relatedMax, useRelated } from '../../client/related.ts';
import { hrefOfList } from '../../detail/related-rows.tsx';
import type { ShownRecord } from '../../detail/views.tsx';
import type { GroupInfo } from '../../document/group.ts';
import { ValueCell } from '../../document/value-cell.tsx';
import { Failure } from '../../parts/message.tsx';
import { useNow } from '../../parts/surroundings.ts';
import { isAccessState, toneOf } from '../../pictures/access-state.tsx';
import { type Lane, LaneChart } from '../../pictures/lane-chart.tsx';
import { entriesInRange, type Range, spansOf } from '../../pictures/lanes.ts';
import { text } from '../../texts/text.ts';
import {
  adapterFilter,
  eventFilter,
  hasMoreMacs,
  macsMax,
  portChangeFilter,
  radiusResponseFilter,
} from './about-host.ts';
import { DecidedAccess } from './decided-access.tsx';
import { useDecisions } from './decisions.ts';
import { useHealth } from './health.ts';
import { mainAdapters } from './main-adapters.ts';
import { accessOf, eventsOf, healthOf, placesOf, radiusRepliesOf, usersOf } from './over-time.ts';

/** The overview of a host: identity, location, access and timeline. */
export function HostOverview({ group, record, id }: ShownRecord) {
  const adapters = useRelated('adapter', adapterFilter(id));
  const adapter = mainAdapters(adapters.answer?.results ?? []).get(Number(id));
  return (
    <>
      <Identity group={group} record={record} adapters={adapters} adapter={adapter} />
      <Verdict group={group} id={id} adapterID={adapter?.id} />
      <OverTime group={group} record={record} id={id} />
    </>
  );
}

const hostFields = [
  'ip',
  'owner',
  'loggedOnUserID',
  'role',
  'typeLabel',
  'operatingSystem',
  'serialNumber',
  'creationTime',
];
const adapterFields = ['physicalAddress', 'vendorName', 'location', 'accessValue'];

/** The identifying values of a host; empty ones are omitted. */
function Identity({
  group,
  record,
  adapters,
  adapter,
}: {
  group: GroupInfo;
  record: RecordValue;
  adapters: Related;
  adapter: RecordValue | undefined;
}) {
  const nowMs = useNow();
  const knownValues = [
    ...fieldsOf(adapters.group, adapter ?? {}, adapterFields),
    ...fieldsOf(group, record, hostFields),
  ];
  return (
    <dl className="identity">
      {knownValues.map(({ field, value }) => (
        <div key={field.name}>
          <dt title={field.doc}>{text.hosts.labels[field.name] ?? field.label}</dt>
          <dd>
            <ValueCell field={field} value={value} nowMs={nowMs} />
          </dd>
        </div>
      ))}
    </dl>
  );
}

const fieldsOf = (group: GroupInfo | undefined, record: RecordValue, names: readonly string[]) =>
  names.flatMap((name) => {
    const field = group?.fields.find((candidate) => candidate.name === name);
    const value = record[name];
    return field && value !== null && value !== undefined && value !== '' ? [{ field, value }] : [];
  });

/** The current access with its reason. */
function Verdict({ group, id, adapterID }: { group: GroupInfo; id: string; adapterID: unknown }) {
  const { data, error, refetch } = useDecisions(group, id);
  if (error) return <Failure error={error} onRetry={() => void refetch()} />;
  const decision = data?.find((candidate) => candidate.adapterID === adapterID) ?? data?.[0];
  if (!decision) return null;
  const { accessState } = decision;
  return (
    <section
      className={`verdict ${isAccessState(accessState) ? toneOf(accessState) : ''}`}
      aria-label={text.hosts.access}
    >
      <DecidedAccess decision={decision} />
    </section>
  );
}

const dayMs = 86_400_000;
const ranges = [1, 7, 30] as const;

/** The timeline of a host, with one lane per kind of entry. */
function OverTime({ group, record, id }: ShownRecord) {
  const nowMs = useNow();
  const [days, setDays] = useState<number>(1);
  const range: Range = { from: nowMs - days * dayMs, to: nowMs };
  const portChanges = useRelated('port-change', portChangeFilter(record));
  const answers = useRelated('radius-response', radiusResponseFilter(record));
  const events = useRelated('event', eventFilter(id));
  const health = useHealth(group, id);
  const lanes = lanesOf(
    { portChanges, answers, events, health: healthOf(health.data ?? []) },
    range,
    endOf(record, nowMs),
  );
  const cut = [portChanges, answers, events].filter(({ answer }) => (answer?.results.length ?? 0) >= relatedMax);
  return (
    <section className="over-time" aria-label={text.timeline.title}>
      <div className="line">
        <h3 className="grow">{text.timeline.title}</h3>
        <fieldset className="switch" aria-label={text.timeline.range}>
          {ranges.map((option) => (
            <button key={option} type="button" aria-pressed={option === days} onClick={() => setDays(option)}>
              {text.timeline.days(option)}
            </button>
          ))}
        </fieldset>
      </div>
      {lanes.length === 0 ? <p className="quiet">{text.timeline.empty}</p> : <LaneChart lanes={lanes} range={range} />}
      {cut.length > 0 && (
        <p className="quiet">
          {text.timeline.truncated(relatedMax, cut.map((relatedRows) => relatedRows.group!.title).join(', '))}
        </p>
      )}
      {hasMoreMacs(record) && <p className="quiet">{text.timeline.firstAdapters(macsMax)}</p>}
    </section>
  );
}

/** Returns the end of the last state: now, or when the host disconnected. */
const endOf = ({ connected, lastDisconnected, lastConnected }: RecordValue, nowMs: number): number =>
  connected === true ? nowMs : Date.parse(String(lastDisconnected ?? lastConnected ?? '')) || 0;

function lanesOf(
  sources: { portChanges: Related; answers: Related; events: Related; health: ReturnType<typeof healthOf> },
  range: Range,
  end: number,
): Lane[] {
  const [changes, answers, events] = [rowsOf(sources.portChanges), rowsOf(sources.answers), rowsOf(sources.events)];
  const lanes: Lane[] = [
    {
      label: text.timeline.lanes.access,
      spans: spansOf(accessOf(changes, addressIn(sources.portChanges)), range, end),
      marks: [],
    },
    { label: text.timeline.lanes.place, spans: spansOf(placesOf(changes, answers), range, end), marks: [] },
    { label: text.timeline.lanes.user, spans: spansOf(usersOf(answers), range, end), marks: [] },
    { label: text.timeline.lanes.health, spans: spansOf(sources.health, range, range.to), marks: [] },
    {
      label: text.timeline.lanes.radius,
      spans: [],
      marks: entriesInRange(radiusRepliesOf(answers, addressIn(sources.answers)), range),
    },
    {
      label: text.timeline.lanes.events,
      spans: [],
      marks: entriesInRange(eventsOf(events, addressIn(sources.events)), range),
    },
  ];
  return lanes.filter(({ spans, marks }) => spans.length + marks.length > 0);
}

const rowsOf = ({ answer }: Related): readonly RecordValue[] => answer?.results ?? [];

const addressIn =
  ({ group }: Related) =>
  (row: RecordValue): string =>
    group ? hrefOfList(group, { open: String(row[group.identity ?? '']) }) : '';
