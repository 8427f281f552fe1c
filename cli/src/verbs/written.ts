import type { Answer } from '@portreeve/sdk/runtime.ts';
import type { VerbContext } from '../context.ts';
import { outputOptionsFrom } from '../formats.ts';
import type { Group } from '../groups.ts';
import { line } from '../output.ts';
import { printValue } from '../printer.ts';
import type { JsonObject } from '../set.ts';
import { followTask, taskOf } from '../tasks.ts';
import { escapeUnsafe } from '../text.ts';

/** Describes a record by resource, id and name: `container 12 "Library"`. */
export function recordWords(group: Group, id: unknown, record: JsonObject | undefined): string {
  const name = group.label === undefined ? undefined : record?.[group.label];
  const called = typeof name === 'string' && name !== '' ? JSON.stringify(escapeUnsafe(name)) : '';
  return [group.name, id ?? '', called].filter((word) => word !== '').join(' ');
}

/** Reports a completed write; follows its background task if there is one. */
export async function emitWritten(
  { screen, client, args }: VerbContext,
  answer: Answer,
  sentence: string,
): Promise<void> {
  const json = outputOptionsFrom(args).format === 'json';
  const task = taskOf(answer);
  if (task !== undefined && !args.has('no-wait')) return followTask(screen, client, task, json);
  const { id, location, etag } = answer;
  if (await printValue({ screen, args }, { status: answer.status, id, location, version: versionOf(etag) })) return;
  if (task !== undefined)
    return line(screen.out, `Started task ${task}. Follow it with: portreeve background-task watch ${task}`);
  await line(screen.out, sentence);
}

const versionOf = (etag: string | undefined): number | undefined => {
  const digits = /\d+/.exec(etag ?? '')?.[0];
  return digits === undefined ? undefined : Number(digits);
};
