import type { Shape } from '../declare/shape.ts';
import { byteTable } from './byte-sink.ts';

/**
 * Compiles the JSON serializer of a shape, with the properties in declared order. It throws for a value that does not
 * fit the shape: that is a bug.
 */
export function jsonWriter(shape: Shape): (value: unknown) => string {
  return compileWriter(shape, json);
}

/** The texts before and after a value, and the text that replaces all of it if the value is null. */
export interface Place {
  before: string;
  after: string;
  nil: string;
}

/** A format, as the texts that `compileWriter` writes between values. */
export interface Dialect {
  root: Place;
  object: readonly [open: string, close: string];
  list: readonly [open: string, close: string];
  separator: string;
  property(name: string): Place;
  item: Place;
  /** An entry of a map is `keyBefore`, its key, then its place. */
  keyBefore: string;
  entry: Place;
  /** Delimiters of a text. They merge with adjacent literals, which saves two additions per text. */
  quote: string;
  text(value: string): string;
  /** Any JSON value. */
  json(value: unknown): string;
  /** By UTF-8 byte: 1 for bytes that `text` never escapes, regardless of context. */
  plainBytes: Uint8Array;
  key(value: string): string;
}

const bare: Place = { before: '', after: '', nil: 'null' };
export const json: Dialect = {
  root: bare,
  object: ['{', '}'],
  list: ['[', ']'],
  separator: ',',
  property: (name) => ({ before: `${JSON.stringify(name)}:`, after: '', nil: `${JSON.stringify(name)}:null` }),
  item: bare,
  keyBefore: '"',
  entry: { before: '":', after: '', nil: '":null' },
  quote: '"',
  text: escapeText,
  json: (value) => JSON.stringify(value),
  plainBytes: byteTable((byte) => byte >= 0x20 && byte !== 0x22 && byte !== 0x5c),
  key: escapeText,
};

