import { gzipSync } from 'node:zlib';
import type { Operation } from '../../../src/kernel/declare/operation.ts';
import { xmlRequest } from '../../../src/kernel/documents/openapi.ts';
import { type Draw, words } from './draw.ts';

/** A request that is valid HTTP. */
export interface DrawnRequest {
  method: string;
  path: string;
  headers: Record<string, string>;
  body: Buffer;
}

/** Returns the request as bytes, with a header line that authenticates it. */
export function requestBytes({ method, path, headers, body }: DrawnRequest, authorization: string): Buffer {
  const lines = [
    `${method} ${path} HTTP/1.1`,
    'Host: trial',
    authorization,
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    ...(body.length > 0 || method === 'POST' ? [`Content-Length: ${body.length}`] : []),
  ];
  return Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1'), body]);
}

/** The largest body that the service reads; the trial also sends larger ones. */
const bodyMaxBytes = 1_048_576;

/** Returns a body for an operation: its example, valid or made invalid in one of many ways, in JSON or XML. */
export function drawBody(draw: Draw, operation: Operation): DrawnRequest {
  const { method, path } = operation;
  const isXml = draw.chance(0.4);
  const request = {
    method,
    path: pathOf(draw, path),
    headers: { 'Content-Type': isXml ? 'application/xml' : 'application/json' },
  };
  if (draw.chance(0.1))
    request.path += `?${draw.pick(['dryRun=true', 'dryRun=false', 'dryRun=maybe', 'x=1', '__proto__=1', '%'])}`;
  const example = withName(
    operation.example ?? (operation.body?.kind === 'list' ? [] : {}),
    `trial ${draw.below(1_000_000_000)}`,
  );
  const right = isXml && operation.body ? xmlOf(operation.body, example) : JSON.stringify(example);
  if (draw.chance(0.1)) return { ...request, body: Buffer.from(right) };
  const wrong = draw.chance(0.6)
    ? isXml
      ? xmlFault(draw, operation, example, right)
      : jsonFault(draw, operation, example)
    : draw.mutated(right);
  return encoded(draw, request, wrong);
}

const xmlOf = (shape: NonNullable<Operation['body']>, value: unknown): string =>
  `<?xml version="1.0"?>${xmlRequest(shape, value)}`;

/** Ids that may exist, and ids that cannot; never those of credentials, because the trial needs its own. */
const pathOf = (draw: Draw, path: string): string =>
  path.replace(/\{\w+\}/g, () =>
    path.startsWith('/auth') ? '999999' : draw.pick(['1', '2', '3', '10', '999999', '0', '9007199254740993']),
  );

/** Gives the example a new name: names are unique, so the same example could be stored only once. */
const withName = (example: unknown, name: string): unknown =>
  typeof example === 'object' && example !== null && 'name' in example ? { ...example, name } : example;

const oddNumbers = [
  ...words(
    '1e400 -1e400 1e-400 9007199254740993 -0 0.1 1E+9999 2147483648 -1 0 1.0000000000000001 0x10 01 +1 .5 NaN Infinity',
  ),
  '1'.repeat(400),
];
const oddKeys = [
  ...words('__proto__ constructor prototype toString hasOwnProperty id version x/y~z $ref 0 \0 \ud800'),
  '',
  ' ',
  'a'.repeat(5_000),
  'a'.repeat(200_000),
];

/** Marks a place in a value for a text that JSON.stringify would not write. */
const slot = '\uf8ff';

/**
 * Returns invalid content: a value of another type in any place of the example or in any other field, or JSON that
 * JSON.parse accepts although it should not be.
 */
function jsonFault(draw: Draw, operation: Operation, example: unknown): string {
  const anything = () => draw.pick(jsonValues)(draw);
  if (draw.chance(0.1)) return anything();
  const marked = draw.chance(0.4) ? withField(example, fieldOf(draw, operation)) : withSlot(draw, example);
  const text = JSON.stringify(marked).replace(JSON.stringify(slot), anything);
  if (draw.chance(0.7)) return text;
  // Adds a key a second time, or a key that should not exist.
  const key = draw.chance(0.3) ? (/"(\w+)":/.exec(text)?.[1] ?? 'x') : draw.pick(oddKeys);
  return text.replace('{', () => `{${JSON.stringify(key)}:${anything()}${text === '{}' ? '' : ','}`);
}

/** Returns any field of the operation, also one that is missing in its example. */
const fieldOf = (draw: Draw, { body }: Operation): string =>
  body?.kind === 'object' ? draw.pick(Object.keys(body.properties)) : 'x';

const withField = (example: unknown, field: string): unknown => ({ ...(example as object), [field]: slot });

