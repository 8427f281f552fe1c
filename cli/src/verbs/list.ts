import { ownQuery, type VerbContext } from '../context.ts';
import { namesIn } from '../formats.ts';
import { line } from '../output.ts';
import { type Printer, printerFor } from '../printer.ts';
import { ReferenceNames } from '../reference-names.ts';
import type { JsonObject } from '../set.ts';
import { Table } from '../table.ts';
import { counted, grouped, harmlessJson } from '../text.ts';
import { UsageError } from '../usage-error.ts';

const pageSize = 1_000;

/** The parameters of a list, from the options. */
export function selectionOf(context: VerbContext): Record<string, unknown> {
  const { args } = context;
  return {
    ...ownQuery(context),
    filter: args.texts('filter'),
    sortKey: args.text('sort'),
    sortDir: args.has('desc') ? 'desc' : undefined,
  };
}

/** The chosen columns. */
export const columnsOf = ({ args }: VerbContext): string[] | undefined => namesIn(args.text('columns'));

/** The printer that the options ask for; undefined: a table. */
export const printerOf = (context: VerbContext, form: Parameters<typeof printerFor>[1]): Printer | undefined =>
  printerFor({ ...context, schema: context.document.result(context.verb.operation) }, form);

export async function list(context: VerbContext): Promise<void> {
  const { args } = context;
  if (args.has('all') && (args.has('start') || args.has('count')))
    throw new UsageError('Use either --all or --start and --count, not both.');
  return args.has('all') ? listAll(context) : listPage(context);
}

async function listPage(context: VerbContext): Promise<void> {
  const { client, verb, args } = context;
  const printer = printerOf(context, 'list') ?? tableOf(context);
  const query = { ...selectionOf(context), start: args.number('start'), count: args.number('count') };
  const page = await client.call<JsonObject>(verb.operation, { ...path(context), query });
  await printer.print(page.results);
  const { filtered = page.results.length, total = filtered } = page;
  const isShort = page.next !== undefined ? '; --all shows the rest' : '';
  await footer(context, page.results.length, filtered, total, isShort);
}

/** Prints page after page; the first one decides the columns of the table. */
async function listAll(context: VerbContext): Promise<void> {
  const { screen, client, verb } = context;
  const query = { ...selectionOf(context), count: pageSize };
  const printer = printerOf(context, 'lines') ?? tableOf(context);
  let page: JsonObject[] = [];
  let shown = 0;
  for await (const record of client.walk<JsonObject>(verb.operation, { ...path(context), query })) {
    shown++;
    if (page.push(record) < pageSize) continue;
    await printer.print(page);
    page = [];
  }
  if (page.length > 0 || shown === 0) await printer.print(page);
  await line(screen.err, screen.err.style('dim', `${counted(shown, 'record')} in total.`));
}

const path = ({ args, verb }: VerbContext) => ({
  path: Object.fromEntries(
    [...verb.operation.path.matchAll(/\{(\w+)\}/g)].map(([, name], at) => [name!, args.positionals[at] ?? '']),
  ),
});

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
  more: string,
): Promise<void> {
  const matching = args.has('filter') ? `${grouped(filtered)} matching, ${grouped(total)} in total` : grouped(total);
  await line(screen.err, screen.err.style('dim', `${counted(shown, 'record')} of ${matching}${more}.`));
}

/** Prints the number of records. */
export async function count(context: VerbContext): Promise<void> {
  const { screen, client, verb, args } = context;
  const { filtered, total } = await client.call(verb.operation, {
    query: { ...ownQuery(context), filter: args.texts('filter') },
  });
  if (args.has('json')) return line(screen.out, harmlessJson({ filtered, total }));
  await line(screen.out, String(filtered ?? total ?? 0));
  if (args.has('filter') && total !== undefined)
    await line(screen.err, screen.err.style('dim', `${grouped(filtered ?? 0)} matching, ${grouped(total)} in total.`));
}
