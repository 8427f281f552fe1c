import type { FilePart, Uploads } from '../declare/operation.ts';
import { Failure, invalid } from '../failure.ts';

const headBytesMax = 8_192;

/** Returns the boundary of a `multipart/form-data` content type; undefined for other types. */
export function boundaryOf(contentType: string | undefined): string | undefined {
  const match = /^multipart\/form-data\s*;\s*boundary=(?:"([^"]{1,70})"|([^\s;"]{1,70}))\s*$/i.exec(contentType ?? '');
  return match?.[1] ?? match?.[2];
}

/** True if a body of this type is an upload: a form, or the file itself for operations that accept its type. */
export function isUpload({ types = [] }: Uploads, contentType: string | undefined): boolean {
  const type = /^[^;]*/
    .exec(contentType ?? '')![0]
    .trim()
    .toLowerCase();
  return boundaryOf(contentType) !== undefined || types.includes(type);
}

/** Yields the body itself as the only file. */
export async function* onlyFile(
  body: AsyncIterable<Buffer>,
  field: string,
  bytesMax: number,
): AsyncGenerator<FilePart> {
  yield { field, content: bounded(body, bytesMax) };
}

async function* bounded(body: AsyncIterable<Buffer>, bytesMax: number): AsyncGenerator<Buffer> {
  let bytes = 0;
  for await (const chunk of body) {
    bytes += chunk.length;
    if (bytes > bytesMax) throw tooLarge();
    yield chunk;
  }
}

const tooLarge = () => new Failure('too-large', 'The body exceeds the size limit.');

/**
 * Reads the parts of a multipart body as they arrive (RFC 7578), with one chunk at a time in memory. The complete body
 * has at most `bytesMax`.
 */
export async function* readMultipart(
  body: AsyncIterable<Buffer>,
  boundary: string,
  bytesMax: number,
): AsyncGenerator<FilePart> {
  const source = new Source(body, bytesMax);
  const delimiter = Buffer.from(`\r\n--${boundary}`);
  for await (const _ of source.until(delimiter));
  for (;;) {
    const afterBoundary = (await source.take(2)).toString('latin1');
    if (afterBoundary === '--') return;
    if (afterBoundary !== '\r\n') throw malformed();
    const field = fieldOf(await source.head());
    const content = source.until(delimiter);
    yield { field, content };
    // Skips what the caller did not read of the part.
    for await (const _ of content);
  }
}

const malformed = () => invalid('The body is not well-formed multipart/form-data.');

function fieldOf(head: string): string {
  const disposition = head.split('\r\n').find((line) => /^content-disposition\s*:/i.test(line));
  const field = /;\s*name="([^"\r\n]{1,80})"/i.exec(disposition ?? '')?.[1];
  if (field === undefined) throw malformed();
  return field;
}

/**
 * The received bytes that were not read yet. They begin with a line end, so that the first boundary looks like the
 * others.
 */
class Source {
  readonly #body: AsyncIterator<Buffer>;
  readonly #bytesMax: number;
  #bytes = 0;
  #rest: Buffer = Buffer.from('\r\n');

  constructor(body: AsyncIterable<Buffer>, bytesMax: number) {
    this.#body = body[Symbol.asyncIterator]();
    this.#bytesMax = bytesMax;
  }

  async #fill(): Promise<void> {
    const { value, done } = await this.#body.next();
    if (done) throw malformed();
    this.#bytes += value.length;
    if (this.#bytes > this.#bytesMax) throw tooLarge();
    this.#rest = this.#rest.length === 0 ? value : Buffer.concat([this.#rest, value]);
  }

  async take(bytes: number): Promise<Buffer> {
    while (this.#rest.length < bytes) await this.#fill();
    return this.#cut(bytes);
  }

  #cut(bytes: number): Buffer {
    const cutBytes = this.#rest.subarray(0, bytes);
    this.#rest = this.#rest.subarray(bytes);
    return cutBytes;
  }

  /** Reads the headers, up to the empty line. */
  async head(): Promise<string> {
    for (;;) {
      const end = this.#rest.indexOf('\r\n\r\n');
      if (end >= 0) return this.#cut(end + 4).toString('latin1');
      if (this.#rest.length > headBytesMax) throw malformed();
      await this.#fill();
    }
  }

  /** Yields everything before the delimiter, and skips the delimiter. */
  async *until(delimiter: Buffer): AsyncGenerator<Buffer> {
    for (;;) {
      const end = this.#rest.indexOf(delimiter);
      if (end >= 0) {
        if (end > 0) yield this.#cut(end);
        this.#cut(delimiter.length);
        return;
      }
      // The received bytes may end with the first bytes of a delimiter.
      const safe = this.#rest.length - delimiter.length + 1;
      if (safe > 0) yield this.#cut(safe);
      await this.#fill();
    }
  }
}
