/**
 * Parses the `filter` parameter of every list: RSQL text into a tree of comparisons.
 * The parser does not use fields or types: the shape of a field later decides what a literal means.
 */
import { invalid } from '../failure.ts';

/** The comparison operators; the word forms (`=gt=`) are replaced by their symbols. */
export type Operator = '==' | '!=' | '>' | '>=' | '<' | '<=' | '=in=' | '=out=' | '=isnull=';

/**
 * One literal of a comparison: pieces of text with a wildcard between each two.
 * `core-*` is pieces ['core-', '']; a literal without wildcard has one piece. `\*` is a star.
 */
export interface Literal {
  pieces: readonly string[];
  quoted: boolean;
}

/** A parsed filter; `position` is the 1-based character of the field in its own element. */
export type Filter =
  | { kind: 'and' | 'or'; parts: readonly Filter[] }
  | { kind: 'compare'; field: string; operator: Operator; values: readonly Literal[]; position: number };

/** Limits of one request: `comparisons` counts over all elements, the others in each; `depth` counts parentheses. */
export const filterLimits = {
  elements: 16,
  characters: 4096,
  comparisons: 64,
  depth: 8,
  values: 500,
} as const;

const symbols = new Map<string, Operator>([
  ['==', '=='],
  ['!=', '!='],
  ['>', '>'],
  ['>=', '>='],
  ['<', '<'],
  ['<=', '<='],
]);

const words = new Map<string, Operator>([
  ['gt', '>'],
  ['ge', '>='],
  ['lt', '<'],
  ['le', '<='],
  ['in', '=in='],
  ['out', '=out='],
  ['isnull', '=isnull='],
]);

// Operators of SQL, JavaScript and other dialects of RSQL, and the equivalent here.
const foreignSymbols = new Map([
  ['=>', '>='],
  ['=<', '<='],
  ['<>', '!='],
  ['!', '!='],
  ['!==', '!='],
]);
const foreignWords = new Map([
  ['eq', '=='],
  ['ne', '!='],
  ['neq', '!='],
  ['like', '== with * as the wildcard'],
  ['ilike', '== with * as the wildcard'],
  ['nin', '=out='],
  ['notin', '=out='],
  ['null', '=isnull='],
]);

