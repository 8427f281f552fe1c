import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { cut, escapedJson, escapeUnsafe, fill, widthOf, wrap } from './text.ts';

// biome-ignore lint/suspicious/noControlCharactersInRegex: these must be gone
const controls = /[\u0000-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]|\p{Surrogate}/u;
const anyText = fc.string({ unit: 'binary', maxLength: 40 });

describe('text on a terminal', () => {
  test('shows an escape sequence in a host name as text', () => {
    expect(escapeUnsafe('printer\u001b[2J')).toBe('printer\\x1b[2J');
    expect(escapeUnsafe('\u009b31mred')).toBe('\\x9b31mred');
    expect(escapeUnsafe('two\nlines\ttab')).toBe('two\\nlines\\ttab');
    expect(escapeUnsafe('abc\u202etxt.exe')).toBe('abc\\u{202e}txt.exe');
    expect(escapeUnsafe('Gebäude 建物 👩‍🔧')).toBe('Gebäude 建物 👩‍🔧');
  });

  test('contains no control characters for any input', () => {
    fc.assert(fc.property(anyText, (text) => !controls.test(escapeUnsafe(text))));
  });

  test('JSON for a terminal is the same value, without a control character', () => {
    fc.assert(
      fc.property(fc.json({ stringUnit: 'binary' }), (text) => {
        const value = JSON.parse(text);
        const output = escapedJson(value);
        expect(JSON.parse(output)).toEqual(value);
        expect(output).not.toMatch(controls);
      }),
    );
    expect(escapedJson({ a: '\u009b\u{e0041}' })).toBe('{"a":"\\u009b\\udb40\\udc41"}');
  });

  test('wide characters take two cells, marks none', () => {
    expect(widthOf('core-1')).toBe(6);
    expect(widthOf('建物')).toBe(4);
    expect(widthOf('e\u0301')).toBe(1);
    expect(widthOf('🖨️')).toBe(2);
    expect(widthOf('👩‍🔧')).toBe(2);
  });

  test('cut and fill return exactly the requested width', () => {
    fc.assert(
      fc.property(anyText, fc.integer({ min: 1, max: 30 }), (text, width) => {
        const safe = escapeUnsafe(text);
        expect(widthOf(cut(safe, width))).toBeLessThanOrEqual(width);
        expect(widthOf(fill(cut(safe, width), width))).toBe(width);
      }),
    );
    expect(cut('建物三', 5)).toBe('建物…');
    expect(fill('7', 3, 'right')).toBe('  7');
  });

  test('lines break between words', () => {
    expect(wrap('one two three', 8)).toEqual(['one two', 'three']);
  });
});
