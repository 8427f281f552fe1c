import fc from 'fast-check';
import { expect, test } from 'vitest';
import { boundaryOf, readMultipart } from './multipart.ts';

const boundary = 'kUHrf9';

function bodyOf(files: readonly [field: string, content: Uint8Array][]): Buffer {
  const parts = files.flatMap(([field, content]) => [
    Buffer.from(
      `--${boundary}\r\nContent-Disposition: form-data; name="${field}"; filename="../../etc/passwd"\r\n\r\n`,
    ),
    Buffer.from(content),
    Buffer.from('\r\n'),
  ]);
  return Buffer.concat([...parts, Buffer.from(`--${boundary}--\r\n`)]);
}

async function* pieces(body: Buffer, size: number): AsyncGenerator<Buffer> {
  for (let start = 0; start < body.length; start += size) yield body.subarray(start, start + size);
}

async function read(body: AsyncIterable<Buffer>, bytesMax = 1_000_000): Promise<[string, Buffer][]> {
  const files: [string, Buffer][] = [];
  for await (const { field, content } of readMultipart(body, boundary, bytesMax)) {
    const chunks: Buffer[] = [];
    for await (const chunk of content) chunks.push(chunk);
    files.push([field, Buffer.concat(chunks)]);
  }
  return files;
}

test('any files come out as they went in, however the body is cut into pieces', async () => {
  // Contents that resemble boundaries on purpose.
  const content = fc.oneof(
    fc.uint8Array({ maxLength: 200 }),
    fc
      .array(fc.constantFrom('\r\n', '--', boundary.slice(0, 3), '-', '\r', 'x'))
      .map((words) => Buffer.from(words.join(''))),
  );
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(fc.constantFrom('manifest', 'archive'), content), { minLength: 1, maxLength: 4 }),
      fc.integer({ min: 1, max: 70 }),
      async (files, size) => {
        const body = bodyOf(files);
        // Clients choose a boundary that the content does not contain.
        fc.pre(files.every(([, bytes]) => !Buffer.from(bytes).includes(`--${boundary}`)));
        const parts = await read(pieces(body, size));
        expect(parts.map(([field, bytes]) => [field, bytes.toString('hex')])).toEqual(
          files.map(([field, bytes]) => [field, Buffer.from(bytes).toString('hex')]),
        );
      },
    ),
  );
});

test('a reader that leaves a file unread gets the next one all the same', async () => {
  const fields: string[] = [];
  const body = bodyOf([
    ['manifest', Buffer.from('{}')],
    ['archive', Buffer.alloc(5_000, 7)],
  ]);
  for await (const { field } of readMultipart(pieces(body, 100), boundary, 10_000)) fields.push(field);
  expect(fields).toEqual(['manifest', 'archive']);
});

test('a body that is cut off, too large or no multipart at all is refused', async () => {
  const body = bodyOf([['archive', Buffer.alloc(3_000, 1)]]);
  await expect(read(pieces(body.subarray(0, body.length - 6), 64))).rejects.toThrow('not well-formed');
  await expect(read(pieces(body, 64), 2_000)).rejects.toMatchObject({ word: 'too-large' });
  await expect(read(pieces(Buffer.from('{"name":"x"}'), 64))).rejects.toThrow('not well-formed');
  await expect(read(pieces(Buffer.from(`--${boundary}\r\n\r\n\r\nx\r\n--${boundary}--`), 64))).rejects.toThrow(
    'not well-formed',
  );
  const endless = Buffer.concat([Buffer.from(`--${boundary}\r\n`), Buffer.alloc(20_000, 65)]);
  await expect(read(pieces(endless, 1_000))).rejects.toThrow('not well-formed');
});

test('the boundary is read from the content type', () => {
  expect(boundaryOf('multipart/form-data; boundary=abc')).toBe('abc');
  expect(boundaryOf('Multipart/Form-Data;boundary="a b"')).toBe('a b');
  for (const contentType of [undefined, 'multipart/form-data', 'multipart/mixed; boundary=x', 'application/json'])
    expect(boundaryOf(contentType)).toBeUndefined();
});
