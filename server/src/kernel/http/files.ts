import { createHash } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import type { FileContent, FileRequest, Operation } from '../declare/operation.ts';
import { notFound } from '../failure.ts';
import { readQuery } from './query.ts';

/** Files served without the envelope: documents, icons. They need no credentials, so they must not reveal anything. */
export interface OpenFile extends Pick<Operation, 'path' | 'query'> {
  method: 'GET';
  /**
   * A page of this service that reads its query itself: no parameter is refused, and the throttle does not count the
   * request.
   */
  isPage?: true;
  /** Path parameters may be any text; a last one, `*`, may contain slashes. */
  read(request: FileRequest): FileContent | Promise<FileContent>;
}

/** Returns the content of a file with its ETag. */
export const fileContent = (type: string, bytes: string | Buffer, maxAgeSeconds = 0): FileContent => ({
  type,
  bytes,
  etag: `"${createHash('sha256').update(bytes).digest('base64url')}"`,
  maxAgeSeconds,
});

/** By default a file is not a page: whatever it contains, a browser executes nothing of it and loads nothing for it. */
const contentSecurityPolicy = "default-src 'none'; style-src 'unsafe-inline'; sandbox";

export function addFile(app: FastifyInstance, file: OpenFile, admit: (address: string) => void): void {
  app.route({
    method: ['GET', 'HEAD'],
    url: file.path.replace(/\{(\w+)\}/g, ':$1'),
    onRequest: async (request) => {
      if (!file.isPage) admit(request.ip);
    },
    handler: async (request, reply) => {
      const { id, ...parameters } = request.params as Record<string, string>;
      if (id !== undefined && !/^\d{1,15}$/.test(id)) throw notFound('such file');
      const search = request.url.includes('?') ? request.url.slice(request.url.indexOf('?') + 1) : '';
      const query = file.isPage ? {} : readQuery({ query: file.query, writes: false }, search);
      const { accept = '', 'accept-encoding': encodings = '' } = request.headers;
      const content = await file.read({ id: Number(id ?? 0), parameters, query, accept, encodings: String(encodings) });
      const { type, bytes, etag, httpCode = 200, maxAgeSeconds = 0, headers } = content;
      void reply.headers({
        'x-request-id': request.id,
        etag,
        'cache-control': maxAgeSeconds > 0 ? `public, max-age=${maxAgeSeconds}` : 'no-cache',
        'x-content-type-options': 'nosniff',
        'content-security-policy': contentSecurityPolicy,
        ...headers,
      });
      if (httpCode === 200 && isCached(request.headers['if-none-match'], etag)) return reply.code(304).send();
      return reply.code(httpCode).type(type).send(bytes);
    },
  });
}

/** True if the caller has this version already (RFC 9110, 13.1.2: weak comparison). */
const isCached = (header = '', etag: string): boolean =>
  header.split(',').some((entry) => ['*', etag, `W/${etag}`].includes(entry.trim()));
