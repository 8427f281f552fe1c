import { createHash } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import type { FileContent, FileRequest, Operation } from '../declare/operation.ts';
import { notFound } from '../failure.ts';
import { readQuery } from './query.ts';

/** Files served without the envelope: documents, icons. Open to everybody, so they must not reveal anything. */
export interface OpenFile extends Pick<Operation, 'path' | 'query'> {
  method: 'GET';
  /** A page of ours, which reads its query itself: nothing of it is refused, and no throttle counts it. */
  isPage?: true;
  /** Path parameters may be any text; one at the end, `*`, may have slashes. */
  read(request: FileRequest): FileContent | Promise<FileContent>;
}

/** A file and its mark, by which a browser asks whether it has changed. */
export const fileContent = (type: string, bytes: string | Buffer, maxAgeSeconds = 0): FileContent => ({
  type,
  bytes,
  etag: `"${createHash('sha256').update(bytes).digest('base64url')}"`,
  maxAgeSeconds,
});

/** A file is no page unless it says so: whatever one holds, a browser runs nothing of it and fetches nothing for it. */
const contentSecurityPolicy = "default-src 'none'; style-src 'unsafe-inline'; sandbox";

/** Serves a file. */
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

/** Whether the caller already has it (RFC 9110, 13.1.2: compared weakly). */
const isCached = (header = '', etag: string): boolean =>
  header.split(',').some((entry) => ['*', etag, `W/${etag}`].includes(entry.trim()));
