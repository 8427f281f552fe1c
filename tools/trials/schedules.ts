import { compareSchedules } from '@portreeve/server/test/trials/schedules.ts';
import { migratedDatabase } from '@portreeve/server/test/world/databases.ts';
import { number } from '../command.ts';
import { defineTrial } from '../define-trial.ts';
import { reportVerdict } from '../verdict.ts';

export const trial = defineTrial({
  doc: 'Every minute of a year in four zones: engine, slow engine and SQL agree on weekly schedules, and on the next boundary.',
  options: { year: number(2_027, 'the year') },
  async run({ year }) {
    const database = await migratedDatabase();
    const faults: string[] = [];
    try {
      const options = {
        zones: ['Europe/Berlin', 'America/New_York', 'Australia/Lord_Howe', 'UTC'],
        from: `${year}-01-01T00:00Z`,
        to: `${year + 1}-01-01T00:00Z`,
      };
      for await (const report of compareSchedules(database.serviceUrl, options)) {
        console.log(
          `${report.zone}: ${report.schedules} schedules, ${report.minutes} minutes, ${report.changes} changes of the clock, ${report.differences.length} differences`,
        );
        faults.push(...report.differences);
      }
    } finally {
      await database.drop();
    }
    reportVerdict(faults);
  },
});
