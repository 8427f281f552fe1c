import type { FastifyRequest } from 'fastify';
import type { Caller } from '../declare/caller.ts';
import { type Call, type FilePart, type Operation, takesReason } from '../declare/operation.ts';
import { type Fault, invalid } from '../failure.ts';
import { checkValue } from '../format/check-value.ts';
import { readJson } from '../format/json-reader.ts';
import { readXml } from '../format/xml-reader.ts';
import { readIdempotencyKey, requestHash } from '../write/idempotency.ts';
import { boundaryOf, isUpload, onlyFile, readMultipart } from './multipart.ts';
import { type Negotiated, requireContentType } from './negotiate.ts';
import { readParameters } from './path.ts';
import { readListBody, readQuery } from './query.ts';
import { readReason } from './reason.ts';

/** Reads a request: query, body, path and headers. Throws 400 with all faults of the first invalid one of them. */
export function readCall(
  operation: Operation,
  request: FastifyRequest,
  caller: Caller,
  negotiated: Negotiated,
  nowMs: number,
): Call {
  const search = request.url.includes('?') ? request.url.slice(request.url.indexOf('?') + 1) : '';
  const raw = Buffer.isBuffer(request.body) && request.body.length > 0 ? request.body : undefined;
  // A chunked body does not announce whether it is empty, and some proxies send an empty one with each POST.
  requireContentType(request.headers['content-type'], raw !== undefined);
  const query = readQuery(operation, search, operation.listed === true && raw !== undefined);
  const files = filesOf(operation, request);
  const body = files ? undefined : readBody(operation, raw, negotiated, query);
  const key = operation.method === 'POST' ? readIdempotencyKey(headerOf(request, 'idempotency-key')) : undefined;
  const { [operation.idName ?? 'id']: id, ...pathParameters } = request.params as Record<string, string>;
  return {
    operation,
    caller,
    origin: {
      user: caller.userID,
      accountId: caller.accountId,
      rights: caller.rights,
      limits: caller.limits,
      address: request.ip,
      credential: caller.credential,
      requestId: request.id,
      method: request.method,
      path: request.url.split('?', 1)[0]!,
      reason: takesReason(operation) ? readReason(headerOf(request, 'x-reason')) : null,
    },
    id: Number(id ?? 0),
    parameters: readParameters(operation, pathParameters),
    query: operation.listed && body !== undefined ? (body as Record<string, unknown>) : query,
    body: operation.listed ? undefined : body,
    ...(files && { files }),
    ifMatch: readIfMatch(headerOf(request, 'if-match')),
    idempotency: key === undefined ? undefined : { key, hash: requestHash(request.method, request.url, raw) },
    dryRun: query.dryRun === true,
    nowMs,
    // Created on first use: few operations use it, and it costs as much as the rest of this function.
    get signal() {
      return request.signal;
    },
  };
}

/** Returns the files of an upload. Their content is not stored, so a key that would replay the response is refused. */
function filesOf({ uploads }: Operation, request: FastifyRequest): AsyncIterable<FilePart> | undefined {
  const contentType = request.headers['content-type'];
  if (!uploads || !isUpload(uploads, contentType)) return undefined;
  if (request.headers['idempotency-key'] !== undefined)
    throw invalid('Idempotency-Key: not accepted for uploads; an upload can be repeated safely.');
  const body = request.body as AsyncIterable<Buffer>;
  const boundary = boundaryOf(contentType);
  return boundary === undefined
    ? onlyFile(body, Object.keys(uploads.fields)[0]!, uploads.bytesMax)
    : readMultipart(body, boundary, uploads.bytesMax);
}

const utf8 = new TextDecoder('utf-8', { fatal: true });

function readBody(
  operation: Operation,
  raw: Buffer | undefined,
  negotiated: Negotiated,
  query: Record<string, unknown>,
): unknown {
  const shape = operation.listed ? listBody(operation) : operation.body;
  if (!raw) {
    if (shape && !operation.listed && !operation.bodyOptional) throw invalid('This operation requires a body.');
    return undefined;
  }
  if (!shape) {
    if (operation.ignoresBody) return undefined;
    throw invalid('This operation takes no body.');
  }
  if (operation.listed && Object.keys(query).length > 0)
    throw invalid('Send list parameters either in the query or in the body, not in both.');
  let text: string;
  try {
    text = utf8.decode(raw);
  } catch {
    throw invalid('The body is not valid UTF-8.');
  }
  const parsedBody = negotiated.body === 'xml' ? readXml(text, shape) : readJson(text);
  const value = operation.listed ? readListBody(operation, parsedBody) : parsedBody;
  const faults: Fault[] = [];
  const checked = checkValue(shape, value, '', faults);
  if (faults.length > 0) throw invalid(faults);
  return checked;
}

/** Returns the shape of the list parameters as an object, for a GET with a body. */
const listBody = (operation: Operation) => ({
  kind: 'object' as const,
  properties: Object.fromEntries(
    Object.entries(operation.query).map(([name, { shape, many }]) => [
      name,
      many ? { kind: 'list' as const, item: shape, max: 16 } : shape,
    ]),
  ),
  required: Object.keys(operation.query).filter((name) => operation.query[name]!.required),
});

function readIfMatch(header: string | undefined): number | undefined {
  if (header === undefined || header === '*') return undefined;
  const match = /^(?:W\/)?"(\d{1,15})"$/.exec(header.trim());
  if (!match) throw invalid('If-Match: expected the ETag of the record, such as "3".');
  return Number(match[1]);
}

/** Returns the value of a header that may be sent once. */
export const headerOf = (request: FastifyRequest, name: string): string | undefined => {
  const value = request.headers[name];
  return Array.isArray(value) ? value[0] : value;
};
