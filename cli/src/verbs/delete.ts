import type { Answer } from '@portreeve/sdk/runtime.ts';
import { confirmed } from '../ask.ts';
import { identityFrom, ownQuery, pathOfOne, type VerbContext, writeOptions } from '../context.ts';
import { line } from '../output.ts';
import type { JsonObject } from '../set.ts';
import { counted, harmless, harmlessJson } from '../text.ts';
import { UsageError } from '../usage-error.ts';
import { emitImpact, impactQuery, showsImpact } from './impact.ts';
import { emitWritten } from './written.ts';

/** Deletes one record, or several: all or none of them. */
export async function remove(context: VerbContext): Promise<void> {
  const { screen, args, group } = context;
  const ids = await Promise.all(args.positionals.map((word) => identityFrom(context, word)));
  const what = ids.length === 1 ? `${group.name} ${ids[0]}` : `${counted(ids.length, `${group.name} record`)}`;
  const isDry = args.has('dry-run');
  if (!isDry && !args.has('yes')) {
    if (!screen.isInteractive) throw new UsageError(`Not a terminal. Use --yes to confirm deleting ${what}.`);
    if (!(await confirmed(`Delete ${what}${await calledWhat(context, ids)}?`)))
      throw new UsageError('Nothing was deleted.');
  }
  const answer = await send(context, ids);
  if (!isDry) return emitWritten(context, answer, `Deleted ${what}.`);
  if (showsImpact(context)) return emitImpact(context, answer);
  if (args.has('json')) await line(screen.out, harmlessJson({ status: answer.status, id: ids }));
  else await line(screen.out, `${what} can be deleted.`);
  await line(screen.err, screen.err.style('yellow', 'Dry run: nothing was deleted.'));
}

async function send(context: VerbContext, ids: readonly number[]): Promise<Answer<JsonObject>> {
  const { client, verb, group } = context;
  const options = { ...writeOptions(context), query: { ...ownQuery(context), ...impactQuery(context) } };
  const many = group.operations.get('delete-many');
  const isList = verb.operation.body || (ids.length > 1 && many);
  if (isList) return client.call(verb.operation.body ? verb.operation : many!, { ...options, body: { id: ids } });
  if (ids.length > 1) throw new UsageError(`${group.name} records are deleted one at a time.`);
  return client.call(verb.operation, { ...options, path: { id: ids[0]! } });
}

/** The name of a record, for the confirmation prompt. */
async function calledWhat({ client, group }: VerbContext, ids: readonly number[]): Promise<string> {
  const fetch = group.operations.get('fetch');
  if (!fetch || !group.label || ids.length !== 1) return '';
  const { results } = await client.call<Record<string, unknown>>(fetch, { path: pathOfOne(fetch, ids[0]!) });
  const label = results[0]?.[group.label];
  return label === undefined ? '' : ` ${JSON.stringify(harmless(String(label)))}`;
}
