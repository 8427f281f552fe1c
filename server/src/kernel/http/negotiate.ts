import type { Format, Operation } from '../declare/operation.ts';
import { Failure } from '../failure.ts';
import { isUpload } from './multipart.ts';

/** The formats of one request and its response. */
export interface Negotiated {
  body: Format;
  answer: Format;
  /** Errors are sent as problems of RFC 9457. */
  problem: boolean;
  /** The response is a stream of server-sent events. */
  stream: boolean;
}

const unsupportedMedia = (text: string) =>
  new Failure(
    'unsupported',
    `Content-Type ${JSON.stringify(text)} is not supported; send application/json or application/xml in UTF-8.`,
    { httpCode: 415 },
  );

/** Returns the formats: Content-Type names them for both directions, unless Accept names another one. */
export function negotiate(
  contentType: string | undefined,
  accept: string | undefined,
  { streams, uploads }: Pick<Operation, 'streams' | 'uploads'>,
): Negotiated {
  // The response to an upload is JSON, unless Accept names another format.
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
 * Refuses a body that names no type. A page of another site can send one (`fetch` with an untyped Blob) without a
 * preflight request, so a body without a type must not be read as JSON.
 */
export function requireContentType(contentType: string | undefined, hasBody: boolean): void {
  if (!hasBody || contentType?.trim()) return;
  throw new Failure(
    'unsupported',
    'Content-Type: this header is required with a body; send application/json or application/xml in UTF-8.',
    { httpCode: 415 },
  );
}

/** Refuses compressed bodies: their unpacked size has no bound. */
export function refuseEncoded(contentEncoding: string | undefined): void {
  if (contentEncoding === undefined || contentEncoding.trim().toLowerCase() === 'identity') return;
  throw new Failure(
    'unsupported',
    `Content-Encoding ${JSON.stringify(contentEncoding)} is not supported; send the body uncompressed.`,
    { httpCode: 415 },
  );
}

/** Returns the formats of an error response to a request that is too broken to negotiate them. */
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

/** Returns the supported type with the highest q; the first one wins a tie. */
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

/** Returns the choice for a wildcard, without the formats that have q=0 (RFC 9110, 12.5.1). */
const anyBut = (refused: ReadonlySet<Choice>): Choice => {
  if (!refused.has('json') && !refused.has('xml')) return 'any';
  return (['json', 'xml'] as const).find((format) => !refused.has(format)) ?? 'none';
};
