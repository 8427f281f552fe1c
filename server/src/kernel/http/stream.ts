import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Caller } from '../declare/caller.ts';
import type { Answer, Call, Operation } from '../declare/operation.ts';
import { Failure, throttled } from '../failure.ts';
import { jsonWriter } from '../format/json-writer.ts';

const pauseMs = 1_000;
const aliveMs = 15_000;
const streamMinutesMax = 60;
const streamsMax = 20;

/** The number of open streams of each credential: a browser that reconnects in a loop must not use up the node. */
const open = new Map<string, number>();

/**
 * Sends the changes of a monitor as server-sent events. It repeats the poll each second from its last position, so any
 * node can continue the stream: a client that lost its connection sends the last id it received.
 */
export async function streamChanges(
  operation: Operation,
  call: Call,
  request: FastifyRequest,
  reply: FastifyReply,
  admit: () => Promise<Caller>,
): Promise<void> {
  const credential = call.caller.credential.publicId;
  const running = open.get(credential) ?? 0;
  if (running >= streamsMax)
    throw throttled(`At most ${streamsMax} streams can be open at a time per token; close one first.`, 60);
  const lastSeen = request.headers['last-event-id'];
  const position = call.query.position ?? (typeof lastSeen === 'string' && lastSeen !== '' ? lastSeen : undefined);
  // The first poll runs before the stream starts, so that its failure is an ordinary response.
  const first = await operation.run(withPosition(call, position));
  open.set(credential, running + 1);
  try {
    reply.hijack();
    reply.raw.writeHead(200, {
      'content-type': 'text/event-stream',
      'cache-control': 'no-store',
      'x-request-id': request.id,
      'x-accel-buffering': 'no',
    });
    await pump(operation, call, first, position, reply, admit);
  } finally {
    const remainingStreams = (open.get(credential) ?? 1) - 1;
    if (remainingStreams > 0) open.set(credential, remainingStreams);
    else open.delete(credential);
    reply.raw.end();
  }
}

const withPosition = (call: Call, position: unknown): Call =>
  position === undefined ? call : { ...call, query: { ...call.query, position } };

async function pump(
  operation: Operation,
  call: Call,
  first: Answer,
  startPosition: unknown,
  reply: FastifyReply,
  admit: () => Promise<Caller>,
): Promise<void> {
  const { raw } = reply;
  const write = jsonWriter(operation.result!);
  const until = performance.now() + streamMinutesMax * 60_000;
  let answer = first;
  let position = startPosition;
  let reportedMs = Number.NEGATIVE_INFINITY;
  while (!raw.destroyed && performance.now() < until) {
    const entries = (answer.results ?? []) as { position: string }[];
    const text = entries.map((entry) => `id: ${entry.position}\ndata: ${write(entry)}\n\n`).join('');
    position = entries.at(-1)?.position ?? position;
    if (text || performance.now() - reportedMs > aliveMs) {
      reportedMs = performance.now();
      if (!raw.write(text || ': alive\n\n')) await Promise.race([once(raw, 'drain'), once(raw, 'close')]);
    }
    await sleep(pauseMs, undefined, { signal: call.signal }).catch(() => undefined);
    if (call.signal.aborted) return;
    try {
      // If rights were removed meanwhile, the stream ends as the next poll would; rows that became invisible are not
      // reported.
      const caller = await admit();
      answer = await operation.run(withPosition({ ...call, caller }, position));
    } catch (error) {
      const word = error instanceof Failure ? error.word : 'error';
      raw.write(
        `event: failure\ndata: ${JSON.stringify({ status: word, errorMessage: error instanceof Failure ? error.message : 'Internal error.' })}\n\n`,
      );
      return;
    }
  }
}
