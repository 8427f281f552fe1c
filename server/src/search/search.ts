import type pg from 'pg';
import { visibleTables } from '../kernel/access/visible-tables.ts';
import { readWithin } from '../kernel/database/transaction.ts';
import { extraOperations } from '../kernel/declare/extra-operation.ts';
import type { Call, Operation } from '../kernel/declare/operation.ts';
import type { ObjectShape } from '../kernel/declare/shape.ts';
import { shapes } from '../kernel/declare/shapes.ts';
import { invalid } from '../kernel/failure.ts';
import { visibilityOf } from '../kernel/write/engine.ts';
import type { Runtime } from '../kernel/write/runtime.ts';
import { findPlaces, placesFor } from './places.ts';
import { SearchText } from './search-text.ts';
import { hitsMax, matches, type SearchedGroup, searchedGroups, searchSql } from './searched-groups.ts';

const textMin = 2;
const groupMsDefault = 200;

const hitShape = {
  kind: 'object',
  name: 'SearchHit',
  columns: ['group', 'id', 'name', 'where', 'online', 'lastSeen', 'matched'],
  properties: {
    group: {
      kind: 'choice',
      values: [...searchedGroups.map(({ declaration }) => declaration.name), 'page', 'setting'],
      doc: 'Resource of the record; `page`: a page of the console; `setting`: a field of settings.',
    },
    id: {
      ...shapes.id,
      nullable: true,
      doc: 'Null for a page or a setting; if the name is null too: the resource could not be searched in time.',
    },
    name: { kind: 'text', max: 600, nullable: true, doc: 'Name of the record; a port is named with its device.' },
    where: {
      kind: 'text',
      max: 600,
      nullable: true,
      doc: 'Name of the page in links; resource and field of a setting. Current or last port of a host or adapter, container of a device or port, host that a user is logged on to.',
    },
    online: { kind: 'flag', nullable: true, doc: 'Connected, in contact, up or logged on now.' },
    lastSeen: { kind: 'time', nullable: true, doc: 'Last seen; null: never.' },
    matched: { kind: 'choice', values: matches, nullable: true, doc: 'Kind of the match.' },
  },
} as const satisfies ObjectShape;

interface Hit {
  id: number;
  name: string;
  where: string | null;
  online: boolean;
  lastSeen: string | null;
  matched: (typeof matches)[number];
}

const notReady = { id: null, name: null, where: null, online: null, lastSeen: null, matched: null };

/** Finds records of all resources that the caller may view. */
async function search(
  { engine }: Runtime,
  client: pg.PoolClient,
  { caller }: Call,
  q: string,
  groupMs: number,
): Promise<object[]> {
  const visibility = visibilityOf(engine, caller);
  const { visible } = visibleTables(visibility);
  const results: object[] = [];
  for (const group of searchedGroups.filter(({ declaration }) => visibility.mayView(declaration))) {
    const hits = await readWithin(client, groupMs, () => hitsOf(client, group, q, visible));
    const { name } = group.declaration;
    results.push(...(hits ?? [notReady]).map((hit) => ({ group: name, ...hit })));
  }
  return results;
}

async function hitsOf(
  client: pg.PoolClient,
  group: SearchedGroup,
  q: string,
  visible: Parameters<typeof searchSql>[2],
): Promise<Hit[]> {
  const text = new SearchText(q);
  const sql = searchSql(group, text, visible);
  return sql === '' ? [] : (await client.query<Hit>(sql, [...text.values])).rows;
}

const searchOperation = extraOperations('Search');

/** Returns the search operation, for the command line and the console. `served` are the resources of the contract. */
export const searchOperations = (
  runtime: Runtime,
  served: ReadonlySet<string>,
  groupMs = groupMsDefault,
): Operation[] => [
  searchOperation({
    operationId: 'search.find',
    method: 'GET',
    path: '/search',
    summary: 'Find records of all resources by a text',
    query: {
      q: {
        shape: {
          kind: 'text',
          min: textMin,
          max: 200,
          doc: `MAC address in any notation or its last four digits, IP address, name, user, serial number, or port such as \`sw-1 Gi1/0/7\`; at least two characters. Returns the newest ${hitsMax} of each resource that you may view.`,
          example: '001d.0900.0004',
        },
        required: true,
      },
      pages: { shape: { kind: 'flag', doc: 'Include pages of the console and fields of settings.' } },
    },
    result: hitShape,
    run: (call) => {
      const text = call.query.q.trim();
      if (text.length < textMin)
        throw invalid([{ pointer: '?q', message: 'q: at least two characters are required.' }]);
      const places = call.query.pages ? placesFor(call.caller, served, runtime.engine.model) : [];
      return runtime.read(async (client) => ({
        results: [...(await search(runtime, client, call, text, groupMs)), ...findPlaces(places, text)],
      }));
    },
  }),
];
