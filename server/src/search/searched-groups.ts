import type { Context } from '../context.ts';
import { container } from '../device/container/container.ts';
import { networkDevice } from '../device/network-device/network-device.ts';
import { port } from '../device/port/port.ts';
import { adapter, newestAddress } from '../host/adapter/adapter.ts';
import { host } from '../host/host/host.ts';
import type { Declaration } from '../kernel/declare/declaration.ts';
import { instantSql } from '../kernel/values/time.ts';
import { accessPolicy } from '../policy/access-policy/access-policy.ts';
import { authenticationPolicy } from '../policy/authentication-policy/authentication-policy.ts';
import { logicalNetwork } from '../policy/logical-network/logical-network.ts';
import { role } from '../policy/role/role.ts';
import { group } from '../system/group/group.ts';
import { userAccount } from '../user/user-account/user-account.ts';
import type { SearchText } from './search-text.ts';

/** The kinds of matches, in descending certainty. */
export const matches = ['MAC', 'IP', 'SERIAL', 'PLACE', 'NAME', 'USER'] as const;

/** Maximum number of records of a resource in the response, newest first. */
export const hitsMax = 8;
const candidatesMax = 200;

type Visible = Context['visible'];

/** One search: the kind of match, and a select of ids; undefined if the text cannot have that meaning. */
type Way = readonly [match: (typeof matches)[number], sql: string | undefined];

/** A resource that is searched. */
export interface SearchedGroup {
  declaration: Declaration;
  ways(text: SearchText, visible: Visible): readonly Way[];
  /** SQL for the name, place and time of the records of `hit`, whose row is `r`. */
  shown: { name: string; place: string; online: string; lastSeen: string; joins(visible: Visible): string };
}

/** Selects the ids that match a condition; undefined without a condition. */
const where = (select: string, condition: string | undefined): string | undefined =>
  condition && `${select} where ${condition}`;

/** Joins the current or last place of an adapter. It is null if its device or port is hidden from the caller. */
const placeOf = (visible: Visible, adapters: string): string => `left join lateral (
    select c.mac is not null as online, coalesce(c.last_seen, l.last_seen) as last_seen, d.name || ' ' || p.name as place
    from ${visible(adapter)} a
    left join connection_active c on c.mac = a.physical_address
    left join connection_last l on l.mac = a.physical_address
    left join ${visible(networkDevice)} d on d.id = case when c.mac is null then l.device_id else c.device_id end
    left join ${visible(port)} p on p.id = case when c.mac is null then l.port_id else c.port_id end
    where ${adapters} order by coalesce(c.last_seen, l.last_seen) desc nulls last, a.id limit 1
  ) w on true`;

const ofAdapter = { place: 'w.place', online: 'coalesce(w.online, false)', lastSeen: 'w.last_seen' };

/** Selects the adapters whose last seen IP address matches. */
function byAddress(select: string, visible: Visible, text: SearchText): string | undefined {
  const address = text.address('m.ip');
  return where(
    `${select} from ip_mac m join ${visible(adapter)} a on a.physical_address = m.mac`,
    address && `${address} and m.ip = ${newestAddress('m.mac')}`,
  );
}

const names = (text: SearchText): string =>
  ['u.user_id', 'u.first_name', 'u.last_name', 'u.email'].map((column) => text.partOf(column)).join(' or ');

const hosts: SearchedGroup = {
  declaration: host,
  ways: (text, visible) => {
    const adapters = `select a.host_id from ${visible(adapter)} a`;
    const all = `select h.id from ${visible(host)} h`;
    return [
      ['MAC', where(adapters, text.beginsMac('a.physical_address'))],
      ['MAC', where(adapters, text.endsMac('a.physical_address'))],
      ['IP', byAddress('select a.host_id', visible, text)],
      ['SERIAL', where(all, text.equals('h.serial_number'))],
      ['NAME', where(all, text.partOf('h.host_name'))],
      [
        'USER',
        `select h.id from ${visible(userAccount)} u join ${visible(host)} h on h.owner_id = u.id where ${names(text)}`,
      ],
      ['USER', where(all, text.equals('h.logged_on_user_id'))],
    ];
  },
  shown: {
    name: `coalesce(nullif(r.host_name, ''), m.mac, 'host ' || r.id)`,
    ...ofAdapter,
    joins: (visible) => `${placeOf(visible, 'a.host_id = r.id')}
      left join lateral (select a.physical_address as mac from ${visible(adapter)} a where a.host_id = r.id order by a.id limit 1) m on true`,
  },
};

