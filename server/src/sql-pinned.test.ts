import { readFile } from 'node:fs/promises';
import { assert, describe, expect, test } from 'vitest';
import { advice, difference } from './testing/sql/difference.ts';
import { observeSql, pinnedFile } from './testing/sql/pin.ts';

/** Who asks the same twice in one call, and may. A new one here shows in review. */
const askedTwice = [
  // Both rules that are swapped are checked, each by itself.
  'POST /api/v2/host/device-profiling-rule/swap-rule-ranks: host/device-profiling-rule/device-profiling-rule.rules.ts keepAboveCatchAll',
  // The action looks at the task first; the change that writes the note locks it, and looks again.
  'POST /api/v2/system/background-task/{id}/complete: kernel/read/list.ts fetchVersioned',
];

describe('what the operations ask of PostgreSQL', async () => {
  const { text, observed } = await observeSql();

  test('is what was reviewed', async () => {
    const differing = difference(await readFile(pinnedFile, 'utf8'), text);
    assert(differing === '', advice(differing));
  });

  test('is asked once: no call sends the same statement with the same values again', () => {
    const repeated = observed.flatMap(({ operation, statements }) =>
      statements.filter(({ again }) => again).map(({ sender }) => `${operation}: ${sender}`),
    );
    expect(repeated).toEqual(askedTwice);
  });
});
