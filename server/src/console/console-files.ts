import { readdir, readFile } from 'node:fs/promises';
import { extname, join, relative } from 'node:path';
import type { FileContent, FileRequest } from '../kernel/declare/operation.ts';
import { notFound } from '../kernel/failure.ts';
import { fileContent, type OpenFile } from '../kernel/http/files.ts';

export const consoleRoot = '/console/';

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
};

/** The page may run and load only content of this service, and Trusted Types prevent text from becoming script. */
const headers = {
  'content-security-policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; font-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'",
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  vary: 'accept-encoding',
};

/** The encodings of the build, smallest first. */
const encodings = [
  { name: 'br', suffix: '.br' },
  { name: 'gzip', suffix: '.gz' },
] as const;

const assets = 'assets/';
/** Operations of the console are below this path, so an unknown path there is not a page. */
const operations = 'api/';
const immutable = { 'cache-control': 'public, max-age=31536000, immutable' };

/** Returns the files of the built console from memory: assets by name, and the page at every other path. Empty if there is no build. */
export async function consoleFiles(folder: string): Promise<OpenFile[]> {
  const files = await loadFiles(folder);
  if (!files.has('index.html')) return [];
  const readContent = ({ parameters, encodings: accepted }: FileRequest): FileContent => {
    const path = parameters['*'] ?? '';
    const isAsset = path.startsWith(assets);
    const name = isAsset ? path : 'index.html';
    const type = types[extname(name)];
    const encoding = encodings.find(
      ({ name: encodingName, suffix }) => accepts(accepted, encodingName) && files.has(name + suffix),
    );
    const content = files.get(name + (encoding?.suffix ?? ''));
    if (!content || !type || path.startsWith(operations)) throw notFound('such file');
    const encoded = encoding && { 'content-encoding': encoding.name };
    return { ...content, type, headers: { ...headers, ...encoded, ...(isAsset && immutable) } };
  };
  const toPage = { ...fileContent(types['.html']!, ''), httpCode: 303, headers: { ...headers, location: consoleRoot } };
  const page = { method: 'GET', query: {}, isPage: true } as const;
  return [
    { ...page, path: consoleRoot.slice(0, -1), read: () => toPage },
    { ...page, path: `${consoleRoot}*`, read: readContent },
  ];
}

async function loadFiles(folder: string): Promise<Map<string, FileContent>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch((error) => {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  });
  const paths = entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name));
  const readEntry = async (path: string) => [relative(folder, path), fileContent('', await readFile(path))] as const;
  return new Map(await Promise.all(paths.map(readEntry)));
}

/** True if `Accept-Encoding` contains the encoding, unless its weight is 0 (RFC 9110, 12.5.3). */
const accepts = (accepted: string, encoding: string): boolean =>
  accepted.split(',').some((preference) => {
    const [name, ...parameters] = preference.split(';').map((part) => part.trim().toLowerCase());
    return name === encoding && !parameters.some((parameter) => /^q=0(\.0*)?$/.test(parameter));
  });
