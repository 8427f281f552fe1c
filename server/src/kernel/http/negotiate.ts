import type { Format, Operation } from '../declare/operation.ts';
import { Failure } from '../failure.ts';
import { isUpload } from './multipart.ts';

/** How one request is read and answered. */
export interface Negotiated {
  body: Format;
  answer: Format;
  /** Errors as RFC 9457. */
  problem: boolean;
  /** The answer as a stream of server-sent events. */
  stream: boolean;
}

const unsupportedMedia = (text: string) =>
  new Failure(
    'unsupported',
    `Content-Type ${JSON.stringify(text)} is not supported; send application/json or application/xml in UTF-8.`,
    { httpCode: 415 },
  );

/** Content-Type names the format of both directions, unless Accept asks for another one. */
export function negotiate(
  contentType: string | undefined,
  accept: string | undefined,
  { streams, uploads }: Pick<Operation, 'streams' | 'uploads'>,
): Negotiated {
  // Files are answered as JSON, unless Accept says otherwise.
  const body = uploads && isUpload(uploads, contentType) ? 'json' : bodyFormat(contentType);
  const choice = accept === undefined || accept.trim() === '' ? undefined : acceptable(accept, streams === true);
  if (choice === undefined || choice === 'any') return { body, answer: body, problem: false, stream: false };
  if (choice === 'none') {
    throw new Failure('unsupported', 'Accept lists no supported format; use application/json or application/xml.', {
      httpCode: 406,
    });
  }
  return {
    body,
    answer: choice === 'xml' ? 'xml' : choice === 'json' ? 'json' : body,
    problem: choice === 'problem',
    stream: choice === 'stream',
  };
}

/**
 * Refuses a body that names no type. A page of another site can send one (`fetch` with an untyped Blob) and no preflight request comes
 * first, so a body without a type must not be read as JSON.
 */
export function requireContentType(contentType: string | undefined, hasBody: boolean): void {
  if (!hasBody || contentType?.trim()) return;
  throw new Failure(
    'unsupported',
    'Content-Type: this header is required with a body; send application/json or application/xml in UTF-8.',
    { httpCode: 415 },
  );
}

/** Bodies are taken as they are: what is unpacked could become anything. */
export function refuseEncoded(contentEncoding: string | undefined): void {
  if (contentEncoding === undefined || contentEncoding.trim().toLowerCase() === 'identity') return;
  throw new Failure(
    'unsupported',
    `Content-Encoding ${JSON.stringify(contentEncoding)} is not supported; send the body uncompressed.`,
    { httpCode: 415 },
  );
}

/** How an error is answered when the request was so broken that nothing could be negotiated. */
export function fallbackFormat(contentType: string | undefined, accept: string | undefined): Negotiated {
  try {
    return negotiate(contentType, accept, { streams: true });
  } catch {
    return { body: 'json', answer: 'json', problem: false, stream: false };
  }
}

function bodyFormat(contentType: string | undefined): Format {
  if (contentType === undefined || contentType.trim() === '') return 'json';
  const [type, ...parameters] = contentType.split(';').map((part) => part.trim().toLowerCase());
  const charset = parameters
    .find((parameter) => parameter.startsWith('charset='))
    ?.slice('charset='.length)
    .replaceAll('"', '');
  if (charset !== undefined && charset !== 'utf-8' && charset !== 'utf8') throw unsupportedMedia(contentType);
  if (type === 'application/json') return 'json';
  if (type === 'application/xml') return 'xml';
  throw unsupportedMedia(contentType);
}

type Choice = 'json' | 'xml' | 'problem' | 'stream' | 'any' | 'none';

const served: ReadonlyMap<string, Choice> = new Map<string, Choice>([
  ['application/json', 'json'],
  ['application/xml', 'xml'],
  ['application/problem+json', 'problem'],
  ['text/event-stream', 'stream'],
  ['*/*', 'any'],
  ['application/*', 'any'],
]);

/** The highest q of what is served; the first one named wins a tie. */
function acceptable(accept: string, streams: boolean): Choice {
  let best: { choice: Choice; q: number } = { choice: 'none', q: 0 };
  const refused = new Set<Choice>();
  for (const range of accept.split(',').slice(0, 20)) {
    const [type, ...parameters] = range.split(';').map((part) => part.trim().toLowerCase());
    const choice = served.get(type ?? '');
    if (!choice || (choice === 'stream' && !streams)) continue;
    const q = Number(parameters.find((parameter) => parameter.startsWith('q='))?.slice(2) ?? 1);
    if (q > best.q) best = { choice, q };
    if (q === 0) refused.add(choice);
  }
  return best.choice === 'any' ? anyBut(refused) : best.choice;
}

/** "Anything" leaves out what has q=0 (RFC 9110, 12.5.1). */
const anyBut = (refused: ReadonlySet<Choice>): Choice => {
  if (!refused.has('json') && !refused.has('xml')) return 'any';
  return (['json', 'xml'] as const).find((format) => !refused.has(format)) ?? 'none';
};
