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

/** Every operation but the one that would end the trial. */
const operations = describeOperations(catalogue).filter(({ operationId }) => operationId !== 'session.logout');

/** Fewer than the sessions of a node: that a request waits for one is another matter. */
const senders = 16;

/** Sends drawn requests on kept connections, and holds every answer against the contract. */
async function sendAll(target: Target, count: number, drawn: (number: number) => DrawnRequest): Promise<Tally> {
  const tally = new Tally();
  const idle: Wire[] = [];
  await inTurns(count, senders, async (number) => {
    const request = drawn(number);
    const asked = () => `${number}: ${excerpt(requestBytes(request, 'Authorization: …').toString('latin1'))}`;
    const kept = idle.pop();
    const wire = kept?.isOpen ? kept : await Wire.open(target.port);
    await tally.exchange(wire, asked, async () => {
      wire.send(requestBytes(request, target.authorization));
      const got = await wire.next(answerMsMax);
      tally.note(got, { asked, path: request.path, accepted: target.accepted });
      if (typeof got === 'string') tally.faults.push(`${asked()} → ${got}`);
      else if (got.headers.get('connection') !== 'close') idle.push(wire);
    });
    if (!idle.includes(wire)) wire.close();
  });
  for (const wire of idle) wire.close();
  return tally;
}

/** What takes a filter in its query: lists and counts. */
const filtered = operations.filter(({ query }) => 'filter' in query);
/** Without these a filter is not looked at. */
const needed: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'console.counts': { group: 'host', by: 'role' },
};
const otherParameters = ['start', 'count', 'sortKey', 'sortDir', 'after', 'nothing'];
const otherValues = ['0', '1', 'name', 'desc', 'x', '-1', '99999999', '%'];

/** Filters as callers send them: in the query, or as the body of a GET. */
export function filtersByHttp(target: Target, seed: number, count: number): Promise<Tally> {
  return sendAll(target, count, (number): DrawnRequest => {
    const draw = new Draw(seed, 'filter by HTTP', number);
    const { path, operationId, listed } = draw.pick(filtered);
    const filter = drawFilter(draw, wordsFor(operationId));
    const others = {
      ...needed[operationId],
      ...(draw.chance(0.2) && { [draw.pick(otherParameters)]: draw.pick(otherValues) }),
    };
    if (listed && draw.chance(0.3)) {
      const body = Buffer.from(JSON.stringify({ filter, ...others }));
      return { method: 'GET', path, headers: { 'Content-Type': 'application/json' }, body };
    }
    const pairs = [...filter.map((element) => ['filter', element] as const), ...Object.entries(others)];
    const search = pairs.map(([name, value]) => `${name}=${encodeURIComponent(value.toWellFormed())}`).join('&');
    const accept = draw.pick(['application/json', 'application/xml', 'application/problem+json']);
    return { method: 'GET', path: `${path}?${search}`, headers: { Accept: accept }, body: Buffer.alloc(0) };
  });
}

/** Whatever takes a body, and whatever is asked by POST. */
const written = operations.filter(({ method, listed }) => method === 'POST' || listed === true);

/** Bodies for all of these, most of them wrong. */
export function bodiesByHttp(target: Target, seed: number, count: number): Promise<Tally> {
  return sendAll(target, count, (number): DrawnRequest => {
    const draw = new Draw(seed, 'body', number);
    return drawBody(draw, draw.pick(written));
  });
}

/** Waiting takes no work of the node. */
const strangers = 64;
/** So long an answer is waited for where there may be one, and where half a request was sent. */
const [wholeMsMax, halfMsMax] = [60_000, 1_000];

/** Surely more was announced than was sent: a header without end, a longer body, chunks without the last. */
function isHalf(bytes: Buffer): boolean {
  const end = bytes.indexOf('\r\n\r\n');
  const head = bytes.toString('latin1', 0, Math.max(0, end));
  const announced = Number(/\ncontent-length:\s*(\d+)/i.exec(head)?.[1] ?? 0);
  if (end < 0 || announced > bytes.length - end - 4) return true;
  return /\ntransfer-encoding:/i.test(head) && !bytes.includes('0\r\n\r\n');
}

/** CONNECT asks for a tunnel, and there is nothing to lead it to: the connection is closed. */
const isTunnel = (bytes: Buffer): boolean => /^\s*CONNECT /.test(bytes.subarray(0, 40).toString('latin1'));

/** Bytes as no client library sends them, each on a connection of its own. All must end: with answers, or closed. */
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
  const asked = () => {
    const text = bytes.toString('latin1').replace(target.authorization, 'Authorization: …');
    return `${number}: ${excerpt(text)}`;
  };
  // That an answer to HEAD has no body shows only at its end.
  const waitMs = isHead || isHalf(bytes) ? halfMsMax : wholeMsMax;
  const wire = await Wire.open(target.port);
  await tally.exchange(wire, asked, async () => {
    wire.send(bytes);
    const first = await wire.next(waitMs, isHead);
    // What is not whole is waited for; the node learns here that nothing more will come.
    wire.finish();
    const got = first === 'silent' ? await wire.next(answerMsMax, isHead) : first;
    tally.note(got, { asked, path, isHead, accepted: target.accepted });
    if (got === 'silent' || (first === 'closed' && !isTunnel(bytes))) tally.faults.push(`${asked()} → ${got}`);
    // One behind the first, where two were sent, or where the first broke off after its answer.
    for (let more = got; typeof more !== 'string'; ) {
      more = await wire.next(answerMsMax);
      if (typeof more !== 'string') tally.note(more, { asked, path: '', accepted: target.accepted });
    }
  });
  wire.close();
}
