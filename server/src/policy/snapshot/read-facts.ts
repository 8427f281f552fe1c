import type { Sql } from '../../context.ts';
import { everyRow } from '../../context.ts';
import { port } from '../../device/port/port.ts';
import { adapter, type mediaTypes } from '../../host/adapter/adapter.ts';
import { deviceProfilingRule } from '../../host/device-profiling-rule/device-profiling-rule.ts';
import { host } from '../../host/host/host.ts';
import { elementCodes } from '../../kernel/declare/element-type.ts';
import { userAccount } from '../../user/user-account/user-account.ts';
import {
  type AdapterFacts,
  type AuthType,
  type DecisionContext,
  type HostFacts,
  noLogin,
  type Schedule,
  type UserFacts,
} from '../decide/decide.service.ts';

const reason = 'decisions read every fact; explanations omit what their reader may not view';
const everyAdapter = everyRow(adapter, reason);
const everyHost = everyRow(host, reason);
const everyUser = everyRow(userAccount, reason);
const everyPort = everyRow(port, reason);
const everyRule = everyRow(deviceProfilingRule, reason);

/** Limit on the keys that one statement looks up. */
export const factsMax = 500;

/** Limit on the adapters of one port or SSID; of more than these, those connected longest. */
const adaptersOfPortMax = 100;

/** The current connection of an adapter. */
export interface OpenConnection {
  deviceID: number;
  portID: number;
  portType: number;
  vlan: string | null;
  sinceMs: number;
}

/** All data that decisions read about an adapter, except the place. */
export interface Facts {
  adapter: AdapterFacts;
  host: HostFacts & { id: number };
  hostName: string | null;
  loggedOnUser: UserFacts | null;
  owner: UserFacts | null;
  connection: OpenConnection | null;
}

const ms = (column: string): string => `(extract(epoch from ${column}) * 1000)::double precision`;

/** The groups of some members, including their ancestors. */
const closureOf = (members: string): string =>
  `array(select distinct c.ancestor_id from group_member m join group_closure c on c.descendant_id = m.group_id where ${members} order by 1)`;
const memberOf = (code: number, id: string): string => `(m.element_type = ${code} and m.member_id = ${id})`;

/** A user as a JSON object; null without an account. */
const userSql = (
  row: string,
): string => `case when ${row}.id is not null then jsonb_build_object('id', ${row}.id, 'userID', ${row}.user_id,
  'enabled', ${row}.state = 'ENABLED', 'source', ${row}.source, 'roleID', ${row}.role_id, 'groups', ${closureOf(
    `${memberOf(elementCodes.USER, `${row}.id`)} or ${memberOf(elementCodes.ADMINISTRATOR, `${row}.id`)}`,
  )},
  'isAdmin', ${row}.admin_profile_dbid is not null, 'email', ${row}.email) end`;

/**
 * Selects facts. `keysSql` selects the keys as column `key`, `matchSql` matches the adapters of one key, `rowsMax` limits the rows. Large
 * tables are looked up row by row (`offset 0` prevents PostgreSQL from joining the full tables), because its estimates of the number of
 * keys and, in new or restored tables, of the rows per key are too high.
 */
const factsSql = (
  keysSql: string,
  matchSql: string,
  rowsMax: number | 'all' = factsMax,
): string => `with w as materialized (${keysSql}) select a.id as "adapterID", a.physical_address as mac, a.enabled as "adapterEnabled",
  ${closureOf(memberOf(elementCodes.ADAPTER, 'a.id'))} as "adapterGroups",
  a.vendor_name as "vendorName", a.vendor_oui as "vendorOUI", a.media_type as "mediaType", a.auth_type as "authType",
  a.outer_eap_type as "outerEapType", a.inner_eap_type as "innerEapType", x.name as "dpcRuleName", x.weekly_schedule as "profilingSchedule",
  (select host(m.ip) from ip_mac m where m.mac = a.physical_address order by m.last_seen desc, m.ip limit 1) as ipaddress,
  h.id as "hostID", h.type, h.enabled as "hostEnabled", ${ms('h.expiration_date')} as "expiresAtMs",
  coalesce((select min(k.level) from host_risk k where k.host_id = h.id), 'SAFE') as health,
  h.authenticated, ${ms('h.authentication_expires')} as "authenticatedUntilMs", h.role_id as "roleID",
  ${closureOf(memberOf(elementCodes.HOST, 'h.id'))} as "hostGroups", h.attributes as "ownAttributes",
  h.host_name as "hostName", h.operating_system as "operatingSystem", t.tag as "deviceType", h.hardware_type as "hardwareType",
  h.serial_number as "serialNumber", ${ms('h.creation_time')} as "creationTime", ${ms('h.registered_at')} as "registeredAt",
  h.logged_on_user_id as "loggedOnUserID", ${userSql('l')} as "loggedOn", ${userSql('o')} as owner,
  c.device_id as "deviceID", c.port_id as "portID", c.port_type as "portType", nullif(c.vlan, '') as vlan, ${ms('c.since')} as "sinceMs"
from (select found.* from w, lateral (select a.* from ${everyAdapter} a where ${matchSql} offset 0) found limit ${rowsMax}) a
cross join lateral (select h.* from ${everyHost} h where h.id = a.host_id offset 0) h
left join device_type t on t.id = h.device_type
left join ${everyRule} x on x.id = a.dpc_rule_id
left join ${everyUser} l on lower(l.user_id) = lower(h.logged_on_user_id)
left join ${everyUser} o on o.id = h.owner_id
left join lateral (select c.device_id, c.port_id, p.port_type, c.vlan, c.since from connection_active c left join ${everyPort} p on p.id = c.port_id
  where c.mac = a.physical_address offset 0) c on true`;

