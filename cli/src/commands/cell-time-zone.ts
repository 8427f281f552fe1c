import type { Command } from '../command.ts';
import { line } from '../output.ts';

export const cellTimeZone: Command = {
  name: 'cell time-zone',
  positionals: ['NAME'],
  doc: 'Set the time zone that weekly schedules follow, such as Europe/Berlin',
  about: [
    'It holds for the whole cell: policies, profiling rules and the hours of administrators.',
    'Works on the database of this node: nobody has to be signed in.',
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
        ? `Weekly schedules follow ${name} already.`
        : `Weekly schedules follow ${name} from now on (before: ${before}): those of policies and profiling rules, and the hours of administrators.`,
    );
  },
};