// Every character that JSON requires to be escaped: controls, the quote and the backslash.
const needsEscape = /[^ !#-[\]-\uffff]/;

function escapeText(text: string): string {
  return needsEscape.test(text) ? JSON.stringify(text).slice(1, -1) : text;
}

/**
 * Compiles a function that writes the values of a shape in a dialect: straight-line code that does not read the shape
 * for each value. The source contains only fixed words and literals quoted by JSON.stringify, so no name can become
 * code.
 */
export function compileWriter(shape: Shape, dialect: Dialect): (value: unknown) => string {
  const functions: string[] = [];
  const separator = JSON.stringify(dialect.separator);
  const quote = JSON.stringify(dialect.quote);

  /**
   * Returns the expression that calls a new function of `body`; one function for each container keeps all of them small
   * enough to be inlined.
   */
  function call(body: string, value: string): string {
    functions.push(`function write${functions.length}(v) { ${body} }`);
    return `write${functions.length - 1}(${value})`;
  }

  /** Returns the source for the content of `value`, which is an expression without side effects. */
  function content(valueShape: Shape, value: string, path: string): string[] {
    const wrong = `mismatch(${JSON.stringify(path)}, ${JSON.stringify(valueShape.kind)}, ${value})`;
    switch (valueShape.kind) {
      case 'integer':
      case 'decimal':
        return [`(typeof ${value} === 'number' ? ${value} : ${wrong})`];
      case 'flag':
        return [`(${value} === true ? 'true' : ${value} === false ? 'false' : ${wrong})`];
      case 'object':
        return [
          `(typeof ${value} === 'object' && ${value} ? ${call(valueShape.sparse ? sparseObject(valueShape.properties, path) : object(valueShape.properties, path), value)} : ${wrong})`,
        ];
      case 'map':
        return [`(typeof ${value} === 'object' && ${value} ? ${call(map(valueShape.value, path), value)} : ${wrong})`];
      case 'mixed':
        return [call(mixed(path), value)];
      case 'json':
        return [`json(${value})`];
      case 'list':
        return [`(Array.isArray(${value}) ? ${call(list(valueShape.item, path), value)} : ${wrong})`];
      default:
        return [quote, `(typeof ${value} === 'string' ? text(${value}) : ${wrong})`, quote];
    }
  }

  function placed({ before, after, nil }: Place, valueShape: Shape, value: string, path: string): string[] {
    const pieces = [JSON.stringify(before), ...content(valueShape, value, path), JSON.stringify(after)];
    return valueShape.nullable ? [`(${value} == null ? ${JSON.stringify(nil)} : ${sum(pieces)})`] : pieces;
  }

  function object(properties: Readonly<Record<string, Shape>>, path: string): string {
    const pieces = Object.entries(properties).flatMap(([name, propertyShape], index) => [
      ...(index > 0 ? [separator] : []),
      ...placed(
        dialect.property(name),
        propertyShape,
        `v[${JSON.stringify(name)}]`,
        path === '' ? name : `${path}.${name}`,
      ),
    ]);
    const [open, close] = dialect.object;
    return `return ${sum([JSON.stringify(open), ...pieces, JSON.stringify(close)])};`;
  }

  /** Omits undefined properties, so the code decides at run time whether a separator is needed. */
  function sparseObject(properties: Readonly<Record<string, Shape>>, path: string): string {
    const [open, close] = dialect.object;
    const writes = Object.entries(properties).map(([name, propertyShape]) => {
      const value = `v[${JSON.stringify(name)}]`;
      const pieces = placed(dialect.property(name), propertyShape, value, path === '' ? name : `${path}.${name}`);
      return `if (${value} !== undefined) { out += ${sum([`(isFirst ? '' : ${separator})`, ...pieces])}; isFirst = false; }`;
    });
    return `let out = ${JSON.stringify(open)}, isFirst = true; ${writes.join('\n')} return out + ${JSON.stringify(close)};`;
  }

  function mixed(path: string): string {
    return `if (typeof v === 'string') return ${quote} + text(v) + ${quote};
      if (typeof v === 'number' || typeof v === 'boolean') return String(v);
      if (!Array.isArray(v)) return mismatch(${JSON.stringify(path)}, 'mixed', v);
      ${list({ kind: 'text', max: 0 }, path)}`;
  }

  function list(item: Shape, path: string): string {
    return loop('v', dialect.list, placed(dialect.item, item, 'one', `${path}[]`));
  }

  function map(valueShape: Shape, path: string): string {
    const entry = placed(dialect.entry, valueShape, 'v[one]', `${path}{}`);
    return loop('Object.keys(v)', dialect.object, [JSON.stringify(dialect.keyBefore), 'key(one)', ...entry]);
  }

  function loop(values: string, [open, close]: readonly [string, string], element: readonly string[]): string {
    return `let out = ${JSON.stringify(open)}, isFirst = true;
      for (const one of ${values}) {
        out += ${sum([`(isFirst ? '' : ${separator})`, ...element])};
        isFirst = false;
      }
      return out + ${JSON.stringify(close)};`;
  }

  const root = sum(placed(dialect.root, shape, 'v', ''));
  const source = `'use strict'; ${functions.join('\n')} return function write(v) { return ${root}; };`;
  return new Function('text', 'key', 'json', 'mismatch', source)(dialect.text, dialect.key, dialect.json, mismatch);
}

/** Joins pieces of source to one sum of strings, with adjacent literals merged. */
function sum(pieces: readonly string[]): string {
  // Begins with a literal, so that two numbers are never added as numbers.
  const merged = ['""'];
  for (const piece of pieces) {
    const last = merged.at(-1)!;
    if (piece.startsWith('"') && last.startsWith('"')) merged[merged.length - 1] = last.slice(0, -1) + piece.slice(1);
    else merged.push(piece);
  }
  return merged.filter((piece, index) => index === 0 || piece !== '""').join(' + ');
}

function mismatch(path: string, kind: string, value: unknown): never {
  const actual = value === null || value === undefined ? String(value) : `a value of type ${typeof value}`;
  throw new Error(`Cannot write ${path || 'the value'}: it should be of kind ${kind}, and is ${actual}.`);
}
