import type { Answer } from '@portreeve/sdk/runtime.ts';
import type { VerbContext } from '../context.ts';
import { line } from '../output.ts';
import { followTask, taskOf } from '../tasks.ts';
import { harmlessJson } from '../text.ts';

/** Reports a completed write; follows its background task if there is one. */
export async function emitWritten(
  { screen, client, args }: VerbContext,
  answer: Answer,
  sentence: string,
): Promise<void> {
  const json = args.has('json');
  const task = taskOf(answer);
  if (task !== undefined && !args.has('no-wait')) return followTask(screen, client, task, json);
  const { id, location, etag } = answer;
  if (json) return line(screen.out, harmlessJson({ status: answer.status, id, location, version: versionOf(etag) }));
  if (task !== undefined)
    return line(screen.out, `Started task ${task}. To follow it: portreeve background-task watch ${task}`);
  await line(screen.out, sentence);
}

const versionOf = (etag: string | undefined): number | undefined => {
  const digits = /\d+/.exec(etag ?? '')?.[0];
  return digits === undefined ? undefined : Number(digits);
};