/**
 * Passes the keys as JSON, for which PostgreSQL always estimates a hundred elements. For an array it would use the actual length, prefer a
 * custom plan over the cached generic plan at each call, and take ten times as long to plan as to read.
 */
const keys = (type: 'text' | 'bigint'): string =>
  `select distinct k.key::${type} as key from jsonb_array_elements_text($1::jsonb) k(key)`;

/** The statement of each kind of key; database connections keep them prepared. */
const lookups = {
  mac: factsSql(keys('text'), 'a.physical_address = w.key'),
  host: factsSql(keys('bigint'), 'a.host_id = w.key', 'all'),
  adapter: factsSql(keys('bigint'), 'a.id = w.key'),
  port: factsSql(
    `select n.mac as key from (${keys('bigint')}) q, lateral (
      select e.mac from connection_active e where e.port_id = q.key order by e.since limit ${adaptersOfPortMax}) n`,
    'a.physical_address = w.key',
    factsMax * adaptersOfPortMax,
  ),
};

/** The kinds of keys that adapters are looked up by. */
export type FactsKey = keyof typeof lookups;

interface StoredUser {
  id: number;
  userID: string;
  enabled: boolean;
  source: NonNullable<UserFacts['source']>;
  roleID: number | null;
  groups: number[];
  isAdmin: boolean;
  email: string;
}

interface Row {
  adapterID: number;
  mac: string;
  adapterEnabled: boolean;
  adapterGroups: number[];
  vendorName: string | null;
  vendorOUI: string | null;
  mediaType: (typeof mediaTypes)[number];
  authType: AuthType;
  outerEapType: string | null;
  innerEapType: string | null;
  dpcRuleName: string | null;
  profilingSchedule: Schedule | null;
  ipaddress: string | null;
  hostID: number;
  type: number;
  hostEnabled: boolean;
  expiresAtMs: number | null;
  health: HostFacts['health'];
  authenticated: boolean;
  authenticatedUntilMs: number | null;
  roleID: number | null;
  hostGroups: number[];
  ownAttributes: { name: string; value: string }[];
  hostName: string | null;
  operatingSystem: string | null;
  deviceType: string | null;
  hardwareType: string | null;
  serialNumber: string | null;
  creationTime: number;
  registeredAt: number | null;
  loggedOnUserID: string | null;
  loggedOn: StoredUser | null;
  owner: StoredUser | null;
  deviceID: number | null;
  portID: number | null;
  portType: number | null;
  vlan: string | null;
  sinceMs: number | null;
}

/** Reads the facts of adapters by MAC address, host, id or port, in one statement. Throws if there are more than `factsMax` keys. */
export async function readFacts(sql: Sql, key: FactsKey, keyValues: readonly (string | number)[]): Promise<Facts[]> {
  if (keyValues.length === 0) return [];
  // The statement would omit rows beyond its limit, and an omitted adapter would be decided as an unknown one.
  if (keyValues.length > factsMax)
    throw new RangeError(`facts of ${keyValues.length} keys at once, at most ${factsMax}`);
  const values = [JSON.stringify(keyValues)];
  const { rows } = await sql.query<Row>({ name: `facts.by-${key}`, text: lookups[key], values });
  return rows.sort((a, b) => a.adapterID - b.adapterID).map(factsOf);
}

/** Returns a user without an account. */
const userWithoutAccount = (userID: string): UserFacts => ({
  id: null,
  userID,
  enabled: true,
  source: null,
  roleID: null,
  groups: [],
  directory: null,
  values: {},
});

