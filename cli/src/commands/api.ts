import type { Client, OperationInfo } from '@portreeve/sdk/runtime.ts';
import type { Arguments } from '../args.ts';
import type { Command } from '../command.ts';
import { clientOf, findConnection, reasonOption } from '../connection.ts';
import { readRecords } from '../input.ts';
import { runJq } from '../jq.ts';
import type { Screen } from '../output.ts';
import { applySettings, type JsonObject } from '../set.ts';
import { escapedJson } from '../text.ts';
import { UsageError } from '../usage-error.ts';

const methods = ['GET', 'POST', 'PUT', 'DELETE'] as const;

/** Records per output write. */
const pageSize = 1_000;

/** Paths outside `/api/v2`. */
const absolutePath = /^\/(api|auth|search|healthz|readyz)\b/;

export const api: Command = {
  name: 'api',
  positionals: ['METHOD', 'PATH'],
  doc: 'Send an API request, such as: portreeve api GET /device/container --field count=5',
  about: [
    'PATH is relative to /api/v2, unless it starts with /api, /auth, /search or a health check, and can have a query.',
    '--field sets a query parameter of GET and DELETE, or a field of the JSON body of POST and PUT. In a body, true, false, null, numbers, lists and objects are parsed as JSON, other values are text, and dots name nested fields.',
  ],
  options: {
    field: { value: 'NAME=VALUE', many: true, short: 'F', doc: 'Query parameter, or field of the body' },
    input: { value: 'FILE', completes: 'files', doc: 'Send the JSON object in this file; - is standard input' },
    jq: { value: 'EXPR', doc: 'Apply a jq expression to the response; with --paginate to each record' },
    paginate: { doc: 'Print all records of a list, one per line' },
    ...reasonOption,
    url: { value: 'URL', doc: 'URL of the service' },
    token: { value: 'TOKEN', doc: 'API token' },
  },
  async run(args, screen) {
    const method = methods.find((candidate) => candidate === args.positionals[0]!.toUpperCase());
    if (!method) throw new UsageError(`METHOD must be one of ${methods.join(', ')}.`);
    const client = clientOf(await findConnection(args, screen.env), args);
    const [path, search] = pathFrom(args.positionals[1]!);
    const operation = operationFor(method, path);
    const fields = args.texts('field').map(fieldFrom);
    const query = operation.body ? search : withFields(search, fields);
    const print = printerOf(screen, args.text('jq'));
    if (args.has('paginate')) return printAll(client, operation, query, print);
    const body = operation.body ? await bodyFrom(args, fields) : undefined;
    const { status, results, filtered, total } = await client.call(operation, { query, ...(body && { body }) });
    await print(escapedJson({ status, results, filtered, total }, 2));
  },
};

type Print = (json: string) => Promise<void>;

const printerOf =
  ({ out }: Screen, jq: string | undefined): Print =>
  async (json) =>
    out.write(jq === undefined ? `${json}\n` : await runJq(json, jq));

type Query = Record<string, string[]>;

function pathFrom(text: string): [path: string, query: Query] {
  const url = new URL(text.startsWith('/') ? text : `/${text}`, 'http://service');
  const query: Query = {};
  for (const name of url.searchParams.keys()) query[name] = url.searchParams.getAll(name);
  return [absolutePath.test(url.pathname) ? url.pathname : `/api/v2${url.pathname}`, query];
}

/** Describes the request as an operation, so that operations of a newer service can be called too. */
const operationFor = (method: OperationInfo['method'], path: string): OperationInfo => ({
  id: `${method} ${path}`,
  method,
  // Braces would be parsed as path parameters.
  path: path.replaceAll(/[{}]/g, encodeURIComponent),
  summary: '',
  group: '',
  query: [],
  body: method === 'POST' || method === 'PUT',
  bodyRequired: false,
  writes: method !== 'GET',
  listed: method === 'GET',
  counted: false,
  success: [200, 201, 202],
});

function fieldFrom(text: string): [name: string, value: string] {
  const position = text.indexOf('=');
  if (position < 1) throw new UsageError(`--field takes NAME=VALUE, not ${JSON.stringify(text)}.`);
  return [text.slice(0, position), text.slice(position + 1)];
}

function withFields(query: Query, fields: readonly [string, string][]): Query {
  const merged: Query = { ...query };
  for (const [name, value] of fields) merged[name] = [...(merged[name] ?? []), value];
  return merged;
}

async function bodyFrom(args: Arguments, fields: readonly [string, string][]): Promise<JsonObject | undefined> {
  const file = args.text('input');
  const records = file === undefined ? [] : await readRecords(file);
  if (records.length > 1) throw new UsageError('--input takes one JSON object.');
  if (records.length === 0 && fields.length === 0) return undefined;
  const settings = fields.map(([name, value]) => ({ steps: name.split('.'), value: typed(value) }));
  return applySettings(records[0]?.record ?? {}, settings);
}

function typed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

async function printAll(client: Client, operation: OperationInfo, query: Query, print: Print): Promise<void> {
  if (operation.method !== 'GET') throw new UsageError('--paginate requires GET.');
  let page: string[] = [];
  for await (const record of client.walk(operation, { query })) {
    if (page.push(escapedJson(record)) < pageSize) continue;
    await print(page.join('\n'));
    page = [];
  }
  if (page.length > 0) await print(page.join('\n'));
}
