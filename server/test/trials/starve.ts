import { readFileSync } from 'node:fs';
import { expect } from 'vitest';
import type { ServedCell } from '../world/cell.ts';

/** Timeouts for a busy machine. */
const patient = { timeout: 240_000 };

/** Stops the process of a node until the returned function is called. */
export function freeze(frozen: ServedCell['nodes'][0]): () => void {
  // The process of the cell is the watcher of the node; the node is its child.
  const node = Number(readFileSync(`/proc/${frozen.pid()}/task/${frozen.pid()}/children`, 'utf8'));
  process.kill(node, 'SIGSTOP');
  return () => process.kill(node, 'SIGCONT');
}

/**
 * Lets the first of two nodes begin a job, freezes it until the second one has taken the job over, and lets it continue
 * at the same time. Returns the task of the job when it has ended.
 */
export async function starve(
  cell: ServedCell,
  { begin, isBusy }: { begin(): Promise<void>; isBusy(): Promise<boolean> },
): Promise<{ state: string; attempts: number; error: string | null }> {
  const [first, second] = cell.nodes as [(typeof cell.nodes)[0], (typeof cell.nodes)[0]];
  // Only one node runs, so it must be the one that begins the job.
  await cell.kill9(second);
  const newest = async () => {
    const { rows } = await cell.sql.query<{ state: string; attempts: number; error: string | null; job: string }>(
      `select t.state, t.attempts, t.error_message as error, j.state::text as job from background_task t
       join pgboss.job j on j.name = t.job_name and j.id::text = t.queue_job_id order by t.id desc limit 1`,
    );
    return rows[0]!;
  };
  await begin();
  await expect.poll(isBusy, { interval: 10 }).toBe(true);
  const goOn = freeze(first);
  try {
    expect(await newest()).toMatchObject({ state: 'RUNNING', attempts: 1 });
    await cell.startNode(second);
    await expect.poll(async () => (await newest()).attempts, patient).toBe(2);
  } finally {
    goOn();
  }
  await expect.poll(async () => (await newest()).state, patient).toMatch(/COMPLETED|FAILED/);
  const { job, ...task } = await newest();
  expect(job).toBe('completed');
  return task;
}
