import type { Context } from '../../context.ts';
import { type enforcementMethods, networkDevice } from '../../device/network-device/network-device.ts';
import { port } from '../../device/port/port.ts';
import { adapter } from '../../host/adapter/adapter.ts';
import { host } from '../../host/host/host.ts';
import type { Caller } from '../../kernel/declare/caller.ts';
import type { Collection } from '../../kernel/declare/declaration.ts';
import { allows, type Rights } from '../../kernel/declare/permissions.ts';
import { userAccount } from '../../user/user-account/user-account.ts';
import { accessPolicy } from '../access-policy/access-policy.ts';
import { authenticationPolicy } from '../authentication-policy/authentication-policy.ts';
import { type Family, families } from '../decide/decide.service.ts';
import { roleMapping } from '../role-mapping/role-mapping.ts';
import type { Access, ChangedConnection } from './compare-connections.ts';

type Method = (typeof enforcementMethods)[number];

/** Where a connection is, and how its device is made to apply something. */
interface Place {
  portID: number;
  location: string;
  methods: Method[];
}

const placesSql = ({ visible }: Context): string => `select p.id as "portID", d.name || ' ' || p.name as location,
  d.enforcement_methods as methods
from ${visible(port)} p join ${visible(networkDevice)} d on d.id = p.device_id where p.id = any($1::bigint[])`;

/** Changes in the order in which they are answered, a thousand at a time, from one of these slices on. */
export type Slices = (
  first: number,
) => AsyncIterable<readonly ChangedConnection[]> | Iterable<readonly ChangedConnection[]>;

/** Looked up at once while a page is filled with what the caller sees. */
const sliceMax = 1_000;

export const slicesOf = (changed: readonly ChangedConnection[]) =>
  function* slices(first: number): Generator<readonly ChangedConnection[]> {
    for (let at = first * sliceMax; at < changed.length; at += sliceMax) yield changed.slice(at, at + sliceMax);
  };

/** A page of the changes that the caller sees. */
export async function writeChanges(
  context: Context,
  { rights, limits }: Pick<Caller, 'rights' | 'limits'>,
  changed: Slices,
  { start, count }: { start: number; count: number },
): Promise<object[]> {
  const page = await (limits ? visiblePage(context, changed, start, count) : plainPage(changed, start, count));
  const { query, visible } = context;
  const places = await query<Place>(placesSql(context), [[...new Set(page.map(({ portID }) => portID))]]);
  const placeOf = new Map(places.map((place) => [place.portID, place]));
  const users = await query<{ id: number }>(
    `select u.id from ${visible(userAccount)} u where u.id = any($1::bigint[])`,
    [page.flatMap(({ user }) => user?.id ?? [])],
  );
  const seenUsers = new Set(users.map(({ id }) => id));
  return page.map((change) => {
    const { mac, hostID, hostName, user, before, after } = change;
    const place = placeOf.get(change.portID);
    const isUserHidden = user?.id !== undefined && user.id !== null && !seenUsers.has(user.id);
    const enforcement = methodFor(change, place);
    return {
      mac,
      hostID,
      hostName,
      userName: !user || isUserHidden ? null : user.userID,
      location: place?.location ?? null,
      before: writeAccess(before, rights),
      after: writeAccess(after, rights),
      families: families.flatMap((family) => familyChange(family, before, after, rights)),
      enforcement,
      interrupts: enforcement === 'DISCONNECT' || enforcement === 'BOUNCE',
      unresolved: after.isUnresolved,
    };
  });
}

/** For who sees every row: a later page does not read those before it. */
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

/** The rows that the caller sees, from `start` on. */
async function visiblePage(
  { query, visible }: Context,
  changed: Slices,
  start: number,
  count: number,
): Promise<ChangedConnection[]> {
  const seen: ChangedConnection[] = [];
  for await (const slice of changed(0)) {
    const rows = await query<{ id: number }>(
      `select a.id from ${visible(adapter)} a join ${visible(host)} h on h.id = a.host_id where a.id = any($1::bigint[])`,
      [slice.map(({ adapterID }) => adapterID)],
    );
    const ids = new Set(rows.map(({ id }) => id));
    seen.push(...slice.filter(({ adapterID }) => ids.has(adapterID)));
    if (seen.length >= start + count) break;
  }
  return seen.slice(start, start + count);
}

/** A name, for who may view records of its kind; the record itself may exist in the dry run only. */
const nameFor = (rights: Rights, { permission }: Collection, name: string | null): string | null =>
  allows(rights, permission, 'view') ? name : null;

const writeAccess = ({ outcome, accessState, step, policyName, value }: Access, rights: Rights): object => ({
  outcome,
  accessState,
  policyName: nameFor(rights, step === 6 ? roleMapping : accessPolicy, policyName),
  value: value && { accessType: value.accessType, accessValue: value.accessValue },
});

function familyChange(family: Family, before: Access, after: Access, rights: Rights): object[] {
  const [was, is] = [before.families[family], after.families[family]];
  if (was?.policyID === is?.policyID) return [];
  const nameOf = (name: string | undefined) => nameFor(rights, authenticationPolicy, name ?? null);
  return [{ family, before: nameOf(was?.name), after: nameOf(is?.name) }];
}

/** Of the methods of the device the first that fits the way the connection came about. */
function methodFor({ isByRadius, after }: ChangedConnection, place: Place | undefined): Method | null {
  if (after.outcome === 'NOT_ENFORCED') return null;
  const fitting: readonly Method[] = isByRadius ? ['COA', 'DISCONNECT', 'BOUNCE'] : ['SNMP', 'CLI', 'BOUNCE'];
  return place?.methods.find((method) => fitting.includes(method)) ?? null;
}
