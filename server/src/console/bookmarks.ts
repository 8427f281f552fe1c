import type { Sql } from '../kernel/database/connect.ts';
import type { Answer, Call, Operation } from '../kernel/declare/operation.ts';
import type { ObjectShape } from '../kernel/declare/shape.ts';
import { shapes } from '../kernel/declare/shapes.ts';
import type { ValueOf } from '../kernel/declare/value-of.ts';
import { invalidField, notFound, rejected } from '../kernel/failure.ts';
import type { Runtime, WriteTx } from '../kernel/write/runtime.ts';
import { lockOwn } from './own-lock.ts';
import { sessionOperation, simulated } from './session-operation.ts';

const bookmarksMax = 100;
const bookmarkRoot = '/api/v2/user/current-session/bookmark';

/**
 * A path without empty segments, `.` and `..`, then a query. Browsers remove tabs and line breaks, and treat a backslash as a slash and
 * `%2e` as a dot, so that such a path could lead to another host.
 */
const segment = '(?!(?:\\.|%2[eE]){1,2}(?:[/?#]|$))[^/\\\\?#\\x00-\\x20\\x7f]+';
const pathSource = `^/(?:${segment}(?:/${segment})*/?)?(?:[?#][^\\x00-\\x1f\\x7f]*)?$`;

const ownProperties = {
  pageUUID: { kind: 'text', max: 64, doc: 'Name of the console page, as in navigation-settings.' },
  label: { kind: 'text', min: 1, max: 120, doc: 'Label in the menu.' },
  path: {
    kind: 'text',
    max: 4_000,
    pattern: { source: pathSource, words: 'a path of the console, such as /hosts?filter=state==PENDING' },
    doc: 'Path of the page, with its filter.',
    example: '/hosts?filter=state==PENDING',
  },
  position: { kind: 'integer', min: 0, max: 10_000, doc: 'Position in the menu, lowest first.' },
} as const satisfies ObjectShape['properties'];

const bookmarkShape = {
  kind: 'object',
  name: 'Bookmark',
  columns: ['dbid', 'label', 'path', 'position'],
  properties: { dbid: shapes.id, userDBID: shapes.id, ...ownProperties },
} as const satisfies ObjectShape;

const inputShape = {
  kind: 'object',
  name: 'BookmarkInput',
  properties: {
    ...ownProperties,
    remove: { kind: 'flag', doc: 'True: remove the bookmark; other fields are ignored.' },
  },
} as const satisfies ObjectShape;

type Input = ValueOf<typeof inputShape>;

const columns = 'b.id as dbid, b.account_id as "userDBID", b.page_uuid as "pageUUID", b.label, b.path, b.position';

const loadBookmarks = async (sql: Sql, accountId: number) =>
  (
    await sql.query(
      `select ${columns} from bookmark b where b.account_id = $1 order by b.position, b.id limit ${bookmarksMax}`,
      [accountId],
    )
  ).rows;

async function save({ client }: WriteTx, call: Call<Input>): Promise<Answer> {
  const { id, body, caller } = call;
  const { accountId } = caller;
  // Serialises concurrent requests of the account, so that the limit is enforced.
  await lockOwn(client, accountId);
  if (id === 0) {
    const [created] = await create(client, accountId, body);
    return call.dryRun
      ? { httpCode: 200, results: [created] }
      : { httpCode: 201, location: `${bookmarkRoot}/${created!.dbid}` };
  }
  const { rows } = body.remove
    ? await client.query('delete from bookmark b where b.id = $1 and b.account_id = $2 returning b.id', [id, accountId])
    : await client.query(
        `update bookmark b set page_uuid = coalesce($3, b.page_uuid), label = coalesce($4, b.label),
           path = coalesce($5, b.path), position = coalesce($6, b.position)
         where b.id = $1 and b.account_id = $2 returning ${columns}`,
        [id, accountId, body.pageUUID, body.label, body.path, body.position],
      );
  if (!rows[0]) throw notFound('Bookmark', id);
  return { httpCode: 200, ...simulated(call, body.remove ? [] : rows) };
}

async function create(client: Sql, accountId: number, { remove, pageUUID = '', label, path, position }: Input) {
  if (remove) throw invalidField('remove', 'a new bookmark cannot be removed');
  if (label === undefined) throw invalidField('label', 'this field is required');
  if (path === undefined) throw invalidField('path', 'this field is required');
  const ownBookmarks = await loadBookmarks(client, accountId);
  if (ownBookmarks.length >= bookmarksMax)
    throw rejected(`You have ${bookmarksMax} bookmarks, which is the limit; remove one first.`);
  const { rows } = await client.query<{ dbid: number }>(
    `insert into bookmark as b (account_id, page_uuid, label, path, position) values ($1, $2, $3, $4, $5) returning ${columns}`,
    [accountId, pageUUID, label, path, position ?? ownBookmarks.length],
  );
  return rows;
}

export const bookmarkOperations = (runtime: Runtime): Operation[] => [
  sessionOperation({
    operationId: 'session.bookmarks',
    method: 'GET',
    path: '/current-session/bookmark',
    summary: 'List your bookmarks in the order of the menu',
    result: bookmarkShape,
    run: ({ caller }) => runtime.read(async (client) => ({ results: await loadBookmarks(client, caller.accountId) })),
  }),
  sessionOperation({
    operationId: 'session.save-bookmark',
    method: 'POST',
    path: '/current-session/bookmark/{id}',
    pathShapes: { id: { ...shapes.count, doc: 'Identity of the bookmark; 0 creates one.' } },
    summary: 'Create (id 0), change or remove one of your bookmarks',
    body: inputShape,
    example: { pageUUID: 'hosts', label: 'Pending hosts', path: '/hosts?filter=state==PENDING' },
    dryRunResult: bookmarkShape,
    success: 201,
    updates: true,
    errors: ['not-found', 'rejected'],
    run: (call) => runtime.write(call, (tx) => save(tx, call as Call<Input>)),
  }),
];
