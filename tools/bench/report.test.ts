import { expect, test } from 'vitest';
import { storedPage, writtenPage } from './report.ts';

test('docs/performance.md says what the figures say', async () => {
  expect(await storedPage()).toEqual(await writtenPage());
});
