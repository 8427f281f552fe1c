import type { Answer } from '@portreeve/sdk/runtime.ts';
import { wordsOf } from '../parts/message.tsx';
import { text } from '../texts/text.ts';
import type { Subject } from './subject.ts';

/** Does something with each record, and answers what came of it; one that fails does not keep the others from it. */
export async function doneOneByOne(subject: Subject, call: (id: string) => Promise<Answer>): Promise<Answer> {
  const results: { record: string; result: string }[] = [];
  let answer: Answer | undefined;
  let failure: unknown;
  for (const { id, name } of subject) {
    try {
      answer = await call(id);
      results.push({ record: name, result: text.act.done });
    } catch (error) {
      failure ??= error;
      results.push({ record: name, result: wordsOf(error) });
    }
  }
  // Where nothing was done, the first reason stands for all: it may name a field that was entered.
  if (!answer) throw failure;
  return { ...answer, results, filtered: undefined };
}
