import { collection } from '../../kernel/declare/declaration.ts';
import { computed, derived, type Field, identity, observed, reference, secret } from '../../kernel/declare/field.ts';
import { shapes } from '../../kernel/declare/shapes.ts';

/** States of a run; runs in the first three have not ended. */
export const runStates = ['QUEUED', 'RUNNING', 'STOPPING', 'STOPPED', 'DONE', 'FAILED'] as const;
export type RunState = (typeof runStates)[number];

export const outcomes = ['ADDED', 'UPDATED', 'KNOWN', 'NO_SNMP', 'PINGABLE_ADDED', 'DUPLICATE', 'FAILED'] as const;
export type Outcome = (typeof outcomes)[number];

/** Limit on the addresses of a run. */
export const addressesMax = 65_536;
/** Number of outcomes kept per run, the latest ones. */
export const itemsMax = 500;

const item = {
  kind: 'object',
  name: 'DiscoveryItem',
  properties: {
    ipAddress: { kind: 'address' },
    outcome: {
      kind: 'choice',
      values: outcomes,
      doc: 'UPDATED: the working credential was stored for a known device. DUPLICATE: another address of a known device.',
    },
    deviceID: { ...shapes.id, nullable: true, doc: 'The device at this address.' },
    name: { kind: 'text', max: 128, nullable: true, doc: 'Name of the device.' },
    detail: { kind: 'text', max: 2_000, nullable: true, doc: 'Reason for the outcome.' },
  },
} as const;

const itemsSql = `(select coalesce(jsonb_agg(jsonb_build_object('ipAddress', host(i.ip_address), 'outcome', i.outcome,
    'deviceID', i.device_id, 'name', i.name, 'detail', i.detail) order by i.id desc), '[]'::jsonb)
  from (select * from discovery_item x where x.run_id = r.id order by x.id desc limit ${itemsMax}) i)`;

const items: Field<object[]> = {
  ...computed<object[]>({ kind: 'list', item, max: itemsMax }, itemsSql, {
    doc: `Outcome of each address that responded, the latest ${itemsMax}, newest first; [] in a list of runs.`,
  }),
  detailOnly: true,
};

const counter = (doc: string) => observed<number>({ kind: 'integer', min: 0, max: 2_147_483_647 }, 0, doc);

/** A search for network devices in address ranges; creates a record for each device found. */
export const discoveryRun = collection({
  name: 'discovery-run',
  title: 'Discovery',
  path: '/device/discovery/discover',
  permission: 'discovery',
  doc: 'Discoveries of network devices in address ranges, each into one container.',
  columns: ['id', 'containerName', 'state', 'addressesProbed', 'addressesTotal', 'devicesAdded', 'skipped', 'errors'],
  patterns: [],
  label: 'containerName',
  events: { elementType: 11 },
  fields: {
    id: identity(),
    containerID: reference('container', 'cascade', { doc: 'Container for the devices that are found.' }),
    containerName: derived<string>({ kind: 'text', max: 128 }, '', 'Name of the container when the run started.'),
    state: observed<RunState>(
      { kind: 'choice', values: runStates },
      'QUEUED',
      'QUEUED, RUNNING and STOPPING are in progress; the others have ended.',
    ),
    startedBy: derived<string>({ kind: 'text', max: 120 }, '', 'User who started it.'),
    startedAt: derived<string>({ kind: 'time' }, '1970-01-01T00:00:00.000Z', 'When it was requested.'),
    finishedAt: observed<string | null>({ kind: 'time', nullable: true }, null, 'When it ended.'),
    addressesTotal: counter('Addresses to probe, as far as known; neighbours are added during the run.'),
    addressesProbed: counter('Addresses that were probed.'),
    responded: counter('Addresses that responded to ping or SNMP.'),
    devicesAdded: counter('Devices that were added, including pingable ones.'),
    devicesUpdated: counter('Known devices for which the working credential was stored.'),
    skipped: counter('Addresses that responded without a change: known, a duplicate, or without SNMP.'),
    hop: observed<number>(
      { kind: 'integer', min: 0, max: 100 },
      0,
      'How many steps from the seeds the farthest address is.',
    ),
    errors: counter('Addresses with an error.'),
    items,
    credentials: secret({
      max: 200_000,
      unbound: 'No operation changes the addresses of a run after its start.',
      doc: 'Credentials for probing devices; deleted when the run ends.',
    }),
  },
});
