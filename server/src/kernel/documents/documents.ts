import { readFileSync } from 'node:fs';
import type { FileContent, FileRequest, Operation } from '../declare/operation.ts';
import { contentTypes } from '../http/envelope.ts';
import { fileContent, type OpenFile } from '../http/files.ts';
import type { Model } from '../model/model.ts';
import { inSlices, type Steps } from '../values/loop-share.ts';
import { SerialQueue } from '../values/serial-queue.ts';
import { Handbook, handbookRoot } from './handbook.ts';
import { html } from './html.ts';
import { type DocumentInfo, jsonSteps, meanings, openApiSteps } from './openapi.ts';
import { type DescribedGroup, handbookPage, Reference } from './reference-page.ts';
import { xmlSchema } from './xsd.ts';

/** The documents of the contract about these operations, and the pages that show them to people. */
export function apiDocuments(
  operations: readonly Operation[],
  model: Model,
  groups: readonly DescribedGroup[],
  info: DocumentInfo,
): OpenFile[] {
  let reference: Reference | undefined;
  function* pages(): Steps<Reference> {
    reference ??= new Reference(yield* openApiSteps(operations, model, info), groups, meanings);
    return reference;
  }
  let handbook: Handbook | undefined;
  const book = () => {
    handbook ??= new Handbook();
    return handbook;
  };
  // One at a time, in slices between other requests: a document of all operations takes a good part of a second.
  const turns = new SerialQueue();
  const document = (path: string, type: string, write: Write, headers: FileContent['headers'] = {}): OpenFile =>
    keptFile(path, type, (request) => turns.run(() => written(write(request))), headers);
  return [
    document('/api/v2/openapi.json', contentTypes.json, function* () {
      return yield* jsonSteps(yield* openApiSteps(operations, model, info));
    }),
    {
      ...document('/api/v2/schema.xsd', contentTypes.xml, ({ query }) =>
        xmlSchema(operations, query.operation as string | undefined),
      ),
      query: { operation: { shape: { kind: 'text', min: 1, max: 200 } } },
    },
    document(
      '/docs',
      htmlType,
      function* () {
        return (yield* pages()).index();
      },
      pageHeaders,
    ),
    document(
      '/docs/{group}',
      htmlType,
      function* ({ parameters }) {
        return yield* (yield* pages()).group(parameters.group!);
      },
      pageHeaders,
    ),
    document('/docs/search.json', contentTypes.json, function* () {
      return yield* (yield* pages()).search();
    }),
    document(
      handbookRoot,
      htmlType,
      () => handbookPage('Contents', html`<h1>Handbook</h1>${book().contents()}`),
      pageHeaders,
    ),
    document(
      `${handbookRoot}/{page}`,
      htmlType,
      ({ parameters }) => {
        const { title, content } = book().page(parameters.page!);
        return handbookPage(title, content);
      },
      pageHeaders,
    ),
    document('/docs/reference.css', 'text/css; charset=utf-8', () => asset('reference.css')),
    document('/docs/reference.js', 'text/javascript; charset=utf-8', () => asset('reference.js')),
  ];
}

/** The first page: a browser is led to where people begin, a program gets the list of places. */
export function entrance(places: readonly { name: string; path: string }[], begin: string): OpenFile {
  const headers = { vary: 'accept' };
  const list = fileContent(
    contentTypes.json,
    JSON.stringify(Object.fromEntries(places.map(({ name, path }) => [name, path]))),
  );
  const redirect = { ...fileContent(htmlType, ''), httpCode: 303, headers: { ...headers, location: begin } };
  return {
    method: 'GET',
    path: '/',
    query: {},
    read: ({ accept }) => (/\btext\/html\b/i.test(accept) ? redirect : { ...list, headers }),
  };
}

const htmlType = 'text/html; charset=utf-8';

/** A page loads our own style and script, and nothing else; nobody shows it inside a page of theirs. */
const pageHeaders = {
  'content-security-policy':
    "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
};

const asset = (name: string): string => readFileSync(new URL(name, import.meta.url), 'utf8');

type Write = (request: FileRequest) => string | Steps<string>;

const written = (content: string | Steps<string>) => (typeof content === 'string' ? content : inSlices(content));

/** Written at the first request, then kept, for operations do not change while a node runs. */
function keptFile(
  path: string,
  type: string,
  write: (request: FileRequest) => Promise<string>,
  headers: FileContent['headers'],
): OpenFile {
  const kept = new Map<string, Promise<FileContent>>();
  const read = (request: FileRequest) => {
    const key = JSON.stringify([request.parameters, request.query]);
    const found = kept.get(key);
    if (found) return found;
    const content = write(request).then((text) => ({ ...fileContent(type, Buffer.from(text)), headers }));
    kept.set(key, content);
    // What does not exist is not kept, so nobody can fill the memory with names of their own.
    content.catch(() => kept.delete(key));
    return content;
  };
  return { method: 'GET', path, query: {}, read };
}
