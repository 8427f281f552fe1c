import type { Command } from '../command.ts';
import { line } from '../output.ts';

export const cellTimeZone: Command = {
  name: 'cell time-zone',
  positionals: ['NAME'],
  doc: 'Set the time zone of weekly schedules, such as Europe/Berlin',
  about: [
    'Applies to the whole cell: policies, profiling rules and the sign-in hours of administrators.',
    'Uses the database of this node and needs no sign-in.',
  ],
  options: {},
  async run(args, screen) {
    const { setCellTimeZone } = await import('@portreeve/server/node/cell-time-zone.ts');
    const { readConfig } = await import('@portreeve/server/node/config.ts');
    const { runOnce } = await import('@portreeve/server/node/run-once.ts');
    const name = args.positionals[0]!;
    const before = await runOnce(await readConfig(), (tx) => setCellTimeZone(tx, name));
    await line(
      screen.out,
      before === name
        ? `The time zone of weekly schedules is already ${name}.`
        : `The time zone of weekly schedules is now ${name} (before: ${before}). It applies to policies, profiling rules and the sign-in hours of administrators.`,
    );
  },
};
