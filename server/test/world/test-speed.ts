/** True if slow tests that seldom fail are left to `npm test`: `npm run check` sets it. */
export const isQuick = (): boolean => process.env.PORTREEVE_TEST_QUICKLY !== undefined;

/** Returns the number of runs of a property test, reduced in a quick run. */
export const manyRuns = (runs: number): number => (isQuick() ? Math.ceil(runs / 10) : runs);
