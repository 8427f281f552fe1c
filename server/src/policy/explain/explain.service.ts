import type { Context } from '../../context.ts';
import { port } from '../../device/port/port.ts';
import { adapter } from '../../host/adapter/adapter.ts';
import { host } from '../../host/host/host.ts';
import { allows, type Rights } from '../../kernel/declare/permissions.ts';
import { forbidden, invalidField, notFound, rejected } from '../../kernel/failure.ts';
import { instantOf, writeInstant } from '../../kernel/values/time.ts';
import { readGroups, replyDevices } from '../../radius/radius-attribute-group/radius-attribute-group.service.ts';
import { spelledAttributes } from '../../radius/radius-dictionary-entry/radius-dictionary-entry.service.ts';
import { userAccount } from '../../user/user-account/user-account.ts';
import {
  type ConnectionFacts,
  connectionType,
  type DecisionContext,
  type ExplainedDecision,
  effectiveRole,
  effectiveUser,
  isInZoneSpan,
  type Place,
  type UserFacts,
} from '../decide/decide.service.ts';
import { role } from '../role/role.ts';
import {
  connectionAt,
  decisionContext,
  type Facts,
  openConnection,
  openSession,
  type Snapshot,
} from '../snapshot/snapshot.service.ts';
import { radiusReply } from './radius-reply.ts';
import { visibleNames } from './visible-names.ts';
import { type ExplanationReader, isHidden, nowhere, writeDecision } from './write-explained.ts';

export { type RadiusReply, radiusReply } from './radius-reply.ts';

/** Values that replace facts of a host. */
export interface FactOverrides {
  adapterID?: number;
  at?: string;
  portID?: number;
  ssid?: string;
  userID?: string;
  enforced?: boolean;
  radius?: readonly { name: string; value: string }[];
}

interface Explained {
  context: DecisionContext;
  decision: ExplainedDecision;
}

/** Returns the decision for each adapter of a host with every step, with the current facts or with some replaced. */
export async function explainHost(
  context: Context,
  hostID: number,
  overrides: FactOverrides,
  { rights, nowMs }: { rights: Rights; nowMs: number },
): Promise<object[]> {
  await refuseHidden(context, hostID);
  const whatIf = { ...overrides, radius: await asDictionarySpells(context, overrides.radius ?? []) };
  const snapshot = await context.policies.latest();
  const atMs = instantToDecide(snapshot, whatIf, nowMs);
  const facts = await factsOf(context, hostID, whatIf);
  const place = await placeToDecide(context, snapshot, whatIf, facts);
  const user = await userToDecide(context, whatIf, rights);
  const explained: (Explained | Facts)[] = facts.map((hostFacts) => {
    const connection = connectionOf(snapshot, hostFacts, whatIf, place);
    if (!connection) return hostFacts;
    const decided = decisionContext({ ...hostFacts, ...(user && { loggedOnUser: user }) }, connection, atMs);
    return { context: decided, decision: context.policies.explain(snapshot, decided) };
  });
  const decisions = explained.filter((entry): entry is Explained => 'decision' in entry);
  const reader: ExplanationReader = {
    names: await visibleNames(
      context,
      rights,
      decisions.map(({ decision }) => decision),
    ),
    showsUsers: allows(rights, userAccount.permission, 'view'),
    users: await visibleUsers(context, decisions),
  };
  const instant = writeInstant(atMs);
  const { generation, landscape } = snapshot.set;
  const nowhereOf = (hostFacts: Facts | undefined) =>
    nowhere({ at: instant, generation, landscape, hostID }, hostFacts?.adapter);
  if (decisions.length === 0) return [nowhereOf(facts[0])];
  const replies = await repliesTo(context, snapshot, decisions, reader);
  return explained.map((entry) =>
    'decision' in entry
      ? writeDecision(entry.decision, entry.context, replies.get(entry) ?? null, reader)
      : nowhereOf(entry),
  );
}

async function visibleRoles({ query, visible }: Context, ids: readonly number[]): Promise<ReadonlyMap<number, string>> {
  const rows = await query<{ id: number; name: string }>(
    `select r.id, r.name from ${visible(role)} r where r.id = any($1::bigint[])`,
    [ids],
  );
  return new Map(rows.map(({ id, name }) => [id, name]));
}

/** Returns the RADIUS replies of the decisions that RADIUS applies. */
async function repliesTo(
  context: Context,
  { set }: Snapshot,
  decisions: readonly Explained[],
  reader: ExplanationReader,
) {
  const answered = decisions.filter(({ decision }) => decision.isByRadius);
  const devices = await replyDevices(
    context,
    answered.map(({ context: { connection } }) => connection.device.id),
  );
  const roles = await visibleRoles(
    context,
    answered.map(({ context: decided }) => effectiveRole(set, decided)),
  );
  const replies = new Map<Explained, Awaited<ReturnType<typeof radiusReply>>>();
  for (const explained of answered) {
    const { decision, context: decided } = explained;
    const device = devices.get(decided.connection.device.id);
    if (!device) continue;
    const isUserShown = !isHidden(effectiveUser(decided), reader);
    const session = {
      mac: decision.mac,
      userName: (isUserShown && decision.userName) || undefined,
      role: roles.get(effectiveRole(set, decided)),
    };
    replies.set(explained, await radiusReply((groupIDs) => readGroups(context, groupIDs), decision, device, session));
  }
  return replies;
}

async function refuseHidden({ query, visible }: Context, hostID: number): Promise<void> {
  const rows = await query(`select h.id from ${visible(host)} h where h.id = $1`, [hostID]);
  if (rows.length === 0) throw notFound(host.title, hostID);
}

