import type { Operation } from '../../../src/kernel/declare/operation.ts';
import { type Draw, words } from './draw.ts';

/** Bytes that may or may not be a valid request. */
export interface RawRequest {
  bytes: Buffer;
  path: string;
  isHead: boolean;
}

/**
 * Returns requests that are odd outside of their body: in the request line, headers and framing, with a valid token or
 * none.
 */
export function drawRequest(draw: Draw, operation: Operation, authorization: string): RawRequest {
  const request: Protocols = {
    method: operation.method,
    // Neither the trial's own credentials nor a stream, which has no end.
    path: operation.path.replace(/\{\w+\}/g, /^\/auth|monitor/.test(operation.path) ? '999999' : '1'),
    version: 'HTTP/1.1',
    headers: ['Host: trial', ...(draw.chance(0.8) ? [authorization] : [])],
    body: '',
  };
  if (draw.chance(0.03)) return { bytes: draw.bytes(draw.between(1, 500)), path: '', isHead: false };
  for (let faults = draw.between(1, 2); faults > 0; faults--) draw.pick(accidents)(request, draw);
  const text = `${request.method} ${request.path} ${request.version}\r\n${request.headers.map((header) => `${header}\r\n`).join('')}\r\n${request.body}`;
  const bytes = Buffer.from(draw.chance(0.05) ? draw.mutated(text) : text, draw.chance(0.5) ? 'utf8' : 'latin1');
  const sentBytes = draw.chance(0.05) ? bytes.subarray(0, draw.below(bytes.length)) : bytes;
  return { bytes: sentBytes, path: request.path, isHead: /^\s*HEAD /.test(sentBytes.toString('latin1')) };
}

interface Protocols {
  method: string;
  path: string;
  version: string;
  headers: string[];
  body: string;
}

const methods = [
  ...words('GET POST DELETE HEAD OPTIONS PUT PATCH TRACE CONNECT PROPFIND PURGE QUERY M-SEARCH PRI get GETT'),
  'G E T',
  '',
  'GET\t',
  'X'.repeat(9_000),
];

const pathPieces = [
  ...words(
    '/ // .. . %2e%2e %2f %5c %00 % %zz %c0%af %e2%82 %ff %u0041 %25 ;a=b ? # & = ?filter= ?count=1&count=1 ?start=-1 \\ é 漢 😀 * :id {id}',
  ),
  ...words('1 0x1 -1 1e3 99999999999999999999 api v2 docs icons openapi.json constructor __proto__ ~ @ \0 \t'),
  ' ',
  'a'.repeat(250),
  'a'.repeat(9_000),
  '/1'.repeat(2_000),
  '%41'.repeat(3_000),
];

const wholePaths = [
  ...words(
    '* http://trial/api/v2/device/container http://[::1/ //evil.example/ trial:443 /docs /docs/container /docs/../',
  ),
  ...words('/icons/printer.svg /icons/device-type/1 /api/v2/openapi.json /healthz /readyz?x'),
  '/api/v2/schema.xsd?operation=constructor',
];

const values = [
  ...words(
    'x * */* application/json application/xml text/event-stream \0 \u0001 é 漢 " , ; q=1 -1 0 1 1e3 18446744073709551616 chunked',
  ),
  ...words('identity close keep-alive Upgrade h2c websocket 100-continue 200-ok bytes=0-1 127.0.0.1 %0d%0aX:y'),
  '',
  ' ',
  'gzip, chunked',
  'a=b; c=d',
  'a'.repeat(3_000),
  'a'.repeat(20_000),
];

const names = [
  ...words(
    'Accept Accept-Encoding Content-Type Content-Encoding Content-Length Transfer-Encoding Connection Expect Upgrade',
  ),
  ...words('HTTP2-Settings TE Trailer Host Authorization Cookie X-Security-Key If-Match If-None-Match Idempotency-Key'),
  ...words(
    'Last-Event-ID Range X-Forwarded-For X-Request-Id Traceparent X-HTTP-Method-Override __proto__ constructor X é',
  ),
  '',
  'Bad Name',
  'Bad\0',
  'x'.repeat(2_000),
];