const userOf = ({ isAdmin, email, ...storedFields }: StoredUser): UserFacts => ({
  ...storedFields,
  directory: null,
  values: { isAdmin, email },
});

/** Reads a user by name; one without an account if no account has the name. */
export async function readUser(sql: Sql, userID: string): Promise<UserFacts> {
  const { rows } = await sql.query<{ found: StoredUser }>({
    name: 'facts.user',
    text: `select ${userSql('u')} as found from ${everyUser} u where lower(u.user_id) = lower($1)`,
    values: [userID],
  });
  return rows[0] ? userOf(rows[0].found) : userWithoutAccount(userID);
}

/** True for a locally administered MAC address. */
const isRandomized = (mac: string): boolean => (Number.parseInt(mac[1] ?? '0', 16) & 2) !== 0;

/** Returns the facts of an address that is not stored: those of a rogue without further data. */
export const unknownFacts = (mac: string): Pick<DecisionContext, 'adapter' | 'host' | 'loggedOnUser' | 'owner'> => ({
  adapter: { id: null, mac, enabled: true, groups: [], login: noLogin, values: { randomized: isRandomized(mac) } },
  host: {
    id: null,
    type: 1,
    enabled: true,
    expiresAtMs: null,
    health: 'SAFE',
    authenticated: false,
    authenticatedUntilMs: null,
    roleID: null,
    groups: [],
    profilingSchedule: null,
    ownAttributes: [],
    values: {},
  },
  loggedOnUser: null,
  owner: null,
});

function factsOf(row: Row): Facts {
  return {
    adapter: {
      id: row.adapterID,
      mac: row.mac,
      enabled: row.adapterEnabled,
      groups: row.adapterGroups,
      login: { authType: row.authType, outerEapType: row.outerEapType, innerEapType: row.innerEapType },
      values: {
        vendorName: row.vendorName,
        vendorOUI: row.vendorOUI,
        ipaddress: row.ipaddress,
        mediaType: row.mediaType,
        randomized: isRandomized(row.mac),
        dpcRuleName: row.dpcRuleName,
      },
    },
    host: {
      id: row.hostID,
      type: row.type,
      enabled: row.hostEnabled,
      expiresAtMs: row.expiresAtMs,
      health: row.health,
      authenticated: row.authenticated,
      authenticatedUntilMs: row.authenticatedUntilMs,
      roleID: row.roleID,
      groups: row.hostGroups,
      profilingSchedule: row.profilingSchedule,
      ownAttributes: row.ownAttributes,
      values: {
        hostName: row.hostName,
        operatingSystem: row.operatingSystem,
        deviceType: row.deviceType,
        hardwareType: row.hardwareType,
        serialNumber: row.serialNumber,
        creationTime: row.creationTime,
        registeredAt: row.registeredAt,
      },
    },
    hostName: row.hostName,
    loggedOnUser: row.loggedOn
      ? userOf(row.loggedOn)
      : row.loggedOnUserID
        ? userWithoutAccount(row.loggedOnUserID)
        : null,
    owner: row.owner ? userOf(row.owner) : null,
    connection:
      row.portID === null
        ? null
        : {
            deviceID: row.deviceID!,
            portID: row.portID,
            portType: row.portType!,
            vlan: row.vlan,
            sinceMs: row.sinceMs!,
          },
  };
}

/** Yields the facts of all connected adapters in batches. Reads `atOnce` batches in parallel, also while the caller processes one. */
export async function* readConnected(sql: Sql, atOnce = 1): AsyncGenerator<Facts[]> {
  const reading: Promise<Facts[]>[] = [];
  let last: string | undefined = '';
  async function startReads(): Promise<void> {
    while (reading.length < atOnce && last !== undefined) {
      const macs = await readMacs(sql, last);
      last = macs.at(-1);
      if (last === undefined) return;
      const facts = readFacts(sql, 'mac', macs);
      // Prevents an unhandledRejection until the consumer awaits the batch, which then throws.
      facts.catch(() => undefined);
      reading.push(facts);
    }
  }
  try {
    for (;;) {
      await startReads();
      const pendingBatch = reading.shift();
      if (!pendingBatch) return;
      const facts = await pendingBatch;
      await startReads();
      yield facts;
    }
  } finally {
    await Promise.allSettled(reading);
  }
}

async function readMacs(sql: Sql, after: string): Promise<string[]> {
  const { rows } = await sql.query<{ mac: string }>({
    name: 'facts.connected',
    text: `select c.mac from connection_active c where c.mac > $1 order by c.mac limit ${factsMax}`,
    values: [after],
  });
  return rows.map(({ mac }) => mac);
}
