import {
  action,
  type Condition,
  type Context,
  everyRow,
  type ListQuery,
  listQueryOf,
  type RecordValue,
} from '../../../context.ts';
import { allows } from '../../../kernel/declare/permissions.ts';
import type { ObjectShape } from '../../../kernel/declare/shape.ts';
import { shapes } from '../../../kernel/declare/shapes.ts';
import { forbidden } from '../../../kernel/failure.ts';
import { userAccount } from '../../../user/user-account/user-account.ts';
import { adapter } from '../../adapter/adapter.ts';
import { host } from '../host.ts';
import { type Subject, splitFilters } from '../split-filters.ts';
import { hostWith, pageOfHosts } from './find-hosts.ts';

const everyAdapter = everyRow(adapter, 'context.matching adds which rows the caller sees');
const everyHost = everyRow(host, 'context.matching adds which rows the caller sees');
const everyUser = everyRow(userAccount, 'context.matching adds which rows the caller sees');

/** The fields of the owner that host lists contain. */
const userShape = {
  kind: 'object',
  name: 'UserOfHost',
  properties: {
    id: shapes.id,
    userID: { kind: 'text', max: 120 },
    firstName: { kind: 'text', max: 120 },
    lastName: { kind: 'text', max: 120 },
    email: { kind: 'text', max: 254 },
  },
} as const satisfies ObjectShape;

const userShown = ({ id, userID, firstName, lastName, email }: RecordValue) => ({
  id,
  userID,
  firstName,
  lastName,
  email,
});

/** Returns the condition for hosts that match all filters. One single adapter must match all filters on adapters. */
export function matchingHosts(
  { matching }: Pick<Context, 'matching'>,
  split: Record<Subject, readonly string[]>,
): Condition {
  const ofHost = matching(host, split.host);
  const ofAdapter = split.adapter.length > 0 ? matching(adapter, split.adapter) : undefined;
  const ofUser = split.user.length > 0 ? matching(userAccount, split.user) : undefined;
  // Within the subqueries, `r` is the row of the other table.
  return (parameters) =>
    [
      ofHost(parameters),
      ofAdapter && `r.id in (select r.host_id from ${everyAdapter} r where ${ofAdapter(parameters)})`,
      ofUser && `r.owner_id in (select r.id from ${everyUser} r where ${ofUser(parameters)})`,
    ]
      .filter(Boolean)
      .join(' and ');
}

/** Returns the filters of a list. Filters on hosts alone are passed as ordinary filters: if there are none, the list needs no extra count. */
export function filterOfHosts(
  context: Pick<Context, 'matching'>,
  split: Record<Subject, readonly string[]>,
): Pick<ListQuery, 'filter' | 'extraFilter'> {
  const isOfHostsAlone = split.adapter.length === 0 && split.user.length === 0;
  return isOfHostsAlone ? { filter: split.host } : { filter: [], extraFilter: matchingHosts(context, split) };
}

export const multifilterRecord = hostWith('HostWithUser', {
  userObject: { ...userShape, nullable: true, doc: 'Owner; null: none, or the caller may not see users.' },
});

const multifilter = action(host, {
  name: 'multifilter',
  method: 'GET',
  path: '/multifilter',
  doc: 'List hosts by filters on hosts, adapters and owners',
  listed: true,
  counted: true,
  result: multifilterRecord,
  errors: ['too-expensive'],
  async run(call, context) {
    const { filter = [], ...query } = call.query;
    const page = await pageOfHosts(call, context, query, filterOfHosts(context, splitFilters(filter)));
    const records = page.results as RecordValue[];
    const owners = allows(call.caller.rights, userAccount.permission, 'view')
      ? await ownersOf(context, records)
      : new Map();
    return {
      ...page,
      results: records.map((record) => ({ ...record, userObject: owners.get(record.ownerID) ?? null })),
    };
  },
});

async function ownersOf({ list }: Context, records: readonly RecordValue[]): Promise<Map<unknown, object>> {
  const ids = [...new Set(records.flatMap(({ ownerID }) => (ownerID ? [Number(ownerID)] : [])))];
  if (ids.length === 0) return new Map();
  const page = await list(userAccount, {
    filter: [],
    start: 0,
    count: ids.length,
    restrict: (parameters) => `r.id = any(${parameters.add(ids, '::bigint[]')})`,
  });
  return new Map(page.records.map((user) => [user.id, userShown(user)]));
}

const multifilterUsers = action(host, {
  name: 'multifilter-users',
  method: 'GET',
  path: '/multifilter/users',
  doc: 'List the owners of the hosts that match the same filters',
  listed: true,
  counted: true,
  result: userShape,
  errors: ['too-expensive'],
  async run(call, context) {
    const { filter = [], ...query } = call.query;
    if (!allows(call.caller.rights, userAccount.permission, 'view')) throw forbidden(userAccount.permission, 'view');
    const matching = matchingHosts(context, splitFilters(filter));
    const { records, ...page } = await context.list(userAccount, {
      ...listQueryOf({ ...call, query }),
      extraFilter: (parameters) => `r.id in (select r.owner_id from ${everyHost} r where ${matching(parameters)})`,
    });
    return { results: records.map(userShown), ...page };
  },
});

export const multifilters = [multifilter, multifilterUsers];
