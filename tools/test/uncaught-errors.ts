import { writeFileSync } from 'node:fs';
import type { Reporter } from 'vitest/node';

/** The file in which a run of vitest stores the number of errors outside of tests, such as unhandled rejections. */
export const uncaughtFile = '.portreeve/test-uncaught.json';

/** A reporter: vitest's JSON report does not count errors outside of tests. */
// biome-ignore lint/style/noDefaultExport: vitest takes the default export of a reporter.
export default class UncaughtErrors implements Reporter {
  onTestRunEnd: Reporter['onTestRunEnd'] = (_modules, errors) => {
    writeFileSync(uncaughtFile, JSON.stringify(errors.length));
  };
}
