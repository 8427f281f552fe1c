import { expect, test } from 'vitest';
import { catalogue } from '../../src/catalogue.ts';
import { modelFor } from '../../src/node/start-service.ts';
import { schemaDrift } from './schema-drift.ts';

test('a migrated database matches the declarations', async () => {
  expect(await schemaDrift(modelFor(catalogue))).toEqual([]);
});
