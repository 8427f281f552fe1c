import { expect, test } from 'vitest';
import { catalogue } from './catalogue.ts';
import { modelFor } from './service.ts';
import { schemaDrift } from './testing/schema-drift.ts';

test('a migrated database is what the declarations say', async () => {
  expect(await schemaDrift(modelFor(catalogue))).toEqual([]);
});
