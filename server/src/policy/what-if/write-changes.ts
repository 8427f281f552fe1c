import type { Context } from '../../context.ts';
import { networkDevice } from '../../device/network-device/network-device.ts';
import { port } from '../../device/port/port.ts';
import { host } from '../../host/host/host.ts';
import type { Caller } from '../../kernel/declare/caller.ts';
import type { Collection } from '../../kernel/declare/declaration.ts';
import { allows, type Rights } from '../../kernel/declare/permissions.ts';
import { userAccount } from '../../user/user-account/user-account.ts';
import { accessPolicy } from '../access-policy/access-policy.ts';
import { authenticationPolicy } from '../authentication-policy/authentication-policy.ts';
import { type Family, families } from '../decide/decide.service.ts';
import { roleMapping } from '../role-mapping/role-mapping.ts';
import { type Access, type ChangedConnection, roleMappingStep } from './compare-connections.ts';
import { hidesConnections, visibleAdapters } from './visible-connections.ts';

const placesSql = ({ visible }: Context): string => `select p.id as "portID", d.name || ' ' || p.name as location
from ${visible(port)} p join ${visible(networkDevice)} d on d.id = p.device_id where p.id = any($1::bigint[])`;

/** Returns the changes in slices of a thousand, from the slice `first` on. */
export type Slices = (
  first: number,
) => AsyncIterable<readonly ChangedConnection[]> | Iterable<readonly ChangedConnection[]>;

/** Changes whose visibility is looked up at once. */
const sliceMax = 1_000;

export const slicesOf = (changed: readonly ChangedConnection[]) =>
  function* slices(first: number): Generator<readonly ChangedConnection[]> {
    for (let start = first * sliceMax; start < changed.length; start += sliceMax)
      yield changed.slice(start, start + sliceMax);
  };

/**
 * Returns a page of the changes that the caller sees. The right to policies alone shows how many connections change and how;
 * hosts, places and users are shown to callers who may view them.
 */
export async function writeChanges(
  context: Context,
  { rights }: Pick<Caller, 'rights'>,
  changed: Slices,
  { start, count }: { start: number; count: number },
): Promise<object[]> {
  const page = await (hidesConnections(context)
    ? visiblePage(context, changed, start, count)
    : plainPage(changed, start, count));
  const showsHosts = allows(rights, host.permission, 'view');
  const places = await readPlaces(context, rights, page);
  const users = await readUsers(context, rights, page);
  return page.map(({ mac, hostID, hostName, user, portID, isByRadius, before, after }) => ({
    mac: showsHosts ? mac : null,
    hostID: showsHosts ? hostID : null,
    hostName: showsHosts ? hostName : null,
    userName: user && users.shows(user) ? user.userID : null,
    location: places.get(portID) ?? null,
    before: writeAccess(before, rights),
    after: writeAccess(after, rights),
    families: families.flatMap((family) => familyChange(family, before, after, rights)),
    // Nothing is sent to devices: the next RADIUS request is decided by the new policies, and a port configured by SNMP does not change.
    enforcement: isByRadius && after.outcome !== 'NOT_ENFORCED' ? 'NEXT_LOGIN' : null,
    interrupts: false,
    unresolved: after.isUnresolved,
  }));
}

/** Returns the names of device and port by the id of the port, for those that the caller may view. */
async function readPlaces(
  context: Context,
  rights: Rights,
  page: readonly ChangedConnection[],
): Promise<ReadonlyMap<number, string>> {
  if (!allows(rights, networkDevice.permission, 'view')) return new Map();
  const portIDs = [...new Set(page.map(({ portID }) => portID))];
  const places = await context.query<{ portID: number; location: string }>(placesSql(context), [portIDs]);
  return new Map(places.map(({ portID, location }) => [portID, location]));
}

/** Reads which accounts the caller may view. A user without an account is shown to callers with the right to view accounts. */
async function readUsers(
  { query, visible }: Context,
  rights: Rights,
  page: readonly ChangedConnection[],
): Promise<{ shows(user: NonNullable<ChangedConnection['user']>): boolean }> {
  if (!allows(rights, userAccount.permission, 'view')) return { shows: () => false };
  const users = await query<{ id: number }>(
    `select u.id from ${visible(userAccount)} u where u.id = any($1::bigint[])`,
    [page.flatMap(({ user }) => user?.id ?? [])],
  );
  const visibleIDs = new Set(users.map(({ id }) => id));
  return { shows: ({ id }) => id === null || visibleIDs.has(id) };
}

/** Returns a page for a caller who sees every row, without reading the slices before it. */
export async function plainPage(changed: Slices, start: number, count: number): Promise<ChangedConnection[]> {
  const page: ChangedConnection[] = [];
  const first = Math.floor(start / sliceMax);
  let passed = first * sliceMax;
  for await (const slice of changed(first)) {
    page.push(...slice.slice(Math.max(0, start - passed), start + count - passed));
    passed += slice.length;
    if (passed >= start + count) break;
  }
  return page;
}

/** Returns a page of the rows that the caller currently sees: memberships may have changed since the comparison. */
async function visiblePage(
  context: Context,
  changed: Slices,
  start: number,
  count: number,
): Promise<ChangedConnection[]> {
  const rows: ChangedConnection[] = [];
  for await (const slice of changed(0)) {
    const ids = await visibleAdapters(
      context,
      slice.map(({ adapterID }) => adapterID),
    );
    rows.push(...slice.filter(({ adapterID }) => ids.has(adapterID)));
    if (rows.length >= start + count) break;
  }
  return rows.slice(start, start + count);
}

/** Returns a name if the caller may view records of its kind. The record itself may exist only in the dry run. */
const nameFor = (rights: Rights, { permission }: Collection, name: string | null): string | null =>
  allows(rights, permission, 'view') ? name : null;

const writeAccess = ({ outcome, accessState, step, policyName, value }: Access, rights: Rights): object => ({
  outcome,
  accessState,
  policyName: nameFor(rights, step === roleMappingStep ? roleMapping : accessPolicy, policyName),
  value: value && { accessType: value.accessType, accessValue: value.accessValue },
});

function familyChange(family: Family, before: Access, after: Access, rights: Rights): object[] {
  const [was, is] = [before.families[family], after.families[family]];
  if (was?.policyID === is?.policyID) return [];
  const nameOf = (name: string | undefined) => nameFor(rights, authenticationPolicy, name ?? null);
  return [{ family, before: nameOf(was?.name), after: nameOf(is?.name) }];
}
