import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { readChange, readChanges } from './change-file.ts';
import { foldChanges } from './fold-changes.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const release = { version: '0.2.0', day: '2026-12-01' };

test('the files of changes/ can be read, and the changelog takes them', async () => {
  const changes = await readChanges(`${root}/changes`);
  const text = foldChanges(await readFile(`${root}/CHANGELOG.md`, 'utf8'), changes, release);
  for (const change of changes) expect(text).toContain(change.text.split('\n')[0]);
});

describe('the file of a change', () => {
  test('has a category, sentences, and the breaks of the API', () => {
    const source =
      'Changed\nOvens heat to 250 degrees.\nThe dial ends there.\n\nbreaks: Oven.degrees\nbreaks: OvenOfFeed.*\n';
    expect(readChange('oven-degrees.md', source)).toEqual({
      file: 'oven-degrees.md',
      category: 'Changed',
      text: 'Ovens heat to 250 degrees.\nThe dial ends there.',
      breaks: ['Oven.degrees', 'OvenOfFeed.*'],
    });
  });

  test.each([
    ['Oven.md', 'Added\nOvens.\n', 'changes/Oven.md: the name is not like'],
    ['oven.md', 'Ovens can be added.\n', 'the first line is none of Added, Changed'],
    ['oven.md', 'Added\n\nbreaks: Oven.degrees\n', 'it has no text'],
    ['oven.md', 'Added\nOvens can be added\n', 'its text does not end with a period'],
    ['oven.md', 'Added\n- Ovens.\n- Kettles.\n', 'its text is a list'],
    ['oven.md', `Added\n${'Ovens. '.repeat(200)}\n`, 'its text has more than 1000 characters'],
  ])('is refused with its fault: %s %j', (file, source, message) => {
    expect(() => readChange(file, source)).toThrow(message);
  });
});

describe('a release', () => {
  const changes = [
    { file: 'a.md', category: 'Fixed', text: 'Kettles end their whistle.', breaks: [] },
    { file: 'b.md', category: 'Added', text: 'Ovens have a clock.\nIt shows UTC.', breaks: [] },
  ] as const;

  test('takes the changes and what stood below the heading of unreleased changes, by category', () => {
    const before =
      '# Changelog\n\n## [Unreleased]\n\nWill be 0.2.0.\n\n### Added\n- Racks.\n\n## [0.1.0] - 2026-01-01\n\n### Added\n- Ovens.\n';
    const after = [
      '# Changelog\n\n## [Unreleased]\n\n## [0.2.0] - 2026-12-01\n\n',
      '### Added\n- Racks.\n- Ovens have a clock.\n  It shows UTC.\n\n### Fixed\n- Kettles end their whistle.\n\n',
      '## [0.1.0] - 2026-01-01\n\n### Added\n- Ovens.\n',
    ].join('');
    expect(foldChanges(before, changes, release)).toBe(after);
    expect(() => foldChanges(after, changes, release)).toThrow('has a heading for 0.2.0 already');
  });

  test('fails without a change, without the heading, and with a category that does not exist', () => {
    expect(() => foldChanges('## [Unreleased]\n', [], release)).toThrow('there is no change to release');
    expect(() => foldChanges('# Changelog\n', changes, release)).toThrow('has no heading');
    expect(() => foldChanges('## [Unreleased]\n\n### News\n- One.\n', [], release)).toThrow('a category "News"');
  });
});