/** Replaces one value of the example, at any depth, by the mark. */
function withSlot(draw: Draw, example: unknown): unknown {
  const where = draw.below(JSON.stringify(example).split(/[,:[{]/).length);
  let index = 0;
  const walked = (value: unknown): unknown => {
    if (index++ === where) return slot;
    if (Array.isArray(value)) return value.map(walked);
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, walked(inner)]));
  };
  return walked(example);
}

const jsonValues: ((draw: Draw) => string)[] = [
  () => 'null',
  () => 'true',
  () => '[]',
  () => '{}',
  () => '""',
  () => '[null]',
  (draw) => draw.pick(oddNumbers),
  (draw) => draw.pick(oddNumbers),
  (draw) => JSON.stringify(draw.oddText()),
  (draw) => JSON.stringify(draw.oddText()),
  (draw) => `"${draw.oddText()}"`,
  (draw) =>
    draw.pick(['"\\u0000"', '"\\ud800"', '"\\udc00\\ud800"', '"\\x"', '"\\u12"', '"\t"', '"\u0001"', '"\\', '"']),
  (draw) => `{"${draw.pick(oddKeys)}":{"isAdmin":true}}`,
  (draw) => '['.repeat(draw.pick([10, 33, 2_000, 100_000])) + ']'.repeat(draw.pick([0, 10, 33])),
  (draw) => '{"a":'.repeat(draw.pick([10, 33, 20_000])),
  (draw) => JSON.stringify('x'.repeat(draw.pick([65, 300, 5_000, 200_000]))),
  (draw) => `[${'1,'.repeat(draw.pick([10, 5_001, 100_000]))}1]`,
  (draw) => `{${draw.times(draw.pick([30, 3_000]), () => `"k${draw.below(1e9)}":1`).join()}}`,
  (draw) =>
    JSON.stringify(
      draw.pick([
        "'; drop table container; --",
        '#{7*7}',
        '../../etc/passwd',
        'file:///etc/passwd',
        'http://169.254.169.254/',
        '%0d%0aSet-Cookie: a=b',
        '<script>alert(1)</script>',
        '(a+)+$',
        '2026-02-30T00:00:00Z',
        '275760-09-13T00:00:00Z',
        '00:00:00:00:00:00',
        '::ffff:1.2.3.4',
        '999.1.1.1',
      ]),
    ),
];

/**
 * Returns an invalid document: features of XML that the service does not accept, or content that does not match the
 * schema.
 */
function xmlFault(draw: Draw, operation: Operation, example: unknown, right: string): string {
  const inner = right.replace(/^<\?xml[^>]*\?>/, '');
  const bomb = (levels: number) =>
    `<!DOCTYPE request [<!ENTITY a0 "lol">${draw
      .times(levels, () => '')
      .map((_, n) => `<!ENTITY a${n + 1} "${`&a${n};`.repeat(10)}">`)
      .join('')}]><request><name>&a${levels};</name></request>`;
  return draw.pick([
    () => bomb(draw.pick([1, 9, 30])),
    () => `<!DOCTYPE request SYSTEM "${draw.pick(['file:///etc/passwd', 'http://127.0.0.1:1/x.dtd'])}">${inner}`,
    () => `<!DOCTYPE request [<!ENTITY x SYSTEM "file:///etc/passwd">]><request><name>&x;</name></request>`,
    () => `<!DOCTYPE request [<!ENTITY % p SYSTEM "http://127.0.0.1:1/x">%p;]>${inner}`,
    () =>
      `<?xml version="1.0" encoding="${draw.pick(['UTF-16', 'ISO-8859-1', 'utf-7', 'x'.repeat(3_000), ''])}"?>${inner}`,
    () => `<?xml version="${draw.pick(['1.1', '2.0', ''])}"?>${inner}`,
    () => `<?xml-stylesheet href="http://127.0.0.1:1/"?>${inner}`,
    () =>
      inner.replace(
        '<request',
        `<request ${draw.times(draw.pick([1, 2_000]), () => `a${draw.below(1e9)}="1"`).join(' ')}`,
      ),
    () =>
      inner.replace(
        '<request',
        `<request ${draw.times(draw.pick([1, 500]), () => `xmlns:n${draw.below(1e9)}="urn:x"`).join(' ')}`,
      ),
    () => inner.replace('<request', '<request a="1" a="2"'),
    () => `<x:request xmlns:x="${draw.pick(['', 'urn:x', 'http://www.w3.org/2000/xmlns/'])}"/>`,
    () => `${'<request>'.repeat(draw.pick([10, 33, 50_000]))}`,
    () => `<request>${'<item>'.repeat(draw.pick([40, 20_000]))}`,
    () => `<request>${'<name>a</name>'.repeat(draw.pick([2, 10_000]))}</request>`,
    () => `<request>${`<${draw.pick(['__proto__', 'constructor', 'toString'])}>a</${'constructor'}>`}</request>`,
    () =>
      `<request><name>${draw.pick(['&#0;', '&#xD800;', '&#x110000;', '&#xFFFF;', '&nbsp;', '&constructor;', '&', '&#;', ']]>', '<![CDATA[', '<!--', '--'])}</name></request>`,
    () => `<request><name><![CDATA[${draw.oddText()}]]></name></request>`,
    () => `<request><name>${draw.oddText().replaceAll(/[<&]/g, '')}</name></request>`,
    () => `<request><name>${'x'.repeat(draw.pick([300, 100_000]))}</name></request>`,
    () => inner.replace(/>([^<>]+)</, () => `>${draw.pick(oddNumbers)}<`),
    () =>
      inner.replace(
        />([^<>]+)</,
        () =>
          ` xsi:nil="${draw.pick(['true', 'false', 'x'])}" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance">${draw.pick(['', 'x'])}<`,
      ),
    () => inner.slice(0, draw.below(inner.length)),
    () => {
      const field = fieldOf(draw, operation);
      return inner.replace('</request>', `<${field}>${draw.pick(oddNumbers)}</${field}></request>`);
    },
    () => inner + inner,
    () => inner.replaceAll('<request', '<response').replaceAll('</request', '</response'),
    () => `<request>${'<!-- -->'.repeat(draw.pick([1, 5_000]))}</request>`,
    () => (operation.body ? xmlOf(operation.body, withName(example, draw.oddText())) : inner),
    () => draw.oddText(),
    () => '',
  ])();
}

