import { expect, test } from 'vitest';
import { catalogue } from '../../catalogue.ts';
import { describeOperations } from '../../node/describe-operations.ts';
import { documentInfo } from '../../node/document-info.ts';
import { modelFor } from '../../node/start-service.ts';
import { apiDocuments } from './documents.ts';
import { openApiDocument } from './openapi.ts';

const operations = describeOperations(catalogue);
const model = modelFor(catalogue);

function read(path: string, parameters: Record<string, string> = {}, files = documents()) {
  const file = files.find((each) => each.path === path)!;
  return Promise.resolve(file.read({ id: 0, parameters, query: {}, accept: '', encodings: '' }));
}

const documents = () => apiDocuments(operations, model, [], documentInfo);

/** How often others get their turn until the work is done. */
async function turnsUntil(work: Promise<unknown>): Promise<number> {
  let turns = 0;
  let isDone = false;
  const done = work.finally(() => {
    isDone = true;
  });
  const count = () => {
    if (isDone) return;
    turns++;
    setImmediate(count);
  };
  setImmediate(count);
  await done;
  return turns;
}

test('the document that is served is the whole of it, and is written once', async () => {
  const files = documents();
  const [first, second] = await Promise.all([1, 2].map(() => read('/api/v2/openapi.json', {}, files)));
  expect(String(first!.bytes)).toBe(JSON.stringify(openApiDocument(operations, model, documentInfo)));
  expect(second).toBe(first);
});

test.each(['/api/v2/openapi.json', '/api/v2/schema.xsd', '/docs'])(
  '%s is written between other requests',
  async (path) => {
    expect(await turnsUntil(read(path))).toBeGreaterThan(3);
  },
);

test('a page that does not exist is refused each time, and those that do are still written', async () => {
  const files = documents();
  const nobody = () => read('/docs/{group}', { group: 'nobody' }, files);
  for (const answer of await Promise.allSettled([nobody(), nobody()]))
    expect(answer).toMatchObject({ status: 'rejected', reason: { word: 'not-found' } });
  await expect(nobody()).rejects.toMatchObject({ word: 'not-found' });
  expect(String((await read('/docs/{group}', { group: 'container' }, files)).bytes)).toContain('<h1>Container</h1>');
});
