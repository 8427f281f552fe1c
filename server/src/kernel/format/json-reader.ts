import { integerMax } from '../declare/shape.ts';
import { invalid } from '../failure.ts';
import { codePoint, faultInText, quoted } from './text.ts';

const depthMax = 32;
/** Far more than any object of the API has: the time to read an object grows faster than its number of keys. */
const keysMax = 5_000;
const numberToken = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;

/**
 * Reads a JSON text (RFC 8259), and refuses what JSON.parse would lose without an error: duplicate keys, large numbers,
 * broken text.
 */
export function readJson(text: string): unknown {
  let position = 0;

  function fail(what: string, where = position): never {
    const lines = text.slice(0, where).split(/\r\n|[\r\n]/);
    throw invalid(`The JSON is invalid at line ${lines.length}, column ${lines.at(-1)!.length + 1}: ${what}.`);
  }

  function unexpected(expected: string): never {
    const code = text.codePointAt(position);
    if (code === undefined) return fail(`expected ${expected}, but the text ends`);
    // An invisible character (a byte order mark, a no-break space) is reported by its number.
    const shown = code > 0x20 && code < 0x7f ? quoted(String.fromCodePoint(code)) : codePoint(code);
    return fail(`expected ${expected}, but found ${shown}`);
  }

  /** Returns the code of the next character that is not white space; NaN at the end. */
  function next(): number {
    for (;;) {
      const code = text.charCodeAt(position);
      if (code !== 0x20 && code !== 0x0a && code !== 0x0d && code !== 0x09) return code;
      position++;
    }
  }

  function value(depth: number): unknown {
    switch (next()) {
      case 0x22:
        return string();
      case 0x7b:
        return object(depth + 1);
      case 0x5b:
        return list(depth + 1);
      case 0x74:
        return word('true', true);
      case 0x66:
        return word('false', false);
      case 0x6e:
        return word('null', null);
      default:
        return number();
    }
  }

  function word(spelling: string, meaning: unknown): unknown {
    if (!text.startsWith(spelling, position)) unexpected('a value');
    position += spelling.length;
    return meaning;
  }

  function number(): number {
    const start = position;
    numberToken.lastIndex = position;
    if (!numberToken.test(text)) unexpected('a value');
    position = numberToken.lastIndex;
    const token = text.slice(start, position);
    return exactNumber(token) ?? fail(`the number ${quoted(token)} is ${numberRange}`, start);
  }

  function string(): string {
    const start = position++;
    let isPlain = true;
    for (; ; position++) {
      const code = text.charCodeAt(position);
      if (code === 0x22) break;
      if (code === 0x5c) {
        isPlain = false;
        position++;
      } else if (code < 0x20) {
        fail(`the control character ${codePoint(code)} in a string must be escaped`);
      } else if (code >= 0xd800) {
        isPlain = false;
      } else if (position >= text.length) {
        position = text.length;
        unexpected('the end of a string');
      }
    }
    position++;
    return isPlain ? text.slice(start + 1, position - 1) : unescaped(start);
  }

  function unescaped(start: number): string {
    let result: string;
    try {
      result = JSON.parse(text.slice(start, position)) as string;
    } catch {
      // The scan has excluded every other error of JSON.parse.
      return fail('a string contains an invalid escape', start);
    }
    const fault = faultInText(result);
    return fault === undefined ? result : fail(`a string contains ${fault}, which is not accepted in text`, start);
  }

  function list(depth: number): unknown[] {
    if (depth > depthMax) fail(`it is nested deeper than ${depthMax} levels`);
    const result: unknown[] = [];
    position++;
    if (next() !== 0x5d) {
      for (; ; position++) {
        result.push(value(depth));
        const code = next();
        if (code === 0x5d) break;
        if (code !== 0x2c) unexpected('a comma or the end of a list');
      }
    }
    position++;
    return result;
  }

  function object(depth: number): Record<string, unknown> {
    if (depth > depthMax) fail(`it is nested deeper than ${depthMax} levels`);
    const result: Record<string, unknown> = {};
    let keys = 0;
    position++;
    if (next() !== 0x7d) {
      for (; ; position++) {
        if (next() !== 0x22) unexpected('a key in double quotes');
        const start = position;
        if (++keys > keysMax) fail(`an object has more than ${keysMax} keys`);
        const key = string();
        // The only key that would set the prototype instead of a property.
        if (key === '__proto__') fail('the key "__proto__" is not accepted', start);
        if (Object.hasOwn(result, key)) fail(`the key ${quoted(key)} appears twice in one object; send it once`, start);
        if (next() !== 0x3a) unexpected('a colon');
        position++;
        result[key] = value(depth);
        const code = next();
        if (code === 0x7d) break;
        if (code !== 0x2c) unexpected('a comma or the end of an object');
      }
    }
    position++;
    return result;
  }

  const result = value(0);
  next();
  if (position < text.length) unexpected('the end of the text');
  return result;
}

/** Describes the numbers that `exactNumber` refuses, for messages. */
export const numberRange = `outside the exact range (${-integerMax} to ${integerMax})`;

/**
 * Returns the value of a decimal numeral; undefined if a double cannot represent it: too large, or so small that it
 * would become 0.
 */
export function exactNumber(numeral: string): number | undefined {
  const result = Number(numeral);
  if (Math.abs(result) > integerMax) return undefined;
  if (result !== 0) return result;
  return /^[^eE]*[1-9]/.test(numeral) ? undefined : 0;
}
