import {
  action,
  type Context,
  everyRow,
  type ListQuery,
  listQueryOf,
  type RecordValue,
  usageShape,
} from '../../../context.ts';
import { deviceProperties } from '../../../device/device-properties/device-properties.ts';
import { port } from '../../../device/port/port.ts';
import type { Answer, Call } from '../../../kernel/declare/operation.ts';
import type { ObjectShape, Shape } from '../../../kernel/declare/shape.ts';
import { shapes } from '../../../kernel/declare/shapes.ts';
import { Failure, invalid, notFound } from '../../../kernel/failure.ts';
import { instantSql } from '../../../kernel/values/time.ts';
import { usageInGroups } from '../../../system/group/group.service.ts';
import { userAccount } from '../../../user/user-account/user-account.ts';
import { adapter } from '../../adapter/adapter.ts';
import { host } from '../host.ts';

const everyAdapter = everyRow(adapter, 'the counts of connected hosts reveal no adapter');

const { id, count } = shapes;

/** The shape of a host record with further properties. */
export const hostWith = (name: string, extraProperties: Readonly<Record<string, Shape>>) =>
  ({
    kind: 'object',
    name,
    properties: {
      ...Object.fromEntries(Object.entries(host.fields).map(([field, { shape }]) => [field, shape])),
      ...extraProperties,
    },
    columns: host.columns ?? [],
  }) as const satisfies ObjectShape;

/** Returns a page of the hosts that match a condition, with their adapters. */
export async function pageOfHosts(
  call: Call,
  { list }: Context,
  query: object,
  condition: Partial<Pick<ListQuery, 'filter' | 'restrict' | 'extraFilter'>>,
): Promise<Answer> {
  const { records, ...page } = await list(host, {
    ...listQueryOf({ ...call, query: { ...query } }),
    ...condition,
    withDetail: true,
  });
  return { results: records, ...page };
}

/** Returns one host with its adapters, as a fetch does. Throws 404 if there is none. */
export async function fetchHost({ list }: Context, id: number | undefined, criterion: string): Promise<RecordValue> {
  const page =
    id === undefined ? undefined : await list(host, { filter: [`id==${id}`], start: 0, count: 1, withDetail: true });
  const [record] = page?.records ?? [];
  if (!record) throw new Failure('not-found', `There is no Host with ${criterion}.`);
  return record;
}

const usage = action(host, {
  name: 'usage',
  method: 'GET',
  path: '/{id}/usage',
  doc: 'List the groups that contain a host',
  result: usageShape,
  run: (call, context) => usageInGroups(host, call, context),
});

/** Selects the host that had an IP address at a time: the last one seen with it until then. */
const atSql = (
  adapters: string,
): string => `select a.host_id as "hostID" from ip_mac m join ${adapters} a on a.physical_address = m.mac
  where m.ip = $1 and m.first_seen <= coalesce($2::timestamptz, now())
  order by least(m.last_seen, coalesce($2::timestamptz, now())) desc, m.first_seen desc limit 1`;

const byIp = action(host, {
  name: 'by-ip',
  method: 'GET',
  path: '/by-ip/{ip}',
  pathShapes: { ip: { kind: 'address', example: '192.0.2.10' } },
  doc: 'Return the host with an IP address, now or at a given time',
  query: { at: { shape: { kind: 'time', doc: 'Point in time. Default: now.' } } },
  result: 'record',
  errors: ['not-found'],
  async run({ parameters, query }, context) {
    const { ip } = parameters;
    const [entry] = await context.query<{ hostID: number }>(atSql(context.visible(adapter)), [ip, query.at ?? null]);
    return [await fetchHost(context, entry?.hostID, `the IP address ${ip}`)];
  },
});

const byMac = action(host, {
  name: 'by-mac',
  method: 'GET',
  path: '/by-mac/{mac}',
  pathShapes: { mac: { kind: 'mac' } },
  doc: 'Return the host with a MAC address in any notation',
  result: 'record',
  errors: ['not-found'],
  async run({ parameters }, context) {
    const { mac } = parameters;
    const [entry] = await context.query<{ hostID: number }>(
      `select a.host_id as "hostID" from ${context.visible(adapter)} a where a.physical_address = $1`,
      [mac],
    );
    return [await fetchHost(context, entry?.hostID, `the MAC address ${mac}`)];
  },
});

const connectedToPort = action(host, {
  name: 'connected-to-port',
  method: 'GET',
  path: '/connected-to-port',
  doc: 'List the hosts connected to a port now',
  query: { portID: { shape: { ...id, doc: 'The port.' }, required: true } },
  listed: true,
  counted: true,
  result: 'record',
  errors: ['too-expensive'],
  run(call, context) {
    const { portID, ...query } = call.query;
    // No host is returned for a port that the caller does not see.
    const onVisiblePort =
      context.visibleRow(port) === ''
        ? ''
        : ` and exists (select from ${context.visible(port)} p where p.id = c.port_id)`;
    return pageOfHosts(call, context, query, {
      restrict: (parameters) =>
        `r.id in (select a.host_id from connection_active c join ${context.visible(adapter)} a on a.physical_address = c.mac where c.port_id = ${parameters.add(portID, '::bigint')}${onVisiblePort})`,
    });
  },
});

