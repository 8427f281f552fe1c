import { action, type Context, everyRow, Parameters } from '../../../context.ts';
import { networkDevice } from '../../../device/network-device/network-device.ts';
import { port } from '../../../device/port/port.ts';
import { shapes } from '../../../kernel/declare/shapes.ts';
import { invalid } from '../../../kernel/failure.ts';
import { isNetworkOrAddress } from '../../../kernel/values/address.ts';
import { likePattern } from '../../../kernel/values/like-pattern.ts';
import { readMac, readMacPrefix } from '../../../kernel/values/mac.ts';
import { userAccount } from '../../../user/user-account/user-account.ts';
import { adapter, newestAddress } from '../../adapter/adapter.ts';
import { host } from '../host.ts';
import { hostWith } from './find-hosts.ts';

const everyHost = everyRow(host, 'foundOnPage then limits the hosts to those that the caller sees');

const pageMax = 1_000;

/** One place that is searched, with the field name that a match reports. */
interface Branch {
  matchedOn: string;
  /** A select of the ids of hosts. */
  sql: string;
}

const userMatchSql = (pattern: string): string =>
  ['user_id', 'first_name', 'last_name', 'email'].map((column) => `lower(u.${column}) like ${pattern}`).join(' or ');

/** Returns all searches for a text. Each one uses an index. */
export function branchesOf(text: string, parameters: Parameters, visible: Context['visible']): Branch[] {
  const pattern = `lower(${parameters.add(likePattern(text), '::text')})`;
  const [device, ...portName] = text.split(':');
  const place =
    portName.length === 0
      ? `where lower(d.name) like ${pattern}`
      : `join ${visible(port)} p on p.id = c.port_id
         where lower(d.name) = lower(${parameters.add(device, '::text')}) and p.name = ${parameters.add(portName.join(':'), '::text')}`;
  const branches: Branch[] = [
    { matchedOn: 'hostName', sql: `select h.id from ${everyHost} h where lower(h.host_name) like ${pattern}` },
    {
      matchedOn: 'operatingSystem',
      sql: `select h.id from ${everyHost} h where lower(h.operating_system) like ${pattern}`,
    },
    { matchedOn: 'notes', sql: `select h.id from ${everyHost} h where lower(h.notes) like ${pattern}` },
    {
      matchedOn: 'owner',
      sql: `select h.id from ${visible(userAccount)} u join ${everyHost} h on h.owner_id = u.id where ${userMatchSql(pattern)}`,
    },
    {
      matchedOn: 'loggedOnUserID',
      sql: `select h.id from ${visible(userAccount)} u join ${everyHost} h on lower(h.logged_on_user_id) = lower(u.user_id) where ${userMatchSql(pattern)}
        union all select h.id from ${everyHost} h where lower(h.logged_on_user_id) = lower(${parameters.add(text, '::text')})`,
    },
    {
      matchedOn: 'location',
      sql: `select a.host_id from ${visible(networkDevice)} d join connection_active c on c.device_id = d.id
        join ${visible(adapter)} a on a.physical_address = c.mac ${place}`,
    },
  ];
  const mac = readMac(text) ?? readMacPrefix(text);
  if (mac) branches.push({ matchedOn: 'mac', sql: macSql(mac, parameters, visible(adapter)) });
  if (isNetworkOrAddress(text)) branches.push({ matchedOn: 'ip', sql: ipSql(text, parameters, visible(adapter)) });
  return branches;
}

/** Selects by a range of MAC addresses: all characters that can follow a prefix sort before G. */
const macSql = (mac: string, parameters: Parameters, adapters: string): string =>
  `select a.host_id from ${adapters} a where a.physical_address >= ${parameters.add(mac, '::text')} and a.physical_address < ${parameters.add(`${mac}G`, '::text')}`;

/** Selects the hosts whose last seen IP address is this address, or is in this network. */
function ipSql(text: string, parameters: Parameters, adapters: string): string {
  const fits = text.includes('/') ? '<<=' : '=';
  const address = parameters.add(text, '::inet');
  return `select a.host_id from ip_mac m join ${adapters} a on a.physical_address = m.mac
    where m.ip ${fits} ${address} and m.ip = ${newestAddress('m.mac')}`;
}

interface Found {
  filtered: number;
  /** Null if the page has no hosts. */
  id: number | null;
  matchedOn: string[];
}

/**
 * Returns the hosts of a page with the fields that matched. The branches are materialized: PostgreSQL cannot estimate how few rows they
 * return, and would otherwise scan all hosts in the order of the page.
 */
function findPage(
  { query, visible, visibleRow }: Context,
  text: string,
  start: number,
  count: number,
): Promise<Found[]> {
  const parameters = new Parameters([start, count]);
  const branches = branchesOf(text, parameters, visible).map(
    ({ matchedOn, sql }) => `select b.id, '${matchedOn}' as field from (${sql}) b(id)`,
  );
  return query<Found>(
    `with found as materialized (${branches.join('\nunion all\n')}),
     seen as materialized (${visibleRow(host) === '' ? 'select distinct f.id from found f' : `select r.id from ${visible(host)} r where r.id in (select f.id from found f)`}),
     page as (select s.id from seen s order by s.id offset $1::bigint limit $2::bigint)
     select n.filtered, x.id, x."matchedOn"
     from (select count(*) as filtered from seen) n
     left join (
       select p.id, array_agg(distinct f.field order by f.field) as "matchedOn" from page p join found f on f.id = p.id group by p.id
     ) x on true`,
    parameters.values,
  );
}

const search = action(host, {
  name: 'search',
  method: 'GET',
  path: '/search',
  doc: 'Find hosts by name, address, owner, user, place or notes',
  query: {
    q: {
      shape: { kind: 'text', min: 2, max: 200, doc: 'Search text, at least two characters.', example: 'ward' },
      required: true,
    },
    start: { shape: { ...shapes.count, doc: 'Number of hosts to skip.' } },
    count: { shape: { kind: 'integer', min: 0, max: pageMax, doc: 'Maximum number of hosts to return.' } },
  },
  counted: true,
  result: hostWith('FoundHost', {
    matchedOn: {
      kind: 'list',
      item: { kind: 'text', max: 40 },
      max: 20,
      doc: 'Fields that contain the text.',
    },
  }),
  errors: ['too-expensive'],
  async run(call, context) {
    const { q, start = 0, count = pageMax } = call.query;
    const text = q.trim();
    if (text.length < 2) throw invalid([{ pointer: '?q', message: 'q: at least two characters are required.' }]);
    const foundHosts = await findPage(context, text, start, count);
    const { filtered } = foundHosts[0]!;
    const matchedOn = new Map(
      foundHosts.flatMap(({ id, matchedOn }) => (id === null ? [] : [[id, matchedOn] as const])),
    );
    const { records, total } = await context.list(host, {
      filter: [],
      start: 0,
      count: matchedOn.size,
      extraFilter: (parameters) => `r.id = any(${parameters.add([...matchedOn.keys()], '::bigint[]')})`,
      withDetail: true,
    });
    return {
      results: records.map((record) => ({ ...record, matchedOn: matchedOn.get(record.id) })),
      filtered,
      total,
    };
  },
});

export const searchHosts = [search];
