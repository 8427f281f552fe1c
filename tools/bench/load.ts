import { connect, type Socket } from 'node:net';
import { type AnswerForm, answerChecker, type Expected } from './answers.ts';
import { multifilter } from './subjects/host.ts';
import { familySize, type SubjectName, spareRows } from './subjects/subject.ts';
import { subjects } from './subjects/subjects.ts';
import type { Writer } from './writer.ts';

/** The kind of a request: drawn at random over the complete table, except for the two ends of a walk. */
export type Target =
  | 'record'
  | 'walk'
  | 'family'
  | 'rare-text'
  | 'first-page'
  | 'last-page'
  | 'middle-page'
  | 'count'
  | 'multifilter';

/** One load on one server, as data, because another process runs it. */
export interface LoadSpec {
  port: number;
  subject: SubjectName;
  target: Target;
  clients: number;
  seconds: number;
  seed: number;
  /** The size of the filling. */
  size: number;
  headers: readonly string[];
  form: AnswerForm;
  /** How a walk continues: the position after an id; the bare server takes the id itself. */
  position?: { prefix: readonly unknown[] } | undefined;
  /** True if responses have filtered and total, and an ETag on one record. */
  isService: boolean;
}

export interface LoadReport {
  requests: number;
  seconds: number;
  p50Ms: number;
  p99Ms: number;
  bytes: number;
  /** The first wrong responses; one is enough to void a run. */
  faults: string[];
  written: number;
}

const pageSize = 100;
const freshEvery = 50;

/** A small generator of pseudo-random numbers (mulberry32): the seed is printed, so that a run can be repeated. */
export function randomFrom(seed: number): (below: number) => number {
  let state = seed >>> 0;
  return (below) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return Math.floor((((t ^ (t >>> 14)) >>> 0) / 4_294_967_296) * below);
  };
}

/** Draws requests and computes the expected content of their responses. */
class Course {
  readonly #spec: LoadSpec;
  readonly #writer: Writer;
  readonly #random: (below: number) => number;
  #drawn = 0;

  constructor(spec: LoadSpec, writer: Writer) {
    this.#spec = spec;
    this.#writer = writer;
    this.#random = randomFrom(spec.seed);
  }

  next(): { path: string; expected: Expected } {
    const { size, isService } = this.#spec;
    const subject = subjects[this.#spec.subject];
    const rows = subject.rows(size);
    // Requests the last written record now and then, which detects responses from a cache.
    const fresh = ++this.#drawn % freshEvery === 0 ? this.#writer.last : 0;
    const id = fresh || 1 + this.#random(rows);
    const total = isService ? rows + spareRows : undefined;
    const expect = (first: number, count: number, overrides: Partial<Expected> = {}): Expected => ({
      first,
      count,
      floor: this.#writer.acknowledged.slice(first, first + count),
      spare: false,
      ...overrides,
    });
    const familyOf = (families: number) => 1 + (Math.floor((id - 1) / familySize) % families);
    const expectFamily = (family: number) =>
      expect((family - 1) * familySize + 1, pageSize, { filtered: isService ? familySize : undefined, total });
    switch (this.#spec.target) {
      case 'record':
        return { path: `${this.#root}/${id}`, expected: expect(id, 1) };
      case 'walk': {
        const first = Math.min(id, rows - pageSize + 1);
        return { path: this.#page(first - 1), expected: expect(first, pageSize, { filtered: total, total }) };
      }
      case 'first-page':
        return { path: this.#page(undefined), expected: expect(1, pageSize, { filtered: total, total }) };
      case 'last-page': {
        const first = rows - pageSize + 2;
        return {
          path: this.#page(first - 1),
          expected: expect(first, pageSize - 1, { spare: true, filtered: total, total }),
        };
      }
      case 'middle-page': {
        const start = Math.floor(rows / 2) - this.#random(pageSize);
        return {
          path: `${this.#root}?count=${pageSize}&start=${start}`,
          expected: expect(start + 1, pageSize, { filtered: total, total }),
        };
      }
      case 'family': {
        const family = familyOf(subject.families(size));
        return {
          path: `${this.#root}?count=${pageSize}&filter=${subject.familyFilter(family)}`,
          expected: expectFamily(family),
        };
      }
      case 'count': {
        const family = familyOf(subject.families(size));
        return {
          path: `${this.#root}/count?filter=${subject.familyFilter(family)}`,
          expected: expect(1, 0, { filtered: familySize, total }),
        };
      }
      case 'rare-text':
        return {
          path: `${this.#root}?count=${pageSize}&filter=${subject.rareFilter(id)}`,
          expected: expect(id, 1, { filtered: isService ? 1 : undefined, total }),
        };
      case 'multifilter': {
        const family = familyOf(multifilter.families(size));
        return {
          path: `/api/v2${multifilter.path}?count=${pageSize}&${multifilter.filter(family)}`,
          expected: expectFamily(family),
        };
      }
    }
  }

  get #root(): string {
    return `/api/v2${subjects[this.#spec.subject].path}`;
  }

  /** Returns the path of the page after an id, or of the first one. */
  #page(lastId: number | undefined): string {
    if (lastId === undefined) return `${this.#root}?count=${pageSize}`;
    const { position } = this.#spec;
    const after = position ? Buffer.from(JSON.stringify([...position.prefix, lastId])).toString('base64url') : lastId;
    return `${this.#root}?count=${pageSize}&after=${after}`;
  }
}

/** One kept connection with one request in progress. */
class Client {
  readonly #socket: Socket;
  #chunks: Buffer[] = [];
  #wanted = -1;
  #held = 0;
  #bodyAt = 0;
  #head = '';
  #done!: (answer: { code: number; head: string; body: string; bytes: number } | Error) => void;

