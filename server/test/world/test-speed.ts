/** Whether tests leave to `npm test` what takes long and seldom fails: `npm run check` has it so. */
export const isQuick = (): boolean => process.env.PORTREEVE_TEST_QUICKLY !== undefined;

/** How many cases a property is tried with, when there is time. */
export const manyRuns = (runs: number): number => (isQuick() ? Math.ceil(runs / 10) : runs);
