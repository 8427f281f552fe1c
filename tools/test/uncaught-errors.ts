import { writeFileSync } from 'node:fs';
import type { Reporter } from 'vitest/node';

/** Where a run of vitest stores how many errors no test caught, such as a rejected promise that nobody awaits. */
export const uncaughtFile = '.portreeve/test-uncaught.json';

/** A reporter: vitest's JSON report does not count what happened outside of every test. */
// biome-ignore lint/style/noDefaultExport: vitest takes the default export of a reporter.
export default class UncaughtErrors implements Reporter {
  onTestRunEnd: Reporter['onTestRunEnd'] = (_modules, errors) => {
    writeFileSync(uncaughtFile, JSON.stringify(errors.length));
  };
}
