import { setTimeout as sleep } from 'node:timers/promises';
import { operations } from '@portreeve/sdk/generated/operations.ts';
import type { Answer, Client } from '@portreeve/sdk/runtime.ts';
import { line, type Screen } from './output.ts';
import { ProgressBar } from './progress.ts';
import { counted, escapedJson, escapeUnsafe } from './text.ts';

const pollMs = 500;
const taskLocation = /\/system\/background-task\/(\d+)$/;

interface Task {
  message: string;
  state: string;
  progress: { done: number; total: number; step: string };
  errorMessage: string | null;
  report: { item: string; outcome: string; detail: string }[];
  resultLocation: string | null;
}

/** Returns the id of the background task that a response refers to. */
export function taskOf(answer: Answer): number | undefined {
  const id = answer.httpCode === 202 && answer.location ? taskLocation.exec(answer.location)?.[1] : undefined;
  return id === undefined ? undefined : Number(id);
}

/** A task that failed or was cancelled. */
class TaskFailed extends Error {
  override readonly name = 'TaskFailed';
  readonly word = 'error';
}

/** Follows a task until it ends and prints its result. Ctrl-C stops following, not the task. */
export async function followTask(screen: Screen, client: Client, id: number, json: boolean): Promise<void> {
  const task = await watchTask(screen, client, id);
  if (!task) return;
  if (json) await line(screen.out, escapedJson(task, 2));
  else await emitReport(screen, task);
  refuseFailed(id, task);
  await line(screen.err, `Task ${id} is done: ${escapeUnsafe(task.message)}`);
}

/** Shows the progress of a task until it ends; returns undefined if the user stopped watching. */
export async function watchTask(screen: Screen, client: Client, id: number): Promise<Task | undefined> {
  const bar = new ProgressBar(screen.err, `Task ${id}`);
  const stopped = new AbortController();
  const stop = () => stopped.abort();
  process.once('SIGINT', stop);
  try {
    return await untilEnded(client, id, bar, stopped.signal);
  } catch (error) {
    if (!stopped.signal.aborted) throw error;
    await bar.end();
    await line(
      screen.err,
      `Task ${id} continues in the background. Follow it with: portreeve background-task watch ${id}`,
    );
    process.exitCode = 130;
    return undefined;
  } finally {
    await bar.end();
    process.off('SIGINT', stop);
  }
}

export function refuseFailed(id: number, { state, errorMessage }: Task): void {
  if (state === 'COMPLETED') return;
  const why = errorMessage ? `: ${errorMessage}` : '.';
  throw new TaskFailed(`Task ${id} ${state === 'FAILED' ? 'failed' : 'was cancelled'}${why}`);
}

async function untilEnded(client: Client, id: number, bar: ProgressBar, signal: AbortSignal): Promise<Task> {
  for (;;) {
    const { results } = await client.call<Task>(operations['background-task.fetch'], { path: { id }, signal });
    const task = results[0]!;
    if (['COMPLETED', 'FAILED', 'CANCELLED'].includes(task.state)) return task;
    const { done, total, step } = task.progress;
    await bar.show(done, total, step || (task.state === 'RUNNING' ? task.message : task.state.toLowerCase()));
    await sleep(pollMs, undefined, { signal });
  }
}

const reportMax = 20;

/** Prints the outcome of each item; a long report is summarised. */
async function emitReport({ out, err }: Screen, { report, resultLocation }: Task): Promise<void> {
  for (const { item, outcome, detail } of report.slice(0, reportMax))
    await line(out, [item, outcome, detail].filter(Boolean).map(escapeUnsafe).join('  '));
  const remainingItems = report.slice(reportMax);
  const sums = Object.entries(Object.groupBy(remainingItems, ({ outcome }) => outcome));
  for (const [outcome, items] of sums)
    await line(err, `${counted(items!.length, 'more item')}: ${escapeUnsafe(outcome)}`);
  if (resultLocation) await line(out, escapeUnsafe(resultLocation));
}
