import { type Context, job, reconciler } from '@portreeve/server/context.ts';

/** The table into which the commits of the benchmark insert two rows each. */
export const workTableSql = `create table if not exists bench_work (
    id bigint generated always as identity primary key, commit_id bigint not null, note text not null, begun_ns bigint);
  grant select, insert, update, delete, truncate on bench_work to portreeve_service;`;

/** Cheap work, so that the cost of causing it is visible. */
const look = (context: Context) => context.write((tx) => tx.client.query('select max(id) from bench_work'));

/** Work that marks the rows with its start time, on the clock that all processes of a machine share. */
const mark = (context: Context) => {
  const startNs = process.hrtime.bigint();
  return context.write((tx) =>
    tx.client.query('update bench_work set begun_ns = $1 where begun_ns is null', [String(startNs)]),
  );
};

const works = { look, mark } as const;

const reconcilerOf = (name: keyof typeof works) =>
  reconciler(`bench-${name}`, {
    doc: 'Work that a commit of the benchmark causes',
    everySeconds: 3_600,
    secondsMax: 30,
    run: async ({ context }) => void (await works[name](context)),
  });

const jobOf = (name: keyof typeof works) =>
  job(`bench-${name}-job`, {
    doc: 'The same as a job for each commit',
    secondsMax: 30,
    repeatable: true,
    run: async (_payload, { context }) => void (await works[name](context)),
  });

/** One reconciler and one job of each kind. */
export const workOverlay = {
  reconcilers: [reconcilerOf('look'), reconcilerOf('mark')],
  jobs: [jobOf('look'), jobOf('mark')],
};
