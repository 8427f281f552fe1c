import { parseArgs } from 'node:util';
import { groupsTrial } from '@portreeve/server/testing/groups-trial.ts';
import { openWorld } from '@portreeve/server/testing/open-world.ts';
import { sayVerdict } from './verdict.ts';

/** A group of a million ports ten deep, fifty thousand groups beside it, and eight who nest at the same time. */
const { values } = parseArgs({
  options: {
    members: { type: 'string', default: '1000000' },
    groups: { type: 'string', default: '50000' },
    editors: { type: 'string', default: '8' },
    edits: { type: 'string', default: '200' },
    seed: { type: 'string', default: '1' },
  },
});
const [members, groups, editors, edits, seed] = [
  values.members,
  values.groups,
  values.editors,
  values.edits,
  values.seed,
].map(Number) as [number, number, number, number, number];
const world = await openWorld();
try {
  console.log(`${members} members, ${groups} groups, seed ${seed}`);
  const told = (what: string, ms: number) => console.log(`${ms.toFixed(1).padStart(10)} ms  ${what}`);
  const report = await groupsTrial(world, { members, groups, editors, edits, seed, told });
  console.log(
    `edits of the nesting: ${report.edits.won} won, ${report.edits.refused} refused as circles or as too deep`,
  );
  sayVerdict(report.faults);
} finally {
  await world.close();
}
