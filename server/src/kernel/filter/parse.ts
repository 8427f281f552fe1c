/**
 * The `filter` parameter of every list: RSQL text in, a tree of comparisons out.
 * Knows no field and no type; what a literal means is decided where the field's shape is known.
 */
import { invalid } from '../failure.ts';

/** How a field is compared; the word forms (`=gt=`) arrive here as their symbols. */
export type Operator = '==' | '!=' | '>' | '>=' | '<' | '<=' | '=in=' | '=out=' | '=isnull=';

/**
 * One literal of a comparison: text pieces with wildcards between them.
 * `core-*` is pieces ['core-', '']; a literal without wildcard has one piece. `\*` is a star.
 */
export interface Literal {
  pieces: readonly string[];
  quoted: boolean;
}

/** What an administrator asked a list for; `position` is the 1-based character of the field in its own element. */
export type Filter =
  | { kind: 'and' | 'or'; parts: readonly Filter[] }
  | { kind: 'compare'; field: string; operator: Operator; values: readonly Literal[]; position: number };

/** What one request may ask: `comparisons` counts over all elements, the others in each; `depth` counts parentheses. */
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

// What people bring from SQL, JavaScript and other dialects of RSQL, and what they mean by it.
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

// Bounded in length before use. The offset is hh:mm, or hhmm as our own container records write it.
const timeWithoutOffset = /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?$/;
const timeCharactersMax = '2026-01-31T08:15:30.123456789'.length;
const decodedOffset = / \d\d:?\d\d(?=$|[();,\s])/y;

// Enough on each side of a fault to recognise the place, and short enough for one line of a log.
const excerptReach = 24;

/** Reads one element of the `filter` parameter, within the limits of a whole request. */
export function parseFilter(text: string): Filter {
  return new Parser(text, '', { comparisons: 0 }).parse();
}

/** Reads the whole `filter` parameter: its elements are ANDed, and none means no filter. */
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

/** The literal for messages: its pieces with a star for each wildcard. */
export function literalText(literal: Literal): string {
  return literal.pieces.join('*');
}

class Parser {
  readonly #text: string;
  readonly #place: string;
  // Shared by all elements of a request, because the bound on comparisons is theirs together.
  readonly #tally: { comparisons: number };
  #at = 0;
  #depth = 0;
  // Where the last unquoted value began: what follows it by mistake was probably meant to belong to it.
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
    // PostgreSQL cannot hold U+0000 in a text, so nothing could match, and the query would fail as a bug of ours.
    const nul = this.#text.indexOf('\0');
    if (nul >= 0) this.fail(nul, 'the character U+0000 is not allowed', 'remove it');
    this.#skipSpaces();
    if (this.#ended()) {
      this.fail(0, 'the filter is empty', 'write a comparison such as name==core-* or leave the parameter out');
    }
    const filter = this.#alternatives();
    if (!this.#ended()) this.#failAfterComparison();
    return filter;
  }

  // Every refusal has one form, so that the console can point at the character.
  fail(at: number, problem: string, hint: string): never {
    const from = Math.max(0, at - excerptReach);
    const to = at + excerptReach;
    const before = from > 0 ? '…' : '';
    const after = to < this.#text.length ? '…' : '';
    const excerpt = before + printable(this.#text.slice(from, to)) + after;
    throw invalid(`filter: \`${excerpt}\` at character ${at + 1}${this.#place}: ${problem}; ${hint}.`);
  }

  // The outer separator binds looser: alternatives of conjunctions.
  #alternatives(): Filter {
    return this.#joined('or', ',', () => this.#joined('and', ';', () => this.#term()));
  }

  #joined(kind: 'and' | 'or', separator: string, next: () => Filter): Filter {
    const first = next();
    const parts = [first];
    while (this.#take(separator)) parts.push(next());
    return parts.length > 1 ? { kind, parts } : first;
  }