  constructor(port: number) {
    this.#socket = connect({ port, host: '127.0.0.1', noDelay: true });
    this.#socket.on('data', (chunk) => this.#take(chunk));
    this.#socket.on('error', (error) => this.#done?.(error));
    this.#socket.on('close', () => this.#done?.(new Error('the server closed the connection')));
  }

  ask(request: string): Promise<{ code: number; head: string; body: string; bytes: number }> {
    return new Promise((done, fail) => {
      this.#done = (answer) => (answer instanceof Error ? fail(answer) : done(answer));
      this.#socket.write(request, 'latin1');
    });
  }

  close(): void {
    this.#socket.removeAllListeners('close').destroy();
  }

  #take(chunk: Buffer): void {
    this.#chunks.push(chunk);
    this.#held += chunk.length;
    if (this.#wanted < 0) this.#readHead();
    if (this.#wanted < 0 || this.#held < this.#wanted) return;
    const received = this.#chunks.length === 1 ? chunk : Buffer.concat(this.#chunks);
    const answer = {
      code: Number(this.#head.slice(9, 12)),
      head: this.#head,
      body: received.toString('latin1', this.#bodyAt, this.#wanted),
      bytes: this.#wanted,
    };
    this.#chunks = [];
    this.#held = 0;
    this.#wanted = -1;
    this.#done(answer);
  }

  #readHead(): void {
    const receivedBytes = this.#chunks.length === 1 ? this.#chunks[0]! : Buffer.concat(this.#chunks);
    const end = receivedBytes.indexOf('\r\n\r\n');
    if (end < 0) return;
    this.#head = receivedBytes.toString('latin1', 0, end);
    const length = /content-length: (\d+)/i.exec(this.#head);
    if (!length) throw new Error(`an answer without Content-Length: ${this.#head}`);
    this.#bodyAt = end + 4;
    this.#wanted = this.#bodyAt + Number(length[1]);
  }
}

const faultsMax = 5;

/** Runs the load: each client sends again as soon as it has the response, and every response is read completely. */
export async function runLoad(spec: LoadSpec, writer: Writer): Promise<LoadReport> {
  const course = new Course(spec, writer);
  const check = answerChecker(spec.form);
  const head = `Host: 127.0.0.1:${spec.port}\r\n${spec.headers.map((line) => `${line}\r\n`).join('')}\r\n`;
  const wantsEtag = spec.isService && spec.target === 'record';
  const faults: string[] = [];
  const tookMs: number[] = [];
  let bytes = 0;
  const before = writer.written;
  const started = performance.now();
  const deadline = started + spec.seconds * 1_000;
  const drive = async (client: Client) => {
    while (faults.length < faultsMax) {
      const { path, expected } = course.next();
      const sentMs = performance.now();
      if (sentMs >= deadline) break;
      const answer = await client.ask(`GET ${path} HTTP/1.1\r\n${head}`);
      const now = performance.now();
      const etag = wantsEtag ? (/^etag: (.*)$/im.exec(answer.head)?.[1] ?? 'none') : undefined;
      const fault =
        answer.code === 200
          ? check(answer.body, expected, etag)
          : `answered ${answer.code}: ${answer.body.slice(0, 300)}`;
      if (fault) faults.push(`${path} ${fault}`);
      if (now > deadline) break;
      tookMs.push(now - sentMs);
      bytes += answer.bytes;
    }
  };
  const clients = Array.from({ length: spec.clients }, () => new Client(spec.port));
  try {
    await Promise.all(clients.map(drive));
  } finally {
    for (const client of clients) client.close();
  }
  tookMs.sort((a, b) => a - b);
  // If nothing was answered in time, it took at least the available time.
  const quantile = (share: number) => tookMs[Math.floor(tookMs.length * share)] ?? spec.seconds * 1_000;
  return {
    requests: tookMs.length,
    seconds: spec.seconds,
    p50Ms: quantile(0.5),
    p99Ms: quantile(0.99),
    bytes,
    faults,
    written: writer.written - before,
  };
}
