import { expect, test } from 'vitest';
import { storedPage, writtenPage } from './report.ts';

test('docs/performance.md matches the stored figures', async () => {
  expect(await storedPage()).toEqual(await writtenPage());
});
