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

test('reads octets as the same text in the form of FreeRADIUS 3.2.1 and in that of 3.2.7', () => {
  const octets = Buffer.from([0, 1, 0x41, 0x7f, 0x80, 0xff]);
  const bodyOf = (value: string) => JSON.stringify({ Class: { type: 'octets', value: [value] } });
  const expected = new Map([['Class', ['0x0001417f80ff']]]);
  expect(readCall(bodyOf(`0x${octets.toString('hex').toUpperCase()}`))).toEqual(expected);
  expect(readCall(bodyOf(octets.toString('latin1')))).toEqual(expected);
  expect(readCall(bodyOf('ü 0x'))).toEqual(new Map([['Class', ['0xfc203078']]]));
});