// Each pattern is one sticky character class: it reads a run in one pass and has nothing to backtrack into.
const spaces = /\s*/y;
const fieldRun = /[A-Za-z0-9_.-]+/y;
const symbolRun = /[=!~<>]+/y;
const wordRun = /[A-Za-z]+/y;
const programmersRun = /[&|]+/y;
const unquotedRun = /[^'"();,=!~<>\s\\*]+/y;
const singleQuotedRun = /[^'\\*]+/y;
const doubleQuotedRun = /[^"\\*]+/y;
const upToSeparator = /[^;,]*/y;

// The length is checked before use. The offset is hh:mm, or hhmm as in container records.
const timeWithoutOffset = /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?$/;
const timeCharactersMax = '2026-01-31T08:15:30.123456789'.length;
const decodedOffset = / \d\d:?\d\d(?=$|[();,\s])/y;

// Enough on each side of a fault to recognise the place, and short enough for one log line.
const excerptReach = 24;

/** Reads one element of the `filter` parameter, within the limits of a whole request. */
export function parseFilter(text: string): Filter {
  return new Parser(text, '', { comparisons: 0 }).parse();
}

/** Reads the complete `filter` parameter: its elements are ANDed, and none means no filter. */
export function parseFilters(elements: readonly string[]): Filter | undefined {
  const tally = { comparisons: 0 };
  const parts: Filter[] = [];
  for (const [index, text] of elements.entries()) {
    const parser = new Parser(text, elements.length > 1 ? ` of element ${index + 1}` : '', tally);
    if (index === filterLimits.elements) {
      parser.fail(0, `at most ${filterLimits.elements} elements are allowed`, 'join elements with ;');
    }
    parts.push(parser.parse());
  }
  return parts.length > 1 ? { kind: 'and', parts } : parts[0];
}

/** Returns the literal for messages: its pieces with a star for each wildcard. */
export function literalText(literal: Literal): string {
  return literal.pieces.join('*');
}

class Parser {
  readonly #text: string;
  readonly #place: string;
  // Shared by all elements of a request, because the limit counts all their comparisons.
  readonly #tally: { comparisons: number };
  #index = 0;
  #depth = 0;
  // The start of the last unquoted value: what follows it by mistake is probably a part of it.
  #unquotedStart: number | undefined;

  constructor(text: string, place: string, tally: { comparisons: number }) {
    this.#text = text;
    this.#place = place;
    this.#tally = tally;
  }

  parse(): Filter {
    const limit = filterLimits.characters;
    if (this.#text.length > limit) {
      this.fail(
        limit,
        `an element has at most ${limit} characters`,
        'split it over several filter elements, which are ANDed',
      );
    }
    // PostgreSQL cannot store U+0000 in a text, so nothing could match, and the query would fail with an internal
    // error.
    const nul = this.#text.indexOf('\0');
    if (nul >= 0) this.fail(nul, 'the character U+0000 is not allowed', 'remove it');
    this.#skipSpaces();
    if (this.#isAtEnd()) {
      this.fail(0, 'the filter is empty', 'write a comparison such as name==core-* or leave the parameter out');
    }
    const filter = this.#alternatives();
    if (!this.#isAtEnd()) this.#failAfterComparison();
    return filter;
  }

  // Every error has the same form, so that the console can point at the character.
  fail(index: number, problem: string, hint: string): never {
    const excerptStart = Math.max(0, index - excerptReach);
    const excerptEnd = index + excerptReach;
    const before = excerptStart > 0 ? '…' : '';
    const after = excerptEnd < this.#text.length ? '…' : '';
    const excerpt = before + printable(this.#text.slice(excerptStart, excerptEnd)) + after;
    throw invalid(`filter: \`${excerpt}\` at character ${index + 1}${this.#place}: ${problem}; ${hint}.`);
  }

  // The outer separator binds less: alternatives of conjunctions.
  #alternatives(): Filter {
    return this.#joined('or', ',', () => this.#joined('and', ';', () => this.#term()));
  }

  #joined(kind: 'and' | 'or', separator: string, parsePart: () => Filter): Filter {
    const first = parsePart();
    const parts = [first];
    while (this.#take(separator)) parts.push(parsePart());
    return parts.length > 1 ? { kind, parts } : first;
  }

  #term(): Filter {
    this.#skipSpaces();
    const start = this.#index;
    if (!this.#take('(')) return this.#comparison();
    // Checked before descending, so that no text can exhaust the stack, here or in code that walks the tree.
    if (this.#depth === filterLimits.depth) {
      this.fail(start, `parentheses nest at most ${filterLimits.depth} deep`, 'remove redundant ones');
    }
    this.#depth += 1;
    const filter = this.#alternatives();
    if (this.#isAtEnd()) this.fail(start, 'this ( is not closed', 'add its )');
    if (!this.#take(')')) this.#failAfterComparison();
    this.#unquotedStart = undefined;
    this.#depth -= 1;
    return filter;
  }

  #comparison(): Filter {
    const start = this.#index;
    const field = this.#field();
    // Counted before the rest is read: comparisons over the limit cost nothing.
    this.#tally.comparisons += 1;
    if (this.#tally.comparisons > filterLimits.comparisons) {
      this.fail(
        start,
        `at most ${filterLimits.comparisons} comparisons are allowed in all`,
        `compare one field with many values at once, as in ${shorten(field)}=in=(a,b)`,
      );
    }
    const operator = this.#operator(field, start);
    this.#skipSpaces();
    const valueStart = this.#index;
    const values = operator === '=in=' || operator === '=out=' ? this.#list(operator) : [this.#single(field, operator)];
    if (operator === '=isnull=' && !values.every(isTrueOrFalse)) {
      this.fail(valueStart, '=isnull= takes true or false', `write ${shorten(field)}=isnull=true`);
    }
    this.#skipSpaces();
    return { kind: 'compare', field, operator, values, position: start + 1 };
  }

  #field(): string {
    const start = this.#index;
    const field = this.#run(fieldRun);
    const nextCharacter = this.#text[this.#index];
    if (field === '') {
      if (nextCharacter === '"' || nextCharacter === "'")
        this.fail(start, 'a field name must not be in quotes', 'remove the quotes');
      const hint = 'write one such as name==core-*, or remove the character before it';
      this.fail(start, 'expected a comparison', hint);
    }
    if (field.startsWith('.') || field.endsWith('.') || field.includes('..')) {
      this.fail(start, 'a field name has an empty part', 'write single dots between names, as in role.name');
    }
    // Checked here, because `größe==1` would otherwise report a missing operator after `gr`.
    if (nextCharacter !== undefined && !/[\s'"();,=!~<>]/.test(nextCharacter)) {
      this.fail(this.#index, 'this character is not allowed in a field name', 'use letters, digits, _, - and dots');
    }
    return field;
  }

  #operator(field: string, fieldStart: number): Operator {
    this.#skipSpaces();
    const start = this.#index;
    // The longest run decides: no value starts with these signs, so `===` and `<>` are mistakes to be named as such.
    const symbol = this.#run(symbolRun);
    const knownOperator = symbols.get(symbol);
    if (knownOperator) return knownOperator;
    const name = shorten(field);
    if (symbol === '') {
      if (isAndOr(field)) this.#failAtWord(fieldStart, field);
      const operator = words.get(this.#run(wordRun).toLowerCase());
      this.fail(start, 'expected an operator such as ==', `write ${example(name, operator ?? '==')}`);
    }
    if (symbol === '=') {
      const word = this.#run(wordRun);
      const isClosed = this.#text[this.#index] === '=';
      const wordOperator = words.get(word);
      if (isClosed && wordOperator) {
        this.#index += 1;
        return wordOperator;
      }
      // `=in(a,b)` and `=IN=(a,b)`: the intended operator is clear, its form is wrong.
      const intendedOperator = words.get(word.toLowerCase());
      if (intendedOperator) this.fail(start, `=${word} is not an operator`, `write ${example(name, intendedOperator)}`);
      if (isClosed) {
        const hint = foreignWords.get(word.toLowerCase()) ?? '== != > >= < <= =in= =out= or =isnull=';
        this.fail(start, `there is no operator =${shorten(word)}=`, `use ${hint}`);
      }
      this.#index = start + 1;
    }
    this.#skipSpaces();
    const value = shorten(this.#run(unquotedRun)) || 'value';
    const suggestedOperator = foreignSymbols.get(symbol) ?? '==';
    this.fail(start, `expected an operator such as ${suggestedOperator}`, `write ${name}${suggestedOperator}${value}`);
  }

  #single(field: string, operator: Operator): Literal {
    if (this.#text[this.#index] === '(') {
      // Only equality has a form for many values; a comparison of order or null cannot mean a list.
      const many = operator === '==' ? '=in=' : operator === '!=' ? '=out=' : operator;
      this.fail(
        this.#index,
        `${operator} takes one value without parentheses`,
        `write ${example(shorten(field), many)}`,
      );
    }
    return this.#literal();
  }

  #list(operator: Operator): Literal[] {
    const start = this.#index;
    if (!this.#take('(')) {
      const value = shorten(this.#run(unquotedRun)) || 'a,b';
      this.fail(start, `${operator} takes a list in parentheses`, `write ${operator}(${value})`);
    }
    this.#skipSpaces();
    if (this.#text[this.#index] === ')') {
      this.fail(start, 'the list is empty', `write at least one value, as in ${operator}(a,b)`);
    }
    const values: Literal[] = [];
    do {
      this.#skipSpaces();
      if (values.length === filterLimits.values) {
        this.fail(this.#index, `a list has at most ${filterLimits.values} values`, 'use another request for the rest');
      }
      values.push(this.#literal());
      this.#skipSpaces();
    } while (this.#take(','));
    if (this.#isAtEnd()) this.fail(start, 'this ( is not closed', 'add its )');
    if (!this.#take(')'))
      this.fail(this.#index, 'expected , or ) in a list', this.#quoteHint() ?? 'write , between values');
    this.#unquotedStart = undefined;
    return values;
  }

  #literal(): Literal {
    const start = this.#index;
    const quote = this.#text[start];
    if (quote === '"' || quote === "'") {
      this.#unquotedStart = undefined;
      this.#index += 1;
      const pieces = this.#pieces(quote === '"' ? doubleQuotedRun : singleQuotedRun);
      if (this.#isAtEnd()) this.fail(start, 'this quote is not closed', `add its ${quote}`);
      this.#index += 1;
      return { pieces, quoted: true };
    }
    const pieces = this.#pieces(unquotedRun);
    // Empty text needs quotes: a value that a script left out should not match every empty field.
    if (this.#index === start) {
      const hint = this.#isAtEnd()
        ? 'write one, or "" for empty text'
        : 'write one, "" for empty text, or put a value with such a character in quotes';
      this.fail(start, 'expected a value', hint);
    }
    this.#unquotedStart = start;
    return { pieces: [...pieces.slice(0, -1), (pieces.at(-1) ?? '') + this.#lostPlus(start)], quoted: false };
  }

  // Reads everything up to the first character that `plain` excludes, other than a wildcard or an escape.
  #pieces(plain: RegExp): string[] {
    const pieces: string[] = [];
    let piece = '';
    for (;;) {
      piece += this.#run(plain);
      const char = this.#text[this.#index];
      if (char === '*') {
        pieces.push(piece);
        piece = '';
        this.#index += 1;
      } else if (char === '\\') {
        const escaped = this.#text[this.#index + 1];
        if (escaped === undefined) {
          this.fail(this.#index, 'a backslash needs a character after it', 'write \\\\ for a backslash');
        }
        piece += escaped;
        this.#index += 2;
      } else {
        pieces.push(piece);
        return pieces;
      }
    }
  }

  // The `+` of an offset that was not percent-encoded arrives as a space; after a complete timestamp it can mean
  // nothing else.
  #lostPlus(start: number): string {
    if (this.#text[this.#index] !== ' ' || this.#index - start > timeCharactersMax) return '';
    if (!timeWithoutOffset.test(this.#text.slice(start, this.#index))) return '';
    return this.#run(decodedOffset).replace(' ', '+');
  }

  #failAfterComparison(): never {
    const start = this.#index;
    if (this.#text[start] === ')') this.fail(start, 'this ) has no matching (', 'remove it or add its (');
    const word = this.#run(wordRun) || this.#run(programmersRun);
    if (isAndOr(word)) this.#failAtWord(start, word);
    this.fail(
      start,
      'expected ; or , or the end',
      this.#quoteHint() ?? 'write ; for and, or , for or, between comparisons',
    );
  }

  #failAtWord(index: number, word: string): never {
    const symbol = /^[a&]/i.test(word) ? ';' : ',';
    const hint = `write ${symbol} instead, or put the value in quotes if it is part of the value`;
    this.fail(index, `${word} is not an operator`, hint);
  }

  // `name==core switch` was meant as one value: suggests the quoted form where possible.
  #quoteHint(): string | undefined {
    if (this.#unquotedStart === undefined) return undefined;
    this.#index = this.#unquotedStart;
    const value = upToUnmatchedClose(this.#run(upToSeparator)).trimEnd();
    const quote = value.includes('"') ? "'" : '"';
    if (value.includes(quote) || value.length > excerptReach) return 'put the whole value in quotes';
    return `put the whole value in quotes, as in ${quote}${printable(value)}${quote}`;
  }

  #run(pattern: RegExp): string {
    pattern.lastIndex = this.#index;
    const matchedText = pattern.exec(this.#text)?.[0] ?? '';
    this.#index += matchedText.length;
    return matchedText;
  }

  #skipSpaces(): void {
    this.#run(spaces);
  }

  #isAtEnd(): boolean {
    return this.#index >= this.#text.length;
  }

  #take(char: string): boolean {
    this.#skipSpaces();
    if (this.#text[this.#index] !== char) return false;
    this.#index += 1;
    return true;
  }
}

function isAndOr(word: string): boolean {
  return /^(?:and|or|&&?|\|\|?)$/i.test(word);
}

function isTrueOrFalse(literal: Literal): boolean {
  return literal.pieces.length === 1 && (literal.pieces[0] === 'true' || literal.pieces[0] === 'false');
}

// `name==printer(2)` keeps its parentheses; a `)` without its `(` closes a group or list around the value.
function upToUnmatchedClose(text: string): string {
  let open = 0;
  for (let index = 0; index < text.length; index += 1) {
    if (text[index] === '(') open += 1;
    if (text[index] === ')') open -= 1;
    if (open < 0) return text.slice(0, index);
  }
  return text;
}

function example(field: string, operator: Operator): string {
  if (operator === '=in=' || operator === '=out=') return `${field}${operator}(a,b)`;
  return `${field}${operator}${operator === '=isnull=' ? 'true' : 'value'}`;
}

function shorten(text: string): string {
  return text.length > excerptReach ? `${printable(text.slice(0, excerptReach))}…` : printable(text);
}

// A message is also sent as XML, which cannot contain control characters or half a surrogate pair.
export function printable(text: string): string {
  return text.toWellFormed().replace(/[\p{Cc}\p{Zl}\p{Zp}\ufffe\uffff]/gu, ' ');
}
