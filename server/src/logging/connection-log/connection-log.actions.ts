import { action, filterParameter } from '../../context.ts';
import type { ObjectShape, Shape } from '../../kernel/declare/shape.ts';
import { shapes } from '../../kernel/declare/shapes.ts';
import { connectionLog } from './connection-log.ts';
import { connectionTotals, longestConnectedUsers, mostActiveHosts } from './summaries.ts';
import { rangeParameters, refuseEmptyRange } from './time-range.ts';
import { changesMax, listVlanChanges, vlanChangeShape, vlanChangesDuring } from './vlan-changes.ts';

const { count } = shapes;
const { hostID, hostName, mac, userName, location, inputOctets, outputOctets } = connectionLog.fields;
const seconds = (doc: string) => ({ ...count, doc }) as const;
const instant = (doc: string) => ({ kind: 'time', nullable: true, doc }) as const satisfies Shape;

/** Number of hosts or users of a top list, unless the request sets another one. */
const topDefault = 10;
const topParameter = {
  shape: { kind: 'integer', min: 1, max: 1_000, doc: `Number of results. Default: ${topDefault}.` },
} as const;

const sessionRecordsMax = 1_000;

const bySession = action(connectionLog, {
  name: 'by-session',
  method: 'GET',
  path: '/by-session',
  doc: 'List the connections of an accounting session, with their VLAN changes',
  query: {
    sessionID: {
      shape: {
        kind: 'text',
        min: 1,
        max: 253,
        doc: 'Acct-Session-Id or Acct-Multi-Session-Id, compared exactly.',
        example: '4D2BB8AC-00000098',
      },
      required: true,
    },
  },
  result: {
    kind: 'object',
    name: 'SessionConnection',
    properties: {
      ...Object.fromEntries(Object.entries(connectionLog.fields).map(([name, { shape }]) => [name, shape])),
      changes: {
        kind: 'list',
        item: vlanChangeShape,
        max: changesMax,
        doc: `VLAN changes of the connection, oldest first. The newest ${changesMax} of all connections of the session.`,
      },
    },
    columns: [...connectionLog.columns!],
  },
  counted: true,
  errors: ['too-expensive'],
  async run({ query }, context) {
    const { records, ...page } = await context.list(connectionLog, {
      filter: [],
      sortKey: 'id',
      start: 0,
      count: sessionRecordsMax,
      extraFilter: (parameters) => {
        const session = parameters.add(query.sessionID, '::text');
        return `(r.session_id = ${session} or r.multi_session_id = ${session})`;
      },
    });
    const changes = await vlanChangesDuring(context, records);
    const results = records.map((record) => ({ ...record, changes: changes.get(record.id) ?? [] }));
    return { results, filtered: page.filtered, total: page.total };
  },
});

const totalsShape = {
  kind: 'object',
  name: 'ConnectionTotals',
  properties: {
    connections: { ...count, doc: 'Number of connections.' },
    active: { ...count, doc: 'Those that are open.' },
    hosts: { ...count, doc: 'Number of different hosts.' },
    users: { ...count, doc: 'Number of different users.' },
    devices: { ...count, doc: 'Number of different network devices.' },
    connectedSeconds: seconds('Sum of the durations within the time range.'),
    inputOctets: inputOctets.shape,
    outputOctets: outputOctets.shape,
    firstStart: instant('Start of the first connection; null: there is none.'),
    lastEnd: instant('Latest end; null: none has ended.'),
  },
} as const satisfies ObjectShape;

const tableDataTotals = action(connectionLog, {
  name: 'totals',
  method: 'GET',
  path: '/tabledatatotals',
  doc: 'Sum up the connections that match a filter and were open in a time range',
  query: { filter: filterParameter, ...rangeParameters },
  result: totalsShape,
  errors: ['too-expensive'],
  run({ query: { filter = [], ...range } }, context) {
    refuseEmptyRange(range);
    return connectionTotals(context, { filter, range });
  },
});

const topHosts = action(connectionLog, {
  name: 'top-hosts',
  method: 'GET',
  path: '/top/hosts/activity',
  doc: 'List the hosts with the most connections in a time range',
  query: { filter: filterParameter, ...rangeParameters, count: topParameter },
  result: {
    kind: 'object',
    name: 'HostActivity',
    properties: {
      hostID: hostID.shape,
      hostName: hostName.shape,
      mac: { ...mac.shape, doc: 'MAC address of the last connection.' },
      connections: { ...count, doc: 'Number of connections.' },
      moves: { ...count, doc: 'Connections that ended because the adapter moved to another port.' },
      connectedSeconds: seconds('Sum of the durations within the time range.'),
      inputOctets: inputOctets.shape,
      outputOctets: outputOctets.shape,
      lastLocation: { ...location.shape, doc: 'Location of the last connection.' },
    },
  },
  errors: ['too-expensive'],
  run({ query: { filter = [], count: hosts = topDefault, ...range } }, context) {
    refuseEmptyRange(range);
    return mostActiveHosts(context, hosts, { filter, range });
  },
});

const topUsers = action(connectionLog, {
  name: 'top-users',
  method: 'GET',
  path: '/top/users/connected-time',
  doc: 'List the users with the longest connected time in a time range',
  query: { filter: filterParameter, ...rangeParameters, count: topParameter },
  result: {
    kind: 'object',
    name: 'UserConnectedTime',
    properties: {
      userName: { ...userName.shape, nullable: false },
      connections: { ...count, doc: 'Number of connections.' },
      hosts: { ...count, doc: 'Number of different hosts.' },
      connectedSeconds: seconds('Sum of the durations within the time range.'),
      distinctSeconds: seconds('Time with at least one connection: connections at the same time count once.'),
    },
  },
  errors: ['too-expensive'],
  run({ query: { filter = [], count: users = topDefault, ...range } }, context) {
    refuseEmptyRange(range);
    return longestConnectedUsers(context, users, { filter, range });
  },
});

const vlanChanges = action(connectionLog, {
  name: 'vlan-changes',
  method: 'GET',
  path: '/vlan/changes',
  doc: 'List changes of ports to another VLAN, newest first',
  query: {
    filter: {
      ...filterParameter,
      shape: { ...filterParameter.shape, doc: 'RSQL over the fields of a port change; several are ANDed.' },
    },
    ...rangeParameters,
    count: { shape: { kind: 'integer', min: 0, max: 1_000, doc: 'Maximum number of changes. Default: 1,000.' } },
    after: { shape: { kind: 'text', min: 1, max: 6_000, doc: 'Position of the next page, from the Link header.' } },
  },
  result: vlanChangeShape,
  counted: true,
  errors: ['too-expensive'],
  run({ query: { filter = [], count: changes = 1_000, after, ...range } }, context) {
    refuseEmptyRange(range);
    return listVlanChanges(context, { filter, count: changes, after }, range);
  },
});

export const connectionLogActions = [bySession, tableDataTotals, topHosts, topUsers, vlanChanges];
