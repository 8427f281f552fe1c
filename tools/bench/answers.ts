import type { ObjectShape, Shape } from '@portreeve/server/kernel/declare/shape.ts';

/** The form of a response, as text, so that it can be sent to another process. */
export interface AnswerForm {
  /** Everything before the first record, and between two. */
  head: string;
  separator: string;
  /**
   * A regular expression for one record, all its fields in order; its groups are the identity and the number of the
   * last change.
   */
  record: string;
  /** A regular expression for what follows the last record; its groups are `filtered` and `total`, if present. */
  tail: string;
}

/** Fields by path, with the pattern that captures a part of them. */
type Captured = Readonly<Record<string, string>>;

/** Returns the form of a response with records of this shape, with every name, order and type. */
export function jsonForm(record: ObjectShape, captured: Captured, isCounted: boolean): AnswerForm {
  return {
    head: '{"status":"success","errorMessage":null,"results":[',
    separator: ',',
    record: jsonPattern(record, captured, ''),
    tail: isCounted ? '\\],"filtered":(\\d+),"total":(\\d+)\\}$' : '\\]\\}$',
  };
}

function jsonPattern(shape: Shape, captured: Captured, name: string): string {
  return orNull(shape, jsonValue(shape, captured, name), 'null');
}

function jsonValue(shape: Shape, captured: Captured, name: string): string {
  if (shape.kind === 'object') {
    const properties = Object.entries(shape.properties).map(
      ([key, property]) => `"${key}":${jsonPattern(property, captured, name === '' ? key : `${name}.${key}`)}`,
    );
    return `\\{${properties.join(',')}\\}`;
  }
  if (shape.kind === 'list') {
    const item = jsonPattern(shape.item, captured, `${name}.`);
    return `\\[(?:${item}(?:,${item})*)?\\]`;
  }
  const scalar = scalarPattern(shape, captured, name, '(?:[^"\\\\]|\\\\.)*');
  return quotes(shape) ? `"${scalar}"` : scalar;
}

export function xmlForm(record: ObjectShape, captured: Captured): AnswerForm {
  return {
    head:
      '<?xml version="1.0" encoding="UTF-8"?>\n<response xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance">' +
      '<status>success</status><errorMessage xsi:nil="true"/><results>',
    separator: '',
    record: `<item>${xmlPattern(record, captured, '')}</item>`,
    tail: '</results><filtered>(\\d+)</filtered><total>(\\d+)</total></response>$',
  };
}

function xmlPattern(shape: Shape, captured: Captured, name: string): string {
  if (shape.kind !== 'object') return scalarPattern(shape, captured, name, '[^<>]*');
  return Object.entries(shape.properties)
    .map(([key, property]) =>
      orNull(
        property,
        `<${key}>${xmlPattern(property, captured, name === '' ? key : `${name}.${key}`)}</${key}>`,
        `<${key} xsi:nil="true"/>`,
      ),
    )
    .join('');
}

const orNull = (shape: Shape, pattern: string, nil: string): string =>
  shape.nullable ? `(?:${pattern}|${nil})` : pattern;

const quotes = ({ kind }: Shape): boolean => kind !== 'integer' && kind !== 'decimal' && kind !== 'flag';

/** Returns the pattern of a scalar; `text` is the pattern of text in this format. */
function scalarPattern(shape: Shape, captured: Captured, name: string, text: string): string {
  if (captured[name]) return captured[name];
  switch (shape.kind) {
    case 'integer':
      return '-?\\d+';
    case 'decimal':
      return '-?\\d+(?:\\.\\d+)?';
    case 'flag':
      return '(?:true|false)';
    case 'time':
      return '\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{3}Z';
    case 'list':
    case 'map':
    case 'object':
    case 'mixed':
    case 'json':
      throw new Error(`the benchmarks do not know how to check ${name}, which is of kind ${shape.kind}`);
    default:
      return text;
  }
}

/**
 * The expected content of one response: this many records with consecutive ids, none older than the changes that were
 * acknowledged before the request.
 */
export interface Expected {
  first: number;
  count: number;
  /** Versions acknowledged before the request was sent, for each of these ids. */
  floor: Int32Array;
  /** True if the record that is replaced all the time follows. */
  spare: boolean;
  filtered?: number | undefined;
  total?: number | undefined;
}

/** Returns a function that reads every byte of a response and returns the first fault, if any. */
export function answerChecker(
  form: AnswerForm,
): (body: string, expected: Expected, etag: string | undefined) => string | undefined {
  const record = new RegExp(form.record, 'y');
  const tail = new RegExp(form.tail, 'y');
  return (body, expected, etag) => {
    if (!body.startsWith(form.head)) return `begins with ${body.slice(0, 200)}`;
    let offset = form.head.length;
    const rows = expected.count + (expected.spare ? 1 : 0);
    for (let row = 0; row < rows; row++) {
      if (row > 0 && !body.startsWith(form.separator, offset)) return `has ${row} records instead of ${rows}`;
      record.lastIndex = row === 0 ? offset : offset + form.separator.length;
      const match = record.exec(body);
      if (!match) return `record ${row} is not as it should be: ${body.slice(offset, offset + 600)}`;
      offset = record.lastIndex;
      if (row === expected.count) continue;
      if (Number(match[1]) !== expected.first + row)
        return `record ${row} is ${match[1]} instead of ${expected.first + row}`;
      const change = Number(match[2]);
      if (change < expected.floor[row]!)
        return `record ${match[1]} shows change ${change}, but change ${expected.floor[row]} was acknowledged before`;
      if (etag !== undefined && etag !== `"${change}"`)
        return `record ${match[1]} of change ${change} has the ETag ${etag}`;
    }
    tail.lastIndex = offset;
    const end = tail.exec(body);
    if (!end) return `ends with ${body.slice(offset, offset + 200)}`;
    if (expected.filtered !== undefined && Number(end[1]) !== expected.filtered)
      return `says ${end[1]} filtered instead of ${expected.filtered}`;
    if (expected.total !== undefined && Number(end[2]) !== expected.total)
      return `says ${end[2]} in total instead of ${expected.total}`;
    return undefined;
  };
}
