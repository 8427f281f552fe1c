import { connect, type Socket } from 'node:net';

/** One answer as it stood on the wire. */
export interface WireAnswer {
  code: number;
  /** By lower-case name; what stands twice is joined by a line end, which no value may hold. */
  headers: ReadonlyMap<string, string>;
  body: Buffer;
}

/** What came instead of an answer: the other side closed, or said nothing in time. */
export type NoAnswer = 'closed' | 'silent';

/** What is on the wire is not HTTP. */
export class Malformed extends Error {}

/** A connection on which bytes are sent as they are, and answers are read by the letter of RFC 9112. */
export class Wire {
  readonly socket: Socket;
  #pieces: Buffer[] = [];
  #length = 0;
  /** With fewer bytes than this there is no whole answer: they need not be put together before. */
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

  /** Says that nothing more will be sent, and still reads. */
  finish(): void {
    if (this.socket.writable) this.socket.end();
  }

  close(): void {
    this.socket.destroy();
  }

  /** The next whole answer; informational ones (100 Continue) are passed over. */
  async next(waitMs: number, isHead = false): Promise<WireAnswer | NoAnswer> {
    const late = performance.now() + waitMs;
    for (;;) {
      const isEnd = this.#isEnded || this.#isClosed;
      const pending = this.#together();
      const found = readAnswer(pending, isHead, isEnd);
      if (typeof found === 'object') {
        this.#keep(pending.subarray(found.length));
        if (found.answer.code >= 200) return found.answer;
        continue;
      }
      if (isEnd) {
        if (pending.length > 0) throw new Malformed(`it ends in the middle: ${shown(pending)}`);
        return 'closed';
      }
      this.#needed = found;
      const left = late - performance.now();
      if (left <= 0) return 'silent';
      await this.#change(left);
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

/** The first answer of the bytes, or how many it takes at least; throws when they cannot become one. */
function readAnswer(bytes: Buffer, isHead: boolean, isEnd: boolean): { answer: WireAnswer; length: number } | number {
  const headEnd = bytes.indexOf('\r\n\r\n');
  if (headEnd < 0) return bytes.length + 1;
  const [status, ...lines] = bytes.subarray(0, headEnd).toString('latin1').split('\r\n');
  const code = Number(/^HTTP\/1\.1 (\d{3}) [ -~]*$/.exec(status!)?.[1] ?? Number.NaN);
  if (Number.isNaN(code)) throw new Malformed(`no status line: ${shown(bytes)}`);
  const headers = readHeaders(lines);
  const from = headEnd + 4;
  // Whoever could not read the method of a request does not know that its answer has no body.
  const body =
    code < 200 || code === 204 || code === 304 || (isHead && hasNoBody(bytes, from, isEnd))
      ? { content: Buffer.alloc(0), to: from }
      : readBody(bytes, from, headers, isEnd);
  return typeof body === 'number' ? body : { answer: { code, headers, body: body.content }, length: body.to };
}

/** Nothing follows the header, or the next answer does. */
const hasNoBody = (bytes: Buffer, from: number, isEnd: boolean): boolean =>
  (isEnd && bytes.length === from) || bytes.subarray(from).toString('latin1', 0, 9) === 'HTTP/1.1 ';

function readHeaders(lines: readonly string[]): Map<string, string> {
  const headers = new Map<string, string>();
  for (const line of lines) {
    // No fold, no control character: else a caller could write headers of ours.
    const [, name, value] = /^([!#$%&'*+.^_`|~0-9A-Za-z-]+):[ \t]*([\t -~\x80-\xff]*)$/.exec(line) ?? [];
    if (name === undefined) throw new Malformed(`no header: ${JSON.stringify(line.slice(0, 200))}`);
    const key = name.toLowerCase();
    headers.set(key, headers.has(key) ? `${headers.get(key)}\n${value}` : value!);
  }
  return headers;
}

function readBody(bytes: Buffer, from: number, headers: ReadonlyMap<string, string>, isEnd: boolean) {
  const length = headers.get('content-length');
  if (headers.get('transfer-encoding') === 'chunked' && length === undefined) return readChunks(bytes, from);
  if (length === undefined) {
    if (headers.get('connection') !== 'close') throw new Malformed('nothing says where the answer ends');
    return isEnd ? { content: bytes.subarray(from), to: bytes.length } : bytes.length + 1;
  }
  if (!/^\d+$/.test(length)) throw new Malformed(`Content-Length ${length}`);
  const to = from + Number(length);
  return bytes.length >= to ? { content: bytes.subarray(from, to), to } : to;
}

function readChunks(bytes: Buffer, from: number) {
  const pieces: Buffer[] = [];
  for (let at = from; ; ) {
    const lineEnd = bytes.indexOf('\r\n', at);
    if (lineEnd < 0) return bytes.length + 1;
    const size = Number.parseInt(bytes.subarray(at, lineEnd).toString('latin1'), 16);
    if (Number.isNaN(size)) throw new Malformed('a chunk without a size');
    const to = lineEnd + 2 + size;
    if (bytes.length < to + 2) return to + 2;
    if (size === 0) return { content: Buffer.concat(pieces), to: to + 2 };
    pieces.push(bytes.subarray(lineEnd + 2, to));
    at = to + 2;
  }
}
