import { catalogue } from '../../../src/catalogue.ts';
import type { Operation } from '../../../src/kernel/declare/operation.ts';
import { describeOperations } from '../../../src/node/describe-operations.ts';
import { type DrawnRequest, drawBody, requestBytes } from './bodies.ts';
import { Draw } from './draw.ts';
import { wordsFor } from './filter-stages.ts';
import { drawFilter } from './filters.ts';
import { drawRequest } from './requests.ts';
import { answerMsMax, excerpt, inTurns, type Target } from './target.ts';
import { Tally } from './verdict.ts';
import { Wire } from './wire.ts';

/** Every operation except the one that would end the trial. */
const operations = describeOperations(catalogue).filter(({ operationId }) => operationId !== 'session.logout');

/** Fewer than the database sessions of a node: waiting for one is not tested here. */
const senders = 16;

/** Sends random requests on kept connections, and checks every response against the contract. */
async function sendAll(target: Target, count: number, drawn: (number: number) => DrawnRequest): Promise<Tally> {
  const tally = new Tally();
  const idle: Wire[] = [];
  await inTurns(count, senders, async (number) => {
    const request = drawn(number);
    const describeRequest = () => `${number}: ${excerpt(requestBytes(request, 'Authorization: …').toString('latin1'))}`;
    const keptWire = idle.pop();
    const wire = keptWire?.isOpen ? keptWire : await Wire.open(target.port);
    await tally.exchange(wire, describeRequest, async () => {
      wire.send(requestBytes(request, target.authorization));
      const got = await wire.next(answerMsMax);
      tally.note(got, { describe: describeRequest, path: request.path, accepted: target.accepted });
      if (typeof got === 'string') tally.faults.push(`${describeRequest()} → ${got}`);
      else if (got.headers.get('connection') !== 'close') idle.push(wire);
    });
    if (!idle.includes(wire)) wire.close();
  });
  for (const wire of idle) wire.close();
  return tally;
}

/** Operations with a filter in the query: lists and counts. */
const filtered = operations.filter(({ query }) => 'filter' in query);
/** Parameters without which an operation does not evaluate the filter. */
const needed: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'console.counts': { group: 'host', by: 'role' },
};
const otherParameters = ['start', 'count', 'sortKey', 'sortDir', 'after', 'nothing'];
const otherValues = ['0', '1', 'name', 'desc', 'x', '-1', '99999999', '%'];

/** Sends filters like callers do: in the query, or in the body of a GET. */
export function filtersByHttp(target: Target, seed: number, count: number): Promise<Tally> {
  return sendAll(target, count, (number): DrawnRequest => {
    const draw = new Draw(seed, 'filter by HTTP', number);
    const { path, operationId, listed } = draw.pick(filtered);
    const filter = drawFilter(draw, wordsFor(operationId));
    const extraParameters = {
      ...needed[operationId],
      ...(draw.chance(0.2) && { [draw.pick(otherParameters)]: draw.pick(otherValues) }),
    };
    if (listed && draw.chance(0.3)) {
      const body = Buffer.from(JSON.stringify({ filter, ...extraParameters }));
      return { method: 'GET', path, headers: { 'Content-Type': 'application/json' }, body };
    }
    const pairs = [...filter.map((element) => ['filter', element] as const), ...Object.entries(extraParameters)];
    const search = pairs.map(([name, value]) => `${name}=${encodeURIComponent(value.toWellFormed())}`).join('&');
    const accept = draw.pick(['application/json', 'application/xml', 'application/problem+json']);
    return { method: 'GET', path: `${path}?${search}`, headers: { Accept: accept }, body: Buffer.alloc(0) };
  });
}

/** Operations with a body, and all POST operations. */
const bodyOperations = operations.filter(({ method, listed }) => method === 'POST' || listed === true);

/** Sends bodies to all of these, most of them invalid. */
export function bodiesByHttp(target: Target, seed: number, count: number): Promise<Tally> {
  return sendAll(target, count, (number): DrawnRequest => {
    const draw = new Draw(seed, 'body', number);
    return drawBody(draw, draw.pick(bodyOperations));
  });
}

/** Waiting takes no work of the node. */
const strangers = 64;
/** How long a response is waited for if there may be one, and if half a request was sent. */
const [wholeMsMax, halfMsMax] = [60_000, 1_000];

/**
 * True if the request is certainly incomplete: a header without end, a shorter body than announced, chunks without the
 * last one.
 */
function isHalf(bytes: Buffer): boolean {
  const end = bytes.indexOf('\r\n\r\n');
  const head = bytes.toString('latin1', 0, Math.max(0, end));
  const announced = Number(/\ncontent-length:\s*(\d+)/i.exec(head)?.[1] ?? 0);
  if (end < 0 || announced > bytes.length - end - 4) return true;
  return /\ntransfer-encoding:/i.test(head) && !bytes.includes('0\r\n\r\n');
}

/** CONNECT requests a tunnel, which the node does not provide: it closes the connection. */
const isTunnel = (bytes: Buffer): boolean => /^\s*CONNECT /.test(bytes.subarray(0, 40).toString('latin1'));

/**
 * Sends bytes that no client library sends, each request on its own connection. Each must end with a response or with a
 * closed connection.
 */
export async function rawRequests(target: Target, seed: number, count: number): Promise<Tally> {
  const tally = new Tally();
  await inTurns(count, strangers, (number) => {
    const draw = new Draw(seed, 'raw', number);
    return sendRaw(target, tally, number, draw, draw.pick(operations));
  });
  return tally;
}

async function sendRaw(target: Target, tally: Tally, number: number, draw: Draw, operation: Operation): Promise<void> {
  const { bytes, path, isHead } = drawRequest(draw, operation, target.authorization);
  const describeRequest = () => {
    const text = bytes.toString('latin1').replace(target.authorization, 'Authorization: …');
    return `${number}: ${excerpt(text)}`;
  };
  // Whether a response to HEAD has no body is only visible at its end.
  const waitMs = isHead || isHalf(bytes) ? halfMsMax : wholeMsMax;
  const wire = await Wire.open(target.port);
  await tally.exchange(wire, describeRequest, async () => {
    wire.send(bytes);
    const first = await wire.next(waitMs, isHead);
    // The node waits for the rest of an incomplete request; this ends the sending side.
    wire.finish();
    const got = first === 'silent' ? await wire.next(answerMsMax, isHead) : first;
    tally.note(got, { describe: describeRequest, path, isHead, accepted: target.accepted });
    if (got === 'silent' || (first === 'closed' && !isTunnel(bytes)))
      tally.faults.push(`${describeRequest()} → ${got}`);
    // A second response follows if two requests were sent, or if the first ended before its body.
    for (let nextAnswer = got; typeof nextAnswer !== 'string'; ) {
      nextAnswer = await wire.next(answerMsMax);
      if (typeof nextAnswer !== 'string')
        tally.note(nextAnswer, { describe: describeRequest, path: '', accepted: target.accepted });
    }
  });
  wire.close();
}
