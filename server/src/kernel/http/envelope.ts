import { type Answer, answeredShape, type Format, type Operation } from '../declare/operation.ts';
import type { ObjectShape, Shape } from '../declare/shape.ts';
import type { Failure } from '../failure.ts';
import { jsonWriter } from '../format/json-writer.ts';
import { xmlWriter } from '../format/xml-writer.ts';
import type { Negotiated } from './negotiate.ts';

export const contentTypes: Readonly<Record<Format, string>> = {
  json: 'application/json; charset=utf-8',
  xml: 'application/xml; charset=utf-8',
};

const xmlHead =
  '<?xml version="1.0" encoding="UTF-8"?>\n<response xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance">';
const textShape: Shape = { kind: 'text', max: 10_000 };
const writeXmlText = xmlWriter(textShape);

type ResultsWriter = Readonly<Record<Format, (results: readonly unknown[]) => string>>;
const writers = new WeakMap<Shape, ResultsWriter>();

/** Returns the writers of an operation's results, generated from the shape at the first response and then cached. */
function resultsWriter(operation: Operation, answer: Answer, shown: ObjectShape | undefined): ResultsWriter {
  const item = shown ?? answeredShape(operation, answer);
  if (!item) throw new Error(`${operation.operationId} returns results but declares no shape for them`);
  const cachedWriter = writers.get(item);
  if (cachedWriter) return cachedWriter;
  const list: Shape = { kind: 'list', item, max: 500_000 };
  const writer: ResultsWriter = { json: jsonWriter(list), xml: xmlWriter(list) };
  writers.set(item, writer);
  return writer;
}

const nothing: Readonly<Record<Format, string>> = { json: '[]', xml: '' };

/**
 * Writes the envelope of a success. Database rows are included as bytes. `shown`: the shape with the fields that the
 * caller selected.
 */
export function writeAnswer(
  operation: Operation,
  answer: Answer,
  format: Format,
  shown?: ObjectShape,
): string | Buffer {
  if (answer.rows) {
    const { open, close } = rowsFrame[format];
    return answer.rows.answer(format, open, close(answer), shown);
  }
  const results =
    answer.results &&
    (answer.results.length === 0 ? nothing[format] : resultsWriter(operation, answer, shown)[format](answer.results));
  if (format === 'json')
    return `${jsonSuccess}${results === undefined ? '' : `,"results":${results}`}${jsonEnd(answer)}`;
  return `${xmlSuccess}${results === undefined ? '' : `<results>${results}</results>`}${xmlEnd(answer)}`;
}

const jsonSuccess = '{"status":"success","errorMessage":null';
const xmlSuccess = `${xmlHead}<status>success</status><errorMessage xsi:nil="true"/>`;

const jsonEnd = ({ filtered, total }: Answer): string =>
  (filtered === undefined ? '' : `,"filtered":${filtered}`) + (total === undefined ? '}' : `,"total":${total}}`);

const xmlEnd = ({ filtered, total }: Answer): string =>
  (filtered === undefined ? '' : `<filtered>${filtered}</filtered>`) +
  (total === undefined ? '</response>' : `<total>${total}</total></response>`);

/** The text of the envelope before and after rows. */
const rowsFrame = {
  json: { open: Buffer.from(`${jsonSuccess},"results":[`), close: (answer: Answer) => `]${jsonEnd(answer)}` },
  xml: { open: Buffer.from(`${xmlSuccess}<results>`), close: (answer: Answer) => `</results>${xmlEnd(answer)}` },
} as const;

/** Writes the envelope of a failure, or the problem of RFC 9457. */
export function writeFailure(
  failure: Failure,
  requestId: string,
  negotiated: Negotiated,
): { type: string; text: string } {
  if (negotiated.problem) {
    const problem = {
      type: `urn:portreeve:status:${failure.word}`,
      title: failure.word,
      status: failure.httpCode,
      detail: failure.message,
      instance: `urn:uuid:${requestId}`,
      errors: failure.faults.map(({ pointer, message }) =>
        pointer.startsWith('?')
          ? { parameter: pointer.slice(1), detail: message }
          : { pointer: `#${pointer}`, detail: message },
      ),
    };
    return { type: 'application/problem+json', text: JSON.stringify(problem) };
  }
  if (negotiated.answer === 'xml') {
    const text = `${xmlHead}<status>${failure.word}</status><errorMessage>${writeXmlText(failure.message)}</errorMessage></response>`;
    return { type: contentTypes.xml, text };
  }
  return { type: contentTypes.json, text: JSON.stringify({ status: failure.word, errorMessage: failure.message }) };
}
