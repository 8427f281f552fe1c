import { expect, test } from 'vitest';
import { writeAnswer } from './rest-calls.ts';

test('an attribute that is given twice is sent twice', () => {
  const answer = writeAnswer([
    { list: 'reply', attribute: 'Reply-Message', values: ['one'] },
    { list: 'reply', attribute: 'Reply-Message', values: ['two'] },
    { list: 'reply', attribute: 'Reply-Message', tag: 1, values: ['three'] },
  ]);
  expect(JSON.parse(answer)).toMatchObject({
    'reply:Reply-Message': { op: '+=', value: ['one', 'two'] },
    'reply:Reply-Message:1': { op: ':=', value: ['three'] },
  });
});
