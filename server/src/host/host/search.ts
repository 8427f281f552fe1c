import { action, type Context } from '../../context.ts';
import { invalid } from '../../kernel/failure.ts';
import { isNetworkOrAddress, Parameters } from '../../kernel/filter/compile.ts';
import { readMac, readMacPrefix } from '../../kernel/mac.ts';
import type { RecordValue } from '../../kernel/read/select.ts';
import { integerMax } from '../../kernel/shape.ts';
import { hostWith, pageOfHosts } from './find-hosts.ts';
import { host } from './host.ts';

/** Where a text is looked for, and what a match there is called. */
interface Branch {
  matchedOn: string;
  /** A select of the ids of hosts. */
  sql: string;
}

/** Parts of a text are found by their trigrams, of which two letters have none but at its beginning. */
const patternOf = (text: string): string => {
  const escaped = text.replace(/[\\%_]/g, '\\$&');
  return text.length < 3 ? `${escaped}%` : `%${escaped}%`;
};

const users = (pattern: string): string =>
  ['user_id', 'first_name', 'last_name', 'email'].map((column) => `lower(u.${column}) like ${pattern}`).join(' or ');

/** Every way in which a text can name a host, each by an index. */
export function branchesOf(text: string, parameters: Parameters): Branch[] {
  const pattern = `lower(${parameters.add(patternOf(text), '::text')})`;
  const [device, ...port] = text.split(':');
  const place =
    port.length === 0
      ? `lower(d.name) like ${pattern}`
      : `lower(d.name) = lower(${parameters.add(device, '::text')}) and p.name = ${parameters.add(port.join(':'), '::text')}`;
  const branches: Branch[] = [
    { matchedOn: 'hostName', sql: `select h.id from host h where lower(h.host_name) like ${pattern}` },
    { matchedOn: 'operatingSystem', sql: `select h.id from host h where lower(h.operating_system) like ${pattern}` },
    { matchedOn: 'notes', sql: `select h.id from host h where lower(h.notes) like ${pattern}` },
    {
      matchedOn: 'owner',
      sql: `select h.id from user_account u join host h on h.owner_id = u.id where ${users(pattern)}`,
    },
    {
      matchedOn: 'loggedOnUserID',
      sql: `select h.id from user_account u join host h on lower(h.logged_on_user_id) = lower(u.user_id) where ${users(pattern)}
        union all select h.id from host h where lower(h.logged_on_user_id) = lower(${parameters.add(text, '::text')})`,
    },
    {
      matchedOn: 'location',
      sql: `select a.host_id from network_device d join connection_active c on c.device_id = d.id join port p on p.id = c.port_id
        join adapter a on a.physical_address = c.mac where ${place}`,
    },
  ];
  const mac = readMac(text) ?? readMacPrefix(text);
  if (mac) branches.push({ matchedOn: 'mac', sql: macSql(mac, parameters) });
  if (isNetworkOrAddress(text)) branches.push({ matchedOn: 'ip', sql: ipSql(text, parameters) });
  return branches;
}

/** Nothing that can follow in an address comes after F. */
const macSql = (mac: string, parameters: Parameters): string =>
  `select a.host_id from adapter a where a.physical_address >= ${parameters.add(mac, '::text')} and a.physical_address < ${parameters.add(`${mac}G`, '::text')}`;

/** Of all that was seen with an address, who has it last. */
function ipSql(text: string, parameters: Parameters): string {
  const fits = text.includes('/') ? '<<=' : '=';
  const address = parameters.add(text, '::inet');
  return `select a.host_id from ip_mac m join adapter a on a.physical_address = m.mac
    where m.ip ${fits} ${address} and m.ip = (select n.ip from ip_mac n where n.mac = m.mac order by n.last_seen desc, n.ip limit 1)`;
}

/** By which of its fields each of these hosts was found. */
async function matchesOf({ query }: Context, ids: readonly number[], text: string): Promise<Map<number, string[]>> {
  const parameters = new Parameters([ids]);
  const branches = branchesOf(text, parameters);
  const rows = await query<{ id: number; matchedOn: string[] }>(
    `select x.id, array_agg(distinct x.field order by x.field) as "matchedOn"
     from (${branches.map(({ matchedOn, sql }) => `select b.id, '${matchedOn}' as field from (${sql}) b(id) where b.id = any($1::bigint[])`).join('\nunion all\n')}) x
     group by x.id`,
    parameters.values,
  );
  return new Map(rows.map(({ id, matchedOn }) => [id, matchedOn]));
}

const search = action(host, {
  name: 'search',
  method: 'GET',
  path: '/search',
  doc: 'Find hosts by a text in their names, addresses, networks, users, places and notes',
  query: {
    q: {
      shape: { kind: 'text', min: 2, max: 200, doc: 'The text; two characters at least.', example: 'ward' },
      required: true,
    },
    start: { shape: { kind: 'integer', min: 0, max: integerMax, doc: 'How many hosts to skip.' } },
    count: { shape: { kind: 'integer', min: 0, max: 1_000, doc: 'How many hosts to answer at most.' } },
  },
  counted: true,
  result: hostWith('FoundHost', {
    matchedOn: {
      kind: 'list',
      item: { kind: 'text', max: 40 },
      max: 20,
      doc: 'The fields that the text was found in.',
    },
  }),
  errors: ['too-expensive'],
  async run(call, context) {
    const { q, ...query } = call.query as { q: string };
    const text = q.trim();
    if (text.length < 2) throw invalid([{ pointer: '?q', message: 'q: two characters at least.' }]);
    const answer = await pageOfHosts(
      call,
      context,
      query,
      (parameters) =>
        `r.id in (${branchesOf(text, parameters)
          .map(({ sql }) => sql)
          .join('\nunion all\n')})`,
    );
    const records = answer.results as RecordValue[];
    const matches = await matchesOf(
      context,
      records.map(({ id }) => Number(id)),
      text,
    );
    return {
      ...answer,
      results: records.map((record) => ({ ...record, matchedOn: matches.get(Number(record.id)) ?? [] })),
    };
  },
});

export const searchHosts = [search];