  #term(): Filter {
    this.#skipSpaces();
    const start = this.#at;
    if (!this.#take('(')) return this.#comparison();
    // Checked before descending, so that no text can exhaust the stack, here or in code that walks the tree.
    if (this.#depth === filterLimits.depth) {
      this.fail(start, `parentheses nest at most ${filterLimits.depth} deep`, 'remove redundant ones');
    }
    this.#depth += 1;
    const filter = this.#alternatives();
    if (this.#ended()) this.fail(start, 'this ( is not closed', 'add its )');
    if (!this.#take(')')) this.#failAfterComparison();
    this.#unquotedStart = undefined;
    this.#depth -= 1;
    return filter;
  }

  #comparison(): Filter {
    const start = this.#at;
    const field = this.#field();
    // Counted before the rest is read: what is over the bound costs nothing.
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
    const valueStart = this.#at;
    const values = operator === '=in=' || operator === '=out=' ? this.#list(operator) : [this.#single(field, operator)];
    if (operator === '=isnull=' && !values.every(isTrueOrFalse)) {
      this.fail(valueStart, '=isnull= takes true or false', `write ${shorten(field)}=isnull=true`);
    }
    this.#skipSpaces();
    return { kind: 'compare', field, operator, values, position: start + 1 };
  }

  #field(): string {
    const start = this.#at;
    const field = this.#run(fieldRun);
    const next = this.#text[this.#at];
    if (field === '') {
      if (next === '"' || next === "'") this.fail(start, 'a field name must not be in quotes', 'remove the quotes');
      const hint = 'write one such as name==core-*, or remove the character before it';
      this.fail(start, 'expected a comparison', hint);
    }
    if (field.startsWith('.') || field.endsWith('.') || field.includes('..')) {
      this.fail(start, 'a field name has an empty part', 'write single dots between names, as in role.name');
    }
    // Checked here, because `größe==1` would otherwise report a missing operator after `gr`.
    if (next !== undefined && !/[\s'"();,=!~<>]/.test(next)) {
      this.fail(this.#at, 'this character is not allowed in a field name', 'use letters, digits, _, - and dots');
    }
    return field;
  }

  #operator(field: string, fieldStart: number): Operator {
    this.#skipSpaces();
    const start = this.#at;
    // The longest run decides: no value starts with these signs, so `===` and `<>` are mistakes to be named as such.
    const symbol = this.#run(symbolRun);
    const known = symbols.get(symbol);
    if (known) return known;
    const name = shorten(field);
    if (symbol === '') {
      if (isAndOr(field)) this.#failAtWord(fieldStart, field);
      const operator = words.get(this.#run(wordRun).toLowerCase());
      this.fail(start, 'expected an operator such as ==', `write ${example(name, operator ?? '==')}`);
    }
    if (symbol === '=') {
      const word = this.#run(wordRun);
      const isClosed = this.#text[this.#at] === '=';
      const named = words.get(word);
      if (isClosed && named) {
        this.#at += 1;
        return named;
      }
      // `=in(a,b)` and `=IN=(a,b)`: the operator is plain, its form is not.
      const meant = words.get(word.toLowerCase());
      if (meant) this.fail(start, `=${word} is not an operator`, `write ${example(name, meant)}`);
      if (isClosed) {
        const hint = foreignWords.get(word.toLowerCase()) ?? '== != > >= < <= =in= =out= or =isnull=';
        this.fail(start, `there is no operator =${shorten(word)}=`, `use ${hint}`);
      }
      this.#at = start + 1;
    }
    this.#skipSpaces();
    const value = shorten(this.#run(unquotedRun)) || 'value';
    const suggestedOperator = foreignSymbols.get(symbol) ?? '==';
    this.fail(start, `expected an operator such as ${suggestedOperator}`, `write ${name}${suggestedOperator}${value}`);
  }

  #single(field: string, operator: Operator): Literal {
    if (this.#text[this.#at] === '(') {
      // Only equality has a form for many values; a comparison of order or null cannot mean a list.
      const many = operator === '==' ? '=in=' : operator === '!=' ? '=out=' : operator;
      this.fail(this.#at, `${operator} takes one value without parentheses`, `write ${example(shorten(field), many)}`);
    }
    return this.#literal();
  }

  #list(operator: Operator): Literal[] {
    const start = this.#at;
    if (!this.#take('(')) {
      const value = shorten(this.#run(unquotedRun)) || 'a,b';
      this.fail(start, `${operator} takes a list in parentheses`, `write ${operator}(${value})`);
    }
    this.#skipSpaces();
    if (this.#text[this.#at] === ')') {
      this.fail(start, 'the list is empty', `write at least one value, as in ${operator}(a,b)`);
    }
    const values: Literal[] = [];
    do {
      this.#skipSpaces();
      if (values.length === filterLimits.values) {
        this.fail(this.#at, `a list has at most ${filterLimits.values} values`, 'use another request for the rest');
      }
      values.push(this.#literal());
      this.#skipSpaces();
    } while (this.#take(','));
    if (this.#ended()) this.fail(start, 'this ( is not closed', 'add its )');
    if (!this.#take(')'))
      this.fail(this.#at, 'expected , or ) in a list', this.#quoteHint() ?? 'write , between values');
    this.#unquotedStart = undefined;
    return values;
  }

  #literal(): Literal {
    const start = this.#at;
    const quote = this.#text[start];
    if (quote === '"' || quote === "'") {
      this.#unquotedStart = undefined;
      this.#at += 1;
      const pieces = this.#pieces(quote === '"' ? doubleQuotedRun : singleQuotedRun);
      if (this.#ended()) this.fail(start, 'this quote is not closed', `add its ${quote}`);
      this.#at += 1;
      return { pieces, quoted: true };
    }
    const pieces = this.#pieces(unquotedRun);
    // Empty text must be asked for with quotes: a value that a script left out should not match every empty field.
    if (this.#at === start) {
      const hint = this.#ended()
        ? 'write one, or "" for empty text'
        : 'write one, "" for empty text, or put a value with such a character in quotes';
      this.fail(start, 'expected a value', hint);
    }
    this.#unquotedStart = start;
    return { pieces: [...pieces.slice(0, -1), (pieces.at(-1) ?? '') + this.#lostPlus(start)], quoted: false };
  }

  // Runs over everything up to the first sign that `plain` excludes, other than a wildcard or an escape.
  #pieces(plain: RegExp): string[] {
    const pieces: string[] = [];
    let piece = '';
    for (;;) {
      piece += this.#run(plain);
      const char = this.#text[this.#at];
      if (char === '*') {
        pieces.push(piece);
        piece = '';
        this.#at += 1;
      } else if (char === '\\') {
        const escaped = this.#text[this.#at + 1];
        if (escaped === undefined) {
          this.fail(this.#at, 'a backslash needs a character after it', 'write \\\\ for a backslash');
        }
        piece += escaped;
        this.#at += 2;
      } else {
        pieces.push(piece);
        return pieces;
      }
    }
  }

  // An offset's `+` that was not percent-encoded arrives as a space; after a whole timestamp nothing else can be meant.
  #lostPlus(start: number): string {
    if (this.#text[this.#at] !== ' ' || this.#at - start > timeCharactersMax) return '';
    if (!timeWithoutOffset.test(this.#text.slice(start, this.#at))) return '';
    return this.#run(decodedOffset).replace(' ', '+');
  }

  #failAfterComparison(): never {
    const start = this.#at;
    if (this.#text[start] === ')') this.fail(start, 'this ) has no matching (', 'remove it or add its (');
    const word = this.#run(wordRun) || this.#run(programmersRun);
    if (isAndOr(word)) this.#failAtWord(start, word);
    this.fail(
      start,
      'expected ; or , or the end',
      this.#quoteHint() ?? 'write ; for and, or , for or, between comparisons',
    );
  }

  #failAtWord(at: number, word: string): never {
    const symbol = /^[a&]/i.test(word) ? ';' : ',';
    const hint = `write ${symbol} instead, or put the value in quotes if it is part of the value`;
    this.fail(at, `${word} is not an operator`, hint);
  }

  // `name==core switch` was meant as one value: suggests the quoted form where possible.
  #quoteHint(): string | undefined {
    if (this.#unquotedStart === undefined) return undefined;
    this.#at = this.#unquotedStart;
    const value = upToUnmatchedClose(this.#run(upToSeparator)).trimEnd();
    const quote = value.includes('"') ? "'" : '"';
    if (value.includes(quote) || value.length > excerptReach) return 'put the whole value in quotes';
    return `put the whole value in quotes, as in ${quote}${printable(value)}${quote}`;
  }

  #run(pattern: RegExp): string {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.#text)?.[0] ?? '';
    this.#at += found.length;
    return found;
  }

  #skipSpaces(): void {
    this.#run(spaces);
  }

  #ended(): boolean {
    return this.#at >= this.#text.length;
  }

  #take(char: string): boolean {
    this.#skipSpaces();
    if (this.#text[this.#at] !== char) return false;
    this.#at += 1;
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
  for (let at = 0; at < text.length; at += 1) {
    if (text[at] === '(') open += 1;
    if (text[at] === ')') open -= 1;
    if (open < 0) return text.slice(0, at);
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

// A message also goes out as XML, which cannot carry control characters or half a surrogate pair.
export function printable(text: string): string {
  return text.toWellFormed().replace(/[\p{Cc}\p{Zl}\p{Zp}\ufffe\uffff]/gu, ' ');
}