function instantToDecide({ set }: Snapshot, { at }: FactOverrides, nowMs: number): number {
  if (at === undefined) return nowMs;
  const ms = instantOf(at)!;
  const { fromMs, toMs } = set.zone;
  if (!isInZoneSpan(set.zone, ms))
    throw invalidField('at', `must be from ${writeInstant(fromMs)} until before ${writeInstant(toMs)}`);
  return ms;
}

/**
 * Returns the user that the caller names. An account that row limits hide is refused like one that does not exist, and a caller without
 * the right to view accounts is refused before any is looked up: the decision would disclose which accounts exist.
 */
async function userToDecide(
  context: Context,
  { userID }: FactOverrides,
  rights: Rights,
): Promise<UserFacts | undefined> {
  if (userID === undefined) return undefined;
  if (!allows(rights, userAccount.permission, 'view')) throw forbidden(userAccount.permission, 'view');
  const rows = await context.query(
    `select u.id from ${context.visible(userAccount)} u where lower(u.user_id) = lower($1)`,
    [userID],
  );
  if (rows.length === 0) throw rejected(`userID: there is no account ${JSON.stringify(userID)}.`, '?userID');
  return context.policies.user(userID);
}

/** Spells RADIUS attributes as conditions name them, and refuses those that the dictionary does not have. */
async function asDictionarySpells(
  context: Context,
  attributes: NonNullable<FactOverrides['radius']>,
): Promise<NonNullable<FactOverrides['radius']>> {
  if (attributes.length === 0) return attributes;
  const spelled = await spelledAttributes(
    context,
    attributes.map(({ name }) => name),
  );
  return attributes.map(({ name, value }) => {
    const spelling = spelled(name);
    if (spelling === undefined)
      throw rejected(`radius.${name}: the RADIUS dictionary has no attribute ${name}.`, `?radius.${name}`);
    return { name: spelling, value };
  });
}

/** Reads the facts of the adapters that the caller sees. */
async function factsOf(context: Context, hostID: number, { adapterID }: FactOverrides): Promise<Facts[]> {
  const rows = await context.query<{ id: number }>(
    `select a.id from ${context.visible(adapter)} a where a.host_id = $1`,
    [hostID],
  );
  const visibleIDs = new Set(rows.map(({ id }) => id));
  if (adapterID !== undefined && !visibleIDs.has(adapterID))
    throw rejected(`adapterID: host ${hostID} has no adapter ${adapterID}.`, '?adapterID');
  const facts = await context.policies.facts('host', [hostID]);
  return facts.filter(({ adapter: { id } }) => (adapterID === undefined ? visibleIDs.has(id!) : id === adapterID));
}

/** Returns the place that the query gives; null if it gives none. */
async function placeToDecide(
  context: Context,
  { topology }: Snapshot,
  { portID, ssid }: FactOverrides,
  facts: readonly Facts[],
): Promise<Place | null> {
  if (portID !== undefined && ssid !== undefined) throw invalidField('ssid', 'cannot be given with portID');
  if (portID === undefined && ssid === undefined) return null;
  // Of several access points with that network, the one that the host is connected to, otherwise the oldest.
  const devices = facts.flatMap(({ connection }) => (connection ? [connection.deviceID] : []));
  const [portRow] = await context.query<{ id: number }>(
    `select p.id from ${context.visible(port)} p
     where case when $1::bigint is null then p.port_type = 1 and p.name = $2 else p.id = $1 end
     order by p.device_id = any($3::bigint[]) desc, p.id limit 1`,
    [portID ?? null, ssid ?? null, devices],
  );
  const place = portRow && topology.placeOfPort(portRow.id);
  if (place) return place;
  throw portID === undefined
    ? rejected(`ssid: no device has a wireless network ${JSON.stringify(ssid)}.`, '?ssid')
    : rejected(`portID: there is no port ${portID}.`, '?portID');
}

/** Returns the connection to decide for; null if there is none. */
function connectionOf(
  { topology }: Snapshot,
  facts: Facts,
  { radius = [], enforced = false }: FactOverrides,
  place: Place | null,
): ConnectionFacts | null {
  const open = openConnection(topology, facts);
  const isByRequest = radius.length > 0;
  const attributes = isByRequest ? attributesOf(radius) : null;
  if (place)
    return connectionAt(place, connectionType(place, facts.adapter.login.authType, isByRequest), {
      ...openSession(place, facts),
      radius: attributes,
      isEnforcedEverywhere: enforced,
    });
  if (!open) return null;
  const type = isByRequest ? connectionType(open, facts.adapter.login.authType, true) : open.type;
  return { ...open, type, radius: attributes ?? open.radius, isEnforcedEverywhere: enforced };
}

/** Returns attributes by name; an attribute that is given several times has several values. */
function attributesOf(attributes: NonNullable<FactOverrides['radius']>): ConnectionFacts['radius'] {
  const values = new Map<string, string[]>();
  for (const { name, value } of attributes) values.set(name, [...(values.get(name) ?? []), value]);
  return new Map([...values].map(([name, all]) => [name, all.length === 1 ? all[0]! : all]));
}

/** Returns which accounts of the effective users the caller sees. */
async function visibleUsers(
  { query, visible }: Context,
  explained: readonly Explained[],
): Promise<ReadonlySet<number>> {
  const ids = explained.flatMap(({ context }) => effectiveUser(context)?.id ?? []);
  if (ids.length === 0) return new Set();
  const rows = await query<{ id: number }>(
    `select u.id from ${visible(userAccount)} u where u.id = any($1::bigint[])`,
    [ids],
  );
  return new Set(rows.map(({ id }) => id));
}
