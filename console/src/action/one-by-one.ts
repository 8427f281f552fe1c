import type { Answer } from '@portreeve/sdk/runtime.ts';
import { messageOf } from '../parts/message-of.ts';
import { text } from '../texts/text.ts';
import type { NamedRecord, Subject } from './subject.ts';

/** The result for one record. */
interface Outcome {
  record: string;
  result: string;
}

/** Calls an operation once per record and returns one result each. A failed call does not stop the rest. */
export async function callOneByOne(
  subject: Subject,
  call: (id: string) => Promise<Answer>,
  { signal, onProgress }: { signal: AbortSignal; onProgress(done: number): void },
): Promise<Answer> {
  const results: Outcome[] = [];
  let answer: Answer | undefined;
  let failure: unknown;
  const callFor = async ({ id, name }: NamedRecord): Promise<Outcome> => {
    if (signal.aborted) return { record: name, result: text.act.notStarted };
    try {
      answer = await call(id);
      return { record: name, result: text.act.done };
    } catch (error) {
      failure ??= error;
      return { record: name, result: messageOf(error) };
    }
  };
  for (const record of subject) {
    results.push(await callFor(record));
    onProgress(results.length);
  }
  // If every call failed, the first error is thrown, because it may name an invalid field of the form.
  if (!answer) throw failure ?? new Error(text.act.notStarted);
  return { ...answer, results, filtered: undefined };
}
