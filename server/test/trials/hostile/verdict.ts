import { SaxesParser } from 'saxes';
import { statusWords } from '../../../src/kernel/failure.ts';
import { Malformed, type NoAnswer, type Wire, type WireAnswer } from './wire.ts';

/** The maximum size of an error response to any request: a small request must not cause a large response. */
const errorBytesMax = 32_768;

/** Codes of a status word in addition to its usual one (docs/contract.md). */
const otherCodes: Readonly<Record<string, readonly number[]>> = {
  invalid: [408],
  stale: [412],
  'too-large': [414, 431],
  unsupported: [406, 415, 417],
};

/** Content types of documents and pictures outside the envelope. */
const documentTypes = /^(text\/(html|css|javascript)|image\/(svg\+xml|png)|application\/(json|xml))\b/;

const requestId = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Returns how a response deviates from the contract; undefined if it does not. */
export function faultOf(answer: WireAnswer, path: string, isHead = false): string | undefined {
  const { code, headers, body } = answer;
  const fault = (what: string) => `${code}: ${what}: ${body.subarray(0, 300).toString('utf8')}`;
  if (!requestId.test(headers.get('x-request-id') ?? '')) return fault('X-Request-Id is missing or not from the node');
  if (code === 500 || code === 503) return fault('our fault');
  if (code >= 400 && body.length > errorBytesMax) return fault(`${body.length} bytes for an error`);
  if (body.length === 0 && (isHead || code === 304)) return undefined;
  const type = headers.get('content-type') ?? '';
  if (code === 200 && isDocument(path) && documentTypes.test(type)) return undefined;
  const envelope = envelopeOf(type, body);
  if (typeof envelope === 'string') return fault(envelope);
  const codes: readonly number[] =
    envelope.word === 'success'
      ? [200, 201, 202]
      : Object.hasOwn(statusWords, envelope.word)
        ? [statusWords[envelope.word as keyof typeof statusWords], ...(otherCodes[envelope.word] ?? [])]
        : [];
  if (!codes.includes(code)) return fault(`the status word ${envelope.word} does not match it`);
  if ((envelope.word === 'success') !== (envelope.message === null || envelope.message === ''))
    return fault('an error without message, or a success with one');
  return undefined;
}

const isDocument = (path: string): boolean => /^\/(docs|icons)\b|^\/api\/v2\/(openapi\.json|schema\.xsd)/.test(path);

/** Returns status word and message of an envelope, or the reason why it is none. */
function envelopeOf(type: string, body: Buffer): { word: string; message: string | null } | string {
  const text = body.toString('utf8');
  if (!Buffer.from(text).equals(body)) return 'not UTF-8';
  const problem = type.startsWith('application/problem+json');
  if (type === 'application/json; charset=utf-8' || problem) {
    try {
      const parsed = JSON.parse(text);
      return { word: problem ? parsed.title : parsed.status, message: problem ? parsed.detail : parsed.errorMessage };
    } catch {
      return 'not JSON';
    }
  }
  return type === 'application/xml; charset=utf-8' ? xmlEnvelopeOf(text) : `Content-Type ${type}`;
}

function xmlEnvelopeOf(text: string): { word: string; message: string | null } | string {
  const parser = new SaxesParser({ xmlns: true });
  const path: string[] = [];
  const textByPath = new Map<string, string>();
  let wrong = '';
  parser.on('error', (error) => {
    wrong ||= error.message;
  });
  parser.on('opentag', ({ name }) => void path.push(name));
  parser.on('text', (piece) => void textByPath.set(path.join('/'), (textByPath.get(path.join('/')) ?? '') + piece));
  parser.on('closetag', () => void path.pop());
  parser.write(text).close();
  const word = textByPath.get('response/status');
  if (wrong || word === undefined) return `not an envelope in XML (${wrong})`;
  return { word, message: textByPath.get('response/errorMessage') ?? null };
}

interface SentRequest {
  /** Describes the request, for a message. */
  describe: () => string;
  path: string;
  isHead?: boolean;
  /** Collects the X-Request-Id of successful requests. */
  accepted: Set<string>;
}

/** Counts the responses of a stage. */
export class Tally {
  readonly codes = new Map<number | NoAnswer, number>();
  readonly faults: string[] = [];
  errorBytesMax = 0;
  slowestMs = 0;

  note(got: WireAnswer | NoAnswer, { describe, path, isHead, accepted }: SentRequest): void {
    const key = typeof got === 'string' ? got : got.code;
    this.codes.set(key, (this.codes.get(key) ?? 0) + 1);
    if (typeof got === 'string') return;
    if (got.code < 300) accepted.add(got.headers.get('x-request-id') ?? '');
    else this.errorBytesMax = Math.max(this.errorBytesMax, got.body.length);
    const fault = faultOf(got, path, isHead);
    if (fault) this.faults.push(`${describe()} → ${fault}`);
  }

  /** Sends and reads; bytes that are not valid HTTP are a fault of the node. */
  async exchange(wire: Wire, describeRequest: () => string, work: () => Promise<void>): Promise<void> {
    const before = performance.now();
    try {
      await work();
    } catch (error) {
      if (!(error instanceof Malformed)) throw error;
      this.faults.push(`${describeRequest()} → no HTTP: ${error.message}`);
      wire.close();
    }
    this.slowestMs = Math.max(this.slowestMs, performance.now() - before);
  }

  get total(): number {
    return [...this.codes.values()].reduce((sum, count) => sum + count, 0);
  }

  get words(): string {
    const sorted = [...this.codes].sort(([a], [b]) => String(a).localeCompare(String(b)));
    const codeCounts = sorted.map(([code, count]) => `${code}: ${count}`).join(', ');
    return `${this.total} requests (${codeCounts}), longest error ${this.errorBytesMax} bytes, slowest ${this.slowestMs.toFixed(0)} ms`;
  }
}