const accidents: ((request: Protocols, draw: Draw) => void)[] = [
  (request, draw) => {
    request.method = draw.pick(methods);
  },
  (request, draw) => {
    request.path += draw.times(draw.few(8), () => draw.pick(pathPieces)).join('');
  },
  (request, draw) => {
    request.path = draw.chance(0.5)
      ? draw.mutated(request.path)
      : draw.times(draw.few(8), () => draw.pick(pathPieces)).join('');
  },
  (request, draw) => {
    request.path = draw.pick(wholePaths);
  },
  (request, draw) => {
    request.version = draw.pick([
      ...words('HTTP/1.0 HTTP/0.9 HTTP/2.0 HTTP/1.2 HTTP/9.9 http/1.1 ICE/1.0 HTTP/1.11'),
      'HTTP/1.1 x',
      '',
    ]);
  },
  (request, draw) => {
    request.headers.push(`${draw.pick(names)}${draw.pick([':', ': ', ' :', '', ':\t'])}${draw.pick(values)}`);
  },
  (request, draw) => {
    request.headers.push(`${draw.pick(names)}: ${draw.oddText()}`);
  },
  (request, draw) => {
    request.headers.unshift(
      ...draw.times(draw.pick([30, 300, 1_999, 2_500, 4_000]), () =>
        draw.pick(['a:b', 'X-Many: 1', 'Cookie: a=b', 'Accept: application/json']),
      ),
    );
  },
  (request, draw) => {
    // A folded line (RFC 9112, 5.2), and invalid line ends.
    request.headers.push(
      draw.pick(['X-Fold: a\r\n b', 'X-Fold: a\r\n\tb', ' leading: x', 'X: a\nY: b', 'X: a\rY: b', 'X: a\r\r', '\r']),
    );
  },
  (request, draw) => {
    request.body = draw.pick(['{}', '{"name":"x"}', 'x'.repeat(100)]);
    const length = draw.pick([
      ...words('0 2 5 100 -1 +2 1e3 2,3 0x2 1048577'),
      '9'.repeat(18),
      '9'.repeat(40),
      ' ',
      '2, 2',
      '2 2',
    ]);
    request.headers.push(
      `Content-Length: ${length}`,
      ...(draw.chance(0.2) ? [`Content-Length: ${draw.pick(['2', '3'])}`] : []),
    );
  },
  (request, draw) => {
    // Both lengths, and encodings that a proxy may read differently, as in request smuggling.
    request.body = draw.pick(chunkings);
    request.headers.push(
      draw.pick([
        'Transfer-Encoding: chunked',
        'Transfer-Encoding: chunked',
        'Transfer-Encoding : chunked',
        'Transfer-Encoding: xchunked',
        'Transfer-Encoding:\tchunked',
        'Transfer-Encoding: identity',
        'Transfer-Encoding: chunked, identity',
        'Transfer-Encoding: gzip',
        'transfer-encoding: CHUNKED',
      ]),
    );
    if (draw.chance(0.4)) request.headers.push(`Content-Length: ${request.body.length}`);
    if (draw.chance(0.2)) request.headers.push('Transfer-Encoding: chunked');
  },
  (request, draw) => {
    request.headers.push(
      `Expect: ${draw.pick(['100-continue', '100-Continue', '200-ok', '', 'x'.repeat(500)])}`,
      'Content-Length: 2',
    );
    request.body = draw.pick(['{}', '']);
  },
  (request, draw) => {
    // A second request after the first, valid or invalid.
    request.body = draw.pick([
      'GET /no-such-page HTTP/1.1\r\nHost: x\r\n\r\n',
      'GET /healthz HTTP/1.1\r\nHost: x\r\n\r\nGET /healthz HTTP/1.1\r\n',
      'nonsense\r\n\r\n',
      '\r\n\r\n',
    ]);
  },
  (request, draw) => {
    request.headers.push(
      `Accept: ${draw.pick([',', 'q', 'application/xml;q=nan', 'application/json;q=-1', '*/*;q=1e400', 'text/event-stream', 'application/json, */*', ';', 'a/b;'.repeat(800), 'application/problem+json', 'APPLICATION/XML', 'image/png'])}`,
    );
  },
  (request, draw) => {
    request.headers = request.headers.filter((header) => !header.startsWith(draw.pick(['Host', 'Authorization'])));
  },
  (request, draw) => {
    request.headers = [
      ...request.headers.filter((header) => !header.startsWith('Authorization')),
      `Authorization: ${draw.pick(['', 'Bearer', 'Bearer ', 'Bearer x', `Bearer prt_${'a'.repeat(190)}`, 'Basic YTpi', 'bearer \u0000', `Bearer ${'é'.repeat(20)}`, 'Digest x'])}`,
    ];
  },
];

const chunkings = [
  '0\r\n\r\n',
  '2\r\n{}\r\n0\r\n\r\n',
  '2\r\n{}\r\n0\r\nTrailer: x\r\n\r\n',
  'zz\r\n{}\r\n0\r\n\r\n',
  '-1\r\n{}\r\n0\r\n\r\n',
  'ffffffffffffffffff\r\n{}\r\n',
  '2;ext=1\r\n{}\r\n0\r\n\r\n',
  `2;${'x'.repeat(20_000)}\r\n{}\r\n0\r\n\r\n`,
  '2\r\n{}0\r\n\r\n',
  '2\n{}\n0\n\n',
  '5\r\n{}\r\n0\r\n\r\n',
  '1\r\n{\r\n1\r\n}\r\n0\r\n\r\n',
  `0\r\n${'T: x\r\n'.repeat(5_000)}\r\n`,
  '2\r\n{}\r\n',
];