const adapters: SearchedGroup = {
  declaration: adapter,
  ways: (text, visible) => {
    const all = `select a.id from ${visible(adapter)} a`;
    return [
      ['MAC', where(all, text.beginsMac('a.physical_address'))],
      ['MAC', where(all, text.endsMac('a.physical_address'))],
      ['IP', byAddress('select a.id', visible, text)],
    ];
  },
  shown: { name: 'r.physical_address', ...ofAdapter, joins: (visible) => placeOf(visible, 'a.id = r.id') },
};

const devices: SearchedGroup = {
  declaration: networkDevice,
  ways: (text, visible) => {
    const all = `select d.id from ${visible(networkDevice)} d`;
    return [
      ['MAC', where(all, text.beginsMac('d.physical_address'))],
      ['IP', where(all, text.address('d.ip_address'))],
      ['SERIAL', where(all, text.equals('d.serial_number'))],
      ['NAME', where(all, `${text.partOf('d.name')} or ${text.equals('d.system_name')}`)],
    ];
  },
  shown: {
    name: 'r.name',
    place: 'k.name',
    online: 'r.status = 1',
    lastSeen: 'r.last_successful_poll',
    joins: (visible) => `left join ${visible(container)} k on k.id = r.container_id`,
  },
};

const ports: SearchedGroup = {
  declaration: port,
  ways: (text, visible) => {
    const all = `select p.id from ${visible(port)} p`;
    const ofDevice = `${all} join ${visible(networkDevice)} d on d.id = p.device_id`;
    return [
      ['MAC', where(all, text.beginsMac('p.phys_addr'))],
      ...text.places.map(
        ({ device, port: name }) =>
          [
            'PLACE',
            where(
              ofDevice,
              `${text.equals('d.name', device)} and (${text.equals('p.name', name)} or ${text.equals('p.label', name)})`,
            ),
          ] as const,
      ),
      ['NAME', where(all, text.partOf('p.name'))],
      ['NAME', where(all, text.partOf('p.label'))],
    ];
  },
  shown: {
    name: `d.name || ' ' || r.name`,
    place: 'k.name',
    online: 'r.status = 1',
    lastSeen: '(select max(c.last_seen) from connection_active c where c.port_id = r.id)',
    joins: (visible) =>
      `join ${visible(networkDevice)} d on d.id = r.device_id left join ${visible(container)} k on k.id = d.container_id`,
  },
};

const users: SearchedGroup = {
  declaration: userAccount,
  ways: (text, visible) => [['NAME', where(`select u.id from ${visible(userAccount)} u`, names(text))]],
  shown: {
    name: 'r.user_id',
    place: 'w.name',
    online: 'w.name is not null',
    lastSeen: 'r.last_login_date',
    joins: (visible) => `left join lateral (
      select coalesce(nullif(h.host_name, ''), 'host ' || h.id) as name from ${visible(host)} h
      where lower(h.logged_on_user_id) = lower(r.user_id) order by h.id desc limit 1
    ) w on true`,
  },
};

/** Returns the search of a small resource by name. Its records have no place. */
const searchByName = (declaration: Declaration): SearchedGroup => ({
  declaration,
  ways: (text, visible) => [['NAME', where(`select n.id from ${visible(declaration)} n`, text.partOf('n.name'))]],
  shown: {
    name: 'r.name',
    place: 'null::text',
    online: 'null::boolean',
    lastSeen: 'null::timestamptz',
    joins: () => '',
  },
});

/** All searched resources, in the order of the response. */
export const searchedGroups: readonly SearchedGroup[] = [
  hosts,
  adapters,
  devices,
  ports,
  users,
  ...[accessPolicy, authenticationPolicy, role, group, logicalNetwork, container].map(searchByName),
];

/**
 * Returns the SQL that finds records of one resource, newest first. Each search returns a limited number of ids, which are materialized:
 * PostgreSQL cannot estimate how few they are, and would otherwise read the complete table.
 */
export function searchSql({ declaration, ways, shown }: SearchedGroup, text: SearchText, visible: Visible): string {
  const selects = ways(text, visible).flatMap(([match, sql]) =>
    sql === undefined
      ? []
      : [`(select x.id, ${matches.indexOf(match)} as way from (${sql} limit ${candidatesMax}) x(id))`],
  );
  if (selects.length === 0) return '';
  return `with hit as materialized (select f.id, min(f.way) as way from (${selects.join('\nunion all\n')}) f group by f.id)
    select r.id, ${shown.name} as name, ${shown.place} as "where", ${shown.online} as online,
      ${instantSql(shown.lastSeen)} as "lastSeen", (array['${matches.join("', '")}'])[hit.way + 1] as matched
    from hit join ${visible(declaration)} r on r.id = hit.id
    ${shown.joins(visible)}
    order by ${shown.lastSeen} desc nulls last, r.id limit ${hitsMax}`;
}
