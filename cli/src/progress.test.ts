import { describe, expect, test } from 'vitest';
import { barLine, ProgressBar } from './progress.ts';
import { fakePen } from './testing/fake-screen.ts';
import { widthOf } from './text.ts';

const half = { label: 'Importing', done: 1_500, total: 3_000, step: 'core-12', elapsedMs: 4_000, width: 100 };

describe('a progress bar', () => {
  test('shows progress and remaining time', () => {
    expect(barLine(half)).toBe('Importing  ███████████████░░░░░░░░░░░░░░░   50 %  1,500/3,000  4 s left  core-12');
    expect(barLine({ ...half, total: 0, done: 0, step: '' })).toBe('Importing  4 s');
    expect(barLine({ ...half, done: 3_000 })).toContain('100 %');
  });

  test('stays within one line', () => {
    for (let width = 40; width <= 120; width++)
      expect(widthOf(barLine({ ...half, width, step: 'step '.repeat(40) }))).toBeLessThan(width);
  });

  test('is drawn on terminals only, and cleared at the end', async () => {
    const pen = fakePen(80);
    const bar = new ProgressBar(pen, 'Import\u001bing');
    await bar.show(1, 2);
    await bar.end();
    expect(pen.written).toMatch(/^\r.\[2KImport\\x1bing.*50 %/);
    expect(pen.written.endsWith('\r\u001b[2K')).toBe(true);
    const unseen = fakePen();
    await new ProgressBar(unseen, 'Importing').show(1, 2);
    expect(unseen.written).toBe('');
  });
});
