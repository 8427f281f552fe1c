import { readFile } from 'node:fs/promises';

/** The closing line of a test run, from the report of the runner; fails when a test did, or when none ran. */
const [file] = process.argv.slice(2);
const report = JSON.parse(await readFile(file!, 'utf8')) as {
  numPassedTests: number;
  numFailedTests: number;
  numFailedTestSuites: number;
  success: boolean;
};
// A file that does not load has no failed test of its own.
const failed = report.numFailedTests || (report.success ? 0 : Math.max(1, report.numFailedTestSuites));
console.log(`${report.numPassedTests} passed, ${failed} failed`);
process.exitCode = failed > 0 || report.numPassedTests === 0 ? 1 : 0;
