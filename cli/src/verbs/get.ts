import { ownQuery, pathFrom, singleResult, type VerbContext } from '../context.ts';
import { printRecord } from '../record-view.ts';
import { ReferenceNames } from '../reference-names.ts';
import type { JsonObject } from '../set.ts';
import { printerOf } from './list.ts';

/** Prints one record, one field per line. */
export async function get(context: VerbContext): Promise<void> {
  const { screen, client, verb, args, document, group } = context;
  const printer = printerOf(context, 'record');
  const path = await pathFrom(context, args.positionals);
  const answer = await client.call<JsonObject>(verb.operation, { path, query: await ownQuery(context) });
  const record = singleResult(answer, group.name);
  if (printer) return printer.print([record]);
  await printRecord(screen.out, record, document.result(verb.operation), document, {
    explain: args.has('explain'),
    isRaw: args.has('raw'),
    names: new ReferenceNames(client),
  });
}
