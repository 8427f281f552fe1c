import { ownQuery, pathFrom, type VerbContext } from '../context.ts';
import { namesIn } from '../formats.ts';
import { line } from '../output.ts';
import { type Printer, printerFor } from '../printer.ts';
import { ReferenceNames } from '../reference-names.ts';
import { fieldNamed, renamedIdentity } from '../schema.ts';
import type { JsonObject } from '../set.ts';
import { Table } from '../table.ts';
import { counted, escapedJson, grouped } from '../text.ts';
import { UsageError } from '../usage-error.ts';

const pageSize = 1_000;

/** Returns the query parameters of a list from the options. */
export async function selectionOf(context: VerbContext): Promise<Record<string, unknown>> {
  const { args } = context;
  const sortKey = args.text('sort');
  return {
    ...(await ownQuery(context)),
    filter: filtersOf(context),
    sortKey: sortKey && fieldNamed(sortKey, shownRecord(context)),
    sortDir: args.has('desc') ? 'desc' : undefined,
  };
}

const shownRecord = ({ document, group, verb }: VerbContext) => document.result(verb.operation) ?? group.record;

/** Returns the filters; `id` selects the identity field of every resource. */
export function filtersOf(context: VerbContext): string[] {
  const identity = renamedIdentity(shownRecord(context));
  const filters = context.args.texts('filter');
  return identity === undefined ? [...filters] : filters.map((filter) => withSelector(filter, identity));
}

/** Replaces the selector `id` of an RSQL filter; quoted values stay as they are. */
const withSelector = (filter: string, identity: string): string =>
  filter
    .split(/("(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*')/)
    .map((part, index) =>
      index % 2 === 1 ? part : part.replaceAll(/(^|[;,(\s])id(?=\s*(?:[=!]=|=[a-z]+=|[<>]))/g, `$1${identity}`),
    )
    .join('');

/** Returns the selected columns. */
export const columnsOf = ({ args }: VerbContext): string[] | undefined => namesIn(args.text('columns'));

/** Returns the printer for the output options; undefined for a table. */
export const printerOf = (context: VerbContext, form: Parameters<typeof printerFor>[1]): Printer | undefined =>
  printerFor({ ...context, schema: context.document.result(context.verb.operation) }, form);

export async function list(context: VerbContext): Promise<void> {
  const { args } = context;
  if (args.has('count') && args.has('limit'))
    throw new UsageError('--limit and --count have the same meaning. Use one of them.');
  if (args.has('all') && (args.has('start') || args.has('count') || args.has('limit')))
    throw new UsageError('Use either --all or --start and --count, not both.');
  return args.has('all') ? listAll(context) : listPage(context);
}

async function listPage(context: VerbContext): Promise<void> {
  const { client, verb, args } = context;
  const printer = printerOf(context, 'list') ?? tableOf(context);
  const count = args.number('limit') ?? args.number('count');
  const query = { ...(await selectionOf(context)), start: args.number('start'), count };
  const path = await pathFrom(context, args.positionals);
  const page = await client.call<JsonObject>(verb.operation, { path, query });
  await printer.print(page.results);
  const { filtered = page.results.length, total = filtered } = page;
  const isShort = page.next !== undefined ? '; --all shows the rest' : '';
  await footer(context, page.results.length, filtered, total, isShort);
}

/** Prints all pages; the first one determines the columns of the table. */
async function listAll(context: VerbContext): Promise<void> {
  const { screen, client, verb } = context;
  const query = { ...(await selectionOf(context)), count: pageSize };
  const path = await pathFrom(context, context.args.positionals);
  const printer: Printer = printerOf(context, 'pages') ?? tableOf(context);
  let page: JsonObject[] = [];
  let shown = 0;
  for await (const record of client.walk<JsonObject>(verb.operation, { path, query })) {
    shown++;
    if (page.push(record) < pageSize) continue;
    await printer.print(page);
    page = [];
  }
  if (page.length > 0 || shown === 0) await printer.print(page);
  await printer.end?.();
  await line(screen.err, screen.err.style('dim', `${counted(shown, 'record')} in total.`));
}

const tableOf = (context: VerbContext): Table =>
  new Table(context.screen.out, context.document.result(context.verb.operation), context.document, {
    columns: columnsOf(context),
    isRaw: context.args.has('raw'),
    names: new ReferenceNames(context.client),
  });

async function footer(
  { screen, args }: VerbContext,
  shown: number,
  filtered: number,
  total: number,
  advice: string,
): Promise<void> {
  const matching = args.has('filter') ? `${grouped(filtered)} matching, ${grouped(total)} in total` : grouped(total);
  await line(screen.err, screen.err.style('dim', `${counted(shown, 'record')} of ${matching}${advice}.`));
}

/** Prints the number of records. */
export async function count(context: VerbContext): Promise<void> {
  const { screen, client, verb, args } = context;
  const { filtered, total } = await client.call(verb.operation, {
    query: { ...(await ownQuery(context)), filter: filtersOf(context) },
  });
  if (args.has('json')) return line(screen.out, escapedJson({ filtered, total }));
  await line(screen.out, String(filtered ?? total ?? 0));
  if (args.has('filter') && total !== undefined)
    await line(screen.err, screen.err.style('dim', `${grouped(filtered ?? 0)} matching, ${grouped(total)} in total.`));
}
