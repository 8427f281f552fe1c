import { job } from '../../context.ts';
import { ageOut } from './age-out.ts';
import { endGrace } from './end-grace.ts';
import { runImport } from './import/run-import.ts';

export const healthGrace = job('health-grace', {
  doc: 'Mark hosts at risk when their grace period is over',
  at: '* * * * *',
  secondsMax: 55,
  repeatable: true,
  async run(_payload, { context, signal }) {
    while (!signal.aborted && (await context.write(endGrace)));
  },
});

export const hostAging = job('host-aging', {
  doc: 'Delete hosts that expired or were absent too long',
  at: '*/10 * * * *',
  secondsMax: 580,
  repeatable: true,
  async run(_payload, { context, signal }) {
    await ageOut(context, signal);
  },
});

/** Writes the hosts of a file. The failed lines are stored for a week. */
export const hostImport = job('host-import', {
  doc: 'Import hosts from a file',
  secondsMax: 3_600,
  repeatable: true,
  run: (payload, run) => runImport((payload as { importID: number }).importID, run),
});

/** Deletes old imports with their failed lines. */
export const hostImportSweep = job('host-import-sweep', {
  doc: 'Delete records of host imports after a week',
  at: '17 * * * *',
  secondsMax: 60,
  repeatable: true,
  async run(_payload, { context }) {
    await context.query(`delete from host_import where created_at < now() - interval '7 days'`, []);
  },
});