const forUser = action(host, {
  name: 'for-user',
  method: 'GET',
  path: '/for-user',
  doc: 'List the hosts that a user owns or is logged on to',
  query: { userID: { shape: { kind: 'text', min: 1, max: 120, doc: 'Name of the account.' }, required: true } },
  listed: true,
  counted: true,
  result: hostWith('HostForUser', {
    relation: { kind: 'choice', values: ['OWNER', 'LOGGED_ON', 'BOTH'], doc: 'Relation of the user to the host.' },
  }),
  errors: ['too-expensive'],
  async run(call, context) {
    const { userID, ...query } = call.query;
    const page = await pageOfHosts(call, context, query, {
      restrict: (parameters) => {
        const user = parameters.add(userID, '::text');
        return `(r.owner_id in (select u.id from ${context.visible(userAccount)} u where lower(u.user_id) = lower(${user})) or lower(r.logged_on_user_id) = lower(${user}))`;
      },
    });
    const isUser = (name: unknown) => String(name ?? '').toLowerCase() === userID.toLowerCase();
    const relation = ({ owner, loggedOnUserID }: RecordValue) =>
      !isUser(loggedOnUserID) ? 'OWNER' : isUser(owner) ? 'BOTH' : 'LOGGED_ON';
    return {
      ...page,
      results: (page.results as RecordValue[]).map((record) => ({ ...record, relation: relation(record) })),
    };
  },
});

const typesMax = 10_000;

const deviceTypes = action(host, {
  name: 'device-types',
  method: 'GET',
  path: '/device-types',
  doc: 'List the device types of hosts with host counts',
  result: {
    kind: 'object',
    name: 'DeviceTypeInUse',
    properties: {
      name: { kind: 'text', max: 64 },
      tag: { kind: 'text', max: 40 },
      imageFile: { kind: 'text', max: 500 },
      id,
      hosts: { ...count, doc: 'Hosts of this type.' },
      online: { ...count, doc: 'Hosts of this type that are connected.' },
    },
  },
  async run(_call, context) {
    const hosts = context.visible(host);
    return context.query(
      `select t.name, t.tag, t.image_file as "imageFile", t.id, x.hosts, coalesce(o.online, 0)::integer as online
       from (select r.device_type, count(*) as hosts from ${hosts} r where true group by r.device_type) x
       join device_type t on t.id = x.device_type
       left join (
         select r.device_type, count(*) as online from ${hosts} r
         where r.id in (select a.host_id from connection_active c join ${everyAdapter} a on a.physical_address = c.mac) group by r.device_type
       ) o on o.device_type = x.device_type
       order by t.name limit ${typesMax}`,
      [],
    );
  },
});

const globalAllowedHosts = action(host, {
  name: 'global-allowed-hosts',
  method: 'GET',
  path: '/global-allowed-hosts',
  doc: 'Return how many hosts a user may own',
  result: { kind: 'object', name: 'AllowedHosts', properties: { allowedHosts: count } },
  async run(_call, { list }) {
    const { records } = await list(deviceProperties, { filter: [], start: 0, count: 1 });
    return [{ allowedHosts: records[0]!.allowedHosts }];
  },
});

const historyMax = 1_000;

const healthHistory = action(host, {
  name: 'health-history',
  method: 'GET',
  path: '/{id}/health-history',
  doc: 'List the health history of a host, newest first',
  result: {
    kind: 'object',
    name: 'HealthChange',
    properties: {
      timestamp: { kind: 'time' },
      source: {
        kind: 'text',
        max: 40,
        doc: 'What changed it: SCAN, ADMIN, SYSTEM, AGENT, MDM, PATCH or SECURITY_ALARM.',
      },
      sourceName: { kind: 'text', max: 200 },
      from: { kind: 'text', max: 20 },
      to: { kind: 'text', max: 20 },
      reason: { kind: 'text', max: 2_000 },
      by: { kind: 'text', max: 120, doc: 'Name of the account or service that changed it.' },
    },
  },
  async run({ id: hostID }, context) {
    const [visibleHost] = await context.query(`select from ${context.visible(host)} r where r.id = $1`, [hostID]);
    if (!visibleHost) throw notFound(host.title, hostID);
    return context.query(
      `select ${instantSql('h.at')} as timestamp, h.source, h.source_name as "sourceName", h.from_health as "from", h.to_health as "to", h.reason, h.by_whom as "by"
       from health_history h where h.host_id = $1 order by h.id desc limit ${historyMax}`,
      [hostID],
    );
  },
});

/** Returns the only one of these properties that the body contains. Throws if there are none or several. */
export function identifyingFieldOf(body: RecordValue, ...names: string[]): string {
  const presentNames = names.filter((name) => body[name] !== undefined);
  if (presentNames.length !== 1) throw invalid(`Identify the host by exactly one of ${names.join(', ')}.`);
  return presentNames[0]!;
}

export const findHosts = [usage, byIp, byMac, connectedToPort, forUser, deviceTypes, globalAllowedHosts, healthHistory];
