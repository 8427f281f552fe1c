import { describe, expect, test } from 'vitest';
import { chosenFiles, instantOf, isDated, moments, readReport } from './clocks.ts';

describe('moments of the clock trial', () => {
  test('are UTC instants that exist, in zones that exist, with unique names', () => {
    const all = moments(2026);
    for (const { at, templateAt = at, zone } of all) {
      expect(instantOf(templateAt).getTime()).toBeLessThanOrEqual(instantOf(at).getTime());
      expect(() => new Intl.DateTimeFormat('en', { timeZone: zone })).not.toThrow();
    }
    expect(new Set(all.map(({ name }) => name)).size).toBe(all.length);
    expect(all.at(-1)!.at).toMatch(/^2031-/);
  });

  test('of daylight saving time begin less than two minutes before their zone changes its clock', () => {
    const changes = moments().filter(({ name }) => name.startsWith('summer'));
    expect(changes.length).toBe(3);
    for (const { at, zone } of changes) {
      const format = new Intl.DateTimeFormat('en', { timeZone: zone, timeZoneName: 'longOffset' });
      const offsetAt = (ms: number) => format.formatToParts(ms).find(({ type }) => type === 'timeZoneName')!.value;
      const ms = instantOf(at).getTime();
      expect(offsetAt(ms + 120_000), at).not.toBe(offsetAt(ms));
    }
  });

  test.each(['2027-02-29 00:00:00', '2027-01-01', '2027-01-01T00:00:00', '2027-01-01 24:00:00', 'now'])(
    'are not read from "%s"',
    (text) => {
      expect(() => instantOf(text)).toThrow('is not a moment');
    },
  );
});

describe('tests that depend on the time of day', () => {
  const calling = (helper: string) => `import { trial } from './${helper}';`;
  const texts: Readonly<Record<string, string>> = {
    'a.test.ts': 'const began = Date.now();',
    'b.test.ts': `where ends_at < now()`,
    'c.test.ts': 'text.slice(2, performance.now());',
    'd.long.test.ts': 'const { daysAgoMs } = pastDays();',
    'server/test/trials/e.long.test.ts': calling('e.ts'),
    'server/test/trials/e.ts': 'select current_date',
    'server/test/trials/f.test.ts': calling('f.ts'),
    'server/test/trials/f.ts': 'select 1',
  };
  const readText = (path: string) => Promise.resolve(texts[path]!);
  const files = Object.keys(texts).filter((path) => path.endsWith('.test.ts'));

  test('are found by their text, or by that of the trial that they call', async () => {
    expect(await chosenFiles(files, [], (file) => isDated(file, readText))).toEqual([
      'a.test.ts',
      'b.test.ts',
      'd.long.test.ts',
      'server/test/trials/e.long.test.ts',
    ]);
  });

  test('are replaced by those whose path contains one of the patterns', async () => {
    expect(await chosenFiles(files, ['c.test', 'trials/f'])).toEqual(['c.test.ts', 'server/test/trials/f.test.ts']);
  });
});

test('a report counts tests, and counts a file that does not load as failed', () => {
  const passed = { fullName: 'one', status: 'passed' };
  const failed = { fullName: 'two', status: 'failed', failureMessages: ['Error: late\n  at x'] };
  const report = {
    testResults: [
      { name: `${process.cwd()}/a.test.ts`, status: 'failed', message: '', assertionResults: [passed, failed] },
      { name: `${process.cwd()}/b.test.ts`, status: 'failed', message: 'no such module', assertionResults: [] },
    ],
  };
  expect(readReport(JSON.stringify(report))).toEqual({
    passed: 1,
    failed: ['a.test.ts > two: Error: late', 'b.test.ts: no such module'],
  });
});
