import { expect, test } from 'vitest';
import { csvLine } from './csv.ts';

test('cells with commas or quotes are quoted, and none breaks its line', () => {
  expect(csvLine(['a', 1, true, null, undefined, 'b,c', 'say "x"', 'two\nlines', ['x', 'y']])).toBe(
    'a,1,true,,,"b,c","say ""x""",two\\nlines,"x, y"',
  );
});

test('a cell that a spreadsheet would run as a formula gets an apostrophe', () => {
  expect(csvLine(['=1+1', '+x', '-x', '@x', '-1', '+1.5', 'a=b'])).toBe("'=1+1,'+x,'-x,'@x,-1,+1.5,a=b");
});
