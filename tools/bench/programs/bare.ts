import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import pg from 'pg';
import { multifilter } from '../subjects/host.ts';
import type { Subject, SubjectName } from '../subjects/subject.ts';
import { subjects } from '../subjects/subjects.ts';

/**
 * The bare limit: node:http, named prepared statements through pg, JSON.stringify, and nothing else. It returns the
 * same records as the service, without authentication, checks, counts, logs or audit.
 */
const [url, connections, name] = process.argv.slice(2) as [string, string, SubjectName];
const subject: Subject = subjects[name];
const { select, isFamily, parts, recordOf = (row) => row } = subject.bare;

// Ids are numbers in the record; everything else is as pg returns it, instants as Date.
pg.types.setTypeParser(20, Number);
const pool = new pg.Pool({ connectionString: url, max: Number(connections), options: '-c jit=off' });

type Row = Record<string, unknown>;
interface Statement {
  name: string;
  text: string;
  values: unknown[];
}

/** Selects the rows first and joins them afterwards, so that a plan reads no more rows. */
const rowsWhere = (condition: string): string => `(select * from ${subject.name} r where ${condition})`;

const idPattern = new RegExp(`^/api/v2${subject.path}/(\\d+)$`);

/** Returns a named statement for each kind of request, and whether its records are complete. */
function statementFor(path: string): Statement & { isUnrestricted: boolean } {
  const id = idPattern.exec(path);
  if (id) return { name: 'one', text: select(rowsWhere('r.id = $1')), values: [Number(id[1])], isUnrestricted: true };
  const query = new URLSearchParams(path.slice(path.indexOf('?') + 1));
  const limit = Number(query.get('count'));
  const page = (name: string, condition: string, value: unknown, isUnrestricted = false) => ({
    name,
    text: `${select(rowsWhere(`${condition} order by r.id limit $2`))} order by r.id`,
    values: [value, limit],
    isUnrestricted,
  });
  const filters = query.getAll('filter');
  const last = filters.at(-1)?.split('==')[1];
  if (filters.length === 2) return page('multifilter', multifilter.isFamily, last, true);
  if (filters.length === 1) return page('family', isFamily, last);
  return page('walk', 'r.id > $1', Number(query.get('after') ?? 0));
}

/** Adds records that are parts of others, by one more statement. */
async function addParts(rows: Row[]): Promise<void> {
  if (!parts) return;
  const ids = rows.map(({ id }) => id);
  const { rows: partRows } = await pool.query<Row>({ name: 'parts', text: parts.select, values: [ids] });
  for (const row of rows) row[parts.field] = partRows.filter((part) => part[parts.owner] === row.id);
}

async function answer(path: string): Promise<string> {
  const { isUnrestricted, ...statement } = statementFor(path);
  const { rows } = await pool.query<Row>(statement);
  if (isUnrestricted) await addParts(rows);
  if (statement.name === 'multifilter') for (const row of rows) row.userObject = null;
  return JSON.stringify({ status: 'success', errorMessage: null, results: rows.map(recordOf) });
}

const server = createServer((request, response) => {
  answer(request.url!).then(
    (body) => {
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) });
      response.end(body);
    },
    (error: Error) => {
      response.writeHead(500);
      response.end(error.message);
    },
  );
});
server.listen(0, '127.0.0.1', () => process.send!({ port: (server.address() as AddressInfo).port }));
// Ends with the process that started it.
process.on('disconnect', () => process.exit(0)).on('SIGTERM', () => process.exit(0));
