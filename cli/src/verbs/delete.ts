import { type Answer, PortreeveError } from '@portreeve/sdk/runtime.ts';
import { askForConfirmation } from '../ask.ts';
import { identityFrom, ownQuery, pathOfOne, type VerbContext, writeOptions } from '../context.ts';
import type { Group } from '../groups.ts';
import { line } from '../output.ts';
import type { JsonObject } from '../set.ts';
import { counted, escapedJson } from '../text.ts';
import { UsageError } from '../usage-error.ts';
import { emitImpact, impactQuery, reportsImpact, sendImpact } from './impact.ts';
import { emitWritten, recordWords } from './written.ts';

/** Deletes one or several records; if one cannot be deleted, none is. */
export async function remove(context: VerbContext): Promise<void> {
  const { screen, args, group } = context;
  const ids = await Promise.all(args.positionals.map((word) => identityFrom(context, word)));
  const what = ids.length === 1 ? await describeRecord(context, ids[0]!) : manyWords(group, ids);
  const isDry = args.has('dry-run');
  if (!isDry && !args.has('yes')) {
    if (!screen.isInteractive)
      throw new UsageError(`The input is not a terminal. Use --yes to confirm deleting ${what}.`);
    if (!(await askForConfirmation(`Delete ${what}?`))) throw new UsageError('Nothing was deleted.');
  }
  const answer = await sendImpact(context, () => send(context, ids));
  if (!isDry) return emitWritten(context, answer, `Deleted ${what}.`);
  if (reportsImpact(context)) return emitImpact(context, answer);
  if (args.has('json')) await line(screen.out, escapedJson({ status: answer.status, id: ids }));
  else await line(screen.out, `${what} can be deleted.`);
  await line(screen.err, screen.err.style('yellow', 'Dry run: nothing was deleted.'));
}

async function send(context: VerbContext, ids: readonly number[]): Promise<Answer<JsonObject>> {
  const { client, verb, group } = context;
  const options = { ...writeOptions(context), query: { ...(await ownQuery(context)), ...impactQuery(context) } };
  const many = group.operations.get('delete-many');
  const isList = verb.operation.body || (ids.length > 1 && many);
  if (isList) return client.call(verb.operation.body ? verb.operation : many!, { ...options, body: { id: ids } });
  if (ids.length > 1) throw new UsageError(`${group.name} records can only be deleted one at a time.`);
  return client.call(verb.operation, { ...options, path: { id: ids[0]! } });
}

const idsShown = 20;

function manyWords({ name }: Group, ids: readonly number[]): string {
  const shown = ids.slice(0, idsShown).join(', ');
  return `${counted(ids.length, `${name} record`)}: ${shown}${ids.length > idsShown ? ', …' : ''}`;
}

/** Describes a record by its name; by its id if it cannot be read. */
async function describeRecord({ client, group, args }: VerbContext, id: number): Promise<string> {
  const fetch = group.operations.get('fetch');
  if (!fetch || args.has('json')) return recordWords(group, id, undefined);
  try {
    const { results } = await client.call<JsonObject>(fetch, { path: pathOfOne(fetch, id) });
    return recordWords(group, id, results[0]);
  } catch (error) {
    if (error instanceof PortreeveError) return recordWords(group, id, undefined);
    throw error;
  }
}
