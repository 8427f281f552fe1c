import { connect, type Socket } from 'node:net';

/** One response as it was received. */
export interface WireAnswer {
  code: number;
  /** By lower-case name; repeated headers are joined by a line end, which no value may contain. */
  headers: ReadonlyMap<string, string>;
  body: Buffer;
}

/** What happened instead of a response: the node closed the connection, or sent nothing in time. */
export type NoAnswer = 'closed' | 'silent';

/** Thrown if the received bytes are not valid HTTP. */
export class Malformed extends Error {}

/** A connection that sends bytes unchanged, and reads responses strictly by RFC 9112. */
export class Wire {
  readonly socket: Socket;
  #pieces: Buffer[] = [];
  #length = 0;
  /** The response is incomplete with fewer bytes than this, so they are not concatenated before. */
  #needed = 0;
  #isClosed = false;
  #isEnded = false;
  #wake: () => void = () => undefined;

  private constructor(socket: Socket) {
    this.socket = socket;
    socket.on('data', (piece: Buffer) => {
      this.#pieces.push(piece);
      this.#length += piece.length;
      if (this.#length >= this.#needed) this.#wake();
    });
    socket.on('end', () => {
      this.#isEnded = true;
      this.#wake();
    });
    socket.on('error', () => undefined);
    socket.on('close', () => {
      this.#isClosed = true;
      this.#wake();
    });
  }

  static open(port: number): Promise<Wire> {
    return new Promise((done, fail) => {
      const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
      socket.once('error', fail);
      socket.once('connect', () => {
        socket.off('error', fail);
        done(new Wire(socket));
      });
    });
  }

  get isOpen(): boolean {
    return !this.#isClosed && !this.#isEnded;
  }

  send(bytes: string | Buffer): void {
    if (this.socket.writable) this.socket.write(bytes);
  }

  /** Ends the sending side, and still reads. */
  finish(): void {
    if (this.socket.writable) this.socket.end();
  }

  close(): void {
    this.socket.destroy();
  }

  /** Returns the next complete response; informational ones (100 Continue) are skipped. */
  async next(waitMs: number, isHead = false): Promise<WireAnswer | NoAnswer> {
    const late = performance.now() + waitMs;
    for (;;) {
      const isEnd = this.#isEnded || this.#isClosed;
      const pending = this.#together();
      const result = readAnswer(pending, isHead, isEnd);
      if (typeof result === 'object') {
        this.#keep(pending.subarray(result.length));
        if (result.answer.code >= 200) return result.answer;
        continue;
      }
      if (isEnd) {
        if (pending.length > 0) throw new Malformed(`it ends in the middle: ${shown(pending)}`);
        return 'closed';
      }
      this.#needed = result;
      const remainingMs = late - performance.now();
      if (remainingMs <= 0) return 'silent';
      await this.#change(remainingMs);
    }
  }

  #together(): Buffer {
    if (this.#pieces.length > 1) this.#pieces = [Buffer.concat(this.#pieces)];
    return this.#pieces[0] ?? Buffer.alloc(0);
  }

  #keep(rest: Buffer): void {
    this.#pieces = [rest];
    this.#length = rest.length;
    this.#needed = 0;
  }

  #change(waitMs: number): Promise<void> {
    return new Promise((done) => {
      const timer = setTimeout(done, waitMs);
      this.#wake = () => {
        clearTimeout(timer);
        done();
      };
    });
  }
}

const shown = (bytes: Buffer): string => JSON.stringify(bytes.subarray(0, 200).toString('latin1'));

/**
 * Returns the first response in the bytes, or how many bytes it needs at least; throws if the bytes cannot be a
 * response.
 */
function readAnswer(bytes: Buffer, isHead: boolean, isEnd: boolean): { answer: WireAnswer; length: number } | number {
  const headEnd = bytes.indexOf('\r\n\r\n');
  if (headEnd < 0) return bytes.length + 1;
  const [status, ...lines] = bytes.subarray(0, headEnd).toString('latin1').split('\r\n');
  const code = Number(/^HTTP\/1\.1 (\d{3}) [ -~]*$/.exec(status!)?.[1] ?? Number.NaN);
  if (Number.isNaN(code)) throw new Malformed(`no status line: ${shown(bytes)}`);
  const headers = readHeaders(lines);
  const bodyStart = headEnd + 4;
  // A node that could not parse the method of a request does not know that its response must have no body.
  const body =
    code < 200 || code === 204 || code === 304 || (isHead && hasNoBody(bytes, bodyStart, isEnd))
      ? { content: Buffer.alloc(0), to: bodyStart }
      : readBody(bytes, bodyStart, headers, isEnd);
  return typeof body === 'number' ? body : { answer: { code, headers, body: body.content }, length: body.to };
}

/** True if nothing follows the header, or the next response does. */
const hasNoBody = (bytes: Buffer, bodyStart: number, isEnd: boolean): boolean =>
  (isEnd && bytes.length === bodyStart) || bytes.subarray(bodyStart).toString('latin1', 0, 9) === 'HTTP/1.1 ';

function readHeaders(lines: readonly string[]): Map<string, string> {
  const headers = new Map<string, string>();
  for (const line of lines) {
    // No folding and no control characters: otherwise a caller could inject headers.
    const [, name, value] = /^([!#$%&'*+.^_`|~0-9A-Za-z-]+):[ \t]*([\t -~\x80-\xff]*)$/.exec(line) ?? [];
    if (name === undefined) throw new Malformed(`no header: ${JSON.stringify(line.slice(0, 200))}`);
    const key = name.toLowerCase();
    headers.set(key, headers.has(key) ? `${headers.get(key)}\n${value}` : value!);
  }
  return headers;
}

function readBody(bytes: Buffer, start: number, headers: ReadonlyMap<string, string>, isEnd: boolean) {
  const length = headers.get('content-length');
  if (headers.get('transfer-encoding') === 'chunked' && length === undefined) return readChunks(bytes, start);
  if (length === undefined) {
    if (headers.get('connection') !== 'close') throw new Malformed('the response has no length');
    return isEnd ? { content: bytes.subarray(start), to: bytes.length } : bytes.length + 1;
  }
  if (!/^\d+$/.test(length)) throw new Malformed(`Content-Length ${length}`);
  const end = start + Number(length);
  return bytes.length >= end ? { content: bytes.subarray(start, end), to: end } : end;
}

function readChunks(bytes: Buffer, start: number) {
  const pieces: Buffer[] = [];
  for (let chunkStart = start; ; ) {
    const lineEnd = bytes.indexOf('\r\n', chunkStart);
    if (lineEnd < 0) return bytes.length + 1;
    const size = Number.parseInt(bytes.subarray(chunkStart, lineEnd).toString('latin1'), 16);
    if (Number.isNaN(size)) throw new Malformed('a chunk without a size');
    const chunkEnd = lineEnd + 2 + size;
    if (bytes.length < chunkEnd + 2) return chunkEnd + 2;
    if (size === 0) return { content: Buffer.concat(pieces), to: chunkEnd + 2 };
    pieces.push(bytes.subarray(lineEnd + 2, chunkEnd));
    chunkStart = chunkEnd + 2;
  }
}
