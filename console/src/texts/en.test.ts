import { expect, test } from 'vitest';
import { en } from './en.ts';

test('keeps abbreviations in capitals in the title of a form', () => {
  expect(en.form.new('Network device')).toBe('New network device');
  expect(en.form.new('AAA server')).toBe('New AAA server');
});
