import { SaxesParser } from 'saxes';
import { statusWords } from '../../../src/kernel/failure.ts';
import { Malformed, type NoAnswer, type Wire, type WireAnswer } from './wire.ts';

/** What an error answer may be long, whatever was asked: nobody makes us send more than they sent, and nobody reads more. */
const errorBytesMax = 32_768;

/** Codes of a status word besides its own (docs/contract.md). */
const otherCodes: Readonly<Record<string, readonly number[]>> = {
  invalid: [408],
  stale: [412],
  'too-large': [414, 431],
  unsupported: [406, 415, 417],
};

/** What only the documents and pictures outside the envelope are. */
const documentTypes = /^(text\/(html|css|javascript)|image\/(svg\+xml|png)|application\/(json|xml))\b/;

const requestId = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** What is wrong with an answer by the contract; undefined when nothing is. */
export function faultOf(answer: WireAnswer, path: string, isHead = false): string | undefined {
  const { code, headers, body } = answer;
  const fault = (what: string) => `${code}: ${what}: ${body.subarray(0, 300).toString('utf8')}`;
  if (!requestId.test(headers.get('x-request-id') ?? '')) return fault('X-Request-Id is missing or not ours');
  if (code === 500 || code === 503) return fault('our fault');
  if (code >= 400 && body.length > errorBytesMax) return fault(`${body.length} bytes for an error`);
  if (body.length === 0 && (isHead || code === 304)) return undefined;
  const type = headers.get('content-type') ?? '';
  if (code === 200 && isDocument(path) && documentTypes.test(type)) return undefined;
  const said = envelopeOf(type, body);
  if (typeof said === 'string') return fault(said);
  const codes: readonly number[] =
    said.word === 'success'
      ? [200, 201, 202]
      : Object.hasOwn(statusWords, said.word)
        ? [statusWords[said.word as keyof typeof statusWords], ...(otherCodes[said.word] ?? [])]
        : [];
  if (!codes.includes(code)) return fault(`the word ${said.word} does not go with it`);
  if ((said.word === 'success') !== (said.message === null || said.message === ''))
    return fault('no sentence, or one too many');
  return undefined;
}

const isDocument = (path: string): boolean => /^\/(docs|icons)\b|^\/api\/v2\/(openapi\.json|schema\.xsd)/.test(path);

/** Status word and message of an envelope, or what keeps it from being one. */
function envelopeOf(type: string, body: Buffer): { word: string; message: string | null } | string {
  const text = body.toString('utf8');
  if (!Buffer.from(text).equals(body)) return 'not UTF-8';
  const problem = type.startsWith('application/problem+json');
  if (type === 'application/json; charset=utf-8' || problem) {
    try {
      const said = JSON.parse(text);
      return { word: problem ? said.title : said.status, message: problem ? said.detail : said.errorMessage };
    } catch {
      return 'not JSON';
    }
  }
  return type === 'application/xml; charset=utf-8' ? xmlEnvelopeOf(text) : `Content-Type ${type}`;
}

function xmlEnvelopeOf(text: string): { word: string; message: string | null } | string {
  const parser = new SaxesParser({ xmlns: true });
  const path: string[] = [];
  const said = new Map<string, string>();
  let wrong = '';
  parser.on('error', (error) => {
    wrong ||= error.message;
  });
  parser.on('opentag', ({ name }) => void path.push(name));
  parser.on('text', (piece) => void said.set(path.join('/'), (said.get(path.join('/')) ?? '') + piece));
  parser.on('closetag', () => void path.pop());
  parser.write(text).close();
  const word = said.get('response/status');
  if (wrong || word === undefined) return `not an envelope in XML (${wrong})`;
  return { word, message: said.get('response/errorMessage') ?? null };
}

interface Asked {
  /** What was asked, for a message. */
  asked: () => string;
  path: string;
  isHead?: boolean;
  /** Takes the X-Request-Id of what was done. */
  accepted: Set<string>;
}

/** How the requests of a stage were answered. */
export class Tally {
  readonly codes = new Map<number | NoAnswer, number>();
  readonly faults: string[] = [];
  errorBytesMax = 0;
  slowestMs = 0;

  note(got: WireAnswer | NoAnswer, { asked, path, isHead, accepted }: Asked): void {
    const key = typeof got === 'string' ? got : got.code;
    this.codes.set(key, (this.codes.get(key) ?? 0) + 1);
    if (typeof got === 'string') return;
    if (got.code < 300) accepted.add(got.headers.get('x-request-id') ?? '');
    else this.errorBytesMax = Math.max(this.errorBytesMax, got.body.length);
    const fault = faultOf(got, path, isHead);
    if (fault) this.faults.push(`${asked()} → ${fault}`);
  }

  /** Sends and reads; what is on the wire and no HTTP is a fault of the node. */
  async exchange(wire: Wire, asked: () => string, work: () => Promise<void>): Promise<void> {
    const before = performance.now();
    try {
      await work();
    } catch (error) {
      if (!(error instanceof Malformed)) throw error;
      this.faults.push(`${asked()} → no HTTP: ${error.message}`);
      wire.close();
    }
    this.slowestMs = Math.max(this.slowestMs, performance.now() - before);
  }

  get total(): number {
    return [...this.codes.values()].reduce((sum, count) => sum + count, 0);
  }

  get words(): string {
    const sorted = [...this.codes].sort(([a], [b]) => String(a).localeCompare(String(b)));
    const each = sorted.map(([code, count]) => `${code}: ${count}`).join(', ');
    return `${this.total} requests (${each}), longest error ${this.errorBytesMax} bytes, slowest ${this.slowestMs.toFixed(0)} ms`;
  }
}
