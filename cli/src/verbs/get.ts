import { onlyResult, ownQuery, pathFrom, type VerbContext } from '../context.ts';
import { line } from '../output.ts';
import { printRecord } from '../record-view.ts';
import { harmlessJson } from '../text.ts';

/** Prints one record, one field per line. */
export async function get(context: VerbContext): Promise<void> {
  const { screen, client, verb, args, document, group } = context;
  const path = await pathFrom(context, args.positionals);
  const answer = await client.call(verb.operation, { path, query: ownQuery(context) });
  const record = onlyResult(answer, group.name);
  if (args.has('json')) return line(screen.out, harmlessJson(record, 2));
  await printRecord(screen.out, record, document.result(verb.operation), document, {
    explain: args.has('explain'),
    isRaw: args.has('raw'),
  });
}