/** Encodes the text: mostly as UTF-8, otherwise in one of the wrong ways that clients use. */
function encoded(draw: Draw, request: Omit<DrawnRequest, 'body'>, text: string): DrawnRequest {
  const utf8 = Buffer.from(text);
  const as = (body: Buffer, headers: Record<string, string> = {}): DrawnRequest => ({
    ...request,
    headers: { ...request.headers, ...headers },
    body,
  });
  if (draw.chance(0.7)) return as(utf8);
  const type = request.headers['Content-Type']!;
  const position = draw.below(utf8.length + 1);
  return draw.pick([
    () => as(Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), utf8])),
    () => as(Buffer.from(`\ufeff${text}`, 'utf16le')),
    () => as(Buffer.from(text, 'utf16le').swap16(), { 'Content-Type': `${type}; charset=utf-16be` }),
    () => as(Buffer.from(text, 'latin1')),
    () =>
      as(Buffer.from(text, 'latin1'), {
        'Content-Type': `${type}; charset=${draw.pick(['iso-8859-1', 'windows-1252', 'utf-7', '"utf-8"', 'UTF8', ''])}`,
      }),
    () =>
      as(
        Buffer.concat([
          utf8.subarray(0, position),
          Buffer.from(
            draw.pick([[0xff], [0xc0, 0x80], [0xed, 0xa0, 0x80], [0xf4, 0x90, 0x80, 0x80], [0xe2, 0x82], [0]]),
          ),
          utf8.subarray(position),
        ]),
      ),
    () => as(draw.bytes(draw.between(0, 400))),
    () => as(gzipSync(utf8), { 'Content-Encoding': draw.pick(['gzip', 'deflate', 'br', 'x']) }),
    () => as(gzipSync(Buffer.alloc(5_000_000)), { 'Content-Encoding': 'gzip' }),
    () =>
      as(utf8, {
        'Content-Type': draw.pick([
          'text/plain',
          'application/x-www-form-urlencoded',
          'multipart/form-data; boundary=x',
          'application/xml',
          'application/json',
          'application/json; charset=utf-16',
          '*/*',
          'x',
          ';;;',
          `application/json;${'a=b;'.repeat(500)}`,
        ]),
      }),
    () =>
      as(utf8, {
        Accept: draw.pick([
          'application/problem+json',
          'application/xml',
          'text/html',
          '*/*;q=0',
          'text/event-stream',
          ','.repeat(500),
        ]),
      }),
    () => as(utf8, { 'If-Match': draw.pick(['"1"', '*', '"', '"99999999999999999"', 'W/"1"']) }),
    () => as(utf8, { 'Idempotency-Key': draw.pick(['k', 'x'.repeat(201), 'ü', `key ${draw.below(20)}`]) }),
    () =>
      as(
        draw.chance(0.1)
          ? Buffer.alloc(
              draw.pick([bodyMaxBytes, bodyMaxBytes + 1, bodyMaxBytes * 2]),
              draw.pick(['[', ' ', '"', '<', 'a']),
            )
          : utf8,
      ),
    () => as(Buffer.alloc(0)),
  ])();
}
