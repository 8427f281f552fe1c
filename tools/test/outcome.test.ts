import { describe, expect, test } from 'vitest';
import { closingLines, failing, outcomesOf, type Report, readCosts, recovered } from './outcome.ts';

const file = (name: string, ...tests: readonly (readonly [fullName: string, status: string])[]) => ({
  name: `/checkout/${name}`,
  status: tests.some(([, status]) => status === 'failed') ? 'failed' : 'passed',
  assertionResults: tests.map(([fullName, status]) => ({ fullName, status })),
});
const nameOf = (path: string) => path.replace('/checkout/', '');
const readOutcomes = (report: Report, costs: Record<string, number> = {}) =>
  outcomesOf(report, new Map(Object.entries(costs).map(([name, ms]) => [`/checkout/${name}`, ms])), nameOf);

describe('the outcome of a test run', () => {
  test('counts what passed and names what failed', () => {
    const outcomes = readOutcomes({
      testResults: [file('a.test.ts', ['one', 'passed'], ['two', 'failed'], ['x', 'skipped'])],
    });
    expect(closingLines(outcomes, [])).toEqual(['failed: a.test.ts > two', '1 passed, 1 failed']);
  });

  test('has a failure for a file that does not load', () => {
    const [outcome] = readOutcomes({ testResults: [{ ...file('a.test.ts'), status: 'failed' }] });
    expect(outcome).toMatchObject({ failed: ['(the file itself)'], passed: 0 });
  });

  test('fails a file of the gate that takes too much processor time, and no slow one', () => {
    const outcomes = readOutcomes(
      {
        testResults: [
          file('a.test.ts', ['one', 'passed']),
          file('b.slow.test.ts', ['one', 'passed']),
          file('c.e2e.test.ts', ['one', 'passed']),
        ],
      },
      { 'a.test.ts': 15_000, 'b.slow.test.ts': 90_000, 'c.e2e.test.ts': 60_000 },
    );
    expect(failing(outcomes)).toMatchObject([
      { file: 'a.test.ts', failed: ['takes more than 10 s of processor time'], passed: 1 },
    ]);
    expect(closingLines(outcomes, [])).toEqual([
      'Most processor time:',
      '   90.0 s  b.slow.test.ts',
      '   60.0 s  c.e2e.test.ts',
      '   15.0 s  a.test.ts',
      'failed: a.test.ts > takes more than 10 s of processor time',
      '3 passed, 1 failed',
    ]);
  });

  test('names a test that passed in the second run as unstable, once, and counts it as passed', () => {
    const [before] = readOutcomes({ testResults: [file('a.test.ts', ['one', 'failed'], ['two', 'failed'])] });
    const [after] = readOutcomes({ testResults: [file('a.test.ts', ['one', 'passed'], ['two', 'failed'])] });
    expect(recovered(before!, after!)).toEqual(['a.test.ts > one']);
    expect(closingLines([after!], ['a.test.ts > one', 'a.test.ts > one'])).toEqual([
      'failed: a.test.ts > two',
      'unstable: a.test.ts > one',
      '1 passed, 1 failed',
    ]);
  });

  test('counts an error outside of the tests as failed', () => {
    const [outcome] = readOutcomes({ testResults: [file('a.test.ts', ['one', 'passed'])] });
    expect(closingLines([outcome!], [], 1)).toEqual([
      'failed: 1 errors that no test caught, see above',
      '1 passed, 1 failed',
    ]);
  });

  test('takes the last of several costs of a file', () => {
    const lines = '{"file":"/a","cpuMs":10}\n{"file":"/b","cpuMs":20}\n{"file":"/a","cpuMs":5}\n';
    expect(readCosts(lines)).toEqual(
      new Map([
        ['/a', 5],
        ['/b', 20],
      ]),
    );
  });
});
