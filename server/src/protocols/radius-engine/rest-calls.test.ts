import { expect, test } from 'vitest';
import { readCall, writeAnswer } from './rest-calls.ts';

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

test('bytes that the engine wrote one by one are the text that they were', () => {
  const asWritten = (text: string) => Buffer.from(text, 'utf8').toString('latin1');
  const body = JSON.stringify({
    'User-Name': { value: ['Zoë Müller 👩', 'アリス', 'plain'].map(asWritten) },
    // Latin-1, as some supplicants still send it.
    Class: { value: ['Jos\xe9'] },
  });
  expect(readCall(body)).toEqual(
    new Map([
      ['User-Name', ['Zoë Müller 👩', 'アリス', 'plain']],
      ['Class', ['Jos\xe9']],
    ]),
  );
});
