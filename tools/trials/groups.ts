import { groupsTrial } from '@portreeve/server/test/trials/groups.ts';
import { openWorld } from '@portreeve/server/test/world/open-world.ts';
import { number } from '../command.ts';
import { defineTrial } from '../define-trial.ts';
import { reportVerdict } from '../verdict.ts';

export const trial = defineTrial({
  doc: 'A group of a million ports ten levels deep among fifty thousand others, and eight editors who nest groups at the same time.',
  options: {
    members: number(1_000_000, 'members of the large group'),
    groups: number(50_000, 'other groups'),
    editors: number(8, 'editors at the same time'),
    edits: number(200, 'edits of each'),
    seed: number(1, 'seed of every random choice'),
  },
  async run(values) {
    const { members, groups, seed } = values;
    const world = await openWorld();
    try {
      console.log(`${members} members, ${groups} groups, seed ${seed}`);
      const reported = (what: string, ms: number) => console.log(`${ms.toFixed(1).padStart(10)} ms  ${what}`);
      const report = await groupsTrial(world, { ...values, reported });
      console.log(
        `edits of the nesting: ${report.edits.won} won, ${report.edits.refused} refused as circles or as too deep`,
      );
      reportVerdict(report.faults);
    } finally {
      await world.close();
    }
  },
});
