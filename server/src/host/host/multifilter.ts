import { action, type Context } from '../../context.ts';
import { forbidden } from '../../kernel/failure.ts';
import { listQueryOf } from '../../kernel/patterns.ts';
import { allows } from '../../kernel/permissions.ts';
import type { RecordValue } from '../../kernel/read/select.ts';
import type { Condition } from '../../kernel/scope.ts';
import { integerMax, type ObjectShape } from '../../kernel/shape.ts';
import { userAccount } from '../../user/user-account/user-account.ts';
import { adapter } from '../adapter/adapter.ts';
import { hostWith, pageOfHosts } from './find-hosts.ts';
import { host } from './host.ts';
import { splitFilters } from './split-filters.ts';

/** A user, as far as hosts tell of one. */
const userShape: ObjectShape = {
  kind: 'object',
  name: 'UserOfHost',
  properties: {
    id: { kind: 'integer', min: 1, max: integerMax },
    userID: { kind: 'text', max: 120 },
    firstName: { kind: 'text', max: 120 },
    lastName: { kind: 'text', max: 120 },
    email: { kind: 'text', max: 254 },
  },
};

const userShown = ({ id, userID, firstName, lastName, email }: RecordValue) => ({
  id,
  userID,
  firstName,
  lastName,
  email,
});

/** What a host must fulfil: what is said of it and its owner, and that one single adapter has all that is said of one. */
export function matchingHosts(context: Context, filter: readonly string[]): Condition {
  const split = splitFilters(filter);
  const ofHost = context.matching(host, split.host);
  const ofAdapter = split.adapter.length > 0 ? context.matching(adapter, split.adapter) : undefined;
  const ofUser = split.user.length > 0 ? context.matching(userAccount, split.user) : undefined;
  // Inside, `r` is the row of the other table.
  return (parameters) =>
    [
      ofHost(parameters),
      ofAdapter && `r.id in (select r.host_id from adapter r where ${ofAdapter(parameters)})`,
      ofUser && `r.owner_id in (select r.id from user_account r where ${ofUser(parameters)})`,
    ]
      .filter(Boolean)
      .join(' and ');
}

export const multifilterRecord = hostWith('HostWithUser', {
  userObject: { ...userShape, nullable: true, doc: 'Its owner; null: it has none, or the caller may not see users.' },
});

const multifilter = action(host, {
  name: 'multifilter',
  method: 'GET',
  path: '/multifilter',
  doc: 'List hosts by filters over them, one of their adapters and their owner: host., adapter., user.',
  listed: true,
  counted: true,
  result: multifilterRecord,
  errors: ['too-expensive'],
  async run(call, context) {
    const { filter = [], ...query } = call.query as { filter?: string[] };
    const answer = await pageOfHosts(call, context, query, { also: matchingHosts(context, filter) });
    const records = answer.results as RecordValue[];
    const owners = allows(call.caller.rights, userAccount.permission, 'view')
      ? await ownersOf(context, records)
      : new Map();
    return {
      ...answer,
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
    scope: (parameters) => `r.id = any(${parameters.add(ids, '::bigint[]')})`,
  });
  return new Map(page.records.map((user) => [user.id, userShown(user)]));
}

const multifilterUsers = action(host, {
  name: 'multifilter-users',
  method: 'GET',
  path: '/multifilter/users',
  doc: 'List the owners of the hosts that the same filters find',
  listed: true,
  counted: true,
  result: userShape,
  errors: ['too-expensive'],
  async run(call, context) {
    const { filter = [], ...query } = call.query as { filter?: string[] };
    if (!allows(call.caller.rights, userAccount.permission, 'view')) throw forbidden(userAccount.permission, 'view');
    const matching = matchingHosts(context, filter);
    const { records, ...page } = await context.list(userAccount, {
      ...listQueryOf({ ...call, query }),
      also: (parameters) => `r.id in (select r.owner_id from host r where ${matching(parameters)})`,
    });
    return { results: records.map(userShown), ...page };
  },
});

export const multifilters = [multifilter, multifilterUsers];
