import { readFileSync } from 'node:fs';
import type { FileContent, FileRequest, Operation } from '../declare/operation.ts';
import { contentTypes } from '../http/envelope.ts';
import { fileContent, type OpenFile } from '../http/files.ts';
import type { Model } from '../model/model.ts';
import { Handbook, handbookRoot } from './handbook.ts';
import { html } from './html.ts';
import { type DocumentInfo, meanings, openApiDocument } from './openapi.ts';
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
  const pages = () => {
    reference ??= new Reference(openApiDocument(operations, model, info), groups, meanings);
    return reference;
  };
  let handbook: Handbook | undefined;
  const book = () => {
    handbook ??= new Handbook();
    return handbook;
  };
  return [
    document('/api/v2/openapi.json', contentTypes.json, () => JSON.stringify(openApiDocument(operations, model, info))),
    {
      ...document('/api/v2/schema.xsd', contentTypes.xml, ({ query }) =>
        xmlSchema(operations, query.operation as string | undefined),
      ),
      query: { operation: { shape: { kind: 'text', min: 1, max: 200 } } },
    },
    document('/docs', htmlType, () => pages().index(), pageHeaders),
    document('/docs/{group}', htmlType, ({ parameters }) => pages().group(parameters.group!), pageHeaders),
    document('/docs/search.json', contentTypes.json, () => pages().search()),
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

/** Written at the first request, then kept, for operations do not change while a node runs. */
function document(
  path: string,
  type: string,
  write: (request: FileRequest) => string,
  headers: FileContent['headers'] = {},
): OpenFile {
  const kept = new Map<string, FileContent>();
  const read = (request: FileRequest) => {
    const key = JSON.stringify([request.parameters, request.query]);
    const found = kept.get(key);
    if (found) return found;
    // What does not exist throws here, so nobody can fill the memory with names of their own.
    const content = { ...fileContent(type, Buffer.from(write(request))), headers };
    kept.set(key, content);
    return content;
  };
  return { method: 'GET', path, query: {}, read };
}
