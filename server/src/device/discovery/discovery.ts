import { collection } from '../../kernel/declare.ts';
import { eventType } from '../../kernel/event-type.ts';
import { computed, derived, type Field, identity, observed, reference, secret } from '../../kernel/field.ts';
import { integerMax } from '../../kernel/shape.ts';

/** Where a run stands; the first three are those that are not over. */
export const runStates = ['QUEUED', 'RUNNING', 'STOPPING', 'STOPPED', 'DONE', 'FAILED'] as const;
export type RunState = (typeof runStates)[number];

export const outcomes = ['ADDED', 'UPDATED', 'KNOWN', 'NO_SNMP', 'PINGABLE_ADDED', 'DUPLICATE', 'FAILED'] as const;
export type Outcome = (typeof outcomes)[number];

/** What a run asks at most. */
export const addressesMax = 65_536;
/** So many outcomes of a run are kept, the latest. */
export const itemsMax = 500;

const ofContainer = { category: 'DEVICE', elementType: 1 } as const;

export const discoveryStarted = eventType({
  ...ofContainer,
  name: 'DISCOVERY_STARTED',
  description: 'A search for network devices began.',
  format: 'Discovery into {element} started: {addresses} addresses.',
});

const counts = '{added} devices added, {updated} updated, {skipped} left as they are, {errors} failed.';

export const discoveryCompleted = eventType({
  ...ofContainer,
  name: 'DISCOVERY_COMPLETED',
  description: 'A search for network devices came to its end.',
  format: `Discovery into {element} is complete: ${counts}`,
});

export const discoveryStopped = eventType({
  ...ofContainer,
  name: 'DISCOVERY_STOPPED',
  description: 'A search for network devices was stopped; what it had found stays.',
  format: `Discovery into {element} was stopped: ${counts}`,
});

const item = {
  kind: 'object',
  name: 'DiscoveryItem',
  properties: {
    ipAddress: { kind: 'address' },
    outcome: {
      kind: 'choice',
      values: outcomes,
      doc: 'UPDATED: a known device got the credential that works. DUPLICATE: a known device at another of its addresses.',
    },
    deviceID: { kind: 'integer', min: 1, max: integerMax, nullable: true, doc: 'The device that it is.' },
    name: { kind: 'text', max: 128, nullable: true, doc: 'Name of the device.' },
    detail: { kind: 'text', max: 2_000, nullable: true, doc: 'Why it came out so.' },
  },
} as const;

const itemsSql = `(select coalesce(jsonb_agg(jsonb_build_object('ipAddress', host(i.ip_address), 'outcome', i.outcome,
    'deviceID', i.device_id, 'name', i.name, 'detail', i.detail) order by i.id desc), '[]'::jsonb)
  from (select * from discovery_item x where x.run_id = r.id order by x.id desc limit ${itemsMax}) i)`;

const items: Field<object[]> = {
  ...computed<object[]>({ kind: 'list', item, max: itemsMax }, itemsSql, {
    doc: `What came of each address that answered, the latest ${itemsMax}, newest first; [] in a list of runs.`,
  }),
  fetched: true,
};

const counter = (doc: string) => observed<number>({ kind: 'integer', min: 0, max: 2_147_483_647 }, 0, doc);

/** A search for network devices in ranges of addresses, which models what it finds. */
export const discoveryRun = collection({
  name: 'discovery-run',
  title: 'Discovery',
  path: '/device/discovery/discover',
  permission: 'discovery',
  doc: 'Searches for network devices in ranges of addresses, each into one container.',
  columns: ['id', 'containerName', 'state', 'addressesProbed', 'addressesTotal', 'devicesAdded', 'skipped', 'errors'],
  patterns: [],
  label: 'containerName',
  events: { elementType: 11 },
  fields: {
    id: identity(),
    containerID: reference('container', 'cascade', { doc: 'Where devices that are found are modelled.' }),
    containerName: derived<string>({ kind: 'text', max: 128 }, '', 'Name of the container when the run began.'),
    state: observed<RunState>(
      { kind: 'choice', values: runStates },
      'QUEUED',
      'QUEUED, RUNNING and STOPPING are under way; the others have ended.',
    ),
    startedBy: derived<string>({ kind: 'text', max: 120 }, '', 'Who asked for it.'),
    startedAt: derived<string>({ kind: 'time' }, '1970-01-01T00:00:00.000Z', 'When it was asked for.'),
    finishedAt: observed<string | null>({ kind: 'time', nullable: true }, null, 'When it ended.'),
    addressesTotal: counter('Addresses to ask, as far as they are known: neighbours come on the way.'),
    addressesProbed: counter('Addresses that were asked.'),
    responded: counter('Addresses that answered to ping or SNMP.'),
    devicesAdded: counter('Devices that were modelled, pingable ones too.'),
    devicesUpdated: counter('Known devices that got the credential that works.'),
    skipped: counter('Addresses that answered and changed nothing: known, a duplicate, or without SNMP.'),
    hop: observed<number>(
      { kind: 'integer', min: 0, max: 100 },
      0,
      'How many steps from the seeds the farthest address is.',
    ),
    errors: counter('Addresses at which something failed.'),
    items,
    credentials: secret({ max: 200_000, doc: 'What devices are asked with; gone when the run has ended.' }),
  },
});
