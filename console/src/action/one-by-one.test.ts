import type { Answer } from '@portreeve/sdk/runtime.ts';
import { expect, test } from 'vitest';
import { callOneByOne } from './one-by-one.ts';

const subject = ['1', '2', '3'].map((id) => ({ id, name: `host-${id}` }));
const answered = { results: [], httpCode: 200 } as unknown as Answer;

test('callOneByOne continues after a failed call and returns its error message', async () => {
  const progress: number[] = [];
  const call = async (id: string) => {
    if (id === '2') throw new Error('It is protected.');
    return answered;
  };
  const { signal } = new AbortController();
  const { results } = await callOneByOne(subject, call, { signal, onProgress: (done) => progress.push(done) });
  expect(results).toEqual([
    { record: 'host-1', result: 'Done.' },
    { record: 'host-2', result: 'It is protected.' },
    { record: 'host-3', result: 'Done.' },
  ]);
  expect(progress).toEqual([1, 2, 3]);
});

test('callOneByOne reports the records that were not started after an abort', async () => {
  const stopping = new AbortController();
  const call = async () => {
    stopping.abort();
    return answered;
  };
  const { results } = await callOneByOne(subject, call, { signal: stopping.signal, onProgress: () => undefined });
  expect(results.map((outcome) => (outcome as { result: string }).result)).toEqual([
    'Done.',
    'Not started.',
    'Not started.',
  ]);
});

test('callOneByOne throws the first error if every call fails', async () => {
  const call = (id: string) => Promise.reject(new Error(`No ${id}.`));
  const { signal } = new AbortController();
  await expect(callOneByOne(subject, call, { signal, onProgress: () => undefined })).rejects.toThrow('No 1.');
});
